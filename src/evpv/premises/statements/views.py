"""A piece with what it is about: the rows and columns that it names, else those of what was said before it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.language.number_words import clock_number
from evpv.language.tokens import stem
from evpv.premises.figure import Cell
from evpv.premises.statements.grid import Grid, is_whole
from evpv.premises.statements.pieces import Piece

OWN, NEAR, FAR, OPEN = 0, 1, 2, 3
"""Where a name comes from: the piece, its sentence or lead, another sentence, nowhere."""
PRONOUNS = frozenset(
    "it its they them their he she his her him this that these those both ones which who former latter".split()
)
_PLURAL = frozenset("they them their both these those".split())
UNCLEAR = "it is open which of the values read the claim means."
STRANGE = "the claim names something of which nothing was read."


@dataclass(slots=True)
class Context:
    """What was said so far: rows and columns of the sentence (`near`) and of the one before (`far`)."""

    near_rows: tuple[str, ...] = ()
    near_columns: tuple[str, ...] = ()
    far_rows: tuple[str, ...] = ()
    far_columns: tuple[str, ...] = ()
    far_group: tuple[str, ...] = ()
    far_column_group: tuple[str, ...] = ()
    ladder: tuple[str, int] | None = None
    used: tuple[Cell, ...] = ()
    seen: tuple[str, ...] = ()

    def note(self, rows: Sequence[str], columns: Sequence[str]) -> None:
        """What the next piece of the sentence may lean on."""
        self.near_rows = tuple(rows) or self.near_rows
        self.seen = tuple(dict.fromkeys((*self.seen, *rows)))
        self.near_columns = tuple(columns) or self.near_columns

    def next_sentence(
        self, rows: Sequence[str], columns: Sequence[str], group: Sequence[str], column_group: Sequence[str]
    ) -> None:
        """Names of the sentence that ends become those of another."""
        self.far_column_group = tuple(column_group) or self.far_column_group
        self.far_rows = tuple(rows) or self.far_rows
        self.far_columns = tuple(columns) or self.far_columns
        self.far_group = tuple(group) or self.far_group
        self.near_rows = self.near_columns = ()


@immutable
class View:
    """A piece of a sentence about cells of a grid."""

    grid: Grid
    piece: Piece
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_from: int
    column_from: int
    context: Context

    @property
    def given_rows(self) -> tuple[str, ...]:
        """The rows that were spoken of before."""
        return self.context.near_rows or self.context.far_rows

    @property
    def given_columns(self) -> tuple[str, ...]:
        return self.context.near_columns or self.context.far_columns

    @property
    def own_rows(self) -> tuple[str, ...]:
        return self.rows if self.row_from == OWN else ()

    @property
    def own_columns(self) -> tuple[str, ...]:
        return self.columns if self.column_from == OWN and len(self.grid.columns) > 1 else ()

    @property
    def amounts(self) -> list[Amount]:
        return [number.stated.amount for number in self.piece.numbers]

    @property
    def pronoun(self) -> bool:
        return not PRONOUNS.isdisjoint(self.piece.words)

    @property
    def is_bound(self) -> bool:
        """Whether what it is about is said plainly enough for it to be refuted."""
        far = FAR in (self.row_from, self.column_from)
        return not (far and not self.pronoun and self.row_from != OWN)

    def cells(self) -> list[Cell]:
        """The cells it names; of an axis that it leaves open, all."""
        return self.grid.cells(self.rows or self.grid.rows, self.columns or self.open_columns())

    def open_columns(self) -> list[str]:
        """The columns that may be meant where none is named: those with the unit that is said, else all."""
        units = {amount.quantity.unit for amount in self.amounts} - {None, "percent"}
        fitting = [
            name for name in self.grid.columns if units & {c.unit for c in self.grid.cells(self.grid.rows, [name])}
        ]
        return fitting or [name for name in self.grid.columns if not is_whole(name)]

    def has(self, *words: str) -> bool:
        return not set(words).isdisjoint(self.piece.words)


def view(piece: Piece, context: Context, grid: Grid) -> View:
    """What a piece is about."""
    rows, columns = _expanded(piece, grid), piece.named("column")
    row_from = OWN if rows else OPEN
    column_from = OWN if columns or len(grid.columns) < 2 else OPEN
    rows, columns, shifted = _beside(piece, rows, columns, context, grid)
    if shifted:
        row_from = OWN if rows else row_from
        column_from = OWN if columns else column_from
    plural = not _PLURAL.isdisjoint(piece.words)
    if piece.aside and len(piece.numbers) == 1:
        rows, row_from = (rows, row_from) if rows else _from_bracket(piece, "row")
        if len(grid.columns) > 1 and not columns:
            columns, column_from = _from_bracket(piece, "column")
    if not rows:
        far = context.far_group if plural and len(context.far_group) > 1 else context.far_rows
        rows, row_from = _taken(context.near_rows, far)
    if not columns and len(grid.columns) > 1:
        columns, column_from = _taken(context.near_columns, context.far_columns)
        fitting = _of_unit(piece, grid)
        if fitting and not set(columns) <= set(fitting):
            columns, column_from = (fitting, OWN) if len(fitting) == 1 else ((), OPEN)
    if len(grid.columns) < 2:
        columns = grid.columns
    elif not columns and len(rows) == 1 and len(found := grid.cells(rows, grid.columns)) == 1:
        columns, column_from = (found[0].column,), OWN
    if len(grid.rows) == 1:
        rows, row_from = grid.rows, OWN
    return View(
        grid=grid,
        piece=piece,
        rows=rows,
        columns=columns,
        row_from=row_from,
        column_from=column_from,
        context=replace(context),
    )


def _of_unit(piece: Piece, grid: Grid) -> tuple[str, ...]:
    """The columns that have the unit of a piece's numbers, where others have another or none."""
    units = {number.stated.amount.quantity.unit for number in piece.numbers} - {None, "percent"}
    if len(units) != 1:
        return ()
    return tuple(c for c in grid.columns if any(cell.unit in units for cell in grid.cells(grid.rows, [c])))


