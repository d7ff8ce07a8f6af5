/** Which problems are shown, and in what order: search, filters and sorting over the summaries of a run. */

/** What a reader should look at first: each is a filter, and a tile of the overview. */
export const ATTENTION = [
  {
    name: "changed",
    group: "attention",
    word: "Winner changed",
    means: "checking what steps say they see chose another answer",
    icon: "swap",
    keeps: (summary) => summary.changed,
  },
  {
    name: "tied",
    group: "attention",
    word: "Ties",
    means: "several answers are best: there is no winner",
    icon: "columns",
    keeps: (summary) => summary.tied,
  },
  {
    name: "unchecked",
    group: "attention",
    word: "Nothing checked",
    means: "no claim met a fact: the order rests on the judge alone",
    icon: "unparsed",
    keeps: (summary) => summary.candidates > 0 && summary.checked === 0,
  },
  {
    name: "unread",
    group: "attention",
    word: "Unread figures",
    means: "a figure was given and no fact was read from it",
    icon: "eye",
    keeps: (summary) => summary.unread !== null,
  },
];

/** Each narrows what is shown; filters of one group are alternatives. */
export const FILTERS = [
  ...ATTENTION,
  {
    name: "contradicted",
    group: "verdict",
    word: "Contradicted claim",
    icon: "contradicted",
    keeps: (summary) => (summary.verdicts.contradicted ?? 0) > 0,
  },
  {
    name: "missing",
    group: "verdict",
    word: "Claim not found",
    icon: "missing",
    keeps: (summary) => (summary.verdicts.missing ?? 0) > 0,
  },
  {
    name: "unparsed",
    group: "verdict",
    word: "Claim not checkable",
    icon: "unparsed",
    keeps: (summary) => (summary.verdicts.unparsed ?? 0) > 0,
  },
  { name: "supported", group: "verdict", word: "All claims supported", icon: "supported", keeps: allSupported },
  { name: "right", group: "right", word: "Right", icon: "right", keeps: (summary) => summary.right === true },
  { name: "wrong", group: "right", word: "Wrong", icon: "wrong", keeps: (summary) => summary.right === false },
];

export const SORTS = [
  { name: "order", word: "as in the run" },
  { name: "premise", word: "most premise errors", by: (summary) => -summary.premise_errors },
  { name: "reasoning", word: "most reasoning errors", by: (summary) => -summary.reasoning_errors },
  { name: "reliability", word: "least reliable winner", by: (summary) => summary.reliability ?? 2 },
  { name: "score", word: "lowest winning score", by: (summary) => summary.score ?? 2 },
  { name: "id", word: "name", by: (summary) => summary.id },
];

function allSupported(summary) {
  const { supported = 0, ...others } = summary.verdicts;
  return supported > 0 && Object.values(others).every((count) => !count);
}

/**
 * The places of the problems to show, in order.
 * @param {any[]} summaries @param {{search: string, sort: string, filters: string[]}} state
 * @param {Set<number>} found places that the search found in texts that the summaries do not hold
 */
export function chosen(summaries, { search, sort, filters }, found) {
  const groups = Object.values(Object.groupBy?.(active(filters), (filter) => filter.group) ?? grouped(active(filters)));
  const wanted = search.trim().toLowerCase();
  const places = [];
  summaries.forEach((summary, place) => {
    if (!groups.every((group) => group.some((filter) => filter.keeps(summary)))) return;
    if (wanted && !found.has(place) && !speaksOf(summary, wanted)) return;
    places.push(place);
  });
  const by = SORTS.find((known) => known.name === sort)?.by;
  if (!by) return places;
  const keys = new Map(places.map((place) => [place, by(summaries[place])]));
  return places.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b));
}

function active(names) {
  return FILTERS.filter((filter) => names.includes(filter.name));
}

function grouped(filters) {
  const groups = {};
  for (const filter of filters) (groups[filter.group] ??= []).push(filter);
  return groups;
}

function speaksOf(summary, wanted) {
  return `${summary.id}\n${summary.question}\n${summary.answer ?? ""}`.toLowerCase().includes(wanted);
}

/** Whether a full problem holds the text anywhere one can read it. */
export function problemSpeaksOf(problem, wanted) {
  if (holds(problem.question, wanted) || (problem.options ?? []).some((option) => holds(option, wanted))) return true;
  return problem.candidates.some(
    (candidate) =>
      holds(candidate.final_answer, wanted) ||
      candidate.steps.some(
        (step) => holds(step.text, wanted) || holds(step.claim, wanted) || holds(step.explanation, wanted),
      ),
  );
}

function holds(text, wanted) {
  return text !== null && text !== undefined && String(text).toLowerCase().includes(wanted);
}
