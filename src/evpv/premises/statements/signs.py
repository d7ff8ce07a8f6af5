"""Signs by which a finding on a piece is believed or not: how it was read, what its numbers are, and what of its words is left over.

Each sign is the name of something that is so; `trust.py` has what each has turned out to be worth on labelled steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from evpv.language.forms import Amount
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding
from evpv.premises.statements.grid import is_known, is_whole
from evpv.premises.statements.strangers import is_other_attribute, names_absent, unknown_nouns
from evpv.premises.statements.verdicts import agrees, counts_rows, is_part, pure
from evpv.premises.statements.views import OPEN, View

_FROM = ("own", "near", "far", "open")
_FEW = 14
"""So many cells at most are combined in pairs."""
_REACHING = frozenset(
    "all both each every only other others rest remaining alone same except half twice double former latter first second last next "
    "another either neither any anyone everyone none".split()
)


def signs(v: View, finding: Finding | None, form: str) -> frozenset[str]:
    """What is so of a piece and of what was found of it."""
    state = finding_state(finding)
    found = {state, f"{form} {state}"}
    if finding is not None and finding.otherwise is not None:
        found |= {"otherwise", f"otherwise {form}"}
    if finding is not None:
        found |= {f"{sign} {state}" for sign in finding.signs}
        found |= {f"{sign} {form} {state}" for sign in finding.signs}
    found |= {f"row {_FROM[v.row_from]} {state}", f"column {_FROM[v.column_from]} {state}"}
    numbers = [*number_signs(v)]
    found |= {f"number {sign} {state}" for sign in numbers}
    found |= {
        f"number {sign} {form} {state}" for sign in numbers if sign.startswith(("worst", "neighbour", "digits", "off"))
    }
    found |= {f"row {_FROM[v.row_from]} column {_FROM[v.column_from]} {form} {state}"}
    whole = [sum(n.whole for n in v.piece.names if n.axis == axis) for axis in ("row", "column")]
    if 2 in whole and not _REACHING & {*v.piece.words} and len(v.piece.words) < _BRIEF:
        found |= {f"two names {form} {state}", f"two names {state}"}
    if _is_plain(v):
        found |= {f"plain {form} {state}", f"plain {state}"}
    found |= {f"{sign} {state}" for sign in _word_signs(v)}
    found |= {f"cue {cue.tag} {state}" for cue in v.piece.cues}
    return frozenset(found)


_BRIEF = 15


def _is_plain(v: View) -> bool:
    """Whether a piece names one row whole, its column if there are several, and one number, and little else."""
    rows = [n for n in v.piece.names if n.axis == "row"]
    columns = [n for n in v.piece.names if n.axis == "column"]
    many = len(v.grid.columns) > 1
    named = len(rows) == 1 and rows[0].whole and (not many or (len(columns) == 1 and columns[0].whole))
    return named and len(v.piece.numbers) == 1 and not _REACHING & {*v.piece.words} and not v.piece.cues


def finding_state(finding: Finding | None) -> str:
    if finding is None:
        return "unsaid"
    return finding.why_missing if finding.verdict == "missing" else finding.verdict


def _word_signs(v: View) -> Iterator[str]:
    piece = v.piece
    unknown = unknown_nouns(v)
    yield f"unknown {min(unknown, 4)}"
    if names_absent(piece, v.grid):
        yield "absent"
    if is_other_attribute(v):
        yield "other attribute"
    if piece.derived:
        yield "derived"
    if piece.aside:
        yield "aside"
    if v.pronoun:
        yield "pronoun"
    yield from (f"word {word}" for word in sorted(_REACHING & {*piece.words}))
    if piece.denial:
        yield "denied"
    yield f"numbers {min(len(piece.numbers), 3)}"
    yield f"names {min(len(piece.names), 3)}"
    yield f"length {min(len(piece.words) // 5, 5)}"
    strange = [t for t in piece.tokens if t.is_word and t.is_content and not is_known(t.stem, v.grid)]
    yield f"strange {min(len(strange), 6)}"
    if v.row_from == OPEN and not piece.names:
        yield "nameless"
    yield from {f"says {t.stem}" for t in piece.tokens if t.is_word and len(t.stem) > 1}
    for name in piece.names:
        if name.loose:
            yield f"loose {name.axis}"
        elif not name.whole:
            yield f"part of {name.axis}"


def number_signs(v: View) -> Iterator[str]:
    """What the worst and the best of a piece's numbers are."""
    levels = [_level(v, i) for i in range(len(v.piece.numbers))]
    if levels:
        worst = levels.index(max(levels))
        yield f"worst {_LEVELS[levels[worst]]}"
        yield f"best {_LEVELS[min(levels)]}"
        amount = v.piece.numbers[worst].stated.amount
        digits = len(_digits(amount.quantity.value))
        yield f"digits {min(digits, 4)} {_LEVELS[levels[worst]]}"
        if v.rows and (own := v.cells()):
            off = min(abs(amount.quantity.value - c.value) / max(abs(c.value), 1e-9) for c in own)
            yield f"off {next((size for size in (0.02, 0.1, 0.3, 1, 5) if off <= size), 9)}"
        yield from {"neighbour" for n in v.piece.numbers if _neighbour(v, n.stated.amount)}
        yield from {"shuffled" for n in v.piece.numbers if _shuffled(v, n.stated.amount)}
        yield from {"near" for n in v.piece.numbers if _near(v, n.stated.amount)}
    for number in v.piece.numbers:
        quantity = number.stated.amount.quantity
        if number.stated.amount.bound != "=":
            yield "bound"
        if quantity.spelled:
            yield "spelled"
        if quantity.unit == "percent":
            yield "percent"
        if is_part(number.stated.amount):
            yield "part"
        if number.stated.role:
            yield f"role {number.stated.role}"
        if quantity.value.is_integer() and quantity.value <= 12:
            yield "small"


