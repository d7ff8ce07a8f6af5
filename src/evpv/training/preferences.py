"""The DPO stage of the extractor, by TRL: the paper's form without a reference model, and the standard one.

The paper: −log σ(β [log P(C⁺) − log P(C⁻)]), weighted by λ. Alone, λ would only rescale a loss that AdamW rescales
back; it means something beside the next-token loss on C⁺, which `sft_weight` adds (0 gives the bare formula).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from trl.trainer.dpo_config import DPOConfig
from trl.trainer.dpo_trainer import DPOTrainer

from evpv.training.data.pairs import Pair
from evpv.training.data.pictures import open_picture
from evpv.training.extractor import answer, prompt
from evpv.training.learner import EpochClock, EpochOrder, Learner, arguments, last_checkpoint, restore_weights
from evpv.training.recipes import DataPart, TrainingRecipe


class PreferenceTrainer(DPOTrainer):
    """TRL's trainer; without a reference its log-probabilities count as zero, which is the paper's formula."""

    def __init__(self, *, reference_free: bool, order: EpochOrder, **settings: Any):
        super().__init__(**settings)
        self.reference_free, self.order = reference_free, order
        if reference_free:
            self.ref_model = None
            self.precompute_ref_logps = True

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return self.order

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        if self.is_fsdp_enabled:
            super()._load_from_checkpoint(resume_from_checkpoint, model)
        else:
            restore_weights(self.model, Path(resume_from_checkpoint))

    def _compute_loss(self, model: Any, inputs: dict[str, Any], return_outputs: bool) -> Any:
        if self.reference_free:
            nothing = torch.zeros(inputs["input_ids"].shape[0] // 2, device=inputs["input_ids"].device)
            inputs = {**inputs, "ref_chosen_logps": nothing, "ref_rejected_logps": nothing}
        return super()._compute_loss(model, inputs, return_outputs)  # type: ignore[no-untyped-call]


def train_preferences(
    recipe: TrainingRecipe, learner: Learner, pairs: Sequence[Pair], folder: Path
) -> list[dict[str, Any]]:
    """Fine-tune on pairs; the final model goes to the folder, the log of losses and margins comes back."""
    part = recipe.preferences
    checkpoint = last_checkpoint(folder)
    losses = ["sigmoid", "sft"] if part.sft_weight else ["sigmoid"]
    weights = [part.weight, part.sft_weight] if part.sft_weight else [part.weight]
    order = EpochOrder(len(pairs), recipe.learning)
    trainer = PreferenceTrainer(
        reference_free=part.form == "reference-free",
        order=order,
        model=learner.model,
        processing_class=learner.processor,
        train_dataset=_dataset(pairs, recipe.data),
        args=DPOConfig(
            beta=part.beta, loss_type=losses, loss_weights=weights, max_length=None,
            **arguments(recipe.learning, folder),
        ),
        callbacks=[EpochClock(order)],
    )  # fmt: skip
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainer.save_model(str(folder))
    return [line for line in trainer.state.log_history if "rewards/margins" in line]


def _dataset(pairs: Sequence[Pair], data: DataPart) -> Dataset:
    """The pairs as TRL takes them; pictures are opened when their turn comes."""

    def rows(asked: dict[str, list[int]]) -> dict[str, list[Any]]:
        chosen = [pairs[index] for index in asked["index"]]
        return {
            "images": [[open_picture(pair.image, data.max_side_px, pair.pixels)] for pair in chosen],
            "prompt": [prompt(pair.question) for pair in chosen],
            "chosen": [answer(pair.chosen) for pair in chosen],
            "rejected": [answer(pair.rejected) for pair in chosen],
        }

    return Dataset.from_dict({"index": list(range(len(pairs)))}).with_transform(rows)
