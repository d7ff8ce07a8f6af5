"""`evpv figures`: problems with known truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evpv.assembly import missing_extra
from evpv.cli.terminal import screen
from evpv.errors import unknown_name


def figures(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for problems.jsonl and images/.")],
    family: Annotated[
        list[str] | None, typer.Option(help="A family; repeat for several. Without it, all but the small ones.")
    ] = None,
    count: Annotated[int, typer.Option("-n", help="How many problems, spread over the families.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal problems.", min=0)] = 0,
    split: Annotated[Literal["train", "dev", "test"], typer.Option(help="Splits never share a problem.")] = "dev",
) -> None:
    """Make problems with pictures, gold constraints, and candidates whose every step is labelled by construction."""
    try:  # here and not above, so that the commands that draw nothing run without the vision extra
        from evpv.figures import families, small_families, write_problems
    except ModuleNotFoundError as error:
        raise missing_extra("evpv figures", error) from error
    for name in family or ():
        if name not in (*families(), *small_families()):
            raise unknown_name("figure family", name, (*families(), *small_families()))
    written = write_problems(output, family or (), count, seed, split=split)
    screen.print(f"{written} problems in {output / 'problems.jsonl'}", soft_wrap=True)
