"""A step's text as plain sentences, without the dress of lists and headings."""

from __future__ import annotations

import re

from evpv.premises.normalize.text import plain

MAX_TEXT = 12_000
"""So much of a step is looked at; what a longer one rests on shows in its beginning, and time stays bounded."""
MAX_SENTENCES = 80
MAX_SENTENCE = 1000

_END = re.compile(r"[.!?][\"')\]*]{0,3}\s+(?=[\"'(\[*$\\∠△A-Z\d-])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Fig|Eq|No|vs|e\.g|i\.e|approx|[A-Z]|[AP]\.M|[ap]\.m))\.$|^\d{1,3}\.$"
)
_DRESS = re.compile(r"^(?:\s|[#>•*]|[-–](?=\s)|\(?\d{1,2}[.)](?=\s|\*)|[Ss]tep\s\d{1,2}\s?[:.)-])+")
_EMPHASIS = re.compile(r"\*\*|__|`")


def sentences(text: str) -> tuple[str, ...]:
    """The plain sentences of a step; every line ends one, unless its formula goes on.

    >>> sentences("1. **Read** the price. The price is $3.\\n\\n- Mr. Orange has 4 cats.")
    ('Read the price.', 'The price is $3.', 'Mr. Orange has 4 cats.')
    """
    found: list[str] = []
    for line in _lines(text[:MAX_TEXT]):
        found += _split(line)
        if len(found) >= MAX_SENTENCES:
            break
    cleaned = (plain(_DRESS.sub("", _EMPHASIS.sub("", one))[:MAX_SENTENCE]) for one in found[:MAX_SENTENCES])
    return tuple(one for one in cleaned if any(character.isalnum() for character in one))


def _lines(text: str) -> list[str]:
    """The lines of a text; the lines of a displayed formula are one with the line before."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        opens = line.strip().startswith(("\\[", "$$", "\\begin"))
        if lines and (inside or opens):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
        inside = (inside or opens) and not line.rstrip().endswith(("\\]", "\\end{align*}")) and not _closes(line)
    return lines


def _closes(line: str) -> bool:
    return line.count("$$") == 2 or line.strip() == "$$"


def _split(line: str) -> list[str]:
    pieces, start = [], 0
    for match in _END.finditer(line):
        stop = match.start() + 1
        if not _ABBREVIATION.search(line[max(start, stop - 8) : stop].lstrip()):
            pieces.append(line[start : match.end()])
            start = match.end()
    return [*pieces, line[start:]]
