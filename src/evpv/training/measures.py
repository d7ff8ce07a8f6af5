"""What is measured: how an extractor reads held-out pictures, whether step probabilities mean what they say, what a corpus holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import torch
from sklearn.metrics import f1_score, roc_auc_score

from evpv.backends.step_forms import canonical, facts_text
from evpv.evaluation.uncertainty import calibration
from evpv.training.launch import is_sharded, shared_work
from evpv.training.pictures import Pair, Picture, training_picture
from evpv.training.recipes import TrainingRecipe
from evpv.training.trajectories import Trajectory


def step_metrics(scores: Sequence[float], labels: Sequence[float]) -> dict[str, float | None]:
    """AUROC (None if all labels agree), ECE over ten equal bins, macro-F1 at one half, and how many steps.

    >>> step_metrics([0.9, 0.2, 0.6], [1, 0, 0])["auroc"]
    1.0
    """
    right = [label > 0.5 for label in labels]
    area = float(roc_auc_score(right, scores)) if len(set(right)) == 2 else None
    f1 = f1_score(right, [score > 0.5 for score in scores], labels=[True, False], average="macro", zero_division=0.0)
    return {
        "auroc": None if area is None else round(area, 4),
        "ece": round(calibration(scores, labels).ece, 4),
        "macro_f1": round(float(f1), 4),
        "right": round(sum(labels) / len(labels), 4),
        "steps": len(labels),
    }


def decoding(recipe: TrainingRecipe) -> dict[str, int]:
    """How a recipe has held-out answers written; at full size one answer of a batch of updates at a time is enough."""
    batch = recipe.learning.per_device or 32
    return {"max_tokens": recipe.data.held_out_tokens, "batch": batch, "max_side_px": recipe.data.max_side_px}


def written_constraints(
    model: Any,
    processor: Any,
    pictures: Sequence[Picture],
    max_tokens: int = 1024,
    batch: int = 32,
    max_side_px: int = 0,
) -> list[str]:
    """What the model writes for each picture, greedily, in batches padded on the left.

    A model that lies over all processes writes on until the last of them has ended: each needs all for every word.
    """
    together = True if is_sharded() else None
    texts: list[str] = []
    was_training = model.training
    model.eval()
    for start in range(0, len(pictures), batch):
        some = pictures[start : start + batch]
        parts = ([{"type": "image"}, {"type": "text", "text": one.question}] for one in some)
        turns = ([{"role": "user", "content": content}] for content in parts)
        asked = [processor.apply_chat_template(turn, add_generation_prompt=True, tokenize=False) for turn in turns]
        images = [[training_picture(one, max_side_px=max_side_px)] for one in some]
        inputs = processor(text=asked, images=images, padding=True, padding_side="left", return_tensors="pt")
        with torch.no_grad():
            output = model.generate(
                **inputs.to(model.device), max_new_tokens=max_tokens, do_sample=False, synced_gpus=together
            )
        texts += processor.batch_decode(output[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    model.train(was_training)
    return texts


def fidelity(model: Any, processor: Any, pictures: Sequence[Picture], **how: int) -> dict[str, float]:
    """Held-out shares: exact answers, numeric facts whose entity and value are right, and values whatever the entity.

    Per family too, under "values FAMILY". `how` is what `written_constraints` takes.
    """
    texts = shared_work(pictures, lambda some: written_constraints(model, processor, some, **how))
    sums: Counter[str] = Counter()
    for picture, text in zip(pictures, texts, strict=True):
        sums.update(_reading_counts(picture, text))
    count, asked = max(len(pictures), 1), max(sums["asked"], 1)
    shares = {name: sums[name] / count for name in ("exact", "valid")}
    shares |= {name: sums[name] / asked for name in ("facts", "values")}
    families = sorted({picture.family for picture in pictures} - {""})
    shares |= {f"facts {name}": sums[f"right {name}"] / max(sums[f"asked {name}"], 1) for name in families}
    return {name: round(share, 4) for name, share in shares.items()}


def _reading_counts(picture: Picture, text: str) -> dict[str, int]:
    try:
        read = json.loads(text)
    except json.JSONDecodeError:
        read = None
    if not isinstance(read, list) or not all(isinstance(value, dict) for value in read):
        read = []  # the facts of an answer; none if it is no JSON array of objects
    gold = json.loads(facts_text(canonical(picture.facts)))
    numbers = [fact for fact in gold if fact["category"] == "numeric"]
    found = {(fact.get("entity"), fact.get("attribute")): fact.get("value") for fact in read}
    values = (value for fact in read if isinstance(value := fact.get("value"), Hashable))
    right = sum(found.get((fact["entity"], fact["attribute"])) == fact["value"] for fact in numbers)
    return {
        "exact": int(_lines(gold) == _lines(read) and bool(read)),
        "valid": int(bool(read)),
        "facts": right,
        "asked": len(numbers),
        "values": (Counter(fact["value"] for fact in numbers) & Counter(values)).total(),
        f"right {picture.family}": right,
        f"asked {picture.family}": len(numbers),
    }


def _lines(facts: Sequence[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps({k: v for k, v in fact.items() if k != "confidence"}, sort_keys=True) for fact in facts)


def corpus_page(rows: Sequence[Any], threshold: float = 0.5) -> str:
    """What a corpus holds, as a page: trajectories, preference pairs or pictures."""
    if isinstance(rows[0], Trajectory):
        parts = _trajectory_page(rows, threshold)
    else:
        parts = _preference_page(rows) if isinstance(rows[0], Pair) else _constraint_page(rows)
    return "\n\n".join(parts)


def _trajectory_page(rows: Sequence[Trajectory], threshold: float) -> list[str]:
    labels = [label for row in rows for label in row.labels]
    right = sum(label > threshold for label in labels)
    soft = sum(0 < label < 1 for label in labels)
    first = Counter(row.first_wrong(threshold) for row in rows)
    return [
        "# Trajectories",
        f"{len(rows)} trajectories, {len(labels)} steps; {_percent(right, len(labels))} of the steps right"
        f" (label above {threshold}), {_percent(soft, len(labels))} of the labels soft.",
        _table("source", Counter(row.source or "–" for row in rows)),
        _table("steps in a trajectory", Counter(len(row.steps) for row in rows)),
        _table("first wrong step", first),
    ]


def _constraint_page(rows: Sequence[Picture]) -> list[str]:
    facts = [fact for row in rows for fact in row.constraints]
    kinds = Counter(f"{fact['category']} {fact.get('type') or fact.get('attribute')}" for fact in facts)
    return [
        "# Constraints",
        f"{len(rows)} pictures, {len(facts)} facts.",
        _table("family", Counter(row.family or "–" for row in rows)),
        _table("fact", kinds),
        _table("facts in a picture", Counter(len(row.constraints) for row in rows)),
    ]


def _preference_page(pairs: Sequence[Pair]) -> list[str]:
    kinds = Counter(pair.kind for pair in pairs)
    mean = {kind: sum(p.margin for p in pairs if p.kind == kind) / count for kind, count in kinds.items()}
    lines = ["| rewrite | pairs | mean distance |", "| --- | --: | --: |"]
    lines += [f"| {kind} | {kinds[kind]} | {mean[kind]:.3f} |" for kind in sorted(kinds)]
    return ["# Preference pairs", f"{len(pairs)} pairs.", "\n".join(lines)]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "0 %"


def _table(head: str, counts: Mapping[Any, int]) -> str:
    rows = sorted(counts.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
    return "\n".join([f"| {head} | count |", "| --- | --: |", *(f"| {name} | {count} |" for name, count in rows)])
