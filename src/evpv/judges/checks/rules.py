"""What a step says in words: facts of geometry, statements about its own list of numbers, means and percents, and the question's operation."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.equations import addends
from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.questions.asked import asking
from evpv.judges.checks.readings import Chain, Reading
from evpv.language.evaluation import evaluate, show
from evpv.language.expressions import Expression, Number, Operation, is_literal
from evpv.language.math_tokens import MAX_CHARS


@dataclass(frozen=True, slots=True)
class Fact:
    """What a sentence speaks of, the false thing it may say of it, and the true one."""

    subject: re.Pattern[str]
    false: re.Pattern[str]
    true: re.Pattern[str]
    name: str


def _fact(subject: str, false: str, true: str, name: str) -> Fact:
    return Fact(re.compile(subject), re.compile(false), re.compile(true), name)


_SUPPLEMENTARY = r"\b(?:are|is) supplementary|add (?:up )?to 180|sum (?:to|is) 180"
_EQUAL = r"\b(?:are|is) (?:always )?(?:equal|congruent|the same)\b"

FACTS: tuple[Fact, ...] = (
    _fact(r"\bcorresponding angles\b", _SUPPLEMENTARY, _EQUAL, "corresponding angles are equal"),
    _fact(r"\balternate (?:interior |exterior )?angles\b", _SUPPLEMENTARY, _EQUAL, "alternate angles are equal"),
    _fact(r"\b(?:vertical|vertically opposite) angles\b", _SUPPLEMENTARY, _EQUAL, "vertical angles are equal"),
    _fact(r"\b(?:co-?interior|same-side interior|consecutive interior) angles\b", _EQUAL, _SUPPLEMENTARY,
          "co-interior angles are supplementary"),
    _fact(r"\bexterior angle of a triangle\b|\ban exterior angle\b",
          r"supplementary to (?:each|the) remote|180°? minus the sum of the two remote",
          r"(?:is|equals) the sum of the (?:two )?(?:remote|opposite)",
          "an exterior angle is the sum of the remote ones"),
    _fact(r"\binscribed angle\b", r"\b(?:twice|double) the central|equal to the central",
          r"\bhalf (?:of )?the (?:central|arc|angle at the cent)", "an inscribed angle is half of the central angle"),
    _fact(r"\barea of a (?:right )?triangle\b", r"divided by (?:[013-9]|\d\d)|a third of|(?:base times height|leg times leg)\s*$",
          r"divided by 2|\bhalf\b|1/2", "the area of a triangle is half of base times height"),
    _fact(r"\bslope\b", r"\brun (?:divided by|over) (?:the )?rise\b|\bsum of (?:the )?rise and (?:the )?run\b",
          r"\brise (?:divided by|over) (?:the )?run\b", "the slope is rise over run"),
    _fact(r"\bcontinuous but not differentiable\b", r"\b(?:gap|jump|hole)\b", r"\b(?:corner|kink|cusp)\b",
          "a graph is continuous but not differentiable at a corner"),
    _fact(r"\bcomplementary\b", r"add (?:up )?to 180|sum (?:to|is) 180", r"add (?:up )?to 90|sum (?:to|is) 90",
          "complementary angles add to 90°"),
)  # fmt: skip

_SKIPPED = re.compile(
    r"\b(?:skipping the (?:details|steps|rest)|after (?:some|the usual|a few) (?:steps|work|algebra|calculations?)|"
    r"it is easy to see|it can be shown|one can show|working through the rest|omitting the details|"
    r"without going into detail)\b",
    re.IGNORECASE,
)

_REFUSAL = re.compile(
    r"\b(?:cannot be (?:determined|answered|found)|not enough information|unable to (?:determine|answer|see|solve)|"
    r"cannot (?:determine|answer|see)|can't (?:determine|answer|see)|please (?:provide|revise|upload)|"
    r"no (?:image|diagram|picture|figure) (?:was|is|has been) (?:provided|given|shown|attached))\b",
    re.IGNORECASE,
)


def check_facts(step: int, reading: Reading) -> Iterator[Finding]:
    """Each sentence that speaks of a known fact; and steps that say they leave the work out, or cannot be done."""
    for sentence in re.split(r"[.;\n]", reading.text[:4000].lower()):
        for fact in FACTS:
            if not fact.subject.search(sentence) or " not " in sentence:
                continue
            if fact.false.search(sentence):
                yield Finding(kind="formula-wrong", explanation=f"wrong: {fact.name}", step=step)
            elif fact.true.search(sentence):
                yield Finding(kind="formula-right", explanation=f"right: {fact.name}", step=step)
    if _REFUSAL.search(reading.text[:4000]):
        yield Finding(kind="refusal", explanation="the step says that the question cannot be answered", step=step)
    if _SKIPPED.search(reading.text[:4000]):
        yield Finding(kind="skipped-work", explanation="the step gives a result without the work", step=step)


_Numbers = Sequence[Fraction]

_ORDERS = re.compile(r"\b(?:in order|order(?:ed|ing)?|arrange[sd]?|sort(?:ed)?|least to greatest)\b", re.IGNORECASE)
_NUMBER = r"\$?(-?\d[\d,]*(?:\.\d+)?)(?!\d|/|\s?[-+×÷*/=−]|\.\d)"
_LIST = r"[-−\d.,\sand]{3,400}?"
_FACTS: tuple[tuple[str, re.Pattern[str], Callable[[_Numbers], Fraction | None]], ...] = (
    (
        "the greatest of the numbers",
        re.compile(
            rf"\b(?:greatest|largest|highest|maximum)(?: number| value)?(?: of (?:these|them|{_LIST}))? is {_NUMBER}",
            re.IGNORECASE,
        ),
        max,
    ),
    (
        "the least of the numbers",
        re.compile(
            rf"\b(?:least|smallest|lowest|minimum)(?: number| value)?(?: of (?:these|them|{_LIST}))? is {_NUMBER}",
            re.IGNORECASE,
        ),
        min,
    ),
    (
        "the count of the numbers",
        re.compile(rf"\bthere are {_NUMBER} (?:numbers|values|data points|items)\b", re.IGNORECASE),
        lambda numbers: Fraction(len(numbers)),
    ),
    (
        "the median of the numbers",
        re.compile(rf"\bmedian(?: of the \w+)? is {_NUMBER}", re.IGNORECASE),
        lambda numbers: Fraction(statistics.median(numbers)),
    ),
    (
        "the mode of the numbers",
        re.compile(rf"\b(?:mode(?: of the \w+)?|(?:occurs|appears) (?:the )?most(?: often)?) is {_NUMBER}", re.I),
        lambda numbers: statistics.multimode(numbers)[0] if len(statistics.multimode(numbers)) == 1 else None,
    ),
    (
        "the range of the numbers",
        re.compile(rf"\brange(?: of the \w+)? is {_NUMBER}", re.IGNORECASE),
        lambda numbers: max(numbers) - min(numbers),
    ),
)


def check_statements(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """What a step says about the numbers listed last, and a second list that should be the first one in order."""
    numbers: _Numbers = ()
    for earlier in reversed(history.readings):
        if earlier.lists:
            numbers = max(earlier.lists, key=len)
            break
    if reading.lists and numbers and _ORDERS.search(f"{history.readings[-1].text[-400:]} {reading.text[:400]}"):
        yield from _check_order(step, numbers, max(reading.lists, key=len))
    if reading.lists:
        numbers = max(reading.lists, key=len)
    if len(numbers) < 3:
        return
    for name, pattern, fact in _FACTS:
        for match in pattern.finditer(reading.text[:MAX_CHARS]):
            yield from _check_fact(step, name, fact(numbers), match[1])


def _check_fact(step: int, name: str, value: Fraction | None, said: str) -> Iterator[Finding]:
    if value is None:
        return
    stated = Fraction(said.replace(",", ""))
    places = len(said.partition(".")[2])
    rounded = places > 0 and abs(stated - value) <= Fraction(1, 2 * 10**places)
    if rounded or stated == value:
        yield Finding(kind="statement-right", explanation=f"right: {name} is {said}", step=step)
    else:
        yield Finding(kind="statement-wrong", explanation=f"wrong: {name} is {show(value)}, not {said}", step=step)


def _check_order(step: int, before: _Numbers, now: _Numbers) -> Iterator[Finding]:
    """A later list of the same length, in order, must hold the same numbers."""
    ordered = list(now) == sorted(now) or list(now) == sorted(now, reverse=True)
    if not ordered or abs(len(now) - len(before)) > 2 or list(before) == list(now):
        return
    if sorted(before) == sorted(now):
        yield Finding(kind="statement-right", explanation="right: the same numbers, in order", step=step)
    else:
        lost = [value for value in before if list(before).count(value) > list(now).count(value)]
        new = [value for value in now if list(now).count(value) > list(before).count(value)]
        change = f"lost {', '.join(map(show, lost[:3])) or 'none'}, new {', '.join(map(show, new[:3])) or 'none'}"
        explanation = f"wrong: the ordered numbers are not the numbers listed before ({change})"
        yield Finding(kind="statement-wrong", explanation=explanation, step=step)


_MEAN = re.compile(r"\b(?:mean|average)\b")
_MEAN_IS = re.compile(r"\b(?:mean|average|answer) is \$?(\d[\d,]*(?:\.\d+)?)(?![\d/]| ?[÷/])", re.IGNORECASE)
_PERCENT_RULE = re.compile(r"\d ?\\?% of [^.\n]{1,40}multiply by [^.\n]{1,20}and divide by (\d{1,6})", re.IGNORECASE)


def check_shares(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """Each division of a sum where a mean is asked for or spoken of, and each percent put in words."""
    asked = _MEAN.search(history.question.text.lower()) is not None
    if asked:
        yield from _check_sum_as_mean(step, reading, history)
    if asked or _MEAN.search(reading.text.lower()):
        for chain in reading.chains:
            yield from _check_mean(step, chain, history)
    for match in _PERCENT_RULE.finditer(reading.text[:4000]):
        if match[1] == "100":
            yield Finding(kind="formula-right", explanation="right: a percent is divided by 100", step=step)
        else:
            explanation = f"wrong: a percent is divided by 100, not by {match[1]}"
            yield Finding(kind="formula-wrong", explanation=explanation, step=step)


def _check_mean(step: int, chain: Chain, history: History) -> Iterator[Finding]:
    """A sum divided by how many numbers it adds: written out here, or worked out before."""
    for part in chain.parts:
        tree = part.tree
        if not isinstance(tree, Operation) or tree.operator != "/" or not isinstance(tree.operands[1], Number):
            continue
        above, divisor = tree.operands[0], tree.operands[1].value
        count = history.sums.get(above.value, 0) if isinstance(above, Number) else addends(above)
        if count < 2:
            continue
        if count == divisor:
            yield Finding(kind="formula-right", explanation=f"right: {count} numbers divided by {count}", step=step)
        else:
            explanation = f"wrong: a mean of {count} numbers divides by {count}, not by {divisor}"
            yield Finding(kind="formula-wrong", explanation=explanation, step=step)


def _check_sum_as_mean(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    for match in _MEAN_IS.finditer(reading.text[:4000]):
        count = history.sums.get(Fraction(match[1].replace(",", "")), 0)
        if count > 1:
            explanation = f"wrong: {match[1]} is the sum of {count} numbers, not their mean"
            yield Finding(kind="formula-wrong", explanation=explanation, step=step)


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
_METHODS: tuple[Method, ...] = (
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
    found = [method for method in _METHODS if method.asked.search(asking(question))]
    money = "$" in question or re.search(r"\b(?:have|has) enough\b|\bleft\b|\bbuy\b", question)
    return found[0] if len(found) == 1 and not money else None


def _simple(tree: Expression | None) -> str | None:
    """The sign of a single operation on two numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-") or evaluate(tree) is None:
        return None
    return tree.operator if all(is_literal(operand) for operand in tree.operands) else None


def _verb(sign: str) -> str:
    return "adds" if sign == "+" else "subtracts"
