"""Numbers that are no cell's value: gaps, counts, sums, terms, and what is said once more of another."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure

_Figure = tuple[Constraint, ...]


def _table(head: str, columns: tuple[str, ...], rows: dict[str, tuple[float, ...]], unit: str | None = None) -> _Figure:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value, unit=unit)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return (Structure(type="table", parts=(head, *columns)), *cells)


_LOANS = _table(
    "Year",
    ("Novels", "Comics", "Maps"),
    {"2012": (410, 120, 33), "2014": (455, 190, 33), "2016": (430, 262, 0), "2018": (512, 301, 18)},
)
_POLL = _table(
    "Answer",
    ("North", "South"),
    {"Fully agree": (22, 31), "Rather agree": (37, 28), "Rather disagree": (26, 24), "Fully disagree": (15, 17)},
    "%",
)
_CLUBS = _table(
    "Club",
    ("Spring", "Autumn"),
    {"Rowing": (48, 61), "Fencing": (39, 27), "Judo": (52, 52), "Archery": (17, 35)},
)
CASES = [
    (_LOANS, "In 2012 there were 120 loans of comics; four years later there were 262.", "supported"),
    (_LOANS, "In 2012 there were 120 loans of comics; four years later there were 190.", "contradicted"),
    (_LOANS, "Readings: 2012: 410 novels, 2014: 455 novels, 2016: 430 novels.", "supported"),
    (_LOANS, "Novels rose by 45 from 2012 to 2014, comics by 70.", "supported"),
    (_LOANS, "The comics went from 120 to 301.", "supported"),
    (_POLL, "Adding the first two answers gives 59% in the North.", "supported"),
    (_POLL, "Adding the first two answers gives 59% in the North, 59% in the South.", "supported"),
    (_CLUBS, "In the spring, Judo had 52 members and Rowing was four behind.", "supported"),
    (_CLUBS, "Two clubs gained members: Rowing and Archery.", "supported"),
    (_CLUBS, "Archery had two and a half times as many members in autumn as in spring.", "contradicted"),
    (_CLUBS, "In both seasons together, 48 + 61 = 109 people rowed.", "supported"),
    (_CLUBS, "In descending order of spring members, the clubs are Judo, Rowing, Fencing and Archery.", "supported"),
    (_CLUBS, "In descending order of spring members, the clubs are Judo, Fencing, Rowing and Archery.", "contradicted"),
]


@pytest.mark.parametrize(("figure", "claim", "verdict"), CASES)
def test_a_number_may_be_worked_out_and_not_read(figure: _Figure, claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict


@pytest.mark.parametrize(("figure", "claim", "verdict"), [
    (_LOANS, "Comics grew every year, and so did novels.", "contradicted"),
    (_CLUBS, "Judo is the biggest club in both seasons.", "contradicted"),
    (_CLUBS, "In each season Archery has fewer members than Judo.", "supported"),
])  # fmt: skip
def test_what_was_said_holds_of_another_and_of_every_line(figure: _Figure, claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict
