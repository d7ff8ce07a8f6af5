"""Our matching beyond the paper, in tables, series and solids: verdicts by table.

A row is a claim, its verdict, and what the deciding constraint is about (None where nothing was read of it).
"""

from __future__ import annotations

from collections.abc import Callable

from evpv.types import Constraint, Numeric, Reading, Structure

Figure = tuple[Constraint, ...]
Verdicts = Callable[[Figure, list[tuple[str, str, str | None]]], None]


def number(
    entity: str, value: float, unit: str | None = None, attribute: str = "value", reading: Reading = "printed"
) -> Numeric:
    return Numeric(entity=entity, attribute=attribute, value=value, unit=unit, reading=reading)


def table(columns: tuple[str, ...], rows: dict[str, tuple[float, ...]]) -> Figure:
    """A table with its header and one numeric constraint a cell, named as extractors name them."""
    cells = [number(f"{row} {c}", v) for row, values in rows.items() for c, v in zip(columns, values, strict=True)]
    return (Structure(type="table", parts=("Name", *columns)), *cells)


SCORES = table(("Score", "Age"), {"Ann": (12, 30), "Bob": (15, 28), "Cat": (9, 30), "Dan": (15.4, 41)})


def test_cells_of_a_table(verdicts: Verdicts) -> None:
    verdicts(
        SCORES,
        [
            ("Ann's score is 12.", "supported", "Ann Score"),
            ("Ann's score is 13.", "contradicted", "Ann Score"),
            ("Ann is 30 years old.", "supported", "Ann Age"),
            ("Eve's score is 12.", "missing", None),
        ],
    )


def test_comparisons_of_cells(verdicts: Verdicts) -> None:
    verdicts(
        SCORES,
        [
            ("Bob scored higher than Ann.", "supported", "Score"),
            ("Ann scored higher than Bob.", "contradicted", "Score"),
            ("Ann and Cat have the same age.", "supported", "Age"),
            ("Ann and Bob have the same age.", "contradicted", "Age"),
            ("Ann scored higher than Eve.", "missing", None),
        ],
    )


def test_extremes_run_over_the_column_that_is_measured(verdicts: Verdicts) -> None:
    """Ann's score is less than her age, which does not make it the lowest score."""
    verdicts(
        SCORES,
        [
            ("Dan has the highest score.", "supported", "Dan Score"),
            ("Bob has the highest score.", "contradicted", "Score"),
            ("Cat has the lowest score.", "supported", "Cat Score"),
            ("Ann has the lowest score.", "contradicted", "Score"),
            ("Bob has the second highest score.", "supported", "Bob Score"),
            ("Ann has the second highest score.", "contradicted", "Score"),
            ("Ann has the highest age.", "contradicted", "Age"),
            ("The lowest score belongs to Cat.", "supported", "Cat Score"),
        ],
    )


def test_extremes_run_over_a_row_where_the_claim_says_where(verdicts: Verdicts) -> None:
    verdicts(
        table(("Math", "Art"), {"Ann": (12, 30), "Bob": (15, 28)}),
        [
            ("Ann's highest score was in Art.", "supported", "Ann Art"),
            ("Ann's highest score was in Math.", "contradicted", "Math"),
        ],
    )


def test_differences_sums_and_means_of_cells(verdicts: Verdicts) -> None:
    verdicts(
        SCORES,
        [
            ("Bob scored 3 more than Ann.", "supported", "Score"),
            ("Ann scored 3 more than Bob.", "contradicted", "Score"),  # swapped
            ("Bob scored 4 more than Ann.", "contradicted", "Score"),
            ("The total score of Ann and Bob is 27.", "supported", "Score"),
            ("The total score of Ann and Bob is 28.", "contradicted", "Score"),
            ("The average score of Ann and Bob is 13.5.", "supported", "Score"),
            ("The average score of Ann and Bob is 12.", "contradicted", "Score"),
        ],
    )


YEARS: Figure = tuple(number(str(y), v, "million") for y, v in ((2007, 10), (2008, 14), (2009, 12), (2010, 20)))


def test_series_over_years(verdicts: Verdicts) -> None:
    verdicts(
        YEARS,
        [
            ("The value in 2008 was 14 million.", "supported", "2008"),
            ("In 2008 it was 14,000,000.", "supported", "2008"),
            ("In 2008 it was 15 million.", "contradicted", "2008"),
            ("The value in 2011 was 30 million.", "missing", None),
            ("The value rose from 2007 to 2008.", "supported", "200"),
            ("The value rose from 2008 to 2009.", "contradicted", "200"),
            ("The value fell from 2008 to 2009.", "supported", "200"),
            ("The value increased from 2007 to 2010.", "supported", "20"),
            ("The values increased every year.", "contradicted", "200"),
            ("The highest value was in 2010.", "supported", "2010"),
            ("The highest value was in 2008.", "contradicted", "2008"),
            ("The value in 2010 is twice that of 2007.", "supported", "20"),
            ("The value in 2010 is three times that of 2007.", "contradicted", "20"),
        ],
    )


