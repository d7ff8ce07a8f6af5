"""The whole method: what a candidate claims to see, how far that holds, and what its steps are worth then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evpv.premises.auditing import claimed_step
from evpv.premises.reliability import reliability
from evpv.reward.method import Method
from evpv.reward.ranking import ranking
from evpv.reward.steps import step_traces
from evpv.types import CandidateTrace, Constraint, Extraction, Match, Problem, StepJudgement, Trace

_BaseRewards = Sequence[Sequence[float | None]]
"""For each candidate one base reward per step (R_t^base, Eq. 6); None where the judge gave none."""
_Judgements = Sequence[Sequence[StepJudgement]]
"""For each candidate one judgement per step."""


def assess(problem: Problem, constraints: Sequence[Constraint], base_rewards: _BaseRewards, method: Method) -> Trace:
    """The method on bare evidence: constraints and numbers, whoever gave them."""
    judgements = [[StepJudgement(reward=reward) for reward in rewards] for rewards in base_rewards]
    return assess_evidence(problem, Extraction(constraints=tuple(constraints)), judgements, method)


def assess_evidence(problem: Problem, extraction: Extraction, judgements: _Judgements, method: Method) -> Trace:
    """Check the claims, trust what holds, gate the rewards, score and rank the candidates."""
    match = method.matcher(extraction.constraints)
    problem = _with_claims(problem, method)
    gating = _gating(extraction, method)
    candidates = []
    for candidate, said in zip(problem.candidates, judgements, strict=True):
        matches = [None if step.claim is None else match(step.claim) for step in candidate.steps]
        trusted = reliability([found.support for found in matches if found is not None])
        steps = step_traces(candidate, problem.question, matches, said, gating, trusted)
        score = method.aggregate([step.reward for step in steps if step.reward is not None])
        known = trusted if extraction.constraints and _any_checked(matches) else None
        candidates.append(CandidateTrace(candidate=candidate, reliability=known, score=score, steps=steps))
    ranked = ranking(candidates, method.select, problem.options)
    return Trace(problem=problem, extraction=extraction, candidates=tuple(candidates), ranking=ranked)


def reassess(trace: Trace, method: Method) -> Trace:
    """The same evidence under another method: no model is asked. Under the trace's own method it gives the trace back."""
    judgements = [[step.judgement for step in candidate.steps] for candidate in trace.candidates]
    again = assess_evidence(trace.problem, trace.extraction, judgements, method)
    return replace(trace, problem=again.problem, candidates=again.candidates, ranking=again.ranking)


def _gating(extraction: Extraction, method: Method) -> Method:
    """The method whose gate applies: none of ours where nothing was read, so that candidates tie and the vote decides.

    A claim that could not be checked says nothing against its step; the paper's own gate stays as the paper has it.
    """
    return replace(method, gate="off") if method.step_local and not extraction.constraints else method


def _with_claims(problem: Problem, method: Method) -> Problem:
    """The problem whose steps claim what this method checks: all that a step says, or the paper's one claim."""
    if all(step.claim_from == "policy" for one in problem.candidates for step in one.steps):
        return problem
    candidates = (
        replace(one, steps=tuple(claimed_step(step, method.matching) for step in one.steps))
        for one in problem.candidates
    )
    return replace(problem, candidates=tuple(candidates))


def _any_checked(matches: Sequence[Match | None]) -> bool:
    """Whether a claim says anything that a fact could confirm or deny."""
    return any(match is not None and match.verdict != "unparsed" for match in matches)
