"""Tables of numbers, ruled or striped; and questions over named values, whatever shows them: a table, bars, a line.

Difference, sum, mean, largest, ratio. What differs between these figures is how a reading is worded and how it goes wrong; both come
with the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any

from evpv.figures.drawing import SMALL_PRINT, SMALL_SIZE, THEMES, Canvas, pale, random_style
from evpv.figures.marks import bounds
from evpv.figures.writing import Drawn, Numeral, Scene, SolutionSheet, Solve, confusions, number, texts
from evpv.types import Constraint, Numeric, Structure

_YEARS = ("2019", "2020", "2021", "2022", "2023")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """A table: its title, headers and rows of a name with its values."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def make(rng: Random, *, small: bool = False) -> Scene:
    """A table, and a question about one of its value columns. A small one has three rows and two years."""
    theme = rng.choice(THEMES)
    names = theme.choose(rng, 3 if small else rng.randint(4, 5))
    columns = tuple(sorted(rng.sample(_YEARS, 2))) if small or rng.random() < 0.4 else (theme.measure,)
    values = tuple(_with_whole_mean(distinct(rng, len(names), (theme.low, theme.high))) for _ in columns)
    title = theme.title if len(columns) == 1 else f"{theme.title} by year"
    rows = tuple(zip(names, zip(*values, strict=True), strict=True))
    grid = _Grid(title=title, headers=(theme.first, *columns), rows=rows)
    image, constraints = (_draw_small if small else _draw)(grid, rng)
    column = rng.randrange(len(columns))
    year = "" if len(columns) == 1 else f" in {columns[column]}"
    data = Quantities(
        names=names, values=values[column], measure=f"{theme.measure}{year}", slips=confusions,
        wording="tables/value", words={"header": columns[column], "year": year, "noun": theme.noun},
        others=tuple(row for i, row in enumerate(values) if i != column),
    )  # fmt: skip
    question, solve = ask(rng, data)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _with_whole_mean(values: tuple[int, ...]) -> tuple[int, ...]:
    """The largest value raised so that the mean is whole: then every question has an exact answer."""
    best = values.index(max(values))
    raised = values[best] + -sum(values) % len(values)
    return (*values[:best], raised, *values[best + 1 :])


def _draw(grid: _Grid, rng: Random) -> Drawn:
    style = random_style(rng, upright=True)
    probe = Canvas(8, 8, style)
    cells = [list(grid.headers), *([name, *map(number, values)] for name, values in grid.rows)]
    widths = [max(probe.text_size(row[i])[0] for row in cells) + 40 for i in range(len(grid.headers))]
    height, titled = style.size_px + rng.randint(16, 24), rng.random() < 0.8
    top = 50 if titled else 22
    canvas = Canvas(int(sum(widths)) + 44, top + height * len(cells) + 24, style)
    if titled:
        canvas.text(grid.title, (canvas.width / 2, 26))
    edges = list(accumulate(widths, initial=22.0))
    levels = [float(top + height * i) for i in range(len(cells) + 1)]
    _rule(canvas, rng, edges, levels)
    facts = _fill(canvas, grid, edges, levels, 14)
    return canvas.finish(rng), facts


def _draw_small(grid: _Grid, rng: Random) -> Drawn:
    """A table that fills a small picture: tight columns, one kind of lines, a place that varies by a few pixels."""
    canvas = Canvas(*SMALL_SIZE, SMALL_PRINT)
    names = max(canvas.text_size(words)[0] for words in (grid.headers[0], *(name for name, _ in grid.rows)))
    values = [rng.randint(38, 40) for _ in grid.headers[1:]]
    widths = [min(names + 8, SMALL_SIZE[0] - 2 - sum(values)), *values]
    left, height = rng.uniform(1, SMALL_SIZE[0] - sum(widths) - 1), rng.randint(20, 25)
    top = rng.uniform(2, SMALL_SIZE[1] - height * (len(grid.rows) + 1) - 2)
    edges = list(accumulate(widths, initial=left))
    levels = [top + height * i for i in range(len(grid.rows) + 2)]
    for level in levels if rng.random() < 0.5 else (levels[0], levels[1], levels[-1]):
        canvas.line((edges[0], level), (edges[-1], level), width=1)
    facts = _fill(canvas, grid, edges, levels, 4)
    return canvas.finish(rng), facts


def _fill(
    canvas: Canvas, grid: _Grid, edges: list[float], levels: list[float], indent: float
) -> tuple[Constraint, ...]:
    """Write the cells; answers with the facts that the table states."""
    cells = [list(grid.headers), *([name, *map(number, values)] for name, values in grid.rows)]
    facts: list[Constraint] = []
    for i, row in enumerate(cells):
        for j, words in enumerate(row):
            centred = ((edges[j] + edges[j + 1]) / 2, (levels[i] + levels[i + 1]) / 2)
            box = canvas.text(words, centred if j else (edges[0] + indent, centred[1]), anchor="mm" if j else "lm")
            if i and j:
                value = float(grid.rows[i - 1][1][j - 1])
                facts.append(Numeric(entity=f"{row[0]} {grid.headers[j]}", attribute="value", value=value, box=box))
    whole = bounds(((edges[0], levels[0]), (edges[-1], levels[-1])))
    return (Structure(type="table", parts=grid.headers, box=whole), *facts)


