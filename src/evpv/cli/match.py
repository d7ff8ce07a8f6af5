"""`evpv match`: claims against constraints, a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from evpv.cli.terminal import count_lines, limited, progress, screen, tell_skipped
from evpv.records import Case, Skipped, read_cases, write_records
from evpv.reward.method import Method, preset
from evpv.types import VERDICTS


def match(
    cases: Annotated[Path, typer.Argument(help='JSON lines of {"id", "claim", "constraints"}.')],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the matches go, as JSON lines.")],
    preset_name: Annotated[
        str, typer.Option("--preset", help="paper: Appendix B to the letter; grounded: ours.")
    ] = "grounded",
    limit: Annotated[int | None, typer.Option(help="Only the first N cases.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Match claims against constraints: type, verdict, support, the constraint that decided and why."""
    method, skipped, counts = preset(preset_name), Skipped(), Counter[str]()
    found = limited(read_cases(cases, on_error=on_error, report=skipped), limit)
    total = count_lines(cases)
    written = write_records(output, _matched(progress(found, "matching", total), method, counts))
    tell_skipped(skipped)
    table = Table(title=f"{written} claims matched", title_justify="left", caption=f"preset: {preset_name}")
    table.add_column("verdict")
    table.add_column("claims", justify="right")
    for verdict in VERDICTS:
        table.add_row(verdict, str(counts[verdict]))
    screen.print(table)


def _matched(cases: Iterator[Case], method: Method, counts: Counter[str]) -> Iterator[dict[str, object]]:
    for case in cases:
        found = method.matcher(case.constraints)(case.claim)
        counts[found.verdict] += 1
        yield {
            "id": case.id,
            "type": found.type,
            "verdict": found.verdict,
            "support": found.support,
            "constraint": found.constraint,
            "explanation": found.explanation,
        }
