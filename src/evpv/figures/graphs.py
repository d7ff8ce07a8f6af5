"""Graphs of piecewise linear functions with a kink and a jump: where not differentiable (case J.1), and slopes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from PIL import Image

from evpv.figures.drawing import Canvas, Point, random_style
from evpv.figures.marks import GREY, arrow_head, bounds
from evpv.figures.notation import equals, number
from evpv.figures.writing import Scene, Sheet, misbuilt, misread, mixed_up, wrong_conclusions, wrong_facts
from evpv.types import Constraint, Numeric, Relation, Structure

_CELL = 40
_REACH = 5  # the axes run from −_REACH to _REACH
_SIZE = (2 * _REACH * _CELL + 70, 2 * _REACH * _CELL + 70)
_SLOPES = (-3, -2, -1, 0, 1, 2, 3)
_NAMES = ("f", "g", "h")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graph:
    """Straight to the kink and straight after it; from the jump on, shifted up or down."""

    name: str
    kink: tuple[int, int]
    slopes: tuple[int, int]
    jump: int
    shift: int

    def before_jump(self, x: int) -> int:
        """The value that the unshifted graph has at x."""
        slope = self.slopes[0] if x <= self.kink[0] else self.slopes[1]
        return self.kink[1] + slope * (x - self.kink[0])


def make(rng: Random) -> Scene:
    """Where the function is continuous but not differentiable, or the slope of a branch."""
    graph = _graph(rng)
    image, constraints = _draw(graph, rng)
    if rng.random() < 0.65:
        question = rng.choice(
            (
                f"Determine the value x = a at which the function {graph.name} is continuous but not differentiable.",
                f"For which x = a is the function {graph.name} shown continuous but not differentiable at a?",
            )
        )
        solve = partial(_solve_kink, graph)
    else:
        left = rng.random() < 0.5
        side = "left" if left else "right"
        question = f"What is the slope of the graph of {graph.name} directly to the {side} of its sharp corner?"
        solve = partial(_solve_slope, graph, left)
    return Scene(
        image=image, question=question, constraints=constraints, solve=solve, multiple_choice=rng.random() < 0.3
    )


def _graph(rng: Random) -> _Graph:
    """A graph that stays on the grid, with its corner and its jump at different whole numbers."""
    while True:
        kink, jump = (rng.randint(-3, 1), rng.randint(-3, 4)), rng.randint(2, 4)
        slopes = tuple(rng.sample(_SLOPES, 2))
        graph = _Graph(
            name=rng.choice(_NAMES),
            kink=kink,
            slopes=(slopes[0], slopes[1]),
            jump=jump,
            shift=rng.choice((-3, -2, 2, 3)),
        )
        ends = [graph.before_jump(kink[0] - 1), graph.before_jump(jump), graph.before_jump(jump) + graph.shift]
        if jump - kink[0] >= 2 and all(abs(end) <= _REACH for end in ends):
            return graph


def _solve_kink(graph: _Graph, sheet: Sheet) -> None:
    name = graph.name
    sheet.step(
        "setup",
        f"We look for a point where {name} is continuous but has no derivative.",
        "We need a corner of the graph that is not a jump.",
        optional=True,
    )
    meaning = sheet.decide("meaning", "corner", *wrong_facts("jump"))
    where = "has a sharp corner without a gap" if meaning == "corner" else "has a gap between two branches"
    sheet.step(
        "meaning",
        f"A function is continuous but not differentiable where its graph {where}.",
        f"Continuous but not differentiable means that the graph {where}.",
    )
    jump = sheet.decide("jump", graph.jump, *misread(graph.jump + 1))
    if sheet.decide("connected", False, *misbuilt(True)):
        sheet.step(
            "jump", f"The graph of {name} is one curve without a jump.", claim=(f"The graph of {name} has no jump.",)
        )
    else:
        _say_jump(sheet, name, jump)
    corner = _read_corner(graph, sheet, jump)
    found = jump if meaning == "jump" else corner
    if sheet.decide("meets", True, *wrong_conclusions(False)):
        sheet.step(
            "meets",
            f"Both one-sided limits agree at `x = {number(found)}`, but the slopes on the two sides differ.",
            f"At `x = {number(found)}` there is no gap, yet the slope changes abruptly.",
            optional=True,
        )
    else:
        found = 0
        sheet.step(
            "meets", "A graph that changes its slope does so where it crosses the y-axis, so the point is at `x = 0`."
        )
    sheet.step(
        "so",
        f"Therefore the value is `a = {number(found)}`.",
        f"So {name} is continuous but not differentiable at `x = {number(found)}`.",
    )
    sheet.conclude(number(found), "The answer is {}.", "So a = {}.")


def _say_jump(sheet: Sheet, name: str, jump: int) -> None:
    sheet.step(
        "jump",
        f"At `x = {jump}` the graph jumps, so {name} is not continuous there.",
        f"The graph of {name} has a jump at `x = {jump}`.",
        claim=(f"The graph of {name} has a jump at x = {jump}.", f"There is a jump discontinuity at x = {jump}."),
    )


def _read_corner(graph: _Graph, sheet: Sheet, jump: int) -> int:
    name, x = graph.name, graph.kink[0]
    near = (other for other in (x + 1, x - 1, -x, x - 2) if other not in (x, jump))
    corner = sheet.decide("corner", x, *misread(*near), *mixed_up(jump))
    sheet.step(
        "corner",
        f"The graph has a sharp corner at `x = {number(corner)}`.",
        f"There is a kink in the graph at `x = {number(corner)}`.",
        f"Looking at the figure, the two branches meet in a sharp corner at `x = {number(corner)}`.",
        claim=(
            f"The graph of {name} has a kink at x = {number(corner)}.",
            f"The graph has a sharp corner at x = {number(corner)}.",
            f"The kink of {name} is at x = {number(corner)}.",
        ),
    )
    return corner


def _branch_point(graph: _Graph, left: bool) -> tuple[int, int]:
    x = graph.kink[0] + (-1 if left else 1)
    return x, graph.before_jump(x)


def _solve_slope(graph: _Graph, left: bool, sheet: Sheet) -> None:
    (x1, y1), (x2, y2) = graph.kink, _branch_point(graph, left)
    y1 = sheet.decide("corner", y1, *misread(y1 + 1, y1 - 1))
    _say_point(sheet, "corner", graph.name, (x1, y1), "the sharp corner is at")
    other = _branch_point(graph, not left)
    seen = sheet.decide("branch", (x2, y2), *mixed_up(other), *misread((x2, y2 + 1), (x2, y2 - 1)))
    _say_point(sheet, "branch", graph.name, seen, f"on its {'left' if left else 'right'} the graph passes through")
    x2, y2 = seen
    upside = sheet.decide("rule", "rise", *wrong_facts("run"), *wrong_conclusions("sum"))
    rule = {"rise": "rise divided by run", "run": "run divided by rise", "sum": "the sum of rise and run"}[upside]
    sheet.step("rule", f"The slope is {rule}.", f"To find the slope, take {rule}.")
    rise, run = sheet.calculate("rise", y2 - y1), x2 - x1
    sheet.step(
        "rise",
        f"The rise is `{number(y2)} − ({number(y1)}) = {number(rise)}`, "
        f"the run `{number(x2)} − ({number(x1)}) = {number(run)}`.",
    )
    values = {
        "rise": Fraction(rise, run),
        "run": Fraction(run, rise) if rise else Fraction(0),
        "sum": Fraction(rise + run),
    }
    slope = sheet.calculate("slope", values[upside])
    work = {
        "rise": f"{number(rise)} ÷ ({number(run)})",
        "run": f"{number(run)} ÷ ({number(rise)})",
        "sum": f"{number(rise)} + ({number(run)})",
    }
    if upside == "run" and not rise:
        sheet.step("slope", "As the rise is zero, the slope is `0`.")
    else:
        sheet.step("slope", f"So the slope is `{work[upside]} {equals(slope)}`.", f"`{work[upside]} {equals(slope)}`.")
    sheet.conclude(number(slope), "The answer is {}.", "The slope is {}.")


def _say_point(sheet: Sheet, key: str, name: str, point: tuple[int, int], where: str) -> None:
    x, y = point
    place = f"({number(x)}, {number(y)})"
    sheet.step(
        key,
        f"In the figure {where} `{place}`.",
        f"Reading off the grid, {where} `{place}`.",
        claim=(
            f"The value of {name} at x = {number(x)} is {number(y)}.",
            f"The graph of {name} is at y = {number(y)} for x = {number(x)}.",
            f"{name}({number(x)}) = {number(y)}",
        ),
    )


def _at(x: float, y: float) -> Point:
    return _SIZE[0] / 2 + x * _CELL, _SIZE[1] / 2 - y * _CELL


def _draw(graph: _Graph, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    canvas = Canvas(*_SIZE, random_style(rng, upright=True))
    _axes(canvas, grid=rng.random() < 0.85)
    colour = rng.choice([(200, 30, 40), (20, 80, 180), (0, 120, 80), canvas.style.ink])
    low, jump = _start(graph), graph.jump
    high = graph.before_jump(jump) + graph.shift
    canvas.line(_at(*low), _at(*graph.kink), _at(jump, graph.before_jump(jump)), width=3, colour=colour)
    end = _tail(graph, high)
    canvas.line(_at(jump, high), _at(*end), width=3, colour=colour)
    canvas.dot(_at(jump, graph.before_jump(jump)), 6, colour, hollow=True)
    canvas.dot(_at(jump, high), 6, colour)
    canvas.label(f"y = {graph.name}(x)", _at(*low), (0.3, -1), colour=colour)
    return canvas.finish(rng), _facts(graph)


def _start(graph: _Graph) -> tuple[float, float]:
    """Where the left branch leaves the grid."""
    (x, y), slope = graph.kink, graph.slopes[0]
    run = min(float(x + _REACH), abs((_REACH - (-y if slope > 0 else y)) / slope) if slope else 99.0)
    return x - run, y - slope * run


def _tail(graph: _Graph, high: int) -> tuple[float, float]:
    """Where the branch after the jump leaves the grid."""
    slope = graph.slopes[1]
    room = (_REACH - high if slope > 0 else _REACH + high) / abs(slope) if slope else 99.0
    run = max(0.4, min(_REACH - graph.jump, room))
    return graph.jump + run, high + slope * run


def _axes(canvas: Canvas, *, grid: bool) -> None:
    for i in range(-_REACH, _REACH + 1):
        if grid:
            canvas.line(_at(i, -_REACH), _at(i, _REACH), width=1, colour=GREY)
            canvas.line(_at(-_REACH, i), _at(_REACH, i), width=1, colour=GREY)
    for end in ((_REACH + 0.5, 0.0), (0.0, _REACH + 0.5)):
        canvas.line(_at(-end[0], -end[1]), _at(*end), width=1.6)
        arrow_head(canvas, _at(*end), 0 if end[0] else -90, 9)
    small = 19
    for i in range(-_REACH, _REACH + 1):
        if i:
            x, y = _at(i, 0), _at(0, i)
            canvas.line((x[0], x[1] - 4), (x[0], x[1] + 4), width=1.4)
            canvas.line((y[0] - 4, y[1]), (y[0] + 4, y[1]), width=1.4)
            canvas.text(number(i), (x[0], x[1] + 16), size=small)
            canvas.text(number(i), (y[0] - 9, y[1]), anchor="rm", size=small)
    canvas.text("x", (_at(_REACH + 0.5, 0)[0] + 4, _at(0, 0)[1] + 16), size=small)
    canvas.text("y", (_at(0, 0)[0] + 16, _at(0, _REACH + 0.5)[1] + 2), size=small)


def _facts(graph: _Graph) -> tuple[Constraint, ...]:
    """The kink and the jump with boxes around them, the branches, and lattice points beside the kink."""
    name, (x, y), jump = graph.name, graph.kink, graph.jump
    here = bounds((_at(x, y),), 14)
    low, high = graph.before_jump(jump), graph.before_jump(jump) + graph.shift
    points = [graph.kink, _branch_point(graph, True), _branch_point(graph, False)]
    values = tuple(
        Numeric(
            entity=f"graph of {name} at x = {px}", attribute="value", value=float(py), box=bounds((_at(px, py),), 8)
        )
        for px, py in points
    )
    return (
        Numeric(entity=f"kink of {name}", attribute="x-coordinate", value=float(x), box=here),
        Numeric(entity=f"kink of {name}", attribute="y-coordinate", value=float(y), box=here),
        Numeric(
            entity=f"jump of {name}",
            attribute="x-coordinate",
            value=float(jump),
            box=bounds((_at(jump, low), _at(jump, high)), 8),
        ),
        Structure(
            type="graph",
            parts=("left branch", "right branch"),
            attachment=(f"sharp corner at x = {x}",),
            box=here,
        ),
        Relation(type="continuous_at", entities=(f"graph of {name}", f"x = {x}"), box=here),
        *values,
    )
