"""A piece with what it is about: the rows and columns that it names, else those of what was said before it.

How far a name was fetched from (`OWN`, `NEAR`, `FAR`, `OPEN`) is kept beside it: what leans on another sentence may be confirmed, but is
rarely refuted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import TypeAlias

from evpv.language.forms import Amount
from evpv.language.immutable import remembering
from evpv.language.number_words import clock_number
from evpv.language.quantities import conversion
from evpv.language.tokens import stem
from evpv.premises.figure import Cell
from evpv.premises.statements.dimensions import columns_of_dimension
from evpv.premises.statements.grid import Grid, is_whole
from evpv.premises.statements.marks import Marked
from evpv.premises.statements.names import Name
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.pieces import Piece

OWN, NEAR, FAR, OPEN = 0, 1, 2, 3
"""Where a name comes from: the piece, its sentence or lead, another sentence, nowhere."""
UNCLEAR = "it is open which of the values read the claim means."
STRANGE = "the claim names something of which nothing was read."
TIMES = frozenset("year month day week quarter season years days months".split())
_BACK = frozenset("before previous earlier preceding prior".split())
_ON = frozenset("later following next after followed subsequent".split())
_PRONOUNS = frozenset(
    "it its they them their he she his her him this that these those both ones which who former latter".split()
)
_PLURAL = frozenset("they them their both these those".split())
_Names: TypeAlias = tuple[str, ...]
_Sourced: TypeAlias = tuple[_Names, int]
"""Names with where they come from."""


@dataclass(slots=True)
class Context:
    """What was said so far: rows and columns of the sentence (`near`) and of the one before (`far`); the rank that a “next” would have
    (`ladder`), the cells that were read last (`used`), every row that was spoken of (`seen`), and the last `limit`."""

    near_rows: _Names = ()
    near_columns: _Names = ()
    far_rows: _Names = ()
    far_columns: _Names = ()
    far_group: _Names = ()
    far_column_group: _Names = ()
    ladder: tuple[str, int] | None = None
    used: tuple[Cell, ...] = ()
    seen: _Names = ()
    limit: Amount | None = None

    def note(self, rows: Sequence[str], columns: Sequence[str]) -> None:
        """What the next piece of the sentence may lean on."""
        self.near_rows = tuple(rows) or self.near_rows
        self.seen = tuple(dict.fromkeys((*self.seen, *rows)))
        self.near_columns = tuple(columns) or self.near_columns

    def end_sentence(self, rows: Sequence[_Names], columns: Sequence[_Names]) -> None:
        """The names of each piece of a sentence that ends become those of another."""
        self.far_rows = next(filter(None, rows), self.far_rows)
        self.far_columns = next(filter(None, columns), self.far_columns)
        self.far_group = all_names(rows) or self.far_group
        self.far_column_group = all_names(columns) or self.far_column_group
        self.near_rows = self.near_columns = ()


_FIELDS = attrgetter(*Context.__slots__)


def ends_given(piece: Piece, context: Context, grid: Grid) -> set[str]:
    """The two times that were spoken of right before, where a piece tells of another line how it moved: “from 2019 to 2021 imports rose by 3
    while exports fell by 2”."""
    given, line, other = context.near_rows, grid.line_rows, "column"
    if not grid.timed_rows:
        given, line, other = context.near_columns, grid.line_columns if grid.timed_columns else (), "row"
    moves = piece.has("rises", "falls") is not None or any(n.role == "by" for n in piece.numbers)
    of_other_line = moves and {name.axis for name in piece.names} == {other}
    return {*given} if of_other_line and len({*given} & {*line}) == len(given) == 2 else set()


def all_names(groups: Sequence[_Names]) -> _Names:
    """The names of several groups, each once."""
    return tuple(dict.fromkeys(itertools.chain.from_iterable(groups)))


@remembering
class View:
    """A piece of a sentence about cells of a grid."""

    grid: Grid
    piece: Piece
    rows: _Names
    columns: _Names
    row_from: int
    column_from: int
    context: Context

    @property
    def given_rows(self) -> _Names:
        """The rows that were spoken of before."""
        return self.context.near_rows or self.context.far_rows

    @property
    def given_columns(self) -> _Names:
        return self.context.near_columns or self.context.far_columns

    @property
    def own_rows(self) -> _Names:
        return self.rows if self.row_from == OWN else ()

    @property
    def own_columns(self) -> _Names:
        return self.columns if self.column_from == OWN and len(self.grid.columns) > 1 else ()

    @property
    def leaning_rows(self) -> _Names:
        """The rows of its sentence that it goes on with, or those that a pronoun stands for."""
        return self.rows if self.row_from == NEAR or self.pronoun else ()

    @property
    def is_named(self) -> bool:
        """Whether the piece itself names a row or column."""
        return bool(self.own_rows or self.own_columns)

    @property
    def is_timed(self) -> bool:
        """Whether the figure's rows or columns run in time."""
        return self.grid.timed_rows or self.grid.timed_columns

    @cached_property
    def amounts(self) -> list[Amount]:
        return [number.amount for number in self.piece.numbers]

    @property
    def has_bound(self) -> bool:
        """Whether a number of it is only bounded: “more than 5”."""
        return any(amount.bound != "=" for amount in self.amounts)

    @cached_property
    def pronoun(self) -> bool:
        return not _PRONOUNS.isdisjoint(self.piece.words)

    @property
    def is_bound(self) -> bool:
        """Whether what it is about is said plainly enough for it to be refuted."""
        far = FAR in (self.row_from, self.column_from)
        return not (far and not self.pronoun and self.row_from != OWN)

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells it names; of an axis that it leaves open, all."""
        return self.grid.cells(self.rows or self.grid.rows, self.likely_columns)

    @cached_property
    def named_cells(self) -> list[Cell]:
        """The cells it names; none if it leaves all open."""
        return self.cells if self.rows or (self.columns and len(self.grid.columns) > 1) else []

    @cached_property
    def cells_around(self) -> list[Cell]:
        """The cells of what its sentence names and of what was spoken of before."""
        names = self.piece.sentence.names
        rows = dict.fromkeys((*self.rows, *(n.name for n in names if n.axis == "row"), *self.given_rows))
        columns = dict.fromkeys((*self.columns, *(n.name for n in names if n.axis == "column"), *self.given_columns))
        if not rows and not (columns and len(self.grid.columns) > 1):
            return []
        return self.grid.cells(rows or self.grid.rows, columns or self.open_columns)

    @cached_property
    def open_columns(self) -> _Names:
        """The columns that may be meant where none is named: those with the unit that is said, else all but totals."""
        fitting = _columns_of_unit(self.piece, self.grid) or columns_of_dimension(self.piece, self.grid)
        return fitting or self.part_columns

    @cached_property
    def part_rows(self) -> _Names:
        """The rows that do not give the whole of others: a sum must not count twice."""
        return tuple(name for name in self.grid.rows if not is_whole(name))

    @cached_property
    def part_columns(self) -> _Names:
        return tuple(name for name in self.grid.columns if not is_whole(name))

    @property
    def likely_columns(self) -> _Names:
        """The columns that are meant, or may be."""
        return self.columns or self.open_columns

    @cached_property
    def row_span(self) -> _Names:
        """The rows that a span takes in: “from Sunday through Thursday”, “after 2017”; () where none is said."""
        return _span(self.piece, "row", self.grid.line_rows, self.given_rows)

    @cached_property
    def column_span(self) -> _Names:
        return _span(self.piece, "column", self.grid.line_columns, self.given_columns)

    def has(self, *words: str) -> bool:
        return not self.piece.word_set.isdisjoint(words)

    def has_any(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.piece.word_set)


def view(piece: Piece, context: Context, grid: Grid) -> View:
    """What a piece is about."""
    rows, row_from = _rows_meant(piece, context, grid)
    columns, column_from = _columns_meant(piece, context, grid, rows)
    return View(
        grid=grid,
        piece=piece,
        rows=rows,
        columns=columns,
        row_from=row_from,
        column_from=column_from,
        context=Context(*_FIELDS(context)),
    )


def _rows_meant(piece: Piece, context: Context, grid: Grid) -> _Sourced:
    if len(grid.rows) == 1:
        return grid.rows, OWN
    line = grid.line_rows if grid.timed_rows else ()
    own = _rows_said(piece, grid) or _time_beside(piece, context.near_rows or context.far_rows, line)
    if own:
        return own, OWN
    bracketed = _names_of_bracket(piece, "row")
    if bracketed:
        return bracketed, NEAR
    plural = len(context.far_group) > 1 and not _PLURAL.isdisjoint(piece.words)
    return _names_given(context.near_rows, context.far_group if plural else context.far_rows)


def _columns_meant(piece: Piece, context: Context, grid: Grid, rows: _Names) -> _Sourced:
    if len(grid.columns) < 2:
        return grid.columns, OWN
    line = grid.line_columns if grid.timed_columns and (not grid.timed_rows or piece.names_of("row")) else ()
    own = piece.names_of("column") or _time_beside(piece, context.near_columns or context.far_columns, line)
    if own:
        return own, OWN
    bracketed = _names_of_bracket(piece, "column")
    if bracketed:
        return bracketed, NEAR
    return _columns_given(piece, context, grid, rows)


def _columns_given(piece: Piece, context: Context, grid: Grid, rows: _Names) -> _Sourced:
    """Those that were spoken of before, unless the piece has a unit that they have not; the only one in which a row has a value."""
    columns, source = _names_given(context.near_columns, context.far_columns)
    fitting = _columns_of_unit(piece, grid, single=True) or columns_of_dimension(piece, grid)
    if fitting and not set(columns) <= set(fitting):
        columns, source = (fitting, OWN) if len(fitting) == 1 else ((), OPEN)
    found = grid.cells(rows, grid.columns) if not columns and len(rows) == 1 else []
    return ((found[0].column,), OWN) if len(found) == 1 else (columns, source)


def _names_of_bracket(piece: Piece, axis: str) -> _Names:
    """The name right before brackets, or before a “with 40”, that hold one number."""
    if len(piece.numbers) != 1:
        return ()
    if piece.words[0] in ("with", "at"):
        before = (n.name for n in piece.sentence.names if n.axis == axis and piece.first - n.last == 1)
        return tuple(before)[-1:]
    return piece.names_before_bracket(axis) if piece.aside else ()


def _names_given(near: _Names, far: _Names) -> _Sourced:
    if near:
        return near, NEAR
    return far, FAR if far else OPEN


def _columns_of_unit(piece: Piece, grid: Grid, *, single: bool = False) -> _Names:
    """The columns that have the unit of a piece's numbers, or one that it can be told in (562 cm of a column in meters), where others have
    another or none; `single`: if it has only one."""
    units = {number.amount.quantity.unit for number in piece.numbers} - {None, "percent"}
    if not units or (single and len(units) > 1):
        return ()
    measured = {c: {cell.unit for cell in grid.cells(grid.rows, [c])} - {None} for c in grid.columns}
    same = tuple(c for c, known in measured.items() if known & units)
    return same or _columns_convertible(units, measured)


def _columns_convertible(units: Set[str | None], measured: Mapping[str, Set[str | None]]) -> _Names:
    pairs = {c: itertools.product(units, known) for c, known in measured.items()}
    return tuple(c for c in pairs if any(a and b and conversion(a, b) is not None for a, b in pairs[c]))


_UPWARD = frozenset("more older over above higher greater up +".split())
_DOWNWARD = frozenset("less fewer younger under below lower".split())


def _rows_said(piece: Piece, grid: Grid) -> _Names:
    """The rows that are named; where rows are numbers, “two or more” are all from there on, and “at most 3” all up to there."""
    rows = piece.names_of("row")
    if len(rows) != 1 or rows[0] not in grid.line_rows or grid.timed_rows:
        return rows
    line, at = grid.line_rows, grid.line_rows.index(rows[0])
    name = next(n for n in piece.names if n.axis == "row")
    tag, inside = next(_bounds_said(piece.sentence, name), ("", False))
    if tag == "over":
        return line[at + (not inside) :]
    return line[: at + inside] if tag else rows


def _bounds_said(sentence: Marked, name: Name) -> Iterator[tuple[str, bool]]:
    """Whether a number is said with all “over” or “under” it, and whether these take it in."""
    number = min((i for i in name.places if sentence.tokens[i].is_number), default=name.last)
    after = {sentence.word(number + 1), sentence.word(number + 2)}
    if after & {"or", "and", "+"} and after & _UPWARD:
        yield "over", True
    if "or" in after and after & _DOWNWARD:
        yield "under", True
    for cue in sentence.cues:
        if cue.tag in ("over", "under") and name.first - cue.last in (1, 2):
            yield cue.tag, cue.words.startswith(("at ", "no ", "a m"))


# Times beside the one that was spoken of: “a year later”, “the month before”.


def _time_beside(piece: Piece, given: _Names, line: _Names) -> _Names:
    if not line or TIMES.isdisjoint(piece.words) or piece.has("than"):
        return ()
    step = step_in_time(piece.words)
    return name_beside(given[-1:], step, line) if step else ()


def step_in_time(words: Sequence[str]) -> int:
    """How many times before (below 0) or after the one that was spoken of words point at; 0 if at none. “Before falling” is no time."""
    words = [
        word
        for word, following in itertools.pairwise((*words, ""))
        if not following.endswith("ing") or word not in _BESIDE
    ]
    step = -1 if not _BACK.isdisjoint(words) else int(not _ON.isdisjoint(words))
    for many, noun, side in zip(words, words[1:], words[2:], strict=False):
        if stem(noun) in _LASTING and side in _BESIDE and (count := clock_number(many)):
            return count * (-1 if side in _BACK else 1)
    return step


_LASTING = TIMES | {"hour", "decade"}
_BESIDE = _BACK | _ON | {"on"}


def name_beside(names: Sequence[str], step: int, line: Sequence[str]) -> _Names:
    """The name so many steps from another on a line; of years, so many years from it."""
    if len(names) != 1 or names[0] not in line:
        return ()
    if abs(step) > 1 and all(name[:4].isdecimal() for name in line):
        return tuple(name for name in line if int(name[:4]) == int(names[0][:4]) + step)
    place = line.index(names[0]) + step
    return (line[place],) if 0 <= place < len(line) else ()


# Spans of a line.


def _span(piece: Piece, axis: str, line: _Names, given: _Names) -> _Names:
    words = piece.words
    names = [name for name in piece.names_of(axis) if name in line]
    if len(names) > 1:
        spans = len(names) == 2 and not (_SPAN_STARTS.isdisjoint(words) or _SPAN_ENDS.isdisjoint(words))
        first, last = sorted(map(line.index, names[:2]))
        return line[first : last + 1] if spans else ()
    counted = () if names else _counted_span(words, line)
    return counted or _pointed_span(piece, names, line, given)


def _counted_span(words: Sequence[str], line: _Names) -> _Names:
    """“The last three years”, “the first two months”."""
    for word, following, noun in zip(words, words[1:], words[2:], strict=False):
        if word in ("first", "last") and stem(noun) in TIMES and (many := clock_number(following)):
            return line[:many] if word == "first" else line[-many:]
    return ()


def _pointed_span(piece: Piece, names: Sequence[str], line: _Names, given: _Names) -> _Names:
    """What lies on one side of a name, or of what was spoken of before: “after 2017”, “since then”."""
    opening = pointer(piece)
    if opening:
        names = [name for name in given[-1:] if name in line]
    if not names:
        return ()
    return _open_span(line, line.index(names[0]), opening or piece.word_before(names[0]), piece.word_set)


_SPAN_STARTS = frozenset("between from through until -".split())
_SPAN_ENDS = frozenset("and to through until -".split())


def pointer(piece: Piece) -> str:
    """“Before that”, “since then”, “from then on”, “thereafter”; “then”, where it opens the piece."""
    words = piece.words
    if (
        words[-1] == "since"
        or not _THEREAFTER.isdisjoint(words)
        or "then" in (words[0], piece.sentence.word(piece.first - 1))
    ):
        return "since"
    pairs = itertools.pairwise(words)
    said = (a for a, b in pairs if b in ("that", "then") and a in ("before", "after", "since", "from"))
    return next(said, "").replace("from", "since")


_THEREAFTER = frozenset({"thereafter", "afterwards"})


def _open_span(line: _Names, at: int, opening: str, words: frozenset[str]) -> _Names:
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


# Numbers that may be names.

_SAYING = ("most", "least", "rises", "falls", "steady", "same", "beats", "trails", "than", "as", "twice", "not")


def variants(piece: Piece) -> Iterator[Piece]:
    """The ways to take numbers that may be names of rows: as values, or one of them, or all, as names."""
    doubtful = [number for number in piece.numbers if number.may_name]
    if not doubtful:
        yield piece
        return
    if _compares_names(piece, doubtful):
        yield _variant(piece, doubtful, doubtful)
        return
    for many in range(min(len(doubtful), 3) + 1):
        for chosen in itertools.combinations(doubtful, many):
            variant = _variant(piece, doubtful, chosen)
            if variant.numbers or piece.has(*_SAYING):
                yield variant


def _compares_names(piece: Piece, doubtful: Sequence[StatedNumber]) -> bool:
    """Whether numbers only name what is held against each other: “fewer students scored 0 than 2”."""
    more, than = piece.has("more", "less"), piece.has("than")
    if more is None or than is None or len(doubtful) != len(piece.numbers) or doubtful[-1].first < than.first:
        return False
    return any(name.axis == "row" and more.last < name.first < than.first for name in piece.names)


def _variant(piece: Piece, doubtful: Sequence[StatedNumber], chosen: Sequence[StatedNumber]) -> Piece:
    """The piece in which the chosen ones of its doubtful numbers are names, the others values."""
    places, named = ({i for n in group for i in range(n.first, n.last + 1)} for group in (doubtful, chosen))
    names = tuple(n for n in piece.names if not n.places <= places or n.first in named)
    return replace(piece, names=names, numbers=tuple(n for n in piece.numbers if n not in chosen))
