"""A solution as a small program: a family writes `solve(sheet)` once, and the sheet decides how true a run of it is.

Wherever a solver could go wrong, `solve` asks the sheet: `decide` (what is read from the figure, which rule is used,
what follows) and `calculate` (a result). Without faults the sheet answers with the truth. With a fault at that key it
answers with something else, and the rest of the program goes on from there, so that an inherited error is consistent
with itself. What steps say stands in `wordings.txt`. How a step is worded depends on the sheet's seed and the step's key
alone: the same seed with and without a fault says the same things in the same words up to where the fault makes a
difference. Hence the labels: **a step is wrong where it differs from what the same solver would have said without the fault.**

Wordings mark mathematics with backquotes and use ×, ÷, −, ², ³, √(…), π, °, ∠; a notation turns that into what one solver writes
all through. Numbers are exact where they can be.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from PIL import Image

from evpv.types import Constraint

_ASCII = (
    ("×", "*"), ("÷", "/"), ("−", "-"), ("²", "^2"), ("³", "^3"), ("√", "sqrt"), ("π", "pi"),
    ("°", " degrees"), ("∠", "angle "), ("△", "triangle "), ("≈", "~="),
    ("∥", "parallel to"), ("⟂", "perpendicular to"),
)  # fmt: skip
_LATEX = (
    ("×", r"\times "), ("÷", r"\div "), ("−", "-"), ("²", "^2"), ("³", "^3"), ("π", r"\pi "), ("°", r"^\circ"),
    ("∠", r"\angle "), ("△", r"\triangle "), ("≈", r"\approx "), ("∥", r"\parallel "), ("⟂", r"\perp "), ("%", r"\%"),
)  # fmt: skip


def number(value: int | float | Fraction) -> str:
    """A number as a person writes it: whole, or with at most two decimals.

    >>> [number(x) for x in (12, 4.5, Fraction(1, 3), -3, 12500)]
    ['12', '4.5', '0.33', '−3', '12,500']
    """
    if value == int(value):
        whole = abs(int(value))
        text = f"{whole:,}" if whole >= 10000 else str(whole)
    else:
        text = f"{abs(float(value)):.2f}".rstrip("0")
    return f"−{text}" if value < 0 else text


def _equals(value: int | float | Fraction) -> str:
    """`=` or `≈`, then the number: whether two decimals hold all of it.

    >>> _equals(4.25), _equals(Fraction(1, 3))
    ('= 4.25', '≈ 0.33')
    """
    exact = math.isclose(round(float(value), 2), float(value), abs_tol=1e-9)
    return f"{'=' if exact else '≈'} {number(value)}"


def measure(value: int | float | Fraction, unit: str) -> str:
    return f"{number(value)} {unit}".strip()


def root(value: int) -> int | float:
    """The square root: whole where it is, else to two decimals (what a solver goes on with)."""
    whole = math.isqrt(value)
    return whole if whole * whole == value else round(math.sqrt(value), 2)


def in_notation(text: str, notation: str) -> str:
    """The text in one solver's notation.

    >>> in_notation("So `3² × 2 = 18`.", "latex"), in_notation("So `3² × 2 = 18`.", "ascii")
    ('So $3^2 \\\\times 2 = 18$.', 'So 3^2 * 2 = 18.')
    """
    if notation == "latex":
        return re.sub("`([^`]*)`", lambda found: f"${_replaced_latex(found.group(1))}$", text)
    text = text.replace("`", "")
    if notation == "ascii":
        text = re.sub(r"√(\d+)", r"√(\1)", text)
        for symbol, word in _ASCII:
            text = text.replace(symbol, word)
    return text[:1].upper() + text[1:] if text.startswith(("angle", "triangle")) else text


def _replaced_latex(math_text: str) -> str:
    math_text = re.sub(r"√\(([^()]*)\)", r"\\sqrt{\1}", math_text)
    math_text = re.sub(r"√(\d+)", r"\\sqrt{\1}", math_text)
    math_text = re.sub(r"(?<=[\dπ]) (cm|mm|m|ft|km|units)\b", r"\\text{ \1}", math_text)
    for symbol, command in _LATEX:
        math_text = math_text.replace(symbol, command)
    return re.sub(r" +", " ", math_text).strip()


_ErrorName = Literal[
    "visual-structural", "visual-value", "visual-object", "logical", "calculation", "knowledge", "incompleteness"
]
Numeral = int | float | Fraction
_T = TypeVar("_T")
_A = TypeVar("_A", bound=Numeral)

_CONFUSED = {"0": "8", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "5", "7": "1", "8": "3", "9": "4"}


class _Filler(string.Formatter):
    """Fills a wording: `{x}` as it is, `{x!n}` as a person writes a number, `{x!e}` with `=` or `≈` before it."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return {"n": number, "e": _equals}.get(conversion or "", str)(value)


