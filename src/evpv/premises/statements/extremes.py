"""Who has the most or the least: of the rows of a column, the columns of a row, their totals, or the steps between them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evpv.language.forms import Amount, amount_text
from evpv.language.immutable import immutable
from evpv.language.lexicon import CUES, DIMENSION_NOUNS, NEGATIVE_NOUNS, ORDINALS
from evpv.language.number_words import clock_number
from evpv.language.quantities import number_text
from evpv.language.tokens import Cue, name_stems
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, decide, equal, in_words, missing, too_close, unread
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, settled
from evpv.premises.statements.views import NEAR, STRANGE, UNCLEAR, View, pointer

_SPEED = frozenset("fastest quickest slowest faster quicker slower beat beats beaten outpaced outran".split())
_TIME_WORDS = frozenset("time minute second hour duration".split())
_RACES = frozenset("heat lap final race sprint split leg".split())
_AGES = frozenset("older oldest eldest younger youngest".split())
_PEAKS = frozenset("peak peaks peaked peaking bottomed trough nadir".split())
_STEPS = frozenset("increase rise jump gain growth drop fall decrease decline change gap difference".split())
_KNOWN = frozenset(word for tag in ("most", "least") for word in CUES[tag].split("|"))


@immutable
class _Rank:
    """A place in an order: the `place`-th most, or least, by the `cue` that says so."""

    most: bool
    place: int
    cue: Cue


def extreme_finding(v: View, cue: Cue) -> Finding:
    """Whether what is named is the most or the least, in the rank that is said, with the value that is said."""
    if not v.is_named and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if cue.words == "most" and v.amounts and v.has("often", "frequently"):
        return settled([_mode_finding(v)], v, leans=False)
    others = [one for one in v.piece.cues if one.tag in ("most", "least") and one.first > cue.last]
    if others and not v.own_rows:
        return settled(_same_holder_findings(v, cue, others[0]), v, leans=False)
    if any(t.stem in _STEPS and t.stem not in v.grid.vocabulary for t in v.piece.tokens):
        return settled(_step_findings(v, cue), v, sure=False)
    return _rank_finding(v, _Rank(most=cue.tag == "most", place=_place(v, cue), cue=cue))


def _rank_finding(v: View, rank: _Rank) -> Finding:
    v.context.ladder = (rank.cue.tag, rank.place + 1)
    readings = _rank_findings(v, rank)
    if rank.cue.words not in _KNOWN:
        readings = itertools.chain(readings, _rank_findings(v, replace(rank, most=not rank.most)))
    around = (v.piece.word_before(name) for name in (*v.own_rows, *v.own_columns))
    hedged = not {"around", "about", "near", "roughly"}.isdisjoint(around)
    sure = not hedged and v.column_from != NEAR and not _is_of_some(v)
    return settled(readings, v, leans=not (v.is_named or v.amounts), sure=sure)


def _place(v: View, cue: Cue) -> int:
    """The rank before a superlative (“second highest”, “third-smallest”) or in it (“came in second”)."""
    inside = (ORDINALS[word] for word in reversed(cue.words.split()) if word in ORDINALS)
    place = next(inside, 0)
    for word in reversed(v.piece.sentence.words[max(0, cue.first - 3) : cue.first]) if not place else ():
        if word == "next":
            return v.context.ladder[1] if v.context.ladder else 2
        if word in ORDINALS:
            return ORDINALS[word]
        if word not in ("-", "most", "place"):
            break
    return place or 1


def is_reversed(word: str, cell: Cell) -> bool:
    """Whether the faster has the smaller number: a time, or the older a year."""
    if word in _AGES:
        return not DIMENSION_NOUNS["date"].isdisjoint(name_stems(cell.column))
    if word in _SPEED and not _RACES.isdisjoint(name_stems(cell.column)):
        return True
    return word in _SPEED and any(part in cell.column.lower() or cell.unit == part for part in _TIME_WORDS)


def compares_sizes(v: View) -> bool:
    """Whether values below zero are compared by their size: “a smaller loss”, “farther from zero”."""
    if v.has("zero") and v.has("from"):
        return True
    return v.has_any(NEGATIVE_NOUNS - v.grid.vocabulary) and any(cell.value < 0 for cell in v.cells)


def sum_cell(cells: Sequence[Cell]) -> Cell:
    """One cell for all of some."""
    return cells[0].with_value(sum(cell.value for cell in cells)) if len(cells) > 1 else cells[0]


# Some that were spoken of: “the cheapest of the three”.

_SOME = frozenset("them these those three two four five six trio pair group".split())


def _is_of_some(v: View) -> bool:
    """Whether something is the most of some that were spoken of, and it is not known which."""
    return 0 < _some_meant(v) != len(v.grid.rows) and not _group_spoken_of(v)


def _some_meant(v: View) -> int:
    """How many are meant by “of the three”; 1 by “of them”, 0 where nothing of the kind is said."""
    words = v.piece.words
    for i, word in enumerate(words):
        if word in _SOME and not {"of", "among"}.isdisjoint(words[max(0, i - 2) : i]):
            return clock_number(word) or 1
    return 0


def _group_spoken_of(v: View) -> tuple[str, ...]:
    """The rows that were spoken of before, if “of them” or “of the three” can mean them."""
    many = _some_meant(v)
    if not many or many == len(v.grid.rows):
        return ()
    groups = (v.context.near_rows, v.context.far_group, v.context.seen)
    return next((group for group in groups if len(group) == many or (many == 1 and len(group) > 1)), ())


# Ranks among rows, among columns, and among totals.


def _rank_findings(v: View, rank: _Rank) -> Iterator[Finding | None]:
    rows, columns = _subjects(v, "row"), _subjects(v, "column")
    if _is_along_row(v, rank.cue):
        yield _finding_along_row(v, columns, rank)
        return
    group = v.row_span or _group(v) or _group_spoken_of(v)
    meant = rows if v.own_rows else _rows_pointed_at(v)
    if meant and not columns and _ranks_totals(v):
        yield _finding_of_rank(v, rank, _row_totals(v, group or v.grid.rows), meant)
    rivals = v.grid.rivals(group or v.grid.rows) if rows or not v.own_rows else list(v.grid.rows)
    for column in columns or v.likely_columns:
        cells = v.grid.cells(rivals, [column])
        if not {cell.row for cell in cells}.issuperset(meant):
            cells = v.grid.cells(v.grid.rows, [column])
        yield _finding_of_rank(v, rank, cells, meant)
    if columns and not v.own_rows:
        yield _finding_along_row(v, columns, rank)


def _ranks_totals(v: View) -> bool:
    """Whether rows may be ranked by all of their values together."""
    open_columns = v.grid.uniform and not v.grid.timed_columns and not v.columns
    return open_columns or v.piece.has("total") is not None


def _row_totals(v: View, rows: Sequence[str]) -> list[Cell]:
    columns = [name for name in v.grid.columns if not is_whole(name)]
    return [sum_cell(cells) for row in v.grid.rivals(rows) if (cells := v.grid.cells([row], columns))]


def _subjects(v: View, axis: str) -> tuple[str, ...]:
    """The names that are said to be extreme: without those of a group (“of Ann, Ben and Cy”) or a span."""
    names = v.piece.names_of(axis)
    spanned = v.row_span if axis == "row" else v.column_span
    if spanned and 0 < len(names) < 3 and not pointer(v.piece):
        return ()
    group = _group(v) if axis == "row" else ()
    said = [name.name for name in v.piece.names if name.axis == axis]
    return tuple(name for name in names if name not in group or said.count(name) > 1)


def _group(v: View) -> tuple[str, ...]:
    """The rows among which something is an extreme: “of Ann, Ben and Cy, Ben has …”."""
    names = [n for n in v.piece.names if n.axis == "row"]
    if len(names) < 3 or v.piece.words[0] not in ("of", "among", "between", "out", "comparing"):
        return ()
    verb = next((i for i, w in enumerate(v.piece.words, v.piece.first) if w in _HAVING), 0)
    last = max((n.first for n in names if n.first < verb), default=-1)
    return tuple(n.name for n in names if n.first < last)


_HAVING = ("has", "is", "had", "was", "have")


def _rows_pointed_at(v: View) -> tuple[str, ...]:
    """The rows that a piece without names of its own speaks of; of a movement it is the last."""
    if v.row_from == NEAR or (v.pronoun and v.rows):
        return v.rows[-1:] if v.grid.timed_rows else v.rows
    return ()


def _is_along_row(v: View, cue: Cue) -> bool:
    """Whether a row's own values are ranked: “Cars peaked in 2020”, “Ann's highest score was in Art”, “Rent was highest in 2021”."""
    if not v.own_columns or not v.grid.uniform or not v.rows:
        return False
    sentence = v.piece.sentence
    before = sentence.before(cue)
    if _ranks_columns(v, cue):
        return True
    owners = (n for n in v.piece.names if n.axis == "row" and n.last == cue.first - 1)
    if before.endswith(("'s", "s'")) and any(owners):
        return True
    if v.grid.timed_columns and (cue.words in _PEAKS or before in ("its", "their")):
        return True
    after = next((n for n in v.piece.names if n.axis == "column" and n.first > cue.last), None)
    if v.grid.timed_rows or after is None or before not in ("is", "was", "were", "are"):
        return False
    return sentence.before(after) in ("in", "on", "at", "for")


def _ranks_columns(v: View, cue: Cue) -> bool:
    """“The weakest term for mathematics was spring”, “patients are the group with the highest share of No”: a column has the rank."""
    sentence = v.piece.sentence
    following = {t.stem for t in sentence.tokens[cue.last + 1 : cue.last + 2]}
    if following & frozenset[str].intersection(*map(name_stems, v.grid.columns)):
        return True
    subjects = [n.axis for n in v.piece.names if n.last < cue.first]
    after = [n for n in v.piece.names if n.first > cue.last]
    return (
        subjects == ["column"]
        and [n.axis for n in after] == ["row"]
        and sentence.before(after[0]) in ("of", "for", '"')
    )


def _finding_along_row(v: View, columns: Sequence[str], rank: _Rank) -> Finding | None:
    if not v.grid.uniform or not columns:
        return None
    rivals = [name for name in v.column_span or v.grid.columns if not is_whole(name)]
    if len(v.rows) == 1 and (v.own_rows or v.row_from == NEAR or v.pronoun):
        cells = v.grid.cells(v.rows, rivals)
    elif v.own_rows:
        return None
    else:
        every = v.grid.rivals(v.grid.rows)
        cells = [sum_cell(found) for name in rivals if (found := v.grid.cells(every, [name]))]
    return _finding_of_rank(v, rank, cells, () if v.column_span else columns, by_column=True)


def _finding_of_rank(
    v: View, rank: _Rank, cells: Sequence[Cell], meant: Sequence[str], *, by_column: bool = False
) -> Finding | None:
    """Whether the cells meant have the rank among all; of equal values each has the better and the worse rank."""
    if len(cells) < 2 or rank.place > len(cells):
        return None
    most = rank.most != is_reversed(rank.cue.words, cells[0])
    size = abs if compares_sizes(v) else float
    order = sorted(cells, key=lambda c: size(c.value), reverse=most)
    levels = [next(group) for _, group in itertools.groupby(order, key=lambda c: round(c.value, 9))]
    tops = [order[rank.place - 1], levels[min(rank.place, len(levels)) - 1]]
    amounts = _amounts_of_rank(v, rank.cue)
    if amounts and not any(agrees(amount, top) != "different" for amount in amounts for top in tops):
        return _other_amount_finding(amounts, tops[0], most=most, named=bool(meant))
    found = [cell for cell in cells if (cell.column if by_column else cell.row) in meant]
    if not found:
        return decide(True, tops[:1], f"{in_words(tops[0])}.") if amounts else None
    if rank.place == 1 and len(found) > 1:
        last = order[len(found) - 1]
        tops = [last, *(c for c in found if (c.value > last.value) == most)]
    return _holders_finding(found, tops)


def _holders_finding(found: Sequence[Cell], tops: Sequence[Cell]) -> Finding:
    """Whether all of some cells have a value that has the rank."""
    odd = next((c for c in found if not any(equal(c.value, top.value) for top in tops)), None)
    if odd is None:
        return decide(True, found, f"{in_words(found[0])}, which has that rank.")
    if too_close(odd, tops[0]):
        return missing(f"{in_words(odd)} and {in_words(tops[0])} are too close to be told apart.")
    return decide(False, [odd, tops[0]], f"{in_words(odd)}, but {in_words(tops[0])}.")


def _amounts_of_rank(v: View, cue: Cue) -> list[Amount]:
    """The values that are said of what has a rank; “the three highest” are none, nor is by how much."""
    numbers = (n for n in v.piece.numbers if n.role not in ("by", "from"))
    beside = (cue.last + 1, cue.first - 1)
    return [n.amount for n in numbers if not (n.first in beside and n.amount.quantity.spelled)]


def _other_amount_finding(amounts: Sequence[Amount], top: Cell, *, most: bool, named: bool) -> Finding:
    """What has the rank has another value; one that lies beyond all that was read may be of something that was not."""
    said = amounts[0].quantity.value
    beyond = said > top.value if most else said < top.value
    if beyond and not named and len(amounts) == 1:
        return missing("what was read has nothing as far out as the claim says.")
    return decide(False, [top], f"{in_words(top)}, the claim says {amount_text(amounts[0])}.")


# Other extremes.


def _mode_finding(v: View) -> Finding | None:
    """“The number that appears most often is 7.”"""
    cells = v.grid.cells(v.grid.rows, v.likely_columns[:1])
    counts = Counter(cell.value for cell in cells)
    top = [cell for cell in cells if counts[cell.value] == max(counts.values())]
    found = any(agrees(v.amounts[0], cell) == "same" for cell in top)
    return decide(found, top, f"{number_text(top[0].value)} is there {counts[top[0].value]} times.") if top else None


def unsurpassed_finding(v: View, cue: Cue) -> Finding | None:
    """“No city has more parks than Oslo”: Oslo has the most."""
    if len(v.own_rows) != 1 or len(v.amounts) != 1 or v.amounts[0].quantity.value or not v.amounts[0].quantity.spelled:
        return None
    bare = replace(v, piece=replace(v.piece, numbers=()))
    rank = _Rank(most=cue.tag == "more", place=1, cue=cue)
    columns = v.likely_columns
    return settled([_finding_of_rank(bare, rank, v.grid.cells(v.grid.rows, [c]), v.own_rows) for c in columns], v)


def follower_finding(v: View, ladder: tuple[str, int]) -> Finding:
    """“… followed by Germany and Spain”: the next ranks."""
    tag, rank = ladder
    rows, column = v.own_rows, v.likely_columns[:1]
    cells = sorted(v.grid.cells(v.grid.rivals(v.grid.rows), column), key=lambda c: c.value, reverse=tag == "most")
    own = v.grid.cells(rows, column)
    places = cells[rank - 1 : rank - 1 + len(rows)]
    if not rows or not len(own) == len(places) == len(rows):
        return missing(UNCLEAR)
    v.context.ladder = (tag, rank + len(rows))
    pairs = zip(own, places, strict=True)
    found = [decide(equal(a.value, b.value), [a], f"{in_words(a)}, {in_words(b)}.") for a, b in pairs]
    return settled([next((one for one in found if one.verdict == "contradicted"), found[0])], v)


def _same_holder_findings(v: View, cue: Cue, other: Cue) -> Iterator[Finding | None]:
    """“The deepest lake is also the smallest”: who holds both."""
    for column, second in itertools.product(_columns_of(v, cue), _columns_of(v, other)):
        if column != second:
            holder, rival = _top_cell(v, cue, column), _top_cell(v, other, second)
            yield decide(holder.row == rival.row, [holder, rival], f"{in_words(holder)}, {in_words(rival)}.")


def _columns_of(v: View, cue: Cue) -> tuple[str, ...]:
    """The columns that a superlative may be meant of: that of its adjective, else any."""
    said = [n for n in v.piece.names if n.axis == "column"]
    named = [n.name for n in said if cue.first in n.places]
    taken = {n.name for n in said}
    return tuple(named or [name for name in v.grid.columns if name not in taken] or v.grid.columns)


def _top_cell(v: View, cue: Cue, column: str) -> Cell:
    cells = v.grid.cells(v.grid.rivals(v.grid.rows), [column])
    return (max if cue.tag == "most" else min)(cells, key=lambda c: c.value)


_FALLING = frozenset("drop fall decrease decline loss".split())


def _step_findings(v: View, cue: Cue) -> Iterator[Finding | None]:
    """“The largest increase was from 2017 to 2018”, “the gap is widest in Art”: ranked are changes, not values."""
    grid = v.grid
    names = v.own_rows or v.given_rows
    if cue.tag == "most" and grid.timed_rows and names:
        sign = -1 if v.has_any(_FALLING) else 1
        for column in v.likely_columns:
            steps = [*itertools.pairwise(grid.cells(grid.line_rows, [column]))]
            for a, b in sorted(steps, key=lambda pair: sign * (pair[0].value - pair[1].value))[:1]:
                yield decide(b.row == names[-1], steps[0][:1], f"the largest step is from {a.row} to {b.row}.")
    if cue.tag == "most" and v.own_rows and len(grid.columns) == 2:
        lines = [line for row in grid.rows if len(line := grid.cells([row], grid.columns)) == 2]
        for a, b in sorted(lines, key=lambda line: -abs(line[0].value - line[1].value))[:1]:
            yield decide(a.row == v.own_rows[0], [a, b], f"the two are farthest apart at {a.row}.")
    yield missing(UNCLEAR)
