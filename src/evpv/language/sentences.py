"""A sentence while it is being cut, and which of its numbers only name or count something: years, “Part 2”, “the three circles”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evpv.language.equations import Equation
from evpv.language.forms import Amount
from evpv.language.labels import Label
from evpv.language.lexicon import MONTHS
from evpv.language.quantities import Quantity
from evpv.language.tokens import Cue, Token

_YEAR_ASSERTED = frozenset(
    "is was are were = : sold has have had reached totaled totalled to about around roughly approximately".split()
)


_YEAR_ENDS = frozenset("is was are were came comes occurred fell".split())
_VALUE_NOUNS = frozenset("total sum score value price cost population count reading figure average mean".split())


_NAME_LEADS = frozenset(
    "part row column node nodes vertex edge term figure stage step grade group line no number level type class week day month angle quarter phase period chapter room bus route age ages "  # noqa: E501
    "aged question stem quiz test game round trial die player store unit section group option choice problem equation method formula".split()
)


_GROUP_LEADS = frozenset(
    "the these those both all other its among their top first last past next his her our any every following remaining same".split()
)


_AFTER_NAME = frozenset("is has had was are have shows show than to got did in at contains 's".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """An amount where it stands, with the role that the words before it give it: "by", "from", "to", "times", "of", "at", "between"."""

    amount: Amount
    role: str
    first: int
    last: int


@dataclass(slots=True)
class Sentence:
    """A sentence while it is being cut."""

    text: str
    tokens: tuple[Token, ...]
    cues: tuple[Cue, ...]
    labels: tuple[Label, ...]
    equations: tuple[Equation, ...]
    amounts: list[Stated]
    hidden: set[int]
    leads: frozenset[str] = frozenset()

    def word(self, index: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.tokens[index].lower if 0 <= index < len(self.tokens) else ""


class _Number(NamedTuple):
    """A number where it stands: what is before and after it decides whether it is a value or part of a name."""

    sentence: Sentence
    quantity: Quantity
    first: int
    last: int
    word: str
    following: str
    before: str
    after: str
    listed_years: bool


def is_name(sentence: Sentence, quantity: Quantity, first: int, last: int, *, listed_years: bool) -> bool:
    """Whether a number only names or counts something: a year, “Part 2”, “the three circles”, the base of a rate."""
    text = sentence.text
    one = _Number(
        sentence=sentence,
        quantity=quantity,
        first=first,
        last=last,
        word=sentence.word(first - 1),
        following=sentence.word(last + 1),
        before=text[max(0, quantity.start - 2) : quantity.start],
        after=text[quantity.end : quantity.end + 2],
        listed_years=listed_years,
    )
    for rule in (_in_a_date_or_rate, _in_a_span, _spelled_name, _measured_name, _numbered_name, _group_name):
        if (answer := rule(one)) is not None:
            return answer
    return _after_proper_name(one)


def _in_a_date_or_rate(one: _Number) -> bool | None:
    """“Per 100”, “May 5”, a year, “1990s”."""
    quantity, before = one.quantity, one.sentence.tokens[one.first - 1] if one.first else None
    if one.word in ("per", "^") or (one.word == "every" and not quantity.unit):
        return True
    if one.after[:2] in ("th", "st", "nd", "rd", "s ", "s.", "s,"):
        return True
    if before is not None and before.stem in MONTHS and before.text[0].isupper() and quantity.unit is None:
        return True
    if quantity.is_year:
        return _year_names(one.sentence.tokens, one.first, one.following, listed_years=one.listed_years)
    digits = one.sentence.text[quantity.start : quantity.start + 4].isdigit() and 1500 <= quantity.value <= 2100
    return True if digits and one.after[:1] in ("/", "'", "s") and quantity.unit is None else None


def _in_a_span(one: _Number) -> bool | None:
    """The ends of “18-24” and “$100,000-$149,999”, and an opening like “At a price of $130, …”."""
    joined = one.after[:1] == "-" and (one.after[1:2].isdigit() or one.after[1:2] in ("$", "€", "£"))
    follows = one.before[-1:] == "-" and one.before[:1].isdigit()
    return True if joined or follows or _opens_setting(one.sentence, one.quantity) else None


def _spelled_name(one: _Number) -> bool | None:
    """Number words that count what is spoken of: “who won two”, “three of the”, “four years”."""
    quantity = one.quantity
    if not quantity.spelled:
        return None
    relative = any(one.sentence.word(i) in ("who", "that", "which") for i in (one.first - 2, one.first - 1))
    if quantity.value <= 12 and relative:
        return True
    bounded = any(cue.tag in ("over", "under") for cue in one.sentence.cues)
    if one.following == "of" and quantity.unit is None and quantity.value.is_integer() and not bounded:
        return True
    return True if quantity.unit in ("year", "day", "week", "month") and one.following != "old" else None


def _measured_name(one: _Number) -> bool | None:
    """A number with a unit is a value, but in “row 2 %” and “the two hours”."""
    quantity = one.quantity
    if quantity.unit is None and quantity.scale == 1.0:
        return None
    past = quantity.unit in ("day", "week", "year", "hour", "minute") and one.word in (
        "previous",
        "last",
        "past",
        "next",
        "first",
    )
    return (
        past
        or one.word in ("row", "column")
        or (quantity.spelled and quantity.unit in ("minute", "hour") and one.word in _GROUP_LEADS)
    )


def _numbered_name(one: _Number) -> bool | None:
    """“3-digit”, “70+”, “Part 2”, “in five”."""
    quantity = one.quantity
    if one.after[:1] in ("-", "+") and one.after[1:].strip():
        return one.after[0] == "-" or not one.after[1].isdigit()
    if one.after[:1] == "+":
        return True
    if _after_lead(one):
        return True
    if one.word in _NAME_LEADS and not (one.word in ("number", "age", "score") and one.following in ("", ".", ",")):
        return True
    small = quantity.spelled and quantity.value <= 12
    if small and one.word in _COUNTING_LEADS and quantity.value.is_integer():
        return True
    return True if small and one.sentence.labels and one.following != "times" and quantity.places is not None else None


def _after_lead(one: _Number) -> bool:
    """The 4 of “Lane 4”, of “x = 4” and the 10 of “minutes 8 and 10”, where the figure numbers its lanes, places or minutes."""
    place = one.first - 1
    while place > 0 and (
        one.sentence.tokens[place].is_number or one.sentence.word(place) in ("and", ",", "to", "-", "=")
    ):
        place -= 1
    return place >= 0 and one.sentence.tokens[place].stem in one.sentence.leads


_COUNTING_LEADS = frozenset("after into in for with at between on need".split())


def _group_name(one: _Number) -> bool | None:
    """“The three circles”, “all 12 teams”."""
    quantity, word = one.quantity, one.word
    if quantity.spelled:
        alone = quantity.value == 1 and word not in ("only", "exactly", "equals", "just")
        return alone or word in _GROUP_LEADS
    said = word == "all" and one.sentence.word(one.first - 2) in ("is", "are", "was", "were")
    group = word in ("the", "these", "those", "all", "other", "top", "first", "last") and not said
    if group and quantity.value < 100 and one.following not in ("%", "°") and quantity.places == 0:
        return word != "the" or one.following.endswith("s")
    return None


def _after_proper_name(one: _Number) -> bool:
    """The 9 of “Apollo 9 was”."""
    before = one.sentence.tokens[one.first - 1].text if one.first > 1 else ""
    proper = before[:1].isupper() and before[1:].islower()
    small = one.quantity.places == 0 and 0 <= one.quantity.value < 100
    return small and proper and one.following in _AFTER_NAME


_SETTINGS = frozenset("at when if for on with given among under once".split())


def _opens_setting(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether a number stands in an opening like “At a price of $130, …”, which says where to look."""
    first = sentence.tokens[0].lower
    if first not in _SETTINGS:
        return False
    for index, token in enumerate(sentence.tokens[:14]):
        if token.text == ",":
            return quantity.start < token.start and index <= 10 and index + 2 < len(sentence.tokens)
    return False


def _year_names(found: Sequence[Token], first: int, following: str, *, listed_years: bool) -> bool:
    """A number that reads as a year is one, unless a verb leads to it."""
    if listed_years or first == 0:
        return True
    word = found[first - 1].lower
    if word == "of":
        return first < 2 or found[first - 2].lower not in _VALUE_NOUNS or following in _YEAR_ENDS
    if word in _YEAR_ASSERTED:
        return word == "to" or (
            word in ("is", "was", "about", "around") and following in ("", ".", ",", ";", "with") and word != "about"
        )
    return True
