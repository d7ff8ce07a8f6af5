"""Values said of cells: read off directly, listed in a row, or following by adding up, averaging, sharing or counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Count,
    Listing,
    Phrase,
    Position,
    Share,
    Value,
    amount_text,
)
from evpv.language.lexicon import ATTRIBUTE_GROUPS, DIMENSIONS, STOP_WORDS
from evpv.language.quantities import number_text
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.matching.findings import NOTHING_READ, Finding, decided, in_words, missing, read, together
from evpv.premises.matching.values import agreement, equal
from evpv.premises.mentions import Axis, opposed

_FEWEST_READ = 5
"""A chart of which fewer values were read may well have others."""
OPEN = "it is open which of the values read the claim means."
_ANYTHING = frozenset("person unit item time point case thing piece total year day one percent other".split())
_TOTALS = frozenset({"total", "sum", "altogether", "combined", "overall", "all", "average", "mean"})


def is_total(name: str) -> bool:
    """Whether a row or column gives the whole of the others, and so is no rival of theirs."""
    return bool(name_stems(name) & _WHOLES)


_WHOLES = frozenset({"total", "sum", "overall", "altogether"})


def value_finding(form: Value, said: Assertion, figure: Figure) -> Finding:
    """A stated value against the cells that its phrase names."""
    if form.others:
        return _either(form, said, figure)
    if form.amount.quantity.unit == "time" and (shown := _clock_finding(form.amount, figure)):
        return shown
    where = _in_column_of_unit(form, figure.address(form.about, said.context, said.near), figure)
    if where.absent:
        return missing(ABSENT)
    if where.cells and (clash := conflict(form.about, where.cells[0], figure)):
        return missing(clash)
    if (
        where.cells
        and _counts_other_things(form, where.cells[0])
        and not any(agreement(form.amount, cell) == "same" for cell in where.cells)
    ):
        return missing(f"'{where.cells[0].constraint.entity}' counts something else than the claim.")
    cells = _meant_cells(form, said, where, figure)
    if where.inherited and not figure.tabular and (own := _dimension_cells(form, figure)):
        cells = own
    if not cells and (other := _other_diameter(form, figure)) is not None:
        cells = [other]
    if not cells:
        return _by_one_axis(form, where, figure)
    found = _agreed(form, said, where, cells, figure)
    if found.verdict == "contradicted" and (many := _many_bought(form, cells)) is not None:
        return many
    if (
        found.verdict == "contradicted"
        and not said.denied
        and (doubt := _address_doubt(form, said, where, cells, figure))
    ):
        return missing(doubt)
    return found


def _agreed(form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure) -> Finding:
    """The value against each of the cells where all are meant, else against any; several may also be added up."""
    findings = [reading(form.amount, cell) for cell in cells]
    if form.of_total is not None and (total := _total(form, cells, figure)):
        findings.append(total)
    if len(cells) > 1 and not _all_meant(form, said, where):
        return next((f for f in findings if f.verdict == "supported"), missing(OPEN))
    found = together(findings)
    if found.verdict != "contradicted" or form.each or said.denied or len(cells) < 2:
        return found
    whole = cells[0].with_value(sum(cell.value for cell in cells))
    added = agreement(form.amount, whole) == "same"
    return decided(True, cells, f"the values read add up to {read(whole)}.") if added else found


def _address_doubt(form: Value, said: Assertion, where: Address, cells: Sequence[Cell], figure: Figure) -> str:
    """Why the cells may not be what a value is said of."""
    if where.far and not _rest_of(form) and len(cells) < 2:
        return "the value is said of something named earlier, which may not be what it means."
    if where.inherited and _row_is_open(form, said, where, figure):
        return OPEN
    if where.inherited and (_speaks_of_others(form, figure) or _hints_at_another(form, where, figure)):
        return "the claim names something of which nothing was read."
    rate = "rate" not in form.about.stems and any(t.lower == "per" for t in form.about.tokens)
    if rate and "per" not in {t.stem for c in figure.columns.names for t in tokens(c)}:
        return "the claim states a rate, which the figure does not."
    if not cells[0].column and _counts_things(form, figure):
        return "the claim counts something of which nothing was read."
    elsewhere = _elsewhere(form, said, where, figure) or _another_dimension(form, cells[0], figure)
    return OPEN if elsewhere else ""


def _in_column_of_unit(form: Value, where: Address, figure: Figure) -> Address:
    """The address with the column that a percentage, or a plain number, can only mean where one column alone holds percentages or counts."""
    own_rows, own_columns = figure.named(form.about.tokens)
    if (
        not own_rows
        or own_columns
        or len(figure.columns.names) < 2
        or form.amount.quantity.unit not in ("percent", None)
    ):
        return where
    shares = {cell.column for cell in figure.cells if cell.unit == "percent"}
    fitting = shares if form.amount.quantity.unit else {*figure.columns.names} - shares
    if not shares or len(fitting) != 1:
        return where
    rows = {mention.name for mention in own_rows}
    cells = tuple(cell for cell in figure.cells if cell.row in rows and cell.column in fitting)
    return replace(where, rows=own_rows, cells=cells, inherited=False, far=False) if cells else where


def _clock_finding(amount: Amount, figure: Figure) -> Finding | None:
    """A time of day against the two hands of a clock; None where no clock was read."""
    hours = [cell for cell in figure.cells if cell.attribute == "hour"]
    minutes = [cell for cell in figure.cells if cell.attribute == "minute"]
    if len(hours) != 1 or len(minutes) != 1:
        return None
    shown = hours[0].value % 12 + minutes[0].value / 60
    same = abs(amount.quantity.value % 12 - shown) < 1 / 120
    text = f"the clock shows {int(hours[0].value)}:{int(minutes[0].value):02d}."
    return decided(same, [hours[0], minutes[0]], text)


ABSENT = "the claim names a time or colour of which nothing was read."


_BUYING = frozenset("cost costs weigh weighs".split())


def _dimension_cells(form: Value, figure: Figure) -> list[Cell]:
    """The one thing of which the claim's own dimension was read: “perpendicular height” is not the slant height said before it."""
    said = form.about.stems & DIMENSIONS.keys()
    names = [(cell, name_stems(f"{cell.row} {cell.column}")) for cell in figure.cells]
    found = [cell for cell, name in names if said and name & DIMENSIONS.keys() == said]
    return found if len(found) == 1 else []


