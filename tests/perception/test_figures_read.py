"""The embedded extractor on our own drawn problems: what it reads must bear out true claims and never contradict one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from evpv.figures import families, make_problem
from evpv.perception.extractor import _extract_one
from evpv.perception.geometry.ink import _dashed_lines, dark_strokes, ink_of
from evpv.perception.geometry.outlines import find_outlines
from evpv.perception.geometry.solids import find_solid, read_solid
from evpv.perception.ocr import Pixels, Word
from evpv.perception.other_figures import _read_fold, _read_pattern, captions_in
from evpv.perception.router import figure_priors
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Numeric, Relation, Structure

BLACK = (0, 0, 0)


def sheet(height: int = 400, width: int = 480) -> Pixels:
    return np.full((height, width, 3), 255, dtype=np.uint8)


def word(text: str, x: float, y: float, width: float = 30.0) -> Word:
    return Word(text=text, box=(x - width / 2, y - 12, x + width / 2, y + 12), confidence=0.99)


def verdicts(family: str, seed: int, folder: Path) -> Counter[str]:
    """The verdicts on a drawn problem's true visual claims, from what was read of its picture."""
    made = make_problem(family, seed, split="dev")
    image = folder / f"{family}-{seed}.png"
    made.image.save(image)
    matcher = grounded_matcher(_extract_one(replace(made.problem, images=(str(image),))).constraints)
    claims = {
        step.claim
        for candidate in made.problem.candidates
        for step in candidate.steps
        if step.claim and step.visual and step.label == 1
    }
    return Counter(matcher(claim).verdict for claim in sorted(claims))


@pytest.mark.parametrize("family", families())
def test_true_claims_about_a_drawn_figure_are_borne_out(family: str, tmp_path: Path) -> None:
    counts = verdicts(family, 3, tmp_path)
    assert counts["contradicted"] == 0
    assert counts["supported"] >= 0.6 * counts.total()


@pytest.mark.slow
@pytest.mark.parametrize("family", families())
def test_many_figures_of_a_family_are_read(family: str, tmp_path: Path) -> None:
    counts = sum((verdicts(family, seed, tmp_path) for seed in range(10, 18)), Counter[str]())
    assert counts["contradicted"] <= 0.02 * counts.total()
    assert counts["supported"] >= 0.75 * counts.total()


def solid_picture(*, cone: bool) -> Pixels:
    """A cylinder of radius 80 from row 200 to 300 with a cone or a hemisphere on top, and its dimension lines."""
    picture = sheet()
    for x in (120, 280):
        cv2.line(picture, (x, 200), (x, 300), BLACK, 2)
    for row in (200, 300):
        cv2.ellipse(picture, (200, row), (80, 20), 0, 0, 180, BLACK, 2)
    if cone:
        cv2.line(picture, (120, 200), (200, 90), BLACK, 2)
        cv2.line(picture, (200, 90), (280, 200), BLACK, 2)
    else:
        cv2.ellipse(picture, (200, 200), (80, 80), 0, 180, 360, BLACK, 2)
    cv2.line(picture, (200, 300), (280, 300), BLACK, 2)
    cv2.line(picture, (310, 200), (310, 300), BLACK, 1)
    return picture


@pytest.mark.parametrize(("cone", "upper"), [(True, "cone"), (False, "hemisphere")])
def test_a_solid_is_told_by_its_outline_and_measured_by_its_dimension_lines(cone: bool, upper: str) -> None:
    facts = read_solid(solid_picture(cone=cone), [word("7 cm", 240, 280, 40), word("12 cm", 345, 250, 50)])
    numbers = {fact.entity: (fact.value, fact.unit) for fact in facts if isinstance(fact, Numeric)}
    assert numbers == {"cylinder base radius": (7.0, "cm"), "cylinder height": (12.0, "cm")}
    (structure,) = [fact for fact in facts if isinstance(fact, Structure)]
    assert structure.parts == ("cylinder", upper)
    assert structure.attachment == (f"{upper} placed on top of cylinder",)


def test_what_is_no_solid_has_no_parts() -> None:
    picture = sheet()
    cv2.polylines(picture, [np.array([(60, 340), (420, 340), (150, 60)])], True, BLACK, 2)
    assert find_solid(dark_strokes(picture)) is None
    assert read_solid(picture, [word("7 cm", 240, 360, 40)]) == []


@pytest.mark.parametrize(
    "corners",
    [
        [(120, 200), (200, 90), (280, 200), (280, 320), (120, 320)],
        [(120, 100), (280, 100), (280, 200), (232, 200), (232, 320), (168, 320), (168, 200), (120, 200)],
    ],
)
def test_houses_and_letters_with_flat_bases_are_no_solids(corners: list[tuple[int, int]]) -> None:
    picture = sheet()
    cv2.polylines(picture, [np.array(corners)], True, BLACK, 2)
    cv2.line(picture, (310, corners[2][1]), (310, 320), BLACK, 1)
    assert read_solid(picture, [word("12 cm", 345, 260, 50)]) == []


