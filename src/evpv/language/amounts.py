"""The amounts of a sentence: which numbers are values, and the bound, hedge and role that the words before them give."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from evpv.language.equations import Equation, calculations
from evpv.language.forms import Amount, Bound
from evpv.language.quantities import Quantity, quantities
from evpv.language.sentences import Sentence, Stated, is_name
from evpv.language.tokens import Token

_MAX_AMOUNTS = 60
"""So many numbers of one sentence are read."""
_MANY_YEARS = 3
"""A sentence with this many numbers that read as years lists years."""


def find_amounts(sentence: Sentence) -> None:
    """The quantities that a sentence asserts, with bound, hedge and role; their tokens are hidden from phrases."""
    text, found = sentence.text, sentence.tokens
    stated = quantities(text)[:_MAX_AMOUNTS]
    years = sum(q.is_year for q in stated) >= _MANY_YEARS
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
        if is_name(sentence, quantity, first, last, listed_years=years):
            continue
        sentence.amounts.append(_stated_amount(sentence, quantity, first, last))
        sentence.hidden.update(range(first, last + 1))
    if not sentence.amounts:
        _find_places(sentence, stated)
    _join_ranges(sentence)


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
            sentence.amounts.append(Stated(amount=Amount(quantity=quantity), role="in", first=at, last=at))
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
    for sign, other in ((last + 1, last + 2), (index - 1, index - 2)):
        if (
            0 <= other < len(found)
            and found[sign].text in "<>≤≥"
            and (found[other].is_number or found[other].text in "$€£%")
        ):
            return True
    return False


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


def _stated_amount(sentence: Sentence, quantity: Quantity, first: int, last: int) -> Stated:
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
    return Stated(amount=amount, role=role, first=first, last=last)


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


def _join_ranges(sentence: Sentence) -> None:
    """“Between 10 and 20” is one amount; between years it is a span, which are names."""
    found, kept = sentence.tokens, []
    skip = False
    for index, one in enumerate(sentence.amounts):
        if skip:
            skip = False
            continue
        following = sentence.amounts[index + 1] if index + 1 < len(sentence.amounts) else None
        joins = following is not None and [t.lower for t in found[one.last + 1 : following.first]] in (
            ["and"],
            ["and", "$"],
            ["to"],
            ["-"],
        )
        if joins and following is not None and (one.role == "between" or (found[one.last + 1].text == "-")):
            amount = Amount(quantity=one.amount.quantity, high=following.amount.quantity, hedged=one.amount.hedged)
            kept.append(Stated(amount=amount, role="between", first=one.first, last=following.last))
            sentence.hidden.update(range(one.first, following.last + 1))
            skip = True
        else:
            kept.append(one)
    sentence.amounts[:] = kept
