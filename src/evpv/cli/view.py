"""`evpv view`: a run, or two side by side, as a page to open or to send to a colleague."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from evpv.cli.terminal import progress, screen
from evpv.errors import ConfigError
from evpv.viewer import write_run_page


def view(
    runs: Annotated[list[Path], typer.Argument(help="A run folder, or two to compare.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The page; without it, report.html (or compare.html) in the first run."),
    ] = None,
    embed: Annotated[
        bool | None,
        typer.Option(
            "--embed/--link", help="Pictures inside the page, or linked; without it, inside if the run is small."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write the page that shows why: what was misread, where in the picture, and what that did to the ranking."""
    if len(runs) > 2:
        raise ConfigError(f"a page shows one run or compares two, not {len(runs)}.")
    page = output or runs[0] / ("report.html" if len(runs) == 1 else "compare.html")
    data = write_run_page(runs, page, embed=embed, watch=progress)
    beside = f" (keep {data.name} beside it)" if data else ""
    screen.print(f"page: {page}{beside}", soft_wrap=True, highlight=False, markup=False)
    if show:
        webbrowser.open(page.resolve().as_uri())
