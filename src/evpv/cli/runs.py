"""Commands without a model: over stored runs (assess again, merge, upgrade, show as a page, mend facts), and over formats.

Formats are JSON Schemas, data sets of others in and out, drawn problems, claims against constraints.
"""

from __future__ import annotations

import getpass
import json
import os
import webbrowser
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import chain, filterfalse, islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from evpv.assembly import Corrector
from evpv.cli.options import Limit, OnError, RunFolder, settings
from evpv.cli.terminal import errors, escape_markup, progress, screen, table, tell, tell_skipped
from evpv.errors import ConfigError, unknown_name
from evpv.files import write_whole
from evpv.integrations.prediction_tables import KITS, Wish, Words, export_run
from evpv.records import SCHEMA_VERSION, Case, RunWriter, Skipped, read_cases, read_manifest, read_traces, write_records
from evpv.records.benchmarks import LAYOUTS, import_benchmark
from evpv.records.corrections import Correction, read_corrections
from evpv.records.lines import count_lines
from evpv.records.runs import MANIFEST_FILE
from evpv.records.trace_files import SHARDS, trace_files, trace_line, trace_lines
from evpv.records.traces import TRACES_FILE, match_to_json, schema_text
from evpv.reward.method import Method, preset, settings_of, with_settings
from evpv.reward.ranking import ranking
from evpv.types import VERDICTS, Match
from evpv.viewer import write_run_page
from evpv.viewer.summaries import chosen_answers


def assess(
    run: RunFolder,
    output: Annotated[Path, typer.Option("-o", "--output", help="The new run folder.")],
    preset_name: Annotated[str | None, typer.Option("--preset", help="paper or grounded; default: the run's.")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="A setting: --set sharpness=5; repeatable.")] = None,
    corrections: Annotated[Path | None, typer.Option(help="Corrected facts, as evpv edit saves them.")] = None,
    limit: Limit = None,
    on_error: OnError = "stop",
) -> None:
    """Score and rank a stored run again under another preset, setting or corrected facts. No model is asked."""
    manifest = refuse_own_folder(run, output)
    method = with_settings(preset(preset_name) if preset_name else method_of(manifest), settings(change or ()))
    made, mended = {**manifest, "method": settings_of(method)}, dict[str, list[Correction]]()
    if corrections is not None:
        mended = read_corrections(corrections)
        made["corrections"] = [one.id for one in chain(*mended.values())]
    skipped, corrector, changed = Skipped(), Corrector.of_run(manifest, method), list[bool]()
    with RunWriter(output, made) as writer:
        _check_assessment(writer, made)
        done = writer.done_ids()
        traces = islice(read_traces(run, on_error=on_error, report=skipped), limit)
        shown = progress(traces, "assessing", count_lines(run / TRACES_FILE))
        for trace in filterfalse(lambda one: one.problem_id in done, shown):
            new = corrector.trace(trace, [one.change for one in mended.get(trace.problem_id, ())])
            writer.append(new)
            changed.append(chosen_answers(new, new.ranking) != chosen_answers(trace, trace.ranking))
        strange = mended.keys() - writer.done_ids()
    if limit is None and strange:
        tell(f"corrected, but not in this run: {', '.join(sorted(strange)[:5])}", errors)
    tell_skipped(skipped)
    rows = [("another answer chosen than before", str(sum(changed))), ("already there", str(len(done)))]
    if corrections is not None:
        rows.append(("problems with corrections", str(len(mended))))
    screen.print(table(f"{len(changed)} traces assessed into {output}", (), rows))


def refuse_own_folder(run: Path, output: Path) -> dict[str, Any]:
    """The manifest of a run that another is made from; refused where the other would be the run itself."""
    if output.resolve() == run.resolve():
        raise ConfigError("the new run needs a folder of its own: -o is the run itself.")
    return read_manifest(run)


def _check_assessment(writer: RunWriter, made: dict[str, Any]) -> None:
    """Refuse a folder of another assessment, and tell what an interruption did to this one."""
    if any(writer.manifest.get(name) != made.get(name) for name in ("method", "corrections")):
        raise ConfigError(
            f"{writer.folder} holds traces that were assessed with other settings or corrections; choose another folder."
        )
    if writer.recovered:
        tell(writer.recovered, errors)


