"""The marks of textbook geometry: angle arcs, right-angle squares, ticks, arrows, dimension lines; and clutter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from evpv.figures.drawing import NARROW, Canvas, Point, away, direction, move_point, point_between
from evpv.types import Box


def angle_mark(canvas: Canvas, vertex: Point, arms: tuple[Point, Point], words: str, radius: float = 26) -> Box:
    """An arc inside an angle with words beside it; narrow angles push the words further out."""
    start, end = _inner_span(vertex, arms)
    canvas.arc(vertex, (radius, radius), start, end, width=1.3)
    if not words:
        return _around(vertex, radius)
    middle, half = (start + end) / 2, math.radians((end - start) / 2)
    width, height = canvas.text_size(words)
    room = (height + 8) / 2 / max(math.tan(min(half, 1.5)), 0.08)
    reach = max(radius, min(room, 80) - width / 2)
    at = move_point(vertex, middle, reach)
    return canvas.label(words, at, (math.cos(math.radians(middle)), math.sin(math.radians(middle))), turns=NARROW)


def right_angle(canvas: Canvas, vertex: Point, arms: tuple[Point, Point], size: float = 15) -> Box:
    """The small square of a right angle; answers with its box."""
    first = move_point(vertex, direction(vertex, arms[0]), size)
    second = move_point(vertex, direction(vertex, arms[1]), size)
    corner = (first[0] + second[0] - vertex[0], first[1] + second[1] - vertex[1])
    canvas.line(first, corner, second, width=1.4)
    return bounds((vertex, first, corner, second))


def ticks(canvas: Canvas, start: Point, end: Point, count: int = 1) -> Box:
    """Equal-length ticks across the middle of a segment."""
    along = direction(start, end)
    middle, marks = point_between(start, end, 0.5), []
    for i in range(count):
        at = move_point(middle, along, (i - (count - 1) / 2) * 6)
        marks += [move_point(at, along + 90, 8), move_point(at, along - 90, 8)]
        canvas.line(marks[-2], marks[-1], width=1.8)
    return bounds(marks)


def arrow_head(canvas: Canvas, at: Point, degrees: float, size: float = 10) -> Box:
    """An open arrow head that points in a direction: ends of axes, and parallel lines."""
    wings = move_point(at, degrees + 150, size), move_point(at, degrees - 150, size)
    canvas.line(wings[0], at, wings[1], width=1.8)
    return bounds((at, *wings))


def side_label(canvas: Canvas, side: tuple[Point, Point], words: str, centre: Point) -> Box:
    """Words beside the middle of a side, on the side away from the figure's centre."""
    middle = point_between(*side, 0.5)
    along = direction(*side)
    normal = math.cos(math.radians(along + 90)), math.sin(math.radians(along + 90))
    out = away(middle, centre)
    sign = 1 if normal[0] * out[0] + normal[1] * out[1] >= 0 else -1
    return canvas.label(words, middle, (sign * normal[0], sign * normal[1]))


def dimension(canvas: Canvas, start: Point, end: Point, words: str, outward: Point) -> Box:
    """A dimension line with an arrow head at both ends, and its words."""
    along = direction(start, end)
    canvas.line(start, end, width=1.2)
    arrow_head(canvas, end, along, 8)
    arrow_head(canvas, start, along + 180, 8)
    return canvas.label(words, point_between(start, end, 0.5), outward)


def given_list(canvas: Canvas, lines: Sequence[str], rng: Random) -> list[Box]:
    """What is given about a small figure, as lines beside it: a few pixels of a number say little of where it belongs."""
    left = canvas.width - max(canvas.text_size(words)[0] for words in lines) - rng.uniform(1, 5)
    top, step = rng.uniform(12, 60), rng.uniform(19, 26)
    return [canvas.text(words, (left, top + i * step), anchor="lm") for i, words in enumerate(lines)]


def clutter(canvas: Canvas, rng: Random) -> None:
    """What stands around figures in books: a caption, a note, a frame. Never a measure of the figure."""
    kind = rng.choice(("none", "none", "none", "caption", "note", "frame"))
    size = max(15, canvas.style.size_px - 5)
    if kind == "caption":
        canvas.text(f"Fig. {rng.randint(1, 9)}.{rng.randint(1, 9)}", (canvas.width / 2, canvas.height - 14), size=size)
    elif kind == "note":
        canvas.text("Not drawn to scale", (canvas.width - 8, canvas.height - 12), anchor="rm", size=size)
    elif kind == "frame":
        grey = (150, 150, 150)
        right, bottom = canvas.width - 4, canvas.height - 4
        canvas.line((4, 4), (right, 4), (right, bottom), (4, bottom), (4, 4), width=1, colour=grey)


def bounds(points: Sequence[Point], grow: float = 2.0) -> Box:
    """The box around some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return round(min(xs) - grow, 1), round(min(ys) - grow, 1), round(max(xs) + grow, 1), round(max(ys) + grow, 1)


def box_around(*boxes: Box) -> Box:
    """The box around boxes: where a relation between two marked things was seen."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _around(centre: Point, radius: float) -> Box:
    return bounds([move_point(centre, degrees, radius) for degrees in (0, 90, 180, 270)])


def _inner_span(vertex: Point, arms: tuple[Point, Point]) -> tuple[float, float]:
    """The angle between two arms as a clockwise span of less than a half turn."""
    first, second = direction(vertex, arms[0]), direction(vertex, arms[1])
    turn = (second - first) % 360
    return (first, first + turn) if turn <= 180 else (second, second + 360 - turn)
