"""The areas that lines close off from the page: the insides of figures, without the strips beside them that dimension lines close off."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.geometry.ink import Ink, Mask

_LEAST_SHARE = 0.006  # of the picture's area that a figure encloses, at least
_LEAST_OF_LARGEST = 0.12  # of the area of the largest figure beside it
_FRAME_SHARE = 0.85  # and at most: what is larger is a frame around it
_LEAST_FACE_PX = 60
_GAPS_PX = (3, 7)  # that lines may have; the larger where that closes off more
_MORE = 1.15  # times as much
LINE_PX = 11  # the widest line between two faces of one figure
_MOST_FACES = 12  # in one figure: what has more is a grid
_STRIP_GLYPHS = 0.4  # of the largest glyph that a strip is thick, at most
_STRIP_LONG, _STRIP_FILLED = 2.5, 0.8  # how many times as long as thick, and how much of its rectangle, at least
_STRIP_SHARE = 0.25  # of all that is enclosed, at most


def enclosures(ink: Ink) -> list[Mask]:
    """The areas that lines close off from the picture's rim, the largest first."""
    found, wider = (_closed_areas(ink, gap) for gap in _GAPS_PX)
    regions = wider if sum(map(np.count_nonzero, wider)) >= _MORE * sum(map(np.count_nonzero, found)) else found
    return [region for region in regions if count_faces(ink, region) <= _MOST_FACES]


def count_faces(ink: Ink, region: Mask) -> int:
    """Into how many parts lines cut a region."""
    return len(_labelled_faces(ink, region)[1])


def faces_of(ink: Ink, region: Mask) -> list[Mask]:
    """The parts into which lines cut a region, up to the middle of the lines."""
    labelled, faces = _labelled_faces(ink, region)
    wider = np.ones((5, 5), np.uint8)
    return [np.asarray(cv2.dilate((labelled == one).astype(np.uint8), wider), np.uint8) for one in faces]


def _labelled_faces(ink: Ink, region: Mask) -> tuple[NDArray[np.int32], list[int]]:
    free = np.asarray(region & (ink.near_lines == 0), np.uint8)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    large = 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= _LEAST_FACE_PX)
    return np.asarray(labelled, np.int32), large.tolist()


def _closed_areas(ink: Ink, gap_px: int) -> list[Mask]:
    """The areas inside lines with gaps of a width, of one or more faces; none where a line leads out of, and no strips."""
    closed = cv2.morphologyEx(ink.lines, cv2.MORPH_CLOSE, np.ones((gap_px, gap_px), np.uint8))
    padded = np.pad(np.asarray(closed, np.uint8), 2)
    cv2.floodFill(padded, None, (0, 0), 2)
    inside = np.asarray(padded[2:-2, 2:-2] == 0, np.uint8)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    is_face = stats[:, cv2.CC_STAT_AREA] >= _LEAST_FACE_PX
    is_face[0] = False
    thickest, most = _STRIP_GLYPHS * ink.max_glyph_px, _STRIP_SHARE * int(inside.sum())
    for index in np.flatnonzero(is_face & (stats[:, cv2.CC_STAT_AREA] <= most)).tolist():
        is_face[index] = not _is_strip(labelled == index, stats[index].tolist(), thickest)
    faces = np.asarray(is_face[labelled], np.uint8)
    joined = cv2.morphologyEx(faces, cv2.MORPH_CLOSE, np.ones((LINE_PX, LINE_PX), np.uint8))
    wider = cv2.dilate(joined, np.ones((3, 3), np.uint8))
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(wider, connectivity=4)
    areas = stats[1:, cv2.CC_STAT_AREA]
    least = max(_LEAST_SHARE * faces.size, _LEAST_OF_LARGEST * int(areas.max(initial=0)))
    order = np.argsort(-areas, kind="stable").tolist()
    kept = [1 + place for place in order if least <= areas[place] <= _FRAME_SHARE * faces.size]
    return [np.asarray(labelled == index, np.uint8) for index in kept]


def _is_strip(face: NDArray[np.bool_], place: Sequence[int], thickest: float) -> bool:
    """Whether a face is what a dimension line and the two strokes to its ends close off beside a figure."""
    left, top, width, height, area = place
    rows, columns = np.nonzero(face[top : top + height, left : left + width])
    _, sizes, _ = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
    across, along = sorted(size + 1 for size in sizes)
    return across <= thickest and along >= _STRIP_LONG * across and area >= _STRIP_FILLED * across * along
