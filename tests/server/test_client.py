"""The client: the library's own types, over the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evpv import Client, Verifier
from evpv.client import ServiceError
from evpv.types import Numeric, Problem

from .serving import Served, free_port, serving


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    with Client(served.url, key=served.key) as client:
        yield client


def test_verify_gives_the_librarys_trace(client: Client, problems: list[Problem]) -> None:
    with Verifier.from_recipe("embedded") as verifier:
        expected = verifier.rank(problems[0]).trace
    found = client.verify(problems[0])
    assert found.extraction == expected.extraction
    assert (found.candidates, found.ranking, found.digest) == (expected.candidates, expected.ranking, expected.digest)


def test_rerank_takes_a_file_its_bytes_or_its_id(client: Client, problems: list[Problem]) -> None:
    problem, path = problems[0], Path(problems[0].images[0])
    images = (path, path.read_bytes(), client.upload(path))
    rankings = [client.rerank(problem.question, problem.candidates, image=image) for image in images]
    assert rankings[0] == rankings[1] == rankings[2]
    assert rankings[0][0].evidence["steps"]
    assert client.rerank(problem.question, problem.candidates, image=path, top_n=1) == rankings[0][:1]


def test_extract_and_match(client: Client, problems: list[Problem]) -> None:
    read = client.extract(Path(problems[0].images[0]))
    assert read.constraints
    assert read.problem is None
    known = [Numeric(entity="segment AB", attribute="length", value=10.0)]
    assert [match.verdict for match in client.match(["AB = 10", "AB = 20"], known)] == ["supported", "contradicted"]


def test_a_refusal_is_an_error_with_the_services_words(client: Client, served: Served) -> None:
    with pytest.raises(ServiceError, match=r"404: there is no image .*\(request [0-9a-f]{32}\)") as caught:
        client.extract(64 * "0")
    assert caught.value.status == 404
    with Client(served.url, key="wrong") as stranger, pytest.raises(ServiceError, match="401: a key is needed"):
        stranger.match(["AB = 1"], [])


def test_a_service_that_is_not_there_is_an_error_too() -> None:
    with Client(f"http://127.0.0.1:{free_port()}") as client, pytest.raises(ServiceError, match="does not answer"):
        client.match(["AB = 1"], [])


def test_the_client_waits_when_it_is_told_to(tmp_path: Path) -> None:
    """At sixty requests a minute and six at once, one in a row must soon be refused, and a second later is not."""
    limit = ("--limit", "requests-per-minute=60")
    with (
        serving(tmp_path, "--recipe", "judge-alone", "--workers", "1", *limit) as service,
        Client(service.url, retries=0) as hasty,
        Client(service.url) as patient,
    ):
        with pytest.raises(ServiceError, match="429"):
            [hasty.match(["AB = 1"], []) for _ in range(100)]
        assert patient.match(["AB = 1"], [])[0].verdict == "missing"
