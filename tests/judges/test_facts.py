"""Facts that a step states, Pythagoras, the operation that a question asks for, and work left out."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "The angles of a triangle add up to 180°.",
        "Corresponding angles are equal.",
        "Co-interior angles are supplementary.",
        "The slope is rise over run.",
        "To get 16% of 400, multiply by 16 and divide by 100.",
    ],
)
def test_a_fact_stated_rightly_is_found_right(kinds: Any, text: str) -> None:
    assert "formula-right" in kinds(text)[0]
    assert "formula-wrong" not in kinds(text)[0]


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("The angles of a triangle add up to 360°.", "wrong: the angles of a triangle add to 180°"),
        ("Because the lines are parallel, corresponding angles are supplementary.", "wrong: corresponding angles are equal"),
        ("Between parallel lines, co-interior angles are equal.", "wrong: co-interior angles are supplementary"),
        ("The slope is run divided by rise.", "wrong: the slope is rise over run"),
        ("To get 16% of 400, multiply by 16 and divide by 1000.", "wrong: a percent is divided by 100"),
    ],
)  # fmt: skip
def test_a_fact_stated_wrongly_is_found_wrong(find: Any, text: str, explanation: str) -> None:
    assert explanation in [
        observation.explanation for observation in find(text)[0] if observation.kind == "formula-wrong"
    ]


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


def test_steps_without_work_are_noted(kinds: Any) -> None:
    assert "skipped-work" in kinds("After the usual steps we arrive at 55.")[0]
