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
from evpv.premises.matching.values import Finding, decide, equal, in_words, missing, together, too_close, unread
from evpv.premises.statements.gaps import is_agent
from evpv.premises.statements.grid import is_whole
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, decision
from evpv.premises.statements.views import NEAR, STRANGE, UNCLEAR, View, pointer

_SPEED = frozenset("fastest quickest slowest faster quicker slower beat beats beaten outpaced outran".split())
_TIME_WORDS = frozenset("time minute second hour duration".split())
_RACES = frozenset("heat lap final race sprint split leg".split())
_AGES = frozenset("older oldest eldest younger youngest".split())
_PEAKS = frozenset("peak peaks peaked peaking bottomed trough nadir".split())
_STEPS = frozenset(
    "increase rise jump gain growth grow drop fall decrease decline change gap difference progress improvement loser winner swing".split()
)
_GAPS = frozenset(
    "gap difference differ margin lead excess surplus imbalance spread advantage discrepancy disparity apart".split()
)
_KNOWN = frozenset(word for tag in ("most", "least") for word in CUES[tag].split("|"))


@immutable
class _Rank:
    """A place in an order: the `place`-th most, or least, by the `cue` that says so."""

    most: bool
    place: int
    cue: Cue


def _is_mode(v: View, cue: Cue) -> bool:
    """“The value that comes up most often is 5”."""
    return cue.words == "most" and bool(v.amounts) and v.has("often", "frequently") and not v.is_named


def extreme_finding(v: View, cue: Cue) -> Finding:
    """Whether what is named is the most or the least, in the rank that is said, with the value that is said."""
    if not v.is_named and names_absent(v.piece, v.grid):
        return unread(STRANGE)
    if _is_mode(v, cue):
        return decision([_mode_finding(v)], v, leans=False)
    other = v.piece.has("most", "least", after=cue)
    if other is not None and not v.own_rows:
        return decision(_same_holder_findings(v, cue, other), v, leans=False)
    rank = _Rank(most=cue.tag == "most", place=_place(v, cue), cue=cue)
    if (ranked := _gap_rank_finding(v, rank)) is not None:
        return ranked
    if not (_STEPS - v.grid.vocabulary).isdisjoint(v.piece.stems):
        return decision(_step_findings(v, cue), v, sure=False)
    return _rank_finding(v, rank)


def _rank_finding(v: View, rank: _Rank) -> Finding:
    both = _may_be_reversed(v, rank)
    v.context.ladder = (rank.cue.tag, rank.place + 1)
    if _is_for_every(v):
        return decision([_finding_on_every_line(v, rank)], v, leans=False)
    readings = _rank_findings(v, rank)
    if both:
        readings = itertools.chain(readings, _rank_findings(v, replace(rank, most=not rank.most)))
    around = (v.piece.word_before(name) for name in (*v.own_rows, *v.own_columns))
    hedged = not {"around", "about", "near", "roughly"}.isdisjoint(around)
    sure = not hedged and v.column_from != NEAR and not _is_of_some(v)
    return decision(readings, v, leans=not (v.is_named or v.amounts), sure=sure)


def _may_be_reversed(v: View, rank: _Rank) -> bool:
    """Whether a superlative may mean either end: one that no list has, or a place in an order that goes upwards."""
    if ORDINALS.keys().isdisjoint(rank.cue.words.split()):
        return rank.cue.words not in _KNOWN
    upwards = v.context.ladder is not None and v.context.ladder[0] == "least"
    said = any(cue.tag == "least" and "last" not in cue.words for cue in v.piece.sentence.cues)
    return upwards or said or any(is_reversed("fastest", cell) for cell in v.cells[:1])


_THROUGHOUT = frozenset("in on for at to across throughout during among".split())


def _is_for_every(v: View) -> bool:
    """“In each grade the choir is the biggest club”: what is named has the rank on every line that it crosses."""
    if not v.grid.uniform or len(v.grid.columns) < 2 or bool(v.own_rows) == bool(v.own_columns) or v.piece.numbers:
        return False
    if "from" in v.piece.words or v.piece.sentence.word(v.piece.stop) in ("but", "except"):
        return False
    return _says_every(v.piece.words, len(v.grid.columns if v.own_rows else v.grid.rows))


