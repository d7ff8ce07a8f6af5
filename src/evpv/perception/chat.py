"""Extractors that ask a vision-language model: as in Appendix D.3 (`ChatExtractor`), as one was trained (`TrainedExtractor`), or a
strong one that writes what others are trained on (`Teacher`, Appendix D.2 and C).

What they answer is held to one form (Appendix A), read, and checked constraint by constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, ClassVar, Literal

from evpv.backends.ledger import identity, part_version
from evpv.backends.prompts import Prompt, load_prompt, question_text, steps_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import Misfit, closed_object, fit_to_schema
from evpv.errors import RecordError, unknown_name
from evpv.perception.cache import CachedExtractor, cache_folder
from evpv.protocols import Asking, ChatBackend, ChatReply, ChatRequest, Description
from evpv.records import constraint_from_json
from evpv.types import RELATION_TYPES, STRUCTURE_TYPES, Constraint, Extraction, Problem, Structure

_MAX_CONSTRAINTS = 64
_MAX_NAME_CHARS = 200
_MAX_PARTS = 32

_NAME = {"type": "string", "maxLength": _MAX_NAME_CHARS}
_NAME_OR_NULL = {"type": ["string", "null"], "maxLength": _MAX_NAME_CHARS}
_NAMES = {"type": "array", "items": _NAME, "maxItems": _MAX_PARTS}
_CONFIDENCE = {"type": "number", "minimum": 0, "maximum": 1}


_RELATION = {"type": {"type": "string", "enum": list(RELATION_TYPES)}, "entities": {**_NAMES, "minItems": 2}}
_STRUCTURE = {"type": {"type": "string", "enum": list(STRUCTURE_TYPES)}, "parts": _NAMES}
_FIELDS: dict[str, dict[str, Any]] = {
    "numeric": {"entity": _NAME, "attribute": _NAME, "value": {"type": "number"}, "unit": _NAME_OR_NULL},
    "relation": {**_RELATION, "direction": _NAME_OR_NULL},
    "structure": {**_STRUCTURE, "attachment": _NAMES, "adjacency": _NAMES},
}
_FORMS: dict[str, dict[str, Any]] = {
    name: closed_object(category={"type": "string", "enum": [name]}, **fields, confidence=_CONFIDENCE)
    for name, fields in _FIELDS.items()
}
# With any word as `type`, and with nothing required that a record does not require.
_OPENED = {"numeric": {}, "relation": {"type": _NAME, "entities": _NAMES}, "structure": {"type": _NAME}}
_OPEN_FORMS: dict[str, dict[str, Any]] = {
    name: {"type": "object", "properties": {**form["properties"], **_OPENED[name]}} for name, form in _FORMS.items()
}
_ITEMS = {"anyOf": list(_FORMS.values())}
CONSTRAINTS_SCHEMA: dict[str, Any] = {"type": "array", "items": _ITEMS, "maxItems": _MAX_CONSTRAINTS}
"""What a model is held to where its server can: Appendix A to the letter. Everything is bounded, so that it ends."""

_REPEATED = "it was said before"
_TELLING_FIELD = {"value": "numeric", "entities": "relation", "parts": "structure"}
"""What tells the category where the model left it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ConstraintsAnswer:
    """What could be read of an answer; `problem` says why nothing could.

    `dropped` are constraints that were left out: their place in the answer, counted from 0, and the reason.
    """

    constraints: tuple[Constraint, ...] = ()
    repairs: tuple[str, ...] = ()
    dropped: tuple[tuple[int, str], ...] = ()
    problem: str | None = None


def read_constraints_answer(text: str | None, *, to_the_letter: bool = False) -> _ConstraintsAnswer:
    """Every constraint in the answer that is one; bad ones are left out with the reason, and do not cost the others.

    Words outside the paper's lists of types are kept, as in any record; `to_the_letter` leaves them out too.
    """
    reading = read_json(text, {"type": "array"})
    if reading.problem is not None:
        return _ConstraintsAnswer(repairs=reading.repairs, problem=reading.problem)
    found: dict[Constraint, None] = {}
    repairs, dropped = list(reading.repairs), list[tuple[int, str]]()
    for place, item in enumerate(reading.value):
        one = _read_one(item, to_the_letter)
        if isinstance(one, str):
            dropped.append((place, one))
        elif one[0] in found:
            dropped.append((place, _REPEATED))
        else:
            found[one[0]] = None
            repairs += one[1]
    once = tuple(dict.fromkeys(repairs))
    return _ConstraintsAnswer(constraints=tuple(found), repairs=once, dropped=tuple(dropped))


