"""`evpv import`: other people's data sets as problems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import errors, screen, settings, tell_skipped
from evpv.records.benchmarks import LAYOUTS, import_benchmark


def import_(
    layout: Annotated[str, typer.Argument(help=f"The data set's form: {', '.join(LAYOUTS)}.")],
    source: Annotated[Path, typer.Argument(help="Its local file: .json, .jsonl, .tsv, .csv or .parquet.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the problems go, as JSON lines.")],
    images: Annotated[Path | None, typer.Option(help="The folder that image paths are relative to.")] = None,
    where: Annotated[
        list[str] | None, typer.Option(help='Keep rows with a value, e.g. --where "problem_version=Vision Only".')
    ] = None,
) -> None:
    """Read a benchmark or a result table from a local file, check its images, and write problems."""
    report = import_benchmark(layout, source, output, images=images, where=settings(where or ()))
    tell_skipped(report.skipped)
    if report.missing_images:
        shown = ", ".join(report.missing_images[:3])
        errors.print(f"{len(report.missing_images)} images are not there: {shown} …", markup=False, soft_wrap=True)
    screen.print(f"{report.problems} problems in {output}", soft_wrap=True)
