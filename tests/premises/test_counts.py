"""Counts, denials, written calculations, ranks and stem-and-leaf plots, each wording once right and once wrong."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure


def _table(parts: tuple[str, ...], values: dict[str, float]) -> list[Constraint]:
    return [
        Structure(type="table", parts=parts),
        *(Numeric(entity=entity, attribute="value", value=value) for entity, value in values.items()),
    ]


_BOOKS = _table(
    ("Name", "Books read"),
    {
        f"{name} Books read": value
        for name, value in zip(("Ann", "Ben", "Cara", "Dev", "Ella"), (12, 7, 15, 9, 7), strict=True)
    },
)
_TRADE = _table(
    ("Country", "Exports", "Imports"),
    {
        "Chile Exports": 70,
        "Chile Imports": 60,
        "Peru Exports": 45,
        "Peru Imports": 48,
        "Bolivia Exports": 9,
        "Bolivia Imports": 12,
    },
)
_SIBLINGS = _table(("Siblings", "Frequency"), {"0 Frequency": 4, "1 Frequency": 11, "2 Frequency": 8, "3 Frequency": 5})
_LEAVES = _table(("Stem", "Leaf"), {"1 Leaf": 178, "2 Leaf": 3, "3 Leaf": 4589})

_PAIRS = [
    (
        _BOOKS,
        "Three of the five children read more than 8 books.",
        "There are four children who read more than 8 books.",
    ),
    (_BOOKS, "No one read exactly 10 books.", "No child read fewer than 9 books."),
    (_BOOKS, "Ben did not read more than 10 books.", "Ann did not read more than 10 books."),
    (_BOOKS, "Neither Ben nor Ella reached 10 books.", "Ann's bar does not reach 10."),
    (_BOOKS, "Everyone except Ben and Ella read more than 8 books.", "All but Dev read more than 8 books."),
    (_BOOKS, "Both Ben and Ella read 7 books.", "Both Ben and Dev read 7 books."),
    (
        _BOOKS,
        "The difference between Cara and Dev is 15 − 9 = 6.",
        "The difference between Cara and Dev is 15 − 8 = 7.",
    ),
    (_BOOKS, "Ann comes second with 12 books.", "Dev comes second with 9 books."),
    (_TRADE, "Two countries import more than they export.", "Three countries import more than they export."),
    (_TRADE, "Only Chile exports more than it imports.", "Only in one country are imports larger than exports."),
    (_SIBLINGS, "13 students have two or more siblings.", "14 students have more than 2 siblings."),
    (_LEAVES, "The smallest value is 11.", "The smallest value is 12."),
    (_LEAVES, "Stem 3 has the leaves 4, 5, 8 and 9.", "Stem 3 has the leaves 4, 5, 7 and 9."),
]


@pytest.mark.parametrize(("constraints", "right", "wrong"), _PAIRS, ids=[pair[1] for pair in _PAIRS])
def test_a_right_wording_is_supported_and_a_wrong_one_contradicted(
    constraints: list[Constraint], right: str, wrong: str
) -> None:
    match = grounded_matcher(constraints)
    assert (match(right).verdict, match(wrong).verdict) == ("supported", "contradicted")


def test_a_count_of_those_that_a_list_picks_out_is_no_count_of_all_leaves() -> None:
    match = grounded_matcher(_LEAVES)
    assert match("Those below 30 are 11, 17, 18, 23, totaling 4 numbers.").verdict != "contradicted"
    assert match("There are 4 numbers in total.").verdict == "contradicted"


def test_a_rate_is_one_number() -> None:
    match = grounded_matcher(_table(("Thing", "Speed"), {"Car Speed": 740, "Bus Speed": 36}))
    assert match("The speed of the car is 740 m/s.").verdict == "supported"
    assert match("The speed of the car is 750 m/s.").verdict == "contradicted"