def _read_one(item: Any, to_the_letter: bool) -> tuple[Constraint, tuple[str, ...]] | str:
    """One constraint and what was mended in it, or the reason why it is none."""
    if not isinstance(item, dict):
        return "it is no object"
    repairs: tuple[str, ...] = ()
    if "category" not in item and (told := [kind for name, kind in _TELLING_FIELD.items() if name in item]):
        item, repairs = {"category": told[0], **item}, ("category-from-fields",)
    category = str(item.get("category")).strip().lower()
    if category not in _FORMS:
        return "its 'category' is not 'numeric', 'relation' or 'structure'"
    result = fit_to_schema(item, (_FORMS if to_the_letter else _OPEN_FORMS)[category])
    if isinstance(result, Misfit):
        return str(result)
    try:
        constraint = constraint_from_json(result.value)
    except RecordError as error:
        return str(error)
    return constraint, (*repairs, *result.repairs)


_Variant = Literal["full", "short", "caption"]
_PROMPTS: dict[_Variant, str] = {"full": "extractor", "short": "extractor-short", "caption": "extractor-caption"}
_MAX_CAPTION_CHARS = 4000
_STAGE = "extract"


def extractions(
    problems: Sequence[Problem],
    backend: ChatBackend,
    request: Callable[[Problem], ChatRequest],
    read: Callable[[ChatReply], Extraction],
    known: Callable[[Problem], Extraction | None] = lambda problem: None if problem.images else Extraction(),
) -> list[Extraction]:
    """One extraction per problem: what is known of it without asking, else what is read of the model's answer."""
    answers = [known(problem) for problem in problems]
    requests = [request(problem) for problem, answer in zip(problems, answers, strict=True) if answer is None]
    replies = iter(backend.ask(requests) if requests else ())
    return [read(next(replies)) if answer is None else answer for answer in answers]


def _asking_description(*, reads_question: bool) -> Description:
    """One question for each problem with a picture; the question's text is read where it is shown."""
    return Description(
        reads_question=reads_question, reads_constraints=False, asks=True, extras=("chat",),
        calls=lambda problem: int(bool(problem.images)),
    )  # fmt: skip


def _read_extraction(reply: ChatReply) -> Extraction:
    return _silence(reply) or _extraction_of(reply, read_constraints_answer(reply.text))


