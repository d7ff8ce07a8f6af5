"""One worker process, as its starter holds it, one that is replaced when it fails, and one that calculates.

It is a program of its own (`evpv.workers.child`), not a copy of this one, so it does not matter what this one is: a notebook, a
test, a process of Ray's. What it may import is what this process imports, without the current folder, which may be
anybody's data. It has a process group of its own: Ctrl-C reaches the starter alone, and killing it kills what it has
started. And it holds a lifeline, a pipe whose other end only the starter has, and no copy that it forks: when that closes,
because the starter was killed say, the kernel kills the whole group, whatever it is computing. Bounds on memory and processor
time are the kernel's too.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any
from weakref import WeakSet, finalize

from evpv.errors import ConfigError, EvpvError

_STALLED_S = 30
"""How long a message may lie half written or half read: a process that was stopped holds nobody up for ever."""
_LEAST_MEMORY_MB = 4_096
_GRACE_S = 2.0
_ENDING_S = 10.0
_GLANCE_S = 0.01


class WorkerError(EvpvError):
    """A worker did not answer."""


class WorkerSilentError(WorkerError):
    """A worker did not answer in time."""

    def __init__(self, limit_s: float) -> None:
        super().__init__(f"no answer within {limit_s:g} s")


class WorkerDiedError(WorkerError):
    """A worker ended instead of answering. `killed`: by a signal, and not by its own decision."""

    def __init__(self, how: str) -> None:
        super().__init__(f"the worker died ({how})")
        self.killed = how.startswith("signal")
        self.by_others = how == "signal SIGKILL"  # its own bounds end a process otherwise: SIGXCPU, or an exit code


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """What a worker may use: memory in all, and processor time for one message. None is no bound."""

    memory_mb: int | None = None
    cpu_s: float | None = None


def usual_memory_mb(workers: int) -> int:
    """What each of so many workers may use where nobody said: its share of the machine, but enough to read any figure.

    Weights that fit into the machine's memory fit into this, so a recipe that loads a model needs no setting.
    """
    try:
        whole_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (ValueError, OSError):
        whole_mb = 0
    return max(int(0.9 * whole_mb / workers), _LEAST_MEMORY_MB)


class WorkerProcess:
    """Runs the function `target` ("package.module:name") with its end of a channel of messages, until this end is closed."""

    def __init__(self, target: str, *, limits: WorkerLimits | None = None, log: IO[bytes] | int | None = None) -> None:
        ours, theirs = socket.socketpair()
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):  # what does not move is an error after a while
            ours.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", _STALLED_S, 0))
        lifeline, self._hold = os.pipe()
        bounds = limits or WorkerLimits()
        numbers = (theirs.fileno(), lifeline, bounds.memory_mb or 0, bounds.cpu_s or 0)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "evpv.workers.child", target, *map(str, numbers)],
                pass_fds=[theirs.fileno(), lifeline],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if log is None else log,
                stderr=subprocess.DEVNULL if log is None else log,
                start_new_session=True,
                env=_child_environment(os.environ),
            )
        except BaseException:
            ours.close()
            os.close(self._hold)
            raise
        finally:
            theirs.close()
            os.close(lifeline)
        self.connection = Connection(ours.detach())
        self._end = finalize(self, _kill, self._process, self._hold, self.connection)
        _HELD.add(self)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return not _has_ended(self._process)

    def send(self, message: bytes) -> None:
        """Hand over a message; that the worker has died is told by what `receive` says."""
        with contextlib.suppress(OSError, ValueError):
            self.connection.send_bytes(message)

    def receive(self, limit_s: float | None = None) -> bytes:
        """The worker's next message; `WorkerSilentError` or `WorkerDiedError` where there is none."""
        try:
            if not self.connection.poll(limit_s):
                raise WorkerSilentError(limit_s or 0.0)
            return self.connection.recv_bytes()
        except (EOFError, OSError, ValueError):
            raise WorkerDiedError(self.end(grace_s=_GRACE_S)) from None

    def kill(self) -> None:
        """Kill the worker and what it has started, and leave the rest to whoever waits for its answer: safe in any thread."""
        _kill_group(self._process)

    def end(self, grace_s: float = 0.0) -> str:
        """Kill the worker and what it has started, and say how it ended; by itself, if it does so within the grace."""
        deadline = time.monotonic() + grace_s
        while not _has_ended(self._process) and time.monotonic() < deadline:
            time.sleep(_GLANCE_S)
        self._end()
        code = self._process.returncode
        if code is None:
            return "it does not end"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def let_go(self) -> None:
        """In a copy that was forked from the starter: the worker is not its own, and lives and dies with the starter."""
        if self._end.detach() is not None:
            os.close(self._hold)


