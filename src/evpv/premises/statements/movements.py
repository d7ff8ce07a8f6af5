"""What rises, falls or stays: a row over the columns in time, or a column over rows in time or size.

A movement runs along a line of cells between two ends. Which lines and which ends are meant is often open; each possible reading is tried,
the likeliest first.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from evpv.language.forms import Amount, amount_text
from evpv.language.immutable import remembering
from evpv.language.lexicon import MOVED_BY_FACTOR, TIMES_WORDS
from evpv.language.tokens import Cue
from evpv.premises.figure import Cell
from evpv.premises.matching.values import (
    Finding,
    decide,
    first_of,
    in_words,
    missing,
    opposite,
    together,
    too_close,
    unread,
)
from evpv.premises.statements.comparisons import factor_amount
from evpv.premises.statements.gaps import holds_changes
from evpv.premises.statements.numbers import StatedNumber
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, counts_rows, decision, is_part, pure
from evpv.premises.statements.views import STRANGE, View, pointer, step_in_time

_STEADILY = frozenset(
    "every each steadily consistently continuously continually always throughout interruption monotonically constantly kept keeps"
    " keep uninterrupted without".split()
)
_STEPS = frozenset("year month day week time step quarter row single period grade".split())
_SPANNING = frozenset("from to between through until".split())
_LIMITS = frozenset("below under beneath behind above over beyond past".split())
_Line: TypeAlias = Sequence[Cell]
_Ends: TypeAlias = tuple[Cell, Cell]


@remembering
class _Movement:
    """A movement that a piece speaks of, with the lines of cells that may be meant."""

    v: View
    cue: Cue
    lines: Sequence[_Line]

    @cached_property
    def by_row(self) -> bool:
        """Whether the points of a line are rows."""
        return self.v.grid.timed_rows or not (self.v.grid.timed_columns or self.v.grid.line_columns)

    @cached_property
    def is_steady(self) -> bool:
        """Whether every step is said to go that way, or none: “each year”, “steadily”, “month after month”, “from year to year”, “never”."""
        v, words = self.v, self.v.piece.words
        if v.has("every", "each"):
            return self._is_of_every_step()
        if v.has("not"):
            return "never" in words
        adjective = self.cue.tag != "steady" and v.has("steady", "continuous", "unbroken", "constant")
        return adjective or v.has_any(_STEADILY) or _goes_by_steps(words)

    def _is_of_every_step(self) -> bool:
        """Whether “every” or “each” is of the steps: no line that moves is counted by it."""
        v, pairs = self.v, itertools.pairwise(self.v.piece.words)
        stepwise = any(b in ("every", "each") and a in ("at", "with", "from") for a, b in pairs)
        return stepwise or v.has_any(_STEPS) or (self.by_row and not v.grid.heads.isdisjoint(v.piece.stems))

    @property
    def is_never(self) -> bool:
        """Whether no step is said to go that way: “never fell”; “never fell below it” speaks of a limit."""
        piece = self.v.piece
        return piece.denial is not None and "never" in piece.words and not (piece.numbers or self.v.has_any(_LIMITS))

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is plain between which points something moves: times that are named, or of which one or both were spoken of right before
        and the amount leads to the other; or the whole of a line that runs in time."""
        v = self.v
        if not (_ELSEWHERE - v.grid.vocabulary).isdisjoint(v.piece.words):
            return False
        if self.is_steady or self.is_never:
            return True
        points = self.points(self.lines[0])
        if v.is_timed:
            return bool(points) or self._is_plain_from_before()
        return len(points) > 1 and v.has_any(_SPANNING)

    def _is_plain_from_before(self) -> bool:
        v = self.v
        near = v.context.near_rows if self.by_row else v.context.near_columns
        if len(near) == 2 or (len(near) == 1 and v.amounts):
            return True
        moves = [cue for cue in v.piece.sentence.cues if cue.tag in ("rises", "falls", "steady")]
        return len(moves) == 1 and (v.has_any(_WHOLLY) or len(self.lines[0]) == 2)

    def points(self, line: _Line) -> list[Cell]:
        """The cells of a line at the times that the piece names, in that order."""
        return self.cells_at(line, self.v.own_rows if self.by_row else self.v.own_columns)

    def given_points(self, line: _Line) -> list[Cell]:
        """The cells of a line at the times that were named before."""
        return self.cells_at(line, self.v.given_rows if self.by_row else self.v.given_columns)

    def cells_at(self, line: _Line, names: Sequence[str]) -> list[Cell]:
        """The cells of a line at these times, in that order."""
        return [cell for name in names for cell in line if (cell.row if self.by_row else cell.column) == name]

    def readings(self, line: _Line) -> list[Finding]:
        """What is found of one line between all ends that may be meant."""
        return [self.finding(line, ends) for ends in _ends(self, line)]

    def finding(self, line: _Line, ends: _Ends) -> Finding:
        """Whether one line moves as is said between two ends; of a steady movement every step, where one too small to be measured goes
        with the others."""
        start, end = ends
        found = _direction_finding(start, end, self.cue)
        if self.is_never:
            stretch = line[line.index(start) : line.index(end) + 1]
            return together([opposite(_direction_finding(a, b, self.cue)) for a, b in itertools.pairwise(stretch)])
        if self.is_steady:
            stretch = line[line.index(start) : line.index(end) + 1]
            steps = (_direction_finding(a, b, self.cue) for a, b in itertools.pairwise(stretch))
            found = first_of(steps, "supported" if self.v.piece.denial else "contradicted") or found
            if found.verdict == "supported" and not self.v.piece.denial:
                found = decide(True, stretch, "no step goes another way.")
        else:
            found = together([found, *_amount_findings(self.v, start, end)])
        return opposite(found) if self.v.piece.denial else found


