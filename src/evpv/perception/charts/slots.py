"""Slots: the places along the category axis, and the names printed at them."""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evpv.perception.charts.labels import Label, pieces
from evpv.perception.charts.rectangles import Rectangle


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place along the category axis: its centre and the bars that stand there."""

    x: float
    bars: tuple[Rectangle, ...] = ()


def single_slots(bars: Sequence[Rectangle]) -> list[Slot]:
    """A slot for every column of bars: bars side by side are different categories."""
    slots: list[list[Rectangle]] = []
    for bar in sorted(bars, key=lambda b: b.x):
        if slots and bar.x - slots[-1][0].x <= max(3.0, 0.3 * bar.width):
            slots[-1].append(bar)
        else:
            slots.append([bar])
    return [Slot(x=statistics.mean(b.x for b in slot), bars=tuple(slot)) for slot in slots]


def grouped_slots(bars: Sequence[Rectangle]) -> list[Slot]:
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
    members: dict[int, list[Rectangle]] = {}
    for bar in bars:
        members.setdefault(int((bar.x - phase) // pitch), []).append(bar)
    return [Slot(x=phase + (n + 0.5) * pitch, bars=tuple(group)) for n, group in sorted(members.items())]


def _pitch(bars: Sequence[Rectangle]) -> float | None:
    steps: list[float] = []
    for colour in {bar.colour for bar in bars}:
        centres = sorted(bar.x for bar in bars if bar.colour == colour)
        steps += [b - a for a, b in itertools.pairwise(centres)]
    if not steps:
        return None
    rough = statistics.median_low(steps)
    counts = [max(1, round(step / rough)) for step in steps]
    return sum(steps) / sum(counts)


def names_at(slots: Sequence[Slot], labels: Sequence[Label], *, reach: float) -> dict[int, str]:
    """The name of each slot: the labels nearest to it along the axis, joined in reading order.

    A label that spans several slots was run together by the recogniser and is cut at its spaces.
    """
    centres = np.array([slot.x for slot in slots])
    parts: dict[int, list[Label]] = {}
    for label in labels:
        spanned = int(((centres > label.box[0]) & (centres < label.box[2])).sum())
        for piece in _apart(label, spanned):
            nearest = int(np.abs(centres - anchor(piece)).argmin())
            if abs(centres[nearest] - anchor(piece)) <= reach:
                parts.setdefault(nearest, []).append(piece)
    return {number: bare_name(join(group)) for number, group in parts.items()}


def _apart(label: Label, spanned: int) -> list[Label]:
    """A label under several slots as the names that it was run together of: words, or single signs, one for each slot."""
    if spanned < 2 or label.box != label.page or label.lie != "level":
        return [label]
    if len(label.text) == spanned and label.text.isalnum():
        spaced = pieces(replace(label, text=" ".join(label.text)))
        return spaced
    return pieces(label) if " " in label.text else [label]


def bare_name(text: str) -> str:
    """The text without the tick that the recogniser took for a dash at its end, or before a year; 1.0 is called 1."""
    bare = re.sub(r"^[-–—](?=\d{4}$)|(?<=\w)\s?[-–—_]+$", "", text)
    return re.sub(r"^(\d+)\.0+$", r"\1", bare)


def anchor(label: Label) -> float:
    """Where along the axis a label points: slanted text ends at its tick."""
    return label.tip if label.tip is not None and label.box == label.page else label.x


def join(labels: Sequence[Label]) -> str:
    """The text of labels in reading order: line by line, then left to right; a hyphen at a line's end is kept."""
    if not labels:
        return ""
    height = statistics.median(label.page[3] - label.page[1] for label in labels)
    lines: list[list[Label]] = []
    for label in sorted(labels, key=lambda item: item.page[1] + item.page[3]):
        middle = (label.page[1] + label.page[3]) / 2
        if lines and abs(middle - (lines[-1][0].page[1] + lines[-1][0].page[3]) / 2) <= 0.45 * height:
            lines[-1].append(label)
        else:
            lines.append([label])
    return " ".join(label.text for line in lines for label in sorted(line, key=lambda item: item.page[0]))
