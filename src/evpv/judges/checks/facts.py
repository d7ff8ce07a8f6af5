"""Facts of geometry that a step states in words: which angles are equal, which add to 180°."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.readings import Reading


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
