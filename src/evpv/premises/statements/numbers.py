"""The numbers of a sentence that are values, or may be: those that name a row, count what is spoken of or date it are none."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from evpv.language.amounts import Sentence, StatedAmount, join_ranges, stated_amount
from evpv.language.forms import Amount, Bound
from evpv.language.immutable import immutable
from evpv.language.lexicon import MONTHS
from evpv.language.number_words import clock_number, is_season
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import name_stems, tokens
from evpv.premises.statements.grid import Grid, is_year
from evpv.premises.statements.names import Name

_MAX_NUMBERS = 60


@immutable
class StatedNumber:
    """A stated amount at these tokens; `may_name` is the row that the number may be instead."""

    stated: StatedAmount
    may_name: str = ""

    @property
    def first(self) -> int:
        return self.stated.first

    @property
    def last(self) -> int:
        return self.stated.last

    @property
    def amount(self) -> Amount:
        return self.stated.amount

    @property
    def role(self) -> str:
        """What the word before it makes it: “by”, “from”, “to”, “times” …"""
        return self.stated.role


@immutable
class _Written:
    """A number where it is written: in a sentence about a grid, from its first to its last token."""

    sentence: Sentence
    grid: Grid
    quantity: Quantity
    first: int
    last: int

    @property
    def before(self) -> str:
        return self.sentence.word(self.first - 1)

    @property
    def after(self) -> str:
        return self.sentence.word(self.last + 1)

    @property
    def numeral(self) -> int:
        """The token that holds the number itself."""
        places = range(self.first, self.last + 1)
        return next((i for i in places if self.sentence.tokens[i].is_number), self.first)

    @property
    def names_by_unit(self) -> bool:
        """Whether it has a unit that only the names of rows have: “at $120”."""
        return self.quantity.unit in self.grid.row_units - self.grid.column_units


def stated_numbers(
    sentence: Sentence, names: Sequence[Name], blocked: Sequence[tuple[int, int]], grid: Grid
) -> tuple[tuple[StatedNumber, ...], frozenset[int]]:
    """The numbers of a sentence that are values, or may be; and those that would name a row but name none."""
    taken = {place: name for name in names for place in name.places}
    absent: set[int] = set()
    may_name: dict[int, str] = {}
    for one in _written_numbers(sentence, blocked, grid):
        owner = taken.get(one.numeral)
        if _names_no_row(one, owner):
            absent.update(() if _is_step_of_rows(one) else (one.first,))
        elif _is_value(one, owner):
            may_name[one.first] = _name_at(one.numeral, taken)
            sentence.amounts.append(_amount_in_context(one))
    join_ranges(sentence)
    for stated in _worded_numbers(sentence, taken):
        may_name[stated.first] = _name_at(stated.first, taken)
        sentence.amounts += [stated] if may_name[stated.first] in ("", "0") else []
    found = sorted(sentence.amounts, key=lambda stated: stated.first)
    return tuple(StatedNumber(stated=one, may_name=may_name.get(one.first, "")) for one in found), frozenset(absent)


def _name_at(place: int, taken: Mapping[int, Name]) -> str:
    return taken[place].name if place in taken else ""


def _written_numbers(sentence: Sentence, blocked: Sequence[tuple[int, int]], grid: Grid) -> Iterator[_Written]:
    """The quantities outside calculations."""
    for quantity in quantities(sentence.text)[:_MAX_NUMBERS]:
        span = [i for i, t in enumerate(sentence.tokens) if t.start < quantity.end and quantity.start < t.end]
        if not span or any(start <= quantity.start < end for start, end in blocked):
            continue
        yield _Written(sentence=sentence, grid=grid, quantity=quantity, first=span[0], last=span[-1])


_MARKS = frozenset("mark barrier threshold line level limit ceiling".split())
_PASSING = frozenset(
    "crossed crosses cross passed passes pass broke breaks breached breaches topped tops cleared clears reached reaches hit hits".split()
)
_ROUNDING = frozenset("rounded rounding rounds".split())


def _amount_in_context(one: _Written) -> StatedAmount:
    """A number as it is stated; “passed the 100 mark” is a bound, and what is rounded may be a little off."""
    sentence = one.sentence
    stated = stated_amount(sentence, one.quantity, one.first, one.last)
    after = sentence.word(stated.last + 1)
    around = sentence.words[max(0, stated.first - 5) : stated.last + 6]
    passes = after in _MARKS and not _PASSING.isdisjoint(around)
    if (passes or stated.role in ("passed", "passes")) and stated.amount.bound == "=":
        return replace(stated, amount=replace(stated.amount, bound=">="))
    if not _ROUNDING.isdisjoint(sentence.words):
        return replace(stated, amount=replace(stated.amount, hedged=True))
    return stated


def _names_no_row(one: _Written, owner: Name | None) -> bool:
    """Whether a number can only be meant for a row, and the figure has none such: “at $120”, “2 pets” where nobody has 2."""
    if owner is not None:
        return False
    if _is_other_day(one):
        return True
    if _is_numbered_column(one):
        return not one.quantity.spelled
    if one.names_by_unit or not one.grid.line_rows or one.grid.timed_rows:
        return one.names_by_unit
    return _is_age(one) or (all(name[-1:].isdigit() for name in one.grid.rows) and _is_of_head(one))


def _is_other_day(one: _Written) -> bool:
    """Whether a number is a day of a month of which rows or columns are other days: “15 March”, where they are 1 March and 31 March."""
    if not _is_day(one):
        return False
    month = one.after if one.after in MONTHS else one.before
    dated = [words for words in map(tokens, (*one.grid.rows, *one.grid.columns)) if month in {t.stem for t in words}]
    return any(t.is_number for words in dated for t in words)


def _is_age(one: _Written) -> bool:
    """“Aged 18”, where rows are bands of ages."""
    before = one.sentence.words[max(0, one.last - 3) : one.last]
    banded = sum("-" in name for name in one.grid.rows) > 1 and not one.quantity.unit
    return banded and not _AGES.isdisjoint(before) and _SAYING.isdisjoint(before)


def _is_step_of_rows(one: _Written) -> bool:
    """Whether a number is how far rows are apart: “each time the price goes up by $5”, from $10 to $15 and so on."""
    prices = [quantities(name) for name in one.grid.line_rows] if one.before == "by" else []
    steps = {round(b[0].value - a[0].value, 6) for a, b in itertools.pairwise(prices) if a and b}
    return steps == {one.quantity.value}


def _is_numbered_column(one: _Written) -> bool:
    """Whether a number is written as those of columns are: “Quiz 4”, where they are called Quiz 1 to Quiz 3."""
    lead = one.sentence.tokens[one.first - 1] if one.first else None
    if lead is None or not lead.text[:1].isupper():
        return False
    named = (words for words in map(tokens, one.grid.columns) if len(words) == 2)
    return sum(first.stem == lead.stem and second.text.isdecimal() for first, second in named) > 1


def _is_of_head(one: _Written) -> bool:
    """Whether a number stands beside what a row is called: “2 pets”, “scored 7” after another number."""
    every = one.sentence.tokens
    counted = any(token.is_number or clock_number(token.lower) for token in every[: one.first])
    nouns = {token.stem for token in every[one.last : one.last + 2]}
    nouns |= {token.stem for token in every[max(0, one.first - 1) : one.first] if token.lower.endswith("ed")}
    return (counted or not one.quantity.spelled) and not one.grid.heads.isdisjoint(nouns)


_AGES = frozenset("group aged ages age".split())
_SAYING = frozenset("is was = :".split())
_AT = frozenset("at x = price row lane minute minutes year age aged grade level number for".split())


def _may_be_value(one: _Written, owner: Name) -> bool:
    """Whether a number that is the name of a row may be a value as well."""
    sentence, at = one.sentence, one.numeral
    token = sentence.tokens[at]
    if len(owner.places) > 1 or is_year(token) or not (token.is_number or one.quantity.spelled) or one.names_by_unit:
        return False
    before = at - 2 if sentence.word(at - 1) in ("$", "€", "£") else at - 1
    if sentence.word(before) in _AT or (before >= 0 and sentence.tokens[before].stem in one.grid.model.leads):
        return False
    return not _is_headed(one, at, before)


def _is_headed(one: _Written, at: int, before: int) -> bool:
    """Whether what a row is called stands beside a number: “5 hours”, “three or more pets”, “a price of $5”."""
    sentence, grid = one.sentence, one.grid
    if before > 0 and sentence.word(before) == "of" and sentence.tokens[before - 1].stem in grid.heads:
        return True
    after = at + (3 if sentence.word(at + 1) == "or" else 1)
    following = sentence.tokens[after].stem if after < len(sentence.tokens) else ""
    return following in grid.heads and following not in grid.model.columns.frequency


# Numbers that are no values.


def _is_value(one: _Written, owner: Name | None) -> bool:
    """Whether a number is a value, or may be beside naming a row: it dates, counts and compares nothing else."""
    if owner is not None:
        return _may_be_value(one, owner)
    return not (_is_date(one) or _is_duration(one) or _is_compared(one) or _only_counts(one))


_LEADS = frozenset(
    "part step node stage figure no chapter question problem option choice equation case phase page per".split()
)


def _is_date(one: _Written) -> bool:
    """Whether a number is a year, a season, a day of a month, an ordinal, or numbers a part of the text: “Step 2”, “18- to 24-year-olds”."""
    sentence, quantity = one.sentence, one.quantity
    rest = sentence.text[quantity.end : quantity.end + 2]
    if quantity.is_year:
        ends = one.last + 1 >= len(sentence.tokens) - 1
        return not (ends and one.before in ("is", "=", ":", "was"))
    if one.before in _LEADS or one.before == "^" or rest in ("th", "st", "nd", "rd", "s "):
        return True
    return is_season(sentence.text[quantity.start : quantity.end]) or _is_day(one)


def _is_day(one: _Written) -> bool:
    """“May 5”, “15 March”, “March 3-5”; where months are rows or columns, “May 40, June 25” gives their values."""
    return (one.before == "on" and _is_month(one.sentence, one.last + 1)) or _follows_month(one)


def _follows_month(one: _Written) -> bool:
    sentence = one.sentence
    ends_range = one.before == "-" and one.first > 2 and sentence.tokens[one.first - 2].is_number
    month = one.first - 3 if ends_range else one.first - 1
    if month < 0 or one.quantity.value > 31 or one.quantity.unit or not _is_month(sentence, month):
        return False
    called = frozenset({sentence.tokens[month].stem})
    return ends_range or called not in map(name_stems, (*one.grid.rows, *one.grid.columns))


def _is_month(sentence: Sentence, place: int) -> bool:
    return any(t.stem in MONTHS and t.text[:1].isupper() for t in sentence.tokens[place : place + 1])


_PERIODS = frozenset({"year", "day", "week", "month", "hour"})
_LASTING = frozenset(
    "in after within for during every of the these those between all several each on per its our both".split()
)
_PAST = frozenset("last past next first over previous".split())
_APART = frozenset("later earlier before after period ago".split())
_ONLY = frozenset("only exactly just".split())


def _is_duration(one: _Written) -> bool:
    """“Over 5 years”, “a 15-year span”, “two days later”, where no column measures time."""
    quantity = one.quantity
    if quantity.unit not in _PERIODS:
        return False
    if _is_only_a_span(one):
        return True
    if quantity.spelled and quantity.value == 1:
        return one.before not in _ONLY and one.after != "only"
    measured = {quantity.unit, "time", "duration", "age", "hour", "minute"} & one.grid.vocabulary
    return not measured and quantity.value.is_integer() and one.before in _LASTING


def _is_only_a_span(one: _Written) -> bool:
    """Whether a period cannot be a value by what it stands with: “the last 5 years”, “ten years on, …”."""
    if "-" in one.sentence.text[one.quantity.start : one.quantity.end] or one.before in _PAST or one.after in _APART:
        return True
    return one.after == "on" and one.sentence.word(one.last + 2) in (",", "")


def _is_compared(one: _Written) -> bool:
    """Whether one number is only compared with another: “$1.48 > $1.40”."""
    if {one.before, one.after}.isdisjoint("<>≤≥"):
        return False
    around = (i for i in (one.first - 3, one.first - 2, one.last + 2, one.last + 3) if i >= 0)
    return any(token.is_number for i in around for token in one.sentence.tokens[i : i + 1])


_COUNTING_ONE = frozenset("only exactly just has had is".split())
_GROUPS = frozenset(
    "the these those both all other its among their top first last past next his her our any every following same".split()
)


def _only_counts(one: _Written) -> bool:
    """Whether a small number only counts what is spoken of: “the three towns”, “all four”, “three years in a row”."""
    quantity = one.quantity
    if quantity.absolute > 12 or not quantity.value.is_integer() or quantity.unit not in (None, *_PERIODS):
        return False
    if one.before in ("these", "those", "all", "top", "first", "last", "other"):
        return True
    following = " ".join(one.sentence.words[one.last + 1 : one.last + 5])
    if one.after in ("straight", "consecutive", "successive") or "in a row" in following:
        return True
    return quantity.spelled and one.after != "of" and _stands_for_things(one)


def _stands_for_things(one: _Written) -> bool:
    """“Her two”, “one is higher”; “has one” and “one only” count."""
    counts_one = one.after == "only" or one.before in _COUNTING_ONE
    return one.before in _GROUPS or (one.quantity.value == 1 and not counts_one)


# Numbers that no numeral says.

_HALF = Quantity(value=0.5, places=None, spelled=True)
_ZERO = Quantity(value=0.0, spelled=True)
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_SHARES: dict[str, tuple[Quantity, Bound]] = {"majority": (_HALF, ">"), "minority": (_HALF, "<")}
_SIGNED: dict[str, tuple[Quantity, Bound]] = {"negative": (_ZERO, "<"), "positive": (_ZERO, ">")}
_TURNED = frozenset("turned turns was is were are went became become be stayed remained remains".split())


def _worded_numbers(sentence: Sentence, named: Container[int]) -> Iterator[StatedAmount]:
    """Numbers that no numeral says: “nobody”, “no cars”, “a majority of”."""
    for i, word in enumerate(sentence.words):
        quantity, bound = _worded_quantity(sentence, i, named) if word in _WORDED else (None, "=")
        if quantity is not None:
            yield StatedAmount(amount=Amount(quantity=quantity, bound=bound), role="", first=i, last=i)


_WORDED = (
    frozenset("none nobody nothing no most dozen double".split()) | _OFTEN.keys() | _SHARES.keys() | _SIGNED.keys()
)


def _worded_quantity(sentence: Sentence, i: int, named: Container[int]) -> tuple[Quantity | None, Bound]:
    """The number that one of these words says, with its bound."""
    word, before, after = sentence.words[i], sentence.word(i - 1), sentence.word(i + 1)
    match word:
        case "no" | "none" | "nobody" | "nothing":
            return _ZERO, "="
        case "once" | "twice" | "thrice" if counts_times(sentence.words, i, named):
            return Quantity(value=_OFTEN[word], spelled=True), "="
        case "most" if after == "of" and before != "the":
            return _HALF, ">"
        case "majority" | "minority":
            return _SHARES[word]
        case "negative" | "positive" if before in _TURNED:
            return _SIGNED[word]
        case "double" if after in ("digits", "figures"):
            return Quantity(value=10.0, spelled=True), ">="
        case "dozen" if before in ("a", "one"):
            return Quantity(value=12.0, spelled=True), "="
    return None, "="


_COMPARED = frozenset(
    "as the that those more higher larger bigger greater longer what its their his her of a an this these smaller less fewer".split()
)


def counts_times(words: Sequence[str], last: int, named: Container[int]) -> bool:
    """Whether “twice” or “eight times” says how often, and compares nothing: neither a name nor “as much” follows."""
    if (words[last] not in _OFTEN and words[last] != "times") or last + 1 in named:
        return False
    following = words[last + 1] if last + 1 < len(words) else ""
    return following not in _COMPARED and not following[:1].isdigit()
