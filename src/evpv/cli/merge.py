"""`evpv merge`: traces in shards, or of several runs, put into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import screen
from evpv.errors import ConfigError
from evpv.records import RunWriter, read_manifest
from evpv.records.trace_files import trace_files


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
    taken = 0
    for run in runs:
        with RunWriter(target, read_manifest(run)) as writer:
            taken += writer.take_shards()
            if run.resolve() != target.resolve():
                taken += sum(writer.take(file) for file in trace_files(run))
    screen.print(f"{taken} traces taken into {target / 'traces.jsonl'}", soft_wrap=True)
