"""Commands over stored runs, without a model: assess again, merge, upgrade, show as a page, mend its facts."""

from __future__ import annotations

import getpass
import json
import os
import webbrowser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import filterfalse
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from evpv.assembly import Mender, missing_extra
from evpv.cli.terminal import count_lines, errors, first_items, progress, screen, settings, tell_skipped
from evpv.errors import ConfigError
from evpv.files import write_whole
from evpv.records import SCHEMA_VERSION, RunWriter, Skipped, read_manifest, read_traces
from evpv.records.corrections import Correction, read_corrections
from evpv.records.runs import MANIFEST_FILE
from evpv.records.trace_files import SHARDS, trace_files, trace_line, trace_lines
from evpv.records.traces import TRACES_FILE
from evpv.reward.method import Method, preset, settings_of, with_settings
from evpv.reward.ranking import ranking
from evpv.types import Trace
from evpv.viewer import write_run_page


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


def merge(
    runs: Annotated[list[Path], typer.Argument(help="A run whose traces are in shards, or several runs.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A run folder beside the others; without it, the one run itself."),
    ] = None,
) -> None:
    """Put the traces of shards, or of several runs made with one recipe, into one file."""
    if output is None and len(runs) > 1:
        raise ConfigError("several runs are merged into another: give -o.")
    target = output or runs[0]
    if any(run.resolve().parent != target.resolve().parent for run in runs):
        raise ConfigError("-o must stand beside the runs, because their traces name the images from there.")
    _check_ids([*runs, target])
    taken = 0
    for run in runs:
        with RunWriter(target, read_manifest(run)) as writer:
            taken += writer.take_shards()
            if run.resolve() != target.resolve():
                taken += sum(writer.take(file) for file in trace_files(run))
    screen.print(f"{taken} traces taken into {target / 'traces.jsonl'}", soft_wrap=True)


def _check_ids(runs: list[Path]) -> None:
    """Refuse runs that mean different problems by one id, as files without ids do (line-1, line-2, …): one would be lost."""
    lines: dict[str, bytes] = {}
    different: dict[str, None] = {}
    for file in {file: None for run in runs if run.exists() for file in trace_files(run) if file.exists()}:
        for line in trace_lines(file):
            digest = sha256(line.line).digest()
            if lines.setdefault(line.problem_id, digest) != digest:
                different[line.problem_id] = None
    if different:
        named = ", ".join(map(repr, list(different)[:3]))
        raise ConfigError(
            f"{len(different)} problems have different traces under one id ({named} …): nothing was merged. "
            "Give the problems ids of their own and rank them again."
        )


def upgrade(
    run: Annotated[Path, typer.Argument(help="A run folder, whichever version of evpv made it.")],
) -> None:
    """Write a run's traces in today's format; they are read in either, so this is for other programs and for good order."""
    file = run / TRACES_FILE
    manifest = read_manifest(run)
    if (run / SHARDS).is_dir():
        raise ConfigError(f"the traces of {run} are in shards: `evpv merge {run}` first.")
    draft, count = file.with_suffix(".partial"), 0
    with open(draft, "wb") as written:
        for trace in progress(read_traces(run), "upgrading", count_lines(file)):
            written.write(trace_line(_with_ties(trace), run).line)
            count += 1
    os.replace(draft, file)
    told = json.dumps({**manifest, "schema": SCHEMA_VERSION}, ensure_ascii=False, indent=2) + "\n"
    write_whole(run / MANIFEST_FILE, told)
    screen.print(f"{count} traces written in format {SCHEMA_VERSION}: {file}", soft_wrap=True, markup=False)


def _with_ties(trace: Trace) -> Trace:
    """The trace with its ties told by answers that are one answer however they are written."""
    again = ranking(trace.candidates, trace.ranking.select, trace.problem.options)
    return replace(trace, ranking=replace(trace.ranking, tied=again.tied))


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
