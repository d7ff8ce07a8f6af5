"""What a drawing shows when it is measured: how wide an angle is, how long a side, which points make a triangle.

The answer to a question and the question make one statement together ("∠CAB is 40°", "there is no triangle ABD"), which the drawing
bears out or does not. Drawings need not be to scale: one is believed as far as it agrees with what the question says of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evpv.language.text import plain
from evpv.types import Constraint, Structure

_NAMES = r"(?:[A-Z][′']?)"
_POLYGON = r"(?:the\s+)?(?:△|▱|□|triangle|quadrilateral|parallelogram|rectangle|square|rhombus|trapezoid|polygon|四边形|菱形)?\s?"
_MEASURES = re.compile(
    rf"(?:∠|\bangle\s)\s?(?P<angle>{_NAMES}{{3}}|{_NAMES})(?![A-Za-z\d])"
    rf"|\barea\s+of\s+{_POLYGON}(?P<area>{_NAMES}{{3,6}})|S△?(?P<area1>{_NAMES}{{3,6}})|{_POLYGON}(?P<area2>{_NAMES}{{3,6}})的面积"
    rf"|\bperimeter\s+of\s+{_POLYGON}(?P<rim>{_NAMES}{{3,6}})|{_POLYGON}(?P<rim1>{_NAMES}{{3,6}})的周长"
    rf"|(?<![A-Za-z∠△▱⊙S'′°])(?P<length>{_NAMES}{{2}})(?![A-Za-z'′])"
)
_GIVEN = re.compile(
    r"\s?(?:的度数|的长度?|的面积|的周长)?\s?(?:=|\bis(?: equal to)?|equals|[为是])\s?(\d+(?:\.\d+)?)(?![\d/]|\s?[-+*/×√])"
)
_ASKED = re.compile(
    r"(?:\s?(?:的(?:度数|大小|长度?|面积|周长)|等于|为|是|is|equal to|equals|in degrees|approximately|about|in the (?:figure|diagram)|=)){0,4}"
    r"\s?(?:\(\s?\)|_+|\?|[?.。]|$)"
)
_NOT_DRAWN = re.compile(
    r"\b(?:distance|sum|difference|ratio|minus|plus|least|minimum|maximum|range)\b|[距最]|之[和差比]", re.IGNORECASE
)
_BY_EYE = re.compile(r"\b(?:estimate|look|visual)", re.IGNORECASE)
_TIMES = re.compile(rf"({_NAMES}{{2,6}})\sis\sX\stimes\s[a-z\s]{{0,20}}(?:than|as)\s({_NAMES}{{2,6}})")
_EXISTS = re.compile(
    rf"\bthere\sis\s(no|not\sa|an?)\s(triangle|quadrilateral|line|segment)\s({_NAMES}{{2,4}})", re.IGNORECASE
)
_IS_A = re.compile(rf"\b(?:line|segment)?\s?({_NAMES}{{2}})\sis\s(not\s)?an?\s(diameter|radius|chord)\b")
_STRAIGHT = 0.02  # a triangle with less height than this, of its longest side, is a line
_NEARER = 1.5  # by which factor an option must be nearer than the next
_LEAST_ANGLE, _LEAST_RATIO = 4.0, 0.06  # and by how much: degrees, share
_FAR_ANGLE, _FAR_RATIO = 25.0, 0.5  # what is farther off is not what was drawn, to scale or not
_TRUE_ANGLE, _TRUE_RATIO = 8.0, 0.12  # how far from what the question says a drawing to scale may be


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Named points with their places, lines as the names on them in order, circles as centre and radius."""

    points: Mapping[str, complex]
    lines: tuple[tuple[str, ...], ...]
    circles: tuple[tuple[complex, float], ...]

    def are_joined(self, one: str, other: str) -> bool:
        return any(one in line and other in line for line in self.lines)

    def length(self, names: Sequence[str]) -> float:
        return abs(self.points[names[0]] - self.points[names[1]])

    def rim(self, names: Sequence[str]) -> float:
        return sum(self.length(pair) for pair in pairwise((*names, names[0])))

    def area(self, names: Sequence[str]) -> float:
        corners = [self.points[name] for name in names]
        return abs(sum((one.conjugate() * other).imag for one, other in pairwise((*corners, corners[0])))) / 2

    def angle(self, names: Sequence[str]) -> float:
        first, vertex, second = (self.points[name] for name in names)
        turn = (first - vertex) * (second - vertex).conjugate()
        return abs(math.degrees(math.atan2(turn.imag, turn.real)))

    def sides(self, vertex: str) -> list[str]:
        """The points next to a vertex on the lines that leave it, one for each direction."""
        found = []
        for line in self.lines:
            if vertex in line:
                place = line.index(vertex)
                found += [line[i] for i in (place - 1, place + 1) if 0 <= i < len(line)]
        return list(dict.fromkeys(found))


