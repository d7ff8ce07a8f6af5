"""Final answers as models give them: announced, boxed, bare, concluded; options by letter, text and value; none where none is given."""

from __future__ import annotations

import pytest

from evpv.language.answers import answer_key, chosen_option
from evpv.language.final_answers import final_answer

ANGLES = ("90 degrees", "45 degrees", "135 degrees")
TRUTH = ("True", "False")
STATEMENT = "In the figure, the line AB is a diameter of a circle. True or False?"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The angle looks acute.\n\n(b) 45 degrees", "B"),
        ("Final answer: (b) 45 degrees", "B"),
        ("Given the options, the best estimate would be:\n\nb) 45 degrees\n\nIt is not obtuse.", "B"),
        ("It is less than 90 degrees. Therefore, the most reasonable estimate is 45 degrees.", "B"),
        ("The only option that is obtuse is (c) 135 degrees.", "C"),
        ("The correct option is:\nC", "C"),
        ("∴∠A=135°．\n故答案选C．", "C"),
        ("It is between 45 degrees and 90 degrees, so option (c) is unlikely.", None),
        ("The angle is half of the", None),
        ("If the lines are parallel, then the degree of the angle is (B)", "B"),
        ("So it is obtuse: \\boxed{156^\\circ}", "156^\\circ"),
        (
            "It must be acute. Option (b) 45 degrees seems reasonable because it is smaller than a right angle and could be",
            None,
        ),
        ("La respuesta correcta es C.", "C"),
        ("The answer is not among the options. The correct answer should be 70 degrees.", "70 degrees"),
        ("I can't process this file.", None),
    ],
)
def test_an_option_is_found_however_it_is_named(text: str, answer: str | None) -> None:
    assert final_answer(text, "Estimate the angle.", ANGLES) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("True.\n\nThe line passes through the center.", "True"),
        ("**False**", "False"),
        ("It misses the center.\n\nTherefore, the statement is false.", "False"),
        ("The statement is not correct.", "False"),
        ("It misses the center. Therefore, AB is not a diameter of the circle.", "False"),
        ("To determine if AB is a diameter, we need to look at the", None),
    ],
)
def test_true_and_false_are_heard_bare_stated_and_concluded(text: str, answer: str | None) -> None:
    assert final_answer(text, STATEMENT, TRUTH) == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How much does Tim need for 2 games?", "$20 + $65 = $85\n\nTherefore, Tim needs $85 to buy 2 games.", "$85"),
        ("How many blocks have exactly 36 houses?", "Look at the stem. Therefore, 1 block has exactly 36 houses.", "1"),
        ("How many farms have 8 cows?", "There are no farms with 8 cows.", "0"),
        ("What is the median?", "The numbers are 2, 5, 6, 6, 8.\nThe median is 6.\n6", "6"),
        ("What is the average?", "Rounding, the average is:\n\\[\n51.05\\%\n\\]", "51.05%"),
        ("What is d?", "Substituting,\n\\[ d = \\sqrt{0.1/", None),
        ("¿Cuánto es?", "Sumamos. Respuesta: 12", "12"),
        ("Was ist x?", "Die Antwort ist 7.", "7"),
        ("x는?", "정답은 2번입니다.", "2"),
        ("Que vaut x ?", "La réponse est donc 12.", "12"),
        ("Quelle est l'aire ?", "Donc, l'aire est 24 cm².", "24 cm^2"),
        ("How many?", "8\\boxed{}", "8"),
        ("What is the ratio of A to B?", "Therefore, the ratio of A to B is 14:1.", "14:1"),
        ("When did it grow most?", "Therefore, it grew most between 2004 and 2011.", "2004 to 2011"),
        ("How many votes were cast?", "If she got 30% of them, then there were 36 / 30 × 100 = 120 votes cast.", "120"),
        ("Do all these people have the same gender?", "There are 5 people. Therefore, 2 of them are women.", None),
        ("Which property do these two objects have in common?", "So, these 2 objects are both solid.", None),
        ("Which room does she end up in?", "So she ends up in room 2.", "2"),
    ],
)
def test_a_value_is_found_where_a_solution_concludes(question: str, text: str, answer: str | None) -> None:
    assert final_answer(text, question) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("As a text-based AI model, I'm unable to see images. Could you please provide a description?", None),
        ("Without the image it is impossible to answer. Please provide a clear picture.", None),
        ("So she sees picture A.", "A"),
        ("Therefore, A is the missing piece.", "A"),
        ("Therefore, the answer is (A), (C), and (E).\n\n\\boxed{\\text{ACE}}", "ACE"),
        ("It points to 3 o'clock.\n\nThe answer is \\boxed{3}.\n\nNote: a quarter is 90 degrees.", "3"),
    ],
)
def test_an_article_is_no_option_and_several_letters_are_none(text: str, answer: str | None) -> None:
    assert final_answer(text, "Which piece is missing?", ("A", "B", "C", "D", "E")) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Therefore the area is 9.\n\nThe sum is 4.5 + 18 = \\boxed{22.5}.", "22.5"),
        ("†Answer: 9", "B"),
        ("Option (a) 4 is too small.\n\nOption (b) 9", None),
        ("This means that the one is half of the other.\n\nTherefore, the ratio of the two", None),
    ],
)
def test_what_is_boxed_stands_though_it_is_no_option_and_a_list_of_options_chooses_none(
    text: str, answer: str | None
) -> None:
    assert final_answer(text, "How long is it?", ("$4 \\mathrm{~cm}$", "$9 \\mathrm{~cm}$")) == answer


