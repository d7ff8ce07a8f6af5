"""What a phrase speaks of: the attribute, the row or the time of a cell, or something of which nothing was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from evpv.language.forms import Assertion, Phrase, Share, Value
from evpv.language.lexicon import ATTRIBUTE_GROUPS, DIMENSIONS, MONTHS, STOP_WORDS, WEEKDAYS
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.mentions import Mention, are_opposed

OPEN = "it is open which of the values read the claim means."


_ANYTHING = frozenset("person unit item time point case thing piece total year day one percent other".split())


TOTAL_WORDS = frozenset({"total", "sum", "altogether", "combined", "overall", "all", "average", "mean"})


def is_total(name: str) -> bool:
    """Whether a row or column gives the whole of the others, and so is no rival of theirs."""
    return bool(name_stems(name) & _WHOLES)


def is_rest(name: str) -> bool:
    """Whether a row gathers what has no name of its own, and so ranks with nobody."""
    return name_stems(name) <= _RESTS


def rows_spoken_of(said: Assertion, figure: Figure) -> set[str]:
    """The rows that were named before an assertion."""
    return set[str]().union(*(figure.rows.named(phrase.tokens) for phrase in said.context))


_RESTS = frozenset({"other", "others", "rest", "misc", "miscellaneous", "remaining", "world"})
_WHOLES = frozenset({"total", "sum", "overall", "altogether"})


def address_doubt(form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure) -> str:
    """Why the cells may not be what a value is said of."""
    if where.far and len(cells) < 2:
        return "the value is said of something named earlier, which may not be what it means."
    if where.inherited and _row_is_open(form, said, where, figure):
        return OPEN
    if where.inherited and speaks_of_others(form, figure):
        return STRANGE
    if _is_new_rate(form, figure):
        return "the claim states a rate, which the figure does not."
    return OPEN if _another_dimension(form, cells[0], figure) else ""


def _is_new_rate(form: Value, figure: Figure) -> bool:
    """Whether a claim says “per” of something where no column does."""
    says = "rate" not in form.about.stems and any(token.lower == "per" for token in form.about.tokens)
    return says and "per" not in {token.stem for name in figure.columns.names for token in tokens(name)}


ABSENT = "the claim names a time or colour of which nothing was read."
STRANGE = "the claim names something of which nothing was read."
HOLE = "the figure has no value where the claim looks for one."


def _row_is_open(form: Value, said: Assertion, where: Address, figure: Figure) -> bool:
    """Whether another row may be meant than the one taken over: several were named before, or the phrase has words of row names itself."""
    if figure.rows.mentions(form.about.tokens) or len(figure.rows.names) < 2:
        return False
    earlier = [
        mention for phrase in said.context[: max(said.near, 1)] for mention in figure.rows.mentions(phrase.tokens)
    ]
    if {mention.name for mention in earlier} - {mention.name for mention in where.rows}:
        return True
    words = figure.rows.frequency.keys() - frozenset[str]().union(*map(name_stems, figure.columns.names))
    return any(token.stem in words and token.is_word for token in form.about.tokens)


def _another_dimension(form: Value, cell: Cell, figure: Figure) -> bool:
    """Whether several dimensions of one thing were read and the claim says none of them: “the cylinder is 6 cm across”."""
    name = name_stems(f"{cell.row} {cell.column}")
    dimensions = name & DIMENSIONS.keys()
    if figure.tabular or not dimensions or form.about.stems & (DIMENSIONS.keys() | _EXTENTS):
        return False
    thing = name - DIMENSIONS.keys()
    return any(
        name_stems(f"{other.row} {other.column}") - DIMENSIONS.keys() == thing
        for other in figure.cells
        if other is not cell
    )


_EXTENTS = frozenset("tall high deep wide long".split())


_PLAIN_WORDS = frozenset(
    "go went come came sell get got with have total just value price another year while then finally about amount only exactly listed reach".split()
)


def speaks_of_others(form: Value | Share, figure: Figure) -> bool:
    """Whether a phrase whose row comes from before has a noun of its own that the figure does not know, or no word at all after “to”."""
    if figure.named(form.about.tokens)[0]:
        return False
    if _name_unknown(form.about.tokens, figure):
        return True
    own = _small_words(form.about)
    if not own:
        return not {"to", "then"}.isdisjoint(token.lower for token in form.about.tokens)
    nouns = tuple(token for token in own if token.stem not in _PLAIN_WORDS and token not in form.amount.noun.tokens)
    return bool(nouns) and not figure.knows(Phrase(tokens=nouns))


def _small_words(phrase: Phrase) -> list[Token]:
    """The words of a phrase that say something and are no names."""
    return [token for token in phrase.tokens if token.is_content_word and token.text.islower()]


def _name_unknown(said: Iterable[Token], figure: Figure) -> bool:
    """Whether a proper name stands there that no row or column is called after."""
    known = figure.rows.frequency.keys() | figure.columns.frequency.keys() | STOP_WORDS
    return any(token.text[:1].isupper() and len(token.text) > 2 and token.stem not in known for token in said)


def names_another(phrase: Phrase, figure: Figure) -> bool:
    """Whether a phrase names something that no row or column is called after; its first word has a capital anyway."""
    return _name_unknown((t for i, t in enumerate(phrase.tokens) if i or t.text.endswith("'s")), figure)


def conflict(phrase: Phrase, cell: Cell, figure: Figure, *, told: bool = False) -> str | None:
    """Why a phrase speaks of another attribute than the cell: imports against exports, age against score; None if it may be the same.
    Where the very number of the cell is `told`, another word for its attribute is only that: volumes are books."""
    title = name_stems(cell.column)
    known = title | name_stems(cell.row) if cell.column or not figure.tabular else frozenset()
    if are_opposed(known, phrase.stems):
        return f"'{cell.constraint.entity}' is the opposite of what the claim speaks of."
    if told:
        return None
    stems = phrase.stems - name_stems(cell.row) if figure.tabular else phrase.stems
    other = "" if title & stems else _other_attribute(stems, title, cell.column)
    return f"'{cell.constraint.entity}' {other}" if other else None


def _other_attribute(stems: frozenset[str], title: frozenset[str], column: str) -> str:
    """What a column with this title is, if a phrase speaks of another attribute."""
    said, own = ([group for group in ATTRIBUTE_GROUPS if group & words] for words in (stems, title))
    if own:
        return "is another attribute than the claim speaks of." if said and not any(map(own.__contains__, said)) else ""
    counts = column.lower().startswith("number of") and any("score" not in group for group in said)
    return "counts something else than the claim." if counts else ""


def counts_other_things(form: Value, cell: Cell) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”."""
    noun = [token.stem for token in form.amount.noun.tokens if token.is_word]
    if "number of" not in cell.column.lower() or not {*noun[:1]} - _ANYTHING:
        return False
    named, things = frozenset(noun) - STOP_WORDS, name_stems(cell.column) - {"number"}
    known = things | name_stems(cell.row)
    return bool(things) and bool(named) and named.isdisjoint(known) and things.isdisjoint(form.about.stems)


