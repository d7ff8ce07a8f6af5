"""What the service answers is what the library says."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from evpv import Verifier
from evpv.records import candidate_to_json, trace_from_json, trace_to_json
from evpv.server import messages
from evpv.server.images import StoredImage
from evpv.types import Problem

from .serving import Served


def data_uri(problem: Problem) -> str:
    return f"data:image/png;base64,{base64.b64encode(Path(problem.images[0]).read_bytes()).decode()}"


def documents(problem: Problem) -> list[dict[str, Any]]:
    return [candidate_to_json(candidate) for candidate in problem.candidates]


def test_a_ranking_is_the_librarys_own(served: Served, problems: list[Problem]) -> None:
    with served.client() as client, Verifier.from_recipe("embedded") as verifier:
        for problem in problems:
            body = {"query": problem.question, "documents": documents(problem), "image": data_uri(problem)}
            body["options"] = list(problem.options)
            answer = client.post("/v1/rerank", json=body)
            assert answer.status_code == 200, answer.text
            results = messages.RERANK.read(answer.json()).results
            trace = verifier.rank(problem).trace
            named = {candidate.id: place for place, candidate in enumerate(problem.candidates)}
            expected = {named[name]: value for name, value in trace.ranking.values.items()}
            assert {one.index: one.relevance_score for one in results} == expected
            scores = [one.relevance_score for one in results]
            assert scores == sorted(scores, reverse=True)
            for one in results:
                verdicts = [step.match and step.match.verdict for step in one.evidence.steps]
                assert verdicts == [step.verdict for step in trace.candidates[one.index].steps]


def test_a_trace_is_the_librarys_own_with_ids_for_paths(served: Served, problems: list[Problem]) -> None:
    problem = problems[0]
    body = {
        "id": problem.id,
        "question": problem.question,
        "image": data_uri(problem),
        "options": list(problem.options),
    }
    with served.client() as client, Verifier.from_recipe("embedded") as verifier:
        answer = client.post("/v1/verify", json={**body, "candidates": documents(problem)})
        assert answer.status_code == 200, answer.text
        expected = trace_to_json(verifier.rank(problem).trace)
    found = trace_to_json(trace_from_json(answer.json()))
    for name in ("constraints", "candidates", "ranking", "extraction"):
        assert found[name] == expected[name], name
    assert found["problem"]["question"] == expected["problem"]["question"]
    assert "/" not in found["problem"]["image"]


def test_an_image_may_be_inside_uploaded_in_a_header_or_in_the_query(served: Served, problems: list[Problem]) -> None:
    problem = problems[1]
    body = {"query": problem.question, "documents": documents(problem)}
    with served.client() as client:
        uploaded = client.post("/v1/images", content=Path(problem.images[0]).read_bytes())
        assert uploaded.status_code == 201
        image = StoredImage(**uploaded.json())
        assert image.kind == "png"
        ways: list[tuple[dict[str, Any], dict[str, str]]] = [
            ({**body, "image": data_uri(problem)}, {}),
            ({**body, "image": image.id}, {}),
            ({**body, "image": [image.id]}, {}),
            (body, {"x-evpv-image": image.id}),
            ({**body, "query": f"image:{image.id} {problem.question}"}, {}),
        ]
        rankings = [client.post("/v1/rerank", json=sent, headers=headers).json()["results"] for sent, headers in ways]
        without = client.post("/v1/rerank", json=body).json()
    assert all(ranking == rankings[0] for ranking in rankings)
    assert without["meta"]["constraints"] == 0
    assert without["results"] != rankings[0]


def test_top_n_and_return_documents(served: Served) -> None:
    texts = ["AB = 3 + 4 = 8.", "AB = 3 + 4 = 7.", {"text": "AB = 3 + 4 = 9."}]
    body = {
        "query": "AB is 3 plus 4.",
        "documents": texts,
        "top_n": 2,
        "return_documents": True,
        "model": "any",
        "rank_fields": ["a"],
    }
    with served.client() as client:
        best, second = client.post("/v1/rerank", json=body).json()["results"]
        assert (best["index"], best["document"]) == (1, {"text": texts[1]})
        assert best["relevance_score"] > second["relevance_score"]
        [first] = client.post("/v2/rerank", json={**body, "top_n": 1, "return_documents": False}).json()["results"]
    assert "document" not in first


def test_extract_and_match(served: Served, problems: list[Problem]) -> None:
    with served.client() as client:
        read = client.post("/v1/extract", json={"image": data_uri(problems[0])}).json()
        assert messages.EXTRACT.read(read).constraints
        numeric = next(one for one in read["constraints"] if one["category"] == "numeric")
        placed = ("row", "column", "series", "error")
        bare = {name: value for name, value in numeric.items() if name not in placed}
        constraint = {**bare, "entity": "segment AB", "attribute": "length", "value": 10, "unit": None}
        matched = client.post("/v1/match", json={"claims": ["AB = 10", "AB = 20"], "constraints": [constraint]}).json()
    assert [one["verdict"] for one in matched["matches"]] == ["supported", "contradicted"]


def test_the_page_shows_one_problem(served: Served, problems: list[Problem]) -> None:
    body = {"question": problems[0].question, "image": data_uri(problems[0]), "candidates": documents(problems[0])}
    with served.client() as client:
        answer = client.post("/v1/page", json=body)
    assert answer.headers["content-type"].startswith("text/html")
    assert '<script type="application/json" id="evpv-data">' in answer.text


def test_health_readiness_and_metrics(served: Served) -> None:
    with served.client() as client:
        assert client.get("/healthz").json()["status"] == "ok"
        assert client.get("/readyz").json()["workers"] == 1
        client.post("/v1/match", json={"claims": ["AB = 1"], "constraints": []})
        text = client.get("/metrics").text
    assert 'evpv_requests_total{path="/v1/match",status="200"}' in text
    assert "evpv_workers_ready 1.0" in text


def test_the_openapi_documents_examples_are_accepted(served: Served) -> None:
    with served.client() as client:
        document = client.get("/openapi.json").json()
        tried = 0
        for path, methods in document["paths"].items():
            content = methods.get("post", {}).get("requestBody", {}).get("content", {})
            name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
            for example in document["components"]["schemas"].get(name, {}).get("examples", []):
                answer = client.post(path, json=example)
                assert answer.status_code == 200, (path, answer.text)
                tried += 1
    assert tried >= 4


@pytest.mark.parametrize(
    ("path", "body", "field", "said"),
    [
        ("/v1/rerank", {"query": "q"}, "documents", "Field required"),
        ("/v1/rerank", {"query": "q", "documents": []}, "documents", "at least 1"),
        ("/v1/rerank", {"query": "q", "documents": [{"steps": [{"claim": 3}]}]}, "documents[0].steps[0].text", "is missing"),
        ("/v1/rerank", {"query": "q", "documents": ["a"] * 257}, None, "at most 256 documents"),
        ("/v1/verify", {"question": "q", "candidates": [{"nothing": 1}]}, "candidates[0]", "must be an object with"),
        ("/v1/verify", {"candidates": [{"id": "a", "steps": []}] * 2}, "candidates[1].id", "an earlier candidate"),
        ("/v1/match", {"claims": ["x"], "constraints": [{"category": "odd"}]}, "constraints[0]", "category"),
        ("/v1/extract", {"image": 64 * "0"}, None, "there is no image"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_its_place(served: Served, path: str, body: Any, field: str | None, said: str) -> None:
    with served.client() as client:
        answer = client.post(path, json=body)
    refused = messages.Refused(**answer.json())
    assert answer.status_code in (404, 422)
    assert refused.field == field
    assert said in refused.message
    assert refused.request_id == answer.headers["x-request-id"]


def test_requests_are_logged_as_json_with_their_ids(served: Served) -> None:
    with served.client() as client:
        answer = client.get("/metrics", headers={"x-request-id": "my-own.id_1"})
    assert answer.headers["x-request-id"] == "my-own.id_1"
    event = served.request("my-own.id_1")
    assert (event["who"], event["path"], event["status"], event["method"]) == ("tester", "/metrics", 200, "GET")
    assert served.key is not None
    assert served.key not in json.dumps(served.events())