def method_of(manifest: dict[str, Any]) -> Method:
    """The method that a run was made with."""
    if "method" not in manifest:
        raise ConfigError("the run's manifest holds no method; name one with --preset.")
    return with_settings(Method(), manifest["method"])


def merge(
    runs: Annotated[list[Path], typer.Argument(help="A run whose traces are in shards, or several runs.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The new run folder, for several runs.")] = None,
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
    tell(f"{taken} traces taken into {target / 'traces.jsonl'}")


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
    run: Annotated[Path, typer.Argument(help="A run folder made by any version of evpv.")],
) -> None:
    """Rewrite a run's traces in the current format, for other programs. evpv itself reads old ones as they are."""
    file = run / TRACES_FILE
    manifest = read_manifest(run)
    if (run / SHARDS).is_dir():
        raise ConfigError(f"the traces of {run} are in shards: `evpv merge {run}` first.")
    draft, count = file.with_suffix(".partial"), 0
    with open(draft, "wb") as written:
        for trace in progress(read_traces(run), "upgrading", count_lines(file)):
            again = ranking(trace.candidates, trace.ranking.select, trace.problem.options)
            # ties are told by answers that are one answer however they are written
            written.write(trace_line(replace(trace, ranking=replace(trace.ranking, tied=again.tied)), run).line)
            count += 1
    os.replace(draft, file)
    told = json.dumps({**manifest, "schema": SCHEMA_VERSION}, ensure_ascii=False, indent=2) + "\n"
    write_whole(run / MANIFEST_FILE, told)
    tell(f"{count} traces written in format {SCHEMA_VERSION}: {file}")


