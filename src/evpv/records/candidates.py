"""A candidate in any of the forms people have: ours, the paper's policy JSON, VisualProcessBench's, or free text.

The policy's JSON uses null for "no claim". A model that writes "" (or "null" in quotes) against its instructions is
read as no claim too, but the step keeps a note of it in `extra`, so that the two stay distinguishable. A policy's text
that should be JSON and is not is read as free text, with the reason in the candidate's `extra`: one broken reply must
not cost the other seven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Tag, TypeAdapter, model_validator

from evpv.errors import RecordError
from evpv.language.final_answers import final_answer
from evpv.records.lines import JsonObject, parse_json_at, with_extra
from evpv.records.splitting import split_steps
from evpv.records.validation import Form, Identifier, OrString, TextOrNumber, validated
from evpv.types import Candidate, ClaimSource, Step

POLICY_KEY = "reasoningprocess"
FormType = TypeVar("FormType", bound=Form)


class StepForm(Form):
    """One step: its text, and the visual claim it rests on or null."""

    text: str
    claim: str | None = None
    claim_from: ClaimSource = "policy"

    def to_step(self) -> Step:
        if self.claim is None or self.claim.strip():
            return Step(text=self.text, claim=self.claim, claim_from=self.claim_from, extra=self.extra)
        return Step(text=self.text, claim_from=self.claim_from, extra=_noted(self.extra, "empty claim read as null"))


class PolicyStepForm(Form):
    """One step as the paper's policy prompt asks for it."""

    steptext: str
    visualdependency: str | None = None

    @model_validator(mode="after")
    def _is_one_form(self) -> PolicyStepForm:
        return _without(self, "text", "claim", "claim_from")

    def to_step(self) -> Step:
        claim = self.visualdependency
        if claim is None or claim.strip().lower() not in ("", "null"):
            return Step(text=self.steptext, claim=claim, extra=self.extra)
        written = "'null' in quotes" if claim.strip() else "empty visualdependency"
        return Step(text=self.steptext, extra=_noted(self.extra, f"{written} read as null"))