def _silence(reply: ChatReply) -> Extraction | None:
    """What is read where the model never answered; None where it did."""
    if reply.text is not None:
        return None
    problem = f"the model gave no answer: {reply.problem}"
    return Extraction(problem=problem, answered=False, cost={"reading": _facts(reply)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatExtractor(Asking):
    """Asks a model for the constraints of each figure, once for all candidates and runs that need the answer.

    `variant` is the paper's prompt ("full"), its short one, or "caption": a plain description in place of structured
    facts, kept as one constraint of type "caption" so that a judge can still be shown it. `question` says whether the
    model is told the question, as E_φ(I, q) is. What was read is kept in the folder `cache` ("auto": the user's cache
    folder, "": nowhere), keyed by `version`.
    """

    cache: str = "auto"
    variant: _Variant = "full"
    prompt: str = ""
    question: bool = True
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.variant not in _PROMPTS:
            raise unknown_name("extractor variant", str(self.variant), _PROMPTS)
        required = ("question_text",) if self.question else ()
        prompt = load_prompt(self.prompt or _PROMPTS[self.variant], required=required, optional=("question_text",))
        object.__setattr__(self, "_ask", prompt)  # refused now if it does not fit, not when it is asked

    @property
    def version(self) -> str:
        """The model and a digest of all that decides its answer: prompt, sampling, schema."""
        decides = (self._ask.digest, self.question, str(self.sampling), self._schema)
        return part_version(f"chat-{self.variant}", self.backend, *decides)

    @property
    def description(self) -> Description:
        return _asking_description(reads_question=self.question)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        if self.cache:
            return CachedExtractor(replace(self, cache=""), cache_folder(self.cache)).extract(problems)
        read = self._caption if self.variant == "caption" else _read_extraction
        return extractions(problems, self.backend, self._request, read)

    @property
    def _schema(self) -> dict[str, Any] | None:
        return None if self.variant == "caption" else CONSTRAINTS_SCHEMA

    def _request(self, problem: Problem) -> ChatRequest:
        prompt = self._ask.fill({"question_text": question_text(problem) if self.question else None})
        return self.request(problem, _STAGE, prompt, self._schema)

    def _caption(self, reply: ChatReply) -> Extraction:
        text = " ".join((reply.text or "").split())[:_MAX_CAPTION_CHARS]
        cost = {"reading": _facts(reply)}
        if not text:
            return _silence(reply) or Extraction(problem="the model's answer is empty", cost=cost)
        return Extraction(constraints=(Structure(type="caption", parts=(text,)),), kind="chat", cost=cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedExtractor(Asking):
    """E_φ: the picture and the bare question in, the JSON array out; the form of the answer was learnt, not asked for.

    The schema is enforced while the answer is written, where the backend can. `cache` is as at `ChatExtractor`.
    """

    max_tokens: int = 1024
    cache: str = "auto"
    description: ClassVar[Description] = _asking_description(reads_question=True)

    @property
    def version(self) -> str:
        """The model, how long it may write, and how it draws its words where it does."""
        drawn = f"-{self.temperature}-{self.top_p}-{self.seed}" if self.temperature else ""
        return f"trained-{identity(self.backend)}-{self.max_tokens}{drawn}"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        if self.cache:
            return CachedExtractor(replace(self, cache=""), cache_folder(self.cache)).extract(problems)
        return extractions(problems, self.backend, self._request, _read_extraction)

    def _request(self, problem: Problem) -> ChatRequest:
        return self.request(problem, _STAGE, problem.question, CONSTRAINTS_SCHEMA)


def _extraction_of(reply: ChatReply, answer: _ConstraintsAnswer) -> Extraction:
    """What was read, with how it was asked, what was mended and left out, and the raw text where that was not all well."""
    facts = _facts(reply)
    if answer.repairs:
        facts["repairs"] = list(answer.repairs)
    if answer.dropped:
        facts["dropped"] = [{"place": place, "reason": reason} for place, reason in answer.dropped]
    if answer.problem is not None or answer.dropped or answer.repairs:
        facts["raw"] = reply.text
    unread = None if answer.problem is None else f"the model's answer could not be read: {answer.problem}"
    kind, cost = "chat" if unread is None else None, {"reading": facts} if facts else {}
    return Extraction(constraints=answer.constraints, kind=kind, problem=unread, cost=cost)


def _facts(reply: ChatReply) -> dict[str, Any]:
    sent = {name: value for name, value in reply.facts.items() if name != "stored"}
    return {**sent, "finish": reply.finish} if reply.finish == "length" else sent


_Reference = Literal["none", "where-given", "required"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teacher(Asking):
    """An extractor whose answers are kept only when all of them keep to the schema of Appendix A to the letter.

    `reference` says whether the model is shown the problem's own solution: "none" is the prompt of Appendix D.2,
    "where-given" and "required" are Appendix C's practice. A reference is the field `reference_steps` of the problem,
    or else the steps of its first candidate that is marked `correct`.
    """

    max_tokens: int = 4096
    reference: _Reference = "where-given"
    prompt: str = "teacher"
    description: ClassVar[Description] = _asking_description(reads_question=True)
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.reference not in ("none", "where-given", "required"):
            raise unknown_name("value of 'reference':", str(self.reference), ("none", "where-given", "required"))
        required = ("question_text",) if self.reference == "none" else ("question_text", "reference_steps_text")
        prompt = load_prompt(self.prompt, required=required, optional=("reference_steps_text",))
        object.__setattr__(self, "_ask", prompt)

    @property
    def version(self) -> str:
        decides = f"{identity(self.backend)} {self._ask.digest} {self.reference} {self.sampling}"
        return f"teacher-{self.backend.name}-{sha256(decides.encode()).hexdigest()[:16]}"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem; without a picture, or a reference that is wanted, nothing is asked."""
        return extractions(problems, self.backend, self._request, _lesson, self._known_answer)

    def _known_answer(self, problem: Problem) -> Extraction | None:
        if not problem.images:
            return Extraction(problem="there is no image")
        if self.reference == "required" and not reference_steps(problem):
            return Extraction(problem="there are no reference steps")
        return None

    def _request(self, problem: Problem) -> ChatRequest:
        reference = None if self.reference == "none" else reference_steps(problem)
        steps = steps_text(reference) if reference else None
        asked = self._ask.fill({"question_text": question_text(problem), "reference_steps_text": steps})
        return self.request(problem, "teach", asked, CONSTRAINTS_SCHEMA)


def _lesson(reply: ChatReply) -> Extraction:
    """What was taught; an answer with anything in it that is no constraint is a problem as a whole."""
    if reply.text is None:
        return Extraction(problem=f"the model gave no answer: {reply.problem}", answered=False)
    answer = read_constraints_answer(reply.text, to_the_letter=True)
    extraction = _extraction_of(reply, answer)
    wrong = [f"constraint {place}: {reason}" for place, reason in answer.dropped if reason != _REPEATED]
    if extraction.problem is None and wrong:
        return Extraction(problem=wrong[0], cost=extraction.cost)
    return extraction


def reference_steps(problem: Problem) -> list[str] | None:
    """The steps of a solution that is known to be right, if the problem has one."""
    given = problem.extra.get("reference_steps")
    if isinstance(given, list) and all(isinstance(step, str) for step in given):
        return given or None
    for candidate in problem.candidates:
        if candidate.correct is True:
            return [step.text for step in candidate.steps]
    return None
