"""Where the numbers of a clause may have come from, whatever its words say: a cell that it names, or two such cells together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from evpv.language.doubts import form_amounts
from evpv.language.forms import Aggregate, Amount, Assertion, Comparison, Listing, Trend, Value
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Token, cues, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import names_another
from evpv.premises.matching.findings import Finding, decide
from evpv.premises.matching.values import agreement

_MOST_CELLS = 24
_READABLE = (Value, Trend, Comparison, Aggregate, Listing)
_FEWEST_DIGITS = 3
"""A number of so many digits is hardly that of a cell by chance."""


def explained_finding(said: Assertion, model: Figure) -> Finding | None:
    """A clause that was not understood, of which every number is one that was read of what it names; None where one is not."""
    if not isinstance(said.form, _READABLE) or any(one.bound != "=" or one.high for one in form_amounts(said.form)):
        return None
    words = tokens(said.text)
    if _is_of_another(said, words, model):
        return None
    numbers = _stated_numbers(said, words, model)
    cells = named_cells(said, words, model)
    if not cells:
        cells = [cell for cell in model.cells if any(one.value in row_numbers(cell) for one in numbers)]
        numbers = [one for one in numbers if not any(one.value in row_numbers(cell) for cell in cells)]
    hedged = any(cue.tag == "hedge" for cue in cues(words))
    found = [_explaining_cells(Amount(quantity=number, hedged=hedged), cells, model) for number in numbers]
    used = [cell for one in found for cell in one]
    return decide(True, used, "its numbers are those read of what it names.") if found and all(found) else None


def row_numbers(cell: Cell) -> tuple[float, ...]:
    """The number that a row is called after: 200 for “200 and under”; none for years and for names with several."""
    found = quantities(cell.row)
    return (found[0].absolute,) if len(found) == 1 and not found[0].is_year and not found[0].spelled else ()


def _is_of_another(said: Assertion, words: tuple[Token, ...], model: Figure) -> bool:
    """Whether a clause names something that the figure does not know."""
    whole = type(said.form.about)(tokens=words) if hasattr(said.form, "about") else None
    return whole is not None and (model.absent(whole) or names_another(whole, model))


def _stated_numbers(said: Assertion, words: tuple[Token, ...], model: Figure) -> list[Quantity]:
    """The numbers of a clause that are written in figures and belong to no name."""
    places = {place for axis in model.named(words) for mention in axis for place in mention.tokens}
    return [one for one in quantities(said.text) if not one.spelled and one.start not in places and not one.is_year]


def named_cells(said: Assertion, words: tuple[Token, ...], model: Figure) -> list[Cell]:
    """The cells of the rows and columns that a clause names; of an axis that it leaves open those named before it in its sentence."""
    rows, columns = ({mention.name for mention in axis} for axis in model.named(words))
    for phrase in said.context[: said.near]:
        more_rows, more_columns = ({mention.name for mention in axis} for axis in model.named(phrase.tokens))
        rows, columns = rows or more_rows, columns or more_columns
    if not rows and not columns:
        return []
    return [c for c in model.cells if (not rows or c.row in rows) and (not columns or c.column in columns)]


def _explaining_cells(amount: Amount, cells: Sequence[Cell], model: Figure) -> list[Cell]:
    """The cells that a number is of: one, or two that it is worked out of; none where it is of nothing."""
    for cell in cells:
        if agreement(amount, _unsigned(cell)) == "same":
            return [cell]
    if len(cells) <= _MOST_CELLS:
        for left, right in itertools.combinations(cells, 2):
            if any(agreement(amount, one) == "same" for one in _worked_out(left, right, amount)):
                return [left, right]
    digits = len(f"{abs(amount.quantity.value):g}".replace(".", "").strip("0"))
    alike = [cell for cell in model.cells if agreement(amount, _unsigned(cell)) == "same"]
    return alike if not cells and len(alike) == 1 and digits >= _FEWEST_DIGITS else []


def _worked_out(left: Cell, right: Cell, amount: Amount) -> Iterator[Cell]:
    """What two cells of one row or column come to: their difference, their sum, one in percent of the other."""
    if left.row != right.row and left.column != right.column:
        return
    yield left.with_value(abs(left.value - right.value))
    yield left.with_value(left.value + right.value)
    if amount.quantity.unit == "percent" and left.value and right.value:
        for a, b in ((left.value, right.value), (right.value, left.value)):
            yield left.with_value(100 * a / b)
            yield left.with_value(abs(100 * (a - b) / b))


def _unsigned(cell: Cell) -> Cell:
    """A clause may give the sign in words: “shrank by 10.8%”."""
    return cell if cell.value >= 0 else cell.with_value(-cell.value)
