"""Pie charts: the disc, its slices, and the names and shares printed around or in them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import groups_of
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import ChartLabel, PrintedNumber, is_wordy, page_of, parse_quantity
from evpv.perception.charts.legends import Chart
from evpv.perception.charts.palette import Palette
from evpv.perception.charts.slots import join

_ANGLES = 1440
_LEAST_DISC = 0.25  # of the shorter side of the picture
_ALL_NAMED = 0.9  # of the circle; what else is there is no slice
_LEAST_ROUND = 0.92  # of a disc and what may be one, that both have in common
_LEAST_PANEL = 0.2  # of the picture, covered by a panel behind a pie
_LONGEST_NAME = 10  # words; longer texts around a pie are notes
_MOST_UNNAMED = 0.35  # of the circle; with less of it named, the names are rather those of something else
_OFF = 0.4  # per cent of the circle that a measured share may be off
_CENTRE = 0.25
_PER_CENT = 100.0
_SHARE = "Share"  # what a pie shows of its whole, whatever its title
_NAMED_VALUE = re.compile(r"^(?P<name>.*?[^\W\d_].*?)[\s:–-]*(?<![\d.,])(?P<value>[<~]?\d[\d.,]*\s?%?)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Disc:
    """A pie's circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slice:
    """One slice: its colour, its share of the circle, and the middle of its arc in radians, clockwise from the top."""

    colour: int
    share: float
    middle: float


class _Block(NamedTuple):
    """Lines of text that belong together: their name, their number, and the labels themselves."""

    text: str
    quantity: PrintedNumber | None
    labels: tuple[ChartLabel, ...]

    @property
    def is_share(self) -> bool:
        return self.quantity is not None and self.quantity.unit == "%"


def _find_disc(palette: Palette) -> _Disc | None:
    """The pie of a picture: the largest part that is not paper, nor of a panel on it, if it is round."""
    panels = [number for number in range(1, len(palette.colours)) if palette.mask(number).mean() >= _LEAST_PANEL]
    grounds = [palette.index != 0, *((palette.index != 0) & (palette.index != number) for number in panels)]
    return next(filter(None, (_disc_of(ink.view(np.uint8)) for ink in grounds)), None)


