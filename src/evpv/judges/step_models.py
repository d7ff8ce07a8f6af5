"""Judges by step reward models: our own verifier V_θ, and models that others trained, in the two forms they are published in.

A scorer's word becomes R = 2u − 1 (Eq. 6), or no reward and the reason. VisualPRM answers each step in a turn of its own
with `+` or `-`; QWEN-VL-PRM, MM-PRM and the like have two label tokens read at a marker that ends each step. Their own
words (system turn, opening) are settings: a model is asked as it was taught.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from hashlib import sha256
from itertools import chain
from threading import Lock
from typing import Literal

from evpv.backends import step_forms
from evpv.backends.images import ImagePolicy
from evpv.backends.prompts import constraints_text, question_text
from evpv.backends.step_forms import Batching, ScorerSettings, Server, StepQuestion, StepScorer, StepScores
from evpv.errors import MissingExtraError
from evpv.judges.chat import check_history
from evpv.protocols import Description, Judgements, StepJudgement, close_part
from evpv.settings import check_fields, settings_from
from evpv.types import Candidate, Constraint, Problem

_log = logging.getLogger(__name__)


def _scorer_of(settings: ScorerSettings, form: step_forms.StepForm) -> tuple[str, Callable[[], StepScorer]]:
    """The scorer's name (the model and how pictures are sent), and what opens it.

    What is not installed or does not fit is said now, not at the first question.
    """
    images, is_local = settings_from(ImagePolicy, settings.images, "images"), settings.server is None
    try:
        if is_local:
            from evpv.backends.local_weights import Weights
            from evpv.backends.one_pass import OnePassScorer
        else:
            from evpv.backends.remote_scorer import RemoteScorer
    except ModuleNotFoundError as error:
        what, extra = ("a local verifier", "local") if is_local else ("a served verifier", "chat")
        raise MissingExtraError(what, extra=extra, missing=str(error.name)) from error
    if not is_local:
        server = settings_from(Server, settings.server, "server")
        return f"{settings.model} {images}", partial(RemoteScorer, settings.model, server, form=form, images=images)
    weights = Weights(**{one.name: getattr(settings, one.name) for one in fields(Weights)})
    batching = settings_from(Batching, settings.batching, "batching")
    return f"{weights.name} {images}", partial(OnePassScorer, weights, form=form, batching=batching, images=images)


class _StepReader:
    """Has steps scored by the model that a judge's settings describe, put to it in a form; opened at the first question and kept.

    `name` is the model, and `less` what of a version says that less than all is shown. A picture that cannot be read, or a
    candidate that is too long, has no reward, and the reason is told.
    """

    def __init__(self, settings: ScorerSettings, form: step_forms.StepForm) -> None:
        check_history(history := settings.history)
        self._settings, self._lock = settings, Lock()
        self._scorer: StepScorer | None = None
        self.name, self._open = _scorer_of(settings, form)
        told = [f"-text-only-{settings.text_only}"] * settings.text_only
        self.less = "".join(told + [f"-history-{history}"] * (history != "all"))

    def description(self, *, shows_facts: bool) -> Description:
        """One forward pass for each problem, here or behind a server."""
        extras = ("local",) if self._settings.server is None else ("chat",)
        return Description(reads_constraints=shows_facts, extras=extras, passes=lambda problem: 1)

    def judgements(self, problems: Sequence[Problem], texts: Iterable[str]) -> Judgements:
        """One judgement per step of each candidate; `texts` are the problems as the model knows them."""
        read = [[self._windows(candidate) for candidate in problem.candidates] for problem in problems]
        images = [() if self._settings.text_only else problem.images for problem in problems]
        questions = [
            StepQuestion(text=text, images=shown, candidates=tuple(chain.from_iterable(windows)))
            for text, shown, windows in zip(texts, images, read, strict=True)
        ]
        with self._lock:
            self._scorer = scorer = self._scorer or self._open()
        found = []
        for candidates, scores in zip(read, scorer.score(questions), strict=True):
            answers = iter(scores)
            made = [[_judgements(next(answers), len(window)) for window in windows] for windows in candidates]
            if self._settings.history == "all":
                found.append([one[0] for one in made])
            else:  # a reading for each step, of which the last is meant
                found.append([[window[-1] for window in one] for one in made])
        return found

    def close(self) -> None:
        close_part(self._scorer)

    def _windows(self, candidate: Candidate) -> list[tuple[str, ...]]:
        """The texts that are read: the whole candidate, or each step with so many before it."""
        steps, history = tuple(step.text for step in candidate.steps), self._settings.history
        if history == "all":
            return [steps]
        before = 0 if history == "none" else history
        return [steps[max(0, place - before) : place + 1] for place in range(len(steps))]


def _judgements(scores: StepScores, steps: int) -> list[StepJudgement]:
    if scores.problem is not None:
        said, facts = f"the verifier gave no score: {scores.problem}", {"problem": scores.problem}
        silent = StepJudgement(reward=None, explanation=said, marks=("unanswered",), answered=False, facts=facts)
        return [silent] * steps
    return [
        StepJudgement(reward=2 * p - 1, explanation=f"right with probability {p:.3f}", facts={"probability": p}, answered=True)
        for p in scores.probabilities
    ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModelJudge(ScorerSettings):
    """Base rewards 2p − 1 from a step reward model, p its probability of `right` against `wrong`.

    - `form` "turns" is VisualPRM's: one step per turn, read where the answer begins; "marker" reads at `marker`, which
      `after` follows.
    - `opening` is the user's first turn with {question}, and {steps} where the steps (in turns: the first of them) stand;
      without {steps} they are the assistant's turn. `system` is a system turn. Empty `opening` is the form's usual one.
    - `evidence` puts the constraints below the question, which these models were not trained with.
    - `trust_remote_code` runs Python that a checkpoint brings along.
    """

    form: Literal["turns", "marker"]
    marker: str = step_forms.MARKER
    after: str = "\n"
    right: str = "+"
    wrong: str = "-"
    opening: str = ""
    system: str = ""
    evidence: bool = False
    _reader: _StepReader = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, "judge 'step-model'")
        object.__setattr__(self, "_reader", _StepReader(self, self._step_form()))

    @property
    def version(self) -> str:
        decides = [asdict(self._step_form()), self.evidence]
        digest = sha256(json.dumps(decides).encode()).hexdigest()[:16]
        return f"step-model-{self._reader.name}-{digest}{self._reader.less}"

    @property
    def description(self) -> Description:
        return self._reader.description(shows_facts=self.evidence)

    def judge(self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]) -> Judgements:
        facts = (f"\n{constraints_text(one)}" if self.evidence else "" for one in constraints)
        texts = (question_text(problem) + shown for problem, shown in zip(problems, facts, strict=True))
        return self._reader.judgements(problems, texts)

    def close(self) -> None:
        self._reader.close()

    def _step_form(self) -> step_forms.StepForm:
        turns = self.form == "turns"
        opening = self.opening or (step_forms.PROCESS if turns else step_forms.QUESTION)
        return step_forms.StepForm(
            turns="many" if turns else "one", marker="" if turns else self.marker, after=self.after, right=self.right,
            wrong=self.wrong, opening=opening, system=self.system,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierJudge(ScorerSettings):
    """Reads u_t at each step's end marker; the base reward is 2 u_t − 1 (Eq. 6). `model` is what `evpv train verifier` wrote.

    `evidence` puts the constraints below the question. Unset, they stand there if they did in training, by the
    checkpoint's card (without one: they do); set against the card, that is told.
    """

    evidence: bool | None = None
    _evidence: bool = field(init=False, repr=False, compare=False)
    _reader: _StepReader = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_reader", _StepReader(self, step_forms.StepForm()))
        trained = None if self.server is not None else step_forms.trained_with_facts(self.model)
        shown = self.evidence if self.evidence is not None else trained is not False
        object.__setattr__(self, "_evidence", shown)
        if trained is not None and trained != shown:
            _log.warning(
                "the verifier %s was trained %s constraints below the question, and is asked %s them: evidence = %s",
                self.model, *(("with", "without") if trained else ("without", "with")), str(trained).lower(),
            )  # fmt: skip

    @property
    def version(self) -> str:
        shown = "evidence" if self._evidence else "alone"
        return f"verifier-{self._reader.name}-{shown}{self._reader.less}"

    @property
    def description(self) -> Description:
        return self._reader.description(shows_facts=self._evidence)

    def judge(self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]) -> Judgements:
        known = zip(problems, constraints, strict=True)
        texts = (
            step_forms.verifier_question(step_forms.asked_text(one), facts if self._evidence else None)
            for one, facts in known
        )
        return self._reader.judgements(problems, texts)

    def close(self) -> None:
        self._reader.close()
