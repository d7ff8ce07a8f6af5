"""The whole method: what a candidate claims to see, how far that holds, and what its steps are worth then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.premises.reliability import reliability
from evpv.reward.method import Method
from evpv.reward.ranking import ranking
from evpv.reward.steps import step_traces
from evpv.types import Candidate, CandidateTrace, Constraint, Problem, Step, StepTrace, Trace

BaseRewards = Sequence[Sequence[float | None]]
"""For each candidate one base reward per step (R_t^base, Eq. 6); None where the judge gave none."""


def assess(problem: Problem, constraints: Sequence[Constraint], base_rewards: BaseRewards, method: Method) -> Trace:
    """Check the claims, trust what holds, gate the rewards, score and rank the candidates."""
    match = method.matcher(constraints)
    candidates = []
    for candidate, base in zip(problem.candidates, base_rewards, strict=True):
        matches = [None if step.claim is None else match(step.claim) for step in candidate.steps]
        trusted = reliability([found.support for found in matches if found is not None])
        steps = step_traces(candidate, problem.question, matches, base, method, trusted)
        score = method.aggregate([step.reward for step in steps if step.reward is not None])
        candidates.append(_traced(candidate, trusted, score, steps))
    ranked = ranking(candidates, method.select, problem.options)
    return Trace(
        problem_id=problem.id,
        question=problem.question,
        constraints=tuple(constraints),
        candidates=tuple(candidates),
        ranking=ranked,
    )


def _traced(candidate: Candidate, trusted: float, score: float, steps: tuple[StepTrace, ...]) -> CandidateTrace:
    return CandidateTrace(
        id=candidate.id,
        final_answer=candidate.final_answer,
        reliability=trusted,
        score=score,
        steps=steps,
        extra=candidate.extra,
    )


def reassess(trace: Trace, method: Method) -> Trace:
    """The same evidence under another method: no model is asked. Under the trace's own method it gives the trace back."""
    problem, rewards = evidence(trace)
    return replace(assess(problem, trace.constraints, rewards, method), cost=trace.cost, extra=trace.extra)


def evidence(trace: Trace) -> tuple[Problem, list[list[float | None]]]:
    """What the models said, without what was made of it: the problem with its candidates, and the base rewards."""
    candidates = tuple(
        Candidate(
            id=candidate.id,
            final_answer=candidate.final_answer,
            steps=tuple(
                Step(text=s.text, claim=s.claim, claim_from=s.claim_from, extra=s.extra) for s in candidate.steps
            ),
            extra=candidate.extra,
        )
        for candidate in trace.candidates
    )
    options = tuple(trace.extra.get("options", ()))
    problem = Problem(id=trace.problem_id, question=trace.question, options=options, candidates=candidates)
    return problem, [[step.base_reward for step in candidate.steps] for candidate in trace.candidates]
