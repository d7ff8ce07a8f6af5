"""The numbers of a stem-and-leaf plot, which have no names: the greatest, the mode, those of one stem."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Sequence

from evpv.language.forms import Assertion, Form, Phrase, Value
from evpv.language.quantities import number_text
from evpv.language.tokens import cues
from evpv.premises.figure import Cell, Figure
from evpv.premises.matching.values import NOTHING_READ, Finding, agreement, decide, is_read, missing

_TENS = {
    word: str(tens)
    for tens, word in enumerate(
        "teens twenties thirties forties fifties sixties seventies eighties nineties".split(), 1
    )
}
_LIMITS = frozenset(("under", "over", "from"))
_PARTS = frozenset(("stem", "leaf", "leave"))
_WORKED_OUT: dict[str, Callable[[Sequence[float]], float]] = {
    "most": max,
    "least": min,
    "mean": statistics.fmean,
    "median": statistics.median,
    "mode": statistics.mode,
    "range": lambda values: max(values) - min(values),
}


def leaf_finding(form: Form, said: Assertion, figure: Figure) -> Finding:
    """A number that is said of a plot. Zeros at a row's beginning cannot be read, so none that ends in 0 is refuted, and no count of more
    than were read."""
    if not isinstance(form, Value):
        return missing(NOTHING_READ)
    among, tag = _of_stem(form.about, figure.leaves), _worked_out_tag(form.about)
    if tag and among:
        return _worked_out_finding(form, tag, among)
    if form.kind == "total":
        return _tally_finding(form, said, figure.leaves)
    return _member_finding(form, among, named=0 < len(among) < len(figure.leaves))


def _worked_out_finding(form: Value, tag: str, among: Sequence[Cell]) -> Finding:
    value, number = _WORKED_OUT[tag]([cell.value for cell in among]), form.amount.quantity.absolute
    holds = agreement(form.amount, among[0].with_value(value)) == "same"
    shown = f"of those read it is {number_text(value)}."
    is_number_of_plot = form.amount.bound == "=" and number >= 10 and not _PARTS & form.about.stems
    return decide(holds, among, shown) if holds or (is_number_of_plot and number % 10) else missing(shown)


def _member_finding(form: Value, among: Sequence[Cell], *, named: bool) -> Finding:
    """One of the numbers of the plot, or of the stem that is named; then the leaf alone will do."""
    number = form.amount.quantity.absolute
    if is_read(form.amount, [*among, *(cell.with_value(cell.value % 10) for cell in among if named)]):
        return decide(True, among, "it is among the numbers read.")
    one_of_them = "leaf" in form.about.stems if number < 10 else number // 10 == among[0].value // 10
    wrong = named and one_of_them and not form.amount.quantity.spelled and number % 10 and form.amount.bound == "="
    return decide(False, among, f"read there: {_numbers_text(among)}.") if wrong else missing(NOTHING_READ)


def _worked_out_tag(about: Phrase) -> str:
    """What is said to be worked out of the numbers; “at least” works out nothing."""
    words = [token.lower for token in about.tokens]
    found = (cue for cue in cues(about.tokens) if cue.tag in _WORKED_OUT and words[max(0, cue.first - 1)] != "at")
    return next((cue.tag for cue in found), "")


def _tally_finding(form: Value, said: Assertion, cells: Sequence[Cell]) -> Finding:
    """How many numbers there are, or what they come to; fewer than were read is wrong, but of those that a limit picks out:
    “those below 70 are 41, 50, 52, totaling 3”."""
    values, shown = (len(cells), sum(cell.value for cell in cells)), f"{len(cells)} were read."
    if any(agreement(form.amount, cells[0].with_value(value)) == "same" for value in values):
        return decide(True, cells, shown)
    phrases = (form.about, *said.context[: said.near])
    has_limit = any(cue.tag in _LIMITS for phrase in phrases for cue in cues(phrase.tokens))
    is_too_few = form.amount.quantity.absolute < len(cells)
    return decide(False, cells, shown) if is_too_few and not has_limit else missing(shown)


def _of_stem(about: Phrase, cells: Sequence[Cell]) -> list[Cell]:
    """The numbers of the stem that a phrase names (“stem 3”, “in the thirties”), else all."""
    words = [token.lower for token in about.tokens]
    stems = {_TENS[word] for word in words if word in _TENS}
    stems |= {b for a, b in itertools.pairwise(words) if a in ("stem", "row") and b.isdecimal()}
    return [cell for cell in cells if cell.row in (stems or {cell.row})]


def _numbers_text(cells: Sequence[Cell]) -> str:
    """The values of the first cells, for explanations."""
    return ", ".join(number_text(cell.value) for cell in cells[:6])
