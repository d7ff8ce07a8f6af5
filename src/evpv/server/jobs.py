"""A worker's life and what it does for a request: the pipeline asked, and the answer written as the bytes that are sent.

It builds the pipeline once, then answers jobs until the service is gone. The first message in is the order (recipe, settings,
folder), the first out is empty, or the reason why the pipeline cannot be built. Then jobs come in as JSON, and two bytes of
status with a body go out.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evpv import records
from evpv.assembly import Builder, Corrector
from evpv.config import load_recipe
from evpv.errors import BackendError, BudgetError, ConfigError, EvpvError, RecordError
from evpv.judges.checks import ChecksJudge
from evpv.pipeline import Pipeline
from evpv.protocols import prepare_part
from evpv.records.codec import within
from evpv.records.corrections import change_from_json
from evpv.server import messages
from evpv.types import Candidate, Problem, Trace
from evpv.viewer import write_page
from evpv.viewer.summaries import mended_problem
from evpv.workers.child import Channel

if TYPE_CHECKING:
    from evpv.policy.chat import ChatPolicy

_FORMS = ("steps", "reasoningprocess", "response")
_MOST_STEPS = 1_000
_MOST_CALLS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An HTTP status and the body that goes with it."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _RequestHandler:
    """A pipeline with what is needed to answer for it: the recipe's name, the folder of the images, a policy if it has one."""

    name: str
    pipeline: Pipeline
    folder: Path
    policy: ChatPolicy | None = None

    def answer(self, job: Mapping[str, Any]) -> Reply:
        """The answer to one job; what the request has wrong is an answer too.

        A bug is told to the log alone, and costs the request and not the worker.
        """
        try:
            return Reply(status=200, body=_ACTIONS[job["do"]](self, job))
        except (BackendError, BudgetError) as error:
            return _refusal(502, self._without_folder(str(error)))
        except RecordError as error:
            return _refusal(422, error.message, error.field)
        except EvpvError as error:
            return _refusal(422, self._without_folder(str(error)))
        except Exception:  # noqa: BLE001 - whatever a request brings about, the next one is answered
            print(f"request {job.get('request_id')}:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
            return _refusal(500, "the service failed; its log says why under this request's id")

    def rerank(self, job: Mapping[str, Any]) -> bytes:
        """A ranking as reranker clients know it, with the evidence beside each score."""
        # What a document calls itself does not matter to a reranker: they are numbered by their places.
        read = (_candidate("documents", place, job) for place in range(len(job["documents"])))
        numbered = tuple(replace(candidate, id=str(place)) for place, candidate in enumerate(read))
        trace = self._trace(self._problem({**job, "id": "rerank"}, numbered))
        by_id = {candidate.id: candidate for candidate in trace.candidates}
        documents = [{"text": given} if isinstance(given, str) else given for given in job["documents"]]
        results = tuple(
            messages.RankedDocument(
                index=int(name), relevance_score=trace.ranking.values[name],
                document=documents[int(name)] if job["return_documents"] else None,
                evidence=messages.ScoreReasons.of(by_id[name], trace),
            )
            for name in trace.ranking.order[: job["top_n"]]
        )  # fmt: skip
        meta = {
            "api_version": {"version": "1"}, "billed_units": {"search_units": 1}, "recipe": self.name,
            "select": trace.ranking.select, "tied": trace.ranking.tied, "figure": trace.extraction.kind,
            "unread": trace.extraction.problem, "constraints": len(trace.constraints), "cost": dict(trace.cost),
        }  # fmt: skip
        told = {"id": job["request_id"], "model": self.name, "usage": {"prompt_tokens": 0, "total_tokens": 0}}
        return _json(messages.RERANK.write(messages.RerankAnswer(results=results, meta=meta, **told)))

    def verify(self, job: Mapping[str, Any]) -> bytes:
        return _json(records.trace_to_json(self._trace(self._problem(job, _candidates("candidates", job)))))

    def revise(self, job: Mapping[str, Any]) -> bytes:
        """The problem's trace after its solver was told what it misread; the recipe's policy is the solver."""
        if self.policy is None:
            raise ConfigError(f"the service's recipe {self.name!r} has no policy that could revise.")
        from evpv.search.revision import Reviser  # needs the chat extra, as the policy does

        problem = self._problem(job, _candidates("candidates", job))
        reviser = Reviser(policy=self.policy, pipeline=self.pipeline, rounds=job["rounds"], max_calls=_MOST_CALLS)
        return _json(records.trace_to_json(self._public(reviser.revise(problem))))

    def page(self, job: Mapping[str, Any]) -> bytes:
        """The page of `evpv view` for one problem."""
        trace = self._trace(self._problem(job, _candidates("candidates", job)))
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            file = Path(folder) / "page.html"
            write_page(file, [trace], title="evpv", folder=self.folder, mending="parent")
            return file.read_bytes()

    def mend(self, job: Mapping[str, Any]) -> bytes:
        """A problem's trace after one fact was mended, as an open page takes it. The service keeps nothing of it."""
        with within("trace"):
            trace = records.trace_from_json(job["trace"])
        change = change_from_json({"problem_id": trace.problem_id, "old": job["old"], "new": job["new"]})
        rules = self.pipeline.judge if isinstance(self.pipeline.judge, ChecksJudge) else None
        mended = Corrector(method=self.pipeline.method, judge=rules).trace(trace, [change])
        return _json(mended_problem(mended, self.pipeline.method))

    def extract(self, job: Mapping[str, Any]) -> bytes:
        problem = Problem(id="extract", question=job["question"], images=self._paths(job))
        extraction = self.pipeline.extractor.extract([problem])[0]
        why = self._without_folder(extraction.problem) if extraction.problem else None
        return _json(messages.EXTRACT.write(replace(extraction, problem=why)))

    def match(self, job: Mapping[str, Any]) -> bytes:
        with within("constraints"):
            constraints = records.constraints_from_json(job["constraints"])
        matcher = self.pipeline.method.matcher(constraints)
        matches = tuple(messages.ClaimMatch(claim=claim, match=matcher(claim)) for claim in job["claims"])
        return _json(messages.MATCHES.write(messages.MatchAnswer(matches=matches)))

    def _problem(self, job: Mapping[str, Any], candidates: tuple[Candidate, ...]) -> Problem:
        named, images = {key: job[key] for key in ("id", "question")}, self._paths(job)
        return Problem(**named, images=images, options=tuple(job["options"]), candidates=candidates)

    def _paths(self, job: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(self.folder / name) for name in job["images"])

    def _trace(self, problem: Problem) -> Trace:
        """The problem's trace, with images by their ids: where they lie is nobody's business."""
        trace = self.pipeline.traces([problem])[0]
        if trace.failure is not None:
            raise BackendError(self._without_folder(trace.failure))
        return self._public(trace)

    def _public(self, trace: Trace) -> Trace:
        """A trace that names images by their ids."""
        why = trace.extraction.problem
        named = replace(trace.problem, images=tuple(Path(image).name for image in trace.problem.images))
        extraction = replace(trace.extraction, problem=None if why is None else self._without_folder(why))
        return replace(trace, problem=named, extraction=extraction)

    def _without_folder(self, text: str) -> str:
        return text.replace(f"{self.folder}/", "image ")


_ACTIONS: dict[str, Callable[[_RequestHandler, Mapping[str, Any]], bytes]] = {
    action.__name__: action
    for action in (
        _RequestHandler.rerank, _RequestHandler.verify, _RequestHandler.revise, _RequestHandler.mend,
        _RequestHandler.page, _RequestHandler.extract, _RequestHandler.match,
    )
}  # fmt: skip


def _candidates(field: str, job: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """Candidates by their own names, or else by their numbers from 1."""
    found: dict[str, Candidate] = {}
    for place in range(len(job[field])):
        candidate = _candidate(field, place, job)
        if candidate.id in found:
            raise RecordError(f"{candidate.id!r} is the id of an earlier candidate too", field=f"{field}[{place}].id")
        found[candidate.id] = candidate
    return tuple(found.values())


def _candidate(field: str, place: int, job: Mapping[str, Any]) -> Candidate:
    """One candidate; the question and its options help to find the answer that a text ends with."""
    value, number = job[field][place], str(place + 1)
    asked = (job["question"], job["options"])
    if isinstance(value, dict) and isinstance(value.get("text"), str) and not any(form in value for form in _FORMS):
        candidate = records.candidate_from_text(value["text"], str(value.get("id") or number), *asked)
    else:
        with within(f"{field}[{place}]"):
            candidate = records.candidate_from_json(value, number, *asked)
    if len(candidate.steps) > _MOST_STEPS:
        raise RecordError(f"has {len(candidate.steps)} steps: more than {_MOST_STEPS}", field=f"{field}[{place}]")
    return candidate


def _refusal(status: int, message: str, field: str | None = None) -> Reply:
    return Reply(status=status, body=_json({"message": message, "field": field}))


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def answer_requests(channel: Channel) -> None:
    """A worker process's whole life."""
    order = json.loads(channel.receive())
    try:
        recipe = load_recipe(order["recipe"], order["changes"])
        builder = Builder(recipe)
        policy = builder.policy() if recipe.policy is not None else None
        pipeline = builder.pipeline()
        prepare_part(pipeline.extractor)
    except EvpvError as error:
        channel.send(str(error).encode())
        return
    handler = _RequestHandler(name=recipe.name, pipeline=pipeline, folder=Path(order["folder"]), policy=policy)
    channel.send(b"")
    for message in channel.messages():
        reply = handler.answer(json.loads(message))
        channel.send(reply.status.to_bytes(2, "big") + reply.body)
    handler.pipeline.close()
