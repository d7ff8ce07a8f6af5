"""`evpv mcp`: agents ask what a figure shows, by the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.assembly import Verifier, missing_extra
from evpv.cli.terminal import settings


def mcp(
    recipe: Annotated[str, typer.Option(help="A shipped recipe's name, or the path of your own.")] = "embedded",
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting of the recipe, key=value.")] = None,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder that pictures may be in; repeat for several. Default: here.")
    ] = None,
    transport: Annotated[Literal["stdio", "http"], typer.Option(help="How agents reach it.")] = "stdio",
    port: Annotated[int, typer.Option(help="With http: the port on 127.0.0.1.", min=1, max=65535)] = 8090,
) -> None:
    """Serve read_figure, check_claims and rank_solutions to agents; on stdio nothing but the protocol is printed."""
    try:  # here and not above, so that the other commands run without the mcp extra
        from evpv.integrations.mcp_server import create_server
    except ModuleNotFoundError as error:
        raise missing_extra("evpv mcp", error) from None
    with Verifier.from_recipe(recipe, settings(change or ())) as verifier:
        server = create_server(verifier, root or [Path.cwd()])
        if transport == "stdio":
            server.run("stdio")
        else:
            server.run("streamable-http", host="127.0.0.1", port=port)
