"""Keys of a plot: a sample of a line's colour, thin or thick, before the name of the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.charts.labels import Label
from evpv.perception.charts.legends import Entry
from evpv.perception.charts.palette import Palette

SAMPLE = 4.5  # heights of its name that a sample may reach before it
_SAME_RAY = 0.97
_LEAST_PIXELS = 5
_LONGEST_NAME = 40


def names_of_inks(
    picture: Pixels, palette: Palette, labels: Sequence[Label], inks: Sequence[int]
) -> tuple[dict[int, str], list[Label]]:
    """The names of inks by a sample before them, and the labels that are these names.

    A label names an ink if the space before it, as long as a sample can be, shows that ink and hardly anything else.
    """
    paper = np.array(palette.colours[0], np.float32)
    rays = np.array([_unit(paper - np.array(palette.colours[ink], np.float32)) for ink in inks], np.float32)
    found: dict[int, tuple[Label, float]] = {}
    if not len(rays):
        return {}, []
    for label in labels:
        if label.lie == "upright" or len(label.text) > _LONGEST_NAME:
            continue
        sample = _sample(picture, label, paper, rays)
        if sample is not None and (sample[0] not in found or sample[1] < found[sample[0]][1]):
            found[sample[0]] = (label, sample[1])
    names = {inks[number]: _clean(label.text) for number, (label, _) in found.items()}
    return names, [label for label, _ in found.values()]


def thin_legend(picture: Pixels, palette: Palette, labels: Sequence[Label], inks: Sequence[int]) -> tuple[Entry, ...]:
    """A legend whose samples are lines: at least two names under each other, or side by side, each after its own ink.

    What is printed twice stands at points.
    """
    counts = Counter(label.text.casefold() for label in labels)
    once = [label for label in labels if counts[label.text.casefold()] == 1]
    names, used = names_of_inks(picture, palette, once, inks)
    entries = [
        Entry(colour=ink, name=name, label=label) for (ink, name), label in zip(names.items(), used, strict=True)
    ]
    return tuple(
        one for one in entries if any(one is not other and _are_aligned(one.label, other.label) for other in entries)
    )


def _are_aligned(one: Label, other: Label) -> bool:
    slack = 0.4 * min(one.height, other.height)
    return abs(one.box[0] - other.box[0]) <= slack or abs(one.y - other.y) <= slack


def _sample(
    picture: Pixels, label: Label, paper: NDArray[np.float32], rays: NDArray[np.float32]
) -> tuple[int, float] | None:
    """The ink before a label and the gap between them; None where there is none, or a line runs in from afar."""
    page = Box.of(label.page)
    height = page.height
    strip = Box(
        page.x0 - SAMPLE * height, page.y - 0.3 * height, min(page.x0 + 2.5 * height, page.x1), page.y + 0.3 * height
    )
    rows, columns = strip.slices()
    crop = picture[rows, columns].astype(np.float32)
    if not crop.size:
        return None
    away = paper - crop
    depth = np.linalg.norm(away, axis=2)
    cosines = np.where(depth[..., None] > 45, away @ rays.T / np.maximum(depth, 1.0)[..., None], 0.0)
    coloured = (np.max(crop, axis=2) - np.min(crop, axis=2)) > 30
    of_ink = (cosines >= _SAME_RAY) & coloured[..., None] & (cosines == cosines.max(axis=2, keepdims=True))
    inked = np.flatnonzero(of_ink.any(axis=(0, 2)))
    if not len(inked):
        return None
    run = np.split(inked, np.flatnonzero(np.diff(inked) > 0.7 * height) + 1)[-1]  # the last one: dashes count as one
    counts = of_ink[:, run].sum(axis=(0, 1))
    best = int(counts.argmax())
    first, last = run[0] + max(strip.x0, 0.0), run[-1] + max(strip.x0, 0.0)
    afar = first <= strip.x0 + 1 or page.x0 - last > 1.5 * height  # a line that comes from the plot is no sample
    if afar or last - first < 3 or counts[best] < _LEAST_PIXELS or counts[best] < 0.7 * counts.sum():
        return None
    return best, float(page.x0 - last)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vector / max(float(np.linalg.norm(vector)), 1.0)
    return unit


def _clean(text: str) -> str:
    """The name without the sample that the recogniser took for a dash or a dot."""
    return text.lstrip("-–—_•·~=+*. oO").strip() if text[:1] in "-–—_•·~=+*." else text.strip()
