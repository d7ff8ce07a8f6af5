"""Logs as lines of JSON on standard error: one event a line, whatever text a request puts into it."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

_USUAL = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {
    "message",
    "asctime",
    "color_message",
    "taskName",
}
_LONGEST = 2_000


class JsonLines(logging.Formatter):
    """Every record as one JSON object in ASCII: a line end or an escape sequence in a text stays inside its string."""

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage()[:_LONGEST],
        }
        event |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=True, default=str)


def log_as_json() -> None:
    """Let everything that is logged come out as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
