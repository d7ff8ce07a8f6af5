"""What kind of error a wrong step has (Appendix D.5): one of five kinds, and of a misreading which of three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evpv.backends.ledger import part_version
from evpv.backends.prompts import Prompt, load_prompt, question_text, steps_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.protocols import Asking, ChatReply
from evpv.types import TAXONOMY, Candidate, Problem, Step, Trace

_VISUAL = "Visual Misinterpretation"
_TOP_LEVEL = tuple(dict.fromkeys(top for top, _ in TAXONOMY.values()))
_VISUAL_SUBTYPES = tuple(subtype for _, subtype in TAXONOMY.values() if subtype is not None)
_STAGE = "error-types"
_SCHEMA = closed_object(
    top_level={"type": "string", "enum": list(_TOP_LEVEL)}, visual_subtype={"enum": [*_VISUAL_SUBTYPES, None]}
)
_PLACEHOLDERS = ("question_text", "solution_steps_text", "step_index", "current_step_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrongStep:
    """A step that is known to be wrong; `step` is its place, counted from 0."""

    problem: Problem
    candidate: Candidate
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _ErrorType:
    """The kind of error, or None with the reason in `problem`; `visual_subtype` only for a misreading."""

    top_level: str | None
    visual_subtype: str | None = None
    problem: str | None = None
    facts: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorClassifier(Asking):
    """Asks a model why each wrong step is wrong. Steps are numbered from 1 in what it is shown."""

    prompt: str = "error-types"
    max_tokens: int = 512
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ask", load_prompt(self.prompt, required=_PLACEHOLDERS))

    @property
    def version(self) -> str:
        return part_version("error-types", self.backend, self._ask.digest, str(self.sampling))

    def classify(self, wrong: Sequence[_WrongStep]) -> list[_ErrorType]:
        requests = []
        for one in wrong:
            texts = [step.text for step in one.candidate.steps]
            about = {"question_text": question_text(one.problem), "solution_steps_text": steps_text(texts)}
            asked = self._ask.fill({**about, "current_step_text": texts[one.step]}, {"step_index": one.step + 1})
            requests.append(self.request(one.problem, _STAGE, asked, _SCHEMA))
        return [_error_type(reply) for reply in (self.backend.ask(requests) if requests else ())]

    def typed_trace(self, trace: Trace) -> tuple[Trace, list[bool]]:
        """A trace with the kinds of error of its wrong steps (those that are labelled wrong and whose kind is not known yet), and whether
        each of them could be read."""
        wrong = [
            _WrongStep(problem=trace.problem, candidate=candidate, step=place)
            for candidate in trace.problem.candidates
            for place, step in enumerate(candidate.steps)
            if step.label == -1 and step.error is None
        ]
        kinds = dict(zip(((one.candidate.id, one.step) for one in wrong), self.classify(wrong), strict=True))
        candidates = []
        for one in trace.candidates:
            typed = (_typed_step(step.step, kinds.get((one.id, place))) for place, step in enumerate(one.steps))
            steps = tuple(replace(step, step=new) for step, new in zip(one.steps, typed, strict=True))
            said = replace(one.candidate, steps=tuple(step.step for step in steps))
            candidates.append(replace(one, candidate=said, steps=steps))
        named = replace(trace.problem, candidates=tuple(one.candidate for one in candidates))
        made = replace(trace, candidates=tuple(candidates), problem=named)
        return made, [kind.problem is None for kind in kinds.values()]


def _typed_step(step: Step, kind: _ErrorType | None) -> Step:
    if kind is None:
        return step
    if kind.problem is not None:
        return replace(step, extra={**step.extra, "error_problem": kind.problem, **kind.facts})
    names = {said: name for name, said in TAXONOMY.items()}
    name = names[kind.top_level or "", kind.visual_subtype]
    return replace(step, error=name, extra={**step.extra, "error_from": "model"})


def _error_type(reply: ChatReply) -> _ErrorType:
    if reply.text is None:
        return _ErrorType(top_level=None, problem=f"the model gave no answer: {reply.problem}")
    reading = read_json(reply.text, _SCHEMA)
    if reading.problem is not None:
        return _ErrorType(top_level=None, problem=reading.problem, facts={"raw": reply.text})
    top_level, subtype = reading.value["top_level"], reading.value["visual_subtype"]
    facts: dict[str, Any] = {"repairs": list(reading.repairs), "raw": reply.text} if reading.repairs else {}
    if top_level == _VISUAL and subtype is None:
        return _ErrorType(top_level=_VISUAL, problem="a misreading without its kind", facts={"raw": reply.text})
    if top_level != _VISUAL and subtype is not None:
        return _ErrorType(top_level=top_level, facts={**facts, "dropped_subtype": subtype})
    return _ErrorType(top_level=top_level, visual_subtype=subtype, facts=facts)
