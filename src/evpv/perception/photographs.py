"""Photographs and scans made flat, straight and evenly lit before anything is read.

A figure that was drawn by a program has one exact ground colour and is left alone, which costs a histogram.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Frame, Pixels, resize
from evpv.perception.levelling import close_view, rectangle, warp

_JUDGED_PX = 480  # longer side of the picture that light and sheet are judged on
_DRAWN_SHARE = 0.35  # of the pixels that have the ground's very colour: so many in a drawing, few in a photograph
_FLAT_SHARE = 0.5  # of small tiles that have one colour, likewise
_ALIKE_SHARE = 0.75  # of neighbours that are the very same grey, likewise
_FEW_COLOURS = (
    0.7  # of flat tiles, in one of three greys: of drawings 0.86 and more, of smoothed photographs 0.1 to 0.6
)
_LIT_PX = 800  # longer side of the picture that light is measured on
_STROKE_SHARE = 0.03  # of the longer side: wider than strokes and the gaps of print
_SHARP = 14  # levels within three pixels: light changes less, the edges of shadows and filled areas more
_WHITE, _GREYEST_PAPER = 0.93, 0.78  # of the ground: paper is brighter than the one, or at least than the other
_TEXTURES = 3.0  # times the usual difference between two places of paper, grain and screens: what is darker is ink
_SMOOTH = 6.0  # levels from pixel to pixel: light changes less, the edge of a filled area more
_UNEVEN = 24.0  # levels of light between the darkest and the brightest parts of the ground
_LEAST_SHEET = 0.3  # of the picture's area
_SHEET_BRIGHT = 0.65  # of a sheet's own area, print on it left out; bars side by side fill about half of their outline
_SHEET_STEP = 25  # levels from a sheet to what it lies on
_SOFT = 0.22  # of the strongest step between neighbours: what the strongest edges of a blurred picture reach


def flatten(picture: Pixels, frame: Frame, threads: int = 1) -> Iterator[tuple[Pixels, Frame]]:
    """The picture as it is if it was drawn; else its sheet laid flat, level, near and sharp, first clean, then in softer light.

    Print and tables are read best where light and texture are gone, thin lines and colours often where less was done.
    Both are the same view, so that what is written in one stands at the same place in the other. `frame` follows.
    """
    if min(picture.shape[:2]) < 64 or _is_drawn(picture):
        yield picture, frame
        return
    for seen in (picture, np.asarray(255 - picture, np.uint8)):  # one on a dark table was taken for dark mode
        sheet = _sheet_corners(seen)
        if sheet is not None:
            picture, change = _laid_flat(seen, sheet)
            frame = frame.then(change)
            break
    clean = _with_sharp_edges(_evenly_lit(picture))
    view = close_view(clean, threads)
    near, change = view.of(clean)
    yield near, frame.then(change)
    near, change = view.of(_with_sharp_edges(_softly_lit(picture)))
    yield near, frame.then(change)


def _is_drawn(picture: Pixels) -> bool:
    """Whether a program drew the picture: one ground, or flat tiles or neighbours alike, in few colours.

    A sensor's grain leaves none of them; where a phone or its JPEG smoothed the grain away, light still changes over the paper.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    usual = int(counts.argmax())
    if counts[max(usual - 1, 0) : usual + 2].sum() > _DRAWN_SHARE * counts.sum():
        return True
    rows, columns = grey.shape[0] // 8, grey.shape[1] // 8
    tiles = grey[: 8 * rows, : 8 * columns].reshape(rows, 8, columns, 8)
    lightest = tiles.max(axis=(1, 3))
    flat = lightest - tiles.min(axis=(1, 3)) <= 3
    if flat.mean() <= _FLAT_SHARE and float((grey[:, 1:] == grey[:, :-1]).mean()) <= _ALIKE_SHARE:
        return False
    return _commonest_share(lightest[flat]) > _FEW_COLOURS


def _commonest_share(greys: NDArray[np.uint8]) -> float:
    """The share of the three commonest greys, each with its neighbours."""
    counts, common = np.pad(np.bincount(greys, minlength=256), 1), 0
    for _ in range(3):
        near = np.convolve(counts, np.ones(3, counts.dtype), "same")
        usual = int(near[1:-1].argmax()) + 1
        common += int(near[usual])
        counts[usual - 1 : usual + 2] = 0
    return common / max(greys.size, 1)


def _bright_outline(grey: NDArray[np.uint8]) -> NDArray[np.int32] | None:
    """The outline of the largest bright area; a drawn frame is bright at its rim only, and none."""
    _, bright = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if bright.mean() > 0.97 or float(grey[bright == 1].mean()) - float(grey[bright == 0].mean()) < 40:
        return None
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = np.asarray(max(outlines, key=cv2.contourArea), np.int32)
    if cv2.contourArea(largest) < _LEAST_SHEET * grey.size:
        return None
    inside = cv2.drawContours(np.zeros_like(grey), [largest], -1, 1, -1) > 0
    return largest if float(bright[inside].mean()) > _SHEET_BRIGHT else None


def _sheet_corners(picture: Pixels) -> NDArray[np.float32] | None:
    """The corners of a bright sheet on darker surroundings, from the top left clockwise; None where none stands out.

    Nor does the picture itself, or what is lit: at the edge of a soft shadow brightness climbs, at a sheet's it jumps.
    """
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    small = cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY)
    grey = np.asarray(cv2.GaussianBlur(small, (5, 5), 0), np.uint8)
    outline = _bright_outline(grey)
    if outline is None:
        return None
    hull = cv2.convexHull(outline)
    corners = np.asarray(cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True), np.float32).reshape(-1, 2)
    if len(corners) != 4 or cv2.contourArea(outline) < 0.9 * cv2.contourArea(corners.reshape(-1, 1, 2)):
        return None
    rim, (height, width) = 0.02 * max(grey.shape), grey.shape
    if not ((corners > rim).all(axis=1) & (corners[:, 0] < width - rim) & (corners[:, 1] < height - rim)).any():
        return None
    steps = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((7, 7), np.uint8))
    sides = cv2.polylines(np.zeros_like(grey), [np.rint(corners).astype(np.int32)], True, 1, 3) > 0
    if float(np.median(steps[sides])) <= _SHEET_STEP:
        return None
    sums, differences = corners.sum(axis=1), corners[:, 1] - corners[:, 0]
    in_order = corners[[sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax()]]
    return np.asarray(in_order / factor, np.float32)


def _laid_flat(picture: Pixels, sheet: NDArray[np.float32]) -> tuple[Pixels, Frame]:
    """The sheet as a rectangle."""
    top, right, bottom, left = (float(np.hypot(*(sheet[(side + 1) % 4] - sheet[side]))) for side in range(4))
    width, height = max(int(max(top, bottom)), 8), max(int(max(left, right)), 8)
    matrix = np.asarray(cv2.getPerspectiveTransform(sheet, rectangle(width, height)), np.float64)
    return warp(picture, matrix, (width, height))


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
