/** Two runs over the same problems: who chose what, who was right, and, for one problem, how the order moved. */

import { cardGrid } from "./grid.js";
import { problemSides } from "./moves.js";
import { h, pictureAddress, replace } from "./dom.js";
import { icon } from "./icons.js";
import { rightness } from "./cards.js";
import { choiceWords, counted, fixed, percent } from "./words.js";

const KINDS = [
  { name: "gained", word: "Only the second is right", icon: "right" },
  { name: "lost", word: "Only the first is right", icon: "wrong" },
  { name: "other", word: "Other winner, no more or less right", icon: "swap" },
  { name: "same", word: "Same winner", icon: "supported" },
];

/** @param {import("./main.js").Page} page */
export function compare(page) {
  return page.state.problem === null ? comparedRuns(page) : problemSides(page);
}

function comparedRuns(page) {
  const [first, second] = page.data.runs;
  const pairs = matched(first, second);
  let shown = [];
  const grid = cardGrid({
    card: (index) => pairRow(page, shown[index]),
    height: rowHeight(),
    least: 1e6,
    gap: 8,
    label: "Problems of both runs",
  });
  const status = h("p", { class: "status", role: "status" });
  const buttons = KINDS.map((kind) => {
    const count = pairs.filter((pair) => pair.kind === kind.name).length;
    const toggle = () =>
      page.go({ filters: page.state.filters.includes(kind.name) ? [] : [kind.name] }, { quiet: true });
    return h(
      "button",
      { type: "button", class: "filter", disabled: count === 0, data: { filter: kind.name }, on: { click: toggle } },
      icon(kind.icon),
      kind.word,
      h("span", { class: "number muted" }, count.toLocaleString("en")),
    );
  });
  const update = () => {
    const wanted = KINDS.map(({ name }) => name).filter((name) => page.state.filters.includes(name));
    shown = pairs.filter((pair) => wanted.length === 0 || wanted.includes(pair.kind));
    for (const button of buttons) button.setAttribute("aria-pressed", String(wanted.includes(button.dataset.filter)));
    replace(
      status,
      shown.length === pairs.length
        ? counted(pairs.length, "problem")
        : `${shown.length} of ${counted(pairs.length, "problem")}`,
    );
    grid.show(shown.length);
  };
  const unmatched = first.problems.length + second.problems.length - 2 * pairs.length;
  return {
    element: h(
      "div",
      { class: "compare" },
      h(
        "section",
        { class: "headline" },
        h("h1", {}, "Compare"),
        h(
          "p",
          { class: "lead" },
          runName("first", first),
          " with ",
          runName("second", second),
          `: ${counted(pairs.length, "problem")} in both`,
          unmatched ? `, ${unmatched} in one only` : "",
          ".",
        ),
        tiles(first, second, pairs),
      ),
      settingsTable(first, second),
      h(
        "section",
        { "aria-label": "Problems" },
        h("div", { class: "list-head" }, h("h2", {}, "Problems"), status),
        h("div", { class: "toolbar" }, h("div", { class: "filters", role: "group", "aria-label": "Filters" }, buttons)),
        grid.element,
      ),
    ),
    update,
    shown: update,
    dispose: grid.dispose,
    grid,
  };
}

function rowHeight() {
  return matchMedia("(max-width: 720px)").matches ? 148 : 74;
}

function runName(place, run) {
  return h("strong", { class: `run-name ${place}`, dir: "auto" }, run.name);
}

/** The problems that both runs hold, the most telling first. */
function matched(first, second) {
  const pairs = [];
  for (const a of first.problems) {
    const place = second.places.get(a.id);
    if (place === undefined) continue;
    const b = second.problems[place];
    const same = a.answers.length === b.answers.length && a.answers.every((answer) => b.answers.includes(answer));
    const kind = same
      ? "same"
      : a.right === false && b.right === true
        ? "gained"
        : a.right === true && b.right === false
          ? "lost"
          : "other";
    pairs.push({ a, b, kind });
  }
  const order = KINDS.map(({ name }) => name);
  return pairs.sort((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind));
}

