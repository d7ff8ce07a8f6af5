"""The amounts of a sentence: which of its numbers only name or count something (years, “Part 2”, “the three circles”), and of those that are
values the bound, hedge and role that the words before them give.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from evpv.language.equations import Equation, calculations
from evpv.language.forms import Amount, Bound
from evpv.language.immutable import immutable
from evpv.language.labels import Label
from evpv.language.lexicon import MONTHS
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Cue, Token

_NAME_LEADS = frozenset(
    "part row column node nodes vertex edge term figure stage step grade group line no number level type class week day month angle quarter phase period chapter room bus route age ages "  # noqa: E501
    "aged question stem quiz test game round trial die player store unit section group option choice problem equation method formula".split()
)
_GROUP_LEADS = frozenset(
    "the these those both all other its among their top first last past next his her our any every following remaining same".split()
)


@immutable
class StatedAmount:
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
    amounts: list[StatedAmount]
    hidden: set[int]
    words: tuple[str, ...]

    def word(self, index: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.words[index] if 0 <= index < len(self.words) else ""


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


def _is_name(sentence: Sentence, quantity: Quantity, first: int, last: int) -> bool:
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
    )
    if _in_a_date_or_rate(one) or _in_a_span(one):
        return True
    numbered = _numbered_name(one)
    return _group_name(one) if numbered is None else numbered


def _in_a_date_or_rate(one: _Number) -> bool:
    """“Per 100”, a year, “1990s”."""
    quantity = one.quantity
    if one.word in ("per", "^") or (one.word == "every" and not quantity.unit):
        return True
    if quantity.is_year or one.after[:2] in ("th", "st", "nd", "rd", "s ", "s.", "s,"):
        return True
    return quantity.unit is None and _in_a_date(one)


def _in_a_date(one: _Number) -> bool:
    """“May 5” (“may 5” is none), and a year glued to what follows: “1990/91”."""
    before = one.sentence.tokens[one.first - 1] if one.first else None
    if before is not None and before.stem in MONTHS and before.text[0].isupper():
        return True
    digits = one.sentence.text[one.quantity.start : one.quantity.start + 4]
    return one.after[:1] in ("/", "'", "s") and digits.isdigit() and 1500 <= one.quantity.value <= 2100


def _in_a_span(one: _Number) -> bool:
    """The ends of “18-24” and “$100,000-$149,999”, and an opening like “At a price of $130, …”."""
    joined = one.after[:1] == "-" and (one.after[1:2].isdigit() or one.after[1:2] in ("$", "€", "£"))
    follows = one.before[-1:] == "-" and one.before[:1].isdigit()
    return joined or follows or _opens_setting(one.sentence, one.quantity)


def _numbered_name(one: _Number) -> bool | None:
    """“3-digit”, “70+”, “Part 2”, “in five”."""
    sign, glued = one.after[:1], one.after[1:].strip()
    if sign == "+":
        return not glued.isdigit()
    if sign == "-" and glued:
        return True
    if one.word in _NAME_LEADS and not (one.word in ("number", "age", "score") and one.following in ("", ".", ",")):
        return True
    return True if one.quantity.spelled and one.quantity.value <= 12 and _counts_by_the_way(one) else None


def _counts_by_the_way(one: _Number) -> bool:
    """Whether a small number in words stands behind “in”, “with” and the like, or measures nothing of a labelled figure."""
    if one.word in _COUNTING_LEADS and one.quantity.value.is_integer():
        return True
    measured = bool(one.quantity.unit) or one.quantity.places is None or one.following in _AFTER_MEASURE
    return bool(one.sentence.labels) and not measured


_AFTER_MEASURE = frozenset(("times", "unit", "units", "long", ".", ""))
_COUNTING_LEADS = frozenset("after into in for with at between on need".split())


def _group_name(one: _Number) -> bool:
    """“The three circles”, “all 12 teams”."""
    quantity, word = one.quantity, one.word
    if quantity.spelled:
        alone = quantity.value == 1 and word not in ("only", "exactly", "equals", "just")
        return alone or word in _GROUP_LEADS
    if word not in _WHOLE_GROUPS or quantity.value >= 100 or quantity.places != 0 or one.following in ("%", "°"):
        return False
    if f"{one.sentence.word(one.first - 2)} {word}" in ("is all", "are all", "was all", "were all"):
        return False
    return word != "the" or one.following.endswith("s")


_WHOLE_GROUPS = frozenset("the these those all other top first last".split())
_SAID_OF = frozenset("is are was were has have had sold made spent took got won cost costs sells makes shows".split())
"""Verbs, which an opening that only says where to look does not have."""
_SETTINGS = frozenset("at when if for on with given among under once".split())


def _opens_setting(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether a number stands in an opening like “At a price of $130, …”, which says where to look."""
    first = sentence.tokens[0].lower
    if first not in _SETTINGS:
        return False
    for index, token in enumerate(sentence.tokens[:14]):
        if token.text == ",":
            verb = first not in ("when", "if", "once") and any(
                word in _SAID_OF or word.endswith("ed") for word in sentence.words[1:index]
            )
            return quantity.start < token.start and index <= 10 and index + 2 < len(sentence.tokens) and not verb
    return False


