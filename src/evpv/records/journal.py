"""A file of JSON lines that grows while work goes on and is taken up again by id after an interruption."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from evpv.errors import RecordError
from evpv.records.lines import JsonObject, is_torn, json_line, numbered_lines, parse_own_object


class Journal(AbstractContextManager["Journal"]):
    """Appends records with an id, in the field `key`, one whole line at a time, and knows which ids are there.

    A torn last line is cut off (`recovered` says so), and its record is made again. A line that cannot be written whole,
    because the disk is full, is taken back. One process at a time may write: two would do the same work twice.
    `prepare` is called while no other process can write and before anything is read. `check` may refuse what an earlier
    run wrote, by raising. `kept` holds the field `keep` of what was there at the start. A line that a power failure left
    full of NULs stays where it is and does not count.
    """

    def __init__(
        self,
        path: str | Path,
        check: Callable[[JsonObject], None] | None = None,
        *,
        key: str = "id",
        keep: str = "",
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        self.path, self.key, self._keep = Path(path), key, keep
        self.kept: dict[str, Any] = {}
        self.recovered: str | None = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _opened_alone(self.path)
        try:
            prepare()
            self.done = self._recover(check)
        except BaseException:
            self.close()
            raise

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one record and hand it to the system, so that a crash of this program does not lose it."""
        self.append_line(str(record[self.key]), json_line(record).encode("utf-8"))

    def append_line(self, name: str, line: bytes) -> None:
        """Add a record that is a whole line already."""
        length = os.fstat(self._file).st_size
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException as error:
            os.ftruncate(self._file, length)
            if isinstance(error, OSError):
                raise RecordError(
                    f"cannot be written: {error.strerror or error}; what is there is whole", file=str(self.path)
                ) from error
            raise
        self.done.add(name)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _recover(self, check: Callable[[JsonObject], None] | None) -> set[str]:
        done: set[str] = set()
        raw = b"\n"
        for number, raw in numbered_lines(self.path):
            if is_torn(raw):
                os.ftruncate(self._file, os.fstat(self._file).st_size - len(raw))
                self.recovered = f"line {number} was torn off by an interruption and is cut away"
                return done
            if b"\0" in raw:
                self.recovered = f"line {number} holds NUL bytes, as a power failure leaves them, and does not count"
                continue
            done.add(self._id(number, raw, check))
        if not raw.endswith(b"\n"):
            os.write(self._file, b"\n")
        return done

    def _id(self, number: int, raw: bytes, check: Callable[[JsonObject], None] | None) -> str:
        try:
            record = parse_own_object(raw)
            if not isinstance(record.get(self.key), str):
                raise RecordError("must be a string", field=self.key)
            if check is not None:
                check(record)
        except RecordError as error:
            raise RecordError(error.message, file=str(self.path), line=number, field=error.field) from None
        if self._keep:
            self.kept[str(record[self.key])] = record.get(self._keep)
        return str(record[self.key])


def _opened_alone(path: Path) -> int:
    """The file, open for appending and locked until it is closed or this process ends, however it ends.

    Opened once more where another file has taken its place between opening and locking.
    """
    while True:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                os.close(file)
                raise RecordError("another process is writing to it", file=str(path)) from None
            # Some network file systems have no locks; there it is up to the user to start a run once.
        if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
            return file
        os.close(file)