def _goes_by_steps(words: Sequence[str]) -> bool:
    triples = zip(words, words[1:], words[2:], strict=False)
    repeated = (a == b in _STEPS and on in ("on", "over", "after", "by") for a, on, b in triples)
    spans = (words[i + 1 : i + 7] for i, word in enumerate(words) if word == "from")
    return any(repeated) or any(_goes_to_next(span) for span in spans)


def _goes_to_next(span: Sequence[str]) -> bool:
    """What follows a “from”: “one survey to the next”, “year to year”."""
    if span[1:2] == ("to",) and span[:1] == span[2:3]:
        return True
    return bool(span) and span[0] in ("one", "each") and ("to", "the", "next") in (span[2:5], span[3:6])


_ELSEWHERE = frozenset(
    "other others remaining rest larger smaller older younger gap difference margin lead pace growth".split()
)
_WHOLLY = frozenset("overall period whole throughout entire time years".split())


def movement_finding(v: View, cue: Cue) -> Finding | None:
    """Whether a line of cells moves as is said, one or whichever of several; None where nothing runs in time or size, and of “rose to 5 in
    2010” where nothing was read of earlier years."""
    if names_absent(v.piece, v.grid) or _ends_at_absent_year(v):
        return unread(STRANGE)
    lines = [line for line in _lines(v) if len(line) > 1]
    movement = _Movement(v=v, cue=cue, lines=lines)
    reaches = any(number.role in ("to", "at") for number in v.piece.numbers)
    if not lines or (reaches and movement.points(lines[0]) == [lines[0][0]]):
        return None
    kinds = (_exception_finding, _change_finding, _points_finding, _count_finding, _several_finding)
    found = next(filter(None, (kind(movement) for kind in kinds)), None)
    return found or _whichever_finding(movement)


def _ends_at_absent_year(v: View) -> bool:
    """Whether a span has an end that was not read: “between 1990 and 2000”, where the years are 2000, 2010 and 2020. Of a curve that was
    measured some years are printed, and it runs between and beyond them."""
    words = v.piece.words
    if any(cell.estimated for cell in v.grid.model.cells):
        return False
    known = {*v.grid.model.rows.frequency, *v.grid.model.columns.frequency}
    spanning = _SPANNING | {"and"} if "between" in words else _SPANNING
    ends = [b for a, b in itertools.pairwise(words) if a in spanning and b.isdecimal() and len(b) == 4]
    return not known.isdisjoint(ends) and not known.issuperset(ends)


def _whichever_finding(movement: _Movement) -> Finding:
    v, lines = movement.v, movement.lines
    named = (v.is_named or len(lines) == 1 or v.pronoun) and movement.is_plain
    readings = [one for line in lines for one in movement.readings(line)]
    return decision(readings, v, sure=named, leans=not named)


