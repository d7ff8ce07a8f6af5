"""Where a step's numbers come from: the question, the evidence, an earlier step, or one operation on those."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import evaluate, show

_CONCLUDES = re.compile(r"\s*(?:so|hence|therefore|thus|consequently|this gives|we get)\b", re.IGNORECASE)
_LOOKS = re.compile(
    r"\b(?:figure|diagram|picture|graph|chart|table|shown|shows|marked|labell?ed|see|read|row|column)\b", re.IGNORECASE
)
_MAX_KNOWN = 200
_MAX_TRACED = 40
# Numbers that methods bring along: counts, halves, thirds, percents, angle sums, approximations of π.
_COMMON = frozenset(
    Fraction(text) for text in ("0.5", "3.14", "3.1416", "12", "24", "30", "45", "60", "90")
) | frozenset(Fraction(number) for number in (*range(11), 100, 180, 270, 360, 540, 720, 1000))


def check_provenance(step: int, reading: Reading, history: History, evidence: frozenset[Fraction]) -> Iterator[Finding]:
    """One finding for the step: all its numbers are accounted for, or these are not.

    Not for readings without evidence: any number may stand in the picture, which is the premise check's to judge.
    """
    known = _known(reading, history, evidence)
    stated = list(dict.fromkeys(quantity for quantity in reading.quantities))[:_MAX_TRACED]
    larger = [value for value in stated if abs(value) not in _COMMON]
    if not larger:
        return
    untraced = [value for value in larger if not _comes_from(value, known)]
    if untraced:
        names = ", ".join(show(value) for value in untraced[:4])
        explanation = f"{names}: neither known from before nor one operation away from what is known"
        yield Finding(kind="number-untraced", explanation=explanation, step=step)
    else:
        yield Finding(kind="number-traced", explanation="the numbers come from what is known", step=step)


def concludes(reading: Reading) -> bool:
    """Whether a step says that it only concludes, so that its numbers must come from what was said before."""
    return _CONCLUDES.match(reading.text) is not None and _LOOKS.search(reading.text) is None


def _known(reading: Reading, history: History, evidence: frozenset[Fraction]) -> set[Fraction]:
    known: set[Fraction] = set(evidence)
    known.update(history.numbers)
    for value, _ in history.results:
        if isinstance(value, Fraction):
            known.add(value)
    known.update(_worked_out(reading))
    return set(list(known)[:_MAX_KNOWN])


def _worked_out(reading: Reading) -> Iterable[Fraction]:
    """The results that this step's own equations reach."""
    for chain in reading.chains:
        for part in chain.parts[1:]:
            value = evaluate(part.tree) if part.tree is not None else None
            if isinstance(value, Fraction):
                yield value


def _comes_from(value: Fraction, known: set[Fraction]) -> bool:
    if value in known or -value in known or value / 100 in known or value * 100 in known:
        return True
    if value > 0 and (value * value in known or _whole_root(value) in known):
        return True
    return any(
        value - other in known or other - value in known or (other and value / other in known) or value * other in known
        for other in known
    )


def _whole_root(value: Fraction) -> Fraction | None:
    root = math.isqrt(int(value)) if value.denominator == 1 else 0
    return Fraction(root) if root and root * root == value else None