def cell_time(cell: Cell) -> float | None:
    at = time_in_name(cell.row)
    return at if at is not None else time_in_name(cell.column)


def times_said(said: Sequence[Token]) -> list[float]:
    found = []
    for token in said:
        if token.is_number and _is_year(token):
            found.append(float(token.stem))
        elif token.stem in MONTHS and token.text[:1].isupper():
            found.append(MONTHS.index(token.stem) / 12)
        elif token.stem in WEEKDAYS:
            found.append(WEEKDAYS.index(token.stem) / 8 - 10)
    return found


def _is_year(token: Token) -> bool:
    return len(token.stem) == 4 and token.stem.isdecimal() and 1500 <= int(token.stem) <= 2100


def time_in_name(name: str) -> float | None:
    """The time that a row or column is named after: a year, a month, a weekday; None for other names."""
    words = [token for token in tokens(name) if token.is_content]
    if len(words) > 3 or not all(map(_belongs_to_time, words)):
        return None
    years = [int(token.stem) for token in filter(_is_year, words)]
    month = _month(words)
    if years:
        return years[0] + (month or 0.0) if len(years) in (1, len(words)) else None
    return month if len(words) == 1 else None


def _month(words: Sequence[Token]) -> float | None:
    return next((MONTHS.index(token.stem) / 12 for token in words if token.stem in MONTHS), None)


def _belongs_to_time(token: Token) -> bool:
    """Whether a word of a name is a time, or a number or sign beside one."""
    return token.is_number or token.stem in MONTHS or token.stem in ("fy", "*") or _is_year(token)


