"""Traces with known truth → the pairs of truth and prediction that metrics count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evpv.errors import RecordError
from evpv.types import CandidateTrace, Trace

RIGHT, NEUTRAL, WRONG = 1, 0, -1


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """A labelled step: 1 right, −1 wrong, 0 neutral; and its reward, None where the judge gave none."""

    label: int
    reward: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateOutcome:
    """A candidate's labelled steps, and where it comes from. One problem's candidates are one cluster."""

    problem_id: str
    candidate_id: str
    source: str
    policy: str
    steps: tuple[StepOutcome, ...]


def step_outcomes(traces: Iterable[Trace]) -> list[CandidateOutcome]:
    """The labelled candidates of a run.

    A candidate without any label takes no part; one with some labels missing is an error, because its steps and labels
    have slipped against each other.
    """
    found = [outcome for trace in traces for outcome in _outcomes(trace)]
    if not found:
        raise RecordError("no step of this run has a label: evaluation needs steps with `label` 1, 0 or -1.")
    return found


def _outcomes(trace: Trace) -> Iterator[CandidateOutcome]:
    for candidate in trace.candidates:
        labels = [step.step.label for step in candidate.steps]
        if all(label is None for label in labels):
            continue
        yield CandidateOutcome(
            problem_id=trace.problem_id,
            candidate_id=candidate.id,
            source=trace.problem.data_source or "",
            policy=policy_of(trace, candidate),
            steps=tuple(
                StepOutcome(label=_label(trace, candidate, index, label), reward=candidate.steps[index].reward)
                for index, label in enumerate(labels)
            ),
        )


def _label(trace: Trace, candidate: CandidateTrace, index: int, label: object) -> int:
    if isinstance(label, int) and not isinstance(label, bool) and label in (RIGHT, NEUTRAL, WRONG):
        return label
    said = (
        "has no label, but other steps of this candidate have" if label is None else f"has the unknown label {label!r}"
    )
    raise RecordError(f"problem {trace.problem_id!r}, candidate {candidate.id!r}: step {index + 1} {said}.")


def policy_of(trace: Trace, candidate: CandidateTrace) -> str:
    """The policy that wrote a candidate, as it or its problem states."""
    return candidate.candidate.policy_model or trace.problem.policy_model or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One candidate as Best-of-N sees it: is its answer right, and what was it ranked by."""

    candidate_id: str
    right: bool
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemChoices:
    """The candidates of one problem, with what groups it with others."""

    problem_id: str
    group: str
    source: str
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        return sum(choice.right for choice in self.choices)


def choices_of(traces: Iterable[Trace], right: Sequence[Sequence[bool]]) -> list[ProblemChoices]:
    """What Best-of-N chooses from: `right` says for each trace which of its candidates answer correctly."""
    found = []
    for trace, flags in zip(traces, right, strict=True):
        choices = tuple(
            Choice(candidate_id=candidate.id, right=flag, value=trace.ranking.values[candidate.id])
            for candidate, flag in zip(trace.candidates, flags, strict=True)
        )
        if choices:
            group, source = trace.problem.group or trace.problem_id, trace.problem.data_source or ""
            found.append(ProblemChoices(problem_id=trace.problem_id, group=group, source=source, choices=choices))
    if not found:
        raise RecordError("this run has no problem with candidates.")
    return found
