"""The pipeline: what models say is kept, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evpv import Verifier
from evpv.perception.given import GivenExtractor, NoExtractor
from evpv.pipeline import Pipeline
from evpv.protocols import StepJudgement
from evpv.reward.method import preset
from evpv.types import Candidate, Constraint, Problem, Step

FACTS = [
    {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm", "confidence": 1.0}
]


class FlatJudge:
    """Gives every step the same reward; a real, if simple-minded, step judge."""

    def __init__(self, reward: float | None):
        self.reward = reward

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        one = StepJudgement(reward=self.reward, explanation="as always")
        return [[[one for _ in candidate.steps] for candidate in problem.candidates] for problem in problems]


def candidate(name: str, claim: str | None, text: str = "A step.") -> Candidate:
    return Candidate(id=name, steps=(Step(text=text, claim=claim),), final_answer=name)


def problem(*candidates: Candidate, **extra: object) -> Problem:
    return Problem(id="p", question="How long is AB?", candidates=candidates, extra=extra)


def test_a_misread_premise_loses_against_a_right_one() -> None:
    pipeline = Pipeline(extractor=GivenExtractor(), judge=FlatJudge(0.8), audit="off", method=preset("grounded"))
    asked = problem(candidate("right", "AB = 12 cm"), candidate("wrong", "AB = 15 cm"), constraints=FACTS)
    [trace] = pipeline.traces([asked])
    assert trace.ranking.order == ("right", "wrong")
    assert [c.steps[0].verdict for c in trace.candidates] == ["supported", "contradicted"]
    assert trace.candidates[1].steps[0].judgement.explanation == "as always"
    assert trace.question == "How long is AB?"


def test_a_judge_without_an_answer_leaves_the_reward_unknown() -> None:
    pipeline = Pipeline(extractor=GivenExtractor(), judge=FlatJudge(None), audit="off", method=preset("grounded"))
    [trace] = pipeline.traces([problem(candidate("a", "AB = 12 cm"), constraints=FACTS)])
    step = trace.candidates[0].steps[0]
    assert (step.base_reward, step.reward, step.gate) == (None, None, None)


def test_what_could_not_be_read_is_said_in_the_trace() -> None:
    pipeline = Pipeline(extractor=GivenExtractor(), judge=FlatJudge(0.8), audit="off", method=preset("grounded"))
    traces = pipeline.traces(
        [problem(candidate("a", None)), problem(candidate("b", None), constraints=[{"category": "odd"}])]
    )
    assert "holds no constraints" in str(traces[0].extraction.problem)
    assert "category" in str(traces[1].extraction.problem)


def test_claims_are_found_in_free_text_only_when_asked() -> None:
    text = "In the figure, AB is labeled 15 cm."
    for mode, verdict in (("off", None), ("fill", "contradicted")):
        pipeline = Pipeline(extractor=GivenExtractor(), judge=FlatJudge(0.8), audit=mode, method=preset("grounded"))  # type: ignore[arg-type]
        [trace] = pipeline.traces([problem(candidate("a", None, text), constraints=FACTS)])
        assert trace.candidates[0].steps[0].verdict == verdict


def test_problems_are_taken_a_batch_at_a_time() -> None:
    taken = []

    def endless() -> object:
        number = 0
        while True:
            taken.append(number)
            yield Problem(id=str(number), question="", candidates=(candidate("a", None),))
            number += 1

    pipeline = Pipeline(extractor=NoExtractor(), judge=FlatJudge(0.1), audit="off", method=preset("grounded"))
    stream = pipeline.stream(endless())  # type: ignore[arg-type]
    assert [next(stream).problem_id for _ in range(20)] == [str(i) for i in range(20)]
    assert len(taken) <= 33


def test_three_lines_to_a_result(tmp_path: Path) -> None:
    texts = ("3 + 4 = 8. The answer is 8.", "3 + 4 = 7. The answer is 7.")
    candidates = [{"response": text} for text in texts]
    asked = {"id": "p", "question": "What is 3 + 4?", "constraints": [], "candidates": candidates}
    with Verifier.from_recipe("given") as verifier:
        ranked = verifier.rank(json.loads(json.dumps(asked)))
    assert ranked.best is not None
    assert ranked.best.final_answer == "7"
    ranked.to_html(tmp_path / "page.html")
    assert "3 + 4 = 8" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_problem_without_candidates_has_no_best() -> None:
    with Verifier.from_recipe("given") as verifier:
        assert verifier.rank({"id": "p", "question": "?"}).best is None
