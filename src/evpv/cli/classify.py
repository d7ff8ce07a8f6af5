"""`evpv classify`: why wrong steps are wrong, asked of a model (Appendix D.5), for `evpv evaluate --task errors`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evpv.assembly import Builder, missing_extra
from evpv.cli.reports import Purse, with_budget
from evpv.cli.terminal import count_lines, errors, first_items, progress, screen, settings
from evpv.config import load_recipe
from evpv.errors import ConfigError
from evpv.records import RunWriter, read_manifest, read_traces
from evpv.types import TAXONOMY, CandidateTrace, Problem, Step, Trace

if TYPE_CHECKING:  # it needs the chat extra, and the other commands must run without it
    from evpv.judges.error_types import ErrorClassifier, ErrorType

_WRONG = -1


def classify(
    run: Annotated[Path, typer.Argument(help="A run folder whose steps have labels.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The new run folder, its wrong steps with error types.")
    ],
    recipe: Annotated[
        str, typer.Option(help="Whose judge's model to ask: a recipe's name, or the path of your own.")
    ] = "vllm",
    change: Annotated[list[str] | None, typer.Option("--set", help="One setting, as in `evpv rank`.")] = None,
    budget: Annotated[float | None, typer.Option(help="The most that asking may cost.", min=0)] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N traces.", min=0)] = None,
) -> None:
    """Ask a model for the kind of error of every step labelled wrong that has none yet; an unfinished run is taken up again."""
    if output.resolve() == run.resolve():
        raise ConfigError("the new run needs a folder of its own: -o is the run itself.")
    try:
        from evpv.judges.error_types import ErrorClassifier
    except ModuleNotFoundError as error:
        raise missing_extra("evpv classify", error) from error
    parts = with_budget(load_recipe(recipe, settings(change or ())), budget)
    if not isinstance(name := parts.judge.settings.get("backend"), str):
        raise ConfigError(f"the judge of the recipe {parts.name!r} asks no model, so there is none to classify errors.")
    builder, purse, counts = Builder(parts), Purse(), [0, 0]
    try:
        classifier = ErrorClassifier(backend=builder.backend(name))
        with RunWriter(output, {**read_manifest(run), "error_types": classifier.version}) as writer:
            done = writer.done_ids()
            left = (trace for trace in first_items(read_traces(run), limit) if trace.problem_id not in done)
            named = (_with_error_types(trace, classifier, counts) for trace in left)
            for trace in purse.until_spent(progress(named, "classifying", count_lines(run / "traces.jsonl"))):
                writer.append(trace)
    finally:
        builder.close()
    screen.print(f"{counts[0]} wrong steps classified, {counts[1]} not readable: {output}", soft_wrap=True)
    if counts[1]:
        errors.print("what was not readable is under `error_problem` in the step.", markup=False)
    purse.check()


def _with_error_types(trace: Trace, classifier: ErrorClassifier, counts: list[int]) -> Trace:
    """The trace with the kinds of error of its wrong steps."""
    from evpv.judges.error_types import WrongStep

    problem = trace.problem
    places = list(_wrong(problem))
    found = classifier.classify(
        [WrongStep(problem=problem, candidate=problem.candidates[c], step=s) for c, s in places]
    )
    by_place = dict(zip(places, found, strict=True))
    for one in found:
        counts[one.problem is not None] += 1
    candidates = tuple(_candidate(candidate, c, by_place) for c, candidate in enumerate(trace.candidates))
    named = replace(problem, candidates=tuple(one.candidate for one in candidates))
    return replace(trace, candidates=candidates, problem=named)


def _wrong(problem: Problem) -> Iterator[tuple[int, int]]:
    for c, candidate in enumerate(problem.candidates):
        for s, step in enumerate(candidate.steps):
            if step.label == _WRONG and step.error is None:
                yield c, s


def _candidate(candidate: CandidateTrace, c: int, found: dict[tuple[int, int], ErrorType]) -> CandidateTrace:
    steps = tuple(replace(trace, step=_step(trace.step, found.get((c, s)))) for s, trace in enumerate(candidate.steps))
    named = replace(candidate.candidate, steps=tuple(trace.step for trace in steps))
    return replace(candidate, candidate=named, steps=steps)


def _step(step: Step, kind: ErrorType | None) -> Step:
    if kind is None:
        return step
    if kind.problem is not None:
        return replace(step, extra={**step.extra, "error_problem": kind.problem, **kind.facts})
    names = {said: name for name, said in TAXONOMY.items()}
    name = names[kind.top_level or "", kind.visual_subtype]
    return replace(step, error=name, extra={**step.extra, "error_from": "model"})
