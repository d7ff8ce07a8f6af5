"""`evpv serve` and `evpv mcp`: the service on this machine, and the same for agents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.assembly import Verifier
from evpv.cli.options import Changes, RecipeName, Workers, settings
from evpv.cli.terminal import tell
from evpv.config import load_recipe
from evpv.errors import ConfigError


def serve(
    recipe: RecipeName = "embedded",
    change: Changes = None,
    host: Annotated[str, typer.Option(help="Address to listen on; others need --keys-file.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.", min=0, max=65535)] = 8080,
    workers: Workers = None,
    keys_file: Annotated[Path | None, typer.Option(help="Require the API keys listed in this file.")] = None,
    new_key: Annotated[str | None, typer.Option(help="Create a key of this name in --keys-file, and stop.")] = None,
    limit: Annotated[list[str] | None, typer.Option(help="A limit: --limit queue=64 (docs/serving.md).")] = None,
    fetch_images: Annotated[bool, typer.Option("--fetch-images", help="Let requests name public image URLs.")] = False,
) -> None:
    """Run the HTTP service: /v1/rerank for reranker clients, and a page to try it."""
    from evpv.server.limits import add_key, limits_from, read_keys
    from evpv.server.running import Setup, run

    if new_key is not None:
        if keys_file is None:
            raise ConfigError("--new-key needs --keys-file, which it adds the key's digest to.")
        tell(add_key(keys_file, new_key))
        return
    changes = settings(change or ())
    load_recipe(recipe, changes)
    keys = read_keys(keys_file) if keys_file is not None else None
    run(
        Setup(
            recipe=recipe, changes=changes, host=host, port=port, workers=workers or os.cpu_count() or 1, keys=keys,
            limits=limits_from(settings(limit or ())), fetch_images=fetch_images,
        )
    )  # fmt: skip


def mcp(
    recipe: RecipeName = "embedded",
    change: Changes = None,
    root: Annotated[list[Path] | None, typer.Option(help="Where agents may read pictures. Default: here.")] = None,
    transport: Annotated[Literal["stdio", "http"], typer.Option(help="How agents connect.")] = "stdio",
    port: Annotated[int, typer.Option(help="With --transport http: the port on 127.0.0.1.", min=1, max=65535)] = 8090,
) -> None:
    """Run an MCP server for agents, with the tools read_figure, check_claims and rank_solutions."""
    from evpv.integrations.mcp_server import create_server

    with Verifier.from_recipe(recipe, settings(change or ())) as verifier:
        server = create_server(verifier, root or [Path.cwd()])
        if transport == "stdio":
            server.run("stdio")
        else:
            server.run("streamable-http", host="127.0.0.1", port=port)
