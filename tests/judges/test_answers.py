"""Final answers, and what the judge may say of them with evidence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from evpv.judges.checks.answers import _as_answer, stated_answer
from evpv.judges.checks.observations import Observation, shipped_model
from evpv.types import Candidate, Numeric, Problem, Step, Structure

PRICES = (
    Numeric(entity="teapot", attribute="value", value=38.0),
    Numeric(entity="casserole dish", attribute="value", value=20.0),
)
PETS = (
    Structure(type="table", parts=("Name", "Pets")),
    *(
        Numeric(entity=f"{name} Pets", attribute="value", value=float(n))
        for name, n in zip("ABCD", (3, 5, 9, 1), strict=True)
    ),
)


@pytest.mark.parametrize(
    ("text", "options", "option", "value"),
    [
        ("(B) no.", ("yes", "no"), 1, None),
        ("B", ("yes", "no"), 1, None),
        ("No, he does not.", ("yes", "no"), 1, None),
        ("Web Page Design class", ("Word Processing class", "Web Page Design class"), 1, None),
        ("$4,656.00", (), None, 4656),
        ("3/10", (), None, Fraction(3, 10)),
        ("12 cm", ("10 cm", "12 cm"), 1, 12),
        (r"\frac{1}{2}", ("0.25", "0.5"), 1, Fraction(1, 2)),
        ("1 and 9", (), None, None),
    ],
)
def test_an_answer_is_read_as_an_option_or_a_value(
    text: str, options: tuple[str, ...], option: object, value: object
) -> None:
    answer = _as_answer(text, tuple(options))
    assert (answer.option, answer.value) == (option, value)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["The answer is 12."], 12),
        (["Laura needs $56,672.00 to buy 8 watches."], 56672),
        (["There are no farms with 8 cows."], 0),
        (["There are two farms."], 2),
    ],
)
def test_an_answer_is_found_where_a_solution_ends(steps: list[str], expected: int) -> None:
    question = "How many farms with 8 cows are there, and how much does Laura need to buy 8 watches?"
    candidate = Candidate(id="a", steps=tuple(Step(text=step) for step in steps))
    answer = stated_answer(candidate, Problem(id="p", question=question))
    assert answer is not None
    assert answer.value == expected


def test_an_answer_beside_the_options_is_a_fault(kinds: Any) -> None:
    assert "answer-not-an-option" in kinds("3 × 4 = 12", "The answer is 13.", options=("10", "12"))[-1]
    assert "answer-not-an-option" not in kinds("3 × 4 = 12", "The answer is B.", options=("10", "12"))[-1]


def test_pictures_named_by_letters_are_options_that_words_may_describe(kinds: Any) -> None:
    assert "answer-not-an-option" not in kinds("The answer is the red one.", options=("A", "B", "C"))[0]


def test_who_is_asked_and_gives_no_answer_is_in_doubt_and_not_at_fault(kinds: Any) -> None:
    unfinished = ("Ann's bar is the tallest.", "So the number of")
    assert kinds(*unfinished, question="How many votes did Ann get?") == [set(), {"unanswered"}]
    assert kinds(*unfinished, question="") == [set(), set()]
    assert shipped_model().probability([Observation("unanswered", "")]) > 0.5


def test_the_answer_is_compared_with_the_one_worked_out(find: Any) -> None:
    question = "How much money does Philip need to buy 6 teapots and 2 casserole dishes?"
    right = find("He needs $268. The answer is 268.", question=question, constraints=PRICES)[0]
    wrong = find("He needs $58. The answer is 58.", question=question, constraints=PRICES)[0]
    reason = "(6 × teapot at 38 + 2 × casserole dish at 20)"
    assert f"right: worked out again, the answer is 268 {reason}" in [observation.explanation for observation in right]
    assert f"wrong: worked out again, the answer is 268, not 58 {reason}" in [
        observation.explanation for observation in wrong
    ]


def test_a_fraction_is_not_answered_by_a_rounded_decimal(kinds: Any) -> None:
    question = "What fraction of the pets belong to B? Simplify your answer."
    assert "recomputed-right" in kinds("The answer is 5/18.", question=question, constraints=PETS)[0]
    assert "recomputed-wrong" in kinds("The answer is 0.28.", question=question, constraints=PETS)[0]
