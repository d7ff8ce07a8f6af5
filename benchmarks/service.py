"""The service under load on loopback: a real server process, a real client process, and the pipeline alone beside them.

Three things are shown. (1) How much of the pipeline's own throughput is left over HTTP, on the same work with the same
number of worker processes, taken in turns, and only after the answers were found to be the same: once with every figure
read anew, once with constraints remembered. (2) Many clients for a while: errors, latency, memory. (3) The same while
workers are killed: no wrong answer, no lost one.

    python benchmarks/service.py [--seconds 60] [--clients 64] [--workers 1] [--problems 24] [--only-load]
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from typing import Any

from rich.console import Console
from rich.table import Table

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.figures import write_problems
from evpv.pipeline import Pipeline
from evpv.records import candidate_to_json, read_problems
from evpv.types import Problem

SEED = 20261116
LIMITS = ("requests-per-minute=100000000", "queue=256", "timeout-s=600", "connections=1024")
ROUNDS, KILLS = 2, 3
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
OPENED: list[Pipeline] = []


def main() -> None:
    options = read_options()
    if options.client:
        run_client(*options.client)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_problems(folder / "drawn", (), options.problems, SEED, split="test")
        problems = list(read_problems(folder / "drawn" / "problems.jsonl"))
        write_work(folder / "work.jsonl", problems)
        memories = {} if options.only_load else {"of_pipeline": "", "of_pipeline_remembered": str(folder / "cache")}
        figures = {name: of_pipeline(folder, problems, options, cache) for name, cache in memories.items()}
        loads = load(folder, options)
    show(figures, loads, options)


def read_options() -> Namespace:
    parser = ArgumentParser()
    parser.add_argument(
        "--seconds", type=float, default=60, help="how long the load lasts, with and without kills together"
    )
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--problems", type=int, default=24, help="how many figures there are")
    parser.add_argument("--workers", type=int, default=max((os.cpu_count() or 2) - 1, 1))
    parser.add_argument("--only-load", action="store_true", help="leave the comparison with the pipeline out")
    parser.add_argument("--client", nargs=4, metavar=("URL", "WORK", "CLIENTS", "END"), help="be the client process")
    return parser.parse_args()


def write_work(path: Path, problems: list[Problem]) -> None:
    """The requests, and what the pipeline alone answers to them."""
    pipeline = build(load_recipe("embedded", {"extractor.cache": str(path.parent / "cache")}))
    with path.open("w", encoding="utf-8") as file:
        for problem, trace in zip(problems, pipeline.stream(problems), strict=True):
            image = base64.b64encode(Path(problem.images[0]).read_bytes()).decode()
            body = {
                "query": problem.question,
                "documents": [candidate_to_json(candidate) for candidate in problem.candidates],
                "options": list(problem.options),
                "image": f"data:image/png;base64,{image}",
            }
            places = {candidate.id: place for place, candidate in enumerate(problem.candidates)}
            scores = {places[name]: value for name, value in trace.ranking.values.items()}
            file.write(json.dumps({"body": json.dumps(body), "scores": scores}) + "\n")
    pipeline.close()


# The pipeline alone, in worker processes of its own.


def open_pipeline(cache: str) -> None:
    OPENED.append(build(load_recipe("embedded", {"extractor.cache": cache})))


def do_all(problems: list[Problem]) -> None:
    for problem in problems:
        OPENED[0].traces([problem])


def of_pipeline(folder: Path, problems: list[Problem], options: Namespace, cache: str) -> float:
    """The service's throughput over the pipeline's, on the same work, taken in turns."""
    repeats = 2 if not cache else 16
    work = problems * repeats
    seconds: dict[str, float] = {"pipeline": 0.0, "service": 0.0}
    settings = ("--set", f"extractor.cache={cache}") if cache else ("--set", 'extractor.cache=""')
    spawned = get_context("spawn")
    with (
        ProcessPoolExecutor(options.workers, mp_context=spawned, initializer=open_pipeline, initargs=(cache,)) as pool,
        served(folder, options.workers, *settings) as service,
    ):
        list(pool.map(do_all, [problems[:1]] * options.workers))
        client(service.url, folder, options.workers, "1")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            list(pool.map(do_all, [work[start :: 8 * options.workers] for start in range(8 * options.workers)]))
            seconds["pipeline"] += time.perf_counter() - began
            done = client(service.url, folder, options.clients, f"{repeats}x")
            if done["errors"] or done["wrong"]:
                sys.exit(f"the service's answers are not the pipeline's: {done}")
            seconds["service"] += done["seconds"]
    return seconds["pipeline"] / seconds["service"]


# The service, in processes of its own.


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    url: str
    pid: int

    def workers(self) -> list[int]:
        found = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=False)
        return [int(line) for line in found.stdout.split()]

    def memory_mb(self) -> dict[str, float]:
        return {"service": resident_mb(self.pid), "worker": max(map(resident_mb, self.workers()), default=0.0)}


def resident_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES / 1e6
    except OSError:
        return 0.0


@contextmanager
def served(folder: Path, workers: int, *settings: str) -> Iterator[Service]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    limits = [part for limit in LIMITS for part in ("--limit", limit)]
    command = [
        Path(sys.executable).parent / "evpv",
        "serve",
        "--port",
        str(port),
        "--workers",
        str(workers),
        *limits,
        *settings,
    ]
    with (folder / "service.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until_ready(port)
        yield Service(url=f"127.0.0.1:{port}", pid=process.pid)
    finally:
        process.terminate()
        process.wait(60)


def wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + 120
    while not is_ready(port):
        if time.monotonic() > deadline:
            sys.exit("the service did not start")
        time.sleep(0.2)


def is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def load(folder: Path, options: Namespace) -> dict[str, Any]:
    """Many clients for a while, in peace and with workers killed."""
    half_s = options.seconds / 2
    with served(folder, options.workers, "--set", f"extractor.cache={folder / 'cache'}") as service:
        client(service.url, folder, options.clients, f"{half_s / 6}s")
        before = service.memory_mb()
        peace = client(service.url, folder, options.clients, f"{half_s}s")
        after = service.memory_mb()
        killed: list[int] = []
        over = threading.Event()
        killing = threading.Thread(target=kill_workers, args=(service, killed, over, max(half_s / 4, 2)))
        killing.start()
        war = client(service.url, folder, options.clients, f"{half_s}s")
        over.set()
        killing.join()
    growth = {name: after[name] / before[name] for name in before}
    return {"peace": peace, "war": war, "killed": len(killed), "growth": growth, "after_mb": after}


def kill_workers(service: Service, killed: list[int], over: threading.Event, every_s: float) -> None:
    """A few workers, one every so often, each once the last one's place is taken again."""
    while len(killed) < KILLS and not over.wait(every_s):
        workers = service.workers()
        if workers and is_ready(int(service.url.rpartition(":")[2])):
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])


