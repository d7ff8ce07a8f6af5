"""Equations inside sentences: which stretch of a text is a formula, and what stands on its sides.

“With FG = 9x − 6 and GH = 7x + 4 we get 9x − 6 = 7x + 4” has three: two that label a side, one that calculates.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Literal

from evpv.language.expressions import has_variable
from evpv.language.immutable import immutable
from evpv.language.labels import Label, labels
from evpv.language.lexicon import KIND_OF
from evpv.language.quantities import UNIT_OF, Quantity, quantities
from evpv.language.tokens import Token

_SideKind = Literal["label", "number", "unknown", "calculation", "labels", "words"]

_EQUALS = frozenset("=≈≅")
_SIGNS = frozenset("+-*/×÷·^√°%$€£¥¢∠△⊙()π~") | _EQUALS
_OPERATORS = frozenset("+-*/×÷·^√")
_AROUND_UNKNOWNS = frozenset("+-*/=^")
_IS_NUMBER, _TEXT = attrgetter("is_number"), attrgetter("text")
_BRACKETED = re.compile(r"\A\((.*)\)\Z", re.DOTALL)
_FUNCTIONS = frozenset({"sin", "cos", "tan", "log", "sqrt", "arcsin", "arccos", "arctan"})


@immutable
class Side:
    """One side of an equation: what it is, and the label, number or expression it holds."""

    kind: _SideKind
    start: int
    end: int
    text: str
    label: Label | None = None
    quantity: Quantity | None = None
    named: tuple[Label, ...] = ()


@immutable
class Equation:
    """Sides joined by equals signs, at characters `start` … `end` of the text; `about` where one of the signs is ≈."""

    start: int
    end: int
    sides: tuple[Side, ...]
    about: bool = False


def equations(text: str, found: Sequence[Token]) -> tuple[Equation, ...]:
    """The equations of a plain sentence, in order; a chain of equals signs is one."""
    signs = [index for index, token in enumerate(found) if token.text in _EQUALS]
    groups: list[list[int]] = []
    reaches: list[int] = []
    for index in signs:
        if groups and index <= reaches[-1] + 1:
            groups[-1].append(index)
            reaches.pop()
        else:
            groups.append([index])
        reaches.append(_side_end(found, index, 1))
    return tuple(_equation(text, found, *group) for group in zip(groups, reaches, strict=True))


_NUMBER = r"\(?(\d+(?:\.\d+)?)°?\)?"


def substituted_numbers(left: Side, right: Side) -> list[Quantity]:
    """The numbers that stand where the labels of the side before stand, if both sides are else the same: 6 and 3 in “PS + SQ = 6 + 3”."""
    if left.kind != "labels" or right.kind not in ("calculation", "number"):
        return []
    ends = [0, *(place for label in left.named for place in (label.start, label.end)), len(left.text)]
    rest = [re.escape(left.text[a:b].replace(" ", "")) for a, b in zip(ends[::2], ends[1::2], strict=True)]
    match = re.fullmatch(_NUMBER.join(rest), right.text.replace(" ", ""))
    return [quantities(number)[0] for number in match.groups()] if match else []


def calculations(text: str, found: Sequence[Token], taken: Sequence[Equation]) -> Iterator[tuple[int, int]]:
    """Stretches of sums and products outside equations, as characters: “99 + 39 + 59”, “4x + 1”. They have two terms, and the sign stands
    apart lest it be a hyphen or a slash."""
    reach = -1
    for index, token in enumerate(found):
        if token.text not in _OPERATORS or index <= reach or _is_in_word(found, index):
            continue
        if any(e.start <= token.start < e.end for e in taken):
            continue
        first, reach = _side_end(found, index, -1), _side_end(found, index, 1)
        if token.text == "^" or _has_terms(text, token, found[first : reach + 1]):
            yield found[first].start, found[reach].end


def _has_terms(text: str, sign: Token, stretch: Sequence[Token]) -> bool:
    numbers, letters = sum(one.is_number for one in stretch), any(map(_is_letter, stretch))
    spaced = letters or sign.text in "√^×÷·*" or text[sign.start - 1 : sign.start] == " "
    return spaced and numbers + letters >= 2


def _is_in_word(found: Sequence[Token], index: int) -> bool:
    """Whether a sign is a hyphen or a slash inside a word (“e-bikes”, “t/ha”), or belongs to a unit (“5 m^2”)."""
    sign = found[index]
    if sign.text == "^":
        return index > 1 and found[index - 2].is_number and found[index - 1].lower in UNIT_OF
    if sign.text not in "-/" or not 0 < index < len(found) - 1:
        return False
    left, right = found[index - 1], found[index + 1]
    glued = left.end == sign.start and sign.end == right.start
    return glued and left.is_word and right.is_word and max(len(left.text), len(right.text)) > 1


_WORKING = frozenset("+-×÷*/·=")
_RANGE = re.compile(r"\$?(\d+(?:\.\d+)?)%? ?- ?\$?(\d+(?:\.\d+)?)%?")


def calculated_spans(text: str, found: Sequence[Token], formulas: Sequence[Equation]) -> list[tuple[int, int]]:
    """Where a sentence calculates, as characters; of “11.1 - 11.2” nothing comes out."""
    spans = [(e.start, e.end) for e in formulas if any(side.kind == "calculation" for side in e.sides)]
    spans += calculations(text, found, formulas)
    kept = []
    for start, end in spans:
        rising = _RANGE.fullmatch(text[start:end].strip())
        is_range = rising is not None and float(rising[1]) < float(rising[2])
        if not is_range and not _WORKING.isdisjoint(text[start:end]):
            kept.append((start, end))
    return sorted(kept)


def _is_letter(token: Token) -> bool:
    return len(token.text) == 1 and token.text.isalpha() and token.text not in "aAI"


def _is_math(found: Sequence[Token], index: int) -> bool:
    """Whether a token can stand in a formula."""
    token = found[index]
    if token.is_number or token.text in _SIGNS or token.lower in _FUNCTIONS or _is_letter(token) or _is_name(token):
        return True
    around = (*found[max(0, index - 1) : index], *found[index + 1 : index + 2])
    if token.text == ":":  # of a ratio
        return len(around) == 2 and (all(map(_IS_NUMBER, around)) or all(map(_is_name, around)))
    if token.text == "a":
        return not _AROUND_UNKNOWNS.isdisjoint(map(_TEXT, around))
    return _is_math_word(found, index)


def _is_math_word(found: Sequence[Token], index: int) -> bool:
    """“Angle ABC”, “angle 1”, and the unit of a number."""
    word = found[index].lower
    for one in found[index + 1 : index + 2]:
        if (word in KIND_OF and _is_name(one) and one.text.isalpha()) or (word == "angle" and one.text.isdigit()):
            return True
    measures = any(map(_ends_value, found[max(0, index - 1) : index]))
    return measures and found[index].text != "in" and word in UNIT_OF


def _ends_value(token: Token) -> bool:
    return token.is_number or token.text in "√)°"


def _is_name(token: Token) -> bool:
    """Whether a word can name a figure's thing: ABC."""
    return token.is_word and token.text.isupper() and len(token.text) <= 3