def _step_object(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


AnyStep = Annotated[StepForm, BeforeValidator(_step_object), OrString()]


class OwnForm(Form):
    """Our own form: a list of steps; a bare string is a step without a claim."""

    id: Identifier | None = None
    steps: list[AnyStep]
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        steps = tuple(step.to_step() for step in self.steps)
        return Candidate(id=self.id or default_id, steps=steps, final_answer=self.final_answer, extra=self.extra)


class PolicyForm(Form):
    """The JSON that the paper's policy prompt asks for."""

    id: Identifier | None = None
    reasoningprocess: list[PolicyStepForm]
    finalanswer: TextOrNumber | None = None

    @model_validator(mode="after")
    def _is_one_form(self) -> PolicyForm:
        return _without(self, "steps", "final_answer")

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        steps = tuple(step.to_step() for step in self.reasoningprocess)
        return Candidate(id=self.id or default_id, steps=steps, final_answer=self.finalanswer, extra=self.extra)


class LabelledStepsForm(Form):
    """VisualProcessBench's `response`: steps with one label each, 1 right, -1 wrong, 0 neutral."""

    steps: list[str]
    process_correctness: list[Literal[-1, 0, 1]] | None = None

    @model_validator(mode="after")
    def _is_one_form(self) -> LabelledStepsForm:
        return _without(self, "id", "final_answer")

    @model_validator(mode="after")
    def _has_one_label_per_step(self) -> LabelledStepsForm:
        if self.process_correctness is not None and len(self.process_correctness) != len(self.steps):
            raise ValueError(
                f"process_correctness has {len(self.process_correctness)} labels for {len(self.steps)} steps"
            )
        return self

    def to_steps(self) -> tuple[Step, ...]:
        labels = self.process_correctness
        if labels is None:
            return tuple(Step(text=text) for text in self.steps)
        return tuple(Step(text=text, extra={"label": label}) for text, label in zip(self.steps, labels, strict=True))


class LabelledForm(Form):
    """A candidate whose `response` is VisualProcessBench's object."""

    id: Identifier | None = None
    response: LabelledStepsForm
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        found = final_answer("\n".join(self.response.steps), question, options) if self.final_answer is None else None
        answer = self.final_answer if self.final_answer is not None else found
        extra = _beside(self.extra, self.response.extra)
        return Candidate(id=self.id or default_id, steps=self.response.to_steps(), final_answer=answer, extra=extra)


class TextForm(Form):
    """A candidate whose `response` is what a model wrote: the policy's JSON as text, or free text."""

    id: Identifier | None = None
    response: str
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        read = candidate_from_text(self.response, self.id or default_id, question, options)
        answer = self.final_answer if self.final_answer is not None else read.final_answer
        return Candidate(id=read.id, steps=read.steps, final_answer=answer, extra=_beside(self.extra, read.extra))


def _form_name(value: Any) -> str | None:
    """Which form an object is in; where two could be read, the first listed here is, and the other is kept as extra."""
    if not isinstance(value, dict):
        return None
    if "steps" in value:
        return "<steps>"
    if POLICY_KEY in value:
        return "<policy>"
    if "response" in value:
        return "<labelled>" if isinstance(value["response"], dict) else "<text>"
    return None


def _candidate_object(value: Any) -> Any:
    return {"response": value} if isinstance(value, str) else value


AnyForm = OwnForm | PolicyForm | LabelledForm | TextForm
CandidateForm = Annotated[
    Annotated[OwnForm, Tag("<steps>")]
    | Annotated[PolicyForm, Tag("<policy>")]
    | Annotated[LabelledForm, Tag("<labelled>")]
    | Annotated[TextForm, Tag("<text>")],
    Discriminator(
        _form_name,
        custom_error_type="form",
        custom_error_message="must be an object with 'steps', 'reasoningprocess' or 'response', or a response's text",
    ),
    BeforeValidator(_candidate_object),
    OrString(),
]
CANDIDATE: TypeAdapter[AnyForm] = TypeAdapter(CandidateForm)
_POLICY: TypeAdapter[PolicyForm] = TypeAdapter(PolicyForm)


def candidate_from_json(
    value: Any, default_id: str = "1", question: str = "", options: Sequence[str] = ()
) -> Candidate:
    """A candidate from any of its forms; `default_id` is used where it has none, question and options to find its answer."""
    return validated(CANDIDATE, value).to_candidate(default_id, question, options)


def candidate_from_text(text: str, candidate_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
    """A candidate from what a model wrote: the policy's JSON if it is there, fenced or not, else free text.

    >>> candidate_from_text('```json\\n{"reasoningprocess": [], "finalanswer": "7"}\\n```', "1").final_answer
    '7'
    """
    key = text.find(f'"{POLICY_KEY}"')
    if key < 0:
        return _from_free_text(text, candidate_id, final_answer(text, question, options))
    start = max(text.rfind("{", 0, key), 0)
    try:
        value, end = parse_json_at(text, start)
        read = validated(_POLICY, value).to_candidate(candidate_id)
    except RecordError as error:
        note = f"read as free text, since the policy's JSON {error}"
        return _from_free_text(text, candidate_id, final_answer(text, question, options), note)
    extra = dict(read.extra)
    if outside := _without_fences(text[:start] + text[end:]):
        extra["outside_json"] = outside
    if read.id != candidate_id:
        extra["response_id"] = read.id
    return Candidate(id=candidate_id, steps=read.steps, final_answer=read.final_answer, extra=extra)


def candidate_to_json(candidate: Candidate) -> JsonObject:
    """A candidate in our own form."""
    steps = [_step_to_json(step) for step in candidate.steps]
    known = {"id": candidate.id, "steps": steps, "final_answer": candidate.final_answer}
    return with_extra(known, candidate.extra)


def _step_to_json(step: Step) -> JsonObject:
    known: JsonObject = {"text": step.text, "claim": step.claim}
    if step.claim_from != "policy":
        known["claim_from"] = step.claim_from
    return with_extra(known, step.extra, reserved=("claim_from",))


def _from_free_text(text: str, candidate_id: str, answer: str | None, note: str | None = None) -> Candidate:
    steps = tuple(Step(text=step) for step in split_steps(text))
    extra = {} if note is None else {"note": note}
    return Candidate(id=candidate_id, steps=steps, final_answer=answer, extra=extra)


def _noted(extra: Mapping[str, Any], note: str) -> JsonObject:
    return {**extra, "note" if "note" not in extra else "claim_note": note}


def _beside(extra: JsonObject, of_response: Mapping[str, Any]) -> JsonObject:
    """A candidate's unknown fields with those of its response; where both have one, the response's is renamed."""
    return {**extra, **{f"response_{name}" if name in extra else name: value for name, value in of_response.items()}}


def _without(form: FormType, *own: str) -> FormType:
    """The form, if none of its unknown fields has a name of our own form: written back, it would mean something else."""
    for name in own:
        if name in form.extra:
            raise ValueError(f"has {name!r}, which belongs to another form of candidate than the fields beside it")
    return form


def _without_fences(text: str) -> str:
    return text.replace("```json", "").replace("```", "").strip()
