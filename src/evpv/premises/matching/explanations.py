"""Numbers that come from cells in other ways than by being said of one: worked out, written in a calculation, made of stem and leaf."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from evpv.language.doubts import form_amounts
from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Comparison,
    Count,
    Extreme,
    Layout,
    Listing,
    Phrase,
    Trend,
    Value,
    Worked,
)
from evpv.language.quantities import Quantity, number_text, quantities
from evpv.language.tokens import Token, cues, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import names_another
from evpv.premises.matching.totals import aggregate_of
from evpv.premises.matching.values import (
    NOTHING_READ,
    Finding,
    agreement,
    decide,
    equal,
    in_words,
    is_read,
    loose_numbers,
    missing,
)
from evpv.premises.mentions import names_of

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
    numbers, cells = _stated_numbers(said, words, model)
    hedged = any(cue.tag == "hedge" for cue in cues(words))
    found = [_explaining_cells(Amount(quantity=number, hedged=hedged), cells, model) for number in numbers]
    used = [*itertools.chain.from_iterable(found)]
    return decide(True, used, "its numbers are those read of what it names.") if found and all(found) else None


def row_numbers(cell: Cell) -> tuple[float, ...]:
    """The number that a row is called after: 200 for “200 and under”; none for years and for names with several."""
    found = quantities(cell.row)
    return (found[0].absolute,) if len(found) == 1 and not found[0].is_year and not found[0].spelled else ()


def _is_of_another(said: Assertion, words: tuple[Token, ...], model: Figure) -> bool:
    """Whether a clause names something that the figure does not know."""
    whole = type(said.form.about)(tokens=words) if hasattr(said.form, "about") else None
    return whole is not None and (model.absent(whole) or names_another(whole, model))


def _stated_numbers(said: Assertion, words: tuple[Token, ...], model: Figure) -> tuple[list[Quantity], list[Cell]]:
    """The numbers of a clause that are written in figures and belong to no name, and the cells that it names: else those of the
    rows that are called after one of the numbers."""
    numbers = [*filter(is_figure, loose_numbers(said.text, model.named_places(words)))]
    if cells := named_cells(said, words, model):
        return numbers, cells
    values = {one.value for one in numbers}
    called = {cell: {*row_numbers(cell)} & values for cell in model.cells}
    names = set[float]().union(*called.values())
    return [one for one in numbers if one.value not in names], [cell for cell, names in called.items() if names]


def is_figure(number: Quantity) -> bool:
    """Whether a number is written in figures, and is no year."""
    return not number.spelled and not number.is_year


def named_cells(said: Assertion, words: tuple[Token, ...], model: Figure) -> list[Cell]:
    """The cells of the rows and columns that a clause names; of an axis that it leaves open those named before it in its sentence."""
    rows, columns = map(names_of, model.named(words))
    for phrase in said.context[: said.near]:
        more_rows, more_columns = map(names_of, model.named(phrase.tokens))
        rows, columns = rows or more_rows, columns or more_columns
    return model.cells_in(rows, columns) if rows or columns else []


def _explaining_cells(amount: Amount, cells: Sequence[Cell], model: Figure) -> list[Cell]:
    """The cells that a number is of: one, or two that it is worked out of; none where it is of nothing."""
    if same := _cells_with(amount, cells):
        return same[:1]
    if cells:
        pairs = itertools.combinations(cells, 2) if len(cells) <= _MOST_CELLS else ()
        return next(([*pair] for pair in pairs if is_read(amount, _worked_out(*pair, amount))), [])
    digits = len(f"{abs(amount.quantity.value):g}".replace(".", "").strip("0"))
    alike = _cells_with(amount, model.cells)
    return alike if len(alike) == 1 and digits >= _FEWEST_DIGITS else []


def _cells_with(amount: Amount, cells: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in cells if is_read(amount, [_unsigned(cell)])]


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


_LARGEST_FACTOR = 12


def worked_finding(form: Worked, said: Assertion, figure: Figure) -> Finding | None:
    """The operands against the cells named beside them, else against a whole column or row; None where they may come from elsewhere."""
    named = _named_cells(form, said, figure)
    if form.kind == "product":
        return _product(form, named)
    lines = [*map(figure.column_cells, figure.columns.names), *map(figure.row_cells, figure.rows.names)]
    beside = [*filter(None, (_ends(form, figure), named))]
    whole = [line for line in lines if len(line) == len(form.terms) > 2]
    for cells in (*beside, *whole):
        if not _strangers(form.terms, cells)[0]:
            return decide(True, cells, "every number of the calculation was read.")
    fitting = [cells for cells in beside if len(cells) == len(form.terms) or _is_row(cells, named)]
    return next(filter(None, (_wrong_operand(form, cells) for cells in (*fitting, *whole))), None)


def _wrong_operand(form: Worked, cells: Sequence[Cell]) -> Finding | None:
    """The cell that one wrong operand stands for; None where others are wrong, too, or none is right."""
    wrong, left = _strangers(form.terms, cells)
    if len(wrong) != 1 or len(form.terms) < 2:
        return None
    cell = left[0] if left else cells[0]
    return decide(False, [cell], f"{in_words(cell)}, which is not among the operands.")


def _named_cells(form: Worked, said: Assertion, figure: Figure) -> list[Cell]:
    """The cells that are named beside a calculation; all of a row, or of a column, where one alone is named."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    if where.cells or not (where.rows or where.columns):
        return where.ordered_cells()
    return figure.cells_in(names_of(where.rows), names_of(where.columns))


