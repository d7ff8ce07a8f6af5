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
        ("Options (a) and (c) can be eliminated, which leaves (b).", "B"),
        ("I would choose (c).", "C"),
        ("Looking closely, option B is correct.", "B"),
        ("C is the correct answer.", "C"),
        ("<answer>b</answer>", "B"),
        ("A resposta correta é a alternativa C.", "C"),
        ("La respuesta correcta es la opción B.", "B"),
        ("正解はCです。", "C"),
        ("Unfortunately, the picture is not clear. Options are (a) 90 degrees and (b) 45 degrees.", None),
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
        ("A diameter passes through the center.\n\nIn this case, CD passes through the center.\n\nSo", None),
        (
            "A diameter is a line segment that passes through the center. In the figure, AB does not pass through",
            "False",
        ),
        ("A diameter is a line segment that passes through the center and connects two points of the", None),
        ("The statement says that AB is a diameter of a circle. Looking at the picture, we see", None),
        ("So no.", "False"),
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


QUADRILATERAL = "There is no quadrilateral ABCD in this figure. True or False?\n\nA quadrilateral is a polygon having four edges (sides)."
CROSSING = 'In panel (c), the lines "Ours" and "Base" intersect or overlap. True or False?'


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (QUADRILATERAL, "The shape with these four points meets the definition of a quadr", "False"),
        (
            QUADRILATERAL,
            'Therefore, this shape has four edges (AB, BC, CD and DA).\n\nBased on this, the statement "There',
            "False",
        ),
        (QUADRILATERAL, "For a quadrilateral ABCD there must be four edges. No line connects", None),
        (
            QUADRILATERAL,
            "Even though DA is not drawn in full, the quadrilateral ABCD (not to be confused with BCDE) is visible",
            "False",
        ),
        (CROSSING, "The lines Ours and Base cross near x = 5.", "True"),
        (
            CROSSING,
            "Ours starts at 0.2 and Base at 0.4. The two lines do not meet at any point.\n\n**Conclusion",
            "False",
        ),
        (CROSSING, "Ours starts at 0.2 and Base at 0.4. Both lines", None),
    ],
)
def test_who_says_the_statement_again_or_what_defines_it_has_judged_it(
    question: str, text: str, answer: str | None
) -> None:
    assert final_answer(text, question, TRUTH) == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Is the last bar the tallest?", "Yes", "Yes"),
        ("Is the last bar the tallest?", "The first bar is taller. So no.", "No"),
        ("Tim has $5. Does Tim have enough for a pen?", "Tim has $5.", None),
        ("Which country has the tallest bar?", "Peru", "Peru"),
        ("Which country has the tallest bar?", "The country with the tallest bar is Peru.", "Peru"),
        ("Which country has the tallest bar?", "The country is shown in red.", None),
        ("What is x?", "x = 7", "7"),
        ("What is the average?", "Not sure.", None),
        ("What is the average?", '{"answer": "12"}', "12"),
        ("What is the area?", "†Answer: \\frac{\\sqrt{35", None),
    ],
)
def test_free_questions_are_answered_by_yes_and_no_by_names_and_by_bare_values(
    question: str, text: str, answer: str | None
) -> None:
    assert final_answer(text, question) == answer


def test_the_left_side_of_an_equation_is_no_option_but_a_name_beside_one_is() -> None:
    assert final_answer("So the product is 3 \\cdot 7 = 21.", "What is the product?", ("3", "7")) is None
    names = ("Blue", "Red", "Green")
    assert (
        final_answer(
            "The highest line at x = 10 is Green. The Blue line is lower.", "Which line is highest at x = 10?", names
        )
        == "C"
    )


def test_who_finds_no_option_that_fits_has_still_reached_a_value() -> None:
    text = "∠A = 180° - 150°\n∠A = 30°\n\nTherefore, the correct answer is not among the given choices. The correct answer should be"
    assert final_answer(text, "How large is ∠A?", ("25°", "35°")) == "30°"


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


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is x?", '```json\n{"answer": 5}\n```', "5"),
        ("How many are there?", "I count 6... no wait, 5. Final: 5", "5"),
        ("How many are there?", "The answer could be 4 or 5, depending on the outer one.", None),
        ("How far is it?", "Therefore, it is 0.016 meters or 1.6 centimeters.", "1.6 centimeters"),
        ("How much would 3 pens cost?", "A pen costs $2. 3 × $2 = $6. You would pay $6 in total.", "$6"),
        ("What are the coordinates of P?", "The coordinates of P are **(3, −2)**.", "(3, −2)"),
        ("What are the solutions?", "x = 2 or x = 5", "x = 2 or x = 5"),
        ("What is the equation of the line?", "Hence, the equation of the line is $y = 2x + 3$.", "y = 2x + 3"),
        ("What was the revenue?", "About 3.4 billion dollars.", "3.4 billion dollars"),
        ("How fast is it?", "60 km/h", "60 km/h"),
        ("How many votes did Ann get?", "12 votes", "12 votes"),
        ("How many hats are there?", "No one wears a hat.", "0"),
        ("How many subplots are there?", "It consists of 6 subplots arranged in 2 rows.", "6"),
        ("What is the difference?", "The difference is 23 units (85 minus 62).", "23"),
        ("What is the length?", "4.5 km + 3.2 km = 7.7 km", "7.7 km"),
        ("What is left?", "The result is:\n$$\n-7\n$$", "-7"),
        ("What is the distance?", "I need the picture.", None),
        ("一共有多少个苹果?", "一共有15个苹果。", "15"),
        ("Which month had the most rain?", "The bar of July is tallest. Therefore, July had the most rain.", "July"),
        ("Which month had the most rain?", "May had 3 mm. The month with the most rain is July (9 mm).", "July"),
        ("Which month had the most rain?", "Based on the chart we see the months and the rain.", None),
        ("Is it larger than the first?", "It isn't; the first is 41.", "No"),
        ("Is the triangle isosceles?", "All sides differ, so it is not isosceles.", "No"),
        ("Is the triangle isosceles?", "Two sides are 5, the triangle is isosceles.", "Yes"),
    ],
)
def test_short_replies_answer_in_many_manners(question: str, text: str, answer: str | None) -> None:
    assert final_answer(text, question) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A. 3 ✗\nB. 4 ✓\nC. 5 ✗", "B"),
        ("Let us look at each.\nA: 3 is too small.\nB: 4 would need a slope of 2.", None),
        ("La opción correcta es la B.", "B"),
        ("Answer: A... no, it should be C.", "C"),
        ("A is too small, D is too large. C it is.", "C"),
        ("I'll go with B.", "B"),
        ("The slope is not given, so y cannot be determined.", "D"),
        ("Since nothing fits, I pick the closest one, B.", "B"),
        ("It must be 4, not 5.", "B"),
        ("The correct choice here is B, though the print is small.", "B"),
    ],
)
def test_options_are_ticked_weighed_and_picked(text: str, answer: str | None) -> None:
    assert final_answer(text, "Find y.", ("3", "4", "5", "Cannot be determined")) == answer
