"""Training the constraint extractor E_φ: next-token loss on the JSON of the constraints (Eq. 7 of the paper), by TRL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from safetensors.torch import load_file
from torch import Tensor
from transformers import TrainerCallback
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling, SFTTrainer

from evpv.backends.verifier_text import canonical, facts_text
from evpv.records import constraints_from_json
from evpv.training.checking import fidelity
from evpv.training.data.faults import Fault, Faults
from evpv.training.data.pictures import Picture, moved, opened, random_shift
from evpv.training.reading import ReadingHead, ReadingTargets, reading_loss, reading_targets, save_head
from evpv.training.recipes import TrainingRecipe
from evpv.training.remembering import remember
from evpv.training.running import Learner, arguments, last_checkpoint, note, noted, restore_weights

HEAD_FILE = "reading_head.safetensors"


def prompt(question: str) -> list[dict[str, Any]]:
    """What the extractor is asked: the picture and the question, nothing else; the form of the answer is learnt."""
    return [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": question}]}]


class PictureRows:
    """Makes the rows of a corpus when their turn comes: pictures opened and moved, some questions left out.

    Moves and omissions depend on the seed, the row and how often it was taken, so a run can be repeated.
    """

    def __init__(self, pictures: Sequence[Picture], recipe: TrainingRecipe):
        self.pictures, self.data, self.seed = pictures, recipe.data, recipe.learning.seed
        self._taken: dict[int, int] = {}

    def dataset(self) -> Dataset:
        """The rows as TRL takes them."""
        return Dataset.from_dict({"index": list(range(len(self.pictures)))}).with_transform(self.rows)

    def rows(self, asked: dict[str, list[int]]) -> dict[str, list[Any]]:
        made = [self.row(index) for index in asked["index"]]
        return {name: [row[name] for row in made] for name in ("images", "prompt", "completion", "letters")}

    def row(self, index: int) -> dict[str, Any]:
        picture = self.pictures[index]
        self._taken[index] = self._taken.get(index, -1) + 1
        rng = Random(f"{self.seed}/{index}/{self._taken[index]}")
        shift = random_shift(rng, self.data.shift_px)
        question = "" if rng.random() < self.data.question_dropout else picture.question
        target = facts_text(canonical(constraints_from_json(list(picture.constraints))))
        return {
            "images": [opened(picture, shift)],
            "prompt": prompt(question),
            "completion": [{"role": "assistant", "content": [{"type": "text", "text": target}]}],
            "letters": moved(picture.letters, shift),
        }


class ReadingCollator:
    """TRL's collator, and beside what it makes the targets of the dense reading task."""

    def __init__(self, processor: Any, max_tokens: int | None):
        self.text = DataCollatorForVisionLanguageModeling(processor, max_length=max_tokens, completion_only_loss=True)

    def __call__(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        letters = [row.pop("letters") for row in rows]
        batch = self.text(rows)
        targets = reading_targets(letters, batch["image_grid_thw"])
        return {**batch, "reading_characters": targets.characters, "reading_roles": targets.roles}


class ExtractorTrainer(SFTTrainer):
    """SFT with the dense reading task as a side loss, where the recipe gives it weight.

    The head hangs on the model so that one optimizer moves both; it is saved in a file of its own and never in the
    model's, which stays a plain checkpoint.
    """

    model: Any

    def __init__(self, *, reading_weight: float, **settings: Any):
        super().__init__(**settings)
        self.reading_weight = reading_weight
        self._cells: Tensor | None = None
        if reading_weight:
            self.model.model.visual.register_forward_hook(self._keep_cells)

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

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        restore_weights(self.model, Path(resume_from_checkpoint))

    def _keep_cells(self, module: Any, inputs: Any, output: Any) -> None:
        cells = output.pooler_output
        self._cells = cells if isinstance(cells, Tensor) else torch.cat(list(cells))

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Any] | None = None) -> None:
        head = self.model._modules.pop("reading_head", None)
        plain = (
            None if state_dict is None else {k: v for k, v in state_dict.items() if not k.startswith("reading_head.")}
        )
        super()._save(output_dir, plain)
        if head is not None:
            save_head(head, Path(output_dir or str(self.args.output_dir)) / HEAD_FILE)
            self.model.reading_head = head


class FidelityCheck(TrainerCallback):
    """Writes constraints for held-out pictures every so often: loss alone does not say whether values are read."""

    def __init__(self, processor: Any, pictures: Sequence[Picture], every: int, folder: Path):
        self.processor, self.pictures, self.every, self.folder = processor, pictures, every, folder

    def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        if self.every and state.global_step % self.every == 0:
            shares = fidelity(given["model"], self.processor, self.pictures)
            note(self.folder, {"step": state.global_step, **shares})


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
    limit = recipe.learning.max_tokens
    trainer = ExtractorTrainer(
        reading_weight=recipe.reading.weight,
        model=model,
        processing_class=processor,
        train_dataset=PictureRows(pictures, recipe).dataset(),
        data_collator=ReadingCollator(processor, limit),
        args=SFTConfig(max_length=limit, **arguments(recipe.learning, folder)),
        callbacks=[FidelityCheck(processor, held_out, recipe.learning.check_every, folder)],
    )
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainer.save_model(str(folder))
    model._modules.pop("reading_head", None)
    return noted(folder)


def fitting_pictures(
    pictures: Sequence[Picture], processor: Any, max_tokens: int, on_bad: str, faults: Faults
) -> list[Picture]:
    """The pictures whose question and JSON fit beside the largest picture; a longer target would lose its end."""
    side = processor.image_processor.patch_size * processor.image_processor.merge_size
    room = max_tokens - processor.image_processor.size["longest_edge"] // side**2
    kept = []
    for picture in pictures:
        text = picture.question + facts_text(canonical(constraints_from_json(list(picture.constraints))))
        length = len(processor.tokenizer(text)["input_ids"])
        if length <= room:
            kept.append(picture)
        else:
            message = f"has {length} tokens of text, and room for {room} beside a picture"
            faults.add(Fault(place=picture.id, kind="over-long", message=message), on_bad)
    return kept


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
