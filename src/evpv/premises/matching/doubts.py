"""Why a contradiction may not be trusted: a clause that was not wholly understood, that reaches beyond what it names, or in which too much is
not accounted for (`trust.py`); in doubt the claim is missing, because a false accusation costs most."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache

from evpv.language.clauses import FINITE
from evpv.language.doubts import form_amounts
from evpv.language.forms import (
    Aggregate,
    Amount,
    Assertion,
    Comparison,
    Count,
    Extreme,
    Form,
    Layout,
    Listing,
    Phrase,
    Share,
    Trend,
    Value,
    Worked,
)
from evpv.language.lexicon import CUES, GENERAL_NOUNS, MEASURE_NOUNS, MONTHS, SCALES, WEEKDAYS
from evpv.language.quantities import UNIT_OF
from evpv.language.tokens import Token, cues, name_stems, tokens
from evpv.premises.figure import Cell, Figure, Named, columns_of, rows_of
from evpv.premises.matching.attributes import names_another
from evpv.premises.matching.explanations import explained_finding, leaf_cells, named_cells, row_numbers
from evpv.premises.matching.values import Finding, deciding_cells, is_read, loose_numbers
from evpv.premises.mentions import names_of, places_of


def contradiction_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Why the finding that an assertion is wrong may be a misunderstanding; "" if it may not."""
    if isinstance(said.form, (Layout, Worked)):
        return said.doubt
    if "leaf" in model.columns.frequency:
        return (
            said.doubt
            if leaf_cells(model)
            else "the leaves of a stem-and-leaf plot were read, not the numbers they stand for."
        )
    return (
        said.doubt
        or _subject_doubt(said, finding, model)
        or _reach_doubt(said, finding, model)
        or _home_doubt(said, finding, model)
        or _fit_doubt(said, model)
    )


_REACHING = frozenset(
    "all both each every only other others rest remaining alone same named but except half twice double triple "
    "third quarter first second latter former next this that these those".split()
)
"""Words by which a clause speaks of more than it names: of sets, parts and multiples of what is named, or of what was said before."""


def _home_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Whether the number found wrong is at home elsewhere: at another cell that the clause names, or beside the right one of its cell."""
    form = said.form
    if isinstance(form, Comparison):
        return "its number is that of one side, not how far they are apart." if _is_a_side(form, finding) else ""
    if not isinstance(form, (Value, Aggregate)) or getattr(form, "each", False):
        return ""
    named = model.named(tokens(said.text))
    if _is_at_home(form, finding, model, named):
        return "its number is that of another thing that the clause names."
    if isinstance(form, Value) and _says_both(said, finding, model, named):
        return "the clause gives its cell the number that was read, besides another."
    return ""


def _is_at_home(form: Value | Aggregate, finding: Finding, model: Figure, named: Named) -> bool:
    """Whether a number was read of another cell that the clause names; a total's, of the one row that it names."""
    homes = [cell for cell in model.cells if any(is_read(one, [cell]) for one in form_amounts(form))]
    if isinstance(form, Aggregate):
        return len(named[0]) == 1 and named[0][0].name in rows_of(homes)
    bound = finding.used or deciding_cells(finding, model.cells)
    return any(_is_named_beside(home, cell, named) for home in homes for cell in bound)


def _fit_doubt(said: Assertion, model: Figure) -> str:
    """Whether a number found wrong is right of another cell that the clause may mean: because it leaves a row or a column open, or
    because it is a mark that others lie above or below (“above the world average of 14.8%”)."""
    if not model.tabular or not isinstance(said.form, (Value, Aggregate, Listing)):
        return ""
    words = tokens(said.text)
    axes = zip(model.named(words), (model.rows, model.columns), strict=True)
    is_open = any(len(axis.names) > 1 and not mentions for mentions, axis in axes)
    is_mark = isinstance(said.form, Aggregate) and any(cue.tag in ("over", "under") for cue in cues(words))
    fits = (is_open or is_mark) and explained_finding(said, model)
    return "its numbers fit what it names in another way." if fits else ""


def _is_a_side(form: Comparison, finding: Finding) -> bool:
    """Whether two things stand to each other as was said, and a number in figures that was taken for their difference is that of one."""
    by = form.by
    if by is None or by.quantity.spelled or len(finding.used) != 2:
        return False
    left, right = finding.used
    holds = {"greater": left.value > right.value, "less": left.value < right.value}.get(form.order, False)
    return holds and is_read(by, finding.used)


def _is_named_beside(home: Cell, bound: Cell, named: Named) -> bool:
    """Whether a cell in the row or column of another is named by where it differs from it."""
    rows, columns = map(names_of, named)
    if home.column == bound.column:
        return home.row != bound.row and home.row in rows
    return home.row == bound.row and home.column in columns


