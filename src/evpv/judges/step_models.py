"""Judges by step reward models: our own verifier V_θ, and models that others trained, in the two forms they are published in.

A scorer's word becomes R = 2u − 1 (Eq. 6), or no reward and the reason. VisualPRM answers each step in a turn of its own
with `+` or `-`; QWEN-VL-PRM, MM-PRM and the like have two label tokens read at a marker that ends each step. Their own
words (system turn, opening) are settings: a model is asked as it was taught.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Literal

from evpv.backends.prompts import constraints_text, question_text
from evpv.backends.step_forms import (
    MARKER,
    PROCESS,
    QUESTION,
    StepForm,
    asked_text,
    trained_with_facts,
    verifier_question,
)
from evpv.backends.step_scorers import LazyScorer, ScorerSettings, StepQuestion, StepScores, lazy_scorer
from evpv.errors import ConfigError
from evpv.protocols import Description, StepJudgement
from evpv.settings import check_fields
from evpv.types import Constraint, Problem

_History = Literal["all", "none"] | int


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoringJudge(ScorerSettings):
    """What both judges do: write the problem as their model knows it (`_text`), and have its steps scored.

    `text_only` leaves out the picture, `history` is how many earlier steps a step is read with ("all", "none", 2): for
    ablations, the second at the cost of a reading a step. A picture that cannot be read, or a candidate that is too long,
    has no reward, and the reason is told.
    """

    text_only: bool = False
    history: _History = "all"
    _scorer: LazyScorer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.history not in ("all", "none") and (not isinstance(self.history, int) or self.history < 0):
            raise ConfigError(f'\'history\' is "all", "none" or a number of steps, not {self.history!r}.')
        object.__setattr__(self, "_scorer", lazy_scorer(self, self._step_form()))

    @property
    def description(self) -> Description:
        """One forward pass for each problem, here or behind a server."""
        extras = ("local",) if self.server is None else ("chat",)
        return Description(reads_constraints=self._shows_facts, extras=extras, passes=lambda problem: 1)

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        read = [
            [_windows([step.text for step in candidate.steps], self.history) for candidate in problem.candidates]
            for problem in problems
        ]
        questions = [
            StepQuestion(
                text=self._text(problem, facts),
                images=() if self.text_only else problem.images,
                candidates=tuple(window for windows in candidates for window in windows),
            )
            for problem, facts, candidates in zip(problems, constraints, read, strict=True)
        ]
        scored = self._scorer.score(questions)
        return [self._judgements(candidates, answers) for candidates, answers in zip(read, scored, strict=True)]

    def close(self) -> None:
        """Give back what the scorer holds."""
        self._scorer.close()

    def _judgements(
        self, candidates: Sequence[Sequence[tuple[str, ...]]], answers: Sequence[StepScores]
    ) -> list[list[StepJudgement]]:
        """Each candidate's judgements: of one reading all, of one reading a step the last of each."""
        waiting, judged = iter(answers), []
        for windows in candidates:
            made = [_judgements(next(waiting), len(window)) for window in windows]
            judged.append(made[0] if self.history == "all" else [window[-1] for window in made])
        return judged

    @property
    def _asked_with_less(self) -> str:
        """What of a version says that less than all is shown."""
        told = [f"-text-only-{self.text_only}"] * self.text_only
        return "".join(told + [f"-history-{self.history}"] * (self.history != "all"))

    @property
    def _shows_facts(self) -> bool:
        raise NotImplementedError

    def _step_form(self) -> StepForm:
        raise NotImplementedError

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        raise NotImplementedError


def _windows(steps: Sequence[str], history: _History) -> list[tuple[str, ...]]:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModelJudge(_ScoringJudge):
    """Base rewards 2p − 1 from a step reward model, p its probability of `right` against `wrong`.

    - `form` "turns" is VisualPRM's: one step per turn, read where the answer begins; "marker" reads at `marker`, which
      `after` follows.
    - `opening` is the user's first turn with {question}, and {steps} where the steps (in turns: the first of them) stand;
      without {steps} they are the assistant's turn. `system` is a system turn. Empty `opening` is the form's usual one.
    - `evidence` puts the constraints below the question, which these models were not trained with.
    - `trust_remote_code` runs Python that a checkpoint brings along.
    """

    form: Literal["turns", "marker"]
    marker: str = MARKER
    after: str = "\n"
    right: str = "+"
    wrong: str = "-"
    opening: str = ""
    system: str = ""
    evidence: bool = False

    def __post_init__(self) -> None:
        check_fields(self, "judge 'step-model'")
        _ScoringJudge.__post_init__(self)

    @property
    def version(self) -> str:
        """The model and a digest of how it is asked."""
        decides = [asdict(self._step_form()), self.evidence]
        digest = sha256(json.dumps(decides).encode()).hexdigest()[:16]
        return f"step-model-{self._scorer.name}-{digest}{self._asked_with_less}"

    @property
    def _shows_facts(self) -> bool:
        return self.evidence

    def _step_form(self) -> StepForm:
        turns = self.form == "turns"
        return StepForm(
            turns="many" if turns else "one",
            marker="" if turns else self.marker,
            after=self.after,
            right=self.right,
            wrong=self.wrong,
            opening=self.opening or (PROCESS if turns else QUESTION),
            system=self.system,
        )

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        question = question_text(problem)
        return f"{question}\n{constraints_text(constraints)}" if self.evidence else question


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierJudge(_ScoringJudge):
    """Reads u_t at each step's end marker; the base reward is 2 u_t − 1 (Eq. 6). `model` is what `evpv train verifier` wrote.

    `evidence` puts the constraints below the question. Unset, they stand there if they did in training, by the
    checkpoint's card (without one: they do); set against the card, that is told.
    """

    evidence: bool | None = None
    _evidence: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _ScoringJudge.__post_init__(self)
        trained = None if self.server is not None else trained_with_facts(self.model)
        shown = self.evidence if self.evidence is not None else trained is not False
        object.__setattr__(self, "_evidence", shown)
        if trained is not None and trained != shown:
            _log.warning(
                "the verifier %s was trained %s constraints below the question, and is asked %s them: evidence = %s",
                self.model, *(("with", "without") if trained else ("without", "with")), str(trained).lower(),
            )  # fmt: skip

    @property
    def version(self) -> str:
        """The model and what decides its scores besides."""
        shown = "evidence" if self._evidence else "alone"
        return f"verifier-{self._scorer.name}-{shown}{self._asked_with_less}"

    @property
    def _shows_facts(self) -> bool:
        return self._evidence

    def _step_form(self) -> StepForm:
        return StepForm()

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        return verifier_question(asked_text(problem), constraints if self._evidence else None)
