"""Files that grow while work goes on and are taken up again by id: a journal of JSON lines, and a run folder of several.

A run is `manifest.json` and an append-only `traces.jsonl`. A trace counts once its line is whole. An interrupted run may
leave a torn last line: it is cut off when the run is resumed, and its problem is done again. What could not be done is in
`failures.jsonl`, and is tried again with the rest.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from evpv.errors import RecordError
from evpv.files import write_whole
from evpv.records import lines
from evpv.records.lines import JsonObject, json_line, parse_object, parse_own_object, whole_lines
from evpv.records.trace_files import TraceLine, costs_file, remove_empty_shards, trace_files, trace_line, trace_lines
from evpv.records.traces import TRACES_FILE
from evpv.settings import dotted_pairs
from evpv.types import Trace

MANIFEST_FILE = "manifest.json"
FAILURES_FILE = "failures.jsonl"
SCHEMA_VERSION = 2
"""The version of the formats in docs/formats.md; it goes up when a reader of the old ones would misread the new."""
_READ_VERSIONS = (1, 2)
_ABSENT = object()


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
        for number, raw in lines.numbered_lines(self.path):
            if lines.is_torn(raw):
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


class RunWriter(AbstractContextManager["RunWriter"]):
    """Appends traces to a run folder, one whole line at a time, and knows which problems are done.

    `recovered` says what was cut off when an interrupted run was opened again, None if nothing was. `watch` is shown
    every line that is added.
    """

    def __init__(self, folder: str | Path, manifest: Mapping[str, Any]):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        json_line(manifest)  # what cannot be written is refused before there is a file
        self.manifest: JsonObject = {}
        self.failed = 0
        self._failed_before: frozenset[str] = frozenset()
        self._costs: Journal | None = None
        self._failures: Journal | None = None
        self._traces = Journal(
            self.folder / TRACES_FILE, key="problem_id", keep="digest", prepare=lambda: self._settle_manifest(manifest)
        )
        self.recovered = self._traces.recovered
        self.watch: Callable[[TraceLine], None] | None = None

    def _settle_manifest(self, manifest: Mapping[str, Any]) -> None:
        """The stored manifest if the run exists and was made the same way, else the new one, stored: two starts agree on one."""
        path = self.folder / MANIFEST_FILE
        if path.exists():
            self.manifest = read_manifest(self.folder)
            if self.manifest.get("fingerprint") != manifest.get("fingerprint"):
                told = (_differences(part, self.manifest, manifest) for part in ("settings", "versions"))
                differences = next(filter(None, told), "")
                said = f"the run here was made with another recipe; choose another folder{differences}"
                raise RecordError(said, file=str(path), field="fingerprint")
            return
        self.manifest = {**manifest, "schema": SCHEMA_VERSION}
        write_whole(path, json.dumps(self.manifest, ensure_ascii=False, indent=2) + "\n")

    def done_ids(self) -> frozenset[str]:
        """The problems that have a trace in this run, in shards too."""
        shards = trace_files(self.folder)[1:]
        return frozenset(self._traces.done.union(line.problem_id for file in shards for line in trace_lines(file)))

    def done_digests(self) -> dict[str, str | None]:
        """The same problems, each with the digest of what it was when its trace was made; None where that is unknown."""
        return {**dict.fromkeys(self.done_ids()), **self._traces.kept}

    def forget(self, ids: Collection[str]) -> None:
        """Take the traces of these problems out, because they are to be made again."""
        if not ids:
            return
        if self._costs is not None:
            self._costs.close()
            self._costs = None
        for file in (self._traces.path, costs_file(self._traces.path)):
            if file.exists():
                draft = file.with_suffix(".partial")
                with open(draft, "wb") as kept:
                    kept.writelines(
                        raw for _, raw, _ in whole_lines(file) if parse_own_object(raw).get("problem_id") not in ids
                    )
                os.replace(draft, file)
        self._traces.close()
        self._traces = Journal(self._traces.path, key="problem_id", keep="digest")

    def append(self, trace: Trace) -> None:
        """Add one trace and hand it to the system, so that a crash of this program does not lose it."""
        self.append_line(trace_line(trace, self.folder))

    def append_line(self, line: TraceLine) -> None:
        """Add a trace that is a line already; its cost goes first, so that no trace is without."""
        if line.problem_id in self._traces.done:
            raise RecordError(f"there is a trace of {line.problem_id!r} already", file=str(self._traces.path))
        if line.cost:
            self._costs = self._costs or Journal(costs_file(self._traces.path), key="problem_id")
            if line.problem_id not in self._costs.done:  # else it was killed after this and before the trace
                self._costs.append_line(line.problem_id, line.cost)
        self._traces.append_line(line.problem_id, line.line)
        if self.watch is not None:
            self.watch(line)

    def earlier_failures(self) -> frozenset[str]:
        """The problems that failed when the run was started before: they are not done, so they are about to be tried again.

        Until each has been, its line stays, so that a run which is killed meanwhile still knows of it.
        """
        path = self.folder / FAILURES_FILE
        if not path.exists():
            return frozenset()
        with Journal(path, key="problem_id") as failures:
            self._failed_before = frozenset(failures.done)
        return self._failed_before

    def add_failure(self, problem_id: str, reason: str) -> None:
        """Note a problem that could not be done, and why: it is neither lost nor counted as done."""
        self._failures = self._failures or Journal(self.folder / FAILURES_FILE, key="problem_id")
        self._failures.append({"problem_id": problem_id, "problem": reason})
        self.failed += 1

    def take(self, file: Path) -> int:
        """Add the traces of another file that are not here yet, and return how many those were."""
        before = len(self._traces.done)
        for line in trace_lines(file):
            if line.problem_id not in self._traces.done:
                self.append_line(line)
        return len(self._traces.done) - before

    def take_shards(self) -> int:
        """Move the traces of shards into `traces.jsonl`, a shard at a time; interrupted, it goes on when called again."""
        taken = 0
        for file in trace_files(self.folder)[1:]:
            taken += self.take(file)
            file.unlink()
            costs_file(file).unlink(missing_ok=True)
        remove_empty_shards(self.folder)
        return taken

    def close(self) -> None:
        path = self.folder / FAILURES_FILE
        if self._failed_before and path.exists():  # one line stays for each problem that still has no trace: the newest
            reasons = {parse_object(line.raw)["problem_id"]: line.raw for line in whole_lines(path)}
            left = [raw for name, raw in reasons.items() if name not in self._traces.done]
            write_whole(path, b"".join(left))
            if not left:
                path.unlink()
        for file in (self._traces, self._costs, self._failures):
            if file is not None:
                file.close()

    def __exit__(self, *failure: object) -> None:
        self.close()


def read_manifest(folder: str | Path) -> JsonObject:
    """A run's manifest; a schema newer than this program knows is an error."""
    path = Path(folder) / MANIFEST_FILE
    try:
        manifest = parse_object(path.read_bytes())
    except OSError as error:
        hint = "; a folder that `evpv rank -o FOLDER` made is meant" if isinstance(error, FileNotFoundError) else ""
        raise RecordError(f"cannot be read: {error.strerror or error}{hint}", file=str(path)) from None
    except RecordError as error:
        raise RecordError(error.message, file=str(path)) from None
    if manifest.get("schema") not in _READ_VERSIONS:
        raise RecordError(f"must be {SCHEMA_VERSION}, not {manifest.get('schema')!r}", file=str(path), field="schema")
    return manifest


def _differences(part: str, stored: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    """Each setting of a part that is another, on a line of its own.

    A fit counts by its name only: what it sets stands among the method's, and on what it was measured decides nothing.
    """

    def with_named_fit(settings: Any) -> Any:
        fit = settings.get("fitted") if isinstance(settings, Mapping) else None
        return {**settings, "fitted": fit.get("name")} if isinstance(fit, Mapping) else settings

    there, here = (dict(dotted_pairs({part: with_named_fit(made.get(part))})) for made in (stored, manifest))
    told = [
        f"\n  {name.partition('.')[2]}: {_setting_text(there, name)} there, {_setting_text(here, name)} here"
        for name in dict.fromkeys((*there, *here))
        if there.get(name, _ABSENT) != here.get(name, _ABSENT)
    ]
    return ":" + "".join(told) if told else ""


def _setting_text(values: Mapping[str, Any], name: str) -> str:
    return json.dumps(values[name], ensure_ascii=False, default=str) if name in values else "nothing"
