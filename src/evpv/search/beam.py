"""Step-level beam search: of all ways on, the best few are followed, where best is what gated rewards say so far.

`StepPolicy` asks for several proposals for the next step of a solution that has been begun.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Literal

from evpv.backends.ledger import identity
from evpv.backends.prompts import Prompt, load_prompt, question_text, steps_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.errors import BackendError
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy, with_seed
from evpv.protocols import Asking, ChatReply, ChatRequest
from evpv.search.scoring import CallLimit, Scorer
from evpv.settings import require_positive
from evpv.types import Candidate, Problem, Step, Trace

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
        """The model and a digest of all that decides its proposals."""
        decides = [_prompt().digest, self.temperature, self.top_p, self.max_tokens, self.attempts, self.seed]
        digest = sha256(json.dumps([identity(self.backend), *decides]).encode()).hexdigest()[:16]
        return f"steps-{self.backend.name}-{digest}"

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
        return [_Proposals(continued=_ways_on(place, found), rejected=tuple(why)) for place, why in enumerate(rejected)]

    def _request(self, problem: Problem, begun: Candidate, number: tuple[int, int], must_end: bool) -> ChatRequest:
        written = steps_text(step.text for step in begun.steps) or _NOTHING_YET
        nonce = sha256(json.dumps([self.seed, problem.id, written, *number]).encode()).hexdigest()[:16]
        ending = _MUST_END if must_end else _MAY_END
        trusted: dict[str, str | int] = {"variant_id": number[0], "nonce": nonce, "ending": ending}
        asked = _prompt().fill({"user_query": question_text(problem), "steps": written}, trusted)
        return with_seed(self.request(problem, _STAGE, asked, _schema(must_end=must_end)), nonce)


def _ways_on(place: int, found: Mapping[_Variant, Candidate]) -> tuple[Candidate, ...]:
    """The proposals for one solution, by variant; the same step proposed twice is one way on."""
    return tuple(dict.fromkeys(found[key] for key in sorted(found) if key[0] == place))


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