def _side_end(found: Sequence[Token], sign: int, step: int) -> int:
    """The furthest token of the side that begins after a sign, or, with a step of -1, of the one that ends before it."""
    depth, last = 0, sign
    opening, closing = "()" if step > 0 else ")("
    for at in range(sign + step, len(found) if step > 0 else -1, step):
        text = found[at].text
        if text in _EQUALS or not _is_math(found, at):
            break
        depth += (text == opening) - (text == closing)
        opens_words = text == opening == "(" and at + 1 < len(found) and not _is_math(found, at + 1)
        if depth < 0 or opens_words:
            break
        last = at
    return last


def _equation(text: str, found: Sequence[Token], signs: list[int], last: int) -> Equation:
    """The equation of some signs whose last side ends at a token."""
    first = _side_end(found, signs[0], -1)
    inner = [found[left + 1 : right] for left, right in itertools.pairwise([first - 1, *signs, last + 1])]
    at = found[signs[0]].start
    sides = [_side(text, one[0].start, one[-1].end) if one else _side(text, at, at) for one in inner]
    return Equation(
        start=found[first].start,
        end=found[last].end,
        sides=tuple(sides),
        about=any(found[index].text == "≈" for index in signs),
    )


def _side(text: str, start: int, end: int) -> Side:
    """What stands between two places: one label or number and nothing else, labels among other things, an expression with an unknown, or
    a calculation."""
    inside = text[start:end].strip()
    if not inside:
        return Side(kind="words", start=start, end=end, text="")
    named = labels(inside)
    if named:
        whole = named[0] if len(named) == 1 and not _rest(inside, named[0].start, named[0].end) else None
        return Side(kind="label" if whole else "labels", start=start, end=end, text=inside, label=whole, named=named)
    numbers = quantities(inside)
    if len(numbers) == 1 and not _rest(inside, numbers[0].start, numbers[0].end):
        at = len(text) - len(text[start:].lstrip())
        number = replace(numbers[0], start=at + numbers[0].start, end=at + numbers[0].end, spelled=False)
        return Side(kind="number", start=start, end=end, text=inside, quantity=number)
    bare = _BRACKETED.sub(r"\1", inside.rstrip("°").strip())
    return Side(kind="unknown" if has_variable(bare) else "calculation", start=start, end=end, text=inside)


def _rest(text: str, start: int, end: int) -> str:
    """What a side holds besides its one label or number; a measure sign and brackets count as nothing."""
    return (text[:start] + text[end:]).strip(" m()°.")
