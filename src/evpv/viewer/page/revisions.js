/** How a candidate came about in rounds: what its solver was told and where, what it wrote before and after, as a diff. */

import { marked, paired } from "./beside.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { withMath } from "./math.js";
import { counted, fixed, verdictWord } from "./words.js";

/** @param {any} problem @param {any} candidate @param {any} linked */
export function revisionChain(problem, candidate, linked) {
  const revisions = candidate.revisions ?? [];
  if (revisions.length === 0) return null;
  // Only the last version is in the trace whole; the one before it has other steps from `first_step` on.
  const versions = [candidate.steps.map((step) => step.text)];
  for (const { first_step, before } of [...revisions].reverse())
    versions.unshift([...versions[0].slice(0, first_step), ...before]);
  const answers = [...revisions.map((one) => one.answer_before), candidate.final_answer];
  const rounds = revisions.map((revision, place) =>
    round(problem, revision, {
      before: versions[place],
      after: versions[place + 1],
      answers: answers.slice(place, place + 2),
      verdicts: place === revisions.length - 1 ? candidate.steps.map((step) => step.verdict) : [],
      linked,
    }),
  );
  return h(
    "details",
    { class: "revisions", open: true },
    h("summary", {}, icon("swap"), `Revised in ${counted(revisions.length, "round")}`),
    h("ol", {}, rounds),
  );
}

function round(problem, revision, { before, after, answers, verdicts, linked }) {
  const told = revision.told.map((remark) => toldItem(problem, remark, linked));
  const denied = new Map(revision.told.map((remark) => [remark.step, remark.verdict]));
  const rows = paired(before, after)
    .filter(([a, b]) => (a ?? b) >= Math.max(revision.first_step - 1, 0))
    .map(([a, b]) => diffRow(before, after, a, b, { was: denied.get(a), is: verdicts[b] }));
  return h(
    "li",
    { class: "revision", data: { stance: revision.stance, round: revision.round } },
    h(
      "p",
      { class: "revision-head" },
      h("strong", {}, `Round ${revision.round}: ${revision.stance}`),
      h("span", { class: "muted" }, ` candidate ${revision.of}, from step ${revision.first_step + 1} on`),
    ),
    h("ul", { class: "told", "aria-label": "What the solver was told" }, told),
    revision.reason ? h("p", { class: "muted", dir: "auto" }, "It says: ", withMath(revision.reason)) : null,
    h("div", { class: "diff", role: "group", "aria-label": "Steps before and after" }, rows),
    h("p", { class: "diff-answer" }, answerWords(answers, revision.stance === "insisted")),
  );
}

/** How the answer went: changed, kept, or stood by by a solver that insists. */
function answerWords([before, after], insists) {
  const said = (kind, answer) => h(kind, { dir: "auto" }, withMath(String(answer ?? "none")));
  if (before === after) return ["Answer ", said("strong", after), insists ? ": the solver insists" : ": unchanged"];
  return ["Answer ", said("del", before), " → ", said("ins", after), insists ? ": the solver insists, with another answer" : ""];
}

/** One remark; pointing at it moves the frame to the fact that was told. */
function toldItem(problem, remark, linked) {
  const place = JSON.stringify(remark.box ?? null);
  const found = remark.box ? problem.constraints.findIndex((one) => JSON.stringify(one.box ?? null) === place) : -1;
  const item = h(
    "li",
    { class: `told-one ${remark.verdict}`, tabindex: "0", data: { verdict: remark.verdict } },
    h("span", { class: `verdict ${remark.verdict}` }, icon(remark.verdict), verdictWord(remark.verdict)),
    h(
      "span",
      { dir: "auto" },
      h("strong", {}, `Step ${remark.step + 1}: `),
      withMath(remark.said),
      h("span", { class: "claim-why" }, " ", withMath(remark.read)),
      remark.confidence ? h("span", { class: "muted number" }, ` told with confidence ${fixed(remark.confidence)}`) : null,
    ),
  );
  linked.join(item, () => ({ constraint: found < 0 ? null : found, verdict: remark.verdict }));
  return item;
}

function diffRow(before, after, a, b, { was, is }) {
  const same = a !== null && b !== null && before[a] === after[b];
  const [old, fresh] = a !== null && b !== null && !same ? marked(before[a], after[b]) : [null, null];
  const line = (kind, index, text, verdict) =>
    h(
      kind,
      { class: "diff-line", dir: "auto" },
      h("span", { class: "step-number number" }, index + 1),
      h("span", {}, text),
      verdict ? h("span", { class: `verdict ${verdict}` }, icon(verdict, verdictWord(verdict))) : null,
    );
  if (same) return h("div", { class: "diff-row same" }, line("span", b, withMath(after[b]), is));
  return h(
    "div",
    { class: "diff-row" },
    a === null ? null : line("del", a, old ?? withMath(before[a]), was),
    b === null ? null : line("ins", b, fresh ?? withMath(after[b]), is),
  );
}