def _disc_of(ink: NDArray[np.uint8]) -> _Disc | None:
    solid = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    solid = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, parts, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    if len(stats) < 2:
        return None
    number = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y, width, height, _ = stats[number].tolist()
    outlines, _ = cv2.findContours((parts == number).view(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)  # with the hole of a ring
    round_enough = 0.92 <= width / height <= 1.08 and _overlap_with_disc(outline) >= _LEAST_ROUND
    if not round_enough or min(width, height) < _LEAST_DISC * min(ink.shape):
        return None
    return _Disc(x=x + width / 2, y=y + height / 2, radius=(width + height) / 4)


def _overlap_with_disc(outline: NDArray[np.int32]) -> float:
    """How much of a filled outline and of the ellipse in its box they have in common: a staircase may be as large as one."""
    x, y, width, height = cv2.boundingRect(outline)
    shape, disc = np.zeros((2, height, width), np.uint8)
    cv2.drawContours(shape, [outline], -1, 1, cv2.FILLED, offset=(-x, -y))
    half = width // 2, height // 2
    cv2.ellipse(disc, half, half, 0.0, 0.0, 360.0, 1, cv2.FILLED)
    return int((shape & disc).sum()) / int((shape | disc).sum())


def _find_slices(chart: Chart, disc: _Disc) -> list[_Slice]:
    """The slices by the colour most of each ray from the centre has; white gaps and text between them do not count.

    Where a legend names nearly all of them, other colours are the blurred edges of these.
    """
    index = chart.palette.index
    angles = np.arange(_ANGLES) * 2 * math.pi / _ANGLES
    radii = np.linspace(0.35, 0.95, 13) * disc.radius
    columns = np.clip(np.round(disc.x + np.sin(angles)[:, None] * radii).astype(int), 0, index.shape[1] - 1)
    rows = np.clip(np.round(disc.y - np.cos(angles)[:, None] * radii).astype(int), 0, index.shape[0] - 1)
    rays = index[rows, columns]
    counts = np.stack([(rays == number).sum(axis=1) for number in range(len(chart.palette.colours))], axis=1)
    counts[:, 0] = 0
    colours = np.where(counts.max(axis=1) >= 4, counts.argmax(axis=1), -1)
    named = np.isin(colours, list(chart.names))
    known = np.flatnonzero(named if named.mean() >= _ALL_NAMED else colours > 0)
    if not len(known):
        return []
    filled = colours[known[np.abs(known[None, :] - np.arange(_ANGLES)[:, None]).argmin(axis=1)]]
    start = int(np.flatnonzero(filled != np.roll(filled, 1))[0]) if (filled != filled[0]).any() else 0
    rolled = np.roll(filled, -start)
    slices = []
    for a, b in itertools.pairwise([0, *(np.flatnonzero(np.diff(rolled)) + 1).tolist(), _ANGLES]):
        middle = ((a + b) / 2 + start) % _ANGLES * 2 * math.pi / _ANGLES
        if b - a >= 3:
            slices.append(_Slice(colour=int(rolled[a]), share=(b - a) / _ANGLES, middle=middle))
    return slices


def read_pie(chart: Chart) -> list[ChartValue]:
    """Each name with its share: printed where the slice bears it out, else measured as part of the circle."""
    disc = _find_disc(chart.palette)
    slices = _find_slices(chart, disc) if disc else []
    if disc is None or len(slices) < 2:
        return []
    blocks = _blocks_at(disc, chart.labels)
    whole = _whole_of(blocks, slices)
    if whole == _PER_CENT:
        return _read_shares(disc, slices, blocks, chart.names)
    plain = []
    for block in (one for one in blocks if not one.is_share):
        number = block.quantity
        share = replace(number, value=_PER_CENT * number.full / whole, scale=1.0) if number else None
        plain.append(block._replace(quantity=share))
    facts = _read_shares(disc, slices, plain, chart.names)
    return [replace(fact, series="", value=float(f"{fact.value * whole / _PER_CENT:.10g}")) for fact in facts]


def _blocks_at(disc: _Disc, labels: Sequence[ChartLabel]) -> list[_Block]:
    """The texts around and in a pie that may be its slices' labels."""
    lines = sorted((one for one in labels if one.lie != "upright"), key=lambda one: (one.page.y0, one.page.x0))
    near = [group for group in groups_of(lines, _continues) if _near(group, disc)]
    return [_Block(*_parts(join(group)), tuple(group)) for group in near]


def _read_shares(
    disc: _Disc, slices: Sequence[_Slice], blocks: Sequence[_Block], named: Mapping[int, str]
) -> list[ChartValue]:
    """The facts of slices by the texts around and in them: those with a number first, then the nearer ones."""
    order = sorted(blocks, key=lambda one: (one.quantity is None, _distance(one.labels, disc)))
    placed = [(block, slice_) for block in order if (slice_ := _slice_of(block, disc, slices, named)) is not None]
    facts = _printed_shares(placed, named)
    left = [one for one in slices if one not in facts]
    if sum(one.share for one in left if one.colour not in named) > _MOST_UNNAMED:
        return []
    by_legend = [_fact(named[one.colour], None, one, ()) for one in left if one.colour in named]
    return [*itertools.chain.from_iterable(facts.values()), *by_legend]


def _printed_shares(
    placed: Sequence[tuple[_Block, _Slice]], named: Mapping[int, str]
) -> dict[_Slice, list[ChartValue]]:
    """The facts of the slices at which texts stand; a number alone in a slice is that of a name outside it.

    No slice's label is a share above the whole, or a sentence, or a second one without a number.
    """
    facts: dict[_Slice, list[ChartValue]] = {}
    inside: dict[_Slice, PrintedNumber] = {}
    for block, slice_ in placed:
        name = named.get(slice_.colour, block.text)
        if block.quantity is not None and not name:
            inside[slice_] = block.quantity
            continue
        quantity = block.quantity or inside.pop(slice_, None)
        if quantity is not None:
            fits = 0 <= quantity.value <= 100
        else:
            fits = slice_ not in facts and len(name.split()) <= _LONGEST_NAME
        if name and fits:
            facts.setdefault(slice_, []).append(_fact(name, quantity, slice_, block.labels))
    return facts


def _whole_of(blocks: Sequence[_Block], slices: Sequence[_Slice]) -> float:
    """What the printed numbers are parts of: what nearly all of them and their slices bear out, else a hundred per cent.

    Any one of the slices may be without a number.
    """
    numbers = [block.quantity.full for block in blocks if block.quantity and not block.is_share]
    plain = sorted((number for number in numbers if number > 0), reverse=True)
    if not max(2, len(slices) - 1) <= len(plain) <= len(slices):
        return _PER_CENT
    wholes = _fitting_wholes(plain, sorted((one.share for one in slices), reverse=True))
    return wholes[0] if len(wholes) == 1 and abs(wholes[0] - _PER_CENT) > 2 else _PER_CENT


def _fitting_wholes(numbers: Sequence[float], shares: Sequence[float]) -> list[float]:
    """What numbers are parts of, by each choice of as many shares that all of them fit."""
    wholes = []
    for parts in itertools.combinations(shares, len(numbers)):
        whole = sum(numbers) / sum(parts)
        if all(abs(number / whole - part) <= 0.02 for number, part in zip(numbers, parts, strict=True)):
            wholes.append(whole)
    return wholes


def _fact(name: str, quantity: PrintedNumber | None, slice_: _Slice, block: Sequence[ChartLabel]) -> ChartValue:
    box = page_of(block) if block else None
    share = 100 * slice_.share
    if quantity is None:
        evidence = ValueSource.MEASURED if slice_.share > 0.03 else ValueSource.ROUGH
        return ChartValue(
            category=name, series=_SHARE, value=round(share, 1), unit="%", evidence=evidence, box=box, error=_OFF
        )
    return ChartValue.from_print(quantity, box, category=name, series=_SHARE, agrees=abs(quantity.value - share) <= 1.5)


def _continues(label: ChartLabel, block: Sequence[ChartLabel]) -> bool:
    last = block[-1]
    height = min(label.height, last.height)
    overlap = min(label.page.x1, last.page.x1) - max(label.page.x0, last.page.x0)
    below = 0 < label.y - last.y <= 1.1 * height and overlap > 0.3 * min(label.width, last.width)
    beside = abs(label.y - last.y) <= 0.3 * height and 0 <= label.page.x0 - last.page.x1 + 6 <= height
    return (below or beside) and _parts(join(block))[1] is None


def _parts(text: str) -> tuple[str, PrintedNumber | None]:
    """A label's name and number: "Photos 72%" has both, others one of the two."""
    text = re.sub(r"^[\W_]+(?=\w)", "", text)
    alone = parse_quantity(text)
    if alone is not None:
        return "", alone
    found = _NAMED_VALUE.match(text)
    if found is None:
        return text, None
    return found["name"].strip(" :-–"), parse_quantity(found["value"])


def _near(block: Sequence[ChartLabel], disc: _Disc) -> bool:
    """Whether a block may be a slice's label; what stands at the centre, as in the hole of a ring, speaks of the whole."""
    box, (_, y) = page_of(block), _nearest_point(block, disc)
    if math.hypot(box.x - disc.x, box.y - disc.y) < _CENTRE * disc.radius:
        return False
    wordy = any(is_wordy(label) or label.quantity is not None for label in block)
    return wordy and _distance(block, disc) <= 1.45 * disc.radius and abs(y - disc.y) <= 1.3 * disc.radius


def _distance(block: Sequence[ChartLabel], disc: _Disc) -> float:
    """From the centre to the block: of two names that could be a slice's, the farther one is rather a title."""
    x, y = _nearest_point(block, disc)
    return math.hypot(x - disc.x, y - disc.y)


def _nearest_point(block: Sequence[ChartLabel], disc: _Disc) -> tuple[float, float]:
    box = page_of(block)
    return min(max(disc.x, box.x0), box.x1), min(max(disc.y, box.y0), box.y1)


def _slice_of(block: _Block, disc: _Disc, slices: Sequence[_Slice], named: Container[int]) -> _Slice | None:
    """The slice a block points at: the nearest by angle, and by share where a number is printed.

    Where the legend names a slice, text without a number is a title.
    """
    quantity, box = block.quantity, page_of(block.labels)
    x = box.x
    if not box.x0 <= disc.x <= box.x1:
        x = box.x0 if box.x0 > disc.x else box.x1  # a block beside the disc points at it with its near end
    angle = math.atan2(x - disc.x, disc.y - box.y) % (2 * math.pi)

    def cost(slice_: _Slice) -> float:
        turn = abs((angle - slice_.middle + math.pi) % (2 * math.pi) - math.pi)
        outside = max(0.0, turn - math.pi * slice_.share)
        return outside + (abs(quantity.value / 100 - slice_.share) * 8 if quantity else 0.2 * turn)

    best = min(slices, key=cost)
    return best if quantity is not None or (cost(best) < 0.5 and best.colour not in named) else None