function tiles(first, second, pairs) {
  const tile = (name, value, note) =>
    h(
      "div",
      { class: "tile" },
      h("div", { class: "tile-name" }, name),
      h("div", { class: "tile-value" }, value),
      h("div", { class: "tile-note" }, note),
    );
  const count = (kind) => pairs.filter((pair) => pair.kind === kind).length;
  const known = first.headline.right !== null && second.headline.right !== null;
  const better = known ? Math.round(1000 * (second.headline.right - first.headline.right)) / 10 : 0;
  return h(
    "div",
    { class: "tiles" },
    known
      ? tile(
          "Right answer chosen",
          [
            percent(first.headline.right, 1),
            h("span", { class: "arrow" }, icon("next", "becomes")),
            percent(second.headline.right, 1),
          ],
          better === 0 ? "no difference" : `${better > 0 ? "+" : "−"}${Math.abs(better)} points`,
        )
      : null,
    tile("Another winner", String(pairs.length - count("same")), `of ${counted(pairs.length, "problem")}`),
    known ? crossed(first, second, pairs) : null,
    tile(
      "Premise errors",
      [
        String(first.headline.premise_errors),
        h("span", { class: "arrow" }, icon("next", "becomes")),
        String(second.headline.premise_errors),
      ],
      "steps called so",
    ),
  );
}

/** Who is right where: both, one of the two, none. */
function crossed(first, second, pairs) {
  const count = (a, b) => pairs.filter((pair) => pair.a.right === a && pair.b.right === b).length;
  const row = (word, a) =>
    h("tr", {}, h("th", { scope: "row" }, word), [true, false].map((b) => h("td", { class: "number" }, count(a, b))));
  return h(
    "div",
    { class: "tile" },
    h("div", { class: "tile-name" }, "Right and wrong"),
    h(
      "table",
      { class: "crossed" },
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}), h("th", { scope: "col", dir: "auto" }, `${second.name} right`), h("th", { scope: "col" }, "wrong")),
      ),
      h("tbody", {}, row(`${first.name} right`, true), row("wrong", false)),
    ),
  );
}

/** What was set otherwise. */
function settingsTable(first, second) {
  const [a, b] = [first, second].map((run) =>
    flat({
      recipe: run.manifest.recipe,
      ...(run.manifest.settings ?? {}),
      method: run.manifest.method ?? run.manifest.settings?.method,
    }),
  );
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
  if (names.length === 0) return null;
  const rows = names.map((name) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", { dir: "auto" }, a[name] ?? "–"),
      h("td", { dir: "auto" }, b[name] ?? "–"),
    ),
  );
  return h(
    "section",
    { class: "panel", "aria-label": "What was set otherwise" },
    h("h2", {}, "What was set otherwise"),
    h(
      "table",
      { class: "table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "setting"),
          h("th", { scope: "col", dir: "auto" }, first.name),
          h("th", { scope: "col", dir: "auto" }, second.name),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}

function flat(value, name = "", found = {}) {
  if (value !== null && typeof value === "object")
    for (const [key, inner] of Object.entries(value)) flat(inner, name ? `${name}.${key}` : key, found);
  else if (value !== undefined) found[name] = String(value);
  return found;
}

function pairRow(page, { a, b, kind }) {
  const source = pictureAddress(a.thumbnail);
  const side = (summary) =>
    h(
      "span",
      { class: "side" },
      h(
        "strong",
        { dir: "auto" },
        summary.answers.length ? choiceWords(summary.answers, summary.tied) : "no candidates",
      ),
      h("span", { class: "muted number" }, `score ${fixed(summary.score, 3)}`),
      rightness(summary.right),
    );
  return h(
    "a",
    { class: `change ${kind}`, href: page.link({ problem: a.id }), data: { problem: a.id, kind } },
    h("span", { class: source ? "small-picture" : "small-picture none" }, source ? h("img", { src: source, alt: "", loading: "lazy" }) : "no figure"),
    h(
      "span",
      { class: "change-words" },
      h("span", { class: "card-id", dir: "auto" }, a.id),
      h("span", { class: "muted cut", dir: "auto" }, a.question),
    ),
    side(a),
    h(
      "span",
      { class: "arrow" },
      icon(kind === "same" ? "minus" : "next", kind === "same" ? "the same as" : "becomes"),
    ),
    side(b),
  );
}
