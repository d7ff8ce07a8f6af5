"""Line charts over years, with printed values or only an axis: values at two years, the steepest rise."""

from __future__ import annotations

import itertools
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Canvas, random_style
from evpv.figures.marks import Frame, axis_slips, axis_step, bounds, tick_for, value_axis
from evpv.figures.notation import number
from evpv.figures.quantities import Quantities, ask, distinct
from evpv.figures.writing import Scene, Sheet, Solve, confusions, misbuilt, misread, wrong_conclusions
from evpv.types import Constraint, Numeric, Reading, Structure

_SIZE = (700, 450)
_THEMES = (
    ("Bicycles sold", "Number of bicycles", 90),
    ("Members of the chess club", "Number of members", 75),
    ("Patients per day", "Number of patients", 180),
    ("Solar panels installed", "Number of panels", 140),
    ("School trips", "Number of trips", 40),
    ("Average temperature in July", "Temperature (°C)", 35),
)


def make(rng: Random) -> Scene:
    """A chart, and a question about two years, all of them, or the steepest rise."""
    title, measure, high = rng.choice(_THEMES)
    start, count = rng.randint(2005, 2017), rng.randint(5, 6)
    printed, tick = rng.random() < 0.5, tick_for(high)
    values = distinct(rng, count, (max(2, high // 8), high), 1 if printed else axis_step(tick))
    data = Quantities(
        names=tuple(str(start + i) for i in range(count)), values=values, measure=measure, wording="line-charts/value",
        slips=confusions if printed else partial(axis_slips, tick),
        alternatives=() if printed else misbuilt(tuple(2 * value for value in values)),
    )  # fmt: skip
    *_, second, first = sorted(_rises(values))
    if rng.random() < 0.25 and first > max(second, 0):
        question = f"In which year did the {measure[0].lower()}{measure[1:]} rise most compared with the year before?"
        solve: Solve = partial(_solve_steepest, data)
    else:
        question, solve = ask(rng, data, ("difference", "sum", "largest"))
    image, constraints = _draw(title, data, tick, printed, rng)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _rises(values: tuple[int, ...]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(values)]


def _telling_misreadings(data: Quantities) -> dict[int, tuple[int, ...]]:
    """By place, misreadings that move the steepest rise: its start too high or its end too low; and one that does not."""
    rises = _rises(data.values)
    start, second = rises.index(max(rises)), sorted(rises)[-2]
    wrongs = {start: data.values[start + 1] - second + 1, start + 1: data.values[start] + second - 1}
    spare = next(i for i in range(len(data.values)) if i not in wrongs)
    wrongs[spare] = data.values[spare] + 1
    return {place: (value,) for place, value in wrongs.items() if value > 0}


def _solve_steepest(data: Quantities, sheet: Sheet) -> None:
    telling = _telling_misreadings(data)
    values = []
    for i, (year, value) in enumerate(zip(data.names, data.values, strict=True)):
        values.append(sheet.decide(f"value-{year}", value, *misread(*telling.get(i, ()))))
        data.say(sheet, year, values[-1])
    rises: list[int] = []
    for year, earlier, later in zip(data.names[1:], values, values[1:], strict=False):
        rises.append(sheet.calculate(f"rise-{year}", later - earlier))
        sheet.say("line-charts/rise", f"rise-{year}", year=year, later=later, earlier=earlier, rise=rises[-1])
    wanted = sheet.decide("compare", "rise", *wrong_conclusions("value"))
    compared, names = (rises, data.names[1:]) if wanted == "rise" else (values, data.names)
    top = max(compared)
    year = names[compared.index(top)]
    sheet.say("line-charts/compare", top=top, year=year)
    sheet.say_answer("line-charts/answer", year)


def _draw(
    title: str, data: Quantities, tick: int, printed: bool, rng: Random
) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = Canvas(*_SIZE, random_style(rng, upright=True))
    canvas.text(title, (_SIZE[0] / 2, 26))
    highest = (max(data.values) // tick + 1) * tick
    frame = Frame(left=76, top=64, right=_SIZE[0] - 36, bottom=_SIZE[1] - 54, highest=highest)
    value_axis(canvas, frame, tick, grid=not printed or rng.random() < 0.6)
    room = (frame.right - frame.left) / len(data.names)
    points = [(frame.left + room * (i + 0.5), frame.y(value)) for i, value in enumerate(data.values)]
    colour = rng.choice(canvas.style.palette)
    canvas.line(*points, width=2.6, colour=colour)
    for point, year in zip(points, data.names, strict=True):
        canvas.dot(point, 5, colour)
        canvas.text(year, (point[0], frame.bottom + 22))
    facts: list[Constraint] = []
    reading: Reading = "printed" if printed else "estimated"
    for i, (year, value) in enumerate(zip(data.names, data.values, strict=True)):
        box = bounds((points[i],), 7)
        if printed:  # below in a valley, above elsewhere, so that the number clears the line
            valley = all(y < points[i][1] for _, y in (*points[max(i - 1, 0) : i], *points[i + 1 : i + 2]))
            box = canvas.label(number(value), points[i], (0, 1 if valley else -1))
        entity = f"{year} {data.measure}"
        facts.append(Numeric(entity=entity, attribute="value", value=float(value), box=box, reading=reading))
    whole = bounds(((frame.left, frame.top), (frame.right, frame.bottom)))
    return canvas.finish(rng), (Structure(type="table", parts=("Year", data.measure), box=whole), *facts)
