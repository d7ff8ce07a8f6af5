"""Equations in sentences: what is checked, what is right, what is wrong and why, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "3 × 4 = 12",
        "3 pounds × $1.45 per pound = $4.35",
        "The price is $4.42/pound, so 3 pounds × $4.42/pound = $13.26.",
        "5 belts x 3 shelves = 15 belts.",
        "Erik will have $7,616.00 - $2,960.00 = $4,656.00 left if he buys a parrot.",
        r"$\frac{1}{2} \times 8 = 4$",
        r"\[ \sqrt{3^2 + 4^2} = \sqrt{25} = 5 \]",
        "40% of 50 = 20",
        "16% of 400 is 64.",
        "0.25 × 100 = 25%",
        "25 / 100 = 25%",
        "2/3 ≈ 0.67",
        "687 ÷ 8 = 85.875",
        "1) 3 + 4 = 7",
        "(3 + 4 = 7, as above)",
        "2,960 < 7,616",
        r"\cos 60^\circ = 0.5",
        "- 12 + 3 = 15 (a bullet, not a minus)",
        "First (45−41)/1=4",
    ],
)
def test_a_right_equation_is_found_right(find: Any, text: str) -> None:
    found = [finding for finding in find(text)[0] if finding.kind.startswith("equation")]
    assert [finding.kind for finding in found] == ["equation-right"] * len(found)
    assert found
    assert found[0].explanation.startswith("right: ")


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("87 + 94 + 91 = 282", "wrong: 87 + 94 + 91 = 282, but it is 272"),
        ("3 pounds × $1.45 = $4.53", "wrong: 3 pounds × $1.45 = $4.53, but it is 4.35"),
        ("10 / 4 = 3 = 3", "wrong: 10 / 4 = 3, but it is 2.5"),
        ("7 > 9", "wrong: 7 > 9"),
        ("2/3 ≈ 0.8", "wrong: 2/3 ≈ 0.8, but it is 2/3"),
        ("(7 - -7 * 4) = (7 - 28)", "wrong: (7 - -7 * 4) = (7 - 28), but it is 35"),
        ("16% of 400 is 73.", "wrong: 16% of 400 = 73, but it is 64"),
    ],
)
def test_a_wrong_equation_is_found_wrong_with_the_true_value(find: Any, text: str, explanation: str) -> None:
    wrong = [finding.explanation for finding in find(text)[0] if finding.kind == "equation-wrong"]
    assert wrong == [explanation]


@pytest.mark.parametrize(
    "text",
    [
        "22:20 - 10:20 = 12 hours",
        "1 + 2 + ... + 8 = 36",
        "3 apples = 9 plums",
        r"\binom{18}{3} = 816",
        "If we try 4 + 5 = 3 + 1, it is not correct.",
        "f(2) = 3",
        "= = = 5",
        "There are 7 days, so we go on.",
        r"\frac{1}{2 = 7",
    ],
)
def test_what_is_no_equation_of_numbers_is_left_alone(kinds: Any, text: str) -> None:
    assert not {kind for kind in kinds(text)[0] if kind.startswith("equation")}


def test_a_letter_keeps_the_value_that_a_step_gave_it(find: Any) -> None:
    found = find("A = 5", "Then A = 6")
    assert ("value-changed", "changed: A = 6, but step 0 has A = 5") in [(f.kind, f.explanation) for f in found[1]]


def test_a_letter_stands_for_its_value_in_a_later_sum(find: Any) -> None:
    found = find("A = 2 × 3 = 6", "B = 4", "A + B = 6 + 5 = 11")
    assert [f.explanation for f in found[2] if f.kind == "substitution-differs"] == [
        "does not hold: A + B = 6 + 5 with A = 6, B = 4"
    ]


def test_a_segment_is_the_same_from_either_end(kinds: Any) -> None:
    assert "value-changed" in kinds("AB = 5 cm", "So BA = 7 cm")[1]
    assert "definition-right" in kinds("Angle ABC is labeled 40°.", "Hence ∠CBA = 40°.")[1]


@pytest.mark.parametrize(
    "steps",
    [
        ("x = 2 or x = 3",),
        ("x = 2", "If x = 5, then nothing fits."),
        ("x = 2", "The graph has a corner at x = 4."),
        ("LJ² = 41² - 9²", "The square of LJ is 1681 - 81 = 1600."),
        ("BC = 4", "BC is 3 times as long as AB."),
    ],
)
def test_cases_places_and_comparisons_contradict_nothing(kinds: Any, steps: tuple[str, ...]) -> None:
    assert not {kind for found in kinds(*steps) for kind in found if kind in ("value-changed", "algebra-wrong")}


QUESTION = "(((-9 - 5 - 0) - (4 + 3 + -5)) - ((3 * 4) * (7 - -7))) ="
REWRITTEN = 'This equation can be written as "A - B - C", where A = (-9 - 5 - 0), B = (4 + 3 + -5), and C = ((3 * 4) * (7 - -7)).'


def test_a_rewriting_of_the_question_is_checked_with_its_parts(kinds: Any) -> None:
    assert "definition-right" in kinds(REWRITTEN, question=QUESTION)[0]
    assert "definition-wrong" in kinds(REWRITTEN.replace("A - B - C", "A - B + C"), question=QUESTION)[0]
    assert "definition-wrong" in kinds(REWRITTEN.replace("4 + 3", "4 + 2"), question=QUESTION)[0]


def test_a_part_must_be_the_one_defined_and_a_wrong_result_is_not_blamed_on_its_user(kinds: Any) -> None:
    found = kinds(
        REWRITTEN,
        "Let's calculate A = (-9 - 5 - 0) = -14.",
        "Let's calculate B = (4 + 3 + -4) = 3.",
        "Then, the final equation is A - B - C = -14 - 3 - 168 = -185. So the answer is -185",
        question=QUESTION,
    )
    assert "definition-right" in found[1]
    assert "definition-wrong" in found[2]
    assert not {kind for kind in found[3] if kind.endswith("-wrong")}
