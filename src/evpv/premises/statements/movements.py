"""What rises, falls or stays: a row over the columns in time, or a column over rows in time or size."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import Amount, amount_text
from evpv.language.lexicon import MOVED_BY_FACTOR, TIMES_WORDS
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, in_words, missing, together, too_close, unread
from evpv.premises.statements.comparisons import factor_amount
from evpv.premises.statements.numbers import Number
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, counts_rows, is_part, pure, settled
from evpv.premises.statements.views import STRANGE, View, pointing

_STEADILY = frozenset(
    "every each steadily consistently continuously continually always throughout interruption monotonically constantly kept keeps"
    " keep uninterrupted without".split()
)


def movement_finding(v: View, cue: Cue) -> Finding | None:
    """Whether a line of cells moves as is said; None where nothing runs in time or size."""
    if names_absent(v.piece, v.grid):
        return unread(STRANGE)
    lines = [line for line in _lines(v) if len(line) > 1]
    if not lines:
        return None
    named = bool(v.own_rows or v.own_columns or len(lines) == 1 or v.pronoun) and _is_plain(v, lines[0])
    several = len(v.own_columns if v.grid.timed_rows else v.own_rows) > 1 or (
        v.piece.has("every") and not _is_steady(v)
    )
    points = _points(v, lines[0])
    if len(points) == 1 and points[0] is lines[0][0] and any(n.stated.role in ("to", "at") for n in v.piece.numbers):
        return None
    if (change := _as_change(v, cue)) is not None:
        return change
    readings = [[_moved(v, cue, line, ends) for ends in _ends(v, line)] for line in lines]
    points = _points(v, lines[0])
    if len(points) > 1 and cue.tag != "steady" and not _SPANNING & {*v.piece.words}:
        each = [
            _best([_moved(v, cue, lines[0], ends) for ends in _from_one(v, lines[0], point, ())]) for point in points
        ]
        return settled([together(each)], v)
    counted = _counted(v, lines, readings)
    if counted is not None:
        return counted
    if several:
        whole = [a.with_value(sum(line[i].value for line in lines if i < len(line))) for i, a in enumerate(lines[0])]
        summed = [_moved(v, cue, whole, ends) for ends in _ends(v, whole)] if v.amounts else []
        return settled([together([_best(found) for found in readings]), *summed], v, sure=_is_plain(v, lines[0]))
    return settled([one for found in readings for one in found], v, sure=named, leans=not named)


def _counted(v: View, lines: Sequence[Sequence[Cell]], readings: Sequence[Sequence[Finding]]) -> Finding | None:
    """“The share fell in two of the four groups”: how many lines move so."""
    number = next((n for n in v.piece.numbers if counts_rows(v, n)), None)
    if number is None or len(v.piece.numbers) > 1 or v.own_rows:
        return None
    if len(lines) < 2:
        return _counted_steps(v, lines[0], number)
    many = sum(_best(found).verdict == "supported" for found in readings)
    words = f"{many} of {len(lines)} move so."
    return settled([decide(many == number.stated.amount.quantity.value, [lines[0][0]], words)], v, leans=False)


def _counted_steps(v: View, line: Sequence[Cell], number: Number) -> Finding:
    """“It shrank in two of the years”: how many steps of a line go so; a column of changes has them for values."""
    down = v.piece.has("falls") is not None
    changes = [cell.value for cell in line]
    if not _CHANGES & name_stems(line[0].column):
        changes = [b - a for a, b in itertools.pairwise(changes)]
    many = sum(change < 0 if down else change > 0 for change in changes)
    found = decide(many == number.stated.amount.quantity.value, line, f"{many} of {len(changes)} steps go so.")
    return settled([found], v, sure=False)


_ELSEWHERE = frozenset(
    "other others remaining rest larger smaller older younger gap difference margin lead pace growth".split()
)


def _is_plain(v: View, line: Sequence[Cell]) -> bool:
    """Whether it is plain between which points something moves: times that are named, or the whole of a line that runs in time."""
    points = _points(v, line)
    if (_ELSEWHERE - v.grid.vocabulary) & {*v.piece.words}:
        return False
    if not (v.grid.timed_rows or v.grid.timed_columns):
        return (len(points) > 1 and bool(_SPANNING & {*v.piece.words})) or _is_steady(v)
    if points or _is_steady(v):
        return True
    near = v.context.near_rows if _by_row(v) else v.context.near_columns
    if len(near) == 1 and v.amounts:
        return True
    moves = [cue for cue in v.piece.sentence.cues if cue.tag in ("rises", "falls", "steady")]
    whole = {"overall", "period", "whole", "throughout", "entire", "time", "years"} & {*v.piece.words}
    return len(moves) == 1 and (bool(whole) or len(line) == 2)


def is_setting(v: View) -> bool:
    """“As the price goes up from $150 to $350”: what moves are the rows themselves."""
    taken = {i for name in v.piece.names for i in name.places}
    said = {t.stem for i, t in enumerate(v.piece.tokens, v.piece.first) if i not in taken}
    return (
        len(v.own_rows) == 2
        and not v.grid.timed_rows
        and not v.own_columns
        and bool(v.grid.heads & said)
        and not v.piece.numbers
    )


_CHANGES = frozenset("growth change increase decrease gain".split())


def _as_change(v: View, cue: Cue) -> Finding | None:
    """A column of changes says itself how far something rose: “GDP fell by 5.2% in 2020”."""
    columns = v.columns or v.grid.columns
    if len(v.amounts) != 1 or len(v.rows) != 1 or not all(_CHANGES & name_stems(name) for name in columns):
        return None
    cells = v.grid.cells(v.rows, columns)
    quantity = v.amounts[0].quantity
    sign = -1.0 if cue.tag == "falls" and quantity.value > 0 else 1.0
    amount = replace(v.amounts[0], quantity=replace(quantity, value=sign * quantity.value))
    found = [
        decide(agrees(amount, c) == "same", [c], f"{in_words(c)}, the claim says {amount_text(amount)}.") for c in cells
    ]
    return settled(found, v) if found else None


_SPANNING = frozenset("from to between through until".split())


def _best(found: Sequence[Finding]) -> Finding:
    if not found:
        return missing("it is open between which points the claim means.")
    return next((one for one in found if one.verdict == "supported"), found[0])


def _lines(v: View) -> Iterator[list[Cell]]:
    """The lines of cells that may be meant."""
    grid = v.grid
    if grid.timed_columns or (grid.line_columns and not grid.line_rows):
        for row in v.rows or grid.rivals(grid.rows):
            yield grid.cells([row], grid.line_columns)
    elif grid.line_rows:
        for column in v.columns or v.open_columns():
            yield grid.cells(grid.line_rows, [column])


def _points(v: View, line: Sequence[Cell], *, given: bool = False) -> list[Cell]:
    """The cells of a line at the times that the piece names, or that were named before it, in that order."""
    by_row = _by_row(v)
    if given:
        names = v.given_rows if by_row else v.given_columns
    else:
        names = v.own_rows if by_row else v.own_columns
    return [cell for name in names for cell in line if (cell.row if by_row else cell.column) == name]


def _is_steady(v: View) -> bool:
    words = {*v.piece.words}
    if "every" in words or "each" in words:
        return bool(
            words & {"year", "month", "day", "week", "time", "step", "quarter", "row", "single", "period", "grade"}
        )
    return bool(words & _STEADILY) and not words & {"not"}


_Ends = tuple[Cell, Cell]


def _moved(v: View, cue: Cue, line: Sequence[Cell], ends: _Ends) -> Finding:
    """Whether one line moves as is said."""
    start, end = ends
    if _is_steady(v):
        return _steady(line[line.index(start) : line.index(end) + 1], cue)
    return together([_direction(start, end, cue), *_amounts(v, cue, start, end)])


def _ends(v: View, line: Sequence[Cell]) -> Iterator[_Ends]:
    """First and last cell of the movement that may be meant, the likeliest first."""
    points = _points(v, line)
    given = _points(v, line, given=True)
    if len(points) >= 2:
        yield tuple(sorted((points[0], points[-1]), key=line.index))  # type: ignore[misc]
    elif not points and _is_steady(v) and {"period", "whole", "entire", "throughout", "overall"} & {*v.piece.words}:
        yield line[0], line[-1]
    elif not points:
        opening = pointing(v.piece) or (v.piece.sentence.word(0) if v.piece.first else "")
        if len(given) == 1 and given[0] is not line[-1] and opening in ("since", "after", "following"):
            yield given[0], line[-1]
            return
        if len(given) == 1 and given[0] is not line[0] and not _is_steady(v):
            yield line[line.index(given[0]) - 1], given[0]
        if len(given) == 1 and given[0] is not line[-1]:
            yield given[0], line[line.index(given[0]) + 1]
            yield given[0], line[-1]
        yield line[0], line[-1]
        if len(given) == 2:
            yield tuple(sorted(given, key=line.index))  # type: ignore[misc]
    else:
        yield from _from_one(v, line, points[0], given)


def _from_one(v: View, line: Sequence[Cell], point: Cell, given: Sequence[Cell]) -> Iterator[_Ends]:
    """A movement of which one end is named."""
    opening = v.piece.before(point.row if _by_row(v) else point.column)
    at = line.index(point)
    if v.piece.words[0] in ("compared", "relative") and given:
        yield point, given[-1]
        return
    if opening in ("since", "after", "from", "following"):
        if point is not line[-1]:
            yield point, line[-1]
        return
    if opening in ("until", "through", "till", "to") and at and _is_steady(v):
        yield line[0], point
        return
    if at:
        yield line[at - 1], point
        yield from ((one, point) for one in given if line.index(one) < at)
        yield line[0], point
    if point is line[0] or opening in ("before", "compared", "than"):
        yield point, line[-1]


def _by_row(v: View) -> bool:
    return v.grid.timed_rows or not (v.grid.timed_columns or v.grid.line_columns)


def _direction(start: Cell, end: Cell, cue: Cue) -> Finding:
    words = f"{in_words(start)} and {in_words(end)}."
    if cue.tag == "steady":
        apart = abs(end.value - start.value) / max(abs(start.value), abs(end.value), 1e-9)
        if 0.02 < apart < 0.15 and not too_close(start, end):
            return missing(words)
        return decide(apart <= 0.02 or too_close(start, end), [start, end], words)
    if too_close(start, end):
        return missing(words)
    rises = cue.tag == "rises" or (cue.tag == "twice" and not cue.words.startswith("halv"))
    return decide(end.value > start.value if rises else end.value < start.value, [start, end], words)


def _steady(stretch: Sequence[Cell], cue: Cue) -> Finding:
    """Whether every step goes the same way."""
    for a, b in itertools.pairwise(stretch):
        step = _direction(a, b, cue)
        if step.verdict != "supported":
            return step
    return decide(True, stretch, f"each of the {len(stretch) - 1} steps goes that way.")


def _amounts(v: View, cue: Cue, start: Cell, end: Cell) -> Iterator[Finding]:
    """The numbers of a movement: where it begins, where it ends, by how much or how many times."""
    for number in v.piece.numbers:
        if not counts_rows(v, number) and v.piece.sentence.words[number.first] not in ("once", "twice", "thrice"):
            yield _amount(v, number, start, end)
    twice = v.piece.has("twice")
    if twice is not None and start.value and (twice.words in MOVED_BY_FACTOR or {"from", "to"} <= {*v.piece.words}):
        factor = TIMES_WORDS.get(twice.words.split()[0], 2.0)
        yield _told(factor_amount(v, twice, factor), [pure(end, end.value / start.value)], start, end)


def _amount(v: View, number: Number, start: Cell, end: Cell) -> Finding:
    """One number of a movement, by the word before it."""
    amount, role = number.stated.amount, number.stated.role
    change = abs(end.value - start.value)
    relative = [pure(end, 100 * change / abs(start.value), "percent")] if start.value else []
    if role == "times":
        return _told(amount, [pure(end, end.value / start.value)] if start.value else [], start, end)
    if role in ("by", "of"):
        part = [pure(end, change / abs(start.value))] if start.value else []
        return _told(amount, part if is_part(amount) and part else [end.with_value(change), *relative], start, end)
    if role == "from":
        return _told(amount, [start], start, end)
    if role in ("to", "at"):
        return _told(amount, [end], start, end)
    return _told(amount, [end, start, end.with_value(change), *relative], start, end)


def _told(amount: Amount, values: Sequence[Cell], start: Cell, end: Cell) -> Finding:
    found = [agrees(amount, value) for value in values]
    words = f"{in_words(start)} and {in_words(end)}"
    if "same" in found:
        return decide(True, [start, end], f"{words}.")
    if "unclear" in found or not found:
        return missing(f"{words}.")
    used = [cell for cell in (start, end) if cell is values[0]] or [start, end]
    return decide(False, used, f"{words}, the claim says {amount_text(amount)}.")