def _says_every(words: Sequence[str], lines: int) -> bool:
    """“In each grade”, “across all regions”; “in both years” where there are two."""
    every = ("each", "every", "all", "both") if lines == 2 else ("each", "every", "all")
    said = (i for i, word in enumerate(words) if word in every)
    return any(i and words[i - 1] in _THROUGHOUT and i + 1 < len(words) for i in said)


def _finding_on_every_line(v: View, rank: _Rank) -> Finding | None:
    """Whether what is named has a rank on all lines that it crosses, for one where it has not denies it."""
    meant, by_column = v.own_rows or v.own_columns, not v.own_rows
    found = [_finding_of_rank(v, rank, line, meant, by_column=by_column) for line in _crossed_lines(v)]
    return together([one for one in found if one]) if any(found) else None


def _crossed_lines(v: View) -> list[list[Cell]]:
    """The lines on which what is named has rivals: every row where it is a column, else every column."""
    rows, columns = v.grid.rivals(v.grid.rows), [name for name in v.grid.columns if not is_whole(name)]
    if v.own_columns:
        return [v.grid.cells([name], columns) for name in rows]
    return [v.grid.cells(rows, [name]) for name in columns]


def _place(v: View, cue: Cue) -> int:
    """The rank before a superlative (“second highest”, “third-smallest”) or in it (“came in second”)."""
    inside = (ORDINALS[word] for word in reversed(cue.words.split()) if word in ORDINALS)
    place = next(inside, 0)
    for word in reversed(v.piece.sentence.words[max(0, cue.first - 3) : cue.first]) if not place else ():
        if word == "next":
            return v.context.ladder[1] if v.context.ladder else max(len(v.context.far_group), 1) + 1
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
    columns = _subjects(v, "column") or _columns_ranked(v, rank.cue)
    if _is_along_row(v, rank.cue):
        yield _finding_along_row(v, columns, rank)
        return
    if columns and _rows_are_setting(v, rank.cue):
        yield _finding_in_rows(v, columns, rank)
        return
    group = v.row_span or _group_spoken_of(v) or v.grid.rows
    meant = _rows_placed(v, rank.cue) if v.own_rows else _rows_pointed_at(v)
    if not columns and _ranks_totals(v, meant):
        yield _finding_of_rank(v, rank, _row_totals(v, group), meant)
    for column in columns or v.likely_columns:
        yield _finding_of_rank(v, rank, _rivals(v, group, column, meant), meant)
    if not v.own_rows:
        yield _finding_along_row(v, columns, rank)
    elif columns and _sets_scene_by_row(v, rank.cue):
        crossed = _finding_in_rows(v, columns, rank)
        yield crossed if crossed is not None and crossed.verdict == "supported" else None


def _columns_ranked(v: View, cue: Cue) -> tuple[str, ...]:
    """The column that the noun of “the most time” speaks of, where only one has it."""
    noun = v.piece.sentence.tokens[cue.last + 1 : cue.last + 2]
    named = tuple(
        name for name in v.grid.columns if noun and noun[0].is_content_word and noun[0].stem in name_stems(name)
    )
    return named if len(named) == 1 < len(v.grid.columns) else ()


def _rivals(v: View, group: Sequence[str], column: str, meant: Sequence[str]) -> list[Cell]:
    """The cells among which something has a rank: without totals, unless one is meant."""
    cells = v.grid.cells(v.grid.rivals(group), [column])
    return cells if {cell.row for cell in cells}.issuperset(meant) else v.grid.cells(v.grid.rows, [column])


_SETTING = frozenset("in on for of at among regarding with".split())
_LEADING = frozenset("leads led lead leading ahead tops topped dominates dominated".split())


def _rows_are_setting(v: View, cue: Cue) -> bool:
    """“In health care, Clinton leads”: the columns are ranked, in the rows that only say where."""
    return cue.words in _LEADING and _sets_scene_by_row(v, cue)


