"""Figures a paper could print: curves with bands, bars with intervals, stacked bars, reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.figure import Figure

from evpv.evaluation.uncertainty import Bin

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's, which colour-blind readers can tell apart; lines differ in their dashes too."""
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
_HATCHES = ("", "///", "...")

_NAME_PT = 8

_Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

CurvePoints = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]
"""x, y, and the lower and upper edge of the band."""


def curves(lines: Mapping[str, CurvePoints], x_label: str, y_label: str) -> Figure:
    """Lines with bands over one axis."""
    figure = _figure()
    axes = figure.subplots()
    for index, (name, (x, y, low, high)) in enumerate(lines.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(x, y, color=colour, linestyle=_DASHES[index % len(_DASHES)], marker="o", markersize=4, label=name)
    axes.set(xlabel=x_label, ylabel=y_label)
    _plain(axes)
    figure.legend(frameon=False, ncols=min(len(lines), 3), loc="outside upper center")
    return figure


def bars(values: Mapping[str, tuple[float, float, float]], x_label: str) -> Figure:
    """Horizontal bars with intervals, the first on top."""
    figure = _figure(height=0.9 + 0.32 * len(values))
    axes = figure.subplots()
    names = list(values)
    middle = [values[name][0] for name in names]
    errors = [[max(value - values[n][1], 0.0) for n, value in zip(names, middle, strict=True)],
              [max(values[n][2] - value, 0.0) for n, value in zip(names, middle, strict=True)]]  # fmt: skip
    axes.barh(range(len(names)), middle, xerr=errors, color=_COLOURS[0], height=0.62, error_kw={"elinewidth": 1})
    _rows(axes, names, x_label)
    return figure


def stacked_bars(rows: Mapping[str, Sequence[float]], parts: Sequence[str], x_label: str) -> Figure:
    """Horizontal bars put together of the same parts, the first row on top."""
    figure = _figure(height=1.3 + 0.36 * len(rows))
    axes = figure.subplots()
    names = list(rows)
    left = [0.0] * len(names)
    for index, part in enumerate(parts):
        widths = [float(rows[name][index]) for name in names]
        axes.barh(
            range(len(names)), widths, left=left, height=0.66, label=part, color=_COLOURS[index % len(_COLOURS)],
            hatch=_HATCHES[index % len(_HATCHES)], edgecolor="white",
        )  # fmt: skip
        left = [start + width for start, width in zip(left, widths, strict=True)]
    _rows(axes, names, x_label)
    figure.legend(frameon=False, ncols=len(parts), loc="outside upper center")
    return figure


def reliability_diagram(methods: Mapping[str, Sequence[Bin]]) -> Figure:
    """How often steps were right, by how probable that was said to be; a point's area is its number of steps.

    Bins that hold less than a hundredth of the steps are left out: a handful of steps would look like a finding.
    """
    figure = _figure(height=4.4, width=4.8)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, label="as stated")
    for index, (name, bins) in enumerate(methods.items()):
        colour, total = _COLOURS[index % len(_COLOURS)], sum(one.count for one in bins)
        shown = [one for one in bins if one.count >= total / 100]
        x, y = [one.predicted for one in shown], [one.observed for one in shown]
        axes.plot(x, y, color=colour, linestyle=_DASHES[index % len(_DASHES)], linewidth=1.2, label=name)
        axes.scatter(x, y, s=[12 + 300 * one.count / total for one in shown], color=colour, alpha=0.55, linewidth=0)
    axes.set(xlabel="stated probability that the step is right", ylabel="share of steps that are right")
    axes.set(xlim=(0, 1), ylim=(0, 1.03), aspect="equal")
    _plain(axes)
    axes.legend(frameon=False, loc="upper left")
    return figure


def points(places: Mapping[str, tuple[float, float]], x_label: str, y_label: str) -> Figure:
    """Named points; each name goes to the first side of its point where it covers no other name or point."""
    figure = _figure()
    axes = figure.subplots()
    axes.scatter([x for x, _ in places.values()], [y for _, y in places.values()], color=_COLOURS[0], zorder=3)
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.margins(x=0.16, y=0.1)
    _plain(axes)
    figure.draw_without_rendering()
    spots = {name: axes.transData.transform(place) * 72 / figure.dpi for name, place in places.items()}
    taken: list[_Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots.values()]
    for name, place in places.items():
        (shift, side), box = _free_side(name, (float(spots[name][0]), float(spots[name][1])), taken)
        taken.append(box)
        axes.annotate(name, place, textcoords="offset points", xytext=shift, ha=side, fontsize=_NAME_PT)
    return figure


def _free_side(name: str, at: tuple[float, float], taken: Sequence[_Box]) -> tuple[tuple[tuple[int, int], str], _Box]:
    """Where a name fits beside its point, and the room that it takes there, in printer's points."""
    width, height = 0.56 * _NAME_PT * len(name), 1.2 * _NAME_PT
    sides = [((6, 3), "left"), ((6, -10), "left"), ((-6, 3), "right"), ((-6, -10), "right"), ((0, 9), "center"), ((0, -16), "center")]  # fmt: skip
    options = []
    for shift, side in sides:
        left = at[0] + shift[0] - {"left": 0.0, "right": width, "center": width / 2}[side]
        box = (left, at[1] + shift[1], left + width, at[1] + shift[1] + height)
        options.append(((shift, side), box))
    free = [option for option in options if not any(_overlap(option[1], other) for other in taken)]
    return (free or options)[0]


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _figure(height: float = 3.6, width: float = 6.4) -> Figure:
    with mpl.rc_context({"font.size": 10, "svg.hashsalt": "evpv"}):
        return Figure(figsize=(width, height), layout="constrained")


def _rows(axes: mpl.axes.Axes, names: Sequence[str], x_label: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlabel=x_label)
    _plain(axes)


def _plain(axes: mpl.axes.Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
