"""What the OCR engine's words say of the runs of print in a figure that has no overlay.

Runs find what the engine misses, but they see glyphs one by one: the engine knows a sentence, a question mark and the
unit behind a number when it sees one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from evpv.perception.geometry.print_runs import Run, run_of_word
from evpv.perception.ocr import Word
from evpv.perception.recognition import Reading
from evpv.types import Box

_SURE = 0.8
_CERTAIN = 0.9
_LETTER_SHARE = 0.85  # of the usual height of a letter's box
_UNKNOWN = "?"
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)\s?(mm|cm|km|m|ft|in|yd)")
_SENTENCE = re.compile(r"[^\W\d_]{3}")


def with_second_reading(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """The runs without those that are a question mark or part of a sentence, and numbers with their unit."""
    kept = []
    for run in runs:
        word = next((word for word in words if word.confidence >= _SURE and _covers(word.box, run.box)), None)
        if word is None:
            kept.append(_as_letter(run))
        elif word.text == run.reading.text:
            surer = max(word.confidence, run.reading.confidence)
            kept.append(_as_letter(replace(run, reading=replace(run.reading, confidence=surer))))
        elif word.text.strip() != _UNKNOWN and not _SENTENCE.search(word.text):
            kept.append(_with_unit(run, word))
    return [*kept, *_missed(runs, words)]


def _missed(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """Single capitals that are words but no runs: a letter that touches a line is not a shape of its own."""
    capitals = [word for word in words if re.fullmatch(r"[A-Z]", word.text)]
    least = _LETTER_SHARE * median(_height(word) for word in capitals) if capitals else 0.0
    # An open arrowhead on a line is a small V.
    alone = [word for word in capitals if word.confidence >= _CERTAIN and _height(word) >= least]
    return [
        run_of_word(word.text, _trimmed(word.box), word.confidence)
        for word in alone
        if not any(_covers(word.box, run.box) and run.reading.text.isalnum() for run in runs)
    ]


def _height(word: Word) -> float:
    return word.box[3] - word.box[1]


def _trimmed(box: Box) -> Box:
    """A word's box is wider than its letter by about a quarter of its height all around."""
    edge = 0.22 * (box[3] - box[1])
    wide = min(edge, 0.3 * (box[2] - box[0]))
    return (box[0] + wide, box[1] + edge, box[2] - wide, box[3] - edge)


def _covers(box: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _with_unit(run: Run, word: Word) -> Run:
    """The run with the unit that the word has and the run lost, as wide as the word."""
    measure = _MEASURE.fullmatch(word.text.strip())
    if measure is None or not run.reading.text.startswith(measure[1]) or run.reading.text[len(measure[1]) :].isdigit():
        return _as_letter(run)
    box = (word.box[0], run.box[1], word.box[2], run.box[3])
    surer = max(word.confidence, run.reading.confidence)
    return replace(run, box=box, reading=Reading(text=measure[1] + measure[2], confidence=surer))


def _as_letter(run: Run) -> Run:
    """A ring by itself is the letter O: nothing that is drawn measures 0."""
    return replace(run, reading=replace(run.reading, text="O")) if run.reading.text == "0" and not run.degrees else run
