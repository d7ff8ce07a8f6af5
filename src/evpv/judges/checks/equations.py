"""Equations that can be worked out: each relation of each chain, with letters standing for what the question and earlier steps said.

What was reached by an error is remembered, so that later steps that use it inherit the error.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.findings import FAULTS, Binding, Equation, Finding, History, value_of, verdict
from evpv.language.chains import Chain, Part, Reading
from evpv.language.evaluation import Value, agrees, conventions, evaluate, same, show
from evpv.language.expressions import Expression, Number, Operation, Symbol, is_literal, symbols, walk

_PLACES = frozenset({"at", "when", "if", "near", "line"})


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two neighbours of a chain and the sign between them."""

    left: Part
    relation: str
    right: Part

    @property
    def text(self) -> str:
        return f"{self.left.text} {self.relation} {self.right.text}"

    @property
    def letters(self) -> set[str]:
        return symbols(self.left.tree) | symbols(self.right.tree)


def check_equations(reading: Reading, history: History) -> Iterator[Finding]:
    """Each relation whose two sides have values; then the letters take the values that this step gives them."""
    for chain in reading.chains:
        if reading.tentative and any(symbols(part.tree) for part in chain.parts):
            _forget(chain, history)
            continue
        if chain.lead in _PLACES and isinstance(chain.parts[0].tree, Symbol):
            continue
        if not reading.denies:
            for left, relation, right in zip(chain.parts, chain.relations, chain.parts[1:], strict=False):
                yield from _check_pair(_Pair(left, relation, right), history)
        _remember(chain, history)


def _forget(chain: Chain, history: History) -> None:
    """A letter given a value for the moment has none from here on."""
    for part in chain.parts:
        if isinstance(part.tree, Symbol):
            history.bindings.pop(part.tree.name, None)


def _check_pair(pair: _Pair, history: History) -> Iterator[Finding]:
    if pair.left.tree is None or pair.right.tree is None or _says_nothing(pair, history):
        return
    holds, found = _holds(pair.left.tree, pair.relation, pair.right.tree, history.values())
    if holds is None:
        return
    if pair.letters:
        yield _about_letters(pair, pair.letters, holds, history)
    else:
        but = f", but it is {show(found)}" if found is not None and pair.relation in "=≈" else ""
        yield verdict("equation", holds, pair.text, f"{pair.text}{but}")


def _says_nothing(pair: _Pair, history: History) -> bool:
    """Letters without a value, a condition on a letter, a number set equal to itself, or a letter's second value within one step,
    as in "x = 2 or x = 3"."""
    if not pair.letters <= history.bindings.keys() or pair.left.text == pair.right.text:
        return True
    if pair.letters and pair.relation not in "=≈":
        return True
    binding = history.bindings.get(pair.left.tree.name) if isinstance(pair.left.tree, Symbol) else None
    return binding is not None and binding.step == history.step


def _about_letters(pair: _Pair, letters: set[str], holds: bool, history: History) -> Finding:
    if not isinstance(pair.left.tree, Symbol):
        given = ", ".join(f"{name} = {show(history.bindings[name].value)}" for name in sorted(letters))
        if holds:
            return Finding("substitution-right", f"right: {pair.text} with {given}")
        return Finding("substitution-differs", f"does not hold: {pair.text} with {given}")
    binding = history.bindings[pair.left.tree.name]
    if holds:
        return Finding("definition-right", f"right: {pair.text}, as in step {binding.step}")
    earlier = f"step {binding.step} has {pair.left.text} = {binding.text}"
    if binding.settled:  # a case anew, a revision, or a slip: which of them cannot be told
        return Finding("value-changed", f"changed: {pair.text}, but {earlier}")
    return Finding("definition-wrong", f"wrong: {pair.text}, but {earlier}")


def _holds(
    left: Expression, relation: str, right: Expression, values: Mapping[str, Value]
) -> tuple[bool | None, Value | None]:
    """Whether a relation holds under any reading of its signs, and the left side's value under the usual one."""
    usual: Value | None = None
    verdict: bool | None = None
    # 0.25 × 100 = 25% is meant well, so each side may take the percent sign in its own way.
    for here in conventions(left):
        first = evaluate(left, values, here)
        usual = first if usual is None else usual
        for there in conventions(right):
            second = evaluate(right, values, there)
            if first is None or second is None:
                continue
            if _compare(first, relation, second, right):
                return True, usual
            verdict = False
    return verdict, usual


_ORDERS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


def _compare(first: Value, relation: str, second: Value, written: Expression) -> bool:
    """Whether `first` stands in `relation` to `second`, which was written as `written`."""
    if relation in ("=", "≈"):
        return agrees(first, second, written, about=relation == "≈")
    if relation in _ORDERS:
        return bool(_ORDERS[relation](first, second))
    return not same(first, second)


def _remember(chain: Chain, history: History) -> None:
    """Let the letter that a chain begins or ends with take the chain's last value; keep equations in one unknown."""
    parts = [part for part in chain.parts if part.tree is not None]
    if len(parts) < 2 or any(sign not in "=≈" for sign in chain.relations):
        return
    first, last = parts[0], parts[-1]
    if isinstance(last.tree, Symbol) and not isinstance(first.tree, Symbol):
        first, last = last, first
    value = value_of(last, history.values())
    if value is not None:
        history.results.append((value, history.step))
        _bind(first, value, last, history)
    if not isinstance(first.tree, Symbol):
        _keep_equation(first, last, history)
    _keep_sum(parts, history)


def _bind(letter: Part, value: Value, last: Part, history: History) -> None:
    if not isinstance(letter.tree, Symbol) or last.tree is None:
        return
    name = letter.tree.name
    old = history.bindings.get(name)
    if old is not None and old.step == history.step and old.settled and not same(old.value, value):
        del history.bindings[name]  # "x = 5 or x = -5": the letter has no single value
        return
    history.bindings[name] = Binding(value, last.text, history.step, is_literal(last.tree))


