"""`evpv edit`: a run's page whose facts can be mended, served on this machine alone."""

from __future__ import annotations

import getpass
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from evpv.assembly import missing_extra
from evpv.cli.terminal import screen


def edit(
    run: Annotated[Path, typer.Argument(help="A run folder with traces.")],
    who: Annotated[str | None, typer.Option(help="Whose corrections these are; without it, your user name.")] = None,
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1; 0 is any free one.", min=0, max=65535)] = 0,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Mend what was read: change, delete or add facts on the page, and see the ranking follow; Ctrl-C ends it."""
    try:  # here and not above, so that the other commands run without the server extra
        from evpv.server.editing import serve_editor
    except ModuleNotFoundError as error:
        raise missing_extra("evpv edit", error) from None

    def announce(address: str) -> None:
        screen.print(f"page: {address}", soft_wrap=True, highlight=False, markup=False)
        screen.print(f"corrections: {run / 'corrections.jsonl'}", soft_wrap=True, highlight=False, markup=False)
        if show:
            webbrowser.open(address)

    try:
        serve_editor(run, who or getpass.getuser(), port, announce)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
