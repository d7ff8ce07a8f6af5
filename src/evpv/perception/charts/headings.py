"""Names of series printed as headings over the first row of lying bars, where there is no legend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evpv.perception.charts.labels import Label, is_wordy, pieces, text_height
from evpv.perception.charts.rectangles import Rectangle
from evpv.perception.charts.slots import Slot, join

_LINES = 3.6  # headings stand within this many lines of text over the bars
_RUN_TOGETHER = re.compile(r"[a-z][A-Z]")  # "MixedMostly": headings of two bars, of which one may be missing


def names_by_heading(slots: Sequence[Slot], labels: Sequence[Label]) -> dict[Rectangle, str]:
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
    names: dict[Rectangle, str] = {}
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


def _left_to_right(bars: Sequence[Rectangle]) -> list[Rectangle]:
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
