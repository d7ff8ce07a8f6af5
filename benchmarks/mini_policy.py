"""A solver that was learnt: the mini extractor's weights, taught to write solutions of small figures and to heed remarks.

usage: mini_policy.py -o FOLDER [--pictures 5000] [--steps 1600] [--revise-steps 700] [--told 500] [--minutes M M]

A Qwen2.5-VL of two million parameters. It begins as the shipped mini extractor with its tower frozen, so it sees as that
does; what it misreads when it samples is its own. Stage one: right solutions of drawn problems (train split), anew
worded every time. Stage two: rounds that `evpv revise` made of faulty solutions with a script for the solver, as
`evpv export policy-revise` writes them: facts as they are, and a share of them flipped, where the script insists.
What is fixed in questions, steps and remarks is one token each, and a step that looks says so by a mark: its claim is
its own text. Prints the loss, and at the end how it solves unseen problems of the dev split.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import torch
from PIL import Image
from tokenizers import AddedToken
from torch import Tensor
from torch.nn.functional import cross_entropy, pad
from transformers import DynamicCache

from evpv.assembly import build
from evpv.backends.local_weights import LoadedModel, Weights, load
from evpv.backends.scripted import ScriptedBackend
from evpv.config import load_recipe
from evpv.experiments.corruption import flip_fields
from evpv.figures import FigureProblem, make_problems
from evpv.figures.candidates import Draft, run_draft
from evpv.figures.notation import in_notation
from evpv.figures.problems import Split
from evpv.figures.writing import NO_FAULTS, Faults, Sheet
from evpv.integrations.training_sets import write_training_set
from evpv.policy.chat import ChatPolicy
from evpv.protocols import ChatReply, ChatRequest, Description
from evpv.records import RunWriter
from evpv.search import Reviser
from evpv.search.scoring import KnownExtraction
from evpv.types import Candidate, Extraction, Problem, Step

LOOKS, ANSWER = " |\n", "# "
PHRASES = 320
FAMILIES = ("small-triangles", "small-tables")
PADS = "<|image_pad|>"
FENCED = re.compile(r"<<<(user_query|steps|remarks) (\w+)\n(.*?)\n\1 \2>>>", re.DOTALL)
BATCH, RATE = 16, 1e-3


def solution_text(steps: Sequence[Step], answer: str) -> str:
    """What the model writes: a step to a line, with a mark where it looks, and the answer."""
    lines = (step.text + (LOOKS if step.claim is not None else "\n") for step in steps)
    return "".join(lines) + ANSWER + answer


def reply_json(text: str, stance: str | None) -> str:
    """What the model wrote as the JSON that a policy is asked for; what has no answer goes back as it is."""
    body, mark, answer = text.partition(f"\n{ANSWER}")
    if not mark:
        return text
    lines = [line for line in body.split("\n") if line.strip(" |")]
    steps = [
        {"steptext": line.removesuffix(" |"), "visualdependency": line.removesuffix(" |") if line.endswith(" |") else None}
        for line in lines
    ]
    head = {} if stance is None else {"stance": stance, "reason": "I looked again."}
    return json.dumps({**head, "reasoningprocess": steps, "finalanswer": answer.strip()}, ensure_ascii=False)


def question_of(prompt: str) -> str:
    """The model's own short form of what a policy is asked: the question, and what was told of which steps."""
    parts = {name: text for name, _, text in FENCED.findall(prompt)}
    return "\n".join(parts[name] for name in ("user_query", "steps", "remarks") if name in parts)


def steps_of(sheet: Sheet) -> tuple[Step, ...]:
    """The lines of a run in plain notation; one that looks claims what it says."""
    texts = [(in_notation(line.text, "plain"), line.claim is not None) for line in sheet.lines]
    return tuple(Step(text=text, claim=text if looks else None) for text, looks in texts)