VEHICLES = table(("2019", "2020", "2021"), {"Cars": (100, 120, 90), "Trucks": (30, 20, 45), "Buses": (5, 5, 6)})


def test_a_table_with_years_as_columns(verdicts: Verdicts) -> None:
    verdicts(
        VEHICLES,
        [
            ("There were 120 cars in 2020.", "supported", "Cars 2020"),
            ("There were 100 cars in 2020.", "contradicted", "Cars 2020"),
            ("The number of cars decreased from 2020 to 2021.", "supported", "Cars"),
            ("The number of buses stayed the same from 2019 to 2020.", "supported", "Buses"),
            ("Cars were the most common vehicle in 2021.", "supported", "Cars 2021"),  # over the rows
            ("Cars peaked in 2020.", "supported", "Cars 2020"),  # over the years
            ("Cars peaked in 2021.", "contradicted", "Cars"),
            ("In 2021, trucks outnumbered cars.", "contradicted", "2021"),
            ("In 2020 there were 100 more cars than trucks.", "supported", "2020"),
            ("Trucks increased by 25 between 2020 and 2021.", "supported", "Trucks"),
            ("The number of trucks more than doubled from 2020 to 2021.", "supported", "Trucks"),
            ("The number of cars doubled from 2019 to 2020.", "contradicted", "Cars"),
            ("The total number of vehicles in 2019 was 135.", "supported", "2019"),
            ("The total number of vehicles in 2019 was 140.", "contradicted", "2019"),
            ("The total number of vehicles in 2018 was 135.", "missing", None),
        ],
    )


def test_series_that_share_their_years_are_told_apart(verdicts: Verdicts) -> None:
    verdicts(
        tuple(
            number(f"{name} {year}", value, "%")
            for name, values in {"Coal": (50, 40, 30), "Solar": (5, 15, 35)}.items()
            for year, value in zip((2000, 2010, 2020), values, strict=True)
        ),
        [
            ("In 2010 coal was higher than solar.", "supported", "2010"),
            ("In 2010 solar was higher than coal.", "contradicted", "2010"),
            ("Solar overtook coal by 2020.", "supported", "2020"),
            ("Coal fell from 2000 to 2020.", "supported", "Coal"),
            ("Solar tripled between 2000 and 2010.", "supported", "Solar"),
            ("Solar doubled between 2000 and 2010.", "contradicted", "Solar"),
        ],
    )


def test_the_faster_takes_less_time(verdicts: Verdicts) -> None:
    verdicts(
        table(("Time (minutes)",), {"Walking": (30,), "Cycling": (12,), "Bus": (20,)}),
        [
            ("The bus is faster than walking.", "supported", "Time"),
            ("Walking is faster than the bus.", "contradicted", "Time"),
            ("Cycling is the fastest.", "supported", "Cycling"),
            ("Walking is the slowest.", "supported", "Walking"),
            ("Walking takes the longest.", "supported", "Walking"),
            ("Cycling takes 0.2 hours.", "supported", "Cycling"),
        ],
    )


def test_several_values_belong_to_the_names_in_their_order(verdicts: Verdicts) -> None:
    verdicts(
        table(("Boys", "Girls"), {"Grade 6": (14, 12), "Grade 7": (10, 15)}),
        [
            ("The number of boys in Grade 6 is 14, and the number of girls is 12.", "supported", "Grade 6"),
            ("The number of boys in Grade 6 is 12, and the number of girls is 14.", "contradicted", "Grade 6"),
            ("Grade 7 has 25 students in total.", "supported", "Grade 7"),
            ("Grade 7 has 26 students in total.", "contradicted", "Grade 7"),
        ],
    )


def test_a_total_runs_over_what_is_counted(verdicts: Verdicts) -> None:
    verdicts(
        tuple(number(name, value, None, "count") for name, value in (("cube", 3), ("red balls", 5), ("blue balls", 8))),
        [
            ("There are 13 balls in total.", "supported", "balls"),
            ("There are 16 balls in total.", "contradicted", "balls"),
            ("There are 3 more blue balls than red balls.", "supported", "balls"),
            ("There are 4 green balls.", "missing", None),
        ],
    )


def test_prices_are_named_by_what_is_done_with_them(verdicts: Verdicts) -> None:
    verdicts(
        table(("Price ($)", "Stock"), {"Red pen": (1.5, 20), "Blue pen": (2, 35), "Ruler": (1.25, 8)}),
        [
            ("The blue pen costs $1.50.", "contradicted", "Blue pen Price"),
            ("The blue pen is cheaper than the red pen.", "contradicted", "Price"),
            ("The ruler costs 25 cents less than the red pen.", "supported", "Price"),
            ("The most expensive item is the blue pen.", "supported", "Blue pen Price"),
            ("There are 20 blue pens in stock.", "contradicted", "Blue pen Stock"),
        ],
    )


