"""Which kind of chart a picture is, and its facts as constraints."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from evpv.perception.charts.areas import read_areas
from evpv.perception.charts.axes import Axis, find_axis
from evpv.perception.charts.bars import read_bars, whole_bars
from evpv.perception.charts.curves import read_curves
from evpv.perception.charts.dots import read_dots
from evpv.perception.charts.facts import ChartValue, ValueSource, constraints_of
from evpv.perception.charts.heat_maps import read_heat_map
from evpv.perception.charts.labels import ChartLabel, make_labels, page_of, parse_quantity, signs_apart
from evpv.perception.charts.legends import Chart, as_drawn, find_legend, in_fullest_tone, is_sample, outside_legend
from evpv.perception.charts.line_points import plot_of_points, read_points
from evpv.perception.charts.line_reading import read_lines
from evpv.perception.charts.lines import Plot, Stroke, find_plot, find_strokes
from evpv.perception.charts.palette import find_palette, find_parts, without_grid, without_panel
from evpv.perception.charts.panels import Panel, find_panels
from evpv.perception.charts.pies import read_pie
from evpv.perception.charts.powers import told_digits, told_powers
from evpv.perception.charts.rectangles import (
    are_cells,
    area_of,
    bars_among,
    find_rectangles,
    through_lines,
    without_plates,
)
from evpv.perception.charts.sample_prints import without_samples
from evpv.perception.charts.samples import mixed_legend, sample_legend
from evpv.perception.charts.twin_axes import TwinAxis, find_twins
from evpv.perception.competition import FigureReading, untold_words
from evpv.perception.images import flatten_colours
from evpv.perception.ocr import Pixels, Word
from evpv.types import Constraint, Numeric, Structure

_LEAST_BARS = 0.004  # bars cover at least this share of the picture
_LEAST_BAR = 100  # pixels
_IN_GAPS = 0.3  # of the columns between bars that a line over them runs through
_SURELY_BARS = 0.03  # and where several cover this much, the picture is no line chart
_LEAST_FACTS = 3
_LEAST_NAMES = 2  # of categories under a plot
_LARGEST_WORD = 0.2  # of the picture; what is larger is the plot itself, taken for a letter
_LONGEST_LABEL = 30  # signs; longer texts are headlines and notes
_MARKED = 0.8  # of the points of lines; then these are markers, and ticks between them are no points
_UNMARKED = 0.6  # how far the turns of lines without markers are trusted to be their points
_ALL_TOLD, _HALF_TOLD = 0.75, 0.5  # shares of the words that are explained
_LOST_TRUST = 0.25  # of the facts that are right where all is told, those that are not at the lower share
_DOUBLE = 0.55  # of the confidence of a fact whose name has another value too: whose these are was not understood
_YEAR = re.compile(r"(1[89]|20)\d\d\b")
_LEAST_READ = 0.25  # of the bars; where fewer can be read, they are the pieces of something else


def read_chart(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The table behind a chart, as one numeric constraint per value and a structure; nothing where none can be read.

    A picture of several plots is read plot by plot, unless it is better explained as one.
    """
    picture, words = flatten_colours(picture), list(chain.from_iterable(map(signs_apart, words)))
    whole = _read_plot(picture, words)
    panels = find_panels(make_labels(words), picture.shape)
    apart = _read_panels(picture, words, panels) if panels else whole
    return apart if _explanation(apart) > _explanation(whole) else whole


def _explanation(reading: FigureReading) -> float:
    """How well a reading explains the picture, the worse the more of its names have several values."""
    return reading.explained * (1 - len(_doubles(reading.constraints)) / max(len(reading.constraints), 1))


def _read_panels(picture: Pixels, words: Sequence[Word], panels: Sequence[Panel]) -> FigureReading:
    """All panels' facts, each named by its panel too; as well explained as the panels are on average."""
    readings = [read_chart(*panel.cut(picture, words)) for panel in panels]
    facts = []
    for panel, reading in zip(panels, readings, strict=True):
        facts += [_fact_of(panel, one) for one in reading.constraints if isinstance(one, Numeric)]
    if not facts:
        return FigureReading(kind="chart")
    names = tuple(panel.name for panel in panels)
    table = Structure(type="table", parts=names, confidence=max(fact.confidence for fact in facts))
    explained = statistics.mean(reading.explained for reading in readings)
    return FigureReading(kind="chart", constraints=(table, *facts), explained=explained)


def _fact_of(panel: Panel, fact: Numeric) -> Numeric:
    series = f"{panel.name} {fact.series or ''}".strip()
    box = None if fact.box is None else panel.place(fact.box)
    return replace(fact, entity=f"{fact.row or ''} {series}".strip(), series=series, box=box)


