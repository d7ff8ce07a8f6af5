"""`evpv export`: a run's chosen answers for an evaluation kit, or what was mended in it as training data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import errors, screen
from evpv.integrations.prediction_tables import KITS, Wish, Words, export_run

_TRAINING_SETS = ("extractor-pairs", "gold", "policy-dpo", "policy-revise", "policy-sft")


def export(
    kit: Annotated[str, typer.Argument(help=f"Which form: {', '.join([*KITS, *_TRAINING_SETS])}.")],
    run: Annotated[Path, typer.Argument(help="The run folder.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Where it goes: .tsv or .csv for vlmevalkit, .json for lmms-eval.")
    ],
    words: Annotated[
        Words, typer.Option(help="All that the chosen candidate says, or its final answer alone.")
    ] = "response",
    table: Annotated[
        Path | None, typer.Option(help="vlmevalkit: the kit's own table, whose rows and columns are kept.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="lmms-eval: the name of the task.")] = None,
) -> None:
    """Write chosen answers so that VLMEvalKit or lmms-eval can score them, or what was mended so that models learn it."""
    if kit in _TRAINING_SETS:
        from evpv.integrations.training_sets import write_training_set  # opens pictures: needs the vision extra

        rows = write_training_set(kit, run, output)
        screen.print(f"{rows} rows in {output}", soft_wrap=True, highlight=False)
        return
    report = export_run(kit, run, output, Wish(words=words, table=table, task=task))
    if report.missing:
        errors.print(f"{len(report.missing)} rows have no prediction: {', '.join(report.missing[:3])} …", markup=False)
    if report.tied:
        said = f"{len(report.tied)} are ties, of which the first in order was taken: {', '.join(report.tied[:3])} …"
        errors.print(said, markup=False)
    screen.print(f"{report.predictions} predictions in {output}", soft_wrap=True, highlight=False)
