"""Figures as on worksheets and slides, drawn as SVG: sans print, coloured fills, thick lines, units; and how well they are read.

    python benchmarks/worksheets.py FOLDER [--each 6] [--seed 0] [--draw-only]

Every second figure of a kind is marked `closed`: only its sums are to be looked at. Lettered figures as well as bare ones.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from html import escape
from random import Random

import vl_convert
from PIL import Image
from primary import degrees, rectangle
from schoolbook import Point, Sketch, centre_of, distinct, letters, plain_number, run, side_name

STROKES = ("#000000", "#1f1f1f", "#2f528f", "#41719c", "#7f6000", "#385723", "#c00000")
AREAS = ("#5b9bd5", "#9dc3e6", "#ffe699", "#c5e0b4", "#f8cbad", "#ed7d31", "#d9d9d9", "#bdd7ee", "none", "none", "none")


class Worksheet(Sketch):
    """A sketch whose lines and print are elements of an SVG picture."""

    closed_every = 2

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, (480, 380))
        self.ink, self.fill = rng.choice(STROKES), rng.choice(AREAS)
        self.width, self.print_px = rng.choice((1.3, 2.0, 2.7, 3.5)), rng.choice((17, 20, 24, 28))
        self.label_ink = rng.choice(("#000000", "#000000", "#000000", "#c00000", "#203864"))
        self.unit = rng.choice((" cm", "cm", " cm", "cm", " m", "m", " dm", ""))
        self.dimensions = rng.choice(("beside", "beside", "beside", "arrows", "bars"))
        self.style = rng.choice(("", "", ' font-weight="bold"', ' font-style="italic"'))
        self.elements: list[str] = []

    def line(self, a: Point, b: Point, *, dashed: bool = False, width: float | None = None) -> None:
        dash = f' stroke-dasharray="{2.6 * self.width + 3:.1f} {2 * self.width + 2:.1f}"' if dashed else ""
        wide = (width or self.width) * (0.75 if dashed else 1.0)
        places = f'x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"'
        self.elements.append(
            f'<line {places} stroke="{self.ink}" stroke-width="{wide:.1f}"{dash} stroke-linecap="round"/>'
        )

    def path(self, path: str, *, fill: str = "none", dashed: bool = False) -> None:
        dash = ' stroke-dasharray="8 6"' if dashed else ""
        self.elements.append(
            f'<path d="{path}" fill="{fill}" stroke="{self.ink}" stroke-width="{self.width}" stroke-linejoin="miter"{dash}/>'
        )

    def polygon(self, corners: Sequence[Point]) -> None:
        self.path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + " Z", fill=self.fill or "none")

    def ellipse(self, at: Point, rx: float, ry: float, fill: str = "none") -> None:
        shape = f'<ellipse cx="{at[0]:.1f}" cy="{at[1]:.1f}" rx="{rx:.1f}" ry="{ry:.1f}"'
        self.elements.append(f'{shape} fill="{fill}" stroke="{self.ink}" stroke-width="{self.width}"/>')

    def arc(
        self, centre: Point, rx: float, ry: float, start: float = 0, end: float = 360, *, dashed: bool = False
    ) -> None:
        if end - start >= 360:
            self.ellipse(centre, rx, ry)
            return
        self.path(arc_path(centre, (rx, ry), start, end), dashed=dashed)

    def dot(self, at: Point) -> None:
        self.elements.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{self.width + 1:.1f}" fill="{self.ink}"/>')

    def text(self, at: Point, text: str) -> None:
        face = f'font-family="Liberation Sans" font-size="{self.print_px}"{self.style} text-anchor="middle"'
        y = at[1] + 0.36 * self.print_px
        self.elements.append(f'<text x="{at[0]:.1f}" y="{y:.1f}" {face} fill="{self.label_ink}">{escape(text)}</text>')

    def half(self, text: str, way: Point) -> float:
        wide = sum(0.3 if one in " .,l°" else 0.6 for one in text) * self.print_px
        return (abs(way[0]) * wide + abs(way[1]) * 0.75 * self.print_px) / 2

    def picture(self) -> Image.Image:
        size = f'width="{self.size[0]}" height="{self.size[1]}"'
        body = f'<rect {size} fill="white"/>' + "".join(self.elements)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'
        png = vl_convert.svg_to_png(svg, scale=self.rng.choice((0.8, 1.0, 1.0, 1.5)))
        found = Image.open(io.BytesIO(png)).convert("RGB")
        if self.rng.random() < 0.3:
            buffer = io.BytesIO()
            found.save(buffer, "JPEG", quality=75)
            found = Image.open(buffer).convert("RGB")
        return found

    def names(self, corners: Sequence[Point], names: Sequence[str]) -> None:
        for at, name in zip(corners, names, strict=True):
            self.letter(at, name, centre_of(corners))


def arc_path(centre: Point, radii: Point, start: float, end: float) -> str:
    ends = [
        (centre[0] + radii[0] * math.cos(math.radians(t)), centre[1] + radii[1] * math.sin(math.radians(t)))
        for t in (start, end)
    ]
    (x0, y0), (x1, y1) = ends
    return f"M{x0:.1f} {y0:.1f} A{radii[0]:.1f} {radii[1]:.1f} 0 {int(end - start > 180)} 1 {x1:.1f} {y1:.1f}"


def lettered_triangle(s: Sketch) -> None:
    """All sides measured, with units; sometimes a right angle."""
    right = s.rng.random() < 0.5
    a, b, c = (100.0 if right else s.rng.uniform(160, 300), 70.0), (100.0, 300.0), (390.0, 300.0)
    n, centre = letters(s.rng, 3), centre_of((a, b, c))
    s.polygon((a, b, c))
    sheet(s).names((a, b, c), n)
    for (p, q, m, k), value in zip(((a, b, 0, 1), (b, c, 1, 2), (c, a, 2, 0)), distinct(s.rng, 3), strict=True):
        s.beside(p, q, f"{value:g}{s.unit}", centre)
        s.say(side_name(n[m], n[k]), value)
    if right:
        s.square(b, a, c)
        s.relate("perpendicular", n[0] + n[1], n[1] + n[2])


def lettered_parallelogram(s: Sketch) -> None:
    """ABCD with a dashed height from a corner, the base and the height measured."""
    a, b, c, d = (150.0, 90.0), (410.0, 90.0), (340.0, 280.0), (80.0, 280.0)
    e = (150.0, 280.0)
    n = letters(s.rng, 5)
    s.polygon((a, b, c, d))
    s.line(a, e, dashed=True)
    s.square(e, a, c)
    sheet(s).names((a, b, c, d), n[:4])
    s.letter(e, n[4], a)
    x, y = distinct(s.rng, 2)
    s.beside(a, b, f"{x:g}{s.unit}", (240.0, 999.0))
    s.beside(a, e, f"{y:g}{s.unit}", (0.0, 180.0))
    s.say(side_name(n[0], n[1]), x)
    s.say(side_name(n[0], n[4]), y)
    s.relate("incident", n[4], n[3] + n[2])
    s.relate("perpendicular", n[0] + n[4], n[3] + n[2], also=[[n[0] + n[4], n[3] + n[4]], [n[0] + n[4], n[4] + n[2]]])


def rectangle_cut(s: Sketch) -> None:
    """A lettered rectangle with a point on a side, joined to two corners; the triangle may be coloured."""
    p = rectangle(90, 90, 390, 270)
    e = (s.rng.uniform(170, 310), 90.0)
    n = letters(s.rng, 5)
    area, s.fill = s.fill, None
    s.polygon(p)
    s.fill = area
    s.polygon((e, p[2], p[3]))
    sheet(s).names(p, n[:4])
    s.letter(e, n[4], (e[0], 300.0))
    x, y = distinct(s.rng, 2)
    s.beside(p[3], p[2], f"{x:g}{s.unit}", e)
    s.beside(p[0], p[3], f"{y:g}{s.unit}", centre_of(p))
    s.say(side_name(n[3], n[2]), x)
    s.say(side_name(n[0], n[3]), y)
    s.relate("incident", n[4], n[0] + n[1])


def crossing_lines(s: Sketch) -> None:
    at, turn = (240.0, 190.0), math.radians(s.rng.choice((35, 50, 65, 120)))
    way = (150 * math.cos(turn), -150 * math.sin(turn))
    ends = [(60.0, 190.0), (420.0, 190.0), (at[0] - way[0], at[1] - way[1]), (at[0] + way[0], at[1] + way[1])]
    s.line(ends[0], ends[1])
    s.line(ends[2], ends[3])
    for end, name in zip(ends, "ABCD", strict=True):
        s.letter(end, name, at)
    s.text((at[0] - 26 * math.cos(turn / 2 - 1.6), at[1] + 26 * abs(math.sin(turn / 2 - 1.6))), "O")
    wide = degrees(at, ends[1], ends[3])
    s.angle(at, ends[1], ends[3], f"{wide}°", 24)
    s.say("angle BOD", wide, "angle")
    for line in ("AB", "CD"):
        s.relate("incident", "O", line)


def fan_of_rays(s: Sketch) -> None:
    """Three rays from O: two angles, measured or one of them, or a right angle in all."""
    at, right = (130.0, 300.0), s.rng.random() < 0.5
    inner = s.rng.choice((25, 35, 40, 55))
    outer = 90 if right else inner + s.rng.choice((30, 45, 60))
    ends = [
        (at[0] + 240 * math.cos(math.radians(t)), at[1] - 240 * math.sin(math.radians(t))) for t in (0, inner, outer)
    ]
    for end, name in zip(ends, "ABC", strict=True):
        s.line(at, end)
        s.letter(end, name, at)
    s.letter(at, "O", (at[0] + 30, at[1] - 30))
    s.angle(at, ends[0], ends[1], f"{inner}°", 50)
    s.say("angle AOB", inner, "angle")
    if right:
        s.square(at, ends[0], ends[2])
        s.relate("perpendicular", "OA", "OC")
    else:
        s.angle(at, ends[1], ends[2], f"{outer - inner}°", 42)
        s.say("angle BOC", outer - inner, "angle")


def parallels_cut(s: Sketch) -> None:
    """AB and CD parallel, by arrows, cut by EF; angles numbered but for one measure."""
    ys = (130.0, 260.0)
    for y, pair in zip(ys, ("AB", "CD"), strict=True):
        s.line((60, y), (420, y))
        s.arrow((60, y), (420, y), 0.8)
        s.letter((60, y), pair[0], (200, y))
        s.letter((420, y), pair[1], (200, y))
    low, top = (150.0, 345.0), (320.0, 45.0)
    s.line(low, top)
    s.letter(top, "E", low)
    s.letter(low, "F", top)
    at, under = ((low[0] + (low[1] - y) * 170 / 300, y) for y in ys)
    wide = degrees(at, (420, 130), top)
    s.angle(at, (420, 130), top, f"{wide}°", 20)
    s.angle(under, (420, 260), top, "1", 20)
    s.relate("parallel", "AB", "CD")
    s.say("marked angle", wide, "angle", also=["angle between AB and EF", "angle 2", "angle EGB", "angle"])


def circle_with_points(s: Sketch) -> None:
    """Centre O, a diameter AB, a third point C on the rim, joined to both."""
    o, r, turn = (240.0, 190.0), 125.0, math.radians(s.rng.uniform(230, 300))
    a, b, c = (o[0] - r, o[1]), (o[0] + r, o[1]), (o[0] + r * math.cos(turn), o[1] + r * math.sin(turn))
    sheet(s).ellipse(o, r, r, s.fill or "none")
    s.line(a, b)
    s.line(a, c)
    s.line(c, b)
    s.dot(o)
    for at, name in zip((a, b, c), "ABC", strict=True):
        s.letter(at, name, o)
    s.text((o[0], o[1] + 18), "O")
    x = plain_number(s.rng)
    s.beside(a, c, f"{x:g}{s.unit}", o)
    s.say("segment AC", x)
    wide = degrees(b, a, c)
    s.angle(b, a, c, f"{wide}°", 30)
    s.say("angle ABC", wide, "angle", also=["angle CBO"])
    s.relate("incident", "O", "AB")
    for name in "ABC":
        s.relate("incident", name, "circle O", also=[[name, "circle"]])


def circle_radius(s: Sketch) -> None:
    o, r, t = (240.0, 190.0), 120.0, math.radians(s.rng.choice((0, -40, 30, 180)))
    end = (o[0] + r * math.cos(t), o[1] + r * math.sin(t))
    whole = s.rng.random() < 0.4
    sheet(s).ellipse(o, r, r, s.fill or "none")
    start = (2 * o[0] - end[0], 2 * o[1] - end[1]) if whole else o
    s.line(start, end, dashed=s.rng.random() < 0.2)
    s.dot(o)
    x = plain_number(s.rng)
    word = "diameter" if whole else "radius"
    text = s.rng.choice((f"{x:g}{s.unit}", f"{x:g}{s.unit}", f"{word[0]} = {x:g}{s.unit}", f"{word[0]}={x:g}{s.unit}"))
    s.beside(start, end, text, (o[0], 999.0))
    if s.rng.random() < 0.5:
        s.text((o[0] - 6, o[1] + 20), "O")
    s.say(f"circle {word}", x, also=["circle", "circle O"])


def tangent_circles(s: Sketch) -> None:
    """Two circles side by side that touch, each with its radius."""
    big, small, y = 95.0, s.rng.uniform(55, 75), 190.0
    o, q = (150.0, y), (150.0 + big + small, y)
    x, z = sorted(distinct(s.rng, 2), reverse=True)
    for at, r, value, word in ((o, big, x, "left"), (q, small, z, "right")):
        sheet(s).ellipse(at, r, r, s.fill or "none")
        s.dot(at)
        tip = (at[0] + r * math.cos(-1.9), at[1] + r * math.sin(-1.9))
        s.line(at, tip)
        s.text((at[0] + s.half(f"{value:g}", (1, 0)) + 3, at[1] - 0.55 * r), f"{value:g}")
        s.say(f"{word} circle radius", value, also=["circle radius"])


def shaded_corner(s: Sketch) -> None:
    """A square with a quarter circle in it; the rest or the quarter coloured."""
    sheet_, area = sheet(s), s.fill or "none"
    x0, y0, size = 130.0, 80.0, 210.0
    s.fill = None
    s.polygon(rectangle(x0, y0, x0 + size, y0 + size))
    x1, y1 = x0 + size, y0 + size
    sheet_.path(f"M{x0} {y0} A{size} {size} 0 0 1 {x1} {y1} L{x0} {y1} Z", fill=area)
    x = plain_number(s.rng)
    s.measure((x0, y1), (x1, y1), x, (235.0, 0.0))
    s.say("square side", x, also=["square side length", "sector radius", "square bottom side", "circle radius"])


def stadium(s: Sketch) -> None:
    """A rectangle with half circles at both ends, or at one."""
    both, x0, x1, y0, y1 = s.rng.random() < 0.6, 140.0, 330.0, 120.0, 250.0
    r = (y1 - y0) / 2
    left = f"A{r} {r} 0 0 1 {x0} {y0}" if both else f"L{x0} {y0}"
    sheet(s).path(f"M{x0} {y0} L{x1} {y0} A{r} {r} 0 0 1 {x1} {y1} L{x0} {y1} {left} Z", fill=s.fill or "none")
    s.line((x1, y0), (x1, y1), dashed=True)
    if both:
        s.line((x0, y0), (x0, y1), dashed=True)
    x, y = distinct(s.rng, 2)
    s.measure((x0, y1), (x1, y1), x, (235.0, 0.0))
    s.beside((x1, y0), (x1, y1), f"{y:g}{s.unit}", (999.0, 185.0))
    s.say("rectangle length", x, also=["bottom side", "polygon bottom side", "rectangle bottom side"])
    s.say(
        "rectangle width", y, also=["semicircle diameter", "rectangle height", "polygon right side", "circle diameter"]
    )


def lawn_path(s: Sketch) -> None:
    """A rectangle within a rectangle, each with length and width."""
    outer, inner = rectangle(70, 70, 410, 300), rectangle(150, 130, 330, 240)
    s.polygon(outer)
    s.fill = s.rng.choice(("#ffffff", "#e2f0d9", "#fff2cc"))
    s.polygon(inner)
    a, b, c, d = sorted(distinct(s.rng, 4), reverse=True)
    s.dimensions = "beside"
    s.measure(outer[3], outer[2], a, centre_of(outer))
    s.measure(outer[1], outer[2], b, centre_of(outer))
    s.beside(inner[3], inner[2], f"{c:g}{s.unit}", (240.0, 999.0))
    s.beside(inner[0], inner[3], f"{d:g}{s.unit}", (0.0, 185.0))
    for word, value, side in (
        ("outer", a, "length"),
        ("outer", b, "width"),
        ("inner", c, "length"),
        ("inner", d, "width"),
    ):
        s.say(f"{word} rectangle {side}", value, also=[f"rectangle {side}"])


def stair_shape(s: Sketch) -> None:
    """An L with its six sides measured."""
    x1, y1 = s.rng.uniform(220, 280), s.rng.uniform(150, 220)
    p = [(110.0, 70.0), (x1, 70.0), (x1, y1), (390.0, y1), (390.0, 300.0), (110.0, 300.0)]
    s.polygon(p)
    s.dimensions = "beside" if s.dimensions == "bars" else s.dimensions
    words = ("top", "right", "top", "right", "bottom", "left")
    for place, value in zip(range(6), distinct(s.rng, 6), strict=True):
        if place in (1, 2):
            s.beside(p[place], p[place + 1], f"{value:g}{s.unit}", (110.0, 300.0))
        else:
            s.measure(p[place], p[(place + 1) % 6], value, (160.0, 260.0))
        s.say(f"{words[place]} side", value, also=[f"polygon {words[place]} side", "polygon side", "composite side"])


def bare_triangle_height(s: Sketch) -> None:
    tip = s.rng.uniform(170, 300)
    a, b, c, foot = (tip, 70.0), (80.0, 290.0), (400.0, 290.0), (tip, 290.0)
    s.polygon((a, b, c))
    s.line(a, foot, dashed=True)
    s.square(foot, a, c)
    x, y = distinct(s.rng, 2)
    s.measure(b, c, x, a)
    s.beside(a, foot, f"{y:g}{s.unit}", (0.0, 200.0))
    s.say("triangle base", x, also=["triangle side", "triangle bottom side"])
    s.say("triangle height", y)
    s.relate("perpendicular", "triangle height", "triangle base", also=[["height", "base"]])


def bare_trapezoid(s: Sketch) -> None:
    p = [(s.rng.uniform(130, 190), 90.0), (330.0, 90.0), (410.0, 280.0), (80.0, 280.0)]
    s.polygon(p)
    foot = (p[0][0], 280.0)
    s.line(p[0], foot, dashed=True)
    s.square(foot, p[0], p[2])
    x, y, z = distinct(s.rng, 3)
    s.measure(p[0], p[1], x, centre_of(p))
    s.measure(p[3], p[2], y, centre_of(p))
    s.beside(p[0], foot, f"{z:g}{s.unit}", (0.0, 180.0))
    s.say("trapezoid upper base", x, also=["trapezoid top side", "trapezoid base"])
    s.say("trapezoid lower base", y, also=["trapezoid bottom side", "trapezoid base"])
    s.say("trapezoid height", z)
    s.relate("perpendicular", "trapezoid height", "trapezoid base", also=[["height", "base"]])


def plain_parallelogram(s: Sketch) -> None:
    """Base and slanted side, sometimes with the height outside the figure."""
    p = [(150.0, 100.0), (400.0, 100.0), (330.0, 270.0), (80.0, 270.0)]
    s.polygon(p)
    x, y = distinct(s.rng, 2)
    s.measure(p[3], p[2], x, centre_of(p))
    s.beside(p[0], p[3], f"{y:g}{s.unit}", centre_of(p))
    s.say("parallelogram base", x, also=["parallelogram bottom side"])
    s.say("parallelogram side", y, also=["parallelogram left side"])


def coloured_box(s: Sketch) -> None:
    """A cuboid or cube with three coloured faces and dashed hidden edges."""
    cube = s.rng.random() < 0.35
    w, h, dx, dy = (140.0, 140.0, 60.0, 50.0) if cube else (s.rng.uniform(170, 230), s.rng.uniform(80, 130), 80.0, 60.0)
    x0, y1 = 90.0, 310.0
    front = rectangle(x0, y1 - h, x0 + w, y1)
    back = [(x + dx, y - dy) for x, y in front]
    s.polygon(front)
    s.polygon((front[0], front[1], back[1], back[0]))
    s.polygon((front[1], back[1], back[2], front[2]))
    if s.rng.random() < 0.5:
        for end in (front[3], back[0], back[2]):
            s.line(back[3], end, dashed=True)
    centre = (x0 + (w + dx) / 2, y1 - (h + dy) / 2)
    x, y, z = distinct(s.rng, 3)
    s.beside(front[3], front[2], f"{x:g}{s.unit}", centre)
    if cube:
        s.say("cube edge", x, also=["cube edge length", "cube side"])
        return
    s.beside(front[2], back[2], f"{y:g}{s.unit}", centre)
    s.beside(front[0], front[3], f"{z:g}{s.unit}", centre)
    for word, value in (("length", x), ("width", y), ("height", z)):
        s.say(f"cuboid {word}", value, also=[f"box {word}", f"rectangular prism {word}"])


def filled_cylinder(s: Sketch) -> None:
    x, r, top, low, flat = 220.0, s.rng.uniform(65, 100), 100.0, 300.0, s.rng.uniform(18, 30)
    sheet(s).path(
        f"M{x - r} {top} L{x - r} {low} A{r} {flat} 0 0 0 {x + r} {low} L{x + r} {top}", fill=s.fill or "none"
    )
    sheet(s).ellipse((x, top), r, flat, s.fill or "none")
    if s.rng.random() < 0.6:
        s.arc((x, low), r, flat, 180, 360, dashed=True)
    a, b = distinct(s.rng, 2)
    named = s.rng.random() < 0.4
    whole = s.rng.random() < 0.5
    s.measure((x + r, top), (x + r, low), a, (x, 200.0)) if not named else s.text(
        (x + r + s.half(f"h={a:g}{s.unit}", (1, 0)) + 8, 200), f"h={a:g}{s.unit}"
    )
    s.line((x - r if whole else x, top), (x + r, top))
    s.dot((x, top))
    text = f"{'d' if whole else 'r'}={b:g}{s.unit}" if named else f"{b:g}{s.unit}"
    s.text((x if whole else x + r / 2, top - flat - 0.7 * s.print_px), text)
    word = "diameter" if whole else "radius"
    s.say("cylinder height", a)
    s.say(f"cylinder base {word}", b, also=[f"cylinder {word}"])


def slant_cone(s: Sketch) -> None:
    """A cone with the radius of its base, its height or its slant."""
    x, r, top, low, flat = 220.0, s.rng.uniform(80, 115), 70.0, 290.0, s.rng.uniform(18, 28)
    sheet(s).path(f"M{x} {top} L{x - r} {low} A{r} {flat} 0 0 0 {x + r} {low} Z", fill=s.fill or "none")
    s.arc((x, low), r, flat, 180, 360, dashed=True)
    a, b, c = distinct(s.rng, 3)
    s.line((x, low), (x + r, low), dashed=True)
    s.text((x + r / 2, low + flat + 0.7 * s.print_px), f"{b:g}{s.unit}")
    s.say("cone base radius", b, also=["cone radius"])
    if s.rng.random() < 0.6:
        s.line((x, top), (x, low), dashed=True)
        text = f"{a:g}{s.unit}"
        s.text((x - s.half(text, (1, 0)) - 5, low - 45), text)
        s.say("cone height", a)
    else:
        s.beside((x, top), (x + r, low), f"{c:g}{s.unit}", (0.0, 290.0))
        s.say("cone slant height", c, also=["cone slant", "cone generatrix"])


def filled_sector(s: Sketch) -> None:
    """A sector with O, A, B; radius and central angle."""
    o, r, wide = (130.0, 300.0), 220.0, s.rng.choice((45, 60, 72, 90))
    lettered = s.rng.random() < 0.6
    a, b = (o[0] + r, o[1]), (o[0] + r * math.cos(math.radians(wide)), o[1] - r * math.sin(math.radians(wide)))
    sheet(s).path(f"M{o[0]} {o[1]} L{a[0]} {a[1]} A{r} {r} 0 0 0 {b[0]:.1f} {b[1]:.1f} Z", fill=s.fill or "none")
    x = plain_number(s.rng)
    s.beside(o, a, f"{x:g}{s.unit}", (o[0], 0.0))
    s.angle(o, a, b, f"{wide}°", 30)
    if lettered:
        for at, name in zip((o, a, b), "OAB", strict=True):
            s.letter(at, name, (230.0, 220.0))
        s.say("segment OA", x, also=["sector radius", "circle radius"])
        s.say("angle AOB", wide, "angle", also=["sector angle", "sector central angle"])
    else:
        s.say("sector radius", x)
        s.say("sector angle", wide, "angle", also=["sector central angle"])


def half_disc(s: Sketch) -> None:
    o, r = (230.0, 270.0), 150.0
    sheet(s).path(f"M{o[0] - r} {o[1]} A{r} {r} 0 0 1 {o[0] + r} {o[1]} Z", fill=s.fill or "none")
    x, whole = plain_number(s.rng), s.rng.random() < 0.6
    if not whole:
        s.dot(o)
    s.beside(o if not whole else (o[0] - r, o[1]), (o[0] + r, o[1]), f"{x:g}{s.unit}", (230.0, 0.0))
    word = "diameter" if whole else "radius"
    s.say(f"semicircle {word}", x, also=[f"half circle {word}", f"circle {word}"])


def cylinder_net(s: Sketch) -> None:
    """A rectangle between two circles."""
    p, r = rectangle(110, 145, 370, 245), 42.0
    s.polygon(p)
    for y in (145 - r, 245 + r):
        sheet(s).ellipse((200, y), r, r, s.fill or "none")
    x, y = distinct(s.rng, 2)
    s.beside(p[1], p[2], f"{x:g}{s.unit}", centre_of(p))
    s.dot((200, 245 + r))
    s.line((200, 245 + r), (200 + r, 245 + r))
    s.text((200 + r + s.half(f"{y:g}{s.unit}", (1, 0)) + 8, 245 + r), f"{y:g}{s.unit}")
    s.say("rectangle width", x, also=["cylinder height", "rectangle right side"])
    s.say("circle radius", y, also=["lower circle radius", "cylinder base radius", "cylinder radius"])


def ticked_figure(s: Sketch) -> None:
    """A lettered isosceles triangle: two sides ticked, an angle or the base measured."""
    a, b, c = (240.0, 70.0), (130.0, 300.0), (350.0, 300.0)
    n = letters(s.rng, 3)
    s.polygon((a, b, c))
    s.ticks(a, b, 1)
    s.ticks(a, c, 1)
    sheet(s).names((a, b, c), n)
    x = plain_number(s.rng)
    s.beside(b, c, f"{x:g}{s.unit}", a)
    wide = degrees(a, b, c)
    s.angle(a, b, c, f"{wide}°", 30)
    s.say(side_name(n[1], n[2]), x)
    s.say(f"angle {n[1]}{n[0]}{n[2]}", wide, "angle")
    s.relate("equal", side_name(n[0], n[1]), side_name(n[0], n[2]))


def walk(s: Sketch) -> None:
    """A way from A over B to C, and perhaps straight back, with its lengths."""
    s.unit, s.fill = s.rng.choice((" m", "m", " km")), "none"
    p = [(80.0, 290.0), (170.0, 110.0), (390.0, s.rng.uniform(180, 240))]
    closed = s.rng.random() < 0.5
    sides = [(0, 1), (1, 2), (2, 0)] if closed else [(0, 1), (1, 2)]
    for k, m in sides:
        s.line(p[k], p[m])
    for at, name in zip(p, "ABC", strict=True):
        s.dot(at)
        s.letter(at, name, centre_of(p))
    for (k, m), value in zip(sides, s.rng.sample((120, 200, 350, 480, 600, 750), 3), strict=False):
        s.beside(p[k], p[m], f"{value}{s.unit}", centre_of(p))
        s.say(side_name("ABC"[k], "ABC"[m]), value)


def joined_squares(s: Sketch) -> None:
    """Two squares of different size on one base line, each with its side."""
    x, y = sorted(distinct(s.rng, 2), reverse=True)
    cut, low = 260.0, 300.0
    s.polygon(rectangle(90, low - 170, cut, low))
    s.polygon(rectangle(cut, low - 110, cut + 110, low))
    s.beside((90, low), (cut, low), f"{x:g}{s.unit}", (175.0, 0.0))
    s.beside((cut, low), (cut + 110, low), f"{y:g}{s.unit}", (310.0, 0.0))
    s.say("left square side", x, also=["large square side", "square side"])
    s.say("right square side", y, also=["small square side", "square side"])


def sheet(s: Sketch) -> Worksheet:
    assert isinstance(s, Worksheet)
    return s


KINDS = (
    lettered_triangle, lettered_parallelogram, rectangle_cut, crossing_lines, fan_of_rays, parallels_cut,
    circle_with_points, circle_radius, tangent_circles, shaded_corner, stadium, lawn_path, stair_shape,
    bare_triangle_height, bare_trapezoid, plain_parallelogram, coloured_box, filled_cylinder, slant_cone, filled_sector,
    half_disc, cylinder_net, ticked_figure, walk, joined_squares,
)  # fmt: skip

if __name__ == "__main__":
    run(KINDS, Worksheet, __doc__)
