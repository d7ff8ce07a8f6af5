"""Choosing or correcting with a solver that was learnt: `revision.py`'s table for the mini policy of `mini_policy.py`.

usage: revision_learned.py FOLDER --policy POLICY [--problems 200] [--seed 52000] [--figure FILE] [--corruption 0 0.1 0.3 0.5]

FOLDER holds the pictures and what `evpv extract` read of them:
    evpv figures -o FOLDER --family small-triangles -n 200 --seed 52000 --split test
    evpv extract FOLDER/problems.jsonl -o FOLDER/read.jsonl --recipe embedded
The policy samples eight solutions of each problem, and more for the same calls; it is told, and answers for itself.
Each round is asked of all problems at once: a pass that writes down what is asked, then all of it in full batches.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import torch
from mini_policy import FAMILIES, MiniPolicy, open_problem
from revision import ROUNDS, Row, draw, gain_table, mean_row, outcome, readings, remembering_eyes, table
from rich.console import Console

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.experiments.trials import flip_fields
from evpv.figures import make_problems
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy
from evpv.search import Reviser
from evpv.types import CandidateTrace, Constraint, Problem

COUNT, EXTRA = 8, 16


def sampled_problems(policy: MiniPolicy, folder: Path, count: int, seed: int) -> list[Problem]:
    """Problems with as many candidates as are ever needed; what could not be read after three tries is left out."""
    made = make_problems(FAMILIES, count, seed, "test")
    problems = [replace(open_problem(one), images=(str(folder / one.problem.images[0]),)) for one in made]
    asked = ChatPolicy(backend=policy).sample(problems, COUNT + EXTRA)
    missing = sum(len(one.missing) for one in asked)
    print(f"{len(problems)} problems, {COUNT + EXTRA} samples each, {missing} unreadable", flush=True)
    return [one.problem for one in asked]


def revised_pools(
    policy: MiniPolicy, pipeline: Pipeline, problems: Sequence[Problem], facts: Mapping[str, Sequence[Constraint]]
) -> dict[str, dict[str, Any]]:
    """Each problem's outcome under one reading of its picture."""
    eyes = {one.id: remembering_eyes(pipeline, facts[one.id]) for one in problems}
    next(iter(eyes.values())).assessed.clear()
    pools: dict[str, Sequence[CandidateTrace]] = {one.id: eyes[one.id].traces([one])[0].candidates for one in problems}
    after = {one.id: [pools[one.id][:COUNT]] for one in problems}
    calls = {one.id: [0] for one in problems}
    policy.waiting = []
    for rounds in range(1, ROUNDS + 1):
        for last in (False, True):
            for one in problems:
                told = replace(one, candidates=one.candidates[:COUNT])
                reviser = Reviser(policy=ChatPolicy(backend=policy), pipeline=eyes[one.id], rounds=rounds, crops=False)
                trace = reviser.revise(told)
                if last:
                    after[one.id].append(trace.candidates)
                    calls[one.id].append(trace.search["calls"])
            policy.answer_waiting()
    policy.waiting = None
    last = [
        one.candidate.revisions[-1].stance for group in after.values() for one in group[-1] if one.candidate.revisions
    ]
    print(f"had the last word: {dict(Counter(last))}", flush=True)
    return {one.id: outcome(one, pools[one.id], after[one.id], calls[one.id]) for one in problems}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--policy", required=True)
    arguments.add_argument("--problems", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=52000)
    arguments.add_argument("--corruption", type=float, nargs="+", default=[0.0, 0.1, 0.3, 0.5])
    arguments.add_argument("--figure", type=Path)
    options = arguments.parse_args()
    torch.set_num_threads(1)
    policy = MiniPolicy(options.policy)
    problems = sampled_problems(policy, options.folder, options.problems, options.seed)
    read = readings(options.folder / "read.jsonl", [])
    pipeline = replace(build(load_recipe("embedded")), ledger=None)
    rows: list[Row] = []
    for ratio in options.corruption:
        spoilt = {one.id: flip_fields(read[one.id], ratio, Random(one.id)).constraints for one in problems}
        found = revised_pools(policy, pipeline, problems, spoilt)
        rows.append(mean_row("learned", ratio, list(found.values())))
        print(json.dumps(asdict(rows[-1])), flush=True)
    pipeline.close()
    Console(width=160).print(table(rows), gain_table(rows))
    if options.figure:
        draw(rows, options.figure)
    print(json.dumps({"problems": len(problems), "seed": options.seed, "rows": [asdict(row) for row in rows]}))


if __name__ == "__main__":
    main()
