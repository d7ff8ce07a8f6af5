/** The candidates of a problem in the order of the ranking; the open one shows its steps. */

import { rightness } from "./cards.js";
import { meter } from "./charts.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { withMath } from "./math.js";
import { revisionChain } from "./revisions.js";
import { reasons, stepItem } from "./steps.js";
import { counted, faultWords, fixed } from "./words.js";

/** @param {import("./main.js").Page} page @param {ReturnType<typeof import("./rescored.js").rescored>} scored @param {any} open @param {any} linked */
export function candidateList(page, scored, open, linked) {
  const { ranking, candidates } = scored;
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const items = ranking.order.map((id, place) => {
    const candidate = byId.get(id);
    return candidateItem(page, scored, candidate, place, id === open.id, linked);
  });
  const tied = ranking.tied ? `, ${ranking.best.length} tie for first` : "";
  return h(
    "section",
    { class: "candidates", "aria-label": "Candidates in the order of the ranking" },
    h(
      "div",
      { class: "list-head" },
      h("h2", {}, counted(candidates.length, "candidate")),
      h("p", { class: "status" }, `ranked by ${ranking.select}${tied}`),
    ),
    h("ol", {}, items),
  );
}

function candidateItem(page, scored, candidate, place, isOpen, linked) {
  const { ranking, problem } = scored;
  const best = ranking.best.includes(candidate.id);
  const toggle = () => page.go({ candidate: candidate.id, step: null }, { quiet: true });
  const head = h(
    "button",
    {
      type: "button",
      class: "candidate-head",
      data: { key: `head ${candidate.id}` },
      "aria-expanded": String(isOpen),
      on: { click: toggle },
    },
    h("span", { class: "rank number" }, place + 1),
    h(
      "span",
      { class: "candidate-words" },
      h(
        "span",
        { class: "candidate-answer", dir: "auto" },
        answerWords(candidate),
        best
          ? placeChip(ranking, place)
          : null,
        rightness(problem.right?.[candidate.id]),
      ),
      h("span", { class: "candidate-why" }, why(candidate)),
    ),
    strip(candidate),
    h(
      "span",
      { class: "candidate-numbers" },
      h(
        "span",
        {},
        meter(ranking.values[candidate.id]),
        h("span", { class: "number" }, fixed(ranking.values[candidate.id], 3)),
      ),
      h(
        "span",
        { class: "muted" },
        candidate.reliability === null ? "nothing checked" : `reliability ${fixed(candidate.reliability)}`,
      ),
    ),
  );
  const steps = isOpen
    ? h(
        "div",
        { class: "candidate-body" },
        besideButtons(page, scored, candidate),
        revisionChain(problem, candidate, linked),
        h(
          "ol",
          { class: "steps" },
          candidate.steps.map((step, index) => stepItem(page, candidate, step, index, linked)),
        ),
      )
    : null;
  return h(
    "li",
    {
      class: `candidate panel${best ? " is-best" : ""}${isOpen ? " is-open" : ""}`,
      data: { candidate: candidate.id, moves: candidate.id },
    },
    h("h3", {}, head),
    steps,
  );
}

/** What being best means: chosen, as good because it gives the same answer, or a tie. */
function placeChip(ranking, place) {
  if (ranking.tied) return h("span", { class: "chip tie" }, icon("columns"), "tie");
  return place === 0
    ? h("span", { class: "chip best" }, icon("trophy"), "chosen")
    : h("span", { class: "chip" }, ranking.select === "score" ? "as good" : "same answer");
}

/** @param {any} candidate */
export function answerWords(candidate) {
  const answer =
    candidate.final_answer === null || candidate.final_answer === undefined
      ? h("span", { class: "muted" }, "no answer")
      : h("strong", {}, withMath(String(candidate.final_answer)));
  return [answer, h("span", { class: "muted candidate-id" }, `candidate ${candidate.id}`)];
}

/** The first thing that is wrong with it, in a sentence. @param {any} candidate */
export function why(candidate) {
  const index = candidate.steps.findIndex((step) => step.fault);
  if (index < 0) return h("span", { class: "muted" }, "no fault found");
  const step = candidate.steps[index];
  const reason = step.fault === "reasoning" ? (reasons(step)[0] ?? "the judge finds it wrong") : step.explanation;
  return [
    h(
      "span",
      { class: `fault-name ${step.fault}` },
      icon(step.fault === "premise" ? "eye" : "reasoning"),
      `Step ${index + 1}: ${faultWords(step.fault, candidate, step)}`,
    ),
    reason ? h("span", { class: "muted", dir: "auto" }, " ", withMath(String(reason))) : null,
  ];
}

/** One small cell a step: where it goes wrong, at a glance. */
function strip(candidate) {
  const count = candidate.steps.filter((step) => step.fault).length;
  const cells = candidate.steps.map((step) =>
    h(
      "span",
      { class: `cell-step ${step.fault ?? "fine"}` },
      icon(step.fault ? (step.fault === "premise" ? "eye" : "reasoning") : "right"),
    ),
  );
  return h(
    "span",
    { class: "strip", role: "img", "aria-label": `${counted(candidate.steps.length, "step")}, ${count} with a fault` },
    cells,
  );
}

function besideButtons(page, scored, candidate) {
  const { order } = scored.ranking;
  if (order.length < 2) return null;
  const other = candidate.id === order[0] ? order[1] : order[0];
  return h(
    "div",
    { class: "candidate-tools" },
    h(
      "a",
      { class: "button", href: page.link({ candidate: candidate.id, beside: other, step: null }) },
      icon("columns"),
      candidate.id === order[0] ? "Beside the second" : "Beside the winner",
    ),
  );
}
