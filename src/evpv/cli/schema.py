"""`evpv schema`: the formats as JSON Schemas."""

from __future__ import annotations

from typing import Annotated

import typer

from evpv.records.schemas import schema_text


def schema(name: Annotated[str, typer.Argument(help="problem, constraint or trace.")]) -> None:
    """Print the JSON Schema of a format."""
    print(schema_text(name), end="")
