/** One problem: its figure beside its candidates in the order of the ranking, and why they are in that order. */

import { besideView } from "./beside.js";
import { candidateList, why } from "./candidates.js";
import { constraintList } from "./constraints.js";
import { controls } from "./controls.js";
import { problemAt, takeMended } from "./data.js";
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { links } from "./links.js";
import { mending } from "./mending.js";
import { withMath } from "./math.js";
import { picture } from "./picture.js";
import { rescored } from "./rescored.js";
import { steady } from "./steady.js";
import { assess } from "./scoring.js";
import { counted, fixed } from "./words.js";

/** @param {import("./main.js").Page} page */
export function problem(page) {
  const place = page.run.places.get(page.state.problem);
  const element = h("div", { class: page.single ? "problem single" : "problem" });
  if (place === undefined) {
    replace(
      element,
      h(
        "p",
        { class: "empty" },
        `This run has no problem “${page.state.problem}”. `,
        h("a", { href: "#" }, "All problems"),
      ),
    );
    return { element };
  }
  const view = { element, keys: walkingKeys(page, place), update: null, dispose: null };
  let gone = false;
  replace(element, h("p", { class: "empty", role: "status" }, "Loading …"));
  problemAt(page.run, place).then(
    (full) => !gone && Object.assign(view, drawn(page, place, full, element)) && Object.assign(page.view, view),
    (error) => !gone && replace(element, h("p", { class: "empty", role: "alert" }, error.message)),
  );
  view.dispose = () => {
    gone = true;
  };
  return view;
}

function drawn(page, place, full, element) {
  const linked = links();
  const figure = picture(full, linked);
  const show = async (answer) => {
    const [fresh, at] = [await takeMended(page.run, place, answer), scrollY];
    figure.dispose();
    Object.assign(page.view, drawn(page, place, fresh, element));
    scrollTo(0, at);
  };
  const facts = constraintList(full, linked, mending(page, full, figure, show));
  const right = h("div", { class: "answers" });
  const story = h("div", { class: "story-place" });
  const panel = controls(page);
  let scored = rescored(full, page.settings);
  const draw = () => {
    scored = rescored(full, page.settings);
    panel.update();
    facts.update(scored);
    const { beside } = page.state;
    const open = openCandidate(page, scored);
    const other = scored.candidates.find((candidate) => candidate.id === beside && candidate.id !== open.id);
    linked.renew();
    replace(story, storyOf(scored, page.settings));
    replace(right, other ? besideView(page, scored, open, other, linked) : candidateList(page, scored, open, linked));
    linked.light(pinned(page, open));
    linked.keep(pinned(page, open));
  };
  const redraw = () => steady(right, draw);
  draw();
  replace(
    element,
    page.single ? null : topLine(page, place),
    h(
      "div",
      { class: "problem-columns" },
      h("div", { class: "seen" }, figure.element, facts.element),
      h("div", { class: "said" }, question(full), banner(full), story, whatIfBox(page, panel), right),
    ),
  );
  scrollTo(0, 0);
  if (page.state.candidate) right.querySelector(".is-open")?.scrollIntoView({ block: "nearest" });
  return {
    element,
    update: redraw,
    keys: { ...walkingKeys(page, place), ...problemKeys(page, () => scored), ...figure.keys },
    dispose: figure.dispose,
  };
}

function openCandidate(page, scored) {
  const { order } = scored.ranking;
  const id = order.includes(page.state.candidate) ? page.state.candidate : order[0];
  return scored.candidates.find((candidate) => candidate.id === id) ?? { id: null, steps: [] };
}

/** What the address points at: a step of the open candidate. */
function pinned(page, open) {
  const step = page.state.step === null ? undefined : open.steps[page.state.step - 1];
  return step
    ? { candidate: open.id, step: page.state.step - 1, constraint: step.constraint, verdict: step.verdict }
    : null;
}

