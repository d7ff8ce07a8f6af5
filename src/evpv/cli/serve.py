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
    host: Annotated[str, typer.Option(help="Where to listen; anywhere but here it takes --keys-file.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 is any free one.", min=0, max=65535)] = 8080,
    workers: Workers = None,
    keys_file: Annotated[Path | None, typer.Option(help="Who may ask: names and digests of keys.")] = None,
    new_key: Annotated[str | None, typer.Option(help="Make a key with this name, add it to --keys-file, stop.")] = None,
    limit: Annotated[list[str] | None, typer.Option(help="One limit, e.g. --limit queue=64 (docs/serving.md).")] = None,
    fetch_images: Annotated[bool, typer.Option("--fetch-images", help="Fetch images from public addresses.")] = False,
) -> None:
    """Serve rankings over HTTP: /v1/rerank as reranker clients know it, and a page to try it with."""
    from evpv.server.limits import add_key, limits_from, read_keys
    from evpv.server.running import Setup, run

    if new_key is not None:
        if keys_file is None:
            raise ConfigError("--new-key needs --keys-file, which it adds the key's digest to.")
        tell(add_key(keys_file, new_key))
        return
    changes = settings(change or ())
    load_recipe(recipe, changes)
    run(
        Setup(
            recipe=recipe,
            changes=changes,
            host=host,
            port=port,
            workers=workers or os.cpu_count() or 1,
            keys=read_keys(keys_file) if keys_file is not None else None,
            limits=limits_from(settings(limit or ())),
            fetch_images=fetch_images,
        )
    )


def mcp(
    recipe: RecipeName = "embedded",
    change: Changes = None,
    root: Annotated[list[Path] | None, typer.Option(help="A folder that pictures may be in; without it, here.")] = None,
    transport: Annotated[Literal["stdio", "http"], typer.Option(help="How agents reach it.")] = "stdio",
    port: Annotated[int, typer.Option(help="With http: the port on 127.0.0.1.", min=1, max=65535)] = 8090,
) -> None:
    """Serve read_figure, check_claims and rank_solutions to agents; on stdio nothing but the protocol is printed."""
    from evpv.integrations.mcp_server import create_server

    with Verifier.from_recipe(recipe, settings(change or ())) as verifier:
        server = create_server(verifier, root or [Path.cwd()])
        if transport == "stdio":
            server.run("stdio")
        else:
            server.run("streamable-http", host="127.0.0.1", port=port)
