"""What becomes of statements: the signs by which a finding is believed or not, and what they are worth.

A sign is the name of something that is so: how a piece was read, what its numbers are, what of its words is left over. It counts together
with the state of the finding: a number that stands nowhere in the figure says one thing of what was found wrong, and another of what was
not understood. A logistic with four outcomes over the signs, whose weights (`sign_weights.py`) `scripts/fit_reader.py` fits on labelled
steps, says how probably a statement is wrong, missing, right or none at all.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding, missing, unread
from evpv.premises.statements.evidence import Evidence
from evpv.premises.statements.sign_weights import CONSTANT, WEIGHTS
from evpv.premises.statements.strangers import is_other_attribute, names_absent, unknown_nouns, unknown_words
from evpv.premises.statements.verdicts import is_part
from evpv.premises.statements.views import OPEN, View

_ANY_STATE = "any"
STATE_CODES = {
    "contradicted": "c", "doubted": "d", "open": "o", "supported": "s", "unread": "u", "unsaid": "n", _ANY_STATE: "-",
}  # fmt: skip
"""What was found of a statement, with its letter in `sign_weights.py`; `unsaid`: it says nothing that was understood."""
_LEVELS = ("own", "sentence", "worked", "count", "read", "worked elsewhere", "nowhere")
"""How close to what a piece names a number is explained: it stands there, in what its sentence speaks of, is worked out of that, counts rows,
stands elsewhere, is worked out of what stands elsewhere, or is nowhere."""
_FROM = ("own", "near", "far", "open")
_REACHING = frozenset(
    "all both each every only other others rest remaining alone same except half twice double former latter first second last next "
    "another either neither any anyone everyone none".split()
)
_BRIEF = 15
"""So many words at most has a piece that says little beside its names."""


@immutable
class Signs:
    """What is so of a statement that was found to be in a `state`: signs that count together with it, and `bare` ones."""

    state: str
    names: frozenset[str]
    bare: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Every sign with the state that it counts with."""
        yield from ((name, self.state) for name in self.names)
        yield from ((name, _ANY_STATE) for name in self.bare)

    @property
    def concludes(self) -> bool:
        """Whether it was worked out from what was read; such a statement is never missing."""
        concluded = {"derived", "computed"} & self.names or {"calculates", "computed missing"} & self.bare
        return bool(concluded)

    @property
    def stands_alone(self) -> bool:
        """Whether its text states nothing else, or it gives one named thing one number and says little else, so that hardly anything in it can
        be misunderstood."""
        return not self.names.isdisjoint(("alone True", "plain"))

    @property
    def explains_numbers(self) -> bool:
        """Whether even the worst of its numbers is one that the figure explains."""
        return not _EXPLAINED.isdisjoint(self.names)


_EXPLAINED = frozenset(f"number worst {level}" for level in ("own", "sentence", "worked", "count", "worked elsewhere"))


def finding_state(finding: Finding | None) -> str:
    if finding is None:
        return "unsaid"
    return finding.why_missing if finding.verdict == "missing" else finding.verdict


def refutation(finding: Finding) -> Finding | None:
    """What was found wrong, be it doubted, or only by a likelier reading than the one that was right."""
    return finding if finding_state(finding) in ("contradicted", "doubted") else finding.otherwise


def piece_signs(
    v: View, finding: Finding | None, form: str, more: Iterable[str] = (), bare: Iterable[str] = ()
) -> Signs:
    """What is so of a piece and of what was found of it."""
    numbers = {f"number {sign}" for sign in _number_signs(v)}
    formed = {*_finding_signs(finding), *_plainness(v), *(sign for sign in numbers if sign.startswith(_FORMED))}
    row, column = f"row {_FROM[v.row_from]}", f"column {_FROM[v.column_from]}"
    names = {"found", form, row, column, *numbers, *formed, *_word_signs(v), *more}
    names.update(f"{sign} {form}" for sign in formed)
    if not v.grid.is_given:
        names.update(f"as read {sign}" for sign in ("found", form, row, *numbers))
        names.update([f"as read confidence {min(9, int(10 * finding.confidence))}"] if finding is not None else ())
    otherwise = ("otherwise", f"otherwise {form}") if finding is not None and finding.otherwise else ()
    return Signs(state=finding_state(finding), names=frozenset(names), bare=frozenset((*bare, *otherwise)))


