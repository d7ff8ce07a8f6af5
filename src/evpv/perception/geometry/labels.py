"""What a run of print says: a number, an expression, a point name, or nothing that geometry knows.

Runs find what the OCR engine misses, but they see glyphs one by one: the engine knows a sentence, a question mark and the
unit behind a number when it sees one, so its words are heard too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

import numpy as np

from evpv.perception.boxes import Box
from evpv.perception.geometry.ink import Ink, Mask
from evpv.perception.geometry.lettering import Run, run_of_word
from evpv.perception.ocr import Word
from evpv.perception.recognition import CropText

_Kind = Literal["number", "expression", "name"]

_VARIABLES = "xyzabchwr"  # letters that stand alone as a measure; l, m, n, p, q, s, t alone name lines
_UNIT = re.compile(r"(?:(?<=[\d)])(mm|cm|dm|km|m|ft|in|yd|mi|units?)|(?<=[xyz])(mm|cm|dm|km|ft|in|yd))\.?$")
_EXERCISE_NUMBER = re.compile(r"\d{1,2}\.")
_MOST_EXERCISES = 10  # in brackets: (1), (2), …
_MANY = 7  # numbers below 25 that are lengths leave gaps between them
_DENSE = 0.7
_MIN_CONFIDENCE = 0.45
_CAPITAL_SHARE = 0.87  # of the usual height of digits and capitals
_LINE_PIECES = frozenset("1lI7-/0oOL")  # what a piece of a line or a dot is taken for
_NUMBER = re.compile(r"\d{1,4}(\.\d+)?")
_ROOT = re.compile(r"(\d*)√(\d+)")
_FRACTION = re.compile(r"(\d+)/(\d+)")
_TERM = r"(?:\d+(?:\.\d+)?(?:/\d+)?[a-z]?²?|[a-z]²?)"
_EXPRESSION = re.compile(rf"(?=.*[a-z])(?![^{_VARIABLES}]$){_TERM}(?:[+-]{_TERM}){{0,2}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLabel:
    """A readable label: its kind, its text in a plain form (6x+2), its value if it is a number, where it stands."""

    kind: _Kind
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


def _plain(text: str) -> str:
    """The text without spaces, in one spelling of minus and root."""
    text = re.sub(r"\s", "", text).replace("−", "-").replace("v", "√").replace("V", "√").replace("%", "°").strip("=,")
    return text.strip(".")


def places_of(labels: Sequence[FigureLabel], ink: Ink) -> Mask:
    """Where labels stand, and a little around them."""
    places = np.zeros_like(ink.lines)
    for label in labels:
        places[label.box.with_margin(4).slices()] = 1
    return places


def parse_labels(runs: Sequence[Run], names: frozenset[str]) -> list[FigureLabel]:
    """The runs that are labels. `names` are the points already known: their letters are not variables."""
    labels = (_parse_label(run, names) for run in runs if run.reading.confidence >= _MIN_CONFIDENCE)
    return [label for label in labels if label is not None]


def _parse_label(run: Run, names: frozenset[str]) -> FigureLabel | None:
    if _EXERCISE_NUMBER.fullmatch(run.reading.text):
        return None
    if run.reading.text in names and not run.degrees:
        return _label(run, kind="name", text=run.reading.text)
    text, *units = _UNIT.split(_plain(run.reading.text))
    if run.on_line and text in _LINE_PIECES:
        return None
    degrees = run.degrees or text.endswith("°")
    text = text.rstrip("°")
    # X, Y and Z are variables where nothing else says that they name points.
    if not degrees and (text in names or re.fullmatch(r"[A-W]'?|[XYZ]'", text)):
        return _label(run, kind="name", text=text)
    unit = next(filter(None, units), None)
    return _parse_measure(text, _label(run, kind="number", text=text, degrees=degrees), unit)


def _parse_measure(text: str, label: FigureLabel, unit: str | None) -> FigureLabel | None:
    """The label as a number or an expression, without brackets and without an arrow that was read as part of it.

    Letters and digits that look alike are told apart by their neighbours; print has no capital variables.
    """
    bracketed = re.sub(r"^[^(\d]{1,2}(?=\(\d)", "", text)
    inside = bracketed.strip("()")  # also where one of the brackets was lost
    bare = re.sub(r"(?<=\d)[Oo]|[Oo](?=\d)", "0", inside)
    bare = re.sub(r"(?<=\d)[A-WZ]$|^[A-WZ](?=\d)", "", bare)  # the name of a point that stands beside a number
    bare = re.sub(r"(?<=[+\-])[lI](?=$|\d)|^[lI](?=\d)", "1", bare).lower()
    has_sign, has_brackets = label.degrees, inside != bracketed
    label = replace(label, text=bare, degrees=has_sign or has_brackets)
    value = _number(bare)
    if value is not None:
        is_exercise = has_brackets and not has_sign and value < _MOST_EXERCISES
        return None if is_exercise or value == 0 else replace(label, value=value, unit=unit)  # nothing drawn measures 0
    is_expression = _EXPRESSION.fullmatch(bare) is not None
    return replace(label, kind="expression", leads_with_arrow=bracketed != text) if is_expression else None


def _number(text: str) -> float | None:
    fraction, root = _FRACTION.fullmatch(text), _ROOT.fullmatch(text)
    if fraction and int(fraction[2]) > 0:
        return int(fraction[1]) / int(fraction[2])
    if root:
        return float(root[1] or 1) * math.sqrt(float(root[2]))
    return float(text) if _NUMBER.fullmatch(text) else None


def with_cases(runs: Sequence[Run]) -> list[Run]:
    """The runs with single letters whose two cases look alike (V, v) in the case that their height says.

    A small letter is about three quarters as high as the digits and capitals around it.
    """
    certain = [run.glyph_height for run in runs if re.fullmatch(r"\d+|[ABDEFGHJKLMNQRT]", run.reading.text)]
    if not certain:
        return list(runs)
    least, told = _CAPITAL_SHARE * median(certain), []
    for run in runs:
        text, is_capital = run.reading.text, run.glyph_height >= least
        if re.fullmatch(r"[CKOPSUVWXYZcosuvwxz]" if is_capital else r"[CSUVWXZ]", text):
            text = text.upper() if is_capital else text.lower()
        told.append(replace(run, reading=replace(run.reading, text=text)))
    return told


def capitals_in(runs: Sequence[Run]) -> frozenset[str]:
    """The capitals that stand alone: names of points, also those that elsewhere are variables or look like a root."""
    return frozenset(run.reading.text for run in runs if re.fullmatch(r"[A-Z]", run.reading.text) and not run.degrees)


def _label(run: Run, *, kind: _Kind, text: str, value: float | None = None, degrees: bool = False) -> FigureLabel:
    return FigureLabel(
        kind=kind,
        text=text,
        value=value,
        degrees=degrees,
        box=run.box,
        glyph_height=run.glyph_height,
        confidence=run.reading.confidence,
    )


def without_angle_numbers(labels: Sequence[FigureLabel]) -> list[FigureLabel]:
    """The labels but for 1, 2, 3, … written into angles to name them: they are no measures.

    A 1 is such a name too where all other numbers are degrees.
    """
    numbers = {label: label.value or 0.0 for label in labels if label.kind == "number" and not label.degrees}
    last = _last_angle_number(numbers.values())
    is_alone = len(set(numbers.values())) == 1 and any(label.degrees for label in labels)
    return [label for label in labels if last < 2 - is_alone or numbers.get(label, math.inf) > last]


def _last_angle_number(values: Iterable[float]) -> int:
    """A figure that names angles by numbers uses consecutive ones from 1 on, each once; of many, a few may have been missed."""
    small = {int(value) for value in values if value < 25}
    if len(small) >= _MANY and len(small) >= _DENSE * (max(small) - min(small) + 1):
        return max(small)
    return next(count for count in range(len(small) + 1) if count + 1 not in small)


_SPECK = 0.65  # of the usual height of print
_SLENDEREST = 0.16  # width of a digit, of its height


def without_specks(labels: Sequence[FigureLabel]) -> list[FigureLabel]:
    """The labels but for lone digits far smaller than the longer ones, or as thin as a line: marks and rims look like them."""
    longer = [label.glyph_height for label in labels if len(label.text) > 1]
    least = _SPECK * median(longer) if longer else 0.0

    def is_speck(label: FigureLabel) -> bool:
        is_thin = label.box.width < _SLENDEREST * label.box.height
        return len(label.text) <= 1 and label.value is not None and (is_thin or label.glyph_height < least)

    return [label for label in labels if not is_speck(label)]


_SURE = 0.8
_CERTAIN = 0.9
_CROSSED = 0.5
_SURETY = dict.fromkeys("CDIJLTUVXY", _CERTAIN)  # of what squares, arcs, ticks and arrowheads on a line look like
_LETTER_SHARE = 0.85  # of the usual height of a letter's box
_UNKNOWN = "?"
_MEASURE = re.compile(r"(?!0$)(\d+(?:\.\d+)?)\s?(mm|cm|dm|km|m|ft|in|yd|°)?\.?")
_BESIDE_STROKE = re.compile(r"^\s*[iIl|<>←→–—-]*\s?(\d+(?:\.\d+)?\s?(?:mm|cm|dm|km|m))\s?[1iIl|<>←→–—-]*\s*$")
_NAME = r"∠?[A-Z]{2,3}|∠[A-Z1-9]|[rRdDhH]"
_STATEMENT = re.compile(rf"((?:(?:{_NAME})\s?[=:]\s?)+){_MEASURE.pattern}")
_ROLES = {"r": "radius", "d": "diameter", "h": "height"}
_STACKED = frozenset("√/")
_CAPITAL = re.compile(r"[A-Z]")
_SENTENCE = re.compile(r"[^\W\d_]{3}")


def with_second_reading(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """The runs as the words bear them out: no question marks or parts of sentences; numbers whole and with their unit.

    A dash or a line beside a measure with its unit may have been read as a letter.
    """
    words = [replace(word, text=_BESIDE_STROKE.sub(r"\1", word.text)) for word in words]
    sure = [word for word in words if word.confidence >= _SURE]
    kept = []
    heard: set[Word] = set()
    for run in runs:
        over = next((word for word in sure if word.box.holds(run.box.x, run.box.y)), None)
        if over is None:
            kept.append(_as_letter(run))
        elif _is_whole_measure(run, over):
            if over not in heard:  # the run with the word's text, as wide as the word
                box = Box(over.box.x0, run.box.y0, over.box.x1, run.box.y1)
                reading = CropText(text=_plain(over.text), confidence=over.confidence)
                kept.append(replace(run, box=box, reading=reading))
            heard.add(over)
        else:
            kept += _surer_run(run, over)
    return [*kept, *_runs_from_words(runs, words)]


def _surer_run(run: Run, word: Word) -> list[Run]:
    """The run, if any, that a surer word leaves: with the word's confidence where it says the same, or with its capital."""
    is_same = word.text == run.reading.text
    if not is_same and (word.text.strip() == _UNKNOWN or _SENTENCE.search(word.text)):
        return []
    if word.confidence > run.reading.confidence and (is_same or _CAPITAL.fullmatch(word.text)):
        run = replace(run, reading=CropText(text=word.text, confidence=word.confidence))
    return [_as_letter(run)]


