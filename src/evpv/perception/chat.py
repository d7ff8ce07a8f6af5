"""`ChatExtractor`: constraints from a vision-language model that is asked for them (Appendix D.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal

from evpv.backends.ledger import identity
from evpv.backends.prompts import Prompt, load_prompt, question_text
from evpv.errors import unknown_name
from evpv.perception.cache import CachedExtractor, cache_folder
from evpv.perception.constraint_answers import CONSTRAINTS_SCHEMA, ConstraintsAnswer, read_constraints_answer
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Description, Sampling
from evpv.types import Extraction, Problem, Structure

_Variant = Literal["full", "short", "caption"]
_PROMPTS: dict[_Variant, str] = {"full": "extractor", "short": "extractor-short", "caption": "extractor-caption"}
_STAGE = "extract"
_MAX_CAPTION_CHARS = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatExtractor:
    """Asks a model for the constraints of each figure, once for all candidates and runs that need them.

    `variant` is the paper's prompt ("full"), its short one, or "caption": a plain description in place of structured
    facts, kept as one constraint of type "caption" so that a judge can still be shown it. `question` says whether the
    model is told the question, as E_φ(I, q) is. What was read is kept in the folder `cache` ("auto": the user's cache
    folder, "": nowhere), keyed by `version`.
    """

    backend: ChatBackend
    variant: _Variant = "full"
    prompt: str = ""
    question: bool = True
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int | None = None
    cache: str = "auto"
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.variant not in _PROMPTS:
            raise unknown_name("extractor variant", str(self.variant), _PROMPTS)
        object.__setattr__(self, "_ask", self._prompt())  # refused now if it does not fit, not when it is asked

    @property
    def version(self) -> str:
        """The model and a digest of all that decides its answer: prompt, sampling, schema."""
        decides = [identity(self.backend), self._ask.digest, self.question, str(self._sampling()), self._schema()]
        digest = sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:16]
        return f"chat-{self.variant}-{self.backend.name}-{digest}"

    @property
    def description(self) -> Description:
        """One question for each problem with a picture; the question's text is read where it is shown."""
        return Description(
            reads_question=self.question,
            reads_constraints=False,
            asks=True,
            extras=("chat",),
            calls=lambda problem: int(bool(problem.images)),
        )

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem; without an image nothing is asked."""
        if self.cache:
            return CachedExtractor(replace(self, cache=""), cache_folder(self.cache)).extract(problems)
        seen = [problem for problem in problems if problem.images]
        replies = iter(self.backend.ask([self._request(problem) for problem in seen]))
        return [self._extraction(next(replies)) if problem.images else Extraction() for problem in problems]

    def _request(self, problem: Problem) -> ChatRequest:
        question = question_text(problem) if self.question else None
        return ChatRequest(
            prompt=self._ask.fill({"question_text": question}),
            images=problem.images,
            schema=self._schema(),
            sampling=self._sampling(),
            stage=_STAGE,
            problem_id=problem.id,
        )

    def _extraction(self, reply: ChatReply) -> Extraction:
        if reply.text is None:
            return Extraction(
                problem=f"the model gave no answer: {reply.problem}", answered=False, cost={"reading": _facts(reply)}
            )
        if self.variant == "caption":
            return _caption(reply)
        return extraction_of(reply, read_constraints_answer(reply.text))

    def _prompt(self) -> Prompt:
        required = ("question_text",) if self.question else ()
        return load_prompt(self.prompt or _PROMPTS[self.variant], required=required, optional=("question_text",))

    def _sampling(self) -> Sampling:
        return Sampling(temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, seed=self.seed)

    def _schema(self) -> dict[str, Any] | None:
        return None if self.variant == "caption" else CONSTRAINTS_SCHEMA


def extraction_of(reply: ChatReply, answer: ConstraintsAnswer) -> Extraction:
    """What was read, with how it was asked, what was mended and left out, and the raw text where that was not all well."""
    facts = _facts(reply)
    if answer.repairs:
        facts["repairs"] = list(answer.repairs)
    if answer.dropped:
        facts["dropped"] = [{"place": one.place, "reason": one.reason} for one in answer.dropped]
    if answer.problem is not None or answer.dropped or answer.repairs:
        facts["raw"] = reply.text
    unread = None if answer.problem is None else f"the model's answer could not be read: {answer.problem}"
    return Extraction(
        constraints=answer.constraints,
        kind="chat" if unread is None else None,
        problem=unread,
        cost={"reading": facts} if facts else {},
    )


def _caption(reply: ChatReply) -> Extraction:
    text = " ".join((reply.text or "").split())
    if not text:
        return Extraction(problem="the model's answer is empty", cost={"reading": _facts(reply)})
    caption = Structure(type="caption", parts=(text[:_MAX_CAPTION_CHARS],))
    return Extraction(constraints=(caption,), kind="chat", cost={"reading": _facts(reply)})


def _facts(reply: ChatReply) -> dict[str, Any]:
    sent = {name: value for name, value in reply.facts.items() if name != "stored"}
    return {**sent, "finish": reply.finish} if reply.finish == "length" else sent
