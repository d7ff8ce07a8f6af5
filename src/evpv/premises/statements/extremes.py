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
from evpv.premises.statements.pieces import Piece
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.verdicts import agrees, decision, outcome_finding
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

    @property
    def leads(self) -> bool:
        return self.place == 1 and self.cue.words in LEADING


def extreme_finding(v: View, cue: Cue) -> Finding:
    """Whether what is named is the most or the least, in the rank that is said, with the value that is said."""
    if not v.is_named:
        if names_absent(v.piece, v.grid):
            return unread(STRANGE)
        if cue.words == "most" and v.amounts and v.has("often", "frequently"):
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
    """Whether what is named has a rank in one of the ways that may be meant, or on every line where that is said."""
    both = _may_be_reversed(v, rank)
    v.context.ladder = (rank.cue.tag, rank.place + 1)
    if _is_for_every(v):
        return decision([_finding_on_crossed_lines(v, rank)], v, leans=False)
    readings = _rank_findings(v, rank)
    if both:
        readings = itertools.chain(readings, _rank_findings(v, replace(rank, most=not rank.most)))
    around = (v.piece.word_before(name) for name in (*v.own_rows, *v.own_columns))
    hedged = not {"around", "about", "near", "roughly"}.isdisjoint(around)
    among_unknown = 0 < _some_meant(v) != len(v.grid.rows) and not _group_spoken_of(v)
    sure = not hedged and v.column_from != NEAR and not among_unknown
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
    """“In each grade the choir is the biggest club”, “in both years” of two: what is named has the rank on every line that it crosses."""
    grid, words = v.grid, v.piece.words
    if not grid.uniform or bool(v.own_rows) == bool(v.own_columns) or v.piece.numbers:
        return False
    if "from" in words or v.piece.sentence.word(v.piece.stop) in ("but", "except"):
        return False
    pair = len(grid.columns if v.own_rows else grid.rows) == 2
    return _says_every(words, ("each", "every", "all", "both") if pair else ("each", "every", "all"))


def _says_every(words: Sequence[str], every: Sequence[str]) -> bool:
    always = words[-1] in ("throughout", "always", "consistently")
    return always or any(b in every and a in _THROUGHOUT for a, b in itertools.pairwise(words[:-1]))


def _finding_on_crossed_lines(v: View, rank: _Rank) -> Finding | None:
    """Whether what is named has a rank on all lines on which it has rivals: every row where it is a column, else every column."""
    rows, columns = v.grid.rivals(v.grid.rows), _parts(v)
    if v.own_columns:
        return _finding_on_lines(v, rank, [v.grid.cells([row], columns) for row in rows], v.own_columns, by_column=True)
    return _finding_on_lines(v, rank, [v.grid.cells(rows, [name]) for name in columns], v.own_rows)


def _finding_on_lines(
    v: View, rank: _Rank, lines: Sequence[Sequence[Cell]], meant: Sequence[str], *, by_column: bool = False
) -> Finding | None:
    """Whether what is meant has a rank on each of some lines: one where it has not denies it."""
    found = [_finding_of_rank(v, rank, line, meant, by_column=by_column) for line in lines]
    return together([one for one in found if one]) if any(found) else None


def _parts(v: View) -> list[str]:
    """The columns that are no totals of others."""
    return [name for name in v.grid.columns if not is_whole(name)]


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
    if word in _PLACES and any(unit in cell.column for unit in _SECONDS):
        return True
    if word in _SPEED and not _RACES.isdisjoint(name_stems(cell.column)):
        return True
    return word in _SPEED and any(part in cell.column.lower() or cell.unit == part for part in _TIME_WORDS)


_PLACES = frozenset(("ahead of", "behind", "trails", "trailed", "trailing"))
_SECONDS = ("(s)", "(sec)", "(seconds)")
"""A column in which only the times of a race are measured; minutes may be those of a journey."""


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
    """Whether what is named has a rank, in all ways that may be meant. “In health care, Clinton leads”: rows may only say where."""
    columns = _subjects(v, "column") or _columns_ranked(v, rank.cue)
    if _is_along_row(v, rank.cue):
        yield _finding_along_row(v, columns, rank)
        return
    in_rows = None
    if columns and _sets_scene_by_row(v, rank.cue):
        lines = [v.grid.cells([row], _parts(v)) for row in v.own_rows]
        in_rows = _finding_on_lines(v, rank, lines, columns, by_column=True)
        if _is_kind(v, rank.cue):
            yield in_rows
            return
    yield from _findings_among_rows(v, rank, columns)
    if not v.own_rows:
        yield _finding_along_row(v, columns, rank)
    elif in_rows is not None and in_rows.verdict == "supported":
        yield in_rows


