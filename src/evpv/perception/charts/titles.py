"""What the values of a single series are called: the axis title, or the title of the chart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evpv.perception.charts.labels import Label, text_height
from evpv.perception.charts.slots import join
from evpv.perception.spelling import known_words

_LONGEST_NAME = 5  # words; longer titles are headlines, unless dated

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
    return mend_title(" ".join(one.text for one in sorted(same, key=lambda one: -one.page[1])))


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
    return mend_title(join([one for one in below if one.page[1] - first <= 0.5 * height]))


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


def mend_title(title: str) -> str:
    """The title with words that came in pieces put together.

    >>> mend_title("Numbe r of cars"), mend_title("Share of respond ents")
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
