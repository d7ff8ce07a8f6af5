"""One form for many spellings: tables of numbers, units, labels, relation words, expressions and answers."""

from __future__ import annotations

import math

import pytest

from evpv.language.answers import answer_key
from evpv.language.expressions import has_variable, polynomial
from evpv.language.labels import entity_key, labels
from evpv.language.lexicon import canonical_relation
from evpv.language.quantities import bare_numbers, canonical_unit, conversion, quantities
from evpv.language.text import plain, plain_text
from evpv.language.tokens import content_stems, stem

NUMBERS: list[tuple[str, list[float]]] = [
    # digits
    ("12", [12]), ("007", [7]), (".5", [0.5]), ("3.0", [3]), ("1,090", [1090]), ("1,090.50", [1090.5]), ("1,234,567", [1234567]),
    ("12,34", [12, 34]), ("-7", [-7]), ("−7", [-7]), ("x = -2", [-2]), ("(3, -4)", [3, -4]), ("18-29", [18, 29]), ("18–29", [18, 29]),
    # words
    ("zero", [0]), ("twelve", [12]), ("twenty-one", [21]), ("forty-eight", [48]), ("one hundred forty-eight", [148]),
    ("one hundred and five", [105]), ("two thousand five hundred", [2500]), ("fifteen hundred", [1500]), ("three million", [3e6]),
    ("minus 7", [-7]), ("negative seven", [-7]), ("one of the", []), ("the second one", []),
    # scales
    ("2.5 million", [2.5e6]), ("2.77 trillion", [2.77e12]), ("45K", [45e3]), ("$3.2B", [3.2e9]), ("two dozen", [24]),
    # fractions
    ("1/2", [0.5]), ("3 1/2", [3.5]), ("½", [0.5]), ("1½", [1.5]), ("¾", [0.75]), ("two fifths", [0.4]), ("two-fifths", [0.4]),
    ("one half", [0.5]), ("half of the", [0.5]), ("a quarter of", [0.25]), ("three quarters", [0.75]),
    ("two and three-quarters", [2.75]), ("a kilometre and a half", [1.5]), ("1/0", [1]),
    # roots and π
    ("5√2", [5 * math.sqrt(2)]), ("√3", [math.sqrt(3)]), ("√(12)", [math.sqrt(12)]), ("2π", [2 * math.pi]), ("π/2", [math.pi / 2]),
    ("π", [math.pi]),
    # powers of ten
    ("3.2×10^5", [3.2e5]), ("3.2 x 10^5", [3.2e5]), ("1e6", [1e6]), ("6.02e23", [6.02e23]), ("4×10^-3", [4e-3]), ("1e400", []),
    # LaTeX
    (r"\frac{1}{2}", [0.5]), (r"\dfrac{3}{4}", [0.75]), (r"\frac12", [0.5]), (r"$5\sqrt{2}$", [5 * math.sqrt(2)]), (r"3\pi", [3 * math.pi]),
    (r"45\%", [45]), (r"45^\circ", [45]), (r"45^{\circ}", [45]), (r"\$18", [18]), (r"$x = 12$", [12]), (r"$1{,}200$", [1200]),
    # names are not numbers
    ("point B2", []), ("A1", []), ("no number here", []), ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), NUMBERS, ids=[text or "empty" for text, _ in NUMBERS])
def test_numbers(text: str, values: list[float]) -> None:
    assert [quantity.absolute for quantity in quantities(plain(text))] == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("5 cm", "centimeter"),
        ("5cm", "centimeter"),
        ("10 m", "meter"),
        ("12 in.", "inch"),
        ("10 in 2011", None),  # a preposition
        ("3 feet", "foot"),
        ("45°", "degree"),
        ("45 degrees", "degree"),
        ("π/3 radians", "radian"),
        ("20 °C", "celsius"),
        ("two hours", "hour"),
        ("5 kg", "kilogram"),
        ("45%", "percent"),
        ("45 percent", "percent"),
        ("45 per cent", "percent"),
        ("an hour and a half", "hour"),
        ("$18", "dollar"),
        ("10 USD", "dollar"),
        ("$1.5 million", "dollar"),
        ("€1,200", "euro"),
        ("£5.50", "pound_sterling"),
        ("¥300", "yen"),
        ("45¢", "cent"),
        ("12 apples", None),
    ],
)
def test_the_unit_of_a_number(text: str, unit: str | None) -> None:
    assert quantities(plain(text))[0].unit == unit


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("12", 0),
        ("3.0", 1),
        ("1,090.50", 2),
        ("1/2", None),
        ("5√2", None),
        ("π", None),
        ("twelve", 0),
        ("two fifths", None),
    ],
)
def test_how_exactly_a_number_is_written(text: str, places: int | None) -> None:
    """Exact forms have no last digit to round to."""
    assert quantities(plain(text))[0].places == places


