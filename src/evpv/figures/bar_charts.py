"""Bar charts: upright or lying, with printed values or only an axis, one series or two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import THEMES, Canvas, Theme, random_style
from evpv.figures.marks import Frame, axis_slips, axis_step, bounds, legend, tick_for, value_axis
from evpv.figures.notation import number
from evpv.figures.phrases import Said, confusions
from evpv.figures.quantities import Quantities, ask, beside, distinct
from evpv.figures.writing import Amount, Scene, misbuilt, mixed_up
from evpv.types import Box, Constraint, Numeric, Reading, Structure

_SIZE = (700, 470)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    """Names, and per series a value for each."""

    title: str
    names: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    printed: bool
    lying: bool
    tick: int
    highest: int

    def entity(self, name: str, index: int) -> str:
        """What a bar is called in the constraints."""
        return f"{name} {self.series[index]}"


def make(rng: Random) -> Scene:
    """A chart, and a question about one of its series."""
    theme = rng.choice(THEMES)
    bars = _random_bars(rng, theme)
    image, constraints = _draw(bars, rng)
    index = rng.randrange(len(bars.series))
    measure = theme.measure if len(bars.series) == 1 else f"{theme.measure} in {bars.series[index]}"
    values = bars.values[index]
    other = mixed_up(*(row for i, row in enumerate(bars.values) if i != index))
    scaled = () if bars.printed else misbuilt(tuple(2 * value for value in values))
    data = Quantities(
        names=bars.names,
        values=values,
        measure=measure,
        say=partial(_reading, bars, index),
        slips=confusions if bars.printed else partial(axis_slips, bars.tick),
        beside=beside(values),
        alternatives=(*other, *scaled),
    )
    asked = ask(rng, data)
    choice = rng.random() < 0.25
    return Scene(
        image=image, question=asked.question, constraints=constraints, solve=asked.solve, multiple_choice=choice
    )


def _random_bars(rng: Random, theme: Theme) -> _Bars:
    names = theme.choose(rng, rng.randint(4, 5))
    series = (
        tuple(sorted(rng.sample(("2018", "2019", "2020", "2021", "2022"), 2)))
        if rng.random() < 0.3
        else (theme.measure,)
    )
    printed = rng.random() < 0.5
    tick = tick_for(theme.high)
    step = 1 if printed else axis_step(tick)
    values = tuple(distinct(rng, len(names), (theme.low, theme.high), step) for _ in series)
    highest = (max(max(row) for row in values) // tick + 1) * tick
    return _Bars(
        title=theme.title, names=names, series=series, values=values, printed=printed,
        lying=len(series) == 1 and rng.random() < 0.35, tick=tick, highest=highest,
    )  # fmt: skip


def _reading(bars: _Bars, index: int, name: str, value: Amount) -> Said:
    amount = number(value)
    if len(bars.series) == 2:
        year = bars.series[index]
        return Said(
            texts=(
                f"The {year} bar for {name} reaches {amount}.",
                f"In the chart, {name} has a value of {amount} in {year}.",
                f"Reading the {year} series, {name} is at {amount}.",
            ),
            claims=(
                f"The value for {name} in {year} is {amount}.",
                f"{name} in {year} is {amount}.",
                f"The {year} bar for {name} is {amount}.",
            ),
        )
    return Said(
        texts=(
            f"The bar for {name} reaches {amount}.",
            f"From the chart, {name} has a value of {amount}.",
            f"The height of the {name} bar is {amount}."
            if not bars.lying
            else f"The length of the {name} bar is {amount}.",
            f"Reading the chart, {name} is at {amount}.",
            f"{name}: {amount}.",
        ),
        claims=(
            f"The bar for {name} shows {amount}.",
            f"The value for {name} is {amount}.",
            f"The {name} bar reaches {amount}.",
            f"{name} has a value of {amount}.",
        ),
    )


def _draw(bars: _Bars, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = Canvas(*_SIZE, random_style(rng, upright=True))
    canvas.text(bars.title, (_SIZE[0] / 2, 26))
    frame = _frame(canvas, bars)
    value_axis(canvas, frame, bars.tick, across=bars.lying, grid=not bars.printed or rng.random() < 0.5)
    if len(bars.series) == 2:
        legend(canvas, tuple(zip(bars.series, canvas.style.palette, strict=False)), (_SIZE[0] / 2 - 100, 60))
    facts: list[Constraint] = []
    reading: Reading = "printed" if bars.printed else "estimated"
    by_name = rng.random() < 0.3 and len(bars.series) == 1
    for i, name in enumerate(bars.names):
        for j, row in enumerate(bars.values):
            box = _bar(canvas, frame, bars, (i, j), canvas.style.palette[i if by_name else j])
            facts.append(
                Numeric(entity=bars.entity(name, j), attribute="value", value=float(row[i]), box=box, reading=reading)
            )
        _name(canvas, frame, bars, i)
    whole = bounds(((frame.left, frame.top), (frame.right, frame.bottom)))
    return canvas.finish(rng), (Structure(type="table", parts=("Characteristic", *bars.series), box=whole), *facts)


def _frame(canvas: Canvas, bars: _Bars) -> Frame:
    """The plotting area, with room for the names beside it where bars lie."""
    widest = max(canvas.text_size(name)[0] for name in bars.names)
    return Frame(
        left=widest + 32 if bars.lying else 72,
        top=88 if len(bars.series) == 2 else 62,
        right=_SIZE[0] - (72 if bars.lying else 34),
        bottom=_SIZE[1] - 52,
        highest=bars.highest,
    )


def _bar(canvas: Canvas, frame: Frame, bars: _Bars, at: tuple[int, int], colour: tuple[int, int, int]) -> Box:
    """One bar with its value if printed; answers with the box of the value, or else of the bar."""
    i, j = at
    value = bars.values[j][i]
    room = ((frame.bottom - frame.top) if bars.lying else (frame.right - frame.left)) / len(bars.names)
    thick = room * 0.62 / len(bars.series)
    start = (frame.top if bars.lying else frame.left) + room * (i + 0.19) + thick * j
    if bars.lying:
        corners = (
            (frame.left, start),
            (frame.x(value), start),
            (frame.x(value), start + thick),
            (frame.left, start + thick),
        )
    else:
        corners = (
            (start, frame.bottom),
            (start, frame.y(value)),
            (start + thick, frame.y(value)),
            (start + thick, frame.bottom),
        )
    canvas.polygon(corners, colour, outline=False)
    if not bars.printed:
        return bounds(corners)
    if bars.lying:
        return canvas.text(number(value), (frame.x(value) + 7, start + thick / 2), anchor="lm")
    return canvas.text(number(value), (start + thick / 2, frame.y(value) - 5), anchor="mb")


def _name(canvas: Canvas, frame: Frame, bars: _Bars, index: int) -> None:
    if bars.lying:
        room = (frame.bottom - frame.top) / len(bars.names)
        canvas.text(bars.names[index], (frame.left - 10, frame.top + room * (index + 0.5)), anchor="rm")
    else:
        room = (frame.right - frame.left) / len(bars.names)
        canvas.text(bars.names[index], (frame.left + room * (index + 0.5), frame.bottom + 22))
