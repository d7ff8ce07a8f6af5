"""The marks of textbook geometry (angle arcs, ticks, arrows, dimension lines; clutter), and the frame of charts with its axes and legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from evpv.figures import drawing
from evpv.figures.drawing import Canvas, Colour, Point, away, centre_of, direction, move_point, point_between
from evpv.figures.writing import number
from evpv.types import Box, Numeric

GREY: Colour = (205, 205, 205)
_NARROW = (0, 8, -8)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotArea:
    """The plotting area in pixels, and the values from its bottom (zero) to its top."""

    left: float
    top: float
    right: float
    bottom: float
    highest: int

    def y(self, value: float) -> float:
        """The height at which a value is drawn."""
        return self.bottom - (self.bottom - self.top) * value / self.highest

    def x(self, value: float) -> float:
        """The same along a horizontal value axis."""
        return self.left + (self.right - self.left) * value / self.highest


class Drawing(Canvas):
    """A canvas with the marks of textbook geometry and of charts."""

    def letter(self, letter: str, at: Point, toward: Point) -> None:
        self.label(letter, at, toward, colour=self.style.accent)

    def letter_corners(self, letters: str, corners: Sequence[Point]) -> None:
        """The letters of a shape at its corners, outside."""
        centre = centre_of(corners)
        for letter, corner in zip(letters, corners, strict=True):
            self.letter(letter, corner, away(corner, centre))

    def angle_mark(self, vertex: Point, arms: tuple[Point, Point], words: str, radius: float = 26) -> Box:
        """An arc inside an angle with words beside it; narrow angles push the words further out."""
        first, second = direction(vertex, arms[0]), direction(vertex, arms[1])
        turn = (second - first) % 360
        start, end = (first, first + turn) if turn <= 180 else (second, second + 360 - turn)
        self.arc(vertex, (radius, radius), start, end, width=1.3)
        if not words:
            return bounds([move_point(vertex, degrees, radius) for degrees in (0, 90, 180, 270)])
        middle, half = (start + end) / 2, math.radians((end - start) / 2)
        width, height = self.text_size(words)
        room = (height + 8) / 2 / max(math.tan(min(half, 1.5)), 0.08)
        reach = max(radius, min(room, 80) - width / 2)
        return self.label(words, move_point(vertex, middle, reach), move_point((0, 0), middle, 1), turns=_NARROW)

    def right_angle(self, vertex: Point, arms: tuple[Point, Point], size: float = 15) -> Box:
        """The small square of a right angle; answers with its box."""
        first = move_point(vertex, direction(vertex, arms[0]), size)
        second = move_point(vertex, direction(vertex, arms[1]), size)
        corner = (first[0] + second[0] - vertex[0], first[1] + second[1] - vertex[1])
        self.line(first, corner, second, width=1.4)
        return bounds((vertex, first, corner, second))

    def ticks(self, start: Point, end: Point) -> Box:
        """The tick of equal lengths across the middle of a segment."""
        along, middle = direction(start, end), point_between(start, end, 0.5)
        tips = move_point(middle, along + 90, 8), move_point(middle, along - 90, 8)
        self.line(*tips, width=1.8)
        return bounds(tips)

    def arrow_head(self, at: Point, degrees: float, size: float = 10) -> Box:
        """An open arrow head that points in a direction: ends of axes, and parallel lines."""
        wings = move_point(at, degrees + 150, size), move_point(at, degrees - 150, size)
        self.line(wings[0], at, wings[1], width=1.8)
        return bounds((at, *wings))

    def side_label(self, side: tuple[Point, Point], words: str, centre: Point) -> Box:
        """Words beside the middle of a side, on the side away from the figure's centre."""
        middle = point_between(*side, 0.5)
        normal = move_point((0, 0), direction(*side) + 90, 1)
        out = away(middle, centre)
        sign = 1 if normal[0] * out[0] + normal[1] * out[1] >= 0 else -1
        return self.label(words, middle, (sign * normal[0], sign * normal[1]))

    def dimension(self, start: Point, end: Point, words: str, outward: Point) -> Box:
        """A dimension line with an arrow head at both ends, and its words."""
        along = direction(start, end)
        self.line(start, end, width=1.2)
        self.arrow_head(end, along, 8)
        self.arrow_head(start, along + 180, 8)
        return self.label(words, point_between(start, end, 0.5), outward)

    def given_list(self, lines: Sequence[str], rng: Random) -> list[Box]:
        """What is given about a small figure, as lines beside it: a few pixels of a number say little of where it belongs."""
        left = self.width - max(self.text_size(words)[0] for words in lines) - rng.uniform(1, 5)
        top, step = rng.uniform(12, 60), rng.uniform(19, 26)
        return [self.text(words, (left, top + i * step), anchor="lm") for i, words in enumerate(lines)]

    def clutter(self, rng: Random) -> None:
        """What stands around figures in books: a caption, a note, a frame. Never a measure of the figure."""
        kind = rng.choice(("none", "none", "none", "caption", "note", "frame"))
        size = max(15, self.style.size_px - 5)
        if kind == "caption":
            self.text(f"Fig. {rng.randint(1, 9)}.{rng.randint(1, 9)}", (self.width / 2, self.height - 14), size=size)
        elif kind == "note":
            self.text("Not drawn to scale", (self.width - 8, self.height - 12), anchor="rm", size=size)
        elif kind == "frame":
            grey = (150, 150, 150)
            right, bottom = self.width - 4, self.height - 4
            self.line((4, 4), (right, 4), (right, bottom), (4, bottom), (4, 4), width=1, colour=grey)

    def value_axis(self, frame: PlotArea, tick: int, *, across: bool = False, grid: bool = True) -> None:
        """Ticks with numbers, gridlines if told, and the two axis lines; `across` puts the values along the bottom."""
        for value in range(0, frame.highest + 1, tick):
            if across:
                x = frame.x(value)
                if grid and value:
                    self.line((x, frame.top), (x, frame.bottom), width=1, colour=GREY)
                self.text(number(value), (x, frame.bottom + 18))
            else:
                y = frame.y(value)
                if grid and value:
                    self.line((frame.left, y), (frame.right, y), width=1, colour=GREY)
                self.text(number(value), (frame.left - 9, y), anchor="rm")
        self.line((frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom), width=1.6)

    def legend(self, entries: Sequence[tuple[str, Colour]], at: tuple[float, float]) -> list[Box]:
        """Coloured squares with names, side by side; answers with the boxes of the names."""
        x, y = at
        boxes = []
        for words, colour in entries:
            self.polygon([(x, y - 8), (x + 16, y - 8), (x + 16, y + 8), (x, y + 8)], colour, outline=False)
            box = self.text(words, (x + 24, y), anchor="lm")
            boxes.append(box)
            x = box[2] + 26
        return boxes


def figure_canvas(rng: Random, size: tuple[int, int], *, small: bool = False) -> Drawing:
    """A canvas in a random style with clutter on it; a small one is clean and in the mini models' own look."""
    if small:
        return Drawing(*drawing.SMALL_SIZE, drawing.SMALL_PRINT)
    canvas = Drawing(*size, drawing.random_style(rng))
    canvas.clutter(rng)
    return canvas


def length_fact(name: str, value: float, unit: str, box: Box) -> Numeric:
    return Numeric(entity=f"segment {name}", attribute="length", value=float(value), unit=unit or None, box=box)


def angle_fact(name: str, value: float, box: Box) -> Numeric:
    return Numeric(entity=f"angle {name}", attribute="angle", value=float(value), unit="deg", box=box)


def bounds(points: Sequence[Point], grow: float = 2.0) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return round(min(xs) - grow, 1), round(min(ys) - grow, 1), round(max(xs) + grow, 1), round(max(ys) + grow, 1)


def box_around(*boxes: Box) -> Box:
    """The box around boxes: where a relation between two marked things was seen."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