def _hints_at_another(form: Value, where: Address, figure: Figure) -> bool:
    """Whether the claim's own words are in the name of another row than the one inherited: “private sponsors” after “the city”."""
    own = {token.stem for token in form.about.tokens if token.is_content and token.is_word}
    named = {m.name for m in where.rows}
    shared = {word for name in named for word in name_stems(name)}
    return any(own & name_stems(name) - shared for name in figure.rows.names if name not in named)


def _row_is_open(form: Value, said: Assertion, where: Address, figure: Figure) -> bool:
    """Whether another row may be meant than the one taken over: several were named before, or the phrase has words of row names itself."""
    if figure.rows.mentions(form.about.tokens) or len(figure.rows.names) < 2:
        return False
    spoken = {m.name for phrase in said.context[: max(said.near, 1)] for m in figure.rows.mentions(phrase.tokens)}
    words = figure.rows.frequency.keys() - {word for name in figure.columns.names for word in name_stems(name)}
    return len(spoken - {m.name for m in where.rows}) > 0 or any(
        t.stem in words and t.is_word for t in form.about.tokens
    )


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


def _many_bought(form: Value, cells: Sequence[Cell]) -> Finding | None:
    """“Two umbrellas cost $18” where one costs 9."""
    first = form.about.tokens[0].stem if form.about.tokens else ""
    if len(cells) != 1 or not first.isdecimal() or len(first) > 2 or not _BUYING & {t.lower for t in form.about.tokens}:
        return None
    whole = cells[0].with_value(int(first) * cells[0].value)
    same = agreement(form.amount, whole) == "same"
    return decided(same, cells, f"{first} times {read(cells[0])} is {read(whole)}.")


def _other_diameter(form: Value, figure: Figure) -> Cell | None:
    """A diameter where only the radius was read, and the other way round."""
    for said, known, factor in (("diameter", "radius", 2.0), ("radius", "diameter", 0.5)):
        if said not in form.about.stems:
            continue
        renamed = tuple(
            t._replace(text=known, stem=known, lower=known) if t.stem == said else t for t in form.about.tokens
        )
        cells = figure.address(Phrase(tokens=renamed)).cells
        if len(cells) == 1 and known in name_stems(f"{cells[0].row} {cells[0].column}"):
            return cells[0].with_value(cells[0].value * factor)
    return None


def _either(form: Value, said: Assertion, figure: Figure) -> Finding:
    """“Four people drank 3 glasses”: one of two numbers is the value, the other names a row."""
    findings = []
    for amount in (form.amount, *form.others):
        kept = tuple(
            token for token in form.about.tokens if not amount.quantity.start <= token.start < amount.quantity.end
        )
        findings.append(
            value_finding(
                replace(form, amount=amount, others=(), about=Phrase(tokens=kept, text=form.about.text)), said, figure
            )
        )
    right = next((f for f in findings if f.verdict == "supported"), None)
    wrong = [f for f in findings if f.verdict == "contradicted"]
    return right or (
        wrong[0] if len(wrong) == 1 else next((f for f in findings if f.verdict == "missing"), missing(OPEN))
    )


