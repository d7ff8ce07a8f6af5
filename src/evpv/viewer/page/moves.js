/** One problem in two runs: how its candidates change places, and which steps are judged otherwise. */

import { problemAt } from "./data.js";
import { h, replace, s } from "./dom.js";
import { icon } from "./icons.js";
import { links } from "./links.js";
import { withMath } from "./math.js";
import { picture } from "./picture.js";
import { rescored } from "./rescored.js";
import { rightness } from "./cards.js";
import { settingsOf } from "./scoring.js";
import { faultWords, fixed, signed, verdictWord } from "./words.js";

const ROW_PX = 44;

/** @param {import("./main.js").Page} page */
export function problemSides(page) {
  const element = h("div", { class: "compare problem" }, h("p", { class: "empty", role: "status" }, "Loading …"));
  const view = { element, keys: { Escape: () => page.go({ problem: null }) }, dispose: null };
  Promise.all(page.data.runs.slice(0, 2).map((run) => sideOf(run, page.state.problem))).then(
    ([first, second]) => Object.assign(page.view, drawn(page, element, first, second)),
    (error) => replace(element, h("p", { class: "empty", role: "alert" }, error.message)),
  );
  return view;
}

async function sideOf(run, id) {
  const place = run.places.get(id);
  if (place === undefined) throw new Error(`The run “${run.name}” has no problem “${id}”.`);
  return { run, ...rescored(await problemAt(run, place), settingsOf(run.manifest)) };
}

function drawn(page, element, first, second) {
  const linked = links();
  const figure = picture(second.problem, linked);
  const ids = second.ranking.order.filter((id) => first.ranking.order.includes(id));
  const full = second.problem;
  replace(
    element,
    h(
      "div",
      { class: "top-line" },
      h("a", { class: "back", href: page.link({ problem: null }) }, icon("previous"), "Both runs"),
    ),
    h(
      "div",
      { class: "problem-columns" },
      h("div", { class: "seen" }, figure.element),
      h(
        "div",
        { class: "said" },
        h(
          "section",
          { class: "question" },
          h("h1", { dir: "auto" }, full.problem_id),
          h("p", { class: "question-text", dir: "auto" }, withMath(full.question)),
        ),
        h(
          "section",
          { class: "panel", "aria-label": "How the order moves" },
          h("h2", {}, "How the order moves"),
          moves(first, second),
        ),
        h(
          "section",
          { class: "panel", "aria-label": "What is judged otherwise" },
          h("h2", {}, "What is judged otherwise"),
          differences(first, second, ids, linked),
        ),
      ),
    ),
  );
  return { keys: { Escape: () => page.go({ problem: null }), ...figure.keys }, dispose: figure.dispose };
}

/** Both orders as columns, with a line from each candidate's place in the one to its place in the other. */
function moves(first, second) {
  const [left, right] = [first.ranking.order, second.ranking.order];
  const rows = Math.max(left.length, right.length);
  const at = (place) => (place + 0.5) * ROW_PX;
  const lines = left.map((id, place) => {
    const to = right.indexOf(id);
    if (to < 0) return null;
    const kind = to < place ? "up" : to > place ? "down" : "level";
    return s("path", { class: `move ${kind}`, d: `M0 ${at(place)} C50 ${at(place)} 50 ${at(to)} 100 ${at(to)}` });
  });
  const column = (side, name) =>
    h(
      "ol",
      { class: "order", "aria-label": `Order in ${name}` },
      side.ranking.order.map((id, place) => entry(side, id, place)),
    );
  return h(
    "div",
    { class: "moves" },
    h(
      "div",
      { class: "moves-heads" },
      h("strong", { dir: "auto" }, first.run.name),
      h("span", {}),
      h("strong", { dir: "auto" }, second.run.name),
    ),
    h(
      "div",
      { class: "moves-body" },
      column(first, first.run.name),
      s(
        "svg",
        {
          viewBox: `0 0 100 ${rows * ROW_PX}`,
          preserveAspectRatio: "none",
          "aria-hidden": "true",
          style: { height: `${rows * ROW_PX}px` },
        },
        lines,
      ),
      column(second, second.run.name),
    ),
  );
}

function entry(side, id, place) {
  const candidate = side.candidates.find((one) => one.id === id);
  const best = side.ranking.best.includes(id);
  return h(
    "li",
    { class: best ? "is-best" : "", style: { height: `${ROW_PX}px` } },
    h("span", { class: "rank number" }, place + 1),
    h(
      "span",
      { class: "order-words" },
      h("strong", { dir: "auto" }, withMath(candidate.final_answer ?? "no answer")),
      h("span", { class: "muted" }, `candidate ${id}`),
    ),
    rightness(side.problem.right?.[id]),
    h("span", { class: "number" }, fixed(side.ranking.values[id], 3)),
  );
}

function differences(first, second, ids, linked) {
  const items = ids.map((id) => {
    const [a, b] = [first, second].map((side) => side.candidates.find((one) => one.id === id));
    const rows = b.steps
      .map((step, index) => [a.steps[index], step, index])
      .filter(([before, after]) => before && otherwise(before, after));
    if (rows.length === 0) return null;
    return h(
      "li",
      {},
      h(
        "h3",
        { class: "difference-head" },
        `Candidate ${id}`,
        h(
          "span",
          { class: "muted number" },
          ` score ${fixed(a.score, 3)} → ${fixed(b.score, 3)}, reliability ${fixed(a.reliability)} → ${fixed(b.reliability)}`,
        ),
      ),
      h(
        "ol",
        {},
        rows.map(([before, after, index]) => difference(before, after, index, a, b, linked)),
      ),
    );
  });
  const present = items.filter(Boolean);
  return present.length
    ? h("ol", { class: "differences" }, present)
    : h("p", { class: "muted" }, "Every step has the same verdict, the same fault and nearly the same reward in both.");
}

function otherwise(before, after) {
  return (
    before.verdict !== after.verdict ||
    before.fault !== after.fault ||
    Math.abs((before.reward ?? 0) - (after.reward ?? 0)) > 0.25
  );
}

function difference(before, after, index, a, b, linked) {
  const side = (step, candidate) =>
    h(
      "span",
      { class: "difference-side" },
      step.verdict
        ? h("span", { class: `verdict ${step.verdict}` }, icon(step.verdict), verdictWord(step.verdict))
        : h("span", { class: "muted" }, "no claim"),
      step.fault
        ? h(
            "span",
            { class: `fault-name ${step.fault}` },
            icon(step.fault === "premise" ? "eye" : "reasoning"),
            faultWords(step.fault, candidate, step),
          )
        : null,
      h("span", { class: "number" }, signed(step.reward)),
    );
  const item = h(
    "li",
    { class: "difference" },
    h("span", { class: "step-number number" }, index + 1),
    h(
      "div",
      {},
      h("p", { dir: "auto" }, withMath(after.text)),
      h("div", { class: "difference-sides" }, side(before, a), icon("next", "becomes"), side(after, b)),
      after.explanation ? h("p", { class: "step-aside", dir: "auto" }, withMath(after.explanation)) : null,
    ),
  );
  linked.join(item, () => ({ constraint: after.constraint, verdict: after.verdict, candidate: b.id, step: index }));
  return item;
}
