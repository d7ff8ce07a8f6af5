"""`evpv assess`: stored traces under another method, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from evpv.assembly import Mender
from evpv.cli.terminal import count_lines, errors, first_items, progress, screen, settings, tell_skipped
from evpv.errors import ConfigError
from evpv.records import RunWriter, Skipped, read_manifest, read_traces
from evpv.records.corrections import Correction, read_corrections
from evpv.records.traces import TRACES_FILE
from evpv.reward.method import Method, preset, settings_of, with_settings
from evpv.types import Trace


def assess(
    run: Annotated[Path, typer.Argument(help="A run folder with traces.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The new run folder.")],
    preset_name: Annotated[
        str | None, typer.Option("--preset", help="paper or grounded; without it, the run's own settings.")
    ] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="One setting of the method, e.g. --set sharpness=5.")
    ] = None,
    corrections: Annotated[
        Path | None, typer.Option(help="What people mended (`evpv edit` writes corrections.jsonl beside the run).")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N traces.", min=0)] = None,
    on_error: Annotated[Literal["stop", "skip"], typer.Option(help="What a bad line does.")] = "stop",
) -> None:
    """Assess stored traces again under another preset or setting, or with mended facts: no model is asked."""
    if output.resolve() == run.resolve():
        raise ConfigError("the new run needs a folder of its own: -o is the run itself.")
    manifest = read_manifest(run)
    method = with_settings(preset(preset_name) if preset_name else method_of(manifest), settings(change or ()))
    mended = {} if corrections is None else read_corrections(corrections)
    made = {**manifest, "method": settings_of(method), **_corrections_note(mended if corrections else None)}
    skipped = Skipped()
    with RunWriter(output, made) as writer:
        _check_folder(writer, made)
        done = writer.done_ids()
        traces = first_items(read_traces(run, on_error=on_error, report=skipped), limit)
        left = filterfalse(lambda trace: trace.problem_id in done, progress(traces, "assessing", _line_count(run)))
        changed = _assess_into(writer, left, Mender.of_run(manifest, method), mended)
        strange = mended.keys() - writer.done_ids()
    if limit is None and strange:
        errors.print(f"corrected, but not in this run: {', '.join(sorted(strange)[:5])}", markup=False)
    tell_skipped(skipped)
    table = Table(title=f"{len(changed)} traces assessed into {output}", title_justify="left", show_header=False)
    table.add_row("another winner than before", str(sum(changed)))
    table.add_row("already there", str(len(done)))
    if corrections is not None:
        table.add_row("problems with corrections", str(len(mended)))
    screen.print(table)


def _corrections_note(mended: Mapping[str, Sequence[Correction]] | None) -> dict[str, Any]:
    return {} if mended is None else {"corrections": [one.id for group in mended.values() for one in group]}


def _line_count(run: Path) -> int | None:
    return count_lines(run / TRACES_FILE)


def _check_folder(writer: RunWriter, made: dict[str, Any]) -> None:
    """Refuse a folder of another assessment, and tell what an interruption did to this one."""
    if any(writer.manifest.get(name) != made.get(name) for name in ("method", "corrections")):
        raise ConfigError(
            f"{writer.folder} holds traces that were assessed with other settings or corrections; choose another folder."
        )
    if writer.recovered:
        errors.print(writer.recovered, markup=False)


def _assess_into(
    writer: RunWriter, traces: Iterable[Trace], mender: Mender, mended: Mapping[str, Sequence[Correction]]
) -> list[bool]:
    """Append the traces assessed again; for each whether another candidate wins than before."""
    changed = []
    for trace in traces:
        new = mender.trace(trace, [one.change for one in mended.get(trace.problem_id, ())])
        writer.append(new)
        changed.append(new.ranking.best != trace.ranking.best)
    return changed


def method_of(manifest: dict[str, Any]) -> Method:
    """The method that a run was made with."""
    if "method" not in manifest:
        raise ConfigError("the run's manifest holds no method; name one with --preset.")
    return with_settings(Method(), manifest["method"])
