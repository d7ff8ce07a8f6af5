"""Samples of a legend: a line or a patch, whole or dashed, that ends right before its name, alone or among others of its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels, runs_apart
from evpv.perception.charts.axes import find_axis
from evpv.perception.charts.labels import YEAR, ChartLabel, is_wordy, text_height
from evpv.perception.charts.legends import Chart, Entry, are_years, patch_like, patches_with_names, with_patch
from evpv.perception.charts.palette import ColourPart, Palette

_SOLID = 0.95  # of its box that the patch of a bar fills
_MOST_LINES = 8  # from the first name of a legend to the last
_SAMPLE = 6.0  # heights of its name that a sample may reach before it
_LONGEST = 5.0  # heights of its name that a sample is long; what is longer comes from the plot
_GAP, _DASH = 1.6, 0.46  # heights of a name between it and its sample, and between the dashes of one
# Of a name's height above and below its middle: where its sample is, and where no sample reaches.
_BAND, _EDGE = 0.3, 0.48
_INKED, _TINTED_SAMPLE = 40.0, 40  # how far from the ground a sample's colour is, and from grey where it stands alone
_SAME_RAY = 0.97
_TINTED = 0.05  # of a name's pixels, at least, have the colour that it is printed in
_THIN = 0.3  # of a name's height, for a sample that is a line
_SAMPLE_READ = re.compile(r"^(?:[-–—_•·~=+*.…\s]+(?:[oO0QD][-–—_]+\s*)?|[oO0QD][-–—_]+\s*)")  # may have a marker
_DASH_READ = re.compile(r"[-–—_]+ (?!.*\d ?%$)")  # a line; before a share it points at a slice
_PURE = 0.7  # of a sample's pixels, at least, have its colour in some thinness
_ALIKE_PX = 3.0
_LONGEST_KEY = 40

_Colour = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    """The run of colour before a label, from where to where; thin if it is a line."""

    label: ChartLabel
    thin: bool
    colour: _Colour
    ground: _Colour
    x0: float
    x1: float

    def is_like(self, other: _Sample) -> bool:
        """Whether two samples are of one legend: of one length, under each other or in one row before their names."""
        slack = 0.4 * min(self.label.height, other.label.height)
        gaps = self.label.box.x0 - self.x1, other.label.box.x0 - other.x1
        if abs(self.x0 - other.x0) <= _ALIKE_PX and abs(self.x1 - other.x1) <= slack:
            return True
        in_row = abs(self.label.y - other.label.y) <= slack and abs(gaps[0] - gaps[1]) <= slack
        return in_row and abs((self.x1 - self.x0) - (other.x1 - other.x0)) <= _ALIKE_PX


def sample_legend(picture: Pixels, palette: Palette, labels: Sequence[ChartLabel]) -> tuple[Entry, ...]:
    """The legend whose samples are alike: of one length, each as far before its name, under each other or side by side."""
    found = list(filter(None, (_sample(picture, name, labels) for name in _names_of_keys(labels))))
    companies = (_company(seed, found) for seed in found)
    best = max((one for one in companies if any(map(_is_colourful, one))), key=len, default=[])
    entries = {entry.colour: entry for entry in (_entry(sample, palette) for sample in reversed(best))}
    return tuple(entries.values()) if len(entries) > 1 else ()


def _company(seed: _Sample, found: Sequence[_Sample]) -> list[_Sample]:
    """The samples that are like one, each of another colour."""
    company = [seed]
    for other in (one for one in found if one.is_like(seed)):
        if all(np.linalg.norm(other.colour - one.colour) > _INKED / 2 for one in company):
            company.append(other)
    return company


def mixed_legend(
    picture: Pixels, palette: Palette, parts: Sequence[ColourPart], labels: Sequence[ChartLabel]
) -> tuple[Entry, ...]:
    """The legend of bars and lines: patches and samples of lines before names that stand in one column or row."""
    patches = [part for part in parts if patch_like(part, text_height(labels)) and part.colour]
    names = _names_of_keys(labels)
    blocks = [
        Entry(colour=patch.colour, name=label.text, label=with_patch(label, patch))
        for patch, label in patches_with_names(patches, names, palette)
        if patch.area >= _SOLID * patch.width * patch.height
    ]
    found = filter(None, (_sample(picture, label, labels) for label in names))
    lines = [_entry(sample, palette) for sample in found if _stands_alone(sample)]
    return max((_listed_with(block, blocks, lines) for block in blocks), key=len, default=())


def _listed_with(block: Entry, blocks: Sequence[Entry], lines: Sequence[Entry]) -> tuple[Entry, ...]:
    """The patches and lines of a patch's legend; nothing without lines."""
    company = [one for one in lines if one.colour != block.colour and _are_listed(block.label, one.label)]
    alike = [one for one in blocks if _are_listed(block.label, one.label)]
    entries = {entry.colour: entry for entry in (*alike, *company)}
    return tuple(entries.values()) if company else ()


