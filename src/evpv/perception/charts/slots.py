"""Slots, the places along the category axis, and names: those printed at slots, those between them, and titles for all."""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evpv.perception.boxes import Box, groups_of
from evpv.perception.charts.labels import ChartLabel, page_of, pieces, text_height
from evpv.perception.charts.palette import ColourPart
from evpv.perception.recognition import known_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place along the category axis: its centre and the bars that stand there."""

    x: float
    bars: tuple[ColourPart, ...] = ()


def single_slots(bars: Sequence[ColourPart]) -> list[Slot]:
    """A slot for every column of bars: bars side by side are different categories."""
    columns = groups_of(
        sorted(bars, key=lambda bar: bar.x), lambda bar, column: bar.x - column[0].x <= max(3.0, 0.3 * bar.width)
    )
    return [Slot(x=statistics.mean(bar.x for bar in column), bars=tuple(column)) for column in columns]


def grouped_slots(bars: Sequence[ColourPart]) -> list[Slot]:
    """A slot for every group of bars of different colours.

    Groups repeat at a fixed pitch, so the cuts between them are the evenly spaced lines that keep farthest from all
    bars; a bar that is missing (a zero) does not shift the groups after it.
    """
    pitch = _pitch(bars)
    if pitch is None:
        return [Slot(x=(min(b.x0 for b in bars) + max(b.x1 for b in bars)) / 2, bars=tuple(bars))]
    starts = np.array([b.x0 for b in bars])
    ends = np.array([b.x1 for b in bars])
    phases = np.arange(0.0, pitch, 1.0)
    before = (starts[None, :] - phases[:, None]) % pitch
    after = pitch - (ends[None, :] - phases[:, None]) % pitch
    inside = before + (ends - starts)[None, :] > pitch
    clearance = np.where(inside, -1.0, np.minimum(before, after)).min(axis=1)
    phase = float(np.median(phases[clearance >= clearance.max() - 1e-9]))
    members: dict[int, list[ColourPart]] = {}
    for bar in bars:
        members.setdefault(int((bar.x - phase) // pitch), []).append(bar)
    return [Slot(x=phase + (n + 0.5) * pitch, bars=tuple(group)) for n, group in sorted(members.items())]


def _pitch(bars: Sequence[ColourPart]) -> float | None:
    steps: list[float] = []
    for colour in {bar.colour for bar in bars}:
        centres = sorted(bar.x for bar in bars if bar.colour == colour)
        steps += [b - a for a, b in itertools.pairwise(centres)]
    if not steps:
        return None
    rough = statistics.median_low(steps)
    counts = [max(1, round(step / rough)) for step in steps]
    return sum(steps) / sum(counts)


def names_at(slots: Sequence[Slot], labels: Sequence[ChartLabel], *, reach: float) -> dict[int, str]:
    """The name of each slot: the labels nearest to it along the axis, joined in reading order.

    A label that spans several slots was run together by the recogniser and is cut at its spaces.
    """
    centres = np.array([slot.x for slot in slots])
    parts: dict[int, list[ChartLabel]] = {}
    for label in labels:
        spanned = int(((centres > label.box.x0) & (centres < label.box.x1)).sum())
        for piece in _apart(label, spanned):
            nearest = int(np.abs(centres - anchor(piece)).argmin())
            if abs(centres[nearest] - anchor(piece)) <= reach:
                parts.setdefault(nearest, []).append(piece)
    return {number: bare_name(join(group)) for number, group in parts.items()}


def _apart(label: ChartLabel, spanned: int) -> list[ChartLabel]:
    """A label under several slots as the names that it was run together of: words, or single signs, one for each slot."""
    if spanned < 2 or label.box != label.page or label.lie != "level":
        return [label]
    if len(label.text) == spanned and label.text.isalnum():
        return pieces(replace(label, text=" ".join(label.text)))
    return pieces(label) if " " in label.text else [label]


def bare_name(text: str) -> str:
    """The text without the tick that the recogniser took for a dash at its end, or before a year; 1.0 is called 1."""
    bare = re.sub(r"^[-–—](?=\d{4}$)|(?<=\w)\s?[-–—_]+$", "", text)
    return re.sub(r"^(\d+)\.0+$", r"\1", bare)


def anchor(label: ChartLabel) -> float:
    """Where along the axis a label points: slanted text ends at its tick."""
    return label.tip if label.tip is not None and label.box == label.page else label.x


def join(labels: Sequence[ChartLabel]) -> str:
    """The text of labels in reading order: line by line, then left to right; a hyphen at a line's end is kept."""
    if not labels:
        return ""
    slack = 0.45 * statistics.median(label.page.height for label in labels)
    lines = groups_of(
        sorted(labels, key=lambda label: label.page.y), lambda label, line: label.page.y - line[0].page.y <= slack
    )
    return " ".join(label.text for line in lines for label in sorted(line, key=lambda label: label.page.x0))


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_INTEGER = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19|20)\d\d|(?<=['’ ])\d\d\b")
_QUARTER = re.compile(r"\bQ([1-4])")
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")[a-z]*", re.IGNORECASE)


def fill_names(names: Mapping[int, str], count: int) -> dict[int, str]:
    """The names of all `count` places, where the printed ones leave no doubt about those between them, or not far outside.

    >>> fill_names({0: "2010", 2: "2012", 4: "2014"}, 6)
    {0: '2010', 1: '2011', 2: '2012', 3: '2013', 4: '2014', 5: '2015'}
    >>> fill_names({0: "Q1 '10", 3: "Q4 '10"}, 4)[1]
    "Q2 '10"
    """
    whole = dict(names)
    for place in (n for n in range(count) if n not in names):
        near = _printed_near(place, names)
        if len(near) < 2 or abs(place - near[0]) > 2 * (near[1] - near[0]):
            continue
        first, last = (names[n].rstrip("* ") for n in near)
        kinds = (_period_between, _count_between, _letter_between)
        between = (kind(first, last, near[1] - near[0], place - near[0]) for kind in kinds)
        if found := next(filter(None, between), None):
            whole[place] = found
    return dict(sorted(whole.items()))


def _printed_near(place: int, names: Mapping[int, str]) -> list[int]:
    """The printed places on both sides of another, or else the nearest two."""
    before, after = [n for n in names if n < place], [n for n in names if n > place]
    nearest = sorted(names, key=lambda n: abs(n - place))[:2]
    return [max(before), min(after)] if before and after else sorted(nearest)


def _count_between(first: str, last: str, span: int, step: int) -> str | None:
    """Both names are one template with whole numbers that grow by `span`: "Week 5" and "Week 7", "1991-92" and "1993-94"."""
    if _INTEGER.sub("#", first) != _INTEGER.sub("#", last):
        return None
    pairs = list(zip(_INTEGER.findall(first), _INTEGER.findall(last), strict=True))
    growths = {(int(b) - int(a)) % 100 if len(a) == 2 else int(b) - int(a) for a, b in pairs} - {0}
    if len(growths) != 1 or (growth := growths.pop()) % span:
        return None
    written = []
    for a, b in pairs:
        number = int(a) if a == b else int(a) + growth // span * step
        written.append(_written_like(a, number))
    numbers = iter(written)
    return _INTEGER.sub(lambda _: next(numbers), first)


def _written_like(printed: str, number: int) -> str:
    two_digits = len(printed) == 2 and (printed.startswith("0") or number > 99)
    return f"{number % 100:02d}" if two_digits else str(number)


def _letter_between(first: str, last: str, span: int, step: int) -> str | None:
    """Both names are single letters, as far apart in the alphabet as on the axis: "a" and "d"."""
    alike = len(first) == len(last) == 1 and first.isalpha() and first.isupper() == last.isupper()
    return chr(ord(first) + step) if alike and ord(last) - ord(first) == span else None


def _period_between(first: str, last: str, span: int, step: int) -> str | None:
    """Both names are quarters or months with their years: one apart per place, or evenly so."""
    one, other = _ordinal(first), _ordinal(last)
    if one is None or other is None or one[1] != other[1] or (other[0] - one[0]) % span:
        return None
    period = one[1]
    year, part = divmod(one[0] + (other[0] - one[0]) // span * step, period)
    if period == 12 and re.fullmatch(r"\d{4}[-/]\d\d", first):
        return f"{year}{first[4]}{part + 1:02d}"
    named = _QUARTER.sub(f"Q{part + 1}", first) if period == 4 else _MONTH.sub(_MONTHS[part].title(), first)
    return _YEAR.sub(lambda found: f"{year:0{len(found[0])}d}", named, count=1)


def _ordinal(name: str) -> tuple[int, int] | None:
    """The number of a quarter or month since the year 0, and how many of them a year has."""
    year, quarter, month = _YEAR.search(name), _QUARTER.search(name), _MONTH.search(name)
    if year is None:
        return None
    if quarter:
        return int(year[0]) * 4 + int(quarter[1]) - 1, 4
    numbered = re.fullmatch(r"(?:19|20)\d\d[-/](0[1-9]|1[0-2])", name)
    if numbered:
        return int(year[0]) * 12 + int(numbered[1]) - 1, 12
    return (int(year[0]) * 12 + _MONTHS.index(month[1].lower()), 12) if month else None


_LONGEST_NAME = 5  # words; longer titles are headlines, unless dated

_DATED = re.compile(r", ?(19|20)\d\d$")
_STRAY_CAPITAL = re.compile(r"\b([A-Z]) (?=[A-Z]{2}\b)")  # "G BP"
_STRAY_LETTER = re.compile(r"\b([b-z]) (?=[a-z]{3})")  # "m asjids"


def value_title(labels: Sequence[ChartLabel], ticks: Sequence[ChartLabel], *, lying: bool) -> str:
    """What the values are of: the title of their axis, or else of the chart."""
    return axis_title(labels, ticks, lying=lying) or _chart_title(labels)


def axis_title(labels: Sequence[ChartLabel], ticks: Sequence[ChartLabel], *, lying: bool) -> str:
    """The title of the value axis: text that runs up beside its ticks, or stands under the middle of them where bars lie."""
    if not ticks:
        return ""
    return _mend_title(_title_under(ticks, labels) if lying else _title_beside(page_of(ticks), labels))


def _title_under(ticks: Sequence[ChartLabel], labels: Sequence[ChartLabel]) -> str:
    axis = page_of(ticks)
    right = max(one.page.x1 for one in labels if one.page.y0 < axis.y1 - 4 < one.page.y1)
    middle, slack, height = (axis.x0 + right) / 2, 0.2 * (right - axis.x0), text_height(ticks)
    home = Box(middle - slack, axis.y1 - 0.4 * height, middle + slack, axis.y1 + 1.8 * height)
    below = [one for one in labels if one.quantity is None and home.holds(one.page.x, one.page.y0)]
    first = min((one.page.y0 for one in below), default=0.0)
    return join([one for one in below if one.page.y0 - first <= 0.5 * height])


def _title_beside(axis: Box, labels: Sequence[ChartLabel]) -> str:
    upright = [one for one in labels if one.lie == "upright" and one.quantity is None and one.page.x0 < axis.x0]
    if not upright:
        return ""
    tallest = max(upright, key=lambda one: one.page.height)
    same = [one for one in upright if one.page.overlap(tallest.page).width > 0]
    return " ".join(one.text for one in sorted(same, key=lambda one: -one.page.y0))


def _chart_title(labels: Sequence[ChartLabel]) -> str:
    """The largest text at the top, if it names a quantity: short, or dated by a year. Other titles are headlines."""
    large = _large_at_top([one for one in labels if one.lie == "level" and not one.quantity])
    tallest = max((one.page.height for one in large), default=0.0)
    title = join([one for one in large if one.page.height >= 0.8 * tallest])
    return title if len(title.split()) <= _LONGEST_NAME or _DATED.search(title) else ""


def _large_at_top(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    top = 0.2 * max((one.page.y1 for one in labels), default=0.0)
    least = 1.2 * text_height(labels)
    return [one for one in labels if one.page.height >= least and one.page.y0 < top]


def _mend_title(title: str) -> str:
    """The title with words that came in pieces put together.

    >>> _mend_title("Numbe r of cars"), _mend_title("Share of respond ents")
    ('Number of cars', 'Share of respondents')
    """
    words, known = title.split(), known_words()
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + 5), start + 1, -1):
            parts = words[start:end]
            if "".join(parts).lower() in known and not all(part.lower() in known for part in parts):
                words[start:end] = ["".join(parts)]
                break
        start += 1
    return _STRAY_LETTER.sub(r"\1", _STRAY_CAPITAL.sub(r"\1", " ".join(words)))
