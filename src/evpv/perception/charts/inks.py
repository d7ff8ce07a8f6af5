"""Inks: the colours of thin lines, which blur into the paper until few pixels have the colour itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.palette import Labels, Palette, chroma
from evpv.perception.ocr import Pixels

_GREY, _PAPER = 25, 40  # how far from grey inks are at least, and papers at most
_LEAST_DEPTH = 60.0  # inks are at least this far from the paper
_SAME_RAY = 0.995  # cosine between the directions of two colours of one ink
_ON_RAY = 0.99  # and between a pixel and its ink
_BLACK = 0.9995  # and between a grey and black
_THINNEST = 0.3  # of the ink's depth; paler pixels may be a grid's
_CORE = 0.75  # pixels of at least this share of the ink's depth are not blurred


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """A colour of the palette, the pixels that have it in any thinness, and those that have it in full."""

    colour: int
    mask: NDArray[np.uint8]
    core: NDArray[np.uint8]


def find_inks(picture: Pixels, palette: Palette, index: Labels, colours: Sequence[int] = ()) -> list[Ink]:
    """The inks of a part of a picture and where they are: those of the given colours, else all colourful ones.

    A blurred pixel is a mixture of ink and paper, so all pixels of an ink lie in one direction from the paper's colour.
    The paper is that of the plot, which may be another one than the picture's.
    """
    counts = np.bincount(index[index >= 0].ravel(), minlength=len(palette.colours))
    paper = np.array(palette.colours[_ground(palette, counts)], np.float32)
    inks = list(dict.fromkeys(colours)) or _deepest(palette, paper, counts)
    away = paper - picture.reshape(-1, 3).astype(np.float32)
    depth = np.linalg.norm(away, axis=1)
    seen = np.flatnonzero((depth > 40) & (index.ravel() != 0))
    if not inks or not len(seen):
        return []
    rays = np.array([_ray(palette, paper, ink) for ink in inks], np.float32)
    cosines = (away[seen] / depth[seen, None]) @ rays.T
    best = np.where(cosines.max(axis=1) >= np.maximum(_ON_RAY, _greyness(away[seen], rays)), cosines.argmax(axis=1), -1)
    if colours:
        best = _by_own_colour(best, index.ravel()[seen], inks, rays)
    found = []
    for number, ink in enumerate(inks):
        full = float(np.linalg.norm(paper - palette.colours[ink]))
        pixels = seen[best == number]
        pixels = pixels[depth[pixels] >= _THINNEST * full]
        masks = [np.zeros(len(depth), np.uint8), np.zeros(len(depth), np.uint8)]
        masks[0][pixels] = 1
        masks[1][pixels[depth[pixels] >= _CORE * full]] = 1
        mask, core = (flat.reshape(picture.shape[:2]) for flat in masks)
        if colours:  # print of a like colour is blurred too, but nowhere near the ink's own
            mask &= np.asarray(cv2.dilate((index == ink).view(np.uint8), np.ones((7, 7), np.uint8)), np.uint8)
        found.append(Ink(colour=ink, mask=mask, core=core))
    return found


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


def _ground(palette: Palette, counts: NDArray[np.int64]) -> int:
    """The most frequent colour that is hardly one, for areas may cover more than the paper they stand on."""
    greys = [number for number, colour in enumerate(palette.colours) if number == 0 or chroma(colour) <= _PAPER]
    return max(greys, key=lambda number: int(counts[number]))


def _deepest(palette: Palette, paper: NDArray[np.float32], counts: NDArray[np.int64]) -> list[int]:
    """One palette colour per direction: the deepest of those that are frequent there."""
    depth = [float(np.linalg.norm(paper - colour)) for colour in palette.colours]
    colourful = [
        n
        for n in range(1, len(depth))
        if chroma(palette.colours[n]) >= _GREY and depth[n] > _LEAST_DEPTH and counts[n] >= 20
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
