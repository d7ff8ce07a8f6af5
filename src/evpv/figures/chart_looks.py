"""Charts with known truth in the looks of several plotting libraries, so that readers are not made for one of them.

Matplotlib, Vega-Lite and Pygal draw the same kind of random table. The libraries are developers'
packages: they are imported when a chart is drawn in their look.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evpv.types import Constraint, Numeric, Structure

_NAMES = (
    ("Apples", "Pears", "Plums", "Cherries", "Grapes", "Figs"),
    ("A", "B", "C", "D", "E", "F", "G"),
    ("North", "South", "East", "West", "Centre"),
    ("2018", "2019", "2020", "2021", "2022", "2023"),
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    ("very long name", "another longer one", "short", "the longest of them all", "mid"),
)
_YEARS = tuple(str(year) for year in range(1998, 2018))
_SERIES = (("Alpha", "Beta", "Gamma"), ("trace 0", "trace 1", "trace 2"), ("gold", "silver", "bronze"))
_TITLES = ("", "Sales by region", "Units", "Mean of measure")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChartTable:
    """What is drawn: one value for every category and series, and whether the categories are numbers on a scale."""

    categories: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # a row for every series
    title: str = ""
    numeric: bool = False

    def constraints(self) -> tuple[Constraint, ...]:
        """The truth, as the readers should say it."""
        named = self.series if len(self.series) > 1 else ("",)
        facts = [
            Numeric(
                entity=f"{category} {name}".strip(), attribute="value", value=value, row=category, series=name or None
            )
            for name, row in zip(named, self.values, strict=True)
            for category, value in zip(self.categories, row, strict=True)
        ]
        return (Structure(type="table", parts=self.series if len(self.series) > 1 else ()), *facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnChart:
    """A chart as PNG bytes, with the library and kind that drew it, and its table."""

    png: bytes
    look: str
    table: _ChartTable


def _random_table(rng: random.Random, *, kind: str) -> _ChartTable:
    """A small table that suits the kind: pies have one series, lines may have numbers under them."""
    numeric = kind == "line" and rng.random() < 0.4
    names = _YEARS if kind == "years" else rng.choice(_NAMES)
    count = rng.randint(3, len(names))
    categories = tuple(str(number) for number in range(count + 2)) if numeric else names[:count]
    several = 1 if kind in ("pie", "donut", "histogram") else rng.choice((1, 1, 2, 3))
    if kind in ("grouped", "stacked", "panels"):
        several = max(several, 2)
    elif kind in ("bar", "lying", "negative", "area", "log"):
        several = 1
    rows = _random_rows(rng, kind, several, len(categories))
    return _ChartTable(
        categories=categories, series=rng.choice(_SERIES)[:several], values=tuple(map(tuple, rows)),
        title=rng.choice(_TITLES), numeric=numeric,
    )  # fmt: skip


def _random_rows(rng: random.Random, kind: str, rows: int, columns: int) -> list[list[float]]:
    scale, digits = rng.choice(((10, 1), (100, 0), (1000, 0), (50, 1)))
    low = -0.6 if kind == "negative" else 0.08
    values = [[round(scale * rng.uniform(low, 1), digits) or float(scale) for _ in range(columns)] for _ in range(rows)]
    if kind == "log":
        values = [[float(f"{10 ** rng.uniform(0.3, 4.5):.2g}") for _ in range(columns)]]
    return values


def draw_chart(library: str, kind: str, seed: int) -> DrawnChart:
    """A chart of that kind as the library draws it; the same seed gives the same picture."""
    rng = random.Random(f"{library}-{kind}-{seed}")
    table = _random_table(rng, kind=kind)
    return DrawnChart(png=_LIBRARIES[library](table, kind, rng), look=f"{library}-{kind}", table=table)


def _vega_chart(table: _ChartTable, kind: str, rng: random.Random) -> bytes:
    import vl_convert

    names: Sequence[str | int] = list(map(int, table.categories)) if table.numeric else table.categories
    if kind == "years":
        names = [f"{name}-01-01" for name in table.categories]
    rows = [
        {"name": name, "series": series, "value": value}
        for series, row in zip(table.series, table.values, strict=True)
        for name, value in zip(names, row, strict=True)
    ]
    titled: dict[str, Any] = {} if rng.random() < 0.6 else {"title": None}
    spec: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "mark": _VEGA_MARKS.get(kind, "bar"),
        "encoding": _vega_encoding(table, kind, titled),
        "config": {"background": "white"},
    }
    if kind == "line":
        spec["mark"] = {"type": "line", "point": rng.random() < 0.6}
    if kind in ("line", "area", "years"):
        spec |= {"width": rng.choice((200, 300, 400)), "height": 200}
    if table.title:
        spec["title"] = table.title
    return bytes(vl_convert.vegalite_to_png(spec, scale=rng.choice((1, 1.5, 2))))


def _vega_encoding(table: _ChartTable, kind: str, titled: dict[str, Any]) -> dict[str, Any]:
    across: dict[str, Any] = {"field": "name", "type": "nominal", "sort": None, **titled}
    if table.numeric:
        across["type"] = "quantitative"
    if kind == "years":
        across = {"field": "name", "type": "temporal", "timeUnit": "year", **titled}
    upward: dict[str, Any] = {"field": "value", "type": "quantitative", **titled}
    colour: dict[str, Any] = {"field": "series", "type": "nominal"}
    if kind in ("pie", "donut"):
        return {
            "theta": {"field": "value", "type": "quantitative"},
            "color": {**colour, "field": "name", "sort": None},
        }
    if kind == "lying":
        return {"y": across, "x": upward}
    if kind == "log":
        upward |= {"scale": {"type": "log", "domain": [1, 100_000]}, "stack": None}
        return {"x": across, "y": upward, "y2": {"datum": 1}}
    if kind == "panels":
        return {"x": across, "y": upward, "column": colour}
    grouped = {"xOffset": {"field": "series"}} if kind == "grouped" else {}
    return {"x": across, "y": upward, **grouped} | ({"color": colour} if len(table.series) > 1 else {})


_VEGA_MARKS: dict[str, Any] = {
    "years": "line",
    "area": "area",
    "pie": "arc",
    "donut": {"type": "arc", "innerRadius": 45},
}


def _pygal_chart(table: _ChartTable, kind: str, rng: random.Random) -> bytes:
    import pygal
    import vl_convert
    from pygal.style import CleanStyle, DarkStyle, DefaultStyle, LightStyle

    classes = {
        "lying": pygal.HorizontalBar, "stacked": pygal.StackedBar,
        **dict.fromkeys(("bar", "negative", "grouped"), pygal.Bar),
        **dict.fromkeys(("line", "area"), pygal.Line), **dict.fromkeys(("pie", "donut"), pygal.Pie),
    }  # fmt: skip
    settings: dict[str, Any] = {
        "style": rng.choice((CleanStyle, DarkStyle, DefaultStyle, LightStyle)),
        "legend_at_bottom": rng.random() < 0.4,
        "print_values": rng.random() < 0.3,
        "title": table.title or None,
        "width": 700,
        "height": 450,
        "disable_xml_declaration": True,
    }
    if kind == "donut":
        settings["inner_radius"] = 0.5
    chart = classes[kind](**settings)
    if kind in ("pie", "donut"):
        for name, value in zip(table.categories, table.values[0], strict=True):
            chart.add(name, value)
    else:
        chart.x_labels = table.categories
        for series, row in zip(table.series, table.values, strict=True):
            chart.add(series, row, fill=kind == "area")
    return bytes(vl_convert.svg_to_png(chart.render(is_unicode=True), scale=1.0))


def _matplotlib_chart(table: _ChartTable, kind: str, rng: random.Random) -> bytes:
    import matplotlib.style
    from matplotlib.figure import Figure

    styles = ("default", "ggplot", "bmh", "seaborn-v0_8-whitegrid", "dark_background", "fivethirtyeight")
    with matplotlib.style.context(rng.choice(styles)):
        figure = Figure(figsize=(rng.choice((5, 6.4)), 4), dpi=rng.choice((80, 100, 140)), layout="tight")
        axes = figure.subplots()
        _MATPLOTLIB[kind](axes, table)
        if len(table.series) > 1:
            axes.legend(loc=rng.choice(("best", "upper left", "lower center")))
        if table.title:
            axes.set_title(table.title)
        if kind != "lying" and rng.random() < 0.3:
            axes.tick_params(axis="x", labelrotation=rng.choice((30, 45, 90)))
        held = io.BytesIO()
        figure.savefig(held, format="png")
    return held.getvalue()


def _standing(axes: Any, table: _ChartTable) -> None:
    width = 0.8 / len(table.series)
    for number, (name, row) in enumerate(zip(table.series, table.values, strict=True)):
        places = [place + (number - (len(table.series) - 1) / 2) * width for place in range(len(row))]
        axes.bar(places, row, width, label=name)
    axes.set_xticks(range(len(table.categories)), table.categories)


def _draw_stacked_bars(axes: Any, table: _ChartTable) -> None:
    floor = [0.0] * len(table.categories)
    for name, row in zip(table.series, table.values, strict=True):
        axes.bar(table.categories, row, bottom=floor, label=name)
        floor = [below + value for below, value in zip(floor, row, strict=True)]


def _lines(axes: Any, table: _ChartTable) -> None:
    places: list[Any] = [int(name) for name in table.categories] if table.numeric else list(table.categories)
    for name, row in zip(table.series, table.values, strict=True):
        axes.plot(places, row, marker="o", label=name)


def _area(axes: Any, table: _ChartTable) -> None:
    axes.fill_between(range(len(table.categories)), table.values[0])
    axes.set_xticks(range(len(table.categories)), table.categories)


_MATPLOTLIB: dict[str, Callable[[Any, _ChartTable], object]] = {
    "bar": _standing,
    "negative": _standing,
    "lying": lambda axes, table: axes.barh(table.categories, table.values[0]),
    "grouped": _standing,
    "stacked": _draw_stacked_bars,
    "line": _lines,
    "area": _area,
    "pie": lambda axes, table: axes.pie(table.values[0], labels=table.categories, autopct="%.1f%%"),
    "donut": lambda axes, table: axes.pie(table.values[0], labels=table.categories, wedgeprops={"width": 0.4}),
}

_LIBRARIES: dict[str, Callable[[_ChartTable, str, random.Random], bytes]] = {
    "matplotlib": _matplotlib_chart,
    "vega": _vega_chart,
    "pygal": _pygal_chart,
}
