"""The client against a server process: what it sends, what it makes of refusals, and what it never tells."""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from PIL import Image

from evpv.backends.endpoint import CallError, Circuit, Persistence, retry_after_s
from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.wire import Dialect, next_dialect
from evpv.errors import BackendError, ConfigError
from evpv.protocols import ChatBackend, ChatRequest, Sampling

SIGN = {
    "type": "object",
    "properties": {"sign": {"type": "integer"}},
    "required": ["sign"],
    "additionalProperties": False,
}
KEY = "sk-secret-0123456789abcdef"


@pytest.fixture
def client(start):  # type: ignore[no-untyped-def]
    """A backend at a server of a given kind, closed with the test."""
    opened: list[OpenAIChat] = []

    def made(mode: str = "plain", **settings):  # type: ignore[no-untyped-def]
        server = start("upstream.py", "--mode", mode)
        backend = OpenAIChat("tiny", base_url=server.base_url, **{"timeout_s": 10.0, **settings})
        opened.append(backend)
        return backend, server

    yield made
    for backend in opened:
        backend.close()


def test_a_question_is_sent_with_all_its_settings(client):  # type: ignore[no-untyped-def]
    backend, server = client(prices={"prompt": 1.0, "completion": 10.0}, extra={"top_k": 5})
    one: ChatBackend = backend
    sampling = Sampling(temperature=0.5, top_p=0.9, max_tokens=7, seed=3)
    (reply,) = one.ask([ChatRequest(prompt="why?", system="be brief", sampling=sampling)])
    sent = server.get("/last")
    assert sent["messages"] == [{"role": "system", "content": "be brief"}, {"role": "user", "content": "why?"}]
    assert [sent[name] for name in ("model", "temperature", "top_p", "max_tokens", "seed", "top_k")] == [
        "tiny", 0.5, 0.9, 7, 3, 5,
    ]  # fmt: skip
    assert "response_format" not in sent
    assert "logprobs" not in sent
    assert (reply.text, reply.finish, reply.problem) == ("echo: why?", "stop", None)
    assert (reply.usage.calls, reply.usage.retries, reply.usage.prompt_tokens, reply.usage.completion_tokens) == (
        1,
        0,
        10,
        5,
    )
    assert reply.usage.money == pytest.approx(60e-6)
    assert reply.usage.seconds > 0


def test_replies_keep_the_order_of_the_requests(client):  # type: ignore[no-untyped-def]
    backend, _ = client(concurrency=7)
    prompts = [f"question {number}" for number in range(50)]
    replies = backend.ask([ChatRequest(prompt=prompt) for prompt in prompts])
    assert [reply.text for reply in replies] == [f"echo: {prompt}" for prompt in prompts]
    assert backend.ask([]) == []


def test_it_can_be_asked_from_inside_a_running_loop(client):  # type: ignore[no-untyped-def]
    backend, _ = client()

    async def inside() -> str | None:
        return backend.ask([ChatRequest(prompt="hi")])[0].text

    assert asyncio.run(inside()) == "echo: hi"
    assert asyncio.run(inside()) == "echo: hi"


