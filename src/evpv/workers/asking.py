"""A worker that is asked one question at a time and replaced when it fails, and one that calculates."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import IO, Any

from evpv.errors import ConfigError
from evpv.workers.process import WorkerDiedError, WorkerError, WorkerLimits, WorkerProcess

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