def _sets_scene_by_row(v: View, cue: Cue) -> bool:
    """Whether a row only says where something is so of a column: “In Vienna, buses are the most used mode”."""
    if not _names_before(v, cue, "row") or not v.own_rows or not v.grid.uniform or v.grid.timed_columns:
        return False
    subjects = _names_before(v, cue, "column")
    openings = [v.piece.word_before(name) in _SETTING for name in (*subjects[:1], v.own_rows[0])]
    return len(openings) == 2 and not openings[0] and (openings[1] or _leads(v, v.own_rows[0]))


def _leads(v: View, row: str) -> bool:
    """Whether a name stands before a colon: “Sodium: rice bar highest”."""
    return any(n.name == row and v.piece.sentence.after(n) == ":" for n in v.piece.names)


def _names_before(v: View, cue: Cue, axis: str) -> list[str]:
    """The rows, or columns, that a piece names before a cue."""
    return [n.name for n in v.piece.names if n.axis == axis and n.last < cue.first]


def _finding_in_rows(v: View, columns: Sequence[str], rank: _Rank) -> Finding | None:
    """Whether columns have the rank in each of the rows that are named."""
    rivals = [name for name in v.grid.columns if not is_whole(name)]
    lines = (v.grid.cells([row], rivals) for row in v.own_rows)
    found = [_finding_of_rank(v, rank, line, columns, by_column=True) for line in lines]
    return together([one for one in found if one]) if any(found) else None


def _ranks_totals(v: View, meant: Sequence[str]) -> bool:
    """Whether rows may be ranked by all of their values together."""
    open_columns = v.grid.uniform and not v.grid.timed_columns and not v.columns
    return bool(meant) and (open_columns or v.piece.has("total") is not None)


def _row_totals(v: View, rows: Sequence[str]) -> list[Cell]:
    columns = [name for name in v.grid.columns if not is_whole(name)]
    return [sum_cell(cells) for row in v.grid.rivals(rows) if (cells := v.grid.cells([row], columns))]


def _subjects(v: View, axis: str) -> tuple[str, ...]:
    """The names that are said to be extreme: not those of a span."""
    names = v.piece.names_of(axis)
    spanned = v.row_span if axis == "row" else v.column_span
    return () if spanned and len(names) < 3 and not pointer(v.piece) else names


_PLACED_BY = frozenset("after before behind ahead".split())


def _rows_placed(v: View, cue: Cue) -> tuple[str, ...]:
    """The rows that are said to have a rank, without those that “second, after Oslo and before Bern” only compares with."""
    words = v.piece.sentence.words
    behind = (n.name for n in v.piece.names if not _PLACED_BY.isdisjoint(words[cue.last + 1 : n.first]))
    subjects, others = _subjects(v, "row"), {*behind}
    return tuple(name for name in subjects if name not in others) if _names_before(v, cue, "row") else subjects


def _rows_pointed_at(v: View) -> tuple[str, ...]:
    """The rows that a piece without names of its own speaks of; of a movement it is the last."""
    return v.leaning_rows[-1:] if v.grid.timed_rows else v.leaning_rows


def _is_along_row(v: View, cue: Cue) -> bool:
    """Whether a row's own values are ranked: “Cars peaked in 2020”, “Ann's highest score was in Art”, “Rent was highest in 2021”."""
    if not v.own_columns or not v.grid.uniform or not v.rows:
        return False
    before = v.piece.sentence.before(cue)
    owners = (n for n in v.piece.names if n.axis == "row" and n.last == cue.first - 1)
    if _ranks_columns(v, cue) or (before.endswith(("'s", "s'")) and any(owners)):
        return True
    if v.grid.timed_columns and (cue.words in _PEAKS or before in ("its", "their")):
        return True
    return before in ("is", "was", "were", "are") and _word_before_column(v, cue) in ("in", "on", "at", "for")


def _word_before_column(v: View, cue: Cue) -> str:
    """The word before the first column that is named after a superlative."""
    after = (n for n in v.piece.names if n.axis == "column" and n.first > cue.last)
    return next((v.piece.sentence.before(name) for name in after), "")


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
    """Whether a column has the rank in a row, or of all rows together."""
    if not v.grid.uniform or not columns:
        return None
    single = len(v.rows) == 1 and (v.row_from <= NEAR or v.pronoun)
    if v.own_rows and not single:
        return None
    cells = _column_totals(v, v.rows if single else v.grid.rivals(v.grid.rows), v.column_span or v.grid.columns)
    found = _finding_of_rank(v, rank, cells, () if v.column_span else columns, by_column=True)
    summed = not single and found is not None and found.verdict == "contradicted" and cells[0].unit == "percent"
    return missing(UNCLEAR) if summed else found