def _says_both(said: Assertion, finding: Finding, model: Figure, named: Named) -> bool:
    """Whether a clause has several numbers, and one is that of the cell which another is held against."""
    numbers = loose_numbers(said.text, places_of(itertools.chain(*named)))
    cells = deciding_cells(finding, model.cells)
    return len(numbers) > 1 and any(is_read(Amount(quantity=quantity), cells) for quantity in numbers)


def may_be_set_aside(said: Assertion, finding: Finding, model: Figure) -> bool:
    """Whether an assertion that was not understood hides no misreading: every number of it stands in the figure, or is what two that do
    come to, and it names nothing that the figure does not have."""
    if finding.why_missing == "unread" or _names_absent_things(said.form, model):
        return False
    amounts = [one for one in form_amounts(said.form) if not _is_part(one)]
    if not amounts:
        return _is_in_known_words(said, finding, model)
    pool = [*_outcomes(model, named_cells(said, tokens(said.text), model) or model.cells)]
    return all(is_read(amount, pool) for amount in amounts) and unknown_words(said, model) <= _UNKNOWN_COUNTING


def _names_absent_things(form: Form, model: Figure) -> bool:
    return any(model.absent(phrase) or names_another(phrase, model) for phrase in phrases(form))


def _is_in_known_words(said: Assertion, finding: Finding, model: Figure) -> bool:
    """Whether a comparison, or what is said of several cells, has no words of its own, or few where it is open."""
    loose = finding.why_missing == "open" and isinstance(said.form, _LOOSE)
    most = _UNKNOWN_OPEN if loose else 0
    return isinstance(said.form, (Comparison, *_LOOSE)) and unknown_words(said, model) <= most


def _is_part(amount: Amount) -> bool:
    """Whether an amount is a part in words: “half”, “a third”."""
    return amount.quantity.unit is None and amount.quantity.places is None and 0 < amount.quantity.value < 1


_LOOSE = (Extreme, Trend, Share, Count)
"""What is said of more than one cell, in words that are seldom those of the figure."""
_UNKNOWN_OPEN, _UNKNOWN_COUNTING = 3, 4
_MOST_CELLS = 24


def _outcomes(model: Figure, named: Sequence[Cell]) -> Iterator[Cell]:
    """The cells, and what a named one and another of its row or column differ by or add up to."""
    yield from model.cells
    yield from (cell.with_value(number) for cell in model.cells for number in row_numbers(cell))
    if len(model.cells) <= _MOST_CELLS:
        for left, right in itertools.product(named, model.cells):
            if left is not right and (left.row == right.row or left.column == right.column):
                yield left.with_value(abs(left.value - right.value))
                yield left.with_value(left.value + right.value)


def phrases(form: Form) -> tuple[Phrase, ...]:
    """The phrases of a form that may name something."""
    names = ("about", "left", "right", "subject", "group")
    return tuple(value for name in names if isinstance(value := getattr(form, name, None), Phrase))


def unknown_words(said: Assertion, model: Figure) -> int:
    """How many content words of the clause are neither cues nor in any name of the figure."""
    known = model.vocabulary | _LIGHT
    return sum(token.stem not in known for token in said.content)


_LIGHT = frozenset(
    "make up out go went come came get got take took give gave stand stood account record recorded report reported listed reach "
    "find found see look just also exactly clearly still even again here overall amount comprise".split()
)
"""Words that say nothing of their own."""


def _subject_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Whether a clause puts a thing that the figure does not know in the place of the one it shows, or of which was spoken before: “cod was
    23 in 2021” where herring was read. What is only called after a measure (“minutes”, “revenue in euros”) may be anyone's."""
    if isinstance(said.form, Count):
        return ""
    words = tokens(said.text)
    shown = _shown_thing(model) or _column_used(finding)
    if shown.keys() <= model.rows.places(words).keys() | model.columns.places(words).keys():
        return ""
    subject, named = _subject(words), model.named_places(words)
    if any(token.start in named and not _is_time(token) for token in subject):
        return ""
    unknown = Phrase(tokens=said.content).stems - _vocabulary(model) - GENERAL_NOUNS - _LIGHT
    strange = [token for token in subject if token.stem in unknown]
    strange = [*filter(_is_plural, strange)] if _are_counted(shown, model) else strange
    return "its subject is nothing that the figure shows." if strange else ""


def _are_counted(shown: dict[str, Token], model: Figure) -> bool:
    """Whether a figure shows numbers of things, so that a thing in the singular is none of them."""
    return all(map(_is_plural, shown.values())) or "number of" in "".join(model.columns.names[:1]).lower()


def _is_time(token: Token) -> bool:
    return token.is_number or token.stem in MONTHS or token.stem in WEEKDAYS


