"""All that a step asserts, as logical forms with their places: sentences as models write them."""

from __future__ import annotations

import pytest

from evpv.language.assertions import _says_nothing, assertions

FORMS: list[tuple[str, list[str]]] = [
    ("Ann has 12 apples and Ben 9.", ["Value", "Value"]),
    ("From the table:\n- pen: $2\n- **ruler:** $3", ["Value", "Value"]),
    ("| Name | 2019 |\n|---|---|\n| Ann | 5 |\n| Ben | 7 |", ["Value", "Value"]),
    ("Ann scored 3 more than Ben, and Cat has the highest score.", ["Value", "Comparison"]),
    ("Sales fell from 26% to 20%.", ["Value"]),
    ("The data in ascending order are 1, 4, 5 and 9.", ["Value"]),
    ("Only Ann and Ben exceed 80.", ["Value"]),
    ("Rent takes a third of the budget.", ["Value"]),
    (r"\(AB = 5\) and \(\angle ABC = 40^\circ\), and AB ∥ CD.", ["Measure", "Measure", "Between"]),
    ("AB is labeled 4x + 1.", ["Measure"]),
    ("10 + 81 + 9 = 100 graduates in total.", []),
    ("0.38 × 2500 = 950.", []),
    ("Let's add up all the values.", []),
    ("By the Law of Cosines, c^2 = a^2 + b^2.", []),
]


@pytest.mark.parametrize(("text", "names"), FORMS, ids=[text[:40] for text, _ in FORMS])
def test_the_forms_of_a_step(text: str, names: list[str]) -> None:
    assert [type(one.form).__name__ for one in assertions(text)] == names


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Ann has **12** and Ben 9.", ["Ann has **12", "Ben 9."]),
        (r"We see that \(AB = 5\).", ["AB = 5"]),
    ],
)
def test_spans_are_places_in_the_source(text: str, spans: list[str]) -> None:
    assert [text[one.span[0] : one.span[1]] for one in assertions(text)] == spans


def test_what_follows_so_is_a_conclusion() -> None:
    assert [one.derived for one in assertions("Ann has 12, so Ben has 9.")] == [False, True]


@pytest.mark.parametrize(
    "text", ["What is the mode?", "First, find the price.", "Suppose Ann had 5.", "We need to find x."]
)
def test_plans_and_questions_assert_nothing(text: str) -> None:
    assert _says_nothing(text)