def _column_totals(v: View, rows: Sequence[str], columns: Sequence[str]) -> list[Cell]:
    lines = (v.grid.cells(rows, [name]) for name in columns if not is_whole(name))
    return [sum_cell(line) for line in lines if line]


def _finding_of_rank(
    v: View, rank: _Rank, cells: Sequence[Cell], meant: Sequence[str], *, by_column: bool = False
) -> Finding | None:
    """Whether the cells meant have the rank among all; of equal values each has the better and the worse rank."""
    if len(cells) < 2 or rank.place > len(cells):
        return None
    most = rank.most != is_reversed(rank.cue.words, cells[0])
    size = abs if compares_sizes(v) else float
    order = sorted(cells, key=lambda c: size(c.value), reverse=most)
    tops = [order[rank.place - 1], _cell_at_level(order, rank.place)]
    amounts = _amounts_of_rank(v, rank.cue)
    if {agrees(*pair) for pair in itertools.product(amounts, tops)} == {"different"}:
        return _other_amount_finding(amounts, tops[0], most=most, named=bool(meant))
    found = [cell for cell in cells if (cell.column if by_column else cell.row) in meant]
    several = rank.place == 1 < len(found)
    return _holders_finding(found, order[len(found) - 1 :: -1] if several else tops, amounts)


def _cell_at_level(order: Sequence[Cell], place: int) -> Cell:
    """The first cell of a rank where equal values share one."""
    levels = [next(group) for _, group in itertools.groupby(order, key=lambda c: round(c.value, 9))]
    return levels[min(place, len(levels)) - 1]


def _holders_finding(found: Sequence[Cell], tops: Sequence[Cell], amounts: Sequence[Amount]) -> Finding | None:
    """Whether all of some cells have a value that has the rank; without cells, what has it has the amounts that are said."""
    if not found:
        return decide(True, tops[:1], f"{in_words(tops[0])}.") if amounts else None
    odd = next((c for c in found if not any(equal(c.value, top.value) for top in tops)), None)
    if odd is None:
        return decide(True, found, f"{in_words(found[0])}, which has that rank.")
    if too_close(odd, tops[0]):
        return missing(f"{in_words(odd)} and {in_words(tops[0])} are too close to be told apart.")
    return decide(False, [odd, tops[0]], f"{in_words(odd)}, but {in_words(tops[0])}.")


def _amounts_of_rank(v: View, cue: Cue) -> list[Amount]:
    """The values that are said of what has a rank; “the three highest” are none, nor is by how much."""
    numbers = (n for n in v.piece.numbers if n.role not in ("by", "from") or is_agent(v, n))
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


_NOBODY = frozenset(("no", "none", "nobody", "nothing", "no one", "neither"))


def unsurpassed_finding(v: View, cue: Cue) -> Finding | None:
    """“No city has more parks than Oslo”: Oslo has the most."""
    if len(v.own_rows) != 1 or any(amount.quantity.value for amount in v.amounts) or not _denies_rivals(v, cue):
        return None
    bare = replace(v, piece=replace(v.piece, numbers=()))
    rank = _Rank(most=cue.tag == "more", place=1, cue=cue)
    columns = v.likely_columns
    return decision([_finding_of_rank(bare, rank, v.grid.cells(v.grid.rows, [c]), v.own_rows) for c in columns], v)


def _denies_rivals(v: View, cue: Cue) -> bool:
    """Whether it is nobody who is more, or less, than a row named last: “nobody sold fewer than Ann”."""
    nobody, than = v.piece.has("not"), v.piece.has("than")
    if nobody is None or than is None:
        return False
    held = min(name.first for name in v.piece.names if name.axis == "row")
    return nobody.words in _NOBODY and nobody.first < cue.first < than.first < held