@pytest.mark.parametrize(
    ("spelling", "unit"),
    [
        ("cm", "centimeter"), ("CM", "centimeter"), ("cm.", "centimeter"), ("degrees", "degree"), ("deg", "degree"), ("°", "degree"),
        ("%", "percent"), ("ft", "foot"), ("inches", "inch"), ("hrs", "hour"), ("sec", "second"), ("$", "dollar"), ("US$", "dollar"),
        ("¢", "cent"), ("°C", "celsius"), ("units", None), ("x", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_units_have_one_name(spelling: str | None, unit: str | None) -> None:
    assert canonical_unit(spelling) == unit


@pytest.mark.parametrize(
    ("source", "target", "factor"),
    [
        ("meter", "centimeter", 100), ("centimeter", "millimeter", 10), ("inch", "centimeter", 2.54), ("foot", "inch", 12),
        ("mile", "kilometer", 1.609344), ("degree", "radian", math.pi / 180), ("hour", "minute", 60), ("week", "day", 7),
        ("kilogram", "gram", 1000), ("cent", "dollar", 0.01), ("dollar", "cent", 100), ("percent", "percent", 1),
        ("dollar", "euro", None), ("meter", "hour", None), ("celsius", "fahrenheit", None),
    ],
)  # fmt: skip
def test_units_convert_where_they_measure_the_same(source: str, target: str, factor: float | None) -> None:
    assert conversion(source, target) == (None if factor is None else pytest.approx(factor, rel=1e-9))


LABELS: list[tuple[str, list[tuple[str, str]]]] = [
    ("AB", [("segment", "AB")]), ("BA", [("segment", "AB")]), (r"$\overline{BA}$", [("segment", "AB")]), ("segment BA", [("segment", "AB")]),
    ("ray OX", [("segment", "OX")]), (r"\overleftrightarrow{PQ}", [("segment", "PQ")]), ("arc BA", [("arc", "AB")]),
    ("∠ABC", [("angle", "ABC")]), ("∠CBA", [("angle", "ABC")]), ("∠BAC", [("angle", "BAC")]), (r"$\angle ABC$", [("angle", "ABC")]),
    ("m∠B", [("angle", "B")]), ("angle 1", [("angle", "1")]), ("∠α", [("angle", "α")]), ("∠1 and ∠2", [("angle", "1"), ("angle", "2")]),
    ("angles 1 and 2", [("angle", "1"), ("angle", "2")]), ("angles ABC and DEF", [("angle", "ABC"), ("angle", "DEF")]),
    ("△ABC", [("triangle", "ABC")]), (r"\triangle BCA", [("triangle", "ABC")]), ("triangle CAB", [("triangle", "ABC")]),
    ("⊙O", [("circle", "O")]), (r"\odot O", [("circle", "O")]), ("circle O", [("circle", "O")]), ("point P", [("point", "P")]),
    ("points P and Q", [("point", "P"), ("point", "Q")]), ("quadrilateral DCBA", [("polygon", "ABCD")]),
    ("AB and CD", [("segment", "AB"), ("segment", "CD")]), ("A cone", []), ("I see", []), ("AA", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), LABELS, ids=[text for text, _ in LABELS])
def test_labels_are_geometry_not_letters(text: str, named: list[tuple[str, str]]) -> None:
    assert [(kind, "".join(points)) for kind, points in (label.key for label in labels(plain(text)))] == named


def test_primes_and_indices_belong_to_a_point() -> None:
    assert labels("A'B' = X1Y1")[0].points == ("A'", "B'")
    assert labels("A'B' = X1Y1")[1].points == ("X1", "Y1")


@pytest.mark.parametrize("entity", ["cylinder base radius", "AB and CD", "bar of AB in 2009", ""])
def test_an_entity_is_a_label_only_if_it_is_nothing_else(entity: str) -> None:
    assert entity_key(entity) is None


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("perpendicular", "perpendicular"), ("Orthogonal", "perpendicular"), ("⟂", "perpendicular"), ("normal", "perpendicular"),
        (" Parallel ", "parallel"), ("∥", "parallel"), ("congruent", "equal"), ("equals", "equal"), ("≅", "equal"), ("=", "equal"),
        ("same", "equal"), ("inside", "subset"), ("contains", "subset"), ("lies on", "incident"), ("collinear", "incident"),
        ("next to", "adjacent"), ("larger", "greater"), ("taller than", "greater"), ("smaller", "less"), ("fewer", "less"),
        ("continuous_at", "continuous_at"),
    ],
)  # fmt: skip
def test_relation_names_have_synonyms(name: str, canonical: str) -> None:
    assert canonical_relation(name) == canonical


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("14x-9", "-9 + 14*x"), ("2(x+3)", "2x + 6"), ("x/2", "0.5x"), ("(x+1)^2", "x^2+2x+1"), ("3·x", "3x"), ("2x + 3x", "5x"),
        ("x*y", "y*x"), ("3x°", "3x"), ("-(x - 1)", "1 - x"),
    ],
)  # fmt: skip
def test_equal_expressions_share_a_form(left: str, right: str) -> None:
    assert polynomial(left) is not None
    assert polynomial(left) == polynomial(right)


