"""Sentences as people write them under charts: several values, spans of years, extremes of nothing named, reasons."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evpv.types import Constraint, Numeric, Reading, Structure

KNOWN = pytest.mark.xfail(
    strict=True, reason="a known misreading of the figure-aware reader (docs/log.md, tenth session)"
)

Figure = tuple[Constraint, ...]
Verdicts = Callable[[Figure, list[tuple[str, str, str | None]]], None]


def chart(series: str, values: dict[str, float], *, reading: Reading = "printed") -> Figure:
    """A chart of one series, as the extractor of charts gives it."""
    cells = [
        Numeric(entity=f"{name} {series}", attribute="value", value=value, reading=reading)
        for name, value in values.items()
    ]
    return (Structure(type="table", parts=(series,)), *cells)


PENSION = chart("Spending", {"2010": 31.0, "2011": 34.0, "2012": 38.0, "2013": 41.0, "2014": 47.0, "2015": 52.0})
BEANS = chart("Trade value", {"Brazil": 520.0, "Italy": 210.0, "Peru": 80.0, "Kenya": 45.0, "Togo": 12.0})
DEATHS = chart(
    "Mortality rate",
    {"Peru": 117.6, "Brazil": 93.4, "Chile": 88.0, "Mexico": 61.0, "Honduras": 33.0},
    reading="estimated",
)


def test_values_are_paired_with_the_names_beside_them(verdicts: Verdicts) -> None:
    verdicts(
        PENSION,
        [
            ("Spending rose from 31 in 2010 to 52 in 2015.", "supported", ""),
            ("Spending rose from 31 in 2010 to 60 in 2015.", "contradicted", "2015"),
        ],
    )
    verdicts(
        BEANS,
        [
            ("Italy and Peru stand at 210 and 80 respectively.", "supported", ""),
            ("The largest were Brazil (520), Italy (210) and Peru (95).", "contradicted", "Peru"),
        ],
    )


def test_a_name_said_of_the_value_before_it_is_not_taken_for_the_next_value(verdicts: Verdicts) -> None:
    verdicts(
        PENSION,
        [
            ("It was 31 in 2010 and reached 52 in 2015.", "supported", ""),
            ("It was 31 in 2010 and reached 50 in 2015.", "contradicted", "2015"),
        ],
    )


def test_the_highest_value_of_nothing_named_is_the_highest_of_all_that_was_read(verdicts: Verdicts) -> None:
    """A higher one than was read may be one that was missed; a lower one cannot be the highest."""
    verdicts(
        BEANS,
        [
            ("The highest figure shown was 520.", "supported", "Brazil"),
            ("The highest figure shown was 210.", "contradicted", "Brazil"),
            ("The highest figure shown was 900.", "missing", None),
            ("The highest figure, for Vietnam, was 520.", "missing", None),
        ],
    )


def test_a_value_near_nothing_that_was_measured_is_refuted_but_printed_charts_may_have_more(verdicts: Verdicts) -> None:
    verdicts(DEATHS, [("In Ecuador it reached 250 cases.", "contradicted", "")])
    verdicts(BEANS, [("In Ecuador it reached 250 cases.", "missing", None)])


def test_the_base_of_a_rate_is_not_asserted(verdicts: Verdicts) -> None:
    verdicts(
        DEATHS,
        [
            ("Brazil has a mortality rate of 93 deaths per 100,000 inhabitants.", "supported", "Brazil"),
            ("Brazil has a mortality rate of 60 deaths per 100,000 inhabitants.", "contradicted", "Brazil"),
        ],
    )


def test_a_measured_value_refutes_beyond_a_tenth_and_hedged_ones_beyond_a_fifth(verdicts: Verdicts) -> None:
    verdicts(
        DEATHS,
        [
            ("The mortality rate in Peru is 120.5.", "supported", "Peru"),
            ("The mortality rate in Peru is 127.5.", "missing", None),
            ("The mortality rate in Peru is 135.5.", "contradicted", "Peru"),
            ("The mortality rate in Peru is about 135.5.", "missing", None),
            ("The mortality rate in Peru is about 155.5.", "contradicted", "Peru"),
        ],
    )


@KNOWN
def test_a_span_of_years_may_reach_a_little_beyond_what_was_read(verdicts: Verdicts) -> None:
    verdicts(
        PENSION,
        [
            ("Spending increased from 2009 to 2016.", "supported", ""),
            ("Spending decreased from 2009 to 2016.", "contradicted", ""),
            ("Spending increased from 1990 to 2016.", "missing", None),
        ],
    )


def test_what_follows_the_highest_is_in_order_too(verdicts: Verdicts) -> None:
    verdicts(
        BEANS,
        [
            ("Brazil has the highest value, followed by Italy and Peru.", "supported", ""),
            ("Brazil has the highest value, followed by Peru and Italy.", "contradicted", ""),
        ],
    )


def test_a_reason_is_never_supported_though_what_goes_with_it_may_be_refuted(verdicts: Verdicts) -> None:
    verdicts(
        PENSION,
        [
            ("Spending increased from 2010 to 2015, likely due to an ageing population.", "missing", None),
            ("Spending decreased from 2010 to 2015, likely due to an ageing population.", "contradicted", ""),
        ],
    )
