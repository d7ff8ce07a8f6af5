"""The paper's own examples: the constraint set of Appendix A and the case studies J.1–J.3.

Constraints are the paper's; it abbreviates the claims, so they are worded here after its text. `flagged` are the steps
that the paper marks wrong, counted from 1 as there.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, CandidateTrace, Constraint, Numeric, Problem, Relation, Step, Structure

CONE_AND_CYLINDER: tuple[Constraint, ...] = (
    Numeric(entity="cylinder base radius", attribute="length", value=3, unit="cm", confidence=0.95),
    Numeric(entity="cylinder height", attribute="length", value=8, unit="cm", confidence=0.92),
    Numeric(entity="cone height", attribute="length", value=4, unit="cm", confidence=0.88),
    Relation(type="equal", entities=("cone base radius", "cylinder base radius"), confidence=0.97),
    Structure(
        type="composite",
        parts=("cylinder", "cone"),
        attachment=("cone placed on top of cylinder",),
        confidence=0.94,
    ),
)


@pytest.mark.parametrize(
    ("claim", "constraint"),
    [
        ("The cylinder base radius is 3 cm.", 0),
        ("The cylinder height is 8 cm.", 1),
        ("The height of the cylinder is 8 cm.", 1),
        ("The cone is 4 cm tall.", 2),
        ("A cone is placed on top of a cylinder.", 4),
    ],
)
def test_appendix_a_what_the_figure_shows_has_its_constraints_confidence(claim: str, constraint: int) -> None:
    for name in ("paper", "grounded"):
        found = preset(name).matcher(CONE_AND_CYLINDER)(claim)
        assert (found.verdict, found.constraint) == ("supported", constraint), name
        assert found.support == pytest.approx(CONE_AND_CYLINDER[constraint].confidence), name


@pytest.mark.parametrize(
    "claim",
    [
        "The cone base radius equals the cylinder base radius.",
        "The cone base radius is equal to the cylinder base radius.",
        "The cone and the cylinder have the same base radius.",
    ],
)
def test_appendix_a_the_equal_radii_are_found_in_any_wording(claim: str) -> None:
    found = preset("grounded").matcher(CONE_AND_CYLINDER)(claim)
    assert (found.type, found.verdict, found.constraint, found.support) == ("relation", "supported", 3, 0.97)
    assert preset("paper").matcher(CONE_AND_CYLINDER)(claim).constraint == 3


@pytest.mark.parametrize("verb", ["equals", "is equal to", "is the same as"])
def test_appendix_a_the_equal_radii_are_the_two_entities_of_equation_16(verb: str) -> None:
    """Both sides are named whole: Jaccard 1, times confidence 0.97."""
    claim = f"The cone base radius {verb} the cylinder base radius."
    assert preset("paper").matcher(CONE_AND_CYLINDER)(claim).support == pytest.approx(0.97)


@pytest.mark.parametrize(
    "claim",
    ["The cone height is 6 cm.", "The cylinder height is 12 cm.", "The base radius of the cylinder is 5 cm."],
)
def test_appendix_a_a_misread_measure_is_unsupported(claim: str) -> None:
    """Under `grounded`, what is left is the chance that the constraint itself was misread."""
    assert preset("paper").matcher(CONE_AND_CYLINDER)(claim).support == 0.0
    found = preset("grounded").matcher(CONE_AND_CYLINDER)(claim)
    assert found.verdict == "contradicted"
    assert found.support <= 0.12


def test_appendix_a_a_turned_solid_is_seen_by_grounded_alone() -> None:
    """Eq. 17 compares parts only, so the paper's matching supports a cylinder on top of the cone."""
    turned = "The cylinder is placed on top of the cone."
    assert preset("paper").matcher(CONE_AND_CYLINDER)(turned).support == pytest.approx(0.94)
    assert preset("grounded").matcher(CONE_AND_CYLINDER)(turned).verdict == "contradicted"


def test_appendix_a_another_unit_is_converted_by_grounded_alone() -> None:
    in_millimetres = "The cylinder height is 80 mm."
    assert preset("paper").matcher(CONE_AND_CYLINDER)(in_millimetres).support == 0.0
    assert preset("grounded").matcher(CONE_AND_CYLINDER)(in_millimetres).verdict == "supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    name: str
    question: str
    constraints: tuple[Constraint, ...]
    steps: tuple[tuple[str, str | None], ...]
    flagged: frozenset[int]

    def assessed(self, preset_name: str) -> CandidateTrace:
        """The study's candidate with every base reward 0.8, so that only what it sees makes a difference."""
        steps = tuple(Step(text=text, claim=claim) for text, claim in self.steps)
        problem = Problem(id=self.name, question=self.question, candidates=(Candidate(id="a", steps=steps),))
        return assess(problem, self.constraints, [[0.8] * len(steps)], preset(preset_name)).candidates[0]


