"""What a table cell says in numbers: one plain value, or an expression that holds several."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DASH = r"\-−–—"  # as it may stand anywhere in a class of signs
_NUMBER = re.compile(
    rf"""
    (?P<open>\()?                                   # accounting style: (12) is -12
    (?P<sign>[{_DASH}+])?\s*
    (?P<currency>(?:US|A|C|HK)?[$€£¥])?\s*
    (?P<inner_sign>[{_DASH}])?\s*
    (?P<digits>\d{{1,3}}(?:,\s?\d{{3}})+|\d{{1,3}}(?:\ \d{{3}})+|\d+|(?=\.\d))  # 5,435 or 5 435 or 5435, or nothing before .5
    (?P<fraction>\.\d+)?
    \s*(?P<unit>%|°\s?[CF]?|[¢])?
    (?P<close>\))?
    (?:\s?(?:/|per\s)\s?[A-Za-z]+\.?)?              # a rate: $3/lb, $7 per pound
    \s?(?:[*†‡§¶]{{1,3}}|(?<=\d)[a-ftªº¹²³€+])?     # a footnote's mark
    """,
    re.VERBOSE,
)
# A number in a longer expression, and the expressions that stand for more than one number.
_PLAIN = rf"[{_DASH}+]?\s?[$€£]?\d[\d,]*(?:\s\d{{3}})*(?:\.\d+)?\s?%?"
_SEVERAL = re.compile(
    rf"{_PLAIN}\s?(?:±|\+/[{_DASH}]|[({chr(91)}]|[{_DASH}/]|to\s)\s?[\d.{_DASH}±].*|[({chr(91)}]{_PLAIN}\s?[,;{_DASH}].*"
)
_BOUND = re.compile(rf"(?P<sign>[<>≤≥])\s?(?P<number>{_PLAIN})[*†‡§a-eªº]?")
_NO_WORDS = re.compile(
    rf"[\d\s.,;:()\[\]%±+*/<>≤≥~≈×†‡§$€£·{_DASH}]*\d[\d\s.,;:()\[\]%±+*/<>≤≥~≈×†‡§$€£·{_DASH}]*[a-eªº¹²³]?"
)
_SPREAD = re.compile(rf"(?:±|\+/[{_DASH}]).*|\([^()]*\)|\[[^\[\]]*\]")
_YEAR = re.compile(rf"(?:FY\s?)?(?:19|20)\d\d(?:\s?[{_DASH}/]\s?(?:\d\d|(?:19|20)\d\d))?[a-e*†]?")
_NOTHING = re.compile(rf"[{_DASH}.…·:=~_*]+|n\.?\s?[ads]\.?|N/?A|NS|ND|nd|ns|nil", re.IGNORECASE)

# Letters that a recogniser gives for a digit; only trusted where the rest of the cell is already a number.
_DIGIT_LOOKALIKES = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1", "S": "5"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _CellNumber:
    """A printed value with the unit that stands beside it ("$" and "%" among them)."""

    value: float
    unit: str | None = None


def cell_number(text: str) -> _CellNumber | None:
    """The value of a cell that is a number and nothing else; None for words, ranges, dates, times and "?".

    >>> cell_number("$1,622.50")
    _CellNumber(value=1622.5, unit='$')
    >>> cell_number("-$40"), cell_number("12%"), cell_number("$3/lb")
    (_CellNumber(value=-40.0, unit='$'), _CellNumber(value=12.0, unit='%'), _CellNumber(value=3.0, unit='$'))
    >>> [cell_number(text).value for text in ("10 000", "147.2***", "0·05", "6.47b", "|6.47ª")]
    [10000.0, 147.2, 0.05, 6.47, 6.47]
    >>> [cell_number(text) for text in ("5-10", "7/5", "8:45 A.M.", "?", "Monday", "12 (34%)", "200 (as BTEX)")]
    [None, None, None, None, None, None, None]
    """
    stripped = text.strip().lstrip("|").rstrip(".,;|").replace("·", ".")  # borders stand close to what they part
    number = _parse_number(stripped)
    if number is None and re.search(r"\d", stripped):
        number = _parse_number(stripped.translate(_DIGIT_LOOKALIKES))
    return number


def cell_expression(text: str) -> tuple[str, str] | None:
    """The relation and the right side of a cell that says more than one number can: spreads, shares, ranges, bounds.

    >>> cell_expression("12.3 ± 0.4"), cell_expression("12 (34%)"), cell_expression("<0.001")
    (('equal', '12.3 ± 0.4'), ('equal', '12 (34%)'), ('less', '0.001'))
    >>> [cell_expression(text) for text in ("12", "May 5", "8:45 A.M.", "5 apples")]
    [None, None, None, None]
    """
    stripped = " ".join(text.split())
    if (bound := _BOUND.fullmatch(stripped)) is not None:
        return ("less" if bound["sign"] in "<≤" else "greater"), bound["number"].strip()
    if (
        cell_number(stripped) is None
        and _SEVERAL.fullmatch(stripped)
        and _NO_WORDS.fullmatch(stripped)
        and ":" not in stripped
    ):
        return "equal", stripped
    return None


def is_value_like(text: str) -> bool:
    """Whether a cell is of a table's body: digits and signs without words, or a mark that says there is no value."""
    stripped = text.strip()
    return bool(_NO_WORDS.fullmatch(stripped) or _NOTHING.fullmatch(stripped)) or cell_number(stripped) is not None


def is_spread(text: str) -> bool:
    """Whether a cell only says how sure the one before it is, or what part of a whole: "± 0.4", "(34%)", "[1.2, 3.4]".

    >>> [is_spread(text) for text in ("± 0.4", "(34%)", "(0.8–1.2)", "-12", "12 (34%)")]
    [True, True, True, False, False]
    """
    return _SPREAD.fullmatch(text.strip()) is not None and is_value_like(text)


def is_year(text: str) -> bool:
    """Whether a cell is a calendar or fiscal year ("2023", "2019/20", "FY 2021"), which names more often than it counts."""
    return _YEAR.fullmatch(text.strip()) is not None


def leaf_digits(text: str) -> _CellNumber | None:
    """The leaves of a stem-and-leaf row as one number, "3 7" as 37: that is how such a row is written as a cell.

    >>> leaf_digits("0 3 7")
    _CellNumber(value=37.0, unit=None)
    """
    digits = re.sub(r"\D", "", text.translate(_DIGIT_LOOKALIKES))
    return _CellNumber(value=float(digits)) if digits else None


def _parse_number(text: str) -> _CellNumber | None:
    match = _NUMBER.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    said = match.groupdict(default="")
    value = float(re.sub(r"[,\s]", "", said["digits"] or "0") + said["fraction"])
    negative = bool(said["open"] or said["inner_sign"]) or said["sign"] not in ("", "+")
    unit = said["currency"] or said["unit"].replace(" ", "") or None
    return _CellNumber(value=-value if negative else value, unit=unit)
