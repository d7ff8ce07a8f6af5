"""Claims about what is printed: measures and points that a claim names, held against all labels that were read, wherever they belong.

A label that no reader could attach to anything still says that its measure is in the figure. A claim all of whose measures are
printed, and that could hardly name others instead, is borne out. What is printed nowhere refutes nothing, for it may not have been
read, and measures of lettered things are no such evidence: another letter is another thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evpv.language.printed_labels import PrintedLabel, printed_label_text, printed_labels, speaks_of_labels
from evpv.language.quantities import number_text
from evpv.premises.matching.values import Finding
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

_LEAST_NUMBERS = 3  # bare numbers that a claim lists, for their all being printed to mean anything
_CONFIDENCE = 0.8  # how often such verdicts are right, rounded down


def printed_finding(text: str, constraints: Sequence[Constraint]) -> Finding | None:
    """A claim that the labels of a figure, taken together, bear out; None where they do not."""
    printed, said = _all_labels(constraints), printed_labels(text, with_numbers=speaks_of_labels(text))
    if not said or any(_times_printed(label, printed) < many for label, many in said.items()):
        return None
    if not _means_no_other(said, printed):
        return None
    place = next((i for i, one in enumerate(constraints) if isinstance(one, Structure) and one.type == LOOSE), 0)
    shown = f"it prints {', '.join(map(printed_label_text, said))}."
    return Finding(verdict="supported", constraint=place, confidence=_CONFIDENCE, explanation=shown)


def names_unlettered_part(fact: Numeric) -> bool:
    """Whether a fact names a part by its kind alone ("rectangle width"), of which the figure may have several."""
    return fact.attribute in ("length", "angle") and not any(map(str.isupper, fact.entity)) and fact.row is None


def _times_printed(label: PrintedLabel, printed: Counter[PrintedLabel]) -> int:
    """How many labels say this; one whose unit was not read may."""
    unit, value, _ = label
    return printed[label] + (printed["", value, 0.0] if unit not in ("", "point") else 0)


def _means_no_other(said: Counter[PrintedLabel], printed: Counter[PrintedLabel]) -> bool:
    """Whether a claim could hardly name other labels instead: of one measure among several, its being there proves little."""
    unit = next(iter(said))[0]
    if unit == "":
        return len(said) >= _LEAST_NUMBERS
    alike = [label for label in printed if label[0] == unit] or [label for label in printed if label[0] == ""]
    return len(said) > 1 or len(alike) == 1


def _all_labels(constraints: Sequence[Constraint]) -> Counter[PrintedLabel]:
    """All measures, points and numbers that were read as print and belong to nothing lettered."""
    texts = [part for one in constraints if isinstance(one, Structure) and one.type == LOOSE for part in one.parts]
    parts = [one for one in constraints if isinstance(one, Numeric) and names_unlettered_part(one)]
    texts += [f"{number_text(one.value)} {one.unit or ''}" for one in parts]
    texts += [entity for one in constraints if isinstance(one, Relation) for entity in one.entities]
    return sum(map(printed_labels, texts), Counter())
