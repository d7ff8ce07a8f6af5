"""How well the mini models do on figures that nobody has seen, family by family, and `checks` on the same steps.

    python scripts/measure_mini.py --corpus FOLDER/corpus.jsonl --extractor FOLDER --verifier FOLDER -n 500

The corpus is made by `mini_corpus.py figures --split test --candidates`. A verifier that is told facts is told the gold
ones, and with --extractor also those that the mini extractor read; `checks` gets the same.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.errors import RecordError
from evpv.judges.checks import ChecksJudge
from evpv.records import constraints_from_json, read_problems
from evpv.training.measures import fidelity, step_metrics, written_constraints
from evpv.training.pictures import Picture, read_pictures
from evpv.training.recipes import DataPart, VerifierPart
from evpv.training.trainers import StepCollator, step_scores
from evpv.training.trajectories import Trajectory, problem_rows
from evpv.types import Constraint, Problem


def loaded(folder: Path) -> tuple[Any, Any]:
    model: Any = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32)
    model.eval()
    return model, AutoProcessor.from_pretrained(folder)  # type: ignore[no-untyped-call]


def read_facts(model: Any, processor: Any, pictures: Sequence[Picture]) -> dict[str, tuple[Constraint, ...]]:
    """What the extractor read; an answer that is no valid array is no fact."""
    found = {}
    for picture, text in zip(pictures, written_constraints(model, processor, pictures), strict=True):
        try:
            found[picture.id] = constraints_from_json(json.loads(text))
        except (json.JSONDecodeError, RecordError):
            found[picture.id] = ()
    return found


def told(rows: Sequence[Trajectory], facts: dict[str, tuple[Constraint, ...]]) -> list[Trajectory]:
    return [replace(row, constraints=facts[row.id.rpartition("/")[0]]) for row in rows]


def checked(problems: Sequence[Problem], facts: dict[str, tuple[Constraint, ...]]) -> dict[str, Any]:
    """The same steps, with their claims, judged by `checks` on the same facts."""
    judged = ChecksJudge(evidence=True).judge(problems, [facts[problem.id] for problem in problems])
    scores = [((step.reward or 0.0) + 1) / 2 for one in judged for candidate in one for step in candidate]
    steps = [step for problem in problems for candidate in problem.candidates for step in candidate.steps]
    return step_metrics(scores, [float(step.label == 1) for step in steps])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--extractor", type=Path)
    parser.add_argument("--verifier", type=Path)
    parser.add_argument("--no-pictures", action="store_true", help="the verifier's text stage sees none")
    parser.add_argument("-n", type=int, default=500)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    pictures = read_pictures(asked.corpus, asked.n)
    names = {picture.id for picture in pictures}
    rows = [row for _, row in problem_rows(asked.corpus) if row.id.rpartition("/")[0] in names]
    problems = [problem for problem in read_problems(asked.corpus) if problem.id in names]
    sets = {"gold facts": {one.id: constraints_from_json(list(one.constraints)) for one in pictures}}
    if asked.extractor:
        model, processor = loaded(asked.extractor)
        print(json.dumps({"extractor": fidelity(model, processor, pictures)}), flush=True)
        sets["read facts"] = read_facts(model, processor, pictures)
    for name, facts in sets.items():
        print(json.dumps({f"checks, {name}": checked(problems, facts)}), flush=True)
        if asked.verifier:
            model, processor = loaded(asked.verifier)
            some = told(rows, facts)
            seen = [replace(row, images=()) for row in some] if asked.no_pictures else some
            report_families(name, seen, model, StepCollator(processor, DataPart(), VerifierPart(constraints=True)))


def report_families(name: str, rows: Sequence[Trajectory], model: Any, collator: StepCollator) -> None:
    scores, labels = step_scores(model, collator, rows)
    print(json.dumps({f"verifier, {name}": step_metrics(scores, labels)}), flush=True)
    sources = [row.source for row in rows for _ in row.steps]
    for family in sorted(set(sources)):
        at = [i for i, source in enumerate(sources) if source == family]
        print(json.dumps({f"  {family}": step_metrics([scores[i] for i in at], [labels[i] for i in at])}), flush=True)


if __name__ == "__main__":
    main()
