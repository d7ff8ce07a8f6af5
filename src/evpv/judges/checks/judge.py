"""`ChecksJudge`: a step judge without a model. Deterministic checks, one calibrated probability per step."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.judges.checks.answers import KnownAnswer, check_end, evidence_of, stated_answer
from evpv.judges.checks.equations import History, StepMath, check_equations, check_inheritance, read
from evpv.judges.checks.observations import PRAISE, Observation, ObservationModel, shipped_model
from evpv.judges.checks.rules import check_facts, check_method, check_pythagoras
from evpv.protocols import Description, StepJudgement
from evpv.types import Candidate, Constraint, Problem

_MAX_STEPS = 500
_MAX_EXPLAINED = 6


class ChecksJudge:
    """Judges each step by what can be checked: arithmetic, rules, what is taken over from an error, and the answer.

    `evidence` says whether the constraints are used (paper, Table 1); without them the judge takes every reading of
    the picture as given and judges the reasoning alone.
    """

    def __init__(self, *, evidence: bool = True, model: ObservationModel | None = None):
        self.evidence = evidence
        self._model = model or shipped_model()

    @property
    def description(self) -> Description:
        return Description(reads_constraints=self.evidence, reads_picture=False)

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        answers = []
        for problem, facts in zip(problems, constraints, strict=True):
            known, question = self._evidence(problem, facts), read(problem.question)
            found = [_candidate_observations(problem, question, one, known) for one in problem.candidates]
            answers.append([[self._judgement(observations) for observations in steps] for steps in found])
        return answers

    def observations(
        self, problem: Problem, candidate: Candidate, constraints: Sequence[Constraint]
    ) -> list[list[Observation]]:
        """What the checks find in each step: what training and explanations are made of."""
        return _candidate_observations(problem, read(problem.question), candidate, self._evidence(problem, constraints))

    def _evidence(self, problem: Problem, constraints: Sequence[Constraint]) -> KnownAnswer:
        return evidence_of(problem, constraints if self.evidence else ())

    def _judgement(self, observations: Sequence[Observation]) -> StepJudgement:
        """A reward and why: what speaks against a step comes first where the reward is negative, what holds where it is not."""
        reward = 2 * self._model.probability(observations) - 1
        praise = [one for one in observations if one.kind in PRAISE]
        against = [one for one in observations if one.kind not in PRAISE]
        against.sort(key=lambda one: self._model.weights.get(one.kind, 0.0))
        ordered = [*against, *praise] if reward < 0 else [*praise, *against]
        explanation = "; ".join(dict.fromkeys(one.explanation for one in ordered[:_MAX_EXPLAINED]))
        return StepJudgement(reward=reward, explanation=explanation or "nothing to check")


def _candidate_observations(
    problem: Problem, question: StepMath, candidate: Candidate, known: KnownAnswer
) -> list[list[Observation]]:
    """What is found in each step; that an answer is not given is a doubt of the last, and no fault of it."""
    history = History(question)
    found: list[list[Observation]] = [[] for _ in candidate.steps]
    for step, part in enumerate(candidate.steps[:_MAX_STEPS]):
        reading = read(part.text)
        found[step] += check_inheritance(reading, history)
        found[step] += check_equations(reading)
        found[step] += check_facts(reading)
        found[step] += check_pythagoras(reading, history)
        found[step] += check_method(reading, history)
        if step == len(candidate.steps) - 1:
            found[step] += check_end(stated_answer(candidate, problem), known, problem)
        history.add(reading, found[step])
    return found
