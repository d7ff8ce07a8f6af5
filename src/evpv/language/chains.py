"""What a step says in numbers: its chains of equations, its quantities, its lists.

A chain is "A = 3 × 4 = 12" as parts joined by relations. Units and currency are left out ("3 pounds × $1.45 per
pound"), and "is" joins like "=" where it stands between an expression and a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from evpv.language.expressions import Expression, parse
from evpv.language.math_tokens import Token, prepare, tokenize

_VALUE_ENDS = ("number", "close", "symbol", "percent", "degree", "constant")
_MATH = (*_VALUE_ENDS, "operator", "open", "function", "fraction", "relation", "currency")
_MAX_UNIT_WORDS = 4
_EQUALS = frozenset({"is", "equals", "measures", "makes", "gives"})
_EQUALS_TAIL = frozenset({"labeled", "labelled", "marked", "given", "as", "shown", "also", "exactly"})
_PARTS_OF = frozenset({"square of", "half of", "twice of", "cube of", "third of", "root of", "double of", "ratio of"})
_BEFORE_NAMES = frozenset(
    "side segment length leg base height hypotenuse chord so then therefore thus hence that and since because where with if line m".split()
)
_MEASURES_OF = frozenset("length measure value size degree degrees".split())
_PLACED = frozenset("in at on from to year for during by".split())
_COMPARES = frozenset({"times", "more", "less", "longer", "shorter", "larger", "smaller", "greater", "fewer", "than"})
_SEPARATORS = frozenset({",", "and", ";"})
# Words that end a quantity instead of being its unit.
_NOT_UNITS = frozenset(
    "and is are was were so to from the which because since then or by with for than we will but if left more less fewer that "
    "this equals into yields where when while as at on it its he she they you i do equal gives get has have had there also "
    "total totals thus hence not".split()
)

_TENTATIVE = re.compile(
    r"\b(?:if|try|trying|suppose|assum(?:e|es|ing)|cases?|when|test|guess|however|wait|reconsider|mistake|instead|"
    r"incorrect|not (?:correct|possible|true|equal)|impossible|contradict\w*|cannot be|does not work)\b|≠|\\neq?\b"
    r"|^\W{0,4}[a-z] ?= ?-?\d{1,4}\W{0,2}:",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not (?:correct|possible|true|equal)|incorrect|impossible|contradict\w*)\b|≠", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One side of a relation: its tree, None when it is no expression, the words it was written with, and where."""

    tree: Expression | None
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Parts joined by relations: `relations[i]` stands between `parts[i]` and `parts[i + 1]`.

    `lead` is the word right before it: "at x = 3" is a place, not a value of x.
    """

    lead: str
    parts: tuple[Part, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: all that the checks ask about it.

    `tentative` says that it tries a case, doubts or revises: its letters hold for the moment only. `denies` says that
    it calls something false, which may be its own equation.
    """

    text: str
    tentative: bool
    denies: bool
    chains: tuple[Chain, ...]
    expressions: tuple[Part, ...]
    quantities: tuple[Fraction, ...]
    lists: tuple[tuple[Fraction, ...], ...]


def read(text: str) -> Reading:
    """The reading of one step or question; never fails, whatever the text."""
    text = prepare(text)
    tokens = tokenize(text)
    runs = _runs(tokens)
    chains, expressions = [], []
    for first, run in runs:
        if any(token.kind == "relation" for token in run):
            chains.append(_chain(tokens, first, run, text))
        elif (tree := _side_tree(run, first=True, last=True)) is not None and len(run) > 1:
            expressions.append(Part(tree, _source(run, text), run[0].start))
    tentative, denies = _TENTATIVE.search(text) is not None, _DENIES.search(text) is not None
    return Reading(
        text, tentative, denies, tuple(chains), tuple(expressions), tuple(_quantities(tokens)), tuple(_lists(tokens))
    )