def drawing_of(constraints: Iterable[Constraint]) -> _Drawing | None:
    """The drawing that a reader of geometry made out; None where there is none."""
    facts = [one for one in constraints if isinstance(one, Structure) and one.type == "drawing"]
    points = facts[0].extra.get("points") if facts else None
    if not isinstance(points, Mapping):
        return None
    return _Drawing(
        {str(name): complex(*place) for name, place in points.items()},
        tuple(tuple(line.split("-")) for line in facts[0].adjacency),
        tuple((complex(x, y), float(radius)) for x, y, radius in facts[0].extra.get("circles") or ()),
    )


@dataclass(frozen=True, slots=True)
class DrawnAnswer:
    """What the drawing says of the question: the value that it shows, or whether what is stated is so.

    `by_eye`: the question is about the drawing itself. Else it is about what follows from the values given, and the drawing is an
    illustration that can only speak against what is far off.
    """

    shown: float | bool
    reason: str
    by_ratio: bool = False
    by_eye: bool = True

    def bears_out(self, value: float, others: Sequence[float]) -> bool | None:
        """Whether a value is what the drawing shows, told from the other options; None where that is not clear."""
        off = self.off(value)
        far, least = (_FAR_RATIO, _LEAST_RATIO) if self.by_ratio else (_FAR_ANGLE, _LEAST_ANGLE)
        nearest = min(map(self.off, others), default=math.inf)
        if not self.by_eye or not others:
            return False if off > far and nearest < off / _NEARER else None
        if off >= _NEARER * nearest and off - nearest >= least:
            return False
        return True if nearest >= _NEARER * off and nearest - off >= least else None

    def off(self, value: float) -> float:
        """How far a value is from what the drawing shows: in degrees, or as the logarithm of their ratio."""
        if not self.by_ratio:
            return abs(value - self.shown)
        return abs(math.log(value / self.shown)) if value > 0 and self.shown > 0 else math.inf


def drawn_answer(question: str, drawing: _Drawing) -> DrawnAnswer | None:
    """What the drawing shows of what is asked; None where it is asked for something else, or the drawing is not to scale."""
    text = plain(question[:4000]).replace("＝", "=").replace("（", "(").replace("）", ")")
    found = (way(text, drawing) for way in (_times, _existence, _line_of_circle, _asked_measure))
    return next((one for one in found if one is not None), None)


def _letters(text: str, drawing: _Drawing) -> list[str] | None:
    """The points that a name consists of, where all of them were seen."""
    names = re.findall(_NAMES, text)
    return names if names and all(name in drawing.points for name in names) else None


def _times(text: str, drawing: _Drawing) -> DrawnAnswer | None:
    """ "AB is X times longer than CD", "ABC is X times larger in area than DEF"."""
    match = _TIMES.search(text)
    one, other = (_letters(part, drawing) for part in match.groups()) if match else (None, None)
    if one is None or other is None or (len(one) == 2) != (len(other) == 2):
        return None
    size = drawing.length if len(one) == 2 else drawing.area
    ratio = size(one) / size(other) if size(other) else 0.0
    return DrawnAnswer(ratio, f"in the drawing it is {ratio:.2f} times", by_ratio=True) if ratio else None


def _existence(text: str, drawing: _Drawing) -> DrawnAnswer | None:
    """Whether "there is no triangle ABD": its sides are drawn, and it is not flat."""
    match = _EXISTS.search(text)
    names = _letters(match[3], drawing) if match else None
    if match is None or names is None:
        return None
    rim = [*pairwise(names), (names[-1], names[0])]
    exists = all(drawing.are_joined(*side) for side in rim)
    if exists and len(names) > 2:
        exists = drawing.area(names) >= _STRAIGHT * max(map(drawing.length, rim)) ** 2
    there = "is" if exists else "is not"
    return DrawnAnswer(exists != match[1].lower().startswith("no"), f"{match[2]} {match[3]} {there} drawn")


