"""The flat colours a chart is drawn in, which pixel has which, and the connected parts of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.ocr import Pixels

Labels = NDArray[np.int16]
_Colour = tuple[int, int, int]

_BITS = 3  # colours are counted in cubes of 8 x 8 x 8
_SAME = 28.0  # pixels nearer than this to a palette colour have that colour
_APART = 34.0  # two palette colours are at least this far apart
_MOST = 24
_COLOURFUL = 40  # chroma of marks; paper is paler
_AT_EDGES = 0.25  # of the picture's edges, at least, have the paper's colour if that is colourful
_LEAST_PAPER = 0.1  # of the picture
_GREY, _PALE, _PANEL = 18, 222, 0.08  # a panel is grey, pale and covers this share of the picture
_TINT, _TILED, _OWN = 200, 0.97, 0.6  # or it has a tint no darker than this, and with grid and marks fills its box


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a picture, the background first, then most frequent first, and each pixel's colour.

    `index` holds -1 where a pixel has none of them, as on blurred edges.
    """

    colours: tuple[_Colour, ...]
    index: Labels

    def mask(self, number: int) -> NDArray[np.uint8]:
        mask: NDArray[np.uint8] = (self.index == number).view(np.uint8)
        return mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A connected part of one colour: its box (x1 and y1 just outside) and how many pixels it has."""

    colour: int
    x0: int
    y0: int
    x1: int
    y1: int
    area: int

    @property
    def width(self) -> int:
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        return self.y1 - self.y0

    @property
    def y(self) -> float:
        return (self.y0 + self.y1) / 2


def chroma(colour: _Colour) -> int:
    """How far from grey a colour is."""
    return max(colour) - min(colour)


def is_pale(colour: _Colour) -> bool:
    """Whether a colour is the pale grey of panels and bands rather than of a mark."""
    return chroma(colour) <= _GREY and min(colour) >= _PALE


def find_palette(picture: Pixels) -> Palette:
    """Count colours in a coarse grid and keep the peaks; edges blurred between two colours seldom become peaks."""
    coarse = (picture >> _BITS).astype(np.int32)
    keys = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    counts = np.bincount(keys.ravel(), minlength=32768)
    present = np.flatnonzero(counts)
    means = _means(picture, keys, counts)[present]
    least = max(40, keys.size // 12000)
    chosen: list[int] = []
    for place in np.argsort(-counts[present], kind="stable")[:400].tolist():
        if (chosen and counts[present[place]] < least) or len(chosen) == _MOST:
            break
        if not chosen or float(np.linalg.norm(means[chosen] - means[place], axis=1).min()) >= _APART:
            chosen.append(place)
    table = np.full(32768, -1, np.int16)
    table[present] = _nearest(means, means[chosen])
    colours = tuple((int(red), int(green), int(blue)) for red, green, blue in means[chosen])
    return _with_paper_first(Palette(colours=colours, index=table[keys]))


def _with_paper_first(palette: Palette) -> Palette:
    """The palette with another first colour where the most frequent one is that of a mark: colourful, and not at the edges.

    A large pie or area may cover more than the paper around it.
    """
    edges = np.concatenate([palette.index[edge] for edge in (0, -1)] + [palette.index[:, edge] for edge in (0, -1)])
    if chroma(palette.colours[0]) <= _COLOURFUL or (edges == 0).mean() >= _AT_EDGES:
        return palette
    greys = [number for number, colour in enumerate(palette.colours) if chroma(colour) <= _COLOURFUL]
    paper = max(greys, key=lambda number: float(palette.mask(number).mean()), default=0)
    if palette.mask(paper).mean() < _LEAST_PAPER:
        return palette
    order = [paper, *(number for number in range(len(palette.colours)) if number != paper)]
    places = np.argsort(order).astype(np.int16)
    index: Labels = np.where(palette.index >= 0, places[palette.index], -1).astype(np.int16)
    return Palette(colours=tuple(palette.colours[number] for number in order), index=index)


def _means(picture: Pixels, keys: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """The mean colour of the pixels of each cube."""
    flat = keys.ravel()
    sums = [np.bincount(flat, weights=picture[..., channel].ravel(), minlength=32768) for channel in range(3)]
    means: NDArray[np.float32] = (np.stack(sums, axis=1) / np.maximum(counts, 1)[:, None]).astype(np.float32)
    return means


def _nearest(means: NDArray[np.float32], colours: NDArray[np.float32]) -> Labels:
    far = np.linalg.norm(means[:, None, :] - colours[None, :, :], axis=2)
    nearest: Labels = np.where(far.min(axis=1) <= _SAME, far.argmin(axis=1), -1).astype(np.int16)
    return nearest


def find_parts(palette: Palette) -> list[Part]:
    """The connected parts of all colours but the background, without specks and hair lines."""
    parts = []
    for colour in range(1, len(palette.colours)):
        _, _, stats, _ = cv2.connectedComponentsWithStats(palette.mask(colour), connectivity=4)
        for x, y, width, height, area in stats[1:][stats[1:, cv2.CC_STAT_AREA] >= 8].tolist():
            parts.append(Part(colour=colour, x0=x, y0=y, x1=x + width, y1=y + height, area=area))
    return parts


def find_blocks(palette: Palette) -> list[Part]:
    """What stands on the paper in one piece, with its usual colour: bars that are coloured by their value have several."""
    mask = cv2.morphologyEx((palette.index != 0).view(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    blocks = []
    for x, y, wide, tall, area in stats[1:].tolist():
        colours, counts = np.unique(palette.index[y : y + tall, x : x + wide], return_counts=True)
        usual = int(colours[counts.argmax()])
        blocks.append(Part(colour=usual, x0=x, y0=y, x1=x + wide, y1=y + tall, area=area))
    return blocks


def without_panel(parts: Sequence[Part], palette: Palette) -> list[Part]:
    """The parts without those of a pale panel behind the plot, which a grid cuts into cells that look like bars."""
    panels = {number for number in range(1, len(palette.colours)) if _is_panel(palette, number)}
    return [part for part in parts if part.colour not in panels]


def _is_panel(palette: Palette, number: int) -> bool:
    """Whether a colour is that of a panel: pale grey, or of a paler tint and filling one rectangle but for grid and marks."""
    colour, mask = palette.colours[number], palette.mask(number)
    if mask.mean() < _PANEL or min(colour) < _TINT:
        return False
    if is_pale(colour):
        return True
    rows, columns = (np.flatnonzero(mask.mean(axis=axis) >= _PANEL) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return False
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    inside = cv2.morphologyEx((palette.index != 0).view(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return float(inside[box].mean()) >= _TILED and float(mask[box].mean()) >= _OWN
