"""Formulas, facts, sums of angles, means, percents, methods and statements about lists."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "text",
    [
        r"The area of the triangle is $A = \frac{1}{2} \times 6 \times 4 = 12$.",
        "Area of triangle = 6 × 4 ÷ 2 = 12",
        "The area of the circle is π × 5² = 25π.",
        "The circumference is 2 × π × 5 = 10π.",
        "The volume of the cone is π × r² × h ÷ 3.",
        "The perimeter of the rectangle is 2 × (3 + 4) = 14.",
        "The angles of a triangle add up to 180°.",
        "Angles on a straight line add to 180 degrees.",
        "∠ABC + ∠BCA + ∠CAB = 180°",
        "Corresponding angles are equal.",
        "Co-interior angles are supplementary.",
        "The slope is rise over run.",
        "The mean is (3 + 4 + 5) / 3 = 4.",
        "To get 16% of 400, multiply by 16 and divide by 100.",
    ],
)
def test_a_formula_used_rightly_is_found_right(kinds: Any, text: str) -> None:
    assert "formula-right" in kinds(text)[0]
    assert "formula-wrong" not in kinds(text)[0]


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("The area of the triangle is 6 × 4 = 24.", "wrong: the area of a triangle is half of base times height; here 6 × 4"),
        ("The area of the circle is 2 × π × 5 = 10π.", "wrong: the area of a circle is π times the radius squared; here 2 × π × 5"),
        ("Use circumference = pi * r^2.", "wrong: the circumference of a circle is 2π times the radius; here pi * r^2"),
        ("The volume of the cone is π × r² × h.", "wrong: the volume of a cone is a third of π r² h; here π × r^2 × h"),
        ("The perimeter of the rectangle is 3 × 4 = 12.", "wrong: the perimeter of a rectangle is twice the sum of its sides; here 3 × 4"),
        ("The angles of a triangle add up to 360°.", "wrong: these angles add to 180°, not 360°"),
        ("The sum of the angles of a quadrilateral is 180°.", "wrong: these angles add to 360°, not 180°"),
        ("∠ABC + ∠BCA + ∠CAB = 200°", "wrong: the angles of a triangle add to 180°, not 200°"),
        ("Because the lines are parallel, corresponding angles are supplementary.", "wrong: corresponding angles are equal"),
        ("Between parallel lines, co-interior angles are equal.", "wrong: co-interior angles are supplementary"),
        ("The slope is run divided by rise.", "wrong: the slope is rise over run"),
        ("The mean is (3 + 4 + 5) / 4 = 3.", "wrong: a mean of 3 numbers divides by 3, not by 4"),
        ("To get 16% of 400, multiply by 16 and divide by 1000.", "wrong: a percent is divided by 100, not by 1000"),
    ],
)  # fmt: skip
def test_a_formula_used_wrongly_is_found_wrong(find: Any, text: str, explanation: str) -> None:
    assert explanation in [finding.explanation for finding in find(text)[0] if finding.kind == "formula-wrong"]


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        (("There is a right angle at B.", "AC² = 3² + 4² = 25"), "formula-right"),
        (("There is a right angle at B.", "AB² = 5² + 4² = 41"), "formula-wrong"),
        (("There is a right angle at B.", "BA² = 5² - 4² = 9"), "formula-right"),
    ],
)
def test_pythagoras_depends_on_where_the_right_angle_is(kinds: Any, steps: tuple[str, str], kind: str) -> None:
    assert kind in kinds(*steps)[1]


def test_a_sum_is_divided_by_how_many_it_added_even_a_step_later(kinds: Any) -> None:
    question = "What is the mean of the numbers?"
    assert "formula-wrong" in kinds("1 + 7 + 4 + 4 = 16", "16 ÷ 5 = 3.2", question=question)[1]
    assert "formula-right" in kinds("1 + 7 + 4 + 4 = 16", "16 ÷ 4 = 4", question=question)[1]
    assert "formula-wrong" in kinds("1 + 7 + 4 + 4 = 16", "So the mean is 16.", question=question)[1]


@pytest.mark.parametrize(
    ("question", "step", "kind"),
    [
        ("How many more cats than dogs are there?", "9 + 4 = 13", "method-wrong"),
        ("How many more cats than dogs are there?", "9 - 4 = 5", "method-right"),
        ("By how much is Oslo greater than Rome?", "Now add the two values.", "method-wrong"),
        ("How many cats and dogs are there in total?", "9 - 4 = 5", "method-wrong"),
        ("How many cats and dogs are there in total?", "9 + 4 = 13", "method-right"),
    ],
)
def test_the_operation_must_fit_the_question(kinds: Any, question: str, step: str, kind: str) -> None:
    assert kind in kinds(step, question=question)[0]


@pytest.mark.parametrize(
    ("statement", "explanation"),
    [
        ("The greatest number is 9.", "right: the greatest of the numbers is 9"),
        ("The greatest number is 7.", "wrong: the greatest of the numbers is 9, not 7"),
        ("The least number is 1.", "right: the least of the numbers is 1"),
        ("There are 6 numbers.", "wrong: the count of the numbers is 5, not 6"),
        ("The median is 3.", "right: the median of the numbers is 3"),
        ("The median is 5.", "wrong: the median of the numbers is 3, not 5"),
        ("The mode is 3.", "right: the mode of the numbers is 3"),
        ("The number that occurs most often is 9.", "wrong: the mode of the numbers is 3, not 9"),
        ("The range is 8.", "right: the range of the numbers is 8"),
    ],
)
def test_statements_are_about_the_numbers_listed_last(find: Any, statement: str, explanation: str) -> None:
    found = find("Read the numbers from the table.\n\n3, 5, 9, 1, 3", statement)[1]
    assert explanation in [finding.explanation for finding in found]


def test_numbers_put_in_order_must_be_the_same_numbers(find: Any) -> None:
    found = find("The numbers are 3, 5, 9, 1.", "In order: 1, 3, 5, 8.")[1]
    assert "wrong: the ordered numbers are not the numbers listed before (lost 9, new 8)" in [
        finding.explanation for finding in found
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("After the usual steps we arrive at 55.", "skipped-work"),
        ("Please provide the diagram.", "refusal"),
        ("This cannot be determined from the figure.", "refusal"),
    ],
)
def test_steps_without_work_are_noted(kinds: Any, text: str, kind: str) -> None:
    assert kind in kinds(text)[0]
