/** The page: reads its data, keeps what is shown in the address, and draws the view that the address names. */

import { addressOf, readAddress } from "./address.js";
import { compare } from "./compare.js";
import { readData } from "./data.js";
import { h, replace } from "./dom.js";
import { bar } from "./header.js";
import { listenToKeys } from "./keys.js";
import { overview } from "./overview.js";
import { problem } from "./problem.js";
import { settingsOf } from "./scoring.js";
import { whatIf } from "./whatif.js";

/**
 * What every view is given.
 * @typedef {object} Page
 * @property {ReturnType<typeof import("./data.js").readData>} data
 * @property {import("./address.js").State} state
 * @property {import("./data.js").Run} run the run that is shown
 * @property {Record<string, any>} settings the run's own, with what the reader changed
 * @property {(changes: object, options?: {quiet?: boolean}) => void} go show something else; quiet: no new step in the history
 * @property {(changes: object) => string} link the address of something else
 * @property {boolean} single there is one problem and no list of them: nothing leads to a list
 * @property {any} view the view that is drawn @property {any} header @property {string} address what is drawn
 * @property {string | null} left the problem that was shown before @property {string | null} [shownProblem]
 * @property {string} [mended] what became of the last change to a fact
 * @property {number[]} [listed] the places of the problems that the list showed last: previous and next go along it
 */

/** A view: an element, what to do when the address changes within it, and what to stop when it goes. */
const VIEWS = { overview, problem, whatif: whatIf, compare };

function start() {
  const root = document.getElementById("page");
  const page = /** @type {Page} */ ({ data: readData(), state: readAddress(), view: null });
  page.single = page.data.runs.length === 1 && page.data.runs[0].problems.length === 1;
  page.link = (changes) => addressOf({ ...page.state, ...changes });
  page.go = (changes, { quiet = false } = {}) => {
    const address = page.link(changes);
    if (address === location.hash || (address === "#" && location.hash === "")) return;
    history[quiet ? "replaceState" : "pushState"](null, "", address);
    show(page, root);
  };
  document.title = page.data.title;
  // A browser tells of one change in two ways.
  const changed = () => location.hash !== page.address && show(page, root);
  addEventListener("popstate", changed);
  addEventListener("hashchange", changed);
  listenToKeys(page);
  show(page, root);
}

function show(page, root) {
  page.address = location.hash;
  page.state = tidied(readAddress(), page);
  page.run = page.data.runs[page.state.run];
  page.settings = { ...settingsOf(page.run.manifest), ...page.state.settings };
  const { view, problem: id, run } = page.state;
  const key = JSON.stringify([view, run, view === "overview" || view === "whatif" ? null : id]);
  if (page.view?.key === key) {
    page.view.update?.();
    page.header.update();
    return;
  }
  const first = page.view === null;
  page.left = page.shownProblem ?? null;
  page.shownProblem = view === "problem" ? id : null;
  page.view?.dispose?.();
  page.header = page.single && self !== top ? { element: null, update() {} } : bar(page); // the frame around has its own
  page.view = { key, ...VIEWS[view](page) };
  const skip = h("a", { class: "skip", href: "#main", on: { click: toMain } }, "Skip to the content");
  const main = h("main", { id: "main", tabindex: "-1" }, page.view.element);
  replace(root, skip, page.header.element, main);
  if (!first) main.focus({ preventScroll: true });
  scrollTo(0, 0);
  page.view.shown?.();
}

function toMain(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function tidied(state, { data: { runs }, single }) {
  if (single) return { ...state, run: 0, view: "problem", problem: runs[0].problems[0].id };
  const run = Math.min(state.run, runs.length - 1);
  const missing = (state.view === "compare" && runs.length < 2) || (state.view === "problem" && !state.problem);
  return { ...state, run, view: missing ? "overview" : state.view };
}

start();
