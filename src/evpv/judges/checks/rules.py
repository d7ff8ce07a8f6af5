"""What a step says in words: facts of geometry, statements about its own list of numbers, means and percents, and the question's operation."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.equations import addends
from evpv.judges.checks.findings import Finding, verdict
from evpv.judges.checks.history import History
from evpv.judges.checks.tables import asking
from evpv.language.chains import Chain, Reading
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


def check_facts(reading: Reading) -> Iterator[Finding]:
    """Each sentence that speaks of a known fact; and steps that say they leave the work out, or cannot be done."""
    for sentence in re.split(r"[.;\n]", reading.text[:4000].lower()):
        for fact in FACTS:
            if not fact.subject.search(sentence) or " not " in sentence:
                continue
            is_false = fact.false.search(sentence) is not None
            if is_false or fact.true.search(sentence):
                yield verdict("formula", not is_false, fact.name, fact.name)
    if _REFUSAL.search(reading.text[:4000]):
        yield Finding("refusal", "the step says that the question cannot be answered")
    if _SKIPPED.search(reading.text[:4000]):
        yield Finding("skipped-work", "the step gives a result without the work")


_Numbers = Sequence[Fraction]

_ORDERS = re.compile(r"\b(?:in order|order(?:ed|ing)?|arrange[sd]?|sort(?:ed)?|least to greatest)\b", re.IGNORECASE)
_NUMBER = r"\$?(-?\d[\d,]*(?:\.\d+)?)(?!\d|/|\s?[-+×÷*/=−]|\.\d)"
_LIST = r"[-−\d.,\sand]{3,400}?"


def _only_mode(numbers: _Numbers) -> Fraction | None:
    modes = statistics.multimode(numbers)
    return modes[0] if len(modes) == 1 else None


_FACTS: tuple[tuple[str, re.Pattern[str], Callable[[_Numbers], Fraction | None]], ...] = tuple(
    (f"the {name} of the numbers", re.compile(pattern, re.IGNORECASE), fact)
    for name, pattern, fact in (
        ("greatest", rf"\b(?:greatest|largest|highest|maximum)(?: number| value)?(?: of (?:these|them|{_LIST}))? is {_NUMBER}", max),
        ("least", rf"\b(?:least|smallest|lowest|minimum)(?: number| value)?(?: of (?:these|them|{_LIST}))? is {_NUMBER}", min),
        ("count", rf"\bthere are {_NUMBER} (?:numbers|values|data points|items)\b", lambda numbers: Fraction(len(numbers))),
        ("median", rf"\bmedian(?: of the \w+)? is {_NUMBER}", lambda numbers: Fraction(statistics.median(numbers))),
        ("mode", rf"\b(?:mode(?: of the \w+)?|(?:occurs|appears) (?:the )?most(?: often)?) is {_NUMBER}", _only_mode),
        ("range", rf"\brange(?: of the \w+)? is {_NUMBER}", lambda numbers: max(numbers) - min(numbers)),
    )
)  # fmt: skip


def check_statements(reading: Reading, history: History) -> Iterator[Finding]:
    """What a step says about the numbers listed last, and a second list that should be the first one in order."""
    numbers: _Numbers = ()
    for earlier in reversed(history.readings):
        if earlier.lists:
            numbers = max(earlier.lists, key=len)
            break
    if reading.lists and numbers and _ORDERS.search(f"{history.readings[-1].text[-400:]} {reading.text[:400]}"):
        yield from _check_order(numbers, max(reading.lists, key=len))
    if reading.lists:
        numbers = max(reading.lists, key=len)
    if len(numbers) < 3:
        return
    for name, pattern, fact in _FACTS:
        for match in pattern.finditer(reading.text[:MAX_CHARS]):
            yield from _check_fact(name, fact(numbers), match[1])


def _check_fact(name: str, value: Fraction | None, said: str) -> Iterator[Finding]:
    if value is None:
        return
    stated = Fraction(said.replace(",", ""))
    places = len(said.partition(".")[2])
    rounded = places > 0 and abs(stated - value) <= Fraction(1, 2 * 10**places)
    yield verdict("statement", rounded or stated == value, f"{name} is {said}", f"{name} is {show(value)}, not {said}")


def _check_order(before: _Numbers, now: _Numbers) -> Iterator[Finding]:
    """A later list of the same length, in order, must hold the same numbers."""
    ordered = list(now) == sorted(now) or list(now) == sorted(now, reverse=True)
    if not ordered or abs(len(now) - len(before)) > 2 or list(before) == list(now):
        return
    lost, new = list((Counter(before) - Counter(now)).elements()), list((Counter(now) - Counter(before)).elements())
    change = f"lost {', '.join(map(show, lost[:3])) or 'none'}, new {', '.join(map(show, new[:3])) or 'none'}"
    wrong = f"the ordered numbers are not the numbers listed before ({change})"
    yield verdict("statement", not lost and not new, "the same numbers, in order", wrong)


_MEAN = re.compile(r"\b(?:mean|average)\b")
_MEAN_IS = re.compile(r"\b(?:mean|average|answer) is \$?(\d[\d,]*(?:\.\d+)?)(?![\d/]| ?[÷/])", re.IGNORECASE)
_PERCENT_RULE = re.compile(r"\d ?\\?% of [^.\n]{1,40}multiply by [^.\n]{1,20}and divide by (\d{1,6})", re.IGNORECASE)


def check_shares(reading: Reading, history: History) -> Iterator[Finding]:
    """Each division of a sum where a mean is asked for or spoken of, and each percent put in words."""
    asked = _MEAN.search(history.question.text.lower()) is not None
    if asked:
        yield from _check_sum_as_mean(reading, history)
    if asked or _MEAN.search(reading.text.lower()):
        for chain in reading.chains:
            yield from _check_mean(chain, history)
    for match in _PERCENT_RULE.finditer(reading.text[:4000]):
        rule = "a percent is divided by 100"
        yield verdict("formula", match[1] == "100", rule, f"{rule}, not by {match[1]}")


def _check_mean(chain: Chain, history: History) -> Iterator[Finding]:
    """A sum divided by how many numbers it adds: written out here, or worked out before."""
    for part in chain.parts:
        tree = part.tree
        if not isinstance(tree, Operation) or tree.operator != "/" or not isinstance(tree.operands[1], Number):
            continue
        above, divisor = tree.operands[0], tree.operands[1].value
        count = history.sums.get(above.value, 0) if isinstance(above, Number) else addends(above)
        if count >= 2:
            wrong = f"a mean of {count} numbers divides by {count}, not by {divisor}"
            yield verdict("formula", count == divisor, f"{count} numbers divided by {count}", wrong)


def _check_sum_as_mean(reading: Reading, history: History) -> Iterator[Finding]:
    for match in _MEAN_IS.finditer(reading.text[:4000]):
        count = history.sums.get(Fraction(match[1].replace(",", "")), 0)
        if count > 1:
            yield Finding("formula-wrong", f"wrong: {match[1]} is the sum of {count} numbers, not their mean")


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


def check_method(reading: Reading, history: History) -> Iterator[Finding]:
    """The verb or the only operation of a step against what the question asks for.

    Questions with numbers or several conditions may need both operations, so only plain ones are judged.
    """
    method = _method(history.question.text)
    if method is None:
        return
    operators = {operator for chain in reading.chains for part in chain.parts if (operator := _simple(part.tree))}
    said = {sign for sign, verb in _VERBS.items() if verb.search(reading.text[:2000])}
    used = operators or said
    if used in ({method.wrong}, {method.right}):
        sentence = f"the question asks for {method.name}, the step {'adds' if used == {'+'} else 'subtracts'}"
        yield verdict("method", used == {method.right}, sentence, sentence)


def _method(question: str) -> Method | None:
    found = [method for method in _METHODS if method.asked.search(asking(question))]
    money = "$" in question or re.search(r"\b(?:have|has) enough\b|\bleft\b|\bbuy\b", question)
    return found[0] if len(found) == 1 and not money else None


def _simple(tree: Expression | None) -> str | None:
    """The sign of a single operation on two numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-") or evaluate(tree) is None:
        return None
    return tree.operator if all(is_literal(operand) for operand in tree.operands) else None
