"""Traces as a run keeps them: whole lines in `traces.jsonl` or in shards, and what each cost in a file beside.

What a problem cost (seconds, calls, answers that a store had) is another at every run. It stands apart from the trace,
so that the same recipe gives the same lines, whichever engine made them and however often it was interrupted.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from evpv.errors import RecordError
from evpv.files import write_whole
from evpv.records.lines import (
    Line,
    OnError,
    Skipped,
    convert_lines,
    json_line,
    parse_object,
    parse_own_object,
    whole_lines,
)
from evpv.records.traces import TRACES_FILE, trace_from_json, trace_to_json
from evpv.types import Trace

SHARDS = "shards"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceLine:
    """A trace as it is written: its line, and the line that says what it cost (empty where it cost nothing).

    With a `failure` it is no result: a model that was asked never answered, and the problem is to be done again.
    """

    problem_id: str
    line: bytes
    cost: bytes = b""
    failure: str | None = None


def trace_line(trace: Trace, folder: str | Path | None = None) -> TraceLine:
    """The lines of one trace, its images named from the run's `folder`, so that both can be moved together."""
    place = None if folder is None else os.fspath(folder)
    line = json_line(trace_to_json(replace(trace, cost={}), folder=place)).encode("utf-8")
    cost = json_line({"problem_id": trace.problem_id, "cost": dict(trace.cost)}).encode("utf-8") if trace.cost else b""
    return TraceLine(problem_id=trace.problem_id, line=line, cost=cost, failure=trace.failure)


def costs_file(traces: Path) -> Path:
    """Where the costs of a file of traces are: `traces.costs.jsonl` beside `traces.jsonl`."""
    return traces.with_name(f"{traces.name.removesuffix('.jsonl')}.costs.jsonl")


def trace_files(path: Path) -> list[Path]:
    """The files of a run's traces, `traces.jsonl` first; a path that is no folder is such a file itself."""
    if not path.is_dir():
        return [path]
    shards = (file for pattern in ("*.jsonl", "*.parquet") for file in (path / SHARDS).glob(pattern))
    return [path / TRACES_FILE, *sorted(file for file in shards if not file.name.endswith(".costs.jsonl"))]


def trace_lines(file: Path) -> Iterator[TraceLine]:
    """The lines of a file of traces, as they are written, for files that take them over."""
    if file.suffix == ".parquet":
        yield from _parquet_rows(file)
        return
    cost_of = _costs_of_lines(file)
    for _, raw, _ in whole_lines(file, _teller(None)):
        name = str(parse_own_object(raw)["problem_id"])
        cost = cost_of(name)
        spent = json_line({"problem_id": name, "cost": cost}).encode("utf-8") if cost else b""
        yield TraceLine(problem_id=name, line=raw if raw.endswith(b"\n") else raw + b"\n", cost=spent)


def trace_of_line(line: TraceLine, folder: str | Path) -> Trace:
    """The trace that a line holds, with what it cost; its images open from here."""
    trace = trace_from_json(parse_own_object(line.line), folder=os.fspath(folder))
    return replace(trace, cost=parse_own_object(line.cost)["cost"]) if line.cost else trace


def read_traces(path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None) -> Iterator[Trace]:
    """The traces of a file or a run folder, one at a time, with what they cost; their images open from here.

    A line that an interruption or a power failure destroyed is left out and told: in `report` if there is one, else in the log.
    A problem that is in two shards, because a machine was thought dead that was not, is given once.
    """
    return (trace for trace, _ in read_traces_with_lines(path, on_error=on_error, report=report))


def read_traces_with_lines(
    path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None
) -> Iterator[tuple[Trace, bytes]]:
    """The same traces, each with its line as it is written, for who would only write it again."""
    each = [_read_file(file, on_error, report) for file in trace_files(Path(path))]
    return each[0] if len(each) == 1 else _distinct(pair for pairs in each for pair in pairs)


def _teller(report: Skipped | None) -> Callable[[RecordError], object]:
    """Where it is told that a line was destroyed: in the report if there is one, else in the log."""
    return (lambda error: _LOG.warning("%s", error)) if report is None else report.add


