"""Claims about printed labels, wherever the labels belong."""

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import LOOSE, Numeric, Structure

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