_FORMED = tuple(f"number {word}" for word in ("worst", "neighbour", "off"))
"""Of numbers these signs also count together with the form of what is said."""


def _finding_signs(finding: Finding | None) -> Iterator[str]:
    """Its own, and how far apart the first two values are that refute: whoever compares them wrongly takes close ones for each other."""
    if finding is not None:
        yield from finding.signs
        wrong = refutation(finding)
        if wrong is not None and len(wrong.used) > 1:
            first, second = (cell.value for cell in wrong.used[:2])
            apart = abs(first - second) / max(abs(first), abs(second), 1e-9)
            yield f"apart {next((size for size in (0, 0.05, 0.15, 0.3, 0.6) if apart <= size), 1)}"


def _plainness(v: View) -> Iterator[str]:
    """Whether a brief piece names two rows, or two columns, whole; and whether one names one row whole, its column if there are several, and
    one number, and little else."""
    if v.has_any(_REACHING):
        return
    rows, columns = ([n.whole for n in v.piece.names if n.axis == axis] for axis in ("row", "column"))
    if 2 in (sum(rows), sum(columns)) and len(v.piece.words) < _BRIEF:
        yield "two names"
    brief = (rows, len(v.piece.numbers), len(v.piece.cues)) == ([True], 1, 0)
    if brief and (len(v.grid.columns) < 2 or columns == [True]):
        yield "plain"


def _word_signs(v: View) -> Iterator[str]:
    piece = v.piece
    yield f"unknown {min(unknown_nouns(piece, v.grid), 4)}"
    yield f"numbers {min(len(piece.numbers), 3)}"
    yield f"names {min(len(piece.names), 3)}"
    yield f"length {min(len(piece.words) // 5, 5)}"
    yield f"strange {min(len(unknown_words(piece, v.grid)), 6)}"
    absent = names_absent(piece, v.grid)
    so = {
        "absent": absent,
        "absent beside a name": absent and bool(piece.names),
        "other attribute": is_other_attribute(v),
        "derived": piece.derived,
        "aside": piece.aside,
        "pronoun": v.pronoun,
        "denied": piece.denial is not None,
        "nameless": v.row_from == OPEN and not piece.names,
    }
    yield from (sign for sign, holds in so.items() if holds)
    yield from (f"cue {cue.tag}" for cue in piece.cues)
    yield from (f"word {word}" for word in _REACHING & piece.word_set)
    yield from (f"{'loose' if name.loose else 'part of'} {name.axis}" for name in piece.names if not name.whole)


# What the numbers of a piece are.


def _number_signs(v: View) -> Iterator[str]:
    every = [Evidence(v=v, number=number) for number in v.piece.numbers]
    if every:
        worst = max(every, key=lambda one: one.level)
        yield f"worst {_LEVELS[worst.level]}"
        yield f"best {_LEVELS[min(one.level for one in every)]}"
        if v.rows and v.cells:
            off = min(_relative_error(worst.amount, cell) for cell in v.cells)
            yield f"off {next((size for size in (0.02, 0.1, 0.3, 1, 5) if off <= size), 9)}"
    for one in every:
        yield from _amount_signs(one.amount)
        yield from one.resemblances()


def _relative_error(amount: Amount, cell: Cell) -> float:
    """How far an amount is off a cell's value, but for the sign; a part in words is one of a percentage."""
    said = amount.quantity.absolute * (100 if is_part(amount) and cell.unit == "percent" else 1)
    read = cell.value * cell.scale
    return abs(abs(said) - abs(read)) / max(abs(read), 1e-9)