def _in_time(names: Sequence[str]) -> list[str] | None:
    """The names in the order of their times; None where one names no time."""
    timed = [(at, name) for name in names if (at := time_in_name(name)) is not None]
    return [name for _, name in sorted(timed)] if len(timed) == len(names) else None


def time_step(phrase: Phrase) -> int:
    """One on or back, where the other side is named by its place: “the day before”, “the quarter that followed”."""
    words = phrase.words
    if words & {"before", "previous", "earlier", "preceding", "prior"}:
        return -1
    return 1 if words & {"followed", "following", "next", "after", "later"} else 0


_OPEN_SPANS: tuple[tuple[frozenset[str], Callable[[int], slice]], ...] = (
    (frozenset({"after"}), lambda at: slice(at + 1, None)),
    (frozenset({"since", "starting"}), lambda at: slice(at, None)),
    (frozenset({"before"}), lambda at: slice(at)),
    (frozenset({"until", "till"}), lambda at: slice(at + 1)),
)


def span_names(phrase: Phrase, named: Sequence[str], line: Sequence[str]) -> list[str]:
    """The names of an axis that a span takes in: “after 2017”, “from March on”, “between Monday and Friday”; none where no span is said."""
    line = _in_time(line) or list(line)
    words = phrase.words
    if "from" in words and words & {"onwards", "onward", "on"}:
        words |= {"since"}
    match sorted(line.index(name) for name in named if name in line):
        case [first, last] if words & {"between", "from", "through", "until"}:
            return line[first : last + 1]
        case [at]:
            return next((line[span(at)] for opening, span in _OPEN_SPANS if words & opening), [])
    return []


def address_beside(phrase: Phrase, context: Sequence[Phrase], figure: Figure) -> Address | None:
    """The cell that a phrase names by its place in time: “a year later”, “the month before”; None where it names it otherwise."""
    step = time_step(phrase)
    if not step or _PERIODS.isdisjoint(phrase.words) or times_said(phrase.tokens):
        return None
    own_rows, own_columns = figure.named(phrase.tokens)
    for earlier in context:
        rows, columns = figure.named(earlier.tokens)
        pairs = neighbour_pairs(own_rows or rows, own_columns or columns, step, figure)
        if pairs:
            _, cells = zip(*pairs, strict=True)
            return Address(rows=own_rows, columns=own_columns, cells=cells)
        if rows or columns:
            break
    return None


_PERIODS = frozenset("year month day week quarter season".split())


def neighbour_pairs(
    rows: Sequence[Mention], columns: Sequence[Mention], step: int, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """Each named cell with its neighbour on the axis that runs in time."""
    row, column = attrgetter("row"), attrgetter("column")
    for mentions, others, axis, along, across in (
        (columns, rows, figure.columns, column, row), (rows, columns, figure.rows, row, column),
    ):  # fmt: skip
        line = _time_line(axis.names, quarters=axis is figure.rows)
        if line is None or len(mentions) != 1:
            continue
        place = line.index(mentions[0].name) + step
        there = _cells_called(line[max(place, 0) : place + 1], along, figure)
        beside = {across(cell): cell for cell in there}
        meant = beside.keys() & ({mention.name for mention in others} or beside.keys())
        here = _cells_called([mentions[0].name], along, figure)
        return [(cell, beside[across(cell)]) for cell in here if across(cell) in meant]
    return []


def _time_line(names: Sequence[str], *, quarters: bool) -> list[str] | None:
    """The names of an axis that runs in time, in order: dates, weekdays or months, of rows also quarters."""
    if len(names) < 2:
        return None
    named = are_days_or_months(names) or (quarters and all(name_stems(name) & _QUARTERS for name in names))
    return _in_time(names) or (list(names) if named else None)


def are_days_or_months(names: Sequence[str]) -> bool:
    return all(name_stems(name) & _DAYS_AND_MONTHS for name in names)


_DAYS_AND_MONTHS = frozenset(WEEKDAYS + MONTHS)
_QUARTERS = frozenset({"q1", "q2", "q3", "q4"})


def _cells_called(names: Sequence[str], along: Callable[[Cell], str], figure: Figure) -> list[Cell]:
    return [cell for cell in figure.cells if along(cell) in names]
