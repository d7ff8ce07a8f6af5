"""What a step says in words and rules that it names: facts of geometry, statements about its own list of numbers, means and percents.

Formulas that it knows: a step that names one and states or applies it wrongly is found; sums of angles and right triangles too.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evpv.judges.checks.equations import addends
from evpv.judges.checks.findings import Finding, History, right_angles, value_of, verdict
from evpv.judges.checks.tables import asking
from evpv.language.chains import Chain, Part, Reading
from evpv.language.evaluation import evaluate, show
from evpv.language.expressions import PI, Expression, Number, Operation, Symbol, is_literal, walk
from evpv.language.math_tokens import MAX_CHARS

_SENTENCE_ENDS = re.compile(r"[.\n;]")
_ANGLE = re.compile(r"\bangles?\b|∠")
_STRAIGHT = re.compile(r"\b(?:supplementary|straight (?:line|angle)|linear pair|co-?interior)\b", re.IGNORECASE)
_COMPLEMENTARY = re.compile(r"\bcomplementary\b", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:sum|add(?:s|ed)?|total|straight angle)\b[^.\n]{0,80}?\b(?:is|to|up to|equals?|of|measures|=)\s+"
    r"(\d{2,4}) ?(?:°|degrees)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Fact:
    """What a sentence speaks of, the false thing it may say of it, and the true one."""

    subject: re.Pattern[str]
    false: re.Pattern[str]
    true: re.Pattern[str]
    name: str


def _fact(subject: str, false: str, true: str, name: str) -> _Fact:
    return _Fact(re.compile(subject), re.compile(false), re.compile(true), name)


_SUPPLEMENTARY = r"\b(?:are|is) supplementary|add (?:up )?to 180|sum (?:to|is) 180"
_EQUAL = r"\b(?:are|is) (?:always )?(?:equal|congruent|the same)\b"

FACTS: tuple[_Fact, ...] = (
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
class _Method:
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
_METHODS: tuple[_Method, ...] = (
    _Method(re.compile(_COMPARISON, re.IGNORECASE), "a difference", "-", "+"),
    _Method(re.compile(r"\b(?:in total|altogether|together|combined|in all)\b", re.IGNORECASE), "a total", "+", "-"),
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


def _method(question: str) -> _Method | None:
    found = [method for method in _METHODS if method.asked.search(asking(question))]
    money = "$" in question or re.search(r"\b(?:have|has) enough\b|\bleft\b|\bbuy\b", question)
    return found[0] if len(found) == 1 and not money else None


def _simple(tree: Expression | None) -> str | None:
    """The sign of a single operation on two numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-") or evaluate(tree) is None:
        return None
    return tree.operator if all(is_literal(operand) for operand in tree.operands) else None


@dataclass(frozen=True, slots=True)
class _Formula:
    """A formula's name, the words a sentence must hold and must not hold, and whether a tree may be its use."""

    name: str
    named: tuple[str, ...]
    unless: tuple[str, ...]
    fits: Callable[[Expression], bool]


def _numbers(tree: Expression) -> list[Fraction]:
    return [part.value for part in walk(tree) if isinstance(part, Number)]


def _operators(tree: Expression) -> list[str]:
    return [part.operator for part in walk(tree) if isinstance(part, Operation)]


def _letters(tree: Expression) -> set[str]:
    return {part.name for part in walk(tree) if isinstance(part, Symbol)}


def _has_pi(tree: Expression) -> bool:
    near = any(Fraction("3.14") <= value <= Fraction("3.15") for value in _numbers(tree))
    return "pi" in _operators(tree) or near


def _has_factor(tree: Expression, above: int, below: int) -> bool:
    """Whether a product holds above/below, as a fraction, a decimal or a division by `below`."""
    numbers, operators = _numbers(tree), _operators(tree)
    written = any(abs(value - Fraction(above, below)) < Fraction(1, 100) for value in numbers)
    return written or ("/" in operators and Fraction(below) in numbers)


