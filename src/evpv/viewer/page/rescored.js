/** A problem with its candidates scored anew: the texts of the trace, the numbers of the settings. */

import { assess } from "./scoring.js";

/**
 * @param {any} problem @param {Record<string, any>} settings
 * @returns {{problem: any, candidates: any[], ranking: any, decision: number}}
 */
export function rescored(problem, settings) {
  const { candidates, ranking } = assess(problem, settings);
  const merged = candidates.map((scored, place) => {
    const told = problem.candidates[place];
    return { ...told, ...scored, steps: scored.steps.map((step, index) => ({ ...told.steps[index], ...step })) };
  });
  return { problem, candidates: merged, ranking, decision: settings.decision };
}
