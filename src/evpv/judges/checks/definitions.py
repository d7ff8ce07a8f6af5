"""A step that names the parts of the question: "this can be written as (A + B) * C, where A = …, B = …"."""

from __future__ import annotations

from collections.abc import Iterator

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Part, Reading
from evpv.language.evaluation import evaluate, same, show
from evpv.language.expressions import Expression, Number, Operation, symbols, walk


def check_definitions(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """A rewriting of the question's expression by letters, and a later use of that rewriting.

    Runs after the letters of this step are bound. The rewriting must give the question's value with the parts put in;
    a later "the final equation is A - B" must be the rewriting again, not another one.
    """
    if history.template is None:
        yield from _check_rewriting(step, reading, history)
    else:
        yield from _check_use(step, reading, history, history.template)


def _check_rewriting(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    asked = _asked_expression(history.question)
    here = {name for name, binding in history.bindings.items() if binding.step == step}
    rewriting = next(
        (part for part in reading.expressions if len(letters := symbols(part.tree)) > 1 and letters <= here), None
    )
    if asked is None or asked.tree is None or rewriting is None or rewriting.tree is None:
        return
    if not any(_stands_in(history.bindings[name].text, history.question.text) for name in here):
        return
    history.template = rewriting.tree
    foreign = [name for name in sorted(here) if not _stands_in(history.bindings[name].text, history.question.text)]
    value, expected = evaluate(rewriting.tree, history.values()), evaluate(asked.tree)
    if foreign:
        said = f"{foreign[0]} = {history.bindings[foreign[0]].text}"
        yield Finding(kind="definition-wrong", explanation=f"wrong: {said} does not stand in the question", step=step)
    elif value is None or expected is None or not same(value, expected):
        explanation = f"wrong: {rewriting.text} with its parts put in is not the question's expression"
        yield Finding(kind="definition-wrong", explanation=explanation, step=step)
    else:
        explanation = f"right: {rewriting.text} with its parts put in is {show(expected)}, as in the question"
        yield Finding(kind="definition-right", explanation=explanation, step=step)


def _asked_expression(question: Reading) -> Part | None:
    """The longest expression without letters that the question holds, when it is more than one number."""
    parts = [part for chain in question.chains for part in chain.parts] + list(question.expressions)
    usable = [
        part for part in parts if isinstance(part.tree, Operation) and not symbols(part.tree) and _is_long(part.tree)
    ]
    return max(usable, key=lambda part: len(part.text), default=None)


def _is_long(tree: Expression) -> bool:
    return sum(isinstance(part, Number) for part in walk(tree)) >= 3


def _stands_in(definition: str, question: str) -> bool:
    def bare(text: str) -> str:
        return "".join(text.split()).strip("()")

    return bare(definition) in bare(question)


def _check_use(step: int, reading: Reading, history: History, template: Expression) -> Iterator[Finding]:
    wanted = symbols(template)
    for chain in reading.chains:
        first = chain.parts[0]
        if first.tree is None or not isinstance(first.tree, Operation) or symbols(first.tree) != wanted:
            continue
        value, expected = evaluate(first.tree, history.values()), evaluate(template, history.values())
        if value is not None and expected is not None and not same(value, expected):
            explanation = f"wrong: {first.text} is not the rewriting of the question given before"
            yield Finding(kind="definition-wrong", explanation=explanation, step=step)
