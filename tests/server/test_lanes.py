"""Who is worked for next: clients take turns, and whoever asks for little is not held up by who asks for much."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Iterable
from itertools import count

import pytest

from evpv.server.lanes import Job, Lanes


@pytest.fixture(autouse=True)
def loop() -> Iterable[asyncio.AbstractEventLoop]:
    """Jobs hold a future, and futures a loop; nothing here is run on it."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


def waiting(lanes: Lanes, client: str, *, megapixels: float = 0.0, text: int = 10) -> Job:
    answer = asyncio.get_event_loop_policy().get_event_loop().create_future()
    job = Job(client=client, pixels=int(megapixels * 1e6), message=b"x" * text, answer=answer)
    lanes.add(job)
    return job


def begun(lanes: Lanes) -> str:
    """The clients whose jobs are begun, in turn, until no more may be."""
    found = ""
    while (job := lanes.begin_next(free(lanes))) is not None:
        found += job.client
    return found


def free(lanes: Lanes) -> int:
    return lanes.processes - lanes._held.total()


def done(lanes: Lanes, job: Job, taken_s: float = 0.1) -> None:
    lanes.stop(job, taken_s=taken_s)
    lanes.release(job.client)


def test_clients_take_turns_however_much_each_sends() -> None:
    lanes, order = Lanes(workers=1), ""
    for client in "aaaabcb":
        waiting(lanes, client)
    while (job := lanes.begin_next(1)) is not None:
        order += job.client
        done(lanes, job)
    assert order == "abcabaa"


def test_a_client_that_comes_one_at_a_time_does_not_overtake_a_queue_for_ever() -> None:
    lanes, order = Lanes(workers=1), ""
    queued = [waiting(lanes, "a") for _ in range(3)]
    for _ in range(6):
        waiting(lanes, "b"), waiting(lanes, "c")
        job = lanes.begin_next(1)
        assert job is not None
        order += job.client
        done(lanes, job)
    assert order == "abcabc"
    assert queued[2].number in lanes.waiting


@pytest.mark.parametrize(
    ("sent", "is_long"),
    [({"megapixels": 25}, True), ({"megapixels": 0.5}, False), ({"text": 300_000}, True), ({"text": 30_000}, False)],
)
def test_what_is_large_is_long_before_it_is_begun(sent: dict[str, float], is_long: bool) -> None:
    assert waiting(Lanes(workers=2), "a", **sent).is_long is is_long  # type: ignore[arg-type]


def test_a_slow_job_speaks_against_the_next_of_its_kind() -> None:
    lanes = Lanes(workers=2)
    job = waiting(lanes, "a", megapixels=1)
    lanes.begin_next(3)
    lanes.end_turn(job)
    assert not waiting(lanes, "a", megapixels=1).is_long, "a second is nothing yet"
    done(lanes, job, taken_s=20.0)
    assert waiting(lanes, "a", megapixels=1).is_long
    assert not waiting(lanes, "b", megapixels=1).is_long
    assert not waiting(lanes, "a").is_long, "what it asks without pictures is another kind"
    again = waiting(lanes, "a", megapixels=1)
    lanes.begin_next(3)
    done(lanes, again, taken_s=1.5)
    assert not waiting(lanes, "a", megapixels=1).is_long, "it took hardly more than a turn"


@pytest.mark.parametrize("megapixels", [0, 25])
@pytest.mark.parametrize(("workers", "processes"), [(1, 1), (2, 3), (4, 5)])
def test_a_client_holds_every_worker_and_another_has_the_spare_process(
    workers: int, processes: int, megapixels: int
) -> None:
    lanes = Lanes(workers=workers)
    assert lanes.processes == processes
    for _ in range(9):
        waiting(lanes, "a", megapixels=megapixels)
    assert begun(lanes) == "a" * workers
    waiting(lanes, "b")
    assert begun(lanes) == "b" * (processes - workers), (
        "at once, or where there is but one process not before it is free"
    )


@pytest.mark.parametrize(("sent", "at_once"), [("abc", "ab"), ("aaab", "aab")])
def test_the_spare_process_is_for_a_long_job_only_where_somebody_can_give_one_back(sent: str, at_once: str) -> None:
    lanes = Lanes(workers=2)
    for client in sent[:-1]:
        waiting(lanes, client, megapixels=25)
    begun_first = begun(lanes)
    waiting(lanes, sent[-1], megapixels=25)
    assert begun_first + begun(lanes) == at_once


def test_a_process_is_held_by_whoever_broke_it_until_it_is_there_again() -> None:
    lanes = Lanes(workers=2)
    broken = [waiting(lanes, "a") for _ in range(2)]
    waiting(lanes, "a")
    assert begun(lanes) == "aa"
    for job in broken:
        lanes.stop(job, taken_s=0.1)
    assert begun(lanes) == "", "its third would break the last one"
    waiting(lanes, "b")
    assert begun(lanes) == "b"
    lanes.release("a")
    assert begun(lanes) == "", "the one that came back is now the last"
    lanes.release("a")
    assert begun(lanes) == "a"


