"""Pie charts with printed percentages: how many a sector stands for, or two sectors together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Canvas, move_point, random_style
from evpv.figures.marks import bounds, box_around
from evpv.figures.notation import number
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misreadings, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint, Numeric, Structure

_SIZE = (640, 430)
_THEMES = (
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


def make(rng: Random) -> Scene:
    """A pie, and the number behind one sector, or behind two together."""
    title, every, noun = rng.choice(_THEMES)
    names = tuple(rng.sample(every, rng.randint(4, 5)))
    shares = _shares(rng, len(names))
    whole = rng.choice((200, 300, 400, 500, 600, 800, 1200))
    pie = _Pie(title=title, names=names, shares=shares, noun=noun, whole=whole)
    image, constraints = _draw(pie, rng)
    chosen = tuple(rng.sample(names, 2))
    asked, solve = f"{chosen[0]} and {chosen[1]} together", partial(_solve_two, pie, chosen)
    if rng.random() < 0.5:
        asked, solve = chosen[0], partial(_solve_one, pie, chosen[0])
    question = f"The chart stands for {whole} {noun} in total. How many {noun} belong to {asked}?"
    return Scene(image, question, constraints, solve, rng.random() < 0.35)


def _shares(rng: Random, count: int) -> tuple[int, ...]:
    """Different whole percentages of at least 8 that make 100."""
    while True:
        shares = [rng.randint(8, 40) for _ in range(count - 1)]
        last = 100 - sum(shares)
        if 8 <= last <= 50 and len({*shares, last}) == count:
            return (*shares, last)


def _read(sheet: Sheet, pie: _Pie, name: str) -> int:
    index = pie.names.index(name)
    value, beside = pie.shares[index], pie.shares[(index + 1) % len(pie.shares)]
    read = sheet.decide(f"share-{name}", value, *misreadings(value, below=60), *mixed_up(beside))
    sheet.say("pie-charts/share", f"share-{name}", name=name, value=read)
    return read


def _solve_one(pie: _Pie, name: str, sheet: Sheet) -> None:
    sheet.say("pie-charts/plan", optional=True, whole=pie.whole, name=name)
    _take_share(sheet, pie, _read(sheet, pie, name), name)


def _solve_two(pie: _Pie, pair: tuple[str, ...], sheet: Sheet) -> None:
    together = " and ".join(pair)
    if sheet.decide("half", False, *misbuilt(sum(pie.shares[pie.names.index(name)] for name in pair) != 50)):
        sheet.say("pie-charts/half", pair=together)
        return _take_share(sheet, pie, 50, together)
    first, second = (_read(sheet, pie, name) for name in pair)
    sign = sheet.decide("join", "+", *wrong_conclusions("−"))
    if sign == "−" and second > first:
        first, second = second, first
    both = sheet.calculate("both", first + second if sign == "+" else first - second)
    sheet.say("pie-charts/both", first=first, sign=sign, second=second, both=both)
    return _take_share(sheet, pie, both, together)


def _take_share(sheet: Sheet, pie: _Pie, percent: int, of: str) -> None:
    divisor = sheet.decide("divisor", 100, *wrong_facts(1000, 360))
    sheet.say("pie-charts/rule", percent=percent, whole=pie.whole, divisor=divisor)
    result: Amount = sheet.calculate("result", Fraction(pie.whole * percent, divisor))
    sheet.say("pie-charts/result", percent=percent, whole=pie.whole, divisor=divisor, result=result)
    sheet.say_answer("pie-charts/answer", number(result), f" {pie.noun}", of=of)


def _draw(pie: _Pie, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = Canvas(*_SIZE, random_style(rng, upright=True))
    canvas.text(pie.title, (_SIZE[0] / 2, 26))
    centre, radius = (_SIZE[0] / 2, 232.0), 138.0
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
        toward = (math.cos(math.radians(middle)), math.sin(math.radians(middle)))
        rim = move_point(centre, middle, radius + 4)
        if inside:
            box = canvas.text(f"{share}%", move_point(centre, middle, radius * 0.68), colour=_readable(colour))
            box = box_around(box, canvas.label(name, rim, toward))
        else:
            box = canvas.label(f"{name} {share}%", rim, toward)
        facts.append(Numeric(entity=f"{name} Share", attribute="value", value=float(share), unit="%", box=box))
    whole = bounds((move_point(centre, 225, radius * 1.5), move_point(centre, 45, radius * 1.5)), 0)
    return canvas.finish(rng), (Structure(type="table", parts=("Characteristic", "Share"), box=whole), *facts)


def _readable(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Black on light sectors, white on dark ones."""
    light = 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2]
    return (0, 0, 0) if light > 125 else (255, 255, 255)
