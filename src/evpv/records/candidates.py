"""A candidate in any of the forms people have: ours, the paper's policy JSON, VisualProcessBench's, or free text.

The policy's JSON uses null for "no claim". A model that writes "" (or "null" in quotes) against its instructions is
read as no claim too, but the step keeps a note of it in `extra`, so that the two stay distinguishable. A policy's text
that should be JSON and is not is read as free text, with the reason in the candidate's `extra`: one broken reply must
not cost the other seven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag, TypeAdapter, model_validator

from evpv.errors import RecordError
from evpv.language.final_answers import final_answer
from evpv.records.lines import JsonObject, parse_json_at, with_extra
from evpv.records.revisions import RevisionForm, revisions_to_json
from evpv.records.splitting import split_steps
from evpv.records.validation import Form, Identifier, OrString, TextOrNumber, validate
from evpv.types import Candidate, ClaimSource, Step

_POLICY_KEY = "reasoningprocess"
STEP_FIELDS = ("label", "visual", "error", "inherited", "audit")
CANDIDATE_FIELDS = ("correct", "policy_model", "revisions")
"""What is known beforehand of a step and of a candidate; written where it is known."""
FormType = TypeVar("FormType", bound=Form)


class StepForm(Form):
    """One step: its text, the visual claim it rests on or null, and what is known of it beforehand."""

    text: str
    claim: str | None = None
    claim_from: ClaimSource = "policy"
    label: Literal[-1, 0, 1] | None = None
    visual: bool | None = None
    error: str | None = None
    inherited: bool = False
    audit: dict[str, Any] | None = None

    def to_step(self) -> Step:
        if self.claim is None or self.claim.strip():
            return self.as_stated()
        return replace(self.as_stated(), claim=None, extra=_with_note(self.extra, "empty claim read as null"))

    def as_stated(self) -> Step:
        """The step to the letter, an empty claim too."""
        return Step(
            text=self.text,
            claim=self.claim,
            claim_from=self.claim_from,
            label=self.label,
            visual=self.visual,
            error=self.error,
            inherited=self.inherited,
            audit=self.audit,
            extra=self.extra,
        )


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
        return Step(text=self.steptext, extra=_with_note(self.extra, f"{written} read as null"))


def _step_object(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


_AnyStep = Annotated[StepForm, BeforeValidator(_step_object), OrString()]


class _AnyCandidate(Form):
    """What a candidate may say beside its solution, whatever form that has."""

    id: Identifier | None = None
    correct: bool | None = None
    policy_model: str | None = None
    revisions: list[RevisionForm] = Field(default_factory=list)

    def candidate(
        self, default_id: str, steps: Iterable[Step], answer: str | None, extra: JsonObject | None = None
    ) -> Candidate:
        """The candidate with these steps and this answer."""
        return Candidate(
            id=self.id or default_id,
            steps=tuple(steps),
            final_answer=answer,
            correct=self.correct,
            policy_model=self.policy_model,
            revisions=tuple(one.to_revision() for one in self.revisions),
            extra=self.extra if extra is None else extra,
        )


class OwnForm(_AnyCandidate):
    """Our own form: a list of steps; a bare string is a step without a claim."""

    steps: list[_AnyStep]
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        return self.candidate(default_id, (step.to_step() for step in self.steps), self.final_answer)


class PolicyForm(_AnyCandidate):
    """The JSON that the paper's policy prompt asks for."""

    reasoningprocess: list[PolicyStepForm]
    finalanswer: TextOrNumber | None = None

    @model_validator(mode="after")
    def _is_one_form(self) -> PolicyForm:
        return _without(self, "steps", "final_answer")

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        return self.candidate(default_id, (step.to_step() for step in self.reasoningprocess), self.finalanswer)


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
        return tuple(Step(text=text, label=label) for text, label in zip(self.steps, labels, strict=True))


class LabelledForm(_AnyCandidate):
    """A candidate whose `response` is VisualProcessBench's object."""

    response: LabelledStepsForm
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        found = final_answer("\n".join(self.response.steps), question, options) if self.final_answer is None else None
        answer = self.final_answer if self.final_answer is not None else found
        extra = _beside(self.extra, self.response.extra)
        return self.candidate(default_id, self.response.to_steps(), answer, extra)


class TextForm(_AnyCandidate):
    """A candidate whose `response` is what a model wrote: the policy's JSON as text, or free text."""

    response: str
    final_answer: TextOrNumber | None = None

    def to_candidate(self, default_id: str, question: str = "", options: Sequence[str] = ()) -> Candidate:
        read = candidate_from_text(self.response, self.id or default_id, question, options)
        answer = self.final_answer if self.final_answer is not None else read.final_answer
        return self.candidate(default_id, read.steps, answer, _beside(self.extra, read.extra))


def _form_name(value: Any) -> str | None:
    """Which form an object is in; where two could be read, the first listed here is, and the other is kept as extra."""
    if not isinstance(value, dict):
        return None
    if "steps" in value:
        return "<steps>"
    if _POLICY_KEY in value:
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
    return validate(CANDIDATE, value).to_candidate(default_id, question, options)


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
        read = validate(_POLICY, value).to_candidate(candidate_id)
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
    return with_extra(known | candidate_facts(candidate), candidate.extra, reserved=CANDIDATE_FIELDS)


def candidate_facts(candidate: Candidate) -> JsonObject:
    """What is known of a candidate beside its solution, as far as anything is."""
    known = stated_fields(candidate, ("correct", "policy_model"))
    return known | ({"revisions": revisions_to_json(candidate.revisions)} if candidate.revisions else {})


def stated_fields(value: object, names: Iterable[str]) -> JsonObject:
    """The fields of a record that say something."""
    found = ((name, getattr(value, name)) for name in names)
    return {name: one for name, one in found if one is not None and (one is not False or name != "inherited")}


def _step_to_json(step: Step) -> JsonObject:
    known: JsonObject = {"text": step.text, "claim": step.claim}
    if step.claim_from != "policy":
        known["claim_from"] = step.claim_from
    return with_extra(known | stated_fields(step, STEP_FIELDS), step.extra, reserved=("claim_from", *STEP_FIELDS))


def _from_free_text(text: str, candidate_id: str, answer: str | None, note: str | None = None) -> Candidate:
    steps = tuple(Step(text=step) for step in split_steps(text))
    extra = {} if note is None else {"note": note}
    return Candidate(id=candidate_id, steps=steps, final_answer=answer, extra=extra)


def _with_note(extra: Mapping[str, Any], note: str) -> JsonObject:
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
