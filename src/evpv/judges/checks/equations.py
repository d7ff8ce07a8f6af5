"""Equations of a step: the chains that it writes ("A = 3 × 4 = 12"), each relation worked out, and what it takes over from an error before it.

Units and currency are left out of a chain ("3 pounds × $1.45 per pound"), and "is" joins like "=" where it stands between a calculation
and a number. Letters have values that only their writer knows.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product, takewhile

from evpv.judges.checks.observations import FAULTS, Observation, verdict
from evpv.language.calculations import denies
from evpv.language.evaluation import ExactValue, agrees, conventions, evaluate, same, show
from evpv.language.expressions import Expression, Number, parse, walk
from evpv.language.math_tokens import MathToken, prepare, tokenize

_VALUE_ENDS = ("number", "close", "symbol", "percent", "degree", "constant")
_MATH = (*_VALUE_ENDS, "operator", "open", "function", "fraction", "relation", "currency")
_MAX_UNIT_WORDS = 4
_EQUALS = frozenset({"is", "equals", "makes", "gives"})
_PLACED = frozenset("in at on from to year for during by choose".split())
_COMPARES = frozenset({"times", "more", "less", "longer", "shorter", "larger", "smaller", "greater", "fewer", "than"})
# Words that end a quantity instead of being its unit.
_NOT_UNITS = frozenset(
    "and is are was were so to from the which because since then or by with for than we will but if left more less fewer that "
    "this equals into yields where when while as at on it its he she they you i do equal gives get has have had there also "
    "total totals thus hence not".split()
)
_WRONG_RULES = ("formula-wrong", "method-wrong")
_ORDERS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class _Part:
    """One side of a relation: its tree, None when it is no expression, and the words it was written with."""

    tree: Expression | None
    text: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Parts joined by relations: `relations[i]` stands between `parts[i]` and `parts[i + 1]`."""

    parts: tuple[_Part, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepMath:
    """A text read once: its chains and all its numbers. `denies`: it calls something false, which may be its own equation."""

    text: str
    denies: bool
    chains: tuple[Chain, ...]
    quantities: tuple[Fraction, ...]


def read(text: str) -> StepMath:
    """The reading of one step or question; never fails, whatever the text. What has no digit has nothing to work out."""
    text = prepare(text)
    chains: list[Chain] = []
    quantities: list[Fraction] = []
    for line in text.split("\n"):
        if not any(map(str.isdecimal, line)):
            continue
        tokens = tokenize(line)
        quantities += _numbers(tokens)
        chains += [_chain(tokens, first, run, line) for first, run in _runs(tokens) if _relations(run)]
    return StepMath(text, denies(text), tuple(chains), tuple(quantities))


def _numbers(tokens: Sequence[MathToken]) -> Iterator[Fraction]:
    """The numbers of a line, with the minus that is a sign and no operator."""
    for i, token in enumerate(tokens):
        if token.value is not None:
            signed = i > 0 and token.glued and tokens[i - 1].text == "-"
            negative = signed and (i == 1 or tokens[i - 2].kind in ("word", "open", "relation"))
            yield -token.value if negative else token.value


def _runs(tokens: Sequence[MathToken]) -> Iterator[tuple[int, list[MathToken]]]:
    """The longest stretches of mathematics, each with the index of its first token."""
    run: list[MathToken] = []
    first = i = 0
    while i < len(tokens):
        joined, length = _added_tokens(tokens, i, run)
        first = first if run else i
        if length == 0 and run:
            yield first, run
            run = []
        elif length and not joined and run[-1].text == "/":
            run.pop()  # of "$4.42/pound"
        run += joined
        i += max(length, 1)
    if run:
        yield first, run


def _added_tokens(tokens: Sequence[MathToken], i: int, run: Sequence[MathToken]) -> tuple[list[MathToken], int]:
    """What the words at `i` add to a run, and how many they are: a sign, a unit that adds nothing, "of" and "is"; none where it ends."""
    token = tokens[i]
    if token.kind in _MATH:
        return [token], 1
    if not run:
        return [], 0
    if unit := _unit_length(tokens, i, run[-1]):
        return [], unit
    if _means_times(tokens, i, run):
        return [MathToken("operator", "*", token.start, token.end)], 1
    if token.text.lower() in _EQUALS and _gives_number(tokens, i + 1) and _is_calculation(run):
        return [MathToken("relation", "=", token.start, token.end)], 1
    return [], 0


def _is_calculation(run: Sequence[MathToken]) -> bool:
    kinds = [one.kind for one in run]
    return kinds[-1] in _VALUE_ENDS and "operator" in kinds and "relation" not in kinds


def _unit_length(tokens: Sequence[MathToken], start: int, last: MathToken) -> int:
    """How many word tokens from `start` are the unit of the value before them; 0 when they end the run."""
    if not (last.kind in _VALUE_ENDS or (last.text == "/" and tokens[start].kind == "word")):
        return 0
    words = list(takewhile(lambda token: token.kind == "word", tokens[start : start + _MAX_UNIT_WORDS]))
    if any(word.text.lower() in _NOT_UNITS for word in words):
        return 0
    after = tokens[start + len(words) : start + len(words) + 1]
    follows = any(token.kind in ("relation", "close") or token.text in ("+", "-", "*", "/") for token in after)
    return len(words) if follows else 0


def _means_times(tokens: Sequence[MathToken], i: int, run: Sequence[MathToken]) -> bool:
    """Whether this is the "of" of "40% of 50" and "1/2 of 8"."""
    if tokens[i].text != "of" or i + 1 >= len(tokens) or tokens[i + 1].kind not in ("number", "currency"):
        return False
    is_fraction = len(run) >= 3 and run[-2].text == "/" and run[-1].kind == "number"
    return is_fraction or run[-1].kind == "percent" or run[-1].text == "}"


def _gives_number(tokens: Sequence[MathToken], at: int) -> bool:
    """Whether a number stands here that is a value and no factor or bound of a comparison."""
    at += at < len(tokens) and tokens[at].kind == "currency"
    if at >= len(tokens) or tokens[at].kind not in ("number", "fraction"):
        return False
    return _COMPARES.isdisjoint(token.text.lower() for token in tokens[at + 1 : at + 4])


def _relations(run: Sequence[MathToken]) -> list[MathToken]:
    return [token for token in run if token.kind == "relation"]


def _chain(tokens: Sequence[MathToken], first: int, run: Sequence[MathToken], text: str) -> Chain:
    sides = _sides(run, text)
    if _is_remainder(tokens, first):
        sides[0] = []
    parts = []
    for i, side in enumerate(sides):
        cuts = (side, *_without_strays(side, first=i == 0, last=i == len(sides) - 1)) if side else ()
        tree = next((tree for cut in cuts if (tree := parse(cut)) is not None), None)
        parts.append(_Part(tree, text[side[0].start : side[-1].end].strip()[:200] if side else ""))
    return Chain(tuple(parts), tuple(token.text for token in _relations(run)))


def _sides(run: Sequence[MathToken], text: str) -> list[list[MathToken]]:
    """What stands between the relations of a run; nothing where "3 apples = 9 plums" relates things, not numbers."""
    sides: list[list[MathToken]] = [[]]
    for token in run:
        if token.kind != "relation":
            sides[-1].append(token)
            continue
        if sides[-1] and len(sides[-1]) <= 2 and text[sides[-1][-1].end : token.start].strip().isalpha():
            sides[-1] = []
        sides.append([])
    return sides


def _is_remainder(tokens: Sequence[MathToken], first: int) -> bool:
    """Whether a run is the end of something longer: of "1 + 2 + … + 8", or of a command such as \\binom."""
    before = tokens[first - 1].text if first else ""
    if before in ("|", "…"):
        return tokens[first].kind == "operator"
    alone = tokens[first + 1 : first + 2] and tokens[first + 1].kind == "relation"
    if alone and tokens[first].kind == "number" and before.lower() in _PLACED:
        return True  # of "entries in 2013 = 46" the year is not what equals 46
    return tokens[first].text in ("+", "*", "/") or (before.startswith("\\") and tokens[first].glued)


def _without_strays(side: Sequence[MathToken], *, first: bool, last: bool) -> Iterator[Sequence[MathToken]]:
    """The side without a bracket that opens or closes elsewhere, or "1)", at the outer ends of a run; never without a term. What stands
    behind "}" or ") +" is the rest of something longer."""
    kinds = [token.kind for token in side]
    stray = len(list(takewhile(("open", "close").__contains__, kinds)))
    if first and stray:
        is_rest = side[0].text == "}" or [kinds[0], *kinds[stray : stray + 1]] == ["close", "operator"]
        yield from () if is_rest else (side[stray - 1 :], side[stray:])
    elif first and kinds[1:2] == ["close"]:
        yield side[2:]
    elif last and kinds[-1] in ("open", "close"):
        yield side[:-1]


@dataclass(slots=True)
class History:
    """The question's reading and the state after the steps read so far: made for one candidate, and the one thing here that changes.

    `numbers` are all that the question and the steps stated. `wrong_values` are results that a step reached by an error: what uses
    them inherits the error. `wrong_rule` is the last step that stated a wrong rule, until one uses it; `right_angles` are the vertices
    where there is said to be one.
    """

    question: StepMath
    step: int = 0
    numbers: set[Fraction] = field(default_factory=set)
    wrong_values: dict[Fraction, int] = field(default_factory=dict)
    wrong_rule: int | None = None
    right_angles: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.numbers.update(self.question.quantities)

    def add(self, reading: StepMath, observations: Sequence[Observation]) -> None:
        """Take a step into the past: its numbers, and its results where it is at fault."""
        kinds = {observation.kind for observation in observations}
        if not kinds.isdisjoint(FAULTS | {"inherited"}):
            if not reading.chains and not kinds.isdisjoint(_WRONG_RULES):
                self.wrong_rule = self.step
            for chain in reading.chains:
                said = _end_numbers(chain)
                if len(said) == 1 and said[0] not in self.numbers:
                    self.wrong_values.setdefault(said[0], self.step)
        self.numbers.update(reading.quantities)
        self.step += 1


def _end_numbers(chain: Chain) -> list[Fraction]:
    tree = chain.parts[-1].tree
    return [one.value for one in walk(tree) if isinstance(one, Number)] if tree is not None else []


def check_equations(reading: StepMath) -> Iterator[Observation]:
    """Each relation between numbers."""
    for chain in () if reading.denies else reading.chains:
        for left, relation, right in zip(chain.parts, chain.relations, chain.parts[1:], strict=False):
            if left.tree is None or right.tree is None or left.text == right.text:
                continue
            holds, found = _holds(left.tree, relation, right.tree)
            if holds is not None:
                text = f"{left.text} {relation} {right.text}"
                but = f", but it is {show(found)}" if found is not None and relation in "=≈" else ""
                yield verdict("equation", holds, text, f"{text}{but}")


def _holds(left: Expression, relation: str, right: Expression) -> tuple[bool | None, ExactValue | None]:
    """Whether a relation holds under any reading of its signs, and the left side's value under the usual one.

    0.25 × 100 = 25% is meant well, so each side may take the percent sign in its own way.
    """
    first, second = _values(left), _values(right)
    if not first or not second:
        return None, None
    pairs = product(first, second)
    if relation in ("=", "≈"):
        return any(agrees(one, other, right, about=relation == "≈") for one, other in pairs), first[0]
    if relation in _ORDERS:
        return any(bool(_ORDERS[relation](one, other)) for one, other in pairs), first[0]
    return any(not same(one, other) for one, other in pairs), first[0]


def _values(tree: Expression) -> list[ExactValue]:
    return [value for way in conventions(tree) if (value := evaluate(tree, way)) is not None]


def check_inheritance(reading: StepMath, history: History) -> Iterator[Observation]:
    """Whether the step uses a number that an earlier step reached by an error."""
    if history.wrong_rule is not None and reading.chains:
        yield Observation("inherited", f"it follows step {history.wrong_rule}, which states a wrong rule")
        history.wrong_rule = None
        return
    used = next((quantity for quantity in reading.quantities if quantity in history.wrong_values), None)
    if used is not None:
        source = history.wrong_values[used]
        yield Observation("inherited", f"it uses {show(used)}, which step {source} reached by an error")
