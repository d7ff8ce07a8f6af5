"""What the figure itself shows of a question: a drawing measured, and question and answer as one statement."""

from __future__ import annotations

from typing import Any

import pytest

from evpv.judges.checks.answers import _answers_shown
from evpv.judges.checks.drawings import drawing_of, drawn_answer
from evpv.language.questions import statement
from evpv.types import Constraint, Numeric, Structure

DRAWING = Structure(
    type="drawing",
    parts=(),
    adjacency=("A-B", "B-D-C", "A-C", "A-O"),
    extra={
        "points": {"A": [0, 0], "B": [0, 40], "C": [40, 40], "D": [20, 40], "O": [20, 20]},
        "circles": [[20, 20, 28.3]],
    },
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which is a reasonable estimate of the angle ABC in the figure?", 90),
        ("Estimate ∠ACB.", 45),
        ("Line BC is X times longer than BD. Which estimate of X is reasonable?", 2),
        ("ABC is X times larger in area than ABD. Which is a reasonable estimate?", 2),
        ("There is a triangle ABC in the figure. True or False?", True),
        ("There is no triangle ABC in the figure. True or False?", False),
        ("There is a triangle ABD in the figure. True or False?", False),
        ("There is a triangle BDC in the figure. True or False?", False),
        ("In the figure, the line AC is a diameter of a circle. True or False?", True),
        ("In the figure, the line AB is not a diameter of a circle. True or False?", True),
        ("In the figure, the line AO is a radius of a circle. True or False?", True),
        ("If AB = 8, then the length of BC is ()", 8),
        ("若AB＝8，则△ABC的面积为（）", 32),
    ],
)
def test_a_drawing_is_measured_for_what_is_asked(question: str, shown: float | bool) -> None:
    drawing = drawing_of([DRAWING])
    assert drawing is not None
    found = drawn_answer(question, drawing)
    assert found is not None
    assert found.shown == pytest.approx(shown)


@pytest.mark.parametrize(
    "question",
    [
        "What is the angle XYZ in the figure?",
        "If ∠ABC = 60°, then the degree of ∠ACB is ()",
        "If AB = 8 and BC = 20, then the length of AC is ()",
        "If AB = 8, then the distance from O to BC is ()",
        "How many people are there?",
        "There is a triangle AXB in the figure. True or False?",
    ],
)
def test_what_was_not_drawn_or_not_to_scale_is_not_measured(question: str) -> None:
    drawing = drawing_of([DRAWING])
    assert drawing is not None
    assert drawn_answer(question, drawing) is None


ANGLE = "Which of the options is a reasonable estimate of the angle ABC in the figure?"


@pytest.mark.parametrize(("answer", "kind"), [("A", "shown-right"), ("B", "shown-wrong")])
def test_an_answer_is_told_by_the_drawing(kinds: Any, answer: str, kind: str) -> None:
    found = kinds(
        f"The answer is {answer}.", question=ANGLE, options=("90 degrees", "45 degrees"), constraints=[DRAWING]
    )
    assert kind in found[0]


def test_a_drawing_beside_given_values_only_refutes_what_is_far_off(kinds: Any) -> None:
    asked = {"question": "If ∠ABC = 90°, then the degree of ∠ACB is ()", "options": ("40°", "45°", "85°")}
    found = [kinds(f"The answer is {letter}.", **asked, constraints=[DRAWING])[0] for letter in "ABC"]
    assert [sorted(kind for kind in one if kind.startswith("shown")) for one in found] == [[], [], ["shown-wrong"]]


PRICES: list[Constraint] = [
    Numeric(entity="tea", attribute="price", value=4.0, row="tea", column="price"),
    Numeric(entity="milk", attribute="price", value=2.0, row="milk", column="price"),
]


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("What is the price of tea?", "4", "the price of tea is 4."),
        (
            "How many cities have fewer than 70 billboards? (Unit: cities)",
            "9",
            "9 cities have fewer than 70 billboards.",
        ),
        ("According to the table, which year has the least rain?", "2015", "2015 has the least rain."),
        ("Why is the sky blue?", "2", None),
    ],
)
def test_question_and_answer_make_a_statement(question: str, answer: str, said: str | None) -> None:
    assert statement(question, answer) == said


def test_an_answer_is_only_refuted_beside_one_that_holds() -> None:
    asked = "What is the price of tea?"
    assert _answers_shown(asked, ["4", "7"], PRICES) == {"4": True, "7": False}
    assert _answers_shown(asked, ["7", "9"], PRICES) == {}
    assert _answers_shown("The price of tea is 4. True or False?", ["True", "False"], PRICES) == {
        "True": True,
        "False": False,
    }
    assert _answers_shown(asked, ["4", "7"], ()) == {}