def _amount_signs(amount: Amount) -> Iterator[str]:
    quantity = amount.quantity
    so = {
        "bound": amount.bound != "=",
        "spelled": quantity.spelled,
        "percent": quantity.unit == "percent",
        "part": is_part(amount),
        "small": quantity.value.is_integer() and quantity.value <= 12,
    }
    return (sign for sign, holds in so.items() if holds)


# What signs are worth.

CLASSES = ("contradicted", "missing", "supported", "nothing")
_WRONG, _MISSING, _RIGHT, _NOTHING = 0.75, 0.22, 0.5, 0.4
"""From which probability on a statement is called wrong, missing or right, and a text says nothing; the first is the highest at which
verdicts of authors who are in no fit do not fall (docs/log.md)."""
_WRONG_IF_ALONE = {False: _WRONG, True: 0.65}
"""The first is lower for a statement that stands alone: a text of several has several occasions to be accused."""
_MISSING_RIGHT = 0.6
_Worth: TypeAlias = tuple[int, int, int]
_NO_WORTH: _Worth = (0, 0, 0)


class Chances(NamedTuple):
    """How probable it is that a statement is wrong, missing, right, or none."""

    wrong: float
    missing: float
    right: float
    nothing: float

    @property
    def soundness(self) -> float:
        """How probable it is that nothing is wrong: of what is missing six in ten turn out right."""
        return max(0.0, 1.0 - self.wrong - (1.0 - _MISSING_RIGHT) * self.missing)


def _worth_by_state() -> dict[str, dict[str, _Worth]]:
    """What each sign is worth, by the state that it is seen with."""
    states = {code: state for state, code in STATE_CODES.items()}
    table: dict[str, dict[str, _Worth]] = {state: {} for state in STATE_CODES}
    for entry in filter(None, map(str.strip, WEIGHTS.split(";"))):
        name, *sizes = entry.split("|")
        for code, wrong, absent, nothing in map(str.split, sizes):
            table[states[code]][name] = int(wrong), int(absent), int(nothing)
    return table


_WORTH = _worth_by_state()


def chances(signs: Signs) -> Chances:
    """The chances of a statement by its signs, summed in whole hundredths: in any order the same to the last bit."""
    seen = itertools.chain(map(_WORTH[signs.state].get, signs.names), map(_WORTH[_ANY_STATE].get, signs.bare))
    sums = map(sum, zip(_NO_WORTH, *filter(None, seen), strict=True))
    wrong, absent, nothing = (
        math.exp(min(constant + size / 100, 50.0)) for constant, size in zip(CONSTANT, sums, strict=True)
    )
    whole = 1.0 + wrong + absent + nothing
    return Chances(wrong / whole, absent / whole, 1.0 / whole, nothing / whole)


def is_nothing(every: Sequence[Chances]) -> bool:
    """Whether statements with these chances probably say nothing of the figure."""
    return math.prod(one.nothing for one in every) > _NOTHING ** len(every)


def finding_to_believe(finding: Finding, signs: Signs, chance: Chances) -> Finding | None:
    """What is believed of a finding; None if it is set aside: it was not understood, and probably hides no misreading."""
    wrong = refutation(finding)
    if wrong is not None and chance.wrong > _WRONG_IF_ALONE[signs.stands_alone]:
        return replace(wrong, verdict="contradicted")
    if "reason" in signs.bare:
        return unread("it gives a reason or an example that the figure does not show.")
    if chance.missing > _MISSING and not signs.concludes:
        if finding.verdict == "missing":
            return replace(finding, constraint=None)
        return missing("the claim says more than its names and numbers, of which nothing was read.")
    if finding.verdict == "supported":
        return finding
    if chance.right > _RIGHT and signs.explains_numbers:
        return replace(finding, verdict="supported", explanation="its numbers are those of what it names.")
    return None