function topLine(page, place) {
  const { run } = page;
  const listed = page.listed?.includes(place) ? page.listed : run.problems.map((_, index) => index);
  const at = listed.indexOf(place);
  const to = (index, words, name) => {
    const summary = run.problems[listed[index]];
    const inside = name === "previous" ? [icon(name), words] : [words, icon(name)];
    return summary
      ? h(
          "a",
          {
            class: "button",
            rel: name === "previous" ? "prev" : "next",
            href: page.link({ problem: summary.id, candidate: null, beside: null, step: null }),
          },
          inside,
        )
      : h("button", { type: "button", class: "button", disabled: true }, inside);
  };
  const back = h(
    "a",
    { class: "back", href: page.link({ view: "overview", problem: null, candidate: null, beside: null, step: null }) },
    icon("previous"),
    "Problems",
  );
  return h(
    "div",
    { class: "top-line" },
    back,
    h("span", { class: "muted number" }, `${at + 1} of ${listed.length.toLocaleString("en")}`),
    h("div", { class: "spacer" }),
    to(at - 1, "Previous", "previous"),
    to(at + 1, "Next", "next"),
  );
}

function question(full) {
  const options = (full.options ?? []).map((option, index) =>
    h(
      "li",
      {},
      h("span", { class: "letter" }, String.fromCharCode(65 + index)),
      h("span", { dir: "auto" }, withMath(String(option))),
    ),
  );
  return h(
    "section",
    { class: "question", "aria-label": "Question" },
    h("h1", { dir: "auto" }, full.problem_id),
    h("p", { class: "question-text", dir: "auto" }, withMath(full.question)),
    options.length ? h("ol", { class: "options" }, options) : null,
    full.answer !== null && full.answer !== undefined
      ? h("p", { class: "known-answer" }, "Known answer ", h("strong", { dir: "auto" }, withMath(String(full.answer))))
      : null,
  );
}

/** What one must know before trusting the order: that there was nothing to check it against. */
function banner(full) {
  const said = doubt(full);
  return said ? h("section", { class: "banner", role: "note" }, icon("eye"), h("p", {}, said)) : null;
}

function doubt({ image, unread, constraints, candidates }) {
  if (candidates.length === 0) return "This problem has no candidates: `evpv sample` asks a policy for some.";
  if (image && constraints.length === 0)
    return `Nothing was read from the figure${unread ? `: ${unread}` : ""}. No claim could be checked; the order rests on the judge alone.`;
  if (candidates.every(({ reliability }) => reliability === null))
    return "Nothing was checked: no step says anything about the figure that could be. The order rests on the judge alone.";
  return null;
}

/** In two sentences: what checking the premises did to the choice, and why. */
function storyOf(scored, settings) {
  const { ranking, problem: full } = scored;
  if (ranking.order.length === 0) return null;
  if (ranking.tied) return tieStory(scored);
  const alone = assess(full, { ...settings, gate: "off" }).ranking;
  const byId = new Map(scored.candidates.map((candidate) => [candidate.id, candidate]));
  const answers = new Map(full.candidates.map(({ id }, place) => [id, full.evidence.answers[place] ?? id]));
  const winning = new Set(ranking.best.map((id) => answers.get(id)));
  const dropped = alone.best.filter((id) => !winning.has(answers.get(id)));
  const named = (id) => [
    "candidate ",
    h("strong", { dir: "auto" }, id),
    " (",
    withMath(byId.get(id).final_answer ?? "no answer"),
    full.right?.[id] === true ? ", right)" : full.right?.[id] === false ? ", wrong)" : ")",
  ];
  if (dropped.length === 0) {
    const same = !alone.tied;
    return h(
      "section",
      { class: "story", "aria-label": "In short" },
      icon("supported"),
      h(
        "p",
        {},
        same
          ? "The judge’s rewards alone and with the premises checked choose the same: "
          : "The judge’s rewards alone leave a tie; checking the premises keeps ",
        named(ranking.order[0]),
        ".",
      ),
    );
  }
  const fallen = dropped.find((id) => byId.get(id).steps.some((step) => step.fault === "premise")) ?? dropped[0];
  const others = alone.best.length > 1 ? `, tied with ${counted(alone.best.length - 1, "other")}` : "";
  return h(
    "section",
    { class: "story", "aria-label": "In short" },
    icon("swap"),
    h(
      "p",
      {},
      "By the judge’s rewards alone it would be ",
      named(fallen),
      others,
      "; with its premises checked, ",
      named(ranking.order[0]),
      " wins.",
    ),
    h("p", {}, reasonAgainst(byId.get(fallen), byId.get(ranking.order[0]))),
  );
}

