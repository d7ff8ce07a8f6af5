"""Hard pairs of answers: what is the same, and above all what only looks the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from evpv.evaluation.answers import AnswerChecker

OPTIONS = ("36°", "54°", "72°", "90°")


@pytest.fixture(scope="module")
def checker() -> Iterator[AnswerChecker]:
    with AnswerChecker() as one:
        yield one


@pytest.mark.parametrize(
    ("gold", "given"),
    [
        ("1/2", "0.5"), (r"\frac{1}{2}", "0.5"), (r"2\sqrt{3}", r"\sqrt{12}"), ("1,200", "1200"), ("1200", "$1,200$"),
        ("x = 5", "5"), ("5", "x=5"), ("12 cm", "12"), ("12", "12 cm"), ("1.2 m", "120 cm"), ("50%", "0.5"), ("50%", "50"),
        ("x^2+2x+1", "(x+1)^2"), (r"\{1,2,3\}", r"\{3,2,1\}"), ("Yes", "yes."), ("The answer is 7.", "7"), ("B", "(B)"),
        ("B", "B. 54"), ("45", r"45^\circ"), ("45°", "45 degrees"), (r"\boxed{8}", "8"), ("8", r"\boxed{8}"), ("7:30", "7:30"),
        (r"\frac{\pi}{2}", r"\pi/2"), ("-5", "−5"), ("AB = 12", "12"), ("2^{10}", "1024"), ("$3", "3 dollars"), ("(1,2]", "(1,2]"),
        ("10", "10.0"), ("isosceles triangle", "Isosceles  triangle"), (r"6\pi", "6π"), ("0.25", r"\frac14"), ("1e3", "1000"),
    ],
)  # fmt: skip
def test_these_are_the_same_answer(checker: AnswerChecker, gold: str, given: str) -> None:
    assert checker.compare(gold, given).equal


@pytest.mark.parametrize(
    ("gold", "given"),
    [
        ("12 cm", "12 m"), ("12 cm", "12 kg"), ("5", "-5"), ("3.14", r"\pi"), ("7:30 am", "7:30 pm"), ("7:30", "8:30"), ("7", "7:30"),
        ("(1,2)", "(2,1)"), ("[1,2)", "(1,2)"), ("5", "5 or 6"), ("5", "56"), ("0.5", "5"), ("1/2", "2"), ("B", "C"), ("B", "A or B"),
        ("yes", "no"), ("2/3", "0.667"), (r"\{1,2\}", r"\{1,2,3\}"), ("x^2", "2x"), ("12", "1,2"), ("10", "100%"), ("right", "left"),
        (r"\sqrt{2}", "2"), ("7", "the seventh of May"), ("4", "4x"), ("3", ""), ("3", "   "), ("1000", "1.000"), ("45°", "54°"),
        ("red", "red and blue"), ("12", "12 cm and 13 cm"), ("6", "6!"), ("1", "__import__('os').getpid()"),
    ],
)  # fmt: skip
def test_these_only_look_the_same(checker: AnswerChecker, gold: str, given: str) -> None:
    assert not checker.compare(gold, given).equal


def test_no_answer_is_wrong_and_says_so(checker: AnswerChecker) -> None:
    assert checker.compare("3", None).way == "no answer"


@pytest.mark.parametrize(
    ("gold", "given", "equal"),
    [
        ("B", "54°", True), ("B", "54", True), ("54°", "(b)", True), ("B", "B", True), ("B", "B) 54°", True), ("B", "72°", False),
        ("B", "C", False), ("B", "55°", False), ("54°", "54 degrees", True), ("B", "B) 72°", False), ("17", "17", True), ("17", "B", False),
    ],
)  # fmt: skip
def test_an_option_is_its_letter_and_its_text(checker: AnswerChecker, gold: str, given: str, equal: bool) -> None:
    assert checker.compare(gold, given, OPTIONS).equal is equal


def test_options_that_share_a_value_are_told_apart_by_letter_only(checker: AnswerChecker) -> None:
    assert not checker.compare("A", "5", ("5", "5.0", "6")).equal
    assert checker.compare("A", "A", ("5", "5.0", "6")).equal


def test_what_takes_too_long_is_undecided_and_the_next_question_is_answered() -> None:
    with AnswerChecker(limit_s=1.0) as checker:
        started = time.monotonic()
        slow = checker.compare("2", "9^{9^{9^{9^{9}}}} - x^{99}")
        assert (slow.equal, slow.way) in ((False, "undecided"), (False, "algebra"))
        assert time.monotonic() - started < 90
        assert checker.compare(r"2\sqrt{3}", r"\sqrt{12}").equal


def test_threads_may_share_a_checker(checker: AnswerChecker) -> None:
    found: list[bool] = []

    def ask(number: int) -> None:
        found.append(checker.compare(rf"\sqrt{{{number * number}}} + 1", f"{number} + 1").equal)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
