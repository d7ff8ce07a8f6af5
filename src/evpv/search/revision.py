"""Solutions mended: the policy is told which of its premises the figure denies, where, and what stands there.

It rewrites from the first bad step on, and what it writes is verified again, until nothing is contradicted, nothing
changes, or the budget ends. A remark carries its confidence and the solver may insist: then what it first wrote and
what it stands by are both ranked, so that a wrong remark alone cannot push a right solution over.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from evpv.backends.images import save_crop
from evpv.backends.prompts import Prompt, load_prompt, question_text, remarks_text, steps_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.errors import RecordError
from evpv.pipeline import Pipeline
from evpv.policy.chat import SCHEMA, ChatPolicy, nonce_of, with_seed
from evpv.protocols import ChatReply, ChatRequest
from evpv.records import candidate_from_json
from evpv.search.strategies import CallLimit, Scorer
from evpv.settings import require_positive
from evpv.types import (
    AssertionMatch,
    Candidate,
    CandidateTrace,
    Constraint,
    Match,
    Problem,
    Remark,
    Revision,
    StepTrace,
    Trace,
)

_STAGE = "revise"
_MOST_CROPS = 4
_FORM = closed_object(
    stance={"enum": ["corrected", "insisted"]}, reason={"type": "string", "maxLength": 1000}, **SCHEMA["properties"]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviser:
    """Tells a policy what it misread, `rounds` times at most, and ranks what comes of it with what was there before.

    `best` revises only that many candidates, the first in rank; `doubt` is the confidence below which a contradiction
    is not told; `crops` sends the places along as pictures.
    """

    policy: ChatPolicy
    pipeline: Pipeline
    rounds: int = 2
    best: int | None = None
    doubt: float = 0.5
    crops: bool = True
    max_calls: int = 400

    def __post_init__(self) -> None:
        require_positive(self, "rounds", "max_calls")

    def revise(self, problem: Problem) -> Trace:
        """A trace of the candidates as they were and as they became; the chain stands in each one's `revisions`."""
        limit = CallLimit(self.policy.backend, self.max_calls)
        scorer = Scorer(self.pipeline, problem)
        trace = scorer.trace_as_named(problem.candidates)
        chosen = trace.ranking.order if self.best is None else trace.ranking.order[: self.best]
        versions = _Versions(pool={c.id: c for c in problem.candidates}, going=list(chosen))
        for number in range(1, self.rounds + 1):
            asked_about = [one for one in trace.candidates if one.id in versions.going]
            found = {one.id: _remarks_on(one, trace.constraints, self.doubt) for one in asked_about}
            remarks = {name: told for name, told in found.items() if told}
            if not remarks or limit.spent:
                break
            with _crop_files(scorer.problem, remarks if self.crops else {}) as crops:
                asked = [
                    self._request(scorer.problem, versions.pool[name], told, number, crops.get(name, ()))
                    for name, told in remarks.items()
                ]
                replies = dict(zip(remarks, limit.ask(asked), strict=True))
            versions.enter_replies(replies, remarks, number)
            trace = scorer.trace_as_named(tuple(versions.pool.values()))
        counts = {"told": versions.told, "calls": limit.calls_used, "unreadable": versions.unreadable}
        return scorer.close_trace(trace, {"kind": "revise", "rounds": self.rounds, **counts})

    def _request(
        self, problem: Problem, candidate: Candidate, told: Sequence[Remark], number: int, crops: Sequence[str]
    ) -> ChatRequest:
        steps = steps_text(step.text for step in candidate.steps)
        said = remarks_text(told, shown=len(crops))
        nonce = nonce_of(self.policy.seed, problem.id, steps, said, number)
        untrusted = {"user_query": question_text(problem), "steps": steps, "remarks": said}
        asked = _prompt().fill(untrusted, {"first_step": told[0].step + 1, "nonce": nonce})
        shown = replace(problem, images=(*problem.images, *crops))
        return with_seed(self.policy.request(shown, _STAGE, asked, _FORM), nonce)


def _remarks_on(candidate: CandidateTrace, constraints: Sequence[Constraint], doubt: float) -> tuple[Remark, ...]:
    """What the figure denies in a candidate, in order of its steps, and what beside it could not be seen.

    Nothing is said where nothing is denied with confidence: a premise that was merely not found is no reason to look
    again, but where there is one, the solver is told that too.
    """
    remarks = [r for index, step in enumerate(candidate.steps) for r in _remarks_of_step(index, step, constraints)]
    denied = [r for r in remarks if r.verdict == "contradicted" and r.confidence >= doubt]
    unseen = [r for r in remarks if r.verdict == "missing" and denied and r.step >= denied[0].step]
    return tuple(sorted((*denied, *unseen), key=remarks.index))


