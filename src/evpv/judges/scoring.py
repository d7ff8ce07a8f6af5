"""What a step scorer says, as judgements: R = 2u − 1 (Eq. 6), or no reward and the reason."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Literal

from evpv.backends.step_scorers import ScorerSource, StepQuestion, StepScorer, StepScores
from evpv.errors import ConfigError
from evpv.protocols import Closable, StepJudgement
from evpv.types import Constraint, Problem

History = Literal["all", "none"] | int


class ScoredSteps:
    """Judges problems by a scorer that is opened at the first question and kept.

    `pictures` off leaves them out. `history` is how many earlier steps a step is read with; with less than all of them
    each step is a reading of its own, so a candidate costs as many as it has steps.
    """

    def __init__(self, source: ScorerSource, *, pictures: bool = True, history: History = "all") -> None:
        if history not in ("all", "none") and (not isinstance(history, int) or history < 0):
            raise ConfigError(f'\'history\' is "all", "none" or a number of steps, not {history!r}.')
        self._source, self._pictures, self._history = source, pictures, history
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
                images=problem.images if self._pictures else (),
                candidates=tuple(
                    window
                    for candidate in problem.candidates
                    for window in _windows([step.text for step in candidate.steps], self._history)
                ),
            )
            for problem, facts in zip(problems, constraints, strict=True)
        ]
        scored = self._opened().score(questions)
        return [self._joined(problem, answers) for problem, answers in zip(problems, scored, strict=True)]

    def _joined(self, problem: Problem, answers: Sequence[StepScores]) -> list[list[StepJudgement]]:
        """Each candidate's judgements: of one reading all, of one reading a step the last of each."""
        waiting, judged = iter(answers), []
        for candidate in problem.candidates:
            steps = [step.text for step in candidate.steps]
            windows = _windows(steps, self._history)
            made = [_judgements(next(waiting), len(window)) for window in windows]
            judged.append(made[0] if self._history == "all" else [window[-1] for window in made])
        return judged

    def close(self) -> None:
        """Give back what the scorer holds, if it was opened."""
        if isinstance(self._scorer, Closable):
            self._scorer.close()

    def _opened(self) -> StepScorer:
        with self._lock:
            if self._scorer is None:
                self._scorer = self._source.open()
            return self._scorer


def _windows(steps: Sequence[str], history: History) -> list[tuple[str, ...]]:
    """The texts that are read: the whole candidate, or each step with so many before it.

    >>> _windows(["a", "b", "c"], 1)
    [('a',), ('a', 'b'), ('b', 'c')]
    """
    if history == "all":
        return [tuple(steps)]
    before = 0 if history == "none" else history
    return [tuple(steps[max(0, place - before) : place + 1]) for place in range(len(steps))]


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
