"""Geometry labels as geometry: AB is BA, ∠ABC is ∠CBA, △ABC is △BCA, wherever a sentence names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from evpv.language.immutable import immutable
from evpv.language.lexicon import KIND_OF
from evpv.language.text import plain

Key = tuple[str, tuple[str, ...]]
"""A kind and its points in the order that all names of the thing share."""

_POINT = r"[A-Z](?:'{1,2}(?!s\b)|\d|_\d)?"
_LABEL = re.compile(r"(?<![A-Za-z\d'])m?(?:" + _POINT + r"){1,6}(?![A-Za-z\d-]|'(?!s\b))")
_KIND_BEFORE = re.compile(r"(?:([∠△⊙⌒])|(?<![A-Za-z])([A-Za-z]{3,13}))\s{0,2}$")
_LOOK_BACK = 16
_POINTS = re.compile(_POINT)
_SINGLE_CAPITAL = re.compile(r"(?<![A-Za-z\d'])([A-Z])(?![A-Za-z\d'-])")
_OTHER_ANGLE = re.compile(
    r"(?:∠|\b[Aa]ngles?\b)\s{0,2}(\d{1,2}|[a-zα-ω])(?![\w°-]|\.\d)((?:(?:,| and|, and) \d{1,2}(?![\w°-])){0,5})"
)
_LETTERED_LINE = re.compile(r"\b[Ll]ines?\s([k-uℓ])(?:(?:,| and|, and| ∥| ⟂) ([k-uℓ]))?(?: and ([k-uℓ]))?(?![\w'(]| =)")
_JOINS = frozenset({"and", ",", ", and", "or", "=", "&", "≅", "with", "to", "+", "-", ", or"})
_SINGLE = frozenset({"angle", "circle", "point"})
_DRESS = frozenset("the length measure of m s".split())


@immutable
class Label:
    """A named geometric thing. `key` is equal for all names of the same thing; `start` and `end` are its place in the text."""

    kind: str
    points: tuple[str, ...]
    start: int = 0
    end: int = 0

    @property
    def key(self) -> Key:
        return key_of(self.kind, *self.points)


def key_of(kind: str, *points: str) -> Key:
    """The key of a thing of these points, in whatever order they are named.

    >>> key_of("angle", "C", "B", "A"), key_of("segment", "B", "A")
    (('angle', ('A', 'B', 'C')), ('segment', ('A', 'B')))
    """
    if kind == "angle" and len(points) == 3:
        points = min(points, points[::-1])
    elif kind in ("segment", "arc", "triangle", "polygon"):
        points = tuple(sorted(points))
    return (kind, points)


def label_text(key: Key) -> str:
    """A key as people write it: ∠ABC, △ABC, AB, circle O."""
    kind, points = key
    signs = {"angle": "∠", "triangle": "△", "segment": "", "polygon": "", "line": ""}
    return (signs.get(kind, kind + " ") + "".join(points)).strip()


@lru_cache(maxsize=256)
def labels(text: str) -> tuple[Label, ...]:
    """The geometry labels of a plain sentence, in order.

    A single capital counts only after a kind word or sign ("point A", "circle O", "∠B"), so that "A cone" names nothing.

    >>> [label.key for label in labels("∠CBA = 40°, line BA and circle O touch; A cone stands at point P")]
    [('angle', ('A', 'B', 'C')), ('segment', ('A', 'B')), ('circle', ('O',)), ('point', ('P',))]
    """
    found = [*_capital_labels(text)]
    if "∠" in text or "ngle" in text:
        found += _numbered_angles(text, tuple(found))
    if "ine" in text:
        found += _lettered_lines(text)
    return tuple(sorted(found, key=attrgetter("start")))


def _capital_labels(text: str) -> Iterator[Label]:
    """The things called by capitals, from the kind word or sign right before them on; a list of names shares the kind word before its first."""
    end, last_kind = 0, ""
    for match in _LABEL.finditer(text):
        points, start = tuple(_POINTS.findall(match[0])), match.start()
        before = _KIND_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
        stated = KIND_OF.get((before[1] or before[2]).lower()) if before else None
        if before and stated is not None:
            start = before.start()
        elif end and text[end:start].strip().lower() in _JOINS:
            stated = last_kind
        else:
            stated = ""
        kind = _kind(stated, len(points))
        if kind is not None and len(set(points)) == len(points):
            yield Label(kind=kind, points=points, start=start, end=match.end())
            end, last_kind = match.end(), stated


def _lettered_lines(text: str) -> Iterator[Label]:
    """The lines called by a small letter: “line m”, “lines m and n”."""
    for match in _LETTERED_LINE.finditer(text):
        for group in filter(match.group, (1, 2, 3)):
            start = match.start() if group == 1 else match.start(group)
            yield Label(kind="line", points=(match[group],), start=start, end=match.end(group))


def _numbered_angles(text: str, taken: tuple[Label, ...]) -> Iterator[Label]:
    """The angles called by a number or a small letter (“angles 1, 2 and 3”) where no other label stands."""
    for match in _OTHER_ANGLE.finditer(text):
        if any(label.start < match.end() and match.start() < label.end for label in taken):
            continue
        for name in (match[1], *(part for part in match[2].replace(",", " ").split() if part.isdigit())):
            yield Label(kind="angle", points=(name,), start=match.start(), end=match.end())


def _kind(stated: str, count: int) -> str | None:
    """What a label is, from the word before it and how many points it names."""
    if count == 1:
        return stated if stated in _SINGLE else None
    if count == 2:
        return stated if stated == "arc" else "segment"
    if count == 3:
        return stated if stated in ("angle", "arc", "circle") else "triangle"
    return "polygon"


@lru_cache(maxsize=4096)
def entity_key(text: str) -> Key | None:
    """The canonical label if a constraint's entity is nothing but one, else None.

    >>> entity_key("segment BA"), entity_key("AB"), entity_key("cylinder base radius"), entity_key("angle 1")
    (('segment', ('A', 'B')), ('segment', ('A', 'B')), None, ('angle', ('1',)))
    """
    text = plain(text)
    found = labels(text)
    if len(found) != 1:
        return None
    rest = (text[: found[0].start] + " " + text[found[0].end :]).lower().replace(",", " ").replace(".", " ")
    return found[0].key if all(word in _DRESS for word in rest.split()) else None


def loose_points(text: str, named: tuple[Label, ...], base: int = 0) -> tuple[Label, ...]:
    """Single capitals that a sentence names besides its labels: “D lies on AC”, “a right angle at B”; `base` is where the text begins."""
    found = []
    for match in _SINGLE_CAPITAL.finditer(text):
        name, place = match[1], base + match.start()
        if any(label.start <= place < label.end for label in named):
            continue
        before = text[: match.start()].rstrip()
        opens = not before or before.endswith((".", ":"))
        if (name == "I" or (name == "A" and opens)) and _OTHER_WORD_AFTER.match(text, match.end()):
            continue
        found.append(Label(kind="point", points=(name,), start=place, end=place + 1))
    return tuple(found)


_OTHER_WORD_AFTER = re.compile(r" (?!is|an|li|to|on)")
"""What follows an article or “I”, and not the name of a point."""
_INDEFINITE = frozenset(
    "a an any every each all when whenever two parallel similar congruent opposite corresponding vertical alternate".split()
)
_POINTING = frozenset("figure diagram picture shown marked labelled labeled here given this these we".split())


def is_general(text: str) -> bool:
    """Whether a sentence speaks of all such figures, naming nothing of this one.

    >>> is_general(" A tangent is perpendicular to the radius."), is_general(" A diameter is drawn from A to B.")
    (True, False)
    """
    words = text.lower().replace(",", " ").removeprefix("in ").split()
    of_any = not _INDEFINITE.isdisjoint(words[:1]) or any(f" of {one} " in text for one in ("a", "an", "any"))
    if not of_any or not _POINTING.isdisjoint(words):
        return False
    return not (labels(text) or loose_points(text, ()) or any(c.isdigit() for c in text))


def has_labels(text: str, named: Sequence[Label]) -> bool:
    """Whether capitals in a text are points of a figure rather than abbreviations."""
    if not named:
        return False
    if any(sign in text for sign in "∠△⊙∥⟂≅°"):
        return True
    if not _GEOMETRY_WORDS.isdisjoint(word.lower().strip(".,:;()") for word in text.split()):
        return True
    pairs = any(len(label.points) == 2 and "".join(label.points) not in _ACRONYMS for label in named)
    return pairs and all(len(label.points) <= 3 for label in named)


_GEOMETRY_WORDS = frozenset(
    "angle angles triangle triangles segment segments parallel perpendicular congruent bisector bisects midpoint radius diameter chord tangent isosceles equilateral "  # noqa: E501
    "hypotenuse leg legs side sides circle vertex quadrilateral trapezoid parallelogram rectangle rhombus arc".split()
)
_ACRONYMS = frozenset(
    "US UK EU UN TV PC IT AI GB NY LA DC HR PR VR AR ID OS UV MW GW AM PM BC AD CO NO QB FC AC SS".split()
) - {"AC", "BC", "AD"}
