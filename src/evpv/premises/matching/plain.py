"""The short way: a sentence that gives one number to one thing, every other word accounted for, is held against what was read of it.

“The value for Monday is 69.”, “Thursday has 51 pizzas”, “∠ABC = 50°”, “AB ∥ CD”: nothing is to be understood there that could be
misunderstood, so neither signs nor trust are asked. A sentence with any other word, or two numbers, goes the long way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from evpv.language.forms import Amount, Assertion, Between, Form, Measure, amount_text
from evpv.language.immutable import immutable
from evpv.language.labels import Label, labels
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Token, tokens
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.diagrams import between_finding
from evpv.premises.matching.measures import measure_finding
from evpv.premises.matching.values import Finding, agreement, decide, in_words
from evpv.types import ClaimType

_LONGEST = 24
_MARKUP = frozenset('\\*_`{}|#\n[]<>!?;"\u2212')
_TRANSPARENT = frozenset(
    "the a an of in for at on is are was were has have had show shows shown give gives read reads reach reaches there that value "
    "entry row column bar line table chart sector slice share measure measures label labeled labelled marked make makes up "
    "consist consists stand stands with to by : , . ' it".split()
)
"""Words of which a value's name and number need nothing."""
_OF_LABELS = frozenset("∠ angle length segment side line m and".split())
_RELATIONS = {
    "⟂": "perpendicular", "perpendicular": "perpendicular", "∥": "parallel", "parallel": "parallel", "=": "equal", "equal": "equal",
}  # fmt: skip
_Bag = frozenset[str]


@immutable
class _Names:
    """The cells of a figure by the words of their names, as far as these tell them apart; `silent` words name the only column."""

    cells: Mapping[_Bag, Cell]
    silent: _Bag

    def named_by(self, bag: _Bag) -> Cell | None:
        return self.cells.get(bag) or self.cells.get(bag - self.silent)


def plain_finding(text: str, model: Figure) -> tuple[ClaimType, Finding] | None:
    """The type of a plain sentence and what it comes to; None if it is not plain, or what was read is too unsure for so short a look."""
    if model.labelled:
        said = plain_assertion(text)
        return None if said is None else _label_finding(said.form, model)
    if (words := _plain_words(text)) is None:
        return None
    named = _numbers_named(text, words, _names(model))
    found = _word_finding(*named[0]) if len(named) == 1 else None
    return None if found is None else ("numeric", found)


def _numbers_named(text: str, words: Sequence[Token], names: _Names) -> list[tuple[Cell, Quantity]]:
    """The numbers of a sentence whose other words name a cell; of several the ones beside its name: “Figure 1 has 3 dots” may be said of
    figure 1, not of figure 3."""
    named = [(cell, one) for one in _digit_numbers(text) if (cell := names.named_by(_bag(words, [one]) - {"="}))]
    if len(named) < 2:
        return named
    runs = {*pairwise(word.stem for word in words)}
    return [(cell, one) for cell, one in named if runs.issuperset(pairwise(word.stem for word in tokens(cell.row)))]


def _plain_words(text: str) -> tuple[Token, ...] | None:
    """The words of a short sentence without markup; None of any other text."""
    if not _MARKUP.isdisjoint(text) or text.count("$") > 1:
        return None
    words = tokens(text)
    goes_on = "." in text[:-1] and "." in [word.text for word in words[:-1]]
    return None if goes_on or len(words) > _LONGEST else words


def _digit_numbers(text: str) -> list[Quantity]:
    return [one for one in quantities(text) if not one.spelled and one.places is not None]


def _bag(words: Iterable[Token], taken: Iterable[Quantity | Label]) -> _Bag:
    """The words of a sentence that say something beside its number and labels."""
    for one in taken:
        words = [word for word in words if word.end <= one.start or word.start >= one.end]
    return frozenset([word.stem for word in words]) - _TRANSPARENT


def _word_finding(cell: Cell, number: Quantity) -> Finding | None:
    """A number against the value of what is named in words, of the same unit and scale; a value that may be misread refutes nothing here."""
    amount = Amount(quantity=number)
    if number.unit not in (None, cell.unit) or number.scale not in (1.0, cell.scale):
        return None
    outcome = agreement(amount, cell)
    if outcome == "same":
        return decide(True, [cell], f"{in_words(cell)}, as the claim says.")
    if outcome == "different" and cell.constraint.confidence == 1.0:
        return decide(False, [cell], f"{in_words(cell)}, the claim says {amount_text(amount)}.")
    return None


@lru_cache(maxsize=8)
def _names(model: Figure) -> _Names:
    single = len(model.columns.names) == 1
    silent = _words(model.columns.names[0]) if single else frozenset()
    cells: dict[_Bag, Cell] = {}
    shared: set[_Bag] = set()
    for cell in () if model.leaves else model.cells:
        row = _words(cell.row)
        for bag in {row | _words(cell.column), *((row,) if single else ())}:
            if bag in cells:
                shared.add(bag)
            cells[bag] = cell
    return _Names(cells={bag: cell for bag, cell in cells.items() if bag and bag not in shared}, silent=silent)


@lru_cache(maxsize=4096)
def _words(name: str) -> _Bag:
    """The words of a name without its bracketed unit."""
    return frozenset([word.stem for word in tokens(name.partition("(")[0])]) - _TRANSPARENT


# Labels of lines and angles.


_OF_LINES = ({"angle"}, {"segment"}, {"angle", "segment"})


@lru_cache(maxsize=256)
def plain_assertion(text: str) -> Assertion | None:
    """What a plain sentence says of labelled lines or angles, as any other way of reading has it: the value of one, or a relation
    between several."""
    words, named = _plain_words(text), labels(text)
    if words is None or {label.kind for label in named} not in _OF_LINES:
        return None
    numbers = [one for one in _digit_numbers(text) if not any(label.start <= one.start < label.end for label in named)]
    bag, first = _bag(words, [*named, *numbers]) - _OF_LABELS, named[0]
    if len(named) == len(numbers) == 1 and bag <= {"="}:
        span = min(first.start, numbers[0].start), max(first.end, numbers[0].end)
        said = Measure(key=first.key, amount=Amount(quantity=numbers[0]), drawn=first.points)
        return Assertion(span=span, text=text, form=said)
    return None if numbers else _plain_relation(text, named, bag)


def _plain_relation(text: str, named: Sequence[Label], bag: _Bag) -> Assertion | None:
    relation = _RELATIONS.get(min(bag, default=""), "") if len(bag) == 1 else ""
    if not relation or len(named) < 2 or (relation != "equal" and len(named) > 2):
        return None
    start = len(text) - len(text.lstrip())
    between = Between(relation=relation, keys=tuple([one.key for one in named]))
    return Assertion(span=(start, len(text.rstrip())), text=text, form=between)


def _label_finding(form: Form, model: Figure) -> tuple[ClaimType, Finding] | None:
    """What a figure says of it; None if nothing was read of it, which is not for the short way to judge."""
    kind: ClaimType = "numeric" if isinstance(form, Measure) else "relation"
    match form:
        case Measure():
            finding = measure_finding(form, model)
        case Between():
            finding = between_finding(form, model)
        case _:
            return None
    return None if finding.verdict == "missing" else (kind, finding)