def _read_file(file: Path, on_error: OnError, report: Skipped | None) -> Iterator[tuple[Trace, bytes]]:
    cost_of = _costs_of_lines(file)
    lines: Iterable[Line] = whole_lines(file, _teller(report))
    if file.suffix == ".parquet":
        rows = list(_parquet_rows(file))
        lines = [Line(number, row.line) for number, row in enumerate(rows, start=1)]
        costs = {row.problem_id: parse_object(row.cost)["cost"] for row in rows if row.cost}
        cost_of = lambda name: costs.get(name, {})  # noqa: E731
    folder = os.fspath(file.parent.parent if file.parent.name == SHARDS else file.parent)

    def convert(record: Any, line: Line) -> tuple[Trace, bytes]:
        trace = trace_from_json(record, folder=folder)
        cost = cost_of(trace.problem_id)
        return (replace(trace, cost=cost) if cost else trace), line.raw

    return convert_lines(lines, convert, file=str(file), on_error=on_error, report=report, parse=parse_own_object)


def _distinct(pairs: Iterator[tuple[Trace, bytes]]) -> Iterator[tuple[Trace, bytes]]:
    seen: set[str] = set()
    for trace, line in pairs:
        if trace.problem_id not in seen:
            seen.add(trace.problem_id)
            yield trace, line


def _costs_of_lines(file: Path) -> Callable[[str], dict[str, Any]]:
    """Finds a problem's cost. Both files are in one order, so no more than what was passed over is kept in memory."""
    beside = costs_file(file)
    lines = whole_lines(beside) if beside.exists() else iter(())
    rows = (parse_object(line.raw) for line in lines)
    passed: dict[str, dict[str, Any]] = {}

    def cost_of(name: str) -> dict[str, Any]:
        while name not in passed and (row := next(rows, None)) is not None:
            passed[str(row.get("problem_id"))] = row.get("cost") or {}
        return passed.pop(name, {})

    return cost_of


def _parquet_rows(file: Path) -> Iterator[TraceLine]:
    """The traces of a shard of that form, as they were written."""
    import pyarrow.parquet  # type: ignore[import-untyped]  # here: only runs on a cluster need it

    try:
        table = pyarrow.parquet.read_table(file, columns=["problem_id", "trace", "cost"])
    except (OSError, pyarrow.ArrowException) as error:
        raise RecordError(f"cannot be read as a shard of traces: {error}", file=str(file)) from None
    for name, line, cost in zip(*(table.column(i).to_pylist() for i in range(3)), strict=True):
        yield TraceLine(problem_id=name, line=line.encode("utf-8"), cost=cost.encode("utf-8"))


ShardForm = Literal["jsonl", "parquet"]


def write_shard(folder: Path, name: str, form: ShardForm, lines: Sequence[TraceLine]) -> None:
    """Write a shard in one piece. Whoever does the same work again writes the same name, so nothing is there twice."""
    place = folder / SHARDS
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}.{form}"
    if form == "parquet":
        _write_parquet(path, lines)
        return
    costs = b"".join(line.cost for line in lines)
    if costs:
        write_whole(costs_file(path), costs)
    write_whole(path, b"".join(line.line for line in lines))


def _write_parquet(path: Path, lines: Sequence[TraceLine]) -> None:
    """A shard whose rows are the traces' own lines as text, with id and winners as columns to look things up by."""
    import pyarrow.parquet

    text = pyarrow.string()
    columns = {"problem_id": text, "best": pyarrow.list_(text), "trace": text, "cost": text}
    rows = {
        "problem_id": [line.problem_id for line in lines],
        "best": [json.loads(line.line)["ranking"]["best"] for line in lines],
        "trace": [line.line.decode("utf-8") for line in lines],
        "cost": [line.cost.decode("utf-8") for line in lines],
    }
    draft = path.with_name(f"{path.name}.{os.getpid()}.partial")
    table = pyarrow.table(rows, schema=pyarrow.schema(list(columns.items())))
    pyarrow.parquet.write_table(table, draft, compression="zstd")
    os.replace(draft, path)


def remove_empty_shards(folder: Path) -> None:
    """Remove the shards' folder once its files were taken, with the drafts that killed machines left there."""
    for draft in (folder / SHARDS).glob("*.partial"):
        draft.unlink()
    with contextlib.suppress(OSError):  # absent, or a shard has come in between, which stays
        (folder / SHARDS).rmdir()
