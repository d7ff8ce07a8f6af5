"""What the service tells its operator: metrics for Prometheus, and a line of log per request."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The service's own registry, so that two services in one process do not meet."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter("evpv_requests", "Requests answered.", ("path", "status"), registry=self._registry)
        self._seconds = Histogram(
            "evpv_request_seconds", "From a request's head to its answer's end.", ("path",), buckets=_SECONDS,
            registry=self._registry,
        )  # fmt: skip

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """A number that is looked up whenever it is asked for."""
        Gauge(f"evpv_{name}", meaning, registry=self._registry).set_function(value)

    def add(self, path: str, status: int, seconds: float) -> None:
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)


_OTHERS = {"message", "asctime", "color_message", "taskName"}
_USUAL = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | _OTHERS
_LONGEST = 2_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_LINES_PER_S = 100.0


class _JsonLines(logging.Formatter):
    """Every record as one JSON object in ASCII: a line end or an escape sequence in a text stays inside its string."""

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage()[:_LONGEST],
        }
        own = ((name, value) for name, value in vars(record).items() if name not in _USUAL)
        event |= {name: value[:_LONGEST] if isinstance(value, str) else value for name, value in own}
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=True, default=str)


class _RateLimit(logging.Filter):
    """So many lines a second and no more, since each request of a stranger writes one; what was left out is counted."""

    def __init__(self, per_s: float = _LINES_PER_S, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._per_s, self._now = per_s, now
        self._room, self._last, self._left_out = 10 * per_s, now(), 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = self._now()
        self._room = min(10 * self._per_s, self._room + (now - self._last) * self._per_s)
        self._last = now
        if self._room < 1 and record.levelno < logging.ERROR:
            self._left_out += 1
            return False
        self._room -= 1
        if self._left_out:
            record.left_out, self._left_out = self._left_out, 0
        return True


class _PlainLines(logging.Formatter):
    """What somebody at a terminal wants to know: when, what, and how it ended; a worker's traceback is worth its lines."""

    def format(self, record: logging.LogRecord) -> str:
        facts = vars(record)
        when = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        if "status" in facts:
            said = f"{facts['method']} {facts['path']} {facts['status']} ({facts['seconds']:.2f} s)"
        else:
            said = ": ".join(str(part) for part in (record.getMessage(), facts.get("why"), facts.get("text")) if part)
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{when}  {_CONTROL.sub('?', said[:_LONGEST])}{trace}"


def log_to_stderr() -> None:
    """Let everything that is logged come out: as lines of JSON, except where somebody looks on."""
    is_watched = sys.stderr.isatty()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_PlainLines() if is_watched else _JsonLines())
    handler.addFilter(_RateLimit())
    logging.raiseExceptions = False  # a full disk under the log ends no request
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    if is_watched:  # what starts and where to open it is said in our own words
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
