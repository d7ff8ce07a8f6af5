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
        r"\sqrt{\frac{0.10}{750}} = \sqrt{0.00013333}",
    ],
)
def test_a_right_equation_is_found_right(find: Any, text: str) -> None:
    found = [observation for observation in find(text)[0] if observation.kind.startswith("equation")]
    assert [observation.kind for observation in found] == ["equation-right"] * len(found)
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
    wrong = [observation.explanation for observation in find(text)[0] if observation.kind == "equation-wrong"]
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
        "6 (on the roof) + 2 + 5 = 13",
        r"p = \frac{6 \text{ cm} - 2.6 \text{ cm}}{2} = 1.7",
        r"There are $\frac{9!}{2} = 60480$ ways.",
        "4 * 3 choose 3 = 3 * 4",
    ],
)
def test_what_is_no_equation_of_numbers_is_left_alone(kinds: Any, text: str) -> None:
    assert not {kind for kind in kinds(text)[0] if kind.startswith("equation")}


@pytest.mark.parametrize(
    "steps",
    [
        ("x = 2 or x = 3",),
        ("A = 5", "Then A = 6"),
        ("x = 2", "If x = 5, then nothing fits."),
        ("LJ² = 41² - 9²", "The square of LJ is 1681 - 81 = 1600."),
        ("BC = 4", "BC is 3 times as long as AB."),
    ],
)
def test_what_a_letter_stands_for_is_its_writers_affair(kinds: Any, steps: tuple[str, ...]) -> None:
    assert not {kind for found in kinds(*steps) for kind in found if kind.endswith("-wrong")}


def test_a_wrong_result_is_inherited_by_its_user_and_by_nobody_else(kinds: Any) -> None:
    found = kinds("A = 4 + 3 - 5 = 3", "B = 12 - 4 = 8", "A - B = 3 - 8 = -5")
    assert ["equation-wrong" in found[0], "inherited" in found[1], "inherited" in found[2]] == [True, False, True]
