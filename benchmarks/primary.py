"""Figures as in books of primary schools, in kinds that `schoolbook` does not draw, and how well they are read.

    python benchmarks/primary.py FOLDER [--each 6] [--seed 0] [--draw-only]

Lines are thin and grey or bold, fills coloured, some shapes are filled and have no line around them. Every third figure of a
kind is marked `closed`: only its sums are to be looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from schoolbook import ZOOM, Point, Sketch, centre_of, distinct, plain_number, run

GREYS = ("#777777", "#8a8a8a", "#555555", "black", "#3b5b8c", "black")
PALE = ("#cfe3f7", "#fbe0c8", "#d9efd2", "#f6d5dd", "#fff2b3", None, None)
BOLD = ("#7fb2e5", "#f4a259", "#8cc084", "#e8798f", "#f2d14c")
PLACES = ("School", "Park", "Library", "Home", "Bank", "Zoo", "Market", "Museum")


class PrimarySketch(Sketch):
    """A sketch in the looks of primary-school books."""

    def dress(self) -> None:
        self.ink, self.fill = self.rng.choice(GREYS), self.rng.choice(PALE)
        self.width = self.rng.choice((1.0, 1.2, 1.6, 2.0))
        self.unit = self.rng.choice((" cm", "cm", " m", "", " cm", " dm"))
        self.label_ink = "black"
        self.font = "DejaVuSerif" if self.font == "cmr10" else self.font  # which has no degree sign
        self.dimensions = self.rng.choice(("beside", "beside", "beside", "arrows"))
        if self.rng.random() < 0.25:  # a coloured area without a line around it
            self.ink, self.fill = (self.rng.choice(BOLD),) * 2

    def fill_area(self, corners: list[Point], colour: str | None) -> None:
        if colour:
            self.draw.polygon([(x * ZOOM, y * ZOOM) for x, y in corners], colour)

    def fill_disc(self, at: Point, r: float, colour: str | None) -> None:
        if colour:
            box = [(at[0] - r) * ZOOM, (at[1] - r) * ZOOM, (at[0] + r) * ZOOM, (at[1] + r) * ZOOM]
            self.draw.ellipse(box, colour)


def dressed(kind: Callable[[PrimarySketch], None]) -> Callable[[Sketch], None]:
    def draw(sketch: Sketch) -> None:
        assert isinstance(sketch, PrimarySketch)
        sketch.dress()
        kind(sketch)

    draw.__name__ = kind.__name__
    return draw


def rectangle(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def degrees(at: Point, one: Point, other: Point) -> int:
    first, second = (math.atan2(p[1] - at[1], p[0] - at[0]) for p in (one, other))
    wide = round(math.degrees(first - second)) % 360
    return min(wide, 360 - wide)


def bare_angle(s: PrimarySketch) -> None:
    """Two rays and the measure between them."""
    s.ink = s.rng.choice(GREYS)
    at = (120.0, 270.0)
    turn = math.radians(s.rng.choice((35, 50, 65, 80, 110, 125)))
    ends = ((390.0, 270.0), (at[0] + 200 * math.cos(turn), at[1] - 200 * math.sin(turn)))
    for end in ends:
        s.line(at, end)
    s.angle(at, *ends, f"{degrees(at, *ends)}°", 28)
    s.say("marked angle", degrees(at, *ends), "angle", also=["angle at vertex", "angle 1"])


def straight_angle(s: PrimarySketch) -> None:
    """A ray on a straight line: one angle is measured, the other asked."""
    s.ink = s.rng.choice(GREYS)
    at, turn = (230.0, 260.0), math.radians(s.rng.choice((40, 55, 70, 115, 130)))
    end = (at[0] + 180 * math.cos(turn), at[1] - 180 * math.sin(turn))
    s.line((40, 260), (420, 260))
    s.line(at, end)
    wide = degrees(at, (420, 260), end)
    s.angle(at, (420, 260), end, f"{wide}°", 26)
    s.angle(at, (40, 260), end, s.rng.choice(("?", "1", "x")), 20)
    s.say("marked angle", wide, "angle", also=["right angle", "angle on the right", "angle 2"])


def triangle_angles(s: PrimarySketch) -> None:
    a, b, c = (s.rng.uniform(150, 320), 60.0), (70.0, 280.0), (400.0, 280.0)
    s.polygon((a, b, c))
    corners = s.rng.sample([(a, b, c), (b, a, c), (c, a, b)], 2)
    for at, one, other in corners:
        s.angle(at, one, other, f"{degrees(at, one, other)}°", 24, arc=s.rng.random() < 0.7)
        s.say("triangle angle", degrees(at, one, other), "angle", also=["angle"])


def ticked_triangle(s: PrimarySketch) -> None:
    a, b, c = (230.0, 60.0), (130.0, 280.0), (330.0, 280.0)
    s.polygon((a, b, c))
    s.ticks(a, b, 1)
    s.ticks(a, c, 1)
    x = plain_number(s.rng)
    s.measure(b, c, x, centre_of((a, b, c)))
    s.say("triangle base", x, also=["triangle side"])
    sides = [["triangle left side", "triangle right side"], ["triangle leg", "triangle leg"]]
    s.relate("equal", "triangle side", "triangle side", also=sides)


def half_circle(s: PrimarySketch) -> None:
    centre, r = (220.0, 240.0), 130.0
    if s.fill:
        rim = [(centre[0] + r * math.cos(t / 30), centre[1] - r * math.sin(t / 30)) for t in range(95)]
        s.fill_area(rim, s.fill)
    s.arc(centre, r, r, 180, 360)
    s.line((centre[0] - r, centre[1]), (centre[0] + r, centre[1]))
    x = plain_number(s.rng)
    s.measure((centre[0] - r, centre[1]), (centre[0] + r, centre[1]), x, (220.0, 0.0))
    s.say("semicircle diameter", x, also=["half circle diameter"])


def ring(s: PrimarySketch) -> None:
    centre, big, small = (220.0, 180.0), 140.0, s.rng.uniform(60, 85)
    s.fill_disc(centre, big, s.fill)
    s.fill_disc(centre, small, "white" if s.fill else None)
    s.ink = "black" if s.ink == s.fill else s.ink
    s.arc(centre, big, big)
    s.arc(centre, small, small)
    s.dot(centre)
    x, y = sorted(distinct(s.rng, 2))
    end = (centre[0] - big * math.cos(0.6), centre[1] - big * math.sin(0.6))
    s.line(centre, end)
    s.line(centre, (centre[0] + small, centre[1]))
    s.beside(centre, (centre[0] + small, centre[1]), f"{x:g}", (220.0, 0.0))
    middle = (centre[0] - 0.78 * big * math.cos(0.6) + 4, centre[1] - 0.78 * big * math.sin(0.6) - 16)
    s.text(middle, f"{y:g}")
    s.say("inner circle radius", x, also=["small circle radius", "circle radius"])
    s.say("outer circle radius", y, also=["large circle radius", "circle radius"])


def circle_in_square(s: PrimarySketch) -> None:
    p = rectangle(120, 60, 340, 280)
    s.polygon(p)
    s.ink = "black" if s.ink == s.fill else s.ink
    s.fill_disc((230, 170), 110, s.rng.choice((None, "white")))
    s.arc((230, 170), 110, 110)
    x = plain_number(s.rng)
    s.measure(p[3], p[2], x, centre_of(p))
    s.say("square side", x, also=["square side length", "square bottom side"])


def right_trapezoid(s: PrimarySketch) -> None:
    wide = s.rng.uniform(170, 240)
    p = [(110.0, 90.0), (110 + wide, 90.0), (390.0, 270.0), (110.0, 270.0)]
    s.polygon(p)
    centre = centre_of(p)
    x, y, z = distinct(s.rng, 3)
    s.measure(p[0], p[1], x, centre)
    s.measure(p[3], p[2], y, centre)
    s.measure(p[0], p[3], z, centre)
    s.say("trapezoid upper base", x, also=["trapezoid top side"])
    s.say("trapezoid lower base", y, also=["trapezoid bottom side"])
    s.say("trapezoid height", z, also=["trapezoid left side", "trapezoid side"])


def cut_out(s: PrimarySketch) -> None:
    """A rectangle out of which a small square is cut, each with a measure."""
    p, q = rectangle(80, 70, 380, 270), rectangle(190, 130, 270, 210)
    s.polygon(p)
    s.ink, s.fill = "black" if s.ink == s.fill else s.ink, "white" if s.fill else None
    s.polygon(q)
    x, y, z = distinct(s.rng, 3)
    s.measure(p[3], p[2], x, centre_of(p))
    s.measure(p[1], p[2], y, centre_of(p))
    s.beside(q[3], q[2], f"{z:g}{s.unit}", centre_of(q))
    s.say("rectangle length", x, also=["outer rectangle length", "large rectangle length"])
    s.say("rectangle width", y, also=["outer rectangle width", "large rectangle width"])
    s.say("square side", z, also=["inner square side", "small square side"])


def joined_rectangles(s: PrimarySketch) -> None:
    """Two rectangles that share a side, as rooms of a plan: lengths along the foot, one height."""
    cut = s.rng.uniform(180, 280)
    p, q = rectangle(80, 100, cut, 250), rectangle(cut, 100, 390, 250)
    s.polygon(p)
    s.fill = s.rng.choice(PALE) if s.fill else None
    s.polygon(q)
    x, y, z = distinct(s.rng, 3)
    s.measure(p[3], p[2], x, centre_of(p))
    s.measure(q[3], q[2], y, centre_of(q))
    s.measure(p[0], p[3], z, centre_of(p))
    s.say("left rectangle length", x, also=["left rectangle width", "left square side", "left rectangle bottom side"])
    s.say(
        "right rectangle length", y, also=["right rectangle width", "right square side", "right rectangle bottom side"]
    )
    s.say("rectangle width", z, also=["rectangle height", "left rectangle length", "left square side"])


def lying_cylinder(s: PrimarySketch) -> None:
    s.ink = s.rng.choice(GREYS)
    y, r, flat, x0, x1 = 180.0, s.rng.uniform(55, 80), s.rng.uniform(16, 24), 110.0, 330.0
    s.arc((x1, y), flat, r)
    s.arc((x0, y), flat, r, 90, 270)
    for side in (-1, 1):
        s.line((x0, y + side * r), (x1, y + side * r))
    a, b = distinct(s.rng, 2)
    s.measure((x0, y + r), (x1, y + r), a, (220.0, 0.0))
    s.line((x1, y), (x1, y - r))
    s.dot((x1, y))
    s.text((x1 + flat + s.half(f"{b:g}", (1, 0)) + 8, y - 0.5 * r), f"{b:g}")
    s.say("cylinder height", a, also=["cylinder length"])
    s.say("cylinder base radius", b, also=["cylinder radius"])


def cube_blocks(s: PrimarySketch) -> None:
    """A cuboid put together from unit cubes."""
    columns, rows, deep = s.rng.randint(2, 4), s.rng.randint(1, 3), s.rng.randint(1, 3)
    size, x0, y1 = 44.0, 90.0, 290.0
    dx, dy = 0.45 * size, 0.35 * size
    s.ink = "black" if s.ink == s.fill else s.ink
    for row in range(rows):
        for column in range(columns):
            x, y = x0 + column * size, y1 - (row + 1) * size
            s.polygon(rectangle(x, y, x + size, y + size))
    top = y1 - rows * size
    for step in range(deep):
        for column in range(columns):
            x, y = x0 + column * size + step * dx, top - step * dy
            s.polygon([(x, y), (x + size, y), (x + size + dx, y - dy), (x + dx, y - dy)])
        for row in range(rows):
            x, y = x0 + columns * size + step * dx, y1 - row * size - step * dy
            s.polygon([(x, y), (x + dx, y - dy), (x + dx, y - dy - size), (x, y - size)])
    s.say("cubes along length", columns, "count", also=["cubes length", "cuboid length"])
    s.say("cubes along width", deep, "count", also=["cubes width", "cuboid width"])
    s.say("cubes along height", rows, "count", also=["cubes height", "cuboid height"])


def unit_grid(s: PrimarySketch) -> None:
    """A grid of unit squares, some of them coloured."""
    columns, rows, size = s.rng.randint(4, 9), s.rng.randint(3, 6), 36.0
    x0, y0 = 60.0, 60.0
    shaded = s.rng.sample([(c, r) for c in range(columns) for r in range(rows)], s.rng.randint(3, 8))
    colour = s.rng.choice(BOLD)
    s.ink = s.rng.choice(GREYS)
    for c, r in shaded:
        s.fill_area(rectangle(x0 + c * size, y0 + r * size, x0 + (c + 1) * size, y0 + (r + 1) * size), colour)
    for c in range(columns + 1):
        s.line((x0 + c * size, y0), (x0 + c * size, y0 + rows * size))
    for r in range(rows + 1):
        s.line((x0, y0 + r * size), (x0 + columns * size, y0 + r * size))
    s.say("grid columns", columns, "count")
    s.say("grid rows", rows, "count")
    s.say("shaded squares", len(shaded), "count", also=["coloured squares", "grid shaded squares", "shaded cells"])


def directions(s: PrimarySketch) -> None:
    """Places on a plan, joined by ways with lengths, and an arrow to the north."""
    home, school, park = s.rng.sample(PLACES, 3)
    s.ink, s.unit = s.rng.choice(GREYS), s.rng.choice((" m", "m", " km"))
    at, east = (110.0, 250.0), (370.0, 250.0)
    north = (at[0] + s.rng.choice((0, 90)), 90.0)
    for end in (east, north):
        s.line(at, end)
    for p in (at, east, north):
        s.dot(p)
    x, y = s.rng.sample((200, 300, 450, 500, 600, 800), 2)
    s.text((at[0], at[1] + 22), home)
    s.text((east[0], east[1] + 22), school)
    s.text((north[0], north[1] - 20), park)
    s.beside(at, east, f"{x}{s.unit}", (200.0, 999.0))
    s.beside(at, north, f"{y}{s.unit}", (999.0, 150.0))
    s.line((420, 90), (420, 40))
    s.arrow((420, 90), (420, 40), 1.0)
    s.text((420, 26), "N")
    s.say(f"{home} {school}", x, also=[f"{home} to {school} distance", f"{home} {school} distance"])
    s.say(f"{home} {park}", y, also=[f"{home} to {park} distance", f"{home} {park} distance"])


def named_lines(s: PrimarySketch) -> None:
    """Parallel or perpendicular lines that small letters name, and an angle."""
    s.ink, s.fill = s.rng.choice(GREYS), None
    if s.rng.random() < 0.5:
        s.line((60, 200), (400, 200))
        s.line((230, 60), (230, 320))
        s.square((230, 200), (230, 60), (400, 200))
        s.text((416, 200), "a")
        s.text((230, 42), "b")
        s.relate("perpendicular", "a", "b", also=[["line a", "line b"]])
        return
    for y, name in ((120.0, "a"), (240.0, "b")):
        s.line((60, y), (400, y))
        s.arrow((60, y), (400, y), 0.25)
        s.text((418, y), name)
    low, top = (150.0, 310.0), (310.0, 50.0)
    s.line(low, top)
    s.text((top[0] + 14, top[1] - 8), "c")
    at = (low[0] + (top[0] - low[0]) * (310 - 120) / 260, 120.0)
    wide = degrees(at, (400, 120), top)
    s.angle(at, (400, 120), top, f"{wide}°", 20)
    s.relate("parallel", "a", "b", also=[["line a", "line b"]])
    s.say("marked angle", wide, "angle", also=["angle between a and c", "angle 1"])


def folded_corner(s: PrimarySketch) -> None:
    """A rectangle with one corner folded over a dashed crease; one angle is measured."""
    p = rectangle(80, 80, 380, 270)
    a, b = (250.0, 80.0), (380.0, 190.0)
    s.polygon([p[0], a, b, p[2], p[3]])
    s.ink = "black" if s.ink == s.fill else s.ink
    along = (b[0] - a[0], b[1] - a[1])
    share = ((380 - a[0]) * along[0] + (80 - a[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    foot = (a[0] + share * along[0], a[1] + share * along[1])
    tip = (2 * foot[0] - 380, 2 * foot[1] - 80)
    s.line(a, tip)
    s.line(b, tip)
    s.line(a, (380, 80), dashed=True)
    s.line((380, 80), b, dashed=True)
    x, y = distinct(s.rng, 2)
    s.measure(p[3], p[2], x, centre_of(p))
    s.measure(p[0], p[3], y, centre_of(p))
    s.say("rectangle length", x, also=["bottom side", "polygon bottom side", "paper length"])
    s.say("rectangle width", y, also=["left side", "polygon left side", "paper width", "rectangle height"])


KINDS = tuple(
    map(
        dressed,
        (
            bare_angle, straight_angle, triangle_angles, ticked_triangle, half_circle, ring, circle_in_square,
            right_trapezoid, cut_out, joined_rectangles, lying_cylinder, cube_blocks, unit_grid, directions,
            named_lines, folded_corner,
        ),
    )
)  # fmt: skip

if __name__ == "__main__":
    run(KINDS, PrimarySketch, __doc__)
