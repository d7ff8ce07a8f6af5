"""Searches for a solution: Best-of-N that stops early, and a beam of steps; gated rewards say what is best so far.

`Scorer` has solutions of one problem, whole or begun, scored: its picture is read once, its costs are summed once.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

from evpv.backends.ledger import part_version, usage_to_json
from evpv.backends.prompts import Prompt, load_prompt, question_text, steps_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.errors import BackendError
from evpv.language.answers import answer_key
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy, nonce_of, with_seed
from evpv.protocols import Asking, ChatBackend, ChatReply, ChatRequest
from evpv.reward.method import Method
from evpv.reward.ranking import Aggregation
from evpv.settings import require_positive
from evpv.types import Candidate, Extraction, Problem, Step, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownExtraction:
    """An extractor that has looked already."""

    extraction: Extraction
    version: str

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        return [self.extraction for _ in problems]


class Scorer:
    """Traces of any solutions of one problem."""

    def __init__(self, pipeline: Pipeline, problem: Problem) -> None:
        self.problem = replace(problem, candidates=())
        self._ledger = pipeline.ledger
        [extraction] = pipeline.extractor.extract([self.problem])
        known = KnownExtraction(extraction=extraction, version=pipeline.extractor.version)
        # Without the ledger, which would hand out a problem's costs at every scoring: `close_trace` takes them all.
        self._pipeline = replace(pipeline, extractor=known, ledger=None)

    def trace(self, solutions: Sequence[Candidate]) -> Trace:
        """The solutions assessed, with ids by their place; earlier ones come first where scores tie."""
        digits = len(str(len(solutions)))
        return self.trace_as_named([replace(one, id=f"{n:0{digits}}") for n, one in enumerate(solutions, start=1)])

    def trace_as_named(self, solutions: Sequence[Candidate]) -> Trace:
        return self._pipeline.traces([replace(self.problem, candidates=tuple(solutions))])[0]

    def close_trace(self, trace: Trace, story: dict[str, Any]) -> Trace:
        """The search's trace: how it went, and all that it cost."""
        stages = self._ledger.take(self.problem.id) if self._ledger is not None else {}
        cost = {**trace.cost, "stages": usage_to_json(stages)} if stages else trace.cost
        return replace(trace, cost=cost, search=story)


