"""The flat colours a chart is drawn in, which pixel has which, the connected parts of each, and the inks of thin lines.

Lines blur into the paper until few pixels have the colour itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, groups_of

_Labels = NDArray[np.int16]
_Colour = tuple[int, int, int]

_BITS = 3  # colours are counted in cubes of 8 x 8 x 8
_SAME = 28.0  # pixels nearer than this to a palette colour have that colour
_APART = 34.0  # two palette colours are at least this far apart
_MOST = 24
_COLOURFUL = 40  # chroma of marks; paper is paler
_AT_EDGES = 0.25  # of the picture's edges, at least, have the paper's colour if that is colourful
_HARDLY_AT_EDGES = 0.02  # of them, where what is grey is no paper
_LEAST_PAPER = 0.1  # of the picture
_LEAST_NET, _THIN_PX = 0.1, 5  # what lines of an axis span at least, of the picture, and how thick they are at most
_GREY, _PALE, _PANEL = 18, 222, 0.08  # a panel is grey, pale and covers this share of the picture
_TINT, _TILED, _OWN = 200, 0.97, 0.3  # or it has a tint no darker than this, and with grid and marks fills its box


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of a picture, the background first, then most frequent first, and each pixel's colour.

    `index` holds -1 where a pixel has none of them, as on blurred edges.
    """

    colours: tuple[_Colour, ...]
    index: _Labels

    def depth(self, number: int) -> float:
        """How far a colour is from the background."""
        return float(np.linalg.norm(np.subtract(self.colours[0], self.colours[number])))

    def mask(self, number: int) -> NDArray[np.uint8]:
        mask: NDArray[np.uint8] = (self.index == number).view(np.uint8)
        return mask


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourPart:
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
    def x(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def y(self) -> float:
        return (self.y0 + self.y1) / 2

    def quarter_turn(self) -> ColourPart:
        """The part in a frame turned a quarter, where bars that lie on the page stand and grow upward."""
        return replace(self, x0=self.y0, y0=-self.x1, x1=self.y1, y1=-self.x0)


def chroma(colour: _Colour) -> int:
    """How far from grey a colour is."""
    return max(colour) - min(colour)


def is_pale(colour: _Colour) -> bool:
    """Whether a colour is the pale grey of panels and bands rather than of a mark."""
    return chroma(colour) <= _GREY and min(colour) >= _PALE


def find_palette(picture: Pixels) -> Palette:
    """Count colours in a coarse grid and keep the peaks; edges blurred between two colours seldom become peaks.

    Each pixel has the peak nearest to the mean of its cube.
    """
    coarse = (picture >> _BITS).astype(np.int32)
    keys = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    flat = keys.ravel()
    counts = np.bincount(flat, minlength=32768)
    present = np.flatnonzero(counts)
    sums = [np.bincount(flat, weights=picture[..., channel].ravel(), minlength=32768) for channel in range(3)]
    means = (np.stack(sums, axis=1)[present] / counts[present, None]).astype(np.float32)
    least = max(40, keys.size // 12000)
    chosen: list[int] = []
    for place in np.argsort(-counts[present], kind="stable")[:400].tolist():
        if (chosen and counts[present[place]] < least) or len(chosen) == _MOST:
            break
        if not chosen or float(np.linalg.norm(means[chosen] - means[place], axis=1).min()) >= _APART:
            chosen.append(place)
    far = np.linalg.norm(means[:, None, :] - means[chosen][None, :, :], axis=2)
    table = np.full(32768, -1, np.int16)
    table[present] = np.where(far.min(axis=1) <= _SAME, far.argmin(axis=1), -1)
    colours = tuple((int(red), int(green), int(blue)) for red, green, blue in means[chosen])
    return _with_paper_first(Palette(colours=colours, index=table[keys]))


def _with_paper_first(palette: Palette) -> Palette:
    """The palette with another first colour where the most frequent one is that of a mark: colourful, or not pale, and not at the edges.

    A large pie or area, or wide grey bars, may cover more than the paper around them.
    """
    index, first = palette.index, palette.colours[0]
    edges = np.concatenate([index[0], index[-1], index[:, 0], index[:, -1]])
    at_edges = np.bincount(edges[edges >= 0], minlength=len(palette.colours)) / len(edges)
    is_mark = chroma(first) > _COLOURFUL or (min(first) < _TINT and at_edges[0] <= _HARDLY_AT_EDGES)
    if not is_mark or at_edges[0] >= _AT_EDGES:
        return palette
    greys = [number for number, colour in enumerate(palette.colours) if number and chroma(colour) <= _COLOURFUL]
    paper = max(greys, key=lambda number: float(at_edges[number]), default=0)
    if palette.mask(paper).mean() < _LEAST_PAPER:
        return palette
    order = sorted(range(len(palette.colours)), key=lambda number: number != paper)
    places = np.argsort(order).astype(np.int16)
    index = np.where(index >= 0, places[index], -1).astype(np.int16)
    return Palette(colours=tuple(palette.colours[number] for number in order), index=index)


def find_parts(palette: Palette) -> list[ColourPart]:
    """The connected parts of all colours but the background, without specks and hair lines; bars apart from the axis they touch."""
    parts: list[ColourPart] = []
    for colour in range(1, len(palette.colours)):
        mask = palette.mask(colour)
        whole = _connected_parts(mask, colour)
        nets = [part for part in whole if _LEAST_NET * mask.size <= part.width * part.height > 2 * part.area]
        parts += whole
        if nets:
            thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((_THIN_PX, _THIN_PX), np.uint8))
            parts += [bar for bar in _connected_parts(np.asarray(thick, np.uint8), colour) if _is_bar_of(bar, nets)]
    return parts


def _is_bar_of(bar: ColourPart, nets: Sequence[ColourPart]) -> bool:
    """Whether a thick piece is a rectangle of a net of lines: axes and frames join the bars of their own colour."""
    solid = min(bar.width, bar.height) > _THIN_PX and bar.area >= 0.97 * bar.width * bar.height
    return solid and any(n.x0 <= bar.x0 and bar.x1 <= n.x1 and n.y0 <= bar.y0 and bar.y1 <= n.y1 for n in nets)


_GRID_PX = 4  # how thick the lines of a grid are at most
_ON_PAPER, _ON_MARKS = 0.1, 0.02  # of the picture that a grid's line crosses, at least


def without_grid(palette: Palette) -> Palette:
    """The palette's picture without the lines of a grid that was drawn over marks, which it would cut to pieces."""
    pale = np.array([number == 0 or min(colour) >= _TINT for number, colour in enumerate(palette.colours)] + [False])
    index = _without_rows(_without_rows(palette.index, pale).T, pale).T
    return replace(palette, index=np.ascontiguousarray(index)) if index is not palette.index else palette


def _without_rows(index: _Labels, pale: NDArray[np.bool_]) -> _Labels:
    """The level lines that run over paper or a panel and over marks are gone where one colour is above and below them."""
    cleared, is_paper = index, pale[index]
    is_mark = ~is_paper & (index > 0)
    for thick in range(1, _GRID_PX + 1):
        above, below = index[: -thick - 1], index[thick + 1 :]
        alike = above == below
        for row in range(1, thick + 1):
            alike &= index[row : row - thick - 1] != above
        grounds = (alike & kind[: -thick - 1] for kind in (is_paper, is_mark))
        paper, marks = (np.count_nonzero(ground, axis=1) / index.shape[1] for ground in grounds)
        for start in np.flatnonzero((paper >= _ON_PAPER) & (marks >= _ON_MARKS)).tolist():
            cleared = index.copy() if cleared is index else cleared
            for row in range(start + 1, start + thick + 1):
                cleared[row] = np.where(alike[start], above[start], cleared[row])
    return cleared


def _connected_parts(mask: NDArray[np.uint8], colour: int) -> list[ColourPart]:
    x0, y0, across, down = cv2.boundingRect(mask)  # most colours keep to a small place
    if not across:
        return []
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask[y0 : y0 + down, x0 : x0 + across], connectivity=4)
    return [
        ColourPart(colour=colour, x0=x0 + x, y0=y0 + y, x1=x0 + x + width, y1=y0 + y + height, area=area)
        for x, y, width, height, area in stats[1:][stats[1:, cv2.CC_STAT_AREA] >= 8].tolist()
    ]