def _meant_cells(form: Value, said: Assertion, where: Address, figure: Figure) -> list[Cell]:
    """The named cells; with “both years”, “never” or “all”, every cell of the one axis that is named."""
    rest = {token.lower for token in form.about.tokens} & {"remaining", "other", "others", "rest"}
    if rest and (form.each or said.quantifier == "every") and (not where.rows or where.inherited):
        spoken = {m.name for phrase in said.context for m in figure.rows.mentions(phrase.tokens)}
        others = [cell for cell in figure.cells if cell.row not in spoken]
        if spoken and others and len({cell.column for cell in others}) == 1:
            return others
    words = {token.lower for token in form.about.tokens}
    if words & {"everyone", "everybody"} and not where.rows and len(figure.columns.names) == 1 and figure.tabular:
        return list(figure.cells)
    if (
        "since" in words
        and len(where.rows) == 1
        and (said.denied or form.each)
        and (later := figure.later_than(where.rows[0].name))
    ):
        return [cell for cell in figure.cells if cell.row in later]
    if said.denied and form.amount.bound != "=" and where.inherited:
        rows, columns = figure.named(form.about.tokens)
        if bool(rows) != bool(columns):
            return [
                cell
                for cell in figure.cells
                if cell.row in {m.name for m in rows} or cell.column in {m.name for m in columns}
            ]
    if where.cells:
        return list(where.cells)
    if form.each or said.quantifier == "every" or (said.denied and form.amount.bound != "="):
        if where.rows and not where.columns:
            return [cell for mention in where.rows for cell in figure.row_cells(mention.name)]
        if where.columns and not where.rows:
            return [cell for mention in where.columns for cell in figure.column_cells(mention.name)]
    return []


def reading(amount: Amount, cell: Cell) -> Finding:
    """One amount against one cell."""
    outcome = agreement(amount, cell)
    if outcome == "unclear":
        return missing(f"'{cell.constraint.entity}' was only estimated ({read(cell)}), too loosely to tell.")
    return decided(
        outcome == "same", [cell], f"claimed {amount_text(amount)} for '{cell.constraint.entity}', read {read(cell)}."
    )


def _rest_of(form: Value) -> bool:
    return bool({token.lower for token in form.about.tokens} & {"remaining", "other", "others", "rest"})


def _all_meant(form: Value, said: Assertion, where: Address) -> bool:
    """Whether a value is said of each of several cells: “both”, “each”, or names that a list joins."""
    own = {token.start for token in form.about.tokens}
    if where.inherited and len(where.columns) > 1 and not any(m.tokens & own for m in where.columns):
        return False
    if form.each or said.quantifier == "every" or said.denied:
        return True
    mentions = where.rows if len(where.rows) > 1 else where.columns
    if len(mentions) < 2 or (len(where.rows) > 1 and len(where.columns) > 1):
        return False
    return coordinated(form.about.tokens, [place for mention in mentions for place in mention.tokens])


