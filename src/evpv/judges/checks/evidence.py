"""Checks against what is known: where a step's numbers come from, what an extractor read, and whether the answer follows.

Lists must be complete, quoted values right, the answer the recomputed one. Without evidence the judge never sees a constraint.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rapidfuzz import fuzz

from evpv.judges.checks.drawings import Measured
from evpv.judges.checks.findings import Finding, History, value_of, verdict
from evpv.judges.checks.questions import Recomputed, named_measure
from evpv.judges.checks.tables import Cell, Table, mentions, words
from evpv.language.answers import TRUTH_WORDS, chosen_option
from evpv.language.chains import Reading
from evpv.language.evaluation import Value, agrees, evaluate, same, show
from evpv.language.expressions import Expression, Number, Operation, parse
from evpv.language.final_answers import final_answer
from evpv.language.math_tokens import prepare, tokenize
from evpv.premises.matching.findings import Verdict
from evpv.types import Candidate, Problem

_ANOTHER = re.compile(r"\band -?\d")
_CONCLUDES = re.compile(r"\s*(?:so|hence|therefore|thus|consequently|this gives|we get)\b", re.IGNORECASE)
_LOOKS = re.compile(
    r"\b(?:figure|diagram|picture|graph|chart|table|shown|shows|marked|labell?ed|see|read|row|column)\b", re.IGNORECASE
)

_MAX_SEARCHED = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer as text, its value when it is one, and the option it names (index from 0) when it names one."""

    text: str
    value: Value | None
    tree: Expression | None
    option: int | None

    def shown(self, options: Sequence[str]) -> str:
        """What is answered: the option's own text where one is chosen."""
        return self.text if self.option is None else options[self.option]


def stated_answer(candidate: Candidate, problem: Problem) -> Answer | None:
    """A candidate's answer: its `final_answer`, else the one that its steps give."""
    said = candidate.final_answer
    if said is None or not said.strip():
        text = "\n".join(step.text for step in candidate.steps)[-_MAX_SEARCHED:]
        said = final_answer(text, problem.question, problem.options)
    return None if said is None else as_answer(said, problem.options)


def as_answer(text: str, options: Sequence[str]) -> Answer:
    """Text read as an answer.

    >>> as_answer("(B) no.", ["yes", "no"]).option
    1
    >>> as_answer("$4,656.00", []).value
    Fraction(4656, 1)
    """
    bare = text.strip().strip("*.$ ").strip()
    tokens = tokenize(prepare(bare))
    leading = tokens[: next((i for i, token in enumerate(tokens) if token.kind in ("word", "break")), len(tokens))]
    tree = parse(leading)
    value = evaluate(tree) if tree is not None and not _ANOTHER.search(bare[:200]) else None
    return Answer(bare, value, tree, chosen_option(text, tuple(options)) if options else None)


def check_answer(answer: Answer, history: History, options: Sequence[str]) -> Iterator[Finding]:
    """Findings for the last step: the answer among the options, and founded on a result of the steps."""
    if options:
        yield from _check_option(answer, history, options)
    elif answer.value is not None:
        yield from _check_founded(answer, history)


def _check_option(answer: Answer, history: History, options: Sequence[str]) -> Iterator[Finding]:
    if answer.option is None and all(len(option.strip(" ().")) == 1 for option in options):
        return  # the options are pictures, named by letters: the answer may describe one
    if answer.option is None:
        yield Finding("answer-not-an-option", f"wrong: the answer {answer.text[:80]!r} is none of the options")
        return
    text = options[answer.option]
    chosen = as_answer(text, ()).value
    if chosen is None or not history.results:
        return
    results = [*(value for value, _ in history.results), *history.numbers]
    if any(_is_chosen(value, chosen) for value in results):
        yield Finding("answer-follows", f"right: the option chosen, {text[:40]}, is the last result")
    else:
        said = f"the option chosen is {text[:40]}, the last result is {show(history.results[-1][0])}"
        yield Finding("answer-unfounded", f"doubtful: {said}")


def _is_chosen(value: Value, chosen: Value) -> bool:
    """Whether an option is a result, rounded or not, or a result times π."""
    return same(chosen, value) or _rounds(value, chosen) or _rounds(value, float(chosen) / math.pi)


def _check_founded(answer: Answer, history: History) -> Iterator[Finding]:
    """The answer must be the last result worked out, or a number stated before it."""
    assert answer.value is not None
    assert answer.tree is not None
    results = [value for value, _ in history.results]
    if results and any(_is_result(value, answer.value, answer.tree) for value in results[-2:]):
        yield Finding("answer-follows", f"right: the answer {answer.text[:40]} is the last result")
        return
    if results and not any(_is_result(value, answer.value, answer.tree) for value in (*results, *history.numbers)):
        yield Finding(
            "answer-unfounded",
            f"doubtful: the answer {answer.text[:40]} is none of the results; the last result is {show(results[-1])}",
        )


def _is_result(value: Value, answer: Value, written: Expression) -> bool:
    """Whether an answer is a result, or a result times π, which steps often leave to the end, or a share in percent."""
    return agrees(value, answer, written) or any(same(float(value) * unit, float(answer)) for unit in (math.pi, 100))


def _rounds(value: Value, chosen: Value) -> bool:
    return abs(float(value) - float(chosen)) <= 0.005 * abs(float(chosen))