def _read_plot(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The facts of one plot, with the confidence that they have in this picture."""
    words = [word for word in words if word.box.area <= _LARGEST_WORD * picture[:, :, 0].size]
    chart, trust = _chart_of(picture, words), 1.0
    facts = read_heat_map(chart)
    twins = find_twins(chart) if facts is None else ()
    if twins:
        facts = _twin_facts(chart, twins)
    if facts is None:
        facts = read_pie(chart) or _bars_and_lines(chart)
    if facts is None:
        facts, trust = _areas_dots_or_lines(chart)
    constraints = constraints_of(facts)
    share = _explained_share(words, chart.every, constraints, twins) if facts else 0.0
    return FigureReading(kind="chart", constraints=_weighed_facts(constraints, share), explained=trust * share)


def _weighed_facts(constraints: Sequence[Constraint], share: float) -> tuple[Constraint, ...]:
    """The facts with less confidence where they explain little of the picture, or say several things of one name."""
    little = min(max((_ALL_TOLD - share) / (_ALL_TOLD - _HALF_TOLD), 0.0), 1.0)
    doubles, weighed = _doubles(constraints), []
    for fact in constraints:
        doubtful = isinstance(fact, Numeric) and fact.entity in doubles
        confidence = fact.confidence * (1 - _LOST_TRUST * little) * (_DOUBLE if doubtful else 1.0)
        weighed.append(replace(fact, confidence=round(confidence, 3)))
    return tuple(weighed)


def _chart_of(picture: Pixels, words: Sequence[Word]) -> Chart:
    palette, every = find_palette(picture), told_digits(told_powers(picture, make_labels(words)))
    every = _axis_at_left(without_samples(picture, every))
    parts = find_parts(without_grid(palette))
    keys = find_legend(palette, parts, every), sample_legend(picture, palette, every)
    legend = max(*keys, mixed_legend(picture, palette, parts, every), key=len)
    labels = outside_legend(every, legend)
    return Chart(picture=picture, palette=palette, parts=parts, every=every, labels=labels, legend=legend)


def _axis_at_left(labels: tuple[ChartLabel, ...]) -> tuple[ChartLabel, ...]:
    """The labels with the ticks of a value axis right of everything else put left of all names, where the readers look for them."""
    axis = find_axis(labels, upward=True)
    if axis is None:
        return labels
    others = axis.others(labels)
    names = [one for one in others if one.y > axis.floor and one.box.y0 < axis.floor + axis.step_px]
    if len(names) < _LEAST_NAMES or max(one.x for one in others) > axis.left:
        return labels
    across = max(min(one.page.x0 for one in names) - page_of(axis.ticks).x1, -axis.left)
    return (*others, *(replace(tick, box=tick.box.shift(across, 0.0)) for tick in axis.ticks))


def _doubles(constraints: Sequence[Constraint]) -> set[str]:
    """The names that facts of several values have."""
    facts = {(fact.entity, fact.value) for fact in constraints if isinstance(fact, Numeric)}
    return {name for name, several in Counter(name for name, _ in facts).items() if several > 1}


def _explained_share(
    words: Sequence[Word], labels: Sequence[ChartLabel], constraints: Sequence[Constraint], twins: Sequence[TwinAxis]
) -> float:
    """The share of the words that the facts name or that are ticks of an axis."""
    short = _words_of_plot(words)
    single = filter(None, (find_axis(labels, upward=True), find_axis(labels, upward=False)))
    axes: list[Axis | TwinAxis] = [*single, *twins]
    ticks = list(chain.from_iterable(axis.ticks for axis in axes))
    rest = [word for word in short if not any(tick.page.holds(word.box.x, word.box.y) for tick in ticks)]
    values = {fact.value for fact in constraints if isinstance(fact, Numeric)}
    read = [parse_quantity(word.text) for word in untold_words(rest, constraints)]
    untold = sum(quantity is None or quantity.value not in values for quantity in read)
    return 1 - untold / max(len(short), 1)


def _words_of_plot(words: Sequence[Word]) -> list[Word]:
    """The words without headlines and foot notes, and without marks that were taken for signs."""
    usual = statistics.median(word.box.line_height for word in words)
    spoken = [word for word in words if any(map(str.isalnum, word.text))]
    return [word for word in spoken if len(word.text) <= _LONGEST_LABEL and word.box.line_height <= 1.5 * usual]


def _bars(chart: Chart) -> list[ChartValue] | None:
    """The facts of the bars; None where the picture has no bars, or so few that they may be the pieces of something else."""
    shape, size = chart.palette.index.shape, chart.palette.index.size
    marks = [part for part in without_panel(chart.parts, chart.palette) if not is_sample(part, chart.legend)]
    bars, lying = bars_among(without_plates(find_rectangles(marks, shape), chart.labels))
    if area_of(bars) < _LEAST_BARS * size or (not lying and are_cells(bars, marks)):
        return None
    bars = through_lines(chart.picture, whole_bars(bars, chart.labels), lying=lying)
    chart = replace(chart, legend=as_drawn(chart.legend, chart.palette, {bar.colour for bar in bars}))
    facts = read_bars(chart, bars, lying)
    if len(facts) >= _LEAST_READ * len(bars):
        return facts
    return [] if len(bars) >= 4 and area_of(bars) >= _SURELY_BARS * size else None


def _bars_and_lines(chart: Chart) -> list[ChartValue] | None:
    """The facts of the bars, and of the lines over them whose colours a legend names."""
    bars = _bars(chart)
    if not bars:
        return bars
    named = {fact.series for fact in bars}
    lines = [one.name for one in chart.legend if one.name not in named and _runs_between(chart, one.colour, named)]
    if not lines or named.isdisjoint(chart.names.values()):
        return bars
    facts, _ = _curves_or_lines(chart)
    return [*bars, *(fact for fact in facts if fact.series in lines)]


def _runs_between(chart: Chart, colour: int, bars: Container[str]) -> bool:
    """Whether a colour runs on between the bars of some series, as a line does and a flat part of a stack does not."""
    boxes = [part for part in chart.parts if chart.names.get(part.colour) in bars and part.area >= _LEAST_BAR]
    if not boxes:
        return False
    gaps = np.ones(chart.palette.index.shape[1], np.bool_)
    for box in boxes:
        gaps[box.x0 - 2 : box.x1 + 2] = False
    x0, y0, x1, y1 = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes]).T
    gaps[: x1.min()] = gaps[x0.max() :] = False
    rows = slice(y0.min(), y1.max())
    return bool(gaps.any()) and float(chart.palette.mask(colour)[rows, gaps].any(axis=0).mean()) >= _IN_GAPS


def _twin_facts(chart: Chart, twins: Sequence[TwinAxis]) -> list[ChartValue]:
    """The facts of two value axes: of each the bars and lines that are surely measured on it."""
    both = replace(chart, legend=tuple(chain.from_iterable(twin.legend for twin in twins)))
    return list(chain.from_iterable(_facts_on(twin, both) for twin in twins))


def _facts_on(twin: TwinAxis, chart: Chart) -> list[ChartValue]:
    """The bars in the colours of an axis's series, or its lines; of one series bars need no legend to be named."""
    chart = replace(chart, every=twin.labels, labels=twin.labels)
    own = replace(chart, legend=twin.legend)
    bars = _bars(replace(own, parts=[part for part in own.parts if part.colour in own.names]))
    if bars:
        return [replace(bar, series=twin.legend[0].name) for bar in bars] if len(own.names) == 1 else bars
    lines, _ = _curves_or_lines(chart)
    return [line for line in lines if line.series in own.names.values()]


def _areas_dots_or_lines(chart: Chart) -> tuple[list[ChartValue], float]:
    """What a picture without bars says, and how far that can be trusted.

    One or two measured values are rather a misread picture.
    """
    areas, dots = read_areas(chart), read_dots(chart)
    facts, trust = _curves_or_lines(chart)
    if areas or len(dots) >= len(facts):
        facts, trust = areas or dots, 1.0
    printed = all(fact.evidence in (ValueSource.AGREEING, ValueSource.PRINTED) for fact in facts)
    return (facts, trust) if len(facts) >= _LEAST_FACTS or printed else ([], trust)


def _curves_or_lines(chart: Chart) -> tuple[list[ChartValue], float]:
    """Lines at the printed names and years, else at their own points on a scale; and how far that can be trusted.

    Lines stand over a value axis, or else over dates alone, by the numbers printed at them. Categories are places on a
    scale if all are numbers; years are names, if they are more than one among thousands.
    """
    chart = replace(chart, legend=in_fullest_tone(chart.legend, chart.palette))
    facts = _lines_on(find_plot(chart), chart, read_lines) or _lines_on(
        plot_of_points(chart.labels), chart, read_points
    )
    categories = {fact.category for fact in facts}
    years = sum(_YEAR.match(one) is not None for one in categories)
    if facts and not (all(map(parse_quantity, categories)) and years <= len(categories) / 3):
        return facts, 1.0
    curves = read_curves(chart)
    marked = sum(fact.evidence is ValueSource.MEASURED for fact in curves) / max(len(curves), 1)
    if _tell_less(curves, facts, marked):
        return facts, 1.0
    curves = [*curves, *_untold_at_places(curves, facts)]
    return curves, 1.0 if len(chart.legend) > 1 else _UNMARKED + (1 - _UNMARKED) * marked


def _tell_less(curves: Sequence[ChartValue], facts: Sequence[ChartValue], marked: float) -> bool:
    """Whether points of lines are of fewer series than other facts, or of far fewer if they are marked, or far fewer themselves."""
    known, others = ({fact.series for fact in read} for read in (curves, facts))
    return len(known) < len(others) * (1.0 if marked < _MARKED else 0.5) or len(curves) < len(facts) / 2


def _untold_at_places(curves: Sequence[ChartValue], facts: Sequence[ChartValue]) -> list[ChartValue]:
    """The facts that points of lines leave out at their places, if all these are printed."""
    places, told = {fact.category for fact in curves}, {(fact.series, fact.category) for fact in curves}
    left = [fact for fact in facts if (fact.series, fact.category) not in told]
    return [fact for fact in left if fact.category in places] if places <= {fact.category for fact in facts} else []


def _lines_on(
    plot: Plot | None, chart: Chart, read: Callable[[Chart, Plot, Sequence[Stroke]], list[ChartValue]]
) -> list[ChartValue]:
    strokes = find_strokes(chart, plot) if plot else []
    return read(chart, plot, strokes) if plot and strokes else []
