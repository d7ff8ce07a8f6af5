"""A solution as a small program: a family writes `solve(sheet)` once, and the sheet decides how true a run of it is.

Wherever a solver could go wrong, `solve` asks the sheet: `decide` (what is read from the figure, which rule is used,
what follows) and `calculate` (a result). Without faults the sheet answers with the truth. With a fault at that key it
answers with something else, and the rest of the program goes on from there, so that an inherited error is consistent
with itself. The wording of a step depends on the sheet's seed and the step's key alone: the same seed with and
without a fault says the same things in the same words up to where the fault makes a difference. Hence the labels:
**a step is wrong where it differs from what the same solver would have said without the fault.**
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Literal, TypeVar, get_args

from PIL import Image

from evpv.figures.notation import number
from evpv.types import Constraint

_ErrorName = Literal[
    "visual-structural", "visual-value", "visual-object", "logical", "calculation", "knowledge", "incompleteness"
]
ERRORS: tuple[_ErrorName, ...] = get_args(_ErrorName)
Amount = int | float | Fraction
_T = TypeVar("_T")
_A = TypeVar("_A", bound=Amount)

_VAGUE = (
    "Working through the rest of the problem gives {}.",
    "After the usual steps we arrive at {}.",
    "It is easy to see that the value is {}.",
    "Skipping the details, this comes out as {}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """Something that may be said instead of the truth, and the kind of error that this would be."""

    error: _ErrorName
    value: Any


def misread(*values: object) -> tuple[Wrong, ...]:
    """Wrong numbers for a printed or drawn one (value misreading)."""
    return tuple(Wrong(error="visual-value", value=value) for value in values)


def mixed_up(*values: object) -> tuple[Wrong, ...]:
    """What belongs to another object, label or row (object misidentification)."""
    return tuple(Wrong(error="visual-object", value=value) for value in values)


def misbuilt(*values: object) -> tuple[Wrong, ...]:
    """A shape, attachment or marking that is not there (structural misunderstanding)."""
    return tuple(Wrong(error="visual-structural", value=value) for value in values)


def wrong_facts(*values: object) -> tuple[Wrong, ...]:
    """A wrong formula, definition or fact."""
    return tuple(Wrong(error="knowledge", value=value) for value in values)


def wrong_conclusions(*values: object) -> tuple[Wrong, ...]:
    """A conclusion that does not follow."""
    return tuple(Wrong(error="logical", value=value) for value in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A place where a solver may go wrong: the truth there, and what else may be said."""

    key: str
    truth: Any
    wrongs: tuple[Wrong, ...]
    calculated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One step as written: what it says, and what it claims to see (None: it does not look)."""

    key: str
    text: str
    claim: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What goes wrong in a run: values said instead of the truth, a step after which it stops, a step left vague."""

    instead: Mapping[str, Wrong]
    stop_after: str | None = None
    vague_at: str | None = None


NO_FAULTS = Faults(instead={})


class Sheet:
    """The paper that one run of a solution is written on."""

    def __init__(self, seed: str, faults: Faults = NO_FAULTS):
        self.seed = seed
        self.lines: list[Line] = []
        self.decisions: list[Decision] = []
        self.answer = ""
        self.unit = ""
        self._faults = faults
        self._results: dict[str, Amount] = {}
        self._stopped = False

    def _random(self, key: str) -> Random:
        return Random(f"{self.seed}/{key}")

    def pick(self, key: str, wordings: Sequence[_T]) -> _T:
        """One of several ways to say the same, by the seed and the key alone."""
        return self._random(key).choice(wordings)

    def shuffle_items(self, key: str, items: Sequence[_T]) -> list[_T]:
        """The items in an order of this solver's own: independent readings may come in any."""
        return self._random(key).sample(items, len(items))

    def decide(self, key: str, truth: _T, *wrongs: Wrong) -> _T:
        """The truth, or what a fault at this key says instead."""
        kept = tuple(wrong for wrong in wrongs if wrong.value != truth)
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

    def step(self, key: str, *wordings: str, claim: Sequence[str] = (), optional: bool = False) -> None:
        """Write a step in one of its wordings; `claim` words what it reads from the figure, if it looks at all."""
        if self._stopped or (optional and self._random(f"{key}/kept").random() < 0.5):
            return
        text = self.pick(f"{key}/text", wordings)
        if key == self._faults.vague_at and key in self._results:
            text = self.pick(f"{key}/vague", _VAGUE).format(number(self._results[key]))
        seen = self.pick(f"{key}/claim", claim) if claim else None
        self.lines.append(Line(key=key, text=text, claim=seen))
        self._stopped = key == self._faults.stop_after

    def conclude(self, answer: str, *wordings: str, unit: str = "") -> None:
        """Write the last step; `{}` in a wording is the answer with its unit.

        A run that stopped early offers its last result as the answer, in the same words.
        """
        if self._stopped and self._faults.stop_after in self._results:
            answer = number(self._results[self._faults.stop_after]) + ("π" if answer.endswith("π") else "")
        self._stopped = False
        self.answer, self.unit = answer, unit
        self.step("answer", *(wording.replace("{}", answer + unit) for wording in wordings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One problem before anyone has tried it. The answer is what `solve` concludes without faults."""

    image: Image.Image
    question: str
    constraints: tuple[Constraint, ...]
    solve: Callable[[Sheet], None]
    multiple_choice: bool = False


MakeScene = Callable[[Random], Scene]
"""The one function that a family module offers, as `make`."""
