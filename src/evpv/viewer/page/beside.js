/** Two candidates side by side: steps that say the same stand in one row, and what differs is marked. */

import { answerWords, why } from "./candidates.js";
import { rightness } from "./cards.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { withMath } from "./math.js";
import { stepItem } from "./steps.js";
import { fixed } from "./words.js";

// A formula is one word: half of one cannot be set.
// Formulas have a bound: else each of many beginnings would be followed to the end of the text.
const WORDS = /\$\$[^$]{1,2000}\$\$|\$[^$\n]{1,2000}\$|\\\([\s\S]{1,2000}?\\\)|\\\[[\s\S]{1,2000}?\\\]|\s+|[^\s$]+|\$/g;

/** @param {import("./main.js").Page} page @param {any} scored @param {any} left @param {any} right @param {any} linked */
export function besideView(page, scored, left, right, linked) {
  const rows = paired(
    left.steps.map((step) => step.text),
    right.steps.map((step) => step.text),
  ).map(([a, b]) => {
    const same = a !== null && b !== null && left.steps[a].text === right.steps[b].text;
    const texts =
      a !== null && b !== null && !same ? marked(left.steps[a].text, right.steps[b].text) : [undefined, undefined];
    const cell = (candidate, index, text) =>
      h(
        "ol",
        { class: "steps" },
        index === null
          ? h("li", { class: "step none" }, "–")
          : stepItem(page, candidate, candidate.steps[index], index, linked, text),
      );
    return h(
      "div",
      { class: `beside-row ${same ? "same" : "differs"}` },
      cell(left, a, texts[0]),
      cell(right, b, texts[1]),
    );
  });
  const close = h("a", { class: "button", href: page.link({ beside: null }) }, "One candidate at a time");
  return h(
    "section",
    { class: "beside panel", "aria-label": "Two candidates side by side" },
    h("div", { class: "list-head" }, h("h2", {}, "Side by side"), close),
    h("div", { class: "beside-row heads" }, head(page, scored, left, "candidate"), head(page, scored, right, "beside")),
    rows,
  );
}

function head(page, scored, candidate, name) {
  const { order, values, best } = scored.ranking;
  const other = name === "candidate" ? page.state.beside : (page.state.candidate ?? order[0]);
  const options = order
    .filter((id) => id !== other)
    .map((id) =>
      h("option", { value: id, selected: id === candidate.id }, `${order.indexOf(id) + 1}. candidate ${id}`),
    );
  const choice = h(
    "select",
    {
      data: { key: `choice ${name}` },
      "aria-label": name === "candidate" ? "Left candidate" : "Right candidate",
      on: { change: (event) => page.go({ [name]: event.target.value, step: null }, { quiet: true }) },
    },
    options,
  );
  return h(
    "div",
    { class: "beside-head" },
    h(
      "div",
      { class: "candidate-answer", dir: "auto" },
      answerWords(candidate)[0],
      best.includes(candidate.id) ? h("span", { class: "chip best" }, icon("trophy"), "chosen") : null,
      rightness(scored.problem.right?.[candidate.id]),
    ),
    h(
      "div",
      { class: "beside-choice" },
      choice,
      h("span", { class: "number" }, fixed(values[candidate.id], 3)),
      h("span", { class: "muted" }, `reliability ${fixed(candidate.reliability)}`),
    ),
    h("div", { class: "candidate-why" }, why(candidate)),
  );
}

/**
 * Steps in rows: those with the same text face each other, those between are paired in order.
 * @param {string[]} left @param {string[]} right @returns {[number | null, number | null][]}
 */
export function paired(left, right) {
  const rows = [];
  let [a, b] = [0, 0];
  for (const [i, j] of [...common(left, right), [left.length, right.length]]) {
    while (a < i || b < j) rows.push([a < i ? a++ : null, b < j ? b++ : null]);
    if (i < left.length) rows.push([a++, b++]);
  }
  return rows;
}

/** The two texts with the words that the other does not have marked. */
export function marked(left, right) {
  const [a, b] = [left.match(WORDS) ?? [], right.match(WORDS) ?? []];
  const pairs = common(a.map(bare), b.map(bare));
  // Two ways of saying the same differ in every other word; then only the numbers are worth a mark.
  const count = (words) => words.filter((word) => word.trim()).length;
  const alike = count(pairs.map(([i]) => a[i])) >= 0.6 * Math.max(count(a), count(b));
  if (!alike) return [numbersMarked(a, b), numbersMarked(b, a)];
  const show = (words, kept) =>
    words
      .map((word, index) => (kept.has(index) || !word.trim() ? withMath(word) : h("mark", {}, withMath(word))))
      .flat();
  return [show(a, new Set(pairs.map(([i]) => i))), show(b, new Set(pairs.map(([, j]) => j)))];
}

function bare(word) {
  let end = word.length;
  while (end > 0 && ".,;:".includes(word[end - 1])) end -= 1;
  return word.slice(0, end);
}

/** The words with numbers that the other text does not have, marked. */
function numbersMarked(words, others) {
  const numbers = (word) => word.match(/\d+(?:\.\d+)?/g) ?? [];
  const known = new Set(others.flatMap(numbers));
  return words.flatMap((word) =>
    numbers(word).some((number) => !known.has(number)) ? h("mark", {}, withMath(word)) : withMath(word),
  );
}

/** The longest common subsequence of two lists of texts, as pairs of places; none in very long ones, which would take too long. */
function common(left, right) {
  const [n, m] = [left.length, right.length];
  if (n * m > 250_000) return [];
  const lengths = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i -= 1)
    for (let j = m - 1; j >= 0; j -= 1)
      lengths[i][j] = left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const pairs = [];
  for (let i = 0, j = 0; i < n && j < m;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}
