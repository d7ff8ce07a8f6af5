/** What if the method were another: the whole run scored again here, and which problems then choose another winner. */

import { controls } from "./controls.js";
import { cardGrid } from "./grid.js";
import { breath, eachProblem } from "./data.js";
import { h, pictureAddress, replace } from "./dom.js";
import { icon } from "./icons.js";
import { assess, evidence, settingsOf } from "./scoring.js";
import { rightness } from "./cards.js";
import { counted, percent } from "./words.js";

const SLICE_MS = 24;

/** What is kept of each run for scoring it again. @type {Map<number, Promise<any[]>>} */
const gathered = new Map();

/** @param {import("./main.js").Page} page */
export function whatIf(page) {
  const { run } = page;
  const panel = controls(page);
  const result = h(
    "div",
    { class: "what-if-result", "aria-live": "polite" },
    h("p", { class: "empty" }, "Reading the run …"),
  );
  const progress = /** @type {HTMLProgressElement} */ (
    h("progress", { max: run.problems.length, value: 0, "aria-label": "Scoring" })
  );
  let changed = [];
  const narrow = matchMedia("(max-width: 720px)").matches;
  const grid = cardGrid({
    card: (index) => changeRow(page, run, changed[index]),
    height: narrow ? 148 : 74,
    least: 1e6,
    gap: 8,
    label: "Problems that change their winner",
  });
  const show = (outcome) => {
    if (!outcome) return;
    // What turns right or wrong is what one looks for.
    changed = outcome.changed.sort((a, b) => Math.abs(b.better) - Math.abs(a.better) || a.place - b.place);
    page.listed = changed.map(({ place }) => place);
    replace(result, outcomeView(outcome));
    grid.show(changed.length);
  };
  let task = new AbortController();
  const update = () => {
    panel.update();
    task.abort();
    task = new AbortController();
    rescore(page, run, progress, task.signal).then(show, (error) =>
      replace(result, h("p", { class: "empty", role: "alert" }, error.message)),
    );
  };
  return {
    element: h(
      "div",
      { class: "what-if" },
      h(
        "div",
        { class: "headline" },
        h("h1", {}, "What if"),
        h(
          "p",
          { class: "lead" },
          "Change the method. The whole run is scored and ranked again here, with the numbers that Python would give; no model is asked.",
        ),
      ),
      h(
        "div",
        { class: "what-if-columns" },
        h("section", { class: "panel", "aria-label": "Settings" }, panel.element, progress),
        h("div", { class: "what-if-side" }, result, grid.element),
      ),
    ),
    update,
    shown: update,
    dispose: () => {
      task.abort();
      grid.dispose();
    },
    grid,
  };
}

/** All that scoring needs, without the texts, so that a large run fits. */
function evidenceOf(run, progress) {
  const known = gathered.get(run.number);
  if (known) return known;
  const kept = new Array(run.problems.length);
  const reading = eachProblem(run, (problem, place) => {
    kept[place] = {
      ...evidence(problem),
      right: problem.right ?? {},
      answers: Object.fromEntries(problem.candidates.map(({ id, final_answer: answer }) => [id, answer])),
    };
    progress.value = place;
  }).then(() => kept);
  gathered.set(run.number, reading);
  reading.catch(() => gathered.delete(run.number));
  return reading;
}

async function rescore(page, run, progress, signal) {
  const all = await evidenceOf(run, progress);
  const [own, asked] = [settingsOf(run.manifest), page.settings];
  const outcome = { changed: [], right: 0, before: 0, known: 0, total: all.length };
  let started = performance.now();
  for (const [place, problem] of all.entries()) {
    if (signal.aborted) return null;
    problem.own ??= assess(problem, own).ranking;
    add(outcome, place, problem, assess(problem, asked).ranking);
    if (performance.now() - started < SLICE_MS) continue;
    progress.value = place;
    await breath();
    started = performance.now();
  }
  progress.value = all.length;
  return outcome;
}

