"""What an experiment varies, and what asking for it will take."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from evpv.experiments.corruption import Constraints

_Spoil: TypeAlias = Callable[[Constraints, random.Random], Constraints]
"""Constraints of one problem → what is used in their place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One configuration: which settings change, and what is done to the constraints before they are used.

    `gold` takes the true constraints in place of those read. `spoil` is applied for judge and matching alike. Its name
    tells equal ones from others, so that nothing is judged twice.
    """

    name: str
    group: str = ""
    judge: Mapping[str, Any] = field(default_factory=dict, hash=False)
    extractor: Mapping[str, Any] = field(default_factory=dict, hash=False)
    method: Mapping[str, Any] = field(default_factory=dict, hash=False)
    gold: bool = False
    spoil: _Spoil | None = None
    spoil_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a list of variants needs, before any of it is asked. Parts without a model need no call.

    `passes` are problems scored by a step model, which takes all candidates of a problem at once. `unknown` names what
    cannot be told beforehand.
    """

    variants: int
    readings: int = 0
    judgements: int = 0
    extract_calls: int = 0
    judge_calls: int = 0
    sample_calls: int = 0
    passes: int = 0
    unknown: str = ""

    @property
    def calls(self) -> int:
        return self.extract_calls + self.judge_calls + self.sample_calls

    def __str__(self) -> str:
        parts = [
            f"{self.variants} configurations",
            f"{self.readings} new readings",
            f"{self.judgements} judgings",
            f"{self.calls} model calls",
        ]
        if self.passes:
            parts.append(f"{self.passes} problems scored by a step model")
        return ", ".join(parts) + (f"; {self.unknown}" if self.unknown else "")
