"""Who has the most or the least: of the rows of a column, the columns of a row, their totals, or the steps between them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import amount_text
from evpv.language.lexicon import CUES, ORDINALS
from evpv.language.number_words import clock_number
from evpv.language.quantities import number_text
from evpv.language.tokens import Cue
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, equal, in_words, missing, too_close, unread
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, settled
from evpv.premises.statements.views import NEAR, STRANGE, UNCLEAR, View, pointing, span

_SPEED = frozenset("fastest quickest slowest faster quicker slower".split())
_TIME_WORDS = frozenset("time minute second hour duration".split())
_PEAKS = frozenset("peak peaks peaked peaking bottomed trough nadir".split())
_STEPS = frozenset("increase rise jump gain growth drop fall decrease decline change gap difference".split())


def extreme_finding(v: View, cue: Cue) -> Finding:
    """Whether what is named is the most or the least, in the rank that is said, with the value that is said."""
    if not v.own_rows and not v.own_columns and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if v.has("often", "frequently") and v.amounts and cue.words == "most":
        return settled([_mode(v)], v, leans=False)
    others = [one for one in v.piece.cues if one.tag in ("most", "least") and one.first > cue.last]
    if others and not v.own_rows:
        return settled(_same_holder(v, cue, others[0]), v, leans=False)
    if _STEPS & {t.stem for t in v.piece.tokens} - v.grid.vocabulary:
        return settled(_steps(v, cue), v, sure=False)
    most, rank = cue.tag == "most", _rank(v, cue)
    v.context.ladder = (cue.tag, rank + 1)
    named = bool(v.own_rows or v.own_columns or v.amounts)
    hedged = any(
        v.piece.before(name) in ("around", "about", "near", "roughly") for name in (*v.own_rows, *v.own_columns)
    )
    sure = not hedged and v.column_from != NEAR and not _is_of_some(v)
    readings = _readings(v, most, rank, cue)
    if cue.words not in _KNOWN:
        readings = itertools.chain(readings, _readings(v, not most, rank, cue))
    return settled(readings, v, leans=not named, sure=sure)


_KNOWN = frozenset(word for tag in ("most", "least") for word in CUES[tag].split("|"))
_SOME = frozenset("them these those three two four five six trio pair group".split())


def _is_of_some(v: View) -> bool:
    """Whether something is the most of some that were spoken of, and it is not known which: “the cheapest of the three”."""
    return not _spoken_group(v) and _some(v) > 0 and _some(v) != len(v.grid.rows)


def _some(v: View) -> int:
    """How many are meant by “of the three”; 1 by “of them”, 0 where nothing of the kind is said."""
    words = v.piece.words
    for i, word in enumerate(words):
        lead = words[max(0, i - 2) : i]
        if word in _SOME and ("of" in lead or "among" in lead):
            return clock_number(word) or 1
    return 0


def _spoken_group(v: View) -> tuple[str, ...]:
    """The rows that were spoken of before, if “of them” or “of the three” can mean them."""
    many = _some(v)
    if not many or many == len(v.grid.rows):
        return ()
    for group in (v.context.near_rows, v.context.far_group, v.context.seen):
        if len(group) == many or (many == 1 and len(group) > 1):
            return group
    return ()


def _mode(v: View) -> Finding | None:
    """“The number that appears most often is 7.”"""
    for column in v.columns or v.open_columns():
        cells = v.grid.cells(v.grid.rows, [column])
        counts = Counter(cell.value for cell in cells)
        top = [cell for cell in cells if counts[cell.value] == max(counts.values())]
        found = any(agrees(v.amounts[0], cell) == "same" for cell in top)
        return decide(found, top, f"{number_text(top[0].value)} is there {counts[top[0].value]} times.")
    return None


def unsurpassed_finding(v: View, cue: Cue) -> Finding | None:
    """“No city has more parks than Oslo”: Oslo has the most."""
    if len(v.own_rows) != 1 or not v.piece.numbers or v.amounts[0].quantity.value or len(v.amounts) > 1:
        return None
    bare = replace(v, piece=replace(v.piece, numbers=()))
    found = [
        _ranked(v.grid.cells(v.grid.rows, [c]), v.own_rows, cue.tag == "more", 1, bare, cue)
        for c in v.columns or v.open_columns()
    ]
    return settled(found, v)


def follower_finding(v: View, ladder: tuple[str, int]) -> Finding:
    """“… followed by Germany and Spain”: the next ranks."""
    tag, rank = ladder
    rows = v.own_rows
    if not rows:
        return missing(UNCLEAR)
    column = (v.columns or v.open_columns())[0]
    cells = sorted(v.grid.cells(v.grid.rivals(v.grid.rows), [column]), key=lambda c: c.value, reverse=tag == "most")
    found = []
    for place, row in enumerate(rows, rank - 1):
        cell = v.grid.at.get((row, column))
        if cell is None or place >= len(cells):
            return missing(UNCLEAR)
        found.append(
            decide(equal(cell.value, cells[place].value), [cell], f"{in_words(cell)}, {in_words(cells[place])}.")
        )
    v.context.ladder = (tag, rank + len(rows))
    wrong = next((one for one in found if one.verdict == "contradicted"), found[0])
    return settled([wrong], v)


def _rank(v: View, cue: Cue) -> int:
    """The rank before a superlative (“second highest”, “third-smallest”) or in it (“came in second”)."""
    sentence = v.piece.sentence
    for word in cue.words.split()[::-1]:
        if word in ORDINALS:
            return ORDINALS[word]
    for back in (1, 2, 3):
        word = sentence.word(cue.first - back)
        if word in ORDINALS:
            return ORDINALS[word]
        if word == "next":
            return v.context.ladder[1] if v.context.ladder else 2
        if word not in ("-", "most", "place"):
            break
    return 1


def is_reversed(word: str, cell: Cell) -> bool:
    """Whether the faster has the smaller number."""
    return word in _SPEED and any(part in cell.column.lower() or cell.unit == part for part in _TIME_WORDS)


def _readings(v: View, most: bool, rank: int, cue: Cue) -> Iterator[Finding | None]:
    grid = v.grid
    rows, columns = _subjects(v, "row"), _subjects(v, "column")
    group = span(v, "row") or _group(v, "row") or _spoken_group(v)
    if _is_along_row(v, cue):
        yield _along_row(v, columns, most, rank, cue)
        return
    meant = rows if v.own_rows else _pointed(v)
    totals = v.piece.has("total") is not None or (grid.uniform and not grid.timed_columns and not v.columns)
    if totals and meant and not columns:
        yield _ranked(_row_totals(v, group or grid.rows), meant, most, rank, v, cue)
    for column in columns or v.columns or v.open_columns():
        cells = grid.cells(grid.rivals(group or grid.rows) if rows or not v.own_rows else grid.rows, [column])
        if any(row not in [c.row for c in cells] for row in meant):
            cells = grid.cells(grid.rows, [column])
        yield _ranked(cells, meant, most, rank, v, cue)
    if columns and not v.own_rows:
        yield _along_row(v, columns, most, rank, cue)


def _is_along_row(v: View, cue: Cue) -> bool:
    """Whether a row's own values are ranked: “Cars peaked in 2020”, “Ann's highest score was in Art”, “Rent was highest in 2021”."""
    if not v.own_columns or not v.grid.uniform or not v.rows:
        return False
    sentence = v.piece.sentence
    before = sentence.tokens[cue.first - 1].text.lower() if cue.first else ""
    possessed = before.endswith(("'s", "s'")) and any(
        n.axis == "row" and n.last == cue.first - 1 for n in v.piece.names
    )
    if possessed or (v.grid.timed_columns and (cue.words in _PEAKS or before in ("its", "their"))):
        return True
    if v.grid.timed_rows:
        return False
    after = [n.first for n in v.piece.names if n.axis == "column" and n.first > cue.last]
    return (
        before in ("is", "was", "were", "are")
        and bool(after)
        and sentence.word(after[0] - 1) in ("in", "on", "at", "for")
    )


def _along_row(v: View, columns: Sequence[str], most: bool, rank: int, cue: Cue) -> Finding | None:
    if not v.grid.uniform or not columns:
        return None
    rivals = [name for name in span(v, "column") or v.grid.columns if not is_whole(name)]
    if len(v.rows) == 1 and (v.own_rows or v.row_from == NEAR or v.pronoun):
        cells = v.grid.cells(v.rows, rivals)
    elif not v.own_rows:
        every = v.grid.rivals(v.grid.rows)
        cells = [added(found) for name in rivals if (found := v.grid.cells(every, [name]))]
    else:
        return None
    meant = columns if not span(v, "column") else ()
    return _ranked(cells, meant, most, rank, v, cue, by_column=True)


def added(cells: Sequence[Cell]) -> Cell:
    """One cell for all of some."""
    return cells[0].with_value(sum(cell.value for cell in cells)) if len(cells) > 1 else cells[0]


def _row_totals(v: View, rows: Sequence[str]) -> list[Cell]:
    columns = [name for name in v.grid.columns if not is_whole(name)]
    return [added(cells) for row in v.grid.rivals(rows) if (cells := v.grid.cells([row], columns))]


def _subjects(v: View, axis: str) -> tuple[str, ...]:
    """The names that are said to be extreme: without those of a group (“of Ann, Ben and Cy”) or a span."""
    group = _group(v, axis)
    names = v.piece.named(axis)
    if span(v, axis) and len(names) < 3 and names and not pointing(v.piece):
        return ()
    inside = [name.name for name in v.piece.names if name.axis == axis]
    return tuple(name for name in names if name not in group or inside.count(name) > 1)


def _group(v: View, axis: str) -> tuple[str, ...]:
    """The names among which something is an extreme: “of Ann, Ben and Cy, Ben has …”."""
    words = v.piece.words
    names = [n for n in v.piece.names if n.axis == axis]
    if words[0] not in ("of", "among", "between", "out", "comparing") or len(names) < 3:
        return ()
    verbs = [i for i, w in enumerate(words, v.piece.first) if w in ("has", "is", "had", "was", "have")]
    last = max((n.first for n in names if verbs and n.first < verbs[0]), default=-1)
    return tuple(n.name for n in names if n.first < last)


def _pointed(v: View) -> tuple[str, ...]:
    """The rows that a piece without names of its own speaks of; of a movement it is the last."""
    if v.row_from == NEAR or (v.pronoun and v.rows):
        return v.rows[-1:] if v.grid.timed_rows else v.rows
    return ()


def _ranked(
    cells: Sequence[Cell], meant: Sequence[str], most: bool, rank: int, v: View, cue: Cue, *, by_column: bool = False
) -> Finding | None:
    """Whether the cells meant have the rank among all; of equal values each has the better and the worse rank."""
    if len(cells) < 2 or rank > len(cells):
        return None
    most = most != is_reversed(cue.words, cells[0])
    order = sorted(cells, key=lambda c: c.value, reverse=most)
    levels = [list(group) for _, group in itertools.groupby(order, key=lambda c: round(c.value, 9))]
    top = next(cell for cell in order[rank - 1 : rank])
    dense = levels[min(rank, len(levels)) - 1][0]
    sizes = [
        n for n in v.piece.numbers if n.first in (cue.last + 1, cue.first - 1) and n.stated.amount.quantity.spelled
    ]
    amounts = [n.stated.amount for n in v.piece.numbers if n.stated.role not in ("by", "from") and n not in sizes]
    if amounts and not any(agrees(amount, cell) != "different" for amount in amounts for cell in (top, dense)):
        said = amounts[0].quantity.value
        if not meant and len(amounts) == 1 and (said > top.value if most else said < top.value):
            return missing("what was read has nothing as far out as the claim says.")
        return decide(False, [top], f"{in_words(top)}, the claim says {amount_text(amounts[0])}.")
    found = [cell for cell in cells if (cell.column if by_column else cell.row) in meant]
    if not found:
        return decide(True, [top], f"{in_words(top)}.") if amounts else None
    if rank == 1 and len(found) > 1 and len(meant) > 1:
        top = order[min(len(found), len(order)) - 1]
        dense = top
        odd = next(
            (
                c
                for c in found
                if (c.value < top.value if most else c.value > top.value) and not equal(c.value, top.value)
            ),
            None,
        )
    else:
        odd = next((c for c in found if not equal(c.value, top.value) and not equal(c.value, dense.value)), None)
    if odd is None:
        return decide(True, found, f"{in_words(found[0])}, which has that rank.")
    if too_close(odd, top):
        return missing(f"{in_words(odd)} and {in_words(top)} are too close to be told apart.")
    return decide(False, [odd, top], f"{in_words(odd)}, but {in_words(top)}.")


def _same_holder(v: View, cue: Cue, other: Cue) -> Iterator[Finding | None]:
    """“The deepest lake is also the smallest”: who holds both."""
    for column in _columns_of(v, cue):
        for second in _columns_of(v, other):
            if column != second:
                holder, rival = (_top(v, one, name) for one, name in ((cue, column), (other, second)))
                yield decide(holder.row == rival.row, [holder, rival], f"{in_words(holder)}, {in_words(rival)}.")


def _columns_of(v: View, cue: Cue) -> tuple[str, ...]:
    """The columns that a superlative may be meant of: that of its adjective, else any."""
    named = [n.name for n in v.piece.names if n.axis == "column" and cue.first in n.places]
    taken = {n.name for n in v.piece.names if n.axis == "column"}
    return tuple(named or [name for name in v.grid.columns if name not in taken] or v.grid.columns)


def _top(v: View, cue: Cue, column: str) -> Cell:
    cells = v.grid.cells(v.grid.rivals(v.grid.rows), [column])
    return (max if cue.tag == "most" else min)(cells, key=lambda c: c.value)


def _steps(v: View, cue: Cue) -> Iterator[Finding | None]:
    """“The largest increase was from 2017 to 2018”, “the gap is widest in Art”: ranked are changes, not values."""
    grid = v.grid
    line = grid.line_rows if grid.timed_rows else ()
    names = v.own_rows or v.given_rows
    for column in v.columns or v.open_columns():
        cells = grid.cells(line, [column])
        falls = {"drop", "fall", "decrease", "decline", "loss"} & {*v.piece.words}
        changes = {
            (a.row, b.row): (a.value - b.value if falls else b.value - a.value) for a, b in itertools.pairwise(cells)
        }
        best = max(changes, key=lambda pair: changes[pair], default=None)
        if best is not None and cue.tag == "most" and names:
            yield decide(best[1] == names[-1], cells[:1], f"the largest step is from {best[0]} to {best[1]}.")
    if len(grid.columns) == 2 and v.own_rows and cue.tag == "most":
        gaps = {
            row: abs(a.value - b.value)
            for row in grid.rows
            if len(c := grid.cells([row], grid.columns)) == 2
            for a, b in [c]
        }
        best_row = max(gaps, key=lambda row: gaps[row])
        yield decide(
            best_row == v.own_rows[0],
            grid.cells([best_row], grid.columns),
            f"the two are farthest apart at {best_row}.",
        )
    yield missing(UNCLEAR)
