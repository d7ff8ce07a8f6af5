"""Draw the held-out curves of training runs: python scripts/plot_training.py RUN... -o curves.png

A run is a folder with `training.json`, or a text file in which a trainer's lines were kept.
"""

from __future__ import annotations

import argparse
import ast
import json
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

SHOWN = ("characters", "roles", "values", "facts", "exact", "auroc", "ece", "macro_f1", "rewards/accuracies", "loss")


def log_of(run: Path) -> list[dict[str, Any]]:
    """The lines that have a step and a number worth showing."""
    if run.is_dir():
        report = json.loads((run / "training.json").read_text(encoding="utf-8"))
        return [*report.get("reading_log", []), *report.get("log", [])]
    found = []
    for line in run.read_text(encoding="utf-8").splitlines():
        if line.startswith("{") and '"step"' in line.replace("'", '"'):
            found.append(ast.literal_eval(line))
    return found


def draw(runs: list[Path], output: Path) -> None:
    figure, axes = plt.subplots(1, len(runs), figsize=(5 * len(runs), 3.4), squeeze=False)
    for axis, run in zip(axes[0], runs, strict=True):
        log = log_of(run)
        for name in SHOWN:
            points = sorted((line["step"], line[name]) for line in log if line.get(name) is not None and "step" in line)
            if points and name != "loss":
                axis.plot(*zip(*points, strict=True), marker=".", label=name)
        axis.set_title(run.stem)
        axis.set_xlabel("step")
        axis.set_ylim(0, 1)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(output, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    draw(asked.runs, asked.output)


if __name__ == "__main__":
    main()
