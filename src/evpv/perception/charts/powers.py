"""The ticks of logarithmic axes: "10³", whose raised 3 is often read as an ordinary one, and the 2 and 5 between 100 and 1000."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evpv.perception.boxes import Pixels, runs_apart
from evpv.perception.charts.labels import ChartLabel, PrintedNumber

_POWER = re.compile(r"10 ?(?P<sign>[-−–⁻]?)(?P<exponent>[\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_DIGIT = re.compile("[2-9]")
_LEAST_DIGITS = 2  # between powers
_WHOLE = 1e-9
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹−–⁻", "0123456789---")
_INKED = 60.0  # how far from its ground ink is
_RAISED = 0.2  # of the height of "10" that an exponent stands over its foot
_LEAST_PX = 4  # that a sign is high
_LEAST = 2  # such numbers make an axis


def told_powers(picture: Pixels, labels: Sequence[ChartLabel]) -> tuple[ChartLabel, ...]:
    """The labels with raised exponents told as what they mean: 10³ is 1000."""
    found = {id(one): power for one in labels if one.lie != "upright" and (power := _POWER.fullmatch(one.text))}
    raised = sum(_is_raised(picture, label) for label in labels if id(label) in found)
    if raised < max(_LEAST, len(found) / 2):
        return tuple(labels)
    told = []
    for label in labels:
        if power := found.get(id(label)):
            exponent = int((power["sign"] + power["exponent"]).translate(_PLAIN))
            value = 10.0**exponent
            text = f"{value:.0f}" if exponent >= 0 else f"{value:g}"
            label = replace(label, text=text, quantity=PrintedNumber(value=value))
        told.append(label)
    return tuple(told)


def told_digits(labels: Sequence[ChartLabel]) -> tuple[ChartLabel, ...]:
    """The labels with single digits told as parts of the power of ten under them, where both make one axis: 5 over 100 is 500."""
    powers = [label for label in labels if label.quantity is not None and _is_power(label.quantity.full)]
    digits = [label for label in labels if _DIGIT.fullmatch(label.text)]
    both = sorted((*powers, *digits), key=lambda one: -one.y)
    columns = ([one for one in both if abs(one.page.x1 - foot.page.x1) <= 0.5 * foot.height] for foot in powers)
    told = next(filter(None, map(_told_column, columns)), {})
    return tuple(told.get(id(label), label) for label in labels)


def _told_column(column: Sequence[ChartLabel]) -> dict[int, ChartLabel]:
    """The digits of a column from its foot up, by their label, if they grow with the powers between them; else nothing."""
    numbers = [label.quantity.full for label in column if label.quantity is not None]
    first = next(filter(_is_power, numbers))
    values, power = [], first / 10
    for number in numbers:
        power = number if _is_power(number) else power
        values.append(number if _is_power(number) else number * power)
    digits = len(numbers) - sum(map(_is_power, numbers))
    if digits < _LEAST_DIGITS or values == numbers or values != sorted(set(values)):
        return {}
    pairs = zip(column, values, strict=True)
    return {id(label): replace(label, quantity=PrintedNumber(value=value)) for label, value in pairs}


def _is_power(number: float) -> bool:
    return number > 0 and number != 1 and abs(math.log10(number) % 1) < _WHOLE


def _is_raised(picture: Pixels, label: ChartLabel) -> bool:
    """Whether the last sign of a label ends well over the foot of its first one."""
    crop = picture[label.page.slices()].astype(np.float32)
    if min(crop.shape[:2], default=0) < 5:
        return False
    ground = np.median(crop.reshape(-1, 3), axis=0)
    ink = np.linalg.norm(crop - ground, axis=2) > _INKED
    columns = np.flatnonzero(ink.any(axis=0))
    signs = []
    for run in runs_apart(columns, 1) if len(columns) else ():
        rows = max(runs_apart(np.flatnonzero(ink[:, run].any(axis=1)), 1), key=len)
        if _LEAST_PX <= len(rows) < len(ink):  # what runs on beyond its box is the frame beside a label
            signs.append(rows)
    if len(signs) < 2:
        return False
    top, foot, last = signs[0][0], signs[0][-1], signs[-1][-1]
    return bool(foot - last >= _RAISED * (foot - top))