def _findings_among_rows(v: View, rank: _Rank, columns: Sequence[str]) -> Iterator[Finding | None]:
    """Whether rows have a rank in a column, or else in all of their values together. No total is a rival, unless one is meant; without a
    row of its own a piece speaks of those that were named last, and of a movement of its last."""
    rivals = _rivals(v, rank.cue)
    leaning = v.leaning_rows[-1:] if v.grid.timed_rows else v.leaning_rows
    meant = _rows_placed(v, rank.cue) if v.own_rows else leaning
    if not columns:
        yield from _findings_among_sums(v, rank, rivals, meant)
    for column in columns or v.likely_columns:
        cells = v.grid.cells(rivals, [column])
        if not {cell.row for cell in cells}.issuperset(meant):
            cells = v.grid.cells(v.grid.rows, [column])
        yield _finding_of_rank(v, rank, cells, meant)


def _rivals(v: View, cue: Cue) -> list[str]:
    """The rows that are ranked: of a span, of those that were spoken of, or all."""
    return v.grid.rivals(_rows_since(v, cue) or v.row_span or _group_spoken_of(v) or v.grid.rows)


def _rows_since(v: View, cue: Cue) -> tuple[str, ...]:
    """The times from after that of “2020 was the weakest year since 2015” to the one that is named before."""
    line, named = v.grid.line_rows, _names_before(v, cue, "row")
    since = next((n.name for n in v.piece.names if n.first > cue.last and v.piece.sentence.before(n) == "since"), "")
    if not named or {since, named[-1]} - {*line}:
        return ()
    return tuple(line[line.index(since) + 1 : line.index(named[-1]) + 1])


def _findings_among_sums(v: View, rank: _Rank, rows: Sequence[str], meant: Sequence[str]) -> Iterator[Finding | None]:
    """Whether rows have a rank in all of their values together, where these can be added up."""
    adds = v.grid.uniform and not v.grid.timed_columns and not v.columns
    if meant and (adds or v.piece.has("total")):
        lines = (v.grid.cells([row], _parts(v)) for row in rows)
        yield _finding_of_rank(v, rank, [sum_cell(line) for line in lines if line], meant)


_SETTING = frozenset("in on for of at among regarding with".split())
LEADING = frozenset("leads led lead leading ahead tops topped dominates dominated".split())


def _columns_ranked(v: View, cue: Cue) -> tuple[str, ...]:
    """The column that the noun of “the most time” speaks of, where only one has it."""
    noun = v.piece.sentence.tokens[cue.last + 1 : cue.last + 2]
    if not noun or not noun[0].is_content_word:
        return ()
    named = tuple(name for name in v.grid.columns if noun[0].stem in name_stems(name))
    return named if len(named) == 1 < len(v.grid.columns) else ()


def _sets_scene_by_row(v: View, cue: Cue) -> bool:
    """Whether a row only says where something is so of a column: “In Vienna, buses are the most used mode”, “Sodium: rice bar highest”."""
    if not v.own_rows or not v.grid.uniform or v.grid.timed_columns or not _names_before(v, cue, "row"):
        return False
    row, subjects = v.own_rows[0], _names_before(v, cue, "column")
    if not subjects or v.piece.word_before(subjects[0]) in _SETTING:
        return False
    opens = any(n.name == row and v.piece.sentence.after(n) == ":" for n in v.piece.names)
    return opens or v.piece.word_before(row) in _SETTING


def _names_before(v: View, cue: Cue, axis: str) -> list[str]:
    """The rows, or columns, that a piece names before a cue."""
    return [n.name for n in v.piece.names if n.axis == axis and n.last < cue.first]


