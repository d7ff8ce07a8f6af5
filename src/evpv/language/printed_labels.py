"""What a text says of printed labels: measures with a unit, points, times of day, bare numbers; and whether it reads them off."""

from __future__ import annotations

import re
from collections import Counter

from evpv.language.lexicon import DIMENSIONS, SOLIDS
from evpv.language.quantities import Quantity, number_text, quantities
from evpv.language.text import plain
from evpv.language.tokens import cues, tokens

PrintedLabel = tuple[str, float, float]
"""What a label says: its unit ("" where it has none) and value, or "point" or "time" and two numbers."""

_UNITS = frozenset("millimeter centimeter decimeter meter kilometer inch foot yard mile degree".split())
_NUMBER = r"([-−]?\d+(?:\.\d+)?)"
_POINT = re.compile(rf"\(\s?{_NUMBER}\s?,\s?{_NUMBER}\s?\)")
_TIME = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])")
_FIGURE_NUMBER = re.compile(r"^\(\d{1,2}\)")
_SPEAKS_OF_LABELS = re.compile(
    r"\b(?:labell?ed|marked|highlighted|indicat(?:es|ed|ing)|tick marks|there (?:is|are))\b", re.IGNORECASE
)
_TRACES = re.compile(
    r"\b(?:pass(?:es|ing)?|go(?:es|ing)?(?= through)|runs? through|on the (?:graph|curve|line|parabola))\b",
    re.IGNORECASE,
)
_WORKED_OUT = frozenset("so because total difference mean twice times ratio not than reason more less".split())
_COMPUTED = frozenset("area volume perimeter circumference surface remaining capacity if let = ×".split())
_SOLIDS = dict(zip(SOLIDS, SOLIDS, strict=True))
_SIDES = {**DIMENSIONS, "length": "length", "side": "side", "edge": "side", "angle": "angle"}


def speaks_of_labels(text: str) -> bool:
    """Whether a text says that something is there or labelled, not only how large it is."""
    return _SPEAKS_OF_LABELS.search(text) is not None


def traces_curve(text: str) -> bool:
    """Whether a text says through which points a curve passes."""
    return _TRACES.search(text) is not None


def reads_off(text: str) -> bool:
    """Whether all measures of a text are read and none worked out, compared or denied.

    >>> reads_off("The box is 10 cm long and 6 cm wide"), reads_off("The box is 10 cm long, so its perimeter is 32 cm")
    (True, False)
    """
    words = tokens(plain(text))
    return _COMPUTED.isdisjoint(one.stem for one in words) and _WORKED_OUT.isdisjoint(one.tag for one in cues(words))


def may_name(text: str, part: str) -> bool:
    """Whether a text may speak of a part that is known by shape and dimension: not of a cone's height, nor of a cylinder's radius, where
    the part is “cylinder height”."""
    said, own = ([one.stem for one in tokens(plain(source))] for source in (text, part))
    for words in (_SOLIDS, _SIDES):
        named, known = ({words[one] for one in source if one in words} for source in (said, own))
        if named and known and named.isdisjoint(known):
            return False
    return True


def printed_labels(text: str, *, with_numbers: bool = True) -> Counter[PrintedLabel]:
    """The points, times of day or measures of a text and, if there are none, its bare numbers.

    >>> dict(printed_labels("a cone of radius 3 cm and height 4.2 cm"))
    {('centimeter', 3.0, 0.0): 1, ('centimeter', 4.2, 0.0): 1}
    """
    source = plain(text)
    if points := _POINT.findall(source.replace("−", "-")):
        return Counter(("point", float(x), float(y)) for x, y in points)
    if times := _TIME.findall(source):
        return Counter(("time", float(hour), float(minute)) for hour, minute in times)
    numbers = [one for one in quantities(_FIGURE_NUMBER.sub(" ", source)) if not one.spelled]
    return Counter((one.unit or "", one.absolute, 0.0) for one in _measures_or_bare(numbers, with_numbers))


def _measures_or_bare(numbers: list[Quantity], with_numbers: bool) -> list[Quantity]:
    measures = [one for one in numbers if one.unit in _UNITS]
    return measures or [one for one in numbers if with_numbers and one.unit is None]


def printed_label_text(label: PrintedLabel) -> str:
    """A label in words, for explanations."""
    unit, first, second = label
    if unit == "time":
        return f"{first:.0f}:{second:02.0f}"
    if unit == "point":
        return f"({number_text(first)}, {number_text(second)})"
    return f"{number_text(first)} {unit}".strip()
