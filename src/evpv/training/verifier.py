"""Training the step verifier V_θ: binary cross-entropy at each step's end marker (Eq. 8 of the paper).

u_t = P(+) against P(−), read from the two label rows of the language model's head; the checkpoint stays a plain one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers import Trainer, TrainingArguments

from evpv.backends.step_forms import MARKER, StepForm, layout, single_token, verifier_question
from evpv.errors import ConfigError, RecordError
from evpv.training.launch import is_sharded, shared_work
from evpv.training.learner import (
    EpochClock,
    EpochOrder,
    HeldOutCheck,
    Learner,
    arguments,
    held_out_log,
    remember,
    resumable,
    train_and_save,
)
from evpv.training.measures import step_metrics
from evpv.training.pictures import open_picture
from evpv.training.recipes import DataPart, TrainingRecipe, VerifierPart
from evpv.training.trajectories import Trajectory

_NO_LABEL = -100.0
_SCORED_AT_ONCE = 16


class StepCollator:
    """Trajectories as one batch: the steps' labels stand at their markers, and nowhere else.

    `layout` is the one that scoring has: a label is read where it was taught.
    """

    def __init__(self, processor: Any, data: DataPart, verifier: VerifierPart):
        self.processor, self.data, self.verifier = processor, data, verifier
        self.marker = single_token(processor.tokenizer, MARKER, "marker")
        self.layout = layout(StepForm(), processor)

    def __call__(self, rows: Sequence[Trajectory]) -> dict[str, Any]:
        side, texts = self.data.max_side_px, [self.text(row) for row in rows]
        pictures = [open_picture(image, side, row.pixels) for row in rows for image in row.images]
        padded = {"padding": True, "padding_side": "right", "return_tensors": "pt"}
        batch = dict(self.processor(text=texts, images=pictures or None, **padded))
        ids = batch["input_ids"]
        targets = torch.full(ids.shape, _NO_LABEL)
        for index, row in enumerate(rows):
            at = (ids[index] == self.marker).nonzero()[:, 0]
            labels = row.hard(self.data.threshold) if self.data.hard_labels else row.labels
            if len(at) != len(labels):
                raise RecordError(f"{row.id}: {len(labels)} labels, but {len(at)} step ends in its tokens")
            targets[index, at] = torch.tensor(labels)
        return {**batch, "step_labels": targets}

    def text(self, row: Trajectory) -> str:
        facts = row.constraints if self.verifier.constraints else None
        prefix = self.layout.prefix(verifier_question(row.question, facts), len(row.images))
        return prefix + "".join(self.layout.pieces(row.steps)) + self.layout.link


@resumable
class _VerifierTrainer(Trainer):
    """BCE on the difference of the two label logits at the markers: the sum over a trajectory's steps, or their mean.

    Each is averaged over trajectories, so that neither accumulation nor the number of processes changes an update.
    """

    model: Any

    def __init__(self, *, labels: tuple[int, int], part: VerifierPart, order: EpochOrder, **settings: Any):
        super().__init__(**settings)
        (self.plus, self.minus), self.part, self.order = labels, part, order
        self.model_accepts_loss_kwargs = False  # else accumulation would scale a mean as if it were a sum

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        targets = inputs.pop("step_labels")
        language = self.part.language_weight if self.model.training else 0.0
        keep: Tensor | int = 0 if language else _read_columns(targets)
        logits = model(**inputs, use_cache=False, logits_to_keep=keep).logits
        asked = targets if language else targets[:, keep]
        margins = (logits[..., self.plus] - logits[..., self.minus]).float()
        loss = _step_loss(margins, asked, self.part.loss)
        if language:
            loss = loss + language * _language_loss(logits, inputs["input_ids"], targets)
        return (loss, {"margins": margins, "labels": asked}) if return_outputs else loss


def _step_loss(margins: Tensor, labels: Tensor, form: str) -> Tensor:
    """Eq. 8, a trajectory a row: the sum of its steps' cross-entropies ("mean": their mean), averaged over rows."""
    known = labels != _NO_LABEL
    losses = functional.binary_cross_entropy_with_logits(margins, labels.clamp(min=0.0), reduction="none") * known
    rows = losses.sum(-1)
    return (rows if form == "sum" else rows / known.sum(-1).clamp(min=1)).mean()


