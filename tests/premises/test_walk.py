"""The walk of a claim is short: which modules one claim passes through, and that matching compares values alone."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import FrameType

import pytest

import evpv.premises.matching as matching
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Numeric

WALK = {
    "language/text.py", "premises/figure.py", "premises/matching/grounded.py", "premises/matching/values.py",
    *(f"premises/statements/{name}.py" for name in ("reading", "marks", "pieces", "kinds", "trust")),
}  # fmt: skip
"""The chapters of ARCHITECTURE's walk; the others are what these look up."""
DESCRIBED = {
    "language/clauses.py", "language/assertions.py", "premises/matching/described.py", "premises/matching/grounded.py",
}  # fmt: skip
"""The chapters of what is said of a figure that is described and not tabulated."""
PLAIN = {
    "premises/figure.py", "premises/matching/grounded.py", "premises/matching/plain.py", "language/tokens.py",
    "language/quantities.py", "premises/matching/values.py",
}  # fmt: skip
"""All chapters of a plain sentence, from the figure to the verdict."""
BESIDE_PLAIN = {"language/forms.py", "language/number_words.py", "premises/matching/printed.py"}
"""The values themselves, words that may be numbers, and labels that belong to nothing."""
PACKAGE = f"{Path(matching.__file__).parents[2]}/"
LOOKED_UP = {"language", "premises"}


def numbers(attribute: str, **values: float) -> tuple[Numeric, ...]:
    return tuple(Numeric(entity=name, attribute=attribute, value=value) for name, value in values.items())


@pytest.mark.parametrize(
    ("figure", "claim", "walk"),
    [
        (numbers("value", Xavi=12.0, Yuna=9.0), "Xavi has 12 and Yuna has 8.", WALK),
        (numbers("height", cone=12.0), "The cone's height is only 8.", DESCRIBED),
        (numbers("value", Xavi=12.0, Yuna=9.0), "Xavi has 21.", PLAIN),
        (numbers("height", cone=12.0), "The height of the cone is 8.", PLAIN),
    ],
    ids=["values of named things", "a described figure", "a plain value", "a plain measure"],
)
def test_a_claim_passes_through_the_modules_of_its_walk_and_no_other_package(
    figure: tuple[Numeric, ...], claim: str, walk: set[str]
) -> None:
    seen = modules_of_match(figure, claim)
    assert seen >= walk
    assert {name.partition("/")[0] for name in seen if "/" in name} <= LOOKED_UP
    if walk is PLAIN:
        assert len(walk) == 6
        assert seen - walk <= BESIDE_PLAIN


def modules_of_match(figure: tuple[Numeric, ...], claim: str) -> set[str]:
    """The modules whose functions are called while a claim is matched, which is found wrong."""
    seen: set[str] = set()

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            seen.add(frame.f_code.co_filename.removeprefix(PACKAGE))

    sys.setprofile(record)
    try:
        found = grounded_matcher(figure)(claim)
    finally:
        sys.setprofile(None)
    assert found.verdict == "contradicted"
    return seen


def test_matching_has_no_patterns_and_looks_at_no_claim_text() -> None:
    for path in Path(matching.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        texts = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.Attribute) and n.attr == "text" and getattr(n.value, "id", "") == "claim"
        ]
        assert "re" not in imported, path
        assert not texts, path
