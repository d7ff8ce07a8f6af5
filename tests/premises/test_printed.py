"""Claims about printed labels, wherever the labels belong."""

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.premises.matching.printed import checklist_matches, print_of
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

LABELS = Structure(type=LOOSE, parts=("10cm", "6cm", "8cm"), confidence=0.9)


def test_measures_that_are_all_printed_bear_a_claim_out() -> None:
    ask = grounded_matcher((LABELS,))
    assert (
        ask("The box is labeled with a length of 10 cm, a width of 6 cm and a height of 8 cm.").verdict == "supported"
    )
    assert (
        ask("The box is labeled with a length of 10 cm, a width of 10 cm and a height of 8 cm.").verdict != "supported"
    )
    assert ask("The height of the box is labeled as 8 cm.").verdict == "missing"  # it may have taken another one


def test_a_label_that_is_nowhere_refutes_nothing() -> None:
    ask = grounded_matcher((LABELS,))
    assert ask("The height of the box is labeled as 12 cm.").verdict == "missing"
    assert ask("The diagonal of the box is 12 cm.").verdict != "contradicted"


def test_a_measure_of_a_lettered_thing_is_no_label_of_another() -> None:
    ask = grounded_matcher((Numeric(entity="angle ABC", attribute="angle", value=50.0, unit="deg", confidence=0.9),))
    assert ask("∠BAC = 50°").verdict == "missing"


def loose(*parts: str) -> Structure:
    return Structure(type=LOOSE, parts=parts, confidence=0.9)


@pytest.mark.parametrize(
    ("labels", "claim", "verdict"),
    [
        (("10cm", "6cm", "8cm"), "The box is 10 cm long, 6 cm wide and 9 cm high.", "contradicted"),
        (
            ("10cm", "6cm", "8cm"),
            "The box is 10 cm long, 7 cm wide and 9 cm high.",
            "missing",
        ),  # two that were not read
        (("10cm", "6cm", "8cm"), "The box is 10 cm long and 7 cm wide.", "missing"),  # the third label may be meant
        (("10cm", "6cm"), "The box is 10 cm long, so its perimeter is 32 cm.", "missing"),  # worked out
        (("6cm",), "It is labeled with a length of 9 cm.", "contradicted"),
        (("6cm", "9"), "It is labeled with a length of 7 cm.", "missing"),  # the bare number is a label too
        (("6cm",), "Its diagonal measures 9 cm.", "missing"),  # of what is not said to be labelled
        (("46°", "68"), "One angle is 46° and the other is 68°.", "missing"),  # a number without its sign is no angle
        (("46°", "370"), "One angle is 46° and the other is 37°.", "supported"),  # a ring read as a nought
        (("46°", "37"), "One angle is 46° and the other is 3.7°.", "missing"),
        (("3", "5", "8"), "The sides from the top are 3, 5 and 8.", "supported"),
        (("3", "5", "8"), "The sides from the top are 3, 5 and 9.", "missing"),
        (("10:00", "11:00", "12:00"), "The axis shows the time from 10:00 to 12:00.", "supported"),
        (("20 cm", "6dm", "8dm"), "The cube is labeled with an edge of 40 cm.", "contradicted"),
    ],
)
def test_as_many_measures_as_labels_are_right_or_wrong_together(
    labels: tuple[str, ...], claim: str, verdict: str
) -> None:
    found = grounded_matcher((loose(*labels),))(claim)
    assert ("missing" if found.verdict == "unparsed" else found.verdict) == verdict


def test_letters_beside_the_only_label_leave_open_what_is_meant() -> None:
    lettered = Numeric(entity="segment AB", attribute="length", value=4.0, confidence=0.9)
    assert grounded_matcher((loose("6cm"), lettered))("A side is labeled 9 cm.").verdict != "contradicted"


def test_a_part_speaks_for_its_own_shape_and_dimension_only() -> None:
    sizes = {"cylinder height": 30.0, "cylinder radius": 8.0}
    ask = grounded_matcher(tuple(Numeric(entity=part, attribute="length", value=size) for part, size in sizes.items()))
    assert ask("The height of the cylinder is 30 cm.").verdict == "supported"
    assert ask("The height of the cone is 30 cm.").verdict == "missing"
    assert ask("The height of the cylinder is 40 cm.").verdict == "contradicted"


