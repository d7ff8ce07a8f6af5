"""The final answer: what it is, whether the steps lead to it, and whether it is one of the options."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.wordings import ANOTHER
from evpv.language.answers import chosen_option
from evpv.language.evaluation import Value, agrees, evaluate, same, show
from evpv.language.expressions import Expression, parse
from evpv.language.final_answers import final_answer
from evpv.language.math_tokens import prepare, tokenize
from evpv.types import Candidate, Problem

_MAX_SEARCHED = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer as text, its value when it is one, and the option it names (index from 0) when it names one."""

    text: str
    value: Value | None
    tree: Expression | None
    option: int | None


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
    value = evaluate(tree) if tree is not None and not ANOTHER.search(bare[:200]) else None
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
