"""The drawing as a fact: where points lie, what joins them, and circles around them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from evpv.perception.geometry.drawing import drawing_fact, drawn_circles
from evpv.perception.geometry.figure import build_figure
from evpv.perception.geometry.ink import ink_of
from evpv.perception.geometry.overlay import NamedPoint

PLACES = {"A": (40, 40), "B": (40, 240), "C": (240, 240), "O": (140, 140)}


def point(name: str) -> NamedPoint:
    x, y = PLACES[name]
    return NamedPoint(name=name, x=x, y=y, confidence=1.0, printed=True)


def sheet(*lines: str, radius: int = 0) -> np.ndarray:
    picture = np.full((300, 300, 3), 255, dtype=np.uint8)
    for one, other in lines:
        cv2.line(picture, PLACES[one], PLACES[other], (0, 0, 0), 2)
    if radius:
        cv2.circle(picture, PLACES["O"], radius, (0, 0, 0), 2)
    return picture


def test_points_and_lines_are_told_with_their_places() -> None:
    ink = ink_of(sheet("AB", "BC", "AC"), np.zeros((300, 300), dtype=np.uint8))
    fact = drawing_fact(build_figure(ink, [point(name) for name in "ABC"]), ink)
    assert fact is not None
    assert (fact.type, fact.parts, set(fact.adjacency)) == ("drawing", (), {"A-B", "B-C", "A-C"})
    assert fact.extra["points"] == {"A": [40, 40], "B": [40, 240], "C": [240, 240]}


def test_a_circle_is_found_around_its_centre_and_none_where_none_is() -> None:
    ink = ink_of(sheet("AB", radius=100), np.zeros((300, 300), dtype=np.uint8))
    (circle,) = drawn_circles([point("O")], ink)
    assert (circle.x, circle.y, circle.radius) == pytest.approx((140, 140, 100), abs=3)
    empty = ink_of(sheet("AB", "BC"), np.zeros((300, 300), dtype=np.uint8))
    assert drawn_circles([point("O"), point("A")], empty) == []


def test_a_picture_without_lines_has_no_drawing() -> None:
    ink = ink_of(sheet(), np.zeros((300, 300), dtype=np.uint8))
    assert drawing_fact(build_figure(ink, [point("A"), point("B")]), ink) is None
