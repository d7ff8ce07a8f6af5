"""What the readers of labelled figures share: a form with its place, points, kinds of things."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.clauses import Clause
from evpv.language.forms import Form
from evpv.language.immutable import immutable
from evpv.language.labels import Key, Label, loose_points
from evpv.language.quantities import Quantity

MEASURED = frozenset({"segment", "angle", "arc", "circle"})


_KIND_WORDS = {
    "angle": "angle",
    "angles": "angle",
    "side": "segment",
    "sides": "segment",
    "leg": "segment",
    "legs": "segment",
    "segment": "segment",
    "segments": "segment",
    "hypotenuse": "segment",
    "base": "segment",
}


@immutable
class Found:
    """A form with its place in the sentence."""

    start: int
    end: int
    form: Form
    denied: bool = False
    derived: bool = False
    aside: bool = False
    computed: bool = False
    spare: tuple[Quantity, ...] = ()


def single_points(clause: Clause) -> tuple[Label, ...]:
    """Single capitals of the clause, at the sentence's places."""
    shift = clause.start
    named = tuple(Label(kind=x.kind, points=x.points, start=x.start - shift, end=x.end - shift) for x in clause.labels)
    return tuple(
        Label(kind=x.kind, points=x.points, start=x.start + shift, end=x.end + shift)
        for x in loose_points(clause.text, named)
    )


def kind_word(clause: Clause) -> str:
    words = list(clause.words)
    return next((_KIND_WORDS[word] for word in words if word in _KIND_WORDS), "")


def angle_between_sides(named: Sequence[Label]) -> Key | None:
    """The angle between the only two segments named, where they share a point."""
    sides = [label for label in named if label.kind == "segment"]
    shared = set(sides[0].points) & set(sides[1].points) if len(sides) == 2 else set()
    if len(shared) != 1:
        return None
    vertex = shared.pop()
    ends = [next(p for p in side.points if p != vertex) for side in sides]
    points = (ends[0], vertex, ends[1])
    return ("angle", min(points, points[::-1]))