_FILLER = _Filler()


@cache
def _catalogue() -> dict[str, tuple[list[str], list[str]]]:
    """What steps say and claim to see, by name: `wordings.txt`, where a line that begins with "? " is a claim."""
    parts = files("evpv.figures").joinpath("wordings.txt").read_text(encoding="utf-8").split("\n[")[1:]
    found = {}
    for name, _, body in (part.partition("]\n") for part in parts):
        lines = body.split("\n")
        said = [line for line in lines if line and not line.startswith("? ")]
        found[name] = said, [line.removeprefix("? ") for line in lines if line.startswith("? ")]
    return found


def texts(name: str, /, **values: object) -> list[str]:
    return [_FILLER.vformat(wording, (), values) for wording in _catalogue()[name][0]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Something that may be said instead of the truth, and the kind of error that this would be."""

    error: _ErrorName
    value: Any


class _Wrongs(TypedDict, total=False):
    """What may be said instead of the truth, by how a solver comes to it."""

    misread: Iterable[Any]  # wrong numbers for a printed or drawn one
    mixed_up: Iterable[Any]  # what belongs to another object, label or row
    misbuilt: Iterable[Any]  # a shape, attachment or marking that is not there
    wrong_facts: Iterable[Any]  # a wrong formula, definition or fact
    wrong_conclusions: Iterable[Any]  # what does not follow


_ERROR_OF: dict[str, _ErrorName] = {
    "misread": "visual-value", "mixed_up": "visual-object", "misbuilt": "visual-structural", "wrong_facts": "knowledge",
    "wrong_conclusions": "logical",
}  # fmt: skip


def confusions(value: int, *, below: float = math.inf, above: int = 0) -> tuple[int, ...]:
    """What a whole number is misread as: a digit taken for one like it, digits swapped, a little off.

    >>> confusions(65), confusions(8, below=9)
    ((66, 55, 56, 67), (6,))
    """
    digits = str(value)
    found = [int(digits[:-1] + _CONFUSED[digits[-1]]), int(_CONFUSED[digits[0]] + digits[1:])]
    if len(digits) == 2:
        found.append(int(digits[::-1]))
    found += [value + 2, value - 2]
    near = [x for x in dict.fromkeys(found) if value / 2 <= x <= value * 2 and x != value]
    kept = [x for x in near if x < below] or [value - 1]
    return tuple(x for x in kept[:4] if x > above)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A place where a solver may go wrong: the truth there, and what else may be said."""

    key: str
    truth: Any
    wrongs: tuple[Wrong, ...]
    calculated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep:
    """One step as written: what it says, and what it claims to see (None: it does not look)."""

    key: str
    text: str
    claim: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistakes:
    """What goes wrong in a run: values said instead of the truth, a step after which it stops, a step left vague."""

    instead: Mapping[str, Wrong]
    stop_after: str | None = None
    vague_at: str | None = None


NO_FAULTS = Mistakes(instead={})


class SolutionSheet:
    """The paper that one run of a solution is written on."""

    def __init__(self, seed: str, faults: Mistakes = NO_FAULTS):
        self.seed = seed
        self.lines: list[WrittenStep] = []
        self.decisions: list[Decision] = []
        self.answer = ""
        self.unit = ""
        self._faults = faults
        self._results: dict[str, Numeral] = {}
        self._stopped = False

    def _random(self, key: str) -> Random:
        return Random(f"{self.seed}/{key}")

    def shuffle_items(self, key: str, items: Sequence[_T]) -> list[_T]:
        """The items in an order of this solver's own: independent readings may come in any."""
        return self._random(key).sample(items, len(items))

    def decide(self, key: str, truth: _T, **wrongs: Unpack[_Wrongs]) -> _T:
        """The truth, or what a fault at this key says instead."""
        named = [(_ERROR_OF[how], value) for how, values in wrongs.items() for value in values]  # type: ignore[attr-defined]
        kept = tuple(Wrong(error=error, value=value) for error, value in named if value != truth)
        self.decisions.append(Decision(key=key, truth=truth, wrongs=kept, calculated=False))
        fault = self._faults.instead.get(key)
        return truth if fault is None else fault.value

    def calculate(self, key: str, value: _A) -> _A:
        """The result of a calculation, or what a slip at this key makes of it."""
        self.decisions.append(Decision(key=key, truth=value, wrongs=(), calculated=True))
        fault = self._faults.instead.get(key)
        result: _A = value if fault is None else fault.value
        self._results[key] = result
        return result

    def step(
        self, key: str, *wordings: str, claim: Sequence[str] = (), optional: bool = False, **values: object
    ) -> None:
        """Write a step in one of its wordings; `claim` words what it reads from the figure, if it looks at all.

        With `values`, a wording is a template that they fill.
        """
        if self._stopped or (optional and self._random(f"{key}/kept").random() < 0.5):
            return
        text = self._random(f"{key}/text").choice(wordings)
        seen = self._random(f"{key}/claim").choice(claim) if claim else None
        if values:
            text = _FILLER.vformat(text, (), values)
            seen = None if seen is None else _FILLER.vformat(seen, (), values)
        if key == self._faults.vague_at and key in self._results:
            text = self._random(f"{key}/vague").choice(texts("vague", value=self._results[key]))
        self.lines.append(WrittenStep(key=key, text=text, claim=seen))
        self._stopped = key == self._faults.stop_after

    def say(self, name: str, key: str = "", /, *, optional: bool = False, **values: object) -> None:
        """Write a step in words of the catalogue; `family/key` and `family/key:case` name the step's key too."""
        wordings, claims = _catalogue()[name]
        key = key or name.partition("/")[2].partition(":")[0]
        self.step(key, *wordings, claim=claims, optional=optional, **values)

    def work(self, name: str, value: _A, /, **values: object) -> _A:
        """Calculate and say so: `family/key` names the wording, the step, and what the result is called in it."""
        key = name.partition("/")[2].partition(":")[0]
        result = self.calculate(key, value)
        self.say(name, **{key: result, **values})
        return result

    def conclude(self, answer: str, *wordings: str, unit: str = "") -> None:
        """Write the last step; `{}` in a wording is the answer with its unit.

        A run that stopped early offers its last result as the answer, in the same words.
        """
        if self._stopped and self._faults.stop_after in self._results:
            answer = number(self._results[self._faults.stop_after]) + ("π" if answer.endswith("π") else "")
        self._stopped = False
        self.answer, self.unit = answer, unit
        self.step("answer", *(wording.replace("{}", answer + unit) for wording in wordings))

    def say_answer(self, name: str, answer: str, unit: str = "", /, **values: object) -> None:
        self.conclude(answer, *texts(name, **values), unit=unit)


Solve = Callable[[SolutionSheet], None]
Drawn = tuple[Image.Image, tuple[Constraint, ...]]
"""A picture, and the facts that it states."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One problem before anyone has tried it. The answer is what `solve` concludes without faults."""

    image: Image.Image
    question: str
    constraints: tuple[Constraint, ...]
    solve: Solve
    multiple_choice: bool = False
