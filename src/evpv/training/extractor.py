"""Training the constraint extractor E_φ by TRL: next-token loss on the constraints' JSON (Eq. 7 of the paper), then DPO.

The paper's DPO: −log σ(β [log P(C⁺) − log P(C⁻)]), weighted by λ. Alone, λ would only rescale a loss that AdamW rescales
back; it means something beside the next-token loss on C⁺, which `sft_weight` adds (0 gives the bare formula).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from safetensors.torch import load_file
from torch import Tensor
from trl.trainer.dpo_config import DPOConfig
from trl.trainer.dpo_trainer import DPOTrainer
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling, SFTTrainer

from evpv.backends.step_forms import canonical, facts_text
from evpv.training.learner import (
    EpochClock,
    EpochOrder,
    HeldOutCheck,
    Learner,
    arguments,
    held_out_log,
    last_checkpoint,
    remember,
    resumable,
    tower_of,
    train_and_save,
)
from evpv.training.measures import decoding, fidelity
from evpv.training.pictures import Pair, Picture, open_picture, random_shift, shifted_letters, training_picture
from evpv.training.reading import ReadingHead, ReadingTargets, reading_loss, reading_targets, save_head
from evpv.training.recipes import TrainingRecipe
from evpv.types import Constraint

HEAD_FILE = "reading_head.safetensors"


def _prompt(question: str) -> list[dict[str, Any]]:
    """What the extractor is asked: the picture and the question, nothing else; the form of the answer is learnt."""
    return [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": question}]}]


def _answer(facts: Sequence[Constraint]) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": [{"type": "text", "text": facts_text(canonical(facts))}]}]


def chat_text(processor: Any, question: str, facts: Sequence[Constraint]) -> str:
    """A whole row as the model reads it, to be measured."""
    return str(processor.apply_chat_template(_prompt(question) + _answer(facts), tokenize=False))


class _PictureRows:
    """Makes the rows of a corpus when their turn comes: pictures opened and moved, some questions left out.

    Moves and omissions depend on the seed, the row and the epoch, so a run can be repeated, and gone on with.
    """

    def __init__(self, pictures: Sequence[Picture], recipe: TrainingRecipe):
        self.pictures, self.data, self.seed = pictures, recipe.data, recipe.learning.seed
        self.epoch = 0

    def row(self, index: int) -> dict[str, Any]:
        picture = self.pictures[index]
        rng = Random(f"{self.seed}/{index}/{self.epoch}")
        shift = random_shift(rng, self.data.shift_px)
        question = "" if rng.random() < self.data.question_dropout else picture.question
        return {
            "images": [training_picture(picture, shift, self.data.max_side_px)],
            "prompt": _prompt(question),
            "completion": _answer(picture.facts),
            "letters": shifted_letters(picture.letters, shift),
        }


class _ReadingCollator:
    """TRL's collator, and beside what it makes the targets of the dense reading task."""

    def __init__(self, processor: Any, reading: bool = True):
        self.text = DataCollatorForVisionLanguageModeling(processor, max_length=None, completion_only_loss=True)
        self.reading = reading

    def __call__(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        letters = [row.pop("letters") for row in rows]
        batch: dict[str, Any] = self.text(rows)
        if not self.reading:
            return batch
        targets = reading_targets(letters, batch["image_grid_thw"])
        return {**batch, "reading_characters": targets.characters, "reading_roles": targets.roles}


@resumable
class _ExtractorTrainer(SFTTrainer):
    """SFT with the dense reading task as a side loss, where the recipe gives it weight.

    The head hangs on the model so that one optimizer moves both; it is saved in a file of its own and never in the
    model's, which stays a plain checkpoint.
    """

    model: Any

    def __init__(self, *, reading_weight: float, order: EpochOrder, **settings: Any):
        super().__init__(**settings)
        self.reading_weight, self.order = reading_weight, order
        self._cells: Tensor | None = None
        if reading_weight:
            tower_of(self.model).register_forward_hook(self._keep_cells)

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        characters, roles = inputs.pop("reading_characters", None), inputs.pop("reading_roles", None)
        loss = super().compute_loss(model, inputs, return_outputs, num_items_in_batch)  # type: ignore[no-untyped-call]
        if not self.reading_weight or return_outputs or characters is None or self._cells is None:
            return loss
        targets = ReadingTargets(characters=characters, roles=roles)
        reading = reading_loss(self.model.reading_head, self._cells, targets)
        self._metrics["train"]["reading_loss"].append(float(reading.detach()))
        return loss + self.reading_weight * reading

    def _keep_cells(self, module: Any, inputs: Any, output: Any) -> None:
        cells = output.pooler_output
        self._cells = cells if isinstance(cells, Tensor) else torch.cat(list(cells))

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Any] | None = None) -> None:
        head = self.model._modules.pop("reading_head", None)
        if state_dict is not None:
            state_dict = {k: v for k, v in state_dict.items() if not k.startswith("reading_head.")}
        super()._save(output_dir, state_dict)
        if head is not None:
            save_head(head, Path(output_dir or str(self.args.output_dir)) / HEAD_FILE)
            self.model.reading_head = head