def _is_whole_measure(run: Run, word: Word) -> bool:
    """Whether a word is a measure of which the run is a piece: a digit may touch a line, a unit stand apart.

    A degree sign is often read as a last 0, and a root or a fraction as a plain number.
    """
    measure = _MEASURE.fullmatch(word.text.strip())
    text = _plain(run.reading.text)
    if measure is None or word.text == run.reading.text or (run.degrees and measure[1] in (text, text + "0")):
        return False
    return not set(text) & _STACKED


def read_statements(words: Sequence[Word]) -> list[FigureLabel]:
    """The words that say what they measure: "GD = 14 cm", "∠ABC = 50°", "BD = DC = 3", "r = 3"."""
    labels = []
    for word in words:
        said = _STATEMENT.fullmatch(word.text.strip().replace("<", "∠"))
        if said is None or word.confidence < _SURE:
            continue
        degrees = said[3] == "°"
        run = run_of_word(word.text, _letter_box(word.box), word.confidence)
        label = _label(run, kind="number", text=said[2], value=float(said[2]), degrees=degrees)
        for name in re.findall(_NAME, said[1]):
            bare = name.lstrip("∠")
            kind = "angle" if len(bare) == 3 or "∠" in name else "segment"
            subject = _ROLES.get(bare.lower(), f"{kind} {bare}")
            labels.append(replace(label, unit=None if degrees else said[3], subject=subject))
    return labels