_UPWARD = frozenset("more older over above higher greater up".split())
_DOWNWARD = frozenset("less fewer younger under below lower".split())


def _expanded(piece: Piece, grid: Grid) -> tuple[str, ...]:
    """The rows that are named; “two or more”, where rows are numbers, are all from there on."""
    rows = piece.named("row")
    if len(rows) != 1 or rows[0] not in grid.line_rows or grid.timed_rows:
        return rows
    name = next(n for n in piece.names if n.axis == "row")
    sentence, line = piece.sentence, grid.line_rows
    at = line.index(rows[0])
    number = next((i for i in sorted(name.places) if sentence.tokens[i].is_number), name.last)
    after = {sentence.word(number + 1), sentence.word(number + 2)}
    if after & {"or", "and", "+"} and after & (_UPWARD | {"+"}):
        return line[at:]
    if "or" in after and after & _DOWNWARD:
        return line[: at + 1]
    before = sentence.words[max(0, name.first - 3) : name.first]
    bound = next(
        (c for c in sentence.cues if c.tag in ("over", "under") and c.last in (name.first - 1, name.first - 2)), None
    )
    if bound is None or not before:
        return rows
    inside = bound.words.startswith(("at ", "no ", "a m"))
    if bound.tag == "over":
        return line[at + (not inside) :]
    return line[: at + inside]


def _from_bracket(piece: Piece, axis: str) -> tuple[tuple[str, ...], int]:
    names = piece.beside_bracket(axis) if piece.follows_name else ()
    return names, NEAR if names else OPEN


