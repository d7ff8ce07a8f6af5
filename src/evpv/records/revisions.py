"""Revisions as JSON: what a solver was told of its premises, and what it made of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import ConfigDict, Field

from evpv.records.constraints import BoxForm, Confidence, box_from_json
from evpv.records.lines import JsonObject
from evpv.records.validation import Form
from evpv.types import Remark, Revision, Stance, VerdictName

_Index = Annotated[int, Field(ge=0)]


class RemarkForm(Form):
    """What a solver was told of one premise."""

    model_config = ConfigDict(extra="forbid")

    step: _Index
    said: str
    verdict: VerdictName
    read: str
    confidence: Confidence
    box: BoxForm | None = None


class RevisionForm(Form):
    """One round: what was told, what was there before, and whether the solver corrected itself or insisted."""

    model_config = ConfigDict(extra="forbid")

    of: str
    round: Annotated[int, Field(ge=1)]
    first_step: _Index
    before: list[str]
    answer_before: str | None
    told: list[RemarkForm]
    stance: Stance
    reason: str

    def to_revision(self) -> Revision:
        told = (
            Remark(
                step=one.step,
                said=one.said,
                verdict=one.verdict,
                read=one.read,
                confidence=one.confidence,
                box=box_from_json(one.box),
            )
            for one in self.told
        )
        return Revision(
            of=self.of,
            round=self.round,
            first_step=self.first_step,
            before=tuple(self.before),
            answer_before=self.answer_before,
            told=tuple(told),
            stance=self.stance,
            reason=self.reason,
        )


def revisions_to_json(revisions: Iterable[Revision]) -> list[JsonObject]:
    """The rounds of a candidate, the first one first."""
    return [
        {
            "of": one.of,
            "round": one.round,
            "first_step": one.first_step,
            "before": list(one.before),
            "answer_before": one.answer_before,
            "told": [_remark_to_json(remark) for remark in one.told],
            "stance": one.stance,
            "reason": one.reason,
        }
        for one in revisions
    ]


def _remark_to_json(remark: Remark) -> JsonObject:
    return {
        "step": remark.step,
        "said": remark.said,
        "verdict": remark.verdict,
        "read": remark.read,
        "confidence": remark.confidence,
        "box": None if remark.box is None else list(remark.box),
    }
