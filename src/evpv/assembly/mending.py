"""Traces whose facts were mended by people: claims matched and candidates ranked again, by the same Python as ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evpv.assembly.plugins import build_part
from evpv.config import Part
from evpv.protocols import StepJudge
from evpv.records.corrections import Change, mended_constraints
from evpv.reward.assess import assess_evidence, reassess
from evpv.reward.method import Method
from evpv.types import Trace

_RULES = "checks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mender:
    """Assesses traces with mended facts. `judge` judges again where it is made of rules; a model's word stays as it was."""

    method: Method
    judge: StepJudge | None = None

    @classmethod
    def of_run(cls, manifest: Mapping[str, Any], method: Method) -> Mender:
        """The mender for a run: its own judge where that asks no model."""
        part = dict(manifest.get("settings", {}).get("judge") or {})
        rules = part.pop("use", None) == _RULES
        return cls(method=method, judge=build_part("judge", Part(use=_RULES, settings=part)) if rules else None)

    def trace(self, trace: Trace, changes: Iterable[Change]) -> Trace:
        """The trace with these changes made to what was read; without any, the same evidence under the method."""
        made = tuple(changes)
        if not made:
            return reassess(trace, self.method)
        facts = mended_constraints(trace.constraints, made)
        mended = replace(trace, extraction=replace(trace.extraction, constraints=facts, problem=None))
        if self.judge is None:
            return reassess(mended, self.method)
        [judgements] = self.judge.judge([mended.problem], [facts])
        again = assess_evidence(mended.problem, mended.extraction, judgements, self.method)
        return replace(mended, candidates=again.candidates, ranking=again.ranking)
