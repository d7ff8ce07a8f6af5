"""What a run of print says: a number, an expression, a point name, or nothing that geometry knows.

Runs find what the OCR engine misses, but they see glyphs one by one: the engine knows a sentence, a question mark and the
unit behind a number when it sees one, so its words are heard too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from evpv.perception.boxes import Box
from evpv.perception.geometry.lettering import Run, run_of_word
from evpv.perception.ocr import Word
from evpv.perception.recognition import Reading

Kind = Literal["number", "expression", "name"]

_VARIABLES = "xyzabchwr"  # letters that stand alone as a measure; l, m, n, p, q, s, t alone name lines
_UNIT = re.compile(r"(?:(?<=[\d)])(mm|cm|dm|km|m|ft|in|yd|mi|units?)|(?<=[xyz])(mm|cm|dm|km|ft|in|yd))\.?$")
_EXERCISE_NUMBER = re.compile(r"\d{1,2}\.")
_MANY = 7  # numbers below 25 that are lengths leave gaps between them
_DENSE = 0.7
_MIN_CONFIDENCE = 0.45
_CAPITAL_SHARE = 0.87  # of the usual height of digits and capitals
_LINE_PIECES = frozenset("1lI7-/0oOL")  # what a piece of a line or a dot is taken for
_NUMBER = re.compile(r"\d{1,4}(\.\d+)?")
_ROOT = re.compile(r"(\d*)√(\d+)")
_FRACTION = re.compile(r"(\d+)/(\d+)")
_TERM = r"(?:\d+(?:\.\d+)?(?:/\d+)?[a-z]?²?|[a-z]²?)"
_EXPRESSION = re.compile(rf"{_TERM}(?:[+-]{_TERM}){{0,2}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A readable label: its kind, its text in a plain form (6x+2), its value if it is a number, where it stands."""

    kind: Kind
    text: str
    value: float | None
    degrees: bool
    box: Box
    glyph_height: float
    confidence: float
    unit: str | None = None
    subject: str | None = None  # what it says it measures: "segment GD", "radius"
    anchor: tuple[float, float] | None = None  # where its arrow points, if it has one
    leads_with_arrow: bool = False  # an arrow touches its first glyph and was read as part of it

    @property
    def centre(self) -> tuple[float, float]:
        return (self.box.x, self.box.y)

    @property
    def place(self) -> tuple[float, float]:
        """Where the label belongs: the tip of its arrow, or where it stands."""
        return self.anchor or self.centre

    @property
    def half_size(self) -> tuple[float, float]:
        """Half its width and height around its place; an arrow's tip has none."""
        if self.anchor is not None:
            return (0.0, 0.0)
        return (self.box.width / 2, self.box.height / 2)


def plain(text: str) -> str:
    """The text without spaces, in one spelling of minus and root."""
    text = re.sub(r"\s", "", text).replace("−", "-").replace("v", "√").replace("V", "√").strip("=,")
    return text.strip(".")


def _strip_brackets(text: str) -> tuple[str, bool]:
    """The inside of brackets, also where one of them was lost."""
    bare = text.strip("()")
    return bare, bare != text


def _repair_lookalikes(text: str) -> str:
    """Letters and digits that look alike, told apart by their neighbours; print has no capital variables."""
    text = re.sub(r"(?<=\d)[Oo]|[Oo](?=\d)", "0", text)
    text = re.sub(r"(?<=\d)[A-WZ]$|^[A-WZ](?=\d)", "", text)  # the name of a point that stands beside a number
    text = re.sub(r"(?<=[+\-])[lI](?=$|\d)|^[lI](?=\d)", "1", text)
    return text.lower()


def _number(text: str) -> float | None:
    if _NUMBER.fullmatch(text):
        return float(text)
    fraction = _FRACTION.fullmatch(text)
    if fraction and int(fraction[2]) > 0:
        return int(fraction[1]) / int(fraction[2])
    root = _ROOT.fullmatch(text)
    if root:
        return float(root[1] or 1) * math.sqrt(float(root[2]))
    return None


