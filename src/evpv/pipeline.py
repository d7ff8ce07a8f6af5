"""The main job: problems in, traces out. Models are asked here, once; everything after is a pure function of what they said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Protocol

from evpv.backends.ledger import Ledger, identity, usage_to_json
from evpv.backends.store import AnswerStore
from evpv.premises.auditing import Mode, complete_claims
from evpv.protocols import ChatBackend, Extractor, StepJudge, close_part, version_of
from evpv.records.problems import problem_digest
from evpv.reward.assess import assess_evidence
from evpv.reward.method import Method
from evpv.types import Problem, StepJudgement, Trace

_BATCH = 16


class _StepReader(Protocol):
    """Who writes down what the steps of audited problems assert, in place of the auditor's rules."""

    @property
    def version(self) -> str: ...

    def read(self, problems: Sequence[Problem]) -> list[Problem]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Extractor, judge, auditor and method, joined; with the backends that the parts ask and the ledger of what that cost."""

    extractor: Extractor
    judge: StepJudge
    audit: Mode
    method: Method
    language: _StepReader | None = None
    backends: Mapping[str, ChatBackend] = field(default_factory=dict, hash=False)
    ledger: Ledger | None = None
    store: AnswerStore | None = None

    @property
    def version(self) -> str:
        """What decides the answers of the parts, for a run's fingerprint."""
        language = self.language.version if self.language is not None else ""
        models = (identity(self.backends[name]) for name in sorted(self.backends))
        return "; ".join(filter(None, (self.extractor.version, version_of(self.judge), language, *models)))

    def close(self) -> None:
        """End the processes and connections that the parts hold; they end with the program too, but not always quietly."""
        for part in (self.extractor, self.judge, *self.backends.values()):
            close_part(part)
        if self.store is not None:
            self.store.close()

    def stream(self, problems: Iterable[Problem]) -> Iterator[Trace]:
        """A trace per problem, in order, a batch at a time, so that memory does not grow with their number."""
        waiting = iter(problems)
        while batch := list(islice(waiting, _BATCH)):
            yield from self.traces(batch)

    def traces(self, problems: Sequence[Problem]) -> list[Trace]:
        """Traces of one batch: each image is read once, however many candidates there are."""
        audited = [
            replace(one, candidates=tuple(complete_claims(c, one.question, self.audit) for c in one.candidates))
            for one in problems
        ]
        if self.language is not None:
            audited = self.language.read(audited)
        extractions = self.extractor.extract(audited)
        constraints = [extraction.constraints for extraction in extractions]
        judgements = self.judge.judge(audited, constraints)
        made = []
        for problem, extraction, words in zip(audited, extractions, judgements, strict=True):
            told = [[replace(word, marks=(), sent={}) for word in candidate] for candidate in words]
            trace = assess_evidence(problem, replace(extraction, cost={}), told, self.method)
            stages = self.ledger.take(problem.id) if self.ledger is not None else {}
            cost = {**extraction.cost, "stages": usage_to_json(stages)} if stages else extraction.cost
            made.append(replace(trace, cost=cost, judging=_judging(words), digest=problem_digest(problem)))
        return made


def _judging(judgements: list[list[StepJudgement]]) -> dict[str, Any]:
    """What a model's judgements were like, counted: unreadable ones, soft ones, looks; and how the questions were put."""
    words = [word for candidate in judgements for word in candidate if word.answered is not None]
    if not words:
        return {}
    judging: dict[str, Any] = {"steps": len(words), **Counter(mark for word in words for mark in word.marks)}
    for word in words:
        if word.sent and dict(word.sent) not in judging.setdefault("sent", []):
            judging["sent"].append(dict(word.sent))
    return judging
