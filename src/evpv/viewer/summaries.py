"""What the overview says: one problem in a line, and a run in a few figures. Counted trace by trace, holding none."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from evpv.language.answers import answer_key
from evpv.records.lines import JsonObject
from evpv.reward.diagnosis import fault
from evpv.reward.method import Method
from evpv.reward.ranking import ranking
from evpv.types import VERDICTS, CandidateTrace, Ranking, Trace

BINS = 20
LONGEST_QUESTION = 200

Right = dict[str, bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A problem as the overview shows it. `base_best` wins without the gate, all else as it is."""

    id: str
    question: str
    thumbnail: str | None
    answer: str | None
    best: list[str]
    base_best: list[str]
    right: bool | None
    base_right: bool | None
    verdicts: dict[str, int]
    premise_errors: int
    reasoning_errors: int
    reliability: float | None
    score: float | None
    candidates: int

    def to_json(self) -> JsonObject:
        return asdict(self)


def right_answers(trace: Trace) -> Right:
    """Whether each candidate's answer is the known one; None throughout where none is known."""
    options = tuple(trace.extra.get("options", ()))
    gold = known_answer(trace)
    key = answer_key(gold, options) if gold is not None else None
    if key is None:
        return dict.fromkeys((candidate.id for candidate in trace.candidates), None)
    return {c.id: answer_key(c.final_answer, options) == key for c in trace.candidates}


def known_answer(trace: Trace) -> str | None:
    answer = trace.extra.get("answer")
    return None if answer is None else str(answer)


def without_gate(trace: Trace, method: Method) -> Ranking:
    """The ranking by base rewards alone, with the method's aggregation and selection."""
    candidates = [
        replace(c, score=method.aggregate([s.base_reward for s in c.steps if s.base_reward is not None]))
        for c in trace.candidates
    ]
    return ranking(candidates, method.select, tuple(trace.extra.get("options", ())))


def faults(candidate: CandidateTrace, threshold: float) -> Counter[str]:
    """How many steps of a candidate have each fault."""
    found = (fault(step, threshold) for step in candidate.steps)
    return Counter(kind for kind in found if kind is not None)


def summary(trace: Trace, base: Ranking, right: Right, threshold: float, thumbnail: str | None) -> Summary:
    """One problem in a line."""
    found = sum((faults(candidate, threshold) for candidate in trace.candidates), Counter[str]())
    verdicts = Counter(step.verdict for candidate in trace.candidates for step in candidate.steps)
    first = next((c for c in trace.candidates if trace.ranking.order[:1] == (c.id,)), None)
    return Summary(
        id=trace.problem_id,
        question=trace.question[:LONGEST_QUESTION],
        thumbnail=thumbnail,
        answer=known_answer(trace),
        best=list(trace.ranking.best),
        base_best=list(base.best),
        right=right.get(trace.ranking.order[0]) if trace.ranking.order else None,
        base_right=right.get(base.order[0]) if base.order else None,
        verdicts={name: verdicts[name] for name in VERDICTS},
        premise_errors=found["premise"],
        reasoning_errors=found["reasoning"],
        reliability=first.reliability if first else None,
        score=first.score if first else None,
        candidates=len(trace.candidates),
    )


@dataclass(slots=True)
class Headline:
    """A run in figures, grown one trace at a time. Shares of right choices share ties out among the tied."""

    problems: int = 0
    candidates: int = 0
    steps: int = 0
    changed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    cost: Counter[str] = field(default_factory=Counter)
    shares: dict[str, list[float]] = field(default_factory=lambda: {"right": [], "base_right": [], "chance": []})
    bins: dict[str, list[int]] = field(default_factory=lambda: {"reliability": [0] * BINS, "score": [0] * BINS})

    def add(self, trace: Trace, base: Ranking, right: Right, line: Summary) -> None:
        self.problems += 1
        self.candidates += len(trace.candidates)
        self.steps += sum(len(candidate.steps) for candidate in trace.candidates)
        self.changed += set(line.best) != set(line.base_best)
        self.counts.update(line.verdicts)
        self.counts.update(premise_errors=line.premise_errors, reasoning_errors=line.reasoning_errors)
        for name, value in trace.cost.items():
            if _is_number(value):
                self.cost[name] += value
        for candidate in trace.candidates:
            self.bins["reliability"][_bin(candidate.reliability)] += 1
            self.bins["score"][_bin(candidate.score)] += 1
        if any(value is not None for value in right.values()):
            for name, chosen in (("right", trace.ranking.best), ("base_right", base.best), ("chance", tuple(right))):
                self.shares[name].append(sum(right.get(i) is True for i in chosen) / max(len(chosen), 1))

    def to_json(self) -> JsonObject:
        verdicts = {name: self.counts[name] for name in VERDICTS}
        return {
            "problems": self.problems,
            "candidates": self.candidates,
            "steps": self.steps,
            "claims": sum(verdicts.values()),
            **{name: math.fsum(all_) / len(all_) if all_ else None for name, all_ in self.shares.items()},
            "changed": self.changed,
            "verdicts": verdicts,
            "premise_errors": self.counts["premise_errors"],
            "reasoning_errors": self.counts["reasoning_errors"],
            "histograms": self.bins,
        }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _bin(value: float) -> int:
    return min(max(int(value * BINS), 0), BINS - 1)
