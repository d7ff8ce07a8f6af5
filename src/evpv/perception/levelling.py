"""A photographed page looked at from straight above and near, as its print and strokes tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import filterfalse

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Frame, Pixels, resize
from evpv.perception.detection import Quad, detect_boxes
from evpv.perception.ocr import crop_of
from evpv.perception.recognition import legibility

_SPOTS_PX = 480  # longer side of the picture, in cells, that spots of ink are looked for on
_STROKES_PX = 800  # longer side of the picture that strokes are looked for on
_LONG_ROW, _LEAST_ROW = 2.0, 0.05  # of its height, and of the picture: the length of print that tells which way it runs
_LEAST_STROKE = 0.08  # of the picture, likewise
_MOST_TURN, _MOST_STROKE_TURN, _MOST_SLANT = 0.55, 0.27, 0.14  # slopes of print, of level and of upright strokes
_SPREAD_SLOPE, _ALIKE_SLOPE, _LEVEL_SLOPE = 0.14, 0.025, 0.008  # of rows of one page, that agree, that are level
_NARROWEST = 0.5  # of a page seen from aslant, its far side of the near one; sides of a triangle would make it less
_LEAST_LINES, _AGREED, _LEAST_SPREAD = 3, 0.6, 0.5  # how many, what share of them, over which part of half a picture
_ROWS_READ, _CLEARLY = 8, 0.1  # rows that are read to see which way is up, and how much better to stand on the head
_ROWS_PX = 1400  # longer side of the picture that print is looked for on
_SMALL_PX, _LARGE_PX = 26.0, 36.0  # height of the boxes of small print in a picture that is near, and far, enough
_FARTHEST, _NEAREST, _LARGEST_PX = 0.5, 2.5, 1900  # how far it is shrunk or enlarged for that, and its longest side
_INKED, _SPECK, _MARGIN = 200, 60, 0.02  # levels of ink, cells of a spot that is none, and of the longer side


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a part of a sheet is looked at: shrunk, if it is, and mapped in perspective into a picture of a size."""

    shrink: float
    matrix: NDArray[np.float64]
    size: tuple[int, int]

    def of(self, sheet: Pixels) -> tuple[Pixels, Frame]:
        seen, change = warp(resize(sheet, self.shrink), self.matrix, self.size)
        return seen, Frame.at_scale(self.shrink).then(change)


def close_view(clean: Pixels, threads: int) -> View:
    """An evenly lit photograph turned until its lines of text run level, in whatever script, no two of them meeting, and brought near.

    Near is what bears ink alone, its small print as large as it is read best: much of a photograph is margin.
    """
    rows = _rows(clean, threads)
    matrix = np.eye(3)
    turns = _quarter_turns(clean, rows, threads)
    if turns:
        matrix = _quarter_turned(clean.shape, turns)
        clean = np.ascontiguousarray(np.rot90(clean, turns))
        rows = _rows(clean, threads)
    outline = _inked_outline(clean)
    level = _levelling(clean, rows)
    if level is not None:
        matrix, outline = level @ matrix, _mapped_points(outline, level)
    (left, upper), (right, lower) = outline.min(axis=0), outline.max(axis=0)
    print_px = float(np.percentile([_thickness(row) for row in rows], 25)) if rows else _SMALL_PX
    factor = float(np.clip(np.clip(1.0, _SMALL_PX / print_px, _LARGE_PX / print_px), _FARTHEST, _NEAREST))
    factor = min(factor, _LARGEST_PX / max(right - left, lower - upper))
    shrink = min(factor, 1.0)
    move = np.array([(factor, 0, -factor * left), (0, factor, -factor * upper), (0, 0, 1)])
    size = max(int(factor * (right - left)), 8), max(int(factor * (lower - upper)), 8)
    return View(shrink=shrink, matrix=move @ matrix @ np.diag([1 / shrink, 1 / shrink, 1]), size=size)


def _rows(picture: Pixels, threads: int) -> list[Quad]:
    """Boxes of print."""
    factor = min(1.0, _ROWS_PX / max(picture.shape[:2]))
    return [np.asarray(row / factor, np.float32) for row in detect_boxes(resize(picture, factor), threads)]