def _runs_from_words(runs: Sequence[Run], words: Sequence[Word]) -> list[Run]:
    """Single capitals and measures that are words but no runs: print that touches a line is not a shape of its own."""
    measures = [word for word in words if word.confidence >= _CERTAIN and _MEASURE.fullmatch(word.text.strip())]
    written = [run.box for run in runs if any(map(str.isalnum, run.reading.text))]
    return [
        run_of_word(word.text, _letter_box(word.box), max(word.confidence, _SURE))
        for word in (*_sure_capitals(words), *measures)
        if not any(word.box.holds(box.x, box.y) or box.holds(word.box.x, word.box.y) for box in written)
    ]


def _sure_capitals(words: Sequence[Word]) -> list[Word]:
    """Words that are one capital each, a ring among them. Small ones are none: an open arrowhead on a line is a small V.

    A letter through which a line runs is unsure, but marks look like few letters.
    """
    lettered = [replace(word, text="O") if word.text in ("0", "o") else word for word in words]
    capitals = [word for word in lettered if _CAPITAL.fullmatch(word.text)]
    large = _LETTER_SHARE * median(word.box.height for word in capitals) if capitals else 0.0
    return [one for one in capitals if one.box.height >= large and one.confidence >= _SURETY.get(one.text, _CROSSED)]


def _letter_box(box: Box) -> Box:
    """A word's box is wider than its letter by about a quarter of its height all around."""
    edge = 0.22 * box.height
    wide = min(edge, 0.3 * box.width)
    return Box(box.x0 + wide, box.y0 + edge, box.x1 - wide, box.y1 - edge)


def _as_letter(run: Run) -> Run:
    """A ring by itself is the letter O: nothing that is drawn measures 0."""
    return replace(run, reading=replace(run.reading, text="O")) if run.reading.text == "0" and not run.degrees else run