def _keep_sum(parts: Sequence[Part], history: History) -> None:
    """Remember how many numbers a sum added: a mean divides by that."""
    for part in parts[:-1]:
        count = addends(part.tree)
        value = value_of(parts[-1]) if count >= 3 else None
        if isinstance(value, Fraction):
            history.sums[value] = count


def addends(tree: Expression | None) -> int:
    """How many numbers a plain sum adds; 0 for anything else."""
    if isinstance(tree, Number):
        return 1
    if not isinstance(tree, Operation) or tree.operator != "+":
        return 0
    counts = [addends(operand) for operand in tree.operands]
    return sum(counts) if all(counts) else 0


def _keep_equation(left: Part, right: Part, history: History) -> None:
    unknown = (symbols(left.tree) | symbols(right.tree)) - history.bindings.keys()
    if len(unknown) == 1 and left.tree is not None and right.tree is not None:
        text = f"{left.text} = {right.text}"
        history.equations.append(Equation(unknown.pop(), left.tree, right.tree, text, history.step))


def check_definitions(reading: Reading, history: History) -> Iterator[Finding]:
    """A rewriting of the question's expression by letters, and a later use of that rewriting.

    Runs after the letters of this step are bound. The rewriting must give the question's value with the parts put in;
    a later "the final equation is A - B" must be the rewriting again, not another one.
    """
    if history.template is None:
        yield from _check_rewriting(reading, history)
    else:
        yield from _check_use(reading, history, history.template)


def _check_rewriting(reading: Reading, history: History) -> Iterator[Finding]:
    here = {name: binding for name, binding in sorted(history.bindings.items()) if binding.step == history.step}
    asked, rewriting = _asked_expression(history.question), _rewriting(reading, here.keys())
    foreign = [name for name, part in here.items() if not _stands_in(part.text, history.question.text)]
    if asked is None or rewriting is None or rewriting.tree is None or len(foreign) == len(here):
        return
    history.template = rewriting.tree
    if foreign:
        said = f"{foreign[0]} = {here[foreign[0]].text}"
        yield Finding("definition-wrong", f"wrong: {said} does not stand in the question")
    else:
        yield _about_rewriting(rewriting, value_of(rewriting, history.values()), evaluate(asked))


def _about_rewriting(rewriting: Part, value: Value | None, expected: Value | None) -> Finding:
    put_in = f"{rewriting.text} with its parts put in is"
    if value is not None and expected is not None and same(value, expected):
        return Finding("definition-right", f"right: {put_in} {show(expected)}, as in the question")
    return Finding("definition-wrong", f"wrong: {put_in} not the question's expression")


def _rewriting(reading: Reading, here: Set[str]) -> Part | None:
    """The first expression of a step in several letters, all of them bound in it."""
    return next((part for part in reading.expressions if len(own := symbols(part.tree)) > 1 and own <= here), None)


def _asked_expression(question: Reading) -> Expression | None:
    """The longest expression without letters that the question holds, when it is more than one number."""
    parts = [part for chain in question.chains for part in chain.parts] + list(question.expressions)
    usable = [
        part for part in parts if isinstance(part.tree, Operation) and not symbols(part.tree) and _is_long(part.tree)
    ]
    return max(usable, key=lambda part: len(part.text)).tree if usable else None


def _is_long(tree: Expression) -> bool:
    return sum(isinstance(part, Number) for part in walk(tree)) >= 3


def _stands_in(definition: str, question: str) -> bool:
    def bare(text: str) -> str:
        return "".join(text.split()).strip("()")

    return bare(definition) in bare(question)


def _check_use(reading: Reading, history: History, template: Expression) -> Iterator[Finding]:
    wanted = symbols(template)
    for chain in reading.chains:
        first = chain.parts[0]
        if first.tree is None or not isinstance(first.tree, Operation) or symbols(first.tree) != wanted:
            continue
        value, expected = evaluate(first.tree, history.values()), evaluate(template, history.values())
        if value is not None and expected is not None and not same(value, expected):
            yield Finding("definition-wrong", f"wrong: {first.text} is not the rewriting of the question given before")


_WRONG_RULES = ("formula-wrong", "method-wrong", "definition-wrong")


def check_inheritance(reading: Reading, history: History) -> Iterator[Finding]:
    """Whether the step uses a number that an earlier step reached by an error."""
    if history.wrong_rule is not None and reading.chains:
        yield Finding("inherited", f"it follows step {history.wrong_rule}, which states a wrong rule")
        history.wrong_rule = None
        return
    used = next((quantity for quantity in reading.quantities if quantity in history.wrong_values), None)
    if used is not None:
        source = history.wrong_values[used]
        yield Finding("inherited", f"it uses {show(used)}, which step {source} reached by an error")


def note_wrong_results(reading: Reading, findings: Sequence[Finding], history: History) -> None:
    """Remember the results of a step with a fault, or of one that inherits a fault; numbers known before are spared."""
    kinds = {finding.kind for finding in findings}
    if kinds.isdisjoint(FAULTS | {"inherited"}):
        return
    if not reading.chains and not kinds.isdisjoint(_WRONG_RULES):
        history.wrong_rule = history.step
    for chain in reading.chains:
        result = _only_number(chain.parts[-1].tree)
        if result is not None and result not in history.numbers:
            history.wrong_values.setdefault(result, history.step)


def _only_number(tree: Expression | None) -> Fraction | None:
    numbers = [part.value for part in walk(tree) if isinstance(part, Number)] if tree is not None else []
    return numbers[0] if len(numbers) == 1 else None
