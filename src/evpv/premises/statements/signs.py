"""Signs by which a finding on a piece is believed or not: how it was read, what its numbers are, and what of its words is left over.

Each sign is the name of something that is so. It is worth what it has turned out to be worth (`trust.py`) together with the state of the
finding: a number that stands nowhere in the figure says one thing of what was found wrong, and another of what was not understood.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.language.quantities import conversion
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding
from evpv.premises.statements.grid import is_known, is_whole
from evpv.premises.statements.numbers import Number
from evpv.premises.statements.strangers import is_other_attribute, names_absent, unknown_nouns
from evpv.premises.statements.verdicts import agrees, counts_rows, is_part, pure
from evpv.premises.statements.views import OPEN, View

ANY_STATE = "any"
STATE_CODES = {
    "contradicted": "c", "doubted": "d", "open": "o", "supported": "s", "unread": "u", "unsaid": "n", ANY_STATE: "-",
}  # fmt: skip
"""What was found of a statement, with its letter in `sign_weights.py`; `unsaid`: it says nothing that was understood."""
_FROM = ("own", "near", "far", "open")
_REACHING = frozenset(
    "all both each every only other others rest remaining alone same except half twice double former latter first second last next "
    "another either neither any anyone everyone none".split()
)
_BRIEF = 15
"""So many words at most has a piece that says little beside its names."""


@immutable
class Signs:
    """What is so of a statement that was found to be in a `state`: signs and words that count together with it, and `bare` ones."""

    state: str
    names: frozenset[str]
    words: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Every sign with the state that it counts with."""
        yield from ((name, self.state) for name in self.names)
        yield from ((f"says {word}", self.state) for word in self.words)
        yield from ((name, ANY_STATE) for name in self.bare)

    @property
    def concludes(self) -> bool:
        """Whether it was worked out from what was read; such a statement is never missing."""
        return "calculates" in self.bare or "derived" in self.names or self.is_computed

    @property
    def is_as_read(self) -> bool:
        """Whether the figure was read from a picture."""
        return "as read found" in self.names

    @property
    def is_computed(self) -> bool:
        return "computed" in self.names or "computed missing" in self.bare

    @property
    def explains_numbers(self) -> bool:
        """Whether even the worst of its numbers is one that the figure explains."""
        return not _EXPLAINED.isdisjoint(self.names)


_EXPLAINED = frozenset(f"number worst {level}" for level in ("own", "sentence", "worked", "count", "worked elsewhere"))


def finding_state(finding: Finding | None) -> str:
    if finding is None:
        return "unsaid"
    return finding.why_missing if finding.verdict == "missing" else finding.verdict


def piece_signs(
    v: View, finding: Finding | None, form: str, more: Iterable[str] = (), bare: Iterable[str] = ()
) -> Signs:
    """What is so of a piece and of what was found of it."""
    numbers = frozenset(_number_signs(v))
    formed = {*_finding_signs(finding), *(f"number {sign}" for sign in numbers if sign.startswith(_FORMED))}
    names = {"found", form, *(f"number {sign}" for sign in numbers)}
    names |= {f"row {_FROM[v.row_from]}", f"column {_FROM[v.column_from]}"}
    names.add(f"row {_FROM[v.row_from]} column {_FROM[v.column_from]} {form}")
    formed |= {sign for sign, holds in {"two names": _has_two_names(v), "plain": _is_plain(v)}.items() if holds}
    names |= formed
    names |= {f"{sign} {form}" for sign in formed}
    names.update(_word_signs(v), (f"cue {cue.tag}" for cue in v.piece.cues), more)
    if not v.grid.is_given:
        names |= {f"as read {sign}" for sign in ("found", form, f"row {_FROM[v.row_from]}", *numbers)}
        names |= {f"confidence {min(9, int(10 * finding.confidence))}"} if finding is not None else set()
    if finding is not None and finding.otherwise is not None:
        bare = (*bare, "otherwise", f"otherwise {form}")
    return Signs(
        state=finding_state(finding),
        names=frozenset(names),
        words=frozenset(t.stem for t in v.piece.tokens if t.is_word and len(t.stem) > 1),
        bare=frozenset(bare),
    )


_FORMED = ("worst", "neighbour", "digits", "off")
"""Of numbers these signs also count together with the form of what is said."""


def _finding_signs(finding: Finding | None) -> frozenset[str]:
    return finding.signs if finding is not None else frozenset()


def _has_two_names(v: View) -> bool:
    """Whether a brief piece names two rows, or two columns, whole."""
    whole = [sum(n.whole for n in v.piece.names if n.axis == axis) for axis in ("row", "column")]
    return 2 in whole and not v.has_any(_REACHING) and len(v.piece.words) < _BRIEF


def _is_plain(v: View) -> bool:
    """Whether a piece names one row whole, its column if there are several, and one number, and little else."""
    if len(v.piece.numbers) != 1 or v.piece.cues or v.has_any(_REACHING):
        return False
    whole = {axis: [n.whole for n in v.piece.names if n.axis == axis] for axis in ("row", "column")}
    return whole["row"] == [True] and (len(v.grid.columns) < 2 or whole["column"] == [True])


