"""The dependency auditor: which steps look, what they claim, and Appendix F's metrics."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv import records
from evpv.figures import families, make_problem
from evpv.language.calculations import Calculation, calculation
from evpv.premises.auditing import Audit, ChecklistCounts, Mode, audit, checklist_metrics, complete_claims
from evpv.premises.claims import Unclassifiable, parse
from evpv.types import Candidate, Step

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def audits(question: str, *steps: str) -> tuple[Audit, ...]:
    return audit(Candidate(id="a", steps=tuple(Step(text=text) for text in steps)), question)


ANGLE = "In the triangle shown, find ∠ACB in degrees."
PRICES = "How much money does Edward need to buy 2 navy blue bath mats?"

VISUAL = [
    # talk of the image
    (ANGLE, "The tick marks show that AB = AC."),
    (ANGLE, "Angle ABC is labeled 70° in the diagram."),
    ("Which entry is largest?", "The bar for Oakwood reaches 120."),
    ("What is the slope?", "Reading off the grid, the graph passes through (-1, -2)."),
    # a number or a relation that comes from nowhere
    (ANGLE, "We know that ∠ABC = 70°."),
    (ANGLE, "Note that $AB = AC$."),
    ("Which entry is largest?", "Meadow: 80."),
    (PRICES, "A navy blue bath mat costs $15."),
    ("What is the mean of the numbers?", "76, 94, 86, 84"),
    ("How long is the room?", "Since $AB \\parallel CD$, the two angles are equal."),
    ("How many sides are hidden?", "The polygon has 12 sides, so five are hidden."),
    # a calculation that starts from such numbers
    (PRICES, "2 × 15.25 = 30.50"),
    # how the figure is made, where things lie, what is compared at sight
    ("Find the volume.", "A cone is placed on top of a cylinder."),
    ("What are the angles?", "The six angles lie side by side along the edge of the paper."),
    ("Who had the highest score?", "Luna had the highest score."),
    # an instruction to look
    (PRICES, "Find the row for the bath mat and read the price."),
    (PRICES, "Read the numbers from the table."),
]

NOT_VISUAL = [
    (ANGLE, "The sum of the angles of a triangle is 180°."),
    (ANGLE, "In an isosceles triangle the base angles are equal."),
    (ANGLE, "The area of a circle is π × r²."),
    (ANGLE, "We need the measure of angle ACB."),
    (ANGLE, "Therefore ∠ACB is 55°."),
    (ANGLE, "The answer is 55°."),
    (ANGLE, "This is option C."),
    (PRICES, "Edward buys 2 navy blue bath mats."),
    (PRICES, "To find the total, multiply the price by 2."),
    (PRICES, "What does he need?"),
    (PRICES, ""),
    ("Emma has $1.72.", "Emma has $1.72."),
    ("Solve it.", "Unfortunately, there is no diagram provided."),
]


@pytest.mark.parametrize(("question", "text"), VISUAL)
def test_a_step_rests_on_the_image(question: str, text: str) -> None:
    (found,) = audits(question, text)
    assert found.visual, found.reason


@pytest.mark.parametrize(("question", "text"), NOT_VISUAL)
def test_a_step_does_not_rest_on_the_image(question: str, text: str) -> None:
    (found,) = audits(question, text)
    assert not found.visual, found.reason
    assert found.claim is None


def test_arithmetic_on_what_was_read_does_not_look_again() -> None:
    found = audits(PRICES, "The price of a navy blue bath mat is $15.25.", "2 × 15.25 = 30.50", "Edward needs $30.50.")
    assert [one.visual for one in found] == [True, False, False]


def test_a_product_nobody_wrote_down_is_still_derived() -> None:
    found = audits(PRICES, "A navy blue bath mat costs $15.", "2 navy blue bath mats cost $30.")
    assert [one.visual for one in found] == [True, False]


def test_the_same_value_of_another_thing_is_another_reading() -> None:
    found = audits("How many trees?", "Hilltop has 87 trees.", "Sunset has 87 trees.", "Sunset has 87 trees.")
    assert [one.visual for one in found] == [True, True, False]


def test_the_highest_of_values_already_read_is_compared_and_not_seen() -> None:
    found = audits("Who won?", "Luna has 87 points.", "Dillon has 80 points.", "Luna had the highest score.")
    assert [one.visual for one in found] == [True, True, False]


@pytest.mark.parametrize(
    ("question", "text", "claim"),
    [
        (PRICES, "Find the row for the parrot and read the price. The price is $1,123.00.", "parrot: The price is $1,123.00."),
        (PRICES, "Find the row for 3 mats and read the price. The price is $45.", "row 3 mats: The price is $45."),
        ("Dillon buys 5 kilograms.", "Cookie dough: $2.50/kilogram × 5 kilograms = $12.50", "Cookie dough: $2.50"),
        (ANGLE, "The arc at B is marked 70°, so ∠ABC = 70°.", "∠ABC = 70°."),
        (ANGLE, "There is a right-angle mark at C, so $CB \\perp CD$.", "CB ⟂ CD."),
        (ANGLE, "From the diagram, AB = 12 cm.", "AB = 12 cm."),
        ("How many boxes?", "The table shows 35 for Plums.", "Plums: 35"),
        ("How many boxes?", 'Looking up Plums under "Boxes", we find 35.', 'Plums under "Boxes": 35.'),
        ("Who won?", "The chart was hard to read. Luna has 87 points. So she won.", "Luna has 87 points."),
        # visual, but nothing that names what was read
        (PRICES, "The price is $4.", None),
        ("What is the mean of the numbers?", "76, 94, 86, 84", None),
        (PRICES, "Find the row for the bath mat and read the price.", None),
    ],
)  # fmt: skip
def test_the_claim_is_the_shortest_part_that_says_what_was_seen(question: str, text: str, claim: str | None) -> None:
    (found,) = audits(question, text)
    assert found.visual
    assert found.claim == claim


def test_what_was_looked_up_in_one_step_names_the_reading_in_the_next() -> None:
    found = audits(PRICES, "Find the row for mustard and read the price.", "The price is $0.80.")
    assert [one.claim for one in found] == [None, "mustard: The price is $0.80."]


def test_a_price_just_looked_up_is_read_even_if_the_question_has_the_same_number() -> None:
    (found,) = audits("Al has $4.", "Find the row for a white card and read the price. The price is $4.")
    assert found.claim == "white card: The price is $4."


def test_what_stands_under_a_heading_belongs_to_it() -> None:
    found = audits("Which drawing?", "Option A:\n- Squares: 5", "Option B:\n- Squares: 5", "Option B:\n- Squares: 5")
    assert [one.visual for one in found] == [True, True, False]


def test_an_answer_that_was_worked_out_is_no_claim() -> None:
    steps = (Step(text="Edward spent $31 on navy blue bath mats."),)
    (found,) = audit(Candidate(id="a", steps=steps, final_answer="31"), PRICES)
    assert found == Audit(visual=True, claim=None, reason=found.reason)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30^2 + 16^2 = 1,156", Calculation(operands=(30.0, 16.0), results=(1156.0,))),
        ("The rise is -3 - (-2) = -1", Calculation(operands=(3.0, 2.0), results=(1.0,))),
        ("3 lb × $4.50 per lb = $13.50", Calculation(operands=(3.0, 4.5), results=(13.5,))),
        ("180 - 40 = 140, 140 ÷ 2 = 70", Calculation(operands=(180.0, 40.0, 2.0), results=(140.0, 70.0))),
        ("(1/2) × 3 = 3/2", Calculation(operands=(1.0, 2.0, 3.0), results=(3.0,))),
        ("ages 18-29 in a 2x2 grid", Calculation()),
        ("the point (-2, -3)", Calculation()),
    ],
)
def test_the_parts_of_a_calculation(text: str, expected: Calculation) -> None:
    assert calculation(text) == expected


CANDIDATE = Candidate(
    id="a",
    steps=(
        Step(text="The bar for A reaches 12.", claim="A is 12."),
        Step(text="The bar for B reaches 15.", extra={"label": 1}),
        Step(text="12 + 15 = 27."),
    ),
)


def test_off_gives_the_candidate_back() -> None:
    assert complete_claims(CANDIDATE, "How many?", "off") is CANDIDATE


def test_report_notes_and_leaves_the_checklist_alone() -> None:
    steps = complete_claims(CANDIDATE, "How many?", "report").steps
    assert [step.claim for step in steps] == ["A is 12.", None, None]
    assert [(step.audit or {})["visual"] for step in steps] == [True, True, False]
    assert steps[1].extra["label"] == 1


def test_fill_adds_claims_and_never_replaces_the_policys() -> None:
    steps = complete_claims(CANDIDATE, "How many?", "fill").steps
    assert [(step.claim, step.claim_from) for step in steps] == [
        ("A is 12.", "policy"),
        ("The bar for B reaches 15.", "auditor"),
        (None, "policy"),
    ]


def test_appendix_f_divides_omissions_by_what_should_look_and_false_positives_by_what_is_flagged() -> None:
    found = checklist_metrics([True, True, True, False, False], [True, True, False, True, False])
    assert found.counts == ChecklistCounts(steps=5, should=3, flagged=3, omitted=1, false_positives=1)
    assert found.omission_rate == pytest.approx(1 / 3)
    assert found.completeness == pytest.approx(2 / 3)
    assert found.false_positive_rate == pytest.approx(1 / 3)


def test_the_papers_own_table() -> None:
    """1780 steps, 1305 should look, 1314 do, 77 left out: 5.9 % omitted; 86 of 1314 needless would make 6.5 %."""
    flags = [True] * 1228 + [False] * 77 + [True] * 86 + [False] * 389
    found = checklist_metrics(flags, [True] * 1305 + [False] * 475)
    assert found.counts.flagged == 1314
    assert found.omission_rate == pytest.approx(0.0590, abs=5e-5)
    assert found.completeness == pytest.approx(0.9410, abs=5e-5)


def test_nothing_to_divide_by_is_none() -> None:
    assert checklist_metrics([], []).completeness is None
    assert checklist_metrics([True], [False]).omission_rate is None
    assert checklist_metrics([False], [True]).false_positive_rate is None


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_the_rates_are_rates(pairs: list[tuple[bool, bool]]) -> None:
    found = checklist_metrics([flag for flag, _ in pairs], [needed for _, needed in pairs])
    for rate in (found.omission_rate, found.false_positive_rate, found.completeness):
        assert rate is None or 0.0 <= rate <= 1.0


PIECES = st.sampled_from(
    ["the", "row", "for", "AB", "is", "12", "=", "+", "×", "-", "/", "(", ")", "∠ABC", "$", "\\frac{1}{2}", ",", "so", "since", ".",
     "?", ":", "\n", "**", "2015", "%", "find", "read", "table", "answer", "⟂", "x", "^", "√", "π", "there are", "highest", "two"]
)  # fmt: skip
TEXTS = st.text(max_size=200) | st.lists(PIECES, max_size=60).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(TEXTS, max_size=5), TEXTS, st.sampled_from(("off", "report", "fill")), TEXTS)
def test_any_text_is_audited(texts: list[str], question: str, mode: Mode, answer: str) -> None:
    candidate = Candidate(id="a", steps=tuple(Step(text=text) for text in texts), final_answer=answer)
    found = audit(candidate, question)
    assert len(found) == len(texts)
    for one in found:
        assert one.reason
        assert one.claim is None or (one.visual and not isinstance(parse(one.claim), Unclassifiable))
    assert len(complete_claims(candidate, question, mode).steps) == len(texts)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS)
def test_a_step_is_judged_by_what_came_before_it_alone(texts: list[str], question: str) -> None:
    assert audits(question, *texts)[:-1] == audits(question, *texts[:-1])


@pytest.mark.parametrize(
    "piece", ["a", "to ", "1 ", "1 + ", "9", ". ", "the row ", "AB = CD ", "since a, ", "x = 3 + y ", "(", "*", "\n", "\\frac{1}{2} $"]
)  # fmt: skip
def test_a_hundred_kilobytes_take_no_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    start = time.process_time()
    audits(text, text)
    assert time.process_time() - start < 2.0


def _figure_flags(family: str, count: int) -> tuple[list[bool], list[bool], list[bool]]:
    """What the auditor says without any claim, what a filled checklist says, and the truth."""
    alone, filled, truth = [], [], []
    for seed in range(count):
        problem = make_problem(family, seed, split="dev").problem
        for candidate in problem.candidates:
            hidden = replace(candidate, steps=tuple(replace(step, claim=None) for step in candidate.steps))
            alone += [one.visual for one in audit(hidden, problem.question)]
            filled += [step.claim is not None for step in complete_claims(candidate, problem.question, "fill").steps]
            truth += [bool(step.visual) for step in candidate.steps]
    return alone, filled, truth


@pytest.mark.parametrize("family", families())
def test_figures_are_audited_as_well_as_the_issue_asks(family: str) -> None:
    alone, filled, truth = _figure_flags(family, 4)
    found = checklist_metrics(alone, truth)
    assert (found.completeness or 0.0) >= 0.95
    assert found.counts.false_positives <= 0.07 * found.counts.flagged
    assert (checklist_metrics(filled, truth).completeness or 0.0) >= 0.95


@pytest.mark.skipif(not (DATA / "solutions").exists(), reason="the real solutions (shared/data/solutions) are not here")
def test_most_real_solutions_over_tables_have_a_visual_step() -> None:
    problems = [
        p for p in records.read_problems(DATA / "solutions" / "items.jsonl") if not isinstance(p, records.Skipped)
    ]
    written = [(p, c) for p in problems for c in p.candidates if len(c.steps) >= 3]
    found = [audit(candidate, problem.question) for problem, candidate in written]
    assert sum(any(one.visual for one in steps) for steps in found) >= 0.9 * len(written)
    assert sum(all(one.visual for one in steps) for steps in found) <= 0.1 * len(written)


def test_equations_in_unknowns_are_not_checked_as_readings() -> None:
    steps = (Step(text="We have:\n2x = 30\nx + y = 15"), Step(text="The bar of tea is at 15."))
    found = audit(Candidate(id="a", steps=steps), "What is the middle number?")
    assert [one.says for one in found] == [None, "The bar of tea is at 15."]
