"""What the checks say of a step: each finding is one sentence and one feature of the calibrated model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "equation-right", "equation-wrong",
    "definition-right", "definition-wrong",
    "value-changed", "substitution-right", "substitution-differs",
    "algebra-right", "algebra-wrong",
    "number-traced", "number-untraced",
    "formula-right", "formula-wrong",
    "statement-right", "statement-wrong",
    "answer-follows", "answer-unfounded", "answer-not-an-option",
    "reading-right", "reading-wrong", "list-right", "list-incomplete",
    "recomputed-right", "recomputed-wrong",
    "method-right", "method-wrong",
    "inherited", "refusal", "skipped-work", "no-answer",
]  # fmt: skip

KINDS: tuple[Kind, ...] = get_args(Kind)

FAULTS: frozenset[Kind] = frozenset(
    kind for kind in KINDS if kind.endswith(("-wrong", "-incomplete", "-unfounded", "-not-an-option"))
)
"""The kinds that name an error of the step itself; "inherited", "-untraced", "-changed" only make one more likely."""

PRAISE: frozenset[Kind] = frozenset(kind for kind in KINDS if kind.endswith(("-right", "-traced", "-follows")))
"""The kinds that say that something holds. Only what confirms the answer itself earns anything (`model.counted_kinds`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found out about step `step`: what kind of thing, and the sentence that says it."""

    kind: Kind
    explanation: str
    step: int
