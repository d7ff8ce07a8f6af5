"""Answers that are kept: by what, for whom, and what is never kept."""

from __future__ import annotations

import multiprocessing
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evpv.backends.ledger import Ledger
from evpv.backends.scripted import ScriptedBackend
from evpv.backends.store import AnswerStore, RecordedBackend, _key_of
from evpv.errors import BackendError, BudgetError
from evpv.protocols import ChatReply, ChatRequest, Sampling, Token, Usage

ASKED = ChatRequest(prompt="why?", schema={"type": "integer"}, labels=("+",), sampling=Sampling(seed=1))


def _shouting() -> ScriptedBackend:
    return ScriptedBackend(lambda request: request.prompt.upper())


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def]
    opened = AnswerStore(tmp_path / "deep" / "answers.sqlite")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "change",
    [
        {"prompt": "how?"}, {"system": "be brief"}, {"schema": {"type": "number"}}, {"schema": None}, {"labels": ("-",)},
        {"top_logprobs": 2}, {"sampling": Sampling(seed=2)}, {"sampling": Sampling(seed=1, temperature=0.1)},
        {"sampling": Sampling(seed=1, top_p=0.9)}, {"sampling": Sampling(seed=1, max_tokens=9)},
    ],
)  # fmt: skip
def test_all_that_decides_an_answer_is_in_its_key(change: dict[str, Any]):
    assert _key_of("m", "", ASKED) != _key_of("m", "", replace(ASKED, **change))


def test_who_asks_is_not_in_the_key_but_model_and_version_are():
    assert _key_of("m", "", ASKED) == _key_of("m", "", replace(ASKED, stage="judge", problem_id="p7"))
    assert _key_of("m", "", ASKED) != _key_of("n", "", ASKED)
    assert _key_of("m", "", ASKED) != _key_of("m", "jpeg", ASKED)


def test_a_picture_counts_by_its_bytes_and_not_by_its_name(tmp_path: Path):
    for name, colour in (("a", "red"), ("b", "red"), ("c", "blue")):
        Image.new("RGB", (8, 8), colour).save(tmp_path / f"{name}.png")
    key = {name: _key_of("m", "", replace(ASKED, images=(str(tmp_path / f"{name}.png"),))) for name in "abc"}
    assert key["a"] == key["b"] != key["c"]
    assert _key_of("m", "", replace(ASKED, images=(str(tmp_path / "absent.png"),))) is None


def test_a_stored_reply_comes_back_whole_and_free(store: AnswerStore):
    reply = ChatReply(
        text="+ ”\n", finish="stop", label_logprobs={"+": -0.25}, usage=Usage(calls=1, money=2.0),
        tokens=(Token(text="+", logprob=-0.25, top={"+": -0.25, "-": -1.5}),), facts={"schema": "enforced"},
    )  # fmt: skip
    store.put("k", "m", "judge", reply)
    found = store.find(["k", "other"])
    assert found == {"k": replace(reply, usage=Usage(hits=1), facts={"schema": "enforced", "stored": True})}


def test_a_question_is_asked_once_and_failures_are_not_kept(store: AnswerStore):
    failing = ScriptedBackend([ChatReply(text=None, problem="busy"), "fine"])
    backend = RecordedBackend(failing, store=store)
    assert backend.ask([ASKED])[0].problem == "busy"
    assert backend.ask([ASKED])[0].text == "fine"
    (again,) = backend.ask([ASKED])
    assert (again.text, again.usage) == ("fine", Usage(hits=1))
    assert len(failing.requests) == 2


def test_equal_questions_of_a_batch_are_asked_once(store: AnswerStore):
    inner = _shouting()
    backend = RecordedBackend(inner, store=store)
    replies = backend.ask([ChatRequest(prompt=prompt, problem_id=str(i)) for i, prompt in enumerate("abaab")])
    assert [reply.text for reply in replies] == list("ABAAB")
    assert [reply.usage.hits for reply in replies] == [0, 0, 1, 1, 1]
    assert len(inner.requests) == 2


