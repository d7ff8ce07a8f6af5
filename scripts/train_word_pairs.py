"""Teach the reader of words and places (`evpv.perception.word_pairs`) on drawn figures, and measure it on read ones.

    python scripts/train_word_pairs.py draw    -o rows.jsonl -n 9000 --split train        # drawn words with their places
    python scripts/train_word_pairs.py read    -o test.jsonl -n 480 --seed 40000 --split test   # OCR, embedded reader
    python scripts/train_word_pairs.py train   --rows rows.jsonl -o pairs.pt --minutes 9   # again: goes on; --ship: ships
    python scripts/train_word_pairs.py measure --rows test.jsonl [--weights pairs.pt]

Rows to learn from have the words as they were drawn, spoilt as OCR spoils them (boxes too large, words dropped, torn or
misread, signs lost); what is measured has the words that OCR read in the rendered picture.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional
from word_pair_rows import FAMILIES, Row, drawn_line, loose_table, spoilt, turned

from evpv.backends.step_forms import canonical
from evpv.figures import make_problem
from evpv.perception.boxes import Box
from evpv.perception.extractor import EmbeddedExtractor
from evpv.perception.ocr import Word, read_words
from evpv.perception.word_pairs import KINDS, LINKS, WEIGHTS, PairNet, facts_of_words, word_features
from evpv.records import constraints_from_json, constraints_to_json
from evpv.types import Constraint, Numeric, Problem

RATE, STEPS, WARMUP = 2e-3, 2500, 100


def read_line(index: int, split: str, folder: Path) -> dict[str, Any]:
    """The words that OCR reads in a rendered figure, what is true of it, and what the embedded reader says."""
    family = FAMILIES[index % 3]
    made = make_problem(family, index // 3, split)  # type: ignore[arg-type]
    path = folder / "figure.png"
    made.image.save(path)
    (embedded,) = EmbeddedExtractor().extract([Problem(id="", question="", images=(str(path),))])
    words = read_words(np.asarray(made.image.convert("RGB")))
    return {
        "id": made.problem.id,
        "family": family,
        "words": [[word.text, *(round(edge, 1) for edge in word.box), round(word.confidence, 3)] for word in words],
        "gold": constraints_to_json(made.constraints),
        "embedded": constraints_to_json(embedded.constraints),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Rows side by side: what the network sees, and what it should say."""

    features: Tensor
    boxes: Tensor
    mask: Tensor
    kinds: Tensor
    links: Tensor


def batch_of(rows: Sequence[Row]) -> Batch:
    longest = max(len(row.words) for row in rows)
    shape = (len(rows), longest)
    features, boxes = torch.zeros(*shape, 16), torch.zeros(*shape, 4)
    mask, kinds = torch.zeros(shape, dtype=torch.bool), torch.zeros(shape, dtype=torch.long)
    links = torch.zeros(*shape, longest, len(LINKS))
    for b, row in enumerate(rows):
        count = len(row.words)
        features[b, :count], boxes[b, :count] = word_features(row.words)
        mask[b, :count] = True
        for i, kind, named in row.values:
            kinds[b, i] = KINDS.index(kind)
            for link, words in named.items():
                links[b, i, words, LINKS.index(link)] = 1.0
    return Batch(features=features, boxes=boxes, mask=mask, kinds=kinds, links=links)


def loss_of(net: PairNet, batch: Batch) -> Tensor:
    """Cross-entropy of the kinds over all words; of the links over what stands beside a value."""
    kinds, links = net(batch.features, batch.boxes, batch.mask)
    of_kinds = functional.cross_entropy(kinds[batch.mask], batch.kinds[batch.mask])
    asked = ((batch.kinds > 0)[:, :, None] & batch.mask[:, None, :])[..., None].expand_as(links)
    of_links = functional.binary_cross_entropy_with_logits(links[asked], batch.links[asked])
    return of_kinds + 10 * of_links


