"""Checks against what is known: where a step's numbers come from, and what an extractor read.

Lists must be complete, quoted values right, the answer the recomputed one. Without evidence the judge never sees a constraint.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rapidfuzz import fuzz

from evpv.judges.checks.answers import Answer, as_answer
from evpv.judges.checks.findings import Finding, verdict
from evpv.judges.checks.history import History
from evpv.judges.checks.questions import Recomputed, named_measure
from evpv.judges.checks.tables import Table, mentions, words
from evpv.judges.checks.wordings import CONCLUDES, LOOKS
from evpv.language.chains import Reading
from evpv.language.evaluation import agrees, evaluate, same, show
from evpv.language.expressions import Expression, Number, Operation

_ALIKE = 70.0  # of 100: how alike a row and an option must be spelled


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the judge may know of the picture: its table, and the answer worked out from it."""

    table: Table
    recomputed: Recomputed | None
    values: frozenset[Fraction]


def check_readings(reading: Reading, history: History, evidence: Evidence) -> Iterator[Finding]:
    """Lists and quoted values of one step against the table."""
    table = evidence.table
    if named_measure(history.question.text) and len(table.columns) == 1 and not table.is_stem_and_leaf:
        yield from _check_list(reading, table)
    elif table.cells and not table.is_stem_and_leaf:
        yield from _check_quotes(reading, history, table)


def _check_list(reading: Reading, table: Table) -> Iterator[Finding]:
    """The question asks about all values, so a list or a long sum must hold them all."""
    wanted = Counter(cell.value for cell in table.cells)
    sums = [tuple(_addends(part.tree)) for chain in reading.chains for part in chain.parts if part.tree is not None]
    for found in [*reading.lists, *(addends for addends in sums if len(addends) >= 3)]:
        if 2 * len(found) < sum(wanted.values()):
            continue
        missing, foreign = wanted - Counter(found), Counter(found) - wanted
        if not missing and not foreign:
            yield Finding("list-right", f"right: all {len(found)} values of the table")
        else:
            left_out = ", ".join(show(value) for value in list(missing)[:4]) or "none"
            added = ", ".join(show(value) for value in list(foreign)[:4]) or "none"
            yield Finding(
                "list-incomplete",
                f"wrong: not the table's {sum(wanted.values())} values (left out {left_out}; added {added})",
            )


def _addends(tree: Expression) -> Iterator[Fraction]:
    if isinstance(tree, Number):
        yield tree.value
    elif isinstance(tree, Operation) and tree.operator == "+":
        for operand in tree.operands:
            yield from _addends(operand)


def _check_quotes(reading: Reading, history: History, table: Table) -> Iterator[Finding]:
    """A step that names one row must quote a value of that row, or only numbers known before."""
    if any(row.strip().isdecimal() for row in table.rows):
        return  # numbered rows cannot be told from the values in a sentence
    rows = [mention.name for mention in mentions(reading.text[:2000], table.rows)]
    before = history.numbers
    cells = [cell for cell in table.cells if rows[:1] == [cell.row]]
    stated = [
        value
        for value in reading.quantities
        if value not in before and (not _is_year(value) or value in table.numbers())
    ]
    if len(rows) != 1 or not stated:
        return
    quoted = next((cell for cell in cells if cell.value in stated), None)
    if quoted is not None:
        yield Finding("reading-right", f"right: {quoted.row} {quoted.column} is {show(quoted.value)}")
    elif not reading.chains and not any(cell.value and stated[0] / cell.value in before for cell in cells):
        values = ", ".join(show(cell.value) for cell in cells[:4])
        yield Finding("reading-wrong", f"wrong: {rows[0]} has {values}; the step says {show(stated[0])}")


def _is_year(value: Fraction) -> bool:
    """Whether a number may say when: "Russia's share in 1992" quotes no 1992."""
    return value.denominator == 1 and 1800 <= value <= 2100


def check_recomputed(answer: Answer, evidence: Evidence, options: Sequence[str]) -> Iterator[Finding]:
    """The answer against the one worked out from the question and the evidence."""
    expected = evidence.recomputed
    if expected is None:
        return
    agreed = _agrees(answer, expected, options)
    if agreed is None:
        return
    said = f"worked out again, the answer is {expected.answer if isinstance(expected.answer, str) else show(expected.answer)}"
    wrong = f"{said}, not {answer.text[:40]} ({expected.reason})"
    yield verdict("recomputed", agreed, f"{said} ({expected.reason})", wrong)