def _word_signs(v: View) -> Iterator[str]:
    piece = v.piece
    strange = sum(t.is_word and t.is_content and not is_known(t.stem, v.grid) for t in piece.tokens)
    yield f"unknown {min(unknown_nouns(piece, v.grid), 4)}"
    yield f"numbers {min(len(piece.numbers), 3)}"
    yield f"names {min(len(piece.names), 3)}"
    yield f"length {min(len(piece.words) // 5, 5)}"
    yield f"strange {min(strange, 6)}"
    so = {
        "absent": names_absent(piece, v.grid),
        "other attribute": is_other_attribute(v),
        "derived": piece.derived,
        "aside": piece.aside,
        "pronoun": v.pronoun,
        "denied": piece.denial is not None,
        "nameless": v.row_from == OPEN and not piece.names,
    }
    yield from (sign for sign, holds in so.items() if holds)
    yield from (f"word {word}" for word in _REACHING & piece.word_set)
    yield from (
        f"{'loose' if name.loose else 'part of'} {name.axis}" for name in piece.names if name.loose or not name.whole
    )


# What the numbers of a piece are.


def _number_signs(v: View) -> Iterator[str]:
    if v.piece.numbers:
        cells = _Cells.of(v)
        yield from _level_signs(v, cells)
        own = cells.meant if v.rows else []
        for number in v.piece.numbers:
            yield from _amount_signs(number)
            yield from _resemblances(number.amount, v, own)


def _amount_signs(number: Number) -> Iterator[str]:
    quantity = number.amount.quantity
    so = {
        "bound": number.amount.bound != "=",
        "spelled": quantity.spelled,
        "percent": quantity.unit == "percent",
        "part": is_part(number.amount),
        f"role {number.role}": bool(number.role),
        "small": quantity.value.is_integer() and quantity.value <= 12,
    }
    return (sign for sign, holds in so.items() if holds)


def _resemblances(amount: Amount, v: View, own: Sequence[Cell]) -> Iterator[str]:
    """How a number is like what is meant, without being it: the value beside it, its digits shuffled, a value near it."""
    if own or v.rows:
        so = {
            "neighbour": _is_neighbour(v, amount, own),
            "shuffled": _is_shuffled(amount, own),
            "near": _is_near(amount, own),
        }
        yield from (sign for sign, holds in so.items() if holds)


def _level_signs(v: View, cells: _Cells) -> Iterator[str]:
    """How far from what the piece names the worst and the best of its numbers are explained."""
    levels = [_level(v, number, cells) for number in v.piece.numbers]
    worst = levels.index(max(levels))
    yield f"worst {_LEVELS[levels[worst]]}"
    yield f"best {_LEVELS[min(levels)]}"
    value = v.piece.numbers[worst].amount.quantity.value
    yield f"digits {min(len(_digits(value)), 4)} {_LEVELS[levels[worst]]}"
    if v.rows and cells.meant:
        off = min(abs(value - c.value) / max(abs(c.value), 1e-9) for c in cells.meant)
        yield f"off {next((size for size in (0.02, 0.1, 0.3, 1, 5) if off <= size), 9)}"


class _Cells(NamedTuple):
    """The cells that a number may be explained by: those that a piece means, those it names, those of its sentence and of what was said before."""

    meant: list[Cell]
    named: list[Cell]
    reached: list[Cell]

    @classmethod
    def of(cls, v: View) -> _Cells:
        meant = v.cells
        several = len(v.grid.columns) > 1
        names = v.piece.sentence.names
        rows = dict.fromkeys((*v.rows, *(n.name for n in names if n.axis == "row"), *v.given_rows))
        columns = dict.fromkeys((*v.columns, *(n.name for n in names if n.axis == "column"), *v.given_columns))
        named = meant if v.rows or (v.columns and several) else []
        reached = v.grid.cells(rows or v.grid.rows, columns or v.open_columns) if rows or (columns and several) else []
        return cls(meant, named, reached)


_LEVELS = ("own", "sentence", "worked", "count", "read", "worked elsewhere", "nowhere")
_FEW = 14
"""So many cells at most are combined in pairs."""


def _level(v: View, number: Number, cells: _Cells) -> int:
    """How close to what the piece names a number is explained: its place among the levels."""
    amount = number.amount
    explained: tuple[Callable[[], bool], ...] = (
        lambda: _is_among(amount, cells.named),
        lambda: _is_among(amount, cells.reached),
        lambda: _is_outcome(amount, cells.reached[:_FEW], v),
        lambda: counts_rows(v, number),
        lambda: _is_among(amount, v.grid.model.cells),
        lambda: _is_outcome_of_columns(amount, v),
    )
    return next((level for level, holds in enumerate(explained) if holds()), len(explained))


def _is_among(amount: Amount, cells: Iterable[Cell]) -> bool:
    return any(agrees(amount, cell) == "same" for cell in cells)


def _is_outcome_of_columns(amount: Amount, v: View) -> bool:
    columns = v.columns or v.grid.columns
    return any(_is_outcome(amount, v.grid.cells(v.grid.rows, [column])[:_FEW], v) for column in columns)


