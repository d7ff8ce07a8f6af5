"""Every experiment of the paper on what runs here: drawn problems, and the packs of real figures if they are there.

usage: reproduce_small.py [--problems 104] [--seed 9000] [--data DATA] [--output out/reproduce]

Drawn problems of the test split are read, judged and ranked with the embedded default, then all experiments are run on the
stored run. On the packs (VisualProcessBench rows, Best-of-N items) the experiments that their labels allow are run, and the
readers' constraints are held against the packs' gold. One page for each set, and an index of them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

EVPV = str(Path(sys.executable).with_name("evpv"))


def evpv(*arguments: object) -> None:
    """Run a command as a user would; the first failure stops everything."""
    line = [str(argument) for argument in arguments]
    print(f"$ evpv {' '.join(line)}", flush=True)
    subprocess.run([EVPV, *line], check=True)


def drawn(folder: Path, problems: int, seed: int) -> None:
    place = folder / "figures"
    evpv("figures", "-n", problems, "--seed", seed, "--split", "test", "-o", place)
    evpv("rank", place / "problems.jsonl", "-o", place / "run")
    evpv("experiment", "all", place / "run", "-o", place / "results", "--gold", place / "problems.jsonl")
    for task in ("steps", "best-of-n", "checklist", "errors", "cost"):
        evpv("evaluate", place / "run", "--task", task, "-o", place / "results" / f"{task}.json")
    gold = place / "problems.jsonl"
    evpv(
        "evaluate", place / "run", "--task", "constraints", "--gold", gold, "-o", place / "results" / "constraints.json"
    )


def pack(folder: Path, data: Path, name: str, experiments: str) -> None:
    place, items = folder / name, data / name / "items.jsonl"
    if not items.exists():
        print(f"{name}: not here ({items.parent.name} is absent), left out", flush=True)
        return
    evpv("rank", items, "-o", place / "run", "--on-error", "skip")
    evpv("experiment", experiments, place / "run", "-o", place / "results")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=104)
    arguments.add_argument("--seed", type=int, default=9000)
    arguments.add_argument("--data", type=Path, default=Path(__file__).parents[1].parent / "shared" / "data")
    arguments.add_argument("--output", type=Path, default=Path("out/reproduce"))
    options = arguments.parse_args()
    started = time.perf_counter()
    options.output.mkdir(parents=True, exist_ok=True)
    drawn(options.output, options.problems, options.seed)
    pack(options.output, options.data, "visualprocessbench", "plug-in,gates")
    pack(options.output, options.data, "best_of_n", "best-of-n,aggregations,gates")
    print(f"done in {(time.perf_counter() - started) / 60:.1f} minutes: {options.output}")


if __name__ == "__main__":
    main()
