"""Function graphs in axes: tick calibration, the traced curve, and what can be read off it.

Everything here is measured against the axes, so the facts are estimates, snapped to whole numbers where they are near.
Without two calibrated axes or a traced curve nothing is said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, darkest, lightest, runs_apart
from evpv.perception.competition import FigureReading
from evpv.perception.graph_features import Curve, Features, find_features
from evpv.perception.ocr import Word
from evpv.types import Box, Constraint, Numeric, Relation, Structure

_Mask = NDArray[np.uint8]

_NUMBER = re.compile(r"[-−–]?\d+(?:\.\d+)?")
_TICK_MARKS = "-+.·_"  # how the tick beside its label is read
_ALIGNED = 0.7  # of a tick label's height: how far from a common row or column its middle may be
_MIN_TICKS = 3
_MAX_GAP_PX = 14  # columns that an axis or a grid line may hide
_MIN_CURVE_SHARE = 0.15  # of the plot's columns in which the curve must be seen
_AXIS_SHARE = 0.45  # of the picture's width or height, at least; level stretches of a curve are shorter
_SAYS_SOMETHING = re.compile(r"=|[^\W\d]\s?\(|[^\W\d]{3}")  # print, not a piece of the curve taken for a digit
_COLOURED = 60  # spread of a pixel's channels from which on it has a colour
_LEAST_COLOUR = 0.0015  # of the picture, for its curves to be what is coloured
_SAME_HUE, _NO_HUE = 9, 180
_SECOND_CURVE = 0.3  # of the main colour's ink, at least
_DARK = 110
_DARK_LINE = 150
_AXIS_DRAWN = 0.55  # of its row or column
_ZERO_SLACK = 0.3  # of the distance between ticks
_YEARS_SPAN = 400  # years that an axis of a chart runs through, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tick:
    """A tick label: where its middle is, its number, and whether a minus sign was read."""

    along: float
    across: float
    size: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """The linear map from pixels to values along one axis, how long it is and how far apart its ticks are."""

    slope: float
    offset: float
    length_px: float
    tick_step: float

    @property
    def step(self) -> float:
        """What values that a figure's author chose are multiples of: the ticks' distance, or the round number below."""
        return self.tick_step if self.tick_step < 1 else float(10.0 ** math.floor(math.log10(self.tick_step) + 1e-9))

    def steps(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        return (self.slope * pixels + self.offset) / self.step


def _ticks(words: Sequence[Word], *, horizontal: bool) -> list[_Tick]:
    ticks = []
    for text, (x0, y0, x1, y1) in (part for word in words for part in _numbers_apart(word)):
        text = text.rstrip(_TICK_MARKS)
        if _NUMBER.fullmatch(text):
            along, across = ((x0 + x1) / 2, (y0 + y1) / 2) if horizontal else ((y0 + y1) / 2, (x0 + x1) / 2)
            size = y1 - y0 if horizontal else max(y1 - y0, x1 - x0)
            ticks.append(_Tick(along=along, across=across, size=size, value=float(text)))
    return ticks


def _numbers_apart(word: Word) -> list[tuple[str, Box]]:
    """The parts of a word between spaces, each with its share of the box: neighbouring tick labels run together."""
    text = word.text.strip().replace("−", "-").replace("–", "-").replace("O", "0").replace("o", "0")
    x0, y0, x1, y1 = word.box
    pitch = (x1 - x0) / max(len(text), 1)
    return [
        (part[0], (x0 + pitch * part.start(), y0, x0 + pitch * part.end(), y1)) for part in re.finditer(r"\S+", text)
    ]


def _fit(ticks: Sequence[_Tick], *, upward: bool) -> _Scale | None:
    """The map that explains most ticks of one row or column; of equal ones, that which keeps most signs as read.

    Signs are repaired, since OCR loses them where an axis crosses a tick; then it is the least squares.
    """
    best: list[tuple[float, float]] = []
    most = 0, 0
    length = float(np.ptp([tick.along for tick in ticks]))
    for slope, offset in _likely_maps(ticks, upward=upward):
        slack = max(0.012 * abs(slope) * length, 1e-6)
        mapped = [(tick, slope * tick.along + offset) for tick in ticks]
        agreeing = [(tick, value) for tick, value in mapped if abs(abs(value) - abs(tick.value)) <= slack]
        signs = sum(tick.value * value >= 0 for tick, value in agreeing)
        if (len(agreeing), signs) > most:
            best = [(tick.along, math.copysign(abs(tick.value), value)) for tick, value in agreeing]
            most = len(agreeing), signs
    if len(best) < _MIN_TICKS:
        return None
    places, values = np.array(best).T
    slope, offset = np.polyfit(places, values, 1).tolist()
    tick_step = min(np.diff(np.unique(values)).tolist(), default=1.0)
    return _Scale(slope=slope, offset=offset, length_px=float(np.ptp(places)), tick_step=tick_step)


def _likely_maps(ticks: Sequence[_Tick], *, upward: bool) -> Iterator[tuple[float, float]]:
    """The slope and offset that each two ticks give, with either sign of each."""
    for one, other in combinations(ticks, 2):
        signed = product({one.value, -one.value}, {other.value, -other.value})
        for a, b in signed if abs(one.along - other.along) >= 5 else ():
            slope = (b - a) / (other.along - one.along)
            if a != b and (slope < 0) == upward:
                yield slope, a - slope * one.along


def _scale(words: Sequence[Word], zero: float | None, *, horizontal: bool) -> _Scale | None:
    """The scale of the row (or column) of tick labels that is longest; where an axis crosses it, it must read zero."""
    ticks = _ticks(words, horizontal=horizontal)
    lines = [
        tuple(other for other in ticks if abs(other.across - tick.across) <= _ALIGNED * tick.size) for tick in ticks
    ]
    best, longest = None, (0, 0.0)
    for line in dict.fromkeys(lines):
        scale = _fit(line, upward=not horizontal)
        if scale is None or (len(line), scale.length_px) <= longest:
            continue
        if zero is None or _may_read_zero(scale, line, zero):
            best, longest = scale, (len(line), scale.length_px)
    return best


def _may_read_zero(scale: _Scale, ticks: Sequence[_Tick], zero: float) -> bool:
    """Whether it does where the axis is, or the axis crosses nowhere between the ticks; at their edge it may stand anywhere."""
    places = [tick.along for tick in ticks]
    is_crossed = min(places) < zero < max(places)
    return not is_crossed or abs(scale.slope * zero + scale.offset) <= _ZERO_SLACK * scale.tick_step


def _axis_place(picture: Pixels, *, upright: bool) -> float | None:
    """The column of the one upright axis, or the row of the level one; None where there is none or several."""
    drawn = (darkest(picture) < _DARK_LINE).mean(axis=0 if upright else 1)
    places = np.flatnonzero(drawn > _AXIS_DRAWN)
    if not len(places) or np.ptp(places) > 8:
        return None
    return float(places.mean())


def _hues_apart(picture: Pixels) -> NDArray[np.int16] | None:
    """How far each pixel's hue is from the curves' main one, `_NO_HUE` where it has none; None where hardly any has one."""
    coloured = lightest(picture) - darkest(picture) > _COLOURED
    if coloured.mean() <= _LEAST_COLOUR:
        return None
    hue = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)[:, :, 0].astype(np.int16)
    counts = np.bincount(hue[coloured], minlength=180)
    main = int(np.convolve(np.r_[counts[-5:], counts, counts[:5]], np.ones(11), "valid").argmax())
    return np.asarray(np.where(coloured, np.abs((hue - main + 90) % 180 - 90), _NO_HUE), np.int16)


def _curve_ink(picture: Pixels, words: Sequence[Word], hues: NDArray[np.int16] | None) -> _Mask:
    """The ink of the curve: the main colour where there is colour, else what is dark and no axis, grid or print."""
    if hues is not None:
        stroke = np.asarray(hues <= _SAME_HUE, dtype=np.uint8)
    else:
        stroke = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) < _DARK, dtype=np.uint8)
    for word in words:
        if _SAYS_SOMETHING.search(word.text):
            x0, y0, x1, y1 = (max(int(edge), 0) for edge in word.box)
            stroke[y0 : y1 + 1, x0 : x1 + 1] = 0
    return _without_axes(stroke)


def _without_axes(stroke: _Mask) -> _Mask:
    """Ink without long level and upright strokes (axes, frame, grid) and the specks they leave: arrowheads, ticks, crumbs.

    A long stroke of one kind alone is the curve's own.
    """
    height, width = stroke.shape
    level = cv2.morphologyEx(stroke, cv2.MORPH_OPEN, np.ones((1, round(_AXIS_SHARE * width)), dtype=np.uint8))
    upright = cv2.morphologyEx(stroke, cv2.MORPH_OPEN, np.ones((round(_AXIS_SHARE * height), 1), dtype=np.uint8))
    if not level.any() or not upright.any():
        return stroke
    lines = np.asarray(cv2.dilate(np.maximum(level, upright), np.ones((3, 3), dtype=np.uint8)), dtype=np.uint8)
    curve = np.asarray(stroke & (1 - lines), dtype=np.uint8)
    joined = cv2.morphologyEx(curve, cv2.MORPH_CLOSE, np.ones((7, 7), dtype=np.uint8))
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    long = np.maximum(stats[:, 2], stats[:, 3]) >= 0.08 * max(curve.shape)
    long[0] = False
    return np.asarray(curve & long[labelled], dtype=np.uint8)


def _trace(ink: _Mask) -> list[NDArray[np.float64]]:
    """The curve column by column: pieces of (x, y) rows, each following the nearest stroke of the last column.

    From column to column it may rise as far as the stroke is tall there, and a little.
    """
    pieces: list[list[tuple[float, float]]] = []
    for column in range(ink.shape[1]):
        rows = np.flatnonzero(ink[:, column])
        if len(rows) == 0:
            continue
        runs = runs_apart(rows, 2)
        middles = [float(run.mean()) for run in runs]
        x, y = pieces[-1][-1] if pieces else (-np.inf, 0.0)
        near = column - x <= _MAX_GAP_PX
        middle = min(middles, key=lambda place: abs(place - y)) if near else middles[0]
        rise_px = max(0.04 * ink.shape[0], 0.75 * max(map(len, runs)))
        if not near or abs(middle - y) > (column - x) ** 0.75 * rise_px:
            pieces.append([])
        pieces[-1].append((float(column), middle))
    return [np.array(piece) for piece in pieces if len(piece) >= 6]


def _join_pieces(pieces: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """The pieces with those made one that continue each other straight on across a hidden stretch."""
    joined: list[NDArray[np.float64]] = []
    for piece in pieces:
        gap = piece[0, 0] - joined[-1][-1, 0] if joined else math.inf
        if gap <= 2 * _MAX_GAP_PX:
            before = joined[-1]
            slope = np.polyfit(before[-10:, 0], before[-10:, 1], 1)[0]
            if abs(piece[0, 1] - (before[-1, 1] + slope * gap)) <= 5 + 0.25 * abs(slope) * gap:
                joined[-1] = np.concatenate([before, piece])
                continue
        joined.append(piece)
    return joined


def _part_at_jumps(ink: _Mask, pieces: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """The pieces cut back evenly from each jump, so that it lies in the middle of the gap between two.

    The circles that end two branches overlap in their columns, and the trace changes branch at the end of one.
    """
    parted = list(pieces)
    for place in range(len(parted) - 1):
        before, after = parted[place], parted[place + 1]
        start, end = _end_column(ink, after[0], -1), _end_column(ink, before[-1], 1)
        column = (start + end) / 2
        reach = max(end - column, 0.0) + 2
        if (
            after[0, 0] - before[-1, 0] <= 2 * _MAX_GAP_PX
            and before[0, 0] < column - reach
            and column + reach < after[-1, 0]
        ):
            parted[place] = before[before[:, 0] <= column - reach]
            parted[place + 1] = after[after[:, 0] >= column + reach]
    return [piece for piece in parted if len(piece) >= 6]


def _end_column(ink: _Mask, point: NDArray[np.float64], side: int) -> float:
    """Where the ink at a piece's end ends itself, to the left (side -1) or right (1), within a circle's width."""
    column, row = round(point[0]), round(point[1])
    reach = 2 * _MAX_GAP_PX
    rows = slice(max(row - reach // 2, 0), row + reach // 2 + 1)
    while abs(column - point[0]) < reach and 0 <= column + side < ink.shape[1] and ink[rows, column + side].any():
        column += side
    return float(column)


def _points(features: Features, box: Box) -> list[Constraint]:
    return [
        Relation(type="incident", entities=("graph", f"({x:g}, {y:g})"), confidence=0.8, box=box)
        for x, y in features.whole_points
    ]


def _facts(features: Features, owner: str, box: Box) -> list[Constraint]:
    """What one curve does; its corners, jumps and values in the words of solutions too: the kink of f, f at x = 2."""
    facts: list[Constraint] = []

    def say(entity: str, attribute: str, value: float, *, unit: str | None = None, confidence: float = 0.8) -> None:
        fact = Numeric(entity=entity, attribute=attribute, value=value, unit=unit, confidence=confidence, box=box)
        facts.append(replace(fact, reading="estimated"))

    for reading in features.readings:
        sure = 0.85 if reading.snapped else 0.6
        say("graph", reading.attribute, reading.value, unit=reading.unit, confidence=sure)
    facts += _points(features, box)
    for x, y in features.kinks:
        say(f"kink{owner}", "x-coordinate", x)
        say(f"kink{owner}", "y-coordinate", y)
        facts.append(Relation(type="continuous_at", entities=(f"graph{owner}", f"x = {x:g}"), confidence=0.8, box=box))
    for x in features.jumps:
        say(f"jump{owner}", "x-coordinate", x)
    for x, y in features.whole_points:
        say(f"graph{owner} at x = {x:g}", "value", y)
    structure = Structure(type="graph", parts=features.parts, attachment=features.attachments, confidence=0.8, box=box)
    return [*facts, structure]


def graph_reading(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """Intercepts, corners, extrema and whole-numbered points of the function graph in a picture.

    It explains the words that are ticks of its two axes, their letters and the curves' names. A level axis that runs
    through years is a chart's, and its grid no function of x.
    """
    light = picture if float(np.median(picture)) >= 110 else np.asarray(255 - picture, dtype=np.uint8)
    across = _scale(words, _axis_place(light, upright=True), horizontal=True)
    upward = _scale(words, _axis_place(light, upright=False), horizontal=False)
    if across is None or upward is None:
        return FigureReading(kind="graph")
    width = light.shape[1]
    middle, span = across.slope * width / 2 + across.offset, abs(across.slope) * width
    of_years = 1500 <= middle <= 2100 and span <= _YEARS_SPAN
    facts = [] if of_years else _curve_facts(light, words, across, upward)
    told = sum(_is_told(word, across, upward) for word in words) if facts else 0
    return FigureReading(kind="graph", constraints=tuple(facts), explained=told / len(words))


def _is_told(word: Word, across: _Scale, upward: _Scale) -> bool:
    """Whether a word is a tick at its place on an axis, a letter, or an equation."""
    ticks = [part.rstrip(_TICK_MARKS) for part, _ in _numbers_apart(word)]
    if not all(map(_NUMBER.fullmatch, ticks)):
        return bool(re.fullmatch(r"[^\W\d]\W?|.*[(=].*", word.text))
    if len(ticks) > 1:
        return True
    places = (across.slope * word.box.x + across.offset, across), (upward.slope * word.box.y + upward.offset, upward)
    return any(abs(abs(place) - abs(float(ticks[0]))) <= _ZERO_SLACK * axis.tick_step for place, axis in places)


def _curve_facts(light: Pixels, words: Sequence[Word], across: _Scale, upward: _Scale) -> list[Constraint]:
    """What the traced curve does, by the name that a label gives it ("y = f(x)").

    Where a second colour is drawn about as much as the main one, only the points that one of several curves passes:
    which one it is, nothing here tells.
    """
    hues = _hues_apart(light)
    ink = _curve_ink(light, words, hues)
    pieces = _part_at_jumps(ink, _join_pieces(_trace(ink)))
    if sum(len(piece) for piece in pieces) < _MIN_CURVE_SHARE * light.shape[1]:
        return []
    values = tuple(np.stack([across.steps(piece[:, 0]), upward.steps(piece[:, 1])], axis=1) for piece in pieces)
    features = find_features(Curve(pixels=tuple(pieces), values=values, step_x=across.step, step_y=upward.step))
    places = np.concatenate(pieces)
    box = (*places.min(axis=0).tolist(), *places.max(axis=0).tolist())
    if hues is not None:
        others = (hues > 2 * _SAME_HUE) & (hues < _NO_HUE)
        if others.sum() > _SECOND_CURVE * (hues <= _SAME_HUE).sum():
            return [*_points(features, box), Structure(type="graph", parts=("curves",), confidence=0.8, box=box)]
    names = (re.search(r"\b([a-zA-Z])\s?\(\s?x\s?\)", word.text) for word in words)
    name = next((match[1] for match in names if match), "")
    return _facts(features, f" of {name}" if name else "", box)