_ALIKE = 70.0  # of 100: how alike a row and an option must be spelled


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the judge may know of the picture: its table, and the answer worked out from it."""

    table: Table
    recomputed: Recomputed | None
    values: frozenset[Fraction]
    measured: Measured | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)


def check_readings(reading: Reading, history: History, evidence: Evidence) -> Iterator[Finding]:
    """Lists and quoted values of one step against the table."""
    table = evidence.table
    if table.is_stem_and_leaf:
        return
    if named_measure(history.question.text) and len(table.columns) == 1:
        yield from _check_list(reading, table)
    elif not any(row.strip().isdecimal() for row in table.rows):  # numbered rows cannot be told from values
        yield from _check_quotes(reading, history, table)


def _check_list(reading: Reading, table: Table) -> Iterator[Finding]:
    """The question asks about all values, so a list or a long sum must hold them all."""
    wanted = Counter(cell.value for cell in table.cells)
    sums = [tuple(_addends(part.tree)) for chain in reading.chains for part in chain.parts]
    for found in [*reading.lists, *(addends for addends in sums if len(addends) >= 3)]:
        if 2 * len(found) < len(table.cells):
            continue
        if Counter(found) == wanted:
            yield Finding("list-right", f"right: all {len(found)} values of the table")
        else:
            left_out, added = _first_values(wanted - Counter(found)), _first_values(Counter(found) - wanted)
            yield Finding(
                "list-incomplete",
                f"wrong: not the table's {len(table.cells)} values (left out {left_out}; added {added})",
            )


def _first_values(values: Iterable[Fraction]) -> str:
    return ", ".join(show(value) for value in list(values)[:4]) or "none"


def _addends(tree: Expression | None) -> Iterator[Fraction]:
    if isinstance(tree, Number):
        yield tree.value
    elif isinstance(tree, Operation) and tree.operator == "+":
        for operand in tree.operands:
            yield from _addends(operand)


def _check_quotes(reading: Reading, history: History, table: Table) -> Iterator[Finding]:
    """A step that names one row must quote a value of that row, or only numbers known before."""
    rows = mentions(reading.text[:2000], table.rows)
    stated = _new_values(reading, history, table)
    if len(rows) != 1 or not stated:
        return
    cells = [cell for cell in table.cells if cell.row == rows[0].name]
    quoted = next((cell for cell in cells if cell.value in stated), None)
    if quoted is not None:
        yield Finding("reading-right", f"right: {quoted.row} {quoted.column} is {show(quoted.value)}")
    elif not _is_worked_out(stated[0], cells, reading, history):
        values = _first_values(cell.value for cell in cells)
        yield Finding("reading-wrong", f"wrong: {rows[0].name} has {values}; the step says {show(stated[0])}")


def _new_values(reading: Reading, history: History, table: Table) -> list[Fraction]:
    """What a step says that was not known before. A year that is no value says when: "Russia's share in 1992" quotes no 1992."""
    new = [value for value in reading.quantities if value not in history.numbers]
    dates = {value for value in new if value.denominator == 1 and 1800 <= value <= 2100} - table.numbers()
    return [value for value in new if value not in dates]


def _is_worked_out(value: Fraction, cells: Sequence[Cell], reading: Reading, history: History) -> bool:
    """Whether a value may be no quote: the step calculates, or it is so many times what the row has."""
    return bool(reading.chains) or any(cell.value and value / cell.value in history.numbers for cell in cells)


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


def check_shown(answer: Answer, evidence: Evidence, options: Sequence[str]) -> Iterator[Finding]:
    """The answer against what the drawing, or the figure's values, show of the question."""
    seen, said = evidence.measured, answer.shown(options)
    agreed = _is_drawn(answer, seen, options) if seen is not None else None
    if seen is not None and agreed is not None:
        yield verdict("shown", agreed, seen.reason, f"{seen.reason}; the answer is {said[:40]}")
    elif (found := evidence.verdicts.get(said)) in ("supported", "contradicted"):
        says = f"the figure's values {'bear out' if found == 'supported' else 'speak against'} the answer {said[:40]}"
        yield verdict("shown", found == "supported", says, says)


def _is_drawn(answer: Answer, seen: Measured, options: Sequence[str]) -> bool | None:
    said = answer.shown(options)
    if isinstance(seen.shown, bool):
        truth = TRUTH_WORDS.get(said.strip(" .").lower())
        return None if truth is None else truth == seen.shown
    value = as_answer(said, ()).value
    others = [as_answer(option, ()).value for place, option in enumerate(options) if place != answer.option]
    if value is None or any(other is None for other in others):
        return None
    return seen.bears_out(float(value), [float(other) for other in others if other is not None])


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
    return _CONCLUDES.match(reading.text) is not None and _LOOKS.search(reading.text) is None


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
    values = (value_of(part) for chain in reading.chains for part in chain.parts[1:])
    return (value for value in values if isinstance(value, Fraction))


def _comes_from(value: Fraction, known: set[Fraction]) -> bool:
    """Whether one operation leads from what is known to a value."""
    return not known.isdisjoint(_one_operation_away(value)) or any(
        not known.isdisjoint(_partners(value, other)) for other in known
    )


def _one_operation_away(value: Fraction) -> Iterator[Fraction]:
    """What a value may be made of alone: itself, its negative, a percent of it, its square or its root."""
    yield from (value, -value, value / 100, value * 100)
    if value > 0:
        yield value * value
        root = math.isqrt(int(value))
        if root * root == value:
            yield Fraction(root)


def _partners(value: Fraction, other: Fraction) -> Iterator[Fraction]:
    """What must be known so that a value is made of it and another number by +, -, × or ÷."""
    yield from (value - other, other - value, value * other)
    if other:
        yield value / other