def _runs_on(row: Quad) -> bool:
    """Whether print is long enough to tell which way it runs."""
    return _length(row) > _LONG_ROW * _thickness(row)


def _runs_level(row: Quad) -> bool:
    return bool(np.linalg.norm(row[1] - row[0]) > np.linalg.norm(row[3] - row[0]))


def _thickness(row: Quad) -> float:
    return float(np.linalg.norm(row[[1, 3]] - row[0], axis=1).min())


def _length(row: Quad) -> float:
    return float(np.linalg.norm(row[[1, 3]] - row[0], axis=1).max())


def _quarter_turns(picture: Pixels, rows: Sequence[Quad], threads: int) -> int:
    """How many quarters the picture is to be turned by, counter-clockwise, for its print to be legible."""
    rows = list(filter(_runs_on, rows))
    level, tall = list(filter(_runs_level, rows)), list(filterfalse(_runs_level, rows))
    is_turned = len(tall) >= 2 and sum(map(_length, tall)) > 2 * sum(map(_length, level))
    longest = sorted(tall if is_turned else level, key=_length, reverse=True)[:_ROWS_READ]
    if len(longest) < 2:
        return 0
    crops = [crop_of(picture, row) for row in longest]
    legible = {
        way: legibility([np.rot90(crop, way) for crop in crops], threads=threads)
        for way in ((0, 1, 3) if is_turned else (0, 2))
    }
    best = max(legible, key=legible.__getitem__)
    return best if legible[best] > legible[0] + _CLEARLY else 0


def _quarter_turned(shape: tuple[int, ...], turns: int) -> NDArray[np.float64]:
    """The map that `np.rot90` is."""
    corners = np.roll(rectangle(shape[1], shape[0]), -turns, axis=0)
    sides = shape[1::-1] if turns % 2 == 0 else shape[:2]
    return np.vstack([cv2.getAffineTransform(corners[:3], rectangle(*sides)[:3]), (0, 0, 1)])


def _inked_outline(clean: Pixels) -> NDArray[np.float32]:
    """The corners of what bears ink, with a margin; specks do not count."""
    height, width = clean.shape[:2]
    step = max(round(max(height, width) / _SPOTS_PX), 1)
    dark = cv2.erode(cv2.cvtColor(clean, cv2.COLOR_RGB2GRAY), np.ones((step, step), np.uint8))[::step, ::step]
    joined = cv2.dilate((dark < _INKED).astype(np.uint8), np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    spots = stats[1:][stats[1:, cv2.CC_STAT_AREA] > _SPECK]
    if not len(spots):
        return rectangle(width, height)
    margin = _MARGIN * max(height, width)
    left, upper = step * spots[:, :2].min(axis=0) - margin
    right, lower = step * (spots[:, :2] + spots[:, 2:4]).max(axis=0) + margin
    left, upper, right, lower = max(left, 0), max(upper, 0), min(right, width), min(lower, height)
    return np.array([(left, upper), (right, upper), (right, lower), (left, lower)], np.float32)


def _levelling(picture: Pixels, rows: Sequence[Quad]) -> NDArray[np.float64] | None:
    """The map that makes print run level and upright strokes stand upright; None where they do, or do not tell."""
    height, width = picture.shape[:2]
    strokes = _strokes(picture)
    least = _LEAST_ROW * max(height, width)
    across = [row for row in filter(_runs_on, filter(_runs_level, rows)) if _length(row) > least]
    print_lines = np.array([(row[[0, 3]].mean(axis=0), row[[1, 2]].mean(axis=0)) for row in across]).reshape(-1, 2, 2)
    level = _slopes(print_lines, height, _MOST_TURN) or _slopes(strokes, height, _MOST_STROKE_TURN)
    level = _likely_slopes(level, width, height)
    matrix = np.eye(3)
    if level is not None:
        middle = sum(level) / 2
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(np.degrees(np.arctan(middle))), 1.0)
        bend = _bend(level[0] - middle, level[1] - middle, width, height)
        matrix = bend @ np.vstack([turn, (0, 0, 1)])
        strokes = _mapped_points(strokes, matrix)
    upright = _likely_slopes(_slopes(strokes[:, :, ::-1], width, _MOST_SLANT), height, width)
    if upright is not None:
        swap = np.eye(3)[[1, 0, 2]]
        matrix = swap @ _bend(*upright, height, width) @ swap @ matrix
    return None if level is None and upright is None else np.asarray(matrix, np.float64)