def _are_listed(one: ChartLabel, other: ChartLabel) -> bool:
    """Whether two names stand in one column, line by line, or in one row."""
    height = min(one.height, other.height)
    in_column = abs(one.box.x0 - other.box.x0) <= 0.3 * height and abs(one.y - other.y) <= _MOST_LINES * height
    return in_column or abs(one.y - other.y) <= 0.3 * height


def _names_of_keys(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The labels that a sample may stand before: no ticks, and no numbers but years."""
    free, upward, across = list(labels), find_axis(labels, upward=True), find_axis(labels, upward=False)
    if upward is not None and not are_years(upward):  # years under each other are a legend's
        free = upward.others(free)
    if across is not None:
        free = across.others(free)
    return [label for label in free if label.quantity is None or YEAR.fullmatch(label.text)]


def lone_keys(chart: Chart) -> tuple[Entry, ...]:
    """Samples without company that are surely some: in a plot of lines one may be named and others not."""
    found = filter(None, (_sample(chart.picture, one, chart.every) for one in chart.every))
    return tuple(_entry(sample, chart.palette) for sample in found if _stands_alone(sample))


def _stands_alone(sample: _Sample) -> bool:
    """Whether a sample is surely one without any company: a colourful line before a word, longer than a letter."""
    long = sample.x1 - sample.x0 >= 1.2 * sample.label.height
    return long and sample.thin and is_wordy(sample.label) and _is_colourful(sample)


def _is_colourful(sample: _Sample) -> bool:
    return float(np.ptp(sample.colour)) >= _TINTED_SAMPLE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Strip:
    """What stands before and in a label: its pixels, those with ink, and its ground; `open` if nothing bounds it at the left."""

    left: int
    pixels: _Colour
    inked: NDArray[np.bool_]
    ground: _Colour
    margin: int
    open: bool

    @property
    def band(self) -> _Colour:
        """The middle of it, where a sample is."""
        return self.pixels[self.margin : -self.margin]

    @property
    def ink(self) -> NDArray[np.bool_]:
        return self.inked[self.margin : -self.margin]


def _strip(picture: Pixels, label: ChartLabel, labels: Sequence[ChartLabel]) -> _Strip | None:
    page, height = label.page, label.page.height
    before = [one.page.x1 for one in labels if one.page.x1 <= page.x0 and one.page.y0 < page.y < one.page.y1]
    left = max([page.x0 - _SAMPLE * height, 0.0, *before])
    rows, columns = Box(left, page.y - _EDGE * height, page.x0 + _SAMPLE * height, page.y + _EDGE * height).slices()
    pixels = picture[rows, columns].astype(np.float32)
    if min(pixels.shape[:2]) < 5:
        return None
    ground = np.asarray(np.median(np.concatenate([pixels[0], pixels[-1]]), axis=0), np.float32)
    inked = np.linalg.norm(pixels - ground, axis=2) > _INKED
    inked[:, inked.all(axis=0)] = False  # the frame of a legend
    margin = max(round((_EDGE - _BAND) * height), 1)
    is_open = not before and columns.start > 1
    return _Strip(left=columns.start, pixels=pixels, inked=inked, ground=ground, margin=margin, open=is_open)


def _sample(picture: Pixels, label: ChartLabel, labels: Sequence[ChartLabel]) -> _Sample | None:
    """The run of one colour that ends before a label, or inside its box if that was drawn around both."""
    can_be_key = label.lie == "level" and len(label.text) <= _LONGEST_KEY and any(map(str.isalnum, label.text))
    strip = _strip(picture, label, labels) if can_be_key else None
    if strip is None:
        return None
    height = label.page.height
    first, end = _run_before(strip, label)
    run = slice(first, end + 1)
    colour = _pure_colour(strip.band[:, run], strip.ground)
    if colour is None or not 3 <= end - first <= _LONGEST * height:
        return None
    # Both ends of a run have ink, for it starts and ends with its colour; those of a sample are at one height.
    left, right = (np.argwhere(ends)[:, 0].mean() for ends in (strip.ink[:, run][:, :3], strip.ink[:, run][:, -3:]))
    if abs(float(left - right)) > 0.1 * height or _is_sign(strip, label, first, end, colour):
        return None
    thin = float(np.median(strip.inked[:, run].sum(axis=0))) <= _THIN * height
    x0, x1 = strip.left + first, strip.left + end
    return _Sample(label=label, thin=thin, colour=colour, ground=strip.ground, x0=x0, x1=x1)


def _run_before(strip: _Strip, label: ChartLabel) -> tuple[int, int]:
    """The columns of the run of colour that ends nearest before a label; 0 and 0 where there is none, or nothing bounds it."""
    tip = _tip(strip, label)
    colour = _pure_colour(strip.band[:, tip], strip.ground) if tip is not None else None
    if tip is None or colour is None:
        return 0, 0
    of_colour = np.flatnonzero((strip.ink & _on_ray(strip.band, colour, strip.ground)).any(axis=0))
    runs = [run for run in runs_apart(of_colour, _DASH * label.page.height) if len(run)]
    run = min(runs, key=lambda one: max(one[0] - tip.start, tip.start - one[-1], 0), default=of_colour)
    bounded = len(run) > 0 and not (strip.open and run[0] <= 1)
    return (int(run[0]), int(run[-1])) if bounded else (0, 0)


def _is_sign(strip: _Strip, label: ChartLabel, first: int, end: int, colour: _Colour) -> bool:
    """Whether a run of colour is a sign of the text itself."""
    page, height = label.page, label.page.height
    text = strip.band[:, max(round(page.x0) - strip.left, end + 2) : round(page.x1) - strip.left]
    same = text.size > 0 and float(_on_ray(text, colour, strip.ground).mean()) > _TINTED
    if strip.left + end > page.x0 + 0.5 * height and (same or text.shape[1] < height):
        return True
    return same and end - first < 1.5 * height


def _tip(strip: _Strip, label: ChartLabel) -> slice | None:
    """The last columns with ink before a label starts, or the first of colour inside it, if its box holds its sample.

    Those with any ink, if the sample was read as a dash before the name.
    """
    ink, height = strip.ink, label.page.height
    start, half = round(label.page.x0 - strip.left), round(height / 2)
    if _DASH_READ.match(label.text):
        length, inside = round(height / 4), np.flatnonzero(ink[:, start:].any(axis=0))
    else:
        before = np.flatnonzero(ink[:, :start].any(axis=0))
        if len(before) and start - before[-1] <= _GAP * height:
            return slice(max(int(before[-1]) - half, 0), int(before[-1]) + 1)
        colourful = (np.ptp(strip.band, axis=2) >= _TINTED_SAMPLE) & ink
        length, inside = half, np.flatnonzero(colourful[:, start : start + 3 * half].any(axis=0))
    return slice(start + int(inside[0]), start + int(inside[0]) + length) if len(inside) else None


def _on_ray(pixels: _Colour, colour: _Colour, ground: _Colour) -> NDArray[np.bool_]:
    """Which pixels have a colour in some thinness."""
    away, own = pixels - ground, colour - ground
    depth = np.linalg.norm(away, axis=-1) * np.linalg.norm(own)
    rays: NDArray[np.bool_] = away @ own >= _SAME_RAY * np.maximum(depth, 1.0)
    return rays


def _pure_colour(pixels: _Colour, ground: _Colour) -> _Colour | None:
    """The full colour of a sample's pixels, if nearly all of them have it in some thinness."""
    depth = np.linalg.norm(pixels - ground, axis=2)
    inked = depth > _INKED
    if not inked.any():
        return None
    deep = pixels[inked & (depth >= 0.8 * float(np.quantile(depth[inked], 0.9)))]
    colour = np.asarray(np.median(deep, axis=0), np.float32)
    return colour if float(_on_ray(pixels[inked], colour, ground).mean()) >= _PURE else None


def _entry(sample: _Sample, palette: Palette) -> Entry:
    """The sample as an entry of the palette's colour that is nearest to its own, or a fuller tone of it."""
    colours = np.array(palette.colours, np.float32)
    fuller = _on_ray(colours, sample.colour, sample.ground) & (
        np.linalg.norm(colours - sample.ground, axis=1) >= np.linalg.norm(sample.colour - sample.ground) - _INKED / 4
    )
    far = np.linalg.norm(colours - sample.colour, axis=1) + np.where(fuller, 0.0, _INKED)
    label = replace(sample.label, page=sample.label.page._replace(x0=sample.x0))
    return Entry(colour=int(far.argmin()), name=_SAMPLE_READ.sub("", sample.label.text).strip(), label=label)
