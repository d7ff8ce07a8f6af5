"""How probable it is that a contradiction is one and no misunderstanding: a learned sum of signs that a clause was read as it was meant.

The signs speak of structure, not of wordings: what of the clause no name, number or cue accounts for, how the names were bound,
and how far the claimed number is from the one read. `scripts/fit_trust.py` fits their weights on labelled steps.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from evpv.language.doubts import form_amounts
from evpv.language.forms import Amount, Assertion, Comparison, Extreme, Trend
from evpv.language.tokens import Token, tokens
from evpv.premises.figure import Cell, Figure, Named, columns_of, rows_of
from evpv.premises.matching.trust_weights import CONSTANT, WEIGHTS
from evpv.premises.matching.values import Finding, converted, deciding_cells, is_read, loose_numbers
from evpv.premises.mentions import Mention, names_of, places_of

_POINTING = frozenset(
    "it its they their them he she his her this that these those which who whose ones latter former".split()
)
_DENYING = frozenset("not no never none neither nor without nobody nothing".split())
_CHANGES = frozenset(
    "next before after gain gains jump increase rise drop decline growth change gap difference".split()
)
REACHING = frozenset(
    "all both each every only other others rest remaining alone same named but except half twice double triple "
    "third quarter first second latter former next this that these those".split()
)
"""Words by which a clause speaks of more than it names: of sets, parts and multiples of what is named, or of what was said before."""


def trust(said: Assertion, finding: Finding, model: Figure, unknown: int) -> float:
    """How probable it is that an assertion found wrong is wrong, of which so many words are unknown."""
    signs = contradiction_signs(said, finding, model, unknown)
    return 1.0 / (1.0 + math.exp(-CONSTANT - sum(WEIGHTS.get(name, 0.0) * size for name, size in signs.items())))


def contradiction_signs(said: Assertion, finding: Finding, model: Figure, unknown: int) -> dict[str, float]:
    """What speaks for and against a contradiction, each sign with its size."""
    words = tokens(said.text)
    rows, columns = model.named(words)
    signs = {
        **_wording_signs(said, words, {place for mention in (*rows, *columns) for place in mention.tokens}),
        **_binding_signs(finding, model, rows, columns),
        **_number_signs(said, finding, model, (rows, columns)),
        type(said.form).__name__.lower(): 1.0,
        "unknown words": unknown / max(1, len(said.content)),
        "clause not understood": float(bool(said.doubt)),
        "denied": float(said.denied),
        "spare numbers": min(len(said.spare), 3.0),
    }
    return {name: size for name, size in signs.items() if size}


def _wording_signs(said: Assertion, words: tuple[Token, ...], places: set[int]) -> dict[str, float]:
    lower = {token.lower for token in words}
    loose = {token.lower for token in words if token.start not in places}
    return {
        "words": min(sum(token.is_word for token in words), 30) / 10,
        "bracket": float(bool(lower & {"(", ")"})),
        "half a bracket": float(said.text.count("(") != said.text.count(")")),
        "pointing": float(
            any(a.lower in _POINTING and b.lower != "of" for a, b in zip(words, (*words[1:], words[-1]), strict=True))
        ),
        "reaching": float(bool(loose & REACHING)),
        "denying": float(bool(lower & _DENYING)),
        "change": float(bool(lower & _CHANGES)),
    }


def _binding_signs(
    finding: Finding, model: Figure, rows: tuple[Mention, ...], columns: tuple[Mention, ...]
) -> dict[str, float]:
    """Which rows and columns a finding rests on that are not named, and which are named that it leaves out."""
    used = finding.used
    signs = {}
    for axis, mentions, of_cells, many in (
        ("row", rows, {cell.row for cell in used}, len(model.rows.names) > 1),
        ("column", columns, {cell.column for cell in used}, len(model.columns.names) > 1),
    ):
        named = {mention.name for mention in mentions}
        signs[f"{axis} not named"] = float(many and bool(of_cells - named))
        signs[f"{axis} left out"] = float(bool(named - of_cells))
    signs["crosswise"] = float(len(used) > 1 and used[0].row != used[-1].row and used[0].column != used[-1].column)
    return signs


def _number_signs(said: Assertion, finding: Finding, model: Figure, named: Named) -> dict[str, float]:
    """How the numbers of a clause stand to those of the figure."""
    numbers = loose_numbers(said.text, places_of(itertools.chain(*named)))
    near = model.cells_in(*map(names_of, named))
    right = sum(is_read(Amount(quantity=q), near) for q in numbers)
    signs = {
        "numbers": min(len(numbers), 4.0),
        "right numbers": min(right, 3.0),
        **dict(_form_signs(said, finding, model)),
    }
    if amounts := form_amounts(said.form):
        signs |= _amount_signs(amounts[0], hasattr(said.form, "amount"), finding, model)
    return signs


def _form_signs(said: Assertion, finding: Finding, model: Figure) -> Iterator[tuple[str, float]]:
    form, used = said.form, finding.used
    if isinstance(form, Comparison):
        yield "equal", float(form.order == "equal" and not form.times and not form.by)
    if isinstance(form, (Comparison, Trend)):
        yield "by an amount", float(form.by is not None)
        yield "by a factor", float(form.times is not None)
    if isinstance(form, Extreme):
        yield "best or worst", float(form.adjective in ("best", "worst"))
        if used:
            values = sorted(cell.value for cell in model.column_cells(used[0].column))
            yield "middle rank", float(used[0].value in values[1:-1])
    yield "each", float(getattr(form, "each", False))


def _amount_signs(amount: Amount, is_value: bool, finding: Finding, model: Figure) -> dict[str, float]:
    """How a claimed number stands to the one read, and whether it was read elsewhere in its column."""
    columns, rows = columns_of(finding.used), rows_of(finding.used)
    beside = [cell for cell in model.cells if cell.column in columns and cell.row not in rows]
    noun = {token.stem for token in amount.noun.tokens if token.is_content_word}
    signs = {
        "hedged": float(amount.hedged),
        "percent": float(amount.quantity.unit == "percent"),
        "spelled out": float(amount.quantity.spelled),
        "unknown noun": float(bool(noun) and not model.vocabulary & noun),
        "read beside": float(is_read(amount, beside)),
    }
    cells = deciding_cells(finding, model.cells)
    far = _times_off(amount, cells[0]) if cells and is_value else 1.0
    return {**signs, "twice as large": float(far > 2), "five times as large": float(far > 5)}


def _times_off(amount: Amount, cell: Cell) -> float:
    """How many times larger or smaller a claimed number is than the one read."""
    sizes = [abs(size) for size in (amount.quantity.value, *converted(amount.quantity, cell)) if size]
    if not sizes or not cell.value:
        return 1.0
    return min(max(size / abs(cell.value), abs(cell.value) / size) for size in sizes)