def _runs(tokens: Sequence[Token]) -> list[tuple[int, list[Token]]]:
    """The longest stretches of mathematics, each with the index of its first token."""
    runs: list[tuple[int, list[Token]]] = []
    run: list[Token] = []
    first = i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind in _MATH:
            if not run:
                first = i
            run.append(token)
            i += 1
            continue
        skipped = _unit_length(tokens, i, run)
        if skipped:
            if run[-1].text == "/":
                run.pop()
            i += skipped
            continue
        if (times := _times_of(tokens, i, run)) is not None:
            run.append(times)
        elif (length := _equality_length(tokens, i, run)) > 0:
            run.append(Token("relation", "=", tokens[i].start, tokens[i + length - 1].end))
            i += length
            continue
        elif run:
            runs.append((first, run))
            run = []
        i += 1
    if run:
        runs.append((first, run))
    return runs


def _unit_length(tokens: Sequence[Token], start: int, run: Sequence[Token]) -> int:
    """How many word tokens from `start` are the unit of the value before them; 0 when they end the run."""
    if not run or not (run[-1].kind in _VALUE_ENDS or (run[-1].text == "/" and tokens[start].kind == "word")):
        return 0
    words = list(takewhile(lambda token: token.kind == "word", tokens[start : start + _MAX_UNIT_WORDS]))
    if any(word.text.lower() in _NOT_UNITS for word in words):
        return 0
    after = tokens[start + len(words) : start + len(words) + 1]
    follows = any(token.kind in ("relation", "close") or token.text in ("+", "-", "*", "/") for token in after)
    return len(words) if follows else 0


def _times_of(tokens: Sequence[Token], i: int, run: Sequence[Token]) -> Token | None:
    """The "of" of "40% of 50" and "1/2 of 8", which means times."""
    if tokens[i].text != "of" or i + 1 >= len(tokens) or tokens[i + 1].kind not in ("number", "currency") or not run:
        return None
    fraction = len(run) >= 3 and run[-2].text == "/" and run[-1].kind == "number"
    if run[-1].kind == "percent" or fraction or run[-1].text == "}":
        return Token("operator", "*", tokens[i].start, tokens[i].end)
    return None


def _equality_length(tokens: Sequence[Token], start: int, run: Sequence[Token]) -> int:
    """How many words from `start` say that the run before them equals the number after them; 0 when they do not.

    "16% of 400 is 64", "Angle ABC is labeled 40°"; but not "BC is 3 times as long".
    """
    before = [token.text.lower() for token in tokens[max(0, start - 3) : start - 1]]
    if tokens[start].text.lower() not in _EQUALS or not _may_be_equal(run) or " ".join(before) in _PARTS_OF:
        return 0
    if len(run) == 1 and not _names_its_value(before):
        return 0
    tail = takewhile(lambda token: token.text.lower() in _EQUALS_TAIL, tokens[start + 1 :])
    length = 1 + len(list(tail))
    return length if _gives_number(tokens, start + length) else 0


