"""`ChatPolicy`: candidates with checklists from a model that is asked for them (Appendix D.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from evpv.backends.ledger import identity
from evpv.backends.prompts import Prompt, load_prompt, question_text
from evpv.backends.replies import read_json
from evpv.errors import ConfigError, RecordError
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Sampling
from evpv.records import candidate_from_json
from evpv.records.problems import problem_digest
from evpv.types import Candidate, Extra, Problem, RejectedAnswer, SampleOrigin, SamplingReport

_STAGE = "sample"
_STEP = {
    "type": "object",
    "properties": {
        "steptext": {"type": "string", "minLength": 1, "maxLength": 4000},
        "visualdependency": {"type": ["string", "null"], "maxLength": 1000},
    },
    "required": ["steptext", "visualdependency"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoningprocess": {"type": "array", "items": _STEP, "minItems": 1, "maxItems": 64},
        "finalanswer": {"type": "string", "minLength": 1, "maxLength": 500},
    },
    "required": ["reasoningprocess", "finalanswer"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """A problem with its new candidates, the answers that were rejected, and the variants that never came right."""

    problem: Problem
    rejected: tuple[RejectedAnswer, ...] = ()
    missing: tuple[int, ...] = ()

    def problem_with_report(self, policy: str, wanted: int, cost: Extra) -> Problem:
        """The problem with how its candidates came about: nothing that was rejected is hidden."""
        report = SamplingReport(
            policy=policy,
            wanted=wanted,
            digest=problem_digest(replace(self.problem, candidates=())),
            missing=self.missing,
            rejected=self.rejected,
            cost=cost,
        )
        return replace(self.problem, sampling=report)


@dataclass(slots=True)
class _Pool:
    """The answers for one problem as they come in, by variant."""

    problem: Problem
    variants: range
    found: dict[int, Candidate] = field(default_factory=dict)
    rejected: list[RejectedAnswer] = field(default_factory=list)

    def missing(self) -> list[int]:
        return [variant for variant in self.variants if variant not in self.found]

    def add(self, variant: int, answer: Candidate | RejectedAnswer) -> None:
        if isinstance(answer, Candidate):
            self.found[variant] = answer
        else:
            self.rejected.append(answer)

    def result(self) -> Sampled:
        candidates = tuple(self.found[variant] for variant in sorted(self.found))
        return Sampled(
            problem=replace(self.problem, candidates=candidates),
            rejected=tuple(self.rejected),
            missing=tuple(self.missing()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPolicy:
    """Asks a model for different solutions of a problem, each with a variant number and a nonce of its own.

    The nonce and the sampling seed follow from `seed`, the problem, the variant and the attempt, so that a run can be
    repeated and the store knows its answers again. An answer that cannot be read as the paper's JSON is asked for again
    with another nonce, at most `attempts` times in all; what is still not right then is reported, never made up.
    """

    backend: ChatBackend
    prompt: str = "policy"
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 4096
    attempts: int = 3
    seed: int = 0
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ConfigError("'attempts' must be at least 1.")
        object.__setattr__(self, "_ask", load_prompt(self.prompt, required=("variant_id", "nonce", "user_query")))

    @property
    def version(self) -> str:
        """The model and a digest of all that decides its candidates."""
        decides = [self._ask.digest, self.temperature, self.top_p, self.max_tokens, self.attempts, self.seed]
        digest = sha256(json.dumps([identity(self.backend), *decides]).encode()).hexdigest()[:16]
        return f"chat-{self.backend.name}-{digest}"

    def sample(self, problems: Sequence[Problem], count: int) -> list[Sampled]:
        """`count` candidates for each problem in place of those it has; each round asks all that is missing at once."""
        pools = [_Pool(problem, range(1, count + 1)) for problem in problems]
        for attempt in range(1, self.attempts + 1):
            wanted = [(pool, variant) for pool in pools for variant in pool.missing()]
            if not wanted:
                break
            replies = self.backend.ask([self._request(pool.problem, variant, attempt) for pool, variant in wanted])
            for (pool, variant), reply in zip(wanted, replies, strict=True):
                pool.add(variant, self._candidate(pool.problem, reply, variant, attempt))
        return [pool.result() for pool in pools]

    def _request(self, problem: Problem, variant: int, attempt: int) -> ChatRequest:
        nonce = self._nonce(problem, variant, attempt)
        return ChatRequest(
            prompt=self._ask.fill({"user_query": question_text(problem)}, {"variant_id": variant, "nonce": nonce}),
            images=problem.images,
            schema=SCHEMA,
            sampling=Sampling(
                temperature=self.temperature,
                top_p=self.top_p,
                max_tokens=self.max_tokens,
                seed=int(nonce[:7], 16),
            ),
            stage=_STAGE,
            problem_id=problem.id,
        )

    def _nonce(self, problem: Problem, variant: int, attempt: int) -> str:
        return sha256(json.dumps([self.seed, problem.id, variant, attempt]).encode()).hexdigest()[:16]

    def _candidate(self, problem: Problem, reply: ChatReply, variant: int, attempt: int) -> Candidate | RejectedAnswer:
        if reply.text is None:
            return RejectedAnswer(variant=variant, attempt=attempt, reason=f"no answer: {reply.problem}")
        reading = read_json(reply.text, SCHEMA)
        problem_found = reading.problem
        if problem_found is None:
            try:
                read = candidate_from_json(reading.value, str(variant))
            except RecordError as error:
                problem_found = str(error)
        if problem_found is not None:
            cut = " (cut off)" if reply.finish == "length" else ""
            return RejectedAnswer(variant=variant, attempt=attempt, reason=f"{problem_found}{cut}", raw=reply.text)
        nonce = self._nonce(problem, variant, attempt)
        origin = SampleOrigin(variant=variant, nonce=nonce, attempt=attempt, repairs=tuple(reading.repairs))
        return replace(read, sampled=origin)
