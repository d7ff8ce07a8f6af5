"""Legends: a small patch of colour with a name to its right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from evpv.perception.charts.axes import find_axis
from evpv.perception.charts.labels import Label, text_height
from evpv.perception.charts.palette import Palette, Part

_WIDEST_LETTER = 0.6  # of the height of a label's box


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a legend: the palette's colour and the label that names it."""

    colour: int
    name: str
    label: Label


def find_legend(palette: Palette, parts: Sequence[Part], labels: Sequence[Label]) -> tuple[Entry, ...]:
    """The entries of the legend in reading order; nothing unless at least two colours are named.

    Patches of a legend are all of one size, which tells them from dots and letters that happen to stand before a word.
    """
    height = text_height(labels)
    patches = [part for part in parts if _patch_like(part, height)]
    labels = [
        piece for label in labels for piece in _cut(label, [p for p in patches if not _is_ink(p, label, palette)])
    ]
    beside = [
        (patch, label)
        for patch in patches
        if (label := _named_by(patch, labels)) is not None and not _is_ink(patch, label, palette)
    ]
    best: dict[int, Entry] = {}
    for seed, _ in beside:
        entries: dict[int, Entry] = {}
        for patch, label in _company(seed, beside, max(2.0, 0.08 * height)):
            entries.setdefault(patch.colour, Entry(colour=patch.colour, name=_clean(label.text), label=label))
        if len({id(e.label) for e in entries.values()}) == len(entries) > len(best):
            best = entries
    if len(best) < 2 or _is_colour_scale([entry.label for entry in best.values()]):
        return ()
    return tuple(sorted(best.values(), key=lambda e: (round(e.label.y / 8), e.label.x)))


def _is_colour_scale(names: Sequence[Label]) -> bool:
    """Whether names are the ticks of a strip of colours: numbers that grow evenly upwards."""
    axis = find_axis(names, upward=True)
    return axis is not None and len(axis.ticks) >= len(names) - 1


def outside_legend(labels: Sequence[Label], legend: Sequence[Entry]) -> tuple[Label, ...]:
    """The labels that are not the names of a legend."""
    rows = [entry.label.page for entry in legend]
    return tuple(
        label
        for label in labels
        if not any(label.page[0] < r[2] and r[0] < label.page[2] and r[1] < label.y < r[3] for r in rows)
    )


def is_sample(part: Part, legend: Sequence[Entry]) -> bool:
    """Whether a part is the patch of an entry: three patches under each other would make a small bar chart."""
    return any(part.colour == entry.colour and _named_by(part, [entry.label]) is not None for entry in legend)


def _is_ink(patch: Part, label: Label, palette: Palette) -> bool:
    """Whether a patch is a letter of the label: no wider than letters are, and much more of the label has its colour."""
    if patch.width > _WIDEST_LETTER * label.height:
        return False
    x0, y0, x1, y1 = (max(0, round(v)) for v in label.page)
    return int((palette.index[y0:y1, x0:x1] == patch.colour).sum()) > 1.8 * patch.area


def _cut(label: Label, patches: Sequence[Part]) -> list[Label]:
    """A label that runs on over the patches of further entries, cut before each of them."""
    within = sorted(
        {
            round((p.x0 + p.x1) / 2)
            for p in patches
            if abs(label.y - p.y) <= 0.3 * label.height
            and label.box[0] + label.height < p.x0
            and p.x1 < label.box[2] - label.height
            and p.width >= 6
            and p.height >= 5
        }
    )
    if not within or label.lie != "level":
        return [label]
    edges = [0, *_boundaries(label, within), len(label.text)]
    starts = [label.box[0], *(float(x) for x in within), label.box[2]]
    cut = []
    for a, b, x0, x1 in zip(edges, edges[1:], starts, starts[1:], strict=False):
        box = (x0, label.box[1], x1, label.box[3])
        if label.text[a:b].strip():
            cut.append(Label(text=label.text[a:b].strip(), box=box, page=box))
    return cut


def _boundaries(label: Label, within: Sequence[float]) -> list[int]:
    """The places in the text nearest to the patches where new names can begin; years are all of one length."""
    if label.text.isdigit() and len(label.text) % (len(within) + 1) == 0:
        step = len(label.text) // (len(within) + 1)
        return [step * (number + 1) for number in range(len(within))]
    places = [m.start() for m in re.finditer(r"(?<=[a-z)%\d*])(?=[A-Z])|(?<=\s)|(?<=[a-z)])(?=\d)", label.text)]
    found = []
    for x in within:
        expected = (x - label.box[0]) / label.width * len(label.text)
        found.append(min(places, key=partial(_apart, expected), default=round(expected)))
    return found


def _apart(one: float, other: float) -> float:
    return abs(one - other)


def _company(seed: Part, beside: Sequence[tuple[Part, Label]], slack: float) -> list[tuple[Part, Label]]:
    """The patches of one legend: of one size, in the seed's row, or under a patch of that row."""
    alike = [
        (patch, label)
        for patch, label in beside
        if abs(patch.width - seed.width) <= slack and abs(patch.height - seed.height) <= slack
    ]
    starts = [patch.x0 for patch, _ in alike if abs(patch.y - seed.y) <= 1.5 * slack]
    row = [pair for pair in alike if abs(pair[0].y - seed.y) <= 1.5 * slack]
    under = [
        pair for pair in alike if pair not in row and any(abs(pair[0].x0 - start) <= 1.5 * slack for start in starts)
    ]
    return row + under


def _patch_like(part: Part, text: float) -> bool:
    filled = part.area / (part.width * part.height)
    return (
        4 <= part.height <= max(24, 1.1 * text)
        and 4 <= part.width <= max(40, 1.6 * text)
        and part.area >= 20
        and filled >= 0.4
    )


def _named_by(patch: Part, labels: Sequence[Label]) -> Label | None:
    near = [
        label
        for label in labels
        if label.lie == "level"
        and any(map(str.isalnum, label.text))
        and abs(label.y - patch.y) <= 0.35 * label.height
        and label.box[0] - patch.x1 <= 1.2 * label.height
        and patch.height <= 1.1 * label.height
        and patch.x0 - label.box[0] <= 0.6 * label.height
    ]
    return min(near, key=lambda label: label.box[0] - patch.x1, default=None)


def _clean(text: str) -> str:
    return re.sub(r"^[\W_]+(?=\w)|^[oO•] (?=\w)", "", text).strip()
