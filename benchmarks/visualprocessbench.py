"""Step macro-F1 on VisualProcessBench rows, as PEERS of the field compute it.

usage: visualprocessbench.py ITEMS.jsonl [--recipe embedded]

Neutral steps (label 0) are dropped, all wrong steps count, counts are pooled over sources. A step is called right if its
reward is above the decision threshold 0, which is fixed, not tuned. Steps without a reward count as wrong calls for both
classes and are reported. Prints a table and, as its last line, one JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evpv.assembly import Verifier
from evpv.records import read_problems


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("items", type=Path)
    arguments.add_argument("--recipe", nargs="*", default=["judge-alone", "paper", "embedded"])
    options = arguments.parse_args()
    table = Table(title=f"VisualProcessBench rows of {options.items.parent.name}", title_justify="left")
    for column in ("recipe", "steps", "F1 right", "F1 wrong", "macro-F1", "without reward"):
        table.add_column(column, justify="left" if column == "recipe" else "right")
    result = {}
    for name in options.recipe:
        counts = called(options.items, name)
        right = f1(counts[True, 1], counts[True, -1], counts[False, 1] + counts[None, 1])
        wrong = f1(counts[False, -1], counts[False, 1], counts[True, -1] + counts[None, -1])
        unknown = counts[None, 1] + counts[None, -1]
        result[name] = round((right + wrong) / 2, 4)
        table.add_row(name, str(counts.total()), f"{right:.3f}", f"{wrong:.3f}", f"{result[name]:.3f}", str(unknown))
    Console().print(table)
    print(json.dumps(result))


def called(items: Path, recipe: str) -> Counter[tuple[bool | None, int]]:
    """How often steps of each label were called right, wrong or nothing."""
    counts = Counter[tuple[bool | None, int]]()
    with Verifier.from_recipe(recipe) as verifier:
        for trace in verifier.pipeline.stream(read_problems(items)):
            for step in (step for candidate in trace.candidates for step in candidate.steps):
                if step.extra["label"] != 0:
                    counts[None if step.reward is None else step.reward > 0, step.extra["label"]] += 1
    return counts


def f1(hits: int, false_alarms: int, misses: int) -> float:
    return 2 * hits / (2 * hits + false_alarms + misses) if hits else 0.0


if __name__ == "__main__":
    main()