def client(url: str, folder: Path, clients: int, end: str) -> dict[str, Any]:
    """A client process: `end` is how often it asks everything ("2x"), how long it asks ("30s"), or how many times in all."""
    command = [sys.executable, __file__, "--client", url, str(folder / "work.jsonl"), str(clients), end]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


# The client process.


@dataclass(slots=True)
class Asking:
    """What the client's threads share: whose turn it is, and what came back."""

    url: str
    bodies: list[bytes]
    scores: list[dict[str, float]]
    most: int
    until: float
    turn: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    latencies: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> int | None:
        with self.lock:
            if self.turn >= self.most or time.monotonic() > self.until:
                return None
            self.turn += 1
            return (self.turn - 1) % len(self.bodies)


def run_client(url: str, work: str, clients: str, end: str) -> None:
    lines = [json.loads(line) for line in Path(work).read_text(encoding="utf-8").splitlines()]
    number, unit = end.rstrip("xs"), end[-1]
    most = {"x": lambda: int(number) * len(lines), "s": lambda: 10**9}.get(unit, lambda: int(end))()
    until = time.monotonic() + (float(number) if unit == "s" else 10**6)
    asking = Asking(url, [line["body"].encode() for line in lines], [line["scores"] for line in lines], most, until)
    threads = [threading.Thread(target=ask, args=(asking,)) for _ in range(int(clients))]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    marks = quantiles(asking.latencies, n=100) if len(asking.latencies) > 1 else [0.0] * 99
    refused = asking.statuses["429"]
    answer = {
        "seconds": seconds, "requests": asking.turn, "per_s": len(asking.latencies) / seconds, "refused_429": refused,
        "errors": asking.turn - refused - asking.statuses["200"], "wrong": asking.wrong, "p50_s": marks[49], "p99_s": marks[98],
        "statuses": asking.statuses,
    }  # fmt: skip
    print(json.dumps(answer))


def ask(asking: Asking) -> None:
    connection = http.client.HTTPConnection(asking.url, timeout=600)
    while (place := asking.next()) is not None:
        began = time.perf_counter()
        try:
            connection.request("POST", "/v1/rerank", asking.bodies[place], {"content-type": "application/json"})
            answer = connection.getresponse()
            status, content = str(answer.status), answer.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            status, content = type(error).__name__, b""
        with asking.lock:
            asking.statuses[status] += 1
            if status == "200":
                asking.latencies.append(time.perf_counter() - began)
                found = {str(one["index"]): one["relevance_score"] for one in json.loads(content)["results"]}
                asking.wrong += found != asking.scores[place]
    connection.close()


def show(figures: dict[str, float], loads: dict[str, Any], options: Namespace) -> None:
    table = Table(title=f"{options.clients} clients, {options.workers} workers, load average {os.getloadavg()[0]:.1f}")
    for column in ("", "requests/s", "p50 s", "p99 s", "429", "errors", "wrong"):
        table.add_column(column, justify="left" if not column else "right")
    names = {"peace": "constraints remembered", "war": f"the same, {loads['killed']} workers killed"}
    for name, title in names.items():
        one = loads[name]
        counts = (str(one[name]) for name in ("refused_429", "errors", "wrong"))
        table.add_row(title, f"{one['per_s']:.1f}", f"{one['p50_s']:.2f}", f"{one['p99_s']:.2f}", *counts)
    Console().print(table)
    peace, war = loads["peace"], loads["war"]
    print(
        json.dumps(
            {
                **{name: round(value, 3) for name, value in figures.items()},
                "errors": peace["errors"] + war["errors"],
                "wrong": peace["wrong"] + war["wrong"],
                "refused_429": peace["refused_429"] + war["refused_429"],
                "requests_per_s": round(peace["per_s"], 2),
                "p50_s": round(peace["p50_s"], 3),
                "p99_s": round(peace["p99_s"], 3),
                "statuses": dict(Counter(peace["statuses"]) + Counter(war["statuses"])),
                "killed_workers": loads["killed"],
                "memory_growth": {name: round(value, 3) for name, value in loads["growth"].items()},
                "memory_mb": {name: round(value) for name, value in loads["after_mb"].items()},
                "clients": options.clients,
                "workers": options.workers,
                "seconds": options.seconds,
                "load_average": round(os.getloadavg()[0], 1),
            }
        )
    )


if __name__ == "__main__":
    main()
