"""Printed numbers of charts: "1 234.5", "12 %", "$3.4 million", "-5%", "13.0k"."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "tn": 1e12,
    "trillion": 1e12,
}
_NUMBER = re.compile(
    r"""^(?P<sign>[-−–—+~<>]?)\s*(?P<currency>[$€£¥]?)\s*(?P<minus>[-−–]?)
    (?P<digits>\d{1,3}(?:[ ,’']\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)
    \s*(?P<percent>%?)\s*(?P<words>[A-Za-z]{0,9}(?:\ [A-Za-z]{1,9})?)\s*[*†.\-–—_'"]*$""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number as printed. `scale` is what its unit words multiply it by ("million" is 1e6)."""

    value: float
    unit: str | None = None
    scale: float = 1.0

    @property
    def full(self) -> float:
        """The number with its unit words multiplied out, as axes need it."""
        return self.value * self.scale


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a whole label says, or None if the label says anything else.

    The value stays as printed ("754.28 million" is 754.28 with unit "million"), because that is how people quote it.

    >>> parse_quantity("1 234.5"), parse_quantity("12%"), parse_quantity("Q1 2010")
    (Quantity(value=1234.5, unit=None, scale=1.0), Quantity(value=12.0, unit='%', scale=1.0), None)
    """
    found = _NUMBER.match(" ".join(text.replace("\u00a0", " ").split()))
    if found is None:
        return None
    value = _value(found["digits"])
    if found["sign"] in tuple("-−–—") or found["minus"]:
        value = -value
    words = found["words"].lower().split()
    scale = _SCALES.get(words[0], 1.0) if words else 1.0
    unit = found["percent"] or found["words"] or found["currency"] or None
    return Quantity(value=value, unit=unit, scale=scale)


def _value(digits: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:[ ,’']\d{3})+(?:\.\d+)?", digits):
        return float(re.sub(r"[ ,’']", "", digits))
    return float(digits.replace(",", "."))
