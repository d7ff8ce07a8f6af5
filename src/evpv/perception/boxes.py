"""Where things are: a box with its arithmetic, and a frame that remembers what was done to a picture before it was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.types import Box as Corners

Pixels = NDArray[np.uint8]
"""A picture as RGB bytes, height × width × 3."""

_Item = TypeVar("_Item")

_FAINT_STEP, _RIPPLED = 12, 0.066  # levels of a faint step; the share of them beyond which they are ripples


class Box(NamedTuple):
    """A rectangle along the axes, in pixels from the top left; still the plain tuple that the schema has."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def of(cls, corners: Corners) -> Box:
        return cls(*corners)

    @classmethod
    def around(cls, boxes: Iterable[Corners]) -> Box:
        """The smallest box that holds all of at least one."""
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return cls(min(lefts), min(tops), max(rights), max(bottoms))

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def x(self) -> float:
        """The middle across."""
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        """The middle down."""
        return (self.y0 + self.y1) / 2

    @property
    def area(self) -> float:
        return max(self.width, 0.0) * max(self.height, 0.0)

    @property
    def line_height(self) -> float:
        """The lesser side: the height of a line of text whichever way it runs."""
        return min(self.width, self.height)

    def overlap(self, other: Corners) -> Box:
        """What both hold; its sides are negative, and its area 0, where they are apart."""
        return Box(max(self.x0, other[0]), max(self.y0, other[1]), min(self.x1, other[2]), min(self.y1, other[3]))

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def times(self, factor: float) -> Box:
        return Box(self.x0 * factor, self.y0 * factor, self.x1 * factor, self.y1 * factor)

    def shift(self, dx: float, dy: float) -> Box:
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def with_margin(self, margin: float) -> Box:
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def within(self, width: float, height: float) -> Box:
        """The part of it that lies on a picture of that size."""
        return self.overlap((0.0, 0.0, float(width), float(height)))

    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the pixels it covers, to index a picture by."""
        x0, y0, x1, y1 = (max(round(edge), 0) for edge in self)
        return slice(y0, y1), slice(x0, x1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How a picture came out of another one, so that what is found in it can be placed in the other.

    `inverse` maps points of the picture to points of the one it was made of: 2 × 3, as OpenCV has it.
    """

    inverse: NDArray[np.float64]

    @classmethod
    def same(cls) -> Frame:
        return cls(inverse=np.eye(2, 3))

    @classmethod
    def at_scale(cls, factor: float) -> Frame:
        """Of a picture that was enlarged by a factor."""
        return cls(inverse=np.eye(2, 3) / factor)

    @classmethod
    def of_warp(cls, forward: NDArray[np.float64]) -> Frame:
        """Of a picture made by `cv2.warpAffine` with that matrix."""
        return cls(inverse=np.asarray(cv2.invertAffineTransform(forward), np.float64))

    def then(self, later: Frame) -> Frame:
        """The frame of a picture made out of this one's."""
        linear = self.inverse[:, :2] @ later.inverse[:, :2]
        shift = self.inverse[:, :2] @ later.inverse[:, 2:] + self.inverse[:, 2:]
        return Frame(inverse=np.hstack([linear, shift]))

    def back(self, box: Corners) -> Box:
        """The upright box around where a box of this picture was in the one that it was made of."""
        if np.array_equal(self.inverse, np.eye(2, 3)):
            return Box.of(box)
        x0, y0, x1, y1 = box
        corners = np.array([(x0, y0, 1), (x1, y0, 1), (x1, y1, 1), (x0, y1, 1)]) @ self.inverse.T
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        return Box(float(left), float(top), float(right), float(bottom))


def groups_of(items: Iterable[_Item], belongs: Callable[[_Item, list[_Item]], bool]) -> list[list[_Item]]:
    """The items in their order, each put into the first group that it belongs to, or else into one of its own.

    >>> groups_of([1, 2, 7, 8, 3], lambda number, group: number - group[-1] == 1)
    [[1, 2, 3], [7, 8]]
    """
    groups: list[list[_Item]] = []
    for item in items:
        home = next((group for group in groups if belongs(item, group)), None)
        if home is None:
            groups.append([item])
        else:
            home.append(item)
    return groups


def runs_apart(places: NDArray[np.int64], gap: float) -> list[NDArray[np.int64]]:
    """Places in order, cut wherever two neighbours are farther apart than a gap.

    >>> [run.tolist() for run in runs_apart(np.array([1, 2, 4, 9]), 2)]
    [[1, 2, 4], [9]]
    """
    return np.split(places, np.flatnonzero(np.diff(places) > gap) + 1)


def runs_of(flags: NDArray[np.bool_]) -> list[list[int]]:
    """Where flags are up, from the first to behind the last of each run.

    >>> runs_of(np.array([True, False, True, True]))
    [[0, 1], [2, 4]]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    found: list[list[int]] = edges.reshape(-1, 2).tolist()
    return found


def lightest(picture: Pixels) -> NDArray[np.uint8]:
    """Of each pixel the greatest of its channels; numpy's own `max` along the last axis takes ten times as long."""
    red, green, blue = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)


def darkest(picture: Pixels) -> NDArray[np.uint8]:
    """Of each pixel the least of its channels."""
    red, green, blue = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8)


def resize(picture: Pixels, factor: float) -> Pixels:
    """The picture enlarged or shrunk, at least four pixels a side, by the method that keeps strokes best."""
    if factor == 1.0:
        return picture
    size = max(round(picture.shape[1] * factor), 4), max(round(picture.shape[0] * factor), 4)
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)


def ripple_share(picture: Pixels) -> float:
    """The share of pixels that are faintly lighter or darker than their neighbour: few in a drawing as it was drawn."""
    step = np.abs(np.diff(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.int16), axis=1))
    return float(np.count_nonzero((step > 0) & (step <= _FAINT_STEP)) / max(step.size, 1))


def is_rippled(picture: Pixels) -> bool:
    """Whether compression, shrinking or grain left ripples beside the edges of a drawing."""
    return ripple_share(picture) > _RIPPLED