def _subjects(v: View, axis: str) -> tuple[str, ...]:
    """The names that are said to be extreme: not those of a span."""
    names = v.piece.names_of(axis)
    spanned = v.row_span if axis == "row" else v.column_span
    return () if spanned and len(names) < 3 and not pointer(v.piece) else names


_PLACED_BY = frozenset("after before behind ahead since".split())


def _rows_placed(v: View, cue: Cue) -> tuple[str, ...]:
    """The rows that are said to have a rank, without those that “second, after Oslo and before Bern” only compares with."""
    words, subjects = v.piece.sentence.words, _subjects(v, "row")
    if not _names_before(v, cue, "row"):
        return subjects
    others = {n.name for n in v.piece.names if not _PLACED_BY.isdisjoint(words[cue.last + 1 : n.first])}
    return tuple(name for name in subjects if name not in others)


def _is_along_row(v: View, cue: Cue) -> bool:
    """Whether a row's own values are ranked: “Ann's highest score was in Art”, or a column is said to have the rank, or to be where it is."""
    if not v.own_columns or not v.grid.uniform or not v.rows:
        return False
    owned = any(n.axis == "row" and n.last == cue.first - 1 for n in v.piece.names)
    if owned and v.piece.sentence.before(cue).endswith(("'s", "s'")):
        return True
    return _ranks_columns(v, cue) or _is_placed_by_column(v, cue)


def _is_placed_by_column(v: View, cue: Cue) -> bool:
    """“Cars peaked in 2020”, “Rent was highest in 2021”: a column says when or where a row is so."""
    before = v.piece.sentence.before(cue)
    if v.grid.timed_columns and (cue.words in _PEAKS or before in ("its", "their")):
        return True
    after = (n for n in v.piece.names if n.axis == "column" and n.first > cue.last)
    place = next(map(v.piece.sentence.before, after), "")
    return before in ("is", "was", "were", "are") and place in ("in", "on", "at", "for")


def _ranks_columns(v: View, cue: Cue) -> bool:
    """“The weakest term for mathematics was spring”, “patients are the group with the highest share of No”: a column has the rank."""
    sentence = v.piece.sentence
    if _following(v, cue) & frozenset[str].intersection(*map(name_stems, v.grid.columns)):
        return True
    subjects = [n.axis for n in v.piece.names if n.last < cue.first]
    after = [n for n in v.piece.names if n.first > cue.last]
    placed = subjects == ["column"] and [n.axis for n in after] == ["row"]
    return placed and (sentence.before(after[0]) in ("of", "for", '"') or _is_kind(v, cue))


def _is_kind(v: View, cue: Cue) -> bool:
    """Whether what is named is said to be the one of its kind with the rank: “cucumbers were the largest crop in July”, or to lead."""
    joined = v.piece.sentence.words[max(0, cue.first - 2) : cue.first] in _COPULAS
    return cue.words in LEADING or (joined and bool(_following(v, cue)))


def _following(v: View, cue: Cue) -> frozenset[str]:
    """The stem of the noun, or adjective, after a superlative."""
    after = v.piece.sentence.tokens[cue.last + 1 : cue.last + 2]
    return frozenset(token.stem for token in after if token.is_content_word)


_COPULAS = [(verb, "the") for verb in ("is", "are", "was", "were")]


def _finding_along_row(v: View, columns: Sequence[str], rank: _Rank) -> Finding | None:
    """Whether a column has the rank in a row, or of all rows together."""
    if not v.grid.uniform or not columns:
        return None
    if len(v.rows) == 1 and (v.row_from <= NEAR or v.pronoun):
        return _finding_among_columns(v, v.rows, columns, rank)
    return None if v.own_rows else _finding_among_columns(v, v.grid.rivals(v.grid.rows), columns, rank, summed=True)


def _finding_among_columns(
    v: View, rows: Sequence[str], columns: Sequence[str], rank: _Rank, *, summed: bool = False
) -> Finding | None:
    """Whether a column has the rank in a row, or by what it has in several rows together; that sum of percentages refutes nothing."""
    names = itertools.filterfalse(is_whole, v.column_span or v.grid.columns)
    cells = [sum_cell(line) for name in names if (line := v.grid.cells(rows, [name]))]
    found = _finding_of_rank(v, rank, cells, () if v.column_span else columns, by_column=True)
    vague = summed and found is not None and found.verdict == "contradicted" and cells[0].unit == "percent"
    return missing(UNCLEAR) if vague else found


