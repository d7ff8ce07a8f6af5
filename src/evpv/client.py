"""A client of the service (`evpv serve`): the same questions as the library's, asked of another process or machine.

>>> from evpv import Client
>>> with Client("http://127.0.0.1:8080", key="evpv-…") as client:            # doctest: +SKIP
...     ranked = client.rerank("How large is angle ACB?", ["…", "…"], image=Path("figure.png"))
...     print(ranked[0].index, ranked[0].relevance_score)
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from evpv.errors import BackendError, MissingExtraError
from evpv.records import candidate_to_json, constraints_from_json, constraints_to_json, trace_from_json
from evpv.records.traces import match_from_json
from evpv.types import Candidate, Constraint, Extra, Extraction, Match, Problem, Trace

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise MissingExtraError("evpv.Client", extra="client", missing="httpx2") from missing

Image: TypeAlias = str | bytes | Path
"""A file, its bytes, or what the service takes as it is: the id of an uploaded image, a data URI, an address."""

_RETRIED = (429, 503)
_LONGEST_WAIT_S = 60.0


class ServiceError(BackendError):
    """The service refused, or did not answer; `status` is its HTTP status, None where there was no answer."""

    def __init__(self, message: str, *, status: int | None = None, request_id: str | None = None) -> None:
        super().__init__(f"{message} (request {request_id})" if request_id else message)
        self.status, self.request_id = status, request_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDocument:
    """One candidate in its place: `index` is its place in what was sent, `evidence` says why it has its score."""

    index: int
    relevance_score: float
    evidence: Extra = field(default_factory=dict, hash=False)


class Client(AbstractContextManager["Client"]):
    """Asks a service at `url`. Too many requests are asked again when the service says so, at most `retries` times."""

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = 120.0, retries: int = 5) -> None:
        headers = {"authorization": f"Bearer {key}"} if key is not None else {}
        self._http = httpx2.Client(base_url=url, headers=headers, timeout=timeout_s)
        self._retries = retries

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def rerank(
        self,
        question: str,
        documents: Sequence[str | Candidate],
        *,
        image: Image | None = None,
        top_n: int | None = None,
    ) -> list[RankedDocument]:
        """The candidates in order, the best first."""
        body = {"query": question, "documents": _as_json(documents), "image": _image(image), "top_n": top_n}
        results = self._json("/v1/rerank", body)["results"]
        return [
            RankedDocument(index=one["index"], relevance_score=one["relevance_score"], evidence=one["evidence"])
            for one in results
        ]

    def verify(self, problem: Problem) -> Trace:
        """The full trace of a problem; its images are sent along where they are files."""
        own = [
            one for one in problem.images if not one.startswith(("data:", "http:", "https:")) and Path(one).is_file()
        ]
        images = [_image(Path(one)) if one in own else one for one in problem.images]
        body = {
            "id": problem.id, "question": problem.question, "image": images, "options": list(problem.options),
            "candidates": _as_json(problem.candidates),
        }  # fmt: skip
        return trace_from_json(self._json("/v1/verify", body))

    def extract(self, image: Image, question: str = "") -> Extraction:
        """What can be read from a figure."""
        answer = self._json("/v1/extract", {"image": _image(image), "question": question})
        facts = constraints_from_json(answer["constraints"])
        return Extraction(constraints=facts, **{name: answer[name] for name in ("kind", "problem", "cost")})

    def match(self, claims: Sequence[str], constraints: Sequence[Constraint]) -> list[Match]:
        """A match for each claim."""
        answer = self._json("/v1/match", {"claims": list(claims), "constraints": constraints_to_json(constraints)})
        found = (match_from_json(one) for one in answer["matches"])
        return [match for match in found if match is not None]

    def upload(self, image: bytes | Path) -> str:
        """Send an image once, for the requests that name it by the id that this returns."""
        content = image.read_bytes() if isinstance(image, Path) else image
        answer = self._sent("/v1/images", content=content, headers={"content-type": "application/octet-stream"})
        return str(answer["id"])

    def _json(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._sent(path, json={name: value for name, value in body.items() if value is not None})

    def _sent(self, path: str, **request: Any) -> dict[str, Any]:
        for attempt in range(self._retries + 1):
            try:
                answer = self._http.post(path, **request)
            except httpx2.TransportError as error:
                raise ServiceError(f"{self._http.base_url}{path} does not answer: {error!r}") from error
            if answer.status_code not in _RETRIED or attempt == self._retries:
                break
            told = answer.headers.get("retry-after", "")  # without a word, it is waited longer each time
            time.sleep(min(float(told) if told.isdecimal() else 2.0**attempt, _LONGEST_WAIT_S))
        return _checked_answer(answer)


def _checked_answer(answer: httpx2.Response) -> dict[str, Any]:
    """The answer's JSON; `ServiceError` with the service's own words where it refused."""
    try:
        said = answer.json()
    except ValueError:
        said = {}
    if answer.is_success and isinstance(said, dict):
        return said
    message = said.get("message") if isinstance(said, dict) else None
    where = f"{said['field']}: " if isinstance(said, dict) and said.get("field") else ""
    request_id = answer.headers.get("x-request-id")
    raise ServiceError(
        f"{answer.status_code}: {where}{message or 'no reason given'}", status=answer.status_code, request_id=request_id
    )


def _as_json(candidates: Sequence[str | Candidate]) -> list[Any]:
    return [one if isinstance(one, str) else candidate_to_json(one) for one in candidates]


def _image(image: Image | None) -> str | None:
    if isinstance(image, Path):
        image = image.read_bytes()
    if isinstance(image, bytes):
        return f"data:image/png;base64,{b64encode(image).decode('ascii')}"  # the kind is told by the bytes
    return image
