"""The amounts of a sentence: which of its numbers only name or count something (years, “Part 2”, “the three circles”), and of those that are
values the bound, hedge and role that the words before them give.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
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
    for rule in (_in_a_date_or_rate, _in_a_span, _numbered_name, _group_name):
        if (answer := rule(one)) is not None:
            return answer
    return False


def _in_a_date_or_rate(one: _Number) -> bool | None:
    """“Per 100”, “May 5”, a year, “1990s”."""
    if one.word in ("per", "^") or (one.word == "every" and not one.quantity.unit):
        return True
    if one.after[:2] in ("th", "st", "nd", "rd", "s ", "s.", "s,"):
        return True
    return True if _is_day(one) or one.quantity.is_year or _is_decade(one) else None


def _is_day(one: _Number) -> bool:
    """“May 5”; “may 5” is none."""
    before = one.sentence.tokens[one.first - 1] if one.first else None
    return before is not None and before.stem in MONTHS and before.text[0].isupper() and one.quantity.unit is None


def _is_decade(one: _Number) -> bool:
    """“1990s”, and a year glued to what follows: “1990/91”."""
    quantity, digits = one.quantity, one.sentence.text[one.quantity.start : one.quantity.start + 4]
    glued = one.after[:1] in ("/", "'", "s") and quantity.unit is None
    return glued and digits.isdigit() and 1500 <= quantity.value <= 2100


def _in_a_span(one: _Number) -> bool | None:
    """The ends of “18-24” and “$100,000-$149,999”, and an opening like “At a price of $130, …”."""
    joined = one.after[:1] == "-" and (one.after[1:2].isdigit() or one.after[1:2] in ("$", "€", "£"))
    follows = one.before[-1:] == "-" and one.before[:1].isdigit()
    return True if joined or follows or _opens_setting(one.sentence, one.quantity) else None


def _numbered_name(one: _Number) -> bool | None:
    """“3-digit”, “70+”, “Part 2”, “in five”."""
    quantity = one.quantity
    if one.after[:1] in ("-", "+") and one.after[1:].strip():
        return one.after[0] == "-" or not one.after[1].isdigit()
    if one.after[:1] == "+":
        return True
    if one.word in _NAME_LEADS and not (one.word in ("number", "age", "score") and one.following in ("", ".", ",")):
        return True
    small = quantity.spelled and quantity.value <= 12
    if small and one.word in _COUNTING_LEADS and quantity.value.is_integer():
        return True
    measured = bool(quantity.unit) or quantity.places is None or one.following in _AFTER_MEASURE
    return True if small and one.sentence.labels and not measured else None


_AFTER_MEASURE = frozenset(("times", "unit", "units", "long", ".", ""))
_COUNTING_LEADS = frozenset("after into in for with at between on need".split())


def _group_name(one: _Number) -> bool | None:
    """“The three circles”, “all 12 teams”."""
    quantity, word = one.quantity, one.word
    if quantity.spelled:
        alone = quantity.value == 1 and word not in ("only", "exactly", "equals", "just")
        return alone or word in _GROUP_LEADS
    if word not in _WHOLE_GROUPS or quantity.value >= 100 or quantity.places != 0 or one.following in ("%", "°"):
        return None
    if f"{one.sentence.word(one.first - 2)} {word}" in ("is all", "are all", "was all", "were all"):
        return None
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
    blocked = [(e.start, e.end) for e in sentence.equations if not is_plain_reading(e)]
    blocked += [
        (a, b)
        for a, b in calculations(text, found, sentence.equations)
        if not any(q.start <= a and b <= q.end for q in stated)
    ]
    blocked += _worked_lines(sentence)
    _hide(sentence, blocked)
    starts = {token.start: index for index, token in enumerate(found)}
    for quantity in stated:
        if any(a <= quantity.start < b for a, b in blocked):
            continue
        first = _token_at(found, starts, quantity.start)
        last = first
        while last + 1 < len(found) and found[last + 1].start < quantity.end:
            last += 1
        if any(label.start <= quantity.start < label.end for label in sentence.labels) or _is_coefficient(
            text, quantity, found, last
        ):
            continue
        if _is_name(sentence, quantity, first, last):
            continue
        sentence.amounts.append(stated_amount(sentence, quantity, first, last))
        sentence.hidden.update(range(first, last + 1))
    if not sentence.amounts:
        _find_places(sentence, stated)
    join_ranges(sentence)


def _find_places(sentence: Sentence, stated: Sequence[Quantity]) -> None:
    """“The star is in column 4”: where nothing else is said, the number of a row or column is."""
    found = sentence.tokens
    for quantity in stated:
        at = next((i for i, token in enumerate(found) if token.start == quantity.start), 0)
        if (
            at
            and found[at - 1].lower in ("row", "column", "position", "square")
            and any(t.lower in ("in", "at") for t in found[:at])
        ):
            sentence.amounts.append(StatedAmount(amount=Amount(quantity=quantity), role="in", first=at, last=at))
            sentence.hidden.add(at)
            return


def _worked_lines(sentence: Sentence) -> list[tuple[int, int]]:
    """A chain of equals signs with words in it (“= (43 minutes - 45 minutes)/1 day = …”) is worked out, not read."""
    found = sentence.tokens
    signs = [i for i, word in enumerate(sentence.words) if word == "="]
    for left, right in itertools.pairwise(signs):
        between = [token.lower for token in found[left + 1 : right]]
        if not set(between) & {",", ";", "and", "while"} and set(between) & set("+-*/×÷("):
            return [(found[left].start, found[-1].end)]
    return _sums_in_words(sentence)


def _sums_in_words(sentence: Sentence) -> list[tuple[int, int]]:
    """The first “43 minus 45”."""
    found = sentence.tokens
    if "minus" not in sentence.words and "plus" not in sentence.words:
        return []
    for index, token in enumerate(found[1:-1], 1):
        if (
            token.lower in ("minus", "plus")
            and found[index - 1].is_number
            and found[index + 1].stem[:1] in "0123456789$"
        ):
            return [(found[index - 1].start, found[min(index + 2, len(found) - 1)].end)]
    return []


def _is_coefficient(text: str, quantity: Quantity, found: Sequence[Token], last: int) -> bool:
    """The 4 of “4x”: a letter glued to a bare number; the 5 of “$1.48 > 5”: one number compared with another."""
    after = text[quantity.end : quantity.end + 2]
    if quantity.unit is None and after[:1].isalpha() and not after[1:2].isalpha() and quantity.end > quantity.start:
        return True
    index = last
    while index > 0 and found[index].start > quantity.start:
        index -= 1
    return _compares(found, last + 1, last + 2) or _compares(found, index - 1, index - 2)


def _compares(found: Sequence[Token], sign: int, other: int) -> bool:
    """Whether an inequality sign stands between a number and another."""
    if not 0 <= other < len(found) or found[sign].text not in "<>≤≥":
        return False
    return found[other].is_number or found[other].text in "$€£%"


def is_plain_reading(equation: Equation) -> bool:
    """“height = 8”, “Range = 9”: words before one number, read like “is”."""
    kinds = [side.kind for side in equation.sides]
    return kinds == ["words", "number"] or (kinds == ["unknown", "number"] and equation.sides[0].text in ("x", "y"))


def _hide(sentence: Sentence, spans: Sequence[tuple[int, int]]) -> None:
    for start, end in spans:
        sentence.hidden.update([i for i, token in enumerate(sentence.tokens) if start <= token.start < end])


def _token_at(found: Sequence[Token], starts: dict[int, int], position: int) -> int:
    if position in starts:
        return starts[position]
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        if found[middle].end <= position:
            low = middle + 1
        else:
            high = middle
    return min(low, len(found) - 1)


def stated_amount(sentence: Sentence, quantity: Quantity, first: int, last: int) -> StatedAmount:
    """The amount with what leads up to it, read backwards word by word."""
    found = sentence.tokens
    by_last = {(cue.last, cue.tag): cue for cue in sentence.cues if cue.tag in ("hedge", "over", "under", "not")}
    bound: Bound = "="
    hedged, role, at = False, "", first - 1
    for _ in range(7):
        if at < 0:
            break
        hedge, over, under = [by_last.get((at, tag)) for tag in ("hedge", "over", "under")] if by_last else _NO_CUES
        if over is not None or under is not None:
            cue = max((c for c in (over, under) if c is not None), key=lambda c: c.last - c.first)
            loose = (hedge is not None and hedge.first < cue.first) or (
                hedge is not None and hedge.words.startswith(("just", "slightly", "a "))
            )
            if loose and hedge is not None:
                hedged, at = True, hedge.first - 1
            bound = _bound(cue.words, cue.tag == "over")
            at = min(at, cue.first - 1)
        elif hedge is not None and found[at].lower not in ("well",):
            hedged, at = True, hedge.first - 1
        elif (
            found[at].text in ("$", "€", "£", "(", "-", "a", "an", "only", "just", "exactly", "the", "=", "≈")
            or found[at].lower in _FILLERS
        ):
            at -= 1
        else:
            break
    role = found[at].lower if at >= 0 else ""
    after = last + 1
    if after < len(found) and found[after].lower in ("or",) and after + 1 < len(found):
        extra = found[after + 1].lower
        spoken: dict[str, Bound] = {"more": ">=", "less": "<=", "fewer": "<=", "higher": ">="}
        bound = spoken.get(extra, bound)
        hedged = hedged or extra == "so"
    near = any(e.about and e.start <= quantity.start <= e.end for e in sentence.equations)
    times = (
        after < len(found)
        and found[after].lower in ("times", "fold")
        and not quantity.unit
        and _multiplies(found, after)
    )
    if times:
        role = "times"
    amount = Amount(
        quantity=quantity,
        bound=bound,
        hedged=hedged or near or "≈" in sentence.text[max(0, quantity.start - 3) : quantity.start],
    )
    return StatedAmount(amount=amount, role=role, first=first, last=last)


def _multiplies(found: Sequence[Token], after: int) -> bool:
    """Whether “times” multiplies (“3 times as many”) rather than counts (“5 times last month”)."""
    following = found[after + 1] if after + 1 < len(found) else None
    if following is None or found[after].lower == "fold":
        return following is not None
    return following.lower in _MULTIPLIED or following.text[:1].isupper()


_NO_CUES = (None, None, None)
_MULTIPLIED = frozenset("as the that what its more larger higher greater bigger longer of their".split())


_FILLERS = frozenset("total combined overall whopping mere full further another additional low high value".split())


_INCLUSIVE = frozenset(
    "at least|no less than|not less than|no fewer than|a minimum of|≥|or more|at most|no more than|not more than|"
    "a maximum of|≤|or less|or fewer|no higher than|not exceed".split("|")
)


def _bound(words: str, over: bool) -> Bound:
    if over:
        return ">=" if words in _INCLUSIVE else ">"
    return "<=" if words in _INCLUSIVE else "<"


def join_ranges(sentence: Sentence) -> None:
    """“Between 10 and 20” is one amount; between years it is a span, which are names."""
    found, kept = sentence.tokens, []
    skip = False
    for index, one in enumerate(sentence.amounts):
        if skip:
            skip = False
            continue
        following = sentence.amounts[index + 1] if index + 1 < len(sentence.amounts) else None
        if following is not None and _spans(found, one, following):
            amount = Amount(quantity=one.amount.quantity, high=following.amount.quantity, hedged=one.amount.hedged)
            kept.append(StatedAmount(amount=amount, role="between", first=one.first, last=following.last))
            sentence.hidden.update(range(one.first, following.last + 1))
            skip = True
        else:
            kept.append(one)
    sentence.amounts[:] = kept


def _spans(found: Sequence[Token], low: StatedAmount, high: StatedAmount) -> bool:
    """Whether a word or a dash joins an amount with a larger one."""
    joint = [token.lower for token in found[low.last + 1 : high.first]]
    if joint not in (["and"], ["and", "$"], ["to"], ["-"]):
        return False
    larger = high.amount.quantity.absolute > low.amount.quantity.absolute
    return larger and (low.role == "between" or found[low.last + 1].text == "-")