def test_points_off_the_only_curve_are_wrong() -> None:
    heights = [Numeric(entity=f"graph at x = {x}", attribute="value", value=y) for x, y in ((0, 0.0), (3, 6.0))]
    points = [Relation(type="incident", entities=("graph", f"({x}, {y})")) for x, y in ((0, 0), (3, 6))]
    facts: tuple[Constraint, ...] = (*points, *heights, Structure(type="graph", parts=("curve",)))
    ask = grounded_matcher(facts)
    assert ask("The curve goes through (0, 0) and (3, 6).").verdict == "supported"
    assert ask("The curve goes through (0, 0) and (3, 4).").verdict == "contradicted"
    assert ask("The curve goes through (0, 0) and (4, 6).").verdict == "missing"


def checklist(facts: tuple[Constraint, ...], *claims: str) -> list[str]:
    ask, shown = grounded_matcher(facts), print_of(facts)
    return [one.verdict for one in checklist_matches([ask(claim) for claim in claims], claims, shown) if one]


@pytest.mark.parametrize(
    ("labels", "sizes", "verdicts"),
    [
        (("20cm", "16cm", "12cm"), (12, 20, 16), ["supported"] * 3),
        (("20cm", "16cm", "12cm"), (12, 20, 12), ["missing"] * 3),
        (("20cm", "16cm", "12cm"), (12, 20), ["supported"] * 2),
        (("20cm", "16cm", "12cm"), (12,), ["missing"]),  # it may have taken another one
        (("20cm", "12cm"), (12, 20, 12), ["supported"] * 3),  # both labels and no other, read off three times
        (("20cm", "12cm"), (12, 25), ["missing", "contradicted"]),
        (("20cm", "16cm", "12cm"), (12, 25, 40), ["missing", "contradicted", "contradicted"]),  # as many as there are
        (("20cm", "16cm", "12cm", "25"), (12, 25, 40), ["missing", "missing", "contradicted"]),  # its unit was not read
        (("20cm", "16cm"), (12, 25, 40), ["missing"] * 3),  # a label may not have been read
        (("20cm", "16cm", "12cm", "9cm"), (12, 25, 40), ["missing"] * 3),  # others may be meant
    ],
)
def test_the_claims_of_a_checklist_are_read_together(
    labels: tuple[str, ...], sizes: tuple[int, ...], verdicts: list[str]
) -> None:
    claims = [f"The height of bottle {n} is labeled as {size} cm." for n, size in zip("abc", sizes, strict=False)]
    assert checklist((loose(*labels),), *claims) == verdicts


def test_bare_numbers_of_a_checklist_are_read_together_and_figures_are_not_among_them() -> None:
    facts = (loose("(1) 15", "(2)", "30", "20", "5", "28"),)
    first, second = "The first net is labeled with 15, 30 and 20.", "The second net is labeled with 28 and 5."
    assert checklist(facts, first, second) == ["supported"] * 2
    assert checklist(facts, first, "The second net is labeled with 28 and 15.") == ["supported", "missing"]


def test_the_only_label_that_is_left_is_the_one_that_is_meant() -> None:
    width = Numeric(entity="rectangle width", attribute="length", value=15.0, unit="cm", confidence=0.85)
    ask = grounded_matcher((width, loose("25.12 cm")))
    assert ask("The length of the rectangle is labeled as 25.12 cm.").verdict == "supported"
    assert ask("The length of the rectangle is labeled as 50 cm.").verdict == "contradicted"
    assert ask("The length of the rectangle is labeled as 15 cm.").verdict == "missing"
    assert ask("The width of the rectangle is labeled as 15 cm.").verdict == "supported"


def test_a_single_label_that_is_said_to_be_there_is_read_whatever_else_is_said() -> None:
    first, second = "The radius is labeled as 6 cm, so the base is a circle.", "The height is labeled as 9 cm."
    assert checklist((loose("6cm", "9cm"),), first, second) == ["supported"] * 2
    assert checklist((loose("6cm", "9cm"),), first.replace("6", "4"), second) == ["contradicted", "missing"]
    assert checklist((loose("6cm", "9cm"),), "So the slant height is 4 cm.", second) == ["unparsed", "missing"]
