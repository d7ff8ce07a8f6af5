"""Runs of print in a figure: shapes that stand side by side, read by the recogniser.

The OCR engine's detector is made for lines of text and misses about half of the one-character labels of a figure; here
every small dark shape is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

from evpv.perception.geometry.ink import Ink
from evpv.perception.geometry.overlay import Mask
from evpv.perception.geometry.shapes import MAX_SHAPES, MIN_GLYPH_PX, Shape, box_of, find_shapes, read_shapes
from evpv.perception.recognition import Reading
from evpv.types import Box

_MAX_RUNS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Glyphs side by side, as one box and its reading."""

    box: Box
    shapes: tuple[Shape, ...]
    reading: Reading
    degrees: bool  # whether a raised small ring ends the run

    @property
    def glyph_height(self) -> float:
        return max(shape.glyph_height for shape in self.shapes)

    @property
    def on_line(self) -> bool:
        return any(shape.on_line for shape in self.shapes)


def _drawn_between(lines: Mask, left: Shape, right: Shape) -> bool:
    """Whether a line of the figure runs between two shapes, which then belong to different labels."""
    top, bottom = max(left.top, right.top), min(left.bottom, right.bottom)
    if right.left - left.right < 2 or bottom - top < 3:
        return False
    gap = lines[top:bottom, left.right : right.left]
    return bool(gap.any(axis=1).mean() > 0.7)


def _is_raised(shape: Shape, top: int, height: float) -> bool:
    """Whether a small shape stands high enough beside a run to be its degree sign or exponent."""
    small = shape.height <= 0.62 * height
    return small and shape.middle_y <= top + 0.42 * height and shape.bottom >= top - 0.6 * height


def _joins(lines: Mask, run: list[Shape], shape: Shape) -> bool:
    """Whether a shape continues a run on its right: near, and within the run's height."""
    tallest = max(run, key=lambda member: member.glyph_height)
    tall = max(tallest.glyph_height, shape.glyph_height)
    last = max(run, key=lambda member: member.right)
    gap = shape.left - last.right
    if gap > 0.55 * tall or gap < -0.5 * tall or tall < MIN_GLYPH_PX:
        return False
    top, bottom = min(member.top for member in run), max(member.bottom for member in run)
    overlap = min(bottom, shape.bottom) - max(top, shape.top)
    level = overlap >= 0.6 * min(shape.height, tallest.glyph_height)
    thin = shape.height <= 4 and top <= shape.middle_y <= bottom
    if not (level or thin or _is_raised(shape, tallest.top, tallest.glyph_height)):
        return False
    return not _drawn_between(lines, last, shape)


def _grouped(lines: Mask, shapes: list[Shape]) -> list[list[Shape]]:
    runs: list[list[Shape]] = []
    for shape in sorted(shapes, key=lambda item: (item.left, item.top)):
        joined = [run for run in runs if _joins(lines, run, shape)]
        if joined:
            first = joined[0]
            for other in joined[1:]:
                first.extend(other)
                runs.remove(other)
            first.append(shape)
        else:
            runs.append([shape])
    return [run for run in runs if any(shape.is_glyph for shape in run)]


def _degree_sign(shapes: list[Shape]) -> Shape | None:
    """The raised small ring at the end of a run, if there is one; its place says what it is, its look does not."""
    tallest = max(shapes, key=lambda shape: shape.glyph_height)
    last = max(shapes, key=lambda shape: shape.right)
    if len(shapes) < 2 or last is tallest or not _is_raised(last, tallest.top, tallest.glyph_height):
        return None
    round_enough = 0.6 <= last.width / last.height <= 1.7
    return last if round_enough and last.height >= 3 and last.height >= 0.18 * tallest.glyph_height else None


def _read(ink: Ink, shapes: list[Shape]) -> Reading:
    """The run's text from left to right: stretches of plain glyphs, and what was read before."""
    texts: list[str] = []
    confidences: list[float] = []
    stretch: list[Shape] = []
    for shape in [*sorted(shapes, key=lambda shape: shape.left), None]:
        if shape is not None and shape.text is None:
            stretch.append(shape)
            continue
        if stretch:
            reading = read_shapes(ink, stretch)
            texts.append(reading.text)
            confidences.append(reading.confidence)
            stretch = []
        if shape is not None and shape.text is not None:
            texts.append(shape.text)
    return Reading(text="".join(texts), confidence=min(confidences, default=1.0))


def _run(ink: Ink, shapes: list[Shape]) -> Run:
    ring = _degree_sign(shapes)
    glyphs = [shape for shape in shapes if shape is not ring]
    return Run(box=box_of(shapes), shapes=tuple(shapes), reading=_read(ink, glyphs), degrees=ring is not None)


def read_runs(ink: Ink) -> list[Run]:
    """All runs of print in the figure, top to bottom; none where there are more than a figure has (noise, a page)."""
    shapes = find_shapes(ink)
    groups = _grouped(ink.lines, shapes) if len(shapes) <= MAX_SHAPES else []
    if len(groups) > _MAX_RUNS:
        return []
    return sorted((_run(ink, group) for group in groups), key=lambda run: (run.box[1], run.box[0]))


def run_of_word(text: str, box: Box, confidence: float) -> Run:
    """A word of the OCR engine as a run of one shape."""
    left, top, right, bottom = (round(edge) for edge in box)
    shape = Shape(left=left, top=top, right=right, bottom=bottom, area=0)
    return Run(box=box, shapes=(shape,), reading=Reading(text=text, confidence=confidence), degrees=False)
