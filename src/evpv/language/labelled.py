"""What the readers of labelled figures share: a form with its place, points, kinds of things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evpv.language.clauses import Clause
from evpv.language.forms import Form
from evpv.language.labels import Key, Label, canonical_points, loose_points
from evpv.language.quantities import Quantity

MEASURED = frozenset({"segment", "angle", "arc", "circle"})
_KIND_WORDS = {
    **dict.fromkeys(("angle", "angles"), "angle"),
    **dict.fromkeys("side sides leg legs segment segments hypotenuse base".split(), "segment"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
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


def found_in(clause: Clause, form: Form, start: int | None = None, end: int | None = None) -> Found:
    """A form that a clause states, at the clause's own place unless another is given."""
    return Found(
        start=clause.start if start is None else start,
        end=clause.end if end is None else end,
        form=form,
        derived=clause.derived,
    )


def single_points(clause: Clause) -> tuple[Label, ...]:
    """Single capitals of the clause, at the sentence's places."""
    shift = clause.start
    named = tuple(replace(one, start=one.start - shift, end=one.end - shift) for one in clause.labels)
    found = loose_points(clause.text, named)
    return tuple(replace(one, start=one.start + shift, end=one.end + shift) for one in found)


def labels_outside_equations(clause: Clause) -> list[Label]:
    return [label for label in clause.labels if not in_equation(clause, label.start)]


def in_equation(clause: Clause, place: int) -> bool:
    return any(equation.start <= place < equation.end for equation in clause.equations)


def is_part(quantity: Quantity) -> bool:
    """Whether a number is a part of something: one third, 2/5."""
    return quantity.places is None and 0 < quantity.value < 1


def kind_word(clause: Clause) -> str:
    return next((_KIND_WORDS[word] for word in clause.words if word in _KIND_WORDS), "")


def angle_between_sides(named: Sequence[Label]) -> Key | None:
    """The angle between the only two segments named, where they share a point."""
    sides = [label for label in named if label.kind == "segment"]
    shared = set(sides[0].points) & set(sides[1].points) if len(sides) == 2 else set()
    if len(shared) != 1:
        return None
    vertex = shared.pop()
    ends = [next(p for p in side.points if p != vertex) for side in sides]
    return ("angle", canonical_points("angle", (ends[0], vertex, ends[1])))
