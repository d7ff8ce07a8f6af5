"""Numbered angles side by side along a straight edge, as in figures of folded strips.

The vertex is where on a long level line most other lines start; its angles are told by the numbers written into them,
and arcs of the same number mark equal ones. Unless the numbers count up from the left, nothing is said.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.ocr import Pixels, Word
from evpv.perception.strokes import dark_strokes, long_strokes
from evpv.types import Box, Constraint, Numeric, Relation, Structure

_DEGREES = re.compile(r"(\d{1,3})\s?[°º˚]")
_NUMBER_REACH = 4.0  # heights of a number from the vertex to it, at most
_RAY_DRAWN = 0.42  # of a ray's length; a dashed crease is drawn along half of it
_LEAST_TURN_DEG = 10
_ARC_PITCH = 0.32  # number heights from the first of several arcs to the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Sector:
    """An angle at the vertex: its bounds in degrees counter-clockwise from the right, its number and its arcs."""

    start: float
    end: float
    number: int
    arcs: int
    measure: float | None
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fan:
    x: float
    y: float
    rays: tuple[float, ...]  # degrees, from the right edge (0) to the left one (180)


def read_fold(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The measures and equalities of the numbered angles along an edge, and their order."""
    numbers = [word for word in words if re.fullmatch(r"[1-9]", word.text.strip())]
    if len({word.text.strip() for word in numbers}) < 2:
        return []
    ink = dark_strokes(picture)
    # Dashes are read as 1: the other digits say how large the print is.
    size = float(np.median([word.box[3] - word.box[1] for word in numbers if word.text.strip() != "1"]))
    fan = _find_fan(ink, size)
    sectors = _sectors(ink, fan, words, size) if fan is not None else []
    return _facts(sectors) if sectors else []


def _find_fan(ink: NDArray[np.uint8], size: float) -> _Fan | None:
    """The point of a long level line from which the most rays start upwards."""
    near = np.asarray(cv2.dilate(ink, np.ones((3, 3), dtype=np.uint8)), dtype=np.uint8)
    best: tuple[float, _Fan] | None = None
    for line in long_strokes(ink, round(0.4 * ink.shape[1]), upright=False):
        reach = np.arange(0.8 * size, 5.5 * size)
        for x in np.arange(line.start + 3 * size, line.end - 3 * size, max(size / 14, 1.0)):
            drawn = _drawn_rays(near, (float(x), line.across), reach)
            rays = _peaks(drawn)
            score = sum(float(drawn[ray]) for ray in rays)
            if len(rays) >= 2 and (best is None or score > best[0]):
                fan = _Fan(x=float(x), y=line.across, rays=(0.0, *(float(ray) for ray in rays), 180.0))
                best = (score, fan)
    return best[1] if best else None


def _drawn_rays(
    near: NDArray[np.uint8], vertex: tuple[float, float], reach: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each whole degree from 0 to 180, the share of the ray that is drawn."""
    angles = np.radians(np.arange(181.0))[:, None]
    columns = np.clip(np.rint(vertex[0] + np.cos(angles) * reach), 0, near.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.rint(vertex[1] - np.sin(angles) * reach), 0, near.shape[0] - 1).astype(np.intp)
    return np.asarray(near[rows, columns].mean(axis=1), dtype=np.float64)


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


def _sectors(ink: NDArray[np.uint8], fan: _Fan, words: Sequence[Word], size: float) -> list[Sector]:
    """The angles from left to right; none unless all numbers that were read stand where counting puts them."""
    spans = list(reversed(list(pairwise(fan.rays))))
    sectors = []
    confirmed = 0
    for place, (start, end) in enumerate(spans, start=1):
        inside = [word for word in words if _is_inside(word, fan, (start, end), _NUMBER_REACH * size)]
        read = {int(word.text) for word in inside if re.fullmatch(r"[2-9]", word.text.strip())}
        if read - {place}:
            return []
        confirmed += bool(read) or any(word.text.strip() == "1" == str(place) for word in inside)
        measure = next((float(match[1]) for word in inside if (match := _DEGREES.fullmatch(word.text.strip()))), None)
        arcs = _arcs(ink, fan, (start, end), size)
        sectors.append(Sector(start=start, end=end, number=place, arcs=arcs, measure=measure, box=_around(fan, inside)))
    return sectors if confirmed >= 2 and confirmed >= len(spans) - 1 else []


def _around(fan: _Fan, words: Sequence[Word]) -> Box:
    """The vertex and what is written into an angle."""
    boxes = [(fan.x, fan.y, fan.x, fan.y), *(word.box for word in words)]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _is_inside(word: Word, fan: _Fan, span: tuple[float, float], reach: float) -> bool:
    x, y = (word.box[0] + word.box[2]) / 2 - fan.x, fan.y - (word.box[1] + word.box[3]) / 2
    turn = math.degrees(math.atan2(y, x))
    return span[0] < turn < span[1] and math.hypot(x, y) <= reach


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


def _facts(sectors: Sequence[Sector]) -> list[Constraint]:
    facts: list[Constraint] = [
        Numeric(
            entity=f"angle {sector.number}",
            attribute="angle",
            value=sector.measure,
            unit="deg",
            confidence=0.85,
            box=sector.box,
        )
        for sector in sectors
        if sector.measure is not None and abs(sector.measure - (sector.end - sector.start)) <= 12
    ]
    for arcs in sorted({sector.arcs for sector in sectors if sector.arcs >= 2}):
        same = tuple(f"angle {sector.number}" for sector in sectors if sector.arcs == arcs)
        if len(same) >= 2:
            facts.append(Relation(type="equal", entities=same, confidence=0.8))
    regions = tuple(f"angle {sector.number} region" for sector in sectors)
    attachment = ("angles are adjacent along the edge",)
    facts.append(Structure(type="sequence", parts=("fold line", *regions), attachment=attachment, confidence=0.8))
    return facts
