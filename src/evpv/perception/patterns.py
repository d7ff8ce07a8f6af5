"""Rows of growing figures (Figure 1, Figure 2, …): how many dots or sticks each has.

Things are counted only where all that is drawn over a caption is of one kind and size; a figure of anything else is
named in the sequence and not counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.ocr import Pixels, Word
from evpv.types import Box, Constraint, Numeric, Structure

_CAPTION = re.compile(r"(?:figure|fig\.?|pattern|step|stage|term|shape)\s*(\d{1,2})", re.IGNORECASE)
_LEAST_PX = 4
_INK_SHARE = 0.7  # of the darkest ink's contrast to the paper
_LEAST_CONTRAST = 60.0
_ALIKE = (0.6, 1.6)  # sizes of things of one kind, of the usual one
_ROUND = (0.8, 1.25)
_DISC_FILL = (0.66, 0.92)  # a disc fills about 0.79 of its box
_SLENDER = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Caption:
    number: int
    box: Box

    @property
    def x(self) -> float:
        return (self.box[0] + self.box[2]) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """A connected shape: how long and wide it is whichever way it lies, and how much of its upright box it fills."""

    length: float
    width: float
    fill: float
    box: Box


def captions_in(words: Sequence[Word]) -> list[_Caption]:
    """The captions of a row of numbered figures, from left to right; none unless they count up from one to the next."""
    found = [
        _Caption(number=int(match[1]), box=word.box)
        for word in words
        if (match := _CAPTION.fullmatch(word.text.strip()))
    ]
    found.sort(key=lambda caption: caption.x)
    in_a_row = all(
        right.number == left.number + 1 and abs(left.box[1] - right.box[1]) <= left.box[3] - left.box[1]
        for left, right in pairwise(found)
    )
    return found if len(found) >= 2 and in_a_row else []


def read_pattern(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The sequence of numbered figures, and the counts of those that consist of dots or sticks only."""
    captions = captions_in(words)
    if not captions:
        return []
    ink = _ink(picture)
    half = min(right.x - left.x for left, right in pairwise(captions)) / 2
    figures = [_things(ink, caption, half) for caption in captions]
    kind = _kind([thing for things in figures for thing in things]) if all(figures) else None
    place = _around([caption.box for caption in captions] + [thing.box for things in figures for thing in things])
    facts: list[Constraint] = [
        Structure(
            type="sequence", parts=tuple(f"figure {caption.number}" for caption in captions), confidence=0.95, box=place
        )
    ]
    for caption, things in zip(captions, figures, strict=True):
        if kind is not None:
            entity = f"figure {caption.number} {kind}"
            box = _around([thing.box for thing in things])
            facts.append(Numeric(entity=entity, attribute="count", value=float(len(things)), confidence=0.9, box=box))
    return facts


def _ink(picture: Pixels) -> NDArray[np.uint8]:
    """What is nearly as dark as the darkest ink: the soft rims of things that nearly touch would join them."""
    contrast = np.abs(picture - np.median(picture.reshape(-1, 3), axis=0)).max(axis=2)
    return np.asarray(contrast > max(_INK_SHARE * float(np.quantile(contrast, 0.999)), _LEAST_CONTRAST), dtype=np.uint8)


def _things(ink: NDArray[np.uint8], caption: _Caption, half: float) -> list[_Thing]:
    """The shapes over a caption, in reading order of their boxes."""
    left, right = max(round(caption.x - half), 0), round(caption.x + half)
    cell = ink[: max(round(caption.box[1]), 0), left:right]
    if not cell.size:
        return []
    count, labelled, stats, _ = cv2.connectedComponentsWithStats(cell, connectivity=8)
    things = []
    for index in range(1, count):
        x, y, width, height, area = stats[index].tolist()
        if max(width, height) < _LEAST_PX or area < 2 * _LEAST_PX:
            continue
        rows, columns = np.nonzero(labelled[y : y + height, x : x + width] == index)
        _, sides, _ = cv2.minAreaRect(np.stack([columns, rows], axis=1).astype(np.float32))
        box = (float(left + x), float(y), float(left + x + width), float(y + height))
        fill = area / (width * height)
        things.append(_Thing(length=max(sides) + 1, width=min(sides) + 1, fill=fill, box=box))
    return things


def _kind(things: Sequence[_Thing]) -> str | None:
    """What all the things are, if they are of one kind and size."""
    usual = float(np.median([thing.length for thing in things]))
    if not all(_ALIKE[0] <= thing.length / usual <= _ALIKE[1] for thing in things):
        return None
    if all(_is_disc(thing) for thing in things):
        return "dots"
    return "matchsticks" if all(thing.length >= _SLENDER * thing.width for thing in things) else None


def _is_disc(thing: _Thing) -> bool:
    x0, y0, x1, y1 = thing.box
    return _ROUND[0] <= (x1 - x0) / (y1 - y0) <= _ROUND[1] and _DISC_FILL[0] <= thing.fill <= _DISC_FILL[1]


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
