"""Photographs and scans of figures made into flat, evenly lit pictures before anything is read.

A figure that was drawn by a program has one exact ground colour and is left alone, which costs a histogram. Of a
photograph the sheet is found and laid flat, shadows are divided out, and soft edges are sharpened.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Frame, Pixels, resized

_JUDGED_PX = 480  # longer side of the picture that light and sheet are judged on
_DRAWN_SHARE = 0.35  # of the pixels that have the ground's very colour: so many in a drawing, few in a photograph
_FLAT_SHARE = 0.5  # of small tiles that have one colour, likewise
_SMOOTH = 6.0  # levels from pixel to pixel: light changes less, the edge of a filled area more
_UNEVEN = 24.0  # levels of light between the darkest and the brightest parts of the ground
_LEAST_SHEET = 0.3  # of the picture's area
_SOFT = 0.22  # of the strongest step between neighbours: what the strongest edges of a blurred picture reach


def flattened(picture: Pixels, frame: Frame) -> tuple[Pixels, Frame]:
    """The picture as it is if it was drawn, else its sheet laid flat, evenly lit and sharp; `frame` follows."""
    if min(picture.shape[:2]) < 64 or is_drawn(picture):
        return picture, frame
    for seen in (picture, np.asarray(255 - picture, np.uint8)):  # one on a dark table was taken for dark mode
        sheet = _sheet_corners(seen)
        if sheet is not None:
            picture, change = _laid_flat(seen, sheet)
            frame = frame.then(change)
            break
    light = _light(picture)
    if light is not None:
        picture = _evenly_lit(picture, light)
    return (_sharpened(picture) if _is_soft(picture) else picture), frame


def is_drawn(picture: Pixels) -> bool:
    """Whether a program drew the picture: one ground, or flat tiles; a sensor's grain leaves neither."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    usual = int(counts.argmax())
    if counts[max(usual - 1, 0) : usual + 2].sum() > _DRAWN_SHARE * counts.sum():
        return True
    rows, columns = grey.shape[0] // 8, grey.shape[1] // 8
    tiles = grey[: 8 * rows, : 8 * columns].reshape(rows, 8, columns, 8)
    return float((tiles.max(axis=(1, 3)) - tiles.min(axis=(1, 3)) <= 3).mean()) > _FLAT_SHARE


def _sheet_corners(picture: Pixels) -> NDArray[np.float32] | None:
    """The corners of a bright sheet on darker surroundings, from the top left clockwise; None where none stands out."""
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.GaussianBlur(cv2.cvtColor(resized(picture, factor), cv2.COLOR_RGB2GRAY), (5, 5), 0)
    level, bright = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if bright.mean() > 0.97 or float(grey[bright == 1].mean()) - float(grey[bright == 0].mean()) < 40:
        return None
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(outlines, key=cv2.contourArea)
    if cv2.contourArea(largest) < _LEAST_SHEET * grey.size:
        return None
    hull = cv2.convexHull(largest)
    corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True).reshape(-1, 2)
    if len(corners) != 4 or cv2.contourArea(largest) < 0.9 * cv2.contourArea(corners.reshape(-1, 1, 2)):
        return None
    if _fills(corners, grey.shape):
        return None
    return np.asarray(_in_order(corners.astype(np.float32)) / factor, np.float32)


def _fills(corners: NDArray[np.integer], shape: tuple[int, ...]) -> bool:
    """Whether a sheet is the picture itself."""
    rim = 0.02 * max(shape)
    inside = (corners > rim).all(axis=1) & (corners[:, 0] < shape[1] - rim) & (corners[:, 1] < shape[0] - rim)
    return int(inside.sum()) == 0


def _in_order(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    sums, differences = corners.sum(axis=1), corners[:, 1] - corners[:, 0]
    return corners[[sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax()]]


def _laid_flat(picture: Pixels, sheet: NDArray[np.float32]) -> tuple[Pixels, Frame]:
    """The sheet as a rectangle. Its frame is the affine map nearest to the perspective one: boxes need no more."""
    top, right, bottom, left = (float(np.hypot(*(sheet[(side + 1) % 4] - sheet[side]))) for side in range(4))
    width, height = max(int(max(top, bottom)), 8), max(int(max(left, right)), 8)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(sheet, target)
    flat = cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    square = np.hstack([target, np.ones((4, 1), np.float32)])
    inverse, *_ = np.linalg.lstsq(square, sheet, rcond=None)
    return np.asarray(flat, np.uint8), Frame(inverse=np.asarray(inverse.T, np.float64))


def _light(picture: Pixels) -> NDArray[np.float32] | None:
    """How bright the ground is everywhere, on a small picture; None where it is even, or what changes it is no light.

    Ink is thinner than what the filters reach over; filled areas are not, but have edges.
    """
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.cvtColor(resized(picture, factor), cv2.COLOR_RGB2GRAY)
    reach = max(int(0.04 * max(grey.shape)) | 1, 9)
    ground = cv2.medianBlur(cv2.dilate(grey, np.ones((reach, reach), np.uint8)), min(2 * reach + 1, 61))
    steps = np.abs(np.diff(cv2.GaussianBlur(ground, (5, 5), 0).astype(np.float32), axis=1))
    uneven = float(np.percentile(ground, 98) - np.percentile(ground, 2))
    if uneven < _UNEVEN or float(np.percentile(steps, 99.5)) > _SMOOTH:
        return None
    return np.asarray(cv2.GaussianBlur(ground, (0, 0), reach / 2), np.float32)


def _evenly_lit(picture: Pixels, light: NDArray[np.float32]) -> Pixels:
    """Shadows divided out, the ground brought near white."""
    whole = cv2.resize(light, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = picture.astype(np.float32) * (245.0 / np.maximum(whole, 30.0))[:, :, None]
    return np.asarray(np.clip(even, 0, 255), np.uint8)


def _is_soft(picture: Pixels) -> bool:
    """Whether even the sharpest edges rise slowly, as those of a hand-held photograph do."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    steps = np.abs(np.diff(cv2.GaussianBlur(grey, (3, 3), 0), axis=1))
    contrast = float(np.percentile(grey, 99.5) - np.percentile(grey, 0.5))
    return float(np.percentile(steps, 99.5)) < _SOFT * max(contrast, 1.0)


def _sharpened(picture: Pixels) -> Pixels:
    blurred = cv2.GaussianBlur(picture, (0, 0), 2.0)
    return np.asarray(cv2.addWeighted(picture, 2.0, blurred, -1.0, 0), np.uint8)
