"""Questions about a table, worked out from an extractor's constraints: by kind of question, and when it must keep quiet."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from evpv.judges.checks.answers import nearest_option
from evpv.judges.checks.questions import recompute
from evpv.judges.checks.tables import ValueTable, mentions, table_of
from evpv.language.questions import amount_before, asking
from evpv.types import Constraint, Numeric, Structure


def table(header: Sequence[str], *rows: tuple[object, ...]) -> list[Constraint]:
    """Constraints as an extractor gives them: "row column" for every cell but the first."""
    facts: list[Constraint] = [Structure(type="table", parts=tuple(header))]
    for name, *values in rows:
        columns = header[1:] if header else [""] * len(values)
        for column, value in zip(columns, values, strict=True):
            entity = f"{name} {column}".strip()
            facts.append(Numeric(entity=entity, attribute="value", value=float(str(value))))
    return facts


NUMBERS = table(["Name", "Pets"], ("Ann", 1), ("Bo", 7), ("Cy", 4), ("Di", 4), ("Ed", 9))
PRICES = table([], ("teapot", 38), ("casserole dish", 20), ("map of Africa", 10.1), ("set of forks", 7.5))
YEARS = table(["Year", "Students"], ("2007", 41), ("2008", 45), ("2010", 45))
SODA = table(
    ["Beverage", "Thursday", "Friday"], ("Pearl's Soda", 20, 14), ("Brenner's Juices", 14, 8), ("Fizzy Fun", 5, 30)
)
STEMS = table(["Stem", "Leaf"], ("2", 379), ("3", 6), ("4", 18))
TIMES = table(["Times", "Frequency"], ("0", 8), ("1", 20), ("2", 4), ("3", 10))
DEMAND = table(["Price", "Quantity demanded", "Quantity supplied"], ("$735", 22700, 2600), ("$975", 9900, 11800))
SHARES: list[Constraint] = [
    Structure(type="table", parts=("Kind", "Share")),
    Numeric(entity="Cats Share", attribute="value", value=28.0, unit="%"),
    Numeric(entity="Dogs Share", attribute="value", value=11.0, unit="%"),
]
CHANGE = table(["Month", "Change"], ("April", -6), ("May", 4))


@pytest.mark.parametrize(
    ("facts", "question", "expected"),
    [
        (NUMBERS, "Some friends counted pets. What is the mean of the numbers?", 5),
        (NUMBERS, "What is the median of the numbers?", 4),
        (NUMBERS, "What is the mode of the numbers?", 4),
        (NUMBERS, "What is the range of the numbers?", 8),
        (NUMBERS, "What is the average number of pets of Ann?", 1),
        (NUMBERS, "Who has the most pets?", "Ed"),
        (NUMBERS, "How many more pets does Bo have than Cy?", 3),
        (NUMBERS, "How many pets do Ann and Ed have in total?", 10),
        (NUMBERS, "What fraction of the pets belong to Cy? Simplify your answer.", Fraction(4, 25)),
        (PRICES, "How much money does Philip need to buy 6 teapots and 2 casserole dishes?", 268),
        (PRICES, "Pam has $50.00. Does she have enough to buy a teapot and a casserole dish?", "no"),
        (PRICES, "Pam has $60. How much money will Pam have left if she buys a teapot and a casserole dish?", 2),
        (PRICES, "How much more does a teapot cost than a map of Africa?", Fraction("27.9")),
        (PRICES, "Ed bought 1.1 pounds of teapot. How much did he spend?", Fraction("41.8")),
        (YEARS, "According to the table, what was the rate of change between 2008 and 2010?", 0),
        (YEARS, "According to the table, what was the rate of change between 2007 and 2008?", 4),
        (SODA, "On Thursday, how much more was made from Pearl's Soda than from Brenner's Juices?", 6),
        (SODA, "On Friday, which beverage had the lowest sales?", "Brenner's Juices"),
        (SODA, "How much was made from Fizzy Fun on Friday?", 30),
        (SODA, "Which beverage had the highest sales?", "Fizzy Fun"),
        (STEMS, "How many clubs have at least 27 members but fewer than 40 members?", 3),
        (STEMS, "What is the largest number of members?", 48),
        (table(["Roses per Stem", "Leaf"], ("2", 13), ("9", 5)), "What is the largest number of roses?", 95),
        (TIMES, "How many people went at least 2 times?", 14),
        (TIMES, "How many people went fewer than 2 times?", 28),
        (TIMES, "How many people went exactly 3 times?", 10),
        (TIMES, "How many people are there in all?", 42),
        (DEMAND, "At a price of $735, is there a shortage or a surplus?", "shortage"),
        (DEMAND, "At a price of $975, is there a shortage or a surplus?", "surplus"),
        (CHANGE, "During which month did the water level change more?", "April"),
        (table(["x", "y"], ("1", 3), ("2", 5), ("4", 9)), "Is the function linear or nonlinear?", "linear"),
        (table(["x", "y"], ("1", 3), ("2", 5), ("4", 8)), "Is the function linear or nonlinear?", "nonlinear"),
        (NUMBERS, "What is the mean number of pets over all entries shown?", 5),
        (SODA, "By how much is the value for Fizzy Fun on Friday greater than that for Pearl's Soda?", 16),
        (SHARES, "The chart stands for 200 pets in total. How many pets belong to Cats and Dogs together?", 78),
        ([], "Each bush has 2 flowers. How many flowers are on 4 bushes?", 8),
    ],
)
def test_a_question_of_a_known_kind_is_worked_out(facts: list[Constraint], question: str, expected: object) -> None:
    found = recompute(question, table_of(facts))
    assert found is not None
    assert found.answer == expected


@pytest.mark.parametrize(
    ("facts", "question"),
    [
        ([], "What is the mean of the numbers?"),
        (SODA, "What is the mean of the numbers?"),
        (PRICES, "How much does a sofa cost?"),
        (SHARES, "The chart stands for 200 pets. What is the number of Cats?"),
        (YEARS, "In which year did the number of students rise most compared with the year before?"),
        ([Numeric(entity="circle O", attribute="radius", value=5.0)], "What is the circumference of circle O?"),
        (NUMBERS, "Why do they have pets?"),
        (TIMES, "How many people went exactly 9 times?"),
        (table(["N", "V"], ("a", 2), ("b", 2)), "Which has the most?"),
    ],
)
def test_a_question_that_leaves_a_choice_is_not_answered(facts: list[Constraint], question: str) -> None:
    assert recompute(question, table_of(facts)) is None


def test_leaves_of_zero_that_a_number_cannot_hold_leave_the_count_open() -> None:
    found = recompute("How many clubs have fewer than 40 members?", table_of(STEMS))
    assert found is not None
    assert found.bounds == (Fraction(4), None)
    kept = Numeric(entity="2 Leaf", attribute="value", value=3.0, extra={"text": "0 0 3"})
    whole = table_of([Structure(type="table", parts=("Stem", "Leaf")), kept])
    exact = recompute("How many clubs have fewer than 40 members?", whole)
    assert exact is not None
    assert (exact.answer, exact.bounds) == (Fraction(3), None)


def test_a_header_of_years_read_as_a_row_names_the_columns() -> None:
    facts = table([], ("State", 1990, 2000), ("Nevada", 10, 18))
    found = recompute("How many people lived in Nevada in 2000?", table_of(facts))
    assert found is not None
    assert found.answer == 18


def test_names_are_found_in_the_question_the_longer_first() -> None:
    named = mentions("Buy 2 red hats, a hat and some cherries.", ["hat", "red hat", "cherry", "sofa"])
    assert [mention.name for mention in named] == ["red hat", "hat", "cherry"]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("buy 3 hats", 3),
        ("3/10 of a pound of hats", Fraction(3, 10)),
        ("4+9/10 kg of hats", Fraction(49, 10)),
        ("a hat", 1),
    ],
)
def test_the_amount_stands_before_the_name(text: str, amount: object) -> None:
    assert amount_before(text, text.index("hat"), 0) == amount


def test_the_asking_sentence_is_not_cut_at_a_title() -> None:
    assert asking("It rained. How tall is Mr. Orange?") == "How tall is Mr. Orange?"


def test_an_option_is_recognised_in_a_row_read_with_stray_marks() -> None:
    assert nearest_option("1) Friday", ["Thursday", "Friday"]) == 1
    assert nearest_option("something else", ["Thursday", "Friday"]) is None


def test_no_constraints_make_an_empty_table() -> None:
    assert table_of([]) == ValueTable((), ())