def test_who_holds_least_is_first_and_then_whose_process_was_killed() -> None:
    lanes = Lanes(workers=4)
    for client in "abc":
        waiting(lanes, client)
    assert begun(lanes) == "abc"
    killed = next(job for job in lanes.running.values() if job.client == "c")
    done(lanes, killed)
    waiting(lanes, "a"), waiting(lanes, "d")
    killed.attempts = 1
    lanes.add_again(killed)
    assert begun(lanes) == "cd", "the last process is not for a's second"


def crowded() -> tuple[Lanes, list[Job]]:
    """All three processes held: two by one client, one by another."""
    lanes = Lanes(workers=2)
    jobs = [waiting(lanes, client) for client in "aa"]
    assert begun(lanes) == "aa"
    jobs.append(waiting(lanes, "b"))
    assert begun(lanes) == "b"
    return lanes, jobs


def test_a_long_job_of_who_holds_most_gives_way_to_a_newcomer() -> None:
    lanes, (first, second, _) = crowded()
    waiting(lanes, "c")
    assert lanes.put_back(0) is None, "nobody's turn is over"
    for job in (first, second):
        lanes.end_turn(job)
    assert lanes.put_back(0) is second, "begun last"
    assert lanes.put_back(0) is None, "one is enough: its process is being started"
    lanes.add_again(second)
    lanes.release("a")
    assert begun(lanes) == "c", "not the one that was put back"


def test_where_all_have_long_jobs_one_gives_way_before_anybody_waits() -> None:
    lanes, jobs = crowded()
    lanes.end_turn(jobs[0])
    lanes.end_turn(jobs[2])
    assert lanes.put_back(0) is None, "one of them may soon be done"
    lanes.end_turn(jobs[1])
    assert lanes.put_back(0) is jobs[1]


def test_who_holds_no_more_than_a_newcomer_would_gives_way_to_short_jobs_alone() -> None:
    lanes = Lanes(workers=2)
    for client in "ab":
        waiting(lanes, client, megapixels=25)
    waiting(lanes, "c")
    assert begun(lanes) == "abc"
    waiting(lanes, "d", megapixels=25)
    assert lanes.put_back(0) is None
    waiting(lanes, "e")
    gone = lanes.put_back(0)
    assert gone is not None
    assert gone.client == "b"


def test_a_job_is_put_back_once_and_then_done_in_peace() -> None:
    lanes, jobs = crowded()
    for job in jobs:
        lanes.end_turn(job)
    assert lanes.put_back(0) is jobs[1]
    lanes.add_again(jobs[1])
    lanes.release("a")
    done(lanes, jobs[2])
    assert begun(lanes) == "a"
    waiting(lanes, "b", megapixels=25)
    assert begun(lanes) == "b"
    assert lanes.put_back(0) is jobs[0]


def test_with_one_worker_nothing_is_put_back() -> None:
    lanes = Lanes(workers=1)
    waiting(lanes, "a", megapixels=25)
    begun(lanes)
    waiting(lanes, "b")
    assert lanes.put_back(0) is None


@pytest.mark.parametrize("seed", range(20))
def test_whatever_one_client_sends_another_is_begun_at_once(seed: int) -> None:
    """A day of the service in events: one client sends what it likes, much of which breaks its process; one asks now and then."""
    dice, lanes, numbers = random.Random(seed), Lanes(workers=seed % 4 + 2), count()
    events: list[tuple[float, int, str, Job | None]] = [(0.0, next(numbers), "honest", None)]
    events += [(dice.uniform(0, 500), next(numbers), "hostile", None) for _ in range(400)]
    heapq.heapify(events)
    asked = 0
    while events and asked < 500:
        now, _, what, job = heapq.heappop(events)
        match what:
            case "honest":
                mine = waiting(lanes, "honest", megapixels=dice.choice([0, 1]))
                asked += 1
            case "hostile":
                waiting(lanes, "hostile", megapixels=dice.choice([0, 1, 25]), text=dice.choice([10, 300_000]))
            case "turn" if job is not None and job.number in lanes.running:
                lanes.end_turn(job)
            case "done" if job is not None:
                is_broken = job.client == "hostile" and dice.random() < 0.3
                lanes.stop(job, taken_s=dice.choice([0.5, 5.0]))
                heapq.heappush(events, (now + 5.0 * is_broken, next(numbers), "free", job))
            case "free" if job is not None:
                lanes.release(job.client)
                if job.client == "honest":
                    heapq.heappush(events, (now + dice.uniform(0, 2), next(numbers), "honest", None))
        while (next_job := lanes.begin_next(free(lanes))) is not None:
            taken = dice.uniform(0, 0.9) if next_job.client == "honest" else dice.choice([0.01, 1.5, 30.0])
            heapq.heappush(events, (now + 1.0, next(numbers), "turn", next_job))
            heapq.heappush(events, (now + taken, next(numbers), "done", next_job))
        if what == "honest":
            assert mine.number in lanes.running
    assert asked == 500


