"""Every experiment of the paper on what runs here: drawn problems, and the packs of real figures if they are there.

usage: reproduce_small.py [--problems 104] [--seed 9000] [--data DATA] [--output out/reproduce] [--limit N] [--recipe NAME …] [--publish docs/results]

Drawn problems of the test split are read, judged and ranked with the embedded default, then all experiments are run on the
stored run. On the packs the experiments that their labels allow are run: steps of VisualProcessBench, Best-of-N items,
judged captions, and the readers' constraints against gold. The mini models are run over small drawn problems, each further
--recipe over the first of the others. One page for each set, an index with what should hold and whether it does, and the figures behind it. What is
there already is not done again: a broken-off run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

EVPV = str(Path(sys.executable).with_name("evpv"))
PACKS = {
    "visualprocessbench": ("VisualProcessBench rows", None, "all"),
    "best_of_n": ("MATH-Vision problems with six models' answers", None, "all"),
    "claims": ("chart captions judged by people", 120, "plug-in,verification,corruption,gates,cost"),
    "geometry": ("Geometry3K diagrams", 100, "fidelity,cost"),
    "tables": ("TabMWP tables", 100, "fidelity,cost"),
    "charts": ("ChartQA charts", 60, "fidelity,cost"),
}
"""Pack → what it is, how many of its items, and which experiments it has the labels for."""
SMALL = ("small-tables", "small-right-triangles", "small-triangles")
RECIPE_EXPERIMENTS = "plug-in,best-of-n,verification,sensitivity,aggregations,gates,errors,fidelity,cost"
"""For models that are slow here: each of these asks the judge at most twice."""


@dataclass(slots=True)
class Made:
    """The sets that were made: name, words, minutes."""

    folder: Path
    sets: list[tuple[str, str, float]] = field(default_factory=list)

    def study(self, name: str, words: str, problems: Path, experiments: str, *options: object) -> None:
        """Rank the problems, then run the experiments on the stored run, unless their report is there."""
        started = time.perf_counter()
        place = self.folder / name
        limit = options[options.index("--limit") :][:2] if "--limit" in options else ()
        recipe = options[options.index("--recipe") :][:2] if "--recipe" in options else ()
        evpv("rank", problems, "-o", place / "run", "--on-error", "skip", *limit, *recipe)
        if not (place / "results" / "report.html").exists():
            evpv("experiment", experiments, place / "run", "-o", place / "results", *options)
        self.sets.append((name, words, (time.perf_counter() - started) / 60))


def evpv(*arguments: object) -> None:
    """Run a command as a user would; the first failure stops everything."""
    line = [str(argument) for argument in arguments]
    print(f"$ evpv {' '.join(line)}", flush=True)
    subprocess.run([EVPV, *line], check=True)


def numbers(folder: Path, name: str, experiment: str) -> dict[str, Any]:
    path = folder / name / "results" / experiment / "metrics.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def findings(folder: Path) -> list[tuple[str, str, str]]:
    """What the paper leads one to expect on the drawn problems, whether it holds, and the figures."""
    flips = [row for row in numbers(folder, "figures", "corruption")["rows"] if row["corruption, nominal ratio"].startswith("flip")]  # fmt: skip
    chosen = numbers(folder, "figures", "best-of-n")
    best = {name: 100 * chosen[name]["best_of_n"]["value"] for name in ("grounded", "paper", "judge alone")}
    shown = numbers(folder, "figures", "ablations")["figures"]
    group = {
        label: 100 * shown[name]["macro_f1"]["value"]
        for label, name in (
            ("full", "Full (EVPV + gating)"),
            ("caption-only", "w/o structured facts (caption-only)"),
            ("none", "w/o constraints (facts = ∅)"),
            ("shuffled", "w/ shuffled facts (structure corrupted)"),
        )
    }
    holds = numbers(folder, "figures", "corruption")["monotone_flip"]
    return [
        (
            "macro-F1 falls as the flip ratio rises, within bands",
            "yes" if holds else "no",
            ", ".join(f"{row['macro-F1']:.1f}" for row in flips),
        ),
        ("BoN@8: grounded ≥ paper ≥ judge alone", _falling(best), _said(best)),
        ("macro-F1: full > caption-only > none > shuffled", _falling(group), _said(group)),
    ]


def _falling(values: dict[str, float]) -> str:
    listed = list(values.values())
    return "yes" if listed == sorted(listed, reverse=True) else "no"


def _said(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in values.items())


def write_index(made: Made, command: str) -> Path:
    """The page that leads to all sets."""
    facts = f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}, Python {platform.python_version()}, {command}"
    found = findings(made.folder)
    (made.folder / "summary.json").write_text(
        json.dumps({"made": facts, "sets": made.sets, "findings": found}, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
    holds = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in found)
    sets = "".join(
        f'<tr><td><a href="{name}/results/report.html">{escape(words)}</a></td><td>{minutes:.1f}</td></tr>'
        for name, words, minutes in made.sets
    )
    page = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>evpv: reproduce-small</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse;margin:1rem 0}}td,th{{border-bottom:1px solid #ddd;padding:.35rem .8rem;text-align:left}}</style>
</head><body><h1>Every experiment, small</h1><p>{escape(facts)}</p>
<p>No 7B model and no full benchmark was run. What the paper published is marked PUBLISHED in the tables.</p>
<h2>What should hold on the drawn problems</h2><table><tr><th>expected</th><th>holds</th><th>figures (%)</th></tr>{holds}</table>
<h2>The sets</h2><table><tr><th>report</th><th>minutes</th></tr>{sets}</table></body></html>
"""
    path = made.folder / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


