/**
 * The method in the browser: what `evpv.reward.assess.reassess` computes in Python, with the same numbers.
 *
 * What a claim met is in the trace and stays; which steps a step builds on and which answers are the same answer is worked out
 * in Python when the page is written (summaries.py) and lies in `problem.evidence`; everything after that is computed here.
 */

import { exactSum, exp, log } from "./arithmetic.js";

const EPSILON = 1e-6; // the paper's ε, Eqs. 5, 11 and 18

/** The settings of our own method; a run's manifest says where its are others. */
const USUAL = {
  matching: "grounded",
  gate: "factor",
  sharpness: 10,
  threshold: 0.5,
  decision: 0,
  aggregation: "weakest-link",
  select: "weighted-vote",
};

export const GATES = ["sigmoid", "local", "factor", "off"];

/** The settings that give a run's own numbers back. */
export function settingsOf(manifest) {
  const method = manifest.method ?? {};
  return Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, method[name] ?? usual]));
}

/** The least part of a problem that `assess` needs: no texts, so that a whole run's can be kept in memory. */
export function evidence(problem) {
  const bare = ({ verdict, support }) => ({ verdict, support });
  return {
    problem_id: problem.problem_id,
    constraints: { length: problem.constraints.length },
    candidates: problem.candidates.map(({ id, steps }) => ({
      id,
      steps: steps.map((step) => ({ base_reward: step.base_reward, ...bare(step) })),
    })),
    evidence: problem.evidence,
  };
}

/** Check the claims, trust what holds, gate the rewards, score and rank the candidates of a problem, or of its `evidence`. */
export function assess(problem, settings) {
  // Nothing read, nothing checked: our gates then say nothing against a step.
  const silent = problem.constraints.length === 0 && settings.gate !== "sigmoid";
  const gating = silent ? { ...settings, gate: "off" } : settings;
  const candidates = problem.candidates.map((candidate, place) => {
    const matches = candidate.steps.map((step) => (step.verdict === null ? null : step));
    const trusted = reliability(matches.filter((match) => match !== null).map((match) => match.support));
    const steps = scoredSteps(candidate.steps, matches, problem.evidence.earlier[place], gating, trusted);
    const rewards = steps.map((step) => step.reward).filter((reward) => reward !== null);
    const known = problem.constraints.length > 0 && matches.some((match) => match && match.verdict !== "unparsed");
    const score = AGGREGATE[settings.aggregation](rewards, settings.matching);
    return { id: candidate.id, reliability: known ? trusted : null, score, steps };
  });
  return { candidates, ranking: ranking(candidates, problem.evidence.answers, settings.select) };
}

/** r of Eq. 5: exp of the mean of log(ε + p), at most 1; nothing is in doubt without claims. */
export function reliability(supports) {
  if (supports.length === 0) return 1;
  const logs = supports.map((support) => log(EPSILON + support));
  return Math.min(exp(exactSum(logs) / logs.length), 1);
}

/** The steps behind the gate. Under a step-local gate a step answers for its own claim and those of the steps it builds on. */
function scoredSteps(steps, matches, earlier, settings, trusted) {
  const local = settings.gate === "local" || settings.gate === "factor";
  const checked = matches.map((match) => (match === null || match.verdict === "unparsed" ? null : match.support));
  return steps.map((step, index) => {
    const match = matches[index];
    const uses = local ? earlier[index].filter((used) => checked[used] !== null) : [];
    const premises = local ? leastOf([...uses, index].map((used) => checked[used])) : match === null ? null : trusted;
    const base = step.base_reward;
    const passed = base === null || premises === null ? null : gated(base, premises, settings);
    const scored = {
      type: match?.type ?? null,
      verdict: match?.verdict ?? null,
      support: match?.support ?? null,
      constraint: match?.constraint ?? null,
      explanation: match?.explanation ?? null,
      base_reward: base,
      gate: match === null || base === null ? null : (passed?.gate ?? 1),
      reward: passed === null ? base : passed.reward,
      reliability: premises,
      uses,
    };
    return { ...scored, fault: faultOf(scored, settings.decision) };
  });
}