KINK = Study(
    name="J.1",
    question="Determine for which values of x = a the function is continuous but not differentiable at x = a.",
    constraints=(
        Numeric(entity="piecewise graph", attribute="kink position", value=1, unit="x"),
        Structure(type="graph", parts=("left branch", "right branch"), attachment=("sharp corner at x = 1",)),
        Relation(type="continuous_at", entities=("function", "x=1"), confidence=0.95),
    ),
    steps=(
        ("We must find where the function is continuous but not differentiable.", None),
        ("Continuous means no jump; differentiable means no corner.", None),
        ("There is a sharp corner at x = -2.", "The graph has a sharp corner at x = -2."),
        ("Therefore the value is x = -2.", "The corner of the graph is at x = -2."),
        ("The answer is x = -2.", "The piecewise graph has its kink at x = -2."),
        ("Verify: at x = -2 the graph turns sharply.", "The piecewise graph has a sharp corner at x = -2."),
    ),
    flagged=frozenset({3, 4, 5, 6}),
)
QUADRILATERAL = Study(
    name="J.2",
    question="In quadrilateral ABCD, AD = BC, ∠DAC = 50°, ∠DCA = 65°, ∠ACB = 70°. How big is ∠ABC?",
    constraints=(
        Relation(type="equal", entities=("AD", "BC"), confidence=0.96),
        Numeric(entity="angle DAC", attribute="angle", value=50, unit="deg"),
        Numeric(entity="angle DCA", attribute="angle", value=65, unit="deg"),
        Numeric(entity="angle ACB", attribute="angle", value=70, unit="deg"),
        Structure(type="quadrilateral", parts=("A", "B", "C", "D")),
    ),
    steps=(
        ("We are given AD = BC and three angles.", "AD = BC"),
        ("In triangle ACD the given angles make triangle ABC isosceles.", "Triangle ABC is isosceles with AB = AC."),
        ("AD = BC gives AB = AC, so angle ABC is 70°.", "AB = AC"),
        ("At C the angles agree.", "Angle ABC is equal to angle ACB."),
        ("The answer is D.", "Angle ABC is 70 degrees."),
    ),
    flagged=frozenset({2, 3, 4, 5}),
)
FOLDING = Study(
    name="J.3",
    question="When the paper is folded with ∠1 = ∠2 = ∠3, then ∠1 equals ( ). A. 90° B. 45° C. 60° D. 30°",
    constraints=(
        Relation(type="equal", entities=("angle 1", "angle 2", "angle 3"), confidence=0.90),
        Structure(
            type="sequence",
            parts=("fold line", "angle 1 region", "angle 2 region", "angle 3 region"),
            attachment=("angles are adjacent around the fold",),
            adjacency=("angle 1 adjacent to angle 2", "angle 2 adjacent to angle 3"),
            confidence=0.62,
        ),
    ),
    steps=(
        ("Key information: ∠1 = ∠2 = ∠3.", "Angle 1, angle 2 and angle 3 are equal."),
        ("The angles form a triangle, so they sum to 180°.", "The figure shows a triangle made of the three angles."),
        ("It is equilateral, so each angle is 180°/3.", "The figure is an equilateral triangle."),
        ("Each angle is 60°.", None),
        ("Thus ∠1 = 60°.", None),
        ("The answer is C.", None),
    ),
    flagged=frozenset({2, 3}),
)
STUDIES = pytest.mark.parametrize("study", [KINK, QUADRILATERAL, FOLDING], ids=lambda study: study.name)
PRESETS = pytest.mark.parametrize("name", ["paper", "grounded"])


def split(study: Study, traced: CandidateTrace, what: str) -> tuple[list[float], list[float]]:
    """Supports or rewards of the steps that the paper flags, and of the others."""
    flagged: list[float] = []
    others: list[float] = []
    for number, step in enumerate(traced.steps, start=1):
        support = step.match.support if step.match else None
        value = support if what == "support" else step.reward
        if value is not None:
            (flagged if number in study.flagged else others).append(value)
    return flagged, others


@STUDIES
@PRESETS
def test_flagged_steps_have_the_lowest_support(study: Study, name: str) -> None:
    flagged, others = split(study, study.assessed(name), "support")
    assert flagged
    assert max(flagged) < min([*others, 1.0])


@STUDIES
def test_flagged_steps_have_no_support_at_all_under_paper(study: Study) -> None:
    assert set(split(study, study.assessed("paper"), "support")[0]) == {0.0}


@STUDIES
def test_under_paper_reliability_collapses_and_gates_every_visual_step_alike(study: Study) -> None:
    """The paper's r is the candidate's: also a supported step (step 1 of J.2 and J.3) loses its reward, and only steps
    without a claim keep theirs. No sign changes."""
    traced = study.assessed("paper")
    assert traced.reliability < 0.02
    for step in traced.steps:
        if step.claim is None:
            assert step.reward == 0.8
        else:
            assert step.reward is not None
            assert 0 < step.reward < 0.01


@STUDIES
def test_under_grounded_flagged_steps_end_below_all_others(study: Study) -> None:
    flagged, others = split(study, study.assessed("grounded"), "reward")
    assert max(flagged) < min(others)


@STUDIES
def test_under_grounded_the_others_keep_their_reward(study: Study) -> None:
    """A supported claim costs what its constraint's confidence leaves open; a step without a claim costs nothing."""
    for number, step in enumerate(study.assessed("grounded").steps, start=1):
        if number not in study.flagged:
            expected = 2 * 0.9 * (step.match.support if step.match else 1.0) - 1
            assert step.reward == pytest.approx(expected)
            assert expected > 0.6


@STUDIES
def test_under_grounded_every_contradicted_step_turns_negative(study: Study) -> None:
    for step in study.assessed("grounded").steps:
        if step.match is not None and step.match.verdict == "contradicted":
            assert step.reward is not None
            assert step.reward < 0


def test_under_grounded_conclusions_from_a_misread_kink_need_no_claim_of_their_own() -> None:
    """J.1 with the claim declared in step 3 only: steps 4–6 repeat its −2 and answer for it."""
    steps = tuple((text, claim if number == 3 else None) for number, (text, claim) in enumerate(KINK.steps, start=1))
    study = Study(
        name=KINK.name, question=KINK.question, constraints=KINK.constraints, steps=steps, flagged=KINK.flagged
    )
    flagged, others = split(study, study.assessed("grounded"), "reward")
    assert len(flagged) == 4
    assert max(flagged) < min(others)
    assert others == [0.8, 0.8]
