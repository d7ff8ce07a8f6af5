"""Fit the weights of the `checks` judge: how much each kind of observation says about a step.

usage: train_checks.py [--seeds N] [-o weights.toml] [--figure calibration.png]

Labels: the procedural figures' own step labels (train split; a misread picture is not a fault of the reasoning), and
nothing else: no pack that the judge is measured on. Observations that the figures hardly have keep the prior's weight.
Every second problem is held out for the figures printed and drawn; the weights written are fitted to all of them.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evpv.figures import families, make_problem
from evpv.judges.checks import ChecksJudge, Observation
from evpv.judges.checks.observations import FAULTS, KINDS, PRAISE, ObservationModel, counted_kinds
from evpv.types import Candidate, Constraint, Problem

Matrix = NDArray[np.float64]
EVIDENCE_KINDS = ("recomputed-", "shown-")
LEAST_FAULT = 0.2
MOST_INTERCEPT = 1.5  # models' steps are right less often than drawn problems' where nothing is found
STRENGTH = 0.1  # of the pull of every weight towards its prior, in units of one labelled step


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A labelled step: what was found in it, whether it is right, and whether its problem is held out."""

    observations: tuple[Observation, ...]
    right: bool
    held_out: bool
    source: str


def prior(kind: str) -> float:
    """What a weight is before any data: observations of faults are against a step, the others mildly for it."""
    if kind in FAULTS:
        return -3.0
    if kind in PRAISE:
        return 2.0
    return -0.6 if kind == "unanswered" else -2.0  # what does not follow a step makes it no likelier wrong than right


def figure_rows(seeds: int) -> Iterator[Row]:
    """Every step with the reasoning judged alone; with the gold constraints too where these led to an observation."""
    alone, informed = ChecksJudge(evidence=False), ChecksJudge()
    for seed in range(seeds):
        for family in families():
            made = make_problem(family, seed, "train")
            for candidate in made.problem.candidates:
                yield from _figure_rows(made.problem, candidate, (alone, informed), made.constraints)


def _figure_rows(
    problem: Problem, candidate: Candidate, judges: tuple[ChecksJudge, ChecksJudge], gold: Sequence[Constraint]
) -> Iterator[Row]:
    held_out = int(problem.id.rpartition("-")[2]) % 2 == 1
    for step, observations in zip(candidate.steps, judges[0].observations(problem, candidate, ()), strict=True):
        misread = (step.error or "").startswith("visual")
        right = step.label == 1 or misread
        yield Row(observations=tuple(observations), right=right, held_out=held_out, source="figures")
    for step, observations in zip(candidate.steps, judges[1].observations(problem, candidate, gold), strict=True):
        if any(observation.kind.startswith(EVIDENCE_KINDS) for observation in observations):
            right = step.label == 1
            yield Row(observations=tuple(observations), right=right, held_out=held_out, source="figures")


def fit(rows: Sequence[Row]) -> ObservationModel:
    """Logistic regression, each weight pulled towards its prior and kept on its prior's side of zero.

    The sides are kept so that no explanation lies: a "right" never lowers a step's probability, a "wrong" never raises
    it, though a sample may say so (last steps carry more observations of every kind, and are more often wrong).
    """
    features = np.array([[1.0, *(kind in counted_kinds(row.observations) for kind in KINDS)] for row in rows])
    labels = np.array([float(row.right) for row in rows])
    start = np.array([1.5, *(prior(kind) for kind in KINDS)])
    importance = _importance(rows)
    free = np.ones(len(start), dtype=bool)
    while True:
        weights = _newton(features * free, labels, importance, np.where(free, start, 0.0))
        crossed = free & (weights * start < 0) & (np.arange(len(start)) > 0)
        if not crossed.any():
            break
        free &= ~crossed
    intercept = min(float(weights[0]), MOST_INTERCEPT)
    learnt: dict[str, float] = {
        kind: _tempered(kind, weight) for kind, weight in zip(KINDS, (weights * free)[1:].tolist(), strict=True)
    }
    # A fault that is named must count as one: alone it makes a step more likely wrong than right.
    faults: dict[str, float] = {kind: min(learnt[kind], -intercept - LEAST_FAULT) for kind in FAULTS}
    return ObservationModel(intercept=intercept, weights={**learnt, **faults}, made="fitted")


def _tempered(kind: str, weight: float) -> float:
    """What a weight is worth on texts that nobody drew: praise nothing, doubts their prior, faults at most half as much again.

    Drawn solutions never revise, abbreviate or leave a number's source unsaid, so that there a doubt is always an error.
    """
    if kind in PRAISE and kind not in ("recomputed-right", "shown-right"):
        return 0.0
    limit = abs(prior(kind)) * (1.5 if kind in FAULTS else 1.0)
    return max(-limit, min(limit, weight))


