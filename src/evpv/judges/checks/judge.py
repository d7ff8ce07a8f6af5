"""`ChecksJudge`: a step judge without a model. Deterministic checks, one calibrated probability per step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evpv.judges.checks.algebra import Algebra, check_algebra
from evpv.judges.checks.drawings import drawing_of, measured
from evpv.judges.checks.equations import check_definitions, check_equations, check_inheritance, note_wrong_results
from evpv.judges.checks.evidence import (
    Evidence,
    check_answer,
    check_shown,
    check_provenance,
    check_readings,
    check_recomputed,
    concludes,
    stated_answer,
)
from evpv.judges.checks.findings import PRAISE, Finding, History, Model, shipped_model
from evpv.judges.checks.questions import recompute
from evpv.judges.checks.rules import (
    check_angles,
    check_facts,
    check_formulas,
    check_method,
    check_shares,
    check_statements,
)
from evpv.judges.checks.statements import answer_verdicts
from evpv.judges.checks.tables import Table, table_of
from evpv.language.chains import Reading, read
from evpv.protocols import Description, StepJudgement
from evpv.types import Candidate, Constraint, Problem

_MAX_STEPS = 500
_MAX_EXPLAINED = 6


@dataclass(frozen=True, slots=True)
class _Case:
    """One candidate with its problem and what may be known of the picture; None without evidence."""

    problem: Problem
    candidate: Candidate
    evidence: Evidence | None


class ChecksJudge:
    """Judges each step by what can be checked: arithmetic, algebra, definitions, formulas, sources, the answer.

    `evidence` says whether the constraints are used (paper, Table 1); without them the judge takes every reading of
    the picture as given and judges the reasoning alone.
    """

    def __init__(self, *, evidence: bool = True, model: Model | None = None, algebra_limit_s: float = 2.0):
        self.evidence = evidence
        self._model = model or shipped_model()
        self._algebra = Algebra(limit_s=algebra_limit_s)

    @property
    def description(self) -> Description:
        return Description(reads_constraints=self.evidence, reads_picture=False)

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step of each candidate of each problem."""
        answers = []
        for problem, facts in zip(problems, constraints, strict=True):
            known = self._evidence(problem, facts)
            cases = [_Case(problem, candidate, known) for candidate in problem.candidates]
            answers.append([[self._judgement(findings) for findings in self._find(case)] for case in cases])
        return answers

    def findings(
        self, problem: Problem, candidate: Candidate, constraints: Sequence[Constraint]
    ) -> list[list[Finding]]:
        """What the checks find in each step: what training and explanations are made of."""
        return self._find(_Case(problem, candidate, self._evidence(problem, constraints)))

    def close(self) -> None:
        """End the algebra worker, if it was needed; it starts again when needed."""
        self._algebra.close()

    def _evidence(self, problem: Problem, constraints: Sequence[Constraint]) -> Evidence | None:
        if not self.evidence:
            return None
        table = table_of(constraints)
        values = table.numbers()
        drawing = drawing_of(constraints)
        seen = measured(problem.question, drawing) if drawing is not None else None
        answers = [answer.shown(problem.options) for one in problem.candidates if (answer := stated_answer(one, problem))]
        verdicts = answer_verdicts(problem.question, problem.options or answers, constraints)
        return Evidence(table, recompute(problem.question, table), values, seen, verdicts)

    def _judgement(self, findings: Sequence[Finding]) -> StepJudgement:
        """A reward and why: what speaks against a step comes first where the reward is negative, what holds where it is not."""
        reward = 2 * self._model.probability(findings) - 1
        against = [finding for finding in findings if finding.kind not in PRAISE]
        deciding = sorted(against, key=lambda finding: self._model.weights.get(finding.kind, 0.0))
        praise = [finding for finding in findings if finding.kind in PRAISE]
        ordered = [*deciding, *praise] if reward < 0 else [*praise, *deciding]
        explanation = "; ".join(dict.fromkeys(finding.explanation for finding in ordered[:_MAX_EXPLAINED]))
        return StepJudgement(reward=reward, explanation=explanation or "nothing to check")

    def _find(self, case: _Case) -> list[list[Finding]]:
        history = History(read(case.problem.question))
        steps = case.candidate.steps
        found: list[list[Finding]] = [[] for _ in steps]
        for step, part in enumerate(steps[:_MAX_STEPS]):
            reading = read(part.text)
            findings = list(self._check_step(reading, history, case))
            if step == len(steps) - 1:
                findings += _check_end(history, case)
            note_wrong_results(reading, findings, history)
            history.add(reading)
            found[step] = findings
        return found

    def _check_step(self, reading: Reading, history: History, case: _Case) -> Iterator[Finding]:
        evidence = case.evidence
        yield from check_inheritance(reading, history)
        yield from check_algebra(reading, history, self._algebra)
        yield from check_equations(reading, history)
        yield from check_definitions(reading, history)
        yield from check_statements(reading, history)
        yield from check_formulas(reading)
        yield from check_angles(reading, history)
        yield from check_shares(reading, history)
        yield from check_facts(reading)
        yield from check_method(reading, history)
        if evidence is not None:
            yield from check_readings(reading, history, evidence)
        if not case.problem.images or (evidence is not None and evidence.values) or concludes(reading):
            yield from check_provenance(reading, history, evidence.values if evidence else frozenset())


def _check_end(history: History, case: _Case) -> Iterator[Finding]:
    """What can be said of the answer, on the last step; what the question alone tells needs no evidence."""
    options = case.problem.options
    answer = stated_answer(case.candidate, case.problem)
    if answer is None:  # which is no fault of the step: votes leave such a candidate out
        return
    yield from check_answer(answer, history, options)
    nothing = Table((), ())
    known = case.evidence or Evidence(nothing, recompute(case.problem.question, nothing), frozenset())
    yield from check_recomputed(answer, known, options)
    yield from check_shown(answer, known, options)
