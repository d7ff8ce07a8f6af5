"""Rules that a step names: facts of geometry, percents, Pythagoras at the right angle that was named, the operation asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from evpv.judges.checks.equations import Chain, History, StepMath
from evpv.judges.checks.observations import Observation, verdict
from evpv.language.evaluation import evaluate
from evpv.language.expressions import Expression, Number, Operation, Symbol, is_literal
from evpv.language.questions import asking

_MOST_READ = 4000
_RIGHT_ANGLE = re.compile(
    r"\bright[- ]angle(?:d)?(?: mark)? (?:at|in) (?:point |vertex )?([A-Z])\b|\btangent to [^.]{1,60} at (?:point )?([A-Z])\b"
)
_SKIPPED = re.compile(
    r"\b(?:skipping the (?:details|steps|rest)|after (?:some|the usual|a few) (?:steps|work|algebra|calculations?)|"
    r"it is easy to see|it can be shown|one can show|working through the rest|omitting the details|"
    r"without going into detail)\b",
    re.IGNORECASE,
)
_SUPPLEMENTARY = r"\b(?:are|is) supplementary|add (?:up )?to 180|sum (?:to|is) 180"
_EQUAL = r"\b(?:are|is) (?:always )?(?:equal|congruent|the same)\b"


_FACTS = tuple(
    (re.compile(subject), re.compile(false), re.compile(true), name)
    for subject, false, true, name in (
        (r"\bcorresponding angles\b", _SUPPLEMENTARY, _EQUAL, "corresponding angles are equal"),
        (r"\balternate (?:interior |exterior )?angles\b", _SUPPLEMENTARY, _EQUAL, "alternate angles are equal"),
        (r"\b(?:vertical|vertically opposite) angles\b", _SUPPLEMENTARY, _EQUAL, "vertical angles are equal"),
        (r"\b(?:co-?interior|same-side interior|consecutive interior) angles\b", _EQUAL, _SUPPLEMENTARY,
          "co-interior angles are supplementary"),
        (r"\bexterior angle of a triangle\b|\ban exterior angle\b",
         r"supplementary to (?:each|the) remote|180°? minus the sum of the two remote",
         r"(?:is|equals) the sum of the (?:two )?(?:remote|opposite)",
          "an exterior angle is the sum of the remote ones"),
        (r"\binscribed angle\b", r"\b(?:twice|double) the central|equal to the central",
         r"\bhalf (?:of )?the (?:central|arc|angle at the cent)", "an inscribed angle is half of the central angle"),
        (r"\barea of a (?:right )?triangle\b", r"divided by (?:[013-9]|\d\d)|a third of|(?:base times height|leg times leg)\s*$",
         r"divided by 2|\bhalf\b|1/2", "the area of a triangle is half of base times height"),
        (r"\bslope\b", r"\brun (?:divided by|over) (?:the )?rise\b|\bsum of (?:the )?rise and (?:the )?run\b",
         r"\brise (?:divided by|over) (?:the )?run\b", "the slope is rise over run"),
        (r"\bcontinuous but not differentiable\b", r"\b(?:gap|jump|hole)\b", r"\b(?:corner|kink|cusp)\b",
          "a graph is continuous but not differentiable at a corner"),
        (r"\d ?\\?% of [^.\n]{1,40}multiply by [^.\n]{1,20}and divide by \d", r"divide by (?!100\b)\d", r"divide by 100\b",
          "a percent is divided by 100"),
        (r"\bangles (?:of|in) (?:a|any|the) triangle\b", r"(?:add(?: up)?|sum)[^.]{0,20} (?:to|is) (?!180)\d", r"(?:to|is) 180\b",
          "the angles of a triangle add to 180°"),
    )
)  # fmt: skip
"""What a sentence speaks of, the false thing it may say of it, the true one, and the fact."""


_SENTENCE_ENDS = re.compile(r"[.\n;]")


def check_facts(reading: StepMath) -> Iterator[Observation]:
    """Each sentence that speaks of a known fact; and steps that say they leave the work out."""
    text = reading.text[:_MOST_READ].lower()
    for subject, false, true, name in _FACTS:
        if subject.search(text) is None:
            continue
        for sentence in _SENTENCE_ENDS.split(text):
            is_false = false.search(sentence) is not None
            if subject.search(sentence) and " not " not in sentence and (is_false or true.search(sentence)):
                yield verdict("formula", not is_false, name, name)
    if _SKIPPED.search(text):
        yield Observation("skipped-work", "the step gives a result without the work")


_VERBS = {"+": re.compile(r"\b(?:add|adding|sum of)\b"), "-": re.compile(r"\b(?:subtract|subtracting|difference)\b")}
_METHODS = (
    (re.compile(r"\b(?:how (?:many|much) (?:more|fewer|less|higher|lower)|by how much|difference between)\b"), "a difference", "-"),
    (re.compile(r"\b(?:in total|altogether|together|combined|in all)\b"), "a total", "+"),
)  # fmt: skip
_MONEY = re.compile(r"\$|\b(?:have|has) enough\b|\bleft\b|\bbuy\b")


@lru_cache(maxsize=64)
def _asked_method(question: str) -> tuple[str, str] | None:
    """What a question asks for and the sign that gives it; None for questions with money or several conditions, which may need both."""
    asked = asking(question).lower()
    found = [(name, sign) for pattern, name, sign in _METHODS if pattern.search(asked)]
    return found[0] if len(found) == 1 and not _MONEY.search(question) else None


def check_method(reading: StepMath, history: History) -> Iterator[Observation]:
    """The only operation of a step, or else its verb, against what the question asks for."""
    if (method := _asked_method(history.question.text)) is None:
        return
    text = reading.text[:2000].lower()
    used = {sign for chain in reading.chains for part in chain.parts if (sign := _only_sign(part.tree))}
    used = used or {sign for sign, verb in _VERBS.items() if verb.search(text)}
    if len(used) == 1:
        sentence = f"the question asks for {method[0]}, the step {'adds' if used == {'+'} else 'subtracts'}"
        yield verdict("method", used == {method[1]}, sentence, sentence)


def _only_sign(tree: Expression | None) -> str | None:
    """The sign of a single sum or difference of two numbers."""
    if not isinstance(tree, Operation) or tree.operator not in ("+", "-") or evaluate(tree) is None:
        return None
    return tree.operator if all(is_literal(operand) for operand in tree.operands) else None


def check_pythagoras(reading: StepMath, history: History) -> Iterator[Observation]:
    """XY² is a sum of squares when XY faces the one right angle that was named, else a difference."""
    for text in (history.question.text, reading.text) if history.step == 0 else (reading.text,):
        history.right_angles.update(match[1] or match[2] for match in _RIGHT_ANGLE.finditer(text[:_MOST_READ]))
    for chain in reading.chains if len(history.right_angles) == 1 else ():
        yield from _check_squares(chain, *history.right_angles)


def _check_squares(chain: Chain, vertex: str) -> Iterator[Observation]:
    sign = next(filter(None, (_sign_of_squares(part.tree) for part in chain.parts[1:])), None)
    match chain.parts[0].tree:
        case Operation("^", (Symbol(side), _)) if sign and len(side) == 2 and side.isupper():
            is_leg = vertex in side
            place = f"{side} is {'a leg' if is_leg else 'the hypotenuse'} of the right angle at {vertex}"
            rule = f"so its square is the {'difference' if is_leg else 'sum'} of the others"
            yield verdict("formula", sign == ("-" if is_leg else "+"), place, f"{place}, {rule}")


def _sign_of_squares(tree: Expression | None) -> str | None:
    """The sign between two squares of numbers."""
    match tree:
        case Operation("+" | "-" as sign, (Operation("^", (_, Number())), Operation("^", (_, Number())))):
            return sign
    return None
