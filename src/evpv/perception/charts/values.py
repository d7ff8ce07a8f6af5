"""The values of bars: printed at them where they are, measured against the axis where not."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evpv.perception.charts.axes import Axis
from evpv.perception.charts.facts import ChartValue, ValueSource
from evpv.perception.charts.labels import ChartLabel, PrintedNumber
from evpv.perception.charts.palette import ColourPart

_ZERO_PX = 5.0  # bars start at zero if the axis puts zero this near to their start
_LEAST_PX = 8  # a shorter bar is not measured: half a pixel would be too much of it
_AGREE_PX = 3.5
_AGREE = 0.04
_TRUSTED = 0.3  # an axis that fewer of the printed numbers bear out is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How lengths of bars become values: the axis, the line bars start at, and whether they stand on each other."""

    axis: Axis | None
    base: float
    stacked: bool
    diverging: bool = False  # stacked to either side of one line, so that every bar has a free end

    def measure(self, bar: ColourPart) -> float | None:
        """The value of a bar by its length, None without an axis (a stack on a logarithmic axis has no meaning)."""
        axis = self.axis
        if axis is None or (self.stacked and axis.logarithmic):
            return None
        if self.stacked:
            below_zero = axis.has_negative and bar.y0 >= axis.pixel(0.0) - _ZERO_PX
            return (-1 if below_zero else 1) * abs(axis.slope) * (bar.height + 0.5)
        if not axis.logarithmic and abs(axis.pixel(0.0) - self.base) <= _ZERO_PX:
            axis = replace(axis, offset=-axis.slope * self.base)
        downward = abs(bar.y0 - self.base) < abs(bar.y1 - self.base)
        return axis.value(bar.y1 if downward else bar.y0)

    def error_of(self, measured: float) -> float:
        """How far off a measured value may be: a pixel of the axis."""
        if self.axis is None:
            return 0.0
        step = abs(self.axis.slope)
        return abs(measured) * (10.0**step - 1) if self.axis.logarithmic else step


def read_values(bars: Sequence[ColourPart], labels: Sequence[ChartLabel], scale: Scale) -> dict[ColourPart, ChartValue]:
    """What every bar says that can be read, without category and series."""
    printed = _attach(bars, labels, scale)
    if scale.axis is None or _agreement(printed, scale) < _TRUSTED:
        scale = _by_numbers(printed, scale)
        printed = _attach(bars, labels, scale)
    found = {bar: _read(bar, printed.get(bar), scale) for bar in bars}
    return {bar: reading for bar, reading in found.items() if reading is not None}


def _agreement(printed: Mapping[ColourPart, ChartLabel], scale: Scale) -> float:
    """The share of printed numbers that the axis bears out; an axis without numbers to doubt it is trusted."""
    votes = [
        _agreeing(label.quantity, measured, scale.axis) is not None
        for bar, label in printed.items()
        if label.quantity is not None and (measured := scale.measure(bar)) is not None
    ]
    return sum(votes) / len(votes) if len(votes) >= 3 else 1.0


def _by_numbers(printed: Mapping[ColourPart, ChartLabel], scale: Scale) -> Scale:
    """The scale that the printed numbers themselves make with the lengths of their bars, if most of them agree on one."""
    steps = []
    for bar, label in printed.items():
        if label.quantity is not None and label.quantity.value > 0 and bar.height >= _LEAST_PX:
            length = bar.height if scale.stacked else max(1.0, abs(scale.base - bar.y0), abs(scale.base - bar.y1))
            steps.append(label.quantity.full / length)
    if len(steps) < 3:
        return replace(scale, axis=None)
    step = statistics.median(steps)
    agreed = sum(abs(one - step) <= 0.1 * step for one in steps) >= 0.6 * len(steps)
    axis = Axis(slope=-step, offset=step * scale.base, logarithmic=False) if agreed else None
    return replace(scale, axis=axis)


def _read(bar: ColourPart, label: ChartLabel | None, scale: Scale) -> ChartValue | None:
    """What a bar says, whatever its category and series are."""
    measured = scale.measure(bar)
    if label is not None and label.quantity is not None:
        if measured is None:
            return ChartValue.from_print(label.quantity, label.box, agrees=False)
        fixed = _agreeing(label.quantity, measured, scale.axis)
        if fixed is not None:
            return ChartValue.from_print(replace(label.quantity, value=fixed), label.box)
    if measured is None or scale.axis is None or bar.height < _LEAST_PX:
        return None
    return ChartValue(
        category="",
        series="",
        value=measured / scale.axis.scale,
        unit=scale.axis.unit,
        evidence=ValueSource.MEASURED if bar.height >= 25 else ValueSource.ROUGH,
        box=(float(bar.x0), float(bar.y0), float(bar.x1), float(bar.y1)),
        error=scale.error_of(measured) / scale.axis.scale,
    )


def _agreeing(quantity: PrintedNumber, measured: float, axis: Axis | None) -> float | None:
    """The printed value if the bar bears it out, else with a lost minus or decimal point put back, else None."""
    slack = _slack(measured, axis)
    whole = quantity.value.is_integer() and abs(quantity.value) >= 10
    factors = (1.0, -1.0, 0.1, 0.01, 0.001) if whole else (1.0, -1.0)
    fitting = (factor for factor in factors if abs(quantity.full * factor - measured) <= slack)
    return next((quantity.value * factor for factor in fitting), None)


def _slack(measured: float, axis: Axis | None) -> float:
    """How far from a measured value a printed one may be to be the same."""
    some_px = _AGREE_PX * abs(axis.slope) if axis and not axis.logarithmic else 0.0
    return max(some_px, _AGREE * abs(measured))


def agrees_with(quantity: PrintedNumber, measured: float, axis: Axis) -> bool:
    """Whether a printed number is what was measured, as well as can be measured."""
    return abs(quantity.full - measured) <= _slack(measured, axis)


def _attach(bars: Sequence[ColourPart], labels: Sequence[ChartLabel], scale: Scale) -> dict[ColourPart, ChartLabel]:
    """Labels to bars, nearest first, each used once; a label that the bar's length bears out goes before all others."""
    pairs: list[tuple[bool, float, int, int]] = []
    for i, bar in enumerate(bars):
        measured = scale.measure(bar)
        for j, label in enumerate(labels):
            away = _away(bar, label, scale)
            if away is not None and label.quantity is not None:
                agrees = measured is not None and _agreeing(label.quantity, measured, scale.axis) is not None
                pairs.append((not agrees, away, i, j))
    attached: dict[ColourPart, ChartLabel] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(pairs):
        if bars[i] not in attached and j not in taken:
            attached[bars[i]] = labels[j]
            taken.add(j)
    return attached


def _away(bar: ColourPart, label: ChartLabel, scale: Scale) -> float | None:
    """How far a label stands from where a bar's value would be printed; None if it cannot be that bar's."""
    sideways = abs(label.x - bar.x)
    if sideways > max(bar.width, label.width) / 2 + 2:
        return None
    inside = bar.y0 - 4 <= label.y <= bar.y1 + 4
    if scale.stacked and not scale.diverging:
        return sideways + abs(label.y - bar.y) if inside else None
    height = min(label.width, label.height)
    downward = abs(bar.y0 - scale.base) < abs(bar.y1 - scale.base)
    end = abs(label.box.y0 - bar.y1) if downward else abs(bar.y0 - label.box.y1)
    if end <= 1.6 * height:
        return sideways + end
    return sideways + min(abs(label.y - bar.y), height) if inside else None
