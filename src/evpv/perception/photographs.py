"""Photographs and scans made flat, straight and evenly lit before anything is read.

A figure that was drawn by a program has one exact ground colour and is left alone, which costs a histogram.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Frame, Pixels, resize
from evpv.perception.detection import Quad, detect_boxes
from evpv.perception.ocr import crop_of
from evpv.perception.recognition import legibility

_JUDGED_PX = 480  # longer side of the picture that light and sheet are judged on
_DRAWN_SHARE = 0.35  # of the pixels that have the ground's very colour: so many in a drawing, few in a photograph
_FLAT_SHARE = 0.5  # of small tiles that have one colour, likewise
_ALIKE_SHARE = 0.75  # of neighbours that are the very same grey, likewise
_LIT_PX = 800  # longer side of the picture that light is measured on
_STROKE_SHARE = 0.03  # of the longer side: wider than strokes and the gaps of print
_SHARP = 14  # levels within three pixels: light changes less, the edges of shadows and filled areas more
_WHITE, _GREYEST_PAPER = 0.93, 0.78  # of the ground: paper is brighter than the one, or at least than the other
_TEXTURES = 3.0  # times the usual difference between two places of paper, grain and screens: what is darker is ink
_SMOOTH = 6.0  # levels from pixel to pixel: light changes less, the edge of a filled area more
_UNEVEN = 24.0  # levels of light between the darkest and the brightest parts of the ground
_LEAST_SHEET = 0.3  # of the picture's area
_SHEET_BRIGHT = 0.5  # of a sheet's own area, print on it left out
_SHEET_STEP = 25  # levels from a sheet to what it lies on
_LONG_ROW, _LEAST_ROW = 2.0, 0.05  # of its height, and of the picture: the length of print that tells which way it runs
_LEAST_STROKE = 0.08  # of the picture, likewise
_MOST_TURN, _MOST_STROKE_TURN, _MOST_SLANT = 0.55, 0.27, 0.14  # slopes of print, of level and of upright strokes
_SPREAD_SLOPE, _ALIKE_SLOPE, _LEVEL_SLOPE = 0.14, 0.025, 0.008  # of rows of one page, that agree, that are level
_LEAST_LINES, _AGREED, _LEAST_SPREAD = 3, 0.6, 0.5  # how many, what share of them, over which part of half a picture
_ROWS_READ, _CLEARLY = 8, 0.1  # rows that are read to see which way is up, and how much better to stand on the head
_ROWS_PX = 1400  # longer side of the picture that print is looked for on
_NEAR_PX = 26.0  # height of the boxes of small print in a picture that is near enough
_FARTHEST, _NEAREST, _LARGEST_PX = 0.5, 2.5, 1900  # how far it is shrunk or enlarged for that, and its longest side
_INKED, _SPECK, _MARGIN = 200, 60, 0.02  # levels of ink, cells of a spot that is none, and of the longer side
_SOFT = 0.22  # of the strongest step between neighbours: what the strongest edges of a blurred picture reach


def flatten(picture: Pixels, frame: Frame, threads: int = 1) -> Iterator[tuple[Pixels, Frame]]:
    """The picture as it is if it was drawn; else its sheet laid flat, level, near and sharp, first clean, then in softer light.

    Print and tables are read best where light and texture are gone, thin lines and colours often where less was done.
    Both are the same view, so that what is written in one stands at the same place in the other. `frame` follows.
    """
    if min(picture.shape[:2]) < 64 or is_drawn(picture):
        yield picture, frame
        return
    for seen in (picture, np.asarray(255 - picture, np.uint8)):  # one on a dark table was taken for dark mode
        sheet = _sheet_corners(seen)
        if sheet is not None:
            picture, change = _laid_flat(seen, sheet)
            frame = frame.then(change)
            break
    clean = _with_sharp_edges(_evenly_lit(picture))
    view = _close_view(clean, threads)
    near, change = view.of(clean)
    yield near, frame.then(change)
    near, change = view.of(_with_sharp_edges(_softly_lit(picture)))
    yield near, frame.then(change)


def is_drawn(picture: Pixels) -> bool:
    """Whether a program drew the picture: one ground, flat tiles, or neighbours alike; a sensor's grain leaves none of them."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    usual = int(counts.argmax())
    if counts[max(usual - 1, 0) : usual + 2].sum() > _DRAWN_SHARE * counts.sum():
        return True
    rows, columns = grey.shape[0] // 8, grey.shape[1] // 8
    tiles = grey[: 8 * rows, : 8 * columns].reshape(rows, 8, columns, 8)
    if float((tiles.max(axis=(1, 3)) - tiles.min(axis=(1, 3)) <= 3).mean()) > _FLAT_SHARE:
        return True
    return float((grey[:, 1:] == grey[:, :-1]).mean()) > _ALIKE_SHARE


def _sheet_corners(picture: Pixels) -> NDArray[np.float32] | None:
    """The corners of a bright sheet on darker surroundings, from the top left clockwise; None where none stands out."""
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.GaussianBlur(cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY), (5, 5), 0)
    _, bright = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if bright.mean() > 0.97 or float(grey[bright == 1].mean()) - float(grey[bright == 0].mean()) < 40:
        return None
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(outlines, key=cv2.contourArea)
    if cv2.contourArea(largest) < _LEAST_SHEET * grey.size or not _is_bright_inside(
        np.asarray(bright, np.uint8), np.asarray(largest, np.int32)
    ):
        return None
    hull = cv2.convexHull(largest)
    corners = np.asarray(cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True), np.float32).reshape(-1, 2)
    if len(corners) != 4 or cv2.contourArea(largest) < 0.9 * cv2.contourArea(corners.reshape(-1, 1, 2)):
        return None
    if _fills(corners, grey.shape) or not _has_sharp_sides(np.asarray(grey, np.uint8), corners):
        return None
    return np.asarray(_in_order(corners) / factor, np.float32)


def _has_sharp_sides(grey: NDArray[np.uint8], corners: NDArray[np.float32]) -> bool:
    """Whether brightness jumps at most of an outline; at the edge of a soft shadow it climbs."""
    steps = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((7, 7), np.uint8))
    outline = cv2.polylines(np.zeros_like(grey), [np.rint(corners).astype(np.int32)], True, 1, 3) > 0
    return float(np.median(steps[outline])) > _SHEET_STEP


def _is_bright_inside(bright: NDArray[np.uint8], outline: NDArray[np.int32]) -> bool:
    """Whether what an outline encloses is bright itself; a drawn frame is bright at its rim only."""
    inside = cv2.drawContours(np.zeros_like(bright), [outline], -1, 1, -1) > 0
    return float(bright[inside].mean()) > _SHEET_BRIGHT


def _fills(corners: NDArray[np.float32], shape: tuple[int, ...]) -> bool:
    """Whether a sheet is the picture itself."""
    rim = 0.02 * max(shape)
    inside = (corners > rim).all(axis=1) & (corners[:, 0] < shape[1] - rim) & (corners[:, 1] < shape[0] - rim)
    return int(inside.sum()) == 0


def _in_order(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    sums, differences = corners.sum(axis=1), corners[:, 1] - corners[:, 0]
    return corners[[sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax()]]


def _laid_flat(picture: Pixels, sheet: NDArray[np.float32]) -> tuple[Pixels, Frame]:
    """The sheet as a rectangle."""
    top, right, bottom, left = (float(np.hypot(*(sheet[(side + 1) % 4] - sheet[side]))) for side in range(4))
    width, height = max(int(max(top, bottom)), 8), max(int(max(left, right)), 8)
    matrix = np.asarray(cv2.getPerspectiveTransform(sheet, _rectangle(width, height)), np.float64)
    return _warp(picture, matrix, (width, height))


def _rectangle(width: float, height: float) -> NDArray[np.float32]:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)