def _line_of_circle(text: str, drawing: _Drawing) -> DrawnAnswer | None:
    """Whether a line is a diameter (a chord through the centre), radius or chord of a drawn circle."""
    match = _IS_A.search(text)
    names = _letters(match[1], drawing) if match else None
    if match is None or names is None or not drawing.circles:
        return None
    start, end = (drawing.points[name] for name in names)
    circles = drawing.circles if drawing.are_joined(*names) else ()
    holds = any(match[3] in _kinds_of_line(start, end, *circle) for circle in circles)
    return DrawnAnswer(holds != bool(match[2]), f"{match[1]} is {'' if holds else 'not '}drawn as a {match[3]}")


def _kinds_of_line(start: complex, end: complex, centre: complex, radius: float) -> tuple[str, ...]:
    """What a line is of one circle."""
    within = 0.15 * radius
    on_rim = [abs(abs(one - centre) - radius) <= within for one in (start, end)]
    if all(on_rim):
        along = end - start
        passes = abs((along.conjugate() * (centre - start)).imag) <= within * abs(along)
        return ("chord", "diameter") if passes else ("chord",)
    return ("radius",) if any(on_rim) and any(abs(one - centre) <= within for one in (start, end)) else ()


@dataclass(frozen=True, slots=True)
class _Mention:
    """A measure that a question names: what it is, how large it is drawn, and the value that is given for it, if one is."""

    kind: str
    name: str
    drawn: float | None
    given: float | None
    end: int


def _mentions(text: str, drawing: _Drawing) -> list[_Mention]:
    found = []
    for match in _MEASURES.finditer(text):
        kind, name = next((key.rstrip("12"), value) for key, value in match.groupdict().items() if value)
        given = _GIVEN.match(text, match.end())
        value = float(given[1]) if given else None
        names, drawn = _letters(name, drawing), None
        if names and kind != "angle":
            drawn = {"length": drawing.length, "area": drawing.area, "rim": drawing.rim}[kind](names)
        elif names:
            sides = drawing.sides(names[0]) if len(names) == 1 else [names[0], names[2]]
            drawn = drawing.angle((sides[0], names[len(names) // 2], sides[1])) if len(sides) == 2 else None
        found.append(_Mention(kind, name, drawn, value, match.end()))
    return found


_POWERS = {"length": 1, "rim": 1, "area": 2}


def _asked_measure(text: str, drawing: _Drawing) -> DrawnAnswer | None:
    """The last measure that the question names and does not give, in the units of those that it gives, where angles are drawn to scale."""
    named = _mentions(text, drawing)
    given = [one for one in named if one.given and one.drawn]
    asked = next(reversed(named), None)
    if asked is None or asked.drawn is None or not _is_asked(asked, given, text) or not _are_angles_true(given):
        return None
    drawn = asked.drawn
    if asked.kind == "angle":
        return DrawnAnswer(drawn, f"∠{asked.name} is drawn as {drawn:.0f}°", by_eye=_BY_EYE.search(text) is not None)
    size = drawn * _scale(given) ** _POWERS[asked.kind]
    reason = f"{asked.name} is drawn as about {size:.3g}"
    return DrawnAnswer(size, reason, by_ratio=True, by_eye=False) if size else None


def _are_angles_true(given: Iterable[_Mention]) -> bool:
    angles = [(one.drawn, one.given) for one in given if one.kind == "angle"]
    return all(abs(drawn - value) <= _TRUE_ANGLE for drawn, value in angles if drawn and value)


def _is_asked(last: _Mention, given: Sequence[_Mention], text: str) -> bool:
    """Whether a question ends in what is asked for: no value is given for it, and no distance or least of it is meant, which is not drawn."""
    ends = last.given is None and _ASKED.match(text, last.end) is not None
    elsewhere = any(one.name == last.name for one in given)
    return ends and not elsewhere and _NOT_DRAWN.search(text[max(0, last.end - 60) :]) is None


def _scale(given: Iterable[_Mention]) -> float:
    """Units a pixel by the lengths and areas that a question gives, 0 where they disagree or there are none."""
    pairs = [(one.given, one.drawn, _POWERS[one.kind]) for one in given if one.kind in _POWERS]
    scales = [(value / drawn) ** (1 / power) for value, drawn, power in pairs if value and drawn]
    if not scales or max(scales) > (1 + _TRUE_RATIO) * min(scales):
        return 0.0
    return math.exp(math.fsum(map(math.log, scales)) / len(scales))
