"""Signs by which a finding on a piece is believed or not: how it was read, what its numbers are, and what of its words is left over.

Each sign is the name of something that is so. It is worth what it has turned out to be worth (`trust.py`) together with the state of the
finding: a number that stands nowhere in the figure says one thing of what was found wrong, and another of what was not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evpv.language.forms import Amount
from evpv.language.immutable import immutable
from evpv.premises.figure import Cell
from evpv.premises.matching.values import Finding
from evpv.premises.statements.evidence import LEVELS, Evidence
from evpv.premises.statements.strangers import is_other_attribute, names_absent, unknown_nouns, unknown_words
from evpv.premises.statements.verdicts import is_part
from evpv.premises.statements.views import OPEN, View

ANY_STATE = "any"
STATE_CODES = {
    "contradicted": "c", "doubted": "d", "open": "o", "supported": "s", "unread": "u", "unsaid": "n", ANY_STATE: "-",
}  # fmt: skip
"""What was found of a statement, with its letter in `sign_weights.py`; `unsaid`: it says nothing that was understood."""
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
        yield from ((name, ANY_STATE) for name in self.bare)

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
        yield f"worst {LEVELS[worst.level]}"
        yield f"best {LEVELS[min(one.level for one in every)]}"
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
