"""A run that is killed again and again, with its workers, at random moments, and taken up each time.

Used by the tests, and alone:  python tests/engines/chaos.py --engine ray --problems 2000 --kills 20 [--seed 1]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.engines.conftest import command, environment, gated, lines, problem, write_problems

MOST_SECONDS = 600.0
HOST = "127.0.0.2"  # loopback too; Ray would take 127.0.0.1 for the machine's outer address


@contextmanager
def ray_cluster() -> Iterator[dict[str, str]]:
    """A Ray cluster of one machine that outlives the runs on it; gives the environment that names it."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    ray = str(Path(sys.executable).with_name("ray"))
    options = ("--head", "--block", f"--node-ip-address={HOST}", f"--port={port}", "--num-cpus=2")
    sizes = ("--include-dashboard=false", "--disable-usage-stats", "--object-store-memory=100000000")
    alone = {"RAY_AUTH_MODE": "disabled"}  # nobody else reaches a loopback address
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [ray, "start", *options, *sizes], env=environment() | alone, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        _wait_for_port(port)
        yield {"RAY_ADDRESS": f"{HOST}:{port}", **alone}
    finally:
        process.terminate()
        process.wait(60)


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + MOST_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1.0):
            return
        time.sleep(0.2)
    raise TimeoutError("Ray does not start")


@dataclass(slots=True)
class Chaos:
    """Kills runs of `problems.jsonl` in a folder; `killed` counts what was killed, by kind."""

    folder: Path
    engine: str
    random: random.Random
    address: dict[str, str]
    killed: dict[str, int] = field(default_factory=lambda: {"runs": 0, "workers": 0, "actors": 0})

    def __post_init__(self) -> None:
        self.open_until(0)

    def open_until(self, count: int) -> None:
        """Let the first so many problems be done, and no others: a run that is to be killed cannot end before."""
        draft = self.folder / "open.partial"
        draft.write_text(str(count), encoding="ascii")
        draft.replace(self.folder / "open")

    def run_until(self, target: int, worker_kills: list[int], actor_kills: list[int]) -> None:
        """Start or take up the run, kill workers at these numbers of finished problems, and the run itself at `target`."""
        self.open_until(target + self.slack)
        process = self.start()
        until = time.monotonic() + MOST_SECONDS
        while time.monotonic() < until and (done := self.done()) < target:
            if process.poll() is not None:  # it failed where a worker was killed twice: the same command goes on
                process = self.start()
            self._kill_due("workers", "evpv.engines.work:make_traces", worker_kills, done)
            self._kill_due("actors", "ray::", actor_kills, done)
            time.sleep(0.01)
        self._kill_due("workers", "evpv.engines.work:make_traces", worker_kills, target)
        time.sleep(self.random.uniform(0.0, 0.1))
        if process.poll() is None:
            self.killed["runs"] += 1
        process.kill()
        process.wait()

    def start(self) -> subprocess.Popen[bytes]:
        arguments = (
            "rank",
            "problems.jsonl",
            "-o",
            "run",
            *gated(self.folder),
            "--engine",
            self.engine,
            "--workers",
            2,
        )
        quiet = subprocess.DEVNULL
        variables = environment() | self.address
        return subprocess.Popen(command(*arguments), cwd=self.folder, env=variables, stdout=quiet, stderr=quiet)

    def finish(self) -> int:
        """Take the run up until it ends well, and return how often that took: a problem whose worker was killed twice
        is a failure of that start, and is tried again with the next."""
        self.open_until(self.count)
        for attempt in range(1, 10):
            if self.start().wait(MOST_SECONDS) == 0:
                return attempt
        raise AssertionError("the run does not end")

    @property
    def count(self) -> int:
        return _line_ends(self.folder / "problems.jsonl")

    @property
    def slack(self) -> int:
        """How many must be open beyond those that are waited for: blocks are stored whole, and what was killed comes last."""
        return 16 + 3 * max(self.count // 32, 1)

    def done(self) -> int:
        run = self.folder / "run"
        files = [run / "traces.jsonl", *(run / "shards").glob("*[0-9].jsonl")]
        return sum(_line_ends(file) for file in files)

    def _kill_due(self, kind: str, name: str, moments: list[int], done: int) -> None:
        if not moments or done < moments[0]:
            return
        found = [pid for pid in _processes(name) if _folder_of(pid) == self.folder]
        if found:
            os.kill(self.random.choice(found), signal.SIGKILL)
            self.killed[kind] += 1
            moments.pop(0)


def disturbed(folder: Path, engine: str, kills: int, seed: int = 1) -> Chaos:
    """The run of the folder's problems, killed so many times, and its workers as often, and then ended."""
    with ray_cluster() if engine == "ray" else nullcontext({}) as address:
        chaos = Chaos(folder=folder, engine=engine, random=random.Random(seed), address=address)
        _disturb(chaos, kills)
    return chaos


def _disturb(chaos: Chaos, kills: int) -> None:
    before = range(chaos.count // 2)  # the rest is for the run to be in the midst of when it is killed last
    moments = sorted(chaos.random.sample(before, kills))
    workers = sorted(chaos.random.choices(before[: moments[-1] + 1], k=kills))
    actors = sorted(chaos.random.choices(before, k=kills // 5)) if chaos.engine == "ray" else []
    for moment in moments:
        chaos.run_until(moment, workers, actors)
    chaos.finish()


def calm(folder: Path) -> list[bytes]:
    """The lines of an undisturbed run, made in one process with no engine at all, sorted."""
    from evpv.assembly import build
    from evpv.config import load_recipe
    from evpv.records import read_problems
    from evpv.records.trace_files import trace_line

    pipeline = build(load_recipe("given"))
    made = [trace_line(trace).line for trace in pipeline.stream(read_problems(folder / "problems.jsonl"))]
    pipeline.close()
    return sorted(made)


def _processes(name: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and name in (entry / "cmdline").read_bytes().decode(errors="replace"):
                found.append(int(entry.name))
        except OSError:  # it has ended in between
            continue
    return found


def _folder_of(pid: int) -> Path | None:
    """Where a process works: those of this run work in its folder, and no others do."""
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        return None


def _line_ends(file: Path) -> int:
    try:
        return file.read_bytes().count(b"\n")
    except OSError:  # a shard that has just been taken
        return 0


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--engine", default="local")
    options.add_argument("--problems", type=int, default=2000)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        write_problems(folder / "problems.jsonl", [problem(number) for number in range(chosen.problems)])
        started = time.monotonic()
        chaos = disturbed(folder, chosen.engine, chosen.kills, chosen.seed)
        same = lines(folder / "run") == calm(folder)
        print(f"{chosen.engine}: killed {chaos.killed}, {time.monotonic() - started:.0f} s, equal: {same}")
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
