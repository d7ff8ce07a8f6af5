"""Figures as in school books, drawn here with known truth, and how well the reader of geometry reads them.

    python benchmarks/schoolbook.py FOLDER [--each 6] [--seed 0]   draw, read and score, by kind
    python benchmarks/schoolbook.py FOLDER --draw-only

Every third figure of a kind is marked `closed`: only its sums are to be looked at. Lines are thin or bold, black or coloured,
hidden edges dashed, lengths written beside a side, at a dimension line with arrows or into it, with a unit or without; some
pictures are small, noisy or compressed.
"""

from __future__ import annotations

import argparse
import io
import json
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from perception import load_scorer
from PIL import Image, ImageDraw

from evpv.figures.drawing import font
from evpv.perception.extractor import EmbeddedExtractor
from evpv.records.constraints import constraints_to_json
from evpv.types import Problem

Point = tuple[float, float]
Fact = dict[str, Any]
ZOOM = 3
FONTS = (
    "DejaVuSans",
    "DejaVuSerif",
    "STIXGeneral",
    "STIXGeneralItalic",
    "DejaVuSans-Oblique",
    "cmr10",
    "DejaVuSans-Bold",
)
INKS = ("black", "black", "black", "#222266", "#7a1f1f", "#1f6f3f")
FILLS = (None, None, None, "#e4eefb", "#fdf1d6", "#e9e9e9")


