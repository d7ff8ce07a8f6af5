"""Step-level beam search: of all ways on, the best few are followed, where best is what gated rewards say so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from evpv.errors import ConfigError
from evpv.pipeline import Pipeline
from evpv.search.next_steps import StepPolicy
from evpv.search.scoring import CallLimit, Scorer
from evpv.types import Candidate, Problem, Trace

_Ending = Literal["whole", "calls", "dead end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamSearch:
    """Follows the `width` best solutions at once, with `samples` proposals for the next step of each.

    A solution is scored by the rewards of the steps it has, each behind its gate, so that one that misreads the picture
    falls behind at that very step. Whole solutions keep their place in the beam while they are among the best. The
    search ends when all the beam is whole, when there is no way on, or after `max_calls` questions; the step number
    `max_steps` must bring an answer. Width 1 is greedy.
    """

    policy: StepPolicy
    pipeline: Pipeline
    width: int = 4
    samples: int = 4
    max_steps: int = 16
    max_calls: int = 400

    def __post_init__(self) -> None:
        for name in ("width", "samples", "max_steps", "max_calls"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name!r} must be at least 1.")

    def search(self, problem: Problem) -> Trace:
        """A trace of every whole solution that was found, in the order of finding; of the unfinished ones if none was."""
        limit = CallLimit(self.policy.backend, self.max_calls)
        walk = _Walk(scorer=Scorer(self.pipeline, problem), policy=replace(self.policy, backend=limit), search=self)
        while (ending := walk.ending(limit)) is None:
            walk.step()
        solutions = walk.whole or walk.beam
        unfinished = {} if walk.whole else {"unfinished": True}
        settings = {"kind": "beam", "width": self.width, "samples": self.samples}
        went = {"steps": walk.depth, "calls": limit.used, "scored": walk.scored, "rejected": walk.rejected}
        return walk.scorer.finished(walk.scorer.trace(solutions), {**settings, **went, "ended": ending, **unfinished})


@dataclass(slots=True, kw_only=True)
class _Walk:
    """One search under way."""

    scorer: Scorer
    policy: StepPolicy
    search: BeamSearch
    beam: list[Candidate] = field(default_factory=lambda: [Candidate(id="", steps=())])
    whole: list[Candidate] = field(default_factory=list)
    depth: int = 0
    scored: int = 0
    rejected: int = 0
    stuck: bool = False

    def ending(self, limit: CallLimit) -> _Ending | None:
        if self.stuck:
            return "calls" if limit.spent else "dead end"
        if all(one.final_answer is not None for one in self.beam):
            return "whole"
        return "calls" if limit.spent else None

    def step(self) -> None:
        """All ways on from the beam, and the best of them as the next beam. Without any, the beam stays and is stuck."""
        self.depth += 1
        begun, kept = _divide(self.beam)
        ends = self.depth == self.search.max_steps
        found = self.policy.proposals(self.scorer.problem, begun, self.search.samples, must_end=ends)
        self.rejected += sum(len(one.rejected) for one in found)
        grown = list(dict.fromkeys(way for one in found for way in one.continued))
        self.stuck = not grown
        if grown:
            self.whole += _divide(grown)[1]
            self.beam = self._best([*kept, *grown])

    def _best(self, solutions: Sequence[Candidate]) -> list[Candidate]:
        """The highest scores first; of equal ones the one that was found first."""
        self.scored += len(solutions)
        scores = [candidate.score for candidate in self.scorer.trace(solutions).candidates]
        order = sorted(range(len(solutions)), key=lambda place: (-scores[place], place))
        return [solutions[place] for place in order[: self.search.width]]


def _divide(solutions: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Those that are only begun, and those that are whole."""
    whole = [one for one in solutions if one.final_answer is not None]
    return [one for one in solutions if one.final_answer is None], whole
