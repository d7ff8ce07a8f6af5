"""Why a contradiction may not be trusted. It needs a clause of which every word and number is accounted for, a value of the right
kind and size, and a thing that is surely meant; in doubt the claim is missing, because a false accusation costs most."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from evpv.language.doubts import form_amounts
from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Comparison,
    Count,
    Extreme,
    Form,
    Layout,
    Listing,
    Phrase,
    Share,
    Trend,
    Value,
)
from evpv.language.quantities import number_text, quantities
from evpv.language.tokens import Token, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.attributes import names_another
from evpv.premises.matching.findings import Finding
from evpv.premises.matching.values import agreement, converted

_FEWEST_CELLS = 3
"""A table or chart of which less was read was probably read badly."""
_MISREAD, _FAR_OFF = 5.0, 12.0
"""A value misread is near the true one; one that is so many times larger or smaller was said of something else: the first where not
all words of the clause are known, the second anyway."""


def contradiction_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Why the finding that an assertion is wrong may be a misunderstanding; "" if it may not."""
    if isinstance(said.form, Layout):
        return said.doubt
    if "leaf" in model.columns.frequency:
        return "the leaves of a stem-and-leaf plot were read, not the numbers they stand for."
    if model.tabular and len(model.cells) < _FEWEST_CELLS:
        return "too little of the table or chart was read to refute anything."
    return (
        said.doubt
        or _limit_named(said.form, model)
        or _number_left(said, model)
        or _kind_doubt(said, model)
        or _size_doubt(said, finding, model)
        or _reach_doubt(said, finding, model)
    )


def numbers_explained(said: Assertion, model: Figure) -> bool:
    """Whether every number of an assertion stands in the figure, or is the difference or sum of two that do, and it names nothing that
    the figure does not know."""
    if any(model.absent(phrase) or names_another(phrase, model) for phrase in phrases(said.form)):
        return False
    amounts = form_amounts(said.form)
    if not amounts:
        return isinstance(said.form, (Comparison, Extreme, Trend)) and _unknown_words(said, model) <= _UNKNOWN_RELATING
    known = all(any(agreement(amount, cell) == "same" for cell in _outcomes(model)) for amount in amounts)
    return known and _unknown_words(said, model) <= _UNKNOWN_COUNTING


_UNKNOWN_RELATING, _UNKNOWN_COUNTING = 0, 4
_MOST_CELLS = 24


def _outcomes(model: Figure) -> Iterator[Cell]:
    """The cells, and what two of one row or column differ by or add up to."""
    yield from model.cells
    if len(model.cells) <= _MOST_CELLS:
        for left, right in itertools.combinations(model.cells, 2):
            if left.row == right.row or left.column == right.column:
                yield left.with_value(abs(left.value - right.value))
                yield left.with_value(left.value + right.value)


def phrases(form: Form) -> tuple[Phrase, ...]:
    """The phrases of a form that may name something."""
    names = ("about", "left", "right", "subject", "group")
    return tuple(value for name in names if isinstance(value := getattr(form, name, None), Phrase))


def _unknown_words(said: Assertion, model: Figure) -> int:
    """How many content words of the clause are neither cues nor in any name of the figure."""
    known = model.rows.frequency.keys() | model.columns.frequency.keys() | model.title | _LIGHT
    return sum(token.stem not in known for token in said.content)


_LIGHT = frozenset(
    "make up out go went come came get got take took give gave stand stood account record recorded report reported listed reach "
    "find found see look just also exactly clearly still even again here overall amount comprise".split()
)
"""Words that say nothing of their own."""


def _kind_doubt(said: Assertion, model: Figure) -> str:
    """Some forms are too often misread to refute anything, others only where all their words are known."""
    words = {token.lower for phrase in phrases(said.form) for token in phrase.tokens}
    others = isinstance(said.form, Count) and words & {"other", "others"}
    if isinstance(said.form, Extreme) and said.form.adjective in ("worst", "best"):
        return "what is best or worst, high or low, is not said."
    if others or (isinstance(said.form, (Extreme, Count)) and words & _CHANGES):
        return "it speaks of others or of changes."
    shares = all(cell.unit == "percent" or cell.attribute == "share" for cell in model.cells)
    strict = (isinstance(said.form, Share) and not shares) or (
        isinstance(said.form, Listing) and len(said.form.values) < 3
    )
    most = 0 if strict else 1 if isinstance(said.form, Aggregate) else 2 if isinstance(said.form, Count) else 99
    return "it says more than was understood." if _unknown_words(said, model) > most else ""


