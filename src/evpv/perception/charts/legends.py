"""Legends: a patch of colour with a name to its right, or a sample, thin or thick, whole or dashed, before each name."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.labels import YEAR, ChartLabel, text_height
from evpv.perception.charts.palette import ColourPart, Palette, chroma

_SIGN_BEFORE = re.compile(r"^[\W_]+(?=\w)|^[oO•] (?=\w)")  # a patch that was taken for one
_WIDEST_LETTER = 0.6  # of the height of a label's box
_WIDEST_PATCH_PX = 48
_COLOURFUL = 25  # how far from grey a patch is that may be the paler tone of a line
_PALER = 1.5  # times as deep as the patch is a line whose patch is filled with its paler tone
_SAME_RAY, _SAME_TONE = 0.97, 0.985  # cosine between the directions of a patch and of its marks from the paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a legend: the palette's colour and the label that names it."""

    colour: int
    name: str
    label: ChartLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture of one plot taken apart: its colours, `every` text on it, the `labels` outside the legend, and the legend."""

    picture: Pixels
    palette: Palette
    parts: Sequence[ColourPart]
    every: tuple[ChartLabel, ...]
    labels: tuple[ChartLabel, ...]
    legend: tuple[Entry, ...]

    @property
    def names(self) -> dict[int, str]:
        """What each colour of the legend is called."""
        return {entry.colour: entry.name for entry in self.legend}


def find_legend(palette: Palette, parts: Sequence[ColourPart], labels: Sequence[ChartLabel]) -> tuple[Entry, ...]:
    """The entries of the legend in reading order; nothing unless at least two colours are named.

    Numbers that grow evenly upwards, and no years, are the ticks of a strip of colours.
    """
    height = text_height(labels)
    patches = [part for part in parts if patch_like(part, height)]
    pieces = list(chain.from_iterable(_cut(label, patches, palette) for label in labels))
    beside = patches_with_names(patches, pieces, palette)
    slack = max(2.0, 0.08 * height)
    best = max((_entries_like(seed, beside, slack) for seed, _ in beside), key=len, default=[])
    axis = find_axis([entry.label for entry in best], upward=True)
    is_colour_scale = axis is not None and len(axis.ticks) >= len(best) - 1 and not are_years(axis)
    if len(best) < 2 or is_colour_scale:
        return ()
    return tuple(sorted(best, key=lambda e: (round(e.label.y / 8), e.label.x)))


def _entries_like(seed: ColourPart, beside: Sequence[tuple[ColourPart, ChartLabel]], slack: float) -> list[Entry]:
    """One entry for each colour of the seed's company; none if two colours have one name.

    Patches of a legend are all of one size, in the seed's row or under a patch of that row, which tells them from dots
    and letters that happen to stand before a word.
    """
    alike = [one for one in beside if max(abs(one[0].width - seed.width), abs(one[0].height - seed.height)) <= slack]
    starts = np.array([patch.x0 for patch, _ in alike if abs(patch.y - seed.y) <= 1.5 * slack])
    company = [pair for pair in alike if np.abs(starts - pair[0].x0).min() <= 1.5 * slack]
    entries: dict[int, Entry] = {}
    for patch, label in sorted(company, key=lambda pair: abs(pair[0].y - seed.y) > 1.5 * slack):  # the row first
        name = _SIGN_BEFORE.sub("", label.text).strip()
        entries.setdefault(patch.colour, Entry(colour=patch.colour, name=name, label=with_patch(label, patch)))
    labels = {entry.label.box for entry in entries.values()}
    return list(entries.values()) if len(labels) == len(entries) else []


def with_patch(label: ChartLabel, patch: ColourPart) -> ChartLabel:
    """The label with its patch on its part of the page, where nothing else is drawn."""
    around = Box.around([label.page, Box(patch.x0 - 2, patch.y0 - 2, patch.x1 + 2, patch.y1 + 2)])
    return replace(label, page=around)


def are_years(axis: Axis) -> bool:
    return all(YEAR.fullmatch(tick.text) for tick in axis.ticks)


def outside_legend(labels: Sequence[ChartLabel], legend: Sequence[Entry]) -> tuple[ChartLabel, ...]:
    """The labels that are not the names of a legend."""
    rows = [entry.label.page for entry in legend]
    return tuple(
        label
        for label in labels
        if not any(label.page.x0 < r.x1 and r.x0 < label.page.x1 and r.y0 < label.y < r.y1 for r in rows)
    )


def is_sample(part: ColourPart, legend: Sequence[Entry]) -> bool:
    """Whether a part is the patch of an entry: three patches under each other would make a small bar chart."""
    return any(part.colour == entry.colour and _named_by(part, [entry.label]) is not None for entry in legend)


def _is_ink(patch: ColourPart, label: ChartLabel, palette: Palette) -> bool:
    """Whether a patch is a letter of the label: no wider than letters are, and much more of the label has its colour."""
    if patch.width > _WIDEST_LETTER * label.height:
        return False
    x0, y0, x1, y1 = (max(0, round(v)) for v in label.page)
    return int((palette.index[y0:y1, x0:x1] == patch.colour).sum()) > 1.8 * patch.area


def patches_with_names(
    patches: Sequence[ColourPart], labels: Sequence[ChartLabel], palette: Palette
) -> list[tuple[ColourPart, ChartLabel]]:
    pairs = [(patch, label) for patch in patches if (label := _named_by(patch, labels)) is not None]
    return [(patch, label) for patch, label in pairs if not _is_ink(patch, label, palette)]


def _cut(label: ChartLabel, patches: Sequence[ColourPart], palette: Palette) -> list[ChartLabel]:
    """A label that runs on over the patches of further entries, cut before each of them."""
    inner = _patches_within(label, patches, palette) if label.lie == "level" else []
    if not inner:
        return [label]
    within = sorted({round(patch.x) for patch in inner})
    edges = [0, *_boundaries(label, within), len(label.text)]
    starts = [label.box.x0, *map(float, within), label.box.x1]
    cut = []
    for (a, b), (x0, x1) in zip(pairwise(edges), pairwise(starts), strict=True):
        box = label.box._replace(x0=x0, x1=x1)
        if text := label.text[a:b].strip():
            cut.append(ChartLabel(text=text, box=box, page=box))
    return cut


def _patches_within(label: ChartLabel, patches: Sequence[ColourPart], palette: Palette) -> list[ColourPart]:
    """The patches that stand in a label's line, well within its ends, and are no dots of it."""
    left, right = label.box.x0 + label.height, label.box.x1 - label.height
    inner = [one for one in patches if left < one.x0 and one.x1 < right and one.width >= 6 and one.height >= 5]
    return [one for one in inner if abs(label.y - one.y) <= 0.3 * label.height and not _is_ink(one, label, palette)]