function leastOf(supports) {
  const known = supports.filter((support) => support !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** A reward behind the gate, and the factor that was applied: Eqs. 9 and 10, or P(reasoning right) · P(premise right). */
function gated(base, trusted, { gate, sharpness, threshold }) {
  if (gate === "off") return { reward: base, gate: 1 };
  if (gate === "factor") return { reward: 2 * (((base + 1) / 2) * trusted) - 1, gate: trusted };
  const alpha = logistic(sharpness * (trusted - threshold));
  return { reward: alpha * base, gate: alpha };
}

function logistic(x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  const grown = exp(x);
  return grown / (1 + grown);
}

/**
 * What is wrong with a step: "premise", "reasoning" or null.
 *
 * A contradicted claim is a premise error, whatever the judge says. Else the judge's own number below θ is a reasoning error,
 * and a reward that only the gate brought below θ a premise error, its own or one that it builds on. Python's `fault` (words.py).
 */
function faultOf({ verdict, base_reward, reward }, decision) {
  if (verdict === "contradicted") return "premise";
  if (base_reward !== null && base_reward < decision) return "reasoning";
  return reward !== null && reward < decision ? "premise" : null;
}

const orNeutral = (rewards) => (rewards.length === 0 ? [0] : rewards);

const AGGREGATE = {
  "geometric-mean": (given) => {
    const logs = orNeutral(given).map((reward) => log(EPSILON + (reward + 1) / 2));
    return exp(exactSum(logs) / logs.length);
  },
  "correctness-rate": (given) => {
    const rewards = orNeutral(given);
    return rewards.filter((reward) => reward > 0).length / rewards.length;
  },
  streak: (given) => {
    const rewards = orNeutral(given);
    let total = 0;
    let run = 0;
    for (const reward of rewards) {
      run = reward > 0 ? run + 1 : 0;
      total += reward > 0 ? run : -1;
    }
    const count = rewards.length;
    return (total + count) / ((count * (count + 1)) / 2 + count);
  },
  "weighted-correctness": (given) => {
    const rewards = orNeutral(given);
    const most = (rewards.length * (rewards.length + 1)) / 2;
    return (exactSum(rewards.map((reward, index) => (index + 1) * reward)) + most) / (2 * most);
  },
  // The paper counts steps from 1, `grounded` from 0.
  "first-error": (given, matching) => {
    const rewards = orNeutral(given);
    const first = rewards.findIndex((reward) => reward < 0);
    return first < 0 ? 1 : (first + (matching === "paper" ? 1 : 0)) / rewards.length;
  },
  "weakest-link": (given) => ((Math.min(...orNeutral(given)) + 1) / 2) * AGGREGATE["geometric-mean"](given),
};
export const AGGREGATIONS = Object.keys(AGGREGATE);

/** The value that each candidate is ranked by; `answers` names the same answer by the same text, null for none. */
const SELECT = {
  score: (candidates) => candidates.map((candidate) => candidate.score),
  vote: (candidates, answers) => votes(candidates, answers, () => 1),
  "weighted-vote": (candidates, answers) =>
    votes(
      candidates,
      answers.every((answer) => answer === null) ? candidates.map((_, place) => place) : answers,
      (candidate) => candidate.score,
    ),
};
export const SELECTIONS = Object.keys(SELECT);

function votes(candidates, answers, weight) {
  const cast = new Map();
  candidates.forEach((candidate, place) => {
    const answer = answers[place];
    if (answer !== null) cast.set(answer, [...(cast.get(answer) ?? []), weight(candidate)]);
  });
  const counted = new Map([...cast].map(([answer, weights]) => [answer, exactSum(weights)]));
  const total = exactSum(counted.values());
  return answers.map((answer) => (answer !== null && total > 0 ? counted.get(answer) / total : 0));
}

/** Candidates in falling order of value; `best` holds all that tie for first; in `order` ties go by score, then by id. */
function ranking(candidates, answers, select) {
  const values = SELECT[select](candidates, answers);
  const rows = candidates.map(({ id, score }, place) => ({ id, score, value: values[place] }));
  rows.sort((a, b) => b.value - a.value || b.score - a.score || byCodePoint(a.id, b.id));
  const best = rows.filter((row) => row.value === rows[0].value).map((row) => row.id);
  const given = new Set(candidates.flatMap(({ id }, place) => (best.includes(id) ? [answers[place]] : [])));
  return {
    select,
    best,
    tied: best.length > 1 && (given.has(null) || given.size > 1),
    order: rows.map((row) => row.id),
    values: Object.fromEntries(candidates.map(({ id }, place) => [id, values[place]])),
  };
}

/** Python's order of texts; a browser's own goes by UTF-16 units, which puts emoji before some other letters. */
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  const place = left.findIndex((letter, index) => letter !== right[index]);
  if (place < 0) return left.length - right.length;
  return place >= right.length ? 1 : left[place].codePointAt(0) - right[place].codePointAt(0);
}