def _newton(features: Matrix, labels: Matrix, importance: Matrix, start: Matrix) -> Matrix:
    pull = np.array([1e-3, *([STRENGTH] * (len(start) - 1))])
    weights = start.copy()
    for _ in range(50):
        guess = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (importance * (guess - labels)) + pull * (weights - start)
        curvature = (features * (importance * guess * (1 - guess))[:, None]).T @ features + np.diag(pull)
        weights = weights - np.linalg.solve(curvature, gradient)
    return weights


def _importance(rows: Sequence[Row]) -> Matrix:
    """No source outweighs another by its mere size: the larger ones are scaled down to the smallest."""
    sizes = {source: sum(row.source == source for row in rows) for source in {row.source for row in rows}}
    smallest = min(sizes.values())
    return np.array([smallest / sizes[row.source] for row in rows])


def brier(model: ObservationModel, rows: Sequence[Row]) -> float:
    return sum((model.probability(row.observations) - row.right) ** 2 for row in rows) / len(rows)


def accuracy(model: ObservationModel, rows: Sequence[Row]) -> float:
    return sum((model.probability(row.observations) > 0.5) == row.right for row in rows) / len(rows)


def macro_f1(model: ObservationModel, rows: Sequence[Row]) -> float:
    pairs = [(model.probability(row.observations) > 0.5, row.right) for row in rows]
    scores = []
    for label in (True, False):
        hits = sum(guess == label == truth for guess, truth in pairs)
        total = sum(guess == label for guess, _ in pairs) + sum(truth == label for _, truth in pairs)
        scores.append(2 * hits / total if total else math.nan)
    return sum(scores) / 2


def write_weights(path: Path, model: ObservationModel, made: str, counts: Mapping[str, int]) -> None:
    lines = [
        "# How much each kind of observation says about a step: log-odds, added to the intercept (docs/checks.md).",
        "# Made by scripts/train_checks.py; the number behind a weight is how many labelled steps had the observation.",
        f'made = "{made}"',
        f"intercept = {model.intercept:.3f}",
        "",
        "[weights]",
    ]
    lines += [f"{kind} = {model.weights[kind]:.3f}  # {counts[kind]}" for kind in KINDS]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(path: Path, model: ObservationModel, rows: Sequence[Row]) -> None:
    """Predicted against observed on the held-out steps, ten bins, the size of a point its number of steps."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 4.5), dpi=110)
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for source in sorted({row.source for row in rows}):
        chosen = [(model.probability(row.observations), row.right) for row in rows if row.source == source]
        bins: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
        for probability, right in chosen:
            bins[min(9, int(10 * probability))].append((probability, right))
        filled = [group for group in bins if len(group) >= 5]
        xs = [sum(p for p, _ in group) / len(group) for group in filled]
        ys = [sum(right for _, right in group) / len(group) for group in filled]
        axes.scatter(xs, ys, s=[12 + 8 * math.log(len(group)) ** 1.5 for group in filled], alpha=0.7, label=source)
    axes.set(xlabel="probability given", ylabel="share of steps that are right", xlim=(0, 1), ylim=(0, 1))
    axes.set_title("checks judge, held-out steps")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path)


def report(source: str, model: ObservationModel, rows: Sequence[Row]) -> str:
    quality = {"accuracy": accuracy(model, rows), "macro-F1": macro_f1(model, rows), "Brier": brier(model, rows)}
    figures = "  ".join(f"{name} {value:.3f}" for name, value in quality.items())
    return f"held out {source:10} {len(rows):6} steps  {figures}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("-o", "--output", type=Path, default=Path("src/evpv/judges/checks/weights.toml"))
    parser.add_argument("--figure", type=Path, default=Path("docs/img/checks_calibration.png"))
    options = parser.parse_args()
    rows = list(figure_rows(options.seeds))
    tried = fit([row for row in rows if not row.held_out])
    held_out = [row for row in rows if row.held_out]
    sources = sorted({row.source for row in rows})
    for source in sources:
        print(report(source, tried, [row for row in held_out if row.source == source]))
    draw(options.figure, tried, held_out)
    sizes = ", ".join(f"{source} {sum(row.source == source for row in rows)}" for source in sources)
    made = f"scripts/train_checks.py, {date.today()}, labelled steps: {sizes}"
    write_weights(
        options.output, fit(rows), made, Counter(kind for row in rows for kind in counted_kinds(row.observations))
    )


if __name__ == "__main__":
    main()
