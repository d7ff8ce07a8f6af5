"""`evpv upgrade`: a run's traces in today's format, in place."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import count_lines, progress, screen
from evpv.errors import ConfigError
from evpv.files import write_whole
from evpv.records import SCHEMA_VERSION, read_manifest, read_traces
from evpv.records.runs import MANIFEST_FILE
from evpv.records.trace_files import SHARDS, trace_line
from evpv.records.traces import TRACES_FILE
from evpv.reward.ranking import ranking
from evpv.types import Trace


def upgrade(
    run: Annotated[Path, typer.Argument(help="A run folder, whichever version of evpv made it.")],
) -> None:
    """Write a run's traces in today's format; they are read in either, so this is for other programs and for good order."""
    file = run / TRACES_FILE
    manifest = read_manifest(run)
    if (run / SHARDS).is_dir():
        raise ConfigError(f"the traces of {run} are in shards: `evpv merge {run}` first.")
    draft, count = file.with_suffix(".partial"), 0
    with open(draft, "wb") as written:
        for trace in progress(read_traces(run), "upgrading", count_lines(file)):
            written.write(trace_line(_with_ties(trace), run).line)
            count += 1
    os.replace(draft, file)
    told = json.dumps({**manifest, "schema": SCHEMA_VERSION}, ensure_ascii=False, indent=2) + "\n"
    write_whole(run / MANIFEST_FILE, told)
    screen.print(f"{count} traces written in format {SCHEMA_VERSION}: {file}", soft_wrap=True, markup=False)


def _with_ties(trace: Trace) -> Trace:
    """The trace with its ties told by answers that are one answer however they are written."""
    again = ranking(trace.candidates, trace.ranking.select, trace.problem.options)
    return replace(trace, ranking=replace(trace.ranking, tied=again.tied))