def _read_columns(targets: Tensor) -> Tensor:
    """The columns at which a label of any row is read: the head of 152,000 rows is multiplied there only."""
    return (targets != _NO_LABEL).any(0).nonzero()[:, 0]


def _language_loss(logits: Tensor, ids: Tensor, targets: Tensor) -> Tensor:
    """Next-token loss on the text of right steps only, a trajectory's mean: wrong ones should not become likelier."""
    wanted = torch.full_like(ids, -100)
    for row in range(ids.shape[0]):
        ends = (targets[row] != _NO_LABEL).nonzero()[:, 0].tolist()
        for start, end in itertools.pairwise(ends):
            if targets[row, end] > 0.5:
                wanted[row, start + 2 : end] = ids[row, start + 2 : end]
    flat = functional.cross_entropy(
        logits[:, :-1].flatten(0, 1).float(), wanted[:, 1:].flatten(), ignore_index=-100, reduction="none"
    )
    known = (wanted[:, 1:] != -100).sum(-1).clamp(min=1)
    return (flat.view(len(ids), -1).sum(-1) / known).mean()


def step_scores(model: Any, collator: StepCollator, rows: Sequence[Trajectory]) -> tuple[list[float], list[float]]:
    """P(step right) and the label of every step of some trajectories, in order."""
    pairs = shared_work(rows, lambda some: _scored_rows(model, collator, some))
    return [score for scores, _ in pairs for score in scores], [label for _, labels in pairs for label in labels]


def _scored_rows(
    model: Any, collator: StepCollator, rows: Sequence[Trajectory]
) -> list[tuple[list[float], list[float]]]:
    """The scores and labels of each row, on the device that the model is on."""
    plus, minus = collator.layout.right, collator.layout.wrong
    was_training, found = model.training, []
    model.eval()
    with torch.no_grad():
        for start in range(0, len(rows), _SCORED_AT_ONCE):
            batch = collator(rows[start : start + _SCORED_AT_ONCE])
            inputs = {name: value.to(model.device) for name, value in batch.items()}
            targets = inputs.pop("step_labels")
            keep = _read_columns(targets)
            logits = model(**inputs, use_cache=False, logits_to_keep=keep).logits
            margins = torch.sigmoid((logits[..., plus] - logits[..., minus]).float())
            for row, labels in zip(margins, targets[:, keep], strict=True):
                known = labels != _NO_LABEL
                found.append((row[known].tolist(), labels[known].tolist()))
    model.train(was_training)
    return found


def train_verifier(
    recipe: TrainingRecipe, learner: Learner, rows: Sequence[Trajectory], held_out: Sequence[Trajectory], folder: Path
) -> list[dict[str, Any]]:
    """Fine-tune; checkpoints and the final model go to the folder, the held-out log comes back."""
    model, processor = learner.model, learner.processor
    _check_pictures(rows)
    collator = StepCollator(processor, recipe.data, recipe.verifier)
    if recipe.model.freeze_vision:
        remember(model)
    order = EpochOrder(len(rows), recipe.learning, [sum(len(step) for step in row.steps) for row in rows])

    def measure(model: Any) -> dict[str, float | None]:
        return step_metrics(*step_scores(model, collator, held_out))

    trainer = _VerifierTrainer(
        labels=(collator.layout.right, collator.layout.wrong),
        part=recipe.verifier,
        order=order,
        model=model,
        processing_class=processor,
        train_dataset=list(rows),
        data_collator=collator,
        args=TrainingArguments(label_names=["step_labels"], **arguments(recipe.learning, folder)),
        callbacks=[EpochClock(order), HeldOutCheck(measure, recipe.learning.check_every if held_out else 0, folder)],
    )
    train_and_save(trainer, folder)
    return held_out_log(folder)


def _check_pictures(rows: Sequence[Trajectory]) -> None:
    """Refuse rows with and without pictures side by side where FSDP would wait for ever for a tower that nobody asks."""
    if is_sharded() and len({bool(row.images) for row in rows}) > 1:
        without = next(row.id for row in rows if not row.images)
        raise ConfigError(
            f"{without} and others have no picture: FSDP needs every process to look each time. "
            "Leave such rows out, set data.pictures = false, or use --launch ddp."
        )
