"""The program that a worker process runs: bounds itself, ties itself to its starter, then calls its target.

    python -P -m evpv.workers.child MODULE:FUNCTION CHANNEL LIFELINE MEMORY_MB CPU_S

The target gets a `Channel`. What it prints goes to the log, because standard output belongs to no message.
"""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import math
import os
import resource
import select
import signal
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from multiprocessing.connection import Connection

_OOM_SCORE = "500"
"""Where memory ends all the same, the kernel should choose a worker, which is replaced, and not who started it."""


class Channel:
    """The worker's end: messages in, messages out. Each message in brings a fresh allowance of processor time."""

    def __init__(self, connection: Connection, cpu_s: float = 0.0) -> None:
        self._connection = connection
        self._cpu_s = cpu_s

    def receive(self) -> bytes:
        """The next message; `EOFError` when the starter has gone."""
        message = self._connection.recv_bytes()
        if self._cpu_s:
            used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
            hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + self._cpu_s), hard))
        return message

    def send(self, message: bytes) -> None:
        self._connection.send_bytes(message)

    def messages(self) -> Iterator[bytes]:
        while True:
            try:
                yield self.receive()
            except EOFError:
                return


def main() -> None:
    target, channel, lifeline, memory_mb, cpu_s = sys.argv[1:]
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bound = int(memory_mb) << 20
    if bound:  # private memory: address space also counts files and what a runtime merely sets aside
        with contextlib.suppress(ValueError, OSError):  # a stricter bound holds already
            resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(_OOM_SCORE)
    _end_with_starter(int(lifeline))
    module, _, name = target.partition(":")
    getattr(import_module(module), name)(Channel(Connection(int(channel)), float(cpu_s)))


def _end_with_starter(lifeline: int) -> None:
    """Have the kernel kill this group when the lifeline's other end closes, in the midst of whatever it computes.

    Not by the parent-death signal: it reaches one process and no group, and comes when the *thread* that started us ends,
    which may be before the lifeline closes. This process would then be gone, and what it has started would stay behind.
    """
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    if not hasattr(fcntl, "F_SETSIG") and sys.platform != "linux":
        return
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, getattr(fcntl, "F_SETSIG", 10), signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def _watch(lifeline: int) -> None:
    """For systems without signals on pipes, and for a starter that had gone before we were ready."""
    poll = select.poll()
    poll.register(lifeline, 0)  # nothing but the other end's closing
    poll.poll()
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
