"""`evpv merge`: traces in shards, or of several runs, put into one file."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import screen
from evpv.errors import ConfigError
from evpv.records import RunWriter, read_manifest
from evpv.records.trace_files import trace_files, trace_lines


def merge(
    runs: Annotated[list[Path], typer.Argument(help="A run whose traces are in shards, or several runs.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A run folder beside the others; without it, the one run itself."),
    ] = None,
) -> None:
    """Put the traces of shards, or of several runs made with one recipe, into one file."""
    if output is None and len(runs) > 1:
        raise ConfigError("several runs are merged into another: give -o.")
    target = output or runs[0]
    if any(run.resolve().parent != target.resolve().parent for run in runs):
        raise ConfigError("-o must stand beside the runs, because their traces name the images from there.")
    _check_ids([*runs, target])
    taken = 0
    for run in runs:
        with RunWriter(target, read_manifest(run)) as writer:
            taken += writer.take_shards()
            if run.resolve() != target.resolve():
                taken += sum(writer.take(file) for file in trace_files(run))
    screen.print(f"{taken} traces taken into {target / 'traces.jsonl'}", soft_wrap=True)


def _check_ids(runs: list[Path]) -> None:
    """Refuse runs that mean different problems by one id, as files without ids do (line-1, line-2, …): one would be lost."""
    lines: dict[str, bytes] = {}
    different: dict[str, None] = {}
    for file in {file: None for run in runs if run.exists() for file in trace_files(run) if file.exists()}:
        for line in trace_lines(file):
            digest = sha256(line.line).digest()
            if lines.setdefault(line.problem_id, digest) != digest:
                different[line.problem_id] = None
    if different:
        named = ", ".join(map(repr, list(different)[:3]))
        raise ConfigError(
            f"{len(different)} problems have different traces under one id ({named} …): nothing was merged. "
            "Give the problems ids of their own and rank them again."
        )
