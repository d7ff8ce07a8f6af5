"""Judges by step reward models: our own verifier V_θ, and models that others trained, in the two forms they are published in.

A scorer's word becomes R = 2u − 1 (Eq. 6), or no reward and the reason. VisualPRM answers each step in a turn of its own
with `+` or `-`; QWEN-VL-PRM, MM-PRM and the like have two label tokens read at a marker that ends each step. Their own
words (system turn, opening) are settings: a model is asked as it was taught.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import Any, Literal

from evpv.backends.images import ImagePolicy
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
from evpv.backends.step_scorers import (
    Batching,
    ScorerSettings,
    ScorerSource,
    Server,
    StepQuestion,
    StepScorer,
    StepScores,
    scorer_source,
)
from evpv.errors import ConfigError
from evpv.protocols import Description, StepJudgement, close_part
from evpv.settings import check_fields
from evpv.types import Constraint, Problem

_History = Literal["all", "none"] | int


class _ScoredSteps:
    """Judges problems by a scorer that is opened at the first question and kept.

    `pictures` off leaves them out. `history` is how many earlier steps a step is read with; with less than all of them
    each step is a reading of its own, so a candidate costs as many as it has steps.
    """

    def __init__(self, source: ScorerSource, *, pictures: bool = True, history: _History = "all") -> None:
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
        scored = self._open_scorer().score(questions)
        return [self._candidate_judgements(problem, answers) for problem, answers in zip(problems, scored, strict=True)]

    def _candidate_judgements(self, problem: Problem, answers: Sequence[StepScores]) -> list[list[StepJudgement]]:
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
        close_part(self._scorer)

    def _open_scorer(self) -> StepScorer:
        with self._lock:
            if self._scorer is None:
                self._scorer = self._source.open()
            return self._scorer


def _scorer_settings(judge: StepModelJudge | VerifierJudge) -> ScorerSettings:
    """What a judge says of its scorer: the fields that both know."""
    known = {field.name for field in fields(ScorerSettings)}
    return ScorerSettings(**{one.name: getattr(judge, one.name) for one in fields(judge) if one.name in known})


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


class _ScoringJudge:
    """What both judges do: write the problem as their model knows it (`_text`), and have its steps scored."""

    __slots__ = ()
    _steps: _ScoredSteps

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        return self._steps.judge(problems, constraints, self._text)

    def close(self) -> None:
        """Give back what the scorer holds."""
        self._steps.close()

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModelJudge(_ScoringJudge):
    """Base rewards 2p − 1 from a step reward model, p its probability of `right` against `wrong`.

    - `form` "turns" is VisualPRM's: one step per turn, read where the answer begins; "marker" reads at `marker`, which
      `after` follows.
    - `opening` is the user's first turn with {question}, and {steps} where the steps (in turns: the first of them) stand;
      without {steps} they are the assistant's turn. `system` is a system turn. Empty `opening` is the form's usual one.
    - `evidence` puts the constraints below the question, which these models were not trained with.
    - `model`, `device`, `dtype`, `batching`, `images`, `server`: as for the verifier. `trust_remote_code` runs Python that
      a checkpoint brings along.
    """

    model: str
    form: Literal["turns", "marker"]
    marker: str = MARKER
    after: str = "\n"
    right: str = "+"
    wrong: str = "-"
    opening: str = ""
    system: str = ""
    evidence: bool = False
    device: str = "auto"
    dtype: str = "auto"
    trust_remote_code: bool = False
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    _source: ScorerSource = field(init=False, repr=False)
    _steps: _ScoredSteps = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, "judge 'step-model'")
        object.__setattr__(self, "_source", scorer_source(_scorer_settings(self), self._step_form()))
        object.__setattr__(self, "_steps", _ScoredSteps(self._source))

    @property
    def version(self) -> str:
        """The model and a digest of how it is asked."""
        decides = [asdict(self._step_form()), self.evidence]
        return f"step-model-{self._source.name}-{sha256(json.dumps(decides).encode()).hexdigest()[:16]}"

    @property
    def description(self) -> Description:
        """One forward pass for each problem, here or behind a server."""
        extras = ("local",) if self.server is None else ("chat",)
        return Description(reads_constraints=self.evidence, extras=extras, passes=lambda problem: 1)

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


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierJudge(_ScoringJudge):
    """Reads u_t at each step's end marker; the base reward is 2 u_t − 1 (Eq. 6).

    - `model`: a checkpoint that `evpv train verifier` wrote; `adapter`, `device`, `dtype`: how it is held.
    - `evidence`: the constraints stand below the question. Unset, they do if they did in training, by the checkpoint's
      card (without one: they do); set against the card, that is told.
    - `text_only` leaves out the picture, `history` is how many earlier steps a step is read with ("all", "none", 2):
      for ablations, the second at the cost of a reading a step.
    - `server`: a table with `base_url` where vLLM serves the checkpoint; `model` is then the served name.
    - `batching` and `images` are explained at `Batching` and `ImagePolicy`.

    A picture that cannot be read, or a candidate that is too long, has no reward, and the reason is told.
    """

    model: str
    evidence: bool | None = None
    text_only: bool = False
    history: _History = "all"
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    _source: ScorerSource = field(init=False, repr=False)
    _steps: _ScoredSteps = field(init=False, repr=False, compare=False)
    _evidence: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_source", scorer_source(_scorer_settings(self), StepForm()))
        steps = _ScoredSteps(self._source, pictures=not self.text_only, history=self.history)
        object.__setattr__(self, "_steps", steps)
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
        asked = [f"-text-only-{self.text_only}"] * self.text_only + [f"-history-{self.history}"] * (
            self.history != "all"
        )
        return f"verifier-{self._source.name}-{'evidence' if self._evidence else 'alone'}{''.join(asked)}"

    @property
    def description(self) -> Description:
        """One forward pass for each problem, here or behind a server."""
        extras = ("local",) if self.server is None else ("chat",)
        return Description(reads_constraints=self._evidence, extras=extras, passes=lambda problem: 1)

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        return verifier_question(asked_text(problem), constraints if self._evidence else None)
