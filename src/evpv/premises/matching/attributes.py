"""Whether a phrase speaks of what a cell holds: its attribute, its row, or something of which nothing was read."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import (
    Assertion,
    Phrase,
    Share,
    Value,
)
from evpv.language.lexicon import ATTRIBUTE_GROUPS, DIMENSIONS, STOP_WORDS
from evpv.language.tokens import name_stems, tokens
from evpv.premises.figure import Address, Cell, Figure
from evpv.premises.mentions import are_opposed

OPEN = "it is open which of the values read the claim means."


_ANYTHING = frozenset("person unit item time point case thing piece total year day one percent other".split())


TOTAL_WORDS = frozenset({"total", "sum", "altogether", "combined", "overall", "all", "average", "mean"})


def is_total(name: str) -> bool:
    """Whether a row or column gives the whole of the others, and so is no rival of theirs."""
    return bool(name_stems(name) & _WHOLES)


def is_rest(name: str) -> bool:
    """Whether a row gathers what has no name of its own, and so ranks with nobody."""
    return name_stems(name) <= _RESTS


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
    rate = "rate" not in form.about.stems and any(t.lower == "per" for t in form.about.tokens)
    if rate and "per" not in {t.stem for c in figure.columns.names for t in tokens(c)}:
        return "the claim states a rate, which the figure does not."
    return OPEN if _another_dimension(form, cells[0], figure) else ""


ABSENT = "the claim names a time or colour of which nothing was read."
STRANGE = "the claim names something of which nothing was read."
HOLE = "the figure has no value where the claim looks for one."
UNREAD = frozenset({ABSENT, STRANGE, HOLE})
"""What is missing because the figure does not have it, and not because the claim was not understood."""


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


_PLAIN_WORDS = frozenset(
    "go went come came sell get got with have total just value price another year while then finally about amount only exactly listed reach".split()
)


def speaks_of_others(form: Value | Share, figure: Figure) -> bool:
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


def names_another(phrase: Phrase, figure: Figure) -> bool:
    """Whether a phrase names something that no row or column is called after."""
    known = figure.rows.frequency.keys() | figure.columns.frequency.keys()
    proper = [
        t
        for i, t in enumerate(phrase.tokens)
        if t.text[:1].isupper() and len(t.text) > 2 and (i or t.text.endswith("'s"))
    ]
    return any(token.stem not in known and token.stem not in STOP_WORDS for token in proper)


def conflict(phrase: Phrase, cell: Cell, figure: Figure) -> str | None:
    """Why a phrase speaks of another attribute than the cell: imports against exports, age against score; None if it may be the same."""
    stems = phrase.stems
    known = name_stems(cell.column) | name_stems(cell.row) if cell.column or not figure.tabular else frozenset()
    title = name_stems(cell.column) if cell.column else frozenset()
    if are_opposed(known, stems):
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


def counts_other_things(form: Value, cell: Cell) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”."""
    noun = [token for token in form.amount.noun.tokens if token.is_word]
    if "number of" not in cell.column.lower() or not noun or noun[0].stem in _ANYTHING:
        return False
    things = name_stems(cell.column) - {"number"}
    named = frozenset(token.stem for token in noun if token.stem not in STOP_WORDS)
    nouns = frozenset(token.stem for token in noun[-1:])
    row = name_stems(cell.row)
    return bool(things) and bool(named) and not named & (things | row) and not things & form.about.stems and bool(nouns)
