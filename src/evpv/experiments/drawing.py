"""Figures a paper could print: curves with bands, and bars with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's, which colour-blind readers can tell apart; lines differ in their dashes too."""
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))

Curve = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]
"""x, y, and the lower and upper edge of the band."""


def curves(lines: Mapping[str, Curve], x_label: str, y_label: str) -> Figure:
    """Lines with bands over one axis."""
    figure = _figure()
    axes = figure.subplots()
    for index, (name, (x, y, low, high)) in enumerate(lines.items()):
        colour = COLOURS[index % len(COLOURS)]
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(x, y, color=colour, linestyle=DASHES[index % len(DASHES)], marker="o", markersize=4, label=name)
    axes.set(xlabel=x_label, ylabel=y_label)
    _plain(axes)
    axes.legend(frameon=False)
    return figure


def bars(values: Mapping[str, tuple[float, float, float]], x_label: str) -> Figure:
    """Horizontal bars with intervals, the first on top."""
    figure = _figure(height=0.9 + 0.32 * len(values))
    axes = figure.subplots()
    names = list(values)
    middle = [values[name][0] for name in names]
    errors = [[max(value - values[n][1], 0.0) for n, value in zip(names, middle, strict=True)],
              [max(values[n][2] - value, 0.0) for n, value in zip(names, middle, strict=True)]]  # fmt: skip
    axes.barh(range(len(names)), middle, xerr=errors, color=COLOURS[0], height=0.62, error_kw={"elinewidth": 1})
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlabel=x_label)
    _plain(axes)
    return figure


def points(places: Mapping[str, tuple[float, float]], x_label: str, y_label: str) -> Figure:
    """Named points."""
    figure = _figure()
    axes = figure.subplots()
    for name, (x, y) in places.items():
        axes.scatter([x], [y], color=COLOURS[0], zorder=3)
        axes.annotate(name, (x, y), textcoords="offset points", xytext=(5, 4), fontsize=8)
    axes.set(xlabel=x_label, ylabel=y_label)
    _plain(axes)
    return figure


def _figure(height: float = 3.6) -> Figure:
    with mpl.rc_context({"font.size": 10, "svg.hashsalt": "evpv"}):
        return Figure(figsize=(6.4, height), layout="constrained")


def _plain(axes: mpl.axes.Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
