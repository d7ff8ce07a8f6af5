/** The keyboard: every view can be used without a mouse. `?` shows this list. */

import { h } from "./dom.js";

export const KEYS = [
  ["?", "this list"],
  ["o", "overview"],
  ["w", "what if"],
  ["c", "compare (two runs)"],
  ["/", "search"],
  ["j  k", "next, previous: card, or problem"],
  ["↑ ↓", "cards: row by row; a problem: candidate by candidate"],
  ["Enter", "open"],
  ["n  p", "next, previous step of the open candidate"],
  ["b", "lay the winner beside the open candidate, or take it away"],
  ["+  −  0", "figure: nearer, farther, all of it"],
  ["t", "light, dark, as the system says"],
  ["Esc", "back to the overview; out of a field"],
];

/** @param {import("./main.js").Page} page */
export function listenToKeys(page) {
  addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      document.querySelector("dialog[open]")
    )
      return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, select, textarea")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (act(page, event.key)) event.preventDefault();
  });
}

/** @returns {boolean} whether the key meant something here */
function act(page, key) {
  const elsewhere = { problem: null, candidate: null, beside: null, step: null };
  const everywhere = {
    "?": openHelp,
    o: () => page.go({ view: "overview", ...elsewhere }),
    w: () => page.go({ view: "whatif", ...elsewhere }),
    c: () => page.data.runs.length > 1 && page.go({ view: "compare", ...elsewhere }),
    t: () => /** @type {HTMLElement} */ (document.querySelector("button[data-theme]")).click(),
    "/": () => toSearch(page, elsewhere),
  };
  const action = everywhere[key] ?? (page.view.keys ?? (page.view.grid ? gridKeys(page.view.grid) : {}))[key];
  action?.();
  return action !== undefined;
}

function toSearch(page, elsewhere) {
  if (page.state.view !== "overview") page.go({ view: "overview", ...elsewhere });
  document.getElementById("search")?.focus();
}

/** Moving among cards. */
function gridKeys(grid) {
  const current = () =>
    Number(/** @type {HTMLElement} */ (document.activeElement?.closest(".cell"))?.dataset.index ?? -1);
  const move = (by) => () => {
    const from = current();
    grid.focus(Math.max(0, Math.min(grid.count - 1, from < 0 ? 0 : from + by)));
  };
  if (current() < 0) return { j: move(1), k: move(-1) };
  return {
    j: move(1),
    k: move(-1),
    ArrowRight: move(1),
    ArrowLeft: move(-1),
    ArrowDown: move(grid.columns),
    ArrowUp: move(-grid.columns),
  };
}

export function openHelp() {
  const close = h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Close");
  const rows = KEYS.map(([keys, words]) =>
    h(
      "div",
      {},
      h(
        "dt",
        {},
        keys.split(/\s+/).map((key) => h("kbd", {}, key)),
      ),
      h("dd", {}, words),
    ),
  );
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: "help", "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, "Keys"),
      h("dl", {}, rows),
      close,
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.appendChild(dialog);
  dialog.showModal();
}
