"""Teach the mini extractor's weights to write solutions of small figures and to heed remarks: `mini_policy.py`'s model.

usage: train_mini_policy.py -o FOLDER [--start MODEL] [--family NAME …] [--sight 0.75] [--steps 1600 700] [--minutes M M]

It begins as the shipped mini extractor with its tower frozen, so it sees as that does; what it misreads when it samples
is its own. Stage one: right solutions of drawn problems (train split), worded anew every time. Stage two: rounds that
`evpv revise` made of faulty solutions with a script for the solver, as `evpv export policy-revise` writes them, with
facts as they are, where the script corrects itself, and with a share of them flipped, where it stands by what is right.
Prints the loss, and how it solves unseen problems of the dev split.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import torch
from mini_policy import (
    ANSWER,
    FAMILIES,
    FENCED,
    SIGHT,
    MiniPolicy,
    Row,
    open_problem,
    reply_json,
    solution_text,
    steps_of,
)
from torch import Tensor

from evpv.assembly import build
from evpv.backends.scripted import ScriptedBackend
from evpv.config import load_recipe
from evpv.experiments.trials import flip_fields
from evpv.figures import FigureProblem, Split, make_problems
from evpv.figures.candidates import Draft, run_draft
from evpv.figures.writing import NO_FAULTS, Mistakes, SolutionSheet
from evpv.integrations.training_sets import write_training_set
from evpv.policy.chat import ChatPolicy
from evpv.protocols import ChatRequest
from evpv.records import RunWriter
from evpv.search import Reviser
from evpv.search.strategies import KnownExtraction
from evpv.types import Candidate, Extraction, Step

RATE = 1e-3


def drawn_problems(names: Sequence[str], count: int, seed: int, split: Split = "train") -> list[FigureProblem]:
    return list(make_problems(names, count, seed, split))


def faulty_draft(made: FigureProblem, seed: str, rng: Random) -> Draft:
    """A run that misreads one thing."""
    exam = made.sitting.exam
    wrongs = [
        (decision.key, wrong)
        for decision in exam.truth.decisions
        for wrong in decision.wrongs
        if wrong.error.startswith("visual")
    ]
    key, wrong = rng.choice(wrongs)
    return run_draft(exam, seed, Mistakes(instead={key: wrong}), {key: wrong.error})


class Teacher:
    """The script behind the rounds of stage two: it corrects what it misread, and stands by what it saw."""

    def __init__(self, drafts: Mapping[str, Draft]):
        self.drafts = drafts

    def __call__(self, request: ChatRequest) -> str:
        parts = {name: text for name, _, text in FENCED.findall(request.prompt)}
        first = int(parts["remarks"].partition("Step ")[2].partition(":")[0]) - 1
        draft = self.drafts[re.sub(r"^Step \d+: ", "", parts["steps"], flags=re.MULTILINE)]
        stance = "insisted" if draft.wrong is NO_FAULTS else "corrected"
        text = solution_text(steps_of(draft.twin)[first:], draft.twin.answer.replace("−", "-").replace(",", ""))
        return reply_json(text, stance)


def told_rounds(names: Sequence[str], count: int, seed: int, folder: Path) -> list[dict[str, Any]]:
    """Rounds of revising with the teacher, through the house's own reviser and its writer of training sets; made once."""
    if not (folder / "rounds.jsonl").exists():
        make_rounds(names, count, seed, folder)
    return [json.loads(line) for line in (folder / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]


def make_rounds(names: Sequence[str], count: int, seed: int, folder: Path) -> None:
    pipeline = replace(build(load_recipe("embedded")), ledger=None)
    run, images = folder / "rounds", folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    with RunWriter(run, {"kind": "rounds of a scripted teacher"}) as writer:
        for made in drawn_problems(names, count, seed):
            rng, name = Random(made.problem.id), images / f"{made.problem.id}.png"
            made.image.save(name)
            drafts = [faulty_draft(made, f"{made.problem.id}/{i}", rng) for i in range(3)]
            drafts += [run_draft(made.sitting.exam, f"{made.problem.id}/{i}", NO_FAULTS, {}) for i in (3, 4, 5)]
            candidates = [
                Candidate(id=str(i), steps=steps_of(draft.sheet), final_answer=draft.sheet.answer)
                for i, draft in enumerate(drafts)
            ]
            facts = [replace(fact, confidence=rng.choice((0.8, 0.85, 0.9, 0.95))) for fact in made.constraints]
            spoilt = flip_fields(facts, rng.choice((0.0, 0.3, 0.5)), rng).constraints
            eyes = KnownExtraction(extraction=Extraction(constraints=spoilt, kind="figure"), version="drawn")
            known = {"\n".join(s.text for s in c.steps): d for c, d in zip(candidates, drafts, strict=True)}
            policy = ChatPolicy(backend=ScriptedBackend(Teacher(known)))
            problem = replace(open_problem(made), images=(str(name),), candidates=tuple(candidates))
            reviser = Reviser(policy=policy, pipeline=replace(pipeline, extractor=eyes), rounds=1, crops=False)
            writer.append(reviser.revise(problem))
    pipeline.close()
    write_training_set("policy-revise", run, folder / "rounds.jsonl")


def round_row(policy: MiniPolicy, row: Mapping[str, Any]) -> Row:
    """A round of the training set in the model's own form."""
    question, before, told, answer = (
        "".join(part.get("text", "") for part in turn["content"]) for turn in row["messages"]
    )
    lines = before.splitlines()[:-1]
    steps = "\n".join(f"Step {number}: {line}" for number, line in enumerate(lines, 1))
    reply = json.loads(answer)
    ends = [Step(text=one["steptext"], claim=one["visualdependency"]) for one in reply["reasoningprocess"]]
    written = f"{reply['stance']}\n{solution_text(ends, reply['finalanswer'])}"
    return Row(seen=policy.seen(row["images"][0]), asked=f"{question}\n{steps}\n{told}", written=written)


def solution_row(made: FigureProblem, seen: Tensor, seed: str) -> Row:
    sheet = SolutionSheet(seed)
    made.sitting.exam.solve(sheet)
    answer = sheet.answer.replace("−", "-").replace(",", "")
    return Row(seen=seen, asked=made.problem.question, written=solution_text(steps_of(sheet), answer))


def train(policy: MiniPolicy, batches: Iterator[list[Row]], steps: int, minutes: float, name: str) -> None:
    """AdamW, a short rise, the full rate for half the way, then a fall; the way ends with the steps or the minutes."""
    learning = [weight for weight in policy.loaded.model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=RATE, betas=(0.9, 0.95), weight_decay=0.05)
    started, cores, shown = time.monotonic(), time.process_time(), [0.0]
    for step in range(1, steps + 1):
        gone = max(step / steps, (time.monotonic() - started) / (60 * minutes))
        if gone > 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / 30, max(0.02, 2 * (1 - gone)))
        loss = policy.loss(next(batches))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        shown.append(loss.item())
        if step % 20 == 0:
            seconds = time.process_time() - cores
            print(
                f"{name} step {step}: loss {sum(shown[-20:]) / 20:.4f}, {gone:.0%}, {seconds:.0f} s of a core",
                flush=True,
            )


