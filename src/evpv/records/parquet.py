"""Shards of traces as Parquet: the trace's own line as text, with its id and winners as columns to look things up by."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]

from evpv.errors import RecordError
from evpv.records.trace_files import TraceLine

_COLUMNS = pyarrow.schema(
    [
        ("problem_id", pyarrow.string()),
        ("best", pyarrow.list_(pyarrow.string())),
        ("trace", pyarrow.string()),
        ("cost", pyarrow.string()),
    ]
)


def write_parquet(path: Path, lines: Sequence[TraceLine]) -> None:
    """Write a shard in one piece: under another name, then moved."""
    rows = {
        "problem_id": [line.problem_id for line in lines],
        "best": [json.loads(line.line)["ranking"]["best"] for line in lines],
        "trace": [line.line.decode("utf-8") for line in lines],
        "cost": [line.cost.decode("utf-8") for line in lines],
    }
    draft = path.with_name(f"{path.name}.{os.getpid()}.partial")
    pyarrow.parquet.write_table(pyarrow.table(rows, schema=_COLUMNS), draft, compression="zstd")
    os.replace(draft, path)


def read_parquet(path: Path) -> Iterator[TraceLine]:
    """The traces of a shard, as they were written."""
    try:
        table = pyarrow.parquet.read_table(path, columns=["problem_id", "trace", "cost"])
    except (OSError, pyarrow.ArrowException) as error:
        raise RecordError(f"cannot be read as a shard of traces: {error}", file=str(path)) from None
    for name, line, cost in zip(*(table.column(i).to_pylist() for i in range(3)), strict=True):
        yield TraceLine(problem_id=name, line=line.encode("utf-8"), cost=cost.encode("utf-8"))


def parquet_ids(path: Path) -> list[str]:
    """The problems of a shard."""
    names: list[str] = pyarrow.parquet.read_table(path, columns=["problem_id"]).column(0).to_pylist()
    return names
