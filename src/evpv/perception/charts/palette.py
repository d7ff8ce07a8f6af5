"""The flat colours a chart is drawn in, the connected parts of each, and the inks of thin lines, which blur into the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box
from evpv.perception.charts.labels import Label
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
_GREY, _PALE, _PANEL = 8, 222, 0.08  # a panel is grey, pale and covers this share of the picture


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
    x0: float
    y0: float
    x1: float
    y1: float
    area: int = 0

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def x(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        return (self.y0 + self.y1) / 2

    def quarter_turn(self) -> Part:
        """The part in a frame turned a quarter, where bars that lie on the page stand and grow upward."""
        return replace(self, x0=self.y0, y0=-self.x1, x1=self.y1, y1=-self.x0)


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


def without_panel(parts: Sequence[Part], palette: Palette) -> list[Part]:
    """The parts without those of a pale panel behind the plot, which a grid cuts into cells that look like bars."""
    panels = {
        number
        for number, colour in enumerate(palette.colours)
        if number and is_pale(colour) and palette.mask(number).mean() >= _PANEL
    }
    return [part for part in parts if part.colour not in panels]


_COLOURLESS = 25
_DARK = 150.0  # of a grey line, which must not be a grid's
_LEAST_DEPTH = 60.0  # inks are at least this far from the paper
_SAME_RAY = 0.995  # cosine between the directions of two colours of one ink
_ON_RAY = 0.99  # and between a pixel and its ink
_THINNEST = 0.3  # of the ink's depth; paler pixels may be a grid's
_PRINT, _LEAST_TEXTS = 0.6, 4  # of a colour's pixels that are within so many labels
_CORE = 0.75  # pixels of at least this share of the ink's depth are not blurred


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """A colour of the palette, the pixels that have it in any thinness, and those that have it in full."""

    colour: int
    mask: NDArray[np.uint8]
    core: NDArray[np.uint8]


def find_inks(picture: Pixels, palette: Palette, inside: tuple[slice, slice], labels: Sequence[Label]) -> list[Ink]:
    """The colourful inks of a part of a picture and where they are, without the one that the labels are printed in.

    A blurred pixel is a mixture of ink and paper, so all pixels of an ink lie in one direction from the paper's colour.
    """
    paper = np.array(palette.colours[0], np.float32)
    index, picture = palette.index[inside], picture[inside]
    counts = np.bincount(index[index >= 0].ravel(), minlength=len(palette.colours))
    printed = {ink for ink in range(len(palette.colours)) if _is_print(palette.mask(ink), labels)}
    inks = [ink for ink in _deepest(palette, paper, counts) if ink not in printed]
    dark = not inks
    if dark:
        greys = _deepest(palette, paper, counts, least_chroma=0, least_depth=_DARK)
        inks = [ink for ink in greys if ink not in printed]
    away = paper - picture.reshape(-1, 3).astype(np.float32)
    depth = np.linalg.norm(away, axis=1)
    seen = np.flatnonzero(depth > 40)
    if not inks or not len(seen):
        return []
    rays = np.array([_ray(palette, paper, ink) for ink in inks], np.float32)
    cosines = (away[seen] / depth[seen, None]) @ rays.T
    best = np.where(cosines.max(axis=1) >= _ON_RAY, cosines.argmax(axis=1), -1)
    found = []
    for number, ink in enumerate(inks):
        full = float(np.linalg.norm(paper - palette.colours[ink]))
        pixels = seen[best == number]
        pixels = pixels[depth[pixels] >= _THINNEST * full]
        masks = [np.zeros(len(depth), np.uint8), np.zeros(len(depth), np.uint8)]
        masks[0][pixels] = 1
        masks[1][pixels[depth[pixels] >= _CORE * full]] = 1
        mask, core = (flat.reshape(picture.shape[:2]) for flat in masks)
        if dark:
            mask = mask * (1 - _straight_rules(mask))
        found.append(Ink(colour=ink, mask=mask, core=core))
    return found


def _is_print(mask: NDArray[np.uint8], labels: Sequence[Label]) -> bool:
    """Whether most of a colour is within labels, several of them: then it is that of the text."""
    inked = [int(mask[Box.of(label.page).slices()].sum()) for label in labels]
    return sum(count > 0 for count in inked) >= _LEAST_TEXTS and sum(inked) > _PRINT * int(mask.sum())


def _straight_rules(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The axes, frames and grid lines of a mask: what runs straight across half of it."""
    height, width = mask.shape
    across = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, max(width // 2, 3)), np.uint8))
    down = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((max(height // 2, 3), 1), np.uint8))
    return np.asarray(cv2.dilate(cv2.max(across, down), np.ones((3, 3), np.uint8)), np.uint8)


def _deepest(
    palette: Palette,
    paper: NDArray[np.float32],
    counts: NDArray[np.int64],
    *,
    least_chroma: int = _COLOURLESS,
    least_depth: float = _LEAST_DEPTH,
) -> list[int]:
    """One palette colour per direction: the deepest of those that are frequent there."""
    depth = [float(np.linalg.norm(paper - colour)) for colour in palette.colours]
    colourful = [
        n
        for n in range(1, len(depth))
        if chroma(palette.colours[n]) >= least_chroma and depth[n] > least_depth and counts[n] >= 20
    ]
    groups: list[list[int]] = []
    for number in sorted(colourful, key=lambda n: -int(counts[n])):
        ray = _ray(palette, paper, number)
        home = next((g for g in groups if float(ray @ _ray(palette, paper, g[0])) >= _SAME_RAY), None)
        if home is None:
            groups.append([number])
        else:
            home.append(number)
    return [max((n for n in group if counts[n] >= 0.1 * counts[group[0]]), key=lambda n: depth[n]) for group in groups]


def _ray(palette: Palette, paper: NDArray[np.float32], number: int) -> NDArray[np.float32]:
    away = paper - np.array(palette.colours[number], np.float32)
    ray: NDArray[np.float32] = away / max(float(np.linalg.norm(away)), 1.0)
    return ray