def view(
    runs: Annotated[list[Path], typer.Argument(help="A run folder, or two to compare.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Default: report.html in the run.")] = None,
    embed: Annotated[bool | None, typer.Option("--embed/--link", help="Pictures in the page, or linked.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write the HTML page of a run: what was misread, where in the figure, and how that changed the ranking."""
    if len(runs) > 2:
        raise ConfigError(f"a page shows one run or compares two, not {len(runs)}.")
    page = output or runs[0] / ("report.html" if len(runs) == 1 else "compare.html")
    data = write_run_page(runs, page, embed=embed, watch=progress)
    beside = f" (keep {data.name} beside it)" if data else ""
    tell(f"page: {page}{beside}")
    if show:
        webbrowser.open(page.resolve().as_uri())


def edit(
    run: RunFolder,
    who: Annotated[str | None, typer.Option(help="The name kept with corrections. Default: your user name.")] = None,
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1; 0 is any free one.", min=0, max=65535)] = 0,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Correct what was read from the figures, in the browser, and see the ranking change. Ctrl-C ends it."""
    from evpv.server.editing import serve_editor

    def announce(address: str) -> None:
        tell(f"page: {address}")
        tell(f"corrections: {run / 'corrections.jsonl'}")
        if show:
            webbrowser.open(address)

    try:
        serve_editor(run, who or getpass.getuser(), port, announce)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def schema(name: Annotated[str, typer.Argument(help="Which format: problem, constraint or trace.")]) -> None:
    """Print the JSON Schema of a format."""
    print(schema_text(name), end="")


def import_(
    layout: Annotated[str, typer.Argument(help=f"The data set: {', '.join(LAYOUTS)}.")],
    source: Annotated[Path, typer.Argument(help="Its local file: .json, .jsonl, .tsv, .csv or .parquet.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write, a problem per line.")],
    images: Annotated[Path | None, typer.Option(help="The folder that image paths are relative to.")] = None,
    where: Annotated[list[str] | None, typer.Option(help="Only rows with this value: --where split=test.")] = None,
) -> None:
    """Read a benchmark or a result table from a local file, check its images, and write problems."""
    report = import_benchmark(layout, source, output, images=images, where=settings(where or ()))
    tell_skipped(report.skipped)
    if report.missing_images:
        shown = ", ".join(report.missing_images[:3])
        tell(f"{len(report.missing_images)} images are not there: {shown} …", errors)
    tell(f"{report.problems} problems in {output}")


_TRAINING_SETS = ("extractor-pairs", "gold", "policy-dpo", "policy-revise", "policy-sft")


def export(
    kit: Annotated[str, typer.Argument(help=f"The form to write: {', '.join([*KITS, *_TRAINING_SETS])}.")],
    run: Annotated[Path, typer.Argument(help="The run folder.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help=".tsv, .csv (vlmevalkit), .json (lmms-eval), else .jsonl.")
    ],
    words: Annotated[Words, typer.Option(help="The chosen candidate's whole text, or its answer alone.")] = "response",
    own_table: Annotated[Path | None, typer.Option("--table", help="vlmevalkit: the benchmark's own table.")] = None,
    task: Annotated[str | None, typer.Option(help="lmms-eval: the task's name.")] = None,
) -> None:
    """Write a run's chosen answers for VLMEvalKit or lmms-eval, or its corrections as training data."""
    if kit in _TRAINING_SETS:
        from evpv.integrations.training_sets import write_training_set  # opens pictures: needs the vision extra

        tell(f"{write_training_set(kit, run, output)} rows in {output}")
        return
    if kit not in KITS:
        raise unknown_name("form", kit, (*KITS, *_TRAINING_SETS))
    report = export_run(kit, run, output, Wish(words=words, table=own_table, task=task))
    if report.missing:
        tell(f"{len(report.missing)} rows have no prediction: {', '.join(report.missing[:3])} …", errors)
    if report.tied:
        first = ", ".join(report.tied[:3])
        tell(f"{len(report.tied)} are ties, of which the first in order was taken: {first} …", errors)
    tell(f"{report.predictions} predictions in {output}")


def figures(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder for problems.jsonl and images/.")],
    family: Annotated[list[str] | None, typer.Option(help="Only this family. Default: all but the small ones.")] = None,
    count: Annotated[int, typer.Option("-n", help="How many problems in all.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same problems.", min=0)] = 0,
    split: Annotated[Literal["train", "dev", "test"], typer.Option(help="Splits never share a problem.")] = "dev",
) -> None:
    """Draw problems with known truth: pictures, true constraints, and candidates with labelled steps."""
    from evpv.figures import families, small_families, write_problems

    for name in family or ():
        if name not in (*families(), *small_families()):
            raise unknown_name("figure family", name, (*families(), *small_families()))
    written = write_problems(output, family or (), count, seed, split=split)
    tell(f"{written} problems in {output / 'problems.jsonl'}")


_SHOWN = 12


def match(
    cases: Annotated[Path, typer.Argument(help='JSON lines of {"id", "claim", "constraints"}.')],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write, a match per line.")],
    preset_name: Annotated[str, typer.Option("--preset", help="paper: as published; grounded: ours.")] = "grounded",
    limit: Limit = None,
    on_error: OnError = "stop",
) -> None:
    """Check single claims against given constraints: verdict, support, the deciding constraint and why."""
    matcher, skipped = preset(preset_name).matcher, Skipped()
    counts, first = Counter[str](), dict[str, Match]()

    def match_cases(found: Iterable[Case]) -> Iterator[dict[str, object]]:
        for case in found:
            result = matcher(case.constraints)(case.claim)
            counts[result.verdict] += 1
            if len(first) < _SHOWN:
                first[case.id] = result
            told = match_to_json(result)
            yield {"id": case.id, **{name: value for name, value in told.items() if value != []}}

    asked = islice(read_cases(cases, on_error=on_error, report=skipped), limit)
    written = write_records(output, match_cases(progress(asked, "matching", count_lines(cases))))
    tell_skipped(skipped)
    shown = [(name, one.type, one.verdict, f"{one.support:.2f}", one.explanation) for name, one in first.items()]
    cells = [list(map(escape_markup, row)) for row in shown]
    screen.print(table(None, ["id", "type", "verdict", "support", "why"], cells, right=["support"]))
    totals = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
    tell(f"{written} claims: {totals} (preset {preset_name})")
