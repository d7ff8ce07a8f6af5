"""Geometry labels as geometry: AB is BA, ∠ABC is ∠CBA, △ABC is △BCA, wherever a sentence names them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_KIND_OF = {
    "∠": "angle", "angle": "angle", "angles": "angle", "△": "triangle", "triangle": "triangle", "triangles": "triangle",
    "⊙": "circle", "circle": "circle", "circles": "circle", "arc": "arc", "⌒": "arc", "point": "point", "points": "point",
    "vertex": "point", "vertices": "point", "segment": "segment", "segments": "segment", "line": "segment",
    "lines": "segment", "side": "segment", "sides": "segment", "ray": "segment", "edge": "segment", "chord": "segment",
    "chords": "segment", "leg": "segment", "legs": "segment", "base": "segment", "bases": "segment",
    "diagonal": "segment", "diagonals": "segment", "hypotenuse": "segment", "altitude": "segment", "median": "segment",
    "diameter": "segment", "radius": "segment", "tangent": "segment", "bisector": "segment", "length": "segment",
    "quadrilateral": "polygon", "rectangle": "polygon", "square": "polygon", "parallelogram": "polygon",
    "trapezoid": "polygon", "rhombus": "polygon", "pentagon": "polygon", "hexagon": "polygon", "polygon": "polygon",
    "kite": "polygon",
}  # fmt: skip
_POINT = r"[A-Z](?:'{1,2}(?!s\b)|\d|_\d)?"
_LABEL = re.compile(r"(?<![A-Za-z\d'])(?:" + _POINT + r"){1,6}(?![A-Za-z\d-]|'(?!s\b))")
_KIND_BEFORE = re.compile(r"(?:([∠△⊙⌒])|(?<![A-Za-z])([A-Za-z]{3,13}))\s{0,2}$")
_LOOK_BACK = 16
_POINTS = re.compile(_POINT)
_OTHER_ANGLE = re.compile(
    r"(?:∠|\b[Aa]ngles?\b)\s{0,2}(\d{1,2}|[a-zα-ω])(?![\w°-]|\.\d)((?:(?:,| and|, and) \d{1,2}(?![\w°-])){0,5})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A named geometric thing. `key` is equal for all names of the same thing; `start` and `end` are its place in the text."""

    kind: str
    points: tuple[str, ...]
    start: int = 0
    end: int = 0

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return (self.kind, canonical_points(self.kind, self.points))


def canonical_points(kind: str, points: tuple[str, ...]) -> tuple[str, ...]:
    """The order that all names of one thing share.

    >>> canonical_points("angle", ("C", "B", "A")), canonical_points("segment", ("B", "A"))
    (('A', 'B', 'C'), ('A', 'B'))
    """
    if kind == "angle" and len(points) == 3:
        return min(points, points[::-1])
    if kind in ("segment", "arc", "triangle", "polygon"):
        return tuple(sorted(points))
    return points


@lru_cache(maxsize=1024)
def labels(text: str) -> tuple[Label, ...]:
    """The geometry labels of a plain sentence, in order.

    A single capital counts only after a kind word or sign ("point A", "circle O", "∠B"), so that "A cone" names nothing.

    >>> [label.key for label in labels("∠CBA = 40°, line BA and circle O touch; A cone stands at point P")]
    [('angle', ('A', 'B', 'C')), ('segment', ('A', 'B')), ('circle', ('O',)), ('point', ('P',))]
    """
    found: list[Label] = []
    last_kind = ""
    for match in _LABEL.finditer(text):
        points = tuple(_POINTS.findall(match[0]))
        word, start = _kind_before(text, match.start())
        follows = bool(found) and _joins(text[found[-1].end : match.start()])
        kind = _kind(_KIND_OF.get(word, last_kind if follows and not word else ""), len(points))
        if kind is not None and _distinct(points):
            found.append(Label(kind=kind, points=points, start=start, end=match.end()))
            last_kind = _KIND_OF.get(word, last_kind if follows else "")
    if "∠" not in text and "ngle" not in text:
        return tuple(found)
    taken = [(label.start, label.end) for label in found]
    for match in _OTHER_ANGLE.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            names = [match[1], *re.findall(r"\d+", match[2])]
            found += [Label(kind="angle", points=(name,), start=match.start(), end=match.end()) for name in names]
    return tuple(sorted(found, key=lambda label: label.start))


def _kind_before(text: str, position: int) -> tuple[str, int]:
    """The kind word or sign right before a label, and where it begins; the label's own place if there is none."""
    match = _KIND_BEFORE.search(text, max(0, position - _LOOK_BACK), position)
    if match is None:
        return "", position
    word = (match[1] or match[2]).lower()
    return (word, match.start()) if word in _KIND_OF else ("", position)


def _joins(between: str) -> bool:
    return between.strip().lower() in ("and", ",", ", and", "or", "=", "&", "≅", "with", "to")


def _distinct(points: tuple[str, ...]) -> bool:
    return len(set(points)) == len(points)


def _kind(stated: str, count: int) -> str | None:
    """What a label is, from the word before it and how many points it names."""
    if count == 1:
        return stated if stated in ("angle", "circle", "point") else None
    if count == 2:
        return stated if stated == "arc" else "segment"
    if count == 3:
        return stated if stated in ("angle", "arc", "circle") else "triangle"
    return "polygon"


@lru_cache(maxsize=1024)
def entity_key(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The canonical label if a constraint's entity is nothing but one, else None.

    >>> entity_key("segment BA"), entity_key("AB"), entity_key("cylinder base radius"), entity_key("angle 1")
    (('segment', ('A', 'B')), ('segment', ('A', 'B')), None, ('angle', ('1',)))
    """
    found = labels(text.strip())
    if len(found) == 1:
        rest = text[: found[0].start] + text[found[0].end :]
        if not re.sub(r"(?i)\b(?:the|length|measure|of|m)\b|[\s,.]", "", rest):
            return found[0].key
    return None