/** A tie is a tie: the answers that are best, and that nothing decides between them. */
function tieStory({ ranking, candidates, problem: full }) {
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate.final_answer ?? "no answer"]));
  const answers = [...new Set(ranking.best.map((id) => byId.get(id)))];
  return h(
    "section",
    { class: "story tie", "aria-label": "In short" },
    icon("columns"),
    h(
      "p",
      {},
      h("strong", {}, "Tie: "),
      answers.map((answer, place) => [place ? " or " : null, h("strong", { dir: "auto" }, withMath(String(answer)))]),
      `. ${counted(ranking.best.length, "candidate")} of ${full.candidates.length} are best, and nothing that was checked decides between them.`,
    ),
  );
}

/** Why a candidate falls behind another: what is wrong with it, or, if nothing is, what the premises weigh. */
function reasonAgainst(fallen, winner) {
  if (fallen.steps.some((step) => step.fault)) return why(fallen);
  const sure = `reliability ${fixed(fallen.reliability)} against ${fixed(winner.reliability)}`;
  return `Nothing in it is found wrong, but with its premises weighed it scores ${fixed(fallen.score, 3)} against ${fixed(winner.score, 3)} (${sure}).`;
}

function whatIfBox(page, panel) {
  const changed = () => Object.keys(page.state.settings).length > 0;
  return h(
    "details",
    { class: "panel what-if-box", open: changed() },
    h(
      "summary",
      {},
      icon("sliders"),
      "What if",
      h("span", { class: "muted" }, "change the method and see the order move"),
    ),
    panel.element,
  );
}

function walkingKeys(page, place) {
  const { problems } = page.run;
  const to = (by) => () => {
    const listed = page.listed?.includes(place) ? page.listed : problems.map((_, index) => index);
    const summary = problems[listed[listed.indexOf(place) + by]];
    if (summary) page.go({ problem: summary.id, candidate: null, beside: null, step: null });
  };
  return {
    j: to(1),
    k: to(-1),
    ArrowRight: to(1),
    ArrowLeft: to(-1),
    Escape: () => page.go({ view: "overview", problem: null, candidate: null, beside: null, step: null }),
  };
}

function problemKeys(page, scored) {
  const candidate = (by) => () => {
    const { order } = scored().ranking;
    const next = order[order.indexOf(openCandidate(page, scored()).id) + by];
    if (next !== undefined) page.go({ candidate: next, step: null }, { quiet: true });
  };
  const step = (by) => () => {
    const count = openCandidate(page, scored()).steps.length;
    const next = Math.max(1, Math.min(count, (page.state.step ?? (by > 0 ? 0 : count + 1)) + by));
    if (count) page.go({ step: next }, { quiet: true });
    document.querySelector(".step.lit")?.scrollIntoView({ block: "nearest" });
  };
  const beside = () => {
    const { order } = scored().ranking;
    const open = openCandidate(page, scored()).id;
    page.go({ candidate: open, beside: page.state.beside ? null : open === order[0] ? order[1] : order[0] });
  };
  return { ArrowDown: candidate(1), ArrowUp: candidate(-1), n: step(1), p: step(-1), b: beside };
}