def _squares(tree: Expression) -> bool:
    """Whether something is squared: x^2, or the same number twice in a product."""
    numbers = [value for value in _numbers(tree) if value != 2]
    return "^" in _operators(tree) or len(numbers) > len(set(numbers))


def _is_volume(tree: Expression) -> bool:
    return _has_pi(tree) and "^" in _operators(tree)


def _only(operators: set[str]) -> Callable[[Expression], bool]:
    return lambda tree: set(_operators(tree)) <= operators


_FORMULAS: tuple[_Formula, ...] = (
    _Formula("the area of a triangle is half of base times height", ("area", "triangle"),
            ("rectangle", "square", "parallelogram", "circle", "equilateral", "trapez", "ratio", "similar", "prism", "radius",
             "sin", "times the", "total"),
            lambda tree: _has_factor(tree, 1, 2) or not _only({"*"})(tree) or not _letters(tree) <= set("bhBH")),
    _Formula("the area of a circle is π times the radius squared", ("area", "circle"),
            ("sector", "semi", "square", "rectangle", "shaded", "circumference", "ring", "quarter", "half"),
            lambda tree: not _has_pi(tree) or _squares(tree)),
    _Formula("the circumference of a circle is 2π times the radius", ("circumference",), ("area", "semi", "arc", "half"),
            lambda tree: not _has_pi(tree) or not _squares(tree)),
    _Formula("the volume of a cone is a third of π r² h", ("cone",), ("cylinder", "sphere", "total", "ratio", "area"),
            lambda tree: not _is_volume(tree) or _has_factor(tree, 1, 3)),
    _Formula("the volume of a sphere is 4/3 π r³", ("sphere",), ("hemi", "cylinder", "cone", "total", "area"),
            lambda tree: not _is_volume(tree) or _has_factor(tree, 4, 3)),
    _Formula("the volume of a hemisphere is 2/3 π r³", ("hemisphere",), ("cylinder", "cone", "total", "area"),
            lambda tree: not _is_volume(tree) or (_has_factor(tree, 2, 3) and Fraction(4) not in _numbers(tree))),
    _Formula("the volume of a cylinder is π r² h", ("cylinder",), ("cone", "sphere", "total", "half", "area"),
            lambda tree: not _is_volume(tree) or not _has_factor(tree, 1, 3)),
    _Formula("the area of a trapezoid is half of (a + b) times h", ("trapez",), ("triangle", "rectangle", "perimeter", "half"),
            lambda tree: not {"+", "*"} <= set(_operators(tree)) or _has_factor(tree, 1, 2)),
    _Formula("the perimeter of a rectangle is twice the sum of its sides", ("perimeter", "rectangle"), ("area",),
            lambda tree: "+" in _operators(tree)),
    _Formula("the area of a rectangle is length times width", ("area", "rectangle"),
            ("perimeter", "total", "two", "triangle", "sum", "shaded", "surface", "circle"),
            lambda tree: "+" not in _operators(tree) or "*" in _operators(tree)),
    _Formula("the hypotenuse is the root of the sum of the squares", ("hypotenuse",), ("leg", "other side", "missing"),
            lambda tree: "sqrt" not in _operators(tree) or "-" not in _operators(tree)),
)  # fmt: skip


def check_formulas(reading: Reading) -> Iterator[Finding]:
    """The formulas that the step's words name, against its first expression."""
    low = reading.text.lower()
    for formula in _FORMULAS:
        if all(word in low for word in formula.named) and not any(word in low for word in formula.unless):
            yield from _check_use(formula, reading)


def _check_use(formula: _Formula, reading: Reading) -> Iterator[Finding]:
    """The first expression of the step decides: later ones may be other work."""
    parts = [*reading.expressions, *(part for chain in reading.chains for part in chain.parts)]
    used = [(part.start, part.text, part.tree) for part in parts if part.tree is not None and _has_two_terms(part.tree)]
    if not used:
        return
    _, text, tree = min(used, key=lambda use: use[0])
    sentence = f"{formula.name}; here {text}"
    yield verdict("formula", formula.fits(tree), sentence, sentence)


