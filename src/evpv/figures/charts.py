"""Charts: bars (upright or lying, one series or two) and lines over years, with printed values or only an axis; pies with percentages."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from evpv.figures.drawing import THEMES, move_point, random_style
from evpv.figures.marks import Drawing, PlotArea, bounds, box_around
from evpv.figures.tables import Quantities, ask, distinct
from evpv.figures.writing import Drawn, Numeral, Scene, SolutionSheet, Solve, confusions, number
from evpv.types import Box, Constraint, Numeric, Reading, Structure

_BAR_SIZE = (700, 470)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    title: str
    names: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    printed: bool
    lying: bool
    tick: int
    highest: int


def make_bars(rng: Random) -> Scene:
    """A chart, and a question about one of its series."""
    theme = rng.choice(THEMES)
    names = theme.choose(rng, rng.randint(4, 5))
    series: tuple[str, ...] = (theme.measure,)
    if rng.random() < 0.3:
        series = tuple(sorted(rng.sample(("2018", "2019", "2020", "2021", "2022"), 2)))
    printed, tick = rng.random() < 0.5, _tick_for(theme.high)
    step = 1 if printed else _axis_step(tick)
    drawn = tuple(distinct(rng, len(names), (theme.low, theme.high), step) for _ in series)
    highest = (max(max(row) for row in drawn) // tick + 1) * tick
    bars = _Bars(
        title=theme.title, names=names, series=series, values=drawn, printed=printed,
        lying=len(series) == 1 and rng.random() < 0.35, tick=tick, highest=highest,
    )  # fmt: skip
    image, constraints = _draw_bars(bars, rng)
    index = rng.randrange(len(bars.series))
    single, values = len(bars.series) == 1, bars.values[index]
    data = Quantities(
        names=bars.names, values=values, measure=theme.measure if single else f"{theme.measure} in {bars.series[index]}",
        wording="bar-charts/value" if single else "bar-charts/value:series",
        words={"extent": "length" if bars.lying else "height", "year": bars.series[index]},
        slips=confusions if bars.printed else partial(_axis_slips, bars.tick), printed=bars.printed,
        others=bars.values[:index] + bars.values[index + 1 :],
    )  # fmt: skip
    question, solve = ask(rng, data)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _draw_bars(bars: _Bars, rng: Random) -> Drawn:
    canvas = Drawing(*_BAR_SIZE, random_style(rng, upright=True))
    canvas.text(bars.title, (_BAR_SIZE[0] / 2, 26))
    frame = _bar_frame(bars, canvas)
    canvas.value_axis(frame, bars.tick, across=bars.lying, grid=not bars.printed or rng.random() < 0.5)
    if len(bars.series) == 2:
        canvas.legend(tuple(zip(bars.series, canvas.style.palette, strict=False)), (_BAR_SIZE[0] / 2 - 100, 60))
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


def _bar_frame(bars: _Bars, canvas: Drawing) -> PlotArea:
    widest = max(canvas.text_size(name)[0] for name in bars.names)  # names stand beside bars that lie
    return PlotArea(
        left=widest + 32 if bars.lying else 72, right=_BAR_SIZE[0] - (72 if bars.lying else 34),
        top=88 if len(bars.series) == 2 else 62, bottom=_BAR_SIZE[1] - 52, highest=bars.highest,
    )  # fmt: skip


def _bar(canvas: Drawing, frame: PlotArea, bars: _Bars, at: tuple[int, int], colour: tuple[int, int, int]) -> Box:
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


_LINE_SIZE = (700, 450)
_LINE_THEMES = (
    ("Bicycles sold", "Number of bicycles", 90),
    ("Members of the chess club", "Number of members", 75),
    ("Patients per day", "Number of patients", 180),
    ("Solar panels installed", "Number of panels", 140),
    ("School trips", "Number of trips", 40),
    ("Average temperature in July", "Temperature (°C)", 35),
)


def make_line(rng: Random) -> Scene:
    """A chart, and a question about two years, all of them, or the steepest rise."""
    title, measure, high = rng.choice(_LINE_THEMES)
    start, count = rng.randint(2005, 2017), rng.randint(5, 6)
    printed, tick = rng.random() < 0.5, _tick_for(high)
    values = distinct(rng, count, (max(2, high // 8), high), 1 if printed else _axis_step(tick))
    data = Quantities(
        names=tuple(str(start + i) for i in range(count)), values=values, measure=measure, wording="line-charts/value",
        slips=confusions if printed else partial(_axis_slips, tick), printed=printed,
    )  # fmt: skip
    *_, second, first = sorted(_rises(values))
    if rng.random() < 0.25 and first > max(second, 0):
        question = f"In which year did the {measure[0].lower()}{measure[1:]} rise most compared with the year before?"
        solve: Solve = partial(_solve_steepest, data)
    else:
        question, solve = ask(rng, data, ("difference", "sum", "largest"))
    image, constraints = _draw_line(title, data, tick, printed, rng)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _rises(values: tuple[int, ...]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(values)]


def _solve_steepest(data: Quantities, sheet: SolutionSheet) -> None:
    # Misreadings that move the steepest rise: its start too high or its end too low; and one that does not.
    true_rises = _rises(data.values)
    start, second = true_rises.index(max(true_rises)), sorted(true_rises)[-2]
    wrongs = {start: data.values[start + 1] - second + 1, start + 1: data.values[start] + second - 1}
    spare = next(i for i in range(len(data.values)) if i not in wrongs)
    wrongs[spare] = data.values[spare] + 1
    values = []
    for i, (year, value) in enumerate(zip(data.names, data.values, strict=True)):
        misread = [wrongs[i]] if wrongs.get(i, 0) > 0 else []
        values.append(sheet.decide(f"value-{year}", value, misread=misread))
        data.say(sheet, year, values[-1])
    rises: list[int] = []
    for year, earlier, later in zip(data.names[1:], values, values[1:], strict=False):
        rises.append(sheet.calculate(f"rise-{year}", later - earlier))
        sheet.say("line-charts/rise", f"rise-{year}", year=year, later=later, earlier=earlier, rise=rises[-1])
    wanted = sheet.decide("compare", "rise", wrong_conclusions=["value"])
    compared, names = (rises, data.names[1:]) if wanted == "rise" else (values, data.names)
    top = max(compared)
    year = names[compared.index(top)]
    sheet.say("line-charts/compare", top=top, year=year)
    sheet.say_answer("line-charts/answer", year)


def _draw_line(title: str, data: Quantities, tick: int, printed: bool, rng: Random) -> Drawn:
    canvas = Drawing(*_LINE_SIZE, random_style(rng, upright=True))
    canvas.text(title, (_LINE_SIZE[0] / 2, 26))
    highest = (max(data.values) // tick + 1) * tick
    frame = PlotArea(left=76, top=64, right=_LINE_SIZE[0] - 36, bottom=_LINE_SIZE[1] - 54, highest=highest)
    canvas.value_axis(frame, tick, grid=not printed or rng.random() < 0.6)
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


_PIE_SIZE = (640, 430)
_PIE_THEMES = (
    ("Favorite drinks", ("Tea", "Coffee", "Juice", "Water", "Milk"), "people"),
    ("Ways to school", ("Bus", "Bike", "Car", "Walk", "Train"), "students"),
    ("Household spending", ("Rent", "Food", "Travel", "Clothes", "Savings"), "dollars"),
    ("Energy sources", ("Coal", "Wind", "Solar", "Hydro", "Gas"), "plants"),
    ("Pets owned", ("Dogs", "Cats", "Birds", "Fish", "Rabbits"), "pets"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pie:
    """Names with their shares in percent, and the whole that they are shares of."""

    title: str
    names: tuple[str, ...]
    shares: tuple[int, ...]
    noun: str
    whole: int


def make_pie(rng: Random) -> Scene:
    """A pie, and the number behind one sector, or behind two together."""
    title, every, noun = rng.choice(_PIE_THEMES)
    names = tuple(rng.sample(every, rng.randint(4, 5)))
    shares = _shares(rng, len(names))
    whole = rng.choice((200, 300, 400, 500, 600, 800, 1200))
    pie = _Pie(title=title, names=names, shares=shares, noun=noun, whole=whole)
    image, constraints = _draw_pie(pie, rng)
    chosen = tuple(rng.sample(names, 2))
    asked = f"{chosen[0]} and {chosen[1]} together"
    if rng.random() < 0.5:
        chosen, asked = chosen[:1], chosen[0]
    question = f"The chart stands for {whole} {noun} in total. How many {noun} belong to {asked}?"
    return Scene(image, question, constraints, partial(_solve_pie, pie, chosen), rng.random() < 0.35)


def _shares(rng: Random, count: int) -> tuple[int, ...]:
    """Different whole percentages of at least 8 that make 100."""
    while True:
        shares = [rng.randint(8, 40) for _ in range(count - 1)]
        last = 100 - sum(shares)
        if 8 <= last <= 50 and len({*shares, last}) == count:
            return (*shares, last)


def _read_share(sheet: SolutionSheet, pie: _Pie, name: str) -> int:
    index = pie.names.index(name)
    value, beside = pie.shares[index], pie.shares[(index + 1) % len(pie.shares)]
    read = sheet.decide(f"share-{name}", value, misread=confusions(value, below=60), mixed_up=[beside])
    sheet.say("pie-charts/share", f"share-{name}", name=name, value=read)
    return read


def _solve_pie(pie: _Pie, asked: tuple[str, ...], sheet: SolutionSheet) -> None:
    together = " and ".join(asked)
    if len(asked) == 1:
        sheet.say("pie-charts/plan", optional=True, whole=pie.whole, name=together)
        return _take_share(sheet, pie, _read_share(sheet, pie, together), together)
    if sheet.decide("half", False, misbuilt=[sum(pie.shares[pie.names.index(name)] for name in asked) != 50]):
        sheet.say("pie-charts/half", pair=together)
        return _take_share(sheet, pie, 50, together)
    first, second = (_read_share(sheet, pie, name) for name in asked)
    sign = sheet.decide("join", "+", wrong_conclusions=["−"])
    if sign == "−" and second > first:
        first, second = second, first
    joined = first + second if sign == "+" else first - second
    both = sheet.work("pie-charts/both", joined, first=first, sign=sign, second=second)
    return _take_share(sheet, pie, both, together)


def _take_share(sheet: SolutionSheet, pie: _Pie, percent: int, of: str) -> None:
    divisor = sheet.decide("divisor", 100, wrong_facts=[1000, 360])
    sheet.say("pie-charts/rule", percent=percent, whole=pie.whole, divisor=divisor)
    share: Numeral = Fraction(pie.whole * percent, divisor)
    result = sheet.work("pie-charts/result", share, percent=percent, whole=pie.whole, divisor=divisor)
    sheet.say_answer("pie-charts/answer", number(result), f" {pie.noun}", of=of)


def _draw_pie(pie: _Pie, rng: Random) -> Drawn:
    canvas = Drawing(*_PIE_SIZE, random_style(rng, upright=True))
    canvas.text(pie.title, (_PIE_SIZE[0] / 2, 26))
    centre, radius = (_PIE_SIZE[0] / 2, 232.0), 138.0
    inside = rng.random() < 0.5
    angle = rng.uniform(0, 360)
    facts: list[Constraint] = []
    middles = []
    for share, colour in zip(pie.shares, canvas.style.palette, strict=False):
        end = angle + share * 3.6
        canvas.sector(centre, radius, (angle, end), colour)
        middles.append((angle + end) / 2)
        angle = end
    canvas.arc(centre, (radius, radius), 0, 360, width=1)
    for name, share, middle, colour in zip(pie.names, pie.shares, middles, canvas.style.palette, strict=False):
        toward = move_point((0, 0), middle, 1)
        rim = move_point(centre, middle, radius + 4)
        if inside:
            red, green, blue = colour  # black stands on light sectors, white on dark ones
            ink = (0, 0, 0) if 0.3 * red + 0.6 * green + 0.1 * blue > 125 else (255, 255, 255)
            box = canvas.text(f"{share}%", move_point(centre, middle, radius * 0.68), colour=ink)
            box = box_around(box, canvas.label(name, rim, toward))
        else:
            box = canvas.label(f"{name} {share}%", rim, toward)
        facts.append(Numeric(entity=f"{name} Share", attribute="value", value=float(share), unit="%", box=box))
    whole = bounds((move_point(centre, 225, radius * 1.5), move_point(centre, 45, radius * 1.5)), 0)
    return canvas.finish(rng), (Structure(type="table", parts=("Characteristic", "Share"), box=whole), *facts)


def _tick_for(highest: int) -> int:
    """A round distance between ticks that gives four to eight of them."""
    for tick in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        if highest / tick <= 8:
            return tick
    return 2000


def _axis_step(tick: int) -> int:
    """What a value without a printed number is a multiple of: half a tick where that is whole, so that it can be read."""
    return tick // 2 if tick % 2 == 0 else tick


def _axis_slips(tick: int, value: int) -> tuple[int, ...]:
    """What a height is misread as against the axis: a tick off, or half of one."""
    step = _axis_step(tick)
    return tuple(x for x in dict.fromkeys((value + tick, value - tick, value + step, value - step)) if x > 0)