_MAX_AMOUNTS = 60
"""So many numbers of one sentence are read."""


def find_amounts(sentence: Sentence) -> None:
    """The quantities that a sentence asserts, with bound, hedge and role; their tokens are hidden from phrases."""
    text, found = sentence.text, sentence.tokens
    stated = quantities(text)[:_MAX_AMOUNTS]
    blocked = _worked_places(sentence, stated)
    for start, end in blocked:
        sentence.hidden.update(range(bisect_left(found, start, key=_START), bisect_left(found, end, key=_START)))
    named = [*blocked, *((label.start, label.end) for label in sentence.labels)]
    for quantity in stated:
        if any(a <= quantity.start < b for a, b in named):
            continue
        first = min(bisect_right(found, quantity.start, key=_END), len(found) - 1)
        last = max(first, bisect_left(found, quantity.end, key=_START) - 1)
        if not _is_coefficient(text, quantity, found, last) and not _is_name(sentence, quantity, first, last):
            sentence.amounts.append(stated_amount(sentence, quantity, first, last))
            sentence.hidden.update(range(first, last + 1))
    if not sentence.amounts:
        _find_places(sentence, stated)
    join_ranges(sentence)


def _worked_places(sentence: Sentence, stated: Sequence[Quantity]) -> list[tuple[int, int]]:
    """What is worked out, not read: equations, sums and products, but of a stated quantity no part."""
    places = [(e.start, e.end) for e in sentence.equations if not is_plain_reading(e)]
    for start, end in calculations(sentence.text, sentence.tokens, sentence.equations):
        if not any(q.start <= start and end <= q.end for q in stated):
            places.append((start, end))
    return places + _worked_lines(sentence)


_START, _END = attrgetter("start"), attrgetter("end")


def _find_places(sentence: Sentence, stated: Sequence[Quantity]) -> None:
    """“The star is in column 4”: where nothing else is said, the number of a row or column is."""
    for quantity in stated:
        at = next((i for i, token in enumerate(sentence.tokens) if token.start == quantity.start), 0)
        placed = sentence.word(at - 1) in ("row", "column", "position", "square")
        if placed and not {"in", "at"}.isdisjoint(sentence.words[:at]):
            sentence.amounts.append(StatedAmount(amount=Amount(quantity=quantity), role="in", first=at, last=at))
            sentence.hidden.add(at)
            return


def _worked_lines(sentence: Sentence) -> list[tuple[int, int]]:
    """What is worked out, not read: a chain of equals signs with words in it (“= (43 minutes - 45 minutes)/1 day = …”), else the first
    “43 minus 45”."""
    found, words = sentence.tokens, sentence.words
    signs = [i for i, word in enumerate(words) if word == "="]
    for left, right in itertools.pairwise(signs):
        between = {*words[left + 1 : right]}
        if not between & {",", ";", "and", "while"} and between & set("+-*/×÷("):
            return [(found[left].start, found[-1].end)]
    for index, (one, sign, other) in enumerate(zip(found, words[1:], found[2:], strict=False)):
        if sign in ("minus", "plus") and one.is_number and other.stem[:1] in "0123456789$":
            return [(one.start, found[min(index + 3, len(found) - 1)].end)]
    return []


def _is_coefficient(text: str, quantity: Quantity, found: Sequence[Token], last: int) -> bool:
    """The 4 of “4x”: a letter glued to a bare number; the 5 of “$1.48 > 5”: one number compared with another."""
    after = text[quantity.end : quantity.end + 2]
    if quantity.unit is None and after[:1].isalpha() and not after[1:2].isalpha() and quantity.end > quantity.start:
        return True
    first = max(bisect_right(found, quantity.start, key=_START) - 1, 0)
    for sign, other in ((last + 1, last + 2), (first - 1, first - 2)):
        compares = 0 <= other < len(found) and found[sign].text in "<>≤≥"
        if compares and (found[other].is_number or found[other].text in "$€£%"):
            return True
    return False


def is_plain_reading(equation: Equation) -> bool:
    """“height = 8”, “Range = 9”: words before one number, read like “is”."""
    kinds = [side.kind for side in equation.sides]
    return kinds == ["words", "number"] or (kinds == ["unknown", "number"] and equation.sides[0].text in ("x", "y"))


