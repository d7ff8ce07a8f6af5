"""Who is worked for next: clients take turns, and whoever asks for little is not held up by who asks for much."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from evpv.server.lanes import Job, Lanes

LATER = 100.0  # long after the last short job came


@pytest.fixture(autouse=True)
def loop() -> Iterable[asyncio.AbstractEventLoop]:
    """Jobs hold a future, and futures a loop; nothing here is run on it."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


def waiting(lanes: Lanes, client: str, *, megapixels: float = 0.0, text: int = 10, now: float = 0.0) -> Job:
    answer = asyncio.get_event_loop_policy().get_event_loop().create_future()
    job = Job(client=client, pixels=int(megapixels * 1e6), message=b"x" * text, answer=answer)
    lanes.add(job, now)
    return job


def begun(lanes: Lanes, now: float = 0.0) -> list[str]:
    """The clients whose jobs are begun until no more may be."""
    found = []
    while (job := lanes.begin_next(now)) is not None:
        found.append(job.client)
    return found


def test_clients_take_turns_however_much_each_sends() -> None:
    lanes = Lanes(workers=1)
    for client in "aaaabcb":
        waiting(lanes, client)
    order = []
    while (job := lanes.begin_next(0.0)) is not None:
        order.append(job.client)
        del lanes.running[job.number]
    assert "".join(order) == "abcabaa"


def test_a_client_that_comes_one_at_a_time_does_not_overtake_a_queue_for_ever() -> None:
    lanes = Lanes(workers=1)
    queued = [waiting(lanes, "many") for _ in range(3)]
    order = []
    for _ in range(6):
        waiting(lanes, "b"), waiting(lanes, "c")
        job = lanes.begin_next(0.0)
        assert job is not None
        order.append(job.client)
        del lanes.running[job.number]
    assert order == ["many", "b", "c"] * 2
    assert queued[2].number in lanes.waiting


@pytest.mark.parametrize(
    ("sent", "is_long"),
    [({"megapixels": 25}, True), ({"megapixels": 0.5}, False), ({"text": 300_000}, True), ({"text": 30_000}, False)],
)
def test_what_is_large_is_long_before_it_is_begun(sent: dict[str, float], is_long: bool) -> None:
    assert waiting(Lanes(workers=2), "a", **sent).is_long is is_long  # type: ignore[arg-type]


def test_a_job_that_had_its_turn_is_long_and_speaks_for_the_next_of_its_client() -> None:
    lanes = Lanes(workers=2)
    job = waiting(lanes, "a", megapixels=1)
    lanes.begin_next(0.0)
    lanes.end_turn(job)
    assert waiting(lanes, "a", megapixels=1).is_long
    assert not waiting(lanes, "b", megapixels=1).is_long
    assert not waiting(lanes, "a").is_long, "what it asks without pictures is another kind"
    lanes.finish(job, taken_s=20.0)
    assert waiting(lanes, "a", megapixels=1).is_long
    lanes.finish(job, taken_s=1.5)
    assert not waiting(lanes, "a", megapixels=1).is_long, "it took hardly more than a turn"


@pytest.mark.parametrize(("workers", "at_once"), [(1, 1), (2, 2), (4, 4)])
def test_long_jobs_hold_every_worker_while_nothing_short_comes(workers: int, at_once: int) -> None:
    lanes = Lanes(workers=workers)
    for _ in range(9):
        waiting(lanes, "a", megapixels=25)
    assert begun(lanes, LATER) == ["a"] * at_once


@pytest.mark.parametrize(("workers", "long_ones"), [(2, 1), (3, 2)])
def test_for_a_while_after_a_short_job_one_worker_is_kept(workers: int, long_ones: int) -> None:
    lanes = Lanes(workers=workers)
    short = waiting(lanes, "b")
    lanes.begin_next(0.0)
    del lanes.running[short.number]
    for _ in range(9):
        waiting(lanes, "a", megapixels=25)
    assert begun(lanes, 1.0) == ["a"] * long_ones
    waiting(lanes, "b", now=1.0)
    assert begun(lanes, 1.0) == ["b"], "at once"


def test_a_short_job_takes_the_place_of_the_long_one_that_was_begun_last() -> None:
    lanes = Lanes(workers=2)
    first, second = (waiting(lanes, "a", megapixels=25) for _ in range(2))
    begun(lanes, LATER)
    assert lanes.put_back() is None, "nobody waits"
    waiting(lanes, "b", now=LATER)
    assert lanes.put_back() is second
    assert lanes.put_back() is None, "one is enough"
    lanes.add_again(second)
    assert begun(lanes, LATER) == ["b"]
    assert next(iter(lanes.running.values())) is first


def test_whoever_has_most_jobs_gives_way_before_who_was_begun_last() -> None:
    lanes = Lanes(workers=2)
    crowding = waiting(lanes, "a", megapixels=25)
    lanes.begin_next(LATER)
    other = waiting(lanes, "b", megapixels=25)
    lanes.begin_next(LATER)
    waiting(lanes, "a", megapixels=25)
    waiting(lanes, "c", now=LATER)
    assert lanes.put_back() is crowding
    assert other.number in lanes.running


def test_a_job_is_put_back_once_and_then_done_in_peace() -> None:
    lanes = Lanes(workers=2)
    first, second = (waiting(lanes, "a", megapixels=25) for _ in range(2))
    begun(lanes, LATER)
    waiting(lanes, "b", now=LATER)
    lanes.put_back()
    lanes.add_again(second)
    begun(lanes, LATER)
    lanes.running.clear()
    newest = waiting(lanes, "a", megapixels=25)
    assert begun(lanes, 3 * LATER) == ["a", "a"]
    waiting(lanes, "b", now=3 * LATER)
    assert lanes.put_back() is newest
    assert second.number in lanes.running
    assert first.number not in lanes.running


def test_short_jobs_that_turn_long_give_way_too() -> None:
    lanes = Lanes(workers=2)
    jobs = [waiting(lanes, "a", megapixels=1) for _ in range(2)]
    begun(lanes)
    waiting(lanes, "b")
    assert lanes.put_back() is None, "their turn is not over"
    lanes.end_turn(jobs[0])
    assert lanes.put_back() is None
    lanes.end_turn(jobs[1])
    assert lanes.put_back() is jobs[1]


def test_with_one_worker_nothing_is_put_back() -> None:
    lanes = Lanes(workers=1)
    waiting(lanes, "a", megapixels=25)
    begun(lanes, LATER)
    waiting(lanes, "b", now=LATER)
    assert lanes.put_back() is None


@pytest.mark.parametrize(
    ("queue", "client", "gives_way"), [("aaab", "b", 2), ("aaab", "c", 2), ("aab", "b", None), ("ab", "c", None), ("aa", "a", None)]
)  # fmt: skip
def test_a_full_queue_is_cut_where_one_client_filled_it(queue: str, client: str, gives_way: int | None) -> None:
    lanes = Lanes(workers=1)
    for one in queue:
        waiting(lanes, one)
    job = lanes.crowding_job(client)
    assert (None if job is None else job.number) == gives_way


def test_strangers_do_not_make_memory_grow() -> None:
    lanes = Lanes(workers=1)
    for number in range(10_050):
        job = waiting(lanes, f"client {number}")
        lanes.begin_next(0.0)
        lanes.end_turn(job)
        del lanes.running[job.number]
    assert len(lanes._last_turns) == len(lanes._slow_kinds) == 10_000
