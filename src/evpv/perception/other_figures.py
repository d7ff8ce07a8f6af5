"""Pictures that no other reader takes: solids, rows of growing figures, folded edges.

Rows of growing figures (Figure 1, Figure 2, …): things are counted only where all that is drawn over a caption is of one kind
and size; a figure of anything else is named in the sequence and not counted.

Folded edges are numbered angles side by side along a straight line, as in figures of folded strips. The vertex is where on a
long level line most other lines start; its angles are told by the numbers written into them, and arcs of the same number
mark equal ones. Unless the numbers count up from the left, nothing is said.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.geometry.ink import dark_strokes, long_strokes
from evpv.perception.geometry.solids import read_solid
from evpv.perception.ocr import Word
from evpv.types import Constraint, Numeric, Relation, Structure


def read_other(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """A solid, a row of growing figures or a folded edge; nothing where it is none of them."""
    for reader in (_read_pattern, read_solid, _read_fold):
        if found := reader(picture, words):
            return found
    return []


_CAPTION = re.compile(r"(?:figure|fig\.?|pattern|step|stage|term|shape)\s*(\d{1,2})", re.IGNORECASE)
_LEAST_PX = 4
_INK_SHARE = 0.7  # of the darkest ink's contrast to the paper
_LEAST_CONTRAST = 60.0
_ALIKE = (0.6, 1.6)  # sizes of things of one kind, of the usual one
_ROUND = (0.8, 1.25)
_DISC_FILL = (0.66, 0.92)  # a disc fills about 0.79 of its box
_SLENDER = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Caption:
    number: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """A connected shape: how long and wide it is whichever way it lies, and how much of its upright box it fills."""

    length: float
    width: float
    fill: float
    box: Box


def captions_in(words: Sequence[Word]) -> list[_Caption]:
    """The captions of a row of numbered figures, from left to right; none unless they count up from one to the next."""
    found = [
        _Caption(number=int(match[1]), box=word.box)
        for word in words
        if (match := _CAPTION.fullmatch(word.text.strip()))
    ]
    found.sort(key=lambda caption: caption.box.x)
    in_a_row = all(
        right.number == left.number + 1 and abs(left.box.y0 - right.box.y0) <= left.box.height
        for left, right in pairwise(found)
    )
    return found if len(found) >= 2 and in_a_row else []


_RIM_PX, _LEFT_OUT = 3.0, 0.05  # around a thing, and of what is drawn


def _read_pattern(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The sequence of numbered figures, and the counts of those that consist of dots or sticks only."""
    captions = captions_in(words)
    if not captions:
        return []
    # What is nearly as dark as the darkest ink: the soft rims of things that nearly touch would join them.
    contrast = np.abs(picture - np.median(picture.reshape(-1, 3), axis=0)).max(axis=2)
    least = max(_INK_SHARE * float(np.quantile(contrast, 0.999)), _LEAST_CONTRAST)
    ink = np.asarray(contrast > least, dtype=np.uint8)
    half = min(right.box.x - left.box.x for left, right in pairwise(captions)) / 2
    figures = {f"figure {caption.number}": _things(ink, caption, half) for caption in captions}
    everything = list(chain(*figures.values()))
    place = Box.around([*(caption.box for caption in captions), *(thing.box for thing in everything)])
    facts: list[Constraint] = [Structure(type="sequence", parts=tuple(figures), confidence=0.95, box=place)]
    whole = all(figures.values()) and _holds_ink(everything, contrast > least / 2, round(captions[0].box.y0))
    kind = _kind(everything) if whole else None
    for name, things in figures.items() if kind is not None else ():
        box, count = Box.around(thing.box for thing in things), float(len(things))
        facts.append(Numeric(entity=f"{name} {kind}", attribute="count", value=count, confidence=0.9, box=box))
    return facts


def _holds_ink(things: Sequence[_Thing], faint: NDArray[np.bool_], floor: int) -> bool:
    """Whether what was found over the captions holds nearly all that is drawn there, faint as it may be: what is spoilt is not counted."""
    drawn = faint[: max(floor, 0)].copy()
    every = np.count_nonzero(drawn)
    for thing in things:
        drawn[thing.box.with_margin(_RIM_PX).slices()] = False
    return bool(np.count_nonzero(drawn) <= _LEFT_OUT * every)


