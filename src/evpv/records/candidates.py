"""A candidate in any of the layouts people have: ours, the paper's policy JSON, VisualProcessBench's, or free text.

The policy's JSON uses null for "no claim". A model that writes "" (or "null" in quotes) against its instructions is
read as no claim too, but the step keeps a note of it in `extra`, so that the two stay distinguishable. A policy's text
that should be JSON and is not is read as free text, with the reason in the candidate's `extra`: one broken reply must
not cost the other seven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, TypeAdapter

from evpv.errors import RecordError
from evpv.language.final_answers import final_answer
from evpv.records.codec import Codec, Identifier, OrString, Share, TextOrNumber, array_of, validate
from evpv.records.lines import JsonObject, parse_json_at
from evpv.records.splitting import split_steps
from evpv.types import Candidate, Extra, Remark, Revision, SampleOrigin, Step

_POLICY_KEY = "reasoningprocess"
_Label = Literal[-1, 0, 1]


def _step(*, claim: str | None, extra: JsonObject, **rest: Any) -> Step:
    """A step of our own layout; an empty claim is none."""
    if claim is None or claim.strip():
        return Step(claim=claim, extra=extra, **rest)
    return Step(extra=_with_note(extra, "empty claim read as null"), **rest)


def _candidate(*, id: str | None, **rest: Any) -> Candidate:  # noqa: A002 - the field's own name
    """A candidate of our own layout; one without an id gets it when the others are known."""
    return Candidate(id=id or "", **rest)


STEP = Codec(kind=Step, types={"label": (_Label | None, None)}, written=("claim",), build=_step)
_REMARK = Codec(kind=Remark, types={"confidence": Share})
_REVISION = Codec(kind=Revision, types={"round": Annotated[int, Field(ge=1)]}, nested={"told": _REMARK})
_StepOrText: Any = Annotated[
    STEP.hint, BeforeValidator(lambda value: {"text": value} if isinstance(value, str) else value), OrString()
]
_Answer = (TextOrNumber | None, None)
CANDIDATE = Codec(
    kind=Candidate,
    types={"id": (Identifier | None, None), "steps": array_of(_StepOrText), "final_answer": _Answer},
    nested={"revisions": _REVISION, "sampled": Codec(kind=SampleOrigin), "steps": STEP},
    written=("final_answer",),
    build=_candidate,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """What a candidate in a layout of others may say beside its solution."""

    id: str | None = None
    correct: bool | None = None
    policy_model: str | None = None
    revisions: tuple[Revision, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)

    def _candidate(
        self, steps: Iterable[Step], answer: str | None, of_response: Extra = MappingProxyType({})
    ) -> Candidate:
        """The candidate; where its response has a field of the same name as one beside it, the response's is renamed."""
        renamed = {f"response_{name}" if name in self.extra else name: value for name, value in of_response.items()}
        return Candidate(
            id=self.id or "", steps=tuple(steps), final_answer=answer, correct=self.correct,
            policy_model=self.policy_model, revisions=self.revisions, extra={**self.extra, **renamed},
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _PolicyStep:
    """One step as the paper's policy prompt asks for it."""

    steptext: str
    visualdependency: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _refuse_own_fields(self.extra, "text", "claim", "claim_from")

    def step(self) -> Step:
        claim = self.visualdependency
        if claim is None or claim.strip().lower() not in ("", "null"):
            return Step(text=self.steptext, claim=claim, extra=self.extra)
        written = "'null' in quotes" if claim.strip() else "empty visualdependency"
        return Step(text=self.steptext, extra=_with_note(self.extra, f"{written} read as null"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _PolicyReply(_Reply):
    """The JSON that the paper's policy prompt asks for."""

    reasoningprocess: tuple[_PolicyStep, ...]
    finalanswer: str | None = None

    def __post_init__(self) -> None:
        _refuse_own_fields(self.extra, "steps", "final_answer")

    def candidate(self, question: str = "", options: Sequence[str] = ()) -> Candidate:
        return self._candidate((step.step() for step in self.reasoningprocess), self.finalanswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LabelledSteps:
    """VisualProcessBench's `response`: steps with one label each, 1 right, -1 wrong, 0 neutral."""

    steps: tuple[str, ...]
    process_correctness: tuple[int, ...] | None = None
    extra: Extra = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _refuse_own_fields(self.extra, "id", "final_answer")
        labels = self.process_correctness
        if labels is not None and len(labels) != len(self.steps):
            raise ValueError(f"process_correctness has {len(labels)} labels for {len(self.steps)} steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class _LabelledReply(_Reply):
    """A candidate whose `response` is VisualProcessBench's object."""

    response: _LabelledSteps
    final_answer: str | None = None

    def candidate(self, question: str = "", options: Sequence[str] = ()) -> Candidate:
        texts, labels = self.response.steps, self.response.process_correctness
        steps = (Step(text=text, label=label) for text, label in zip(texts, labels or [None] * len(texts), strict=True))
        answer = self.final_answer
        found = final_answer("\n".join(texts), question, options) if answer is None else answer
        return self._candidate(steps, found, self.response.extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextReply(_Reply):
    """A candidate whose `response` is what a model wrote: the policy's JSON as text, or free text."""

    response: str
    final_answer: str | None = None

    def candidate(self, question: str = "", options: Sequence[str] = ()) -> Candidate:
        read = candidate_from_text(self.response, self.id or "", question, options)
        answer = read.final_answer if self.final_answer is None else self.final_answer
        return self._candidate(read.steps, answer, read.extra)


def _reply_codec(kind: type[_Reply], answer: str, **tables: Any) -> Codec[Any]:
    types = {"id": (Identifier | None, None), answer: _Answer}
    return Codec(kind=kind, name=kind.__name__.lstrip("_"), types=types, nested={"revisions": _REVISION, **tables})


_LABELLED_STEPS = Codec(
    kind=_LabelledSteps, name="LabelledSteps", types={"process_correctness": (array_of(_Label) | None, None)}
)
_POLICY = _reply_codec(_PolicyReply, "finalanswer", reasoningprocess=Codec(kind=_PolicyStep, name="PolicyStep"))
_LABELLED = _reply_codec(_LabelledReply, "final_answer", response=_LABELLED_STEPS)
_TEXT = _reply_codec(_TextReply, "final_answer")


def _layout(value: Any) -> str | None:
    """Which layout an object has; where two could be read, the first listed here is, and the other is kept as extra."""
    if not isinstance(value, dict):
        return None
    if "steps" in value:
        return "<steps>"
    if _POLICY_KEY in value:
        return "<policy>"
    if "response" in value:
        return "<labelled>" if isinstance(value["response"], dict) else "<text>"
    return None


Solution = Candidate | _PolicyReply | _LabelledReply | _TextReply
SolutionHint: Any = Annotated[
    Annotated[CANDIDATE.hint, Tag("<steps>")]
    | Annotated[_POLICY.hint, Tag("<policy>")]
    | Annotated[_LABELLED.hint, Tag("<labelled>")]
    | Annotated[_TEXT.hint, Tag("<text>")],
    Discriminator(
        _layout,
        custom_error_type="form",
        custom_error_message="must be an object with 'steps', 'reasoningprocess' or 'response', or a response's text",
    ),
    BeforeValidator(lambda value: {"response": value} if isinstance(value, str) else value),
    OrString(),
]
SOLUTION: TypeAdapter[Solution] = TypeAdapter(SolutionHint)


def named_candidate(solution: Solution, default_id: str, question: str, options: Sequence[str]) -> Candidate:
    """The candidate that a solution is; `default_id` is used where it has none, question and options to find its answer."""
    read = solution if isinstance(solution, Candidate) else solution.candidate(question, options)
    return read if read.id else replace(read, id=default_id)


def candidate_from_json(
    value: Any, default_id: str = "1", question: str = "", options: Sequence[str] = ()
) -> Candidate:
    """A candidate from any of its layouts; `default_id` is used where it has none, question and options to find its answer."""
    return named_candidate(validate(SOLUTION, value), default_id, question, options)


def candidate_from_text(text: str, candidate_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
    """A candidate from what a model wrote: the policy's JSON if it is there, fenced or not, else free text.

    >>> candidate_from_text('```json\\n{"reasoningprocess": [], "finalanswer": "7"}\\n```', "1").final_answer
    '7'
    """
    key = text.find(f'"{_POLICY_KEY}"')
    if key < 0:
        return _from_free_text(text, candidate_id, final_answer(text, question, options))
    start = max(text.rfind("{", 0, key), 0)
    try:
        value, end = parse_json_at(text, start)
        read = _POLICY.read(value).candidate()
    except RecordError as error:
        note = f"read as free text, since the policy's JSON {error}"
        return _from_free_text(text, candidate_id, final_answer(text, question, options), note)
    outside = (text[:start] + text[end:]).replace("```json", "").replace("```", "").strip()
    told = {"outside_json": outside, "response_id": read.id if read.id != candidate_id else ""}
    extra = {**read.extra, **{name: said for name, said in told.items() if said}}
    return Candidate(id=candidate_id, steps=read.steps, final_answer=read.final_answer, extra=extra)


def candidate_to_json(candidate: Candidate) -> JsonObject:
    return CANDIDATE.write(candidate)


def _from_free_text(text: str, candidate_id: str, answer: str | None, note: str | None = None) -> Candidate:
    steps = tuple(Step(text=step) for step in split_steps(text))
    extra = {} if note is None else {"note": note}
    return Candidate(id=candidate_id, steps=steps, final_answer=answer, extra=extra)


def _with_note(extra: Mapping[str, Any], note: str) -> JsonObject:
    return {**extra, "note" if "note" not in extra else "claim_note": note}


def _refuse_own_fields(extra: Extra, *own: str) -> None:
    """Unknown fields under names of our own layout are an error: written back, they would mean something else."""
    for name in own:
        if name in extra:
            raise ValueError(f"has {name!r}, which belongs to another form of candidate than the fields beside it")
