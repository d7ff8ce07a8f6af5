"""The numbers of a sentence that are values, or may be: those that name a row, count what is spoken of or date it are none."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from evpv.language.amounts import Sentence, Stated, join_ranges, stated_amount
from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.language.lexicon import MONTHS
from evpv.language.quantities import Quantity, quantities
from evpv.premises.statements.grid import Grid, is_year
from evpv.premises.statements.names import Name

_MAX_NUMBERS = 60


@immutable
class Number:
    """A stated amount at these tokens; `may_name` is the row that the number may be instead."""

    stated: Stated
    may_name: str = ""

    @property
    def first(self) -> int:
        return self.stated.first

    @property
    def last(self) -> int:
        return self.stated.last


def stated_numbers(
    sentence: Sentence, names: Sequence[Name], blocked: Sequence[tuple[int, int]], grid: Grid
) -> tuple[tuple[Number, ...], frozenset[int]]:
    """The numbers of a sentence that are values, or may be; and those that would name a row but name none."""
    taken = {place: name for name in names for place in name.places}
    may_name: dict[int, str] = {}
    absent: set[int] = set()
    for quantity, first, last in _written(sentence, blocked):
        at = next((i for i in range(first, last + 1) if sentence.tokens[i].is_number), first)
        owner = taken.get(at)
        if owner is None and _names_no_row(sentence, quantity, last, grid):
            absent.add(first)
        elif (
            _is_value(sentence, quantity, first, last, grid)
            if owner is None
            else _may_be_value(owner, quantity, at, sentence, grid)
        ):
            may_name[first] = owner.name if owner else ""
            sentence.amounts.append(_passed(sentence, stated_amount(sentence, quantity, first, last), taken))
    join_ranges(sentence)
    for one in _worded(sentence, grid, taken):
        owner = taken.get(one.first)
        if owner is None or owner.name == "0":
            sentence.amounts.append(one)
            may_name[one.first] = owner.name if owner else ""
    found = sorted(sentence.amounts, key=lambda one: one.first)
    return tuple(Number(stated=one, may_name=may_name.get(one.first, "")) for one in found), frozenset(absent)


_MARKS = frozenset("mark barrier threshold line level limit ceiling".split())
_PASSING = frozenset(
    "crossed crosses cross passed passes pass broke breaks breached breaches topped tops cleared clears reached reaches hit hits".split()
)


def _passed(sentence: Sentence, one: Stated, named: Container[int]) -> Stated:
    """“Passed the 100 mark” is a bound; “eight times” compares with nothing."""
    times = one.last + 1 if sentence.word(one.last + 1) == "times" else one.last
    if one.role == "times" and counts_times(sentence.words, times, named):
        one = replace(one, role="")
    before = {*sentence.words[max(0, one.first - 5) : one.first]}
    if one.amount.bound == "=" and sentence.word(one.last + 1) in _MARKS and before & _PASSING:
        return replace(one, amount=replace(one.amount, bound=">="))
    return one


def _written(sentence: Sentence, blocked: Sequence[tuple[int, int]]) -> Iterator[tuple[Quantity, int, int]]:
    """The quantities outside calculations, with their first and last token; a squared unit is none."""
    for quantity in quantities(sentence.text)[:_MAX_NUMBERS]:
        span = [i for i, t in enumerate(sentence.tokens) if t.start < quantity.end and quantity.start < t.end]
        if not span or any(start <= quantity.start < end for start, end in blocked):
            continue
        squared = sentence.text[quantity.end : quantity.end + 1] == "^"
        yield (replace(quantity, unit=None) if squared else quantity), span[0], span[-1]


def _is_value(sentence: Sentence, quantity: Quantity, first: int, last: int, grid: Grid) -> bool:
    """Whether a number that names no row is a value: it dates, counts and compares nothing else."""
    dates = _is_date(sentence, quantity, first, last) or _is_duration(sentence, quantity, first, last, grid)
    return not dates and not _is_compared(sentence, first, last) and not _only_counts(sentence, quantity, first, last)


def _names_no_row(sentence: Sentence, quantity: Quantity, last: int, grid: Grid) -> bool:
    """Whether a number can only be meant for a row, and the figure has none such: “at $120”, “2 pets” where nobody has 2."""
    if quantity.unit in grid.row_units - grid.column_units:
        return True
    numeric = bool(grid.line_rows) and not grid.timed_rows and all(name[-1:].isdigit() for name in grid.rows)
    nouns = {token.stem for token in sentence.tokens[last : last + 2]}
    banded = bool(grid.line_rows) and not grid.timed_rows and sum("-" in name for name in grid.rows) > 1
    before = {*sentence.words[max(0, last - 3) : last]}
    if (
        banded
        and {"group", "aged", "ages", "age"} & before
        and not {"is", "was", "=", ":"} & before
        and not quantity.unit
    ):
        return True
    return numeric and bool(nouns & grid.heads) and not quantity.spelled


_NO_NUMBER = frozenset("more less fewer change longer other doubt such need higher lower later earlier".split())
_HALF = Quantity(value=0.5, places=None, spelled=True)
_ZERO = Quantity(value=0.0, spelled=True)


def _worded(sentence: Sentence, grid: Grid, named: Container[int]) -> Iterator[Stated]:
    """Numbers that no numeral says: “nobody”, “no cars”, “a majority of”."""
    for i, word in enumerate(sentence.words):
        following = sentence.word(i + 1)
        counted = (
            word == "no"
            and sentence.word(i - 1) not in _HARDLY
            and following not in _NO_NUMBER
            and _is_thing(sentence, i + 1, grid)
        )
        if word in ("none", "nobody", "nothing") or counted:
            yield Stated(amount=Amount(quantity=_ZERO), role="", first=i, last=i)
        elif word in _OFTEN and counts_times(sentence.words, i, named):
            yield Stated(amount=Amount(quantity=Quantity(value=_OFTEN[word], spelled=True)), role="", first=i, last=i)
        elif word == "majority" or (word == "most" and following == "of" and sentence.word(i - 1) != "the"):
            yield Stated(amount=Amount(quantity=_HALF, bound=">"), role="", first=i, last=i)
        elif word == "minority":
            yield Stated(amount=Amount(quantity=_HALF, bound="<"), role="", first=i, last=i)
        elif word in ("negative", "positive") and sentence.word(i - 1) in _TURNED:
            yield Stated(
                amount=Amount(quantity=_ZERO, bound="<" if word == "negative" else ">"), role="", first=i, last=i
            )
        elif word == "dozen" and sentence.word(i - 1) in ("a", "one"):
            yield Stated(amount=Amount(quantity=Quantity(value=12.0, spelled=True)), role="", first=i, last=i)


_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_COMPARED = frozenset(
    "as the that those more higher larger bigger greater longer what its their his her of a an this these smaller less fewer".split()
)


def counts_times(words: Sequence[str], last: int, named: Container[int]) -> bool:
    """Whether “twice” or “eight times” says how often, and compares nothing: neither a name nor “as much” follows."""
    if (words[last] not in _OFTEN and words[last] != "times") or last + 1 in named:
        return False
    following = words[last + 1] if last + 1 < len(words) else ""
    return following not in _COMPARED and not following[:1].isdigit()


_HARDLY = frozenset("almost virtually practically hardly next".split())


def _is_thing(sentence: Sentence, at: int, grid: Grid) -> bool:
    """Whether a word is one of the figure's, or for people and things in general."""
    known = [t.stem for t in sentence.tokens[at : at + 3]]
    return any(stem in grid.vocabulary or stem in ("person", "student", "one", "other") for stem in known)


