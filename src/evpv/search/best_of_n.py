"""Best-of-N that stops asking when no further solution can change the choice, or when one is good enough."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Literal

from evpv.language.answers import answer_key
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy
from evpv.reward.method import Method
from evpv.reward.ranking import Aggregation
from evpv.search.scoring import CallLimit, Scorer
from evpv.settings import require_positive
from evpv.types import Problem, Trace

_Ending = Literal["all", "proven", "enough", "calls"]

_MOST_STEPS = 64  # what the policy's schema allows
_SLACK = 1e-9  # sums of floats: what is won by less than this is not called proven


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfN:
    """Asks for up to `samples` whole solutions, `together` at a time, and ranks them by the pipeline's method.

    It stops early when the choice is proven: under `score`, once a solution has the highest score there is; under the
    votes, once the leading answer is further ahead than all that is left could bring another. `enough` also stops it
    when the first in rank has that value, proven or not. Without early stops the trace is that of `evpv sample` and
    `evpv rank`, but for ids, which are padded so that ties go to the earlier solution.
    """

    policy: ChatPolicy
    pipeline: Pipeline
    samples: int = 16
    together: int = 4
    enough: float | None = None
    max_calls: int = 400

    def __post_init__(self) -> None:
        require_positive(self, "samples", "together", "max_calls")

    def search(self, problem: Problem) -> Trace:
        """A trace of the solutions that were asked for."""
        limit = CallLimit(self.policy.backend, self.max_calls)
        policy = replace(self.policy, backend=limit)
        scorer = Scorer(self.pipeline, problem)
        asked, ending = 0, None
        while ending is None:
            asked = min(asked + self.together, self.samples)
            [sampled] = policy.sample([scorer.problem], asked)  # what was sampled before is remembered by the limit
            trace = scorer.trace(sampled.problem.candidates)
            ending = self._ending(trace, asked, limit)
        story = {
            "kind": "best-of-n",
            "samples": self.samples,
            "asked": asked,
            "calls": limit.calls_used,
            "ended": ending,
        }
        return scorer.close_trace(trace, {**story, "rejected": len(sampled.rejected)})

    def _ending(self, trace: Trace, asked: int, limit: CallLimit) -> _Ending | None:
        if asked == self.samples:
            return "all"
        if _choice_is_settled(trace, self.samples - asked, self.pipeline.method):
            return "proven"
        best = max(trace.ranking.values.values(), default=0.0)
        if self.enough is not None and best >= self.enough:
            return "enough"
        return "calls" if limit.spent else None


def _choice_is_settled(trace: Trace, left: int, method: Method) -> bool:
    """Whether `left` further solutions, whatever they are, cannot change the choice.

    Under `score` the choice is the first solution, which keeps its place in a tie; under the votes it is the answer.
    """
    if not trace.candidates:
        return False
    most = _highest_score(method.aggregate)
    if method.select == "score":
        return max(candidate.score for candidate in trace.candidates) >= most
    weights: defaultdict[str, list[float]] = defaultdict(list)
    for candidate in trace.candidates:
        if (key := answer_key(candidate.final_answer, trace.problem.options)) is not None:
            weights[key].append(1.0 if method.select == "vote" else candidate.score)
    votes = sorted((math.fsum(cast) for cast in weights.values()), reverse=True)
    first, second = (*votes, 0.0, 0.0)[:2]
    return first > second + left * (1.0 if method.select == "vote" else most) + _SLACK


def _highest_score(aggregate: Aggregation) -> float:
    """The most that a solution of any length can score."""
    return max(aggregate([1.0] * count) for count in range(1, _MOST_STEPS + 1))
