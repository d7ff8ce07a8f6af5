"""Commands over formats: JSON Schemas, data sets of others in and out, drawn problems, claims against constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.cli.options import Limit, OnError, settings
from evpv.cli.terminal import errors, escape_markup, progress, screen, table, tell, tell_skipped
from evpv.errors import unknown_name
from evpv.integrations.prediction_tables import KITS, Wish, Words, export_run
from evpv.records import Case, Skipped, read_cases, write_records
from evpv.records.benchmarks import LAYOUTS, import_benchmark
from evpv.records.lines import count_lines
from evpv.records.traces import match_to_json, schema_text
from evpv.reward.method import preset
from evpv.types import VERDICTS, Match


def schema(name: Annotated[str, typer.Argument(help="Which format: problem, constraint or trace.")]) -> None:
    """Print the JSON Schema of a format."""
    print(schema_text(name), end="")


def import_(
    layout: Annotated[str, typer.Argument(help=f"The data set: {', '.join(LAYOUTS)}.")],
    source: Annotated[Path, typer.Argument(help="Its local file: .json, .jsonl, .tsv, .csv or .parquet.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write, a problem per line.")],
    images: Annotated[Path | None, typer.Option(help="The folder that image paths are relative to.")] = None,
    where: Annotated[list[str] | None, typer.Option(help="Only rows with this value: --where split=test.")] = None,
) -> None:
    """Read a benchmark or a result table from a local file, check its images, and write problems."""
    report = import_benchmark(layout, source, output, images=images, where=settings(where or ()))
    tell_skipped(report.skipped)
    if report.missing_images:
        shown = ", ".join(report.missing_images[:3])
        tell(f"{len(report.missing_images)} images are not there: {shown} …", errors)
    tell(f"{report.problems} problems in {output}")


_TRAINING_SETS = ("extractor-pairs", "gold", "policy-dpo", "policy-revise", "policy-sft")


def export(
    kit: Annotated[str, typer.Argument(help=f"The form to write: {', '.join([*KITS, *_TRAINING_SETS])}.")],
    run: Annotated[Path, typer.Argument(help="The run folder.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help=".tsv, .csv (vlmevalkit), .json (lmms-eval), else .jsonl.")
    ],
    words: Annotated[Words, typer.Option(help="The chosen candidate's whole text, or its answer alone.")] = "response",
    own_table: Annotated[Path | None, typer.Option("--table", help="vlmevalkit: the benchmark's own table.")] = None,
    task: Annotated[str | None, typer.Option(help="lmms-eval: the task's name.")] = None,
) -> None:
    """Write a run's chosen answers for VLMEvalKit or lmms-eval, or its corrections as training data."""
    if kit in _TRAINING_SETS:
        from evpv.integrations.training_sets import write_training_set  # opens pictures: needs the vision extra

        tell(f"{write_training_set(kit, run, output)} rows in {output}")
        return
    if kit not in KITS:
        raise unknown_name("form", kit, (*KITS, *_TRAINING_SETS))
    report = export_run(kit, run, output, Wish(words=words, table=own_table, task=task))
    if report.missing:
        tell(f"{len(report.missing)} rows have no prediction: {', '.join(report.missing[:3])} …", errors)
    if report.tied:
        first = ", ".join(report.tied[:3])
        tell(f"{len(report.tied)} are ties, of which the first in order was taken: {first} …", errors)
    tell(f"{report.predictions} predictions in {output}")


def figures(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for problems.jsonl and images/.")],
    family: Annotated[list[str] | None, typer.Option(help="Only this family. Default: all but the small ones.")] = None,
    count: Annotated[int, typer.Option("-n", help="How many problems in all.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same problems.", min=0)] = 0,
    split: Annotated[Literal["train", "dev", "test"], typer.Option(help="Splits never share a problem.")] = "dev",
) -> None:
    """Draw problems with known truth: pictures, true constraints, and candidates with labelled steps."""
    from evpv.figures import families, small_families, write_problems

    for name in family or ():
        if name not in (*families(), *small_families()):
            raise unknown_name("figure family", name, (*families(), *small_families()))
    written = write_problems(output, family or (), count, seed, split=split)
    tell(f"{written} problems in {output / 'problems.jsonl'}")


_SHOWN = 12


def match(
    cases: Annotated[Path, typer.Argument(help='JSON lines of {"id", "claim", "constraints"}.')],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write, a match per line.")],
    preset_name: Annotated[str, typer.Option("--preset", help="paper: as published; grounded: ours.")] = "grounded",
    limit: Limit = None,
    on_error: OnError = "stop",
) -> None:
    """Check single claims against given constraints: verdict, support, the deciding constraint and why."""
    matcher, skipped = preset(preset_name).matcher, Skipped()
    counts, first = Counter[str](), dict[str, Match]()

    def match_cases(found: Iterable[Case]) -> Iterator[dict[str, object]]:
        for case in found:
            result = matcher(case.constraints)(case.claim)
            counts[result.verdict] += 1
            if len(first) < _SHOWN:
                first[case.id] = result
            told = match_to_json(result)
            yield {"id": case.id, **{name: value for name, value in told.items() if value != []}}

    asked = islice(read_cases(cases, on_error=on_error, report=skipped), limit)
    written = write_records(output, match_cases(progress(asked, "matching", count_lines(cases))))
    tell_skipped(skipped)
    shown = [(name, one.type, one.verdict, f"{one.support:.2f}", one.explanation) for name, one in first.items()]
    cells = [list(map(escape_markup, row)) for row in shown]
    screen.print(table(None, ["id", "type", "verdict", "support", "why"], cells, right=["support"]))
    totals = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
    tell(f"{written} claims: {totals} (preset {preset_name})")
