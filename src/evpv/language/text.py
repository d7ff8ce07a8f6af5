"""Plain text of what models write: Markdown and LaTeX undressed, with the way back to the source, cut into segments.

One pass over the source, so that any text takes linear time. `offsets` leads from every plain character to the source
character that it came from, because a trace shows where in a step an assertion stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from evpv.language.immutable import immutable
from evpv.language.lexicon import ABBREVIATIONS, LATEX_SIGNS

_SegmentKind = Literal["sentence", "item", "heading", "header", "row"]
_LineSpan: TypeAlias = tuple[int, int, _SegmentKind]
"""Where a line of plain text begins and ends, and what it is."""
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*(?=\s+[\"'(\[]*[A-Z0-9∠△$√])|[.!?](?=\n)")


@immutable
class Segment:
    """A stretch of plain text that is read by itself; `lead` is the segment that introduces it ("Sales in 2019:")."""

    start: int
    end: int
    kind: _SegmentKind
    lead: int | None = None
    cells: tuple[tuple[int, int], ...] = ()


def segments(text: str, lines: list[_LineSpan]) -> tuple[Segment, ...]:
    """Sentences, list items, headings and table rows, each with what leads up to it: a heading, or “Sales in 2019:”."""
    found: list[Segment] = []
    lead: int | None = None
    header: int | None = None
    for start, end, kind in _joined_lines(text, lines):
        if kind == "row":
            cells = _cells(text, start, end)
            if header is None:
                header = len(found)
                found.append(Segment(start=start, end=end, kind="header", lead=lead, cells=cells))
            else:
                found.append(Segment(start=start, end=end, kind="row", lead=header, cells=cells))
            continue
        header = None
        if not _is_entry(kind, text[start:end]):
            lead = None
        for first, last in _sentences(text, start, end):
            part = kind if kind != "sentence" or lead is None else "item"
            found.append(Segment(start=first, end=last, kind=part, lead=lead))
            if kind == "heading" or text[first:last].rstrip().endswith(":"):
                lead = len(found) - 1
    return tuple(found)


def _cells(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    bars = [i for i in range(start, end) if text[i] == "|"]
    return tuple((left + 1, right) for left, right in pairwise(bars))


def _is_entry(kind: str, line: str) -> bool:
    """Whether a line is an item, or without a bullet an entry like “Sunday: 319”."""
    return kind == "item" or (len(line) < 80 and ":" in line and not line.rstrip().endswith(":"))


def _joined_lines(text: str, lines: list[_LineSpan]) -> Iterator[_LineSpan]:
    """Lines, one that goes on in the next (a lower-case word, a formula after “so”) joined with it."""
    current: _LineSpan | None = None
    for start, end, kind in lines:
        body = text[start:end].strip()
        if not body:
            if current is not None and text[current[0] : current[1]].rstrip().endswith(_ENDS):
                yield current
                current = None
            continue
        if current is not None and kind == "sentence" and _goes_on(text, current, body):
            current = (current[0], end, current[2])
            continue
        if current is not None:
            yield current
        current = (start, end, kind)
    if current is not None:
        yield current


_ENDS = (".", ":", ";", "!", "?")


def _goes_on(text: str, line: _LineSpan, following: str) -> bool:
    """Whether what follows a line belongs to its last sentence: it begins small or with a sign, or the line breaks off in the middle."""
    body = text[line[0] : line[1]]
    last = body.rstrip()
    if line[2] not in ("sentence", "item") or last.endswith(_ENDS):
        return False
    if following[0].islower() or not (following[0].isalpha() or following[0].isdigit()):
        return True
    breaks_off = (",", " so", " and", " the", " is", " are", " of", " gives", " to", " that", "=")
    return not body.endswith("  ") and (last.endswith(breaks_off) or len(last) > 90)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _SENTENCE_END.finditer(text, start, end):
        word = text[max(first, match.start() - 12) : match.start()].split(" ")[-1].lstrip("(\"'")
        # Full stops that end no sentence: “J.K.”, “U.S.”; that of the point A of a figure does.
        initials = "." in word and all(len(part) <= 1 and not part.isdigit() for part in word.split("."))
        if match[0][0] == "." and (initials or word.lower() in ABBREVIATIONS):
            continue
        yield first, match.end()
        first = match.end()
    if rest := text[first:end].lstrip():
        yield end - len(rest), end


@immutable
class PlainText:
    """A source without its dress. `text` keeps line breaks; `pieces` lead back to the source: where each begins here and there,
    and whether its characters stood there one by one."""

    source: str
    text: str
    pieces: tuple[tuple[int, int, bool], ...]
    segments: tuple[Segment, ...]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the plain text stands in the source."""
        if start >= end:
            return (self._place(start),) * 2
        return self._place(start), min(self._place(end - 1) + 1, len(self.source))

    def _place(self, position: int) -> int:
        if not self.pieces:
            return min(position, len(self.source))
        here, there, one_by_one = self.pieces[bisect_right(self.pieces, position, key=lambda piece: piece[0]) - 1]
        return there + (position - here if one_by_one else 0)


