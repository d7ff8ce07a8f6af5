"""`VerifierJudge`: the trained step verifier V_θ of the paper, with all candidates of a problem scored at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evpv.backends.images import ImagePolicy
from evpv.backends.step_forms import StepForm
from evpv.backends.step_scorers import Batching, ScorerSettings, ScorerSource, Server, scorer_source
from evpv.backends.verifier_text import asked_text, verifier_question
from evpv.judges.scoring import ScoredSteps
from evpv.protocols import Description, StepJudgement
from evpv.types import Constraint, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierJudge:
    """Reads u_t at each step's end marker; the base reward is 2 u_t − 1 (Eq. 6).

    - `model`: a checkpoint that `evpv train verifier` wrote; `adapter`, `device`, `dtype`: how it is held.
    - `evidence`: the constraints stand below the question, as they did in training; off for a verifier without them.
    - `server`: a table with `base_url` where vLLM serves the checkpoint; `model` is then the served name.
    - `batching` and `images` are explained at `Batching` and `ImagePolicy`.

    A picture that cannot be read, or a candidate that is too long, has no reward, and the reason is told.
    """

    model: str
    evidence: bool = True
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    _source: ScorerSource = field(init=False, repr=False)
    _steps: ScoredSteps = field(init=False, repr=False, compare=False)

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
        object.__setattr__(self, "_steps", ScoredSteps(self._source))

    @property
    def version(self) -> str:
        """The model and what decides its scores besides."""
        return f"verifier-{self._source.name}-{'evidence' if self.evidence else 'alone'}"

    @property
    def description(self) -> Description:
        """One forward pass for each problem, here or behind a server."""
        extras = ("local",) if self.server is None else ("chat",)
        return Description(reads_constraints=self.evidence, extras=extras, passes=lambda problem: 1)

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        return self._steps.judge(problems, constraints, self._text)

    def close(self) -> None:
        """Give back what the scorer holds."""
        self._steps.close()

    def _text(self, problem: Problem, constraints: Sequence[Constraint]) -> str:
        return verifier_question(asked_text(problem), constraints if self.evidence else None)