def test_pictures_go_as_data_uris_within_the_policy_and_are_recorded(client, tmp_path):  # type: ignore[no-untyped-def]
    Image.new("RGB", (400, 100), "red").save(tmp_path / "wide.png")
    backend, server = client(images={"max_side_px": 100, "format": "jpeg", "quality": 80})
    (reply,) = backend.ask([ChatRequest(prompt="what colour?", images=(str(tmp_path / "wide.png"),))])
    picture, text = server.get("/last")["messages"][0]["content"]
    assert text == {"type": "text", "text": "what colour?"}
    head, data = picture["image_url"]["url"].split(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as seen:
        assert seen.size == (100, 25)
    (facts,) = reply.facts["images"]
    assert (facts["size"], facts["size_before"], facts["sent_as"]) == (
        [100, 25],
        [400, 100],
        "jpeg quality 80 ≤ 100 px",
    )
    assert reply.usage.images == 1


def test_a_picture_that_cannot_be_read_is_a_problem_of_its_item_alone(client, tmp_path):  # type: ignore[no-untyped-def]
    (tmp_path / "broken.png").write_bytes(b"\x89PNG not really")
    backend, server = client()
    images = [(str(tmp_path / "broken.png"),), (str(tmp_path / "absent.png"),), ()]
    replies = backend.ask([ChatRequest(prompt="hi", images=paths) for paths in images])
    assert [reply.text for reply in replies] == [None, None, "echo: hi"]
    assert "not an image" in (replies[0].problem or "")
    assert "No such file" in (replies[1].problem or "")
    assert replies[0].usage.calls == 0
    assert server.get("/counts") == {"hi": 1}


@pytest.mark.parametrize(
    ("mode", "schema", "first_calls"),
    [("plain", "enforced", 1), ("no-schema", "prompted", 2), ("ignores-schema", "prompted", 2)],
)
def test_a_schema_is_enforced_or_put_into_the_prompt_and_that_is_remembered(client, mode, schema, first_calls):  # type: ignore[no-untyped-def]
    backend, server = client(mode)
    question = ChatRequest(prompt="right?", schema=SIGN)
    replies = backend.ask([question] * 20)
    assert {reply.facts["schema"] for reply in replies} == {schema}
    assert sum(reply.usage.calls for reply in replies) == 19 + first_calls, "one goes ahead, the others follow"
    sent = server.get("/last")
    if schema == "enforced":
        form = sent["response_format"]["json_schema"]
        assert (form["schema"], form["strict"]) == (SIGN, True)
        assert replies[0].text == '{"sign": 1}'
    else:
        assert "response_format" not in sent
        assert '"sign"' in sent["messages"][0]["content"]
        assert replies[0].text == 'Of course: {"sign": "1"}'


def test_a_schema_that_leaves_keys_open_is_not_called_strict(client):  # type: ignore[no-untyped-def]
    backend, server = client()
    backend.ask([ChatRequest(prompt="x", schema={"type": "object", "properties": {"sign": {"type": "integer"}}})])
    assert server.get("/last")["response_format"]["json_schema"]["strict"] is False


def test_a_reasoning_model_gets_its_own_fields_once_it_has_complained(client):  # type: ignore[no-untyped-def]
    backend, server = client("reasoning")
    first, second = backend.ask([ChatRequest(prompt="a")]) + backend.ask([ChatRequest(prompt="b")])
    assert (first.text, first.usage.calls, first.facts["without"]) == ("echo: a", 3, ["temperature"])
    assert (second.text, second.usage.calls) == ("echo: b", 1)
    sent = server.get("/last")
    assert sent["max_completion_tokens"] == 2048
    assert "max_tokens" not in sent


def test_labels_come_from_the_likeliest_tokens(client):  # type: ignore[no-untyped-def]
    backend, server = client()
    (reply,) = backend.ask([ChatRequest(prompt="sign?", labels=("+", "-", "?"))])
    assert server.get("/last")["top_logprobs"] == 20
    assert reply.label_logprobs == {"+": -0.1, "-": -2.4}, "a label that is not listed is left out"
    assert reply.tokens == ()
    (reply,) = backend.ask([ChatRequest(prompt="sign?", top_logprobs=3)])
    assert (reply.tokens[0].text, reply.tokens[0].logprob, list(reply.tokens[0].top)) == ("+", -0.1, ["+", "-", " +"])


def test_labels_are_asked_for_by_id_where_the_server_is_vllm(client):  # type: ignore[no-untyped-def]
    backend, server = client("vllm")
    (reply,) = backend.ask([ChatRequest(prompt="sign?", labels=("+", "-"))])
    sent = server.get("/last")
    assert sent["logprob_token_ids"] == [10, 12]
    assert reply.label_logprobs == {"+": -0.1, "-": -2.4}
    assert reply.facts["labels"] == "by id"


def test_a_key_is_sent_and_never_told(client, monkeypatch, caplog):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    refused, server = client("key-echo", attempts=2)
    with caplog.at_level(logging.DEBUG):
        (reply,) = refused.ask([ChatRequest(prompt="hi")])
        capabilities = refused.capabilities()
    assert server.get("/last")["headers"]["authorization"] == f"Bearer {KEY}"
    assert "[key]" in (reply.problem or ""), "the server repeated the key"
    assert caplog.records
    echoing, _ = client()
    (echoed,) = echoing.ask([ChatRequest(prompt=f"say {KEY}")])
    assert echoed.text == "echo: say [key]"
    told = [repr(reply), repr(echoed), repr(refused), repr(refused.__dict__), str(capabilities), refused.version]
    told += [caplog.text, *(repr(record.__dict__) for record in caplog.records)]
    assert not any(KEY in text for text in told)


def test_a_refused_key_stops_the_batch_at_once(client, monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    backend, server = client("key-echo", concurrency=2)
    replies = backend.ask([ChatRequest(prompt=f"{number}") for number in range(100)])
    assert all(reply.text is None for reply in replies)
    assert sum(server.get("/counts").values()) <= 3
    assert "calls in a row failed, at last with: HTTP 401" in (replies[-1].problem or "")


def test_an_empty_account_is_not_asked_again(client):  # type: ignore[no-untyped-def]
    backend, server = client("no-money", concurrency=1)
    replies = backend.ask([ChatRequest(prompt=f"{number}") for number in range(10)])
    assert sum(server.get("/counts").values()) == 1
    assert replies[0].problem == "HTTP 429: You exceeded your current quota."


def test_a_server_that_refuses_token_ids_gets_the_likeliest_tokens(client):  # type: ignore[no-untyped-def]
    backend, server = client("vllm-without-ids")
    (reply,) = backend.ask([ChatRequest(prompt="sign?", labels=("+", "-"))])
    assert reply.label_logprobs == {"+": -0.1, "-": -2.4}
    assert (reply.facts["labels"], reply.usage.calls) == ("of the likeliest 20", 2)
    assert "logprob_token_ids" not in server.get("/last")


def test_a_dead_server_opens_the_circuit_and_the_rest_fail_fast(client):  # type: ignore[no-untyped-def]
    backend, server = client("broken", concurrency=4, attempts=3)
    begun = time.monotonic()
    replies = backend.ask([ChatRequest(prompt=f"{number}") for number in range(300)])
    assert time.monotonic() - begun < 20
    calls = sum(server.get("/counts").values())
    assert 20 <= calls <= 24
    assert sum(reply.usage.calls for reply in replies) == calls
    assert "not asked: the last 2" in (replies[-1].problem or "")
    assert "HTTP 500: out of order" in (replies[-1].problem or "")


def test_an_address_where_nobody_listens_is_a_problem(start):  # type: ignore[no-untyped-def]
    server = start("upstream.py")
    server.stop()
    backend = OpenAIChat("tiny", base_url=server.base_url, attempts=1)
    (reply,) = backend.ask([ChatRequest(prompt="hi")])
    backend.close()
    assert (reply.problem or "").startswith("connection failed")


def test_what_a_server_can_do_is_found_out(client):  # type: ignore[no-untyped-def]
    plain, _ = client("plain")
    abilities = {"images": True, "json_schema": True, "logprobs": True, "n": True, "prompt_logprobs": False}
    assert plain.capabilities() == {"problem": None, "owner": "plain", **abilities}
    less, _ = client("text-only")
    assert less.capabilities()["images"] is False
    weak, _ = client("ignores-schema")
    assert weak.capabilities()["json_schema"] is False
    able, _ = client("vllm")
    assert (able.capabilities()["owner"], able.capabilities()["prompt_logprobs"]) == ("vllm", True)
    dead, _ = client("broken")
    assert dead.capabilities() == {"problem": "HTTP 500: out of order"}


def test_a_closed_backend_says_so(client):  # type: ignore[no-untyped-def]
    backend, _ = client()
    backend.ask([ChatRequest(prompt="hi")])
    backend.close()
    backend.close()
    with pytest.raises(BackendError, match="closed"):
        backend.ask([ChatRequest(prompt="hi")])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"api_key_env": KEY}, "name of an environment variable"),
        ({"base_url": "ftp://x"}, "must be an http or https address"),
        ({"base_url": "http://me:pw@host/v1"}, "must not hold a password"),
        ({"images": {"max_side": 3}}, "there is no setting of images: 'max_side'; did you mean 'max_side_px'"),
        ({"images": {"format": "gif"}}, "there is no image format 'gif'"),
        ({"images": {"max_side_px": 0}}, "images.max_side_px must be from 1"),
        ({"prices": {"promt": 1}}, "did you mean 'prompt'"),
        ({"concurrency": 0}, "must be at least 1"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, message):  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=message) as caught:
        OpenAIChat("tiny", **{"base_url": "http://127.0.0.1:1/v1", **settings})
    assert KEY not in str(caught.value)
    assert "pw" not in str(caught.value)


