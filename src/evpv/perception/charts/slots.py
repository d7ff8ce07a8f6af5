"""The places along the category axis: slots where bars stand, the names printed at them, or a scale of numbers."""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import Label, pieces, text_height
from evpv.perception.charts.palette import Part

_TICKS = ("I", "l", "i", "|", "1", "T", "-", "–", "—")  # what a tick mark may be read as


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place along the category axis: its centre and the bars that stand there."""

    x: float
    bars: tuple[Part, ...] = ()


def single_slots(bars: Sequence[Part]) -> list[Slot]:
    """A slot for every column of bars: bars side by side are different categories."""
    slots: list[list[Part]] = []
    for bar in sorted(bars, key=lambda b: b.x):
        if slots and bar.x - slots[-1][0].x <= max(3.0, 0.3 * bar.width):
            slots[-1].append(bar)
        else:
            slots.append([bar])
    return [Slot(x=statistics.mean(b.x for b in slot), bars=tuple(slot)) for slot in slots]


def grouped_slots(bars: Sequence[Part]) -> list[Slot]:
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
    members: dict[int, list[Part]] = {}
    for bar in bars:
        members.setdefault(int((bar.x - phase) // pitch), []).append(bar)
    return [Slot(x=phase + (n + 0.5) * pitch, bars=tuple(group)) for n, group in sorted(members.items())]


def _pitch(bars: Sequence[Part]) -> float | None:
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
        run_together = spanned >= 2 and label.box == label.page and label.lie == "level" and " " in label.text
        for piece in pieces(label) if run_together else [label]:
            nearest = int(np.abs(centres - anchor(piece)).argmin())
            if abs(centres[nearest] - anchor(piece)) <= reach:
                parts.setdefault(nearest, []).append(piece)
    return {number: _name(join(_without_ticks(group))) for number, group in parts.items()}


def _without_ticks(group: Sequence[Label]) -> Sequence[Label]:
    """The labels of a slot without tick marks that were read as a letter, where something else names the slot."""
    names = [label for label in group if label.text not in _TICKS]
    return names or group[-1:]


def _name(text: str) -> str:
    """The text without the tick that the recogniser took for a dash at its end, or before a year."""
    return re.sub(r"^[-–—](?=\d{4}$)|(?<=\w)\s?[-–—_]+$", "", text)


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


def roundest(value: float, error: float) -> float:
    """The number with the fewest digits within `error` of a measured one: people draw round numbers, rulers do not read them.

    >>> roundest(2.97, 0.05), roundest(0.02, 0.05), roundest(2.53, 0.05)
    (3.0, 0.0, 2.5)
    """
    if abs(value) <= error or error <= 0:
        return 0.0 if abs(value) <= error else value
    for power in range(math.ceil(math.log10(abs(value))) + 1, math.floor(math.log10(error)) - 2, -1):
        rounded = float(f"{round(value / 10.0**power) * 10.0**power:.12g}")
        if rounded and abs(rounded - value) <= error:
            return rounded
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The places along an axis: by a scale of numbers, or by the names of the categories and where they stand."""

    scale: Axis | None = None
    names: tuple[tuple[float, str], ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def step_px(self) -> float:
        """The distance between two neighbouring labels."""
        places = sorted(anchor(label) for label in self.scale.ticks) if self.scale else [x for x, _ in self.names]
        gaps = [b - a for a, b in itertools.pairwise(places)]
        return statistics.median(gaps) if gaps else 50.0

    def name_at(self, x: float, error_px: float = 1.5) -> str | None:
        """What the axis says at a place: the roundest number that it may be, or the name printed near it."""
        if self.scale is not None:
            error = abs(self.scale.value(x + error_px) - self.scale.value(x))
            return f"{roundest(self.scale.value(x), error):.6g}"
        near, name = min(self.names, key=lambda place: abs(place[0] - x), default=(math.inf, ""))
        return name if abs(near - x) <= 0.35 * self.step_px else None


def places_along(labels: Sequence[Label], upward: Axis) -> Places | None:
    """The axis that crosses a value axis: under its lowest tick, or over its highest."""
    ticks = {id(tick) for tick in upward.ticks}
    height = text_height(labels)
    top, floor = min(tick.y for tick in upward.ticks), max(tick.y for tick in upward.ticks)
    step = (floor - top) / max(len(ticks) - 1, 1)
    reach = max(3 * height, 1.2 * step)
    free = [label for label in labels if id(label) not in ticks]
    for near in (
        [label for label in free if floor - 2 < label.y and label.box[1] < floor + reach],
        [label for label in free if label.y < top + 2 and label.box[3] > top - reach],
    ):
        found = _scale_of(near, upward) or _names_of(near, upward, height)
        if found is not None:
            return found
    return None


def _scale_of(labels: Sequence[Label], upward: Axis) -> Places | None:
    scale = find_axis(labels, upward=False)
    if scale is None or any(id(tick) in map(id, upward.ticks) for tick in scale.ticks):
        return None
    return Places(scale=scale, labels=scale.ticks)


def _names_of(labels: Sequence[Label], upward: Axis, height: float) -> Places | None:
    """The fullest row of text right of the value axis, with further lines under it joined to its names."""
    left = min(tick.box[0] for tick in upward.ticks)
    row_like = [label for label in labels if anchor(label) > left]
    rows = [[one for one in row_like if abs(_near_edge(one) - _near_edge(top)) <= 0.6 * height] for top in row_like]
    row = max(rows, key=len, default=[])
    if len(row) < 2:
        return None
    centres = sorted(anchor(label) for label in row)
    pitch = min(b - a for a, b in itertools.pairwise(centres))
    names: dict[float, list[Label]] = {anchor(label): [label] for label in row}
    for label in row_like:
        nearest = min(names, key=lambda x: abs(x - anchor(label)))
        below = 0 < label.y - names[nearest][-1].y <= 1.4 * height
        if label not in row and below and abs(nearest - anchor(label)) <= 0.3 * pitch:
            names[nearest].append(label)
    used = tuple(label for group in names.values() for label in group)
    return Places(names=tuple((x, join(group)) for x, group in sorted(names.items())), labels=used)


def _near_edge(label: Label) -> float:
    return label.box[1]
