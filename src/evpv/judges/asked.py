"""What a judge that asks a model needs around the asking: the cases, their texts, and how a question was put."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from evpv.backends.prompts import steps_text
from evpv.protocols import ChatReply, StepJudgement
from evpv.types import Candidate, Constraint, Problem

History = Literal["none", "all"] | int
FIRST = "(none: the CURRENT step is the first)"


def how_sent(reply: ChatReply) -> dict[str, Any]:
    """How a question was put, without what differs from one reply to the next."""
    return {name: value for name, value in reply.facts.items() if name not in ("stored", "faults")}


def faults_of(reply: ChatReply) -> dict[str, Any]:
    """What went wrong on the way to a reply, if anything did."""
    return {"faults": reply.facts["faults"]} if reply.facts.get("faults") else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one question is about: `count` steps of a candidate from step `first` on, counted from 0."""

    problem: Problem
    candidate: Candidate
    constraints: Sequence[Constraint]
    first: int
    count: int = 1
    observation: str | None = None

    @property
    def texts(self) -> list[str]:
        """The steps to be judged."""
        return [step.text for step in self.candidate.steps[self.first : self.first + self.count]]


def cases(problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]], size: int = 1) -> list[Case]:
    """All steps of all candidates in order, `size` at a time."""
    return [
        Case(
            problem=problem,
            candidate=candidate,
            constraints=facts,
            first=first,
            count=min(size, len(candidate.steps) - first),
        )
        for problem, facts in zip(problems, constraints, strict=True)
        for candidate in problem.candidates
        for first in range(0, len(candidate.steps), size)
    ]


def shaped(problems: Sequence[Problem], words: Iterable[StepJudgement]) -> list[list[list[StepJudgement]]]:
    """Judgements, one per step in order, in the shape that a judge answers in."""
    waiting = iter(words)
    return [[list(islice(waiting, len(candidate.steps))) for candidate in problem.candidates] for problem in problems]


def history_text(case: Case, history: History) -> str | None:
    """The steps before the case's, numbered as they stand; None if they are not to be shown, "" if there are none."""
    if history == "none" or history == 0:
        return None
    start = 0 if history == "all" else max(0, case.first - int(history))
    return steps_text((step.text for step in case.candidate.steps[start : case.first]), first=start + 1)