def _strokes(picture: Pixels) -> NDArray[np.float32]:
    """The ends of long straight strokes: lines × 2 × 2."""
    factor = min(1.0, _STROKES_PX / max(picture.shape[:2]))
    grey = cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    ends = (np.zeros((0, 2, 2)) if found is None else found.reshape(-1, 2, 2)) / factor
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return np.asarray(ends[lengths > _LEAST_STROKE * max(picture.shape[:2])], np.float32)


def _slopes(lines: NDArray[np.float32], extent: float, most: float) -> tuple[float, float] | None:
    """How lines that run across slope at the top and at the foot of a picture of that height.

    None where too few agree, or where they are level already. From few lines, or from lines close together, one slope is taken.
    """
    (dx, dy), y = (lines[:, 1] - lines[:, 0]).T, lines[:, :, 1].mean(axis=1)
    across = np.abs(dy) < most * np.abs(dx)
    slope, length, place = dy[across] / dx[across], np.abs(dx[across]), 2 * y[across] / extent - 1
    if len(slope) < _LEAST_LINES and length.sum() < _AGREED * extent:
        return None
    spread = len(slope) > _LEAST_LINES and np.ptp(place) > _LEAST_SPREAD
    powers = np.stack([np.ones_like(place), place * spread], axis=1)
    weight = length * (np.abs(slope - np.median(slope)) < _SPREAD_SLOPE)
    for _ in range(4):
        fit = np.linalg.lstsq(powers * weight[:, None], slope * weight, rcond=None)[0]
        agrees = np.abs(slope - powers @ fit) < _ALIKE_SLOPE
        weight = length * np.where(agrees, 1.0, 0.1)
    if length[agrees].sum() < _AGREED * length.sum():
        return None
    top, foot = float(fit[0] - fit[1]), float(fit[0] + fit[1])
    return None if max(abs(top), abs(foot)) < _LEVEL_SLOPE else (top, foot)


def _likely_slopes(slopes: tuple[float, float] | None, width: float, height: float) -> tuple[float, float] | None:
    """The slopes, unless they make a page of which the one side is far shorter than the other."""
    return None if slopes is None or _narrowing(slopes, width, height) < _NARROWEST else slopes


def _narrowing(slopes: tuple[float, float], width: float, height: float) -> float:
    """The shorter side over the longer one of what rows of these slopes make of a page."""
    apart = abs(slopes[1] - slopes[0]) * width / 2
    return (height - apart) / (height + apart)


def _bend(top: float, foot: float, width: float, height: float) -> NDArray[np.float64]:
    """The map that makes rows of these slopes level and keeps upright lines upright."""
    rise, fall = top * width / 2, foot * width / 2
    bent = np.array([(0, -rise), (width, rise), (width, height + fall), (0, height - fall)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(bent, rectangle(width, height)), np.float64)


def rectangle(width: float, height: float) -> NDArray[np.float32]:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)


def _mapped_points(points: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Where a map takes points, in whatever arrangement."""
    seen = np.concatenate([points, np.ones_like(points[..., :1])], axis=-1) @ matrix.T
    return np.asarray(seen[..., :2] / seen[..., 2:], np.float32)


def warp(picture: Pixels, matrix: NDArray[np.float64], size: tuple[int, int]) -> tuple[Pixels, Frame]:
    """The picture in another perspective. Its frame is the affine map nearest to that: boxes need no more."""
    seen = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
    target = rectangle(*size)
    source = _mapped_points(target, np.asarray(np.linalg.inv(matrix), np.float64))
    inverse, *_ = np.linalg.lstsq(np.hstack([target, np.ones((4, 1), np.float32)]), source, rcond=None)
    return np.asarray(seen, np.uint8), Frame(inverse=np.asarray(inverse.T, np.float64))
