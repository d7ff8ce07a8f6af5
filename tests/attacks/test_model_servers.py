"""Whatever a model server answers, a batch of questions has one reply for each, and no key is in any of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.protocols import ChatRequest
from tests.attacks.model_servers import ESCAPED, MODES, Mode, model_server

KEY = "sk-test-9f3A.b_c/2+x="


def request(name: str, **more: Any) -> ChatRequest:
    return ChatRequest(prompt=name, labels=("12",), top_logprobs=5, **more)


def by_name(asked: dict[str, Any]) -> Mode:
    content = asked["messages"][-1]["content"]
    return MODES[content.partition("\n")[0]]


@pytest.mark.parametrize(
    "schema", [None, {"type": "object", "properties": {}}, {"type": "array"}], ids=["text", "object", "list"]
)
def test_a_batch_never_raises_and_the_plain_answers_stand(schema: Any, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "answers.sqlite")
    with model_server(by_name) as url:
        chat = OpenAIChat("m", base_url=url, attempts=1, concurrency=4, timeout_s=60)
        stored = RecordedBackend(chat, store=store)
        replies = stored.ask([request(name, schema=schema) for name in MODES])
        chat.close()
    store.close()
    for (name, mode), reply in zip(MODES.items(), replies, strict=True):
        assert (reply.text is None) != (reply.problem is None), name
        if schema is None:
            assert (reply.text is not None) == mode.answers, f"{name}: {reply.problem}"
        json.dumps(reply.text, allow_nan=False).encode()
        (reply.text or "").encode()  # no half characters
        assert all(abs(value) < 1e18 for value in reply.label_logprobs.values())
        assert all(abs(token.logprob) < 1e18 for token in reply.tokens)
        assert reply.usage.prompt_tokens < 10**18


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    """Neither the question nor the key goes to a host that a server names."""
    asked: list[dict[str, Any]] = []

    def note(question: dict[str, Any]) -> Mode:
        asked.append(question)
        return MODES["plain"]

    with model_server(note) as other, model_server(lambda _: sent_to(other, status)) as url:
        chat = OpenAIChat("m", base_url=url, attempts=1, timeout_s=20)
        [reply] = chat.ask([ChatRequest(prompt="hello")])
        chat.close()
    assert reply.text is None
    assert asked == []


def sent_to(url: str, status: int) -> Mode:
    return Mode(body=b"", status=status, headers=(("Location", f"{url}/chat/completions"),))


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("escape", ESCAPED)
def test_a_key_is_cut_out_however_it_comes_back(escape: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVPV_TEST_KEY", KEY)
    said = ESCAPED[escape](KEY)
    bodies: tuple[Callable[[str], str], ...] = (
        lambda text: f'{{"error": {{"message": "bad key {text}"}}}}',
        lambda text: f"no JSON: {text}",
        lambda text: f'{{"choices": [{{"message": {{"content": "your key is {text}"}}}}]}}',
    )
    for body in bodies:
        with model_server(lambda _, body=body: Mode(body=body(said).encode(), status=status)) as url:  # type: ignore[misc]
            chat = OpenAIChat("m", base_url=url, api_key_env="EVPV_TEST_KEY", attempts=1, timeout_s=20)
            [reply] = chat.ask([ChatRequest(prompt="hello")])
            chat.close()
        told = f"{reply.text} {reply.problem}"
        assert KEY not in told
        assert said not in told
        assert "[key]" in told