def without_panel(parts: Sequence[ColourPart], palette: Palette) -> list[ColourPart]:
    """The parts without those of a pale panel behind the plot, which a grid cuts into cells that look like bars."""
    panels = {number for number in range(1, len(palette.colours)) if is_panel(palette, number)}
    return [part for part in parts if part.colour not in panels]


def is_panel(palette: Palette, number: int) -> bool:
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


_LEAST_CHROMA, _PAPER = 25, 40  # how far from grey inks are at least, and papers at most
_LEAST_DEPTH = 60.0  # inks are at least this far from the paper
_SAME_RAY = 0.995  # cosine between the directions of two colours of one ink
_ON_RAY = 0.99  # and between a pixel and its ink
_BLACK = 0.9995  # and between a grey and black
_THINNEST = 0.3  # of the ink's depth; paler pixels may be a grid's
_CORE = 0.75  # pixels of at least this share of the ink's depth are not blurred


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourInk:
    """A colour of the palette, the pixels that have it in any thinness, and those that have it in full."""

    colour: int
    mask: NDArray[np.uint8]
    core: NDArray[np.uint8]


def find_inks(picture: Pixels, palette: Palette, index: _Labels, colours: Sequence[int] = ()) -> list[ColourInk]:
    """The inks of a part of a picture and where they are: those of the given colours, else all colourful ones.

    A blurred pixel is a mixture of ink and paper, so all pixels of an ink lie in one direction from the paper's colour.
    """
    counts = np.bincount(index[index >= 0].ravel(), minlength=len(palette.colours))
    paper = _paper_of(palette, counts)
    inks = list(dict.fromkeys(colours)) or _deepest(palette, paper, counts)
    away = paper - picture.reshape(-1, 3).astype(np.float32)
    depth = np.linalg.norm(away, axis=1)
    seen = np.flatnonzero((depth > 40) & (index.ravel() != 0))
    if not inks or not len(seen):
        return []
    ways = paper - np.array([palette.colours[ink] for ink in inks], np.float32)
    rays = ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1.0)
    cosines = (away[seen] / depth[seen, None]) @ rays.T
    best = np.where(cosines.max(axis=1) >= np.maximum(_ON_RAY, _greyness(away[seen], rays)), cosines.argmax(axis=1), -1)
    if colours:
        best = _by_own_colour(best, index.ravel()[seen], inks, rays)
    found = []
    for number, ink in enumerate(inks):
        full = float(np.linalg.norm(paper - palette.colours[ink]))
        pixels = seen[best == number]
        masks = np.zeros((2, len(depth)), np.uint8)
        masks[0, pixels[depth[pixels] >= _THINNEST * full]] = 1
        masks[1, pixels[depth[pixels] >= _CORE * full]] = 1
        mask, core = masks.reshape(2, *picture.shape[:2])
        if colours:  # print of a like colour is blurred too, but nowhere near the ink's own
            mask &= np.asarray(cv2.dilate((index == ink).view(np.uint8), np.ones((7, 7), np.uint8)), np.uint8)
        found.append(ColourInk(colour=ink, mask=mask, core=core))
    return found