def _finding_of_rank(
    v: View, rank: _Rank, cells: Sequence[Cell], meant: Sequence[str], *, by_column: bool = False
) -> Finding | None:
    """Whether the cells meant have the rank among all; of equal values each has the better and the worse rank, and the one that they share."""
    if len(cells) < 2 or rank.place > len(cells):
        return None
    most = rank.most != is_reversed(rank.cue.words, cells[0])
    size = abs if compares_sizes(v) else float
    order = sorted(cells, key=lambda c: size(c.value), reverse=most)
    tops = _tops(order, rank.place)
    amounts = _amounts_of_rank(v, rank)
    if set(itertools.starmap(agrees, itertools.product(amounts, tops))) == {"different"}:
        return _other_amount_finding(amounts, tops[0], most=most, named=bool(meant))
    found = [cell for cell in cells if (cell.column if by_column else cell.row) in meant]
    several = rank.place == 1 < len(found)
    held = _holders_finding(found, order[len(found) - 1 :: -1] if several else tops, amounts)
    return _lead_finding(v, rank, order, held) or held


def _tops(order: Sequence[Cell], place: int) -> list[Cell]:
    """The cells at a place of an order, with and without those of equal value counted."""
    levels = [next(group) for _, group in itertools.groupby(order, key=lambda c: round(c.value, 9))]
    return [order[place - 1], levels[min(place, len(levels)) - 1]]


def _lead_finding(v: View, rank: _Rank, order: Sequence[Cell], held: Finding | None) -> Finding | None:
    """“Leads by six”: what is right in front is not so far before the next."""
    alone = rank.leads and max(len(v.own_rows), len(v.own_columns), len(v.piece.numbers)) < 2
    if not alone or not v.amounts or v.piece.numbers[0].role != "by" or is_agent(v, v.piece.numbers[0]):
        return None
    if held is None or held.verdict != "supported":
        return None
    words = f"{in_words(order[0])} and {in_words(order[1])}."
    found = outcome_finding(v.amounts[0], abs(order[0].value - order[1].value), order[:2], words)
    return found and (found if found.verdict == "contradicted" else None)


def _amounts_of_rank(v: View, rank: _Rank) -> list[Amount]:
    """The values that what has the rank is said to have: no gap, and no number of those that have it (“the three highest”)."""
    numbers = (n for n in v.piece.numbers if n.role not in ("by", "from") or is_agent(v, n))
    beside = (rank.cue.last + 1, rank.cue.first - 1)
    return [n.amount for n in numbers if not (n.first in beside and n.amount.quantity.spelled)]


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
    """“No city has more parks than Oslo”, “nobody sold fewer than Ann”: Oslo has the most, Ann the least."""
    valued = any(amount.quantity.value for amount in v.amounts)
    if len(v.own_rows) != 1 or valued or not _is_of_nobody(v.piece, cue):
        return None
    bare = replace(v, piece=replace(v.piece, numbers=()))
    rank = _Rank(most=cue.tag == "more", place=1, cue=cue)
    lines = (v.grid.cells(v.grid.rows, [column]) for column in v.likely_columns)
    return decision([_finding_of_rank(bare, rank, line, v.own_rows) for line in lines], v)


def _is_of_nobody(piece: Piece, cue: Cue) -> bool:
    """Whether nobody is said to have more, or less, than what is named after it."""
    nobody, than = piece.has("not"), piece.has("than")
    if nobody is None or than is None or nobody.words not in _NOBODY:
        return False
    held = min((name.first for name in piece.names if name.axis == "row"), default=than.first + 1)  # “than it”
    return nobody.first < cue.first < than.first < held


def _same_holder_findings(v: View, cue: Cue, other: Cue) -> Iterator[Finding | None]:
    """“The deepest lake is also the smallest”: who holds both."""
    for column, second in itertools.product(_columns_of(v, cue), _columns_of(v, other)):
        if column != second:
            holder, rival = _top_cell(v, cue, column), _top_cell(v, other, second)
            if holder is None or rival is None:
                continue
            yield decide(holder.row == rival.row, [holder, rival], f"{in_words(holder)}, {in_words(rival)}.")


