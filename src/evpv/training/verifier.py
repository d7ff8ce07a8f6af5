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
from transformers import Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_pt_utils import LengthGroupedSampler

from evpv.backends.verifier_text import verifier_question
from evpv.errors import RecordError
from evpv.training.data.faults import Fault, Faults
from evpv.training.data.pictures import open_picture
from evpv.training.data.trajectories import Trajectory
from evpv.training.forms import label_ids, step_text, verifier_prefix
from evpv.training.metrics import step_metrics
from evpv.training.recipes import DataPart, TrainingRecipe, VerifierPart
from evpv.training.remembering import remember
from evpv.training.running import Learner, arguments, last_checkpoint, note, noted, restore_weights

NO_LABEL = -100.0


class StepCollator:
    """Trajectories as one batch: the steps' labels stand at their markers, and nowhere else.

    With `language_weight` the text of right steps is also learnt; `labels` then has their tokens, else nothing.
    """

    def __init__(self, processor: Any, data: DataPart, verifier: VerifierPart):
        self.processor, self.data, self.verifier = processor, data, verifier
        self.marker = label_ids(processor)[0]

    def __call__(self, rows: Sequence[Trajectory]) -> dict[str, Any]:
        batch = dict(
            self.processor(
                text=[self.text(row) for row in rows],
                images=[[open_picture(image) for image in row.images] for row in rows] if rows[0].images else None,
                padding=True,
                padding_side="right",
                return_tensors="pt",
            )
        )
        ids = batch["input_ids"]
        targets = torch.full(ids.shape, NO_LABEL)
        for index, row in enumerate(rows):
            at = (ids[index] == self.marker).nonzero()[:, 0]
            labels = row.hard(self.data.threshold) if self.data.hard_labels else row.labels
            if len(at) != len(labels):
                raise RecordError(f"{row.id}: {len(labels)} labels, but {len(at)} step ends in its tokens")
            targets[index, at] = torch.tensor(labels)
        return {**batch, "step_labels": targets}

    def text(self, row: Trajectory) -> str:
        """The whole sequence: prefix and steps."""
        facts = row.constraints if self.verifier.constraints else None
        prefix = verifier_prefix(self.processor, verifier_question(row.question, facts), len(row.images))
        return prefix + "".join(step_text(step) for step in row.steps)


class VerifierTrainer(Trainer):
    """BCE on the difference of the two label logits at the markers, the mean over the batch's steps."""

    model: Any

    def __init__(self, *, labels: tuple[int, int, int], language_weight: float = 0.0, **settings: Any):
        super().__init__(**settings)
        self.marker, self.plus, self.minus = labels
        self.language_weight = language_weight
        self.model_accepts_loss_kwargs = False  # else accumulation would scale a mean as if it were a sum

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """Rows of like length together: a batch is as long as its longest row, and the rest is padding."""
        rows: Any = self.train_dataset if train_dataset is None else train_dataset
        lengths = [sum(len(step) for step in row.steps) for row in rows]
        order = torch.Generator().manual_seed(self.args.seed)
        return LengthGroupedSampler(self.args.train_batch_size, lengths=lengths, generator=order)

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        targets = inputs.pop("step_labels")
        ids = inputs["input_ids"]
        keep: Tensor | int = 0 if self.language_weight else (targets != NO_LABEL).any(0).nonzero()[:, 0]
        logits = model(**inputs, use_cache=False, logits_to_keep=keep).logits
        asked = targets if self.language_weight else targets[:, keep]
        margins = (logits[..., self.plus] - logits[..., self.minus]).float()
        known = asked != NO_LABEL
        loss = functional.binary_cross_entropy_with_logits(margins[known], asked[known])
        if self.language_weight and self.model.training:
            loss = loss + self.language_weight * self._language_loss(logits, ids, targets)
        return (loss, {"margins": margins, "labels": asked}) if return_outputs else loss

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        restore_weights(self.model, Path(resume_from_checkpoint))

    def _language_loss(self, logits: Tensor, ids: Tensor, targets: Tensor) -> Tensor:
        """Next-token loss on the text of right steps only: wrong ones should not become likelier."""
        wanted = torch.full_like(ids, -100)
        for row in range(ids.shape[0]):
            ends = (targets[row] != NO_LABEL).nonzero()[:, 0].tolist()
            for start, end in itertools.pairwise(ends):
                if targets[row, end] > 0.5:
                    wanted[row, start + 2 : end] = ids[row, start + 2 : end]
        if not bool((wanted != -100).any()):
            return logits.sum() * 0.0
        return functional.cross_entropy(logits[:, :-1].flatten(0, 1), wanted[:, 1:].flatten(), ignore_index=-100)


class StepCheck(TrainerCallback):
    """Scores held-out steps every so often: AUROC and calibration, which the loss only hints at."""

    def __init__(self, collator: StepCollator, rows: Sequence[Trajectory], every: int, folder: Path):
        self.collator, self.rows, self.every, self.folder = collator, rows, every, folder

    def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        if self.every and state.global_step % self.every == 0:
            scores, labels = scored(given["model"], self.collator, self.rows)
            note(self.folder, {"step": state.global_step, **step_metrics(scores, labels)})


def scored(
    model: Any, collator: StepCollator, rows: Sequence[Trajectory], batch: int = 16
) -> tuple[list[float], list[float]]:
    """P(step right) and the label of every step of some trajectories, in order."""
    _, plus, minus = label_ids(collator.processor)
    was_training, scores, labels = model.training, [], []
    model.eval()
    with torch.no_grad():
        for start in range(0, len(rows), batch):
            inputs = collator(rows[start : start + batch])
            targets = inputs.pop("step_labels")
            logits = model(**inputs, use_cache=False).logits
            known = targets != NO_LABEL
            scores += torch.sigmoid((logits[..., plus] - logits[..., minus])[known]).tolist()
            labels += targets[known].tolist()
    model.train(was_training)
    return scores, labels


def fitting(
    rows: Sequence[Trajectory], collator: StepCollator, max_tokens: int, on_bad: str, faults: Faults
) -> list[Trajectory]:
    """The rows whose tokens fit; a longer one would lose its last steps without a word."""
    kept = []
    for row in rows:
        length = len(collator.processor.tokenizer(collator.text(row))["input_ids"])
        if length <= max_tokens:
            kept.append(row)
            continue
        message = f"has {length} tokens, more than max_tokens = {max_tokens}"
        faults.add(Fault(place=row.id, kind="over-long", message=message), on_bad)
    return kept


def train_verifier(
    recipe: TrainingRecipe, learner: Learner, rows: Sequence[Trajectory], held_out: Sequence[Trajectory], folder: Path
) -> list[dict[str, Any]]:
    """Fine-tune; checkpoints and the final model go to the folder, the held-out log comes back."""
    model, processor = learner.model, learner.processor
    collator = StepCollator(processor, recipe.data, recipe.verifier)
    checkpoint = last_checkpoint(folder)
    if recipe.model.freeze_vision:
        remember(model)
    trainer = VerifierTrainer(
        labels=label_ids(processor),
        language_weight=recipe.verifier.language_weight,
        model=model,
        processing_class=processor,
        train_dataset=list(rows),
        data_collator=collator,
        args=TrainingArguments(label_names=["step_labels"], **arguments(recipe.learning, folder)),
        callbacks=[StepCheck(collator, held_out, recipe.learning.check_every, folder)],
    )
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainer.save_model(str(folder))
    return noted(folder)
