"""The main job on drawn problems with known truth: what the premise check adds to a judge.

usage: main_job.py [--problems 500] [--seed 1000] [--mini]

Fresh problems of the test split, eight candidates each, base judge `checks`; with --mini small figures, read by the mini
extractor and judged by the mini verifier. Step macro-F1 (neutral steps do not occur; a
step counts as called right if its reward is above the decision threshold 0) and BoN@8 (a tie is worth the share of right
candidates in it), with 95 % bootstrap intervals over problems. Figures are read once; every variant but the gold one
re-assesses those traces. Prints a table and, as its last line, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from evpv.assembly import Verifier
from evpv.evaluation.step_metrics import Counts, counts_of, macro_f1, step_outcomes
from evpv.evaluation.uncertainty import bootstrap, mean_of_first
from evpv.figures import small_families, write_problems
from evpv.premises.auditing import audit, checklist_metrics
from evpv.records import read_problems
from evpv.types import Candidate, Problem, Trace

Variants = dict[str, tuple[str, dict[str, str]]]
"""What a row of the table is called → the recipe, and what is changed in it."""


def embedded_variants() -> Variants:
    return {
        "judge alone": ("judge-alone", {}),
        "paper": ("paper", {}),
        "grounded": ("embedded", {}),
        "grounded, gold constraints": ("given", {}),
    }


def mini_variants() -> Variants:
    """The verifier always has the extractor's facts in its prefix, as in training; the gate is what varies."""
    return {
        "checks alone": ("judge-alone", {}),
        "verifier alone": ("mini", {"method.gate": "off"}),
        "paper": ("mini", {"method.preset": "paper"}),
        "grounded": ("mini", {"method.preset": "grounded"}),
        "grounded, gold constraints": ("given", {"judge.use": "verifier", "judge.model": "evpv:mini-verifier"}),
    }


def step_counts(trace: Trace) -> Counts:
    """How the steps of one problem were called, at the decision threshold 0."""
    return counts_of(step_outcomes([trace]), 0.0)


def chosen_right(problem: Problem, trace: Trace) -> float:
    right = {candidate.id: bool(candidate.correct) for candidate in problem.candidates}
    return sum(right[name] for name in trace.ranking.best) / len(trace.ranking.best)


def auditor_figures(problems: Sequence[Problem]) -> dict[str, float | None]:
    """Appendix F's metrics of the auditor's own flags, the policy's being hidden from it."""
    flags, truth = [], []
    for problem in problems:
        for candidate in problem.candidates:
            bare = hidden(candidate)
            flags += [found.visual for found in audit(bare, problem.question)]
            truth += [bool(step.visual) for step in candidate.steps]
    found = checklist_metrics(flags, truth)
    return {"auditor_completeness": found.completeness, "auditor_false_positives": found.false_positive_rate}


def hidden(candidate: Candidate) -> Candidate:
    """The candidate as free text: without the claims that its policy stated."""
    return replace(candidate, steps=tuple(replace(step, claim=None) for step in candidate.steps))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1000)
    arguments.add_argument("--mini", action="store_true", help="the two mini models on small figures")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "problems"
        families = small_families() if options.mini else ()
        write_problems(place, families, options.problems, options.seed, split="test")
        problems = list(read_problems(place / "problems.jsonl"))
        started = time.perf_counter()
        variants = mini_variants() if options.mini else embedded_variants()
        traces = {
            name: list(track(Verifier.from_recipe(recipe, changes).pipeline.stream(problems), name, len(problems)))
            for name, (recipe, changes) in variants.items()
        }
        seconds = time.perf_counter() - started
    report(problems, traces, seconds)


def report(problems: Sequence[Problem], traces: dict[str, list[Trace]], seconds: float) -> None:
    table = Table(title=f"{len(problems)} fresh problems × 8 candidates", title_justify="left")
    for column in ("variant", "step macro-F1", "95 %", "BoN@8", "95 %"):
        table.add_column(column, justify="left" if column == "variant" else "right")
    result: dict[str, object] = {"problems": len(problems), "seconds": round(seconds, 1)}
    for name, found in traces.items():
        steps = bootstrap(np.array([step_counts(trace) for trace in found]), macro_f1)
        picks = bootstrap([(chosen_right(*pair), 1.0) for pair in zip(problems, found, strict=True)], mean_of_first)
        table.add_row(
            name, *(cell for one in (steps, picks) for cell in (f"{one.value:.3f}", f"{one.low:.3f}–{one.high:.3f}"))
        )
        key = name.replace(", ", "_").replace(" ", "_")
        result[f"{key}_macro_f1"], result[f"{key}_bon8"] = round(steps.value, 4), round(picks.value, 4)
    result |= auditor_figures(problems)
    by_family(problems, traces["grounded"], table)
    Console().print(table)
    print(json.dumps(result))


def by_family(problems: Sequence[Problem], traces: Sequence[Trace], table: Table) -> None:
    """The default's figures family by family, below the totals."""
    table.add_section()
    families: dict[str, list[tuple[Problem, Trace]]] = {}
    for problem, trace in zip(problems, traces, strict=True):
        families.setdefault(str(problem.data_source or problem.id.rsplit("-", 1)[0]), []).append((problem, trace))
    for family, pairs in sorted(families.items()):
        rows = sum(step_counts(trace) for _, trace in pairs)
        picks = [chosen_right(*pair) for pair in pairs]
        table.add_row(f"grounded: {family}", f"{macro_f1(rows):.3f}", "", f"{sum(picks) / len(picks):.3f}", "")


if __name__ == "__main__":
    main()