def open_problem(made: FigureProblem) -> Problem:
    """The problem without options: its answer is the value itself."""
    answer = replace(made.sitting.exam, options=()).answer
    return replace(made.problem, options=(), answer=answer, candidates=())


def drawn_problems(count: int, seed: int, split: Split = "train") -> list[FigureProblem]:
    return list(make_problems(FAMILIES, count, seed, split))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing to learn: what is seen, asked and to be written."""

    seen: Tensor
    asked: str
    written: str


class MiniPolicy:
    """The model as a chat backend: it answers what `ChatPolicy` and `Reviser` ask, in batches, each row by its own seed."""

    def __init__(self, model: str, temperature: float | None = None):
        self.place, self.temperature, self.name = model, temperature, "mini-policy"
        self.pictures: dict[str, Tensor] = {}
        self.answers: dict[str, str] = {}

    version = "mini-policy"
    description = Description(asks=True, extras=("local",))

    @cached_property
    def loaded(self) -> LoadedModel:
        return load(Weights(model=self.place))

    @torch.inference_mode()
    def look(self, images: Sequence[Image.Image]) -> Tensor:
        """What the tower makes of the pictures, each seen once in the model's life."""
        inputs = self.loaded.processor.image_processor(images=list(images), return_tensors="pt")
        cells = self.loaded.model.model.visual(inputs["pixel_values"], grid_thw=inputs["image_grid_thw"]).pooler_output
        return torch.cat(list(cells)) if isinstance(cells, tuple) else cells

    def seen(self, path: str) -> Tensor:
        if path not in self.pictures:
            with Image.open(path) as image:
                self.pictures[path] = self.look([image.convert("RGB")]).clone()
        return self.pictures[path]

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        new = [one for one in requests if one.prompt not in self.answers]
        for start in range(0, len(new), 64):
            part = new[start : start + 64]
            rows = [Row(seen=self.seen(one.images[0]), asked=question_of(one.prompt), written="") for one in part]
            heat = [one.sampling.temperature if self.temperature is None else self.temperature for one in part]
            texts = self.write(rows, [one.sampling.seed or 0 for one in part], heat[0])
            self.answers |= {one.prompt: self.reply(one, text) for one, text in zip(part, texts, strict=True)}
        return [ChatReply(text=self.answers[one.prompt]) for one in requests]

    @staticmethod
    def reply(request: ChatRequest, text: str) -> str:
        if request.stage != "revise":
            return reply_json(text, None)
        stance, _, rest = text.partition("\n")
        return reply_json(rest, stance)

    @cached_property
    def positions(self) -> Tensor:
        """Rotary places of a row, which begins alike for all: a turn's opening, the picture, and text to the end."""
        ids = torch.tensor([self.numbers("x" * 900)])
        kinds = (ids == self.pad).long()
        grid = torch.tensor([[1, 8, 12]])
        found, _ = self.loaded.model.model.get_rope_index(ids, mm_token_type_ids=kinds, image_grid_thw=grid)
        return found[:, 0]

    @cached_property
    def pad(self) -> int:
        return int(self.loaded.processor.tokenizer.convert_tokens_to_ids(PADS))

    def numbers(self, asked: str, written: str = "") -> list[int]:
        head = f"<|im_start|>user\n<|vision_start|>{PADS * 24}<|vision_end|>{asked}<|im_end|>\n<|im_start|>assistant\n"
        return list(self.loaded.processor.tokenizer(head + written)["input_ids"])

    def embedded(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Token embeddings with the pictures' cells in their places."""
        words = self.loaded.model.get_input_embeddings()(ids)
        return words.masked_scatter((ids == self.pad).unsqueeze(-1), seen.to(words.dtype))

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Next-token loss on what is to be written."""
        starts = [len(self.numbers(row.asked)) for row in rows]
        ids = [self.numbers(row.asked, f"{row.written}<|im_end|>") for row in rows]
        longest = max(map(len, ids))
        inputs = torch.stack([pad(torch.tensor(one), (0, longest - len(one))) for one in ids])
        wanted = torch.full_like(inputs, -100)
        for place, (one, start) in enumerate(zip(ids, starts, strict=True)):
            wanted[place, start : len(one)] = inputs[place, start : len(one)]
        states = self.loaded.model.model.language_model(
            inputs_embeds=self.embedded(inputs, torch.cat([row.seen for row in rows])),
            position_ids=self.positions[:, None, :longest].expand(3, len(rows), longest),
        ).last_hidden_state
        told = wanted[:, 1:] != -100
        return cross_entropy(self.loaded.model.lm_head(states[:, :-1][told]), wanted[:, 1:][told])

    @torch.inference_mode()
    def write(self, rows: Sequence[Row], seeds: Sequence[int], temperature: float, limit: int = 160) -> list[str]:
        """Samples, a row's chance by its own seed: a row is the same in any batch, up to rounding."""
        ids = [self.numbers(row.asked) for row in rows]
        longest = max(map(len, ids))
        gaps = torch.tensor([longest - len(one) for one in ids])
        inputs = torch.stack([pad(torch.tensor(one), (longest - len(one), 0)) for one in ids])
        places = (torch.arange(longest)[None] - gaps[:, None]).clamp(min=0)
        mask = (torch.arange(longest)[None] >= gaps[:, None]).long()
        words = self.embedded(inputs, torch.cat([row.seen for row in rows]))
        chance = [torch.Generator().manual_seed(seed) for seed in seeds]
        cache, tokenizer = DynamicCache(config=self.loaded.model.config), self.loaded.processor.tokenizer
        done = torch.zeros(len(rows), dtype=torch.bool)
        written: list[Tensor] = []
        for _ in range(limit):
            states = self.loaded.model.model.language_model(
                inputs_embeds=words,
                attention_mask=mask,
                position_ids=self.positions[:, places],
                past_key_values=cache,
                use_cache=True,
            ).last_hidden_state[:, -1]
            scores = self.loaded.model.lm_head(states).float()
            if temperature > 0:
                noise = torch.stack([torch.rand(scores.shape[1], generator=one) for one in chance])
                scores = scores / temperature - (-noise.clamp(1e-9).log()).log()
            token = scores.argmax(-1)
            done |= torch.isin(token, torch.tensor(self.loaded.ends))
            written.append(torch.where(done, tokenizer.pad_token_id, token))
            if bool(done.all()):
                break
            places = places[:, -1:] + 1
            mask = torch.cat([mask, torch.ones(len(rows), 1, dtype=torch.long)], 1)
            words = self.loaded.model.get_input_embeddings()(token)[:, None]
        return [tokenizer.decode(row, skip_special_tokens=True) for row in torch.stack(written, 1).tolist()]

    def learn_phrases(self, texts: Sequence[str]) -> int:
        """What stands between the names and numbers of the texts, one token each where it pays; begun as its parts' mean."""
        tokenizer, model = self.loaded.processor.tokenizer, self.loaded.model
        names = sorted((name for name in tokenizer.get_added_vocab() if name.strip()), key=len, reverse=True)
        cut = re.compile("|".join([r"\d+", r"(?<![A-Za-z])[A-Z]{1,3}(?![a-z])", *map(re.escape, names)]))
        counts = Counter(part for text in texts for line in text.splitlines(keepends=True) for part in cut.split(line))
        parts = {part: tokenizer(part)["input_ids"] for part in counts if len(part) > 1}
        gains = sorted(parts, key=lambda part: -counts[part] * (len(parts[part]) - 1))[:PHRASES]
        tokenizer.add_tokens([AddedToken(part, normalized=False) for part in gains])
        model.resize_token_embeddings(len(tokenizer))
        table = model.get_input_embeddings().weight
        with torch.no_grad():
            for part in gains:
                table[tokenizer.convert_tokens_to_ids(part)] = table[parts[part]].mean(0)
        return len(gains)

    def save(self, folder: Path) -> None:
        self.loaded.model.save_pretrained(folder)
        self.loaded.processor.save_pretrained(folder)


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
    return run_draft(exam, seed, Faults(instead={key: wrong}), {key: wrong.error})


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


def told_rounds(count: int, seed: int, folder: Path) -> list[dict[str, Any]]:
    """Rounds of revising with the teacher, through the house's own reviser and its writer of training sets."""
    pipeline = replace(build(load_recipe("embedded")), ledger=None)
    run, images = folder / "rounds", folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    with RunWriter(run, {"kind": "rounds of a scripted teacher"}) as writer:
        for made in drawn_problems(count, seed):
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
    return [json.loads(line) for line in (folder / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]


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
    sheet = Sheet(seed)
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
            print(f"{name} step {step}: loss {sum(shown[-20:]) / 20:.4f}, {gone:.0%}, {seconds:.0f} s of a core", flush=True)


def measure(policy: MiniPolicy, made: Sequence[FigureProblem], temperature: float) -> dict[str, float]:
    """Shares of right answers by family, one sample a problem."""
    rows = [
        Row(seen=policy.look([one.image.convert("RGB")]), asked=one.problem.question, written="") for one in made
    ]
    texts = policy.write(rows, list(range(len(rows))), temperature)
    right: dict[str, list[bool]] = {}
    for one, text in zip(made, texts, strict=True):
        good = text.partition(f"\n{ANSWER}")[2].strip() == open_problem(one).answer
        right.setdefault(one.problem.data_source or "", []).append(good)
    return {name: round(sum(found) / len(found), 3) for name, found in right.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--revise-steps", type=int, default=700)
    parser.add_argument("--told", type=int, default=500)
    parser.add_argument("--minutes", type=float, nargs=2, default=(600.0, 600.0), help="by when each stage must end")
    parser.add_argument("--seed", type=int, default=60000)
    asked = parser.parse_args()
    asked.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    policy, rng = MiniPolicy("evpv:mini-extractor"), Random(asked.seed)
    policy.loaded.model.model.visual.requires_grad_(False)
    rounds = told_rounds(asked.told, asked.seed, asked.output)
    made = drawn_problems(asked.pictures, asked.seed + 10_000)
    seen = [cells for i in range(0, len(made), 32) for cells in policy.look([m.image.convert("RGB") for m in made[i : i + 32]]).split(24)]
    told = [round_row(policy, row) for row in rounds]
    texts = [text for row in told for text in (row.asked, row.written)]
    texts += [text for m, s in zip(made[:3000], seen, strict=False) for text in (m.problem.question, solution_row(m, s, "w").written)]
    print(f"{len(told)} rounds, {Counter(row['stance'] for row in rounds)}, {policy.learn_phrases(texts)} phrases", flush=True)

    def fresh() -> Row:
        place = rng.randrange(len(made))
        return solution_row(made[place], seen[place], str(rng.random()))

    def solving() -> Iterator[list[Row]]:
        while True:
            yield [fresh() for _ in range(BATCH)]

    def heeding() -> Iterator[list[Row]]:
        while True:
            yield [*(fresh() for _ in range(BATCH // 4)), *rng.sample(told, BATCH - BATCH // 4)]

    unseen = drawn_problems(100, asked.seed, "dev")
    train(policy, solving(), asked.steps, asked.minutes[0], "solving")
    policy.save(asked.output / "solves")
    for temperature in (0.0, 1.0):
        print("solving", temperature, measure(policy, unseen, temperature), flush=True)
    train(policy, heeding(), asked.revise_steps, asked.minutes[1], "heeding")
    policy.save(asked.output / "policy")
    for temperature in (0.0, 1.0):
        print("heeding", temperature, measure(policy, unseen, temperature), flush=True)


if __name__ == "__main__":
    main()
