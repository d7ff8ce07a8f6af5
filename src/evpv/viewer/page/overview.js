/** The run at a glance: how it did, what it was, and its problems as cards. */

import { binned, histogram, parted } from "./charts.js";
import { cardGrid } from "./grid.js";
import { ATTENTION, chosen, FILTERS, problemSpeaksOf, SORTS } from "./choosing.js";
import { eachProblem } from "./data.js";
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { problemCard } from "./cards.js";
import { runFacts } from "./facts.js";
import { counted, percent, VERDICTS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function overview(page) {
  const { run } = page;
  let places = [];
  let search = { words: "", found: new Set(), stop: null };
  const status = h("p", { class: "status", role: "status" });
  const grid = cardGrid({
    card: (index) => problemCard(page, places[index]),
    height: 286,
    least: 250,
    gap: 20,
    label: "Problems",
  });
  const empty = h(
    "p",
    { class: "empty", hidden: true },
    "No problem is like that. ",
    h("a", { href: page.link({ search: "", filters: [] }) }, "Show all"),
  );
  const tools = toolbar(page);

  const draw = () => {
    places = chosen(run.problems, page.state, search.found);
    status.textContent =
      places.length === run.problems.length
        ? counted(places.length, "problem")
        : `${places.length.toLocaleString("en")} of ${counted(run.problems.length, "problem")}`;
    empty.hidden = places.length > 0;
    page.listed = places;
    grid.show(places.length);
  };
  const update = () => {
    tools.update();
    if (page.state.search !== search.words) {
      search.stop?.abort();
      search = { words: page.state.search, found: new Set(), stop: new AbortController() };
      if (search.words.trim()) searchTexts(run, search, draw);
    }
    draw();
  };
  const list = h(
    "section",
    { class: "problems", "aria-label": "Problems" },
    h("div", { class: "list-head" }, h("h2", {}, "Problems"), status),
    tools.element,
    empty,
    grid.element,
  );
  return {
    element: h("div", { class: "overview" }, headline(page), list, figures(run)),
    update,
    shown: () => {
      update();
      // Back from a problem, one is where one left.
      const left = places.indexOf(run.places.get(page.left));
      if (left >= 0) grid.focus(left);
    },
    dispose: () => {
      search.stop?.abort();
      grid.dispose();
    },
    grid,
  };
}

/** Look through what the summaries do not hold, and draw again whenever something more was found. */
async function searchTexts(run, search, draw) {
  const wanted = search.words.trim().toLowerCase();
  let known = 0;
  let drawn = performance.now();
  const more = () => {
    if (search.found.size > known && !search.stop.signal.aborted) draw();
    known = search.found.size;
    drawn = performance.now();
  };
  const look = (problem, place) => {
    if (problemSpeaksOf(problem, wanted)) search.found.add(place);
    if (performance.now() - drawn > 400) more();
  };
  await eachProblem(run, look, search.stop.signal);
  more();
}

/** How often the choice is right, beside what it must beat, and what is wrong with the steps. */
function tiles(run) {
  const { headline: figures } = run;
  const known = figures.right !== null && figures.right !== undefined;
  const gain =
    known && figures.base_right !== null ? Math.round(1000 * figures.right - 1000 * figures.base_right) / 10 : null;
  const shown = [
    known &&
      tile(
        "Right answer chosen",
        percent(figures.right, 1),
        [
          `without the gate ${percent(figures.base_right, 1)}`,
          `majority vote ${percent(figures.majority, 1)}`,
          `judge alone ${percent(figures.judge_alone, 1)}`,
          `chance ${percent(figures.chance, 1)}`,
        ],
        gain && `${gain > 0 ? "+" : "−"}${Math.abs(gain)} points`,
        "strong",
      ),
    tile("Premise errors", figures.premise_errors.toLocaleString("en"), [
      `steps that rest on something misread or not confirmed, ${percent(figures.premise_errors / Math.max(1, figures.steps))} of all`,
    ]),
    tile("Reasoning errors", figures.reasoning_errors.toLocaleString("en"), [
      `steps that go wrong on their own, ${percent(figures.reasoning_errors / Math.max(1, figures.steps))} of all`,
    ]),
  ];
  return h("div", { class: "tiles" }, shown);
}

function headline(page) {
  const { run } = page;
  const { headline: figures } = run;
  return h(
    "section",
    { class: "headline", "aria-label": "Headline figures" },
    h("h1", {}, run.name),
    h(
      "p",
      { class: "lead" },
      `${counted(figures.problems, "problem")}, ${counted(figures.candidates, "candidate solution")}, ${counted(figures.steps, "step")}. `,
      `${counted(figures.claims, "claim")} about a figure checked against what was read from it.`,
    ),
    runFacts(run),
    attention(page),
    tiles(run),
  );
}

/** What to look at first; each tile shows the problems it counts. */
function attention(page) {
  const { run } = page;
  const tiles = ATTENTION.map(({ name, word, means, icon: sign, keeps }) => {
    const count = run.problems.filter(keeps).length;
    const inside = [
      h("span", { class: "attention-name" }, icon(sign), word),
      h("span", { class: "attention-count number" }, count.toLocaleString("en")),
      h("span", { class: "muted" }, means),
    ];
    return count
      ? h("a", { class: "attention-tile", href: page.link({ filters: [name] }), data: { attention: name } }, inside)
      : h("div", { class: "attention-tile none", data: { attention: name } }, inside);
  });
  return h("div", { class: "attention", role: "group", "aria-label": "What needs attention" }, tiles);
}

function tile(name, value, notes, chip, kind = "") {
  const said = notes.filter(Boolean).join(", ");
  return h(
    "div",
    { class: `tile ${kind}` },
    h("div", { class: "tile-name" }, name),
    h("div", { class: "tile-value" }, value, chip ? h("span", { class: "chip gain" }, chip) : null),
    h("div", { class: "tile-note" }, said),
  );
}

function figures(run) {
  const { headline: known, problems } = run;
  const counts = known.histograms;
  const what = counts ? "candidates" : "winners";
  const values = (name) =>
    counts?.[name] ?? binned(problems.map((summary) => summary[name]).filter((value) => value !== null));
  const verdicts = VERDICTS.map(({ name, word }) => ({
    name,
    word,
    count: known.verdicts[name] ?? 0,
    symbol: icon(name),
  }));
  const fine = Math.max(0, known.steps - known.premise_errors - known.reasoning_errors);
  const errors = [
    { name: "fine", word: "No fault found", count: fine, symbol: icon("right") },
    { name: "premise", word: "Premise error", count: known.premise_errors, symbol: icon("eye") },
    { name: "reasoning", word: "Reasoning error", count: known.reasoning_errors, symbol: icon("reasoning") },
  ];
  return h(
    "details",
    { class: "figures-box" },
    h("summary", {}, "Figures of the run", icon("down", "unfold")),
    h(
      "section",
      { class: "figures", "aria-label": "Distributions" },
      h("div", { class: "panel" }, parted("What the claims met", verdicts)),
      h("div", { class: "panel" }, parted("What is wrong with the steps", errors)),
      h("div", { class: "panel" }, histogram("Reliability", values("reliability"), `${what}, where anything was checked`)),
      h("div", { class: "panel" }, histogram("Score", values("score"), what)),
    ),
  );
}

/** Search, filters and sorting; all of them live in the address. */
function toolbar(page) {
  const { run } = page;
  const field = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      id: "search",
      placeholder: "Search questions, steps, claims",
      "aria-label": "Search in the text",
      autocomplete: "off",
      spellcheck: "false",
    })
  );
  field.addEventListener("input", () => page.go({ search: field.value }, { quiet: true }));
  const sort = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "sort", "aria-label": "Sort by" },
      SORTS.map(({ name, word }) => h("option", { value: name }, word)),
    )
  );
  sort.addEventListener("change", () => page.go({ sort: sort.value }, { quiet: true }));
  const buttons = FILTERS.map((filter) => {
    const count = run.problems.filter(filter.keeps).length;
    const toggle = () => page.go({ filters: toggled(page.state.filters, filter.name) }, { quiet: true });
    return h(
      "button",
      { type: "button", class: "filter", disabled: count === 0, data: { filter: filter.name }, on: { click: toggle } },
      icon(filter.icon),
      filter.word,
      h("span", { class: "number muted" }, count.toLocaleString("en")),
    );
  });
  const update = () => {
    if (document.activeElement !== field) field.value = page.state.search;
    sort.value = SORTS.some(({ name }) => name === page.state.sort) ? page.state.sort : "order";
    for (const button of buttons)
      button.setAttribute("aria-pressed", String(page.state.filters.includes(button.dataset.filter)));
  };
  const searching = h("label", { class: "search" }, icon("search"), field);
  return {
    update,
    element: h(
      "div",
      { class: "toolbar" },
      searching,
      h("div", { class: "filters", role: "group", "aria-label": "Filters" }, buttons),
      h("label", { class: "sort" }, h("span", { class: "muted" }, "Sort"), sort),
    ),
  };
}

function toggled(names, name) {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
