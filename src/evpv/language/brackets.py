"""Numbers that stand in brackets after a name: “Rope A (120 cm)”. They are readings of their own, and the sentence is read without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.language.forms import Amount, Phrase, Value
from evpv.language.immutable import immutable
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Token, tokens

_BOUNDARIES = frozenset(", ; : ( )".split())
_JOINTS = frozenset("and or than to from versus vs against while but with".split())
_OPERATORS = frozenset("+-*/×÷=^√<>≤≥")
_HEDGES = frozenset("about approximately around roughly nearly almost ≈ ~ circa".split())


@immutable
class Bracket:
    """A bracketed reading and its place in the sentence."""

    start: int
    end: int
    value: Value


def bracketed_values(text: str) -> tuple[Bracket, ...]:
    """The readings in brackets of a plain sentence.

    >>> [(b.value.about.text, b.value.amount.quantity.value) for b in bracketed_values("It rose from 2008 (12 million) to 2012 (15 million).")]
    [('2008', 12.0), ('2012', 15.0)]
    """
    if "(" not in text:
        return ()
    found, result, opened = tokens(text), [], -1
    for index, token in enumerate(found):
        if token.text == "(":
            opened = index
        elif token.text == ")" and opened >= 0:
            if (one := _bracket(text, found, opened, index)) is not None:
                result.append(one)
            opened = -1
    return tuple(result)


def without_brackets(text: str, brackets: Sequence[Bracket]) -> str:
    """The sentence with blanks where the bracketed readings stand, so that all places stay."""
    for one in brackets:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _bracket(text: str, found: Sequence[Token], opened: int, closed: int) -> Bracket | None:
    inner = found[opened + 1 : closed]
    start, end = found[opened].start, found[closed].end
    stated = quantities(text[start + 1 : end - 1])
    about = _name_before(text, found, opened)
    if len(stated) != 1 or stated[0].is_year or stated[0].spelled or about is None:
        return None
    outside = [
        token for token in inner if token.is_word and not stated[0].start <= token.start - start - 1 < stated[0].end
    ]
    if _OPERATORS & {token.text for token in inner} or any(token.lower not in _HEDGES for token in outside):
        return None
    amount = Amount(
        quantity=_shift_quantity(stated[0], start + 1), hedged=bool(_HEDGES & {token.lower for token in inner})
    )
    return Bracket(start=start, end=end, value=Value(about=about, amount=amount))


def _shift_quantity(quantity: Quantity, by: int) -> Quantity:
    return replace(quantity, start=quantity.start + by, end=quantity.end + by)


def _name_before(text: str, found: Sequence[Token], opened: int) -> Phrase | None:
    """What the brackets are said of: the words back to a comma or, where one follows them, to “and” or “than”."""
    first = opened
    while first > 0 and found[first - 1].text not in _BOUNDARIES:
        first -= 1
    joints = [i for i in range(first, opened) if found[i].lower in _JOINTS]
    if joints and any(token.is_content for token in found[joints[-1] + 1 : opened]):
        first = joints[-1] + 1
    own = found[first:opened]
    glued = opened > 0 and found[opened].start == found[opened - 1].end
    if glued or not any(token.is_content for token in own):
        return None
    return Phrase(tokens=tuple(own), text=text[own[0].start : own[-1].end])
