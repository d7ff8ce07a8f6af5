"""What a text says of printed labels: measures with a unit, points by their coordinates, bare numbers; and whether it speaks of labels."""

from __future__ import annotations

import re
from collections import Counter

from evpv.language.quantities import number_text, quantities
from evpv.language.text import plain

PrintedLabel = tuple[str, float, float]
"""What a label says: its unit ("" where it has none) and value, or "point" and two coordinates."""

_UNITS = frozenset("millimeter centimeter decimeter meter kilometer inch foot yard mile degree".split())
_POINT = re.compile(r"\(\s?([-−]?\d+(?:\.\d+)?)\s?,\s?([-−]?\d+(?:\.\d+)?)\s?\)")
_SPEAKS_OF_LABELS = re.compile(r"\b(?:labell?ed|marked|highlighted|indicat(?:es|ed|ing)|tick marks)\b", re.IGNORECASE)


def speaks_of_labels(text: str) -> bool:
    """Whether a text says that something is labelled, not only how large it is."""
    return _SPEAKS_OF_LABELS.search(text) is not None


def printed_labels(text: str, *, with_numbers: bool = True) -> Counter[PrintedLabel]:
    """The points or measures of a text and, if there are none, its bare numbers.

    >>> dict(printed_labels("a cone of radius 3 cm and height 4.2 cm"))
    {('centimeter', 3.0, 0.0): 1, ('centimeter', 4.2, 0.0): 1}
    """
    source = plain(text)
    if points := _POINT.findall(source):
        return Counter(("point", _number(x), _number(y)) for x, y in points)
    found = [one for one in quantities(source) if not one.spelled]
    measures = Counter((one.unit, one.absolute, 0.0) for one in found if one.unit in _UNITS)
    if measures or not with_numbers:
        return measures
    return Counter(("", one.absolute, 0.0) for one in found if one.unit is None)


def printed_label_text(label: PrintedLabel) -> str:
    """A label in words, for explanations."""
    unit, first, second = label
    return (
        f"({number_text(first)}, {number_text(second)})" if unit == "point" else f"{number_text(first)} {unit}".strip()
    )


def _number(text: str) -> float:
    return float(text.replace("−", "-"))