def _paper_of(palette: Palette, counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """The colour of a plot's paper, which may be another one than the picture's: the most frequent one that is hardly colourful.

    Areas may cover more than the paper they stand on.
    """
    greys = [number for number, colour in enumerate(palette.colours) if number == 0 or chroma(colour) <= _PAPER]
    return np.array(palette.colours[max(greys, key=lambda number: int(counts[number]))], np.float32)


def _greyness(away: NDArray[np.float32], rays: NDArray[np.float32]) -> NDArray[np.float32]:
    """How near pixels are to black print's direction from the paper, for print is no ink; 0 where an ink is itself grey."""
    black = np.ones(3, np.float32) / np.sqrt(np.float32(3))
    if float((rays @ black).max()) >= _BLACK:
        return np.zeros(len(away), np.float32)
    return np.asarray(away @ black / np.linalg.norm(away, axis=1), np.float32)


def _by_own_colour(
    best: NDArray[np.int64], index: NDArray[np.int16], inks: Sequence[int], rays: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Pixels of an ink's very colour are that ink's; blurred ones are nobody's where two inks lie in one direction."""
    alike = (rays @ rays.T >= _ON_RAY).sum(axis=1) > 1
    sure = np.where((best >= 0) & ~alike[best], best, -1)
    for number, ink in enumerate(inks):
        sure[index == ink] = number
    return sure


def _deepest(palette: Palette, paper: NDArray[np.float32], counts: NDArray[np.int64]) -> list[int]:
    """One palette colour per direction: the deepest of those that are frequent there."""
    away = paper - np.array(palette.colours)
    depth = np.linalg.norm(away, axis=1)
    rays = away / np.maximum(depth, 1.0)[:, None]
    inked = (np.ptp(palette.colours, axis=1) >= _LEAST_CHROMA) & (depth > _LEAST_DEPTH) & (counts >= 20)
    groups = groups_of(
        sorted((1 + np.flatnonzero(inked[1:])).tolist(), key=lambda n: -int(counts[n])),
        lambda n, group: float(rays[n] @ rays[group[0]]) >= _SAME_RAY,
    )
    return [max((n for n in group if counts[n] >= 0.1 * counts[group[0]]), key=lambda n: depth[n]) for group in groups]