_ONE_FOR_ONE = str.maketrans({
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⊥": "⟂", "⫽": "∥", "‖": "∥", "⋅": "·", "∗": "*", "’": "'", "‘": "'",
    "′": "'", "ʹ": "'", "“": '"', "”": '"', "º": "°", "˚": "°", "≃": "≅", "▵": "△", "Δ": "△", "➝": "→", "\u00a0": " ", "\t": " ",
    "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅕": " 1/5", "⅛": " 1/8", "⅖": " 2/5", "⅗": " 3/5",
    "⅘": " 4/5", "⅜": " 3/8", "⅝": " 5/8", "⅞": " 7/8", "⅙": " 1/6", "⅚": " 5/6", "²": "^2", "³": "^3", "Â": "",
    "\ufeff": "", "\u200b": "", "\u00ad": "", "\u202f": " ", "\u2009": " ",
})  # fmt: skip
_RESPELLED = re.compile(f"([{''.join(chr(sign) for sign, plain in _ONE_FOR_ONE.items() if len(plain) != 1)}])")
"""The signs that are as many letters in no other spelling."""
_DRESS = re.compile(
    r"(?P<degree>\^\s?\{?\s?(?:\\circ|°|\\degree)\s?\}?)"
    r"|(?P<short>\\[dt]?frac\s?(?P<over>\d)\s?(?P<under>\d))"
    r"|(?P<frac>\\[dtc]?frac\s?(?=\{))"
    r"|(?P<root>\\sqrt\s?(?=\{))"
    r"|(?P<env>\\(?:begin|end)\{[a-z*]{1,16}\}(?:\{[lcr|]{1,9}\})?)"
    r"|(?P<command>\\(?:angle|triangle|odot|measuredangle|arc|overarc) ?|\\[A-Za-z]+)"
    r"|(?P<escaped>\\[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<dollar>\$+)"
    r"|(?P<bars>\|\|(?=\s?[A-Za-z]))"
    r"|(?P<slashes>(?<=[A-Z] )//(?= ?[A-Z])|(?<=[A-Z])//(?=[A-Z]))"
    r"|(?P<strong>\*\*|__|`+)"
    r"|(?P<star>[*_])"
    r"|(?P<tag></?(?:br|b|i|em|strong|sub|sup|p|span|[A-Z]{2,16}|think|answer)\s?/?>)"
)
_DRESS_STARTS = re.compile(r"[\\^{}$|/*_`<]")
_MARKUP = re.compile(
    r"^\s*(?:>\s?)?(?:(?P<heading>#{1,6}\s+)|(?P<bullet>[-*•+–]\s+|\(?\d{1,2}[.)]\s+(?=\S)|\(?[a-z]\)\s+))?"
)
_SPECIAL = re.compile(r"[\\$*_`{}#|<^\n\t\r]|//|[^\x00-\x7f]|^\s*(?:[-+>(]|\d{1,2}[.)]|[a-z]\))")
"""What a text must hold for there to be anything to undress."""
_RULE = re.compile(r"^[\s|:*=_-]*$")