def train_extractor(
    recipe: TrainingRecipe, learner: Learner, pictures: Sequence[Picture], held_out: Sequence[Picture], folder: Path
) -> list[dict[str, Any]]:
    """Fine-tune; checkpoints and the final model go to the folder, the held-out log comes back.

    A folder with checkpoints is gone on from.
    """
    model, processor = learner.model, learner.processor
    checkpoint = last_checkpoint(folder)
    _lay_on_head(recipe, model, (checkpoint, folder, Path(recipe.model.start)))
    if recipe.model.freeze_vision and not recipe.data.shift_px and not recipe.reading.weight:
        remember(model)
    rows, order = _PictureRows(pictures, recipe), EpochOrder(len(pictures), recipe.learning)
    measure = partial(fidelity, processor=processor, pictures=held_out, **decoding(recipe))
    trainer = _ExtractorTrainer(
        reading_weight=recipe.reading.weight,
        order=order,
        model=model,
        processing_class=processor,
        train_dataset=_lazy_dataset(len(pictures), rows.row),
        data_collator=_ReadingCollator(processor, reading=recipe.reading.weight > 0),
        args=SFTConfig(
            max_length=None,
            # the head is asked outside of the model's own pass: looked for there, it would pass for unused
            ddp_find_unused_parameters=False if recipe.reading.weight else None,
            **arguments(recipe.learning, folder),
        ),
        callbacks=[EpochClock(rows, order), HeldOutCheck(measure, recipe.learning.check_every, folder)],
    )
    train_and_save(trainer, folder)
    model._modules.pop("reading_head", None)
    return held_out_log(folder)


def _lay_on_head(recipe: TrainingRecipe, model: Any, places: Sequence[Path | None]) -> None:
    """The reading head as it was left: by a checkpoint, by the reading stage, or beside the model learning starts from."""
    if not recipe.reading.weight:
        return
    with torch.random.fork_rng():
        torch.manual_seed(recipe.learning.seed)
        head = ReadingHead(model.config.text_config.hidden_size)
    for place in places:
        if place is not None and (place / HEAD_FILE).exists():
            head.load_state_dict(load_file(str(place / HEAD_FILE)))
            break
    model.reading_head = head


@resumable
class _PreferenceTrainer(DPOTrainer):
    """TRL's trainer; without a reference its log-probabilities count as zero, which is the paper's formula."""

    def __init__(self, *, reference_free: bool, order: EpochOrder, **settings: Any):
        super().__init__(**settings)
        self.reference_free, self.order = reference_free, order
        if reference_free:
            self.ref_model = None
            self.precompute_ref_logps = True

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
    losses = ["sigmoid", "sft"] if part.sft_weight else ["sigmoid"]
    weights = [part.weight, part.sft_weight] if part.sft_weight else [part.weight]
    order = EpochOrder(len(pairs), recipe.learning)

    def row(index: int) -> dict[str, Any]:
        pair = pairs[index]
        picture = open_picture(pair.image, recipe.data.max_side_px, pair.pixels)
        sides = {"chosen": _answer(pair.chosen), "rejected": _answer(pair.rejected)}
        return {"images": [picture], "prompt": _prompt(pair.question), **sides}

    trainer = _PreferenceTrainer(
        reference_free=part.form == "reference-free",
        order=order,
        model=learner.model,
        processing_class=learner.processor,
        train_dataset=_lazy_dataset(len(pairs), row),
        args=DPOConfig(
            beta=part.beta, loss_type=losses, loss_weights=weights, max_length=None,
            **arguments(recipe.learning, folder),
        ),
        callbacks=[EpochClock(order)],
    )  # fmt: skip
    train_and_save(trainer, folder)
    return [line for line in trainer.state.log_history if "rewards/margins" in line]


def _lazy_dataset(count: int, row: Callable[[int], dict[str, Any]]) -> Dataset:
    """Rows as TRL takes them, each made when its turn comes: pictures are opened then."""

    def rows(asked: dict[str, list[int]]) -> dict[str, list[Any]]:
        made = [row(index) for index in asked["index"]]
        return {name: [one[name] for one in made] for name in made[0]}

    return Dataset.from_dict({"index": list(range(count))}).with_transform(rows)
