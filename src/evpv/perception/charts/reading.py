"""Which kind of chart a picture is, and its facts as constraints."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.perception.charts.bars import read_bars
from evpv.perception.charts.dots import find_dots, read_dots
from evpv.perception.charts.facts import Evidence, Fact, constraints_of
from evpv.perception.charts.labels import Label, make_labels
from evpv.perception.charts.legends import Entry, find_legend, outside_legend
from evpv.perception.charts.line_reading import read_lines
from evpv.perception.charts.lines import find_plot, find_strokes
from evpv.perception.charts.palette import Palette, Part, find_palette, find_parts, without_panel
from evpv.perception.charts.pies import find_disc, find_slices, read_pie
from evpv.perception.charts.points import plot_of_points, read_points
from evpv.perception.charts.rectangles import area_of, bars_among, find_rectangles, without_plates
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint

_LEAST_BARS = 0.004  # bars cover at least this share of the picture
_SURELY_BARS = 0.03  # and where several cover this much, the picture is no line chart

_LEAST_FACTS = 3
_LEAST_READ = 0.25  # of the bars; where fewer can be read, they are the pieces of something else


def read_chart(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """The table behind a chart, as one numeric constraint per value and a structure; nothing where none can be read."""
    palette = find_palette(picture)
    parts = find_parts(palette)
    labels = make_labels(words)
    legend = find_legend(palette, parts, labels)
    labels = outside_legend(labels, legend)
    facts = _pie(palette, labels, legend) or _bars(picture, palette, parts, labels, legend)
    if facts is None:
        facts = read_dots(picture, find_dots(palette, labels, legend), labels, legend)
        facts = facts or _lines(picture, palette, labels, legend)
        facts = facts if _can_be_lines(facts) else []
    return constraints_of(facts)


def _can_be_lines(facts: Sequence[Fact]) -> bool:
    """Whether facts are many enough to trust: one or two measured values are rather a misread picture."""
    printed = sum(fact.evidence in (Evidence.AGREEING, Evidence.PRINTED) for fact in facts)
    return len(facts) >= _LEAST_FACTS or printed == len(facts)


def _pie(palette: Palette, labels: Sequence[Label], legend: Sequence[Entry]) -> list[Fact]:
    disc = find_disc(palette)
    slices = find_slices(palette, disc) if disc else []
    return read_pie(disc, slices, labels, legend) if disc and len(slices) >= 2 else []


def _bars(
    picture: Pixels, palette: Palette, parts: Sequence[Part], labels: Sequence[Label], legend: tuple[Entry, ...]
) -> list[Fact] | None:
    """The facts of the bars; None where the picture has no bars, or so few that they may be the pieces of something else."""
    rectangles = find_rectangles(without_panel(parts, palette), palette.index.shape)
    bars, lying = bars_among(without_plates(rectangles, labels))
    if len(bars) < 2 or area_of(bars) < _LEAST_BARS * palette.index.size:
        return None
    facts = read_bars(picture, bars, lying, labels, legend)
    if len(facts) >= _LEAST_READ * len(bars):
        return facts
    return [] if len(bars) >= 4 and area_of(bars) >= _SURELY_BARS * palette.index.size else None


def _lines(picture: Pixels, palette: Palette, labels: Sequence[Label], legend: Sequence[Entry]) -> list[Fact]:
    plot = find_plot(picture, labels)
    strokes = find_strokes(picture, palette, plot, labels, legend) if plot else []
    facts = read_lines(picture, plot, strokes, labels, legend) if plot and strokes else []
    return facts or _pointed_lines(picture, palette, labels, legend)


def _pointed_lines(picture: Pixels, palette: Palette, labels: Sequence[Label], legend: Sequence[Entry]) -> list[Fact]:
    plot = plot_of_points(labels)
    strokes = find_strokes(picture, palette, plot, labels, legend) if plot else []
    return read_points(picture, plot, strokes, labels, legend) if plot and strokes else []