_HELD: WeakSet[WorkerProcess] = WeakSet()


def _let_go_in_copy() -> None:
    for worker in _HELD:
        worker.let_go()


os.register_at_fork(after_in_child=_let_go_in_copy)


def _child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What a worker, and whatever Python it starts, may import: what we do, but never what merely lies in the current folder.

    A folder of data may hold a `pydantic.py`. The folder counts only where PYTHONPATH names it in so many words.
    """
    named = {os.path.abspath(entry) for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry}
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it has been removed: then nothing lies in it
        here = ""
    entries = [entry for entry in sys.path if os.path.isabs(entry)]
    kept = [entry for entry in entries if entry in named or os.path.realpath(entry) != here]
    return {**environment, "PYTHONPATH": os.pathsep.join(kept), "PYTHONSAFEPATH": "1"}


def _kill(process: subprocess.Popen[bytes], hold: int, connection: Connection) -> None:
    _kill_group(process)
    connection.close()
    os.close(hold)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_ENDING_S)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Looked at without collecting it: as long as it is not, its number is the group's, and the group can be killed."""
    if process.returncode is None:
        with contextlib.suppress(ChildProcessError):
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            return ended or _is_dying(process.pid)
    return True


def _is_dying(pid: int) -> bool:
    """Whether a process was killed and only its threads are left: it cannot be collected yet, and answers nothing any more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("Z", "X")
    except OSError:  # another system than Linux, which has no such files
        return False


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:  # else the number may be another's by now
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


_TRIES = 3
"""So often a question is put whose process others killed: that says nothing of the question."""
_PATIENCE = 15
"""So many times its processor time a question may take by the clock, for a process that is stopped and computes nothing."""
_MOST_REMEMBERED = 4_096
_START_S = 120.0


@dataclass(slots=True, kw_only=True)
class SupervisedWorker:
    """Answers a message with a message within a time. What fails costs the process, and the next question a new one.

    `first` is what a new process is told; it answers with nothing, or with the reason why it cannot work. For one
    thread at a time.
    """

    target: str
    first: bytes = b""
    limits: WorkerLimits = field(default_factory=WorkerLimits)
    start_s: float = _START_S
    log: IO[bytes] | int | None = None
    _process: WorkerProcess | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self.is_running and self._process is not None else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.is_running

    def ask(self, message: bytes, limit_s: float) -> bytes:
        """The answer; `WorkerError` says why there is none. The time that a process takes to start is not the question's."""
        process = self.start()
        try:
            process.send(message)
            return process.receive(limit_s)
        except BaseException:  # an answer that comes after an interruption would be taken for the next question's
            self.close()
            raise

    def start(self) -> WorkerProcess:
        """The process, past its imports; `ConfigError` with its reason where it refuses to work."""
        if self._process is not None and self._process.is_running:
            return self._process
        self.close()
        self._process = WorkerProcess(self.target, limits=self.limits, log=self.log)
        self._process.send(self.first)
        reason = b"it was interrupted"
        try:
            reason = self._process.receive(self.start_s)
        finally:
            if reason:
                self.close()
        if reason:
            raise ConfigError(reason.decode("utf-8", "replace"))
        return self._process

    def kill(self) -> None:
        """Kill the process, from any thread: who waits for its answer is told that it died."""
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.end()


@dataclass(slots=True)
class Calculator:
    """Answers JSON with JSON under hard bounds: how algebra on a model's text can neither hang nor hurt us.

    Answers are remembered; what takes too long or too much is None. What is long is told by the processor's time: by the
    clock, a busy machine would have other answers than a quiet one. One question at a time, whoever asks.
    """

    target: str
    limit_s: float
    memory_mb: int = 1_024
    _worker: SupervisedWorker = field(init=False)
    _remembered: dict[str, Any] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        limits = WorkerLimits(memory_mb=self.memory_mb, cpu_s=self.limit_s)
        self._worker = SupervisedWorker(target=self.target, limits=limits)

    @property
    def is_running(self) -> bool:
        return self._worker.is_running

    def ask(self, question: Any) -> Any:
        """The answer to one question; None when it took too long or the process died of it."""
        text = json.dumps(question)
        with self._turn:
            if text not in self._remembered:
                if len(self._remembered) >= _MOST_REMEMBERED:
                    self._remembered.clear()
                self._remembered[text] = self._answer(text)
            return self._remembered[text]

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        with self._turn:
            self._worker.close()

    def _answer(self, text: str) -> Any:
        for _ in range(_TRIES):
            try:
                return json.loads(self._worker.ask(text.encode(), _PATIENCE * self.limit_s))
            except WorkerDiedError as death:
                if not death.by_others:
                    return None
            except (WorkerError, OSError, RecursionError):
                return None
        return None