def coordinated(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether the tokens at these places form one list: “Tuesday, Wednesday or Thursday”."""
    first, last = min(places), max(places)
    between = [token for token in tokens if first <= token.start <= last and token.start not in places]
    joins = [token for token in between if token.lower in (",", "and", "or", "&", "both", "nor")]
    others = [token for token in between if token not in joins and token.is_content and token.is_word]
    turns = [
        token for token in between if token.lower in ("than", "to", "of", "in", "on", "from", "with", "is", "was", "by")
    ]
    return bool(joins) and not turns and len(others) <= 2 * len(joins)


def _by_one_axis(form: Value, where: Address, figure: Figure) -> Finding:
    """A row without a named column supports a value that one of its cells has, but refutes none."""
    if where.rows or where.columns:
        if not where.rows and names_another(form.about, figure):
            return missing(NOTHING_READ)
        rows, columns = ({m.name for m in axis} for axis in (where.rows, where.columns))
        cells = [
            cell for cell in figure.cells if (not rows or cell.row in rows) and (not columns or cell.column in columns)
        ]
        found = next((f for cell in cells if (f := reading(form.amount, cell)).verdict == "supported"), None)
        return found or missing("the claim names a row or column, but not which of its values.")
    return _rows_counted(form, figure) or _anywhere(form.amount, form.about, figure) or missing(NOTHING_READ)


def _rows_counted(form: Value, figure: Figure) -> Finding | None:
    """“There are 7 runners in the table”, “of the 227 incidents”: the number of rows, or the total; any other number may count something else."""
    words = {token.lower for token in form.about.tokens}
    rows = [name for name in figure.rows.names if not is_total(name)]
    if words & {"there", "table", "chart", "shown", "listed"} and form.amount.quantity.absolute == len(rows) > 1:
        return decided(True, figure.cells, f"{len(rows)} were read.")
    totals = [cell for cell in figure.cells if is_total(cell.row) and agreement(form.amount, cell) == "same"]
    return reading(form.amount, totals[0]) if totals and words & {"of", "total", "all"} else None


_PLAIN_WORDS = frozenset(
    "go went come came sell get got with have total just value price another year while then finally about amount only exactly listed reach".split()
)


def _speaks_of_others(form: Value | Share, figure: Figure) -> bool:
    """Whether a phrase whose row comes from before has a noun of its own that the figure does not know, or no word at all after “to”."""
    if figure.named(form.about.tokens)[0]:
        return False
    known = figure.rows.frequency.keys() | figure.columns.frequency.keys()
    if any(
        t.text[:1].isupper() and len(t.text) > 2 and t.stem not in known and t.stem not in STOP_WORDS
        for t in form.about.tokens
    ):
        return True
    own = [t for t in form.about.tokens if t.is_content and t.is_word and t.text.islower()]
    nouns = [t for t in own if t.stem not in _PLAIN_WORDS and t not in form.amount.noun.tokens]
    if not own:
        return any(t.lower in ("to", "then") for t in form.about.tokens)
    return bool(nouns) and not figure.knows(Phrase(tokens=tuple(nouns)))


def _counts_things(form: Value, figure: Figure) -> bool:
    """“The piano has 88 keys” in a list of prices."""
    noun = [t for t in form.amount.noun.tokens if t.is_word]
    has = any(t.lower in ("has", "have", "had", "holds") for t in form.about.tokens)
    return bool(noun) and has and not figure.knows(Phrase(tokens=tuple(noun)))


def names_another(phrase: Phrase, figure: Figure) -> bool:
    """Whether a phrase names something that no row or column is called after."""
    known = figure.rows.frequency.keys() | figure.columns.frequency.keys()
    proper = [
        t
        for i, t in enumerate(phrase.tokens)
        if t.text[:1].isupper() and len(t.text) > 2 and (i or t.text.endswith("'s"))
    ]
    return any(token.stem not in known and token.stem not in STOP_WORDS for token in proper)


def _elsewhere(form: Value, said: Assertion, where: Address, figure: Figure) -> bool:
    """Whether the stated value stands in the same row under a column that the phrase, and what leads up to it, leaves open."""
    led = said.near and len(figure.columns.mentions(said.context[0].tokens)) == 1
    if led or not where.inherited or len(where.rows) > 1 or not where.cells:
        return False
    row = where.cells[0].row
    return any(agreement(form.amount, cell) == "same" for cell in figure.row_cells(row))


def _total(form: Value, cells: Sequence[Cell], figure: Figure) -> Finding | None:
    """“950 of the 2,250 vehicles”: the whole that the part is taken from."""
    assert form.of_total is not None
    column = list(figure.column_cells(cells[0].column))
    named = [cell for cell in column if name_stems(cell.row) & _TOTALS]
    whole = named[0] if named else column[0].with_value(sum(cell.value for cell in column))
    if len(column) < 2 or column[0].unit == "percent" or any(cell.estimated for cell in column):
        return None
    stated = Amount(quantity=form.of_total)
    holds = agreement(stated, whole) == "same"
    return decided(
        holds, column, f"claimed {amount_text(stated)} in all; the values read add up to {number_text(whole.value)}."
    )


def _anywhere(amount: Amount, about: Phrase, figure: Figure) -> Finding | None:
    """A value of nothing that was read is wrong if it is near no measured value of a whole chart."""
    cells = figure.cells
    if "axis" in about.stems:
        return None
    if (
        not figure.tabular
        or len(cells) < _FEWEST_READ
        or amount.quantity.spelled
        or amount.quantity.is_year
        or not all(cell.estimated for cell in cells)
    ):
        return None
    if amount.bound != "=" or (
        amount.quantity.unit == "percent" and not any(cell.unit == "percent" or abs(cell.value) <= 1 for cell in cells)
    ):
        return None
    if any(agreement(amount, cell) != "different" for cell in cells):
        return None
    nearest = min(cells, key=lambda cell: abs(cell.value - amount.quantity.value))
    return decided(False, [nearest], f"claimed {amount_text(amount)}; nothing near it was read, {in_words(nearest)}.")


def conflict(phrase: Phrase, cell: Cell, figure: Figure) -> str | None:
    """Why a phrase speaks of another attribute than the cell: imports against exports, age against score; None if it may be the same."""
    stems = phrase.stems
    known = name_stems(cell.column) | name_stems(cell.row) if cell.column or not figure.tabular else frozenset()
    title = name_stems(cell.column) if cell.column else frozenset()
    if opposed(known, stems):
        return f"'{cell.constraint.entity}' is the opposite of what the claim speaks of."
    if not title or title & stems:
        return None
    said_groups = [group for group in ATTRIBUTE_GROUPS if group & stems]
    known_groups = [group for group in ATTRIBUTE_GROUPS if group & title]
    if said_groups and known_groups and not any(group in known_groups for group in said_groups):
        return f"'{cell.constraint.entity}' is another attribute than the claim speaks of."
    counts = cell.column.lower().startswith("number of")
    if said_groups and counts and not known_groups and any("score" not in group for group in said_groups):
        return f"'{cell.constraint.entity}' counts something else than the claim."
    return None


def _counts_other_things(form: Value, cell: Cell) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”."""
    noun = [token for token in form.amount.noun.tokens if token.is_word]
    if "number of" not in cell.column.lower() or not noun or noun[0].stem in _ANYTHING:
        return False
    things = name_stems(cell.column) - {"number"}
    named = frozenset(token.stem for token in noun if token.stem not in STOP_WORDS)
    nouns = frozenset(token.stem for token in noun[-1:])
    row = name_stems(cell.row)
    return bool(things) and bool(named) and not named & (things | row) and not things & form.about.stems and bool(nouns)


def listing_finding(form: Listing, said: Assertion, figure: Figure) -> Finding:
    """Values in a row: of the things named, in their order; of a span; else of a whole column, in its order or sorted."""
    values = [quantity.absolute for quantity in form.values]
    where = figure.address(form.about, said.context, said.near)
    if where.absent:
        return missing(ABSENT)
    named = where.ordered_cells()
    span = _span_cells(form.about, where, figure)
    own = figure.rows.mentions(form.about.tokens)
    line = figure.row_cells(own[0].name) if len(own) == 1 and len(figure.columns.names) == len(values) else []
    for cells in (line, named, span):
        if len(cells) == len(values) and form.order == "as read":
            return together([reading(Amount(quantity=q), cell) for q, cell in zip(form.values, cells, strict=True)])
    columns = [name for name in figure.columns.names if not where.columns or name in {m.name for m in where.columns}]
    pools = (
        [figure.column_cells(name) for name in columns]
        + [figure.row_cells(m.name) for m in where.rows]
        + ([span] if span else [])
    )
    for cells in pools:
        if len(cells) != len(values):
            continue
        read_values = [cell.value for cell in cells]
        in_order = read_values if form.order == "as read" else sorted(read_values, reverse=form.order == "descending")
        if all(map(equal, sorted(read_values), sorted(values))) and form.order == "as read" and not where.rows:
            in_order = values
        if all(map(equal, in_order, values)):
            return decided(True, cells, "the values read are " + ", ".join(map(number_text, in_order)) + ".")
        if (
            sum(equal(a, b) for a, b in zip(sorted(read_values), sorted(values), strict=True)) >= 0.5 * len(values)
            and len(values) > 2
        ):
            return decided(False, cells, "the values read are " + ", ".join(map(number_text, in_order)) + ".")
    everything = [cell.value for cell in figure.numeric]
    fewest = 2 if figure.by_key else 3
    if len(values) >= fewest and all(any(equal(value, other) for other in everything) for value in values):
        return decided(True, figure.numeric, "all the values listed were read.")
    return missing("the values listed are not as many as those read of what the claim names.")


def _span_cells(about: Phrase, where: Address, figure: Figure) -> list[Cell]:
    """The cells from the first-named to the last-named row (“from Sunday through Thursday”)."""
    words = {token.lower for token in about.tokens}
    if not words & {"through", "to", "until"} or len(where.cells) != 2:
        return []
    first, last = where.ordered_cells()
    line = figure.column_cells(first.column) if first.row != last.row else figure.row_cells(first.row)
    start, end = line.index(first), line.index(last)
    return line[start : end + 1] if start < end else line[end : start + 1][::-1]


def aggregate_finding(form: Aggregate, said: Assertion, figure: Figure) -> Finding | None:
    """A total, mean, median, range, mode or difference of the cells that the phrase names, else of all; None where written terms are no column."""
    if form.terms:
        return _written_sum(form, figure)
    where = figure.address(form.about, said.context[: said.near], said.near)
    direct = _named_aggregate(form, where)
    if direct is not None:
        return reading(form.amount, direct)
    cells = _summed_cells(form, said, where, figure)
    if isinstance(cells, Finding):
        return cells
    if len(where.cells) == 1 and form.kind != "sum":
        own = reading(form.amount, where.cells[0])
        if own.verdict == "supported":
            return own
    if len(cells) < 2:
        alone = reading(form.amount, where.cells[0]) if len(where.cells) == 1 else missing(NOTHING_READ)
        return alone if alone.verdict == "supported" else missing(NOTHING_READ)
    if form.amount.quantity.unit == "percent" and cells[0].unit != "percent" and form.kind == "sum":
        return share_finding(Share(about=form.about, amount=form.amount), said, figure)
    if form.kind == "sum" and _is_part(form.amount) and cells[0].unit != "percent":
        return share_finding(Share(about=form.about, amount=form.amount), said, figure)
    value = _computed(form.kind, [cell.value for cell in cells])
    if value is None:
        return missing(NOTHING_READ)
    outcome = agreement(form.amount, cells[0].with_value(value))
    if outcome == "unclear" or (
        outcome == "different"
        and (
            (not where.rows and not where.columns and len(figure.columns.names) > 1)
            or (any(c.estimated for c in cells) and form.kind != "mean")
        )
    ):
        return missing("it is open what the total or average runs over.")
    if (
        outcome == "different"
        and len(where.rows) < 2
        and any(agreement(form.amount, cell) == "same" for cell in where.cells)
    ):
        return decided(
            True,
            [cell for cell in where.cells if agreement(form.amount, cell) == "same"],
            "the value stands in the figure.",
        )
    return decided(
        outcome == "same",
        cells,
        f"claimed {amount_text(form.amount)}, the {form.kind} of {len(cells)} values read is {number_text(value)}.",
    )


def _is_part(amount: Amount) -> bool:
    quantity = amount.quantity
    return quantity.unit is None and quantity.places is None and 0 < quantity.value < 1


def _named_aggregate(form: Aggregate, where: Address) -> Cell | None:
    """A row or column that is itself a total or average: “total earnings of $820”."""
    if len(where.cells) != 1:
        return None
    words = name_stems(where.cells[0].row) | name_stems(where.cells[0].column)
    wanted = {"sum": {"total", "sum", "overall", "all"}, "mean": {"average", "mean"}}.get(form.kind, {form.kind})
    return where.cells[0] if words & wanted else None


def _summed_cells(form: Aggregate, said: Assertion, where: Address, figure: Figure) -> list[Cell] | Finding:
    """What a total runs over: the named rows and columns, those with a word of the sentence, or all."""
    years = {t.stem for t in form.about.tokens if t.is_number and len(t.stem) == 4}
    known = {word for name in (*figure.rows.names, *figure.columns.names) for word in name_stems(name)}
    if years - known:
        return missing("the claim speaks of a time that was not read.")
    if not figure.cells:
        return missing(NOTHING_READ)
    if any(name_stems(name) & _TOTALS for name in (*figure.columns.names, *figure.rows.names)) and not where.rows:
        return missing("the figure gives totals of its own, and the claim does not say of what.")
    if clash := conflict(form.about, figure.cells[0], figure) if len(figure.columns.names) == 1 else None:
        return missing(clash)
    columns = {m.name for m in where.columns} or set(figure.columns.names)
    rows = {m.name for m in where.rows}
    words = {token.lower for token in form.about.tokens}
    if len(rows) == 1 and words & {"they", "these", "both"} and said.context:
        rows |= {m.name for phrase in said.context[:1] for m in figure.rows.mentions(phrase.tokens)}
    if not rows and (recent := _these(form.about, said, figure)):
        rows = recent
    if not rows:
        stems = {t.stem for t in form.about.tokens if t.is_content and t.is_word}
        rows = {row for row in figure.rows.names if name_stems(row) & stems} or set(figure.rows.names)
    return [cell for cell in figure.cells if cell.row in rows and cell.column in columns]


def _these(about: Phrase, said: Assertion, figure: Figure) -> set[str]:
    """“These two dealerships”: the rows named just before."""
    words = {token.lower for token in about.tokens}
    if not words & {"these", "those", "they", "two", "both", "them"} or words & {"first", "last"}:
        return set()
    rows: set[str] = set()
    for phrase in said.context:
        rows |= {mention.name for mention in figure.rows.mentions(phrase.tokens)}
        if len(rows) >= 2:
            break
    return rows if len(rows) >= 2 else set()


def _computed(kind: str, values: list[float]) -> float | None:
    ordered = sorted(values)
    middle = len(ordered) // 2
    if kind == "sum":
        return sum(values)
    if kind == "mean":
        return sum(values) / len(values)
    if kind == "median":
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    if kind == "range":
        return ordered[-1] - ordered[0]
    if kind == "mode":
        best = max(ordered, key=ordered.count)
        return best if ordered.count(best) > 1 else None
    if kind == "difference":
        return abs(values[0] - values[1]) if len(values) == 2 else None
    return None


def _row_sum(form: Aggregate, figure: Figure, terms: list[float]) -> Finding | None:
    """“Pizza Palace: 9 + 9 = 18”: the terms against the cells of the row that is named."""
    rows = figure.rows.mentions(form.about.tokens)
    cells = figure.row_cells(rows[0].name) if len(rows) == 1 else []
    if len(cells) < 2 or len(cells) != len(terms):
        return None
    left = [cell.value for cell in cells]
    shared = sum(any(equal(value, term) for term in terms) for value in left)
    if shared == len(left) or 2 * shared < len(left) or any(cell.estimated for cell in cells):
        return None
    wrong = next(cell for cell in cells if not any(equal(cell.value, term) for term in terms))
    return decided(False, [wrong], f"{in_words(wrong)}, which is not among the terms.")


def _written_sum(form: Aggregate, figure: Figure) -> Finding | None:
    """“3 + 3 + 6 + 5 = 17 contestants”: checked where its terms are a column, a row or everything."""
    terms = sorted(quantity.absolute for quantity in form.terms)
    pools = [
        list(figure.cells),
        *(figure.column_cells(c) for c in figure.columns.names),
        *(figure.row_cells(r) for r in figure.rows.names),
    ]
    for cells in pools:
        if len(cells) == len(terms) and all(map(equal, sorted(cell.value for cell in cells), terms)):
            total = sum(terms)
            holds = agreement(form.amount, cells[0].with_value(total)) == "same"
            return decided(holds, cells, f"the {len(cells)} values read add up to {number_text(total)}.")
    return _row_sum(form, figure, terms)


def share_finding(form: Share, said: Assertion, figure: Figure) -> Finding:
    """A part of the whole: of a value that is itself a share, or of the total of its column."""
    where = figure.address(form.about, said.context[: said.near], said.near)
    rows = {m.name for m in where.rows} or _these(form.about, said, figure)
    columns = {m.name for m in where.columns} or set(figure.columns.names)
    if any(token.lower in ("that", "this", "which") for token in form.of.tokens) and (
        not where.rows or where.inherited
    ):
        return missing("the figure does not break that amount down.")
    if form.of and any(figure.named(form.of.tokens)) and not _ends_in_part(form, figure):
        return _part_of_cell(form, said, figure)
    if (
        not rows
        and said.quantifier == "every"
        and len(columns) == 1
        and all(cell.unit == "percent" for cell in figure.cells)
    ):
        return together([_shared(form.amount, [cell], cell.value, "of the whole") for cell in figure.cells])
    if not rows or (len(columns) > 1 and not where.cells) or (where.inherited and _speaks_of_others(form, figure)):
        return missing(NOTHING_READ)
    part = [cell for cell in figure.cells if cell.row in rows and cell.column in columns]
    whole = [cell for cell in figure.cells if cell.column in columns and not name_stems(cell.row) & _TOTALS]
    named = [cell for cell in figure.cells if cell.column in columns and name_stems(cell.row) & {"total"}]
    if not part:
        return missing(NOTHING_READ)
    if len(part) == 1 and agreement(form.amount, part[0]) == "same":
        return reading(form.amount, part[0])
    if clash := conflict(form.about, part[0], figure):
        return missing(clash)
    value = sum(cell.value for cell in part)
    percent = all(cell.unit == "percent" or cell.attribute == "share" for cell in part)
    if percent:
        return _shared(form.amount, part, value, "of the whole")
    total = named[0].value if named else sum(cell.value for cell in whole)
    if len(whole) < 2 or total <= 0:
        return missing(NOTHING_READ)
    return _shared(form.amount, part, 100.0 * value / total, f"of {number_text(total)}")


def _ends_in_part(form: Share, figure: Figure) -> bool:
    """“A fifth of the students walk”: the whole is named first, then the row of shares that is the part."""
    content = [token for token in form.of.tokens if token.is_content]
    rows, columns = figure.named(form.of.tokens)
    shares = all(cell.unit == "percent" or cell.attribute == "share" for cell in figure.cells)
    return shares and len(rows) == 1 and not columns and len(content) > 1 and rows[0].position == content[-1].start


def _part_of_cell(form: Share, said: Assertion, figure: Figure) -> Finding:
    """“A bit over half of the 2019 level”: one cell as a part of another."""
    whole = figure.address(form.of, said.context, said.near)
    starts = {token.start for token in form.of.tokens}
    own = Phrase(tokens=tuple(token for token in form.about.tokens if token.start not in starts))
    part = figure.address(own, said.context, said.near)
    if len(whole.cells) != 1 or len(part.cells) != 1 or part.cells[0] is whole.cells[0] or not whole.cells[0].value:
        return missing(NOTHING_READ)
    return _shared(
        form.amount,
        part.cells,
        100.0 * part.cells[0].value / whole.cells[0].value,
        f"of '{whole.cells[0].constraint.entity}'",
    )


def _shared(amount: Amount, part: Sequence[Cell], percent: float, of: str) -> Finding:
    quantity = amount.quantity
    stated = 100.0 * quantity.value if quantity.unit != "percent" else quantity.value
    gap = percent - stated
    tolerance = 3.0 if amount.hedged or any(cell.estimated for cell in part) else 0.6
    if amount.bound != "=":
        holds = gap > -1e-9 if amount.bound[0] == ">" else gap < 1e-9
    else:
        holds = abs(gap) <= tolerance
    text = f"claimed {number_text(round(stated, 2))}%, read {number_text(round(percent, 2))}% {of}."
    return decided(holds, part, text)


def count_finding(form: Count, said: Assertion, figure: Figure) -> Finding:
    """How many meet a bound; “only A and B exceed 80”."""
    where = figure.address(form.about, said.context, said.near)
    columns = {m.name for m in where.columns} or set(figure.columns.names)
    if form.limit is None or not figure.cells or (len(columns) != 1 and len(figure.rows.names) > 1 and not where.rows):
        return missing(NOTHING_READ)
    cells = [cell for cell in figure.cells if cell.column in columns]
    if not cells or len(cells) < 2:
        return missing(NOTHING_READ)
    if clash := conflict(form.about, cells[0], figure):
        return missing(clash)
    outcomes = {cell: _meets(form.limit, cell) for cell in cells}
    if "unclear" in outcomes.values():
        return missing("some values were only estimated, too near the limit to tell.")
    meeting = [cell for cell, outcome in outcomes.items() if outcome == "same"]
    shown = (
        f"{len(meeting)} of {len(cells)} values read are {amount_text(form.limit)}: "
        + ", ".join(cell.row for cell in meeting[:5])
        + "."
    )
    if form.number is not None:
        return decided(len(meeting) == form.number, cells, shown)
    if form.excepted:
        failing = [cell for cell in cells if cell not in meeting]
        number = next(
            (int(t.stem) for t in form.excepted.tokens if t.stem.isdigit()),
            1 if any(t.lower == "one" for t in form.excepted.tokens) else None,
        )
        excepted = {m.name for m in figure.rows.mentions(form.excepted.tokens)}
        if not excepted and number is None:
            return missing(NOTHING_READ)
        return decided({cell.row for cell in failing} == excepted if excepted else len(failing) == number, cells, shown)
    names = {m.name for m in figure.rows.mentions(form.names.tokens)} or next(
        filter(None, ({m.name for m in figure.rows.mentions(phrase.tokens)} for phrase in said.context[: said.near])),
        set(),
    )
    if not names:
        return missing(NOTHING_READ)
    return decided(names == {cell.row for cell in meeting}, cells, shown)


def _meets(limit: Amount, cell: Cell) -> str:
    """Whether a cell meets a bound; a fraction bounds a share."""
    return agreement(limit, cell)


def position_finding(form: Position, figure: Figure) -> Finding:
    """“The vertex lies at (3, -4)”: both coordinates of the point that the phrase names; where one is 0, an intercept."""
    vertex = any(token.stem == "vertex" for token in form.about.tokens)
    for mine, other, axis in ((form.y, form.x, "y"), (form.x, form.y, "x")):
        crossing = [cell for cell in figure.cells if cell.attribute == f"{axis}-intercept"]
        if other.value == 0.0 and len(crossing) == 1 and not vertex:
            return decided(equal(mine.value, crossing[0].value), crossing, f"{in_words(crossing[0])}.")
    findings = []
    for axis, stated in (("x", form.x), ("y", form.y)):
        cells = [cell for cell in figure.cells if cell.attribute in (axis, f"{axis}-coordinate", f"{axis} coordinate")]
        named = Axis.of([cell.constraint.entity for cell in cells], "flat").mentions(form.about.tokens)
        mine_cells = [cell for cell in cells if cell.constraint.entity in {m.name for m in named}]
        if len(mine_cells) != 1:
            return missing(NOTHING_READ)
        cell = mine_cells[0]
        findings.append(
            decided(
                equal(stated.value, cell.value),
                [cell],
                f"claimed {axis} = {number_text(stated.value)}; {in_words(cell)}.",
            )
        )
    return together(findings)