def _is_row(cells: Sequence[Cell], named: Sequence[Cell]) -> bool:
    """Whether the cells are all those of one named row."""
    return cells is named and len({cell.row for cell in cells}) == 1 and len(cells) > 1


def _ends(form: Worked, figure: Figure) -> list[Cell]:
    """The largest and the smallest value, of which a range is the difference."""
    if "range" not in form.about.stems or len(figure.columns.names) != 1 or len(figure.cells) < 2:
        return []
    ordered = sorted(figure.cells, key=lambda cell: cell.value)
    return [ordered[-1], ordered[0]]


def _strangers(terms: Sequence[Quantity], cells: Sequence[Cell]) -> tuple[list[Quantity], list[Cell]]:
    """The operands that are none of the cells' values, each cell taken once, and the cells that no operand is."""
    left, wrong = list(cells), []
    for term in terms:
        cell = next((cell for cell in left if agreement(Amount(quantity=term), _unsigned(cell)) == "same"), None)
        if cell is None:
            wrong.append(term)
        else:
            left.remove(cell)
    return wrong, left


def _product(form: Worked, named: Sequence[Cell]) -> Finding | None:
    """“Two hats cost 2 × 18”: one factor says how many, the other is what was read of one."""
    if len(named) != 1:
        return None
    wrong, _ = _strangers(form.terms, named)
    if len(wrong) < 2:
        return decide(True, named, f"{in_words(named[0])}.")
    many = [term for term in wrong if term.unit is None and term.absolute in range(2, _LARGEST_FACTOR + 1)]
    return decide(False, named, f"{in_words(named[0])}, which is no factor here.") if len(many) == 1 else None


_DECADES = "teens twenties thirties forties fifties sixties seventies eighties nineties".split()
_COUNTED = frozenset({"leaf", "value", "number", "score"})
_TENS = {word: tens for tens, word in enumerate(_DECADES, 1)}


@lru_cache(maxsize=256)
def leaf_cells(figure: Figure) -> tuple[Cell, ...]:
    """One cell for each number of a stem-and-leaf plot; none for other figures. Remembered, because every assertion asks."""
    leaves = [cell for cell in figure.cells if cell.column.lower().strip() in ("leaf", "leaves")]
    if not leaves or len(leaves) != len(figure.cells) or not all(cell.row.isdecimal() for cell in leaves):
        return ()
    return tuple(cell.with_value(10.0 * int(cell.row) + int(leaf)) for cell in leaves for leaf in f"{cell.value:.0f}")


def leaf_finding(said: Assertion, cells: Sequence[Cell]) -> Finding | None:
    """A form against the numbers of a stem-and-leaf plot. Zeros at a row's beginning cannot be read, so a number that ends in 0 refutes nothing."""
    match said.form:
        case Listing() as form:
            return _listing([quantity.absolute for quantity in form.values], _of_stem(form.about, cells), cells)
        case Count(number=int() as number, limit=Amount() as limit, names=names) as form if not names:
            many = sum(agreement(limit, cell) == "same" for cell in _of_stem(form.about, cells))
            return _decide(many == number, cells, f"{many} of the numbers read are so.", float(number))
        case Extreme(amount=Amount() as amount, rank=1) as form:
            return _extreme(form, amount.quantity.absolute, cells)
        case Aggregate() as form:
            return _aggregate(form, cells)
        case Worked() as form:
            return _worked(form, cells)
        case Value() as form:
            return _value(form, _of_stem(form.about, cells), cells)
        case Layout():
            return None
    return missing(NOTHING_READ)


