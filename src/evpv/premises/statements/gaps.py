"""Numbers that say how far two things are apart where only one of them is named: “Ben is 5 behind”, “by 27 on the coast”, “four more”.

What the other one is comes from the piece, from what was said before it, from the time before, or may be any other of its row or column.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from evpv.language.forms import Amount, amount_text
from evpv.language.tokens import name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words, missing
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.verdicts import agrees, decision, is_part, pure
from evpv.premises.statements.views import View, ends_given, name_beside

_APART = frozenset(
    "behind ahead apart short below above over clear adrift extra additional under beyond higher lower away".split()
)
_MANY = 12
"""So many cells at most are held against each other."""


class _Pair(NamedTuple):
    """Two cells that a number may be the gap between, and where the second comes from."""

    source: str
    one: Cell
    other: Cell


def is_gap(v: View) -> bool:
    """Whether the only number of a piece says how far something is from something else: “by 5”, “five behind”, “+5”, “5 more”."""
    number = v.piece.numbers[0]
    if v.piece.has("than", "rises", "falls") or any(holds_changes(name) for name in v.likely_columns):
        return False
    if number.role == "by":
        return not is_agent(v, number)
    return number.amount.bound == "=" and _says_how_far(v, number)


_CHANGES = frozenset({"growth", "change", "increase", "decrease", "gain"})


def holds_changes(column: str) -> bool:
    """Whether a column has changes for values."""
    return not _CHANGES.isdisjoint(name_stems(column))


def is_agent(v: View, number: StatedNumber) -> bool:
    """“Was chosen by 37%”: who does something, and no gap."""
    words = v.piece.sentence.words
    by = next((i for i in range(number.first - 1, max(number.first - 4, 0), -1) if words[i] == "by"), 0)
    return by > 0 and words[by - 1].endswith(("ed", "en", "after", "wn")) and words[by - 1] != "between"


def _says_how_far(v: View, number: StatedNumber) -> bool:
    """“32 more strokes”, “an extra 5”, “five points behind”, “$47 over budget”, “+3.7”."""
    sentence = v.piece.sentence
    before, first, second = sentence.before(number), sentence.after(number), sentence.word(number.last + 2)
    more = (c for c in v.piece.cues if c.tag in ("more", "less") and 0 < c.first - number.last <= 3)
    if before in ("extra", "additional", "another") or any(sentence.before(cue) != "or" for cue in more):
        return True
    return first in _APART or (first.endswith("s") and second in _APART) or _is_signed(v, number)


def _is_signed(v: View, number: StatedNumber) -> bool:
    """“+3.7”, “plus 18” where nothing that was read has a sign."""
    sentence = v.piece.sentence
    start = sentence.tokens[number.first].start
    sign = "+" in sentence.text[max(0, start - 1) : start + 1] or sentence.before(number) in ("plus", "minus")
    signed = sign or number.amount.quantity.value < 0
    return signed and all(cell.value >= 0 for cell in v.grid.model.cells)


def gap_finding(v: View, amount: Amount) -> Finding:
    """Whether two cells that may be meant are so far apart."""
    pairs = _pairs_at_ends(v)
    apart = [pair for pair in pairs if _are_apart(amount, pair)]
    right = next(itertools.filterfalse(partial(_is_reversed, v), apart), None)
    if right is not None:
        found = decide(True, right[1:], f"{in_words(right.one)} and {in_words(right.other)}.")
        return decision([replace(found, signs=found.signs | {f"gap {right.source}"})], v)
    value = next((cell for cell in v.cells if v.rows and agrees(amount, cell) == "same"), None)
    if value is not None:
        return decision([decide(True, [value], f"{in_words(value)}, as the claim says.")], v)
    return _other_gap_finding(v, amount, apart or pairs, sure=bool(apart))


def _other_gap_finding(v: View, amount: Amount, pairs: Sequence[_Pair], *, sure: bool) -> Finding:
    """Wrong only if both cells are known (“Ben is 5 behind Ann”, who are 7 apart) or are so far apart the other way (`sure`), open where the
    other one may be anything."""
    near = [pair for pair in pairs if pair.source in ("named", "given")]
    if not near:
        return missing("it is open from what it is so far apart.")
    pair, sure = near[0], sure or (len(near) == 1 and near[0].source == "named")
    words = f"{in_words(pair.one)} and {in_words(pair.other)}, the claim says {amount_text(amount)}."
    wrong = decide(False, pair[1:], words)
    return decision([replace(wrong, signs=wrong.signs | {f"gap {pair.source}"})], v, sure=sure)


def _is_reversed(v: View, pair: _Pair) -> bool:
    """“On Sunday 45 more”, of a Sunday with 45 less than the day that was spoken of."""
    if pair.source == "named" or v.piece.denial or "than" in v.piece.words:
        return False
    more, less = v.piece.has("more") is not None, v.piece.has("less") is not None
    return more != less and pair.one.value != pair.other.value and more != (pair.one.value > pair.other.value)


def _are_apart(amount: Amount, pair: _Pair) -> bool:
    one, other = pair.one, pair.other
    gap = abs(one.value - other.value)
    size = replace(amount, quantity=replace(amount.quantity, value=abs(amount.quantity.value)))
    if agrees(size, one.with_value(gap)) == "same":
        return True
    relative = amount.quantity.unit == "percent" or is_part(amount)
    parts = [gap / abs(base.value) for base in (one, other) if base.value] if relative else []
    like = [pure(one, part) if is_part(amount) else pure(one, 100 * part, "percent") for part in parts]
    return any(agrees(size, cell) == "same" for cell in like)


# Which two.


def _pairs(v: View) -> Iterator[_Pair]:
    """The pairs that may be meant, those that are plainest first: two named cells of one row or of one column, one with what was spoken of
    before, with the time before, or with any other."""
    context, named = v.context, v.grid.cells(v.rows, v.likely_columns)[:_MANY]
    both = itertools.combinations(named, 2) if max(len(v.own_rows), len(v.own_columns)) > 1 else ()
    yield from (_Pair("named", a, b) for a, b in both if (a.row == b.row) != (a.column == b.column))
    rows = dict.fromkeys((*context.near_rows, *context.far_rows, *context.far_group))
    columns = dict.fromkeys((*context.near_columns, *context.far_columns, *context.far_column_group))
    for cell in named or v.cells_around[:_MANY]:
        yield from (_Pair("given", cell, other) for other in _cells_beside(v, cell, rows, columns))
        yield from (_Pair("beside", cell, other) for other in _cells_before(v, cell))
    for cell in named:
        yield from (_Pair("other", cell, other) for other in _cells_beside(v, cell, v.grid.rows, v.grid.columns))


def _pairs_at_ends(v: View) -> list[_Pair]:
    """The pairs that may be meant; only those of the two times between which something moves."""
    ends = ends_given(v.piece, v.context, v.grid)
    times = (({pair.one.row, pair.other.row}, {pair.one.column, pair.other.column}) for pair in _pairs(v))
    return [pair for pair, at in zip(_pairs(v), times, strict=True) if not ends or ends in at]


def _cells_beside(v: View, cell: Cell, rows: Iterable[str], columns: Iterable[str]) -> Iterator[Cell]:
    """The cells of its column in some rows, and of its row in some columns that measure the same."""
    yield from (other for other in v.grid.cells(rows, [cell.column]) if other is not cell)
    for other in v.grid.cells([cell.row], columns):
        if other is not cell and (v.grid.uniform or other.unit == cell.unit is not None):
            yield other


def _cells_before(v: View, cell: Cell) -> Iterator[Cell]:
    """The cell of the time before, where rows or columns run in time."""
    if v.grid.timed_rows:
        yield from v.grid.cells(name_beside([cell.row], -1, v.grid.line_rows), [cell.column])
    if v.grid.timed_columns:
        yield from v.grid.cells([cell.row], name_beside([cell.column], -1, v.grid.line_columns))


# From one to another.


def from_to_finding(v: View) -> Finding | None:
    """“Print from 30 to 17”: the values of two times on a line, or of two sizes; None where no two numbers are said so, or no two times have
    them."""
    if [number.role for number in v.piece.numbers] != ["from", "to"]:
        return None
    start, end = v.amounts
    for line in _lines(v):
        for a, b in itertools.combinations(line, 2):
            if agrees(start, a) == agrees(end, b) == "same":
                sign = "from end to end" if (a, b) == (line[0], line[-1]) else "from one to another"
                return replace(decide(True, [a, b], f"{in_words(a)} and {in_words(b)}."), signs=frozenset({sign}))
    return None


def _lines(v: View) -> list[list[Cell]]:
    grid = v.grid
    if grid.timed_columns or (grid.line_columns and not grid.line_rows):
        return [grid.cells([row], grid.line_columns) for row in v.rows]
    return [grid.cells(grid.line_rows, [column]) for column in v.columns or grid.columns[:1]]
