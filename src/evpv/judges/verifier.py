"""`VerifierJudge`: the trained step verifier V_θ of the paper, with all candidates of a problem scored at once."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evpv.backends.images import ImagePolicy
from evpv.backends.step_forms import StepForm
from evpv.backends.step_scorers import Batching, ScorerSettings, ScorerSource, Server, scorer_source
from evpv.backends.verifier_text import asked_text, trained_with_facts, verifier_question
from evpv.judges.scoring import History, ScoredSteps
from evpv.protocols import Description, StepJudgement
from evpv.types import Constraint, Problem

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierJudge:
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
    history: History = "all"
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    _source: ScorerSource = field(init=False, repr=False)
    _steps: ScoredSteps = field(init=False, repr=False, compare=False)
    _evidence: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        settings = ScorerSettings(
            model=self.model,
            adapter=self.adapter,
            device=self.device,
            dtype=self.dtype,
            batching=self.batching,
            images=self.images,
            server=self.server,
        )
        object.__setattr__(self, "_source", scorer_source(settings, StepForm()))
        steps = ScoredSteps(self._source, pictures=not self.text_only, history=self.history)
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

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        return self._steps.judge(problems, constraints, self._text)

    def close(self) -> None:
        """Give back what the scorer holds."""
        self._steps.close()

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        return verifier_question(asked_text(problem), constraints if self._evidence else None)