def _columns_of(v: View, cue: Cue) -> tuple[str, ...]:
    """The columns that a superlative may be meant of: that of its adjective, else any."""
    named = [n.name for n in v.piece.names if n.axis == "column" and cue.first in n.places]
    taken = v.piece.names_of("column")
    return tuple(named or [name for name in v.grid.columns if name not in taken] or v.grid.columns)


def _top_cell(v: View, cue: Cue, column: str) -> Cell | None:
    cells = v.grid.cells(v.grid.rivals(v.grid.rows), [column])
    return (max if cue.tag == "most" else min)(cells, key=lambda c: c.value, default=None)


_FALLING = frozenset("drop fall decrease decline loss".split())


def _step_findings(v: View, cue: Cue) -> Iterator[Finding | None]:
    """“The largest increase was from 2017 to 2018”, “the gap is widest in Art”: ranked are changes, not values."""
    names, sign = v.own_rows or v.given_rows, -1 if v.has_any(_FALLING) else 1
    for column in v.likely_columns if names and cue.tag == "most" and v.grid.timed_rows else ():
        line = v.grid.cells(v.grid.line_rows, [column])
        if len(line) > 1:
            a, b = max(itertools.pairwise(line), key=lambda pair: sign * (pair[1].value - pair[0].value))
            yield decide(b.row == names[-1], line[:1], f"the largest step is from {a.row} to {b.row}.")
    yield missing(UNCLEAR)


# Ranks among gaps: “the gap is widest in Art and smallest in Music”.


def _gap_rank_finding(v: View, rank: _Rank) -> Finding | None:
    """Whether what is named has the rank among the gaps between two rows, or columns; None where none are ranked. A gap that the sentence
    spoke of before may still be meant."""
    nouns = _GAPS - v.grid.vocabulary
    own = _says_one_of(v, rank.cue, nouns)
    meant = (own or _follows_one_of(v, nouns)) and not v.has("relative", "relatively")
    found = _finding_among_gaps(v, rank) if meant else None
    if found is None:
        return None
    v.context.ladder = (rank.cue.tag, rank.place + 1)
    plain = None if own or v.has("widest", "narrowest") else _rank_finding(v, rank)
    return plain if plain and plain.verdict == "supported" else decision([found], v, leans=False)


def _says_one_of(v: View, cue: Cue, nouns: frozenset[str]) -> bool:
    """Whether a piece says one of some nouns apart from its cue: “leads” is no lead."""
    return any(t.stem in nouns for i, t in enumerate(v.piece.tokens, v.piece.first) if i != cue.first)


def _follows_one_of(v: View, nouns: frozenset[str]) -> bool:
    """Whether a piece that names only a row comes after one of some nouns in its sentence."""
    earlier = {token.stem for token in v.piece.sentence.tokens[: v.piece.first]}
    return bool(v.own_rows) and not v.piece.names_of("column") and not nouns.isdisjoint(earlier)


def _finding_among_gaps(v: View, rank: _Rank) -> Finding | None:
    by_column = len(v.own_columns) == 1 and not v.own_rows
    gaps = _row_gaps(v, by_column=by_column)
    found = _finding_of_rank(v, rank, gaps, v.own_columns if by_column else v.own_rows, by_column=by_column)
    return found and replace(found, explanation=f"of how far they are apart, {found.explanation}")


def _row_gaps(v: View, *, by_column: bool) -> list[Cell]:
    """How far the two columns that are meant are apart in every row, or the two rows in every column, where both have one unit."""
    if by_column:
        rows = v.rows if len(v.rows) > 1 else v.grid.rivals(v.grid.rows)
        lines = [v.grid.cells(rows, [name]) for name in _parts(v)]
    else:
        columns = v.columns if len(v.columns) > 1 else _parts(v)
        lines = [v.grid.cells([name], columns) for name in v.grid.rivals(v.grid.rows)]
    pairs = (line for line in lines if len(line) == 2 and line[0].unit == line[1].unit)
    return [a.with_value(abs(a.value - b.value)) for a, b in pairs]
