"""The fault model, on a program of three lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evpv.figures import writing
from evpv.figures.candidates import sit
from evpv.figures.drawing import Canvas, _Style
from evpv.figures.writing import Mistakes, SolutionSheet, Wrong


def area(sheet: SolutionSheet) -> None:
    """Width read, height read, multiplied, doubled."""
    width = sheet.decide("width", 6, misread=[9])
    sheet.step("width", f"The width is {width}.", f"It is {width} wide.", claim=(f"The width is {width}.",))
    height = sheet.decide("height", 4, misread=[7])
    sheet.step("height", f"The height is {height}.", claim=(f"The height is {height}.",))
    product = sheet.calculate("product", width * height)
    sheet.step("product", f"`{width} × {height} = {product}`.")
    times = sheet.decide("times", 2, wrong_conclusions=[3])
    double = sheet.calculate("double", times * product)
    sheet.step("double", f"`{times} × {product} = {double}`.")
    sheet.conclude(str(double), "The answer is {}.")


def texts(faults: Mistakes, seed: str = "s") -> list[str]:
    sheet = SolutionSheet(seed, faults)
    area(sheet)
    return [line.text for line in sheet.lines]


def test_a_misreading_is_carried_through_the_rest() -> None:
    right, wrong = (
        texts(Mistakes(instead={})),
        texts(Mistakes(instead={"height": Wrong(error="visual-value", value=7)})),
    )
    assert wrong[0] == right[0]
    assert wrong[1:] == ["The height is 7.", "`6 × 7 = 42`.", "`2 × 42 = 84`.", "The answer is 84."]


def test_a_slip_is_wrong_once_and_consistent_after() -> None:
    wrong = texts(Mistakes(instead={"product": Wrong(error="calculation", value=34)}))
    assert wrong[2:] == ["`6 × 4 = 34`.", "`2 × 34 = 68`.", "The answer is 68."]


def test_a_solution_that_stops_early_offers_its_last_result() -> None:
    assert texts(Mistakes(instead={}, stop_after="product"))[2:] == ["`6 × 4 = 24`.", "The answer is 24."]


def test_a_vague_step_keeps_its_result_but_not_its_reasons() -> None:
    vague = texts(Mistakes(instead={}, vague_at="product"))
    assert "×" not in vague[2]
    assert "24" in vague[2]
    assert vague[3:] == ["`2 × 24 = 48`.", "The answer is 48."]


def test_labels_follow_from_comparison_with_the_same_solver_without_the_fault() -> None:
    seen = set()
    for seed in range(60):
        for candidate in sit(area, f"seed/{seed}", multiple_choice=False).candidates:
            labels = tuple(step.label for step in candidate.steps)
            seen.add((tuple(candidate.extra["errors"]), labels, candidate.correct))
    assert ((), (1, 1, 1, 1, 1), True) in seen
    assert (("visual-value",), (1, -1, -1, -1, -1), False) in seen
    assert (("calculation",), (1, 1, -1, -1, -1), False) in seen
    assert (("logical",), (1, 1, 1, -1, -1), False) in seen
    assert (("incompleteness",), (1, 1, 1, -1), False) in seen
    assert (("calculation", "visual-value"), (1, -1, -1, -1, 1), True) in seen


@pytest.mark.parametrize("multiple_choice", [False, True])
def test_a_sitting_is_the_same_every_time(multiple_choice: bool) -> None:
    first = sit(area, "seed", multiple_choice=multiple_choice)
    assert first == sit(area, "seed", multiple_choice=multiple_choice)
    assert first.answer == ("48" if not multiple_choice else "ABCDE"[first.options.index("48")])


def test_labels_of_a_crowded_place_do_not_cover_each_other_or_the_lines() -> None:
    style = _Style(
        font="DejaVuSans", size_px=20, width_px=2, ink=(0, 0, 0), paper=(255, 255, 255), accent=(0, 0, 0),
        palette=((0, 0, 0),), noise=0, shading=False,
    )  # fmt: skip
    canvas = Canvas(300, 200, style)
    canvas.line((20, 100), (280, 100))
    boxes = [canvas.label("12 cm", (150, 100), (0, -1)) for _ in range(4)]
    for i, (x0, y0, x1, y1) in enumerate(boxes):
        assert y1 <= 99 or y0 >= 101
        for other in boxes[:i]:
            assert x1 <= other[0] or other[2] <= x0 or y1 <= other[1] or other[3] <= y0


def volume(sheet: SolutionSheet) -> None:
    """An answer whose unit has a raised digit."""
    side = sheet.decide("side", 30, misread=[31, 33, 36, 38, 80])
    sheet.step("side", f"The side is {side}.", claim=(f"The side is {side}.",))
    sheet.conclude(str(side), "The answer is {}.", unit=" cm²")


def test_an_answer_that_is_no_option_takes_the_closest_number() -> None:
    for seed in range(40):
        sitting = sit(volume, f"closest/{seed}", multiple_choice=True)
        sizes = [int(option.removesuffix(" cm²")) for option in sitting.options]
        for candidate in sitting.candidates:
            said = int(candidate.steps[0].text.split()[-1].rstrip("."))
            assert candidate.final_answer is not None
            chosen = sizes["ABCDE".index(candidate.final_answer)]
            assert abs(chosen - said) == min(abs(size - said) for size in sizes)


def test_every_wording_of_the_catalogue_is_said_by_a_program() -> None:
    folder = Path(writing.__file__).parent
    programs = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    names = re.findall(r"^\[(.+)\]$", (folder / "wordings.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(names)) == len(names) > 100
    assert not [n for n in names if f'"{n}"' not in programs and f'"{n.rpartition(":")[0]}:{{' not in programs]
