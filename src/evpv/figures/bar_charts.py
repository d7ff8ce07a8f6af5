"""Bar charts: upright or lying, with printed values or only an axis, one series or two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import THEMES, Canvas, Theme, random_style
from evpv.figures.marks import Frame, axis_slips, axis_step, bounds, legend, tick_for, value_axis
from evpv.figures.notation import number
from evpv.figures.quantities import Quantities, ask, distinct
from evpv.figures.writing import Scene, confusions, misbuilt, mixed_up
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


def make(rng: Random) -> Scene:
    """A chart, and a question about one of its series."""
    theme = rng.choice(THEMES)
    bars = _random_bars(rng, theme)
    image, constraints = _draw(bars, rng)
    index = rng.randrange(len(bars.series))
    single, values = len(bars.series) == 1, bars.values[index]
    other = mixed_up(*(row for i, row in enumerate(bars.values) if i != index))
    scaled = () if bars.printed else misbuilt(tuple(2 * value for value in values))
    data = Quantities(
        names=bars.names, values=values, measure=theme.measure if single else f"{theme.measure} in {bars.series[index]}",
        wording="bar-charts/value" if single else "bar-charts/value:series",
        words={"extent": "length" if bars.lying else "height", "year": bars.series[index]},
        slips=confusions if bars.printed else partial(axis_slips, bars.tick), alternatives=(*other, *scaled),
    )  # fmt: skip
    question, solve = ask(rng, data)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _random_bars(rng: Random, theme: Theme) -> _Bars:
    names = theme.choose(rng, rng.randint(4, 5))
    series: tuple[str, ...] = (theme.measure,)
    if rng.random() < 0.3:
        series = tuple(sorted(rng.sample(("2018", "2019", "2020", "2021", "2022"), 2)))
    printed = rng.random() < 0.5
    tick = tick_for(theme.high)
    step = 1 if printed else axis_step(tick)
    values = tuple(distinct(rng, len(names), (theme.low, theme.high), step) for _ in series)
    highest = (max(max(row) for row in values) // tick + 1) * tick
    return _Bars(
        title=theme.title, names=names, series=series, values=values, printed=printed,
        lying=len(series) == 1 and rng.random() < 0.35, tick=tick, highest=highest,
    )  # fmt: skip


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
            entity, value = f"{name} {bars.series[j]}", float(row[i])
            facts.append(Numeric(entity=entity, attribute="value", value=value, box=box, reading=reading))
        if bars.lying:
            room = (frame.bottom - frame.top) / len(bars.names)
            canvas.text(name, (frame.left - 10, frame.top + room * (i + 0.5)), anchor="rm")
        else:
            room = (frame.right - frame.left) / len(bars.names)
            canvas.text(name, (frame.left + room * (i + 0.5), frame.bottom + 22))
    whole = bounds(((frame.left, frame.top), (frame.right, frame.bottom)))
    return canvas.finish(rng), (Structure(type="table", parts=("Characteristic", *bars.series), box=whole), *facts)


def _frame(canvas: Canvas, bars: _Bars) -> Frame:
    """The plotting area, with room for the names beside it where bars lie."""
    widest = max(canvas.text_size(name)[0] for name in bars.names)
    return Frame(
        left=widest + 32 if bars.lying else 72, right=_SIZE[0] - (72 if bars.lying else 34),
        top=88 if len(bars.series) == 2 else 62, bottom=_SIZE[1] - 52, highest=bars.highest,
    )  # fmt: skip


def _bar(canvas: Canvas, frame: Frame, bars: _Bars, at: tuple[int, int], colour: tuple[int, int, int]) -> Box:
    """One bar with its value if printed; answers with the box of the value, or else of the bar."""
    i, j = at
    value = bars.values[j][i]
    room = ((frame.bottom - frame.top) if bars.lying else (frame.right - frame.left)) / len(bars.names)
    thick = room * 0.62 / len(bars.series)
    start = (frame.top if bars.lying else frame.left) + room * (i + 0.19) + thick * j
    end = start + thick
    if bars.lying:
        ends, place = ((frame.left, start), (frame.x(value), end)), (frame.x(value) + 7, start + thick / 2)
    else:
        ends, place = ((start, frame.bottom), (end, frame.y(value))), (start + thick / 2, frame.y(value) - 5)
    canvas.block(*ends, colour)
    if not bars.printed:
        return bounds(ends)
    return canvas.text(number(value), place, anchor="lm" if bars.lying else "mb")