def _things(ink: NDArray[np.uint8], caption: _Caption, half: float) -> list[_Thing]:
    """The shapes over a caption, in reading order of their boxes."""
    left, right = max(round(caption.box.x - half), 0), round(caption.box.x + half)
    cell = ink[: max(round(caption.box.y0), 0), left:right]
    if not cell.size:
        return []
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(cell, connectivity=8)
    things = []
    for index in range(1, count):
        x, y, width, height, area = stats[index].tolist()
        if max(width, height) < _LEAST_PX or area < 2 * _LEAST_PX:
            continue
        rows, columns = np.nonzero(labelled[y : y + height, x : x + width] == index)
        _, sides, _ = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
        box = Box(float(left + x), float(y), float(left + x + width), float(y + height))
        fill = area / (width * height)
        things.append(_Thing(length=max(sides) + 1, width=min(sides) + 1, fill=fill, box=box))
    return things


def _kind(things: Sequence[_Thing]) -> str | None:
    """What all the things are, if they are of one kind and size."""
    usual = float(np.median([thing.length for thing in things]))
    if not all(_ALIKE[0] <= thing.length / usual <= _ALIKE[1] for thing in things):
        return None
    shapes = [(thing.box.width / thing.box.height, thing.fill) for thing in things]
    if all(_ROUND[0] <= shape <= _ROUND[1] and _DISC_FILL[0] <= fill <= _DISC_FILL[1] for shape, fill in shapes):
        return "dots"
    return "matchsticks" if all(thing.length >= _SLENDER * thing.width for thing in things) else None


_DEGREES = re.compile(r"(\d{1,3})\s?[°º˚]")
_NUMBER_REACH = 4.0  # heights of a number from the vertex to it, at most
_RAY_DRAWN = 0.42  # of a ray's length; a dashed crease is drawn along half of it
_LEAST_TURN_DEG = 10
_ARC_PITCH = 0.32  # number heights from the first of several arcs to the last


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sector:
    """An angle at the vertex: its bounds in degrees counter-clockwise from the right, its number and its arcs."""

    start: float
    end: float
    number: int
    arcs: int
    box: Box
    measure: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fan:
    x: float
    y: float
    rays: tuple[float, ...]  # degrees, from the right edge (0) to the left one (180)


