"""Line charts over years, with printed values or only an axis: values at two years, the steepest rise."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Canvas, Point, random_style
from evpv.figures.marks import Frame, axis_slips, axis_step, bounds, tick_for, value_axis
from evpv.figures.notation import number
from evpv.figures.phrases import Said, confusions
from evpv.figures.quantities import Asked, Quantities, ask, beside, distinct
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, wrong_conclusions
from evpv.types import Box, Constraint, Numeric, Reading, Structure

_SIZE = (700, 450)
_THEMES = (
    ("Bicycles sold", "Number of bicycles", 90),
    ("Members of the chess club", "Number of members", 75),
    ("Patients per day", "Number of patients", 180),
    ("Solar panels installed", "Number of panels", 140),
    ("School trips", "Number of trips", 40),
    ("Average temperature in July", "Temperature (°C)", 35),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """A value for each of some consecutive years."""

    title: str
    measure: str
    years: tuple[str, ...]
    values: tuple[int, ...]
    printed: bool
    tick: int


def make(rng: Random) -> Scene:
    """A chart, and a question about two years, all of them, or the steepest rise."""
    title, measure, high = rng.choice(_THEMES)
    start, count = rng.randint(2005, 2017), rng.randint(5, 6)
    printed, tick = rng.random() < 0.5, tick_for(high)
    values = distinct(rng, count, (max(2, high // 8), high), 1 if printed else axis_step(tick))
    years = tuple(str(start + i) for i in range(count))
    course = _Course(title=title, measure=measure, years=years, values=values, printed=printed, tick=tick)
    slips = confusions if printed else partial(axis_slips, tick)
    data = Quantities(
        names=years,
        values=values,
        measure=measure,
        say=partial(_reading, course),
        slips=slips,
        beside=beside(values),
        alternatives=() if printed else misbuilt(tuple(2 * value for value in values)),
    )
    asked = (
        _steepest(data)
        if rng.random() < 0.25 and _one_steepest(values)
        else ask(rng, data, ("difference", "sum", "largest"))
    )
    image, constraints = _draw(course, rng)
    choice = rng.random() < 0.25
    return Scene(
        image=image, question=asked.question, constraints=constraints, solve=asked.solve, multiple_choice=choice
    )


def _reading(course: _Course, year: str, value: Amount) -> Said:
    amount = number(value)
    return Said(
        texts=(
            f"In {year} the line is at {amount}.",
            f"The chart shows a value of {amount} for {year}.",
            f"The point above {year} lies at {amount}.",
            f"Reading the graph at {year} gives {amount}.",
        ),
        claims=(
            f"The value in {year} is {amount}.",
            f"The value for {year} is {amount}.",
            f"In {year} the line is at {amount}.",
            f"The chart shows {amount} for {year}.",
        ),
    )


def _rises(values: tuple[int, ...]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(values)]


def _one_steepest(values: tuple[int, ...]) -> bool:
    rises = sorted(_rises(values))
    return rises[-1] > max(rises[-2], 0)


def _telling_misreadings(data: Quantities) -> dict[int, tuple[int, ...]]:
    """By place, misreadings that move the steepest rise: its start too high or its end too low; and one that does not."""
    rises = _rises(data.values)
    start = rises.index(max(rises))
    second = sorted(rises)[-2]
    wrongs = {start: (data.values[start + 1] - second + 1,), start + 1: (data.values[start] + second - 1,)}
    spare = next(i for i in range(len(data.values)) if i not in wrongs)
    wrongs[spare] = (data.values[spare] + 1,)
    return {place: tuple(value for value in values if value > 0) for place, values in wrongs.items()}


def _steepest(data: Quantities) -> Asked:
    measure = data.measure[0].lower() + data.measure[1:]
    question = f"In which year did the {measure} rise most compared with the year before?"
    return Asked(question=question, solve=partial(_solve_steepest, data))


def _solve_steepest(data: Quantities, sheet: Sheet) -> None:
    telling = _telling_misreadings(data)
    values = []
    for i, (year, value) in enumerate(zip(data.names, data.values, strict=True)):
        values.append(sheet.decide(f"value-{year}", value, *misread(*telling.get(i, ()))))
        data.say(year, values[-1]).on(sheet, f"value-{year}")
    rises: list[int] = []
    for year, earlier, later in zip(data.names[1:], values, values[1:], strict=False):
        rises.append(sheet.calculate(f"rise-{year}", later - earlier))
        sheet.step(
            f"rise-{year}",
            f"Change up to {year}: `{later} − {earlier} = {number(rises[-1])}`.",
            f"{year}: `{later} − {earlier} = {number(rises[-1])}`.",
        )
    wanted = sheet.decide("compare", "rise", *wrong_conclusions("value"))
    year = data.names[1 + rises.index(max(rises))] if wanted == "rise" else data.names[values.index(max(values))]
    top = max(rises) if wanted == "rise" else max(values)
    sheet.step(
        "compare",
        f"The largest of these is {number(top)}, in {year}.",
        f"The greatest change is {number(top)}; it belongs to {year}.",
    )
    sheet.conclude(year, "The answer is {}.", "So it rose most in {}.")


def _draw(course: _Course, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = Canvas(*_SIZE, random_style(rng, upright=True))
    canvas.text(course.title, (_SIZE[0] / 2, 26))
    highest = (max(course.values) // course.tick + 1) * course.tick
    frame = Frame(left=76, top=64, right=_SIZE[0] - 36, bottom=_SIZE[1] - 54, highest=highest)
    value_axis(canvas, frame, course.tick, grid=not course.printed or rng.random() < 0.6)
    room = (frame.right - frame.left) / len(course.years)
    points = [(frame.left + room * (i + 0.5), frame.y(value)) for i, value in enumerate(course.values)]
    colour = rng.choice(canvas.style.palette)
    canvas.line(*points, width=2.6, colour=colour)
    for point, year in zip(points, course.years, strict=True):
        canvas.dot(point, 5, colour)
        canvas.text(year, (point[0], frame.bottom + 22))
    facts: list[Constraint] = []
    for i, (year, value) in enumerate(zip(course.years, course.values, strict=True)):
        box = _value(canvas, points, i, value) if course.printed else bounds((points[i],), 7)
        reading: Reading = "printed" if course.printed else "estimated"
        facts.append(
            Numeric(entity=f"{year} {course.measure}", attribute="value", value=float(value), box=box, reading=reading)
        )
    whole = bounds(((frame.left, frame.top), (frame.right, frame.bottom)))
    return canvas.finish(rng), (Structure(type="table", parts=("Year", course.measure), box=whole), *facts)


def _value(canvas: Canvas, points: list[Point], index: int, value: int) -> Box:
    """The number beside a point: below in a valley, above elsewhere, so that it clears the line."""
    around = [points[i][1] for i in (index - 1, index + 1) if 0 <= i < len(points)]
    valley = all(level < points[index][1] for level in around)
    return canvas.label(number(value), points[index], (0, 1 if valley else -1))