@lru_cache(maxsize=64)
def plain_text(source: str) -> PlainText:
    r"""The source undressed and cut.

    >>> plain_text(r"**Sales:** $5\sqrt{2}$ and \(\frac{7 - 15}{2}\)").text
    'Sales: 5√2 and (7 - 15)/2'
    """
    if not _SPECIAL.search(source):
        whole = (Segment(start=len(source) - len(source.lstrip()), end=len(source), kind="sentence"),)
        single = source.strip() and not _SENTENCE_END.search(source)
        cut = whole if single else segments(source, [(0, len(source), "sentence")])
        return PlainText(source=source, text=source, pieces=(), segments=cut)
    pieces = _Pieces()
    lines: list[_LineSpan] = []
    dollars = _math_dollars(source)
    position = 0
    for line in source.split("\n"):
        kind, skip = _line_kind(line)
        begin = pieces.length
        if not _RULE.match(line):
            _undress(line, skip, position, dollars, pieces)
        lines.append((begin, pieces.length, kind))
        position += len(line)
        if position < len(source):
            pieces.add("\n", position)
        position += 1
    text, places = pieces.text_and_places()
    return PlainText(source=source, text=text, pieces=places, segments=segments(text, lines))


def _line_kind(line: str) -> tuple[_SegmentKind, int]:
    """What a line is, and how much markup opens it."""
    markup = _MARKUP.match(line)
    opened = markup.end() if markup and (markup["heading"] or markup["bullet"]) else 0
    if line.lstrip().startswith("|") and line.count("|") > 2 and not _RULE.match(line):
        return "row", opened
    if not markup or not opened:
        return "sentence", 0
    return ("heading" if markup["heading"] else "item"), opened


@lru_cache(maxsize=4096)
def plain(source: str) -> str:
    r"""The sentence without its dress, with single spaces: what names and printed labels are compared by.

    >>> plain(r"Segment $\overline{EB}$ is $5\sqrt{2}$ and $m\angle BAD = 105^\circ$")
    'Segment EB is 5√2 and m∠BAD = 105°'
    >>> plain(r"\frac{1}{2} of \$18,  so −7")
    '1/2 of $18, so -7'
    """
    if not _SPECIAL.search(source):
        return " ".join(source.split())
    return " ".join(plain_text(source).text.split())


_MAX_SENTENCES = 80
_MAX_TEXT = 12_000
"""So much of a step is audited; what a longer one rests on shows in its beginning."""


def sentences(source: str) -> tuple[str, ...]:
    """The plain sentences of a step; every line ends one, unless it goes on.

    >>> sentences("1. **Read** the price. The price is $3.\\n\\n- Mr. Orange has 4 cats.")
    ('Read the price.', 'The price is $3.', 'Mr. Orange has 4 cats.')
    """
    whole = plain_text(source[:_MAX_TEXT])
    found = (" ".join(whole.text[part.start : part.end].split()) for part in whole.segments[:_MAX_SENTENCES])
    return tuple(one for one in found if any(character.isalnum() for character in one))


class _Pieces:
    """Plain text as it grows: pieces with the source place of each, one of which may be filled in later."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.places: list[int] = []
        self.alike: list[bool] = []
        self.length = 0
        self.stack: list[tuple[str, int]] = []
        self.pending = ""

    def add(self, text: str, place: int, *, alike: bool = False) -> None:
        """A piece that stood at `place`; `alike` if its characters stood there one by one."""
        if text:
            self.parts.append(text)
            self.places.append(place)
            self.alike.append(alike or len(text) == 1)
            self.length += len(text)

    def open(self, place: int) -> None:
        """A brace opens: of a fraction or root its bracket is kept open until it is known whether it is needed."""
        kind, self.pending = self.pending, ""
        self.stack.append((kind, len(self.parts)))
        if kind:
            self.parts.append("")
            self.places.append(place)
            self.alike.append(False)

    def close(self, place: int) -> None:
        if not self.stack:
            return
        kind, at = self.stack.pop()
        if not kind:
            return
        inner = sum(map(len, self.parts[at + 1 : at + 9]))
        simple = len(self.parts) - at <= 8 and inner <= 12 and "".join(self.parts[at + 1 :]).strip().isalnum()
        if not simple:
            self.parts[at] = "("
            self.length += 1
            self.add(")", place)
        if kind == "top":
            self.add("/", place)
            self.pending = "bottom"

    def text_and_places(self) -> tuple[str, tuple[tuple[int, int, bool], ...]]:
        here, found = 0, []
        for part, place, alike in zip(self.parts, self.places, self.alike, strict=True):
            if part:
                found.append((here, place, alike))
                here += len(part)
        return "".join(self.parts), tuple(found)


def _undress(line: str, skip: int, base: int, dollars: frozenset[int], pieces: _Pieces) -> None:
    """One line's plain pieces. What dress stands for is added, or kept open until its braces are read: “\\frac{1}{2}” is “1/2”."""
    last = skip
    first = _DRESS_STARTS.search(line, skip)
    for match in _DRESS.finditer(line, first.start()) if first else ():
        _copy(line, last, match.start(), base, pieces)
        last, at = match.end(), base + match.start()
        match match.lastgroup:
            case "under" | "short":
                pieces.add(f"{match['over']}/{match['under']}", at)
            case "frac":
                pieces.add(" " if "".join(pieces.parts[-1:])[-1:].isdigit() else "", at)
                pieces.pending = "top"
            case "root":
                pieces.add("√", at)
                pieces.pending = "root"
            case "brace":
                pieces.open(at) if match[0] == "{" else pieces.close(at)
            case _:
                pieces.add(_replacement(line, match, at, dollars), at)
    _copy(line, last, len(line), base, pieces)


