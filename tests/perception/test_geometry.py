"""Figures drawn here, read from pixels: every fact that is said must be one that was drawn."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.competition import FigureReading
from evpv.perception.geometry import read_geometry
from evpv.perception.ocr import Pixels
from evpv.types import Constraint, Numeric, Relation

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "geometry"
Point = tuple[float, float]


@dataclass
class Sheet:
    """A white page to draw a figure on; `overlay` letters are blue beside a red dot, others are printed black."""

    width: int = 420
    height: int = 320
    image: Image.Image = field(init=False)
    draw: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (self.width, self.height), "white")
        self.draw = ImageDraw.Draw(self.image)

    def lines(self, *ends: tuple[Point, Point], colour: tuple[int, int, int] = (0, 114, 188)) -> Sheet:
        for start, end in ends:
            self.draw.line([start, end], fill=colour, width=2)
        return self

    def text(self, place: Point, text: str, size: int = 22) -> Sheet:
        self.draw.text(place, text, fill=(35, 31, 32), font=ImageFont.load_default(size), anchor="mm")
        return self

    def overlay(self, **points: Point) -> Sheet:
        self.draw.fontmode = "1"
        for name, (x, y) in points.items():
            self.draw.polygon([(x - 4, y), (x, y - 4), (x + 4, y), (x, y + 4)], fill=(255, 0, 0))
            self.draw.text((x + 3, y), name, fill=(0, 0, 255), font=ImageFont.load_default(24), anchor="ls")
        self.draw.fontmode = "L"
        return self

    def square(self, vertex: Point, first: Point, second: Point, side: float = 14) -> Sheet:
        along, across = (np.subtract(end, vertex) / math.dist(end, vertex) * side for end in (first, second))
        corner = np.asarray(vertex)
        places = [corner + along, corner + along + across, corner + across]
        self.draw.line([(float(x), float(y)) for x, y in places], fill=(236, 0, 140), width=2)
        return self

    def tick(self, start: Point, end: Point, half: float = 7) -> Sheet:
        middle = (np.asarray(start) + np.asarray(end)) / 2
        across = np.array([start[1] - end[1], end[0] - start[0]]) / math.dist(start, end) * half
        ends = [tuple(map(float, middle - across)), tuple(map(float, middle + across))]
        self.draw.line(ends, fill=(236, 0, 140), width=2)
        return self

    def arrow(self, start: Point, end: Point) -> Sheet:
        along = (np.asarray(end) - np.asarray(start)) / math.dist(start, end)
        across, middle = np.array([-along[1], along[0]]), (np.asarray(start) + np.asarray(end)) / 2
        corners = [middle + 9 * along, middle - 9 * along + 7 * across, middle - 9 * along - 7 * across]
        self.draw.polygon([(float(x), float(y)) for x, y in corners], fill=(236, 0, 140))
        return self

    def arc(self, vertex: Point, first: Point, second: Point, radius: float = 34) -> Sheet:
        turns = sorted(math.degrees(math.atan2(y - vertex[1], x - vertex[0])) % 360 for x, y in (first, second))
        start, end = turns if turns[1] - turns[0] < 180 else (turns[1], turns[0] + 360)
        box = [vertex[0] - radius, vertex[1] - radius, vertex[0] + radius, vertex[1] + radius]
        self.draw.arc(box, start, end, fill=(236, 0, 140), width=2)
        return self

    @property
    def pixels(self) -> Pixels:
        return np.asarray(self.image, dtype=np.uint8).copy()


A, B, C = (60.0, 250.0), (60.0, 50.0), (340.0, 250.0)


def right_triangle() -> Sheet:
    sheet = Sheet().lines((A, B), (A, C), (B, C)).square(A, B, C)
    return sheet.text((38, 150), "6").text((200, 275), "8").text((222, 138), "10")


def said(reading: FigureReading) -> set[str]:
    """Facts in one line each, with the letters of segments and the sides of angles in alphabetical order."""
    return set(_lines(reading.constraints))


def _lines(facts: Sequence[Constraint]) -> Iterator[str]:
    for fact in facts:
        if isinstance(fact, Numeric):
            yield f"{_ordered(fact.entity)} = {fact.value:g}"
        elif isinstance(fact, Relation):
            sign = {"equal": " = ", "perpendicular": " ⟂ ", "parallel": " ∥ "}[fact.type]
            names = [_ordered(name) for name in fact.entities]
            ordered = fact.type == "equal" and not names[-1].startswith(("segment", "angle"))
            yield sign.join(names if ordered else sorted(names))


def _ordered(name: str) -> str:
    *kind, letters = name.split(" ")
    if not letters.isupper() or len(letters) == 1:
        return name
    return " ".join([*kind, min(letters, letters[::-1])])


def test_the_sides_and_the_right_angle_of_an_overlaid_triangle_are_read() -> None:
    picture = right_triangle().overlay(A=A, B=B, C=C).pixels
    assert said(read_geometry(picture, [])) == {
        "segment AB = 6",
        "segment AC = 8",
        "segment BC = 10",
        "AB ⟂ AC",
    }


def test_printed_letters_alone_name_the_corners_too() -> None:
    picture = right_triangle().text((42, 268), "A").text((60, 30), "B").text((362, 258), "C").pixels
    assert said(read_geometry(picture, [])) == {
        "segment AB = 6",
        "segment AC = 8",
        "segment BC = 10",
        "AB ⟂ AC",
    }


def test_a_dark_picture_says_what_its_light_twin_says() -> None:
    light = right_triangle().overlay(A=A, B=B, C=C).pixels
    dark = np.asarray(255 - light, dtype=np.uint8)
    assert said(read_geometry(dark, [])) == said(read_geometry(light, []))


def test_the_same_bytes_give_the_same_constraints() -> None:
    picture = right_triangle().overlay(A=A, B=B, C=C).pixels
    assert read_geometry(picture, []) == read_geometry(picture.copy(), [])


def test_every_fact_says_where_it_was_seen_and_how_sure_it_is() -> None:
    picture = right_triangle().overlay(A=A, B=B, C=C).pixels
    for fact in read_geometry(picture, []).constraints:
        assert fact.box is not None
        x0, y0, x1, y1 = fact.box
        assert x0 < x1
        assert y0 < y1
        assert 0.3 < fact.confidence < 1


def test_a_degree_sign_puts_a_number_into_the_angle_and_not_on_a_side() -> None:
    apex = (200.0, 40.0)
    sheet = Sheet().lines((A, apex), (A, C), (apex, C)).text((118, 232), "57°").overlay(A=A, B=apex, C=C)
    assert said(read_geometry(sheet.pixels, [])) == {"angle BAC = 57"}


def test_expressions_stay_expressions() -> None:
    sheet = Sheet().lines((A, B), (A, C), (B, C)).text((230, 130), "6x + 2").text((200, 275), "3y")
    assert said(read_geometry(sheet.overlay(A=A, B=B, C=C).pixels, [])) == {
        "segment BC = 6x+2",
        "segment AC = 3y",
    }


def test_numbers_that_name_angles_are_no_measures() -> None:
    centre, ends = (200.0, 160.0), [(40.0, 160.0), (360.0, 160.0), (260.0, 40.0), (140.0, 280.0)]
    sheet = Sheet().lines(*((centre, end) for end in ends))
    sheet.text((190, 130), "1").text((245, 138), "2").text((212, 190), "3").text((155, 182), "4")
    sheet.overlay(O=centre, **dict(zip("WXYZ", ends, strict=True)))
    assert said(read_geometry(sheet.pixels, [])) == set()


def test_equal_ticks_make_equal_segments() -> None:
    apex = (200.0, 40.0)
    sheet = Sheet().lines((A, apex), (A, C), (apex, C)).tick(A, apex).tick(apex, C)
    assert said(read_geometry(sheet.overlay(A=A, B=apex, C=C).pixels, [])) == {"segment AB = segment BC"}


def test_equal_arcs_make_equal_angles() -> None:
    apex = (200.0, 40.0)
    sheet = Sheet().lines((A, apex), (A, C), (apex, C)).arc(A, apex, C).arc(C, A, apex)
    assert said(read_geometry(sheet.overlay(A=A, B=apex, C=C).pixels, [])) == {"angle ACB = angle BAC"}


def test_arcs_of_measured_angles_are_their_measures_own() -> None:
    apex = (200.0, 40.0)
    sheet = Sheet().lines((A, apex), (A, C), (apex, C)).arc(A, apex, C).arc(C, A, apex)
    sheet.text((115, 222), "3x°", 16).text((272, 226), "2x°", 16)
    assert not {fact for fact in said(read_geometry(sheet.overlay(A=A, B=apex, C=C).pixels, [])) if " = angle" in fact}


def test_a_circle_around_a_vertex_is_no_arc() -> None:
    apex = (200.0, 40.0)
    sheet = Sheet().lines((A, apex), (A, C), (apex, C))
    for x, y in (A, C):
        sheet.draw.ellipse([x - 34, y - 34, x + 34, y + 34], outline=(236, 0, 140), width=2)
    assert said(read_geometry(sheet.overlay(A=A, B=apex, C=C).pixels, [])) == set()


def test_points_that_an_overlay_puts_on_plain_lines_do_not_cut_them() -> None:
    corners = {"A": A, "B": B, "C": C}
    idle = {"D": (130.0, 250.0), "E": (270.0, 250.0), "F": (60.0, 100.0), "G": (130.0, 100.0), "H": (270.0, 200.0)}
    facts = said(read_geometry(right_triangle().overlay(**corners, **idle).pixels, []))
    assert not any(name in fact for fact in facts for name in idle)
    assert {"segment AB = 6", "segment AC = 8"} & facts


def test_a_point_set_by_hand_cuts_its_line() -> None:
    middle = (200.0, 250.0)
    sheet = Sheet().lines((A, B), (A, C), (B, C)).text((130, 270), "5").overlay(A=A, B=B, C=C, D=middle)
    assert said(read_geometry(sheet.pixels, [])) == {"segment AD = 5"}


def _compressed(image: Image.Image) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=30)
    return Image.open(buffer).convert("RGB")


def _turned(image: Image.Image) -> Image.Image:
    return image.rotate(3, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)


@pytest.mark.parametrize("damage", [_compressed, _turned])
def test_a_damaged_picture_says_the_lengths_that_its_clean_twin_says(
    damage: Callable[[Image.Image], Image.Image],
) -> None:
    sheet = right_triangle().overlay(A=A, B=B, C=C)
    picture = np.asarray(damage(sheet.image), dtype=np.uint8).copy()
    facts = said(read_geometry(picture, []))
    assert facts >= {"segment AB = 6", "segment AC = 8", "segment BC = 10"}
    assert facts <= said(read_geometry(sheet.pixels, []))


def test_an_expression_in_the_corner_of_an_angle_measures_it() -> None:
    sheet = Sheet().lines((A, B), (A, C), (B, C)).text((84, 236), "y", 20)
    assert said(read_geometry(sheet.overlay(A=A, B=B, C=C).pixels, [])) == {"angle BAC = y"}


def test_arrowheads_make_parallel_segments() -> None:
    p, q, r, s = (60.0, 80.0), (300.0, 80.0), (120.0, 240.0), (360.0, 240.0)
    sheet = Sheet().lines((p, q), (r, s), (p, r)).arrow(p, q).arrow(r, s)
    assert said(read_geometry(sheet.overlay(P=p, Q=q, R=r, S=s).pixels, [])) == {"PQ ∥ RS"}


def test_a_stacked_fraction_is_one_number() -> None:
    sheet = Sheet().lines((A, B), (A, C), (B, C)).text((230, 110), "3").text((230, 142), "4")
    sheet.draw.line([(220, 126), (240, 126)], fill=(35, 31, 32), width=2)
    assert said(read_geometry(sheet.overlay(A=A, B=B, C=C).pixels, [])) == {"segment BC = 0.75"}


def test_a_midpoint_gets_the_label_of_its_half() -> None:
    middle = (200.0, 250.0)
    sheet = Sheet().lines((A, C), (A, B), (B, C), (B, middle)).text((130, 272), "5").text((270, 272), "7")
    assert said(read_geometry(sheet.overlay(A=A, B=B, C=C, M=middle).pixels, [])) == {
        "segment AM = 5",
        "segment CM = 7",
    }


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (40, 40)])
def test_an_empty_picture_says_nothing(size: tuple[int, int]) -> None:
    assert read_geometry(np.full((*size, 3), 255, dtype=np.uint8), []).constraints == ()


def test_noise_is_no_figure() -> None:
    noise = np.random.default_rng(7).integers(0, 256, (160, 200, 3), dtype=np.uint8)
    assert read_geometry(noise, []).constraints == ()


@pytest.mark.slow
def test_real_figures_are_read_as_well_as_promised() -> None:
    if not DATA.exists():
        pytest.skip(f"no development pack at {DATA}")
    items = [json.loads(line) for line in (DATA / "items.jsonl").read_text().splitlines()][::10]
    right = wrong = missed = 0
    for item in items:
        picture = np.asarray(Image.open(DATA / item["image"]).convert("RGB"), dtype=np.uint8)
        facts = said(read_geometry(picture, []))
        gold = {line for fact in item["constraints"] for line in _lines([_constraint(fact)])}
        right, wrong, missed = right + len(facts & gold), wrong + len(facts - gold), missed + len(gold - facts)
    assert 2 * right / (2 * right + wrong + missed) >= 0.6


def _constraint(fact: dict[str, object]) -> Constraint:
    if fact["category"] == "numeric":
        return Numeric(entity=str(fact["entity"]), attribute="", value=float(str(fact["value"])))
    entities = fact["entities"]
    assert isinstance(entities, list)
    return Relation(type=str(fact["type"]), entities=tuple(str(name).replace("*", "") for name in entities))
