"""The judges over a step scorer: their shape, their rewards, and what has no reward and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from step_by_step import Reference

from evpv.assembly.builder import build_part
from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.step_forms import StepForm, asked_text, layout, verifier_question
from evpv.config import Part
from evpv.errors import ConfigError
from evpv.judges.step_models import StepModelJudge, VerifierJudge
from evpv.training.recipes import DataPart, VerifierPart
from evpv.training.trainers import StepCollator, step_scores
from evpv.training.trajectories import Trajectory, problem_rows
from evpv.types import Candidate, Constraint, Numeric, Problem, Relation, Step, Structure

FACTS: tuple[Constraint, ...] = (
    Numeric(entity="segment BA", attribute="length", value=12.0, unit="cm", box=(0, 0, 1, 1)),
    Relation(type="parallel", entities=("DC", "BA")),
    Structure(type="composite", parts=("A", "B")),
    Numeric(entity="angle CBA", attribute="angle", value=65.5, unit="deg"),
)
TABLE: tuple[Constraint, ...] = (
    Numeric(entity="Monday", attribute="value", value=40.0),
    Structure(type="table", parts=("Monday",)),
)


def problem(*images: str, texts: tuple[tuple[str, ...], ...] = (("AB = 12 cm.", "So 25."), (), ("B.",))) -> Problem:
    candidates = tuple(
        Candidate(id=str(number), steps=tuple(Step(text=text) for text in steps)) for number, steps in enumerate(texts)
    )
    return Problem(id="p", question="Find CD.", images=images, options=("3", "4"), candidates=candidates)


def judge(folder: Path, **settings: object) -> VerifierJudge:
    return VerifierJudge(model=str(folder), dtype="float32", **settings)  # type: ignore[arg-type]


def test_every_step_has_its_reward_in_the_shape_of_the_problems(toy: Path, pictures: tuple[str, ...]) -> None:
    answers = judge(toy).judge([problem(pictures[0]), problem()], [FACTS, ()])
    assert [[len(candidate) for candidate in answer] for answer in answers] == [[2, 0, 1], [2, 0, 1]]
    scorer = OnePassScorer(Weights(model=str(toy), dtype="float32"))
    from evpv.backends.step_forms import StepQuestion

    question = StepQuestion(
        text=verifier_question("Find CD. (A) 3 (B) 4", FACTS),
        images=pictures[:1],
        candidates=(("AB = 12 cm.", "So 25."),),
    )
    truth = scorer.score([question])[0][0].probabilities
    assert [word.reward for word in answers[0][0]] == pytest.approx([2 * u - 1 for u in truth], abs=1e-6)


def test_evidence_changes_what_is_read(toy: Path, pictures: tuple[str, ...]) -> None:
    asked = [problem(pictures[0])]
    shown, other = (judge(toy).judge(asked, [facts])[0][0][0].reward for facts in (FACTS, TABLE))
    hidden, still = (judge(toy, evidence=False).judge(asked, [facts])[0][0][0].reward for facts in (FACTS, TABLE))
    assert len({shown, other, hidden}) == 3
    assert hidden == still


def test_a_bad_picture_or_a_long_candidate_has_no_reward_and_says_why(
    toy: Path, pictures: tuple[str, ...], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    long = problem(pictures[0], texts=(("word " * 300,), ("short.",)))
    asked = [problem(str(broken)), problem(str(tmp_path / "absent.png")), long]
    answers = judge(toy, batching={"max_tokens": 150}, evidence=False).judge(asked, [(), (), ()])
    assert [[word.reward for word in steps] for steps in answers[0]] == [[None, None], [], [None]]
    assert "not an image" in answers[0][0][0].explanation
    assert "absent.png" in answers[1][0][0].explanation
    assert answers[2][0][0].reward is None
    assert "more than 150" in answers[2][0][0].explanation
    assert answers[2][1][0].reward is not None


def test_a_picture_that_the_processor_refuses_is_told(toy: Path, tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (1, 500)).save(tmp_path / "thin.png")
    word = judge(toy).judge([problem(str(tmp_path / "thin.png"))], [()])[0][0][0]
    assert word.reward is None
    assert "the model cannot take this problem" in word.explanation


def test_the_recipe_builds_the_judges_and_names_a_wrong_setting(toy: Path) -> None:
    made = build_part("judge", Part(use="verifier", settings={"model": str(toy), "batching": {"chunk_tokens": 9}}))
    assert isinstance(made, VerifierJudge)
    other = build_part("judge", Part(use="step-model", settings={"model": str(toy), "form": "turns"}))
    assert isinstance(other, StepModelJudge)
    for settings, says in (
        ({"batching": {"chunk": 9}}, "chunk_tokens"),
        ({"batching": {"chunk_tokens": 0}}, "at least 1"),
        ({"server": {"url": "x"}}, "base_url"),
    ):
        with pytest.raises(ConfigError, match=says):
            build_part("judge", Part(use="verifier", settings={"model": str(toy), **settings}))


def test_the_version_tells_what_decides_the_rewards(toy: Path) -> None:
    versions = [judge(toy).version, judge(toy, evidence=False).version, judge(toy, images={"max_side_px": 64}).version]
    model = str(toy)
    versions += [
        StepModelJudge(model=model, form="turns").version,
        StepModelJudge(model=model, form="marker").version,
        StepModelJudge(model=model, form="marker", right="B").version,
    ]
    assert len(set(versions)) == len(versions)
    assert judge(toy).version == versions[0]


def test_step_models_ask_in_their_own_form(toy: Path, reference: Reference, pictures: tuple[str, ...]) -> None:
    made = StepModelJudge(model=str(toy), form="marker", marker="<|quad_end|>", right="B", wrong="A", dtype="float32")
    turns = StepModelJudge(model=str(toy), form="turns", dtype="float32", evidence=True)
    asked = [problem(pictures[0])]
    rewards = [judged.judge(asked, [FACTS])[0][0][0].reward for judged in (made, turns)]
    pads = "<|im_start|>user\n### Question:\n<|vision_start|><|image_pad|><|vision_end|>"
    assert rewards[0] != rewards[1]
    facts = facts_below(asked[0])
    text = f"{pads}{facts}\n\n### Solution Process:\nAB = 12 cm.<|im_end|>\n<|im_start|>assistant\n"
    assert rewards[1] == pytest.approx(2 * reference.probability(text, pictures[:1]) - 1, abs=1e-5)


def facts_below(asked: Problem) -> str:
    from evpv.backends.prompts import constraints_text

    return f"{asked.question}\nA. 3\nB. 4\n{constraints_text(FACTS)}"


@pytest.mark.parametrize("facts", [FACTS, TABLE, ()])
def test_scoring_writes_to_the_letter_what_training_writes(reference: Reference, facts: tuple[Constraint, ...]) -> None:
    steps = ("AB = 12.", " so<|box_end|>25 ")
    row = Trajectory(
        id="p", question="Find CD.", steps=steps, labels=(1.0, 0.0), images=(Path("p.png"),), constraints=facts
    )
    taught = StepCollator(reference.processor, DataPart(), VerifierPart(constraints=True)).text(row)
    ours = layout(StepForm(), reference.processor)
    assert taught == ours.prefix(verifier_question("Find CD.", facts), 1) + "AB = 12.<|box_end|>\nso 25<|box_end|>\n"


def test_options_are_written_as_training_writes_them(tmp_path: Path) -> None:
    line = {"id": "p", "question": "Find CD.", "options": ["3", "4"], "candidates": [{"id": "a", "steps": []}]}
    (tmp_path / "problems.jsonl").write_text(json.dumps(line))
    [(_, row)] = problem_rows(tmp_path / "problems.jsonl")
    assert asked_text(problem()) == row.question


def test_the_judge_scores_as_the_trainer_does(toy: Path, reference: Reference, pictures: tuple[str, ...]) -> None:
    asked = problem(pictures[2], texts=(("AB = 12 cm.", "So CD is 25.", "B."),))
    row = Trajectory(
        id="p/0",
        question=asked_text(asked),
        steps=tuple(step.text for step in asked.candidates[0].steps),
        labels=(1.0, 0.0, 1.0),
        images=(Path(pictures[2]),),
        constraints=FACTS,
    )
    collator = StepCollator(reference.processor, DataPart(), VerifierPart(constraints=True))
    truth, _ = step_scores(reference.model, collator, [row])
    found = judge(toy).judge([asked], [FACTS])[0][0]
    assert [word.reward for word in found] == pytest.approx([2 * u - 1 for u in truth], abs=1e-5)