def _mapped_points(points: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Where a map takes points, in whatever arrangement."""
    seen = np.concatenate([points, np.ones_like(points[..., :1])], axis=-1) @ matrix.T
    return np.asarray(seen[..., :2] / seen[..., 2:], np.float32)


def _warp(picture: Pixels, matrix: NDArray[np.float64], size: tuple[int, int]) -> tuple[Pixels, Frame]:
    """The picture in another perspective. Its frame is the affine map nearest to that: boxes need no more."""
    seen = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
    target = _rectangle(*size)
    source = _mapped_points(target, np.asarray(np.linalg.inv(matrix), np.float64))
    inverse, *_ = np.linalg.lstsq(np.hstack([target, np.ones((4, 1), np.float32)]), source, rcond=None)
    return np.asarray(seen, np.uint8), Frame(inverse=np.asarray(inverse.T, np.float64))


def _evenly_lit(picture: Pixels) -> Pixels:
    """Light, its colour and shadows divided out: paper is white, and dark colours stay apart from ink."""
    ground = _ground(picture)
    even = picture.astype(np.float32) / np.maximum(ground, 20.0)
    darkest = even[::2, ::2].min(axis=2)
    paper = darkest[darkest > _GREYEST_PAPER]
    usual = float(np.median(paper)) if paper.size else 1.0
    white = usual - _TEXTURES * float(np.median(np.abs(paper - usual))) if paper.size else 1.0
    white = min(max(white, _GREYEST_PAPER), _WHITE)
    return np.asarray(np.clip(even * (255.0 / white), 0, 255), np.uint8)


def _ground(picture: Pixels) -> NDArray[np.float32]:
    """The colour of the paper everywhere, as it is lit.

    Closing takes strokes away and keeps the edges of whatever is wider, shadows and filled areas alike. Light comes
    from outside: what sharp edges part from the rim of the picture is a filled area, and the ground there is its surroundings'.
    """
    factor = min(1.0, _LIT_PX / max(picture.shape[:2]))
    small = cv2.medianBlur(resize(picture, factor), 5)
    reach = max(int(_STROKE_SHARE * max(small.shape)) | 1, 9)
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    closed = cv2.GaussianBlur(closed, (5, 5), 0)
    lit = _reached_from_rim(np.asarray(closed, np.uint8), reach)
    weight = lit.astype(np.float32)
    spread = reach / 2
    ground = closed.astype(np.float32)
    while not lit.all():
        near = cv2.GaussianBlur(weight, (0, 0), spread)
        filled = cv2.GaussianBlur(closed.astype(np.float32) * weight[:, :, None], (0, 0), spread)
        new = ~lit & (near > 1e-3)
        ground[new] = filled[new] / near[new][:, None]
        lit |= new
        spread *= 2
    return np.asarray(cv2.resize(ground, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR))


def _reached_from_rim(closed: Pixels, reach: int) -> NDArray[np.bool_]:
    """Where one gets from the rim of the picture without crossing the edge of an area that is wider than strokes."""
    edges = cv2.morphologyEx(closed, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2) > _SHARP
    _, areas, stats, _ = cv2.connectedComponentsWithStats((~edges).astype(np.uint8), connectivity=4)
    rim = np.concatenate([areas[0], areas[-1], areas[:, 0], areas[:, -1]])
    length = np.bincount(rim, minlength=len(stats))
    outer = (length > reach) & (np.arange(len(stats)) > 0)
    return np.asarray(cv2.dilate(outer[areas].astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _softly_lit(picture: Pixels) -> Pixels:
    """The ground brought near white where its brightness changes smoothly and much; filled areas that are wide have edges, light has none.

    Ink is thinner than what the filters reach over.
    """
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY)
    reach = max(int(0.04 * max(grey.shape)) | 1, 9)
    ground = cv2.medianBlur(cv2.dilate(grey, np.ones((reach, reach), np.uint8)), min(2 * reach + 1, 61))
    steps = np.abs(np.diff(cv2.GaussianBlur(ground, (5, 5), 0).astype(np.float32), axis=1))
    uneven = float(np.percentile(ground, 98) - np.percentile(ground, 2))
    if uneven < _UNEVEN or float(np.percentile(steps, 99.5)) > _SMOOTH:
        return picture
    light = cv2.GaussianBlur(ground.astype(np.float32), (0, 0), reach / 2)
    whole = cv2.resize(light, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = picture.astype(np.float32) * (245.0 / np.maximum(whole, 30.0))[:, :, None]
    return np.asarray(np.clip(even, 0, 255), np.uint8)


def _with_sharp_edges(picture: Pixels) -> Pixels:
    """The picture, sharper if even its sharpest edges rise slowly, as those of a hand-held photograph do."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    steps = np.abs(np.diff(cv2.GaussianBlur(grey, (3, 3), 0), axis=1))
    contrast = float(np.percentile(grey, 99.5) - np.percentile(grey, 0.5))
    if float(np.percentile(steps, 99.5)) >= _SOFT * max(contrast, 1.0):
        return picture
    blurred = cv2.GaussianBlur(picture, (0, 0), 2.0)
    return np.asarray(cv2.addWeighted(picture, 2.0, blurred, -1.0, 0), np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """How a part of a sheet is looked at: shrunk first, where it is, then by a perspective map into a picture of some size."""

    shrink: float
    matrix: NDArray[np.float64]
    size: tuple[int, int]

    def of(self, sheet: Pixels) -> tuple[Pixels, Frame]:
        seen, change = _warp(resize(sheet, self.shrink), self.matrix, self.size)
        return seen, Frame.at_scale(self.shrink).then(change)


def _close_view(clean: Pixels, threads: int) -> _View:
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
    print_px = float(np.percentile([_thickness(row) for row in rows], 25)) if rows else _NEAR_PX
    factor = float(np.clip(_NEAR_PX / print_px, _FARTHEST, _NEAREST))
    factor = min(factor, _LARGEST_PX / max(right - left, lower - upper))
    shrink = min(factor, 1.0)
    move = np.array([(factor, 0, -factor * left), (0, factor, -factor * upper), (0, 0, 1)])
    size = max(int(factor * (right - left)), 8), max(int(factor * (lower - upper)), 8)
    return _View(shrink=shrink, matrix=move @ matrix @ np.diag([1 / shrink, 1 / shrink, 1]), size=size)


def _quarter_turned(shape: tuple[int, ...], turns: int) -> NDArray[np.float64]:
    """The map that `np.rot90` is."""
    corners = np.roll(_rectangle(shape[1], shape[0]), -turns, axis=0)
    sides = shape[1::-1] if turns % 2 == 0 else shape[:2]
    return np.vstack([cv2.getAffineTransform(corners[:3], _rectangle(*sides)[:3]), (0, 0, 1)])


def _inked_outline(clean: Pixels) -> NDArray[np.float32]:
    """The corners of what bears ink, with a margin; specks do not count."""
    height, width = clean.shape[:2]
    step = max(round(max(height, width) / _JUDGED_PX), 1)
    dark = cv2.erode(cv2.cvtColor(clean, cv2.COLOR_RGB2GRAY), np.ones((step, step), np.uint8))[::step, ::step]
    joined = cv2.dilate((dark < _INKED).astype(np.uint8), np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    spots = stats[1:][stats[1:, cv2.CC_STAT_AREA] > _SPECK]
    if not len(spots):
        return _rectangle(width, height)
    margin = _MARGIN * max(height, width)
    left, upper = step * spots[:, :2].min(axis=0) - margin
    right, lower = step * (spots[:, :2] + spots[:, 2:4]).max(axis=0) + margin
    left, upper, right, lower = max(left, 0), max(upper, 0), min(right, width), min(lower, height)
    return np.array([(left, upper), (right, upper), (right, lower), (left, lower)], np.float32)


def _rows(picture: Pixels, threads: int) -> list[Quad]:
    """Boxes of print."""
    factor = min(1.0, _ROWS_PX / max(picture.shape[:2]))
    return [np.asarray(row / factor, np.float32) for row in detect_boxes(resize(picture, factor), threads)]


def _runs_on(row: Quad) -> bool:
    """Whether print is long enough to tell which way it runs."""
    return _length(row) > _LONG_ROW * _thickness(row)


def _thickness(row: Quad) -> float:
    return float(np.linalg.norm(row[[1, 3]] - row[0], axis=1).min())


def _runs_level(row: Quad) -> bool:
    return bool(np.linalg.norm(row[1] - row[0]) > np.linalg.norm(row[3] - row[0]))


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


def _length(row: Quad) -> float:
    return float(np.linalg.norm(row[[1, 3]] - row[0], axis=1).max())


def _levelling(picture: Pixels, rows: Sequence[Quad]) -> NDArray[np.float64] | None:
    """The map that makes print run level and upright strokes stand upright; None where they do, or do not tell."""
    height, width = picture.shape[:2]
    strokes = _strokes(picture)
    least = _LEAST_ROW * max(height, width)
    across = [row for row in rows if _runs_on(row) and _runs_level(row) and _length(row) > least]
    print_lines = np.array([(row[[0, 3]].mean(axis=0), row[[1, 2]].mean(axis=0)) for row in across]).reshape(-1, 2, 2)
    level = _slopes(print_lines, height, _MOST_TURN) or _slopes(strokes, height, _MOST_STROKE_TURN)
    matrix = np.eye(3)
    if level is not None:
        middle = sum(level) / 2
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(np.degrees(np.arctan(middle))), 1.0)
        bend = _bend(level[0] - middle, level[1] - middle, width, height)
        matrix = bend @ np.vstack([turn, (0, 0, 1)])
        strokes = _mapped_points(strokes, matrix)
    upright = _slopes(strokes[:, :, ::-1], width, _MOST_SLANT)
    if upright is not None:
        swap = np.eye(3)[[1, 0, 2]]
        matrix = swap @ _bend(*upright, height, width) @ swap @ matrix
    return None if level is None and upright is None else np.asarray(matrix, np.float64)


def _strokes(picture: Pixels) -> NDArray[np.float32]:
    """The ends of long straight strokes: lines × 2 × 2."""
    factor = min(1.0, _LIT_PX / max(picture.shape[:2]))
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


def _bend(top: float, foot: float, width: float, height: float) -> NDArray[np.float64]:
    """The map that makes rows of these slopes level and keeps upright lines upright."""
    rise, fall = top * width / 2, foot * width / 2
    bent = np.array([(0, -rise), (width, rise), (width, height + fall), (0, height - fall)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(bent, _rectangle(width, height)), np.float64)