def test_what_was_put_back_never_has_the_last_process() -> None:
    lanes, (first, second, third) = crowded()
    for job in (first, second, third):
        lanes.end_turn(job)
    assert lanes.put_back(0) is second
    lanes.stop(second, taken_s=1.1)
    lanes.add_again(second)
    lanes.release("a")
    assert begun(lanes) == "", "a newcomer may want it"
    waiting(lanes, "c")
    assert begun(lanes) == "c"
    assert waiting(lanes, "a").is_long, "who had to give way once is not taken for quick the next time"


def test_strangers_in_number_do_not_keep_the_last_process_from_those_who_are_known() -> None:
    lanes = Lanes(workers=2)
    for megapixels in (0, 1):
        quick = waiting(lanes, "known", megapixels=megapixels)
        assert begun(lanes) == "known"
        done(lanes, quick)
    for client in "ab":
        waiting(lanes, client, megapixels=25)
    assert begun(lanes) == "ab"
    for number in range(6):
        waiting(lanes, f"stranger {number}", megapixels=1)
    waiting(lanes, "known"), waiting(lanes, "known", megapixels=1), waiting(lanes, "new")
    order = []
    while (job := lanes.begin_next(1)) is not None:
        order.append(job.client)
        lanes.stop(job, taken_s=0.1)
        lanes.release(job.client)
    assert order[0] == "stranger 0"
    assert sorted(order[1:4]) == ["known", "known", "new"], "each line has its turn"


class _Street:
    """The service in events, with many clients that hold what they can: how long one that asks for little waits."""

    TURN_S, START_S, LONGEST_S = 1.0, 4.0, 60.0

    def __init__(self, seed: int, strangers_s: float) -> None:
        self.dice, self.lanes, self.numbers = random.Random(seed), Lanes(workers=2), count()
        self.strangers_s, self.waits = strangers_s, list[float]()
        self.asked: dict[int, float] = {}
        self.events: list[tuple[float, int, str, Job | None]] = []
        self.later(0.0, "stranger")
        self.later(10.0, "honest")

    def later(self, when: float, what: str, job: Job | None = None) -> None:
        heapq.heappush(self.events, (when, next(self.numbers), what, job))

    def play(self, until_s: float) -> None:
        while self.events[0][0] < until_s:
            now, _, what, job = heapq.heappop(self.events)
            if job is None:
                self._arrive(now, what)
            elif what in (f"turn {job.attempts}", f"done {job.attempts}") and job.number in self.lanes.running:
                self._go_on(now, what, job)
            elif what == "started":
                self.lanes.release(job.client)
            while (begun_job := self.lanes.begin_next(free(self.lanes))) is not None:
                self._begin(now, begun_job)
            if (gone := self.lanes.put_back(free(self.lanes))) is not None:
                self.lanes.stop(gone, taken_s=self.TURN_S)
                self.lanes.add_again(gone)
                self.later(now + self.START_S, "started", gone)

    def _arrive(self, now: float, what: str) -> None:
        if what == "honest":
            self.asked[waiting(self.lanes, "honest").number] = now
        else:
            waiting(self.lanes, f"stranger {next(self.numbers)}", megapixels=1)
            self.later(now + self.dice.expovariate(1 / self.strangers_s), "stranger")

    def _begin(self, now: float, job: Job) -> None:
        job.attempts += 1
        taken = self.LONGEST_S
        if job.client == "honest":
            taken = 0.2
            self.waits.append(now - self.asked[job.number])
        self.later(now + self.TURN_S, f"turn {job.attempts}", job)
        self.later(now + taken, f"done {job.attempts}", job)

    def _go_on(self, now: float, what: str, job: Job) -> None:
        if what.startswith("turn"):
            self.lanes.end_turn(job)
            return
        done(self.lanes, job, taken_s=0.2 if job.client == "honest" else self.LONGEST_S)
        if job.client == "honest":
            self.later(now + self.dice.uniform(0.5, 3.0), "honest")


@pytest.mark.parametrize("strangers_s", [10.0, 2.0, 0.5])
@pytest.mark.parametrize("seed", range(5))
def test_many_addresses_that_hold_all_processes_keep_a_short_request_no_longer_than_two_starts(
    seed: int, strangers_s: float
) -> None:
    street = _Street(seed, strangers_s)
    street.play(until_s=300.0)
    assert len(street.waits) > 20
    assert max(street.waits) <= 2 * (street.TURN_S + street.START_S)


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
        lanes.begin_next(1)
        done(lanes, job, taken_s=9.0)
    assert len(lanes._last_turns) == len(lanes._was_slow) == 10_000
    assert not lanes._held
