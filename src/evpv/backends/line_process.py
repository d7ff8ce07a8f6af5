"""A process that answers a line with a line, under a hard limit: how algebra on a model's text can neither hang nor hurt us.

No signals, so it works in any thread. What takes too long is killed and the next question starts a fresh process.
"""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_START_LIMIT_S = 60.0
_MAX_KEPT = 4_096


@dataclass(slots=True, weakref_slot=True)
class LineProcess:
    """`python -m module` that says "ready", then one JSON line for each JSON line. Answers are kept, failures are None.

    Started when first needed; one question at a time, whoever asks.
    """

    module: str
    limit_s: float
    _process: subprocess.Popen[str] | None = None
    _end: Callable[[], object] | None = None
    _kept: dict[str, Any] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, question: Any) -> Any:
        """The answer to one question; None when it took too long or the process died of it."""
        line = json.dumps(question)
        with self._turn:
            if line not in self._kept:
                if len(self._kept) >= _MAX_KEPT:
                    self._kept.clear()
                self._kept[line] = self._asked(line)
            return self._kept[line]

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def _asked(self, question: str) -> Any:
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(question + "\n")
            process.stdin.flush()
            answer = _line(process, self.limit_s)
        except OSError:
            answer = ""
        if not answer:
            self.close()
            return None
        return json.loads(answer)

    def _running(self) -> subprocess.Popen[str]:
        """The process, past its imports: that time is not the question's."""
        if self._process is not None and self.is_running:
            return self._process
        self.close()
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.module],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._end = weakref.finalize(self, _kill, self._process)
        _line(self._process, _START_LIMIT_S)
        return self._process


def _line(process: subprocess.Popen[str], limit_s: float) -> str:
    """The process's next line, or nothing when the time is over."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], limit_s)
    return process.stdout.readline() if ready else ""


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    with contextlib.suppress(OSError):
        process.communicate()
