"""No sentence, however broken, crashes or stalls the claim parser or a matcher.

Fast: 2,200 inputs. Slow: 40,000 more; the readers' fuzz in tests/records adds 64,000.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.language.answers import answer_key
from evpv.premises.claims import NumericClaim, RelationClaim, StructureClaim, Unclassifiable, parse
from evpv.premises.dependence import uses
from evpv.premises.matching import ClaimMatcher
from evpv.premises.matching.grounded import grounded_matcher
from evpv.premises.matching.paper import paper_matcher
from evpv.records import constraints_from_json
from evpv.types import VERDICTS, ClaimType, Constraint, Match, Numeric, Relation, Structure

CASES = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "claims").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
CLAIMS = [case["claim"] for case in CASES]
# Every tenth figure of the claim cases: geometry, tables, charts and solids.
FIGURES = [constraints_from_json(case["constraints"]) for case in CASES[::10]]
PIECES = [
    *(
        "$",
        "\\frac{",
        "}",
        "\\angle ",
        "∠",
        "△",
        "√",
        "π",
        "½",
        "°",
        "%",
        "(",
        ")",
        "-",
        "−",
        ",",
        ".",
        "=",
        "/",
        "'",
        '"',
    ),
    *(
        "1e308",
        "-0",
        "00",
        "1,000",
        "10^",
        "9" * 400,
        "0.1.2",
        "A",
        "AB",
        "∠ABC",
        "x + 2",
        "not ",
        "twice ",
        "than ",
        "and ",
    ),
    *(
        "the highest ",
        "second ",
        "rose ",
        "from 2008 to 2009 ",
        "million ",
        " cm",
        "\0",
        "\n",
        "\ud800",
        "😀",
        "\u0301",
        "٣",
        "Ⅷ",
    ),
]


def mutated(randomness: random.Random, claim: str) -> str:
    """A real claim with up to four pieces cut out, doubled, swapped or put in."""
    for _ in range(randomness.randint(1, 4)):
        start = randomness.randint(0, len(claim))
        end = min(len(claim), start + randomness.randint(0, 12))
        change = randomness.choice(("cut", "double", "insert", "replace", "splice"))
        if change == "cut":
            claim = claim[:start] + claim[end:]
        elif change == "double":
            claim = claim[:end] + claim[start:]
        elif change == "splice":
            claim = claim[:start] + randomness.choice(CLAIMS)[start:]
        else:
            claim = claim[:start] + randomness.choice(PIECES) + claim[start if change == "insert" else end :]
    return claim


def check(claim: str, figure: tuple[Constraint, ...], matchers: tuple[ClaimMatcher, ...]) -> None:
    assert isinstance(parse(claim), NumericClaim | RelationClaim | StructureClaim | Unclassifiable)
    for match in matchers:
        found: Match = match(claim)
        assert found.type in get_args(ClaimType)
        assert found.verdict in VERDICTS
        assert 0.0 <= found.support <= 1.0
        assert found.explanation
        assert found.constraint is None or 0 <= found.constraint < len(figure)


def fuzz(count: int, seed: int) -> None:
    randomness = random.Random(seed)
    prepared = [(figure, (paper_matcher(figure), grounded_matcher(figure))) for figure in FIGURES]
    for _ in range(count):
        figure, matchers = randomness.choice(prepared)
        check(mutated(randomness, randomness.choice(CLAIMS)), figure, matchers)


def test_two_thousand_mutated_claims() -> None:
    fuzz(2_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 10))
def test_five_thousand_more_mutated_claims_each(seed: int) -> None:
    fuzz(5_000, seed=seed)


@settings(deadline=None, max_examples=200)
@given(claim=st.text(), which=st.integers(min_value=0, max_value=len(FIGURES) - 1))
def test_any_text(claim: str, which: int) -> None:
    check(claim, FIGURES[which], (paper_matcher(FIGURES[which]), grounded_matcher(FIGURES[which])))


SIZE = 100_000
RUNS = ["1", "1,000", "1.", "1/", "(", "$", "and ", "∠", "∠ABC ", "AB = ", "\\frac{", "{", "√", "½", "²", "😀", "\u0301",
        "one hundred ", "more than ", " ", "\n", "-", "x + ", "is ", "10^"]  # fmt: skip
FIGURE: tuple[Constraint, ...] = (
    Numeric(entity="segment AB", attribute="length", value=1.0),
    Numeric(entity="Ann and Bob", attribute="value", value=3.0),
    Relation(type="equal", entities=("AB", "CD")),
    Structure(type="table", parts=("and", "is")),
)


@pytest.mark.parametrize("piece", RUNS)
@pytest.mark.parametrize("length", [1_990, SIZE], ids=["just short enough to be parsed", "100 kB"])
def test_long_runs_return_soon(piece: str, length: int) -> None:
    """The bound is generous because machines differ; a pattern that backtracks takes minutes, not seconds."""
    run = (piece * (length // len(piece) + 1))[:length]
    began = time.process_time()
    for claim in (run, f"AB is {run}"[:length], f"{run[: length - 10]} is 5 cm."):
        check(claim, FIGURE, (paper_matcher(FIGURE), grounded_matcher(FIGURE)))
    answer_key(run)
    uses([run, run], given=run)
    assert time.process_time() - began < 6.0  # three claims, 2 s each


@pytest.mark.parametrize("piece", RUNS)
def test_long_runs_in_constraints_return_soon(piece: str) -> None:
    run = (piece * (SIZE // len(piece) + 1))[:SIZE]
    figure: tuple[Constraint, ...] = (
        Numeric(entity=run, attribute=run, value=1.0, unit=run),
        Relation(type=run, entities=(run, "AB")),
        Structure(type="composite", parts=("cone", run), attachment=(run,)),
        Structure(type="table", parts=(run,)),
    )
    claims = ["AB is 5.", "AB is longer than BC.", "A cone is on top of a cylinder.", "The table lists a and b."]
    began = time.process_time()
    for matcher in (paper_matcher(figure), grounded_matcher(figure)):
        for claim in claims:
            matcher(claim)
    assert time.process_time() - began < 4.0


@pytest.mark.parametrize("value", [1e308, -1e308, 1.7976931348623157e308, 5e-324, 0.0, -0.0])
@pytest.mark.parametrize("other", [1e308, -1e308, 0.0])
def test_huge_and_tiny_values_are_computed_with(value: float, other: float) -> None:
    """Sums, differences and ratios of these leave the range of floats; verdicts and explanations must not."""
    figure: tuple[Constraint, ...] = tuple(
        Numeric(entity=entity, attribute="value", value=value if i % 2 else other)
        for i, entity in enumerate(
            ["Ann", "Bob", "segment AB", "segment BC", "2008 sales", "2009 sales", "term 1", "term 2"]
        )
    )
    claims = [
        "The total of Ann and Bob is 15.", "On average Ann and Bob have 12.", "Ann has twice as many as Bob.",
        "Bob had 5 more points than Ann.", "Ann has the highest value.", "AB is 3 longer than BC.", "AB is twice BC.",
        "Sales rose from 2008 to 2009.", "Sales fell by 5 from 2008 to 2009.", "Each term is three times the previous one.",
        "Ann has 1e308 points.", f"Ann has {'9' * 400} points.", "Ann has one hundred " + "million " * 60 + "points.",
    ]  # fmt: skip
    matchers = (paper_matcher(figure), grounded_matcher(figure))
    for claim in claims:
        check(claim, figure, matchers)