def _lines(v: View) -> Iterator[list[Cell]]:
    """The lines of cells that may be meant."""
    grid = v.grid
    if grid.timed_columns or (grid.line_columns and not grid.line_rows):
        yield from (grid.cells([row], grid.line_columns) for row in v.rows or grid.rivals(grid.rows))
    elif grid.line_rows:
        yield from (grid.cells(grid.line_rows, [column]) for column in v.likely_columns)


def is_setting(v: View) -> bool:
    """“As the price goes up from $150 to $350”: what moves are the rows themselves."""
    if len(v.own_rows) != 2 or v.grid.timed_rows or v.own_columns or v.piece.numbers:
        return False
    taken = {i for name in v.piece.names for i in name.places}
    return any(t.stem in v.grid.heads for i, t in enumerate(v.piece.tokens, v.piece.first) if i not in taken)


# The kinds of movements.


def _exception_finding(movement: _Movement) -> Finding | None:
    """“It rose every year except 2020”: all steps but those to the times that are named go so; open where none is named."""
    v, line = movement.v, movement.lines[0]
    excepted = v.piece.has("except") is not None or not _INTERRUPTING.isdisjoint(v.piece.words)
    if not excepted or not movement.is_steady or "without" in v.piece.words or len(movement.lines) > 1:
        return None
    points = movement.points(line)
    steps = [(_direction_finding(a, b, movement.cue), b in points) for a, b in itertools.pairwise(line)]
    found = together([opposite(step) if apart else step for step, apart in steps])
    return decision([found], v) if points else missing("it is open where it is interrupted.")


_INTERRUPTING = frozenset("interruption interruptions exception exceptions".split())


def _change_finding(movement: _Movement) -> Finding | None:
    """A column of changes says itself how far something rose: “GDP fell by 5.2% in 2020”."""
    v = movement.v
    columns = v.columns or v.grid.columns
    if len(v.amounts) != 1 or len(v.rows) != 1 or v.piece.denial or not all(map(holds_changes, columns)):
        return None
    quantity = v.amounts[0].quantity
    sign = -1.0 if movement.cue.tag == "falls" and quantity.value > 0 else 1.0
    amount = replace(v.amounts[0], quantity=replace(quantity, value=sign * quantity.value))
    said = f"the claim says {amount_text(amount)}."
    cells = v.grid.cells(v.rows, columns)
    found = [decide(agrees(amount, cell) == "same", [cell], f"{in_words(cell)}, {said}") for cell in cells]
    return decision(found, v) if found else None


def _points_finding(movement: _Movement) -> Finding | None:
    """“It fell in 2018 and 2020”, “between 2009 and 2010 as well as between 2018 and 2019”: a movement at each of several times."""
    v, line = movement.v, movement.lines[0]
    points = movement.points(line)
    if len(points) == 4 and 2 in (v.piece.words.count("between"), v.piece.words.count("from")):
        spans = (_in_order(line, *points[:2]), _in_order(line, *points[2:]))
        return decision([together([movement.finding(line, ends) for ends in spans])], v)
    if len(points) < 2 or movement.cue.tag == "steady" or v.has_any(_SPANNING):
        return None
    each = [[movement.finding(line, ends) for ends in _ends_from_one(movement, line, point, ())] for point in points]
    return decision([together([_best(found) for found in each])], v)


def _count_finding(movement: _Movement) -> Finding | None:
    """“The share fell in two of the four groups”: how many lines move so."""
    v, lines = movement.v, movement.lines
    if len(v.piece.numbers) != 1 or v.own_rows or not counts_rows(v, v.piece.numbers[0]):
        return None
    if v.piece.numbers[0].role in ("at", "to", "from", "by"):
        return None
    wanted = v.amounts[0].quantity.value
    if len(lines) < 2:
        return _step_count_finding(movement, wanted)
    many = sum(_best(movement.readings(line)).verdict == "supported" for line in lines)
    return decision([decide(many == wanted, [lines[0][0]], f"{many} of {len(lines)} move so.")], v, leans=False)