def _agrees(answer: Answer, expected: Recomputed, options: Sequence[str]) -> bool | None:
    """Whether an answer is the expected one; None when that cannot be told."""
    if isinstance(expected.answer, str):
        return _agrees_in_words(answer, expected.answer, options)
    value, tree = answer.value, answer.tree
    if answer.option is not None:
        chosen = as_answer(options[answer.option], ())
        value, tree = chosen.value, chosen.tree
    if value is None or tree is None:
        return None
    if expected.bounds is not None:
        low, high = expected.bounds
        return False if value < low or (high is not None and value > high) else None
    return same(value, expected.answer) if expected.as_fraction else agrees(expected.answer, value, tree)


def _agrees_in_words(answer: Answer, expected: str, options: Sequence[str]) -> bool | None:
    if options:
        wanted = nearest_option(expected, options)
        return None if wanted is None else answer.option == wanted
    wanted_value = as_answer(expected, ()).value
    if wanted_value is not None:
        return None if answer.value is None else same(answer.value, wanted_value)
    return expected.casefold() in answer.text.casefold()


def nearest_option(name: str, options: Sequence[str]) -> int | None:
    """The option that a row's name means, though the row may be read with stray marks or worded differently.

    >>> nearest_option("1) Friday", ["Thursday", "Friday"]), nearest_option("Add an upgrade", ["adding an upgrade", "no"])
    (1, 0)
    """
    inside = [i for i, option in enumerate(options) if words(option) and set(words(option)) <= set(words(name))]
    if len(inside) == 1:
        return inside[0]
    ratios = [fuzz.ratio(" ".join(words(name)), " ".join(words(option))) for option in options]
    best = max(range(len(options)), key=lambda i: ratios[i])
    return best if ratios[best] >= _ALIKE and ratios.count(ratios[best]) == 1 else None


_MAX_KNOWN = 200
_MAX_TRACED = 40
# Numbers that methods bring along: counts, halves, thirds, percents, angle sums, approximations of π.
_COMMON = frozenset(
    Fraction(text) for text in ("0.5", "3.14", "3.1416", "12", "24", "30", "45", "60", "90")
) | frozenset(Fraction(number) for number in (*range(11), 100, 180, 270, 360, 540, 720, 1000))


def check_provenance(reading: Reading, history: History, evidence: frozenset[Fraction]) -> Iterator[Finding]:
    """One finding for the step: all its numbers are accounted for, or these are not.

    Not for readings without evidence: any number may stand in the picture, which is the premise check's to judge.
    """
    known = _known_values(reading, history, evidence)
    stated = list(dict.fromkeys(quantity for quantity in reading.quantities))[:_MAX_TRACED]
    larger = [value for value in stated if abs(value) not in _COMMON]
    if not larger:
        return
    untraced = [value for value in larger if not _comes_from(value, known)]
    if untraced:
        names = ", ".join(show(value) for value in untraced[:4])
        yield Finding(
            "number-untraced", f"{names}: neither known from before nor one operation away from what is known"
        )
    else:
        yield Finding("number-traced", "the numbers come from what is known")


def concludes(reading: Reading) -> bool:
    """Whether a step says that it only concludes, so that its numbers must come from what was said before."""
    return CONCLUDES.match(reading.text) is not None and LOOKS.search(reading.text) is None


def _known_values(reading: Reading, history: History, evidence: frozenset[Fraction]) -> set[Fraction]:
    known: set[Fraction] = set(evidence)
    known.update(history.numbers)
    for value, _ in history.results:
        if isinstance(value, Fraction):
            known.add(value)
    known.update(_worked_out(reading))
    return set(list(known)[:_MAX_KNOWN])


def _worked_out(reading: Reading) -> Iterable[Fraction]:
    """The results that this step's own equations reach."""
    for chain in reading.chains:
        for part in chain.parts[1:]:
            value = evaluate(part.tree) if part.tree is not None else None
            if isinstance(value, Fraction):
                yield value


def _comes_from(value: Fraction, known: set[Fraction]) -> bool:
    if value in known or -value in known or value / 100 in known or value * 100 in known:
        return True
    if value > 0 and (value * value in known or _whole_root(value) in known):
        return True
    return any(
        value - other in known or other - value in known or (other and value / other in known) or value * other in known
        for other in known
    )


def _whole_root(value: Fraction) -> Fraction | None:
    root = math.isqrt(int(value)) if value.denominator == 1 else 0
    return Fraction(root) if root and root * root == value else None