def parse_label(run: Run, names: frozenset[str]) -> Label | None:
    """The label that a run is, or None. `names` are the points already known: their letters are not variables."""
    if run.reading.confidence < _MIN_CONFIDENCE or _EXERCISE_NUMBER.fullmatch(run.reading.text):
        return None
    if run.reading.text in names and not run.degrees:
        return _label(run, kind="name", text=run.reading.text, value=None, degrees=False)
    text = plain(run.reading.text)
    unit = _UNIT.search(text)
    text = text[: unit.start()] if unit else text
    if run.on_line and text in _LINE_PIECES:
        return None
    degrees = run.degrees
    if text.endswith("°"):
        text, degrees = text.rstrip("°"), True
    if re.fullmatch(r"[A-Z]'?", text) and not degrees and (text not in "XYZ" or text in names):
        return _label(run, kind="name", text=text, value=None, degrees=False)
    arrow = re.match(r"[^(\d]{1,2}(?=\(\d)", text)
    bare, bracketed = _strip_brackets(text[arrow.end() :] if arrow else text)
    bare = _repair_lookalikes(bare)
    degrees = degrees or bracketed
    value = _number(bare)
    if value is not None:
        label = _label(run, kind="number", text=bare, value=value, degrees=degrees)
        return replace(label, unit=unit[1] or unit[2] if unit else None)
    if _EXPRESSION.fullmatch(bare) and re.search(r"[a-z]", bare) and (len(bare) > 1 or bare in _VARIABLES):
        label = _label(run, kind="expression", text=bare, value=None, degrees=degrees)
        return replace(label, leads_with_arrow=arrow is not None)
    return None


def with_capitals(runs: Sequence[Run]) -> list[Run]:
    """The runs with single letters whose two cases look alike (V, v) in the case that their height says.

    A small letter is about three quarters as high as the digits and capitals around it.
    """
    certain = [run.glyph_height for run in runs if re.fullmatch(r"\d+|[ABDEFGHJKLMNQRT]", run.reading.text)]
    if not certain:
        return list(runs)
    least = _CAPITAL_SHARE * median(certain)
    return [
        replace(run, reading=replace(run.reading, text=run.reading.text.upper()))
        if re.fullmatch(r"[CKOPSUVWXYZcosuvwxz]", run.reading.text) and run.glyph_height >= least
        else run
        for run in runs
    ]


def capitals_in(runs: Sequence[Run]) -> frozenset[str]:
    """The capitals that stand alone: names of points, also those that elsewhere are variables or look like a root."""
    return frozenset(run.reading.text for run in runs if re.fullmatch(r"[A-Z]", run.reading.text) and not run.degrees)


def _label(run: Run, *, kind: Kind, text: str, value: float | None, degrees: bool) -> Label:
    return Label(
        kind=kind,
        text=text,
        value=value,
        degrees=degrees,
        box=run.box,
        glyph_height=run.glyph_height,
        confidence=run.reading.confidence,
    )


def without_angle_numbers(labels: Sequence[Label]) -> list[Label]:
    """The labels but for 1, 2, 3, … written into angles to name them: they are no measures.

    A figure that uses such names uses consecutive ones from 1 on, each once; of many, a few may have been missed.
    """
    plain_numbers = [label for label in labels if label.kind == "number" and not label.degrees]
    small = sorted(int(label.value) for label in plain_numbers if label.value is not None and label.value < 25)
    count = 0
    while count + 1 in small:
        count += 1
    if len(set(small)) >= _MANY and len(set(small)) >= _DENSE * (small[-1] - small[0] + 1):
        count = small[-1]
    if count < 2:
        return list(labels)
    return [label for label in labels if label not in plain_numbers or (label.value or 0.0) > count]


_SURE = 0.8
_CERTAIN = 0.9
_LETTER_SHARE = 0.85  # of the usual height of a letter's box
_UNKNOWN = "?"
_MEASURE = re.compile(r"(?!0$)(\d+(?:\.\d+)?)\s?(mm|cm|dm|km|m|ft|in|yd|°)?\.?")
_STATEMENT = re.compile(rf"(∠?[A-Z]{{2,3}}|∠[A-Z]|[rRdDhH])\s?[=:]\s?{_MEASURE.pattern}")
_ROLES = {"r": "radius", "d": "diameter", "h": "height"}
_STACKED = frozenset("√/")
_CAPITAL = re.compile(r"[A-Z]")
_SENTENCE = re.compile(r"[^\W\d_]{3}")


