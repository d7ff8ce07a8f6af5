/** A problem as a card: its figure, its question, what was chosen, and what the claims met. */

import { partBar } from "./charts.js";
import { h, pictureAddress } from "./dom.js";
import { icon } from "./icons.js";
import { withMath } from "./math.js";
import { choiceWords, counted, VERDICTS } from "./words.js";

/** @param {import("./main.js").Page} page @param {number} place */
export function problemCard(page, place) {
  const summary = page.run.problems[place];
  const verdicts = VERDICTS.map(({ name }) => ({ name, count: summary.verdicts[name] ?? 0 }));
  return h(
    "a",
    {
      class: "card",
      href: page.link({ view: "problem", problem: summary.id, candidate: null, beside: null, step: null }),
      data: { problem: summary.id },
    },
    thumbnail(summary),
    h(
      "div",
      { class: "card-body" },
      h(
        "div",
        { class: "card-top" },
        h("span", { class: "card-id", dir: "auto" }, summary.id),
        rightness(summary.right),
      ),
      h("p", { class: "card-question", dir: "auto" }, withMath(summary.question)),
      summary.candidates
        ? h("p", { class: summary.tied ? "card-choice tied" : "card-choice", dir: "auto" }, choiceWords(summary.answers, summary.tied))
        : null,
      h("div", { class: "card-foot" }, partBar(verdicts), h("div", { class: "card-notes" }, notes(summary))),
    ),
  );
}

function notes(summary) {
  const contradicted = summary.verdicts.contradicted ?? 0;
  const claims = Object.values(summary.verdicts).reduce((sum, count) => sum + count, 0);
  return [
    summary.unread
      ? h("span", { class: "note doubt" }, icon("eye"), "nothing read")
      : h(
          "span",
          { class: contradicted ? "note contradicted" : "note" },
          contradicted ? [icon("contradicted"), `${contradicted} contradicted`] : counted(claims, "claim"),
        ),
    !summary.unread && summary.checked === 0 && summary.candidates
      ? h("span", { class: "note doubt" }, icon("unparsed"), "nothing checked")
      : null,
    summary.changed ? h("span", { class: "note changed" }, icon("swap"), "winner changed") : null,
  ];
}

/** @param {boolean | null} right */
export function rightness(right) {
  if (right === null || right === undefined) return null;
  return h(
    "span",
    { class: `rightness ${right ? "is-right" : "is-wrong"}` },
    icon(right ? "right" : "wrong"),
    right ? "right" : "wrong",
  );
}

/** The small picture of a problem; a quiet sign where it has none. */
export function thumbnail(summary) {
  const source = pictureAddress(summary.thumbnail);
  const picture = source ? h("img", { src: source, alt: "", loading: "lazy", decoding: "async" }) : "no figure";
  return h("div", { class: source ? "thumbnail" : "thumbnail none" }, picture);
}
