"""`StepModelJudge`: step reward models that others trained, in the two forms that they are published in.

VisualPRM answers each step in a turn of its own with `+` or `-`; QWEN-VL-PRM, MM-PRM and the like have two label tokens
read at a marker that ends each step. Their own words (system turn, opening) are settings: a model is asked as it was taught.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Literal

from evpv.backends.images import ImagePolicy
from evpv.backends.prompts import constraints_text, question_text
from evpv.backends.step_forms import MARKER, PROCESS, QUESTION, StepForm
from evpv.backends.step_scorers import Batching, ScorerSettings, ScorerSource, Server, scorer_source
from evpv.errors import unknown_name
from evpv.judges.scoring import ScoredSteps
from evpv.protocols import Description, StepJudgement
from evpv.types import Constraint, Problem

_FORMS = ("turns", "marker")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModelJudge:
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
    _steps: ScoredSteps = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.form not in _FORMS:
            raise unknown_name("value of 'form':", str(self.form), _FORMS)
        settings = ScorerSettings(
            model=self.model,
            device=self.device,
            dtype=self.dtype,
            trust_remote_code=self.trust_remote_code,
            batching=self.batching,
            images=self.images,
            server=self.server,
        )
        object.__setattr__(self, "_source", scorer_source(settings, self._step_form()))
        object.__setattr__(self, "_steps", ScoredSteps(self._source))

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

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        return self._steps.judge(problems, constraints, self._text)

    def close(self) -> None:
        """Give back what the scorer holds."""
        self._steps.close()

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
