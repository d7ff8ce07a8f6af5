"""Plain text cut into what is read by itself: sentences, list items, headings and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from evpv.language.immutable import immutable
from evpv.language.lexicon import ABBREVIATIONS

SegmentKind = Literal["sentence", "item", "heading", "header", "row"]
Line: TypeAlias = tuple[int, int, SegmentKind]
"""Where a line of plain text begins and ends, and what it is."""
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*(?=\s+[\"'(\[]*[A-Z0-9∠△$√])|[.!?](?=\n)")


@immutable
class Segment:
    """A stretch of plain text that is read by itself; `lead` is the segment that introduces it ("Sales in 2019:")."""

    start: int
    end: int
    kind: SegmentKind
    lead: int | None = None
    cells: tuple[tuple[int, int], ...] = ()


def segments(text: str, lines: list[Line]) -> tuple[Segment, ...]:
    """Sentences, list items, headings and table rows, each with what leads up to it."""
    found: list[Segment] = []
    lead: int | None = None
    header: int | None = None
    for start, end, kind in _joined_lines(text, lines):
        if kind == "row":
            cells = tuple(_cells(text, start, end))
            row: SegmentKind = "row" if header is not None else "header"
            found.append(Segment(start=start, end=end, kind=row, lead=header if row == "row" else lead, cells=cells))
            header = len(found) - 1 if header is None else header
            continue
        header = None
        if kind != "item" and not (lead is not None and _is_entry(text, start, end)):
            lead = None
        for first, last in _sentences(text, start, end):
            introduces = text[first:last].rstrip().endswith(":") or kind == "heading"
            part = kind if kind != "sentence" or lead is None else "item"
            found.append(Segment(start=first, end=last, kind=part, lead=lead))
            if introduces:
                lead = len(found) - 1
    return tuple(found)


def _is_entry(text: str, start: int, end: int) -> bool:
    """Whether a line without a bullet is still an entry of a list: “Sunday: 319”."""
    return end - start < 80 and ":" in text[start:end] and not text[start:end].rstrip().endswith(":")


def _joined_lines(text: str, lines: list[Line]) -> Iterator[Line]:
    """Lines, one that goes on in the next (a lower-case word, a formula after “so”) joined with it."""
    current: Line | None = None
    for start, end, kind in lines:
        body = text[start:end].strip()
        if not body:
            if current is not None and text[current[0] : current[1]].rstrip().endswith(_ENDS):
                yield current
                current = None
            continue
        goes_on = (
            current is not None
            and kind == "sentence"
            and current[2] in ("sentence", "item")
            and not text[current[0] : current[1]].rstrip().endswith(_ENDS)
            and (body[0].islower() or (not body[0].isalpha() and not body[0].isdigit()) or _hangs(text, current))
        )
        if goes_on and current is not None:
            current = (current[0], end, current[2])
            continue
        if current is not None:
            yield current
        current = (start, end, kind)
    if current is not None:
        yield current


_ENDS = (".", ":", ";", "!", "?")


def _hangs(text: str, line: Line) -> bool:
    """Whether a line breaks off in the middle of a sentence."""
    body = text[line[0] : line[1]]
    if body.endswith("  "):
        return False
    last = body.rstrip()
    return (
        last.endswith((",", " so", " and", " the", " is", " are", " of", " gives", " to", " that", "="))
        or len(last) > 90
    )


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _SENTENCE_END.finditer(text, start, end):
        word = text[max(first, match.start() - 12) : match.start()].split(" ")[-1].lstrip("(\"'")
        if match[0][0] == "." and (word.lower() in ABBREVIATIONS or _is_initial(word)):
            continue
        yield first, match.end()
        first = match.end()
    while first < end and text[first].isspace():
        first += 1
    if text[first:end].strip():
        yield first, end


def _is_initial(word: str) -> bool:
    """“J.K.”, “U.S.”: full stops that end no sentence; the point A of a figure does."""
    return "." in word and all(len(part) <= 1 and not part.isdigit() for part in word.split("."))


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The cells of a table row, between its bars."""
    first = text.find("|", start, end) + 1
    while 0 < first < end:
        bar = text.find("|", first, end)
        if bar < 0:
            break
        yield first, bar
        first = bar + 1
