/** The controls of the method: what a reader may change, kept in the address as what differs from the run. */

import { h, replace } from "./dom.js";
import { AGGREGATIONS, GATES, SELECTIONS, settingsOf } from "./scoring.js";
import { plain } from "./words.js";

const SLIDERS = [
  {
    name: "threshold",
    symbol: "τ",
    word: "Threshold",
    means: "the reliability at which the gate is half open",
    least: 0,
    most: 1,
    step: 0.01,
    of: curved,
  },
  {
    name: "sharpness",
    symbol: "β",
    word: "Sharpness",
    means: "how steeply the gate opens",
    least: 0,
    most: 40,
    step: 0.5,
    of: curved,
  },
  {
    name: "decision",
    symbol: "θ",
    word: "Decision",
    means: "a step below it is called wrong",
    least: -1,
    most: 1,
    step: 0.01,
    of: () => true,
  },
];
const GATE_WORDS = { sigmoid: "sigmoid (paper)", local: "local", factor: "factor", off: "off" };

function curved(settings) {
  return settings.gate === "sigmoid" || settings.gate === "local";
}

/** @param {import("./main.js").Page} page */
export function controls(page) {
  const own = settingsOf(page.run.manifest);
  const change = (changes) => page.go({ settings: difference(own, { ...page.settings, ...changes }) }, { quiet: true });
  const parts = [
    choice(
      "gate",
      "Gate",
      GATES,
      (name) => GATE_WORDS[name] ?? name,
      (gate) => change({ gate }),
    ),
    ...SLIDERS.slice(0, 2).map((slider) => sliding(slider, change)),
    choice(
      "aggregation",
      "Score",
      AGGREGATIONS,
      (name) => name.replaceAll("-", " "),
      (aggregation) => change({ aggregation }),
    ),
    choice(
      "select",
      "Chosen by",
      SELECTIONS,
      (name) => name.replaceAll("-", " "),
      (select) => change({ select }),
    ),
    sliding(SLIDERS[2], change),
  ];
  const reset = h(
    "button",
    { type: "button", class: "button", on: { click: () => page.go({ settings: {} }, { quiet: true }) } },
    "As the run was",
  );
  const note = h("p", { class: "muted changed-settings" });
  const update = () => {
    for (const part of parts) part.update(page.settings);
    const changed = Object.entries(page.state.settings).map(
      ([name, value]) => `${name} ${typeof value === "number" ? plain(value) : value}`,
    );
    reset.toggleAttribute("disabled", changed.length === 0);
    replace(note, changed.length ? `Changed: ${changed.join(", ")}` : "These are the run’s own settings.");
  };
  update();
  return {
    update,
    element: h(
      "div",
      { class: "controls" },
      parts.map((part) => part.element),
      h("div", { class: "controls-foot" }, reset, note),
    ),
  };
}

/** Only what differs from the run's own settings. */
function difference(own, settings) {
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => own[name] !== value));
}

function choice(name, word, values, wordOf, change) {
  const field = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: `set-${name}`, name, on: { change: () => change(field.value) } },
      values.map((value) => h("option", { value }, wordOf(value))),
    )
  );
  return {
    element: h("div", { class: "control" }, h("label", { for: `set-${name}` }, word), field),
    update: (settings) => {
      field.value = settings[name];
    },
  };
}

function sliding({ name, symbol, word, means, least, most, step, of }, change) {
  const range = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "range",
      id: `set-${name}`,
      name,
      min: least,
      max: most,
      step,
      "aria-describedby": `means-${name}`,
    })
  );
  const exact = /** @type {HTMLInputElement} */ (
    h("input", { type: "number", class: "number", step: "any", "aria-label": `${word} ${symbol}, exactly` })
  );
  range.addEventListener("input", () => change({ [name]: Number(range.value) }));
  exact.addEventListener(
    "change",
    () => exact.value !== "" && Number.isFinite(Number(exact.value)) && change({ [name]: Number(exact.value) }),
  );
  const element = h(
    "div",
    { class: "control slider" },
    h("label", { for: `set-${name}` }, `${word} `, h("span", { class: "symbol" }, symbol)),
    h("div", { class: "slider-line" }, range, exact),
    h("p", { class: "means", id: `means-${name}` }, means),
  );
  return {
    element,
    update: (settings) => {
      const idle = !of(settings);
      range.disabled = exact.disabled = idle;
      element.classList.toggle("idle", idle);
      if (document.activeElement !== range || range.value !== String(settings[name]))
        range.value = String(settings[name]);
      if (document.activeElement !== exact) exact.value = String(settings[name]);
    },
  };
}