_LEVELS = ("own", "sentence", "worked", "count", "read", "worked elsewhere", "nowhere")


def _level(v: View, i: int) -> int:
    """How close to what the piece names a number is explained."""
    number = v.piece.numbers[i]
    amount = number.stated.amount
    own = v.cells() if v.rows or (v.columns and len(v.grid.columns) > 1) else []
    if _has(amount, own):
        return 0
    around = around_cells(v)
    if _has(amount, around):
        return 1
    if any(_has(amount, cells) for cells in worked(around[:_FEW], v, amount)):
        return 2
    if counts_rows(v, number):
        return 3
    if _has(amount, v.grid.model.cells):
        return 4
    if any(_has(amount, cells) for cells in _everywhere(v, amount)):
        return 5
    return 6


def around_cells(v: View) -> list[Cell]:
    """The cells of what the sentence names and of what was spoken of before."""
    names = v.piece.sentence.names
    rows = dict.fromkeys((*v.rows, *(n.name for n in names if n.axis == "row"), *v.given_rows))
    columns = dict.fromkeys((*v.columns, *(n.name for n in names if n.axis == "column"), *v.given_columns))
    if not rows and not (columns and len(v.grid.columns) > 1):
        return []
    return v.grid.cells(rows or v.grid.rows, columns or v.open_columns())


def _has(amount: Amount, cells: Sequence[Cell]) -> bool:
    return any(agrees(amount, cell) == "same" for cell in cells)


def worked(cells: Sequence[Cell], v: View, amount: Amount) -> Iterator[list[Cell]]:
    """What cells come to in pairs and together: sums, differences, ratios, changes and parts."""
    for a, b in itertools.combinations(cells, 2):
        if a.row != b.row and a.column != b.column:
            continue
        yield [
            a.with_value(abs(a.value - b.value)),
            a.with_value(a.value + b.value),
            a.with_value((a.value + b.value) / 2),
        ]
        if a.value and b.value:
            yield [pure(a, a.value / b.value), pure(a, b.value / a.value)]
            if amount.quantity.unit == "percent" or is_part(amount):
                gap = abs(a.value - b.value)
                yield [pure(a, part, None) for part in (gap / abs(a.value), gap / abs(b.value))]
                yield [pure(a, 100 * gap / abs(one.value), "percent") for one in (a, b)]
    for line in filter(None, lines(cells, v)):
        total = sum(cell.value for cell in line)
        yield [line[0].with_value(total), line[0].with_value(total / len(line))]
        if total and (amount.quantity.unit == "percent" or is_part(amount)):
            yield [pure(c, 100 * c.value / total, "percent") for c in line]
            yield [pure(c, c.value / total) for c in line]


def lines(cells: Sequence[Cell], v: View) -> Iterator[list[Cell]]:
    """The rows and columns that some cells stand in, without totals; and the cells themselves."""
    yield list(cells) if cells else []
    for column in {cell.column for cell in cells}:
        yield [c for c in v.grid.cells(v.grid.rows, [column]) if not is_whole(c.row)]
        yield [c for c in cells if c.column == column]
    if len(v.grid.columns) > 1:
        for row in {cell.row for cell in cells}:
            yield [c for c in v.grid.cells([row], v.grid.columns) if not is_whole(c.column)]
            yield [c for c in cells if c.row == row]


def _everywhere(v: View, amount: Amount) -> Iterator[list[Cell]]:
    for column in v.columns or v.grid.columns:
        yield from worked(v.grid.cells(v.grid.rows, [column])[:_FEW], v, amount)


def _neighbour(v: View, amount: Amount) -> bool:
    """Whether a number stands in the row or column that is meant, at another name."""
    if not v.rows:
        return False
    own = v.cells()
    if _has(amount, own):
        return False
    beside = v.grid.cells(v.rows, v.grid.columns) + v.grid.cells(v.grid.rows, v.columns or v.grid.columns)
    return _has(amount, beside)


def _shuffled(v: View, amount: Amount) -> bool:
    """Whether a number has the digits of what is meant in another order, or all but one of them."""
    said = _digits(amount.quantity.value)
    return len(said) > 1 and any(
        (sorted(said) == sorted(read) and said != read)
        or (len(read) == len(said) > 2 and sum(a != b for a, b in zip(said, read, strict=True)) == 1)
        for read in (_digits(cell.value) for cell in (v.cells() if v.rows else ()))
    )


def _digits(value: float) -> str:
    return f"{abs(value):.10g}".replace(".", "").strip("0")


def _near(v: View, amount: Amount) -> bool:
    return any(
        0 < abs(amount.quantity.value - cell.value) < 0.25 * abs(cell.value) for cell in (v.cells() if v.rows else ())
    )