def test_a_picture_that_cannot_be_read_is_left_to_the_backend(store: AnswerStore):
    inner = ScriptedBackend(lambda request: ChatReply(text=None, problem="no such file"))
    backend = RecordedBackend(inner, store=store)
    replies = backend.ask([ChatRequest(prompt="x", images=("absent.png",))] * 2)
    assert [reply.problem for reply in replies] == ["no such file"] * 2
    assert store.by_model() == []


def test_threads_that_ask_the_same_at_once_share_one_call(store: AnswerStore):
    begun = threading.Event()

    def slow(request: ChatRequest) -> str:
        begun.set()
        time.sleep(0.3)
        return request.prompt.upper()

    inner = ScriptedBackend(slow)
    backend = RecordedBackend(inner, store=store)
    results: list[list[ChatReply]] = []
    threads = [threading.Thread(target=lambda: results.append(backend.ask([ASKED]))) for _ in range(5)]
    threads[0].start()
    assert begun.wait(5)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    assert [replies[0].text for replies in results] == ["WHY?"] * 5
    assert sorted(replies[0].usage.hits for replies in results) == [0, 1, 1, 1, 1]
    assert len(inner.requests) == 1


def test_what_another_thread_fails_to_get_is_asked_for_again(store: AnswerStore):
    begun = threading.Event()

    def stumbling(request: ChatRequest) -> str:
        if not begun.is_set():
            begun.set()
            time.sleep(0.3)
            raise BudgetError("enough")
        return "fine"

    backend = RecordedBackend(ScriptedBackend(stumbling), store=store)
    failed: list[BudgetError] = []

    def first() -> None:
        try:
            backend.ask([ASKED])
        except BudgetError as error:
            failed.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(5)
    (reply,) = backend.ask([ASKED])
    thread.join()
    assert (len(failed), reply.text) == (1, "fine")


def _writes(path: str, first: int) -> None:
    backend = RecordedBackend(_shouting(), store=AnswerStore(path))
    for start in range(first, first + 200, 20):
        backend.ask([ChatRequest(prompt=f"q{number}") for number in range(start, start + 20)])


def test_several_processes_may_write_at_once(tmp_path: Path):
    path = tmp_path / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_writes, args=(str(path), first)) for first in (0, 100, 200)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    (shelf,) = AnswerStore(path).by_model()
    assert shelf.answers == 400


def test_pruning_takes_a_model_the_old_or_the_oldest(store: AnswerStore):
    for number in range(10):
        store.put(f"k{number}", "ab"[number % 2], "", ChatReply(text="x" * 100))
    sizes = {shelf.model: shelf.answers for shelf in store.by_model()}
    assert sizes == {"a": 5, "b": 5}
    assert store.prune(older_than_s=3600) == 0
    one = store.by_model()[0].bytes // 5
    assert store.prune(keep_bytes=7 * one) == 3
    assert list(store.find([f"k{number}" for number in range(4)])) == ["k3"], "the oldest went"
    assert store.prune(model="a") == 3
    assert [shelf.model for shelf in store.by_model()] == ["b"]
    assert store.prune(older_than_s=0.0) == 4


def test_a_file_that_is_no_store_is_refused(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("this is not a database, " * 100)
    with pytest.raises(BackendError, match=r"notes.txt is no store of answers"):
        AnswerStore(tmp_path / "notes.txt")


def test_store_and_ledger_together_book_hits_and_calls(store: AnswerStore):
    ledger = Ledger()
    backend = RecordedBackend(_shouting(), store=store, ledger=ledger)
    asked = [
        ChatRequest(prompt="a", stage="judge", problem_id="p"),
        ChatRequest(prompt="b", stage="judge", problem_id="p"),
    ]
    backend.ask(asked)
    backend.ask(asked)
    assert ledger.stages() == {"judge": Usage(calls=2, hits=2)}
    assert backend.name == "scripted"
    assert RecordedBackend(_shouting()).name == "scripted"
    RecordedBackend(_shouting(), ledger=ledger).ask(asked)
    assert ledger.stages() == {"judge": Usage(calls=4, hits=2)}, "without a store all is asked"
