"""Questions over named values, whatever shows them: a table, bars, a line. Difference, sum, mean, largest.

What differs between these figures is how a reading is worded and how it goes wrong; both come with the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from evpv.figures.notation import number
from evpv.figures.writing import (
    Amount,
    Sheet,
    Solve,
    Wrong,
    misbuilt,
    misread,
    mixed_up,
    wrong_conclusions,
    wrong_facts,
)

_KINDS = ("difference", "sum", "mean", "largest", "ratio")
_OPERATIONS = {
    "−": "subtract the smaller from the larger",
    "+": "add the two values",
    "÷": "divide the larger value by the smaller one",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantities:
    """Names and whole values of what `measure` says (such as "number of pizzas"), and how they are read.

    `wording` names how a reading is said, with `words` in it; `slips` lists what a value is misread as. A value that
    stands after another (in the next row, column or place) may be taken for it. `alternatives` are whole sets of
    values that a solver sees who is wrong about the figure: another column's, or those of a misjudged axis.
    """

    names: tuple[str, ...]
    values: tuple[int, ...]
    measure: str
    wording: str
    words: Mapping[str, Any] = field(default_factory=dict)
    slips: Callable[[int], tuple[int, ...]]
    alternatives: tuple[Wrong, ...] = ()

    def value(self, name: str) -> int:
        """The true value of a name."""
        return self.values[self.names.index(name)]

    def say(self, sheet: Sheet, name: str, value: int) -> None:
        """Write a reading as a step."""
        sheet.say(self.wording, f"value-{name}", name=name, value=value, **self.words)


def ask(rng: Random, data: Quantities, kinds: Sequence[str] = _KINDS) -> tuple[str, Solve]:
    """A question of one of the kinds, about names drawn at random, and the program that solves it."""
    kind = rng.choice(kinds)
    chosen = tuple(rng.sample(data.names, 2))
    high, low = sorted(chosen, key=lambda name: -data.value(name))
    if kind == "ratio" and data.value(high) % data.value(low):
        kind = "difference"
    if kind == "mean" and sum(data.values) % len(data.values):
        kind = "sum"
    measure = data.measure[0].lower() + data.measure[1:]
    question = {
        "difference": f"By how much is the {measure} for {high} greater than that for {low}?",
        "sum": f"What is the {measure} for {high} and {low} together?",
        "ratio": f"How many times as large as the {measure} for {low} is that for {high}?",
        "mean": f"What is the mean {measure} over all entries shown?",
        "largest": f"Which entry has the largest {measure}?",
    }[kind]
    if kind in ("mean", "largest"):
        return question, partial(_solve_all, data, kind)
    return question, partial(_solve_pair, data, (high, low), kind)


def _read(sheet: Sheet, data: Quantities, seen: Sequence[int], name: str) -> int:
    """One value, or a misreading of it, or the value that stands beside it."""
    place = data.names.index(name)
    beside = data.values[(place + 1) % len(data.values)]
    return sheet.decide(f"value-{name}", seen[place], *misread(*data.slips(seen[place])[:3]), *mixed_up(beside))


def _read_for_largest(sheet: Sheet, data: Quantities, seen: Sequence[int], name: str) -> int:
    """A value where only the order counts: most misreadings change which is largest, one does not."""
    value, (least, *_, second, best) = seen[data.names.index(name)], sorted(seen)
    swing = max(2, (best - least) // 5)
    wrongs: tuple[int, ...] = ()
    if value == best:
        wrongs = tuple(x for x in (second - swing, second - 1) if x > 0)
    elif value == second:
        wrongs = (best + swing, best + 1)
    elif value == least:
        wrongs = data.slips(value)[:1]
    return sheet.decide(f"value-{name}", value, *misread(*wrongs))


def _solve_pair(data: Quantities, pair: tuple[str, str], kind: str, sheet: Sheet) -> None:
    seen, (high, low) = sheet.decide("as-seen", data.values, *data.alternatives), pair
    sheet.say("quantities/plan", optional=True, high=high, low=low)
    values = {name: _read(sheet, data, seen, name) for name in pair}
    for name in sheet.shuffle_items("order", pair):
        data.say(sheet, name, values[name])
    first, second = values[high], values[low]
    operation, wrong = {"difference": ("−", "+"), "sum": ("+", "−"), "ratio": ("÷", "−")}[kind]
    sign = sheet.decide("operation", operation, *wrong_conclusions(wrong))
    sheet.say("quantities/operation", optional=sign == operation, what=_OPERATIONS[sign])
    if sign == "−" and first < second:
        first, second = second, first
    values_of: dict[str, Amount] = {"−": first - second, "+": first + second, "÷": first / second}
    result = sheet.calculate("result", values_of[sign])
    sheet.say("quantities/result", first=first, sign=sign, second=second, result=result)
    sheet.say_answer("quantities/answer", number(result))


def _solve_all(data: Quantities, kind: str, sheet: Sheet) -> None:
    wrongs = data.alternatives
    if kind == "largest":
        wrongs = tuple(x for x in wrongs if x.value.index(max(x.value)) != data.values.index(max(data.values)))
    seen = sheet.decide("as-seen", data.values, *wrongs)
    read = _read_for_largest if kind == "largest" else _read
    values = {name: read(sheet, data, seen, name) for name in data.names}
    for name in data.names:
        data.say(sheet, name, values[name])
    if kind == "mean":
        return _mean(sheet, values)
    wanted = sheet.decide("compare", "largest", *wrong_conclusions("smallest"))
    best = (max if wanted == "largest" else min)(values, key=lambda name: values[name])
    sheet.say("quantities/compare", listed=", ".join(map(number, values.values())), value=values[best])
    sheet.say("quantities/entry", optional=True, best=best, value=values[best])
    return sheet.say_answer("quantities/answer:largest", best)


def _mean(sheet: Sheet, values: dict[str, int]) -> None:
    total = sheet.calculate("total", sum(values.values()))
    printed = sheet.decide("printed-total", 0, *misbuilt(total + 10, total + len(values)))
    if printed:
        total = printed
        sheet.say("quantities/printed-total", total=total)
    else:
        sheet.say("quantities/total", listed=" + ".join(map(number, values.values())), total=total)
    count = sheet.decide("count", len(values), *wrong_facts(len(values) - 1, 2))
    mean: Amount = sheet.calculate("mean", total / count)
    sheet.say("quantities/mean", count=count, total=total, mean=mean)
    sheet.say_answer("quantities/answer:mean", number(mean))


def distinct(rng: Random, count: int, span: tuple[int, int], step: int = 1) -> tuple[int, ...]:
    """Different values between the ends of a span, in whole steps: no two tie for the largest."""
    low, high = span
    return tuple(x * step for x in rng.sample(range(-(-low // step), high // step + 1), count))
