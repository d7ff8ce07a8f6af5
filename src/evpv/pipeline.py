"""The main job: problems in, traces out. Models are asked here, once; everything after is a pure function of what they said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from evpv.premises.auditing import Mode, completed
from evpv.protocols import Closable, Extractor, StepJudge, StepJudgement
from evpv.reward.assess import assess
from evpv.reward.method import Method
from evpv.types import Candidate, Extraction, Problem, Trace

BATCH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Extractor, judge, auditor and method, joined."""

    extractor: Extractor
    judge: StepJudge
    audit: Mode
    method: Method

    def close(self) -> None:
        """End the processes that the parts hold; they end with the program too, but not always quietly."""
        for part in (self.extractor, self.judge):
            if isinstance(part, Closable):
                part.close()

    def stream(self, problems: Iterable[Problem]) -> Iterator[Trace]:
        """A trace per problem, in order, a batch at a time, so that memory does not grow with their number."""
        waiting = iter(problems)
        while batch := list(islice(waiting, BATCH)):
            yield from self.traces(batch)

    def traces(self, problems: Sequence[Problem]) -> list[Trace]:
        """Traces of one batch: each image is read once, however many candidates there are."""
        audited = [_audited(problem, self.audit) for problem in problems]
        extractions = self.extractor.extract(audited)
        constraints = [extraction.constraints for extraction in extractions]
        judgements = self.judge.judge(audited, constraints)
        return [self._trace(*one) for one in zip(audited, extractions, judgements, strict=True)]

    def _trace(self, problem: Problem, extraction: Extraction, judgements: list[list[StepJudgement]]) -> Trace:
        rewards = [[step.reward for step in candidate] for candidate in judgements]
        trace = assess(_explained(problem, judgements), extraction.constraints, rewards, self.method)
        return replace(trace, cost=extraction.cost, extra=_kept(problem, extraction))


def _audited(problem: Problem, mode: Mode) -> Problem:
    return replace(problem, candidates=tuple(completed(c, problem.question, mode) for c in problem.candidates))


def _explained(problem: Problem, judgements: list[list[StepJudgement]]) -> Problem:
    """The problem with what the judge said of each step kept beside it."""

    def with_words(candidate: Candidate, said: list[StepJudgement]) -> Candidate:
        steps = (
            replace(step, extra={**step.extra, "judge": word.explanation}) if word.explanation else step
            for step, word in zip(candidate.steps, said, strict=True)
        )
        return replace(candidate, steps=tuple(steps))

    return replace(problem, candidates=tuple(map(with_words, problem.candidates, judgements)))


def _kept(problem: Problem, extraction: Extraction) -> dict[str, object]:
    """What a reader of the trace needs to know of the problem, and how its picture was taken."""
    kept: dict[str, object] = {
        "image": list(problem.images),
        "options": list(problem.options),
        "answer": problem.answer,
        "figure": extraction.kind,
        "unread": extraction.problem,
    }
    return {key: value for key, value in kept.items() if value}
