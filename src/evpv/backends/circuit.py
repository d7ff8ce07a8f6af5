"""A circuit that opens when every call fails, so that a dead server costs seconds and not hours."""

from __future__ import annotations

import time
from threading import Lock


class Circuit:
    """Counts failures since the last success; at `limit` it opens and calls fail at once with the last reason.

    After `rest_s` one call is let through to see whether the server is back: if it succeeds the circuit closes.
    """

    def __init__(self, *, limit: int, rest_s: float = 30.0) -> None:
        self._limit = limit
        self._rest_s = rest_s
        self._failures = 0
        self._last = ""
        self._opened: float | None = None
        self._lock = Lock()

    def refusal(self) -> str | None:
        """Why no call should be made now, or None."""
        with self._lock:
            if self._opened is None:
                return None
            if time.monotonic() - self._opened >= self._rest_s:
                self._opened = time.monotonic()  # the caller tries; the others go on failing fast until it succeeds
                return None
            return f"not asked: the last {self._failures} calls in a row failed, at last with: {self._last}"

    def succeeded(self) -> None:
        """The server answered."""
        with self._lock:
            self._failures, self._opened = 0, None

    def failed(self, reason: str, *, hopeless: bool = False) -> None:
        """A call failed; `hopeless` where every other call must fail for the same reason, such as a refused key."""
        with self._lock:
            self._failures += 1
            self._last = reason
            if self._opened is None and (hopeless or self._failures >= self._limit):
                self._opened = time.monotonic()
