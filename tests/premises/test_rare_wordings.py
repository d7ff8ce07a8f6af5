"""Plain sentences that few texts have and one rule each reads: a rule that no corpus misses may still be needed."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Structure


def _table(columns: tuple[str, ...], rows: dict[str, tuple[float, ...]]) -> tuple[Constraint, ...]:
    cells = [
        Numeric(entity=f"{row} {column}", attribute="value", value=value)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    ]
    return (Structure(type="table", parts=("Name", *columns)), *cells)


def _facts(attribute: str, *named: tuple[str, float], unit: str | None = None) -> tuple[Constraint, ...]:
    return tuple(Numeric(entity=entity, attribute=attribute, value=value, unit=unit) for entity, value in named)


_LINES = _facts("length", ("segment AB", 6.0), ("segment CD", 5.0))
_CIRCLES = (*_facts("radius", ("circle A", 8.0), ("circle B", 5.0)), *_facts("diameter", ("circle C", 12.0)))
_CIRCLE = _facts("radius", ("circle O", 10.0), unit="cm")
_CYLINDER = _facts("value", ("cylinder diameter", 8.0), ("cylinder height", 20.0), unit="cm")
_WAYS = (
    Structure(type="pie chart", parts=()),
    *_facts("value", ("walk", 20.0), ("bus", 50.0), ("car", 30.0), unit="percent"),
)
_SHARES = _table(("Share",), {"Peru": (60.0,), "Chile": (40.0,), "Brazil": (30.0,)})
_DAYS = _table(("Cars",), {"Sunday": (1.0,), "Monday": (2.0,), "Tuesday": (3.0,), "Wednesday": (4.0,)})
_MARKS = _table(("Art", "Maths"), {"Ann": (9.0, 7.0), "Bob": (5.0, 8.0), "Cy": (4.0, 4.0)})
_SCORES = _table(("Score",), {"Ann": (9.0,), "Bob": (18.0,), "Cy": (4.0,)})
_PEOPLE = _table(("Score",), {"Jordan Smith": (9.0,), "Ann Lee": (18.0,), "Cy Moss": (4.0,)})
_GROWTH = _table(("Growth (%)",), {"Tools": (1.5,), "Food": (2.0,), "Wood": (0.4,)})
_CHANGES = _table(("Change in sales (%)",), {"Tools": (1.5,), "Food": (-2.0,), "Wood": (-0.4,)})
_LAPS = _table(("Lap 1 (s)", "Lap 2 (s)", "Lap 3 (s)"), {"Ann": (65.0, 70.0, 76.0), "Bob": (68.0, 71.0, 70.0)})
_SPAN = _table(("Imports", "Exports"), {"2019": (5.0, 9.0), "2020": (6.0, 7.0), "2021": (8.0, 3.0)})
_TRIES = _table(("Students",), {"0": (4.0,), "1": (7.0,), "2": (2.0,), "3": (0.0,)})
_YEARS = _table(("Visitors",), {"2005": (13.0,), "2006": (27.0,), "2007": (30.0,)})
_TRADE = _table(("Imports", "Exports"), {"2019": (5.0, 7.0), "2020": (6.0, 9.0), "2021": (8.0, 3.0)})
_OUTPUT = _table(
    ("Output",), {"2007": (900.0,), "2008": (912.0,), "2009": (664.0,), "2010": (800.0,), "2011": (950.0,)}
)
_HOURS = (
    Structure(type="table", parts=("Branch", "Closes")),
    *_facts("value", ("North Closes", 19.5), ("South Closes", 18.0), unit="h"),
)
_PROFITS = _table(("Kite", "Swan"), {"2020": (2.0, 4.0), "2021": (-3.4, 5.0), "2022": (-8.8, 1.0)})
_CROPS = _table(("Peas (kg)", "Beans (kg)"), {"May": (12.0, 31.0), "June": (38.0, 52.0), "July": (74.0, 60.0)})
_HEAT = _table(
    ("Inside", "Outside"), {"06:00": (19.0, 4.0), "12:00": (22.0, 15.0), "18:00": (21.0, 11.0), "21:00": (20.0, 6.0)}
)
_TRAMS = _table(("Length (km)",), {"Line 1 (Red)": (21.0,), "Line 2 (Blue)": (9.0,), "Line 3 (Gold)": (9.0,)})
_SWIMS = _table(("50 m (s)", "100 m (s)"), {"Ann": (29.4, 61.0), "Bea": (28.7, 62.5)})
_BALANCES = _table(("1 March", "31 March"), {"Savings": (10.0, 20.0), "Car loan": (7.0, 5.0), "Fund": (1.0, 3.0)})

_TOTALS = _table(("Goals", "Age"), {"Total": (9.0, 9.0), "Other": (3.0, 2.0)})
_ALONE = _table(("Goals", "Age"), {"Ann": (4.0, 3.0)})
_STOCK = _table(("", "Supply"), {"Ann": (9.0, 7.0), "Bob": (5.0, 6.0)})
_DEPTHS = (Numeric(entity="3 Leaf", attribute="value", value=-12.0, row="3", column="Leaf"),)

_CASES = [
    (_TOTALS, "The row with the highest is also the lowest.", "unparsed"),
    (_ALONE, "Ann has 4 goals. Nobody had more than it does.", "supported"),
    (_STOCK, "Ann has a surplus.", "missing"),
    (_DEPTHS, "Stem 3 has two leaves.", "missing"),
    (_LINES, "AB and CD are both 5.", "contradicted"),
    (_CIRCLES, "Circle A is the largest.", "supported"),
    (_CIRCLES, "Circle A is larger than circle C.", "supported"),
    (_CIRCLES, "Circle C is the largest.", "contradicted"),
    (_CIRCLE, "The radius is 12 cm.", "contradicted"),
    (_CYLINDER, "The cylinder is 6 cm across.", "missing"),
    (_WAYS, "A fifth of the students walk.", "supported"),
    (_WAYS, "A quarter of the students walk.", "contradicted"),
    (_SHARES, "Peru has the highest share at 71%.", "contradicted"),
    (_SHARES, "The share of Peru is\n65.", "contradicted"),
    (_DAYS, "From Sunday through Wednesday there were 1, 2, 7 and 4 cars.", "contradicted"),
    (_MARKS, "Ann scored 9 in Art. Bob and Cy scored 5 and 4. Ann beat them both.", "supported"),
    (_SCORES, "Ann's score is half of Bob's.", "supported"),
    (_SCORES, "Cy's score is half of Bob's.", "contradicted"),
    (_PEOPLE, "Jordan scored 12.", "contradicted"),
    (_PEOPLE, "Jordan Brown scored 12.", "missing"),
    (_GROWTH, "Tools grew by 1.5%.", "supported"),
    (_GROWTH, "Tools grew by 1.1%.", "contradicted"),
    (_YEARS, "There were more visitors in 2006 than the year before.", "supported"),
    (_YEARS, "There were fewer visitors in 2006 than the year before.", "contradicted"),
    (_TRADE, "Imports:\n2019: 7\n2020: 6", "contradicted"),
    (_TRADE, "Imports overtook exports between 2020 and 2021.", "supported"),
    (_TRADE, "Exports were overtaken by imports.", "supported"),
    (_TRADE, "Imports overtook exports between 2019 and 2020.", "contradicted"),
    (_TRADE, "Exports overtook imports between 2019 and 2020.", "contradicted"),
    (_TRADE, "Imports never fell.", "supported"),
    (_TRADE, "Exports never fell.", "contradicted"),
    (_TRADE, "Exports never rose.", "contradicted"),
    (_CROPS, "Beans were the largest crop in July.", "contradicted"),
    (_CROPS, "In July, beans were the largest crop.", "contradicted"),
    (_CROPS, "Peas were the largest crop in July.", "supported"),
    (_OUTPUT, "2010 was the weakest year since 2008.", "contradicted"),
    (_OUTPUT, "2011 was the strongest year since 2008.", "supported"),
    (_HOURS, "North closes at half past seven in the evening.", "supported"),
    (_HOURS, "North closes at 5:30 in the evening.", "contradicted"),
    (_PROFITS, "Kite lost 8.8 in 2022.", "supported"),
    (_PROFITS, "Kite lost 4.4 in 2022.", "contradicted"),
    (_SHARES, "The share of Chile is 20 percentage points below that of Peru.", "supported"),
    (_SHARES, "The share of Chile is 40 percentage points below that of Peru.", "contradicted"),
    (_BALANCES, "On 15 March the savings account held 25.", "missing"),
    (_BALANCES, "On 31 March the savings account held 20.", "supported"),
]


@pytest.mark.parametrize(("constraints", "claim", "verdict"), _CASES, ids=[case[1] for case in _CASES])
def test_a_plain_sentence_is_read_as_it_is_meant(constraints: tuple[Constraint, ...], claim: str, verdict: str) -> None:
    assert grounded_matcher(constraints)(claim).verdict == verdict


_SALES = _facts("sales", ("2010", 10.0), ("2015", 30.0), ("2020", 20.0), ("2022", 5.0), ("2023", 25.0))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Sales double from 2010 to 2020.", "supported"),
        ("Sales doubles from 2010 to 2020.", "supported"),
        ("Sales saw a doubling from 2010 to 2020.", "supported"),
        ("Sales were tripling from 2010 to 2015.", "supported"),
        ("Sales quintupled from 2022 to 2023.", "supported"),
        ("Sales went up fivefold from 2022 to 2023.", "supported"),
        ("Sales were halving between 2010 and 2022.", "supported"),
        ("Sales triples from 2010 to 2020.", "contradicted"),
        ("Sales quintupled from 2010 to 2020.", "contradicted"),
        ("Sales in 2020 are double those in 2010.", "supported"),
        ("Sales in 2020 are double those in 2015.", "contradicted"),
    ],
)
def test_a_factor_is_a_movement_over_a_span_and_a_comparison_otherwise(claim: str, verdict: str) -> None:
    assert grounded_matcher(_SALES)(claim).verdict == verdict


_TRACES = (
    Structure(type="line chart", parts=()),
    *(
        Numeric(entity=f"{x} trace {n}", attribute="value", value=value, row=str(x), column=f"trace {n}")
        for n, line in enumerate(((0.0, 2.0, 6.0, 5.0, 4.0), (0.0, 4.0, 5.0, 8.0, 4.0)))
        for x, value in enumerate(line)
    ),
)
_COLD = _table(("Temperature (°F)",), {"Vostok Station": (-128.0,), "Death Valley": (134.0,), "Oslo": (41.0,)})
_QUARTERS = _table(("Visitors",), {"Q1 2022": (21.0,), "Q3 2022": (56.0,), "Q1 2023": (23.0,), "Q3 2023": (54.0,)})
_BIRDS = _table(("Weight (kg)", "Eggs"), {"Owl": (0.4, 5.0), "Falcon": (0.9, 4.0), "Eagle": (4.6, 2.0)})
_MEDALS = _table(("Gold", "Silver"), {"Peru": (3.0, 9.0), "Chile": (5.0, 4.0), "Cuba": (6.0, 7.0)})
_COUNTRIES = (Structure(type="table", parts=("Country", "Gold", "Silver")), *_MEDALS[1:])
_STEPS = _table(("Output",), {"2007": (900.0,), "2008": (912.0,), "2009": (930.0,), "2010": (950.0,)})
_QUARTERLY = _table(
    ("Quarter 1", "Quarter 2", "Quarter 3"), {"Laptops": (320.0, 295.0, 410.0), "Tablets": (210.0, 180.0, 165.0)}
)
_SEXES = _table(("Boys", "Girls"), {"Soccer": (44.0, 31.0), "Swimming": (62.0, 69.0), "Gymnastics": (6.0, 27.0)})
_LANDS = _table(("2000", "2010", "2020"), {"Peru": (9.0, 8.0, 7.0), "Cuba": (2.0, 2.1, 2.2), "Mali": (3.0, 2.9, 1.9)})
_PLANS = (
    Structure(type="bar chart", parts=()),
    *_facts("value", ("Pay the fee", 53.0), ("Choose a cheaper plan", 25.0), ("Cancel", 22.0), unit="percent"),
)


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_TRACES, "Trace 1 peaks at 8.", "supported"),
        (_TRACES, "The maximum of trace 0 is 6.", "supported"),
        (_TRACES, "Trace 1 is highest at x = 3.", "supported"),
        (_TRACES, "Trace 1 is highest at x = 2.", "contradicted"),
        (_TRACES, "Trace 0 peaks at 5.", "contradicted"),
        (_TRACES, "The two lines end at x = 4, where both have a value of 4.", "supported"),
        (_TRACES, "Trace 0 reaches its maximum of 6 at x = 2.", "supported"),
        (_TRACES, "Trace 0 reaches its maximum of 6 at x = 3.", "contradicted"),
        (_TRACES, "Trace 0 attains its peak of 5 at x = 3.", "contradicted"),
        (_COLD, "Vostok Station recorded 128 degrees below zero.", "supported"),
        (_COLD, "Vostok Station recorded 130 degrees below zero.", "contradicted"),
        (_OUTPUT, "Output fell from 912 in 2008 to 664 in 2009, the lowest figure of the period.", "supported"),
        (_OUTPUT, "Output fell from 912 in 2008 to 664 in 2009, the highest figure of the period.", "contradicted"),
        (_OUTPUT, "After the low of 664 in 2009, output grew every year.", "supported"),
        (_OUTPUT, "Following the 900 of 2007, output grew every year.", "contradicted"),
        (_OUTPUT, "No year before 2011 reached 920.", "supported"),
        (_OUTPUT, "No year after 2009 reached 920.", "contradicted"),
        (_OUTPUT, "Output rose to 912 in 2008 before plunging to 664 the year after.", "supported"),
        (_OUTPUT, "Output rose to 912 in 2008 before plunging to 800 the year after.", "contradicted"),
        (_YEARS, "Visitors bottomed out in 2005 and have been rising since, to 30.", "supported"),
        (_TRADE, "Exports peaked in 2020 and have been falling since, to 3.", "supported"),
        (
            _QUARTERS,
            "Q3 2022 was the busiest quarter with 56 visitors, and the first quarter of that year the quietest with 21.",
            "supported",
        ),
        (
            _QUARTERS,
            "Q3 2022 was the busiest quarter with 56 visitors, and the first quarter of that year the quietest with 23.",
            "contradicted",
        ),
        (_COUNTRIES, "A third of the countries won more golds than silvers.", "supported"),
        (_COUNTRIES, "Half of the countries won more golds than silvers.", "contradicted"),
        (_COUNTRIES, "Most of the countries won fewer golds than silvers.", "supported"),
        (_BIRDS, "An owl weighs 400 grams, a falcon 900 and an eagle 4600.", "supported"),
        (_BIRDS, "An owl weighs 400 grams and a falcon 800.", "contradicted"),
        (_HEAT, "At noon it is 7 degrees warmer inside than outside.", "supported"),
        (_HEAT, "At 6 p.m. it is 21 degrees inside.", "supported"),
        (_HEAT, "At nine in the evening it was 15 degrees outside.", "contradicted"),
        (_HEAT, "At midnight it was 6 degrees outside.", "missing"),
        (_TRAMS, "Lines 2 and 3 are equally long.", "supported"),
        (_TRAMS, "Lines 1 and 2 are equally long.", "contradicted"),
        (_TRAMS, "Lines 1, 2 and 3 together are 39 km long.", "supported"),
        (_TRADE, "Only one of the three years had more imports than exports.", "supported"),
        (_OUTPUT, "Output rose between 2010 and 2011.", "supported"),
        (_OUTPUT, "Output rose between 2010 and 2015.", "missing"),
        (_SWIMS, "Bea is ahead of Ann over 50 m.", "supported"),
        (_SWIMS, "Bea is ahead of Ann over 100 m.", "contradicted"),
        (_SWIMS, "Bea is behind Ann over 100 m.", "supported"),
        (_OUTPUT, "After 2009 it rose: 800, 950.", "supported"),
        (_OUTPUT, "After 2009 it rose: 800, 960.", "contradicted"),
        (_OUTPUT, "The 900 mark was passed in 2008.", "supported"),
        (_OUTPUT, "The 900 mark was passed in 2009.", "contradicted"),
        (_MEDALS, "Peru has the fewest golds but more medals overall than Chile.", "supported"),
        (_MEDALS, "Chile has 5 golds, and more medals overall than Peru.", "contradicted"),
        (_PLANS, "The gap is 31 points: 53% (pay the fee) minus 22% (cancel).", "supported"),
        (_PLANS, "The gap is 31 points: 53% (pay the fee) minus 25% (cancel).", "contradicted"),
        (_OUTPUT, "Output rose from year to year.", "contradicted"),
        (_OUTPUT, "Output never fell from one year to the next.", "contradicted"),
        (_OUTPUT, "Output shows a steady rise.", "contradicted"),
        (_STEPS, "Output shows a steady rise.", "supported"),
        (_STEPS, "Output rose from one year to the next.", "supported"),
        (_STEPS, "Output never fell.", "supported"),
        (_STEPS, "Output, never falling, went from 900 to 950.", "supported"),
        (_SCORES, "Ann scored 9, Bob nine more.", "supported"),
        (_SCORES, "Ann scored 9, Bob nine fewer.", "contradicted"),
        (_YEARS, "In 2005 there were 13 visitors. In 2006 there were 14 fewer.", "contradicted"),
        (_QUARTERLY, "In the third quarter tablets fell.", "supported"),
        (_QUARTERLY, "In the third quarter tablets stood at 180.", "contradicted"),
        (_SEXES, "Gymnastics shows the widest gap, 21; the second widest is in soccer.", "supported"),
        (_SEXES, "Gymnastics shows the widest gap, 21; the second widest is in swimming.", "contradicted"),
        (_LANDS, "Peru is the largest throughout.", "supported"),
        (_LANDS, "The smallest is Cuba throughout.", "contradicted"),
        (_PLANS, "A majority of users, 53%, would pay the fee, while 25% choose a cheaper plan.", "supported"),
        (_PLANS, "A majority of users, 58%, would pay the fee, while 25% choose a cheaper plan.", "contradicted"),
        (_TRIES, "Fewer students scored 0 than 2.", "contradicted"),
        (_TRIES, "More students scored 0 than 2.", "supported"),
        (_TRIES, "More students ended with 2 goals than with none.", "contradicted"),
        (_TRIES, "More students ended with none than with 2.", "supported"),
    ],
)
def test_right_steps_of_a_fresh_hand_are_not_accused(figure: tuple[Constraint, ...], claim: str, verdict: str) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict


@pytest.mark.parametrize(
    ("figure", "claim", "verdict"),
    [
        (_BALANCES, "Every category rose from 1 March to 31 March.", "contradicted"),
        (_CHANGES, "Tools grew by 1.5%, wood by 0.4%.", "contradicted"),
        (_CHANGES, "Food fell by 2%, wood by 0.4%.", "supported"),
        (_TRADE, "When do imports overtake exports? In 2020 imports are still ahead.", "contradicted"),
        (_TRADE, "When do imports overtake exports? In 2020 exports are still ahead.", "supported"),
        (_MARKS, "In Art Ann leads by 4.", "supported"),
        (_MARKS, "In Art Ann leads by 3.", "contradicted"),
        (_MARKS, "In Art Ann leads Cy by 5.", "supported"),
        (_MARKS, "In Art Ann leads Cy by 4.", "contradicted"),
        (_LAPS, "Bob's last lap took 70.", "supported"),
        (_LAPS, "Bob's last lap took 71.", "contradicted"),
        (_LAPS, "Ann ran the fastest first lap. Ann ran the fastest final lap.", "contradicted"),
        (_SPAN, "From 2019 to 2021 imports rose by 3 while exports fell by 2.", "contradicted"),
        (_SPAN, "From 2019 to 2021 imports rose by 3 while exports fell by 6.", "supported"),
        (_SPAN, "In 2019 there was a trade surplus of 4.", "supported"),
        (_SPAN, "In 2019 there was a trade deficit.", "contradicted"),
        (_SPAN, "In 2021 there was a deficit.", "supported"),
        (_SPAN, "In 2021 there was a surplus of 5.", "contradicted"),
    ],
)
def test_what_was_read_right_is_held_against_what_is_meant(
    figure: tuple[Constraint, ...], claim: str, verdict: str
) -> None:
    assert grounded_matcher(figure)(claim).verdict == verdict