class Sketch:
    """A canvas in the units of a figure, its look, and the facts that it shows."""

    closed_every = 3

    def __init__(self, rng: Random, size: tuple[int, int] = (460, 360)) -> None:
        self.rng, self.size, self.facts = rng, size, list[Fact]()
        self.image = Image.new("RGB", (size[0] * ZOOM, size[1] * ZOOM), "white")
        self.draw = ImageDraw.Draw(self.image)
        self.ink, self.fill = rng.choice(INKS), rng.choice(FILLS)
        self.width = rng.choice((1.2, 1.6, 2.0, 2.6, 3.2))
        self.print_px, self.font = rng.choice((15, 17, 20, 23)), rng.choice(FONTS)
        self.unit = rng.choice(("", "", " cm", "cm", " m", " dm"))
        self.label_ink = rng.choice(("black", "black", self.ink))
        self.dimensions = rng.choice(("beside", "beside", "arrows", "bars"))

    def line(self, a: Point, b: Point, *, dashed: bool = False, width: float | None = None) -> None:
        wide = round((width or self.width) * ZOOM)
        if not dashed:
            self.draw.line([(a[0] * ZOOM, a[1] * ZOOM), (b[0] * ZOOM, b[1] * ZOOM)], self.ink, wide)
            return
        length = math.dist(a, b)
        step = 11.0
        for start in np.arange(0, length, step):
            end = min(start + 0.6 * step, length)
            first, last = (tuple(ZOOM * (a[i] + (b[i] - a[i]) * t / length) for i in (0, 1)) for t in (start, end))
            self.draw.line([first, last], self.ink, wide)

    def polygon(self, corners: Sequence[Point]) -> None:
        if self.fill:
            self.draw.polygon([(x * ZOOM, y * ZOOM) for x, y in corners], self.fill)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            self.line(a, b)
        for x, y in corners:
            r = self.width / 2
            self.draw.ellipse([(x - r) * ZOOM, (y - r) * ZOOM, (x + r) * ZOOM, (y + r) * ZOOM], self.ink)

    def arc(
        self, centre: Point, rx: float, ry: float, start: float = 0, end: float = 360, *, dashed: bool = False
    ) -> None:
        turns = np.radians(np.arange(start, end + 0.1, 1.5))
        points = [(centre[0] + rx * math.cos(t), centre[1] + ry * math.sin(t)) for t in turns]
        for place, (a, b) in enumerate(pairwise(points)):
            if not dashed or place % 8 < 5:
                self.line(a, b)

    def dot(self, at: Point) -> None:
        r = max(self.width, 2.0)
        self.draw.ellipse([(at[0] - r) * ZOOM, (at[1] - r) * ZOOM, (at[0] + r) * ZOOM, (at[1] + r) * ZOOM], self.ink)

    def text(self, at: Point, text: str) -> None:
        face = font(self.font, self.print_px * ZOOM)
        x0, y0, x1, y1 = self.draw.textbbox((0, 0), text, face)
        self.draw.text((at[0] * ZOOM - (x0 + x1) / 2, at[1] * ZOOM - (y0 + y1) / 2), text, self.label_ink, face)

    def half(self, text: str, way: Point) -> float:
        """How far the rim of a text is from its middle in a direction."""
        face = font(self.font, self.print_px * ZOOM)
        x0, y0, x1, y1 = self.draw.textbbox((0, 0), text, face)
        return (abs(way[0]) * (x1 - x0) + abs(way[1]) * (y1 - y0)) / 2 / ZOOM

    def beside(self, a: Point, b: Point, text: str, away_from: Point) -> None:
        """A text at the middle of a side, on the side away from a place."""
        way = outward(a, b, away_from)
        off = self.half(text, way) + 5 + self.width
        self.text(((a[0] + b[0]) / 2 + way[0] * off, (a[1] + b[1]) / 2 + way[1] * off), text)

    def measure(self, a: Point, b: Point, value: float, away_from: Point, *, inside: bool = False) -> str:
        """A length at a side: beside it, or at a dimension line with arrows or bars."""
        text = f"{value:g}{self.unit}"
        if self.dimensions == "beside" or inside:
            self.beside(a, b, text, away_from)
            return text
        way = outward(a, b, away_from)
        off = 16.0
        c, d = ((p[0] + way[0] * off, p[1] + way[1] * off) for p in (a, b))
        thin = 1.0
        for p, q in ((a, c), (b, d)):
            self.line((p[0] + way[0] * 4, p[1] + way[1] * 4), (q[0] + way[0] * 4, q[1] + way[1] * 4), width=thin)
        length = math.dist(c, d)
        along = ((d[0] - c[0]) / length, (d[1] - c[1]) / length)
        reach = self.half(text, along) + 4
        middle = ((c[0] + d[0]) / 2, (c[1] + d[1]) / 2)
        within = self.dimensions == "bars" and reach < 0.35 * length
        if within:
            for end, sign in ((c, -1), (d, 1)):
                self.line((middle[0] + sign * along[0] * reach, middle[1] + sign * along[1] * reach), end, width=thin)
            self.text(middle, text)
        else:
            self.line(c, d, width=thin)
            more = self.half(text, way) + 4
            self.text((middle[0] + way[0] * more, middle[1] + way[1] * more), text)
        for end, sign in ((c, 1), (d, -1)):
            for side in (-1, 1):
                tip = (
                    end[0] + sign * along[0] * 8 + side * way[0] * 3,
                    end[1] + sign * along[1] * 8 + side * way[1] * 3,
                )
                self.line(end, tip, width=thin)
        return text

    def square(self, at: Point, one: Point, other: Point) -> None:
        size = 0.09 * self.size[1] * self.rng.choice((0.3, 0.4, 0.5))
        u, v = (unit(at, p) for p in (one, other))
        a, c = ((at[0] + w[0] * size, at[1] + w[1] * size) for w in (u, v))
        b = (a[0] + v[0] * size, a[1] + v[1] * size)
        self.line(a, b, width=min(self.width, 1.6))
        self.line(b, c, width=min(self.width, 1.6))

    def ticks(self, a: Point, b: Point, count: int) -> None:
        along = unit(a, b)
        for place in range(count):
            off = (place - (count - 1) / 2) * 5
            x, y = (a[0] + b[0]) / 2 + along[0] * off, (a[1] + b[1]) / 2 + along[1] * off
            self.line((x - along[1] * 6, y + along[0] * 6), (x + along[1] * 6, y - along[0] * 6), width=1.4)

    def arrow(self, a: Point, b: Point, share: float) -> None:
        along = unit(a, b)
        tip = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        for side in (-1, 1):
            self.line(
                tip,
                (tip[0] - along[0] * 9 + side * along[1] * 5, tip[1] - along[1] * 9 - side * along[0] * 5),
                width=1.6,
            )

    def angle(self, at: Point, one: Point, other: Point, text: str, radius: float = 22, *, arc: bool = True) -> None:
        """A measure written into an angle, with an arc."""
        u, v = unit(at, one), unit(at, other)
        start, end = math.degrees(math.atan2(u[1], u[0])), math.degrees(math.atan2(v[1], v[0]))
        if (end - start) % 360 > 180:
            start, end = end, start
        end = start + (end - start) % 360
        if arc:
            self.arc(at, radius, radius, start, end)
        middle = math.radians((start + end) / 2)
        way = (math.cos(middle), math.sin(middle))
        narrow = max(math.sin(math.radians(end - start) / 2), 0.25)
        off = max(radius + self.half(text, way) + 3, 0.62 * self.print_px / narrow)
        if text:
            self.text((at[0] + way[0] * off, at[1] + way[1] * off), text)

    def letter(self, at: Point, name: str, away_from: Point) -> None:
        way = unit(away_from, at)
        off = self.half(name, way) + 5 + self.width
        self.text((at[0] + way[0] * off, at[1] + way[1] * off), name)

    def say(self, entity: str, value: float, attribute: str = "length", also: Sequence[str] = ()) -> None:
        unit_ = "deg" if attribute == "angle" else (self.unit.strip() or None)
        self.facts.append(
            {
                "category": "numeric",
                "entity": entity,
                "attribute": attribute,
                "value": value,
                "unit": unit_,
                "confidence": 1.0,
                "also": list(also),
            }
        )

    def relate(self, kind: str, *entities: str, also: Sequence[Sequence[str]] = ()) -> None:
        self.facts.append(
            {
                "category": "relation",
                "type": kind,
                "entities": list(entities),
                "direction": None,
                "confidence": 1.0,
                "also": [list(one) for one in also],
            }
        )

    def picture(self) -> Image.Image:
        """The finished picture: reduced, and in a third of cases small, noisy or compressed."""
        shrink = self.rng.choice((1.0, 1.0, 1.0, 1.4, 0.75))
        found = self.image.resize(
            (round(self.size[0] * shrink), round(self.size[1] * shrink)), Image.Resampling.LANCZOS
        )
        spoilt = self.rng.random()
        if spoilt < 0.15:
            noise = np.random.default_rng(self.rng.randint(0, 10**6)).normal(0, 9, (*found.size[::-1], 3))
            return Image.fromarray(np.clip(np.asarray(found, np.float64) + noise, 0, 255).astype(np.uint8))
        if spoilt < 0.3:
            buffer = io.BytesIO()
            found.save(buffer, "JPEG", quality=60)
            return Image.open(buffer).convert("RGB")
        return found


def unit(a: Point, b: Point) -> Point:
    length = max(math.dist(a, b), 1e-9)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def outward(a: Point, b: Point, away_from: Point) -> Point:
    along = unit(a, b)
    way = (-along[1], along[0])
    to_middle = (away_from[0] - (a[0] + b[0]) / 2, away_from[1] - (a[1] + b[1]) / 2)
    return way if way[0] * to_middle[0] + way[1] * to_middle[1] <= 0 else (-way[0], -way[1])


def centre_of(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def letters(rng: Random, count: int) -> list[str]:
    first = rng.choice(("ABCDEFGH", "PQRSTUVW", "KLMNPQRS", "DEFGHKLM"))
    return list(first[:count])


def plain_number(rng: Random) -> float:
    return rng.choice((rng.randint(2, 30), rng.randint(2, 30), rng.randint(20, 99) / 10))


def distinct(rng: Random, count: int) -> list[float]:
    found: list[float] = []
    while len(found) < count:
        value = plain_number(rng)
        if value not in found:
            found.append(value)
    return found


def side_name(a: str, b: str) -> str:
    return f"segment {a}{b}"


# lettered figures


def triangle(s: Sketch) -> None:
    rng = s.rng
    a, b, c = (rng.uniform(80, 330), 60.0), (60.0, rng.uniform(270, 300)), (400.0, rng.uniform(260, 300))
    names, centre = letters(rng, 3), centre_of((a, b, c))
    s.polygon((a, b, c))
    for at, name in zip((a, b, c), names, strict=True):
        s.letter(at, name, centre)
    sides = [(a, b, names[0], names[1]), (b, c, names[1], names[2]), (c, a, names[2], names[0])]
    for (p, q, m, n), value in zip(rng.sample(sides, 2), distinct(rng, 2), strict=True):
        s.beside(p, q, f"{value:g}{s.unit}", centre)
        s.say(side_name(m, n), value)
    wide = round(math.degrees(math.acos(unit(b, a)[0] * unit(b, c)[0] + unit(b, a)[1] * unit(b, c)[1])))
    s.angle(b, a, c, f"{wide}°")
    s.say(f"angle {names[0]}{names[1]}{names[2]}", wide, "angle")


def right_triangle(s: Sketch) -> None:
    rng = s.rng
    a, b, c = (90.0, 70.0), (90.0, 290.0), (380.0, 290.0)
    n, centre = letters(rng, 3), centre_of((a, b, c))
    s.polygon((a, b, c))
    s.square(b, a, c)
    for at, name in zip((a, b, c), n, strict=True):
        s.letter(at, name, centre)
    x, y = distinct(rng, 2)
    s.beside(a, b, f"{x:g}{s.unit}", centre)
    s.beside(b, c, f"{y:g}{s.unit}", centre)
    s.say(side_name(n[0], n[1]), x)
    s.say(side_name(n[1], n[2]), y)
    s.relate("perpendicular", n[0] + n[1], n[1] + n[2])


def altitude(s: Sketch) -> None:
    """An altitude, dashed or not; its foot cuts the base in parts, and the whole may be measured too."""
    rng = s.rng
    foot = rng.uniform(170, 290)
    a, b, c, d = (foot, 60.0), (70.0, 280.0), (390.0, 280.0), (foot, 280.0)
    n, centre = letters(rng, 4), centre_of((a, b, c))
    s.polygon((a, b, c))
    s.line(a, d, dashed=rng.random() < 0.6)
    s.square(d, a, c)
    for at, name in zip((a, b, c), n, strict=False):
        s.letter(at, name, centre)
    s.letter(d, n[3], a)
    x, y = distinct(rng, 2)
    s.beside(a, d, f"{x:g}{s.unit}", (70.0, 200.0))
    s.say(side_name(n[0], n[3]), x)
    s.beside(a, b, f"{y:g}{s.unit}", centre)
    s.say(side_name(n[0], n[1]), y)
    s.relate("perpendicular", n[0] + n[3], n[1] + n[2], also=[[n[0] + n[3], n[3] + n[2]], [n[0] + n[3], n[1] + n[3]]])
    s.relate("incident", n[3], n[1] + n[2])
    if rng.random() < 0.5:
        z = x + y
        s.dimensions = "arrows"
        low = 280.0 + s.print_px + 4
        s.measure((b[0], low), (c[0], low), z, (foot, 0.0))
        s.say(side_name(n[1], n[2]), z)


def parts_of_line(s: Sketch) -> None:
    """Two parts of a side with the same or other lengths, stated with an equals sign in half of cases."""
    rng = s.rng
    a, b, c, d = (rng.uniform(130, 300), 60.0), (70.0, 280.0), (400.0, 280.0), (230.0, 280.0)
    n, centre = letters(rng, 4), centre_of((a, b, c))
    s.polygon((a, b, c))
    s.line(a, d)
    for at, name in zip((a, b, c), n, strict=False):
        s.letter(at, name, centre)
    s.letter(d, n[3], a)
    x, y = distinct(rng, 2)
    s.beside(b, d, f"{x:g}{s.unit}", a)
    s.beside(d, c, f"{y:g}{s.unit}", a)
    s.say(side_name(n[1], n[3]), x)
    s.say(side_name(n[3], n[2]), y)
    s.relate("incident", n[3], n[1] + n[2])
    if rng.random() < 0.5:
        z = plain_number(rng)
        s.text((120, 24), f"{n[0]}{n[3]} = {z:g}{s.unit}")
        s.say(side_name(n[0], n[3]), z)


def transversal(s: Sketch) -> None:
    """Two parallel lines cut by a third: points or small letters name the lines, arrows may mark them."""
    rng = s.rng
    y0, y1 = 110.0, 250.0
    top, low = (rng.uniform(280, 340), 40.0), (rng.uniform(120, 180), 320.0)
    s.fill = None

    def crossing(y: float) -> Point:
        t = (y - top[1]) / (low[1] - top[1])
        return top[0] + t * (low[0] - top[0]), y

    e, f = crossing(y0), crossing(y1)
    for y in (y0, y1):
        s.line((50, y), (420, y))
    s.line(top, low)
    wide = round(math.degrees(math.atan2(top[1] - low[1], top[0] - low[0])) % 180)
    wide = 180 - wide if wide > 90 else wide
    lettered = rng.random() < 0.6
    if lettered:
        a, b, c, d, g, h = "ABCDEF"
        for at, name in (((50, y0), a), ((420, y0), b), ((50, y1), c), ((420, y1), d)):
            s.text((at[0] + (-14 if at[0] < 200 else 14), at[1]), name)
            if rng.random() < 0.3:
                s.dot(at)
        s.text((e[0] - 14, e[1] - 16), g)
        s.text((f[0] + 18, f[1] + 16), h)
        s.angle(e, (420, y0), top, f"{wide}°", 18)
        s.relate("incident", g, a + b)
        s.relate("incident", h, c + d)
    else:
        s.text((438, y0), "a")
        s.text((438, y1), "b")
        s.angle(e, (420, y0), top, f"{wide}°", 18)
        s.say(
            "angle",
            wide,
            "angle",
            also=["transversal angle", "parallel lines angle", "angle between line a and transversal"],
        )
    if rng.random() < 0.7 or not lettered:
        s.arrow((50, y0), (420, y0), 0.2)
        s.arrow((50, y1), (420, y1), 0.2)
        names = ("AB", "CD") if lettered else ("a", "b")
        s.relate("parallel", *names, also=[["line a", "line b"]])


def isosceles(s: Sketch) -> None:
    rng = s.rng
    a, b, c = (230.0, 50.0), (110.0, 290.0), (350.0, 290.0)
    n, centre = letters(rng, 3), centre_of((a, b, c))
    s.polygon((a, b, c))
    for at, name in zip((a, b, c), n, strict=True):
        s.letter(at, name, centre)
    s.ticks(a, b, 1)
    s.ticks(a, c, 1)
    s.relate("equal", side_name(n[0], n[1]), side_name(n[0], n[2]))
    s.angle(a, b, c, "53°", 26)
    s.say(f"angle {n[1]}{n[0]}{n[2]}", 53, "angle")


def quadrilateral(s: Sketch) -> None:
    rng = s.rng
    kind = rng.choice(("parallelogram", "trapezoid", "rectangle"))
    lean = {"parallelogram": (70.0, 70.0), "trapezoid": (70.0, -60.0), "rectangle": (0.0, 0.0)}[kind]
    p = [(70 + lean[0], 80.0), (340 + lean[1], 80.0), (340.0, 270.0), (70.0, 270.0)]
    n, centre = letters(rng, 4), centre_of(p)
    s.polygon(p)
    for at, name in zip(p, n, strict=True):
        s.letter(at, name, centre)
    x, y = distinct(rng, 2)
    s.beside(p[3], p[2], f"{x:g}{s.unit}", centre)
    s.say(side_name(n[3], n[2]), x)
    s.beside(p[0], p[3], f"{y:g}{s.unit}", centre)
    s.say(side_name(n[0], n[3]), y)
    if kind == "rectangle":
        s.square(p[3], p[0], p[2])
        s.relate("perpendicular", n[0] + n[3], n[3] + n[2])
    if rng.random() < 0.4:
        s.line(p[0], p[2])


def lettered_circle(s: Sketch) -> None:
    rng = s.rng
    centre, r = (230.0, 180.0), 120.0
    s.arc(centre, r, r)
    s.dot(centre)
    turn = math.radians(rng.choice((-30, 20, -60, 200)))
    a = (centre[0] + r * math.cos(turn), centre[1] + r * math.sin(turn))
    s.line(centre, a)
    s.letter(a, "A", centre)
    s.text((centre[0] - 10, centre[1] + 16 if a[1] < centre[1] else centre[1] - 16), "O")
    x = plain_number(rng)
    s.beside(centre, a, f"{x:g}{s.unit}", (centre[0], centre[1] + 400))
    s.say("segment OA", x, also=["circle O", "circle O radius", "circle radius"])


# figures without letters


def bare_triangle(s: Sketch) -> None:
    rng = s.rng
    right = rng.random() < 0.5
    a = (90.0, 70.0) if right else (rng.uniform(150, 300), 70.0)
    b, c = (90.0, 280.0), (380.0, 280.0)
    centre = centre_of((a, b, c))
    s.polygon((a, b, c))
    x, y = distinct(rng, 2)
    s.measure(b, c, x, centre)
    if right:
        s.square(b, a, c)
        s.measure(a, b, y, centre)
        s.say("triangle leg", x, also=["triangle side", "triangle base"])
        s.say("triangle leg", y, also=["triangle side", "triangle height"])
        s.relate("perpendicular", "triangle leg", "triangle leg", also=[["triangle base", "triangle height"]])
    else:
        foot = (a[0], b[1])
        s.line(a, foot, dashed=True)
        s.square(foot, a, c)
        s.beside(a, foot, f"{y:g}{s.unit}", (0.0, 200.0))
        s.say("triangle base", x, also=["triangle side"])
        s.say("triangle height", y)
        s.relate("perpendicular", "triangle height", "triangle base", also=[["height", "base"]])


def bare_quadrilateral(s: Sketch) -> None:
    rng = s.rng
    kind = rng.choice(("parallelogram", "trapezoid", "rectangle", "square", "rhombus"))
    lean = {"parallelogram": (80.0, 80.0), "trapezoid": (70.0, -60.0), "rhombus": (60.0, 60.0)}.get(kind, (0.0, 0.0))
    wide = {"square": 190.0, "rhombus": math.hypot(190, 60)}.get(kind, 280.0)
    p = [(80 + lean[0], 80.0), (80 + wide + lean[1], 80.0), (80 + wide, 270.0), (80.0, 270.0)]
    centre = centre_of(p)
    s.polygon(p)
    x, y = distinct(rng, 2)
    s.measure(p[3], p[2], x, centre)
    if kind == "rectangle":
        s.say("rectangle length", x, also=["rectangle base", "rectangle side"])
        s.measure(p[1], p[2], y, centre)
        s.say("rectangle width", y, also=["rectangle height"])
    elif kind in ("square", "rhombus"):
        s.say(f"{kind} side", x)
    else:
        s.say(f"{kind} {'base' if kind == 'parallelogram' else 'lower base'}", x, also=[f"{kind} base"])
        foot = (p[0][0], p[3][1])
        s.line(p[0], foot, dashed=True)
        s.square(foot, p[0], p[2])
        s.beside(p[0], foot, f"{y:g}{s.unit}", (0.0, 180.0))
        s.say(f"{kind} height", y)
        s.relate("perpendicular", f"{kind} height", f"{kind} base", also=[["height", "base"]])


def bare_circle(s: Sketch) -> None:
    rng = s.rng
    centre, r = (220.0, 180.0), 115.0
    s.arc(centre, r, r)
    s.dot(centre)
    x = plain_number(rng)
    whole = rng.random() < 0.5
    turn = 0.0 if whole else math.radians(rng.choice((0, -35, 180)))
    end = (centre[0] + r * math.cos(turn), centre[1] + r * math.sin(turn))
    start = (2 * centre[0] - end[0], 2 * centre[1] - end[1]) if whole else centre
    s.line(start, end, dashed=rng.random() < 0.3)
    text = f"{x:g}{s.unit}" if rng.random() < 0.7 else f"{'d' if whole else 'r'} = {x:g}{s.unit}"
    s.beside(start, end, text, (centre[0], 999.0))
    s.say(f"circle {'diameter' if whole else 'radius'}", x, also=["circle"])


def sector(s: Sketch) -> None:
    rng = s.rng
    at, r, wide = (120.0, 270.0), 190.0, rng.choice((60, 90, 75, 45))
    ends = [(at[0] + r, at[1]), (at[0] + r * math.cos(math.radians(wide)), at[1] - r * math.sin(math.radians(wide)))]
    for end in ends:
        s.line(at, end)
    s.arc(at, r, r, 360 - wide, 360)
    x = plain_number(rng)
    s.angle(at, ends[0], ends[1], f"{wide}°", 24)
    s.beside(at, ends[0], f"{x:g}{s.unit}", (at[0], 0.0))
    s.say("sector radius", x)
    s.say("sector angle", wide, "angle", also=["sector central angle"])


def box(s: Sketch) -> None:
    rng = s.rng
    is_cube = rng.random() < 0.3
    w, h, dx, dy = (150.0, 150.0, 55.0, 55.0) if is_cube else (rng.uniform(160, 220), rng.uniform(80, 130), 70.0, 50.0)
    x0, y1 = 80.0, 290.0
    front = [(x0, y1 - h), (x0 + w, y1 - h), (x0 + w, y1), (x0, y1)]
    back = [(x + dx, y - dy) for x, y in front]
    if s.fill:
        for face in (front, [front[0], front[1], back[1], back[0]], [front[1], back[1], back[2], front[2]]):
            s.draw.polygon([(x * ZOOM, y * ZOOM) for x, y in face], s.fill)
    s.fill = None
    s.polygon(front)
    for a, b in ((0, 0), (1, 1), (2, 2)):
        s.line(front[a], back[b])
    s.line(back[0], back[1])
    s.line(back[1], back[2])
    if rng.random() < 0.6:
        for end in (front[3], back[0], back[2]):
            s.line(back[3], end, dashed=True)
    centre = (x0 + (w + dx) / 2, y1 - (h + dy) / 2)
    x, y, z = distinct(rng, 3)
    s.measure(front[3], front[2], x, centre)
    if is_cube:
        s.say("cube edge", x)
        return
    s.measure(back[1], back[2], z, centre)
    s.measure(front[2], back[2], y, centre)
    s.say("cuboid length", x, also=["box length", "rectangular prism length"])
    s.say("cuboid height", z, also=["box height", "rectangular prism height"])
    s.say("cuboid width", y, also=["box width", "rectangular prism width"])


def cylinder(s: Sketch) -> None:
    rng = s.rng
    x, r, top, low, flat = 210.0, rng.uniform(70, 100), 90.0, 280.0, rng.uniform(18, 30)
    s.arc((x, top), r, flat)
    s.arc((x, low), r, flat, 0, 180)
    if rng.random() < 0.7:
        s.arc((x, low), r, flat, 180, 360, dashed=True)
    for side in (-1, 1):
        s.line((x + side * r, top), (x + side * r, low))
    a, b = distinct(rng, 2)
    s.measure((x + r, top), (x + r, low), a, (x, 180))
    s.say("cylinder height", a)
    whole = rng.random() < 0.5
    at = (x - r if whole else x, top)
    s.line(at, (x + r, top), dashed=rng.random() < 0.4)
    s.dot((x, top))
    s.text(((at[0] + x + r) / 2, top - flat - s.print_px), f"{b:g}{s.unit}")
    s.say(
        f"cylinder base {'diameter' if whole else 'radius'}", b, also=[f"cylinder {'diameter' if whole else 'radius'}"]
    )


def cone(s: Sketch) -> None:
    rng = s.rng
    x, r, top, low, flat = 210.0, rng.uniform(75, 110), 60.0, 280.0, rng.uniform(16, 28)
    s.arc((x, low), r, flat, 0, 180)
    s.arc((x, low), r, flat, 180, 360, dashed=True)
    for side in (-1, 1):
        s.line((x, top), (x + side * r, low))
    a, b = distinct(rng, 2)
    s.line((x, top), (x, low), dashed=True)
    s.line((x, low), (x + r, low), dashed=rng.random() < 0.5)
    s.square((x, low), (x, top), (x + r, low)) if rng.random() < 0.5 else None
    text = f"{a:g}{s.unit}"
    s.text((x - s.half(text, (1, 0)) - 6, top + 0.66 * (low - top)), text)
    s.say("cone height", a)
    s.text((x + r / 2, low + flat + 0.8 * s.print_px), f"{b:g}{s.unit}")
    s.say("cone base radius", b, also=["cone radius"])


def sphere(s: Sketch) -> None:
    rng = s.rng
    x, y, r = 220.0, 180.0, 115.0
    s.arc((x, y), r, r)
    s.arc((x, y), r, 0.3 * r, 0, 180)
    s.arc((x, y), r, 0.3 * r, 180, 360, dashed=True)
    s.dot((x, y))
    s.line((x, y), (x + r, y), dashed=rng.random() < 0.4)
    a = plain_number(rng)
    s.beside((x, y), (x + r, y), f"{a:g}{s.unit}" if rng.random() < 0.7 else f"r = {a:g}{s.unit}", (x, 999.0))
    s.say("sphere radius", a)


def prism(s: Sketch) -> None:
    """A triangular prism lying on a face."""
    rng = s.rng
    a, b, c = (140.0, 130.0), (80.0, 270.0), (200.0, 270.0)
    way = (rng.uniform(150, 190), -rng.uniform(30, 50))
    d, e, f = ((p[0] + way[0], p[1] + way[1]) for p in (a, b, c))
    s.fill = None
    s.polygon((a, b, c))
    for p, q in ((a, d), (c, f), (d, f)):
        s.line(p, q)
    for p, q in ((b, e), (e, f), (e, d)):
        s.line(p, q, dashed=True)
    x, y, z = distinct(rng, 3)
    s.beside(b, c, f"{x:g}{s.unit}", a)
    s.beside(c, f, f"{y:g}{s.unit}", a)
    foot = ((b[0] + c[0]) / 2, b[1])
    s.line(a, foot, dashed=True)
    s.beside(a, foot, f"{z:g}", (999.0, 200.0)) if s.print_px < 18 else None
    s.say("prism base side", x, also=["prism base", "triangular prism base", "triangular prism side", "prism side"])
    s.say("prism length", y, also=["prism height", "triangular prism length", "triangular prism height"])
    if s.print_px < 18:
        s.say("prism base height", z, also=["triangular prism base height", "prism height", "prism triangle height"])


def pyramid(s: Sketch) -> None:
    rng = s.rng
    a, b, c, d = (80.0, 270.0), (250.0, 270.0), (330.0, 205.0), (160.0, 205.0)
    tip, foot = (205.0, 55.0), (205.0, 237.0)
    s.fill = None
    for p, q in ((a, b), (b, c), (tip, a), (tip, b), (tip, c)):
        s.line(p, q)
    for p, q in ((c, d), (d, a), (tip, d), (tip, foot)):
        s.line(p, q, dashed=True)
    x, y = distinct(rng, 2)
    s.beside(a, b, f"{x:g}{s.unit}", tip)
    s.text((foot[0] + s.half(f"{y:g}", (1, 0)) + 5, 190.0), f"{y:g}")
    s.say("pyramid base side", x, also=["pyramid base", "pyramid base edge", "square pyramid base side"])
    s.say("pyramid height", y, also=["square pyramid height"])


def l_shape(s: Sketch) -> None:
    rng = s.rng
    x1, y1 = rng.uniform(220, 270), rng.uniform(140, 190)
    p = [(130.0, 70.0), (x1, 70.0), (x1, y1), (370.0, y1), (370.0, 280.0), (130.0, 280.0)]
    s.polygon(p)
    values = distinct(rng, 4)
    centre = (160.0, 240.0)
    spots = [("top", 0), ("left", 5), ("bottom", 4), ("right", 3)]
    for (word, place), value in zip(spots, values, strict=True):
        s.measure(p[place], p[(place + 1) % 6], value, centre)
        s.say(
            f"{word} side",
            value,
            also=[f"polygon {word} side", "polygon side", "composite side", "L-shape side", "hexagon side"],
        )


def house_shape(s: Sketch) -> None:
    """A triangle or a half circle on a rectangle."""
    rng = s.rng
    x0, x1, y0, y1 = 110.0, 310.0, 150.0, 290.0
    is_round = rng.random() < 0.5
    s.line((x0, y0), (x0, y1))
    s.line((x0, y1), (x1, y1))
    s.line((x1, y1), (x1, y0))
    s.line((x0, y0), (x1, y0), dashed=rng.random() < 0.7)
    if is_round:
        s.arc(((x0 + x1) / 2, y0), (x1 - x0) / 2, (x1 - x0) / 2, 180, 360)
    else:
        s.line((x0, y0), ((x0 + x1) / 2, 60.0))
        s.line((x1, y0), ((x0 + x1) / 2, 60.0))
    x, y = distinct(rng, 2)
    s.measure((x0, y1), (x1, y1), x, (210.0, 0.0))
    s.measure((x1, y0), (x1, y1), y, (0.0, 200.0))
    s.say(
        "rectangle length",
        x,
        also=["bottom side", "rectangle base", "polygon side", "polygon bottom side", "composite bottom side"],
    )
    s.say(
        "rectangle width",
        y,
        also=["right side", "rectangle height", "polygon side", "polygon right side", "composite right side"],
    )


def two_boxes(s: Sketch) -> None:
    """Two rectangles side by side, each with its own measures."""
    rng = s.rng
    values = distinct(rng, 4)
    for place, (x0, w) in enumerate(((95.0, 110.0), (325.0, 120.0))):
        p = [(x0, 110.0), (x0 + w, 110.0), (x0 + w, 200.0), (x0, 200.0)]
        s.polygon(p)
        s.beside(p[3], p[2], f"{values[2 * place]:g}{s.unit}", centre_of(p))
        s.beside(p[0], p[3], f"{values[2 * place + 1]:g}{s.unit}", centre_of(p))
        word = ("left", "right")[place]
        s.say(f"{word} rectangle length", values[2 * place], also=["rectangle length"])
        s.say(f"{word} rectangle width", values[2 * place + 1], also=["rectangle width"])


def net(s: Sketch) -> None:
    """A cross of six squares or rectangles with one or two of its lengths."""
    rng = s.rng
    a, b = (56.0, 56.0) if rng.random() < 0.5 else (80.0, 50.0)
    x, y = 60.0, 150.0
    widths = (b, a, b, a)
    at = x
    for wide in widths:
        s.polygon([(at, y), (at + wide, y), (at + wide, y + 70), (at, y + 70)])
        at += wide
    for top in (y - b, y + 70):
        s.polygon([(x + b, top), (x + b + a, top), (x + b + a, top + b), (x + b, top + b)])
    u, v = distinct(rng, 2)
    s.measure((at, y), (at, y + 70), u, (0.0, y + 35))
    s.say(
        "net side",
        u,
        also=["cuboid net", "net height", "polygon side", "right side", "polygon right side", "net right side"],
    )
    s.dimensions = "arrows"
    s.measure((x, y + 70 + b + 6), (at, y + 70 + b + 6), v, (x, 0.0))
    s.say(
        "net length",
        v,
        also=[
            "cuboid net length",
            "net width",
            "polygon side",
            "bottom side",
            "polygon bottom side",
            "net bottom side",
        ],
    )


KINDS: tuple[Callable[[Sketch], None], ...] = (
    triangle, right_triangle, altitude, parts_of_line, transversal, isosceles, quadrilateral, lettered_circle,
    bare_triangle, bare_quadrilateral, bare_circle, sector, box, cylinder, cone, sphere, prism, pyramid, l_shape,
    house_shape, two_boxes, net,
)  # fmt: skip


def write_figures(
    folder: Path, each: int, seed: int, kinds: Sequence[Callable[[Sketch], None]] = KINDS, canvas: type[Sketch] = Sketch
) -> list[dict[str, Any]]:
    """The figures of all kinds as files, and their items."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    items = []
    for kind in kinds:
        for number in range(each):
            sketch = canvas(Random(f"{kind.__name__}-{seed}-{number}"))
            kind(sketch)
            name = f"{kind.__name__}-{number}"
            sketch.picture().save(folder / "images" / f"{name}.png")
            items.append(
                {
                    "id": name,
                    "kind": kind.__name__,
                    "closed": number % canvas.closed_every == canvas.closed_every - 1,
                    "image": f"images/{name}.png",
                    "constraints": sketch.facts,
                }
            )
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    return items


def run(kinds: Sequence[Callable[[Sketch], None]], canvas: type[Sketch], about: str | None) -> None:
    """Draws figures of some kinds and, unless told otherwise, reads and scores them."""
    options = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--each", type=int, default=6, help="figures of each kind")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--draw-only", action="store_true")
    chosen = options.parse_args()
    items = write_figures(chosen.folder, chosen.each, chosen.seed, kinds, canvas)
    if not chosen.draw_only:
        report_scores(chosen.folder, items)


def report_scores(folder: Path, items: Sequence[Fact]) -> None:
    """F1 of numbers and relations by kind, apart for what may be looked at and what is closed."""
    scorer, extractor = load_scorer(), EmbeddedExtractor()
    problems = [Problem(id=item["id"], question="", images=(str(folder / item["image"]),)) for item in items]
    found = {one.id: constraints_to_json(extractor.extract([one])[0].constraints) for one in problems}
    for is_closed in (False, True):
        part = [item for item in items if item["closed"] == is_closed]
        for kind in ("all", *dict.fromkeys(item["kind"] for item in part)):
            rows = [item for item in part if kind in ("all", item["kind"])]
            figures = scorer.report(scorer.score(rows, found, 0.005, True))
            shown = "  ".join(f"{name} {figures[name]['f1']:.3f}" for name in ("numeric", "relation", "overall"))
            print(f"{'closed' if is_closed else 'open':6} {kind:20} n {len(rows):3}  {shown}", flush=True)


if __name__ == "__main__":
    run(KINDS, Sketch, __doc__)
