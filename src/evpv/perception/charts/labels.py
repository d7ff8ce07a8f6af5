"""The words of a chart as labels: with their centre, their number if they are one ("1 234.5", "12 %", "$3.4 million"), and how they lie."""

from __future__ import annotations

import itertools
import re
import statistics
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evpv.perception.boxes import Box
from evpv.perception.ocr import Word

YEAR = re.compile(r"(?:1[89]|20)\d\d")
_SCALES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "tn": 1e12,
    "trillion": 1e12,
}  # fmt: skip
_NUMBER = re.compile(
    r"""^(?P<sign>[-−–—+~<>]?)\s*(?P<currency>[$€£¥]?)\s*(?P<minus>[-−–]?)
    (?P<digits>\d{1,3}(?:[ ,’']\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)
    \s*(?P<percent>%?)\s*(?P<words>[A-Za-z]{0,9}(?:\ [A-Za-z]{1,9})?)\s*[*†.\-–—_'"]*$""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedNumber:
    """A number as printed. `scale` is what its unit words multiply it by ("million" is 1e6)."""

    value: float
    unit: str | None = None
    scale: float = 1.0

    @property
    def full(self) -> float:
        """The number with its unit words multiplied out, as axes need it."""
        return self.value * self.scale


def parse_quantity(text: str) -> PrintedNumber | None:
    """The quantity that a whole label says, or None if the label says anything else.

    The value stays as printed ("754.28 million" is 754.28 with unit "million"), because that is how people quote it.

    >>> parse_quantity("1 234.5"), parse_quantity("12%"), parse_quantity("Q1 2010")
    (PrintedNumber(value=1234.5, unit=None, scale=1.0), PrintedNumber(value=12.0, unit='%', scale=1.0), None)
    """
    found = _NUMBER.match(" ".join(text.replace("\u00a0", " ").split()))
    if found is None:
        return None
    digits, words = found["digits"], found["words"].lower().split()
    grouped = re.fullmatch(r"\d{1,3}(?:[ ,’']\d{3})+(?:\.\d+)?", digits)
    value = float(re.sub(r"[ ,’']", "", digits) if grouped else digits.replace(",", "."))
    if found["sign"] in tuple("-−–—") or found["minus"]:
        value = -value
    unit = found["percent"] or found["words"] or found["currency"] or None
    return PrintedNumber(value=value, unit=unit, scale=_SCALES.get(words[0], 1.0) if words else 1.0)


_YEAR = re.compile(r"\b[12][\doO]{3}\b")  # old-style figures are read as letters: "20oo"
_DAY = re.compile(r"^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(\d{1,2})$")
_TICK_AFTER = re.compile(r"(?<=\w)[-–—_,]+$|(?<=[^.]\w)\.$")  # a tick mark read as part of the text that ends at it
_TICK_BEFORE = re.compile(r"^[-–—_](?=\d)")  # or that starts at it, running down
_LETTER = re.compile("[A-Za-z]")
_RANGE = re.compile(r"\d+ ?[-–] ?\d+")
_CYCLES = (
    "january february march april may june july august september october november december".split(),
    "monday tuesday wednesday thursday friday saturday sunday".split(),
)
_TWO_YEARS = re.compile(r"(19|20)\d\d (19|20)\d\d")
_NAMES_TOGETHER = re.compile(
    r"((19|20)\d\d ?){2,}|((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ?){2,}"
)  # as names of an axis are run together, with no room for the samples of a legend between them
_MARGIN = 0.2  # of a line's height that detected boxes reach beyond the letters at either end
_DENSE = 0.6  # heights of a line that a sign is wide
_NAME_AFTER = re.compile(r"(?<=\w)(?=[A-Z]|(?:19|20)\d\d)")

_TICK_SIGN = re.compile(r"[-−–—]\s?(?=\d)")
_SQUARE = 1.35
_LEVEL_DEG = 5.0
_CELL = 0.68  # of a column's width that each sign of a stack is high; letters of a turned word are closer
_TALLEST = 3.5  # usual lines that a sign may be high or wide; what is larger is a drawing that was taken for letters

_Lie = Literal["level", "tilted", "upright"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLabel:
    """A printed text. `lie` tells level text from slanted text and from text that runs up the page.

    `page` is where it stands on the page, `box` where it stands in the frame in which bars stand upright. `tip` is
    where along the page slanted text points to: rising text ends at its tick, falling text starts there.
    """

    text: str
    box: Box
    page: Box
    quantity: PrintedNumber | None = None
    lie: _Lie = "level"
    tip: float | None = None

    @property
    def x(self) -> float:
        return self.box.x

    @property
    def y(self) -> float:
        return self.box.y

    @property
    def width(self) -> float:
        return self.box.width

    @property
    def height(self) -> float:
        return self.box.height

    def quarter_turn(self) -> ChartLabel:
        """The label in a frame turned a quarter, where bars that lie on the page stand and grow upward."""
        x0, y0, x1, y1 = self.box
        if self.tip is not None and self.quantity is not None:
            x0, x1 = self.tip - 5, self.tip + 5  # a slanted tick stands where it ends
        elif self.tip is not None:
            half = min(abs(self.tip - x0), abs(x1 - self.tip))
            y = y0 + half if self.tip > self.x else y1 - half  # a slanted name ends at its bar
            y0, y1 = y - 5, y + 5
        return replace(self, box=Box(y0, -x1, y1, -x0))


def make_labels(words: Sequence[Word]) -> tuple[ChartLabel, ...]:
    """The words that can be labels; marks that the recogniser took for text with little confidence are left out.

    Ticks of an axis look like a lone upright stroke, and boxes of lone digits may be tighter than a line of text is high.
    """
    sure = [one for one in words if one.text.strip() and one.confidence >= (0.75 if one.text in "1Il|" else 0.5)]
    if not sure:
        return ()
    usual = _usual_height(sure)
    lines = [word for word in sure if max(word.box.width, word.box.height) / len(word.text) <= _TALLEST * usual]
    apart = itertools.chain.from_iterable(map(signs_apart, lines))
    labels = [piece for word in apart for piece in _apart(_label(word, usual))]
    return _ticks_at_their_ends(_without_tick_signs(labels, usual), usual)


def _usual_height(words: Sequence[Word]) -> float:
    wide = [one for one in words if one.box.width > 1.4 * one.box.height and abs(one.angle_deg) < _LEVEL_DEG]
    return statistics.median(word.box.line_height for word in wide or words)


def _without_tick_signs(labels: Sequence[ChartLabel], usual_height: float) -> list[ChartLabel]:
    """The labels, with the dash taken from three or more numbers of a column that grow downward: it is the tick of an axis left of them."""
    signed = [label for label in labels if _TICK_SIGN.match(label.text) and label.quantity is not None]
    bare = []
    for label in labels:
        column = [one for one in signed if abs(one.box.x0 - label.box.x0) <= usual_height / 2]
        if label in signed and _grow_downward(column):
            text = _TICK_SIGN.sub("", label.text)
            label = replace(label, text=text, quantity=parse_quantity(text))
        bare.append(label)
    return bare


def _grow_downward(column: Sequence[ChartLabel]) -> bool:
    values = [one.quantity.full for one in sorted(column, key=lambda one: one.y) if one.quantity]
    return len(values) >= 3 and values == sorted(set(values))


def signs_apart(word: Word) -> list[Word]:
    """Single signs under each other that were read as one word that runs down or up the page; else the word alone."""
    text, box = word.text.strip(), word.box
    if abs(word.angle_deg) != 90 or not text.isalnum() or box.height < _CELL * len(text) * box.width:
        return [word]
    step = box.height / len(text)
    signs = text if word.angle_deg < 0 else text[::-1]
    cells = [box._replace(y0=box.y0 + step * n, y1=box.y0 + step * (n + 1)) for n in range(len(signs))]
    return [replace(word, text=sign, box=cell, angle_deg=0.0) for sign, cell in zip(signs, cells, strict=True)]


def _ticks_at_their_ends(labels: Sequence[ChartLabel], usual_height: float) -> tuple[ChartLabel, ...]:
    """The labels, with slanted numbers that stand in a column put where they end, for there are the ticks of the axis."""
    slanted = [label for label in labels if label.lie == "tilted" and label.quantity is not None]
    placed = []
    for label in labels:
        others = slanted if label in slanted else ()
        if sum(abs(one.box.x1 - label.box.x1) <= usual_height / 3 for one in others) >= 3:
            rises = label.tip is not None and label.tip > label.x
            y = label.box.y0 + 0.6 * usual_height if rises else label.box.y1 - 0.6 * usual_height
            box = label.box._replace(y0=y - usual_height / 2, y1=y + usual_height / 2)
            label = replace(label, box=box, page=box, lie="level", tip=None)
        placed.append(label)
    return tuple(placed)


def _label(word: Word, usual_height: float) -> ChartLabel:
    text = _YEAR.sub(lambda year: year[0].replace("o", "0").replace("O", "0"), " ".join(word.text.split()))
    text = _DAY.sub(r"\1 \2", text)
    if len(text) == 1:  # the tick over a lone letter is read as its accent
        text = unicodedata.normalize("NFD", text)[0]
    lie = _lie(word, usual_height)
    if lie != "level":
        text = _TICK_AFTER.sub("", _TICK_BEFORE.sub("", text) if word.angle_deg < -45 else text)
    rising = word.angle_deg >= 0
    end = word.box.x1 - usual_height / 2 if rising else word.box.x0 + usual_height / 2
    tip = end if lie == "tilted" else None
    return ChartLabel(text=text, box=word.box, page=word.box, quantity=parse_quantity(text), lie=lie, tip=tip)


def _lie(word: Word, usual_height: float) -> _Lie:
    width, height = word.box.width, word.box.height
    turned = abs((word.angle_deg + 90) % 180 - 90)
    long = len(word.text.strip()) >= 3
    if turned > 75:  # upright text of three signs is much higher than wide
        return "tilted" if long and height < _SQUARE * width else "upright"
    if long and height > 1.8 * width:
        return "upright"
    high = long and height > 1.7 * usual_height and width < 3.0 * height
    return "tilted" if high or turned > 10 else "level"


def is_wordy(label: ChartLabel) -> bool:
    """Whether a label can be a name: it has letters and more than one sign, or is a range such as 20-29."""
    if label.quantity is not None or sum(sign.isalnum() for sign in label.text) < 2:
        return False
    return any(sign.isalpha() for sign in label.text) or _RANGE.fullmatch(label.text) is not None


def text_height(labels: Sequence[ChartLabel]) -> float:
    """The usual height of a line of text; 16 where there is none."""
    heights = [label.page.height for label in labels if label.lie == "level"]
    return statistics.median(heights) if heights else 16.0


def page_of(labels: Sequence[ChartLabel]) -> Box:
    """The part of the page that at least one label takes."""
    return Box.around(label.page for label in labels)


def pieces(label: ChartLabel, per_piece: int = 1) -> list[ChartLabel]:
    """A label cut after every so many words, each piece where its letters stand.

    The recogniser runs neighbours of a crowded axis together; letters are near enough of equal width to tell them apart.
    """
    parts = label.text.split(" ")
    texts = [" ".join(parts[start : start + per_piece]) for start in range(0, len(parts), per_piece)]
    margin = min(_MARGIN * label.height, 0.1 * label.width)
    per_letter = (label.width - 2 * margin) / max(len(label.text), 1)
    cut, start = [], 0
    for text in texts:
        x0 = label.box.x0 + margin + start * per_letter
        box = label.box._replace(x0=x0, x1=x0 + len(text) * per_letter)
        cut.append(ChartLabel(text=text, box=box, page=box, quantity=parse_quantity(text), lie=label.lie))
        start += len(text) + 1
    return cut


def _are_in_order(words: Sequence[str]) -> bool:
    """Whether words are months or days of the week in their order, all written alike, or single letters at even steps through the alphabet."""
    if len(words) < 3 or len(set(map(len, words))) > 1:
        return False
    if all(map(_LETTER.fullmatch, words)):
        steps = {ord(b) - ord(a) for a, b in itertools.pairwise(words)}
        if min(steps) == max(steps) > 0:
            return True
    names = list(map(str.casefold, words))
    rounds = ([one[: len(names[0])] for one in cycle * 2] for cycle in _CYCLES)
    return any(names == cycle[start : start + len(names)] for cycle in rounds for start in range(len(cycle) // 2))


def _apart(label: ChartLabel) -> list[ChartLabel]:
    """A label that is a row of names of an axis which the recogniser ran together, as these names; else the label alone.

    The places of a calendar are at even distances, whatever the widths of their letters.
    """
    if label.lie != "level":
        return [label]
    if _TWO_YEARS.fullmatch(label.text):
        return pieces(label)
    if _NAMES_TOGETHER.fullmatch(label.text) and label.width <= _DENSE * len(label.text) * label.height:
        return pieces(replace(label, text=_NAME_AFTER.sub(" ", label.text)))
    if label.quantity is not None or not _are_in_order(label.text.split(" ")):
        return [label]
    row = pieces(label)
    first, last = row[0].x, row[-1].x
    places = [first + (last - first) * number / (len(row) - 1) for number in range(len(row))]
    boxes = [one.box.shift(x - one.x, 0.0) for one, x in zip(row, places, strict=True)]
    return [replace(one, box=box, page=box) for one, box in zip(row, boxes, strict=True)]
