"""Functions: graphs of piecewise linear ones, and growing patterns whose rule is to be found.

A graph has a kink and a jump: where it is not differentiable (case J.1), and slopes. A pattern is of dots or matchsticks: count the
first figures, find the rule, go to the n-th.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from evpv.figures.drawing import Point, random_style
from evpv.figures.marks import GREY, Drawing, bounds, box_around
from evpv.figures.writing import Drawn, Scene, SolutionSheet, number, texts
from evpv.types import Box, Constraint, Numeric, Relation, Structure

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

    def branch_point(self, left: bool) -> tuple[int, int]:
        x = self.kink[0] + (-1 if left else 1)
        return x, self.before_jump(x)


def make_graph(rng: Random) -> Scene:
    """Where the function is continuous but not differentiable, or the slope of a branch."""
    graph = _graph(rng)
    image, constraints = _draw(graph, rng)
    if rng.random() < 0.65:
        question = rng.choice(texts("graphs/question", name=graph.name))
        solve = partial(_solve_kink, graph)
    else:
        left = rng.random() < 0.5
        side = "left" if left else "right"
        question = f"What is the slope of the graph of {graph.name} directly to the {side} of its sharp corner?"
        solve = partial(_solve_slope, graph, left)
    return Scene(image, question, constraints, solve, rng.random() < 0.3)


def _graph(rng: Random) -> _Graph:
    """A graph that stays on the grid, with its corner and its jump at different whole numbers."""
    while True:
        kink, jump = (rng.randint(-3, 1), rng.randint(-3, 4)), rng.randint(2, 4)
        slopes = tuple(rng.sample(_SLOPES, 2))
        name, shift = rng.choice(_NAMES), rng.choice((-3, -2, 2, 3))
        graph = _Graph(name=name, kink=kink, slopes=(slopes[0], slopes[1]), jump=jump, shift=shift)
        ends = [graph.before_jump(kink[0] - 1), graph.before_jump(jump), graph.before_jump(jump) + graph.shift]
        if jump - kink[0] >= 2 and all(abs(end) <= _REACH for end in ends):
            return graph


def _solve_kink(graph: _Graph, sheet: SolutionSheet) -> None:
    name = graph.name
    sheet.say("graphs/setup", optional=True, name=name)
    meaning = sheet.decide("meaning", "corner", wrong_facts=["jump"])
    where = "has a sharp corner without a gap" if meaning == "corner" else "has a gap between two branches"
    sheet.say("graphs/meaning", where=where)
    jump = sheet.decide("jump", graph.jump, misread=[graph.jump + 1])
    if sheet.decide("connected", False, misbuilt=[True]):
        sheet.say("graphs/jump:none", name=name)
    else:
        sheet.say("graphs/jump", jump=jump, name=name)
    x = graph.kink[0]
    near = (other for other in (x + 1, x - 1, -x, x - 2) if other not in (x, jump))
    corner = sheet.decide("corner", x, misread=near, mixed_up=[jump])
    sheet.say("graphs/corner", corner=corner, name=name)
    found = jump if meaning == "jump" else corner
    if sheet.decide("meets", True, wrong_conclusions=[False]):
        sheet.say("graphs/meets", optional=True, found=found)
    else:
        found = 0
        sheet.say("graphs/meets:axis")
    sheet.say("graphs/so", found=found, name=name)
    sheet.say_answer("graphs/answer:kink", number(found))


def _solve_slope(graph: _Graph, left: bool, sheet: SolutionSheet) -> None:
    (x1, y1), (x2, y2) = graph.kink, graph.branch_point(left)
    y1 = sheet.decide("corner", y1, misread=[y1 + 1, y1 - 1])
    sheet.say("graphs/point", "corner", where="the sharp corner is at", name=graph.name, x=x1, y=y1)
    x2, y2 = sheet.decide(
        "branch", (x2, y2), mixed_up=[graph.branch_point(not left)], misread=[(x2, y2 + 1), (x2, y2 - 1)]
    )
    where = f"on its {'left' if left else 'right'} the graph passes through"
    sheet.say("graphs/point", "branch", where=where, name=graph.name, x=x2, y=y2)
    upside = sheet.decide("rule", "rise", wrong_facts=["run"], wrong_conclusions=["sum"])
    rule = {"rise": "rise divided by run", "run": "run divided by rise", "sum": "the sum of rise and run"}[upside]
    sheet.say("graphs/rule", rule=rule)
    rise, run = sheet.calculate("rise", y2 - y1), x2 - x1
    sheet.say("graphs/rise", y2=y2, y1=y1, rise=rise, x2=x2, x1=x1, run=run)
    value, work = {
        "rise": (Fraction(rise, run), f"{number(rise)} ÷ ({number(run)})"),
        "run": (Fraction(run, rise) if rise else Fraction(0), f"{number(run)} ÷ ({number(rise)})"),
        "sum": (Fraction(rise + run), f"{number(rise)} + ({number(run)})"),
    }[upside]
    slope = sheet.calculate("slope", value)
    sheet.say("graphs/slope:flat" if upside == "run" and not rise else "graphs/slope", work=work, slope=slope)
    sheet.say_answer("graphs/answer:slope", number(slope))


def _at(x: float, y: float) -> Point:
    return _SIZE[0] / 2 + x * _CELL, _SIZE[1] / 2 - y * _CELL


def _draw(graph: _Graph, rng: Random) -> Drawn:
    canvas = Drawing(*_SIZE, random_style(rng, upright=True))
    _axes(canvas, grid=rng.random() < 0.85)
    colour = rng.choice([(200, 30, 40), (20, 80, 180), (0, 120, 80), canvas.style.ink])
    (x, y), jump, low = graph.kink, graph.jump, graph.before_jump(graph.jump)
    high = low + graph.shift
    left, right = graph.slopes
    # How far the first branch goes back and the last one on until they leave the grid.
    back = min(float(x + _REACH), abs((_REACH - (-y if left > 0 else y)) / left) if left else 99.0)
    on = max(0.4, min(_REACH - jump, (_REACH - high if right > 0 else _REACH + high) / abs(right) if right else 99.0))
    start = _at(x - back, y - left * back)
    canvas.line(start, _at(x, y), _at(jump, low), width=3, colour=colour)
    canvas.line(_at(jump, high), _at(jump + on, high + right * on), width=3, colour=colour)
    canvas.dot(_at(jump, low), 6, colour, hollow=True)
    canvas.dot(_at(jump, high), 6, colour)
    canvas.label(f"y = {graph.name}(x)", start, (0.3, -1), colour=colour)
    return canvas.finish(rng), _facts(graph)


def _axes(canvas: Drawing, *, grid: bool) -> None:
    for i in range(-_REACH, _REACH + 1):
        if grid:
            canvas.line(_at(i, -_REACH), _at(i, _REACH), width=1, colour=GREY)
            canvas.line(_at(-_REACH, i), _at(_REACH, i), width=1, colour=GREY)
    for end in ((_REACH + 0.5, 0.0), (0.0, _REACH + 0.5)):
        canvas.line(_at(-end[0], -end[1]), _at(*end), width=1.6)
        canvas.arrow_head(_at(*end), 0 if end[0] else -90, 9)
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
    low = graph.before_jump(jump)
    here, gap = bounds((_at(x, y),), 14), bounds((_at(jump, low), _at(jump, low + graph.shift)), 8)
    corner = (f"sharp corner at x = {x}",)
    points = (graph.kink, graph.branch_point(True), graph.branch_point(False))

    def fact(entity: str, attribute: str, value: int, box: Box) -> Numeric:
        return Numeric(entity=entity, attribute=attribute, value=float(value), box=box)

    return (
        fact(f"kink of {name}", "x-coordinate", x, here),
        fact(f"kink of {name}", "y-coordinate", y, here),
        fact(f"jump of {name}", "x-coordinate", jump, gap),
        Structure(type="graph", parts=("left branch", "right branch"), attachment=corner, box=here),
        Relation(type="continuous_at", entities=(f"graph of {name}", f"x = {x}"), box=here),
        *(fact(f"graph of {name} at x = {px}", "value", py, bounds((_at(px, py),), 8)) for px, py in points),
    )


_PATTERN_WIDTH, _PATTERN_HEIGHT = 215, 260
_DOT = 19.0  # distance between dots
_ARMS = ((1, 0), (-1, 0), (0, 1), (0, -1))
_STICK = 27.0  # length of a matchstick


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """A rule `first + step·(n − 1)`, what is counted, and how figure n is drawn around a point."""

    thing: str
    first: int
    step: int
    draw: Callable[[Drawing, Point, int], list[Point]]

    def count(self, n: int) -> int:
        return self.first + self.step * (n - 1)


def make_pattern(rng: Random) -> Scene:
    """The first three figures are shown; the number of things in a later one is asked."""
    extra = rng.randint(0, 2)
    corner = _dots(lambda n: [(0, -i) for i in range(n + 1)] + [(i, 0) for i in range(1, n + 1)])
    cross = _dots(lambda n: [(x * i, y * i) for i in range(1, n + 1) for x, y in _ARMS] + [(0, 0)])
    # Columns of three side by side, and some dots on top of the first.
    steps = _dots(lambda n: [(i, -j) for i in range(n) for j in range(3)] + [(0, -3 - k) for k in range(1 + extra)])
    rows = _dots(lambda n: [(i, j) for i in range(n + extra + 1) for j in range(2)])
    patterns = (
        _Pattern(thing="dots", first=3, step=2, draw=corner),
        _Pattern(thing="dots", first=5, step=4, draw=cross),
        _Pattern(thing="dots", first=4 + extra, step=3, draw=steps),
        _Pattern(thing="dots", first=2 * (extra + 2), step=2, draw=rows),
        _Pattern(thing="matchsticks", first=4, step=3, draw=_squares),
        _Pattern(thing="matchsticks", first=3, step=2, draw=_triangles),
    )
    pattern = rng.choice(patterns)
    n = rng.randint(7, 25)
    image, constraints = _draw_pattern(pattern, rng)
    question = rng.choice(texts("patterns/question", thing=pattern.thing, n=n))
    return Scene(image, question, constraints, partial(_solve_pattern, pattern, n), rng.random() < 0.35)


def _solve_pattern(pattern: _Pattern, n: int, sheet: SolutionSheet) -> None:
    one, two, thing = pattern.count(1), pattern.count(2), pattern.thing
    rule = sheet.decide("rule-seen", "adds", misbuilt=["doubles"])
    first = sheet.decide("figure-1", one, misread=[one + 1])
    second = sheet.decide("figure-2", two, misread=[two + 1, two - 1, two + 2])
    if rule == "doubles":
        second = 2 * first
    # A solver who has a rule in mind sees it in the third figure as well; a miscount there is one that nothing rests on.
    expected = 2 * second - first if rule == "adds" else 2 * second
    third = sheet.decide("figure-3", expected, misread=[expected + 1])
    for place, count in enumerate((first, second, third), start=1):
        sheet.say("patterns/figure", f"figure-{place}", n=place, value=count, thing=thing)
    if rule == "doubles":
        power = min(n - 1, 6)
        sheet.say("patterns/step:doubling")
        value = sheet.work("patterns/value:doubling", first * 2**power, power=power, first=first, times=2**power)
        return sheet.say_answer("patterns/answer", number(value), thing=thing)
    step = sheet.work("patterns/step", second - first, second=second, first=first, thing=thing)
    off = sheet.decide("off", 1, wrong_facts=[0], wrong_conclusions=[2])
    times = sheet.work("patterns/times", n - off, n=n)
    value = sheet.work("patterns/value", first + times * step, first=first, times=times, step=step, thing=thing)
    return sheet.say_answer("patterns/answer", number(value), thing=thing)


def _draw_pattern(pattern: _Pattern, rng: Random) -> Drawn:
    canvas = Drawing(3 * _PATTERN_WIDTH, _PATTERN_HEIGHT, random_style(rng, upright=True))
    canvas.clutter(rng)
    facts: list[Constraint] = []
    boxes: list[Box] = []
    for n in (1, 2, 3):
        x = _PATTERN_WIDTH * (n - 0.5)
        used = pattern.draw(canvas, (x, 110.0), n)
        box = bounds(used, 8)
        canvas.text(f"Figure {n}", (x, _PATTERN_HEIGHT - 46))
        boxes.append(box)
        name, value = f"figure {n} {pattern.thing}", float(pattern.count(n))
        facts.append(Numeric(entity=name, attribute="count", value=value, box=box))
    parts = tuple(f"figure {n}" for n in (1, 2, 3))
    return canvas.finish(rng), (Structure(type="sequence", parts=parts, box=box_around(*boxes)), *facts)


def _dots(places_of: Callable[[int], Sequence[Point]]) -> Callable[[Drawing, Point, int], list[Point]]:
    """Draws dots at the grid places of figure n, the whole centred on a point."""

    def draw(canvas: Drawing, centre: Point, n: int) -> list[Point]:
        places = places_of(n)
        xs, ys = [x for x, _ in places], [y for _, y in places]
        left = centre[0] - _DOT * (max(xs) + min(xs)) / 2
        top = centre[1] - _DOT * (max(ys) + min(ys)) / 2
        points = [(left + _DOT * x, top + _DOT * y) for x, y in places]
        for point in points:
            canvas.dot(point, 6)
        return points

    return draw


def _sticks(canvas: Drawing, sticks: list[tuple[Point, Point]]) -> list[Point]:
    for (x0, y0), (x1, y1) in sticks:
        gap_x, gap_y = (x1 - x0) * 0.1, (y1 - y0) * 0.1
        canvas.line((x0 + gap_x, y0 + gap_y), (x1 - gap_x, y1 - gap_y), width=3)
    return [point for stick in sticks for point in stick]


def _squares(canvas: Drawing, centre: Point, n: int) -> list[Point]:
    side = _STICK * 1.3
    left, top, low = centre[0] - n * side / 2, centre[1] - side / 2, centre[1] + side / 2
    sticks: list[tuple[Point, Point]] = [((left + i * side, top), (left + i * side, low)) for i in range(n + 1)]
    for i in range(n):
        sticks += [((left + i * side, y), (left + (i + 1) * side, y)) for y in (top, low)]
    return _sticks(canvas, sticks)


def _triangles(canvas: Drawing, centre: Point, n: int) -> list[Point]:
    side = _STICK * 1.6
    left, low, high = centre[0] - (n + 1) * side / 4, centre[1] + side * 0.43, centre[1] - side * 0.43
    corners = [(left + i * side / 2, low if i % 2 == 0 else high) for i in range(n + 2)]
    sticks = list(itertools.pairwise(corners)) + list(zip(corners, corners[2:], strict=False))
    return _sticks(canvas, sticks)
