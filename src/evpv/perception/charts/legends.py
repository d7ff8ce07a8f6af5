"""Legends: a patch of colour with a name to its right, or a sample, thin or thick, whole or dashed, before each name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels, runs_apart
from evpv.perception.charts.axes import find_axis
from evpv.perception.charts.labels import YEAR, ChartLabel, is_wordy, text_height
from evpv.perception.charts.palette import ColourPart, Palette

_SIGN_BEFORE = re.compile(r"^[\W_]+(?=\w)|^[oO•] (?=\w)")  # a patch that was taken for one
_WIDEST_LETTER = 0.6  # of the height of a label's box


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

    Patches of a legend are all of one size, which tells them from dots and letters that happen to stand before a word.
    """
    height = text_height(labels)
    patches = [part for part in parts if _patch_like(part, height)]
    pieces = [piece for label in labels for piece in _cut(label, patches, palette)]
    beside = _patches_with_names(patches, pieces, palette)
    slack = max(2.0, 0.08 * height)
    best = max((_entries_like(seed, beside, slack) for seed, _ in beside), key=len, default=[])
    if len(best) < 2 or _is_colour_scale([entry.label for entry in best]):
        return ()
    return tuple(sorted(best, key=lambda e: (round(e.label.y / 8), e.label.x)))


def _entries_like(seed: ColourPart, beside: Sequence[tuple[ColourPart, ChartLabel]], slack: float) -> list[Entry]:
    """One entry for each colour of the seed's company; none if two colours have one name."""
    entries: dict[int, Entry] = {}
    for patch, label in _patches_like(seed, beside, slack):
        name = _SIGN_BEFORE.sub("", label.text).strip()
        entries.setdefault(patch.colour, Entry(colour=patch.colour, name=name, label=label))
    labels = {id(entry.label) for entry in entries.values()}
    return list(entries.values()) if len(labels) == len(entries) else []


def _is_colour_scale(names: Sequence[ChartLabel]) -> bool:
    """Whether names are the ticks of a strip of colours: numbers that grow evenly upwards."""
    axis = find_axis(names, upward=True)
    return axis is not None and len(axis.ticks) >= len(names) - 1


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


def _patches_with_names(
    patches: Sequence[ColourPart], labels: Sequence[ChartLabel], palette: Palette
) -> list[tuple[ColourPart, ChartLabel]]:
    pairs = [(patch, label) for patch in patches if (label := _named_by(patch, labels)) is not None]
    return [(patch, label) for patch, label in pairs if not _is_ink(patch, label, palette)]


def _cut(label: ChartLabel, patches: Sequence[ColourPart], palette: Palette) -> list[ChartLabel]:
    """A label that runs on over the patches of further entries, cut before each of them."""
    inner = [patch for patch in patches if _stands_in(patch, label) and not _is_ink(patch, label, palette)]
    if not inner or label.lie != "level":
        return [label]
    within = sorted({round(patch.x) for patch in inner})
    edges = [0, *_boundaries(label, within), len(label.text)]
    starts = [label.box.x0, *map(float, within), label.box.x1]
    cut = []
    for (a, b), (x0, x1) in zip(pairwise(edges), pairwise(starts), strict=True):
        box = label.box._replace(x0=x0, x1=x1)
        if label.text[a:b].strip():
            cut.append(ChartLabel(text=label.text[a:b].strip(), box=box, page=box))
    return cut


def _stands_in(patch: ColourPart, label: ChartLabel) -> bool:
    """Whether a patch stands in the line of a label, well within its ends, and is no dot of it."""
    inside = label.box.x0 + label.height < patch.x0 and patch.x1 < label.box.x1 - label.height
    return inside and abs(label.y - patch.y) <= 0.3 * label.height and patch.width >= 6 and patch.height >= 5


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


def _patches_like(
    seed: ColourPart, beside: Sequence[tuple[ColourPart, ChartLabel]], slack: float
) -> list[tuple[ColourPart, ChartLabel]]:
    """The patches of one legend: of one size, in the seed's row, or under a patch of that row."""
    alike = [one for one in beside if max(abs(one[0].width - seed.width), abs(one[0].height - seed.height)) <= slack]
    row = [pair for pair in alike if abs(pair[0].y - seed.y) <= 1.5 * slack]
    starts = np.array([patch.x0 for patch, _ in row])
    others = [pair for pair in alike if pair not in row]
    return row + [pair for pair in others if np.abs(starts - pair[0].x0).min() <= 1.5 * slack]


def _patch_like(part: ColourPart, text: float) -> bool:
    filled = part.area / (part.width * part.height)
    sized = 4 <= part.height <= max(24, 1.1 * text) and 4 <= part.width <= max(40, 1.6 * text)
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
    groups = [_samples_like(seed, found) for seed in found]
    best = max((group for group in groups if any(map(_is_colourful, group))), key=len, default=[])
    entries = {entry.colour: entry for entry in (_entry(sample, palette) for sample in reversed(best))}
    return tuple(entries.values()) if len(entries) > 1 else ()


