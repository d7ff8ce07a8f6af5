"""Scoring behind a server: what is asked, how the answers are read, and what a server that cannot do it leads to."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from evpv.backends.images import ImagePolicy
from evpv.backends.remote_scorer import RemoteScorer, messages
from evpv.backends.step_forms import PROCESS, Server, StepForm, StepQuestion, StepScores
from evpv.errors import ConfigError
from evpv.judges.step_models import VerifierJudge
from evpv.types import Candidate, Problem, Step

OWN = StepForm()
TURNS = StepForm(turns="many", marker="", opening=PROCESS)
USER = StepForm(marker="<prm>", after=" ", opening="Q: {question} Process: {steps}", system="You verify.")


class Fake(ThreadingHTTPServer):
    """A server that knows "+" as token 10 and "-" as 12, and whose margin is the number of step ends that it was shown."""

    daemon_threads = True

    def __init__(self, mode: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.mode = mode
        self.asked: list[dict[str, Any]] = []

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path == "/tokenize":
            known = {"+": [10], "-": [12], "<|box_end|>": [151649]}
            return (404, {}) if self.mode == "no tokens" else (200, {"tokens": known.get(body["prompt"], [1, 2])})
        self.asked.append(body)
        if self.mode == "fails once" and len(self.asked) == 1:
            return 503, {}
        if self.mode == "refuses":
            return 400, {"error": {"message": "no such field"}}
        ends = json.dumps(body["messages"]).count("<|box_end|>")
        top = [{"token": "+", "logprob": -1.0}, {"token": "-", "logprob": -1.0 - ends}]
        shown = top[:1] if self.mode == "one label" else top
        first = {"token": "x", "logprob": -0.5, "top_logprobs": shown}
        choice = {"message": {"content": "x"}, "finish_reason": "length", "logprobs": {"content": [first]}}
        return 200, {"choices": [choice]}


class Handler(BaseHTTPRequestHandler):
    server: Fake
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, answer = self.server.answer(self.path, body)
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@contextmanager
def serving(mode: str = "") -> Iterator[Fake]:
    server = Fake(mode)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def scoring(server: Fake, form: StepForm = OWN) -> Iterator[RemoteScorer]:
    address = Server(base_url=f"http://127.0.0.1:{server.server_port}/v1", attempts=2, timeout_s=20)
    scorer = RemoteScorer("tiny", address, form=form, images=ImagePolicy())
    try:
        yield scorer
    finally:
        scorer.close()


def text(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": words}]}


@pytest.mark.parametrize(
    ("form", "chat"),
    [
        (OWN, [text("user", "Find."), {"role": "assistant", "content": "A = 1.<|box_end|>\nso 2<|box_end|>"}]),
        (
            USER,
            [{"role": "system", "content": "You verify."}, text("user", "Q: Find. Process: A = 1.<prm> so 2<prm>")],
        ),
        (
            TURNS,
            [
                text("user", "### Question:\nFind.\n\n### Solution Process:\nA = 1."),
                {"role": "assistant", "content": "+"},
                text("user", "so 2"),
            ],
        ),
    ],
    ids=["own", "in the user's turn", "turns"],
)
def test_the_chat_ends_where_the_labels_are_read(form: StepForm, chat: list[dict[str, Any]]) -> None:
    assert messages(form, "Find.", [], ["A = 1.", " so<|im_end|>2"]) == chat


def test_every_step_is_asked_about_and_read(pictures: tuple[str, ...]) -> None:
    question = StepQuestion(text="Find.", images=pictures[:1], candidates=(("a", "b", "c"), (), ("d",)))
    with serving() as server, scoring(server) as scorer:
        [first, none, last] = scorer.score([question])[0]
    shares = [1 / (1 + math.exp(-ends)) for ends in (1, 2, 3)]
    assert first.probabilities == pytest.approx(shares)
    assert none == StepScores()
    assert last.probabilities == pytest.approx(shares[:1])
    assert len(server.asked) == 4
    body = server.asked[0]
    assert body["logprob_token_ids"] == [10, 12]
    assert (body["max_tokens"], body["continue_final_message"], body["add_generation_prompt"]) == (1, True, False)
    assert [part["type"] for part in body["messages"][0]["content"]] == ["image_url", "text"]


def test_turns_let_the_server_begin_the_answer() -> None:
    with serving() as server, scoring(server, TURNS) as scorer:
        scorer.score([StepQuestion(text="Find.", candidates=(("a",),))])
    assert (server.asked[0]["continue_final_message"], server.asked[0]["add_generation_prompt"]) == (False, True)


@pytest.mark.parametrize(
    ("mode", "says"), [("one label", "did not tell the labels"), ("refuses", "no such field"), ("", None)]
)
def test_a_server_that_cannot_tell_is_a_problem_of_each_candidate(mode: str, says: str | None) -> None:
    with serving(mode) as server, scoring(server) as scorer:
        [found] = scorer.score([StepQuestion(text="Find.", candidates=(("a", "b"),))])[0]
    assert (found.problem is None) == (says is None)
    assert (says or "") in (found.problem or "")


def test_a_call_that_failed_is_made_again() -> None:
    with serving("fails once") as server, scoring(server) as scorer:
        [found] = scorer.score([StepQuestion(text="Find.", candidates=(("a",),))])[0]
    assert found.problem is None
    assert len(server.asked) == 2


def test_a_bad_picture_is_not_asked_about() -> None:
    with serving() as server, scoring(server) as scorer:
        answers = scorer.score([StepQuestion(text="Find.", images=("absent.png",), candidates=(("a",), ()))])[0]
    assert "absent.png" in str(answers[0].problem)
    assert answers[1] == StepScores()
    assert server.asked == []


def test_labels_of_several_tokens_and_servers_without_tokens_are_refused() -> None:
    with (
        serving() as server,
        pytest.raises(ConfigError, match="'Yes' is 2 tokens"),
        scoring(server, StepForm(right="Yes")),
    ):
        pass
    with serving("no tokens") as server, pytest.raises(ConfigError, match="does not tell tokens"), scoring(server):
        pass


def test_the_judge_asks_a_server_if_it_is_given_one() -> None:
    candidate = Candidate(id="a", steps=(Step(text="AB = 3."),))
    with serving() as server:
        judge = VerifierJudge(model="tiny", server={"base_url": f"http://127.0.0.1:{server.server_port}/v1"})
        [[[word]]] = judge.judge([Problem(id="p", question="Find.", candidates=(candidate,))], [()])
        judge.close()
    assert word.reward == pytest.approx(2 / (1 + math.exp(-1)) - 1)
    assert server.asked[0]["messages"][0]["content"][0]["text"] == "Find.\n[]"
