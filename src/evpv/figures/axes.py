"""The frame of charts: a value axis with ticks and gridlines, a title, a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evpv.figures.drawing import Canvas
from evpv.figures.notation import number
from evpv.figures.style import Colour
from evpv.types import Box

GREY: Colour = (205, 205, 205)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
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


def tick_for(highest: int) -> int:
    """A round distance between ticks that gives four to eight of them."""
    for tick in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        if highest / tick <= 8:
            return tick
    return 2000


def value_axis(canvas: Canvas, frame: Frame, tick: int, *, across: bool = False, grid: bool = True) -> None:
    """Ticks with numbers, gridlines if told, and the two axis lines; `across` puts the values along the bottom."""
    for value in range(0, frame.highest + 1, tick):
        if across:
            x = frame.x(value)
            if grid and value:
                canvas.line((x, frame.top), (x, frame.bottom), width=1, colour=GREY)
            canvas.text(number(value), (x, frame.bottom + 18))
        else:
            y = frame.y(value)
            if grid and value:
                canvas.line((frame.left, y), (frame.right, y), width=1, colour=GREY)
            canvas.text(number(value), (frame.left - 9, y), anchor="rm")
    canvas.line((frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom), width=1.6)


def legend(canvas: Canvas, entries: Sequence[tuple[str, Colour]], at: tuple[float, float]) -> list[Box]:
    """Coloured squares with names, side by side; answers with the boxes of the names."""
    x, y = at
    boxes = []
    for words, colour in entries:
        canvas.polygon([(x, y - 8), (x + 16, y - 8), (x + 16, y + 8), (x, y + 8)], colour, outline=False)
        box = canvas.text(words, (x + 24, y), anchor="lm")
        boxes.append(box)
        x = box[2] + 26
    return boxes


def axis_step(tick: int) -> int:
    """What a value without a printed number is a multiple of: half a tick where that is whole, so that it can be read."""
    return tick // 2 if tick % 2 == 0 else tick


def axis_slips(tick: int, value: int) -> tuple[int, ...]:
    """What a height is misread as against the axis: a tick off, or half of one."""
    step = axis_step(tick)
    return tuple(x for x in dict.fromkeys((value + tick, value - tick, value + step, value - step)) if x > 0)
