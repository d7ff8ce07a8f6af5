"""`evpv match`: claims against constraints, a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from evpv.cli.terminal import count_lines, first_items, progress, screen, tell_skipped
from evpv.records import Case, Skipped, read_cases, write_records
from evpv.records.traces import match_to_json
from evpv.reward.method import preset
from evpv.types import VERDICTS, Match

_SHOWN = 12


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

    asked = first_items(read_cases(cases, on_error=on_error, report=skipped), limit)
    written = write_records(output, match_cases(progress(asked, "matching", count_lines(cases))))
    tell_skipped(skipped)
    screen.print(_table(first))
    totals = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
    screen.print(f"{written} claims: {totals} (preset {preset_name})", highlight=False)


def _table(matches: dict[str, Match]) -> Table:
    """The first matches, for a look."""
    table = Table()
    for column in ("id", "type", "verdict", "support", "why"):
        table.add_column(column, justify="right" if column == "support" else "left")
    for name, one in matches.items():
        row = (name, one.type, one.verdict, f"{one.support:.2f}", one.explanation)
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    return table
