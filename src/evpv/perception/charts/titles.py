"""What the values of a series are called: the axis title, the title of the chart, or headings over rows of bars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from evpv.perception.charts.labels import Label, is_wordy, pieces, text_height
from evpv.perception.charts.palette import Part
from evpv.perception.charts.slots import Slot, join

_READABLE, _NEARLY = 0.85, 0.74  # the confidence of a title, and how alike to a known word one of a worse title is
_LONGEST_NAME = 5  # words; longer titles are headlines, unless dated

# Words that axis titles are made of. Letters of small rotated text stand so far apart that words come out in two
# pieces; pieces are joined where they make one of these.
_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    number numbers share percentage percent respondents million billion thousand trillion dollars dollar euros euro
    revenue revenues value values index price prices sales average total people population production consumption
    market volume growth change rate rates year years income expenditure spending cost costs profit profits loss
    unemployment employment employees employed households household students consumers users subscribers visitors
    inhabitants capita metric tons tonnes kilograms liters units annual monthly daily weekly per gross net domestic
    product distribution proportion points score scores amount capacity exports imports cases deaths death births
    birth age ratio size area length period companies enterprises stores restaurants passengers vehicles cars games
    goals wins hours minutes square kilometers meters meter kilometer energy electricity investment investments
    assets capital turnover operating earnings budget debt deficit tax taxes adults women men children persons
    individuals patients countries shipments downloads members attendance compared previous worldwide rental rent
    wage wages salary salaries expectancy fertility inflation mortality prevalence government public private foreign
    pounds crowns yen rubles rupees yuan francs kroner zloty reais rand gigawatts megawatts terawatt barrels ounces
    export import real terms international national tourism receipts trade goods services retail online mobile internet
    social media fans followers viewers views video music film box office tickets hotel hotels rooms beds occupancy
    flights airline aircraft crude oil gas coal steel iron gold silver cement wheat rice corn meat milk sugar coffee
    beer wine spirits cigarettes tobacco water waste emissions carbon dioxide temperature health medical hospital
    hospitals physicians nurses insurance premiums claims bank banks loans mortgage deposits credit cards transactions
    payments accounts active advertising brand worth deal deals funding crimes offenses murders fatalities accidents
    injuries teachers schools universities pupils farms land hectares acres houses homes apartments dwellings
    construction completions satisfaction approval votes voters seats league matches players teams titles appearances
    traffic foot overnight arrivals tourists guests nights projects establishments workforce workers minimum maximum
    """,
    )
)

_STRAY_CAPITAL = re.compile(r"\b([A-Z]) (?=[A-Z]{2}\b)")  # "G BP"
_STRAY_LETTER = re.compile(r"\b([b-z]) (?=[a-z]{3})")  # "m asjids"


def axis_title(labels: Sequence[Label], ticks: Sequence[Label], *, lying: bool) -> str:
    """The title of the value axis: text that runs up beside its ticks, or stands under them where bars lie."""
    if not ticks:
        return ""
    return _below(labels, ticks) if lying else _beside(labels, ticks)


def _beside(labels: Sequence[Label], ticks: Sequence[Label]) -> str:
    left = min(tick.page[0] for tick in ticks)
    beside = [one for one in labels if one.lie == "upright" and one.page[0] < left and one.quantity is None]
    tallest = max(beside, key=lambda one: one.page[3] - one.page[1], default=None)
    if tallest is None:
        return ""
    same = [one for one in beside if one.page[0] < tallest.page[2] and one.page[2] > tallest.page[0]]
    return with_whole_words(" ".join(map(_spelt, sorted(same, key=lambda one: -one.page[1]))))


def _below(labels: Sequence[Label], ticks: Sequence[Label]) -> str:
    row = max(tick.page[3] for tick in ticks)
    left = min(tick.page[0] for tick in ticks)
    right = max(one.page[2] for one in labels if one.page[1] < row - 4 and one.page[3] > row - 4)
    height = text_height(ticks)
    below = [
        one
        for one in labels
        if one.quantity is None
        and -0.4 * height <= one.page[1] - row <= 1.8 * height
        and abs((one.page[0] + one.page[2]) - (left + right)) / 2 <= 0.2 * (right - left)
    ]
    if not below:
        return ""
    first = min(one.page[1] for one in below)
    return with_whole_words(
        join([replace(one, text=_spelt(one)) for one in below if one.page[1] - first <= 0.5 * height])
    )


def chart_title(labels: Sequence[Label]) -> str:
    """The largest text at the top, if it names a quantity: short, or dated by a year. Other titles are headlines."""
    level = [one for one in labels if one.lie == "level" and not one.quantity]
    if not level:
        return ""
    usual = text_height(level)
    bottom = max(one.page[3] for one in level)
    top = [one for one in level if one.page[3] - one.page[1] >= 1.2 * usual and one.page[1] < 0.2 * bottom]
    largest = max((one.page[3] - one.page[1] for one in top), default=0.0)
    title = join([one for one in top if one.page[3] - one.page[1] >= 0.8 * largest])
    named = len(title.split()) <= _LONGEST_NAME or re.search(r", ?(19|20)\d\d$", title)
    return title if named else ""


