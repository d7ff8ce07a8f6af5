"""Free text into steps, the way models write them.

A step is a block: a paragraph, a numbered item, a "Step k:" or a bullet, with the formula that its colon announces. A
text of one or two blocks is split into sentences instead. Steps are slices of the text, so nothing but white space
between them is lost. Every pattern is anchored or bounded: the time grows with the text's length and no faster.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

_FEW_BLOCKS = 2
"""Up to so many blocks a text is split by sentences: it was written without layout."""

_Kind = Literal["inside", "header", "rule", "numbered", "bullet", "answer", "display", "text"]

_LINE_KINDS: tuple[tuple[_Kind, re.Pattern[str]], ...] = (
    ("rule", re.compile(r"(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")),
    ("answer", re.compile(r"[*#_†>\s]{0,9}(?:the\s)?(?:final\s)?answer[*_\s]{0,4}[:：]", re.IGNORECASE)),
    ("header", re.compile(r"#{1,6}\s|\*\*[^*]{1,200}\*\*:?\s*$")),
    ("numbered", re.compile(r"(?:\*\*)?step\s{0,2}\d{1,3}\s?(?:\*\*)?\s?[:.)\-–—]", re.IGNORECASE)),
    ("numbered", re.compile(r"(?:\*\*)?\(?(?:\d{1,3}[.)]|(?<=\()[A-Za-z]\))(?:\*\*)?(?:\s|$)")),
    ("bullet", re.compile(r"[-*•–]\s")),
    ("display", re.compile(r"\\\[|\$\$|\\begin\{")),
)
_LOWER_WORD = re.compile(r"[a-z]{2,20}\b")
_ENDS_SENTENCE = (".", "!", "?")
_CLOSERS = "\"'”’)]*_"
_OPENERS = "\"'“‘([*_"
_OPERATORS = "=+-−–*/<>×÷·,;:.!?≈≠≤≥^&|"
_ABBREVIATIONS = frozenset(
    {"e.g", "i.e", "fig", "figs", "eq", "eqs", "mr", "mrs", "ms", "dr", "prof", "vs", "cf", "al", "resp", "approx"}
)
_ABBREVIATIONS_BEFORE_NUMBERS = frozenset(["no", "nos", "p", "pp", "ch", "sec", "vol", "ex"])

_DELIMITER = re.compile(r"\\\\|\\[\[\]()$]|\$\$|\$|```|\\(?:begin|end)\{[^{}\n]{1,30}\}")
_CLOSING = {"\\[": "\\]", "\\(": "\\)", "$$": "$$", "```": "```"}


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str  # without the white space around it
    indent: int
    kind: _Kind
    after_blank: bool


@dataclass(frozen=True, slots=True)
class _Block:
    first: _Kind
    has_header: bool
    only_titles: bool  # headers and rules so far: what they announce is still to come


def split_steps(text: str) -> tuple[str, ...]:
    """The steps of a free-text solution; none for an empty text.

    >>> split_steps("Step 1: AB is 3.5 cm (Fig. 2).\\nStep 2: So the area is\\n\\\\[ 3.5 + 2 \\\\]")
    ('Step 1: AB is 3.5 cm (Fig. 2).', 'Step 2: So the area is\\n\\\\[ 3.5 + 2 \\\\]')
    >>> split_steps("The base is 3. The height is 4. So the area is 12.")
    ('The base is 3.', 'The height is 4.', 'So the area is 12.')
    """
    formulas = _formula_spans(text)
    starts = _block_starts(text, formulas)
    if len(starts) <= _FEW_BLOCKS:
        starts = _sentence_starts(text, formulas, starts)
    return tuple(text[start:end].strip() for start, end in pairwise([*starts, len(text)]))


def _formula_spans(text: str) -> list[tuple[int, int]]:
    """Where formulas and code blocks lie, in order and without overlap; an opening that is never closed opens nothing.

    A single dollar is money unless it hugs its contents as in $x$, as in pandoc: "$3 or $4" holds no formula.
    """
    tokens = [(match.start(), match.group()) for match in _DELIMITER.finditer(text)]
    places: dict[str, list[int]] = {}
    for index, (_, token) in enumerate(tokens):
        places.setdefault(token, []).append(index)
    spans = []
    index = 0
    while index < len(tokens):
        start, token = tokens[index]
        if token == "$":
            close = _closing_dollar(text, tokens, places, index)
        else:
            closing = token.replace("\\begin", "\\end") if token.startswith("\\begin") else _CLOSING.get(token, "")
            close = _next_place(places.get(closing, []), index)
        if close is not None:
            spans.append((start, tokens[close][0] + len(tokens[close][1])))
            index = close
        index += 1
    return spans


def _next_place(places: list[int], index: int) -> int | None:
    later = bisect_right(places, index)
    return places[later] if later < len(places) else None


def _closing_dollar(text: str, tokens: list[tuple[int, str]], places: dict[str, list[int]], index: int) -> int | None:
    close, display = (_next_place(places.get(token, []), index) for token in ("$", "$$"))
    start = tokens[index][0]
    if close is None or (display is not None and display < close) or text[start + 1].isspace():
        return None
    end = tokens[close][0]
    is_money = text[end - 1].isspace() or text[end + 1 : end + 2].isdigit()
    return None if is_money or "\n\n" in text[start:end] else close


def _is_inside(spans: list[tuple[int, int]], position: int) -> bool:
    """Whether a position lies within a span, past its first character."""
    before = bisect_left(spans, (position, 0)) - 1
    return before >= 0 and position < spans[before][1]


def _block_starts(text: str, formulas: list[tuple[int, int]]) -> list[int]:
    lines = _lines(text, formulas)
    margin = min((line.indent for line in lines if line.kind in ("numbered", "bullet")), default=0)
    starts: list[int] = []
    block, previous = None, None
    for line in lines:
        is_title = line.kind in ("header", "rule")
        if block is None or previous is None or _opens_block(line, previous, block, margin):
            starts.append(line.start)
            block = _Block(line.kind, line.kind == "header", is_title)
        else:
            has_header = block.has_header or line.kind == "header"
            block = _Block(block.first, has_header, block.only_titles and is_title)
        previous = line
    return starts


def _lines(text: str, formulas: list[tuple[int, int]]) -> list[_Line]:
    lines = []
    start, blank = 0, False
    for raw in text.split("\n"):
        stripped = raw.strip()
        indent = len(raw) - len(raw.lstrip())
        inside = _is_inside(formulas, start + indent)
        if stripped:
            found = (kind for kind, pattern in _LINE_KINDS if pattern.match(stripped))
            kind: _Kind = "inside" if inside else next(found, "text")
            lines.append(_Line(start + indent, stripped, indent, kind, blank))
        blank = not stripped and not inside
        start += len(raw) + 1
    return lines


def _opens_block(line: _Line, previous: _Line, block: _Block, margin: int) -> bool:
    """Whether a line begins a new step, given the line before it and the block that is open."""
    is_item = line.indent <= margin + 1
    if line.kind in ("inside", "rule"):
        return False
    if line.kind == "header":
        return block.has_header or not block.only_titles
    if block.only_titles:
        return False
    if line.kind == "answer":
        return True
    if line.kind == "numbered":
        return is_item
    if line.kind == "bullet":
        return is_item and (line.after_blank or block.first not in ("numbered", "header"))
    return _opens_paragraph(line, previous, block.first)


def _opens_paragraph(line: _Line, previous: _Line, first: _Kind) -> bool:
    """A paragraph goes on over a blank line after a colon, before a displayed formula, or in lower case."""
    if line.kind == "display" or _LOWER_WORD.match(line.text):
        return False
    before = previous.text.rstrip("* ")
    if not line.after_blank:
        return first == "text" and before.rstrip(_CLOSERS).endswith(_ENDS_SENTENCE)
    belongs_to_item = line.indent >= 2 and first in ("numbered", "bullet")
    return not belongs_to_item and not before.endswith(":")


def _sentence_starts(text: str, formulas: list[tuple[int, int]], block_starts: list[int]) -> list[int]:
    starts: list[int] = []
    blocks = set(block_starts)
    before, opens = "", False  # the word before, and whether it was the first of its sentence
    for match in re.finditer(r"\S+", text):
        word, place = match.group(), match.start()
        is_boundary = _ends_and_begins(before, opens, word) and not _is_inside(formulas, place)
        opens = place in blocks or is_boundary
        if opens:
            starts.append(place)
        before = word
    return starts


def _ends_and_begins(word: str, word_opens: bool, following: str) -> bool:
    """Whether a sentence ends with `word` and the next begins with `following`."""
    end = word.rstrip(_CLOSERS)
    if not end.endswith(_ENDS_SENTENCE):
        return False
    start = following.lstrip(_OPENERS)
    if start[:1].islower() or start[:1] in _OPERATORS:
        return False
    stem = end.rstrip(".!?").lstrip(_OPENERS).lower()
    is_list_marker = word_opens and stem.isdigit()
    is_abbreviation = stem in _ABBREVIATIONS or (stem in _ABBREVIATIONS_BEFORE_NUMBERS and start[:1].isdigit())
    return not (is_list_marker or (is_abbreviation and end.endswith(".")))
