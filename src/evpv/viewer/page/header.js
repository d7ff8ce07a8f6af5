/** The bar at the top: where one is, which run, light or dark, and the keys. */

import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { openHelp } from "./keys.js";

const THEMES = ["auto", "light", "dark"];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @param {import("./main.js").Page} page */
export function bar(page) {
  const tabs = h("nav", { class: "tabs", "aria-label": "Views" });
  const runs = h("div", { class: "runs" });
  const update = () => {
    replace(tabs, page.single ? null : tabList(page));
    replace(runs, page.data.runs.length > 1 && page.state.view !== "compare" && runChoice(page));
  };
  update();
  const brand = h(
    "a",
    { class: "brand", href: "#", title: page.single ? null : "Overview" },
    mark(),
    h("span", { class: "brand-name" }, page.data.title),
  );
  const help = h(
    "button",
    { class: "quiet", type: "button", "aria-label": "Keys", title: "Keys (?)", on: { click: openHelp } },
    "?",
  );
  return {
    update,
    element: h(
      "header",
      { class: "bar" },
      h("div", { class: "bar-inside" }, brand, tabs, h("div", { class: "spacer" }), runs, themeButton(), help),
    ),
  };
}

function tabList(page) {
  const { view } = page.state;
  const tab = (name, words, current = view === name) =>
    h(
      "a",
      {
        class: "tab",
        href: page.link({
          view: name,
          problem: name === "problem" ? page.state.problem : null,
          candidate: null,
          beside: null,
          step: null,
        }),
        "aria-current": current ? "page" : null,
      },
      words,
    );
  return [
    tab("overview", "Overview", view === "overview" || view === "problem"),
    tab("whatif", "What if"),
    page.data.runs.length > 1 && tab("compare", "Compare"),
  ];
}

function runChoice(page) {
  const options = page.data.runs.map((run, number) =>
    h("option", { value: number, selected: number === page.state.run }, run.name),
  );
  return h(
    "select",
    {
      "aria-label": "Run",
      on: {
        change: (event) => page.go({ run: Number(event.target.value), candidate: null, beside: null, step: null }),
      },
    },
    options,
  );
}

function mark() {
  return h("span", { class: "mark", "aria-hidden": "true" }, icon("eye"));
}

/** Light, dark, or as the system says; remembered where the browser lets a page on disk remember. */
function themeButton() {
  const button = h("button", { class: "quiet", type: "button" });
  const show = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Colours: ${theme}`);
    button.title = `Colours: ${theme}`;
    button.dataset.theme = theme;
    replace(button, icon(THEME_ICONS[theme]));
  };
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(button.dataset.theme) + 1) % THEMES.length];
    show(next);
    remember(next);
  });
  show(remembered());
  return button;
}

function remembered() {
  try {
    const theme = localStorage.getItem("evpv-theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

function remember(theme) {
  try {
    localStorage.setItem("evpv-theme", theme);
  } catch {
    // A browser that keeps nothing for pages on disk still shows the choice until the page is closed.
  }
}
