"""The number that a table cell holds, if it holds one and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(
    r"""
    (?P<open>\()?                                   # accounting style: (12) is -12
    (?P<sign>[-−–—+])?\s*
    (?P<currency>[$€£¥])?\s*
    (?P<inner_sign>[-−–—])?\s*
    (?P<digits>\d{1,3}(?:,\s?\d{3})+|\d+|(?=\.\d))  # 5,435 or 5435, or nothing before .5
    (?P<fraction>\.\d+)?
    \s*(?P<unit>%|°\s?[CF]?|[¢])?
    (?P<close>\))?
    (?:\s?(?:/|per\s)\s?[A-Za-z]+\.?)?               # a rate: $3/lb, $7 per pound
    """,
    re.VERBOSE,
)

# Letters that a recogniser gives for a digit; only trusted where the rest of the cell is already a number.
_DIGIT_LOOKALIKES = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1", "S": "5"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CellNumber:
    """A printed value with the unit that stands beside it ("$" and "%" among them)."""

    value: float
    unit: str | None = None


def cell_number(text: str) -> CellNumber | None:
    """The value of a cell that is a number and nothing else; None for words, ranges, dates, times and "?".

    >>> cell_number("$1,622.50")
    CellNumber(value=1622.5, unit='$')
    >>> cell_number("-$40"), cell_number("12%"), cell_number("$3/lb")
    (CellNumber(value=-40.0, unit='$'), CellNumber(value=12.0, unit='%'), CellNumber(value=3.0, unit='$'))
    >>> [cell_number(text) for text in ("5-10", "7/5", "8:45 A.M.", "?", "Monday")]
    [None, None, None, None, None]
    """
    stripped = text.strip().rstrip(".,;")
    return _parsed(stripped) or _parsed(_with_lookalike_digits(stripped))


def leaf_digits(text: str) -> CellNumber | None:
    """The leaves of a stem-and-leaf row as one number, "3 7" as 37: that is how such a row is written as a cell.

    >>> leaf_digits("0 3 7")
    CellNumber(value=37.0, unit=None)
    """
    digits = re.sub(r"\D", "", text.translate(_DIGIT_LOOKALIKES))
    return CellNumber(value=float(digits)) if digits else None


def _parsed(text: str) -> CellNumber | None:
    match = _NUMBER.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    value = float((match["digits"] or "0").replace(",", "").replace(" ", "") + (match["fraction"] or ""))
    negative = bool(match["open"]) or (match["sign"] not in (None, "+")) or bool(match["inner_sign"])
    unit = match["currency"] or (match["unit"] or "").replace(" ", "") or None
    return CellNumber(value=-value if negative else value, unit=unit)


def _with_lookalike_digits(text: str) -> str:
    return text.translate(_DIGIT_LOOKALIKES) if re.search(r"\d", text) else text