def test_openai_itself_needs_a_key(monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY holds no key"):
        OpenAIChat("some-model")


def test_the_wait_is_the_servers_word_or_grows_and_ends():
    persistence = Persistence(attempts=4, first_wait_s=1.0, longest_wait_s=10.0)
    busy = CallError("busy")
    assert 0.5 <= (persistence.wait_s(busy, 1) or 0) <= 1.0
    assert 2.0 <= (persistence.wait_s(busy, 3) or 0) <= 4.0
    assert persistence.wait_s(busy, 4) is None
    assert persistence.wait_s(CallError("bad", again=False), 1) is None
    assert 3.0 <= (persistence.wait_s(CallError("wait", wait_s=3.0), 1) or 0) <= 3.3
    assert persistence.wait_s(CallError("come back tomorrow", wait_s=86_400), 1) is None


def test_retry_after_holds_seconds_or_a_date():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after_s("7") == 7.0
    assert 25 < (retry_after_s(later) or 0) <= 30
    assert retry_after_s("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert retry_after_s("soon") is None
    assert retry_after_s(None) is None


def test_a_circuit_opens_rests_and_closes():
    circuit = Circuit(limit=2, rest_s=0.05)
    circuit.note_failure("x")
    circuit.note_success()
    circuit.note_failure("x")
    assert circuit.refusal() is None, "only failures in a row count"
    circuit.note_failure("y")
    assert circuit.refusal() == "not asked: the last 2 calls in a row failed, at last with: y"
    time.sleep(0.06)
    assert circuit.refusal() is None, "one is let through to see"
    assert circuit.refusal() is not None, "the others are not"
    circuit.note_success()
    assert circuit.refusal() is None


@pytest.mark.parametrize(
    ("reason", "sent", "dialect"),
    [
        ("unknown field: seed", {"seed": 1}, Dialect(without=frozenset({"seed"}))),
        ("top_logprobs must be at most 5", {"logprobs": True, "top_logprobs": 20}, Dialect(most_top_logprobs=5)),
        ("logprobs are not supported", {"logprobs": True}, Dialect(without=frozenset({"logprobs", "top_logprobs"}))),
        ("invalid request", {"response_format": {"json_schema": {"schema": SIGN}}}, Dialect(schema="prompted")),
        ("invalid request", {"model": "m"}, None),
    ],
)
def test_a_refusal_changes_what_the_server_named(reason, sent, dialect):  # type: ignore[no-untyped-def]
    assert next_dialect(Dialect(), reason, sent) == dialect