def _spelt(label: Label) -> str:
    """The text of a label; where it was hardly readable, words that are nearly one of an axis title's are that word."""
    if label.confidence >= _READABLE:
        return label.text
    nearest = [
        process.extractOne(word.lower(), _WORDS, scorer=Levenshtein.normalized_similarity, score_cutoff=_NEARLY)
        for word in label.text.split()
    ]
    return " ".join(near[0] if near else word for near, word in zip(nearest, label.text.split(), strict=True))


def with_whole_words(title: str) -> str:
    """The title with words that came in pieces put together.

    >>> with_whole_words("Numbe r of cars"), with_whole_words("Share of respond ents")
    ('Number of cars', 'Share of respondents')
    """
    words = title.split()
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + 5), start + 1, -1):
            parts = words[start:end]
            if "".join(parts).lower() in _WORDS and not all(part.lower() in _WORDS for part in parts):
                words[start:end] = ["".join(parts)]
                break
        start += 1
    return _STRAY_LETTER.sub(r"\1", _STRAY_CAPITAL.sub(r"\1", " ".join(words)))


_LINES = 3.6  # headings stand within this many lines of text over the bars
_RUN_TOGETHER = re.compile(r"[a-z][A-Z]")  # "MixedMostly": headings of two bars, of which one may be missing


def names_by_heading(slots: Sequence[Slot], labels: Sequence[Label]) -> dict[Part, str]:
    """The series of each lying bar by the heading over its place in the row; nothing if headings and bars differ in number.

    Bars of rows that lack some are named by their colour, as far as full rows teach it.
    """
    first = min(slots, key=lambda slot: slot.x)
    most = max(len(slot.bars) for slot in slots)
    headings = _headings(first, labels)
    if 2 <= most > len(headings) and labels:
        headings = _headings_by_bar(slots, most, labels)
    if most < 2 or len(headings) != most or any(map(_RUN_TOGETHER.search, headings)):
        return {}
    names: dict[Part, str] = {}
    by_colour: dict[int, set[str]] = {}
    for slot in slots:
        if len(slot.bars) == most:
            for bar, heading in zip(_left_to_right(slot.bars), headings, strict=True):
                names[bar] = heading
                by_colour.setdefault(bar.colour, set()).add(heading)
    for slot in slots:
        for bar in slot.bars:
            known = by_colour.get(bar.colour, set())
            if bar not in names and len(known) == 1:
                names[bar] = next(iter(known))
    return names


def _headings_by_bar(slots: Sequence[Slot], most: int, labels: Sequence[Label]) -> list[str]:
    """The texts over the first full row, each given to the bar it stands over; nothing if a bar has none.

    Text flush with the title is a sentence, and words over two bars were run together by the recogniser.
    """
    full = min((slot for slot in slots if len(slot.bars) == most), key=lambda slot: slot.x)
    top = min(bar.x0 for slot in slots for bar in slot.bars)
    height = text_height(labels)
    margin = min(label.page[0] for label in labels)
    over = [
        label
        for label in labels
        if is_wordy(label)
        and label.lie == "level"
        and -_LINES * height <= label.page[3] - height / 2 - top < height / 2
        and label.page[0] > margin + height
        and label.page[3] - label.page[1] < 1.3 * height
    ]
    bars = _left_to_right(full.bars)
    groups: list[list[Label]] = [[] for _ in bars]
    for piece in (piece for label in _lowest_lines(over) for piece in pieces(replace(label, box=label.page))):
        middle = (piece.page[0] + piece.page[2]) / 2
        away = [max(-bar.y1 - middle, middle + bar.y0, 0.0) for bar in bars]
        if min(away) <= 3 * height:
            groups[away.index(min(away))].append(piece)
    return [join(group) for group in groups] if all(groups) else []


def _lowest_lines(labels: Sequence[Label]) -> list[Label]:
    """The lines of text from the lowest up to the first gap, which parts headings from the sentence over them."""
    lines: list[Label] = []
    top: float | None = None
    for label in sorted(labels, key=lambda item: -item.page[3]):
        if top is not None and label.page[3] < top:
            break
        top = label.page[1] if top is None else min(top, label.page[1])
        lines.append(label)
    return lines


def _left_to_right(bars: Sequence[Part]) -> list[Part]:
    return sorted(bars, key=lambda bar: -bar.y1)


def _headings(first: Slot, labels: Sequence[Label]) -> list[str]:
    """The texts over the first row from left to right; lines that overlap are one heading."""
    height = text_height(labels)
    top = min(bar.x0 for bar in first.bars)
    left, right = min(-bar.y1 for bar in first.bars), max(-bar.y0 for bar in first.bars)
    over = [
        label
        for label in labels
        if is_wordy(label)
        and top - _LINES * height <= (label.page[1] + label.page[3]) / 2 < top
        and label.page[2] > left - 2 * height
        and label.page[0] < right + 2 * height
        and label.page[2] - label.page[0] < 0.6 * (right - left)
    ]
    columns: list[list[Label]] = []
    for label in sorted(over, key=lambda item: item.page[0]):
        reach = max((item.page[2] for item in columns[-1]), default=0.0) if columns else 0.0
        if columns and label.page[0] < reach - 0.5 * height:
            columns[-1].append(label)
        else:
            columns.append([label])
    return [join(column) for column in columns]