def _step_count_finding(movement: _Movement, wanted: float) -> Finding:
    """“It shrank in two of the years”: how many steps of a line go so; a column of changes has them for values."""
    line = movement.lines[0]
    changes = [cell.value for cell in line]
    if not holds_changes(line[0].column):
        changes = [b - a for a, b in itertools.pairwise(changes)]
    sign = -1 if movement.v.piece.has("falls") else 1
    many = sum(sign * change > 0 for change in changes)
    found = decide(many == wanted, line, f"{many} of {len(changes)} steps go so.")
    return decision([found], movement.v, sure=False)


def _several_finding(movement: _Movement) -> Finding | None:
    """“Both rose”: each of several lines, or all together."""
    v, lines = movement.v, movement.lines
    several = len(v.own_columns if v.grid.timed_rows else v.own_rows) > 1
    if not several and (not v.piece.has("every") or movement.is_steady):
        return None
    total = [a.with_value(sum(line[i].value for line in lines if i < len(line))) for i, a in enumerate(lines[0])]
    each = together([_best(movement.readings(line)) for line in lines])
    return decision([each, *(movement.readings(total) if v.amounts else ())], v, sure=movement.is_plain)


def _best(found: Sequence[Finding]) -> Finding:
    if not found:
        return missing("it is open between which points the claim means.")
    return next((one for one in found if one.verdict == "supported"), found[0])


# Between which ends.


def _ends(movement: _Movement, line: _Line) -> Iterator[_Ends]:
    """First and last cell of the movement that may be meant, the likeliest first."""
    points, given = movement.points(line), movement.given_points(line)
    if len(points) > 1:
        last = 1 if len(points) == 4 and movement.v.has_any(_SPANNING) else -1
        yield _in_order(line, points[0], points[last])
    elif points:
        yield from _ends_from_one(movement, line, points[0], given)
    elif movement.is_steady and movement.v.has("period", "whole", "entire", "throughout", "overall"):
        yield line[0], line[-1]
    else:
        yield from _ends_from_given(movement, line, given)


def _in_order(line: _Line, a: Cell, b: Cell) -> _Ends:
    return (a, b) if line.index(a) <= line.index(b) else (b, a)


def _ends_from_given(movement: _Movement, line: _Line, given: Sequence[Cell]) -> Iterator[_Ends]:
    """A movement without a time of its own: around the one that was spoken of before, or of the whole line."""
    piece = movement.v.piece
    if len(given) == 1:
        point, at = given[0], line.index(given[0])
        opening = pointer(piece) or (piece.sentence.word(0) if piece.first else "")
        if point is not line[-1] and opening in ("since", "after", "following"):
            yield point, line[-1]
            return
        if at and not movement.is_steady:
            yield line[at - 1], point
        if point is not line[-1]:
            yield point, line[at + 1]
            yield point, line[-1]
    yield _in_order(line, given[0], given[1]) if len(given) == 2 else (line[0], line[-1])


def _ends_from_one(movement: _Movement, line: _Line, point: Cell, given: Sequence[Cell]) -> Iterator[_Ends]:
    """A movement of which one end is named."""
    piece, (name, axis) = movement.v.piece, (point.row, "row") if movement.by_row else (point.column, "column")
    at = line.index(point)
    if given and step_in_time(piece.words) > 0 and not piece.names_of(axis) and line.index(given[-1]) < at:
        yield given[-1], point  # “the following year it dropped”
    elif given and piece.words[0] in ("compared", "relative"):
        yield point, given[-1]
    elif (opening := piece.word_before(name)) in ("since", "after", "from", "following"):
        yield from _ends_onward(movement, line, point, opening)
    else:
        yield from _ends_by_word(movement, line, point, given, opening)


def _ends_onward(movement: _Movement, line: _Line, point: Cell, opening: str) -> Iterator[_Ends]:
    """To the last; “from” it to the time that the sentence goes on to: “… rise from 2008, reaching a peak in 2011”."""
    piece, axis = movement.v.piece, "row" if movement.by_row else "column"
    rest = line[line.index(point) + 1 :]
    later = [n.name for n in piece.sentence.names if n.axis == axis and n.first >= piece.stop]
    said = movement.cells_at(rest, later[:1]) if opening == "from" else []
    yield from ((point, end) for end in [*said, *rest[-1:]][:1])


