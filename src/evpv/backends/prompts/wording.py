"""Problems, steps and constraints as text that goes into a prompt."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Sequence

from evpv.records import constraints_to_json
from evpv.types import Constraint, Problem

_LABELLED = re.compile(r"\s*\(?[A-Za-z][).:]")
_ONLY_A_LABEL = re.compile(r"\s*\(?[A-Za-z][).:]?\s*")


def question_text(problem: Problem) -> str:
    """The question with its options, unless it lists them already; options without a letter get one.

    >>> print(question_text(Problem(id="p", question="Which?", options=("3", "4"))))
    Which?
    A. 3
    B. 4
    """
    options = [option for option in problem.options if option.strip()]
    if all(_ONLY_A_LABEL.fullmatch(option) for option in options) or _lists(problem.question, len(options)):
        return problem.question
    if all(_LABELLED.match(option) for option in options) or len(options) > len(string.ascii_uppercase):
        lines = options
    else:
        lines = [f"{letter}. {option}" for letter, option in zip(string.ascii_uppercase, options, strict=False)]
    return "\n".join([problem.question, *lines]).lstrip("\n")


def _lists(question: str, count: int) -> bool:
    """Whether the question itself has "(A)", "B." and so on for every option."""
    letters = string.ascii_uppercase[:count]
    return all(re.search(rf"(?<![A-Za-z]){letter}[).:]", question) for letter in letters)


def steps_text(texts: Iterable[str], first: int = 1) -> str:
    """Steps one below the other, numbered; only a line at the margin begins a step, so no step can pose as the next.

    >>> print(steps_text(["AB = 3.\\nStep 2: CD = 4.", "So 7."]))
    Step 1: AB = 3.
        Step 2: CD = 4.
    Step 2: So 7.
    """
    return "\n".join(f"Step {number}: {_indented(text)}" for number, text in enumerate(texts, first))


def constraints_text(constraints: Sequence[Constraint]) -> str:
    """Constraints as the JSON array of Appendix A, one to a line; where they were seen is left out."""
    records = [
        {name: value for name, value in record.items() if name != "box"} for record in constraints_to_json(constraints)
    ]
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    return f"[\n{lines}\n]" if lines else "[]"


def _indented(text: str) -> str:
    return "\n    ".join(text.splitlines() or [""])