_TURNED = frozenset("turned turns was is were are went became become be stayed remained remains".split())


_AT = frozenset("at x = price row lane minute minutes year age aged grade level number for".split())


def _may_be_value(owner: Name, quantity: Quantity, at: int, sentence: Sentence, grid: Grid) -> bool:
    """Whether a number that is the name of a row may be a value as well."""
    token = sentence.tokens[at]
    if len(owner.places) > 1 or is_year(token) or not (token.is_number or quantity.spelled):
        return False
    if quantity.unit in grid.row_units - grid.column_units:
        return False
    before = at - 2 if sentence.word(at - 1) in ("$", "€", "£") else at - 1
    following = sentence.tokens[at + 1].stem if at + 1 < len(sentence.tokens) else ""
    headed = before > 0 and sentence.word(before) == "of" and sentence.tokens[before - 1].stem in grid.heads
    if headed or (following in grid.heads and following not in grid.model.columns.frequency):
        return False
    return sentence.word(before) not in _AT and (before < 0 or sentence.tokens[before].stem not in grid.model.leads)


_GROUPS = frozenset(
    "the these those both all other its among their top first last past next his her our any every following same".split()
)
_LEADS = frozenset(
    "part step node stage figure no chapter question problem option choice equation case phase page per".split()
)
_PERIODS = frozenset({"year", "day", "week", "month", "hour"})