def _has_two_terms(tree: Expression) -> bool:
    return sum(isinstance(part, Number | Symbol) or part == PI for part in walk(tree)) > 1


_SHAPES = {"triangle": 180, "quadrilateral": 360, "pentagon": 540, "hexagon": 720, "heptagon": 900, "octagon": 1080}


def check_angles(reading: Reading, history: History) -> Iterator[Finding]:
    """Angle sums stated in words or as an equation, and Pythagoras where the right angle was named."""
    yield from _check_stated_sum(reading.text)
    for chain in reading.chains:
        yield from _check_triangle_sum(chain)
    vertices = history.right_angles | right_angles(reading.text)
    if len(vertices) == 1:
        for chain in reading.chains:
            yield from _check_pythagoras(chain, *vertices)


def _check_stated_sum(text: str) -> Iterator[Finding]:
    for sentence in _SENTENCE_ENDS.split(text[:4000]):
        expected, stated = _known_sum(sentence.lower()), _SUM.search(sentence)
        if expected is None or stated is None:
            continue
        right, wrong = f"the angles add to {expected}°", f"these angles add to {expected}°, not {stated[1]}°"
        yield verdict("formula", int(stated[1]) == expected, right, wrong)


def _known_sum(sentence: str) -> int | None:
    """What the angles that a sentence is about add to; None where it is about others: two of them, or exterior ones."""
    if "exterior" in sentence or "two" in sentence:
        return None
    if _STRAIGHT.search(sentence):
        return 180
    if _COMPLEMENTARY.search(sentence):
        return 90
    if not _ANGLE.search(sentence):
        return None
    return next((degrees for shape, degrees in _SHAPES.items() if shape in sentence), None)


def _check_triangle_sum(chain: Chain) -> Iterator[Finding]:
    value = value_of(chain.parts[-1]) if _adds_angles_of_triangle(chain.parts[0].tree) else None
    if value is not None:
        rule = "the angles of a triangle add to 180°"
        yield verdict("formula", value == 180, rule, f"{rule}, not {chain.parts[-1].text}")


def _adds_angles_of_triangle(tree: Expression | None) -> bool:
    """∠ABC + ∠BCA + ∠CAB: three angles over the same three letters, each letter once in the middle."""
    if tree is None or not set(_operators(tree)) <= {"+"}:
        return False
    names = [part.name for part in walk(tree) if isinstance(part, Symbol)]
    if [(name[:1], len(name)) for name in names] != [("∠", 4)] * 3:
        return False
    return len(set("".join(names))) == 4 and len({name[2] for name in names}) == 3


def _check_pythagoras(chain: Chain, vertex: str) -> Iterator[Finding]:
    """XY² is a sum of squares when XY faces the right angle, else a difference."""
    side = _squared_side(chain.parts[0])
    sign = next((sign for part in chain.parts[1:] if (sign := _sign_of_squares(part.tree))), None)
    if side is None or sign is None:
        return
    needed = "-" if vertex in side else "+"
    what, rule = ("a leg", "the difference") if needed == "-" else ("the hypotenuse", "the sum")
    place = f"{side} is {what} of the right angle at {vertex}"
    yield verdict("formula", sign == needed, place, f"{place}, so its square is {rule} of the others")


def _squared_side(part: Part) -> str | None:
    tree = part.tree
    if not isinstance(tree, Operation) or tree.operator != "^" or not isinstance(tree.operands[0], Symbol):
        return None
    name = tree.operands[0].name
    return name if len(name) == 2 and name.isupper() else None


def _sign_of_squares(tree: Expression | None) -> str | None:
    """The sign between two squares of numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-"):
        return None
    squares = [part for part in tree.operands if isinstance(part, Operation) and part.operator == "^"]
    return (
        tree.operator if len(squares) == 2 and all(isinstance(part.operands[1], Number) for part in squares) else None
    )
