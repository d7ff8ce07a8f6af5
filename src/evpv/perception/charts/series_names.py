"""Names written at the lines themselves, at their ends or along them in their colour."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evpv.perception.charts.labels import Label, is_wordy
from evpv.perception.charts.lines import Plot, Stroke
from evpv.perception.charts.slots import join
from evpv.perception.ocr import Pixels

_SAME_INK = 90.0
_LONGEST_NAME = 40  # signs; longer texts are sentences
OWN_INK = 60.0  # text this near to the line's colour may name it from anywhere along it


def names_of_strokes(picture: Pixels, plot: Plot, strokes: Sequence[Stroke], labels: Sequence[Label]) -> dict[int, str]:
    """The name of each stroke by its colour: the text that ends it, of its own colour where text is coloured.

    What is printed twice stands at points.
    """
    counts = Counter(one.text.casefold() for one in labels)
    once = [one for one in labels if counts[one.text.casefold()] == 1 and one.lie == "level" and is_wordy(one)]
    texts = [one for one in once if _may_name(one, plot)]
    pairs = []
    for i, stroke in enumerate(strokes):
        ink = stroke_ink(picture, stroke)
        for j, text in enumerate(texts):
            tint = float(np.linalg.norm(text_ink(picture, text) - ink))
            away = min(_away(stroke, text), _aside(stroke, text) if tint <= OWN_INK else math.inf)
            if away <= 60 and (tint <= _SAME_INK or away <= 30):
                pairs.append((away + 0.3 * tint, i, j))
    names: dict[int, str] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if strokes[i].colour not in names and j not in taken:
            lines = [texts[j], *_lines_below(texts, j, taken)]
            taken.update(k for k, text in enumerate(texts) if text in lines)
            names[strokes[i].colour] = join(lines)
    return names


def _may_name(label: Label, plot: Plot) -> bool:
    return len(label.text) <= _LONGEST_NAME and plot.top - 10 <= label.y <= plot.bottom and label.box[0] > plot.left


def _away(stroke: Stroke, text: Label) -> float:
    """How far a text is from the end of a stroke; the very last column may be spoilt by what touches the line."""
    x = float(stroke.columns[-1])
    ends = float(stroke.heights[-1]), float(np.median(stroke.heights[-8:]))
    beside = max(0.0, text.box[0] - x, x - text.box[2])
    return beside + min(abs(text.y - end) for end in ends)


def _aside(stroke: Stroke, text: Label) -> float:
    """How far a text stands above or below a stroke; far if the stroke does not pass it."""
    passing = (stroke.columns >= text.box[0]) & (stroke.columns <= text.box[2])
    return float(np.abs(stroke.heights[passing] - text.y).min()) if passing.any() else math.inf


def stroke_ink(picture: Pixels, stroke: Stroke) -> NDArray[np.float64]:
    """The usual colour along a stroke."""
    rows = np.clip(np.round(stroke.heights).astype(int), 0, picture.shape[0] - 1)
    ink: NDArray[np.float64] = np.median(picture[rows, stroke.columns], axis=0)
    return ink


def text_ink(picture: Pixels, label: Label) -> NDArray[np.float64]:
    """The colour of a label's letters: its pixels farthest from their surroundings."""
    x0, y0, x1, y1 = (max(0, int(v)) for v in label.page)
    crop = picture[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3).astype(np.float64)
    paper = np.median(crop, axis=0)
    far = np.linalg.norm(crop - paper, axis=1)
    ink: NDArray[np.float64] = crop[far >= np.quantile(far, 0.95)].mean(axis=0)
    return ink


def _lines_below(texts: Sequence[Label], start: int, taken: set[int]) -> list[Label]:
    """Lines of the same name under the first: close beneath and flush left."""
    first = texts[start]
    return [
        text
        for k, text in enumerate(texts)
        if k != start
        and k not in taken
        and abs(text.box[0] - first.box[0]) <= 5
        and 0 < text.y - first.y <= 0.9 * first.height
    ]
