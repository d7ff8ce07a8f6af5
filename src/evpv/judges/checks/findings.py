"""What the checks say of a step: each finding is one sentence and one feature of the calibrated model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "equation-right", "equation-wrong",
    "definition-right", "definition-wrong",
    "value-contradicted", "substitution-right", "substitution-wrong",
    "algebra-right", "algebra-wrong",
    "number-traced", "number-untraced",
    "formula-right", "formula-wrong",
    "statement-right", "statement-wrong",
    "answer-follows", "answer-unfounded", "answer-not-an-option",
    "reading-right", "reading-wrong", "list-right", "list-incomplete",
    "recomputed-right", "recomputed-wrong",
    "method-right", "method-wrong",
    "inherited", "refusal", "skipped-work",
]  # fmt: skip

KINDS: tuple[Kind, ...] = get_args(Kind)

FAULTS: frozenset[Kind] = frozenset(
    kind for kind in KINDS if kind.endswith(("-wrong", "-contradicted", "-incomplete", "-unfounded", "-not-an-option"))
)
"""The kinds that name an error of the step itself; "inherited" and "-untraced" only make one more likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found out about step `step`: what kind of thing, and the sentence that says it."""

    kind: Kind
    explanation: str
    step: int