def _same_holder_findings(v: View, cue: Cue, other: Cue) -> Iterator[Finding | None]:
    """“The deepest lake is also the smallest”: who holds both."""
    for column, second in itertools.product(_columns_of(v, cue), _columns_of(v, other)):
        if column != second:
            holder, rival = _top_cell(v, cue, column), _top_cell(v, other, second)
            yield decide(holder.row == rival.row, [holder, rival], f"{in_words(holder)}, {in_words(rival)}.")


def _columns_of(v: View, cue: Cue) -> tuple[str, ...]:
    """The columns that a superlative may be meant of: that of its adjective, else any."""
    named = [n.name for n in v.piece.names if n.axis == "column" and cue.first in n.places]
    taken = v.piece.names_of("column")
    return tuple(named or [name for name in v.grid.columns if name not in taken] or v.grid.columns)


def _top_cell(v: View, cue: Cue, column: str) -> Cell:
    cells = v.grid.cells(v.grid.rivals(v.grid.rows), [column])
    return (max if cue.tag == "most" else min)(cells, key=lambda c: c.value)


_FALLING = frozenset("drop fall decrease decline loss".split())


def _step_findings(v: View, cue: Cue) -> Iterator[Finding | None]:
    """“The largest increase was from 2017 to 2018”, “the gap is widest in Art”: ranked are changes, not values."""
    if cue.tag == "most" and v.grid.timed_rows:
        yield from (_largest_step_finding(v, column) for column in v.likely_columns)
    yield missing(UNCLEAR)


def _largest_step_finding(v: View, column: str) -> Finding | None:
    names, sign = v.own_rows or v.given_rows, -1 if v.has_any(_FALLING) else 1
    line = v.grid.cells(v.grid.line_rows, [column])
    if len(line) < 2 or not names:
        return None
    a, b = max(itertools.pairwise(line), key=lambda pair: sign * (pair[1].value - pair[0].value))
    return decide(b.row == names[-1], line[:1], f"the largest step is from {a.row} to {b.row}.")


# Ranks among gaps: “the gap is widest in Art and smallest in Music”.


def _gap_rank_finding(v: View, rank: _Rank) -> Finding | None:
    """Whether what is named has the rank among the gaps between two rows, or columns; None where none are ranked. A gap that the sentence
    spoke of before may still be meant."""
    nouns = _GAPS - v.grid.vocabulary
    own = not nouns.isdisjoint(v.piece.stems)
    if v.has("relative", "relatively") or not (own or (v.own_rows and not nouns.isdisjoint(_stems_before(v)))):
        return None
    by_column = len(v.own_columns) == 1 and not v.own_rows
    gaps = _row_gaps(v, by_column=by_column)
    found = _finding_of_rank(v, rank, gaps, v.own_columns if by_column else v.own_rows, by_column=by_column)
    if found is None or (not own and v.piece.names_of("column")):
        return None
    v.context.ladder = (rank.cue.tag, rank.place + 1)
    plain = _rank_finding(v, rank) if not own else None
    found = replace(found, explanation=f"of how far they are apart, {found.explanation}")
    return plain if plain and plain.verdict == "supported" else decision([found], v, leans=False)


def _stems_before(v: View) -> frozenset[str]:
    return frozenset(token.stem for token in v.piece.sentence.tokens[: v.piece.first])


def _row_gaps(v: View, *, by_column: bool) -> list[Cell]:
    """How far the two columns that are meant are apart in every row, or the two rows in every column."""
    parts = [name for name in v.grid.columns if not is_whole(name)]
    if by_column:
        rows = v.rows if len(v.rows) > 1 else v.grid.rivals(v.grid.rows)
        lines = [v.grid.cells(rows, [name]) for name in parts]
    else:
        columns = v.columns if len(v.columns) > 1 else parts
        lines = [v.grid.cells([name], columns) for name in v.grid.rivals(v.grid.rows)]
    return [a.with_value(abs(a.value - b.value)) for a, b in filter(_is_pair, lines)]


def _is_pair(line: Sequence[Cell]) -> bool:
    """Whether a line is two values in one unit."""
    return len(line) == 2 and line[0].unit == line[1].unit