def dots(counts: list[int]) -> Pixels:
    picture = sheet(260, 200 * len(counts))
    for place, count in enumerate(counts):
        for number in range(count):
            centre = (200 * place + 60 + 24 * (number % 4), 60 + 24 * (number // 4))
            cv2.circle(picture, centre, 7, BLACK, -1, cv2.LINE_AA)
    return picture


CAPTIONS = [word(f"Figure {number}", 200 * number - 100, 220, 80) for number in (1, 2, 3)]


def test_dots_over_captions_are_counted() -> None:
    facts = _read_pattern(dots([3, 5, 8]), CAPTIONS)
    counts = {fact.entity: fact.value for fact in facts if isinstance(fact, Numeric)}
    assert counts == {"figure 1 dots": 3.0, "figure 2 dots": 5.0, "figure 3 dots": 8.0}
    assert [fact.parts for fact in facts if isinstance(fact, Structure)] == [("figure 1", "figure 2", "figure 3")]


def test_a_figure_of_mixed_things_is_not_counted() -> None:
    picture = dots([3, 5, 8])
    cv2.rectangle(picture, (150, 100), (190, 150), BLACK, 2)
    assert not [fact for fact in _read_pattern(picture, CAPTIONS) if isinstance(fact, Numeric)]


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["Figure 1", "Figure 2"], 2),
        (["Step 4", "Step 5", "Step 6"], 3),
        (["Figure 1"], 0),
        (["Figure 2", "Figure 1"], 0),
        (["Fig. 3.2", "Fig. 3.3"], 0),
    ],
)
def test_captions_are_those_that_count_up(texts: list[str], count: int) -> None:
    words = [word(text, 100 + 200 * place, 220, 80) for place, text in enumerate(texts)]
    assert len(captions_in(words)) == count


def test_a_row_of_captioned_figures_is_no_chart() -> None:
    assert next(iter(figure_priors(dots([3, 5, 8]), CAPTIONS))) == "other"


def fan(*, double: tuple[int, ...]) -> Pixels:
    """Three angles of 60° on a level edge, with two arcs in those named and one in the others."""
    picture = sheet()
    cv2.line(picture, (20, 300), (460, 300), BLACK, 2)
    for turn in (60, 120):
        end = (round(240 + 180 * np.cos(np.radians(turn))), round(300 - 180 * np.sin(np.radians(turn))))
        cv2.line(picture, (240, 300), end, BLACK, 2)
    for number, start in ((1, 180), (2, 240), (3, 300)):
        for radius in (36, 42) if number in double else (36,):
            cv2.ellipse(picture, (240, 300), (radius, radius), 0, start + 2, start + 58, BLACK, 1, cv2.LINE_AA)
    return picture


def numbers_in_fan(texts: tuple[str, str, str] = ("1", "2", "3")) -> list[Word]:
    return [word(text, x, y, 16) for text, (x, y) in zip(texts, ((185, 268), (240, 236), (295, 268)), strict=True)]


def test_angles_with_as_many_arcs_are_equal() -> None:
    facts = _read_fold(fan(double=(2, 3)), numbers_in_fan())
    assert [fact.entities for fact in facts if isinstance(fact, Relation)] == [("angle 2", "angle 3")]
    assert [fact.type for fact in facts if isinstance(fact, Structure)] == ["sequence"]


def test_numbers_out_of_order_are_no_fold() -> None:
    assert _read_fold(fan(double=(2, 3)), numbers_in_fan(("3", "2", "1"))) == []


def test_single_arcs_make_nothing_equal() -> None:
    assert not [fact for fact in _read_fold(fan(double=()), numbers_in_fan()) if isinstance(fact, Relation)]


def test_a_dashed_line_is_drawn_on_to_the_line_it_ends_at() -> None:
    drawing = np.zeros((200, 200), dtype=np.uint8)
    cv2.line(drawing, (20, 180), (180, 180), 1, 2)
    for start in range(40, 172, 12):
        cv2.line(drawing, (100, start), (100, start + 7), 1, 2)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(drawing, connectivity=8)
    solid = _dashed_lines(np.asarray(labelled, np.int32), np.asarray(stats, np.int32))
    assert solid[44:178, 99:102].any(axis=1).all()
    assert not solid[:, :90].any()


def test_a_dashed_line_is_found_on_a_page_of_thousands_of_strokes() -> None:
    """Each stroke is compared with those near it alone: all with all would take a page of print past every deadline."""
    page = np.zeros((1600, 2000), dtype=np.uint8)
    for row in range(20, 1500, 24):
        for column in range(20, 1980, 20):
            turned = (row // 24 + column // 20) % 2
            cv2.line(page, (column, row), (column + 7 * turned, row + 7 * (1 - turned)), 1, 2)
    for start in range(40, 400, 12):
        cv2.line(page, (start, 1560), (start + 7, 1560), 1, 2)
    _, labelled, stats, _ = cv2.connectedComponentsWithStats(page, connectivity=8)
    solid = _dashed_lines(np.asarray(labelled, np.int32), np.asarray(stats, np.int32))
    assert len(stats) > 5_000
    assert solid[1558:1563, 44:395].any(axis=0).all()
    assert not solid[:1500].any()


def test_a_circle_is_found_and_an_ellipse_is_not() -> None:
    empty = np.zeros((400, 480), dtype=np.uint8)
    for axes, found in (((100, 100), True), ((100, 70), False)):
        picture = sheet()
        cv2.ellipse(picture, (240, 200), axes, 0, 0, 360, BLACK, 2)
        kinds = [outline.kind for outline in find_outlines(ink_of(picture, empty), [])]
        assert (kinds == ["circle"]) == found


def test_a_pattern_whose_sticks_are_washed_out_is_not_counted(tmp_path: Path) -> None:
    made = make_problem("patterns", 701, split="test")
    small = made.image.convert("RGB").resize((made.image.width * 2 // 5, made.image.height * 2 // 5))
    small.save(tmp_path / "spoilt.jpg", quality=20)
    told = {(one.entity, one.value) for one in made.constraints if isinstance(one, Numeric)}
    read = _extract_one(replace(made.problem, images=(str(tmp_path / "spoilt.jpg"),)), 1).constraints
    assert {(one.entity, one.value) for one in read if isinstance(one, Numeric)} <= told