def stated_amount(sentence: Sentence, quantity: Quantity, first: int, last: int) -> StatedAmount:
    """The amount with what leads up to it, and with what follows it: “or more”, “times”."""
    bound, hedged, at = _lead(sentence, first)
    role = sentence.word(at)
    following, second = sentence.word(last + 1), sentence.word(last + 2)
    if following == "or":
        bound = _OR_SO.get(second, bound)
        hedged = hedged or second == "so"
    if not quantity.unit and second and _multiplies(following, sentence.tokens[last + 2]):
        role = "times"
    about = any(e.about and e.start <= quantity.start <= e.end for e in sentence.equations)
    hedged = hedged or about or "≈" in sentence.text[max(0, quantity.start - 3) : quantity.start]
    amount = Amount(quantity=quantity, bound=bound, hedged=hedged)
    return StatedAmount(amount=amount, role=role, first=first, last=last)


def _multiplies(word: str, following: Token) -> bool:
    """“3 times as many”, which “5 times last month” does not: it counts."""
    return word == "fold" or (word == "times" and (following.lower in _MULTIPLIED or following.text[:1].isupper()))


_OR_SO: dict[str, Bound] = {"more": ">=", "less": "<=", "fewer": "<=", "higher": ">="}


def _lead(sentence: Sentence, first: int) -> tuple[Bound, bool, int]:
    """The bound before an amount, whether it is hedged, and where what leads up to it begins; read backwards word by word."""
    found, at = sentence.tokens, first - 1
    hedges = {cue.last: cue for cue in sentence.cues if cue.tag == "hedge"}
    bound: Bound = "="
    hedged = False
    for _ in range(7):
        if at < 0:
            break
        hedge = hedges.get(at)
        if (stated := _bound_before(sentence, at, hedge)) is not None:
            bound, at = stated[:2]
            hedged |= stated[2]
        elif hedge is not None and found[at].lower != "well":
            hedged, at = True, hedge.first - 1
        elif found[at].text in _SMALL_LEADS or found[at].lower in _FILLERS:
            at -= 1
        else:
            break
    return bound, hedged, at


def _bound_before(sentence: Sentence, at: int, hedge: Cue | None) -> tuple[Bound, int, bool] | None:
    """The longest bound that ends at a place, what stands before it, and whether it is hedged itself: “just over”."""
    bounds = [cue for cue in sentence.cues if cue.last == at and cue.tag in ("over", "under")]
    if not bounds:
        return None
    cue = max(bounds, key=lambda c: c.last - c.first)
    bound = _BOUNDS[cue.tag, cue.words in _INCLUSIVE]
    if hedge and (hedge.first < cue.first or hedge.words.startswith(("just", "slightly", "a "))):
        return bound, min(cue.first, hedge.first) - 1, True
    return bound, cue.first - 1, False


_MULTIPLIED = frozenset("as the that what its more larger higher greater bigger longer of their".split())
_FILLERS = frozenset("total combined overall whopping mere full further another additional low high value".split())
_SMALL_LEADS = frozenset("$ € £ ( - a an only just exactly the = ≈".split())
_BOUNDS: dict[tuple[str, bool], Bound] = {
    ("over", False): ">", ("over", True): ">=", ("under", False): "<", ("under", True): "<=",
}  # fmt: skip
_INCLUSIVE = frozenset(
    "at least|no less than|not less than|no fewer than|a minimum of|≥|or more|at most|no more than|not more than|"
    "a maximum of|≤|or less|or fewer|no higher than|not exceed".split("|")
)


def join_ranges(sentence: Sentence) -> None:
    """“Between 10 and 20” is one amount, and so are numbers that a dash joins with a larger one; between years it is a span, which are names."""
    found, kept = sentence.tokens, list[StatedAmount]()
    for one in sentence.amounts:
        low = kept[-1] if kept and kept[-1].amount.high is None else None
        joint = [token.lower for token in found[low.last + 1 : one.first]] if low else []
        high = one.amount.quantity
        if (
            low
            and low.amount.quantity.absolute < high.absolute
            and joint in (["-"], *(_RANGES if low.role == "between" else ()))
        ):
            amount = Amount(quantity=low.amount.quantity, high=high, hedged=low.amount.hedged)
            kept[-1] = StatedAmount(amount=amount, role="between", first=low.first, last=one.last)
            sentence.hidden.update(range(low.first, one.last + 1))
        else:
            kept.append(one)
    sentence.amounts[:] = kept


_RANGES = (["and"], ["and", "$"], ["to"])