def lines_of_batch(lines: Sequence[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Rows of one length, so that little is padding: loose tables, drawn tables, or figures of geometry."""
    kind = rng.choices(("loose", "tables", "geometry"), (1, 3, 3))[0]
    if kind == "loose":
        return [loose_table(rng) for _ in range(16)]
    if kind == "tables":
        return rng.sample(lines[::3], 24)
    sample = [*rng.sample(lines[1::3], 32), *rng.sample(lines[2::3], 32)]
    return [turned(line, rng) if rng.random() < 0.6 else line for line in sample]


def rate_at(step: int, steps: int) -> float:
    """A short rise, then half a cosine down to a fiftieth."""
    return min((step + 1) / WARMUP, 0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))


def train(rows: Path, output: Path, steps: int, minutes: float) -> bool:
    """Learn until `steps` are done or the minutes are over; what was learnt is kept and gone on from. Whether it is done."""
    lines = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    torch.manual_seed(0)
    net = PairNet()
    optimizer = torch.optim.AdamW(net.parameters(), RATE, betas=(0.9, 0.98), weight_decay=0.02)
    begun = 0
    if output.exists():
        state = torch.load(output)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        begun = state["step"]
    started, total, step = time.process_time(), 0.0, begun - 1
    for step in range(begun, steps):
        rng = Random(f"word-pairs/{step}")
        batch = batch_of([spoilt(line, rng) for line in lines_of_batch(lines, rng)])
        for group in optimizer.param_groups:
            group["lr"] = RATE * rate_at(step, steps)
        loss = loss_of(net, batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        total += float(loss.detach())
        over = time.process_time() - started > 60 * minutes
        if (step + 1) % 250 == 0 or over or step + 1 == steps:
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step + 1}
            torch.save(state, output)
            print(
                f"{step + 1} of {steps}: loss {total / (step % 250 + 1):.4f}, {time.process_time() - started:.0f} s",
                flush=True,
            )
            total = 0.0
        if over:
            break
    return step + 1 == steps


def fact_keys(facts: Sequence[Constraint], gold: Sequence[Constraint] = ()) -> Counter[tuple[str, float]]:
    """Numbers as entity and value, whatever the order of letters, capitals and signs; "angle B" is the gold's at B."""
    at = {
        fact.entity[-2].lower(): fact.entity
        for fact in canonical(gold)
        if isinstance(fact, Numeric) and fact.attribute == "angle"
    }
    keys: Counter[tuple[str, float]] = Counter()
    for fact in canonical(facts):
        if isinstance(fact, Numeric):
            kind, _, name = fact.entity.rpartition(" ")
            entity = at.get(name.lower(), fact.entity) if kind == "angle" else fact.entity
            keys[re.sub(r"segment|\W", "", entity).lower(), round(fact.value, 6)] += 1
    return keys


def measure(rows: Path, weights: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Per family precision and recall of facts, and whole figures right, of this reader and of the embedded one."""
    net = loaded_net(weights)
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for line in map(json.loads, rows.read_text(encoding="utf-8").splitlines()):
        words = [Word(text=text, box=Box(*box), confidence=sure) for text, *box, sure in line["words"]]
        true = constraints_from_json(line["gold"])
        gold = fact_keys(true)
        read = {"word pairs": facts_of_words(net, words), "embedded": constraints_from_json(line["embedded"])}
        for reader, facts in read.items():
            said = fact_keys(facts, true)
            right = (said & gold).total()
            part = {"right": right, "said": said.total(), "gold": gold.total(), "figures": 1, "whole": said == gold}
            counts[reader, line["family"]] += Counter(part)
    shares: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for (reader, family), some in sorted(counts.items()):
        shares[reader][family] = {
            "precision": round(some["right"] / max(some["said"], 1), 4),
            "recall": round(some["right"] / some["gold"], 4),
            "whole": round(some["whole"] / some["figures"], 4),
            "facts": some["gold"],
            "figures": some["figures"],
        }
    return shares


def loaded_net(weights: Path) -> PairNet:
    net = PairNet()
    net.load_state_dict(load_file(weights) if weights.suffix == ".safetensors" else torch.load(weights)["net"])
    return net.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "read", "train", "measure"))
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("-n", type=int, default=0, help="figures, the families taking turns")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of each family")
    parser.add_argument("--split", default="train")
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--minutes", type=float, default=math.inf, help="of processor time, then it stops")
    parser.add_argument("--ship", action="store_true", help="put what was learnt into the package")
    told = parser.parse_args()
    torch.set_num_threads(1)
    if told.what == "measure":
        print(json.dumps(measure(told.rows, told.weights), indent=1))
    elif told.what == "train":
        if train(told.rows, told.output, told.steps, told.minutes) and told.ship:
            save_file(torch.load(told.output)["net"], WEIGHTS)
    else:
        with told.output.open("a", encoding="utf-8") as lines, tempfile.TemporaryDirectory() as folder:
            done = len(told.output.read_text(encoding="utf-8").splitlines())
            for index in range(3 * told.seed + done, 3 * told.seed + told.n):
                line = (
                    drawn_line(index, told.split) if told.what == "draw" else read_line(index, told.split, Path(folder))
                )
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
                lines.flush()


if __name__ == "__main__":
    main()
