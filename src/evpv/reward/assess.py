"""The whole method: what a candidate claims to see, how far that holds, and what its steps are worth then.

Each step answers for the premises that it rests on, and its reward passes the gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from evpv.premises.auditing import claimed_step
from evpv.premises.dependence import inherited_uses, uses
from evpv.premises.matching.printed import checklist_matches, print_of
from evpv.premises.reliability import reliability, step_reliability
from evpv.reward.method import Gate, Method
from evpv.reward.ranking import ranking
from evpv.types import (
    Candidate,
    CandidateTrace,
    Constraint,
    Extraction,
    Match,
    Problem,
    Step,
    StepJudgement,
    StepTrace,
    Trace,
)

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
    match, shown = method.matcher(extraction.constraints, problem.question), print_of(extraction.constraints)
    problem = _with_claims(problem, method)
    # A claim that could not be checked says nothing against its step: where nothing was read none of our gates applies,
    # so that candidates tie and the vote decides; the paper's own gate stays as the paper has it.
    gating = replace(method, gate="off") if method.step_local and not extraction.constraints else method
    candidates = []
    for candidate, said in zip(problem.candidates, judgements, strict=True):
        claims = [step.claim for step in candidate.steps]
        matches = [None if claim is None else match(claim) for claim in claims]
        if method.matching == "grounded":
            matches = _with_credit(checklist_matches(matches, claims, shown))
        made = _candidate_trace(candidate, problem.question, matches, said, gating)
        known = extraction.constraints and {*_checked_supports(matches)} - {None}
        candidates.append(made if known else replace(made, reliability=None))
    ranked = ranking(candidates, method.select, problem.options)
    return Trace(problem=problem, extraction=extraction, candidates=tuple(candidates), ranking=ranked)


def _candidate_trace(
    candidate: Candidate, question: str, matches: Sequence[Match | None], said: Sequence[StepJudgement], method: Method
) -> CandidateTrace:
    """Gated rewards (Eq. 10) and their score: a step without a claim keeps its base reward, one with a claim passes the gate.

    Under a step-local gate, a step without a claim that builds on a claiming step passes it too, for that step's claim.
    """
    trusted = reliability([found.support for found in matches if found is not None])
    if method.step_local:
        premises = _local_premises(earlier_steps(candidate, question), matches)
    else:
        premises = [(None if match is None else trusted, ()) for match in matches]
    gate, parts = method.gate_function, zip(candidate.steps, matches, said, premises, strict=True)
    steps = tuple([_step_trace(*one, gate) for one in parts])
    score = method.aggregate([step.reward for step in steps if step.reward is not None])
    return CandidateTrace(candidate=candidate, reliability=trusted, score=score, steps=steps)


def reassess(trace: Trace, method: Method) -> Trace:
    """The same evidence under another method: no model is asked. Under the trace's own method it gives the trace back."""
    judgements = [[step.judgement for step in candidate.steps] for candidate in trace.candidates]
    again = assess_evidence(trace.problem, trace.extraction, judgements, method)
    return replace(trace, problem=again.problem, candidates=again.candidates, ranking=again.ranking)


def _with_claims(problem: Problem, method: Method) -> Problem:
    """The problem whose steps claim what this method checks: all that a step says, or the paper's one claim."""
    if all(step.claim_from == "policy" for one in problem.candidates for step in one.steps):
        return problem
    candidates = (
        replace(one, steps=tuple(claimed_step(step, method.matching) for step in one.steps))
        for one in problem.candidates
    )
    return replace(problem, candidates=tuple(candidates))


_CREDIT = 0.3  # of what is left to certainty, for one who is borne out in everything else


def _with_credit(matches: Sequence[Match | None]) -> list[Match | None]:
    """The matches in the light of each other: who is borne out elsewhere is believed a little more where nothing could be checked,
    or where a reading speaks against him, which may be the reading's fault.
    """
    said = [one.verdict for one in matches if one is not None]
    borne_out = said.count("supported")
    if borne_out in (0, len(said)):
        return [*matches]
    credit = _CREDIT * borne_out / len(said)
    return [
        replace(one, support=one.support + (1 - one.support) * credit)
        if one is not None and one.verdict != "supported"
        else one
        for one in matches
    ]


_Premises: TypeAlias = tuple[float | None, tuple[int, ...]]
"""How far the premises of a step can be trusted, None where it has none; and the earlier steps whose claims are among them."""


def _local_premises(earlier: Sequence[tuple[int, ...]], matches: Sequence[Match | None]) -> list[_Premises]:
    """The premises of each step: its own claim, and the checked claims of the earlier steps that it builds on."""
    supports = _checked_supports(matches)
    own = zip(supports, earlier, strict=True)
    return [_own_premises(support, before, supports) if before else (support, ()) for support, before in own]


def _own_premises(own: float | None, before: tuple[int, ...], supports: Sequence[float | None]) -> _Premises:
    inherited = {index: support for index in before if (support := supports[index]) is not None}
    return step_reliability(own, [*inherited.values()]), tuple(inherited)


def _step_trace(
    step: Step, match: Match | None, judgement: StepJudgement, premises: _Premises, gate: Gate
) -> StepTrace:
    """The step behind the gate, by how far its premises can be trusted; without a claim or a reward it shows no gate, and an open one
    where the claim could not be checked."""
    base, (trust, used) = judgement.reward, premises
    reward, factor = (base, 1.0) if base is None or trust is None else gate(base, trust)
    shown = None if match is None or base is None else factor
    return StepTrace(
        step=step, match=match, judgement=judgement, gate=shown, reward=reward, reliability=trust, uses=used
    )


def earlier_steps(candidate: Candidate, question: str) -> list[tuple[int, ...]]:
    """For each step the earlier ones that it builds on, whatever they claim."""
    return inherited_uses(uses([f"{step.text} {step.claim or ''}" for step in candidate.steps], given=question))


def _checked_supports(matches: Sequence[Match | None]) -> list[float | None]:
    """The supports of claims that could be checked; one that cannot be parsed says nothing against its step."""
    return [None if one is None or one.verdict == "unparsed" else one.support for one in matches]


_Fault = Literal["premise", "reasoning"]


def fault(step: StepTrace, threshold: float = 0.0) -> _Fault | None:
    """What is wrong with a step, if anything: `faultOf` in viewer/page/scoring.js.

    A contradicted claim is a premise error, whatever the judge says. Else the judge's own number below the threshold θ is a
    reasoning error, and a reward that only the gate brought below θ a premise error, its own or one that it builds on.
    """
    if step.verdict == "contradicted":
        return "premise"
    if step.base_reward is not None and step.base_reward < threshold:
        return "reasoning"
    return "premise" if step.reward is not None and step.reward < threshold else None