def with_second_reading(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """The runs as the words bear them out: no question marks or parts of sentences; numbers whole and with their unit."""
    sure = [word for word in words if word.confidence >= _SURE]
    kept = []
    heard: list[Word] = []
    for run in runs:
        word = next((word for word in sure if word.box.holds(run.box.x, run.box.y)), None)
        if word is None or word.text == run.reading.text:
            surer = max(word.confidence if word else 0.0, run.reading.confidence)
            kept.append(_as_letter(replace(run, reading=replace(run.reading, confidence=surer))))
        elif _CAPITAL.fullmatch(word.text) and word.confidence > run.reading.confidence:
            kept.append(replace(run, reading=Reading(text=word.text, confidence=word.confidence)))
        elif _is_whole_measure(run, word):
            if word not in heard:
                heard.append(word)
                kept.append(_run_as_word(run, word))
        elif word.text.strip() != _UNKNOWN and not _SENTENCE.search(word.text):
            kept.append(_as_letter(run))
    return [*kept, *_runs_from_words(runs, words)]


def _is_whole_measure(run: Run, word: Word) -> bool:
    """Whether a word is a measure of which the run is a piece: a digit may touch a line, a unit stand apart.

    A degree sign is often read as a last 0, and a root or a fraction as a plain number.
    """
    measure = _MEASURE.fullmatch(word.text.strip())
    text = plain(run.reading.text)
    if measure is None or (run.degrees and measure[1] in (text, text + "0")):
        return False
    return not set(text) & _STACKED


def _run_as_word(run: Run, word: Word) -> Run:
    """The run with the word's text, as wide as the word."""
    box = Box(word.box.x0, run.box.y0, word.box.x1, run.box.y1)
    return replace(run, box=box, reading=Reading(text=plain(word.text), confidence=word.confidence))


def read_statements(words: Sequence[Word]) -> list[Label]:
    """The words that say what they measure: "GD = 14 cm", "∠ABC = 50°", "r = 3"."""
    labels = []
    for word in words:
        said = _STATEMENT.fullmatch(word.text.strip()) if word.confidence >= _SURE else None
        if said is not None:
            name = said[1].lstrip("∠")
            kind = "angle" if len(name) == 3 or "∠" in said[1] else "segment"
            degrees = said[3] == "°"
            label = _label(
                run_of_word(word.text, _letter_box(word.box), word.confidence),
                kind="number",
                text=said[2],
                value=float(said[2]),
                degrees=degrees,
            )
            unit = None if degrees else said[3]
            labels.append(replace(label, unit=unit, subject=_ROLES.get(name.lower(), f"{kind} {name}")))
    return labels


def _runs_from_words(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """Single capitals and measures that are words but no runs: print that touches a line is not a shape of its own."""
    capitals = [word for word in map(_word_as_letter, words) if _CAPITAL.fullmatch(word.text)]
    least = _LETTER_SHARE * median(word.box.height for word in capitals) if capitals else 0.0
    # An open arrowhead on a line is a small V.
    alone = [word for word in capitals if word.confidence >= _CERTAIN and word.box.height >= least]
    measures = [word for word in words if word.confidence >= _CERTAIN and _MEASURE.fullmatch(word.text.strip())]
    return [
        run_of_word(word.text, _letter_box(word.box), word.confidence)
        for word in (*alone, *measures)
        if not any(word.box.holds(run.box.x, run.box.y) and run.reading.text.isalnum() for run in runs)
    ]


def _word_as_letter(word: Word) -> Word:
    return replace(word, text="O") if word.text in ("0", "o") else word


def _letter_box(box: Box) -> Box:
    """A word's box is wider than its letter by about a quarter of its height all around."""
    edge = 0.22 * box.height
    wide = min(edge, 0.3 * box.width)
    return Box(box.x0 + wide, box.y0 + edge, box.x1 - wide, box.y1 - edge)


def _as_letter(run: Run) -> Run:
    """A ring by itself is the letter O: nothing that is drawn measures 0."""
    return replace(run, reading=replace(run.reading, text="O")) if run.reading.text == "0" and not run.degrees else run
