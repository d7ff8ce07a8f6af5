"""A worker in a process of its own, as the engine holds it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from typing import IO

from evpv.engines.planning import Job
from evpv.engines.work import Made, Message, Order

START_S = 600.0
"""How long a worker may take to build its pipeline; weights may have to be loaded."""


class WorkerProcess:
    """Starts the process (`worker_main`), hands it jobs, and knows what of its job is still to come.

    The process has a session of its own: Ctrl-C reaches the engine alone, and killing it kills what it has started. A
    program of its own too, not `multiprocessing`'s copy of this one: so it does not matter what this one is, a notebook,
    a test, or a process of Ray's.
    """

    def __init__(self, order: Order, log: IO[bytes], patience_s: float) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "evpv.engines.worker_main", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        self.connection = Connection(ours.detach())
        self.is_ready = False
        self.left: Job = ()
        self._at_once = order.at_once
        self._patience_s = patience_s
        self.deadline = time.monotonic() + START_S
        self._send(order)

    @property
    def at(self) -> Job:
        """The problems that are in the worker's hands now."""
        return self.left[: self._at_once]

    def start(self, job: Job) -> None:
        """Hand over a job."""
        self.left = job
        self._wait_for_next()
        self._send(job)

    def receive(self) -> Message | None:
        """What the worker says; None if it has died."""
        try:
            message: Message = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(message, Made):
            self.left = self.left[len(message.lines) :]
            self._wait_for_next()
        return message

    def end(self) -> str:
        """Kill the worker and what it has started, and say how it ended."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self.connection.close()
        code = self._process.wait()
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def _wait_for_next(self) -> None:
        self.deadline = time.monotonic() + self._patience_s * max(len(self.at), 1)

    def _send(self, message: Order | Job) -> None:
        with contextlib.suppress(OSError):  # it has died: `receive` will tell
            self.connection.send(message)
