"""Tables from grids of words: names, values, titles, headers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.perception.boxes import Pixels
from evpv.perception.ocr import Word
from evpv.perception.tables import table_reading
from evpv.perception.tables.numbers import _CellNumber, cell_number, leaf_digits
from evpv.types import Constraint, Numeric, Relation, Structure

from .drawing import pixels, table_picture, table_words


def read_table(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    return list(table_reading(picture, words).constraints)


def facts(rows: list[list[str]], *, ruled: bool = True, title: str = "") -> dict[str, float]:
    found = read_table(pixels(table_picture(rows, ruled=ruled, title=title)), table_words(rows, title=title))
    return {fact.entity: fact.value for fact in found if isinstance(fact, Numeric)}


@pytest.mark.parametrize("ruled", [True, False])
def test_a_cell_is_named_by_its_row_and_its_column(ruled: bool) -> None:
    rows = [["Beverage", "Thursday", "Friday"], ["tea", "3", "14"], ["coffee", "$5.50", "1,200"]]
    assert facts(rows, ruled=ruled) == {
        "tea Thursday": 3,
        "tea Friday": 14,
        "coffee Thursday": 5.5,
        "coffee Friday": 1200,
    }


@pytest.mark.parametrize("ruled", [True, False])
def test_without_a_header_the_row_alone_names_the_value(ruled: bool) -> None:
    assert facts([["rug", "$51.00"], ["vase", "$49.00"], ["clock", "$7.25"]], ruled=ruled) == {
        "rug": 51,
        "vase": 49,
        "clock": 7.25,
    }


def test_a_title_over_all_columns_names_nothing() -> None:
    rows = [["Day", "Number of pies"], ["Monday", "2"], ["Tuesday", "4"]]
    assert facts(rows, title="Pies baked") == {"Monday Number of pies": 2, "Tuesday Number of pies": 4}


def test_leaves_of_a_stem_are_one_number() -> None:
    assert facts([["Stem", "Leaf"], ["1", "3 7"], ["2", "0 4 4"]]) == {"1 Leaf": 37, "2 Leaf": 44}


def test_leaves_keep_the_zeros_that_their_value_loses() -> None:
    rows = [["Stem", "Leaf"], ["1", "3 7"], ["2", "0 4 4"]]
    found = read_table(pixels(table_picture(rows)), table_words(rows))
    assert [fact.extra for fact in found if isinstance(fact, Numeric)] == [{"text": "3 7"}, {"text": "0 4 4"}]


def test_numbers_in_the_stub_name_rows_and_are_no_values() -> None:
    assert facts([["Score", "Frequency"], ["0", "8"], ["1", "20"]]) == {"0 Frequency": 8, "1 Frequency": 20}


def test_years_over_an_empty_corner_are_a_header() -> None:
    assert facts([["", "2019", "2020"], ["boys", "12", "15"], ["girls", "11", "9"]])["boys 2020"] == 15


def test_years_over_other_numbers_are_a_header() -> None:
    assert facts([["Student", "2021", "2022"], ["Alice", "6", "12"]]) == {"Alice 2021": 6, "Alice 2022": 12}


def test_a_frame_inside_the_picture_opens_no_column() -> None:
    rows = [["Day", "Hours"], ["Monday", "2"], ["Friday", "4"]]
    framed = np.pad(pixels(table_picture(rows)), ((40, 40), (40, 40), (0, 0)), constant_values=245)
    words = [replace(word, box=tuple(edge + 40 for edge in word.box)) for word in table_words(rows)]
    words[2] = replace(words[2], box=(35.0, *words[2].box[1:]))  # a generous box that reaches over the frame
    found = read_table(framed, words)
    assert {fact.entity for fact in found if isinstance(fact, Numeric)} == {"Monday Hours", "Friday Hours"}


def test_unknown_and_empty_cells_give_no_fact() -> None:
    assert facts([["x", "y"], ["1", "5"], ["2", "?"], ["3", ""]]) == {"1 y": 5}


def test_the_structure_holds_the_header_and_where_the_table_is() -> None:
    rows = [["Day", "Hours"], ["Monday", "2"], ["Tuesday", "4"]]
    structure = read_table(pixels(table_picture(rows)), table_words(rows))[0]
    assert isinstance(structure, Structure)
    assert (structure.type, structure.parts, structure.attachment) == ("table", ("Day", "Hours"), ("Monday", "Tuesday"))
    assert structure.box is not None


def test_every_value_says_where_it_stands() -> None:
    rows = [["Day", "Hours"], ["Monday", "2"], ["Tuesday", "4"]]
    found = read_table(pixels(table_picture(rows)), table_words(rows))
    boxes = {fact.entity: fact.box for fact in found if isinstance(fact, Numeric)}
    assert boxes["Monday Hours"] == (131, 34, 139, 56)


def test_a_schedule_has_a_structure_and_no_values() -> None:
    rows = [["Ferry", "Begin"], ["jugglers", "4:10 P.M."], ["clowns", "5:15 P.M."]]
    (structure,) = read_table(pixels(table_picture(rows)), table_words(rows))
    assert isinstance(structure, Structure)
    assert structure.parts == ("Ferry", "Begin")


def test_text_without_columns_is_no_table() -> None:
    rows = [["Once upon a time"], ["there was a 7"]]
    assert read_table(pixels(table_picture(rows, ruled=False)), table_words(rows)) == []


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12", 12, None),
        ("-4", -4, None),
        ("−128", -128, None),
        ("$1,622.50", 1622.5, "$"),
        ("-$75", -75, "$"),
        ("$-75", -75, "$"),
        ("(20)", -20, None),
        ("12%", 12, "%"),
        (".5", 0.5, None),
        ("21°C", 21, "°C"),
        ("1O", 10, None),
        ("$3/lb", 3, "$"),
        ("$7 per pound", 7, "$"),
    ],
)
def test_numbers_as_cells_print_them(text: str, value: float, unit: str | None) -> None:
    assert cell_number(text) == _CellNumber(value=value, unit=unit)


@pytest.mark.parametrize("text", ["", "?", "5-10", "7/5", "8:45", "O", "lS", "1,23", "(5", "May 20-26", "3 apples"])
def test_what_is_more_or_less_than_a_number_is_none(text: str) -> None:
    assert cell_number(text) is None


def test_a_leaf_cell_without_digits_is_none() -> None:
    assert leaf_digits(" ") is None


@given(st.floats(min_value=-1e6, max_value=1e6).map(lambda value: round(value, 2)), st.booleans())
def test_a_printed_number_is_read_back(value: float, grouped: bool) -> None:
    number = cell_number(f"{value:,.2f}" if grouped else f"{value:.2f}")
    assert number is not None
    assert number.value == value


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(2, 5), st.booleans())
def test_every_number_of_any_table_is_found(columns: int, rows: int, ruled: bool) -> None:
    names = ["Item", *(f"Col{chr(65 + column)}" for column in range(columns))]
    body = [[f"row{chr(97 + row)}", *(str(100 + 10 * row + c) for c in range(columns))] for row in range(rows)]
    expected = {f"{row[0]} {name}": float(text) for row in body for name, text in zip(names[1:], row[1:], strict=True)}
    assert facts([names, *body], ruled=ruled) == expected


# Tables as reports and journals print them: no rules, or three; names over several columns; groups of rows.
REPORT = [
    ["", "Training set", "", "Control", ""],
    ["Variable", "n", "%", "n", "%"],
    ["Demographics"],
    ["Urban", "133", "41.5", "10 000", "7.2*"],
    ["Rural", "77", "-", "(25)", "39.6"],
    ["Outcome"],
    ["Urban", "41", "12.5", "1,200", "8.25"],
    ["Mean age", "51.2 ± 3.1", "12 (34%)", "<0.001", "n.a."],
]


def report_constraints() -> list[Constraint]:
    picture = table_picture([row + [""] * (5 - len(row)) for row in REPORT], ruled=False)
    words = table_words(REPORT)
    words[0] = replace(words[0], box=words[0].box.shift(60, 0))
    words[1] = replace(words[1], box=words[1].box.shift(60, 0))
    return read_table(np.full_like(pixels(picture), 255), words)


def test_names_over_several_columns_are_part_of_each() -> None:
    structure = report_constraints()[0]
    assert isinstance(structure, Structure)
    assert structure.parts == ("Variable", "Training set n", "Training set %", "Control n", "Control %")


def test_groups_tell_rows_of_one_name_apart() -> None:
    values = {fact.entity: fact.value for fact in report_constraints() if isinstance(fact, Numeric)}
    assert values["Demographics Urban Training set n"] == 133
    assert values["Outcome Urban Training set n"] == 41
    assert values["Demographics Urban Control n"] == 10000
    assert values["Demographics Rural Control n"] == -25
    assert values["Demographics Urban Control %"] == 7.2


def test_a_value_says_its_row_and_its_column() -> None:
    fact = next(fact for fact in report_constraints() if isinstance(fact, Numeric))
    assert (fact.row, fact.column) == ("Demographics Urban", "Training set n")


def test_what_one_number_cannot_say_is_a_relation() -> None:
    relations = [fact for fact in report_constraints() if isinstance(fact, Relation)]
    assert [(fact.type, fact.entities[1]) for fact in relations] == [
        ("equal", "51.2 ± 3.1"),
        ("equal", "12 (34%)"),
        ("less", "0.001"),
    ]


def test_spreads_that_stand_in_columns_of_their_own_belong_to_their_values() -> None:
    rows = [["Gene", "", "Mean", "p"], *([name, "58.2", "± 6.4", "0.33"] for name in ("TP53", "MYC", "KRAS"))]
    found = read_table(pixels(table_picture(rows, ruled=False)), table_words(rows))
    assert [fact.entities for fact in found if isinstance(fact, Relation)] == [
        (f"{name} Mean", "58.2 ± 6.4") for name in ("TP53", "MYC", "KRAS")
    ]
    assert {fact.entity for fact in found if isinstance(fact, Numeric)} == {"TP53 p", "MYC p", "KRAS p"}


def test_cells_taken_for_one_word_are_cut_where_the_page_is_white() -> None:
    rows = [["City", "Men", "Women"], ["Rome", "12", "31"], ["Oslo", "45", "67"]]
    picture = pixels(table_picture(rows, ruled=False))
    words = [word for word in table_words(rows) if word.text not in ("45", "67")]
    run = Word(text="45 67", box=(125, 64, 280, 86), confidence=0.99)
    found = read_table(picture, [*words, run])
    assert {fact.entity: fact.value for fact in found if isinstance(fact, Numeric)} == {
        "Rome Men": 12,
        "Rome Women": 31,
        "Oslo Men": 45,
        "Oslo Women": 67,
    }


def test_a_table_of_decimal_commas_is_read_as_such() -> None:
    rows = [["Jahr", "Anteil", "Zahl"], ["1998", "12,5", "1,200"], ["1999", "7,25", "980"]]
    assert facts(rows) == {"1998 Anteil": 12.5, "1998 Zahl": 1200, "1999 Anteil": 7.25, "1999 Zahl": 980}


def test_a_table_explains_its_words_and_a_page_of_text_does_not() -> None:
    rows = [["Beverage", "Thursday", "Friday"], ["tea", "3", "14"], ["coffee", "5", "12"]]
    assert table_reading(pixels(table_picture(rows)), table_words(rows)).explained > 0.9
    text = [["Once upon a time"], ["there was a 7"]]
    assert table_reading(pixels(table_picture(text, ruled=False)), table_words(text)).explained == 0


def spread_facts(lines: list[tuple[int, list[tuple[str, int]]]]) -> dict[str, float]:
    """Facts of words that stand alone on a page without borders: per line its height, and each word with its middle."""
    words = [
        Word(text=text, box=(middle - 5 * len(text), y, middle + 5 * len(text), y + 20), confidence=0.99)
        for y, line in lines
        for text, middle in line
    ]
    found = read_table(np.full((300, 700, 3), 255, np.uint8), words)
    return {fact.entity: fact.value for fact in found if isinstance(fact, Numeric)}


_BODY = [
    (120, [("Northfield", 60), ("310", 200), ("285", 300), ("96", 400), ("104", 500)]),
    (160, [("Hillside", 60), ("205", 200), ("241", 300), ("150", 400), ("133", 500)]),
    (200, [("Riverbank", 60), ("178", 200), ("190", 300), ("88", 400), ("121", 500)]),
]


@pytest.mark.parametrize(
    ("upper", "lower", "name"),
    [
        (["Apples", "Pears"], ["2023", "2024", "2023", "2024"], "Pears 2024"),
        (["2023", "2024"], ["Apples", "Pears", "Apples", "Pears"], "2024 Pears"),
        (["2022/23", "2023/24"], ["Q1", "Q2", "Q1", "Q2"], "2023/24 Q2"),
    ],
)
@pytest.mark.parametrize(("stub_y", "shift"), [(40, 0), (62, 0), (80, 0), (62, -50), (62, 50)])
def test_names_over_columns_share_them_out_where_the_names_below_repeat(
    upper: list[str], lower: list[str], name: str, stub_y: int, shift: int
) -> None:
    head = [
        (40, [(upper[0], 250 + shift), (upper[1], 450 + shift)]),
        (80, [(text, 200 + 100 * column) for column, text in enumerate(lower)]),
        (stub_y, [("Orchard", 60)]),
    ]
    found = spread_facts([*head, *_BODY])
    assert len(found) == 12
    assert found[f"Hillside {name}"] == 133
    assert found[f"Hillside {upper[0]} {lower[0]}"] == 205


def test_three_levels_of_names_are_joined() -> None:
    head = [
        (20, [("East", 250), ("West", 450)]),
        (50, [("Oil", 200), ("Gas", 300), ("Oil", 400), ("Gas", 500)]),
        (80, [("2023", 200), ("2023", 300), ("2023", 400), ("2023", 500)]),
    ]
    assert spread_facts([*head, *_BODY])["Riverbank West Gas 2023"] == 121


@pytest.mark.parametrize("middle", [130, 200])
def test_the_title_of_a_receipt_names_no_columns(middle: int) -> None:
    rows = [
        (80, [("Rye loaf", 80), ("4.20", 320)]),
        (120, [("Milk", 60), ("1.35", 320)]),
        (160, [("TOTAL", 65), ("5.55", 320)]),
    ]
    assert spread_facts([(30, [("CORNER", middle - 33), ("BAKERY", middle + 33)]), *rows]) == {
        "Rye loaf": 4.2,
        "Milk": 1.35,
        "TOTAL": 5.55,
    }


def test_a_line_that_names_a_group_of_rows_ends_the_header() -> None:
    head = [(40, [("Orchard", 60), ("Oil", 200), ("Gas", 300), ("Coal", 400), ("Peat", 500)]), (80, [("North", 60)])]
    assert spread_facts([*head, *_BODY])["Northfield Oil"] == 310