def _is_duration(sentence: Sentence, quantity: Quantity, first: int, last: int, grid: Grid) -> bool:
    """“Over 5 years”, “a 15-year span”, “two days later”, “one year”, where no column measures time."""
    if quantity.unit not in _PERIODS:
        return False
    before, after = sentence.word(first - 1), sentence.word(last + 1)
    if "-" in sentence.text[quantity.start : quantity.end]:
        return True
    if after in ("later", "earlier", "before", "after", "period", "ago") or before in _PAST:
        return True
    if quantity.spelled and quantity.value == 1:
        return before not in _ONLY and after != "only"
    if not quantity.value.is_integer() or quantity.unit in grid.column_units:
        return False
    timed = {quantity.unit, "time", "duration", "age", "hour", "minute"} & grid.vocabulary
    return not timed and before in _LASTING


_LASTING = frozenset(
    "in after within for during every of the these those between all several each on per those these, its our both".split()
)
_PAST = frozenset("last past next first over previous".split())
_ONLY = frozenset("only exactly just".split())


def _is_date(sentence: Sentence, quantity: Quantity, first: int, last: int) -> bool:
    """Whether a number is a year, a day of a month, an ordinal, or numbers a part of the text: “Step 2”, “18- to 24-year-olds”."""
    before, after = sentence.word(first - 1), sentence.word(last + 1)
    rest = sentence.text[quantity.end : quantity.end + 2]
    if quantity.is_year or before in _LEADS or rest in ("th", "st", "nd", "rd", "s "):
        return not (quantity.is_year and before in ("is", "=", ":", "was") and last + 1 >= len(sentence.tokens) - 1)
    if (rest[:1] == "-" and rest[1:].isalpha()) or (after == "-" and sentence.word(last + 2) in ("to", "year")):
        return True
    month = first - 3 if before == "-" and first > 2 and sentence.tokens[first - 2].is_number else first - 1
    named = month >= 0 and sentence.tokens[month].stem in MONTHS and sentence.tokens[month].text[:1].isupper()
    return before == "^" or (named and quantity.value <= 31 and not quantity.unit)


def _is_compared(sentence: Sentence, first: int, last: int) -> bool:
    """Whether one number is only compared with another: “$1.48 > $1.40”."""
    if not {sentence.word(first - 1), sentence.word(last + 1)} & {"<", ">", "≤", "≥"}:
        return False
    around = (i for i in (first - 3, first - 2, last + 2, last + 3) if 0 <= i < len(sentence.tokens))
    return any(sentence.tokens[i].is_number for i in around)


def _only_counts(sentence: Sentence, quantity: Quantity, first: int, last: int) -> bool:
    """Whether a small number only counts what is spoken of: “the three towns”, “all four”, a “one” that stands for a thing."""
    if not (quantity.value <= 12 and quantity.value.is_integer() and quantity.unit in (None, *_PERIODS)):
        return False
    before, after = sentence.word(first - 1), sentence.word(last + 1)
    if quantity.spelled and before in _GROUPS and after != "of":
        return True
    if before in ("these", "those", "all", "top", "first", "last", "other") and after not in ("%", "°"):
        return True
    alone = quantity.spelled and quantity.value == 1 and after not in ("of", "only")
    return alone and before not in ("only", "exactly", "just", "has", "had", "is")
