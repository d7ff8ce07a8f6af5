"""Fits the support of *missing* claims: how often a claim is right when the extractor has nothing to say of it.

usage: fit_missing.py [--problems 390] [--seed 3000] [--workers 2]

Drawn problems of the training split, read by the embedded extractor. A claim is wrong if its step has a visual error of
its own. Prints, per claim type, how often each verdict comes and how often its claims are right; the share for `missing`,
shrunk by ten imagined cases towards the share of right claims among all, goes into MISSING_SUPPORT of
premises/matching/grounded.py.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from evpv.assembly import Verifier
from evpv.figures import write_problems
from evpv.records import read_problems

IMAGINED = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=390)
    arguments.add_argument("--seed", type=int, default=3000)
    arguments.add_argument("--workers", type=int, default=2)
    options = arguments.parse_args()
    counts = Counter[tuple[str, str, bool]]()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "problems"
        write_problems(place, (), options.problems, options.seed, split="train")
        problems = list(read_problems(place / "problems.jsonl"))
        changes = {"extractor.workers": str(options.workers), "auditor.mode": "off"}
        with Verifier.from_recipe("embedded", changes) as verifier:
            for trace in track(verifier.pipeline.stream(problems), "reading", len(problems)):
                for candidate in trace.candidates:
                    for step in candidate.steps:
                        if step.match is not None and step.extra["visual"]:
                            counts[step.match.type, step.match.verdict, not misread(step.extra)] += 1
    report(counts)


def misread(extra: object) -> bool:
    """Whether a step's own look at the figure went wrong."""
    assert isinstance(extra, dict)
    return str(extra.get("error", "")).startswith("visual") and not extra.get("inherited", False)


def report(counts: Counter[tuple[str, str, bool]]) -> None:
    table = Table(title="claims by type and verdict", title_justify="left")
    for column in ("type", "verdict", "claims", "right"):
        table.add_column(column, justify="left" if column in ("type", "verdict") else "right")
    fitted = {}
    overall = sum(number for key, number in counts.items() if key[2]) / counts.total()
    for kind, verdict in sorted({key[:2] for key in counts}):
        right, wrong = counts[kind, verdict, True], counts[kind, verdict, False]
        table.add_row(kind, verdict, str(right + wrong), f"{right / (right + wrong):.3f}")
        if verdict == "missing":
            fitted[kind] = round((right + IMAGINED * overall) / (right + wrong + IMAGINED), 2)
    Console().print(table)
    print(json.dumps(fitted))


if __name__ == "__main__":
    main()
