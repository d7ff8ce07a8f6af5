"""When: the times that names and phrases speak of."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import Phrase
from evpv.language.lexicon import MONTHS, WEEKDAYS
from evpv.language.tokens import Token, name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.mentions import Mention


def cell_time(cell: Cell) -> float | None:
    at = time_in_name(cell.row)
    return at if at is not None else time_in_name(cell.column)


def times_said(said: Sequence[Token]) -> list[float]:
    found = []
    for token in said:
        if token.is_number and len(token.stem) == 4 and token.stem.isdecimal() and 1500 <= int(token.stem) <= 2100:
            found.append(float(token.stem))
        elif token.stem in MONTHS and token.text[:1].isupper():
            found.append(MONTHS.index(token.stem) / 12)
        elif token.stem in WEEKDAYS:
            found.append(WEEKDAYS.index(token.stem) / 8 - 10)
    return found


def time_in_name(name: str) -> float | None:
    """The time that a row or column is named after: a year, a month, a weekday; None for other names."""
    words = [token for token in tokens(name) if token.is_content]
    if not words or len(words) > 3:
        return None
    years = [t for t in words if t.stem.isdecimal() and len(t.stem) == 4 and 1500 <= int(t.stem) <= 2100]
    months = [t for t in words if t.stem in MONTHS]
    rest = [t for t in words if t not in years and t not in months and t.stem not in ("fy", "*") and not t.is_number]
    if years and not rest and (len(years) == 1 or len(words) == len(years)):
        return int(years[0].stem) + (MONTHS.index(months[0].stem) / 12 if months else 0.0)
    if rest or years:
        return None
    if months and len(words) == 1:
        return MONTHS.index(months[0].stem) / 12
    return None


def time_step(phrase: Phrase) -> int:
    """One on or back, where the other side is named by its place: “the day before”, “the quarter that followed”."""
    words = {token.lower for token in phrase.tokens}
    if words & {"before", "previous", "earlier", "preceding", "prior"}:
        return -1
    return 1 if words & {"followed", "following", "next", "after", "later"} else 0


def span_names(phrase: Phrase, named: Sequence[str], line: Sequence[str]) -> list[str]:
    """The names of an axis that a span takes in: “after 2017”, “from March on”, “between Monday and Friday”; none where no span is said."""
    times = [time_in_name(name) for name in line]
    if all(at is not None for at in times):
        line = [name for _, name in sorted(zip(times, line, strict=True))]
    places = sorted(line.index(name) for name in named if name in line)
    words = {token.lower for token in phrase.tokens}
    if len(places) == 2 and words & {"between", "from", "through", "until"}:
        return list(line[places[0] : places[1] + 1])
    if len(places) != 1:
        return []
    if words & {"after"}:
        return list(line[places[0] + 1 :])
    if words & {"since", "onwards", "onward", "on", "starting"} and words & {"since", "from", "starting"}:
        return list(line[places[0] :])
    if words & {"before"}:
        return list(line[: places[0]])
    return list(line[: places[0] + 1]) if words & {"until", "till"} else []


def address_beside(phrase: Phrase, context: Sequence[Phrase], figure: Figure) -> Address | None:
    """The cell that a phrase names by its place in time: “a year later”, “the month before”; None where it names it otherwise."""
    words = {token.lower for token in phrase.tokens}
    if not (step := time_step(phrase)) or not words & _PERIODS or times_said(phrase.tokens):
        return None
    own_rows, own_columns = figure.named(phrase.tokens)
    for earlier in context:
        rows, columns = figure.named(earlier.tokens)
        pairs = neighbour_pairs(own_rows or rows, own_columns or columns, step, figure)
        if pairs:
            cells = tuple(there for _, there in pairs)
            return Address(rows=own_rows, columns=own_columns, cells=cells)
        if rows or columns:
            return None
    return None


_PERIODS = frozenset("year month day week quarter season".split())


def neighbour_pairs(
    rows: Sequence[Mention], columns: Sequence[Mention], step: int, figure: Figure
) -> list[tuple[Cell, Cell]]:
    """Each named cell with its neighbour on the axis that runs in time."""
    for mentions, names, by_row in ((columns, figure.columns.names, False), (rows, figure.rows.names, True)):
        if len(mentions) != 1 or len(names) < 2:
            continue
        times = [time_in_name(name) for name in names]
        line = list(names)
        known = [at for at in times if at is not None]
        if len(known) == len(names):
            line = [name for _, name in sorted(zip(known, names, strict=True))]
        elif not all(name_stems(name) & set(WEEKDAYS + MONTHS) for name in names):  # noqa: SIM102
            if not by_row or not all(name_stems(name) & {f"q{i}" for i in range(1, 5)} for name in names):
                continue
        place = line.index(mentions[0].name) + step
        if not 0 <= place < len(line):
            return []
        here = [c for c in figure.cells if (c.row if by_row else c.column) == mentions[0].name]
        others = rows if not by_row else columns
        here = [c for c in here if not others or (c.column if by_row else c.row) in {m.name for m in others}]
        there = {
            (c.column if by_row else c.row): c for c in figure.cells if (c.row if by_row else c.column) == line[place]
        }
        return [(c, there[key]) for c in here if (key := c.column if by_row else c.row) in there]
    return []
