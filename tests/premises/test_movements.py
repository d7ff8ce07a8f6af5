"""Movements, neighbours in time, ranks, names that hold cues, and numbers without a form: each wording with its exact verdict."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure


def _table(rows: dict[str, tuple[float, ...]], *columns: str) -> list[Constraint]:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value, row=row, column=column)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return [Structure(type="table", parts=("Name", *columns)), *cells]


_RAIN = _table(
    {"October": (80,), "November": (95,), "December": (110,), "January": (70,), "February": (60,)}, "Rain (mm)"
)
_SALES = _table({"2016": (40,), "2017": (36,), "2018": (44,), "2019": (52,), "2020": (61,)}, "Sales in million euros")
_VOTES = _table({"Ada": (31,), "Max Bell": (12,), "Cem": (25,), "Dora": (18,)}, "Votes")
_MOOD = _table({"Oslo": (41, 22, 37), "Rome": (28, 19, 53), "Bern": (50, 20, 30)}, "Better", "No change", "Worse")
_TOWNS = _table(
    {"Elm": (12.5, 340, 27), "Ash": (9.1, 410, 45), "Fir": (3.2, 150, 47)},
    "area (km2)",
    "shops (000)",
    "shops per area",
)
_TRADE = _table(
    {"2016": (43, 40), "2017": (47, 44), "2018": (48, 49), "2019": (50, 52), "2020": (41, 47)}, "Exports", "Imports"
)
_AGES = _table({"15-24": (18, 15), "25-39": (22, 12), "40-54": (29, 11), "70 and over": (47, 17)}, "Daily", "Never")

_CASES = [
    (_TRADE, "Exports grew in every year except 2020.", "supported"),
    (_TRADE, "Exports grew in every year except 2018.", "contradicted"),
    (_TRADE, "Exports fell below 42 in 2020.", "supported"),
    (_TRADE, "Exports fell below 40 in 2020.", "contradicted"),
    (_TRADE, "Imports passed 50 in 2019.", "supported"),
    (_TRADE, "Imports passed 50 in 2018.", "contradicted"),
    (_AGES, "The oldest group has the highest daily share, 47.", "supported"),
    (_AGES, "The youngest group has the highest daily share.", "contradicted"),
    (_RAIN, "Rain never fell below 60 mm.", "supported"),
    (_RAIN, "Rain never fell below 65 mm.", "contradicted"),
    (_RAIN, "It never climbed above 100 mm.", "contradicted"),
    (_RAIN, "Rain dropped every month from December to February.", "supported"),
    (_RAIN, "Rain rose every month from October to January.", "contradicted"),
    (_SALES, "In 2018 sales were 44 million. A year later they were 52 million.", "supported"),
    (_SALES, "In 2018 sales were 44 million. A year later they were 61 million.", "contradicted"),
    (_SALES, "Sales came to 52 million in 2019, more than the 44 million of the year before.", "supported"),
    (_SALES, "Sales came to 52 million in 2019, more than the 36 million of the year before.", "contradicted"),
    (_SALES, "They were lowest in 2017 and have risen every year since.", "supported"),
    (_VOTES, "Cem came in second.", "supported"),
    (_VOTES, "Dora came in last.", "contradicted"),
    (_VOTES, "Ada finished in first place, and Dora got 18 votes.", "supported"),
    (_VOTES, "Cem comes third, and Ada got 31 votes.", "contradicted"),
    (_VOTES, "Ada got the most, exactly 6 votes more than Cem.", "supported"),
    (_VOTES, "Ada got the most, exactly 8 votes more than Cem.", "contradicted"),
    (_VOTES, "Max Bell received 12 votes.", "supported"),
    (_VOTES, "Max Bell received 18 votes.", "contradicted"),
    (_VOTES, "Cem got 25 out of a total of 86 votes.", "supported"),
    (_VOTES, "The oboe got 25 votes.", "missing"),
    (_MOOD, 'In Oslo 41% answered "Better" and 22% "No change".', "supported"),
    (_MOOD, 'In Rome 31% answered "Better".', "contradicted"),
    (_MOOD, "In Rome 53% chose one answer.", "supported"),
    (_TOWNS, "Ash has the most shops.", "supported"),
    (_TOWNS, "Elm has the most shops.", "contradicted"),
    (_TOWNS, "Fir has the most shops per area.", "supported"),
]


@pytest.mark.parametrize(("constraints", "text", "verdict"), _CASES)
def test_a_wording_has_its_verdict(constraints: list[Constraint], text: str, verdict: str) -> None:
    assert grounded_matcher(constraints)(text).verdict == verdict


def test_the_rows_of_a_markdown_table_are_read_by_row_and_column() -> None:
    table = "| City | Better | Worse |\n|---|---|---|\n| Oslo | 41 | 37 |\n| Rome | 28 | {} |\n"
    match = grounded_matcher(_MOOD)
    assert [match(table.format(value)).verdict for value in (53, 35)] == ["supported", "contradicted"]


def test_two_rows_are_compared_within_a_column() -> None:
    match = grounded_matcher(_table({"Girls": (28, 35), "Boys": (22, 29), "Adults": (30, 20)}, "Very", "Somewhat"))
    found = [match(f"Girls are {word} worried than {who} in both groups.").verdict for word, who in _COMPARED]
    assert found == ["supported", "contradicted"]


_COMPARED = [("more", "boys"), ("more", "adults")]
