"""Statements about a list of numbers that the steps themselves gave: the greatest, the median, how many there are."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import show
from evpv.language.math_tokens import MAX_CHARS

Numbers = Sequence[Fraction]

_ORDERS = re.compile(r"\b(?:in order|order(?:ed|ing)?|arrange[sd]?|sort(?:ed)?|least to greatest)\b", re.IGNORECASE)
_NUMBER = r"\$?(-?\d[\d,]*(?:\.\d+)?)(?!\d|/|\s?[-+×÷*/=−]|\.\d)"
_LIST = r"[-−\d.,\sand]{3,400}?"
_FACTS: tuple[tuple[str, re.Pattern[str], Callable[[Numbers], Fraction | None]], ...] = (
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
    numbers: Numbers = ()
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


def _check_order(step: int, before: Numbers, now: Numbers) -> Iterator[Finding]:
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