@lru_cache(maxsize=256)
def _shown_thing(model: Figure) -> dict[str, Token]:
    """The words that the names of all values share, without those for how the thing is measured; none where there are several things."""
    timed = all(any(map(_is_time, tokens(name))) for name in model.rows.names)
    if len(model.cells) < 2 or not (model.tabular or timed):
        return {}
    shared = frozenset.intersection(*(name_stems(f"{cell.row} {cell.column}") for cell in model.cells))
    first = {**_things(tokens(model.cells[0].row)), **_things(tokens(model.cells[0].column))}
    return {stem: token for stem, token in first.items() if stem in shared}


def _column_used(finding: Finding) -> dict[str, Token]:
    """The words for the thing of the one column that a finding rests on."""
    columns = columns_of(finding.used)
    return _things(tokens(columns.pop())) if len(columns) == 1 else {}


def _things(name: tuple[Token, ...]) -> dict[str, Token]:
    measures = GENERAL_NOUNS | MEASURE_NOUNS
    return {t.stem: t for t in _without_unit(name) if t.is_content_word and t.stem not in measures}


def _without_unit(name: tuple[Token, ...]) -> tuple[Token, ...]:
    """A name up to “in million euros”, and without units elsewhere."""
    last = max((i for i, token in enumerate(name) if token.lower in UNIT_OF or token.lower in SCALES), default=-1)
    end = next((i for i, token in enumerate(name[:last]) if token.lower in ("in", "(")), len(name))
    return tuple(token for token in name[:end] if token.lower not in UNIT_OF)


def _subject(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words before the verb, without an opening that a comma ends; all of them where there is no verb."""
    verb = next((i for i, token in enumerate(words) if i and _is_verb(token)), len(words))
    comma = max((i for i, token in enumerate(words[:verb]) if token.lower == ","), default=-1)
    return words[comma + 1 : verb] if any(token.is_word for token in words[comma + 1 : verb]) else words[:verb]


def _is_verb(token: Token) -> bool:
    return token.lower in _VERBS or token.lower.endswith("ed")


_VERBS = (
    FINITE
    | _LIGHT
    | frozenset("saw sees brought drew sold".split())
    | frozenset(CUES["rises"].split("|"))
    | frozenset(CUES["falls"].split("|"))
)


def _is_plural(token: Token) -> bool:
    return token.lower.endswith("s") and token.stem != token.lower


@lru_cache(maxsize=256)
def _vocabulary(model: Figure) -> frozenset[str]:
    """The words of everything that a figure names: its rows, columns, headers, attributes and units."""
    facts = {f"{cell.constraint.attribute} {cell.constraint.unit or ''}" for cell in model.cells}
    return frozenset[str](model.vocabulary).union(*map(name_stems, facts))


def _reach_doubt(said: Assertion, finding: Finding, model: Figure) -> str:
    """Whether a clause reaches beyond what it names, and its names and numbers are not just those that the finding rests on."""
    aside = itertools.chain.from_iterable(phrase.tokens for phrase in phrases(said.form) if said.aside)
    clause = (*tokens(said.text), *aside)
    places = model.named_places(clause)
    words = {token.lower for token in clause if token.start not in places or token.stem.isdigit()}
    if not finding.used or not _reaches(said, words):
        return ""
    spare = len(loose_numbers(said.text, places)) > len(form_amounts(said.form))
    others = spare or _rests_on_others(said, finding, model, clause)
    return "it may speak of more, or of other things, than it names." if others or "(" in words else ""


def _reaches(said: Assertion, words: set[str]) -> bool:
    """Whether an assertion has words for more than it names; a count is of all, and steps are of neighbours."""
    stepwise = "previous" in words or (isinstance(said.form, Trend) and said.form.steady)
    reaching = _REACHING - _OF_EACH if _is_of_each(said) else _REACHING
    return not stepwise and not isinstance(said.form, Count) and bool(words & reaching)


def _is_of_each(said: Assertion) -> bool:
    """Whether an assertion is made of each of several things, so that one of them refutes it."""
    return getattr(said.form, "each", False) or (said.quantifier == "every" and isinstance(said.form, Comparison))


_OF_EACH = frozenset("all both each every same".split())
"""Words that say of several things that each has a value, and no more."""


def _rests_on_others(said: Assertion, finding: Finding, model: Figure, clause: tuple[Token, ...]) -> bool:
    """Whether a finding uses rows or columns that the clause does not name, or leaves out some that it does."""
    rows, columns = ({*names_of(axis)} for axis in model.named(clause))
    axes = [
        (rows, rows_of(finding.used), len(model.rows.names)),
        (columns, columns_of(finding.used), len(model.columns.names)),
    ]
    taken_over = any(used - named for named, used, many in axes if many > 1)
    left_out = any(named - used for named, used, _ in axes) and not _is_of_each(said)
    single = isinstance(said.form, (Value, Comparison, Trend))
    return (single and taken_over) or (left_out and not isinstance(said.form, (Count, Listing)))