class _Outcome(NamedTuple):
    """What was worked out of a cell; `bare` where it has not the cell's unit but `unit`."""

    cell: Cell
    value: float
    bare: bool = False
    unit: str | None = None

    def as_cell(self) -> Cell:
        return pure(self.cell, self.value, self.unit) if self.bare else self.cell.with_value(self.value)


def _is_outcome(amount: Amount, cells: Sequence[Cell], v: View) -> bool:
    """Whether cells come to a number in pairs or together: a sum, difference, mean, ratio, change or part."""
    if not cells:
        return False
    may_be = _rough_test(amount, v.grid.model.cells)
    relative = amount.quantity.unit == "percent" or is_part(amount)
    outcomes = itertools.chain(_pair_outcomes(cells, relative), _line_outcomes(cells, v, relative))
    return any(may_be(one.value) and agrees(amount, one.as_cell()) == "same" for one in outcomes)


def _rough_test(amount: Amount, cells: Sequence[Cell]) -> Callable[[float], bool]:
    """Whether a value can be what an amount says at all: a quick test that lets pass whatever `agrees` might."""
    quantity = amount.quantity
    if amount.bound != "=" or amount.high is not None or not quantity.value:
        return lambda value: True
    scales = {1.0, quantity.scale, *(1.0 / cell.scale for cell in cells)}
    units = {cell.unit for cell in cells} - {None, quantity.unit}
    factors = {1.0, 0.01, 100.0, *(conversion(quantity.unit, unit) or 1.0 for unit in units if unit and quantity.unit)}
    scales |= {a * b for a in scales for b in scales} | {quantity.scale / scale for scale in (1e3, 1e6, 1e9)}
    said = {quantity.value * scale * factor for scale in scales for factor in factors}
    slack = max((cell.constraint.error or 0.0 for cell in cells), default=0.0) + 1e-8

    def may_be(value: float) -> bool:
        size = abs(value)
        return any(abs(one - value) <= _ROUGH * max(abs(one), size) + slack for one in said)

    return may_be


_ROUGH = 0.13


def _pair_outcomes(cells: Sequence[Cell], relative: bool) -> Iterator[_Outcome]:
    for a, b in itertools.combinations(cells, 2):
        if a.row != b.row and a.column != b.column:
            continue
        x, y = a.value, b.value
        yield from (_Outcome(a, value) for value in (abs(x - y), x + y, (x + y) / 2))
        if x and y:
            yield from (_Outcome(a, value, bare=True) for value in (x / y, y / x))
            for part in (abs(x - y) / abs(x), abs(x - y) / abs(y)) if relative else ():
                yield _Outcome(a, part, bare=True)
                yield _Outcome(a, 100 * part, bare=True, unit="percent")


def _line_outcomes(cells: Sequence[Cell], v: View, relative: bool) -> Iterator[_Outcome]:
    for line in filter(None, _lines(cells, v)):
        total = sum(cell.value for cell in line)
        yield from (_Outcome(line[0], value) for value in (total, total / len(line)))
        for cell in line if total and relative else ():
            yield _Outcome(cell, cell.value / total, bare=True)
            yield _Outcome(cell, 100 * cell.value / total, bare=True, unit="percent")


def _lines(cells: Sequence[Cell], v: View) -> Iterator[Sequence[Cell]]:
    """The rows and columns that some cells stand in, without totals; and the cells themselves."""
    yield cells
    for column in {cell.column for cell in cells}:
        yield [c for c in v.grid.cells(v.grid.rows, [column]) if not is_whole(c.row)]
        yield [c for c in cells if c.column == column]
    for row in {cell.row for cell in cells} if len(v.grid.columns) > 1 else ():
        yield [c for c in v.grid.cells([row], v.grid.columns) if not is_whole(c.column)]
        yield [c for c in cells if c.row == row]


def _is_neighbour(v: View, amount: Amount, own: Sequence[Cell]) -> bool:
    """Whether a number stands in the row or column that is meant, at another name."""
    if _is_among(amount, own):
        return False
    beside = v.grid.cells(v.rows, v.grid.columns) + v.grid.cells(v.grid.rows, v.columns or v.grid.columns)
    return _is_among(amount, beside)


def _is_shuffled(amount: Amount, own: Sequence[Cell]) -> bool:
    """Whether a number has the digits of what is meant in another order, or all but one of them."""
    said = _digits(amount.quantity.value)
    return len(said) > 1 and any(_are_shuffled(said, _digits(cell.value)) for cell in own)


def _are_shuffled(said: str, read: str) -> bool:
    if sorted(said) == sorted(read):
        return said != read
    return len(read) == len(said) > 2 and sum(a != b for a, b in zip(said, read, strict=True)) == 1


def _digits(value: float) -> str:
    return f"{abs(value):.10g}".replace(".", "").strip("0")


def _is_near(amount: Amount, own: Sequence[Cell]) -> bool:
    return any(0 < abs(amount.quantity.value - cell.value) < 0.25 * abs(cell.value) for cell in own)