def _gives_number(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number stands here that is a value and no factor or bound of a comparison."""
    at += at < len(tokens) and tokens[at].kind == "currency"
    if at >= len(tokens) or tokens[at].kind not in ("number", "fraction"):
        return False
    return _COMPARES.isdisjoint(token.text.lower() for token in tokens[at + 1 : at + 4])


def _names_its_value(before: Sequence[str]) -> bool:
    """Whether the words before a name leave the name itself to be what is spoken of: not "the distance from O to AB is 3"."""
    last = before[-1] if before else ""
    return not last.isalpha() or last in _BEFORE_NAMES or (last == "of" and before[0] in _MEASURES_OF)


def _may_be_equal(run: Sequence[Token]) -> bool:
    named = len(run) == 1 and run[0].kind == "symbol" and len(run[0].text) >= 2
    computed = any(token.kind == "operator" for token in run) and run[-1].kind in _VALUE_ENDS
    return (named or computed) and all(token.kind != "relation" for token in run)


def _chain(tokens: Sequence[Token], first: int, run: Sequence[Token], text: str) -> Chain:
    sides = _sides(run, text)
    if _is_remainder(tokens, first):
        sides[0] = []
    trees = [_side_tree(side, first=i == 0, last=i == len(sides) - 1) for i, side in enumerate(sides)]
    starts = [side[0].start if side else 0 for side in sides]
    parts = [Part(tree, _source(side, text), at) for tree, side, at in zip(trees, sides, starts, strict=True)]
    lead = tokens[first - 1].text.lower() if first and tokens[first - 1].kind == "word" else ""
    return Chain(lead, tuple(parts), tuple(token.text for token in run if token.kind == "relation"))


def _sides(run: Sequence[Token], text: str) -> list[list[Token]]:
    """What stands between the relations of a run; nothing where "3 apples = 9 plums" relates things, not numbers."""
    sides: list[list[Token]] = [[]]
    for token in run:
        if token.kind != "relation":
            sides[-1].append(token)
            continue
        if sides[-1] and len(sides[-1]) <= 2 and text[sides[-1][-1].end : token.start].strip().isalpha():
            sides[-1] = []
        sides.append([])
    return sides


def _is_remainder(tokens: Sequence[Token], first: int) -> bool:
    """Whether a run is the end of something longer: of "1 + 2 + … + 8", or of a command such as \\binom."""
    before = tokens[first - 1].text if first else ""
    if before in ("|", "…"):
        return tokens[first].kind == "operator"
    alone = tokens[first + 1 : first + 2] and tokens[first + 1].kind == "relation"
    if alone and tokens[first].kind == "number" and before.lower() in _PLACED:
        return True  # of "entries in 2013 = 46" the year is not what equals 46
    return tokens[first].text in ("+", "*", "/") or (before.startswith("\\") and tokens[first].glued)


def _side_tree(side: Sequence[Token], *, first: bool, last: bool) -> Expression | None:
    """The tree of a side; at the outer ends of a run stray brackets or "1)" may be cut off, but never a term."""
    cuts = (side, *_without_strays(side, first=first, last=last)) if side else ()
    return next((tree for cut in cuts if (tree := parse(cut)) is not None), None)


def _without_strays(side: Sequence[Token], *, first: bool, last: bool) -> Iterator[Sequence[Token]]:
    kinds = [token.kind for token in side]
    stray = next((i for i, kind in enumerate(kinds) if kind not in ("open", "close")), len(kinds))
    if first and stray:
        yield from (side[stray - 1 :], side[stray:])
    elif first and kinds[1:2] == ["close"]:
        yield side[2:]
    elif last and kinds[-1] in ("open", "close"):
        yield side[:-1]


def _source(side: Sequence[Token], text: str) -> str:
    return text[side[0].start : side[-1].end].strip()[:200] if side else ""


def _quantities(tokens: Sequence[Token]) -> list[Fraction]:
    """Every number that the text states, negative where a sign belongs to it."""
    found = []
    for i, token in enumerate(tokens):
        if token.kind != "number" or token.value is None:
            continue
        signed = i > 0 and token.glued and tokens[i - 1].text == "-"
        negative = signed and (i == 1 or tokens[i - 2].kind in ("word", "open", "relation"))
        value = -token.value if negative else token.value
        found.append(value)
    return found


def _lists(tokens: Sequence[Token]) -> list[tuple[Fraction, ...]]:
    """Three or more numbers between commas: "1, 7, 8, 4 and 7"."""
    lists: list[list[Fraction]] = [[]]
    expecting_number = True
    for token in _list_tokens(tokens):
        if token.value is not None and token.kind == "number" and expecting_number:
            lists[-1].append(token.value)
            expecting_number = False
        elif token.text in _SEPARATORS and not expecting_number:
            expecting_number = True
        else:
            lists.append([])
            expecting_number = True
    return [tuple(one) for one in lists if len(one) >= 3]


def _list_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tokens without currency signs and without the "and" that another separator stands before."""
    before = ""
    for token in tokens:
        if token.kind == "currency" or (token.text == "and" and before in _SEPARATORS):
            continue
        before = token.text
        yield token