def measure(policy: MiniPolicy, made: Sequence[FigureProblem], temperature: float) -> dict[str, float]:
    """Shares of right answers by family, one sample a problem."""
    rows = [Row(seen=policy.look([one.image]), asked=one.problem.question, written="") for one in made]
    texts = policy.write(rows, list(range(len(rows))), temperature)
    right: dict[str, list[bool]] = {}
    for one, text in zip(made, texts, strict=True):
        good = text.partition(f"\n{ANSWER}")[2].strip() == open_problem(one).answer
        right.setdefault(one.problem.data_source or "", []).append(good)
    return {name: round(sum(found) / len(found), 3) for name, found in right.items()}


class Lessons:
    """Batches of what is to be learnt: pictures are looked at once, solutions are worded anew each time."""

    def __init__(self, policy: MiniPolicy, made: Sequence[FigureProblem], told: Sequence[Row], rng: Random):
        self.made, self.told, self.rng = made, told, rng
        parts = [policy.look([one.image for one in made[i : i + 32]]) for i in range(0, len(made), 32)]
        self.seen = torch.cat(parts).split(24)

    def solution(self) -> Row:
        place = self.rng.randrange(len(self.made))
        return solution_row(self.made[place], self.seen[place], str(self.rng.random()))

    def sum(self) -> Row:
        """A sum of two angles, which a solution has one of: too few to learn adding from."""
        first = self.rng.randint(15, 120)
        second = self.rng.randint(15, max(20, 165 - first))
        both = self.rng.choice(("{} + {} = {}", "{}° + {}° = {}°")).format(first, second, first + second)
        return Row(seen=self.rng.choice(self.seen), asked=both.partition(" =")[0], written=both)

    def solving(self) -> Iterator[list[Row]]:
        while True:
            yield [*(self.solution() for _ in range(12)), *(self.sum() for _ in range(12))]

    def heeding(self) -> Iterator[list[Row]]:
        while True:
            yield [*(self.solution() for _ in range(6)), *self.rng.sample(self.told, 10)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--start", default="evpv:mini-extractor")
    parser.add_argument("--family", nargs="+", default=FAMILIES)
    parser.add_argument("--sight", type=float, default=SIGHT)
    parser.add_argument("--pictures", type=int, default=3000)
    parser.add_argument("--told", type=int, default=500, help="problems that rounds are made of")
    parser.add_argument("--steps", type=int, nargs=2, default=(1600, 700))
    parser.add_argument("--minutes", type=float, nargs=2, default=(600.0, 600.0), help="by when each stage must end")
    parser.add_argument("--seed", type=int, default=60000)
    asked = parser.parse_args()
    asked.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    policy = MiniPolicy(asked.start, asked.sight)
    policy.loaded.model.model.visual.requires_grad_(False)
    rounds = told_rounds(asked.family, asked.told, asked.seed, asked.output)
    told = [round_row(policy, row) for row in rounds]
    made = drawn_problems(asked.family, asked.pictures, asked.seed + 10_000)
    lessons = Lessons(policy, made, told, Random(asked.seed))
    if asked.start.startswith("evpv:"):
        texts = [text for row in (*told, *(lessons.solution() for _ in made)) for text in (row.asked, row.written)]
        print(policy.learn_phrases(texts), "phrases", flush=True)
    print(len(told), "rounds", Counter(row["stance"] for row in rounds), flush=True)
    unseen = drawn_problems(asked.family, 96, asked.seed, "dev")
    for name, batches, steps, minutes in zip(
        ("solves", "policy"), (lessons.solving(), lessons.heeding()), asked.steps, asked.minutes, strict=True
    ):
        train(policy, batches, steps, minutes, name)
        policy.save(asked.output / name)
        for temperature in (0.0, 1.0):
            print(name, temperature, measure(policy, unseen, temperature), flush=True)


if __name__ == "__main__":
    main()
