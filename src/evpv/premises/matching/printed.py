"""Claims about what is printed: measures and points that a claim names, held against all labels that were read, wherever they belong.

A label that no reader could attach to anything still says that its measure is in the figure. A claim all of whose measures are
printed, and that could hardly name another of them instead, is borne out; one that speaks of labels and names a measure that
no label has, beside one that is printed, is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from evpv.language.quantities import number_text, quantities
from evpv.language.text import plain
from evpv.premises.matching.findings import Finding
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

_Label = tuple[str, float, float]
"""What a label says: its unit and value, or "point" and two coordinates."""

_UNITS = frozenset("millimeter centimeter decimeter meter kilometer inch foot yard mile degree".split())
_POINT = re.compile(r"\(\s?([-−]?\d+(?:\.\d+)?)\s?,\s?([-−]?\d+(?:\.\d+)?)\s?\)")
_SPEAKS_OF_LABELS = re.compile(r"\b(?:labell?ed|marked|highlighted|indicat(?:es|ed|ing)|tick marks)\b", re.IGNORECASE)
_LEAST_NUMBERS = 3  # bare numbers that a claim lists, for their all being printed to mean anything
_SUPPORTED, _CONTRADICTED = 0.8, 0.75  # how often such verdicts are right, rounded down


def printed_finding(text: str, constraints: Sequence[Constraint]) -> Finding | None:
    """What the labels of a figure, taken together, say of a claim; None where they say nothing."""
    speaks_of_labels = _SPEAKS_OF_LABELS.search(text) is not None
    printed, said = _printed_labels(constraints), _labels_in(plain(text), with_numbers=speaks_of_labels)
    if not said or not printed:
        return None
    shortest = [label for label in said if _times_printed(label, printed) < said[label]]
    if not shortest:
        shown = ", ".join(_label_text(label) for label in said)
        return _finding("supported", constraints, f"it prints {shown}.") if _means_no_other(said, printed) else None
    unprinted = [label for label in shortest if not _times_printed(label, printed)]
    known = bool(unprinted) and any(label[0] == unprinted[0][0] != "" for label in printed)
    if not speaks_of_labels or not known or len(printed) < 2:
        return None
    return _finding("contradicted", constraints, f"no label of the figure says {_label_text(unprinted[0])}.")


def _times_printed(label: _Label, printed: Counter[_Label]) -> int:
    """How many labels say this; one whose unit was not read may."""
    unit, *numbers = label
    return printed[label] + (printed["", numbers[0], 0.0] if unit not in ("", "point") else 0)


def names_unlettered_part(fact: Numeric) -> bool:
    """Whether a fact names a part by its kind alone ("rectangle width"), of which the figure may have several."""
    return fact.attribute in ("length", "angle") and not any(map(str.isupper, fact.entity)) and fact.row is None


def _finding(verdict: str, constraints: Sequence[Constraint], explanation: str) -> Finding:
    place = next((i for i, one in enumerate(constraints) if isinstance(one, Structure) and one.type == LOOSE), 0)
    if verdict == "supported":
        return Finding(verdict="supported", constraint=place, confidence=_SUPPORTED, explanation=explanation)
    return Finding(verdict="contradicted", constraint=place, confidence=_CONTRADICTED, explanation=explanation)


def _means_no_other(said: Counter[_Label], printed: Counter[_Label]) -> bool:
    """Whether a claim could hardly name other labels instead: of one measure among several, its being there proves little."""
    unit = next(iter(said))[0]
    if unit == "":
        return len(said) >= _LEAST_NUMBERS
    alike = [label for label in printed if label[0] == unit] or [label for label in printed if label[0] == ""]
    return len(said) > 1 or len(alike) == 1


def _labels_in(text: str, *, with_numbers: bool) -> Counter[_Label]:
    """The points or measures of a text and, if there are none, its bare numbers."""
    if points := _POINT.findall(text):
        return Counter(("point", _number(x), _number(y)) for x, y in points)
    found = [one for one in quantities(text) if not one.spelled]
    measures = Counter((one.unit, one.absolute, 0.0) for one in found if one.unit in _UNITS)
    if measures or not with_numbers:
        return measures
    return Counter(("", one.absolute, 0.0) for one in found if one.unit is None)


def _printed_labels(constraints: Sequence[Constraint]) -> Counter[_Label]:
    """All measures, points and numbers that were read as print."""
    texts = [part for one in constraints if isinstance(one, Structure) and one.type == LOOSE for part in one.parts]
    texts += [f"{number_text(one.value)} {one.unit or ''}" for one in constraints if isinstance(one, Numeric)]
    texts += [entity for one in constraints if isinstance(one, Relation) for entity in one.entities]
    return sum((_labels_in(plain(text), with_numbers=True) for text in texts), Counter())


def _number(text: str) -> float:
    return float(text.replace("−", "-"))


def _label_text(label: _Label) -> str:
    unit, first, second = label
    return (
        f"({number_text(first)}, {number_text(second)})" if unit == "point" else f"{number_text(first)} {unit}".strip()
    )