def _copy(line: str, start: int, end: int, base: int, pieces: _Pieces) -> None:
    """Plain characters as they are, one spelling each."""
    at = base + start
    for run in _RESPELLED.split(line[start:end]):
        spelled = run if run.isascii() and "\t" not in run else run.translate(_ONE_FOR_ONE)
        pieces.add(spelled, at, alike=len(spelled) == len(run))
        at += len(run)


_ESCAPED = {"\\": "\n", **{sign: sign for sign in "$%#&_{}*|"}, **dict.fromkeys(",;:!> ", " ")}
"""What an escaped sign stands for; nothing for any other."""
_ALWAYS = {"degree": "°", "bars": "∥", "slashes": "∥", "tag": " "}


def _replacement(line: str, match: re.Match[str], at: int, dollars: frozenset[int]) -> str:
    """What stands in plain text for a piece of dress; a star between letters or digits, or alone, is a sign of its own and no markup."""
    found = match[0]
    match match.lastgroup:
        case "command":
            name = found[1:].rstrip()
            return LATEX_SIGNS.get(name, f"{name} " if name in ("sin", "cos", "tan", "log", "ln") else "")
        case "escaped":
            return _ESCAPED.get(found[1], "")
        case "dollar":
            return "" if at in dollars or len(found) > 1 else "$"
        case "star":
            return _star(line, match)
    return _ALWAYS.get(str(match.lastgroup), "")


def _star(line: str, match: re.Match[str]) -> str:
    before, after = line[match.start() - 1 : match.start()], line[match.end() : match.end() + 1]
    times = (before.isalnum() and after.isalnum()) or not (before.strip() or after.strip())
    return match[0] if times or match[0] != "*" else ""


def _math_dollars(source: str) -> frozenset[int]:
    """Where dollars delimit formulas: a dollar right before a digit with no partner is money.

    >>> plain("$AB$ costs $18"), plain("$5$ and $6"), plain("$21 + $15 = $36")
    ('AB costs $18', '5 and $6', '$21 + $15 = $36')
    """
    places = [i for i in range(len(source)) if source[i] == "$" and source[i - 1 : i] != "\\"] if "$" in source else []
    found: set[int] = set()
    index = 0
    while index < len(places):
        at = places[index]
        partner = places[index + 1] if index + 1 < len(places) else None
        if partner is not None and _encloses_formula(source, at, partner):
            found.update((at, partner))
            index += 2
        else:
            found.update([at] if source[at + 1 : at + 2] not in _MONEY_STARTS else [])
            index += 1
    return frozenset(found)


_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z])[a-z]{2,}")
_MONEY_STARTS = frozenset("0123456789.- )")


def _encloses_formula(source: str, first: int, last: int) -> bool:
    """Whether the text between two dollars, if there is any, is a formula rather than the words between two prices."""
    inside, after = source[first + 1 : last], source[last + 1 : last + 2]
    if last == first + 1:
        return True
    if not inside.strip() or len(inside) > 300 or inside[-1].isspace() or "\n\n" in inside:
        return False
    if "\\" in inside:
        return True
    if after.isdigit() and inside[0].isdigit():
        return False
    return not _PLAIN_WORD.search(inside)
