"""How well an extractor in training reads: it writes constraints for held-out pictures, which are compared with the truth."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from evpv.backends.verifier_text import canonical, facts_text
from evpv.records import constraints_from_json
from evpv.training.data.pictures import Picture, opened
from evpv.training.launch import shared_work
from evpv.training.recipes import TrainingRecipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How held-out answers are written: `max_tokens` at most, `batch` at a time, pictures no larger than in training."""

    max_tokens: int = 1024
    batch: int = 32
    max_side_px: int = 0


def decoding(recipe: TrainingRecipe) -> Decoding:
    """The decoding that a recipe asks for; at full size one answer of a batch of updates at a time is enough."""
    batch = recipe.learning.per_device or 32
    return Decoding(max_tokens=recipe.data.held_out_tokens, batch=batch, max_side_px=recipe.data.max_side_px)


def written_constraints(
    model: Any, processor: Any, pictures: Sequence[Picture], how: Decoding | None = None
) -> list[str]:
    """What the model writes for each picture, greedily, in batches padded on the left."""
    how = how or Decoding()
    batch = how.batch
    texts: list[str] = []
    was_training = model.training
    model.eval()
    for start in range(0, len(pictures), batch):
        some = pictures[start : start + batch]
        turns = [
            [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": one.question}]}] for one in some
        ]
        asked = [processor.apply_chat_template(turn, add_generation_prompt=True, tokenize=False) for turn in turns]
        inputs = processor(
            text=asked,
            images=[[opened(one, max_side_px=how.max_side_px)] for one in some],
            padding=True,
            padding_side="left",
            return_tensors="pt",
        )
        with torch.no_grad():
            output = model.generate(**inputs.to(model.device), max_new_tokens=how.max_tokens, do_sample=False)
        texts += processor.batch_decode(output[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    model.train(was_training)
    return texts


def fidelity(model: Any, processor: Any, pictures: Sequence[Picture], how: Decoding | None = None) -> dict[str, float]:
    """Held-out shares: exact answers, numeric facts whose entity and value are right, and values whatever the entity.

    Per family too, under "values FAMILY".
    """
    texts = shared_work(pictures, lambda some: written_constraints(model, processor, some, how))
    sums: dict[str, float] = defaultdict(float)
    for picture, text in zip(pictures, texts, strict=True):
        gold = json.loads(facts_text(canonical(constraints_from_json(list(picture.constraints)))))
        read = _parsed(text)
        sums["exact"] += _lines(gold) == _lines(read) and bool(read)
        sums["valid"] += bool(read)
        numbers = [fact for fact in gold if fact["category"] == "numeric"]
        found = {(fact.get("entity"), fact.get("attribute")): fact.get("value") for fact in read}
        right = sum(found.get((fact["entity"], fact["attribute"])) == fact["value"] for fact in numbers)
        sums["facts"] += right
        sums["asked"] += len(numbers)
        sums["values"] += _overlap([fact["value"] for fact in numbers], [fact.get("value") for fact in read])
        sums[f"right {picture.family}"] += right
        sums[f"asked {picture.family}"] += len(numbers)
    count, asked = max(len(pictures), 1), max(sums["asked"], 1)
    shares = {
        "exact": sums["exact"] / count,
        "valid": sums["valid"] / count,
        "facts": sums["facts"] / asked,
        "values": sums["values"] / asked,
    }
    families = sorted({picture.family for picture in pictures if picture.family})
    shares |= {f"facts {name}": sums[f"right {name}"] / max(sums[f"asked {name}"], 1) for name in families}
    return {name: round(share, 4) for name, share in shares.items()}


def _parsed(text: str) -> list[dict[str, Any]]:
    """The facts of an answer; none if it is no JSON array of objects."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return []
    return values if isinstance(values, list) and all(isinstance(value, dict) for value in values) else []


def _lines(facts: Sequence[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps({k: v for k, v in fact.items() if k != "confidence"}, sort_keys=True) for fact in facts)


def _overlap(gold: Sequence[Any], read: Sequence[Any]) -> int:
    """How many of the gold values were read, each reading used once."""
    left = list(read)
    right = 0
    for value in gold:
        if value in left:
            left.remove(value)
            right += 1
    return right
