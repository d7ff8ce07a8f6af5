"""A file of JSON lines that grows while work goes on and is taken up again by id after an interruption."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from evpv.errors import RecordError
from evpv.records.lines import JsonObject, json_line, numbered_lines, parse_object
from evpv.records.traces import is_torn


class GrowingFile:
    """Appends records with an `id`, one whole line at a time, and knows which ids are there.

    A torn last line is cut off, and its record is made again. `check` may refuse what an earlier run wrote, by raising.
    """

    def __init__(self, path: str | Path, check: Callable[[JsonObject], None] | None = None) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self.done = self._recover(check)
        self._handle = open(self.path, "ab")  # noqa: SIM115 - closed by close()

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one record and hand it to the system, so that a crash of this program does not lose it."""
        self._handle.write(json_line(record).encode("utf-8"))
        self._handle.flush()
        self.done.add(str(record["id"]))

    def close(self) -> None:
        self._handle.close()

    def __enter__(self) -> GrowingFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _recover(self, check: Callable[[JsonObject], None] | None) -> set[str]:
        done: set[str] = set()
        raw = b"\n"
        for number, raw in numbered_lines(self.path):
            if is_torn(raw):
                os.truncate(self.path, self.path.stat().st_size - len(raw))
                return done
            done.add(self._id(number, raw, check))
        if not raw.endswith(b"\n"):
            with open(self.path, "ab") as handle:
                handle.write(b"\n")
        return done

    def _id(self, number: int, raw: bytes, check: Callable[[JsonObject], None] | None) -> str:
        try:
            record = parse_object(raw)
            if not isinstance(record.get("id"), str):
                raise RecordError("must be a string", field="id")
            if check is not None:
                check(record)
        except RecordError as error:
            raise RecordError(error.message, file=str(self.path), line=number, field=error.field) from None
        return str(record["id"])
