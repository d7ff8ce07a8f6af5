"""Logs as lines of JSON on standard error: one event a line, whatever text a request puts into it."""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import Any

_USUAL = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {
    "message",
    "asctime",
    "color_message",
    "taskName",
}
_LONGEST = 2_000
_LINES_PER_S = 100.0


class JsonLines(logging.Formatter):
    """Every record as one JSON object in ASCII: a line end or an escape sequence in a text stays inside its string."""

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage()[:_LONGEST],
        }
        event |= {name: _bounded(value) for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=True, default=str)


class RateLimit(logging.Filter):
    """So many lines a second and no more, since each request of a stranger writes one; what was left out is counted."""

    def __init__(self, per_s: float = _LINES_PER_S) -> None:
        super().__init__()
        self._per_s = per_s
        self._room, self._last, self._left_out = 10 * per_s, time.monotonic(), 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        self._room = min(10 * self._per_s, self._room + (now - self._last) * self._per_s)
        self._last = now
        if self._room < 1 and record.levelno < logging.ERROR:
            self._left_out += 1
            return False
        self._room -= 1
        if self._left_out:
            record.left_out, self._left_out = self._left_out, 0
        return True


def log_as_json() -> None:
    """Let everything that is logged come out as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(RateLimit())
    logging.raiseExceptions = False  # a full disk under the log ends no request
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def _bounded(value: Any) -> Any:
    return value[:_LONGEST] if isinstance(value, str) else value
