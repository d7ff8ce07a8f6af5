"""When: the times that names and phrases speak of."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.lexicon import MONTHS, WEEKDAYS
from evpv.language.tokens import Token, tokens
from evpv.premises.figure import Cell


def cell_time(cell: Cell) -> float | None:
    at = time_in_name(cell.row)
    return at if at is not None else time_in_name(cell.column)


def times_said(said: Sequence[Token]) -> list[float]:
    found = []
    for token in said:
        if token.is_number and len(token.stem) == 4 and token.stem.isdigit() and 1500 <= int(token.stem) <= 2100:
            found.append(float(token.stem))
        elif token.stem in MONTHS and token.text[:1].isupper():
            found.append(MONTHS.index(token.stem) / 12)
        elif token.stem in WEEKDAYS:
            found.append(WEEKDAYS.index(token.stem) / 8 - 10)
    return found


def time_in_name(name: str) -> float | None:
    """The time that a row or column is named after: a year, a month, a weekday; None for other names."""
    words = [token for token in tokens(name) if token.is_content]
    if not words or len(words) > 3:
        return None
    years = [t for t in words if t.stem.isdigit() and len(t.stem) == 4 and 1500 <= int(t.stem) <= 2100]
    months = [t for t in words if t.stem in MONTHS]
    rest = [t for t in words if t not in years and t not in months and t.stem not in ("fy", "*") and not t.is_number]
    if years and not rest and (len(years) == 1 or len(words) == len(years)):
        return int(years[0].stem) + (MONTHS.index(months[0].stem) / 12 if months else 0.0)
    if rest or years:
        return None
    if months and len(words) == 1:
        return MONTHS.index(months[0].stem) / 12
    return None
