"""Appendix B to the letter: Eqs. 4 and 15–17, with their boundaries."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.premises.matching.paper import jaccard, paper_matcher, paper_tokens, relative_error
from evpv.types import Constraint, Match, Numeric, Relation, Structure


def length(entity: str, value: float, confidence: float = 0.9) -> Numeric:
    return Numeric(entity=entity, attribute="length", value=value, confidence=confidence)


def matched(claim: str, *constraints: Constraint) -> Match:
    return paper_matcher(constraints)(claim)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Segment AB", {"segment", "ab"}),
        ("the 'Base-Radius', of C!", {"the", "baseradius", "of", "c"}),  # punctuation is removed, not split on
        ("AB ab Ab", {"ab"}),  # a set
        ("  ", set()),
        ("x_1 = 3.5", {"x1", "35"}),
    ],
)
def test_tokens_are_lower_case_words_without_punctuation(text: str, tokens: set[str]) -> None:
    assert paper_tokens(text) == tokens


@pytest.mark.parametrize(
    ("left", "right", "similarity"),
    [
        ("segment AB", "AB", 1 / 2),
        ("segment AB", "side AB", 1 / 3),
        ("cone base radius", "cylinder base radius", 2 / 4),
        ("AB", "CD", 0.0),
        ("", "", 0.0),
        ("a b", "b a", 1.0),
    ],
)
def test_jaccard_is_the_shared_part_of_all_tokens(left: str, right: str, similarity: float) -> None:
    assert jaccard(paper_tokens(left), paper_tokens(right)) == similarity


@pytest.mark.parametrize(
    ("claimed", "read", "error"),
    [
        (20.0, 23.0, 0.15),  # 3/20
        (45.0, 50.0, 1 / 9),  # 5/45
        (0.5, 0.6, 0.1),  # below 1 the error is absolute: 0.1 / max(0.5, 1)
        (0.0, 0.1, 0.1),
        (-20.0, -23.0, 0.15),
    ],
)
def test_the_relative_error_is_taken_of_the_claimed_value(claimed: float, read: float, error: float) -> None:
    assert relative_error(claimed, read) == pytest.approx(error, rel=1e-12)


@pytest.mark.parametrize(
    ("read", "support"),
    [
        (20.0, 0.9),  # error 0: the constraint's confidence
        (22.9, 0.9),  # 2.9/20 = 0.145 < 0.15
        (23.0, 0.0),  # 3/20 = 0.15 is not < 0.15
        (17.0, 0.0),  # the same below
        (17.1, 0.9),
        (40.0, 0.0),
    ],
)
def test_equation_15_supports_within_the_tolerance_and_not_at_it(read: float, support: float) -> None:
    found = matched("Segment AB has a length of 20.", length("segment AB", read))
    assert (found.type, found.support, found.constraint) == ("numeric", support, 0)
    assert found.verdict == ("supported" if support else "contradicted")


def test_equation_15_the_tolerance_is_a_setting() -> None:
    strict = paper_matcher([length("segment AB", 21.0)], tolerance=0.01)
    assert strict("Segment AB has a length of 20.").support == 0.0


@pytest.mark.parametrize(
    ("entity", "support"),
    [
        ("AB", 0.9),  # {segment, ab} and {ab}: 1/2, and 1/2 is enough
        ("segment AB here", 0.9),  # 2/3
        ("side AB", 0.0),  # 1/3
        ("segment CD", 0.0),  # 1/3: no match is no support
    ],
)
def test_equation_15_entities_match_from_one_half_on(entity: str, support: float) -> None:
    assert matched("Segment AB has a length of 20.", length(entity, 20.0)).support == support


def test_equation_15_the_attribute_must_be_the_same() -> None:
    width = Numeric(entity="segment AB", attribute="width", value=20.0, confidence=0.9)
    found = matched("Segment AB has a length of 20.", width)
    assert (found.support, found.verdict, found.constraint) == (0.0, "missing", None)


def test_equation_15_the_most_confident_match_decides_right_or_wrong() -> None:
    wrong_but_sure = [length("segment AB", 20.0, 0.6), length("segment AB", 90.0, 0.8)]
    right_and_sure = [length("segment AB", 20.0, 0.8), length("segment AB", 90.0, 0.6)]
    found = matched("Segment AB has a length of 20.", *wrong_but_sure)
    assert (found.support, found.constraint) == (0.0, 1)
    found = matched("Segment AB has a length of 20.", *right_and_sure)
    assert (found.support, found.constraint) == (0.8, 0)


def test_a_numeric_claim_without_a_match_has_no_support() -> None:
    found = matched("Segment AB has a length of 20.")
    assert (found.type, found.verdict, found.support) == ("numeric", "missing", 0.0)


@pytest.mark.parametrize(
    ("constraints", "support", "decided_by"),
    [
        # claim tokens {ab, cd}
        ([Relation(type="perpendicular", entities=("AB", "CD"), confidence=0.94)], 0.94, 0),
        ([Relation(type="perpendicular", entities=("CD", "AB"), confidence=0.94)], 0.94, 0),  # a set has no order
        ([Relation(type="perpendicular", entities=("AB", "CE"), confidence=0.9)], 0.9 / 3, 0),  # 1 of 3 tokens
        ([Relation(type="perpendicular", entities=("segment AB", "segment CD"), confidence=0.9)], 0.9 * 2 / 3, 0),
        ([Relation(type="orthogonal", entities=("AB", "CD"), confidence=0.9)], 0.9, 0),  # a synonym
        ([Relation(type="parallel", entities=("AB", "CD"), confidence=0.9)], 0.0, None),  # C^(t) is empty
        ([Relation(type="perpendicular", entities=("EF", "GH"), confidence=0.9)], 0.0, None),  # overlap 0
        # the best product wins, not the best overlap: 1 · 0.3 = 0.3 < 1/3 · 0.96 = 0.32
        (
            [
                Relation(type="perpendicular", entities=("AB", "CD"), confidence=0.3),
                Relation(type="perpendicular", entities=("AB", "CE"), confidence=0.96),
            ],
            0.32,
            1,
        ),
        ([], 0.0, None),
    ],
)
def test_equation_16_is_overlap_times_confidence(
    constraints: list[Constraint], support: float, decided_by: int | None
) -> None:
    found = matched("AB is perpendicular to CD.", *constraints)
    assert found.type == "relation"
    assert found.support == pytest.approx(support, rel=1e-12)
    assert found.constraint == decided_by
    assert found.verdict == ("supported" if support else "missing")


def composite(*parts: str, confidence: float = 0.9, kind: str = "composite") -> Structure:
    return Structure(type=kind, parts=parts, confidence=confidence)


@pytest.mark.parametrize(
    ("constraints", "support"),
    [
        # claim tokens {cone, cylinder}
        ([composite("cylinder", "cone")], 0.9),
        ([composite("cylinder", "cone", "hemisphere")], 0.6),  # 2/3 · 0.9
        ([composite("cylinder", "cube")], 0.3),  # 1/3 · 0.9
        ([composite("cube", "pyramid")], 0.0),
        ([composite("cylinder", "cone", kind="table")], 0.0),  # no compatible type
        ([composite("cylinder", "cone", kind="solid")], 0.9),  # a type outside the schema excludes nothing
        ([composite("cylinder", confidence=0.5), composite("cone", "cylinder", confidence=0.4)], 0.4),  # 0.25 < 0.4
        ([], 0.0),
    ],
)
def test_equation_17_is_part_overlap_times_confidence(constraints: list[Constraint], support: float) -> None:
    found = matched("A cone is placed on top of a cylinder.", *constraints)
    assert found.type == "structure"
    assert found.support == pytest.approx(support, rel=1e-12)


@pytest.mark.parametrize("claim", ["The picture is quite cluttered.", "Let us think about this carefully.", "", "???"])
def test_equation_4_what_cannot_be_parsed_is_neutral(claim: str) -> None:
    """Uncertain, not contradicted: p = 0.5 whatever the constraints say."""
    found = matched(claim, length("segment AB", 20.0))
    assert (found.type, found.verdict, found.support, found.constraint) == ("unclassifiable", "unparsed", 0.5, None)


def test_fact_3_a_tolerance_of_15_percent_accepts_45_degrees_for_50() -> None:
    """|45 − 50|/45 = 0.111 < 0.15: the paper's δ lets a plain misreading through; `grounded` does not."""
    angle = Numeric(entity="angle ABC", attribute="angle", value=50.0, unit="deg", confidence=0.9)
    claim = "Angle ABC is 45 degrees."
    assert paper_matcher([angle])(claim).support == 0.9
    assert grounded_matcher([angle])(claim).verdict == "contradicted"


def test_every_match_is_explained() -> None:
    ask = paper_matcher([length("segment AB", 20.0), composite("cone")])
    claims = ["AB = 20", "AB = 90", "CD = 1", "AB ∥ CD", "A cone sits on a cylinder.", "A cube sits on a prism.", "Hm."]
    assert all(ask(claim).explanation for claim in claims)