def _rule(canvas: Canvas, rng: Random, edges: list[float], levels: list[float]) -> None:
    """Header tint, stripes, and lines: a full grid, or rules only."""
    left, right = edges[0], edges[-1]
    tint = pale(rng.choice(canvas.style.palette))
    if rng.random() < 0.7:
        canvas.block((left, levels[0]), (right, levels[1]), tint)
    if rng.random() < 0.3:
        for low, high in zip(levels[2::2], levels[3::2], strict=False):
            canvas.block((left, low), (right, high), (238, 238, 238))
    full = rng.random() < 0.65
    for level in levels if full else (levels[0], levels[1], levels[-1]):
        canvas.line((left, level), (right, level), width=1.3)
    for edge in edges if full else ():
        canvas.line((edge, levels[0]), (edge, levels[-1]), width=1.3)


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
    stands after another (in the next row, column or place) may be taken for it. `others` are whole sets of values that a
    solver sees who is wrong about the figure, such as another column's; where none is printed the axis may be misjudged.
    """

    names: tuple[str, ...]
    values: tuple[int, ...]
    measure: str
    wording: str
    words: Mapping[str, Any] = field(default_factory=dict)
    slips: Callable[[int], tuple[int, ...]]
    others: tuple[tuple[int, ...], ...] = ()
    printed: bool = True

    def value(self, name: str) -> int:
        return self.values[self.names.index(name)]

    def as_seen(
        self, sheet: SolutionSheet, telling: Callable[[tuple[int, ...]], bool] = lambda values: True
    ) -> tuple[int, ...]:
        """The values, or a set that is taken for them, if `telling` says that this would make a difference."""
        doubled = [] if self.printed else [tuple(2 * value for value in self.values)]
        mistaken = filter(telling, self.others)
        return sheet.decide("as-seen", self.values, mixed_up=mistaken, misbuilt=filter(telling, doubled))

    def say(self, sheet: SolutionSheet, name: str, value: int) -> None:
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
    question = texts(f"quantities/question:{kind}", measure=measure, high=high, low=low)[0]
    if kind in ("mean", "largest"):
        return question, partial(_solve_all, data, kind)
    return question, partial(_solve_pair, data, (high, low), kind)


def _read(sheet: SolutionSheet, data: Quantities, seen: Sequence[int], name: str) -> int:
    """One value, or a misreading of it, or the value that stands beside it."""
    place = data.names.index(name)
    beside = data.values[(place + 1) % len(data.values)]
    return sheet.decide(f"value-{name}", seen[place], misread=data.slips(seen[place])[:3], mixed_up=[beside])


def _read_for_largest(sheet: SolutionSheet, data: Quantities, seen: Sequence[int], name: str) -> int:
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
    return sheet.decide(f"value-{name}", value, misread=wrongs)


def _solve_pair(data: Quantities, pair: tuple[str, str], kind: str, sheet: SolutionSheet) -> None:
    seen, (high, low) = data.as_seen(sheet), pair
    sheet.say("quantities/plan", optional=True, high=high, low=low)
    values = {name: _read(sheet, data, seen, name) for name in pair}
    for name in sheet.shuffle_items("order", pair):
        data.say(sheet, name, values[name])
    first, second = values[high], values[low]
    operation, wrong = {"difference": ("−", "+"), "sum": ("+", "−"), "ratio": ("÷", "−")}[kind]
    sign = sheet.decide("operation", operation, wrong_conclusions=[wrong])
    sheet.say("quantities/operation", optional=sign == operation, what=_OPERATIONS[sign])
    if sign == "−" and first < second:
        first, second = second, first
    values_of: dict[str, Numeral] = {"−": first - second, "+": first + second, "÷": first / second}
    result = sheet.work("quantities/result", values_of[sign], first=first, sign=sign, second=second)
    sheet.say_answer("quantities/answer", number(result))


def _solve_all(data: Quantities, kind: str, sheet: SolutionSheet) -> None:
    peak = data.values.index(max(data.values))
    seen = data.as_seen(sheet, lambda values: kind != "largest" or values.index(max(values)) != peak)
    read = _read_for_largest if kind == "largest" else _read
    values = {name: read(sheet, data, seen, name) for name in data.names}
    for name in data.names:
        data.say(sheet, name, values[name])
    if kind == "mean":
        return _mean(sheet, values)
    wanted = sheet.decide("compare", "largest", wrong_conclusions=["smallest"])
    best = (max if wanted == "largest" else min)(values, key=lambda name: values[name])
    sheet.say("quantities/compare", listed=", ".join(map(number, values.values())), value=values[best])
    sheet.say("quantities/entry", optional=True, best=best, value=values[best])
    return sheet.say_answer("quantities/answer:largest", best)


def _mean(sheet: SolutionSheet, values: dict[str, int]) -> None:
    total = sheet.calculate("total", sum(values.values()))
    printed = sheet.decide("printed-total", 0, misbuilt=[total + 10, total + len(values)])
    if printed:
        total = printed
        sheet.say("quantities/printed-total", total=total)
    else:
        sheet.say("quantities/total", listed=" + ".join(map(number, values.values())), total=total)
    count = sheet.decide("count", len(values), wrong_facts=[len(values) - 1, 2])
    mean: Numeral = sheet.work("quantities/mean", total / count, count=count, total=total)
    sheet.say_answer("quantities/answer:mean", number(mean))


def distinct(rng: Random, count: int, span: tuple[int, int], step: int = 1) -> tuple[int, ...]:
    """Different values between the ends of a span, in whole steps: no two tie for the largest."""
    low, high = span
    return tuple(x * step for x in rng.sample(range(-(-low // step), high // step + 1), count))
