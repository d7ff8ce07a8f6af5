"""Names between printed names: axes that print every second year, quarter or month still mean those between."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_INTEGER = re.compile(r"\d+")


def fill_names(names: Mapping[int, str], count: int) -> dict[int, str]:
    """The names of all `count` places, where the printed ones leave no doubt about those between them.

    >>> fill_names({0: "2010", 2: "2012", 4: "2014"}, 6)
    {0: '2010', 1: '2011', 2: '2012', 3: '2013', 4: '2014', 5: '2015'}
    >>> fill_names({0: "Q1 '10", 3: "Q4 '10"}, 4)[1]
    "Q2 '10"
    """
    whole = dict(names)
    for place in range(count):
        if place not in whole:
            before = max((n for n in names if n < place), default=None)
            after = min((n for n in names if n > place), default=None)
            near = [n for n in (before, after) if n is not None] if before is None or after is None else [before, after]
            if len(near) == 1:
                near = _two_nearest(names, place)
            between = _between(names, near[0], near[1], place) if len(near) == 2 else None
            if between is not None:
                whole[place] = between
    return dict(sorted(whole.items()))


def _two_nearest(names: Mapping[int, str], place: int) -> list[int]:
    """The two printed places nearest to one outside them all, if no farther apart than it is from them."""
    near = sorted(sorted(names, key=lambda n: abs(n - place))[:2])
    return near if len(near) == 2 and abs(place - near[0]) <= 2 * (near[1] - near[0]) else []


def _between(names: Mapping[int, str], start: int, end: int, place: int) -> str | None:
    first, last = _bare(names[start]), _bare(names[end])
    span, step = end - start, place - start
    return (
        _cyclic(first, last, span, step) or _count_between(first, last, span, step) or _letter(first, last, span, step)
    )


def _bare(name: str) -> str:
    return name.rstrip("* ")


def _count_between(first: str, last: str, span: int, step: int) -> str | None:
    """Both names are one template with whole numbers that grow by `span`: "Week 5" and "Week 7", "1991-92" and "1993-94"."""
    if _INTEGER.sub("#", first) != _INTEGER.sub("#", last):
        return None
    ones, others = _INTEGER.findall(first), _INTEGER.findall(last)
    growths = {(int(b) - int(a)) % 100 if len(a) == 2 else int(b) - int(a) for a, b in zip(ones, others, strict=True)}
    growths.discard(0)
    if len(growths) != 1 or (growth := growths.pop()) % span:
        return None
    numbers = iter(int(a) if a == b else int(a) + growth // span * step for a, b in zip(ones, others, strict=True))
    return _INTEGER.sub(lambda found: _as_printed(next(numbers), found[0]), first)


def _letter(first: str, last: str, span: int, step: int) -> str | None:
    """Both names are single letters, as far apart in the alphabet as on the axis: "a" and "d"."""
    alike = len(first) == len(last) == 1 and first.isalpha() and first.isupper() == last.isupper()
    return chr(ord(first) + step) if alike and ord(last) - ord(first) == span else None


def _as_printed(number: int, model: str) -> str:
    return (
        f"{number % 100:02d}"
        if (len(model) == 2 and model.startswith("0")) or (number > 99 and len(model) == 2)
        else str(number)
    )


def _cyclic(first: str, last: str, span: int, step: int) -> str | None:
    """Quarters and months with their years: one apart per place, or evenly so."""
    one, other = _ordinal(first), _ordinal(last)
    if one is None or other is None or one[1] != other[1] or (other[0] - one[0]) % span:
        return None
    period = one[1]
    return _period_name(first, one[0] + (other[0] - one[0]) // span * step, period)


def _ordinal(name: str) -> tuple[int, int] | None:
    year = re.search(r"(?:19|20)\d\d|(?<=['’ ])\d\d\b", name)
    quarter = re.search(r"\bQ([1-4])", name)
    if year is None:
        return None
    if quarter:
        return int(year[0]) * 4 + int(quarter[1]) - 1, 4
    numbered = re.fullmatch(r"(?:19|20)\d\d[-/](0[1-9]|1[0-2])", name)
    if numbered:
        return int(year[0]) * 12 + int(numbered[1]) - 1, 12
    month = re.search(r"\b(" + "|".join(_MONTHS) + r")", name, re.IGNORECASE)
    return (int(year[0]) * 12 + _MONTHS.index(month[1].lower()), 12) if month else None


def _period_name(model: str, ordinal: int, period: int) -> str:
    year, part = divmod(ordinal, period)
    if period == 12 and re.fullmatch(r"\d{4}[-/]\d\d", model):
        return f"{year}{model[4]}{part + 1:02d}"
    if period == 4:
        text = re.sub(r"\bQ[1-4]", f"Q{part + 1}", model)
    else:
        text = re.sub(r"\b(" + "|".join(_MONTHS) + r")[a-z]*", _MONTHS[part].title(), model, flags=re.IGNORECASE)
    return re.sub(r"(?:19|20)\d\d|(?<=['’ ])\d\d\b", lambda found: f"{year:0{len(found[0])}d}", text, count=1)