def publish(made: Made, folder: Path) -> None:
    """Copy tables and figures of every set to where the documentation shows them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, *_ in made.sets:
        for result in sorted((made.folder / name / "results").iterdir()):
            for file, ending in (("tables.md", "md"), ("figure.png", "png")):
                if (result / file).exists():
                    shutil.copyfile(result / file, folder / f"{name}-{result.name}.{ending}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=104)
    arguments.add_argument("--seed", type=int, default=9000)
    arguments.add_argument("--data", type=Path, default=Path(__file__).parents[1].parent / "shared" / "data")
    arguments.add_argument("--output", type=Path, default=Path("out/reproduce"))
    arguments.add_argument("--publish", type=Path, help="a folder that tables and figures are copied to")
    arguments.add_argument("--limit", type=int, help="at most so many items of each pack")
    arguments.add_argument("--recipe", action="append", default=[], help="one more recipe over the drawn problems")
    arguments.add_argument("--recipe-limit", type=int, default=52, help="so many of the problems for each of them")
    options = arguments.parse_args()
    started = time.perf_counter()
    made = Made(folder=options.output)
    drawn = options.output / "drawn"
    if not (drawn / "problems.jsonl").exists():
        evpv("figures", "-n", options.problems, "--seed", options.seed, "--split", "test", "-o", drawn)
    gold = ("--gold", drawn / "problems.jsonl")
    made.study("figures", f"{options.problems} drawn problems", drawn / "problems.jsonl", "all", *gold)
    for name, (words, limit, experiments) in PACKS.items():
        items = options.data / name / "items.jsonl"
        if not items.exists():
            print(f"{name}: not here, left out", flush=True)
            continue
        truth = ("--gold", items) if "fidelity" in experiments else ()
        most = min(one for one in (limit, options.limit, 1 << 30) if one is not None)
        made.study(name, words, items, experiments, *truth, *(("--limit", most) if most < 1 << 30 else ()))
    small = options.output / "small"
    if not (small / "problems.jsonl").exists():
        families = [word for name in SMALL for word in ("--family", name)]
        evpv("figures", "-n", options.problems, "--seed", options.seed, "--split", "test", "-o", small, *families)
    truth = ("--gold", small / "problems.jsonl", "--recipe", "mini")
    words = f"{options.problems} small drawn problems with the mini models"
    made.study("mini", words, small / "problems.jsonl", RECIPE_EXPERIMENTS, *truth)
    for recipe in options.recipe:
        limit = ("--limit", options.recipe_limit, "--recipe", recipe)
        words = f"{options.recipe_limit} drawn problems with recipe {recipe}"
        made.study(f"figures-{Path(recipe).stem}", words, drawn / "problems.jsonl", RECIPE_EXPERIMENTS, *gold, *limit)
    page = write_index(made, f"reproduce_small.py --problems {options.problems} --seed {options.seed}")
    if options.publish is not None:
        publish(made, options.publish)
    print(f"done in {(time.perf_counter() - started) / 60:.1f} minutes: {page}")


if __name__ == "__main__":
    main()
