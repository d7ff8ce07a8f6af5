"""Whether an operation fits the question's words: a difference is not a sum, a total is not a difference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.questions.mentions import asking
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import evaluate
from evpv.language.expressions import Expression, Operation, is_literal


@dataclass(frozen=True, slots=True)
class Method:
    """A kind of question, the operation that answers it, and the one that is taken for it by mistake."""

    asked: re.Pattern[str]
    name: str
    right: str
    wrong: str


_VERBS = {
    "+": re.compile(r"\b(?:add|adding|sum of)\b", re.IGNORECASE),
    "-": re.compile(r"\b(?:subtract|subtracting|difference)\b", re.IGNORECASE),
}
_COMPARISON = r"\b(?:how (?:many|much) (?:more|fewer|less|higher|lower)|by how much|difference between)\b"
METHODS: tuple[Method, ...] = (
    Method(re.compile(_COMPARISON, re.IGNORECASE), "a difference", "-", "+"),
    Method(re.compile(r"\b(?:in total|altogether|together|combined|in all)\b", re.IGNORECASE), "a total", "+", "-"),
)


def check_method(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """The verb or the only operation of a step against what the question asks for.

    Questions with numbers or several conditions may need both operations, so only plain ones are judged.
    """
    method = _method(history.question.text)
    if method is None:
        return
    operators = {operator for chain in reading.chains for part in chain.parts if (operator := _simple(part.tree))}
    said = {sign for sign, verb in _VERBS.items() if verb.search(reading.text[:2000])}
    used = operators or said
    if used == {method.wrong}:
        explanation = f"wrong: the question asks for {method.name}, the step {_verb(method.wrong)}"
        yield Finding(kind="method-wrong", explanation=explanation, step=step)
    elif used == {method.right}:
        explanation = f"right: the question asks for {method.name}, the step {_verb(method.right)}"
        yield Finding(kind="method-right", explanation=explanation, step=step)


def _method(question: str) -> Method | None:
    found = [method for method in METHODS if method.asked.search(asking(question))]
    money = "$" in question or re.search(r"\b(?:have|has) enough\b|\bleft\b|\bbuy\b", question)
    return found[0] if len(found) == 1 and not money else None


def _simple(tree: Expression | None) -> str | None:
    """The sign of a single operation on two numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-") or evaluate(tree) is None:
        return None
    return tree.operator if all(is_literal(operand) for operand in tree.operands) else None


def _verb(sign: str) -> str:
    return "adds" if sign == "+" else "subtracts"