class CallLimit:
    """A backend for one search that remembers what it was answered and asks at most `most` questions.

    A question that a store answers counts like any other, so that a search which is taken up again ends where it would
    have ended. What comes after the last call is a failed reply, as a silent server's would be.
    """

    def __init__(self, backend: ChatBackend, most: int) -> None:
        self._backend = backend
        self._most = most
        self._replies: dict[ChatRequest, ChatReply] = {}

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def calls_used(self) -> int:
        return len(self._replies)

    @property
    def spent(self) -> bool:
        return self.calls_used >= self._most

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order; the first that are new are asked, as far as the limit goes."""
        new = [request for request in dict.fromkeys(requests) if request not in self._replies]
        granted = new[: self._most - self.calls_used]
        if granted:
            self._replies |= zip(granted, self._backend.ask(granted), strict=True)
        silence = ChatReply(text=None, problem="the search has no calls left")
        return [self._replies.get(request, silence) for request in requests]


_BestOfNEnding = Literal["all", "proven", "enough", "calls"]

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
        limit = CallLimit(self.policy.backend, self.max_calls)
        policy = replace(self.policy, backend=limit)
        scorer = Scorer(self.pipeline, problem)
        asked, ending = 0, None
        while ending is None:
            asked = min(asked + self.together, self.samples)
            [sampled] = policy.sample([scorer.problem], asked)  # what was sampled before is remembered by the limit
            trace = scorer.trace(sampled.problem.candidates)
            ending = self._ending(trace, asked, limit)
        counts = {"samples": self.samples, "asked": asked, "calls": limit.calls_used}
        story = {"kind": "best-of-n", **counts, "ended": ending, "rejected": len(sampled.rejected)}
        return scorer.close_trace(trace, story)

    def _ending(self, trace: Trace, asked: int, limit: CallLimit) -> _BestOfNEnding | None:
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


_STAGE = "search"
_Variant = tuple[int, int]
"""The place of a solution that has been begun, and the number of a proposal for it."""
_NOTHING_YET = "(none: write the first step)"
_MAY_END = "give it only if this step reaches it, and write the JSON literal null otherwise."
_MUST_END = "no step may follow this one, so give it now."


def _schema(*, must_end: bool) -> dict[str, Any]:
    """What a proposal looks like; the last step that is allowed must bring the answer."""
    return closed_object(
        steptext={"type": "string", "minLength": 1, "maxLength": 4000},
        visualdependency={"type": ["string", "null"], "maxLength": 1000},
        finalanswer={"type": "string" if must_end else ["string", "null"], "minLength": 1, "maxLength": 500},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposals:
    """The different ways on that a policy proposed, in the order of their variants, and why others were no proposals."""

    continued: tuple[Candidate, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPolicy(Asking):
    """Asks a model for the next step, as `ChatPolicy` asks it for whole solutions.

    The nonce and the seed of a question follow from `seed`, the problem, the steps so far, the variant and the attempt:
    the same search puts the same questions, whatever else runs.
    """

    temperature: float = 1.0
    max_tokens: int = 1024
    attempts: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        require_positive(self, "attempts")

    @classmethod
    def of(cls, policy: ChatPolicy) -> StepPolicy:
        """The same model with the same sampling, asked step by step."""
        return cls(**{field.name: getattr(policy, field.name) for field in fields(cls)})

    @property
    def version(self) -> str:
        decides = (_prompt().digest, self.temperature, self.top_p, self.max_tokens, self.attempts, self.seed)
        return part_version("steps", self.backend, *decides)

    def proposals(
        self, problem: Problem, begun: Sequence[Candidate], count: int, *, must_end: bool = False
    ) -> list[_Proposals]:
        """`count` proposals for each solution begun; all that is missing is asked for at once, `attempts` times at most."""
        found: dict[_Variant, Candidate] = {}
        rejected: list[list[str]] = [[] for _ in begun]
        wanted = list(product(range(len(begun)), range(1, count + 1)))
        for attempt in range(1, self.attempts + 1):
            left = [key for key in wanted if key not in found]
            asked = [self._request(problem, begun[place], (variant, attempt), must_end) for place, variant in left]
            for (place, variant), reply in zip(left, self.backend.ask(asked) if asked else (), strict=True):
                try:
                    found[place, variant] = _candidate_with_step(begun[place], reply, _schema(must_end=must_end))
                except BackendError as error:
                    rejected[place].append(str(error))
        proposed = []
        for place, why in enumerate(rejected):
            # the same step proposed twice is one way on
            ways = dict.fromkeys(found[key] for key in sorted(found) if key[0] == place)
            proposed.append(_Proposals(continued=tuple(ways), rejected=tuple(why)))
        return proposed

    def _request(self, problem: Problem, begun: Candidate, number: tuple[int, int], must_end: bool) -> ChatRequest:
        written = steps_text(step.text for step in begun.steps) or _NOTHING_YET
        nonce = nonce_of(self.seed, problem.id, written, *number)
        ending = _MUST_END if must_end else _MAY_END
        trusted: dict[str, str | int] = {"variant_id": number[0], "nonce": nonce, "ending": ending}
        asked = _prompt().fill({"user_query": question_text(problem), "steps": written}, trusted)
        return with_seed(self.request(problem, _STAGE, asked, _schema(must_end=must_end)), nonce)


def _candidate_with_step(begun: Candidate, reply: ChatReply, form: dict[str, Any]) -> Candidate:
    """The solution with one step more; `BackendError` says why the reply is no step."""
    if reply.text is None:
        raise BackendError(f"no answer: {reply.problem}")
    reading = read_json(reply.text, form)
    if reading.problem is not None:
        raise BackendError(reading.problem)
    # The fields that are missing in a step that was cut off may be null, so it would fit.
    if reply.finish == "length" or "half" in reading.repairs:
        raise BackendError("the step is cut off")
    claim = (reading.value["visualdependency"] or "").strip()
    step = Step(text=reading.value["steptext"], claim=claim or None)
    return replace(begun, steps=(*begun.steps, step), final_answer=reading.value["finalanswer"])


@cache
def _prompt() -> Prompt:
    place = Path(__file__).with_name("next-step.txt")
    return load_prompt(str(place), required=("variant_id", "nonce", "ending", "user_query", "steps"))


_BeamEnding = Literal["whole", "calls", "dead end"]


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
        require_positive(self, "width", "samples", "max_steps", "max_calls")

    def search(self, problem: Problem) -> Trace:
        """A trace of every whole solution that was found, in the order of finding; of the unfinished ones if none was."""
        limit = CallLimit(self.policy.backend, self.max_calls)
        policy = replace(self.policy, backend=limit)
        state = _BeamState(scorer=Scorer(self.pipeline, problem), policy=policy, search=self)
        while (ending := state.ending(limit)) is None:
            state.step()
        solutions = state.whole or state.beam
        unfinished = {} if state.whole else {"unfinished": True}
        settings = {"kind": "beam", "width": self.width, "samples": self.samples}
        went = {"steps": state.depth, "calls": limit.calls_used, "scored": state.scored, "rejected": state.rejected}
        story = {**settings, **went, "ended": ending, **unfinished}
        return state.scorer.close_trace(state.scorer.trace(solutions), story)


@dataclass(slots=True, kw_only=True)
class _BeamState:
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

    def ending(self, limit: CallLimit) -> _BeamEnding | None:
        if self.stuck:
            return "calls" if limit.spent else "dead end"
        if all(one.final_answer is not None for one in self.beam):
            return "whole"
        return "calls" if limit.spent else None

    def step(self) -> None:
        """All ways on from the beam, and the best of them as the next beam. Without any, the beam stays and is stuck."""
        self.depth += 1
        begun = [one for one in self.beam if one.final_answer is None]
        kept = [one for one in self.beam if one.final_answer is not None]
        ends = self.depth == self.search.max_steps
        found = self.policy.proposals(self.scorer.problem, begun, self.search.samples, must_end=ends)
        self.rejected += sum(len(one.rejected) for one in found)
        grown = list(dict.fromkeys(way for one in found for way in one.continued))
        self.stuck = not grown
        if grown:
            self.whole += [one for one in grown if one.final_answer is not None]
            every = [*kept, *grown]
            self.scored += len(every)
            scores = [candidate.score for candidate in self.scorer.trace(every).candidates]
            # the highest scores first; of equal ones the one that was found first
            order = sorted(range(len(every)), key=lambda place: (-scores[place], place))
            self.beam = [every[place] for place in order[: self.search.width]]