_CHANGES = frozenset(
    "next before after gain gains jump increase rise drop decline growth change gap difference".split()
)


def _size_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    amount = getattr(said.form, "amount", None)
    cell = next((one for one in model.cells if one.index == finding.constraint), None)
    if (
        not isinstance(amount, Amount)
        or cell is None
        or amount.bound != "="
        or not isinstance(said.form, (Value, Aggregate, Extreme))
    ):
        return ""
    if amount.quantity.unit == "percent" and cell.unit != "percent" and _holds_no_shares(cell, model):
        return "it speaks of a percentage, which the figure does not."
    sizes = [abs(amount.quantity.value), *(abs(value) for value in converted(amount.quantity, cell))]
    limit = _MISREAD if _unknown_words(said, model) else _FAR_OFF
    near = any(not size or not cell.value or 1 / limit <= size / abs(cell.value) <= limit for size in sizes)
    return "" if near else "its number is of another size than what was read."


def _holds_no_shares(cell: Cell, model: Figure) -> bool:
    return cell.unit is not None or any(abs(one.value) > 100 for one in model.column_cells(cell.column))


def _number_left(said: Assertion, model: Figure) -> str:
    """Whether a number of the clause is neither in its forms nor in a name of the figure."""
    if not said.spare:
        return ""
    named = {
        place
        for phrase in phrases(said.form)
        for mention in (*model.rows.mentions(phrase.tokens), *model.columns.mentions(phrase.tokens))
        for place in mention.tokens
    }
    left = [q for q in said.spare if not any(q.start <= place < q.end for place in named)]
    read = all(any(agreement(Amount(quantity=q), cell) == "same" for cell in model.cells) for q in left)
    return "" if read else "it states another number that was not understood."


_REACHING = frozenset(
    "all both each every only other others rest remaining alone same named but except half twice double triple "
    "third quarter first second latter former next this that these those".split()
)
"""Words by which a clause speaks of more than it names: of sets, parts and multiples of what is named, or of what was said before."""


def _reach_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Whether a clause reaches beyond what it names, and its names and numbers are not just those that the finding rests on."""
    clause = (*tokens(said.text), *(token for phrase in phrases(said.form) for token in phrase.tokens if said.aside))
    rows, columns = model.named(clause)
    places = {place for mention in (*rows, *columns) for place in mention.tokens}
    words = {token.lower for token in clause if token.start not in places or token.stem.isdigit()}
    stepwise = "previous" in words or (isinstance(said.form, Trend) and said.form.steady)
    if stepwise or not finding.used or not words & _REACHING:
        return ""
    numbers = [quantity for quantity in quantities(said.text) if quantity.start not in places]
    loose = (
        "(" in words or len(numbers) > len(form_amounts(said.form)) or _rests_on_others(said, finding, model, clause)
    )
    return "it may speak of more, or of other things, than it names." if loose else ""


def _rests_on_others(said: Assertion, finding: Finding, model: Figure, clause: tuple[Token, ...]) -> bool:
    """Whether a finding uses rows or columns that the clause does not name, or leaves out some that it does."""
    rows, columns = ({mention.name for mention in axis} for axis in model.named(clause))
    axes = [
        (rows, {cell.row for cell in finding.used}, len(model.rows.names)),
        (columns, {cell.column for cell in finding.used}, len(model.columns.names)),
    ]
    taken_over = any(used - named for named, used, many in axes if many > 1)
    left_out = any(named - used for named, used, _ in axes)
    single = isinstance(said.form, (Value, Comparison, Trend))
    return (single and taken_over) or (left_out and not isinstance(said.form, (Count, Listing)))


def _limit_named(form: Form, model: Figure) -> str:
    """Whether the limit of a claim is a number that rows are called by: “250 or more” is the row 250+."""
    limit = form.limit if isinstance(form, Count) else form.amount if isinstance(form, Value) else None
    if limit is None or limit.bound == "=":
        return ""
    number = number_text(limit.quantity.absolute)
    names = (name for name in model.rows.names if name[:1] in "<>≤≥" or name[:1].isdigit())
    return (
        "the limit may be a name of the figure." if any(number in name and not name.isalnum() for name in names) else ""
    )