@pytest.mark.parametrize(
    ("left", "right"), [("14x - 9", "14x + 9"), ("x", "y"), ("2x", "x^2"), ("x/2", "2/1"), ("x + 1", "x + 2")]
)
def test_different_expressions_do_not(left: str, right: str) -> None:
    assert polynomial(left) != polynomial(right)


@pytest.mark.parametrize(
    "text", ["", "x is here", "x+", "2*(3", "x^9", "1/x", "x/0", "segment AB", "(" * 50, "9" * 100]
)
def test_what_is_no_small_polynomial_has_no_form(text: str) -> None:
    assert polynomial(text) is None
    assert not has_variable(text)


ANSWERS = [
    ("0.5", r"$\frac{1}{2}$", "x = 1/2", "½", ".50"),
    ("12", "12 cm", "12.0", "The answer is 12", "Final answer: 12.", r"\boxed{12}", "**12**"),
    ("B", "(B)", "b.", "B. 12 cm", "Option B", "Answer: B", "B) twelve"),
    ("1,200", "1200", "$1,200", "1200 dollars"),
    ("-3", "−3"),
    (r"\sqrt{2}", "√2"),
    ("Yes.", "yes", " YES "),
    ("45°", "45 degrees", r"45^\circ"),
    ("No correct answer",),
    ("12 and 13",),
    ("3:2",),
]


@pytest.mark.parametrize("spellings", ANSWERS, ids=[group[0] for group in ANSWERS])
def test_equal_answers_share_a_key(spellings: tuple[str, ...]) -> None:
    assert len({answer_key(spelling) for spelling in spellings}) == 1


def test_different_answers_have_different_keys() -> None:
    keys = [answer_key(group[0]) for group in ANSWERS]
    assert len(set(keys)) == len(ANSWERS)
    assert None not in keys


@pytest.mark.parametrize("answer", [None, "", "  ", "...", "$$"])
def test_no_answer_has_no_key(answer: str | None) -> None:
    assert answer_key(answer) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$AB \perp CD$", "AB ⟂ CD"),
        ("AB ⊥ CD", "AB ⟂ CD"),
        (r"AB \parallel CD", "AB ∥ CD"),
        ("AB || CD", "AB ∥ CD"),
        (r"\triangle ABC \cong \triangle DEF", "△ABC ≅ △DEF"),
        (r"$m\angle BAD = 105^\circ$", "m∠BAD = 105°"),
        (r"\text{cost} is \$18", "cost is $18"),
        ("$AB$ costs $18", "AB costs $18"),
        ("“a”\u00a0 b\u200b", '"a" b'),
        ("  \n\t ", ""),
    ],
)
def test_plain_text(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Ferries", "ferry"), ("boxes", "box"), ("Mario's", "mario"), ("1,090", "1090"), ("2.50", "2.5"), ("women", "woman"), ("gas", "gas")],
)  # fmt: skip
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_content_words_leave_out_what_carries_no_meaning() -> None:
    assert content_stems("The number of Mario's pizzas on Friday was 1,090") == {"1090", "friday", "mario", "pizza"}


def test_what_stands_beside_a_respelled_sign_keeps_its_place() -> None:
    found = plain_text("The area − of AB – is 42 cm² or ½ of it.")
    for word in ("area", "AB", "42 cm", "or", "it."):
        start = found.text.index(word)
        first, last = found.source_span(start, start + len(word))
        assert found.source[first:last] == word


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("٣ and −٤.5 x٣", {3, -4.5}), ("３３ é²−2.5", {33, 2.5}), ("a−b, no number", set()), ("-.5, 1,200", {0.5, 1200})],
)
def test_numbers_that_steps_share_are_of_any_alphabet(text: str, numbers: set[float]) -> None:
    assert bare_numbers(text) == numbers