def _worked(form: Worked, cells: Sequence[Cell]) -> Finding | None:
    known = all(any(equal(term.absolute, cell.value) for cell in cells) for term in form.terms)
    return decide(True, cells, "every number of the calculation was read.") if known else None


def _aggregate(form: Aggregate, cells: Sequence[Cell]) -> Finding:
    found = aggregate_of(form.kind, [cell.value for cell in cells])
    if found is None:
        return missing(NOTHING_READ)
    same = agreement(form.amount, cells[0].with_value(found)) == "same"
    shown = f"the {form.kind} of the numbers read is {number_text(found)}."
    return _decide(same, cells, shown, form.amount.quantity.absolute)


def _decide(holds: bool, cells: Sequence[Cell], text: str, stated: float) -> Finding:
    """A verdict that a leaf of zero, which may have been lost, does not turn."""
    return (
        missing("a leaf of zero may not have been read.")
        if not holds and stated % 10 == 0
        else decide(holds, cells, text)
    )


def _extreme(form: Extreme, stated: float, cells: Sequence[Cell]) -> Finding:
    """“The largest number is 65”, “the stem with the most leaves is 3”."""
    end = max if form.most else min
    if "leaf" in form.group.stems | form.subject.stems:
        rows = Counter(cell.row for cell in cells)
        longest = [float(row) for row in rows if rows[row] == end(rows.values())]
        return decide(stated in longest, cells, f"it is stem {number_text(longest[0])}.")
    value = end(cell.value for cell in cells)
    return _decide(equal(value, stated), cells, f"of those read it is {number_text(value)}.", stated)


def _of_stem(about: Phrase, cells: Sequence[Cell]) -> list[Cell]:
    """The cells of the stem that a phrase names (“stem 3”, “in the thirties”), else all."""
    words = [token.lower for token in about.tokens]
    stems = {str(_TENS[word]) for word in words if word in _TENS}
    stems |= {b for a, b in itertools.pairwise(words) if a in ("stem", "row") and b.isdecimal()}
    return [cell for cell in cells if cell.row in (stems or {cell.row})]


def _listing(values: Sequence[float], among: Sequence[Cell], cells: Sequence[Cell]) -> Finding:
    """Numbers as they were read, all or some, or the leaves of a row; against a row that was named they can be wrong."""
    stated, whole = Counter(values), [cell.value for cell in among]
    shown = "the numbers read are " + ", ".join(map(number_text, whole[:12])) + "."
    leaves, row = [value % 10 for value in whole], _of_tens({value // 10 for value in values}, whole)
    if stated in (Counter(leaves), Counter(row)) or stated <= Counter(whole):
        return decide(True, among, shown)
    against = Counter(leaves if len(among) < len(cells) and max(values) < 10 else row)
    wrong = Counter(filter(lambda value: value % 10, values)) - against
    return decide(False, among, shown) if wrong and against else missing(NOTHING_READ)


def _of_tens(tens: set[float], values: Sequence[float]) -> list[float]:
    """The values that share their tens with a list, if all of it has the same."""
    return [value for value in values if {value // 10} == tens]


def _value(form: Value, among: Sequence[Cell], cells: Sequence[Cell]) -> Finding:
    """“Stem 3 has four leaves”, “the leaf 3 stands for 23”: a number of leaves, or a number that was read."""
    number, named = form.amount.quantity, len(among) < len(cells)
    if not among or (named and not number.absolute):
        return decide(not among and not number.absolute, cells, f"{len(among)} were read there.")
    if named and number.spelled and _COUNTED & form.amount.noun.stems:
        return decide(number.absolute == len(among), among, f"{len(among)} were read.")
    if is_read(form.amount, among):
        return decide(True, among, "it is among the numbers read.")
    return missing(NOTHING_READ)
