"""Shards: files of a few hundred traces each, which the machines of a cluster write without asking one another."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from evpv.files import write_whole
from evpv.records.trace_files import SHARDS, TraceLine, costs_file, trace_lines

ShardForm = Literal["jsonl", "parquet"]


def write_shard(folder: Path, name: str, form: ShardForm, lines: Sequence[TraceLine]) -> None:
    """Write a shard in one piece. Whoever does the same work again writes the same name, so nothing is there twice."""
    place = folder / SHARDS
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}.{form}"
    if form == "parquet":
        from evpv.records.parquet import write_parquet  # here: only this form needs pyarrow

        write_parquet(path, lines)
        return
    costs = b"".join(line.cost for line in lines)
    if costs:
        write_whole(costs_file(path), costs)
    write_whole(path, b"".join(line.line for line in lines))


def shard_ids(file: Path) -> list[str]:
    """The problems that a shard has traces of."""
    if file.suffix == ".parquet":
        from evpv.records.parquet import parquet_ids  # here: only this form needs pyarrow

        return parquet_ids(file)
    return [line.problem_id for line in trace_lines(file)]


def remove_empty_shards(folder: Path) -> None:
    """Remove the shards' folder once its files were taken, with the drafts that killed machines left there."""
    for draft in (folder / SHARDS).glob("*.partial"):
        draft.unlink()
    with contextlib.suppress(OSError):  # absent, or a shard has come in between, which stays
        (folder / SHARDS).rmdir()
