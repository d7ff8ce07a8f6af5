"""The final answer: what it is, whether the steps lead to it, and whether it is one of the options."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import Value, agrees, evaluate, same, show
from evpv.language.expressions import Expression, parse
from evpv.language.final_answers import final_answer as announced_answer
from evpv.language.math_tokens import prepare, tokenize

_MAX_SEARCHED = 4_000
_LETTER = re.compile(r"^[\s*(\[{]*([A-Za-z])(?:[)\]}.:*\s]|$)")
_SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_THERE_ARE = re.compile(rf"\bthere (?:are|were|is|was) ({'|'.join(_SMALL_NUMBERS)}) ", re.IGNORECASE)
_ANOTHER = re.compile(r"\band -?\d")
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer as text, its value when it is one, and the option it names (index from 0) when it names one."""

    text: str
    value: Value | None
    tree: Expression | None
    option: int | None


def stated_answer(
    texts: Sequence[str], final_answer: str | None, options: Sequence[str], question: Reading
) -> Answer | None:
    """A candidate's answer: its `final_answer`, else what its last steps state, else the last value of the last one."""
    if final_answer is not None and final_answer.strip():
        return as_answer(final_answer, options)
    for text in reversed(texts[-2:]):
        announced = announced_answer(text[-_MAX_SEARCHED:])
        if announced is not None:
            return as_answer(announced, options)
    if not texts or not texts[-1].strip():
        return None
    last = texts[-1].strip()[-400:]
    if options:
        return as_answer(last, options)
    if (counted := _THERE_ARE.search(last)) is not None:
        return as_answer(str(_SMALL_NUMBERS.index(counted[1].lower())), options)
    return _last_new_number(last, question)


def _last_new_number(text: str, question: Reading) -> Answer | None:
    """The last number that the question does not hold; else the last one."""
    given = set(question.quantities)
    numbers = [token for token in tokenize(prepare(text)) if token.kind == "number"]
    new = [token for token in numbers if token.value not in given]
    return as_answer((new or numbers)[-1].text, ()) if numbers else None


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
    return Answer(bare, value, tree, _option(bare, options))


def _option(text: str, options: Sequence[str]) -> int | None:
    """The option that a text names: by its words, by its letter, or alone among the options by its words inside."""
    if not options:
        return None
    words = " ".join(_WORDS.findall(text.casefold()))
    spelled = [" ".join(_WORDS.findall(option.casefold())) for option in options]
    for i, option in enumerate(spelled):
        letter = chr(ord("a") + i)
        if words in (option, f"{letter} {option}"):
            return i
    if (match := _LETTER.match(text)) and (i := ord(match[1].casefold()) - ord("a")) < len(options):
        return i
    value = as_answer(text, ()).value
    equal = [i for i, option in enumerate(options) if value is not None and _equals(value, option)]
    if len(equal) == 1:
        return equal[0]
    inside = [i for i, option in enumerate(spelled) if option and f" {option} " in f" {words} "]
    longest = [i for i in inside if not any(spelled[i] != spelled[j] and spelled[i] in spelled[j] for j in inside)]
    return longest[0] if len(longest) == 1 else None


def _equals(value: Value, option: str) -> bool:
    other = as_answer(option, ()).value
    return other is not None and same(value, other)


def check_answer(step: int, answer: Answer, history: History, options: Sequence[str]) -> Iterator[Finding]:
    """Findings for the last step: the answer among the options, and founded on a result of the steps."""
    if options:
        yield from _check_option(step, answer, history, options)
    elif answer.value is not None:
        yield from _check_founded(step, answer, history)


def _check_option(step: int, answer: Answer, history: History, options: Sequence[str]) -> Iterator[Finding]:
    if answer.option is None and all(len(option.strip(" ().")) == 1 for option in options):
        return  # the options are pictures, named by letters: the answer may describe one
    if answer.option is None:
        explanation = f"wrong: the answer {answer.text[:80]!r} is none of the options"
        yield Finding(kind="answer-not-an-option", explanation=explanation, step=step)
        return
    chosen = as_answer(options[answer.option], ()).value
    results = [*(value for value, _ in history.results), *history.numbers]
    if chosen is None or not history.results:
        return
    if any(
        same(chosen, value) or _rounds(value, chosen) or _rounds(value, float(chosen) / math.pi) for value in results
    ):
        explanation = f"right: the option chosen, {options[answer.option][:40]}, is the last result"
        yield Finding(kind="answer-follows", explanation=explanation, step=step)
    else:
        said = f"the option chosen is {options[answer.option][:40]}, the last result is {show(history.results[-1][0])}"
        yield Finding(kind="answer-unfounded", explanation=f"wrong: {said}", step=step)


def _check_founded(step: int, answer: Answer, history: History) -> Iterator[Finding]:
    """The answer must be the last result worked out, or a number stated before it."""
    assert answer.value is not None
    assert answer.tree is not None
    results = [value for value, _ in history.results]
    if results and any(_is_result(value, answer.value, answer.tree) for value in results[-2:]):
        explanation = f"right: the answer {answer.text[:40]} is the last result"
        yield Finding(kind="answer-follows", explanation=explanation, step=step)
        return
    if results and not any(_is_result(value, answer.value, answer.tree) for value in (*results, *history.numbers)):
        explanation = f"wrong: the answer {answer.text[:40]} does not follow; the last result is {show(results[-1])}"
        yield Finding(kind="answer-unfounded", explanation=explanation, step=step)


def _is_result(value: Value, answer: Value, written: Expression) -> bool:
    """Whether an answer is a result, or a result times π: steps often carry the multiple and leave π to the end."""
    return agrees(value, answer, written) or same(float(value) * math.pi, float(answer))


def _rounds(value: Value, chosen: Value) -> bool:
    return abs(float(value) - float(chosen)) <= 0.005 * abs(float(chosen))
