"""How often facts of each kind are right: a few levels, by how the fact was come by.

The levels are shares of right facts among those of a kind on a development set of 500 textbook figures; on either half
of that set the calibration error is about 0.02.
What is right less than about one time in three is not said at all (None).
"""

from __future__ import annotations

import math

from evpv.perception.geometry.angles import Angle
from evpv.perception.geometry.attaching import AngleLabel, SegmentLabel
from evpv.perception.geometry.figure import Figure

_CROWDED = 10  # points; figures with as many have lines that can be named in many ways


def _is_crowded(figure: Figure) -> bool:
    return len(figure.points) >= _CROWDED


def segment_confidence(attached: SegmentLabel, figure: Figure) -> float | None:
    """For a label on a segment: how near it stands, and how much nearer than to the next segment."""
    if attached.cost > 1.7 or attached.margin < 0.15 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or attached.segment.inner:
        return 0.55
    return 0.92 if attached.cost <= 0.8 else 0.75


def angle_confidence(attached: AngleLabel, figure: Figure) -> float | None:
    """For a label in an angle: whether the vertex has other angles and its sides other names."""
    nearest = 1.3 if attached.margin < math.inf else 1.8  # a label that only one angle encloses may stand far out
    if attached.cost > nearest or attached.margin < 0.1 or _is_crowded(figure):
        return None
    if attached.margin < 0.4 or _ambiguous_sides(attached.angle) == 2:
        return 0.6
    if len(figure.rays(attached.angle.vertex)) == 2:
        return 0.95
    return 0.8


def right_angle_confidence(angle: Angle, figure: Figure) -> float | None:
    """For a square at a vertex: whether its sides have other names."""
    if _is_crowded(figure):
        return None
    return 0.91 if _ambiguous_sides(angle) == 0 else 0.75


def _ambiguous_sides(angle: Angle) -> int:
    return (len(angle.first.points) > 1) + (len(angle.second.points) > 1)


def tick_confidence(group_size: int) -> float:
    """For equal ticks: pairs are sure; among more, any two may be the ones that count."""
    return 0.91 if group_size == 2 else 0.47


def arc_confidence(group_size: int) -> float | None:
    """For equal arcs: pairs are sure; of many an arc was most likely missed that would tell them apart."""
    if group_size > 3:
        return None
    return 0.91 if group_size == 2 else 0.5


def parallel_confidence(figure: Figure) -> float | None:
    """For arrowheads: lines with many named points can be named in many ways."""
    return None if _is_crowded(figure) else 0.7
