"""A run folder: `manifest.json` and an append-only `traces.jsonl`, resumable by problem id.

A trace counts once its line is whole. An interrupted run may leave a torn last line: it is cut off when the run is
resumed, and its problem is done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from evpv.errors import RecordError
from evpv.records.lines import JsonObject, json_line, numbered_lines, parse_object
from evpv.records.traces import TRACES_FILE, is_torn, trace_to_json
from evpv.types import Trace

MANIFEST_FILE = "manifest.json"
SCHEMA_VERSION = 1
"""The version of the formats in docs/formats.md; it goes up when a reader of the old ones would misread the new."""


class RunWriter:
    """Appends traces to a run folder, one whole line at a time, and knows which problems are done.

    `recovered` says what was cut off when an interrupted run was opened again, None if nothing was.
    """

    def __init__(self, folder: str | Path, manifest: Mapping[str, Any]):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.manifest = _settle_manifest(self.folder, manifest)
        self._path = self.folder / TRACES_FILE
        self._path.touch()
        self.recovered, self._done = _recover(self._path)
        self._handle = open(self._path, "ab")  # noqa: SIM115 - closed by close()

    def done_ids(self) -> frozenset[str]:
        """The problems that have a trace in this run."""
        return frozenset(self._done)

    def append(self, trace: Trace) -> None:
        """Add one trace and hand it to the system, so that a crash of this program does not lose it."""
        if trace.problem_id in self._done:
            raise RecordError(f"there is a trace of {trace.problem_id!r} already", file=str(self._path))
        self._handle.write(json_line(trace_to_json(trace)).encode("utf-8"))
        self._handle.flush()
        self._done.add(trace.problem_id)

    def close(self) -> None:
        self._handle.close()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_manifest(folder: str | Path) -> JsonObject:
    """A run's manifest; a schema newer than this program knows is an error."""
    path = Path(folder) / MANIFEST_FILE
    try:
        manifest = parse_object(path.read_bytes())
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
    except RecordError as error:
        raise RecordError(error.message, file=str(path)) from None
    if manifest.get("schema") != SCHEMA_VERSION:
        raise RecordError(f"must be {SCHEMA_VERSION}, not {manifest.get('schema')!r}", file=str(path), field="schema")
    return manifest


def _settle_manifest(folder: Path, manifest: Mapping[str, Any]) -> JsonObject:
    """The stored manifest if the run exists and was made the same way, else the new one, stored."""
    path = folder / MANIFEST_FILE
    if path.exists():
        stored = read_manifest(folder)
        if stored.get("fingerprint") != manifest.get("fingerprint"):
            raise RecordError(
                "the run here was made with another recipe; choose another folder", file=str(path), field="fingerprint"
            )
        return stored
    settled = {**manifest, "schema": SCHEMA_VERSION}
    partial = path.with_suffix(".partial")
    json_line(settled)  # what cannot be written is refused before there is a file
    partial.write_text(json.dumps(settled, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    os.replace(partial, path)
    return settled


def _recover(path: Path) -> tuple[str | None, set[str]]:
    """Cut off a torn last line, end a whole one that lacks its line end, and collect the ids that are done."""
    done: set[str] = set()
    number, raw = 0, b"\n"
    for number, raw in numbered_lines(path):
        if is_torn(raw):
            os.truncate(path, path.stat().st_size - len(raw))
            return f"line {number} was torn off by an interruption and is cut away", done
        done.add(_problem_id(path, number, raw))
    if not raw.endswith(b"\n"):
        with open(path, "ab") as handle:
            handle.write(b"\n")
    return None, done


def _problem_id(path: Path, number: int, raw: bytes) -> str:
    try:
        problem_id = parse_object(raw).get("problem_id")
    except RecordError as error:
        raise RecordError(error.message, file=str(path), line=number, field=error.field) from None
    if not isinstance(problem_id, str):
        raise RecordError("must be a string", file=str(path), line=number, field="problem_id")
    return problem_id