def test_a_response_that_goes_round_gives_no_answer() -> None:
    rounds = "\n".join(f"Step {i}: ∠MBA = 180° - 76° - {i}° = 56°." for i in range(12))
    assert final_answer(f"{rounds}\nStep 12: ∠MBA = 1", "Find the size of the angle MBD.") is None


def test_who_names_an_option_and_boxes_another_value_has_chosen_the_option() -> None:
    text = "The correct answer is **(A) 140°**.\n\nSo the measure of the arc is $\\boxed{70^\\circ}$."
    assert final_answer(text, "How large is the angle AOC?", ("140°", "130°", "120°")) == "A"


def test_who_cannot_conclude_concludes_nothing() -> None:
    text = "Line AB connects two points of the circle. We cannot definitively conclude whether AB is a diameter.\n\nTherefore, without"
    assert final_answer(text, STATEMENT, TRUTH) is None


def test_a_value_in_bold_goes_before_what_is_said_after_it() -> None:
    text = "To two places, the energy is **-0.2 J**.\n\nIn other words, it releases 0.2 joules. So it is attractive."
    assert final_answer(text, "What is the energy?") == "-0.2 J"


def test_an_option_that_is_ruled_out_is_not_chosen() -> None:
    assert chosen_option("less than 90 degrees but more than 45 degrees", ANGLES) is None


def test_a_letter_and_its_text_are_one_vote() -> None:
    assert len({answer_key(said, ANGLES) for said in ("B", "(b) 45 degrees", "45°", "45 degrees", "Answer: B")}) == 1


@pytest.mark.parametrize("unit", ["answer is ", "\\boxed{", "5! ", "(a) ", ":\n", "```", "statement is ", "\n", "$"])
def test_no_text_costs_more_than_its_length(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert final_answer(text, "True or False?", TRUTH) in (None, "True", "False")
    assert len(final_answer(text, "How many?") or "") < len(text)


def test_words_and_numbers_of_other_scripts_are_told_apart() -> None:
    options = ("30°", "40°", "50°", "60°")
    text = "∠DCE是直角。\nAnswer: \n在这个问题中，∠ACE=180°-40°-90°=50°。因此，∠ACE的度数是50°。"
    assert final_answer(text, "若∠BCD＝40°，则∠ACE的度数是（）", options) == "C"


def test_a_response_that_stops_inside_a_quotation_breaks_off() -> None:
    text = 'Since AB passes through O, it meets the criteria for being a diameter.\n\nTherefore, the statement "In the figure'
    assert final_answer(text, "In the figure, the line AB is a diameter of a circle. True or False?", TRUTH) == "True"