def _boundaries(label: ChartLabel, within: Sequence[float]) -> list[int]:
    """The places in the text nearest to the patches where new names can begin; years are all of one length."""
    if label.text.isdigit() and len(label.text) % (len(within) + 1) == 0:
        step = len(label.text) // (len(within) + 1)
        return [step * (number + 1) for number in range(len(within))]
    places = [m.start() for m in re.finditer(r"(?<=[a-z)%\d*])(?=[A-Z])|(?<=\s)|(?<=[a-z)])(?=\d)", label.text)]
    found = []
    for x in within:
        expected = (x - label.box.x0) / label.width * len(label.text)
        nearest = min(((abs(place - expected), place) for place in places), default=(0.0, round(expected)))
        found.append(nearest[1])
    return found


def patch_like(part: ColourPart, text: float) -> bool:
    filled = part.area / (part.width * part.height)
    sized = 4 <= part.height <= max(24, 1.1 * text) and 4 <= part.width <= max(_WIDEST_PATCH_PX, 1.6 * text)
    return sized and part.area >= 20 and filled >= 0.4


def _named_by(patch: ColourPart, labels: Sequence[ChartLabel]) -> ChartLabel | None:
    near = [
        label
        for label in labels
        if label.lie == "level"
        and any(map(str.isalnum, label.text))
        and abs(label.y - patch.y) <= 0.35 * label.height
        and label.box.x0 - patch.x1 <= 1.2 * label.height
        and patch.height <= 1.1 * label.height
        and patch.x0 - label.box.x0 <= 0.6 * label.height
    ]
    return min(near, key=lambda label: label.box.x0 - patch.x1, default=None)


def as_drawn(legend: tuple[Entry, ...], palette: Palette, marks: Collection[int]) -> tuple[Entry, ...]:
    """The legend with the colours of marks that are drawn in a paler tone than their patches; as it is if that is not sure."""
    if len(legend) != len(marks) or any(entry.colour in marks for entry in legend):
        return legend
    owners = [max(marks, key=lambda mark: _likeness(palette, mark, entry.colour)) for entry in legend]
    return _entries_in_colours(legend, palette, owners)


def in_fullest_tone(legend: tuple[Entry, ...], palette: Palette) -> tuple[Entry, ...]:
    """The legend with the deepest tone of each colour, in which lines are drawn whose patches are filled with a far paler one.

    Grey has none, for print is grey.
    """
    known = [entry.colour for entry in legend]
    tones = [n for n, one in enumerate(palette.colours) if n not in known and chroma(one) >= _COLOURFUL]
    owners = []
    for own in known:
        least = _PALER * palette.depth(own) if chroma(palette.colours[own]) >= _COLOURFUL else math.inf
        deeper = [one for one in tones if palette.depth(one) >= least and _likeness(palette, one, own) >= _SAME_TONE]
        owners.append(max((own, *deeper), key=palette.depth))
    return _entries_in_colours(legend, palette, owners)


def _entries_in_colours(legend: tuple[Entry, ...], palette: Palette, owners: Sequence[int]) -> tuple[Entry, ...]:
    """The legend in other colours, one for each entry and each like its own; as it is if they are not."""
    alike = all(_likeness(palette, one, entry.colour) >= _SAME_RAY for entry, one in zip(legend, owners, strict=True))
    if not alike or len(set(owners)) < len(legend):
        return legend
    return tuple(replace(entry, colour=one) for entry, one in zip(legend, owners, strict=True))


def _likeness(palette: Palette, one: int, other: int) -> float:
    """How alike the directions of two colours from the paper are: 1 for tones of one colour, as a cosine."""
    paper = np.array(palette.colours[0], np.float64)
    here, there = paper - palette.colours[one], paper - palette.colours[other]
    return float(here @ there) / max(float(np.linalg.norm(here) * np.linalg.norm(there)), 1.0)
