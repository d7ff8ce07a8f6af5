"""`evpv fit`: the settings of `grounded` that have to be measured, from a labelled run of development problems."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

import evpv
from evpv.assembly import missing_extra
from evpv.cli.assess import method_of
from evpv.cli.evaluate import sheet_table, traces_of
from evpv.cli.terminal import screen
from evpv.errors import ConfigError
from evpv.records import read_manifest


def fit(
    run: Annotated[Path, typer.Argument(help="A run over labelled development problems.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The TOML file to write.")],
    split: Annotated[str | None, typer.Option(help="The split's name, where the problems do not say it.")] = None,
    data: Annotated[str, typer.Option(help="How the problems came to be, in words; kept in the file.")] = "",
    check: Annotated[Path | None, typer.Option(help="A run over other problems that the fit is held against.")] = None,
) -> None:
    """Fit the support of unread claims, the gates' τ and β, and θ; never on a test split. No model is asked."""
    try:  # here and not above, so that the other commands run without the eval extra
        from evpv.evaluation import fit_files, fitting
    except ModuleNotFoundError as error:
        raise missing_extra("evpv fit", error) from error
    if output.suffix != ".toml":
        raise ConfigError(f"-o is a .toml file that recipes can name, not {output.name!r}.")
    manifest, traces = read_manifest(run), traces_of(run)
    name, method = fit_files.named_split(traces, split), method_of(manifest)
    fitted = fitting.fit(traces, method)
    facts: dict[str, Any] = {
        "split": name,
        "data": data,
        **fit_files.provenance(traces, fitted, manifest),
        "evpv": evpv.__version__,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": f"evpv fit {'/'.join(run.parts[-2:])} -o {output.name}" + (f" --split {split}" if split else ""),
    }
    if check is not None:
        others = traces_of(check)
        sheet = fitting.held_against(traces, others, method, fitted.method)
        facts["check"] = {
            "problems": len(others),
            **{str(row[0]): fitting.cells_by_column(sheet, row) for row in sheet.rows},
        }
        screen.print(sheet_table(sheet))
    screen.print(sheet_table(fitting.fit_sheet(method, fitted)))
    if not fitted.claims:
        screen.print("No wrong step names its kind of error, so the support of unread claims stays as it was.")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(fit_files.fit_text(fitted, facts), encoding="utf-8")
    screen.print(f"fit: {output}; a recipe reads it with fitted under its method section.", soft_wrap=True)
