"""What a step scorer says, as judgements: R = 2u − 1 (Eq. 6), or no reward and the reason."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from evpv.backends.step_scorers import ScorerSource, StepQuestion, StepScorer, StepScores
from evpv.protocols import Closable, StepJudgement
from evpv.types import Constraint, Problem


class ScoredSteps:
    """Judges problems by a scorer that is opened at the first question and kept."""

    def __init__(self, source: ScorerSource) -> None:
        self._source = source
        self._scorer: StepScorer | None = None
        self._lock = threading.Lock()

    def judge(
        self,
        problems: Sequence[Problem],
        constraints: Sequence[Sequence[Constraint]],
        text_of: Callable[[Problem, Sequence[Constraint]], str],
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step; `text_of` writes the text that stands beside the picture."""
        questions = [
            StepQuestion(
                text=text_of(problem, facts),
                images=problem.images,
                candidates=tuple(tuple(step.text for step in candidate.steps) for candidate in problem.candidates),
            )
            for problem, facts in zip(problems, constraints, strict=True)
        ]
        scored = self._opened().score(questions)
        return [
            [_judgements(scores, len(steps)) for scores, steps in zip(answers, question.candidates, strict=True)]
            for answers, question in zip(scored, questions, strict=True)
        ]

    def close(self) -> None:
        """Give back what the scorer holds, if it was opened."""
        if isinstance(self._scorer, Closable):
            self._scorer.close()

    def _opened(self) -> StepScorer:
        with self._lock:
            if self._scorer is None:
                self._scorer = self._source.open()
            return self._scorer


def _judgements(scores: StepScores, steps: int) -> list[StepJudgement]:
    if scores.problem is not None:
        silent = StepJudgement(
            reward=None,
            explanation=f"the verifier gave no score: {scores.problem}",
            marks=("unanswered",),
            answered=False,
            facts={"problem": scores.problem},
        )
        return [silent] * steps
    return [
        StepJudgement(
            reward=2 * probability - 1,
            explanation=f"right with probability {probability:.3f}",
            facts={"probability": probability},
            answered=True,
        )
        for probability in scores.probabilities
    ]
