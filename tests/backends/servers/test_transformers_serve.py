"""A real server in `make test`: `transformers serve`, with a model too small to say anything sensible."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from full_path import evpv, walk
from processes import ModelServer

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.transformers_chat import TransformersChat
from evpv.protocols import ChatRequest, Sampling
from evpv.records import read_traces


@pytest.fixture(scope="module")
def served(transformers_server: ModelServer) -> Iterator[OpenAIChat]:
    chat = OpenAIChat(transformers_server.model, base_url=transformers_server.base_url, concurrency=2, timeout_s=120)
    yield chat
    chat.close()


def test_pictures_arrive_as_they_do_in_process(served: OpenAIChat, toy: Path, pictures: tuple[str, str]) -> None:
    """Greedy answers to questions about pictures are equal; the server strips white space around an answer."""
    wide, tall = pictures
    request = ChatRequest(prompt="What is AB?", sampling=Sampling(max_tokens=16))
    requests = [replace(request, images=images) for images in ((wide,), (tall,), (wide, tall), ())]
    for there, here in zip(served.ask(requests), TransformersChat(str(toy)).ask(requests), strict=True):
        assert there.problem is None
        assert (there.text or "").strip() == (here.text or "").strip()
        assert there.usage.completion_tokens == here.usage.completion_tokens == 16
        assert there.usage.prompt_tokens == here.usage.prompt_tokens


def test_what_the_server_ignores_is_found_out(served: OpenAIChat, pictures: tuple[str, str]) -> None:
    """It takes json_schema, logprobs and n without a word and does nothing about them."""
    found = served.capabilities()
    assert (found["problem"], found["images"]) == (None, True)
    assert (found["logprobs"], found["n"]) == (False, False)
    assert found["json_schema"] is not True  # a babbling model's answer is cut off, which proves nothing
    request = ChatRequest(prompt="Right?", images=(pictures[0],), labels=("+", "-"), sampling=Sampling(max_tokens=1))
    assert served.ask([request])[0].label_logprobs == {}


def test_the_full_path_over_http(transformers_server: ModelServer, pictures: tuple[str, str], tmp_path: Path) -> None:
    address = f'model = {json.dumps(transformers_server.model)}\nbase_url = "{transformers_server.base_url}"'
    walked = walk(tmp_path, f'use = "openai-chat"\n{address}', pictures)
    for problem in walked.sampled:
        asked = problem["sampling"]
        assert len(problem["candidates"]) + len(asked.get("missing", [])) == 2
        assert len({answer["raw"] for answer in asked["rejected"]}) > 1  # it babbles, and all of it is kept
        assert asked["cost"]["sample"]["calls"] == 4
    for record in walked.extracted:
        assert record["constraints"] == []
        assert record.get("problem") or record["reading"]["dropped"]
        assert record["reading"]["raw"]
    assert all(cost["stages"]["judge"]["calls"] > 0 for cost in walked.costs)
    for trace in walked.traces:
        assert sorted(trace["ranking"]["order"]) == ["a", "b"]
        for step in (step for candidate in trace["candidates"] for step in candidate["steps"]):
            assert step["base_reward"] in (-1, 1)
            assert step["judged"]["raw"]
    evpv("rank", tmp_path / "problems.jsonl", "-o", tmp_path / "again", "--recipe", tmp_path / "tiny.toml")
    again = list(read_traces(tmp_path / "again"))
    assert not any(stage.get("calls") for trace in again for stage in trace.cost["stages"].values())


@pytest.mark.slow
def test_the_full_path_in_process(toy: Path, pictures: tuple[str, str], tmp_path: Path) -> None:
    """The schema is kept here, so the judge's babble can be read."""
    walked = walk(tmp_path, f'use = "transformers-chat"\nmodel = {json.dumps(str(toy))}', pictures)
    steps = [step for trace in walked.traces for candidate in trace["candidates"] for step in candidate["steps"]]
    assert all("judged" not in step or step["judged"].get("taken_as") is None for step in steps)