function add(outcome, place, problem, ranking) {
  const [before, after] = [shareRight(problem.own.best, problem.right), shareRight(ranking.best, problem.right)];
  if (before !== null && after !== null) {
    outcome.known += 1;
    outcome.before += before;
    outcome.right += after;
  }
  if (sameAnswers(problem, problem.own.best, ranking.best)) return;
  outcome.changed.push({
    place,
    from: chosen(problem, problem.own),
    to: chosen(problem, ranking),
    better: before === null || after === null ? 0 : Math.sign(after - before),
  });
}

function chosen(problem, ranking) {
  const [id] = ranking.order;
  return { id, answer: problem.answers[id], right: problem.right[id] ?? null, tied: ranking.tied ? ranking.best.length : 1 };
}

/** How right a choice is: a tie is worth the share of right candidates in it; null where nobody knows. */
export function shareRight(best, right) {
  if (best.length === 0 || best.some((id) => right[id] !== true && right[id] !== false)) return null;
  return best.filter((id) => right[id]).length / best.length;
}

/** Whether two choices give the same answers; without one, a candidate stands for itself. */
function sameAnswers(problem, a, b) {
  const keys = new Map(problem.candidates.map(({ id }, place) => [id, problem.evidence.answers[place] ?? `no answer: ${id}`]));
  const [left, right] = [a, b].map((ids) => new Set(ids.map((id) => keys.get(id))));
  return left.size === right.size && [...left].every((key) => right.has(key));
}

function outcomeView(outcome) {
  const { changed, known, total } = outcome;
  const points = known ? (100 * (outcome.right - outcome.before)) / known : 0;
  const rounded = Math.round(points * 10) / 10;
  const tiles = h(
    "div",
    { class: "tiles" },
    known
      ? tile(
          "Right answer chosen",
          percent(outcome.right / known, 1),
          `the run: ${percent(outcome.before / known, 1)}`,
          rounded === 0 ? null : `${rounded > 0 ? "+" : "−"}${Math.abs(rounded)} points`,
        )
      : null,
    tile("Change winner", changed.length.toLocaleString("en"), `of ${counted(total, "problem")}`),
    known
      ? tile(
          "Better / worse",
          `${changed.filter(({ better }) => better > 0).length} / ${changed.filter(({ better }) => better < 0).length}`,
          "of those that change",
        )
      : null,
  );
  const title = h(
    "h2",
    {},
    changed.length
      ? counted(changed.length, "problem changes its winner", "problems change their winner")
      : "The same winners",
  );
  return [tiles, title, changed.length ? null : h("p", { class: "empty" }, "No problem changes its winner.")];
}

function tile(name, value, note, chip = null) {
  return h(
    "div",
    { class: "tile" },
    h("div", { class: "tile-name" }, name),
    h(
      "div",
      { class: "tile-value" },
      value,
      chip ? h("span", { class: `chip ${chip.startsWith("−") ? "loss" : "gain"}` }, chip) : null,
    ),
    h("div", { class: "tile-note" }, note),
  );
}

function changeRow(page, run, { place, from, to, better }) {
  const summary = run.problems[place];
  const side = ({ id, answer, right, tied }) =>
    h(
      "span",
      { class: "side" },
      h("strong", { dir: "auto" }, answer ?? "no answer"),
      h("span", { class: "muted" }, tied > 1 ? `${tied} tied` : `candidate ${id}`),
      rightness(right),
    );
  const source = pictureAddress(summary.thumbnail);
  return h(
    "a",
    {
      class: "change",
      href: page.link({ view: "problem", problem: summary.id }),
      data: { problem: summary.id, better },
    },
    h("span", { class: source ? "small-picture" : "small-picture none" }, source ? h("img", { src: source, alt: "", loading: "lazy" }) : "no figure"),
    h(
      "span",
      { class: "change-words" },
      h("span", { class: "card-id", dir: "auto" }, summary.id),
      h("span", { class: "muted cut", dir: "auto" }, summary.question),
    ),
    side(from),
    h("span", { class: "arrow" }, icon("next", "becomes")),
    side(to),
  );
}
