"""Means and percents: what a sum is divided by, and what a percent is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from evpv.judges.checks.equations import addends
from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Chain, Reading
from evpv.language.expressions import Number, Operation

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