def _taken(near: tuple[str, ...], far: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    if near:
        return near, NEAR
    return (far, FAR) if far else ((), OPEN)


TIMES = frozenset("year month day week quarter season years days months".split())
_BACK = frozenset("before previous earlier preceding prior".split())
_ON = frozenset("later following next after followed subsequent".split())


def _beside(
    piece: Piece, rows: tuple[str, ...], columns: tuple[str, ...], context: Context, grid: Grid
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The names with that of a time next to the one said before: “a year later”, “the month before”."""
    words = {*piece.words}
    step = -1 if words & _BACK else int(bool(words & _ON))
    if not step or not words & TIMES or piece.has("than"):
        return rows, columns, False
    if grid.timed_rows and not rows:
        found = beside((context.near_rows or context.far_rows)[-1:], step, grid.line_rows)
        return found, columns, bool(found)
    if grid.timed_columns and not columns:
        found = beside((context.near_columns or context.far_columns)[-1:], step, grid.line_columns)
        return rows, found, bool(found)
    return rows, columns, False


def beside(names: Sequence[str], step: int, line: Sequence[str]) -> tuple[str, ...]:
    """The name so many steps from another on a line."""
    if len(names) != 1 or names[0] not in line:
        return ()
    place = line.index(names[0]) + step
    return (line[place],) if 0 <= place < len(line) else ()


def span(v: View, axis: str) -> tuple[str, ...]:
    """The names of an axis that a span takes in: “from Sunday through Thursday”, “after 2017”; () where none is said."""
    line = v.grid.line_rows if axis == "row" else v.grid.line_columns
    names = [name for name in v.piece.named(axis) if name in line]
    words = {*v.piece.words}
    if (
        len(names) == 2
        and words & {"between", "from", "through", "until", "-"}
        and words & {"and", "to", "through", "until", "-"}
    ):
        first, last = sorted(map(line.index, names))
        return line[first : last + 1]
    if len(names) > 1:
        return ()
    if not names and (ends := _first_or_last(v.piece, line)):
        return ends
    opening = pointing(v.piece)
    if opening or not names:
        given = v.given_rows if axis == "row" else v.given_columns
        names = [name for name in given[-1:] if name in line] if opening else []
    else:
        opening = v.piece.before(names[0])
    return _open_span(line, line.index(names[0]), opening, words) if names else ()


def _first_or_last(piece: Piece, line: tuple[str, ...]) -> tuple[str, ...]:
    """“The last three years”, “the first two months”."""
    for word, following, noun in zip(piece.words, piece.words[1:], piece.words[2:], strict=False):
        if word in ("first", "last") and stem(noun) in TIMES and (many := clock_number(following)):
            return line[:many] if word == "first" else line[-many:]
    return ()


def pointing(piece: Piece) -> str:
    """“Before that”, “since then”, “thereafter”."""
    words = piece.words
    if words[-1] == "since" or {"thereafter", "afterwards"} & {*words}:
        return "since"
    return next(
        (a for a, b in itertools.pairwise(words) if a in ("before", "after", "since") and b in ("that", "then")), ""
    )


def _open_span(line: tuple[str, ...], at: int, opening: str, words: set[str]) -> tuple[str, ...]:
    match opening:
        case "since":
            return line[at:]
        case "from" if words & {"on", "onward", "onwards"}:
            return line[at:]
        case "after":
            return line[at + 1 :]
        case "before":
            return line[:at]
        case "until" | "till" | "through" | "to":
            return line[: at + 1]
    return ()


def variants(piece: Piece) -> Iterator[Piece]:
    """The ways to take numbers that may be names of rows: as values, or one of them, or all, as names."""
    doubtful = [number for number in piece.numbers if number.may_name]
    if not doubtful:
        yield piece
        return
    others = {i for number in doubtful for i in range(number.first, number.last + 1)}
    plain = tuple(name for name in piece.names if not name.places <= others)
    for many in range(min(len(doubtful), 3) + 1):
        for chosen in itertools.combinations(doubtful, many):
            kept = {number.first for number in chosen}
            names = tuple(n for n in piece.names if n in plain or any(c.first <= n.first <= c.last for c in chosen))
            numbers = tuple(number for number in piece.numbers if number.first not in kept)
            if numbers or piece.has(*_SAYING):
                yield replace(piece, names=names, numbers=numbers)


_SAYING = ("most", "least", "rises", "falls", "steady", "same", "beats", "trails", "than", "as", "twice", "not")
