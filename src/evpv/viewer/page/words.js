/** What a trace says, in words. Python says the same in viewer/summaries.py. */

/** Verdicts in the order of the legend: name, word, and what it means. */
export const VERDICTS = [
  { name: "supported", word: "Supported", means: "the figure shows it" },
  { name: "contradicted", word: "Contradicted", means: "the figure shows something else" },
  { name: "missing", word: "Not found", means: "nothing that was read speaks of it" },
  { name: "unparsed", word: "Not checkable", means: "the claim could not be understood" },
];

const VERDICT_WORDS = Object.fromEntries(VERDICTS.map((verdict) => [verdict.name, verdict.word]));

/** @param {string} verdict */
export function verdictWord(verdict) {
  return VERDICT_WORDS[verdict] ?? verdict;
}

/**
 * What is wrong with a step, as said beside it; what counts as which error is `faultOf` in scoring.js.
 * @param {"premise" | "reasoning"} kind @param {{steps: any[]}} candidate @param {any} step
 */
export function faultWords(kind, candidate, step) {
  if (kind === "reasoning") return "Reasoning error";
  if (step.verdict === "contradicted") return "Premise error";
  const source = (step.uses ?? []).find((used) => candidate.steps[used]?.verdict === "contradicted");
  return source === undefined ? "Premise not confirmed" : `Premise error from step ${source + 1}`;
}

/** A constraint in words: what it is about, and what it says. @returns {{about: string, says: string}} */
export function describe(constraint) {
  const list = (words) => (words ?? []).map(String).join(", ");
  if (constraint.category === "numeric") {
    const unit = constraint.unit === "deg" ? "°" : constraint.unit ? ` ${constraint.unit}` : "";
    const value = constraint.reading === "estimated" ? estimated(constraint) : plain(constraint.value);
    return { about: String(constraint.entity), says: `${constraint.attribute} ${value}${unit}` };
  }
  if (constraint.category === "relation")
    return { about: list(constraint.entities), says: String(constraint.type).replaceAll("_", " ") };
  const joined = [...(constraint.attachment ?? []), ...(constraint.adjacency ?? [])];
  return {
    about: list(constraint.parts) || "unnamed parts",
    says: joined.length ? `${constraint.type}: ${list(joined)}` : String(constraint.type),
  };
}

/** About so much: two digits, or as many as the error that the reader believes leaves; Python's `value_words`. */
function estimated({ value, error }) {
  const place = (number) => (number ? Math.floor(Math.log10(Math.abs(number))) : 0);
  const rounded = (number, at) => (Math.round(number / 10 ** at) * 10 ** at).toFixed(Math.max(-at, 0)).replace("-", "−");
  if (!error) return `about ${rounded(value, place(value) - 1)}`;
  return `about ${rounded(value, place(error))} ± ${rounded(error, place(error))}`;
}

/** What was chosen, in words: a tie is called one. @param {(string | null)[]} answers @param {boolean} tied */
export function choiceWords(answers, tied) {
  const named = answers.map((answer) => answer ?? "no answer").join(" or ");
  return tied ? `tie: ${named}` : named;
}

/** A number as one would write it. @param {number} value */
export function plain(value) {
  return typeof value === "number" ? String(Number(value.toPrecision(6))).replace("-", "−") : String(value);
}

/** With a sign: rewards. @param {number | null} value */
export function signed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
}

/** Without one: scores, gates, confidences. @param {number | null} value */
export function fixed(value, digits = 2) {
  return value === null || value === undefined ? "–" : value.toFixed(digits).replace("-", "−");
}

/** @param {number | null} share */
export function percent(share, digits = 0) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