def _remarks_of_step(index: int, step: StepTrace, constraints: Sequence[Constraint]) -> Iterator[Remark]:
    if step.match is None or step.claim is None:
        return
    asserted = [(one, step.claim[slice(*one.span)]) for one in step.match.assertions]
    spans: Sequence[tuple[Match | AssertionMatch, str]] = asserted or [(step.match, step.claim)]
    for one, said in spans:
        if one.verdict in ("contradicted", "missing"):
            fact = None if one.constraint is None else constraints[one.constraint]
            confidence, box = (0.0, None) if fact is None else (fact.confidence, fact.box)
            verdict, read = one.verdict, one.explanation
            yield Remark(step=index, said=said, verdict=verdict, read=read, confidence=confidence, box=box)


@contextmanager
def _crop_files(problem: Problem, remarks: Mapping[str, Sequence[Remark]]) -> Iterator[dict[str, tuple[str, ...]]]:
    """The places of the remarks as pictures, for as long as they are asked about; boxes belong to the first image."""
    with tempfile.TemporaryDirectory(prefix="evpv-revise-") as folder:
        crops: dict[str, tuple[str, ...]] = {}
        for number, (name, told) in enumerate(remarks.items()):
            boxes = [remark.box for remark in told if remark.box is not None][:_MOST_CROPS]
            if problem.images and boxes:
                files = [Path(folder) / f"{number}-{place}.png" for place in range(len(boxes))]
                for box, file in zip(boxes, files, strict=True):
                    save_crop(problem.images[0], box, file)
                crops[name] = tuple(map(str, files))
        yield crops


def _revised_candidate(old: Candidate, reply: ChatReply, told: Sequence[Remark], number: int) -> Candidate | str:
    """The candidate with its new end, or why the reply is none."""
    if reply.text is None:
        return f"no answer: {reply.problem}"
    reading = read_json(reply.text, _FORM)
    if reading.problem is not None:
        return reading.problem
    try:
        written = candidate_from_json(reading.value, old.id)
    except RecordError as error:
        return str(error)
    first = told[0].step
    revision = Revision(
        of=old.id, round=number, first_step=first, before=tuple(step.text for step in old.steps[first:]),
        answer_before=old.final_answer, told=tuple(told), stance=reading.value["stance"],
        reason=reading.value["reason"],
    )  # fmt: skip
    steps = (*old.steps[:first], *written.steps)
    name = f"{old.id.split('~')[0]}~{number}"
    return replace(
        old, id=name, steps=steps, final_answer=written.final_answer, correct=None, revisions=(*old.revisions, revision)
    )


@dataclass(slots=True, kw_only=True)
class _Versions:
    """The candidates of a problem between rounds: `pool` is what will be ranked, `going` whose word is still awaited."""

    pool: dict[str, Candidate]
    going: list[str]
    told: int = 0
    unreadable: list[str] = field(default_factory=list)

    def enter_replies(
        self, replies: Mapping[str, ChatReply], remarks: Mapping[str, Sequence[Remark]], number: int
    ) -> None:
        """Put new versions into the pool: in place of the old one if corrected, beside it if the solver insists.

        What is said again in the same words is not ranked twice; that it was told, and why it stands, stays in its
        chain. A version that changed nothing, or insists, has had its last word.
        """
        self.told += len(remarks)
        self.going = []
        for name, reply in replies.items():
            old = self.pool[name]
            new = _revised_candidate(old, reply, remarks[name], number)
            if isinstance(new, str):
                self.unreadable.append(f"{name}: {new}")
            elif [step.text for step in new.steps] == [step.text for step in old.steps]:
                self.pool[name] = replace(old, revisions=new.revisions)
            else:
                self.pool[new.id] = new
                if new.revisions[-1].stance == "corrected":
                    del self.pool[name]
                    self.going.append(new.id)


@cache
def _prompt() -> Prompt:
    place = Path(__file__).with_name("revise.txt")
    return load_prompt(str(place), required=("first_step", "nonce", "user_query", "steps", "remarks"))
