"""Workers that die, hang or are ended: no wrong answer, no lost one, and others are not held up for ever."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .serving import Served, serving, slow_recipe

LIMITS = ("--limit", "queue=3", "--limit", "requests-per-minute=100000", "--limit")


def started(folder: Path, timeout_s: int) -> AbstractContextManager[Served]:
    return serving(folder, "--recipe", slow_recipe(folder), "--workers", "1", *LIMITS, f"timeout-s={timeout_s}")


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with started(tmp_path_factory.mktemp("slow"), 60) as service:
        yield service


def asked(service: Served, question: str, **settings: Any) -> httpx2.Response:
    with service.client() as client:
        return client.post("/v1/rerank", json={"query": question, "documents": ["3 + 4 = 7"]}, **settings)


def until(condition: Any, for_s: float = 90.0) -> None:
    deadline = time.monotonic() + for_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)


def running_and_waiting(service: Served) -> tuple[int, int]:
    counts = httpx2.get(f"{service.url}/readyz").json()
    return counts["running"], counts["waiting"]


def test_a_full_queue_is_429_with_a_time_to_come_back(slow: Served, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(asked, slow, f"until {tmp_path / 'go'}")
        until(lambda: running_and_waiting(slow) == (1, 0))
        others = [pool.submit(asked, slow, "sleep 0") for _ in range(3)]
        until(lambda: running_and_waiting(slow) == (1, 3))
        refused = asked(slow, "sleep 0")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        (tmp_path / "go").touch()
        assert [one.result().status_code for one in (first, *others)] == [200] * 4
    assert running_and_waiting(slow) == (0, 0)


def test_what_takes_too_long_is_504_and_costs_its_worker(tmp_path: Path) -> None:
    with started(tmp_path, 3) as service:
        [before] = service.workers()
        assert asked(service, "sleep 600", timeout=120).status_code == 504
        until(lambda: httpx2.get(f"{service.url}/readyz").status_code == 200)
        assert asked(service, "hello").status_code == 200
        assert service.workers() != [before]


def test_a_client_that_goes_away_is_not_worked_for(slow: Served, tmp_path: Path) -> None:
    """Its request is taken out of the queue: what comes after it is answered at once when the worker is free."""
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(asked, slow, f"until {tmp_path / 'go'}")
        until(lambda: running_and_waiting(slow) == (1, 0))
        with pytest.raises(httpx2.TimeoutException):
            asked(slow, f"once {tmp_path / 'begun'}", timeout=0.5)
        until(lambda: running_and_waiting(slow) == (1, 0))
        (tmp_path / "go").touch()
        assert first.result().status_code == 200
        assert asked(slow, "hello").status_code == 200
    assert not (tmp_path / "begun").exists()
    until(lambda: any(event.get("status") == 499 for event in slow.events()))


def test_a_worker_that_is_killed_loses_no_request(slow: Served, tmp_path: Path) -> None:
    [before] = slow.workers()
    with ThreadPoolExecutor(3) as pool:
        running = [pool.submit(asked, slow, f"until {tmp_path / 'go'}") for _ in range(3)]
        until(lambda: running_and_waiting(slow) == (1, 2))
        os.kill(before, signal.SIGKILL)
        (tmp_path / "go").touch()
        answers = [one.result() for one in running]
    assert [answer.status_code for answer in answers] == [200] * 3
    kinds = {answer.json()["meta"]["figure"] for answer in answers}
    assert kinds == {f"slow {slow.workers()[0]}"}
    assert slow.workers() != [before]


def asked_from(address: str, service: Served, question: str) -> httpx2.Response:
    """Asked by another client: without keys, an address is one."""
    with service.client(transport=httpx2.HTTPTransport(local_address=address)) as client:
        return client.post("/v1/rerank", json={"query": question, "documents": ["3 + 4 = 7"]})


def test_a_newcomer_does_not_wait_for_what_others_hold(tmp_path: Path) -> None:
    """One client holds both workers, the next has the spare process, the third that of a request which is done again later."""
    more = ("--workers", "2", *LIMITS, "timeout-s=60")
    with serving(tmp_path, "--recipe", slow_recipe(tmp_path), *more) as service, ThreadPoolExecutor(3) as pool:
        replaced = lambda: [event["why"] for event in service.events() if event["event"] == "worker replaced"]  # noqa: E731
        long_ones = [pool.submit(asked, service, f"until {tmp_path / 'go'}") for _ in range(2)]
        until(lambda: running_and_waiting(service) == (2, 0))
        assert asked_from("127.0.0.2", service, "hello").status_code == 200
        assert replaced() == []
        long_ones.append(pool.submit(asked_from, "127.0.0.2", service, f"until {tmp_path / 'go'}"))
        until(lambda: sum(running_and_waiting(service)) == 3)
        assert asked_from("127.0.0.3", service, "hello").status_code == 200
        assert not any(one.done() for one in long_ones)
        (tmp_path / "go").touch()
        assert [one.result().status_code for one in long_ones] == [200] * 3
        assert replaced() == ["a newcomer waited"]


def test_a_worker_that_is_killed_while_it_is_idle_is_started_before_it_is_needed(tmp_path: Path) -> None:
    with serving(tmp_path, "--recipe", slow_recipe(tmp_path), "--workers", "2") as service:
        killed = service.workers()[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: not alive(killed))
        answers = [asked(service, "hello").json()["meta"]["figure"] for _ in range(3)]
        assert f"slow {killed}" not in answers
        until(lambda: len(service.workers()) == 3)


def test_a_request_that_was_cut_off_once_is_done_again(slow: Served, tmp_path: Path) -> None:
    assert asked(slow, f"once {tmp_path / 'first'}").status_code == 200
    assert (tmp_path / "first").exists()


def test_a_request_that_ends_every_worker_is_given_up(slow: Served) -> None:
    answer = asked(slow, "die", timeout=90)
    assert answer.status_code in (500, 504)
    assert asked(slow, "hello", timeout=90).status_code == 200


def test_a_bug_is_500_without_its_words_and_costs_no_worker(slow: Served) -> None:
    began = len([event for event in slow.events() if event["event"] == "worker replaced"])
    answer = asked(slow, "fail secret-words")
    assert answer.status_code == 500
    assert "secret-words" not in answer.text
    assert "ZeroDivision" not in answer.text
    assert asked(slow, "hello").status_code == 200
    assert len([event for event in slow.events() if event["event"] == "worker replaced"]) == began


def test_the_service_ends_gracefully(tmp_path: Path) -> None:
    """What is under way is finished, nothing new is taken, and nothing is left behind."""
    with serving(tmp_path, "--recipe", slow_recipe(tmp_path), "--workers", "1") as service:
        workers, answers = service.workers(), []
        asking = threading.Thread(target=lambda: answers.append(asked(service, f"until {tmp_path / 'go'}")))
        asking.start()
        until(lambda: running_and_waiting(service) == (1, 0))
        service.process.terminate()
        (tmp_path / "go").touch()
        assert service.process.wait(60) == 0
        asking.join()
        with pytest.raises(httpx2.TransportError):
            asked(service, "hello")
    assert [answer.status_code for answer in answers] == [200]
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_workers_do_not_outlive_a_service_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, "--recipe", slow_recipe(tmp_path), "--workers", "2") as service:
        workers = service.workers()
        assert len(workers) == 3, "two, and one to spare"
        service.process.kill()
        service.process.wait()
        until(lambda: not any(alive(pid) for pid in workers))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_recipe_that_cannot_be_built_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('[extractor]\nuse = "nowhere:Nothing"\n[judge]\nuse = "checks"\n')
    with (
        pytest.raises(RuntimeError, match="there is no module 'nowhere'"),
        serving(tmp_path, "--recipe", str(tmp_path / "bad.toml")),
    ):
        pass
