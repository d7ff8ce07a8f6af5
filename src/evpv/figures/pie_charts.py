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
from evpv.figures.notation import equals, number
from evpv.figures.phrases import Said, confusions
from evpv.figures.writing import Amount, Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
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
    pie = _Pie(
        title=title,
        names=names,
        shares=_shares(rng, len(names)),
        noun=noun,
        whole=rng.choice((200, 300, 400, 500, 600, 800, 1200)),
    )
    image, constraints = _draw(pie, rng)
    first, second = rng.sample(names, 2)
    if rng.random() < 0.5:
        question = f"The chart stands for {pie.whole} {noun} in total. How many {noun} belong to {first}?"
        solve = partial(_solve_one, pie, first)
    else:
        pair = f"{first} and {second} together"
        question = f"The chart stands for {pie.whole} {noun} in total. How many {noun} belong to {pair}?"
        solve = partial(_solve_two, pie, (first, second))
    choice = rng.random() < 0.35
    return Scene(image=image, question=question, constraints=constraints, solve=solve, multiple_choice=choice)


def _shares(rng: Random, count: int) -> tuple[int, ...]:
    """Different whole percentages of at least 8 that make 100."""
    while True:
        shares = [rng.randint(8, 40) for _ in range(count - 1)]
        last = 100 - sum(shares)
        if 8 <= last <= 50 and len({*shares, last}) == count:
            return (*shares, last)


def _reading(name: str, value: Amount) -> Said:
    amount = number(value)
    return Said(
        texts=(
            f"The sector for {name} is labeled {amount}%.",
            f"According to the pie chart, {name} makes up {amount}%.",
            f"The chart gives {name} a share of {amount}%.",
            f"{name} makes up {amount}% of the whole.",
        ),
        claims=(
            f"{name} makes up {amount}%.",
            f"The share of {name} is {amount}%.",
            f"The {name} sector is {amount}%.",
        ),
    )


def _read(sheet: Sheet, pie: _Pie, name: str) -> int:
    index = pie.names.index(name)
    value, beside = pie.shares[index], pie.shares[(index + 1) % len(pie.shares)]
    read = sheet.decide(f"share-{name}", value, *misread(*confusions(value, below=60)), *mixed_up(beside))
    _reading(name, read).on(sheet, f"share-{name}")
    return read


def _solve_one(pie: _Pie, name: str, sheet: Sheet) -> None:
    sheet.step("plan", f"We have to find the part of {pie.whole} that {name} stands for.", optional=True)
    _take_share(sheet, pie, _read(sheet, pie, name), name)


def _solve_two(pie: _Pie, pair: tuple[str, str], sheet: Sheet) -> None:
    if sheet.decide("half", False, *misbuilt(sum(pie.shares[pie.names.index(name)] for name in pair) != 50)):
        sectors = f"the sectors for {pair[0]} and {pair[1]} fill"
        claims = (
            f"{pair[0]} and {pair[1]} together make up 50%.",
            f"{sectors[0].upper()}{sectors[1:]} half of the circle.",
        )
        sheet.step("half", f"In the picture {sectors} half of the circle, which is 50%.", claim=claims)
        return _take_share(sheet, pie, 50, f"{pair[0]} and {pair[1]}")
    first, second = (_read(sheet, pie, name) for name in pair)
    sign = sheet.decide("join", "+", *wrong_conclusions("−"))
    if sign == "−" and second > first:
        first, second = second, first
    both = sheet.calculate("both", first + second if sign == "+" else first - second)
    sheet.step(
        "both",
        f"Together they have `{first}% {sign} {second}% = {both}%`.",
        f"`{first} {sign} {second} = {both}` percent.",
    )
    return _take_share(sheet, pie, both, f"{pair[0]} and {pair[1]}")


def _take_share(sheet: Sheet, pie: _Pie, percent: int, of: str) -> None:
    divisor = sheet.decide("divisor", 100, *wrong_facts(1000, 360))
    sheet.step(
        "rule",
        f"{percent}% of {pie.whole} is `{pie.whole} × {percent} ÷ {divisor}`.",
        f"To get {percent}% of {pie.whole}, multiply by {percent} and divide by {divisor}.",
    )
    result: Amount = sheet.calculate("result", Fraction(pie.whole * percent, divisor))
    sheet.step(
        "result",
        f"`{pie.whole} × {percent} ÷ {divisor} {equals(result)}`.",
        f"That makes `{pie.whole} × {percent} ÷ {divisor} {equals(result)}`.",
    )
    sheet.conclude(number(result), "The answer is {}.", f"So {of} stands for {{}}.", unit=f" {pie.noun}")


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
