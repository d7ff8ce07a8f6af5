"""Tables of numbers: one or two value columns, ruled or striped."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from random import Random

from PIL import Image

from evpv.figures.drawing import SMALL_PRINT, SMALL_SIZE, THEMES, Canvas, pale, random_style
from evpv.figures.marks import bounds
from evpv.figures.notation import number
from evpv.figures.quantities import Quantities, ask, distinct
from evpv.figures.writing import Scene, confusions, mixed_up
from evpv.types import Constraint, Numeric, Structure

_YEARS = ("2019", "2020", "2021", "2022", "2023")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """A table: its title, headers and rows of a name with its values."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def make(rng: Random, *, small: bool = False) -> Scene:
    """A table, and a question about one of its value columns. A small one has three rows and two years."""
    theme = rng.choice(THEMES)
    names = theme.choose(rng, 3 if small else rng.randint(4, 5))
    columns = tuple(sorted(rng.sample(_YEARS, 2))) if small or rng.random() < 0.4 else (theme.measure,)
    values = tuple(_with_whole_mean(distinct(rng, len(names), (theme.low, theme.high))) for _ in columns)
    title = theme.title if len(columns) == 1 else f"{theme.title} by year"
    rows = tuple(zip(names, zip(*values, strict=True), strict=True))
    image, constraints = (_draw_small if small else _draw)(
        _Grid(title=title, headers=(theme.first, *columns), rows=rows), rng
    )
    column = rng.randrange(len(columns))
    year = "" if len(columns) == 1 else f" in {columns[column]}"
    data = Quantities(
        names=names, values=values[column], measure=f"{theme.measure}{year}", slips=confusions,
        wording="tables/value", words={"header": columns[column], "year": year, "noun": theme.noun},
        alternatives=mixed_up(*(row for i, row in enumerate(values) if i != column)),
    )  # fmt: skip
    question, solve = ask(rng, data)
    return Scene(image, question, constraints, solve, rng.random() < 0.25)


def _with_whole_mean(values: tuple[int, ...]) -> tuple[int, ...]:
    """The largest value raised so that the mean is whole: then every question has an exact answer."""
    best = values.index(max(values))
    raised = values[best] + -sum(values) % len(values)
    return (*values[:best], raised, *values[best + 1 :])


def _draw(grid: _Grid, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    style = random_style(rng, upright=True)
    probe = Canvas(8, 8, style)
    cells = [list(grid.headers), *([name, *map(number, values)] for name, values in grid.rows)]
    widths = [max(probe.text_size(row[i])[0] for row in cells) + 40 for i in range(len(grid.headers))]
    height, titled = style.size_px + rng.randint(16, 24), rng.random() < 0.8
    top = 50 if titled else 22
    canvas = Canvas(int(sum(widths)) + 44, top + height * len(cells) + 24, style)
    if titled:
        canvas.text(grid.title, (canvas.width / 2, 26))
    edges = list(accumulate(widths, initial=22.0))
    levels = [float(top + height * i) for i in range(len(cells) + 1)]
    _rule(canvas, rng, edges, levels)
    facts = _fill(canvas, grid, edges, levels, 14)
    return canvas.finish(rng), facts


def _draw_small(grid: _Grid, rng: Random) -> tuple[Image.Image, tuple[Constraint, ...]]:
    """A table that fills a small picture: tight columns, one kind of lines, a place that varies by a few pixels."""
    canvas = Canvas(*SMALL_SIZE, SMALL_PRINT)
    names = max(canvas.text_size(words)[0] for words in (grid.headers[0], *(name for name, _ in grid.rows)))
    values = [rng.randint(38, 40) for _ in grid.headers[1:]]
    widths = [min(names + 8, SMALL_SIZE[0] - 2 - sum(values)), *values]
    left, height = rng.uniform(1, SMALL_SIZE[0] - sum(widths) - 1), rng.randint(20, 25)
    top = rng.uniform(2, SMALL_SIZE[1] - height * (len(grid.rows) + 1) - 2)
    edges = list(accumulate(widths, initial=left))
    levels = [top + height * i for i in range(len(grid.rows) + 2)]
    for level in levels if rng.random() < 0.5 else (levels[0], levels[1], levels[-1]):
        canvas.line((edges[0], level), (edges[-1], level), width=1)
    facts = _fill(canvas, grid, edges, levels, 4)
    return canvas.finish(rng), facts


def _fill(
    canvas: Canvas, grid: _Grid, edges: list[float], levels: list[float], indent: float
) -> tuple[Constraint, ...]:
    """Write the cells; answers with the facts that the table states."""
    cells = [list(grid.headers), *([name, *map(number, values)] for name, values in grid.rows)]
    facts: list[Constraint] = []
    for i, row in enumerate(cells):
        for j, words in enumerate(row):
            centred = ((edges[j] + edges[j + 1]) / 2, (levels[i] + levels[i + 1]) / 2)
            box = canvas.text(words, centred if j else (edges[0] + indent, centred[1]), anchor="mm" if j else "lm")
            if i and j:
                value = float(grid.rows[i - 1][1][j - 1])
                facts.append(Numeric(entity=f"{row[0]} {grid.headers[j]}", attribute="value", value=value, box=box))
    whole = bounds(((edges[0], levels[0]), (edges[-1], levels[-1])))
    return (Structure(type="table", parts=grid.headers, box=whole), *facts)


def _rule(canvas: Canvas, rng: Random, edges: list[float], levels: list[float]) -> None:
    """Header tint, stripes, and lines: a full grid, or rules only."""
    left, right = edges[0], edges[-1]
    tint = pale(rng.choice(canvas.style.palette))
    if rng.random() < 0.7:
        canvas.block((left, levels[0]), (right, levels[1]), tint)
    if rng.random() < 0.3:
        for low, high in zip(levels[2::2], levels[3::2], strict=False):
            canvas.block((left, low), (right, high), (238, 238, 238))
    full = rng.random() < 0.65
    for level in levels if full else (levels[0], levels[1], levels[-1]):
        canvas.line((left, level), (right, level), width=1.3)
    for edge in edges if full else ():
        canvas.line((edge, levels[0]), (edge, levels[-1]), width=1.3)
