"""Figures that are described, and not tabulated: measures of solids and shapes, curves by their points, clocks by their hands."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Literal

from evpv.language.clauses import FINITE
from evpv.language.forms import Amount, Assertion, Comparison, Phrase, Position, Value, amount_text
from evpv.language.immutable import immutable
from evpv.language.lexicon import DIMENSION_NOUNS, DIMENSION_WORDS, DIMENSIONS, SOLIDS
from evpv.language.quantities import conversion, number_text
from evpv.language.tokens import Token, cues, name_stems, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    decide,
    doubted,
    equal,
    first_of,
    in_words,
    is_read,
    missing,
    read,
    together,
)
from evpv.premises.mentions import AxisNames

_OPEN = "it is open which of the values read the claim means."


def value_finding(form: Value, said: Assertion, figure: Figure) -> Finding:
    """A stated value against the measures that its phrase names, or that have a word of it for their own: the graph “jumps” at the
    x-coordinate of its jump."""
    if form.kind == "difference":
        return _gap_finding(form, figure)
    if form.kind not in ("value", "part"):
        return missing(NOTHING_READ)
    if form.amount.quantity.unit == "time" and (shown := _clock_finding(form.amount, figure)):
        return shown
    where = _things_named(form.about, figure, said.context, said.near)
    cells = where.cells or _other_diameter(form, figure)
    if len(cells) > 1:
        return first_of([_reading(form.amount, cell) for cell in cells], "supported") or missing(_OPEN)
    return _finding_of(cells[0], form, where, figure) if cells else _finding_by_own_word(form, figure)


def _finding_by_own_word(form: Value, figure: Figure) -> Finding:
    own = {stem for stem in form.about.stems if figure.rows.frequency.get(stem) == 1}
    meant = (cell for cell in figure.cells if not own.isdisjoint(name_stems(cell.row)))
    known = [cell for cell in meant if is_read(form.amount, [cell])]
    return decide(True, known, f"{in_words(known[0])}.") if known else missing(NOTHING_READ)


def _finding_of(cell: Cell, form: Value, where: _Named, figure: Figure) -> Finding:
    """A stated value against the one measure that its phrase names."""
    found = _reading(form.amount, cell)
    wrong = found.verdict == "contradicted"
    strangers = _strangers(form.about, cell, figure)
    if strangers if wrong else strangers & SOLIDS:
        return missing(NOTHING_READ)
    return doubted(_OPEN) if wrong and _may_be_another(form, where, cell, figure) else found


def _strangers(about: Phrase, cell: Cell, figure: Figure) -> set[str]:
    """What a phrase names that the figure does not measure, where it does not name the thing of a cell: “the door is 2 m high”."""
    if not about.stems.isdisjoint(name_stems(cell.constraint.entity) - DIMENSIONS.keys()):
        return set()
    verb = next((i for i, token in enumerate(about.tokens) if token.lower in FINITE), 0)
    said = {token.stem for token in about.tokens[:verb] if token.is_content_word}
    return said - figure.vocabulary - DIMENSIONS.keys()


@immutable
class _Named:
    """The measures that a phrase names; `far`: it takes its thing from another sentence."""

    cells: tuple[Cell, ...]
    far: bool = False


def _things_named(about: Phrase, figure: Figure, context: Sequence[Phrase] = (), near: int = 0) -> _Named:
    """What a phrase names, else what one before it does, the nearest first. One that says the measure alone (“and perpendicular height
    12 m”) means it of the thing named before."""
    if figure.absent(about):
        return _Named(cells=())
    if own := _cells_named(about.tokens, figure):
        return _Named(cells=own)
    measure = tuple(t for t in about.tokens if t.stem in DIMENSIONS)
    for place, earlier in enumerate(context):
        thing = tuple(t for t in earlier.tokens if not measure or t.stem not in DIMENSIONS)
        if found := _cells_named((*thing, *measure), figure):
            return _Named(cells=found, far=place >= near)
    return _Named(cells=())


def _cells_named(said: Sequence[Token], figure: Figure) -> tuple[Cell, ...]:
    """The measures that words name, else the only one that was read of the only thing that they name, where they say no measure: “the
    film runs for two hours”."""
    names = figure.rows.named(said)
    if names or not any(token.is_content_word for token in said):
        return tuple(cell for cell in figure.cells if cell.row in names)
    return _only_measure(frozenset(token.stem for token in said), figure)


def _only_measure(said: frozenset[str], figure: Figure) -> tuple[Cell, ...]:
    things = tuple(cell for cell in figure.cells if cell.key is None and name_stems(cell.constraint.entity) <= said)
    return things if len(things) == 1 and said.isdisjoint(DIMENSIONS) else ()


def _reading(amount: Amount, cell: Cell) -> Finding:
    """One amount against one cell."""
    outcome = agreement(amount, cell)
    if outcome == "unclear":
        return missing(f"'{cell.constraint.entity}' was only estimated ({read(cell)}), too loosely to tell.")
    shown = f"claimed {amount_text(amount)} for '{cell.constraint.entity}', read {read(cell)}."
    return decide(outcome == "same", [cell], shown)


def _may_be_another(form: Value, where: _Named, cell: Cell, figure: Figure) -> bool:
    """Whether a value may be said of something else than the cell: its thing was named in another sentence, or several dimensions of it
    were read and the claim says none of them (“the cylinder is 6 cm across”)."""
    name = name_stems(f"{cell.row} {cell.column}")
    if where.far or not name & DIMENSIONS.keys() or form.about.stems & (DIMENSIONS.keys() | _EXTENTS):
        return where.far
    others = (name_stems(f"{other.row} {other.column}") for other in figure.cells if other is not cell)
    return any(other - DIMENSIONS.keys() == name - DIMENSIONS.keys() for other in others)


_EXTENTS = frozenset("tall high deep wide long".split())


def _other_diameter(form: Value, figure: Figure) -> Sequence[Cell]:
    """A diameter where only the radius was read, and the other way round."""
    for said, known, factor in (("diameter", "radius", 2.0), ("radius", "diameter", 0.5)):
        words = [t._replace(text=known, stem=known, lower=known) if t.stem == said else t for t in form.about.tokens]
        cells = _cells_named(words, figure) if said in form.about.stems else ()
        if len(cells) == 1 and known in name_stems(f"{cells[0].row} {cells[0].column}"):
            return [cells[0].with_value(cells[0].value * factor)]
    return ()


def _clock_finding(amount: Amount, figure: Figure) -> Finding | None:
    """A time of day against the two hands of a clock; None where no clock was read."""
    hours, minutes = ([cell for cell in figure.cells if cell.attribute == hand] for hand in ("hour", "minute"))
    if len(hours) != 1 or len(minutes) != 1:
        return None
    shown = hours[0].value % 12 + minutes[0].value / 60
    same = abs(amount.quantity.value % 12 - shown) < 1 / 120
    text = f"the clock shows {int(hours[0].value)}:{int(minutes[0].value):02d}."
    return decide(same, [hours[0], minutes[0]], text)


def order_finding(form: Comparison, figure: Figure) -> Finding:
    """Two things of which the same was measured, against each other: “the cone is taller than the cylinder”, not “heavier”, of heights."""
    pairs = _pairs(form, figure) if form.kind == "comparison" else []
    if len(pairs) != 1:
        return missing(NOTHING_READ)
    left, right = pairs[0]
    said = frozenset[str]().union(*(DIMENSION_WORDS.get(word, frozenset()) for word in form.left.words))
    known = name_stems(f"{left.attribute} {right.attribute}")
    measured = {dimension for dimension, nouns in DIMENSION_NOUNS.items() if nouns & known}
    if said and measured and said.isdisjoint(measured):
        return missing(NOTHING_READ)
    gap = _gap(left, right)
    holds = {"greater": gap > 0, "less": gap < 0}
    same = equal(left.value, left.value - gap)
    return decide(holds.get(form.order, same), [left, right], _both(left, right))


def _both(left: Cell, right: Cell) -> str:
    return f"{in_words(left)} and {in_words(right)}."


def _gap(left: Cell, right: Cell) -> float:
    """How much more one measure is than another, in the unit of the first."""
    factor = conversion(right.unit, left.unit) if left.unit and right.unit else 1.0
    return left.value - right.value * (factor or 1.0)


def _pairs(form: Comparison, figure: Figure) -> list[tuple[Cell, Cell]]:
    """The measures that a comparison holds against each other: of both sides, or of the two things that one side names (“the cone and the
    cylinder share the same radius”). “Its height” is that of the thing before."""
    left = _things_named(form.left, figure).cells
    if not form.right:
        return _pairs_of_one_attribute(itertools.combinations(left, 2))
    right = _things_named(form.right, figure, (form.left,), 1).cells
    pairs = [(a, b) for a, b in itertools.product(left, right) if a is not b]
    if (alike := _pairs_of_one_attribute(pairs)) or len(pairs) != 1:
        return alike
    units = [cell.unit for cell in pairs[0] if cell.unit]
    return pairs if len(units) == 2 and conversion(*units) else []


def _pairs_of_one_attribute(pairs: Iterable[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
    """The pairs that measure the same of two things: two radii, and not a radius and a height."""
    return [(left, right) for left, right in pairs if left.attribute == right.attribute]


def _gap_finding(form: Value, figure: Figure) -> Finding:
    """“The cylinder is 4 cm taller than the cone”: the first one named by so much more, or less, than the second."""
    said = tokens(form.about.text)
    order = {mention.name: mention.position for mention in figure.rows.mentions(said)}
    cells = sorted((cell for cell in figure.cells if cell.row in order), key=lambda cell: order[cell.row])
    pairs = _pairs_of_one_attribute(itertools.combinations(cells, 2))
    if len(pairs) != 1 or not form.amount.quantity.value:
        return missing(NOTHING_READ)
    left, right = pairs[0]
    outcome = agreement(form.amount, left.with_value(_as_said(_gap(left, right), form.about)))
    return missing(_OPEN) if outcome == "unclear" else decide(outcome == "same", [left, right], _both(left, right))


def _as_said(gap: float, about: Phrase) -> float:
    """How much more one thing is said to be than another; where neither more nor less is said, how far they are apart."""
    tags = {cue.tag for cue in cues(tokens(about.text))} if "than" in about.text else set()
    if "less" in tags:
        return -gap
    return gap if "more" in tags else abs(gap)


# Points of a plane.

_CURVE = {"pass", "go", "through", "curve", "graph", "parabola"}
_EXTREMA = ("maximum", "minimum")
_EXTREMUM_PLACES = ("maximum position", "minimum position")


def position_finding(form: Position, figure: Figure) -> Finding:
    """“The vertex lies at (3, -4)”: both coordinates of the point that the phrase names, of a vertex those of the one extremum that was
    read of a curve; where one is 0, an intercept."""
    if "vertex" in form.about.stems:
        extrema = [cell for cell in figure.cells if cell.attribute in _EXTREMA]
        places = [cell for cell in figure.cells if cell.attribute in _EXTREMUM_PLACES]
        if len(extrema) == 1 == len(places):
            at = _coordinate_finding("x", form.x.value, places[0])
            return together([at, _coordinate_finding("y", form.y.value, extrema[0])])
    elif known := _height_finding(form, figure) or _intercept_finding(form, figure):
        return known
    return together([_point_finding(form, axis, figure) for axis in ("x", "y")])


def _intercept_finding(form: Position, figure: Figure) -> Finding | None:
    for mine, other, axis in ((form.y, form.x, "y"), (form.x, form.y, "x")):
        crossing = [cell for cell in figure.cells if cell.attribute == f"{axis}-intercept"] if not other.value else []
        if len(crossing) == 1:
            return decide(equal(mine.value, crossing[0].value), crossing, f"{in_words(crossing[0])}.")
    return None


def _point_finding(form: Position, axis: Literal["x", "y"], figure: Figure) -> Finding:
    """One coordinate of the point that a phrase names."""
    cells = [cell for cell in figure.cells if cell.attribute in (axis, f"{axis}-coordinate", f"{axis} coordinate")]
    named = AxisNames.of([cell.constraint.entity for cell in cells], "flat").named(form.about.tokens)
    mine = [cell for cell in cells if cell.constraint.entity in named]
    stated = form.x if axis == "x" else form.y
    return _coordinate_finding(axis, stated.value, mine[0]) if len(mine) == 1 else missing(NOTHING_READ)


def _height_finding(form: Position, figure: Figure) -> Finding | None:
    """The curve's height against what was read of it at that place."""
    place = f" at x = {form.x.value:g}"
    heights = {cell.constraint.entity.removesuffix(place): cell for cell in figure.cells if cell.row.endswith(place)}
    for curve, cell in heights.items() if form.about.stems & _CURVE else ():
        if curve.startswith("graph") and name_stems(curve) <= form.about.stems:
            return _coordinate_finding("y", form.y.value, cell)
    return None


def _coordinate_finding(axis: str, stated: float, cell: Cell) -> Finding:
    return decide(equal(stated, cell.value), [cell], f"claimed {axis} = {number_text(stated)}; {in_words(cell)}.")