def _ends_by_word(
    movement: _Movement, line: _Line, point: Cell, given: Sequence[Cell], opening: str
) -> Iterator[_Ends]:
    """“Until”, “before” or “in” the named end."""
    piece = movement.v.piece
    if movement.is_steady and point is not line[0] and opening in ("until", "through", "till", "to"):
        yield from ((one, point) for one in given[-1:] if line.index(one) < line.index(point))
        yield from () if given and pointer(piece) else ((line[0], point),)
    else:
        around = _ends_around(line, point, given, onward=opening in ("before", "compared", "than"))
        yield from itertools.islice(around, 1 if opening == "in" and not piece.numbers else None)


def _ends_around(line: _Line, point: Cell, given: Sequence[Cell], *, onward: bool) -> Iterator[_Ends]:
    """From the point before, from those that were spoken of, from the first; from the first point itself, or `onward`, to the last."""
    at = line.index(point)
    if at:
        yield line[at - 1], point
        yield from ((one, point) for one in given if line.index(one) < at)
        yield line[0], point
    if onward or not at:
        yield point, line[-1]


# What is said of two ends.


def _direction_finding(start: Cell, end: Cell, cue: Cue) -> Finding:
    words = f"{in_words(start)} and {in_words(end)}."
    close = too_close(start, end)
    if cue.tag == "steady":
        apart = abs(end.value - start.value) / max(abs(start.value), abs(end.value), 1e-9)
        if 0.02 < apart < 0.15 and not close:
            return missing(words)
        return decide(apart <= 0.02 or close, [start, end], words)
    if close:
        return missing(words)
    rises = cue.tag == "rises" or (cue.tag == "twice" and not cue.words.startswith("halv"))
    return decide(end.value > start.value if rises else end.value < start.value, [start, end], words)


def _amount_findings(v: View, start: Cell, end: Cell) -> Iterator[Finding]:
    """The numbers of a movement: where it begins, where it ends, by how much or how many times."""
    for number in v.piece.numbers:
        if not counts_rows(v, number) and v.piece.sentence.words[number.first] not in ("once", "twice", "thrice"):
            yield _held_against(number.amount, _values_meant(number, start, end), start, end)
    twice = v.piece.has("twice")
    if twice is not None and start.value and (twice.words in MOVED_BY_FACTOR or {"from", "to"} <= v.piece.word_set):
        factor = factor_amount(v, twice, TIMES_WORDS.get(twice.words.split()[0], 2.0))
        yield _held_against(factor, [pure(end, end.value / start.value)], start, end)


def _values_meant(number: StatedNumber, start: Cell, end: Cell) -> list[Cell]:
    """What one number of a movement may be, by the word before it; a change may be told as a part of where it starts, or in percent."""
    change = abs(end.value - start.value)
    times, part, percent = _ratios(start, end, change) if start.value else ([], [], [])
    if number.amount.bound != "=" and number.role in _REACHED:
        return [end]
    match number.role:
        case "times":
            return times
        case "by" | "of":
            return part if part and is_part(number.amount) else [end.with_value(change), *percent]
        case "from":
            return [start]
        case "to" | "at":
            return [end]
    return [end, start, end.with_value(change), *percent]


def _ratios(start: Cell, end: Cell, change: float) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """How many times the start the end is, and the change as a part of it and in percent."""
    part, percent = change / abs(start.value), 100 * change / abs(start.value)
    return [pure(end, end.value / start.value)], [pure(end, part)], [pure(end, percent, "percent")]


_REACHED = frozenset("fell fallen dropped rose risen climbed sank dipped slipped jumped grew grown went gone".split())
"""“Fell below 10%”: the number bounds where it ends."""


def _held_against(amount: Amount, values: Sequence[Cell], start: Cell, end: Cell) -> Finding:
    """Whether an amount is one of the values that it may be."""
    found = {agrees(amount, value) for value in values}
    words = f"{in_words(start)} and {in_words(end)}"
    if "same" in found:
        return decide(True, [start, end], f"{words}.")
    if "unclear" in found or not found:
        return missing(f"{words}.")
    used = [cell for cell in (start, end) if cell is values[0]] or [start, end]
    return decide(False, used, f"{words}, the claim says {amount_text(amount)}.")