def _names_of_keys(labels: Sequence[ChartLabel]) -> list[ChartLabel]:
    """The labels that a sample may stand before: no ticks, and no numbers but years."""
    free = list(labels)
    for axis in filter(None, (find_axis(labels, upward=True), find_axis(labels, upward=False))):
        free = axis.others(free)
    return [label for label in free if label.quantity is None or YEAR.fullmatch(label.text)]


def lone_keys(chart: Chart) -> tuple[Entry, ...]:
    """Samples without company that are surely some: in a plot of lines one may be named and others not."""
    found = filter(None, (_sample(chart.picture, one, chart.every) for one in chart.every))
    return tuple(_entry(sample, chart.palette) for sample in found if _stands_alone(sample))


def _samples_like(seed: _Sample, samples: Sequence[_Sample]) -> list[_Sample]:
    """The samples of the seed's legend, each of another colour."""
    company = [seed]
    for other in samples:
        if other.is_like(seed) and all(np.linalg.norm(other.colour - one.colour) > _INKED / 2 for one in company):
            company.append(other)
    return company


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
    strip = _strip(picture, label, labels) if _can_be_key(label) else None
    if strip is None:
        return None
    height = label.page.height
    first, end = _run_before(strip, label)
    colour = _pure_colour(strip.band[:, first : end + 1], strip.ground)
    if colour is None or (strip.open and first <= 1) or not 3 <= end - first <= _LONGEST * height:
        return None
    if _rise(strip.ink[:, first : end + 1]) > 0.1 * height or _is_sign(strip, label, first, end, colour):
        return None
    thin = float(np.median(strip.inked[:, first : end + 1].sum(axis=0))) <= _THIN * height
    x0, x1 = strip.left + first, strip.left + end
    return _Sample(label=label, thin=thin, colour=colour, ground=strip.ground, x0=x0, x1=x1)


def _can_be_key(label: ChartLabel) -> bool:
    return label.lie == "level" and len(label.text) <= _LONGEST_KEY and any(map(str.isalnum, label.text))


def _run_before(strip: _Strip, label: ChartLabel) -> tuple[int, int]:
    """The columns of the run of colour that ends nearest before a label; 0 and 0 where there is none."""
    start = round(label.page.x0 - strip.left)
    if _DASH_READ.match(label.text):
        tip = _first_ink(strip.ink, start, label.page.height)
    else:
        tip = _tip(strip.band, strip.ink, start, label.page.height)
    colour = _pure_colour(strip.band[:, tip], strip.ground) if tip is not None else None
    if tip is None or colour is None:
        return 0, 0
    of_colour = np.flatnonzero((strip.ink & _on_ray(strip.band, colour, strip.ground)).any(axis=0))
    return _run_at(of_colour, tip.start, _DASH * label.page.height)


def _is_sign(strip: _Strip, label: ChartLabel, first: int, end: int, colour: _Colour) -> bool:
    """Whether a run of colour is a sign of the text itself."""
    page, height = label.page, label.page.height
    text = strip.band[:, max(round(page.x0) - strip.left, end + 2) : round(page.x1) - strip.left]
    same = text.size > 0 and float(_on_ray(text, colour, strip.ground).mean()) > _TINTED
    if strip.left + end > page.x0 + 0.5 * height and (same or text.shape[1] < height):
        return True
    return same and end - first < 1.5 * height


def _rise(ink: NDArray[np.bool_]) -> float:
    """How far the ends of a run of ink are apart in height: both have ink, for a run starts and ends with its colour."""
    left, right = (np.argwhere(end)[:, 0].mean() for end in (ink[:, :3], ink[:, -3:]))
    return abs(float(left - right))


def _first_ink(ink: NDArray[np.bool_], start: int, height: float) -> slice | None:
    """The first columns with ink in a label whose sample was read as a dash before its name."""
    inside = start + np.flatnonzero(ink[:, start:].any(axis=0))
    return slice(int(inside[0]), int(inside[0]) + round(height / 4)) if len(inside) else None


def _tip(band: _Colour, ink: NDArray[np.bool_], start: int, height: float) -> slice | None:
    """The last columns with ink before a label starts, or the first of colour inside it, if its box holds its sample."""
    half = round(height / 2)
    before = np.flatnonzero(ink[:, :start].any(axis=0))
    if len(before) and start - before[-1] <= _GAP * height:
        return slice(max(int(before[-1]) - half, 0), int(before[-1]) + 1)
    colourful = (np.ptp(band, axis=2) >= _TINTED_SAMPLE) & ink
    inside = start + np.flatnonzero(colourful[:, start : start + 3 * half].any(axis=0))
    return slice(int(inside[0]), int(inside[0]) + half) if len(inside) else None


def _run_at(columns: NDArray[np.int64], place: int, gap: float) -> tuple[int, int]:
    """The ends of the run of columns that holds a place, or ends next to it."""
    runs = [run for run in runs_apart(columns, gap) if len(run)]
    run = min(runs, key=lambda one: max(one[0] - place, place - one[-1], 0), default=columns)
    return (int(run[0]), int(run[-1])) if len(run) else (0, 0)


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
