/**
 * What is shown, in the address: `#view=problem&problem=p1&candidate=a&threshold=0.7` opens the same on another machine.
 * Only what differs from the defaults is written. Docs: docs/page.md.
 */

import { AGGREGATIONS, GATES, SELECTIONS } from "./scoring.js";

/**
 * @typedef {object} State
 * @property {"overview" | "problem" | "whatif" | "compare"} view
 * @property {number} run which of the runs
 * @property {string | null} problem
 * @property {string | null} candidate the open one; null is the first in the order
 * @property {string | null} beside the candidate laid beside it
 * @property {number | null} step
 * @property {string} search
 * @property {string} sort
 * @property {string[]} filters
 * @property {Record<string, string | number>} settings what the reader changed of the method; empty: the run's own
 */

const VIEWS = ["overview", "problem", "whatif", "compare"];
const NUMBERS = ["threshold", "sharpness", "decision"];
/** A link may hold anything; only what the controls offer is taken. */
const CHOICES = {
  gate: GATES,
  aggregation: AGGREGATIONS,
  select: SELECTIONS,
};
export const SETTINGS = ["gate", "aggregation", "select", ...NUMBERS];

/** @returns {State} */
export function readAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name) => given.get(name) || null;
  const settings = {};
  for (const name of SETTINGS) {
    const value = given.get(name);
    if (value === null) continue;
    if (CHOICES[name]?.includes(value)) settings[name] = value;
    if (NUMBERS.includes(name) && value.trim() !== "" && Number.isFinite(Number(value))) settings[name] = Number(value);
  }
  const view = text("view") ?? (given.has("problem") ? "problem" : "overview");
  const step = Number.parseInt(given.get("step") ?? "", 10);
  return {
    view: /** @type {State["view"]} */ (VIEWS.includes(view) ? view : "overview"),
    run: Math.max(0, Number.parseInt(given.get("run") ?? "0", 10) || 0),
    problem: text("problem"),
    candidate: text("candidate"),
    beside: text("beside"),
    step: Number.isInteger(step) && step > 0 ? step : null,
    search: given.get("search") ?? "",
    sort: given.get("sort") ?? "order",
    filters: (given.get("filters") ?? "").split(",").filter(Boolean),
    settings,
  };
}

/** @param {State} state */
export function addressOf(state) {
  const shown = new URLSearchParams();
  const put = (name, value, usual) =>
    value !== null && value !== usual && value !== "" && shown.set(name, String(value));
  put("view", state.view, "overview");
  put("run", state.run, 0);
  put("problem", state.problem, null);
  put("candidate", state.candidate, null);
  put("beside", state.beside, null);
  put("step", state.step, null);
  put("search", state.search, "");
  put("sort", state.sort, "order");
  put("filters", state.filters.join(","), "");
  for (const name of SETTINGS) if (name in state.settings) shown.set(name, String(state.settings[name]));
  return `#${shown}`;
}
