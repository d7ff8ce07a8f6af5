"""Names of a legend whose sample was read as letters: a line with a marker becomes "IT 2022", a patch the I of "IIn store".

A sample has another colour than its name, and a gap stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, runs_apart, runs_of
from evpv.perception.charts.labels import ChartLabel, parse_quantity

_INKED = 40.0  # how far from its ground ink is
_OTHER_INK = 60.0  # and how far the colours of a sample and of its name are apart
_NAME_STARTS = re.compile(r"(?<=[a-z)%\d*])(?=[A-Z])|(?<=\s)(?=\S)|(?<=[a-z)])(?=\d)")
_CAPITAL = 4  # letters by which a capital is rather the start of a name
_SHARE = re.compile(r"\d ?%$")
_OTHER_RAY = 0.97  # cosine between the directions of their colours
_COLOURFUL = 25.0  # how far from grey a sample is
_GAP_PX = 2
_BEFORE = 1.6  # heights of a name between it and its sample
_HALF_A_LETTER, _NEAR_SPACE = 0.5, 1.25
_LONGEST_READ = 4  # signs that a sample is read as
_DRAWN = re.compile(r"[-–—_•·~=+*.…]+(?:[\s\-–—_•·~=+*.…]|[oO0QD][-–—_])*(?=[\w(])")  # dashes, with a marker on them
_OF_SAMPLES = re.compile(r"[Il1|](?=[A-Z\d])")

_Colour = NDArray[np.float32]


def without_samples(picture: Pixels, labels: Sequence[ChartLabel]) -> tuple[ChartLabel, ...]:
    """The labels without what was read of samples: before a name, between the names of a row, or as a text of its own."""
    names = [name for label in labels for name in _names_alone(picture, label)]
    return tuple(name for name in names if not _is_sample(picture, name, names))


def _names_alone(picture: Pixels, label: ChartLabel) -> list[ChartLabel]:
    """The names of a label that was read over samples, each where it stands, or the label itself.

    Before a share a dot points at a slice.
    """
    can_have_sample = label.lie == "level" and label.quantity is None and _SHARE.search(label.text) is None
    runs = _ink_runs(picture, label) if can_have_sample else []
    printed = np.array([not _is_of_sample(run, runs[-1]) for run in runs], np.bool_)
    if printed.all():
        return [label]
    text, spans = label.text, [(runs[first].start, runs[end - 1].end) for first, end in runs_of(printed)]
    if not printed[0]:
        text = _text_after(text, (runs[int(printed.argmax()) - 1].end + spans[0][0]) / 2 / label.page.width)
    names = []
    for name, (start, end) in zip(_texts_of(text, spans), spans, strict=True):
        box = label.box._replace(x0=label.box.x0 + start - _GAP_PX, x1=label.box.x0 + end + _GAP_PX)
        names += [replace(label, text=name, box=box, page=box, quantity=parse_quantity(name))] if name else []
    return names


def _texts_of(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """A text cut where new names can begin, rather with a capital, nearest to where their widths say that they do."""
    widths = [end - start for start, end in spans]
    places = [found.start() for found in _NAME_STARTS.finditer(text)]
    ends = [0]
    for done in accumulate(widths[:-1]):
        cut = len(text) * done / sum(widths)
        away = {place: abs(place - cut) + (0 if text[place].isupper() else _CAPITAL) for place in places}
        ends.append(min(places, key=lambda place: away[place], default=len(text)))
    return [text[start:end].strip() for start, end in pairwise([*ends, len(text)])]


def _text_after(text: str, share: float) -> str:
    """What is left of a text behind a share of its length: all but signs, whole words, or all but a stroke read as a letter.

    All of it where the share is less than half a letter.
    """
    place = share * len(text)
    if place < _HALF_A_LETTER:
        return text
    if drawn := _DRAWN.match(text):
        return text[drawn.end() :]
    spaces = [found.end() for found in re.finditer(" ", text) if abs(found.end() - place) <= _NEAR_SPACE]
    if spaces:
        return text[min(spaces, key=lambda end: abs(end - place)) :].strip()
    signs = _OF_SAMPLES.match(text)
    return text[signs.end() :] if signs and signs.end() <= place + 1 else text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Columns of a label's box with ink and without a gap, and the full colour of this ink."""

    start: int
    end: int
    colour: _Colour
    ground: _Colour

    @property
    def ray(self) -> _Colour:
        """The direction from the ground to the colour, which thin strokes have too."""
        away = self.colour - self.ground
        return np.asarray(away / max(float(np.linalg.norm(away)), 1.0), np.float32)


def _ink_runs(picture: Pixels, label: ChartLabel) -> list[_Run]:
    crop = picture[label.page.slices()].astype(np.float32)
    if min(crop.shape[:2], default=0) < 5:
        return []
    ground = np.median(np.concatenate([crop[0], crop[-1]]), axis=0)
    depth = np.linalg.norm(crop - ground, axis=2)
    columns = np.flatnonzero((depth > _INKED).any(axis=0))
    runs = runs_apart(columns, _GAP_PX) if len(columns) else []
    deepest = depth.argmax(axis=0)
    colours = (np.median(crop[deepest[run], run], axis=0) for run in runs)
    return [
        _Run(start=int(run[0]), end=int(run[-1]) + 1, colour=colour, ground=ground)
        for run, colour in zip(runs, colours, strict=True)
    ]


def _is_of_sample(run: _Run, name: _Run) -> bool:
    """Whether a run of ink is colourful, and of another colour than a name."""
    apart = float(np.linalg.norm(run.colour - name.colour)) > _OTHER_INK and float(run.ray @ name.ray) < _OTHER_RAY
    return float(np.ptp(run.colour)) >= _COLOURFUL and apart


def _is_sample(picture: Pixels, label: ChartLabel, names: Sequence[ChartLabel]) -> bool:
    """Whether a short text is what was read of the sample before another one."""
    if len(label.text) > _LONGEST_READ or label.lie != "level":
        return False
    others = (one for one in names if one is not label and one.lie == "level")
    return any(_is_sample_before(picture, label, one) for one in others)


def _is_sample_before(picture: Pixels, label: ChartLabel, name: ChartLabel) -> bool:
    gap, height = name.page.x0 - label.page.x1, name.height
    beside = abs(name.y - label.y) <= 0.4 * height and -0.3 * height <= gap <= _BEFORE * height
    if not beside or not any(map(str.isalpha, name.text)):
        return False
    own, other = _ink_runs(picture, label), _ink_runs(picture, name)
    return bool(own and other) and all(_is_of_sample(run, other[-1]) for run in own)
