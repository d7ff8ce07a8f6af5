"""Stem-and-leaf plots: the leaves of a row are digits, and what a step speaks of are the numbers that stem and leaf make together."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from evpv.language.forms import Aggregate, Amount, Assertion, Count, Extreme, Layout, Listing, Phrase, Value, Worked
from evpv.language.quantities import number_text
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.findings import NOTHING_READ, Finding, decide, missing
from evpv.premises.matching.totals import aggregate_of
from evpv.premises.matching.values import agreement, equal

_DECADES = "teens twenties thirties forties fifties sixties seventies eighties nineties".split()
_COUNTED = frozenset({"leaf", "value", "number", "score"})
_TENS = {word: tens for tens, word in enumerate(_DECADES, 1)}


def leaf_cells(figure: Figure) -> list[Cell]:
    """One cell for each number of a stem-and-leaf plot; none for other figures."""
    leaves = [cell for cell in figure.cells if cell.column.lower().strip() in ("leaf", "leaves")]
    if not leaves or len(leaves) != len(figure.cells) or not all(cell.row.isdecimal() for cell in leaves):
        return []
    return [cell.with_value(10.0 * int(cell.row) + int(leaf)) for cell in leaves for leaf in f"{cell.value:.0f}"]


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
    if any(agreement(form.amount, cell) == "same" for cell in among):
        return decide(True, among, "it is among the numbers read.")
    return missing(NOTHING_READ)