def test_shares_of_a_whole(verdicts: Verdicts) -> None:
    verdicts(
        tuple(number(name, value, "%") for name, value in (("Rent", 40), ("Food", 25), ("Travel", 10), ("Rest", 25))),
        [
            ("Rent takes 40% of the budget.", "supported", "Rent"),
            ("Rent takes two fifths of the budget.", "supported", "Rent"),
            ("A quarter of the budget is spent on food.", "supported", "Food"),
            ("Rent is more than half of the budget.", "contradicted", "Rent"),
            ("Rent accounts for less than half of the budget.", "supported", "Rent"),
            ("Rent is four times Travel.", "supported", ""),
            ("Rent and Food together make up 65%.", "supported", ""),
            ("Rent and Food together make up 60%.", "contradicted", ""),
            ("Food and Rest have equal shares.", "supported", ""),
            ("Rent is higher than Food and Travel combined.", "supported", ""),
            ("Rent is higher than Food and Rest combined.", "contradicted", ""),
        ],
    )


def test_rules_along_a_sequence(verdicts: Verdicts) -> None:
    verdicts(
        tuple(number(f"term {i}", 3**i) for i in range(1, 5)),
        [
            ("Each term is three times the previous one.", "supported", "term"),
            ("Each term is twice the previous one.", "contradicted", "term"),
            ("Each term is 6 more than the previous one.", "contradicted", "term"),
            ("Term 2 is 9.", "supported", "term 2"),
        ],
    )


def test_acronyms_are_names_and_not_labels(verdicts: Verdicts) -> None:
    verdicts(
        (number("USA", 50), number("UK", 40), number("France", 30)),
        [
            ("The value for USA is 50.", "supported", "USA"),
            ("USA has a value of 60.", "contradicted", "USA"),
            ("The UK is at 40.", "supported", "UK"),
            ("USA has the highest value.", "supported", "USA"),
            ("France has the highest value.", "contradicted", ""),
            ("UK is higher than France.", "supported", ""),
        ],
    )


def test_a_single_fact_speaks_only_of_its_own_thing(verdicts: Verdicts) -> None:
    verdicts(
        (number("cone height", 4, "cm", "length"),),
        [
            ("The cone is 4 cm tall.", "supported", "cone"),
            ("The cone is 5 cm tall.", "contradicted", "cone"),
            ("The cylinder radius is 3 cm.", "missing", None),
            ("Bob has 7 apples.", "missing", None),
        ],
    )


def test_structures_count_parts_and_attachments(verdicts: Verdicts) -> None:
    solid = Structure(type="composite", parts=("cube", "pyramid"), attachment=("pyramid on top of the cube",))
    verdicts(
        (solid,),
        [
            ("A pyramid sits on top of a cube.", "supported", "pyramid"),
            ("A cube is below the pyramid.", "supported", "pyramid"),
            ("A cube sits on top of a pyramid.", "contradicted", "pyramid"),
            ("A cone sits on top of a cube.", "contradicted", "cube"),
            ("The solid is composed of a cube and a pyramid.", "supported", "cube"),
        ],
    )
    verdicts((), [("A pyramid sits on top of a cube.", "missing", None)])


def test_layout_and_counts_of_a_table(verdicts: Verdicts) -> None:
    verdicts(
        SCORES,
        [
            ("The table has the columns Name, Score and Age.", "supported", "Score"),
            ("The table has three columns.", "supported", "Score"),
            ("The table has four rows.", "supported", ""),
            ("The table has 4 rows.", "supported", ""),
            ("The table has 7 rows.", "contradicted", ""),
            ("The table lists the weight of each person.", "contradicted", "Score"),
        ],
    )


def test_cells_are_found_by_counting_rows_and_columns(verdicts: Verdicts) -> None:
    verdicts(
        (
            Structure(type="table", parts=("Name", "Wins", "Losses")),
            *(number(f"{name} {column}", value) for name, *values in (("Fred", 12, 3), ("Ann", 9, 5))
              for column, value in zip(("Wins", "Losses"), values, strict=True)),
        ),
        [
            ("The table entry in row 2, column B is 9.", "supported", "Ann Wins"),
            ("The table entry in row 2, column B is 12.", "contradicted", "Ann Wins"),
            ('The entry in row "Fred", column "Losses" is 3.', "supported", "Fred Losses"),
            ("The table entry in row 1, column 3 is 3.", "supported", "Fred Losses"),
        ],
    )  # fmt: skip
