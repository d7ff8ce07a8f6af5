"""The same request in process, through vLLM and through llama.cpp: the same numbers. Run by `make test-servers`."""

from __future__ import annotations

import json
import math
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from full_path import walk
from processes import ModelServer

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.transformers_chat import TransformersChat
from evpv.protocols import ChatReply, ChatRequest, Sampling

SCHEMA = {
    "type": "array",
    "minItems": 1,
    "maxItems": 2,
    "items": {
        "type": "object",
        "properties": {"category": {"enum": ["numeric", "relation"]}, "value": {"type": "integer", "maximum": 180, "minimum": 0}},
        "required": ["category", "value"],
        "additionalProperties": False,
    },
}  # fmt: skip
TOLERANCE = {"vllm": 1e-4, "llama": 5e-2}


@pytest.fixture(scope="session")
def local(served_model: Path) -> TransformersChat:
    return TransformersChat(str(served_model), dtype="float32")


@pytest.fixture(scope="session", params=["vllm", "llama"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, ModelServer, OpenAIChat]]:
    server: ModelServer = request.getfixturevalue(f"{request.param}_server")
    chat = OpenAIChat(server.model, base_url=server.base_url, concurrency=2, timeout_s=300)
    yield request.param, server, chat
    chat.close()


def with_likely_labels(chat: TransformersChat, request: ChatRequest) -> ChatRequest:
    """The request with its model's two likeliest first tokens as labels: what training makes of real labels."""
    [reply] = chat.ask([replace(request, top_logprobs=20)])
    likely = [text for text in reply.tokens[0].top if text.isascii()]
    return replace(request, labels=(likely[0], likely[1]))


def share(reply: ChatReply, labels: tuple[str, ...]) -> float:
    """The probability of the first label among both: the number that a soft reward is made of."""
    first, second = (math.exp(reply.label_logprobs[label]) for label in labels)
    return first / (first + second)


def test_labels_are_as_likely_as_in_process(
    local: TransformersChat, served: tuple[str, ModelServer, OpenAIChat], pictures: tuple[str, str]
) -> None:
    kind, _, chat = served
    wide, tall = pictures
    asked = [
        ("Is the step right?", (wide,)),
        ("Is AB 12 cm?", (tall,)),
        ("Look at both.", (wide, tall)),
        ("No picture.", ()),
    ]
    one = Sampling(max_tokens=1)
    requests = [
        with_likely_labels(local, ChatRequest(prompt=prompt, images=images, sampling=one)) for prompt, images in asked
    ]
    for request, here, there in zip(requests, local.ask(requests), chat.ask(requests), strict=True):
        assert there.problem is None
        difference = abs(share(here, request.labels) - share(there, request.labels))
        worst = max(abs(here.label_logprobs[label] - there.label_logprobs[label]) for label in request.labels)
        print(f"{kind}: {request.prompt!r} P {share(here, request.labels):.6f} Δ {difference:.1e}, log Δ {worst:.1e}")
        assert max(difference, worst) < TOLERANCE[kind]
        assert here.usage.prompt_tokens == there.usage.prompt_tokens


def test_a_greedy_answer_and_its_logprobs_are_the_same(
    local: TransformersChat, served: tuple[str, ModelServer, OpenAIChat], pictures: tuple[str, str]
) -> None:
    kind, _, chat = served
    request = ChatRequest(prompt="What is AB?", system="Be brief.", images=(pictures[0],), top_logprobs=3)
    request = replace(request, sampling=Sampling(max_tokens=12))
    [here], [there] = local.ask([request]), chat.ask([request])
    assert (here.text, here.finish) == (there.text, there.finish)
    for ours, theirs in zip(here.tokens, there.tokens, strict=True):
        assert ours.text == theirs.text
        assert ours.logprob == pytest.approx(theirs.logprob, abs=TOLERANCE[kind])
        assert len(theirs.top) == 3


def test_labels_that_are_not_likely_are_known_by_id_or_left_out(
    local: TransformersChat, served: tuple[str, ModelServer, OpenAIChat], pictures: tuple[str, str]
) -> None:
    """vLLM tells any token's probability; llama.cpp only those of the likeliest, and nothing is guessed for others."""
    kind, _, chat = served
    request = ChatRequest(prompt="Right?", images=(pictures[0],), labels=("Yes", "No"), sampling=Sampling(max_tokens=1))
    [here], [there] = local.ask([request]), chat.ask([request])
    if kind == "vllm":
        assert there.label_logprobs == pytest.approx(here.label_logprobs, abs=1e-4)
    else:
        assert there.label_logprobs == {}


def test_the_schema_is_kept(served: tuple[str, ModelServer, OpenAIChat], pictures: tuple[str, str]) -> None:
    _, _, chat = served
    sampling = [Sampling(temperature=0.5, seed=seed, max_tokens=100) for seed in range(4)]
    request = ChatRequest(prompt="Constraints.", images=(pictures[1],), schema=SCHEMA)
    replies = chat.ask([replace(request, sampling=each) for each in sampling])
    whole = [reply for reply in replies if reply.finish == "stop"]
    assert all(reply.problem is None and reply.facts["schema"] == "enforced" for reply in replies)
    assert whole
    for reply in whole:
        jsonschema.validate(json.loads(reply.text or ""), SCHEMA)


def test_a_seed_repeats_an_answer(served: tuple[str, ModelServer, OpenAIChat], pictures: tuple[str, str]) -> None:
    _, _, chat = served
    request = ChatRequest(
        prompt="Say.", images=(pictures[0],), sampling=Sampling(temperature=3.0, seed=5, max_tokens=8)
    )
    other = replace(request, sampling=replace(request.sampling, seed=6))
    first, second, third = chat.ask([request, request, other])
    assert first.text == second.text != third.text


def test_the_server_is_found_to_do_what_it_does(served: tuple[str, ModelServer, OpenAIChat]) -> None:
    kind, server, chat = served
    found = chat.capabilities()
    assert found["problem"] is None
    assert [found[name] for name in ("images", "json_schema", "logprobs", "n")] == [True] * 4
    assert found["prompt_logprobs"] is (kind == "vllm")
    asked = {
        "model": server.model,
        "n": 3,
        "max_tokens": 4,
        "temperature": 1.0,
        "messages": [{"role": "user", "content": "?"}],
    }
    assert len(posted(f"{server.base_url}/chat/completions", asked)["choices"]) == 3


def test_the_full_path_through_vllm(vllm_server: ModelServer, pictures: tuple[str, str], tmp_path: Path) -> None:
    """With the schema kept and label probabilities at hand, a model that knows nothing gives well-formed nonsense."""
    walked = walk(tmp_path, f'use = "openai-chat"\nmodel = "tiny"\nbase_url = "{vllm_server.base_url}"', pictures)
    steps = [step for trace in walked.traces for candidate in trace["candidates"] for step in candidate["steps"]]
    print(f"vllm: base rewards {[step['base_reward'] for step in steps]}")


def posted(address: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)
