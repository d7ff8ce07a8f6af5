"""What the overview says: one problem in a line, and a run in a few figures. Counted trace by trace, holding none."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, fields

from evpv.language.answers import answer_key
from evpv.records.constraints import describe as describe
from evpv.records.lines import JsonObject
from evpv.records.traces import trace_to_json
from evpv.reward.assess import earlier_steps, fault
from evpv.reward.method import Method
from evpv.reward.ranking import without_gate
from evpv.types import VERDICTS, CandidateTrace, Ranking, StepTrace, Trace


def ranking_cells(trace: Trace) -> list[tuple[str, ...]]:
    """A ranking as a table: its head, then each candidate in order with its answer, value, reliability and first bad step."""
    rows: list[tuple[str, ...]] = [("candidate", "answer", trace.ranking.select, "reliability", "first bad step")]
    by_id = {candidate.id: candidate for candidate in trace.candidates}
    for name in trace.ranking.order:
        one = by_id[name]
        bad = first_bad_step(one)
        reliability = "unknown" if one.reliability is None else f"{one.reliability:.2f}"
        why = f"{bad[0] + 1}: {bad[1]}" if bad else "–"
        rows.append((name, one.final_answer or "–", f"{trace.ranking.values[name]:.3f}", reliability, why))
    return rows


def first_bad_step(candidate: CandidateTrace) -> tuple[int, str] | None:
    """The first step whose reward is negative, and why: its premise if that is what failed, else the judge."""
    for index, step in enumerate(candidate.steps):
        if step.reward is not None and step.reward < 0:
            return index, _reason(step)
    return None


def _reason(step: StepTrace) -> str:
    judge = step.judgement.explanation or "the judge finds it wrong"
    if step.base_reward is not None and step.base_reward < 0:
        return judge
    if step.match is not None and step.match.verdict == "contradicted":
        return f"misread: {step.match.explanation}"
    if step.uses:
        return f"builds on step {step.uses[0] + 1}"
    return f"not confirmed: {step.match.explanation}" if step.match is not None else judge


_BINS = 20
_LONGEST_QUESTION = 200
_BASELINES = ("chance", "judge_alone", "majority", "base_right", "right")
"""What the choice is measured beside: any candidate, the judge's score, a plain vote, the same choice without the gate."""