def _read_fold(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The measures and equalities of the numbered angles along an edge, and their order."""
    numbers = [word for word in words if re.fullmatch(r"[1-9]", word.text.strip())]
    if len({word.text.strip() for word in numbers}) < 2:
        return []
    ink = dark_strokes(picture)
    # Dashes are read as 1: the other digits say how large the print is.
    size = float(np.median([word.box.height for word in numbers if word.text.strip() != "1"]))
    fan = _find_fan(ink, np.array([(word.box.x, word.box.y) for word in numbers]), size)
    sectors = _sectors(ink, fan, words, size) if fan is not None else []
    return _fold_facts(sectors) if sectors else []


def _find_fan(ink: NDArray[np.uint8], numbers: NDArray[np.float64], size: float) -> _Fan | None:
    """The point of a long level line, with numbers around it, from which the most rays start upwards.

    Of each whole degree it is told what share of the ray is drawn.
    """
    near = np.asarray(cv2.dilate(ink, np.ones((3, 3), dtype=np.uint8)), dtype=np.uint8)
    angles, reach = np.radians(np.arange(181.0))[:, None], np.arange(0.8 * size, 5.5 * size)
    best, most = None, 0.0
    for line in long_strokes(ink, round(0.4 * ink.shape[1]), upright=False):
        rows = np.clip(np.rint(line.across - np.sin(angles) * reach), 0, near.shape[0] - 1).astype(np.intp)
        places = np.arange(line.start + 3 * size, line.end - 3 * size, max(size / 14, 1.0))
        away = np.hypot(places[:, None] - numbers[:, 0], line.across - numbers[:, 1])
        for x in places[(away <= _NUMBER_REACH * size).sum(axis=1) >= 2].tolist():
            columns = np.clip(np.rint(x + np.cos(angles) * reach), 0, near.shape[1] - 1).astype(np.intp)
            drawn = np.asarray(near[rows, columns].mean(axis=1), dtype=np.float64)
            rays = _peaks(drawn)
            score = sum(float(drawn[ray]) for ray in rays)
            if len(rays) >= 2 and score > most:
                best = _Fan(x=x, y=line.across, rays=(0.0, *map(float, rays), 180.0))
                most = score
    return best


def _peaks(drawn: NDArray[np.float64]) -> list[int]:
    """The degrees at which a ray is drawn, each the best of its surroundings, away from the edge itself."""
    kept: list[int] = []
    for degree in np.argsort(-drawn, kind="stable").tolist():
        if drawn[degree] < _RAY_DRAWN:
            break
        inside = _LEAST_TURN_DEG <= degree <= 180 - _LEAST_TURN_DEG
        if inside and all(abs(degree - other) >= _LEAST_TURN_DEG for other in kept):
            kept.append(degree)
    return sorted(kept)


def _sectors(ink: NDArray[np.uint8], fan: _Fan, words: Sequence[Word], size: float) -> list[_Sector]:
    """The angles from left to right; none unless all numbers that were read stand where counting puts them."""
    spans = list(reversed(list(pairwise(fan.rays))))
    near = _words_near(fan, words, _NUMBER_REACH * size)
    sectors = []
    confirmed = 0
    for place, (start, end) in enumerate(spans, start=1):
        inside = [word for word, turn in near if start < turn < end]
        texts = [word.text.strip() for word in inside]
        if set(texts) & (set("23456789") - {str(place)}):  # a dash is read as 1
            return []
        confirmed += str(place) in texts
        measures = (float(found[1]) for text in texts if (found := _DEGREES.fullmatch(text)))
        sector = _Sector(
            start=start,
            end=end,
            number=place,
            arcs=_arcs(ink, fan, (start, end), size),
            box=Box.around([(fan.x, fan.y, fan.x, fan.y), *(word.box for word in inside)]),
            measure=next(measures, None),
        )
        sectors.append(sector)
    return sectors if confirmed >= max(2, len(spans) - 1) else []


def _words_near(fan: _Fan, words: Sequence[Word], reach: float) -> list[tuple[Word, float]]:
    """The words near the vertex, with their directions from there in degrees."""
    offsets = [(word, word.box.x - fan.x, fan.y - word.box.y) for word in words]
    return [(word, math.degrees(math.atan2(y, x))) for word, x, y in offsets if math.hypot(x, y) <= reach]


def _arcs(ink: NDArray[np.uint8], fan: _Fan, span: tuple[float, float], size: float) -> int:
    """How many arcs cross an angle: the usual number of strokes close together on ways out from the vertex."""
    margin = 0.2 * (span[1] - span[0])
    radii = np.arange(0.6 * size, 2.6 * size, 0.5)
    counts = []
    for turn in np.radians(np.linspace(span[0] + margin, span[1] - margin, 25)):
        columns = np.rint(fan.x + math.cos(turn) * radii).astype(np.intp)
        rows = np.rint(fan.y - math.sin(turn) * radii).astype(np.intp)
        inked = ink[np.clip(rows, 0, ink.shape[0] - 1), np.clip(columns, 0, ink.shape[1] - 1)]
        starts = radii[1:][np.diff(inked.astype(np.int8)) == 1]
        if len(starts):
            counts.append(int((starts <= starts[0] + _ARC_PITCH * size).sum()))
    return Counter(counts).most_common(1)[0][0] if counts else 0


def _fold_facts(sectors: Sequence[_Sector]) -> list[Constraint]:
    """The measures that are about as large as their angles are drawn, and which angles have as many arcs, two or more."""
    facts: list[Constraint] = []
    marked: dict[int, list[str]] = {}
    for sector in sectors:
        name, value = f"angle {sector.number}", sector.measure
        marked.setdefault(sector.arcs, []).append(name)
        if value is not None and abs(value - (sector.end - sector.start)) <= 12:
            facts.append(
                Numeric(entity=name, attribute="angle", value=value, unit="deg", confidence=0.85, box=sector.box)
            )
    for arcs, names in sorted(marked.items()):
        if arcs >= 2 and len(names) >= 2:
            facts.append(Relation(type="equal", entities=tuple(names), confidence=0.8))
    regions = tuple(f"angle {sector.number} region" for sector in sectors)
    attachment = ("angles are adjacent along the edge",)
    return [*facts, Structure(type="sequence", parts=("fold line", *regions), attachment=attachment, confidence=0.8)]
