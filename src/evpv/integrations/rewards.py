"""The verifier as a reward: questions, pictures and completions in; one score and one reward per step out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.errors import ConfigError, RecordError, unknown_name
from evpv.evaluation.answers import AnswerChecker
from evpv.integrations.credit import Misreading, first_misreading
from evpv.integrations.pictures import PictureFiles
from evpv.integrations.reading_once import ReadOnce
from evpv.pipeline import Pipeline
from evpv.records import candidate_from_text
from evpv.types import CandidateTrace, Problem, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a completion is paid for. Made for training, where a policy finds whatever earns without being right.

    `by`: "least" pays for the worst step, so that no number of empty steps around a misreading makes it better; "score"
    is the recipe's own aggregation, which they do. `needs_answer`: a completion without a final answer earns 0, because a
    step in which nothing can be checked has the judge's prior, and noise would earn more than an honest mistake.
    `outcome` is the share of the score that the final answer decides, by comparison with the problem's own: 0 is the
    verifier alone, 1 the answer alone.
    """

    by: Literal["least", "score"] = "least"
    needs_answer: bool = True
    outcome: float = 0.0

    def __post_init__(self) -> None:
        if self.by not in ("least", "score"):
            raise unknown_name("way of paying", str(self.by), ("least", "score"))
        if not 0.0 <= self.outcome <= 1.0:
            raise ConfigError(f"'outcome' is a share between 0 and 1, not {self.outcome!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """What one completion earns.

    `score` is in [0, 1], or None where it cannot be known, for the reason in `problem`. `steps` are the gated rewards in
    [-1, 1] of the completion's steps, None where the judge gave none; `trace` says where each comes from. `outcome` says
    whether the final answer is right, None where that was not asked. `misread` is where the first premise stands that
    the figure denies, for credit assignment.
    """

    score: float | None
    steps: tuple[float | None, ...]
    trace: CandidateTrace
    outcome: bool | None = None
    problem: str | None = None
    misread: Misreading | None = None


class RewardFunction:
    """Scores completions with a pipeline. Any number of threads may call it; a picture is read once."""

    def __init__(self, pipeline: Pipeline, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self._pipeline = replace(pipeline, extractor=ReadOnce(pipeline.extractor))
        self._answers = AnswerChecker()
        self._pictures = PictureFiles()

    @classmethod
    def from_recipe(
        cls, name: str = "embedded", changes: Mapping[str, str] | None = None, terms: Terms | None = None
    ) -> RewardFunction:
        """A reward function from a shipped recipe's name or the path of your own, with `{"gate": "off"}` changes."""
        return cls(build(load_recipe(name, changes)), terms)

    def __call__(
        self, images: Sequence[Any], questions: Sequence[str], completions: Sequence[str]
    ) -> list[float | None]:
        """The scores of completions, each with its own picture (or list of pictures, or None) and question."""
        asked = [self.problem(question, image) for question, image in zip(questions, images, strict=True)]
        return [reward.score for reward in self.rewards(asked, completions)]

    def problem(
        self,
        question: str,
        image: Any = None,
        *,
        options: Iterable[Any] | None = None,
        answer: Any = None,
        constraints: Any = None,
    ) -> Problem:
        """A problem from a question and its pictures in any form, with what else is known of it.

        Constraints are a list as in Appendix A, or that list as JSON text, which flat tables can hold; where they are
        given, the picture is not looked at.
        """
        images = self._pictures.paths(image)
        choices = () if options is None else tuple(map(str, options))
        truth = None if answer is None else str(answer)
        facts = _listed(constraints)
        told = json.dumps([question, images, choices, truth, facts], default=str, sort_keys=True)
        return Problem(
            id=sha256(told.encode(errors="surrogatepass")).hexdigest()[:16],
            question=question,
            images=images,
            options=choices,
            answer=truth,
            extra={} if facts is None else {"constraints": facts},
        )

    def rewards(self, problems: Sequence[Problem], completions: Sequence[str]) -> list[Reward]:
        """A reward per completion, in order. A completion earns the same alone as among any others."""
        if len(problems) != len(completions):
            raise RecordError(f"{len(problems)} problems for {len(completions)} completions")
        places: dict[Problem, list[int]] = {}
        for place, problem in enumerate(problems):
            places.setdefault(replace(problem, candidates=()), []).append(place)
        asked = [_with_completions(problem, completions, of) for problem, of in places.items()]
        earned: dict[int, Reward] = {}
        for problem, of, trace in zip(asked, places.values(), self._pipeline.traces(asked), strict=True):
            for place, one in zip(of, trace.candidates, strict=True):
                found = first_misreading(one, completions[place])
                earned[place] = replace(self._reward(problem, trace, one), misread=found)
        return [earned[place] for place in range(len(completions))]

    def close(self) -> None:
        """End the processes and connections that the parts hold, and remove the pictures that were kept."""
        self._pipeline.close()
        self._answers.close()
        self._pictures.close()

    def _reward(self, problem: Problem, trace: Trace, candidate: CandidateTrace) -> Reward:
        steps = tuple(step.reward for step in candidate.steps)
        outcome, lacking = self._judged_answer(problem, candidate)
        reason = lacking or _unknown(trace, steps)
        if reason is not None:
            return Reward(score=None, steps=steps, trace=candidate, outcome=outcome, problem=reason)
        share = self.terms.outcome
        score = (1.0 - share) * self._verified(candidate) + share * float(bool(outcome))
        return Reward(score=score, steps=steps, trace=candidate, outcome=outcome)

    def _verified(self, candidate: CandidateTrace) -> float:
        """What the steps earn, in [0, 1]; nothing if nothing was said."""
        given = [step.reward for step in candidate.steps if step.reward is not None]
        if not given or (self.terms.needs_answer and candidate.final_answer is None):
            return 0.0
        return (min(given) + 1.0) / 2.0 if self.terms.by == "least" else min(candidate.score, 1.0)

    def _judged_answer(self, problem: Problem, candidate: CandidateTrace) -> tuple[bool | None, str | None]:
        if not self.terms.outcome:
            return None, None
        if problem.answer is None:
            return None, "there is no answer to compare with"
        return self._answers.compare(problem.answer, candidate.final_answer, problem.options).equal, None


def _with_completions(problem: Problem, completions: Sequence[str], places: Sequence[int]) -> Problem:
    texts = [completions[place] for place in places]
    read = (
        candidate_from_text(text, str(number), problem.question, problem.options)
        for number, text in enumerate(texts, start=1)
    )
    return replace(problem, candidates=tuple(read))


def _unknown(trace: Trace, steps: Sequence[float | None]) -> str | None:
    """Why a score would say nothing: the picture could not be read, or the judge gave no number. None if neither."""
    if not trace.constraints and trace.extraction.problem is not None:
        return trace.extraction.problem
    if steps and all(reward is None for reward in steps):
        return "the judge gave no reward"
    return None


def _listed(constraints: Any) -> Any:
    """Constraints as a list; a text that is no JSON stays as it is, and is then that problem's fault and not the batch's."""
    if not isinstance(constraints, str):
        return None if constraints is None else list(constraints)
    try:
        return json.loads(constraints)
    except ValueError:
        return constraints
