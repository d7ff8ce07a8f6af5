"""The parts of the geometry reader that need no picture, or only a few strokes of one."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.perception.boxes import Box, Pixels
from evpv.perception.geometry import read_geometry, without_dashes
from evpv.perception.geometry.attaching import attach_to_segments
from evpv.perception.geometry.figure import LineFigure, LineSegment, angles_of, build_figure, turn
from evpv.perception.geometry.ink import Ink, ink_of
from evpv.perception.geometry.labels import (
    FigureLabel,
    parse_labels,
    read_statements,
    with_second_reading,
    without_angle_numbers,
    without_specks,
)
from evpv.perception.geometry.lettering import read_text, run_of_word
from evpv.perception.geometry.named_facts import undenied_facts
from evpv.perception.geometry.overlay import NamedPoint
from evpv.perception.geometry.points import at_marks, with_centres
from evpv.perception.ocr import Word
from evpv.types import Constraint, Numeric, Relation

directions = st.floats(-math.pi, math.pi)


def point(name: str, x: float, y: float) -> NamedPoint:
    return NamedPoint(name=name, x=x, y=y, confidence=1.0)


def ink_with(*lines: tuple[tuple[int, int], tuple[int, int]]) -> Ink:
    picture = np.full((200, 300, 3), 255, dtype=np.uint8)
    for start, end in lines:
        cv2.line(picture, start, end, (0, 114, 188), 2, cv2.LINE_AA)
    return ink_of(picture, np.zeros((200, 300), dtype=np.uint8))


@pytest.mark.parametrize(
    ("text", "kind", "plain", "value", "degrees"),
    [
        ("12", "number", "12", 12.0, False),
        ("6.25", "number", "6.25", 6.25, False),
        ("15 cm", "number", "15", 15.0, False),
        ("x cm", "expression", "x", None, False),
        ("45°", "number", "45", 45.0, True),
        ("5√26", "number", "5√26", 5 * math.sqrt(26), False),
        ("5v26", "number", "5√26", 5 * math.sqrt(26), False),
        ("3/4", "number", "3/4", 0.75, False),
        ("X", "expression", "x", None, False),
        ("6x + 2", "expression", "6x+2", None, False),
        ("2y − 31", "expression", "2y-31", None, False),
        ("(2x+9)°", "expression", "2x+9", None, True),
        ("(2x+9)", "expression", "2x+9", None, True),
        ("3/5y+2", "expression", "3/5y+2", None, False),
        ("12G", "number", "12", 12.0, False),
        ("1O", "number", "10", 10.0, False),
        ("K", "name", "K", None, False),
    ],
)
def test_labels_are_read_for_what_they_are(
    text: str, kind: str, plain: str, value: float | None, degrees: bool
) -> None:
    (label,) = parse_labels([run_of_word(text, (0, 0, 30, 20), 0.99)], frozenset())
    assert (label.kind, label.text, label.degrees) == (kind, plain, degrees)
    assert label.value == pytest.approx(value) if value is not None else label.value is None


@pytest.mark.parametrize("text", ["10.", "l", "t", "", "-", "ABC", "Note", "7-", "x²²+"])
def test_what_is_no_label_is_left_out(text: str) -> None:
    assert parse_labels([run_of_word(text, (0, 0, 30, 20), 0.99)], frozenset()) == []


@pytest.mark.parametrize(("alphabet", "text"), [("0123456789", "0"), ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "O")])
def test_a_ring_is_what_the_alphabet_allows(alphabet: str, text: str) -> None:
    crop = np.full((40, 40), 255, dtype=np.uint8)
    cv2.ellipse(crop, (20, 20), (9, 13), 0, 0, 360, 0, 3)
    assert read_text(crop, alphabet).text == text


def test_an_unsure_reading_is_no_label() -> None:
    assert parse_labels([run_of_word("12", (0, 0, 30, 20), 0.2)], frozenset()) == []


def test_x_is_a_variable_unless_the_figure_has_a_point_x() -> None:
    run = run_of_word("X", (0, 0, 10, 10), 0.99)
    kinds = [label.kind for names in (frozenset[str](), frozenset("X")) for label in parse_labels([run], names)]
    assert kinds == ["expression", "name"]


def number(value: int) -> FigureLabel:
    box = (0.0, 0.0, 10.0, 10.0)
    return FigureLabel(
        kind="number", text=str(value), value=float(value), degrees=False, box=box, glyph_height=10.0, confidence=1.0
    )


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ((1, 2, 3), ()),
        ((1, 2, 30), (30,)),
        ((3, 4, 5), (3, 4, 5)),
        ((1, 8), (1, 8)),
        ((4, 5, 6, 8, 9, 10, 11), ()),
        ((3, 5, 9, 14, 20), (3, 5, 9, 14, 20)),
    ],
)
def test_consecutive_numbers_from_one_name_angles(values: tuple[int, ...], kept: tuple[int, ...]) -> None:
    assert tuple(label.value for label in without_angle_numbers([number(value) for value in values])) == kept


@given(directions, directions)
def test_a_turn_leads_from_one_direction_to_the_other(start: float, end: float) -> None:
    angle = turn(start, end)
    assert -math.pi < angle <= math.pi + 1e-9
    assert math.isclose(math.cos(start + angle), math.cos(end), abs_tol=1e-9)
    assert math.isclose(math.sin(start + angle), math.sin(end), abs_tol=1e-9)


@given(st.lists(directions, min_size=2, max_size=6, unique=True))
def test_the_angles_at_a_vertex_never_overlap(angles: list[float]) -> None:
    vertex = point("V", 0, 0)
    ends = [point(chr(65 + i), 100 * math.cos(a), 100 * math.sin(a)) for i, a in enumerate(angles)]
    figure = LineFigure(points=(vertex, *ends), segments=tuple(LineSegment(a=vertex, b=end) for end in ends))
    widths = [angle.width for angle in angles_of(figure) if angle.vertex == vertex]
    assert sum(widths) <= 2 * math.pi + 1e-9


def test_points_are_joined_where_a_line_is_drawn_and_nowhere_else() -> None:
    a, b, c = point("A", 30, 30), point("B", 250, 30), point("C", 140, 170)
    figure = build_figure(ink_with(((30, 30), (250, 30)), ((250, 30), (140, 170))), [a, b, c])
    assert {segment.name for segment in figure.segments} == {"AB", "BC"}


def test_a_dashed_line_joins_too() -> None:
    dashes = [((x, 100), (x + 9, 100)) for x in range(30, 250, 16)]
    figure = build_figure(ink_with(*dashes), [point("A", 30, 100), point("B", 250, 100)])
    assert [segment.name for segment in figure.segments] == ["AB"]


def test_a_name_a_few_pixels_off_its_corner_is_still_joined() -> None:
    figure = build_figure(ink_with(((30, 100), (250, 100))), [point("A", 31, 103), point("B", 249, 97)])
    assert [segment.name for segment in figure.segments] == ["AB"]


def test_points_in_one_direction_share_a_ray_and_the_inner_one_lies_between() -> None:
    a, b, c = point("A", 30, 100), point("B", 140, 100), point("C", 250, 100)
    figure = build_figure(ink_with(((30, 100), (250, 100))), [a, b, c])
    assert [[end.name for end in ray.points] for ray in figure.rays(a)] == [["B", "C"]]
    assert {segment.name: [p.name for p in segment.inner] for segment in figure.segments}["AC"] == ["B"]


@given(st.floats(0.3, 0.7), st.floats(2, 12))
def test_a_label_near_the_middle_of_a_side_is_attached_to_it(share: float, gap: float) -> None:
    a, b, c = point("A", 0, 0), point("B", 200, 0), point("C", 100, 300)
    figure = LineFigure(
        points=(a, b, c), segments=(LineSegment(a=a, b=b), LineSegment(a=b, b=c), LineSegment(a=a, b=c))
    )
    x = 200 * share
    label = FigureLabel(
        kind="number",
        text="7",
        value=7.0,
        degrees=False,
        box=Box(x - 6, -gap - 18, x + 6, -gap),
        glyph_height=18.0,
        confidence=1.0,
    )
    assert [attached.place.name for attached in attach_to_segments([label], figure)] == ["AB"]


def drawn_triangle() -> Pixels:
    picture = np.full((300, 400, 3), 255, dtype=np.uint8)
    cv2.polylines(picture, [np.array([(60, 240), (340, 240), (60, 60)], np.int32)], True, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.polylines(picture, [np.array([(60, 222), (78, 222), (78, 240)], np.int32)], False, (0, 0, 0), 2)
    return picture


def test_a_triangle_without_letters_is_measured_by_its_sides() -> None:
    words = [
        Word(text="28 cm", box=Box(175, 250, 225, 274), confidence=0.99),
        Word(text="18 cm", box=Box(4, 138, 54, 162), confidence=0.99),
    ]
    facts = read_geometry(drawn_triangle(), words).constraints
    lengths = {(fact.entity, fact.value, fact.unit) for fact in facts if isinstance(fact, Numeric)}
    assert lengths == {("triangle side", 28.0, "cm"), ("triangle side", 18.0, "cm")}
    assert [fact.type for fact in facts if isinstance(fact, Relation)] == ["perpendicular"]


@pytest.mark.parametrize(
    ("text", "subject", "value", "unit"),
    [
        ("GD = 14 cm", "segment GD", 14.0, "cm"),
        ("∠ABC=50°", "angle ABC", 50.0, None),
        ("r = 3.5", "radius", 3.5, None),
        ("<1 = 40°", "angle 1", 40.0, None),
    ],
)
def test_a_label_may_say_what_it_measures(text: str, subject: str, value: float, unit: str | None) -> None:
    (label,) = read_statements([Word(text=text, box=Box(0, 0, 90, 20), confidence=0.99)])
    assert (label.subject, label.value, label.unit) == (subject, value, unit)


def test_a_chain_of_equals_signs_measures_every_part() -> None:
    labels = read_statements([Word(text="BD = DC = 3", box=Box(0, 0, 90, 20), confidence=0.99)])
    assert [(label.subject, label.value) for label in labels] == [("segment BD", 3.0), ("segment DC", 3.0)]


def drawn_lines(*lines: tuple[float, float, float, float]) -> Pixels:
    picture = np.full((300, 460, 3), 255, dtype=np.uint8)
    for x0, y0, x1, y1 in lines:
        cv2.line(picture, (round(x0), round(y0)), (round(x1), round(y1)), (0, 0, 0), 2, cv2.LINE_AA)
    return picture


def closed_lines(*corners: tuple[float, float]) -> list[tuple[float, float, float, float]]:
    return [(*a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]


def said_at(text: str, x: float, y: float) -> Word:
    return Word(text=text, box=Box(x - 22, y - 12, x + 22, y + 12), confidence=0.99)


def lengths_of(picture: Pixels, *words: Word) -> set[tuple[str, float]]:
    return {(one.entity, one.value) for one in read_geometry(picture, words).constraints if isinstance(one, Numeric)}


LEFT = closed_lines((40, 100), (160, 100), (160, 180), (40, 180))
RIGHT = closed_lines((250, 100), (400, 100), (400, 180), (250, 180))
STEPS = closed_lines((60, 40), (160, 40), (160, 120), (300, 120), (300, 220), (60, 220))
PYRAMID = [(80, 250, 240, 250), (240, 250, 320, 190), (200, 40, 80, 250), (200, 40, 240, 250), (200, 40, 320, 190)]
HIDDEN = [(320, 190, 160, 190), (160, 190, 80, 250), (200, 40, 160, 190), (200, 40, 200, 220)]
PRISM = [
    *closed_lines((120, 110), (60, 250), (180, 250)),
    (120, 110, 260, 40),
    (180, 250, 320, 180),
    (260, 40, 320, 180),
]


@pytest.mark.parametrize(
    ("lines", "words", "said"),
    [
        (
            [*LEFT, *RIGHT],
            [said_at("12 cm", 100, 198), said_at("15 cm", 325, 198)],
            {("left rectangle length", 12.0), ("right rectangle length", 15.0)},
        ),
        (STEPS, [said_at("10 m", 110, 24), said_at("24 m", 180, 240)], {("polygon top side", 10.0), ("polygon bottom side", 24.0)}),
        ([*PYRAMID, *HIDDEN], [said_at("16 cm", 160, 270)], {("pyramid base side", 16.0)}),
        (PRISM, [said_at("12 cm", 120, 270), said_at("17 cm", 282, 232)], {("prism base", 12.0), ("prism length", 17.0)}),
    ],
)  # fmt: skip
def test_figures_without_letters_are_measured_by_kind_and_place(
    lines: list[tuple[float, float, float, float]], words: list[Word], said: set[tuple[str, float]]
) -> None:
    assert lengths_of(drawn_lines(*lines), *words) == said


CUT = [*closed_lines((60, 80), (400, 80), (400, 220), (60, 220)), (200, 80, 200, 220)]
HOLE = [
    *closed_lines((60, 40), (400, 40), (400, 240), (60, 240)),
    *closed_lines((180, 90), (260, 90), (260, 170), (180, 170)),
]


@pytest.mark.parametrize(
    ("lines", "words", "said"),
    [
        (CUT, [said_at("9 m", 130, 240), said_at("4 m", 300, 240)], {("square side", 9.0), ("rectangle length", 4.0)}),
        (HOLE, [said_at("20 m", 230, 260), said_at("5 m", 220, 190)], {("rectangle length", 20.0), ("square side", 5.0)}),
        ([(100, 240, 340, 240), (100, 240, 220, 60)], [said_at("56°", 150, 218)], {("marked angle", 56.0)}),
        (
            [(60, 150, 400, 150), (130, 270, 310, 30)],
            [said_at("53°", 275, 130), said_at("1", 205, 120), said_at("2", 180, 176)],
            {("marked angle", 53.0)},
        ),
    ],
)  # fmt: skip
def test_figures_in_figures_and_angles_alone_are_measured(
    lines: list[tuple[float, float, float, float]], words: list[Word], said: set[tuple[str, float]]
) -> None:
    assert lengths_of(drawn_lines(*lines), *words) == said


def test_round_figures_without_letters_are_measured() -> None:
    half, ring, lying = (
        drawn_lines((80, 220, 320, 220)),
        drawn_lines((230, 150, 130, 84), (230, 150, 280, 150)),
        drawn_lines(),
    )
    cv2.ellipse(half, (200, 220), (120, 120), 0, 180, 360, (0, 0, 0), 2, cv2.LINE_AA)
    for radius in (120, 50):
        cv2.circle(ring, (230, 150), radius, (0, 0, 0), 2, cv2.LINE_AA)
    for start, end in (((100, 80), (320, 80)), ((100, 220), (320, 220))):
        cv2.line(lying, start, end, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.ellipse(lying, (320, 150), (22, 70), 0, 0, 360, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.ellipse(lying, (100, 150), (22, 70), 0, 90, 270, (0, 0, 0), 2, cv2.LINE_AA)
    assert lengths_of(half, said_at("12 cm", 200, 242)) == {("semicircle diameter", 12.0)}
    assert lengths_of(ring, said_at("3 cm", 255, 168)) == {("inner circle radius", 3.0)}
    assert lengths_of(lying, said_at("30 cm", 210, 242)) == {("cylinder height", 30.0)}


def test_a_filled_area_needs_no_line_around_it() -> None:
    picture = drawn_lines()
    cv2.fillPoly(
        picture, [np.array([(60, 80), (240, 80), (320, 220), (60, 220)], np.int32)], (76, 209, 242), cv2.LINE_AA
    )
    said = lengths_of(picture, said_at("9 cm", 150, 60), said_at("14 cm", 190, 242), said_at("7 cm", 34, 150))
    assert said == {("trapezoid upper base", 9.0), ("trapezoid lower base", 14.0), ("trapezoid height", 7.0)}


def test_a_number_in_brackets_is_an_exercise() -> None:
    assert parse_labels([run_of_word("(2)", Box(0, 0, 30, 20), 1.0)], frozenset()) == []


def test_a_sector_has_a_radius_and_an_angle() -> None:
    picture = drawn_lines((100, 240, 280, 240), (100, 240, 190, 240 - 180 * math.sin(math.pi / 3)))
    cv2.ellipse(picture, (100, 240), (180, 180), 0, 300, 360, (0, 0, 0), 2, cv2.LINE_AA)
    assert lengths_of(picture, said_at("18 cm", 190, 262), said_at("60°", 150, 222)) == {
        ("sector radius", 18.0),
        ("sector angle", 60.0),
    }


def test_an_arc_between_lines_that_lead_on_is_no_sector() -> None:
    picture = drawn_lines((100, 240, 400, 240), (100, 240, 250, 40))
    cv2.ellipse(picture, (100, 240), (70, 70), 0, -53, 0, (0, 0, 0), 2, cv2.LINE_AA)
    assert lengths_of(picture, said_at("53°", 190, 205)) == {("marked angle", 53.0)}


def test_marks_of_small_pictures_are_seen() -> None:
    picture = np.full((120, 170, 3), 255, dtype=np.uint8)
    corners = [(20, 20), (20, 95), (140, 95)]
    for start, end in [
        *zip(corners, [*corners[1:], corners[0]], strict=True),
        ((20, 90), (25, 90)),
        ((25, 90), (25, 95)),
    ]:
        cv2.line(picture, start, end, (0, 0, 0), 1, cv2.LINE_AA)
    facts = read_geometry(picture, [said_at("12 cm", 80, 108)]).constraints
    assert [fact.type for fact in facts if isinstance(fact, Relation)] == ["perpendicular"]


@pytest.mark.parametrize("text", ["-26 cm", "26 cm-", "i26 cm", "26 cm1", "26 cm"])
def test_a_stroke_beside_a_measure_is_no_part_of_it(text: str) -> None:
    (run,) = with_second_reading([], [said_at(text, 60, 40)])
    assert run.reading.text == "26 cm"


def test_a_square_in_a_corner_is_no_digit() -> None:
    labels = parse_labels(
        [run_of_word("32", Box(0, 0, 30, 20), 1.0), run_of_word("1", Box(50, 0, 62, 9), 1.0)], frozenset()
    )
    assert [label.text for label in without_specks(labels)] == ["32"]


def test_a_dimension_line_measures_what_it_spans() -> None:
    line = (60, 250, 300, 250)
    bars = [(60, 244, 60, 256), (300, 244, 300, 256)]
    said = lengths_of(drawn_lines(*STEPS, line, *bars), said_at("24 m", 180, 266))
    assert said == {("polygon bottom side", 24.0)}


def test_printed_values_deny_an_equality_of_marks() -> None:
    lengths: list[Constraint] = [
        Numeric(entity="segment AB", attribute="length", value=3.0),
        Numeric(entity="segment CD", attribute="length", value=4.0),
    ]
    equal = Relation(type="equal", entities=("segment BA", "segment CD"))
    assert undenied_facts([*lengths, equal]) == lengths


ANGLE_B = Numeric(entity="angle ABC", attribute="angle", value=41.0)
EQUAL = Relation(type="equal", entities=("angle CBA", "angle BAC"))


@pytest.mark.parametrize(
    ("facts", "unplaced", "is_denied"),
    [
        ([ANGLE_B, EQUAL], [49.0], True),  # which may be angle BAC's
        ([ANGLE_B, EQUAL], [41.0], False),
        ([ANGLE_B, EQUAL], [], False),
        ([EQUAL], [49.0], False),
        ([ANGLE_B, replace(EQUAL, entities=("angle BAC", "angle ACB"))], [49.0], False),
        ([ANGLE_B, replace(EQUAL, entities=("segment AB", "segment AC"))], [49.0], False),
    ],
)
def test_a_measure_of_no_known_angle_denies_the_equality_that_it_may_break(
    facts: list[Constraint], unplaced: list[float], is_denied: bool
) -> None:
    assert (facts[-1] not in undenied_facts(facts, unplaced)) == is_denied


def test_points_move_to_their_dots_or_to_where_lines_cross() -> None:
    picture = np.full((300, 400, 3), 255, dtype=np.uint8)
    for start, end in (((40, 250), (360, 250)), ((40, 250), (300, 60))):
        cv2.line(picture, start, end, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.circle(picture, (200, 250), 6, (0, 0, 0), -1, cv2.LINE_AA)
    ink = ink_of(picture, np.zeros((300, 400), dtype=np.uint8))
    found = at_marks([point("A", 49, 247), point("M", 203, 256), point("B", 352, 250)], ink)
    expected = [(40.0, 250.0), (200.0, 250.0), (352.0, 250.0)]
    assert [(one.x, one.y) for one in found] == [pytest.approx(place, abs=1.5) for place in expected]


def test_the_letter_at_the_centre_of_a_drawn_circle_is_its_centre() -> None:
    picture = np.full((300, 300, 3), 255, dtype=np.uint8)
    cv2.circle(picture, (150, 150), 110, (0, 0, 0), 2, cv2.LINE_AA)
    ink = ink_of(picture, np.zeros((300, 300), dtype=np.uint8))
    rim = [point(name, 150 + 110 * math.cos(t), 150 + 110 * math.sin(t)) for name, t in (("A", 0), ("B", 2), ("C", 4))]
    boxes = {"O": Box(156, 156, 172, 174), "Q": Box(30, 30, 46, 48)}
    labels = parse_labels([run_of_word(name, box, 1.0) for name, box in boxes.items()], frozenset(boxes))
    found = {one.name: (one.x, one.y) for one in with_centres(rim, labels, ink)}
    assert found["O"] == pytest.approx((150, 150), abs=1)
    assert "Q" not in found


def test_dashes_of_a_dashed_line_are_no_print() -> None:
    picture = np.full((200, 300, 3), 255, dtype=np.uint8)
    for top in range(20, 180, 16):
        cv2.rectangle(picture, (100, top), (102, top + 9), (0, 0, 0), -1)
    words = [
        Word(text="1", box=Box(96, 36, 106, 46), confidence=0.9),
        Word(text="8", box=Box(200, 36, 214, 56), confidence=0.9),
    ]
    assert [word.text for word in without_dashes(picture, words)] == ["8"]