_Right = dict[str, bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Who is chosen from a trace: by the method, without its gate, by the judge's score alone, by a plain vote."""

    method: Ranking
    base: Ranking
    judge: Ranking
    majority: Ranking

    @classmethod
    def of(cls, trace: Trace, method: Method) -> Choices:
        base, judge, majority = without_gate(trace, method.aggregate, method.select, "score", "vote")
        return cls(method=trace.ranking, base=base, judge=judge, majority=majority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A problem as the overview shows it. `base_best` wins without the gate, all else as it is.

    `answers` are those of the best, each once: two are a tie. `unread` says why no fact was read, `checked` counts the
    candidates of which any claim was checked.
    """

    id: str
    question: str
    thumbnail: str | None
    answer: str | None
    best: list[str]
    answers: list[str | None]
    tied: bool
    base_best: list[str]
    changed: bool
    right: bool | None
    base_right: bool | None
    verdicts: dict[str, int]
    premise_errors: int
    reasoning_errors: int
    reliability: float | None
    score: float | None
    candidates: int
    checked: int
    facts: int
    unread: str | None

    def to_json(self) -> JsonObject:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def right_answers(trace: Trace) -> _Right:
    """Whether each candidate is right: as its record states, else by its answer; None where neither is known."""
    problem = trace.problem
    right = {one.id: one.candidate.correct for one in trace.candidates}
    if problem.answer is not None:
        gold = answer_key(problem.answer, problem.options)
        for one in trace.candidates:
            if right[one.id] is None:
                right[one.id] = answer_key(one.final_answer, problem.options) == gold
    return right


def why_unread(trace: Trace) -> str | None:
    """Why there is nothing to check claims against; None where there is, or where no picture was given."""
    if trace.constraints or not trace.problem.images:
        return None
    return trace.extraction.problem or "the figure gave no fact"


def _best_answers(trace: Trace) -> list[str | None]:
    """The answers of the candidates that are best, equal ones once; more than one is a tie."""
    by_id = {candidate.id: candidate.final_answer for candidate in trace.candidates}
    found: dict[str | None, str | None] = {}
    for name in trace.ranking.best:
        found.setdefault(answer_key(by_id[name], trace.problem.options), by_id[name])
    return list(found.values())


def choice_words(trace: Trace) -> str:
    """What was chosen; a tie is called a tie."""
    answers = [answer if answer is not None else "no answer" for answer in _best_answers(trace)]
    return f"{'tie: ' if trace.ranking.tied else ''}{' or '.join(answers) or 'no candidates'}"


def doubt_words(trace: Trace) -> str | None:
    """What a reader must know before trusting the order: that there was nothing to check it against."""
    if not trace.candidates:
        return "no candidates: `evpv sample` asks a policy for some"
    if (why := why_unread(trace)) is not None:
        return f"nothing was read: {why}"
    is_unchecked = all(candidate.reliability is None for candidate in trace.candidates)
    return "nothing checked: no claim about the figure was found" if is_unchecked and trace.problem.images else None


def summary(trace: Trace, choices: Choices, right: _Right, threshold: float, thumbnail: str | None) -> Summary:
    steps = [step for candidate in trace.candidates for step in candidate.steps]
    faults = Counter(fault(step, threshold) for step in steps)
    verdicts = Counter(step.verdict for step in steps)
    first = {one.id: one for one in trace.candidates}.get(next(iter(trace.ranking.order), ""))
    return Summary(
        id=trace.problem_id, question=trace.question[:_LONGEST_QUESTION], thumbnail=thumbnail,
        answer=trace.problem.answer, best=list(trace.ranking.best), answers=_best_answers(trace),
        tied=trace.ranking.tied, base_best=list(choices.base.best),
        changed=chosen_answers(trace, choices.base) != chosen_answers(trace, trace.ranking),
        right=_one_value(trace.ranking, right), base_right=_one_value(choices.base, right),
        verdicts={name: verdicts[name] for name in VERDICTS}, premise_errors=faults["premise"],
        reasoning_errors=faults["reasoning"], reliability=first.reliability if first else None,
        score=first.score if first else None, candidates=len(trace.candidates),
        checked=sum(candidate.reliability is not None for candidate in trace.candidates),
        facts=len(trace.constraints), unread=why_unread(trace),
    )  # fmt: skip


def chosen_answers(trace: Trace, ranked: Ranking) -> set[str]:
    """What a ranking chooses: the answers of its best; a candidate without one stands for itself."""
    by_id = {one.id: answer_key(one.final_answer, trace.problem.options) for one in trace.candidates}
    return {by_id[name] or f"no answer: {name}" for name in ranked.best}


def _one_value(ranked: Ranking, right: _Right) -> bool | None:
    """Whether the choice is right; None for a tie of right and wrong ones."""
    values = {right.get(name) for name in ranked.best}
    return values.pop() if len(values) == 1 else None


def evidence_to_json(trace: Trace, method: Method) -> JsonObject:
    """What the page needs to score a trace again (page/scoring.js) beyond what the trace holds.

    Which answers are one answer, and, where the run's own gate did not ask, which steps build on which. Claims are not
    matched again: the page has the run's matches.
    """
    options = trace.problem.options
    earlier = [
        [list(step.uses) for step in one.steps]
        if method.step_local
        else [list(used) for used in earlier_steps(one.candidate, trace.question)]
        for one in trace.candidates
    ]
    return {"answers": [answer_key(one.final_answer, options) for one in trace.candidates], "earlier": earlier}


def mended_problem(trace: Trace, method: Method) -> JsonObject:
    """A problem as an open page takes it after a fact was mended: what a page is written with, but for its pictures."""
    right = right_answers(trace)
    line = summary(trace, Choices.of(trace, method), right, method.decision, None).to_json()
    del line["thumbnail"]
    beside = {"right": right, "evidence": evidence_to_json(trace, method), "summary": line}
    return {**trace_to_json(trace), **beside}


@dataclass(slots=True)
class Headline:
    """A run in figures, grown one trace at a time. Shares of right choices share ties out among the tied."""

    problems: int = 0
    candidates: int = 0
    steps: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    cost: Counter[str] = field(default_factory=Counter)
    shares: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in _BASELINES})
    bins: dict[str, list[int]] = field(default_factory=lambda: {"reliability": [0] * _BINS, "score": [0] * _BINS})

    def add(self, trace: Trace, choices: Choices, right: _Right, line: Summary) -> None:
        self.problems += 1
        self.candidates += len(trace.candidates)
        self.steps += sum(len(candidate.steps) for candidate in trace.candidates)
        self.counts.update(line.verdicts)
        self.counts.update(
            changed=line.changed, tied=line.tied, unchecked=line.checked == 0 and line.candidates > 0,
            unread=line.unread is not None, premise_errors=line.premise_errors,
            reasoning_errors=line.reasoning_errors,
        )  # fmt: skip
        for name, value in trace.cost.items():
            if _is_number(value):
                self.cost[name] += value
        for candidate in trace.candidates:
            if candidate.reliability is not None:
                self.bins["reliability"][_bin(candidate.reliability)] += 1
            self.bins["score"][_bin(candidate.score)] += 1
        if any(value is not None for value in right.values()):
            chosen = (tuple(right), choices.judge.best, choices.majority.best, choices.base.best, choices.method.best)
            for name, names in zip(_BASELINES, chosen, strict=True):
                # a tie is worth the share of right candidates in it
                self.shares[name].append([*map(right.get, names)].count(True) / max(len(names), 1))

    def figures(self) -> dict[str, float | None]:
        """The share of right choices by each way of choosing; None where no answer is known."""
        return {name: math.fsum(found) / len(found) if found else None for name, found in self.shares.items()}

    def to_json(self) -> JsonObject:
        verdicts = {name: self.counts[name] for name in VERDICTS}
        counted = ("changed", "tied", "unchecked", "unread", "premise_errors", "reasoning_errors")
        return {
            "problems": self.problems, "candidates": self.candidates, "steps": self.steps,
            "claims": sum(verdicts.values()), **self.figures(),
            **{name: int(self.counts[name]) for name in counted}, "verdicts": verdicts, "histograms": self.bins,
        }  # fmt: skip


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _bin(value: float) -> int:
    return min(max(int(value * _BINS), 0), _BINS - 1)
