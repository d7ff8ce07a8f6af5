"""How solvers word what they read from geometry: lengths, angles, relations, as texts and claims that say the same.

Also the facts themselves as constraints, so that a fact and its wording name the same entity.
"""

from __future__ import annotations

from dataclasses import dataclass

from evpv.figures.notation import number
from evpv.figures.writing import Amount, Sheet
from evpv.types import Box, Numeric, Relation

_CONFUSED = {"0": "8", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "5", "7": "1", "8": "3", "9": "4"}
LETTERS = ("ABCDEF", "PQRSTU", "KLMNPR", "DEFGHJ", "XYZWVU", "JKLMNP", "RSTUVW", "BCDEFG")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A reading in words: step texts and claims, any of each."""

    texts: tuple[str, ...]
    claims: tuple[str, ...]

    def on(self, sheet: Sheet, key: str) -> None:
        """Write this reading as a step."""
        sheet.step(key, *self.texts, claim=self.claims)


def length(name: str, value: Amount, unit: str) -> Said:
    """A segment's labelled length."""
    amount = f"{number(value)} {unit}".strip()
    return Said(
        texts=(
            f"The figure labels segment {name} as {amount}.",
            f"From the diagram, `{name} = {amount}`.",
            f"Reading off the picture, the length of {name} is {amount}.",
            f"Side {name} is marked {amount}.",
            f"We have `{name} = {amount}`.",
        ),
        claims=(
            f"{name} = {amount}",
            f"The length of {name} is {amount}.",
            f"Segment {name} is labeled {amount}.",
            f"Side {name} measures {amount}.",
        ),
    )


def angle(name: str, value: Amount) -> Said:
    """A labelled angle."""
    return Said(
        texts=(
            f"The figure shows that `∠{name} = {number(value)}°`.",
            f"Angle {name} is labeled {number(value)}° in the diagram.",
            f"From the picture we read `∠{name} = {number(value)}°`.",
            f"We know that `∠{name} = {number(value)}°`.",
            f"The arc at {name[len(name) // 2]} is marked {number(value)}°, so `∠{name} = {number(value)}°`.",
        ),
        claims=(
            f"Angle {name} is {number(value)} degrees.",
            f"∠{name} = {number(value)}°",
            f"The angle {name} measures {number(value)}°.",
            f"Angle {name} is labeled {number(value)}°.",
        ),
    )


def equal_sides(first: str, second: str) -> Said:
    """Tick marks on two sides."""
    return Said(
        texts=(
            f"The tick marks show that `{first} = {second}`.",
            f"Sides {first} and {second} carry the same tick mark, so `{first} = {second}`.",
            f"In the figure {first} and {second} are marked as equal.",
            f"Note that `{first} = {second}`.",
        ),
        claims=(
            f"{first} = {second}",
            f"{first} and {second} are marked equal.",
            f"Sides {first} and {second} have equal length.",
        ),
    )


def perpendicular(first: str, second: str, at: str) -> Said:
    """A right-angle square."""
    return Said(
        texts=(
            f"The small square at {at} shows that {first} is perpendicular to {second}.",
            f"There is a right-angle mark at {at}, so `{first} ⟂ {second}`.",
            f"The diagram marks a right angle at {at}, between {first} and {second}.",
        ),
        claims=(
            f"{first} is perpendicular to {second}.",
            f"{first} ⟂ {second}",
            f"{first} and {second} are perpendicular.",
        ),
    )


def parallel(first: str, second: str) -> Said:
    """Arrow marks on two lines."""
    return Said(
        texts=(
            f"The arrows on the lines mark {first} as parallel to {second}.",
            f"In the figure `{first} ∥ {second}`.",
            f"The matching arrow marks tell us that {first} and {second} are parallel.",
        ),
        claims=(
            f"{first} is parallel to {second}.",
            f"{first} ∥ {second}",
            f"Lines {first} and {second} are parallel.",
        ),
    )


def length_fact(name: str, value: float, unit: str, box: Box) -> Numeric:
    """A labelled length as a constraint."""
    return Numeric(entity=f"segment {name}", attribute="length", value=float(value), unit=unit or None, box=box)


def angle_fact(name: str, value: float, box: Box) -> Numeric:
    """A labelled angle as a constraint."""
    return Numeric(entity=f"angle {name}", attribute="angle", value=float(value), unit="deg", box=box)


def relation_fact(kind: str, first: str, second: str, box: Box) -> Relation:
    """A marked relation as a constraint."""
    return Relation(type=kind, entities=(first, second), box=box)


def confusions(value: int, *, below: int | None = None) -> tuple[int, ...]:
    """What a whole number is misread as: a digit taken for one like it, digits swapped, a little off.

    >>> confusions(65), confusions(8, below=9)
    ((66, 55, 56, 67), (6,))
    """
    digits = str(value)
    found = [int(digits[:-1] + _CONFUSED[digits[-1]]), int(_CONFUSED[digits[0]] + digits[1:])]
    if len(digits) == 2 and digits[1] != "0":
        found.append(int(digits[::-1]))
    found += [value + 2, value - 2]
    near = [x for x in dict.fromkeys(found) if value / 2 <= x <= value * 2 and x != value]
    kept = [x for x in near if below is None or x < below] or [value - 1]
    return tuple(kept[:4])
