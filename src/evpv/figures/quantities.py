"""Questions over named values, whatever shows them: a table, bars, a line. Difference, sum, mean, largest.

What differs between these figures is how a reading is worded and how it goes wrong; both come with the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from evpv.figures.notation import equals, number
from evpv.figures.phrases import Said
from evpv.figures.writing import Amount, Sheet, Wrong, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts

_KINDS = ("difference", "sum", "mean", "largest", "ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantities:
    """Names and whole values of what `measure` says (such as "number of pizzas"), and how they are read.

    `say` words a reading; `slips` lists what a value is misread as; `beside` has, for each name, the values that
    stand near its own (in the next row, column or series) and are taken for it. `alternatives` are whole sets of
    values that a solver sees who is wrong about the figure: another column's, or those of a misjudged axis.
    """

    names: tuple[str, ...]
    values: tuple[int, ...]
    measure: str
    say: Callable[[str, Amount], Said]
    slips: Callable[[int], tuple[int, ...]]
    beside: tuple[tuple[int, ...], ...] = ()
    alternatives: tuple[Wrong, ...] = ()

    def value(self, name: str) -> int:
        """The true value of a name."""
        return self.values[self.names.index(name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and the program that solves it."""

    question: str
    solve: Callable[[Sheet], None]


def ask(rng: Random, data: Quantities, kinds: Sequence[str] = _KINDS) -> Asked:
    """A question of one of the kinds, about names drawn at random."""
    kind = rng.choice(kinds)
    chosen = tuple(rng.sample(data.names, 2))
    high, low = sorted(chosen, key=lambda name: -data.value(name))
    if kind == "ratio" and data.value(high) % data.value(low):
        kind = "difference"
    if kind == "mean" and sum(data.values) % len(data.values):
        kind = "sum"
    measure = data.measure[0].lower() + data.measure[1:]
    questions = {
        "difference": f"By how much is the {measure} for {high} greater than that for {low}?",
        "sum": f"What is the {measure} for {high} and {low} together?",
        "ratio": f"How many times as large as the {measure} for {low} is that for {high}?",
        "mean": f"What is the mean {measure} over all entries shown?",
        "largest": f"Which entry has the largest {measure}?",
    }
    if kind in ("mean", "largest"):
        return Asked(question=questions[kind], solve=partial(_solve_all, data, kind))
    return Asked(question=questions[kind], solve=partial(_solve_pair, data, (high, low), kind))


def _as_seen(data: Quantities, sheet: Sheet) -> Quantities:
    """The values as this solver sees them: the true ones, or all of them from a wrong place or scale."""
    return replace(data, values=sheet.decide("as-seen", data.values, *data.alternatives))


def _read(sheet: Sheet, data: Quantities, name: str) -> int:
    """One value, or a misreading of it, or a value that stands beside it."""
    value = data.value(name)
    beside = data.beside[data.names.index(name)] if data.beside else ()
    return sheet.decide(f"value-{name}", value, *misread(*data.slips(value)[:3]), *mixed_up(*beside))


def _read_for_largest(sheet: Sheet, data: Quantities, name: str) -> int:
    """A value where only the order counts: most misreadings change which is largest, one does not."""
    value, ordered = data.value(name), sorted(data.values)
    best, second, least = ordered[-1], ordered[-2], ordered[0]
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
    data, (high, low) = _as_seen(data, sheet), pair
    sheet.step(
        "plan", f"We need the values for {high} and {low}.", f"The question is about {high} and {low}.", optional=True
    )
    values = {name: _read(sheet, data, name) for name in pair}
    for name in sheet.shuffle_items("order", pair):
        data.say(name, values[name]).on(sheet, f"value-{name}")
    first, second = values[high], values[low]
    operation = {"difference": "−", "sum": "+", "ratio": "÷"}[kind]
    wrong = {"−": "+", "+": "−", "÷": "−"}[operation]
    sign = sheet.decide("operation", operation, *wrong_conclusions(wrong))
    word = {
        "−": "subtract the smaller from the larger",
        "+": "add the two values",
        "÷": "divide the larger value by the smaller one",
    }[sign]
    sheet.step(
        "operation", f"To answer this, {word}.", f"Now {word}.", f"So we have to {word}.", optional=sign == operation
    )
    if sign == "−" and first < second:
        first, second = second, first
    result: Amount = {"−": first - second, "+": first + second, "÷": first / second}[sign]
    result = sheet.calculate("result", result)
    sheet.step(
        "result",
        f"`{number(first)} {sign} {number(second)} {equals(result)}`.",
        f"This gives `{number(first)} {sign} {number(second)} {equals(result)}`.",
        f"We get `{number(first)} {sign} {number(second)} {equals(result)}`.",
    )
    sheet.conclude(number(result), "The answer is {}.", "So the answer is {}.", "Therefore, the result is {}.")


def _solve_all(data: Quantities, kind: str, sheet: Sheet) -> None:
    if kind == "largest":
        data = replace(data, alternatives=tuple(x for x in data.alternatives if _first(x.value) != _first(data.values)))
    data = _as_seen(data, sheet)
    read = _read_for_largest if kind == "largest" else _read
    values = {name: read(sheet, data, name) for name in data.names}
    for name in data.names:
        data.say(name, values[name]).on(sheet, f"value-{name}")
    if kind == "mean":
        return _mean(sheet, values)
    best = max(values, key=lambda name: values[name])
    if sheet.decide("compare", "largest", *wrong_conclusions("smallest")) == "smallest":
        best = min(values, key=lambda name: values[name])
    listed = ", ".join(number(value) for value in values.values())
    sheet.step(
        "compare",
        f"Comparing {listed}, the largest is {number(values[best])}.",
        f"The largest of {listed} is {number(values[best])}.",
    )
    sheet.step(
        "entry", f"This value belongs to {best}.", f"{number(values[best])} is the value for {best}.", optional=True
    )
    return sheet.conclude(best, "The answer is {}.", "So the largest value is that of {}.")


def _first(values: tuple[int, ...]) -> int:
    """Where the largest value stands."""
    return values.index(max(values))


def _mean(sheet: Sheet, values: dict[str, int]) -> None:
    listed = " + ".join(number(value) for value in values.values())
    total = sheet.calculate("total", sum(values.values()))
    printed = sheet.decide("printed-total", 0, *misbuilt(total + 10, total + len(values)))
    if printed:
        total = printed
        sheet.step(
            "printed-total", f"Below them a total of {total} is printed.", claim=(f"The printed total is {total}.",)
        )
    else:
        sheet.step(
            "total", f"The values add up to `{listed} = {number(total)}`.", f"Sum: `{listed} = {number(total)}`."
        )
    count = sheet.decide("count", len(values), *wrong_facts(len(values) - 1, 2))
    mean: Amount = sheet.calculate("mean", total / count)
    sheet.step(
        "mean",
        f"Dividing by {count}: `{number(total)} ÷ {count} {equals(mean)}`.",
        f"The mean is `{number(total)} ÷ {count} {equals(mean)}`.",
    )
    sheet.conclude(number(mean), "So the mean is {}.", "The answer is {}.")


def distinct(rng: Random, count: int, span: tuple[int, int], step: int = 1) -> tuple[int, ...]:
    """Different values between the ends of a span, in whole steps: no two tie for the largest."""
    low, high = span
    return tuple(x * step for x in rng.sample(range(-(-low // step), high // step + 1), count))


def beside(values: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each value the one after it."""
    return tuple((values[(i + 1) % len(values)],) for i in range(len(values)))
