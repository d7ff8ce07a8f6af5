"""What asking cost, and a budget that is never passed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.backends.ledger import Ledger, Prices, usage_sum, usage_to_json
from evpv.backends.openai_chat import OpenAIChat
from evpv.backends.scripted import ScriptedBackend
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.errors import BudgetError, ConfigError
from evpv.protocols import ChatReply, ChatRequest, Description, Sampling, Usage


class Paid:
    """A scripted backend whose questions cost `price` each and could have cost `worst`."""

    def __init__(self, price: float, worst: float) -> None:
        self.inner = ScriptedBackend(lambda _: ChatReply(text="x", usage=Usage(calls=1, money=price)), name="paid")
        self.name = "paid"
        self.batches: list[int] = []
        self._worst = worst

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        self.batches.append(len(requests))
        time.sleep(0.001)
        return self.inner.ask(requests)

    @property
    def description(self) -> Description:
        return Description(worst_cost=lambda request: self._worst)


def _asked(count: int) -> list[ChatRequest]:
    return [ChatRequest(prompt=str(number), stage="judge", problem_id="p1") for number in range(count)]


def test_usage_is_summed_by_stage_and_by_problem():
    ledger = Ledger()
    for stage, problem, calls in (("judge", "p1", 1), ("judge", "p1", 2), ("judge", "p2", 4), ("extract", "p1", 8)):
        ledger.add(ChatRequest(prompt="", stage=stage, problem_id=problem), Usage(calls=calls, seconds=0.5))
    assert {stage: usage.calls for stage, usage in ledger.stages().items()} == {"judge": 7, "extract": 8}
    assert ledger.total() == Usage(calls=15, seconds=2.0)
    taken = ledger.take("p1")
    assert taken == {"judge": Usage(calls=3, seconds=1.0), "extract": Usage(calls=8, seconds=0.5)}
    assert ledger.take("p1") == {}, "a problem's costs are handed over once"
    assert ledger.total().calls == 15, "the stages keep theirs"
    assert usage_to_json(taken) == {"judge": {"calls": 3, "seconds": 1.0}, "extract": {"calls": 8, "seconds": 0.5}}


def test_many_threads_lose_nothing():
    ledger = Ledger()
    backend = RecordedBackend(ScriptedBackend(lambda _: "x"), ledger=ledger)
    threads = [threading.Thread(target=lambda: backend.ask(_asked(50))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.total().calls == 400


def test_far_from_the_budget_a_batch_is_one_batch():
    backend = Paid(price=0.01, worst=0.1)
    ledger = Ledger(budget=100.0)
    assert len(RecordedBackend(backend, ledger=ledger).ask(_asked(20))) == 20
    assert backend.batches == [20]


def test_the_budget_is_used_as_far_as_it_is_safe_and_never_passed():
    backend = Paid(price=1 / 64, worst=1 / 8)
    ledger = Ledger(budget=1.0)
    with pytest.raises(BudgetError, match=r"the budget of 1 stops here: 0.890625 is spent, and the next .* cost 0.125"):
        RecordedBackend(backend, ledger=ledger).ask(_asked(1000))
    assert ledger.total().calls == len(backend.inner.requests) == 57, "all that was asked is booked"


@given(st.floats(0, 1), st.floats(0.001, 1), st.floats(0, 3), st.integers(0, 30))
def test_no_budget_is_ever_passed(share: float, worst: float, budget: float, count: int):
    backend = Paid(price=share * worst, worst=worst)
    ledger = Ledger(budget=budget)
    try:
        RecordedBackend(backend, ledger=ledger).ask(_asked(count))
    except BudgetError:
        assert ledger.total().calls < count
    assert ledger.total().money <= budget + 1e-9
    assert ledger.total().calls == len(backend.inner.requests)


def test_threads_share_a_budget_and_wait_for_what_is_in_flight():
    ledger = Ledger(budget=1.0)
    backends = [Paid(price=0.01, worst=0.3) for _ in range(6)]
    refused: list[BudgetError] = []

    def spend(backend: Paid) -> None:
        try:
            RecordedBackend(backend, ledger=ledger).ask(_asked(30))
        except BudgetError as error:
            refused.append(error)

    threads = [threading.Thread(target=spend, args=(backend,)) for backend in backends]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    assert 0.69 <= ledger.total().money <= 1.0
    assert refused


def test_what_is_stored_is_free_even_when_the_budget_is_gone(tmp_path: Path):
    store = AnswerStore(tmp_path / "answers.sqlite")
    with pytest.raises(BudgetError):
        RecordedBackend(Paid(price=1.0, worst=1.0), store=store, ledger=Ledger(budget=5.0)).ask(_asked(8))
    empty = Ledger(budget=0.0)
    again = RecordedBackend(Paid(price=1.0, worst=1.0), store=store, ledger=empty)
    assert [reply.text for reply in again.ask(_asked(5))] == ["x"] * 5, "what was in flight was kept"
    assert empty.total() == Usage(hits=5)
    with pytest.raises(BudgetError):
        again.ask(_asked(6))
    store.close()


def test_prices_make_money_and_a_worst_case():
    assert Prices(prompt=2.0, completion=8.0).cost(1_000_000, 500_000) == 6.0
    backend = OpenAIChat("m", base_url="http://127.0.0.1:1/v1", prices={"prompt": 1.0, "completion": 1.0})
    short = ChatRequest(prompt="x" * 50, sampling=Sampling(max_tokens=1000))
    assert backend.worst_cost(short) == pytest.approx((50 + 100 + 1000) / 1e6)
    assert backend.worst_cost(ChatRequest(prompt="", images=("a.png",))) > backend.worst_cost(ChatRequest(prompt=""))


def test_a_budget_without_prices_is_refused():
    backend = RecordedBackend(OpenAIChat("m", base_url="http://127.0.0.1:1/v1"), ledger=Ledger(budget=1.0))
    with pytest.raises(ConfigError, match="a budget needs the prices of 'm'"):
        backend.ask(_asked(1))
    with pytest.raises(ConfigError, match="an amount of money"):
        Ledger(budget=-1.0)
    with pytest.raises(ConfigError, match="an amount of money"):
        Ledger(budget=float("nan"))


def test_nothing_sums_to_nothing():
    assert usage_sum([]) == Usage()
