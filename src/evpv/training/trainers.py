"""The trainers, by TRL and transformers: of the constraint extractor E_φ, by next-token loss and then DPO, and of the step verifier V_θ.

The extractor learns the constraints' JSON (Eq. 7 of the paper). Its DPO: −log σ(β [log P(C⁺) − log P(C⁻)]), weighted by λ.
Alone, λ would only rescale a loss that AdamW rescales back; it means something beside the next-token loss on C⁺, which
`sft_weight` adds (0 gives the bare formula). The verifier learns binary cross-entropy at each step's end marker (Eq. 8):
u_t = P(+) against P(−), read from the two label rows of the language model's head; the checkpoint stays a plain one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset  # type: ignore[import-untyped]
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional
from transformers import Trainer, TrainingArguments
from trl.trainer.dpo_config import DPOConfig
from trl.trainer.dpo_trainer import DPOTrainer
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling, SFTTrainer

from evpv.backends.step_forms import MARKER, StepForm, canonical, facts_text, layout, single_token, verifier_question
from evpv.errors import ConfigError, RecordError
from evpv.training import learner as learning
from evpv.training.launch import is_sharded, shared_work
from evpv.training.learner import EpochOrder, Learner, resumable
from evpv.training.measures import decoding, fidelity, step_metrics
from evpv.training.pictures import Pair, Picture, open_picture, random_shift, shifted_letters, training_picture
from evpv.training.reading import ReadingHead, ReadingTargets, reading_loss, reading_targets, save_head
from evpv.training.recipes import DataPart, TrainingRecipe, VerifierPart
from evpv.training.trajectories import Trajectory
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
            learning.tower_of(self.model).register_forward_hook(self._keep_cells)

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
    _lay_on_head(recipe, model, (learning.last_checkpoint(folder), folder, Path(recipe.model.start)))
    if recipe.model.freeze_vision and not recipe.data.shift_px and not recipe.reading.weight:
        learning.remember(model)
    rows, weight = _PictureRows(pictures, recipe), recipe.reading.weight
    # the head is asked outside of the model's own pass: looked for there, it would pass for unused
    stated = {"max_length": None, "ddp_find_unused_parameters": False if weight else None}
    learning.run_trainer(
        _ExtractorTrainer, SFTConfig, recipe, learner, folder, rows=_lazy_dataset(len(pictures), rows.row), told=[rows],
        order=EpochOrder(len(pictures), recipe.learning), stated=stated, reading_weight=weight,
        measure=partial(fidelity, processor=processor, pictures=held_out, **decoding(recipe)),
        data_collator=_ReadingCollator(processor, reading=weight > 0),
    )  # fmt: skip
    model._modules.pop("reading_head", None)
    return learning.held_out_log(folder)


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

    def row(index: int) -> dict[str, Any]:
        pair = pairs[index]
        picture = open_picture(pair.image, recipe.data.max_side_px, pair.pixels)
        sides = {"chosen": _answer(pair.chosen), "rejected": _answer(pair.rejected)}
        return {"images": [picture], "prompt": _prompt(pair.question), **sides}

    trainer = learning.run_trainer(
        _PreferenceTrainer, DPOConfig, recipe, learner, folder, rows=_lazy_dataset(len(pairs), row),
        order=EpochOrder(len(pairs), recipe.learning), reference_free=part.form == "reference-free",
        stated={"beta": part.beta, "loss_type": losses, "loss_weights": weights, "max_length": None},
    )  # fmt: skip
    return [line for line in trainer.state.log_history if "rewards/margins" in line]


def _lazy_dataset(count: int, row: Callable[[int], dict[str, Any]]) -> Dataset:
    """Rows as TRL takes them, each made when its turn comes: pictures are opened then."""

    def rows(asked: dict[str, list[int]]) -> dict[str, list[Any]]:
        made = [row(index) for index in asked["index"]]
        return {name: [one[name] for one in made] for name in made[0]}

    return Dataset.from_dict({"index": list(range(count))}).with_transform(rows)


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
    plus, minus = collator.layout.right, collator.layout.wrong

    def row_scores(some: Sequence[Trajectory]) -> list[tuple[list[float], list[float]]]:
        found = []
        for start in range(0, len(some), _SCORED_AT_ONCE):
            batch = collator(some[start : start + _SCORED_AT_ONCE])
            inputs = {name: value.to(model.device) for name, value in batch.items()}
            targets = inputs.pop("step_labels")
            keep = _read_columns(targets)
            logits = model(**inputs, use_cache=False, logits_to_keep=keep).logits
            margins = torch.sigmoid((logits[..., plus] - logits[..., minus]).float())
            for row, labels in zip(margins, targets[:, keep], strict=True):
                known = labels != _NO_LABEL
                found.append((row[known].tolist(), labels[known].tolist()))
        return found

    was_training = model.training
    model.eval()
    with torch.no_grad():
        pairs = shared_work(rows, row_scores)
    model.train(was_training)
    return [score for scores, _ in pairs for score in scores], [label for _, labels in pairs for label in labels]


def train_verifier(
    recipe: TrainingRecipe, learner: Learner, rows: Sequence[Trajectory], held_out: Sequence[Trajectory], folder: Path
) -> list[dict[str, Any]]:
    """Fine-tune; checkpoints and the final model go to the folder, the held-out log comes back."""
    _check_pictures(rows)
    collator = StepCollator(learner.processor, recipe.data, recipe.verifier)
    if recipe.model.freeze_vision:
        learning.remember(learner.model)
    lengths = [sum(len(step) for step in row.steps) for row in rows]

    def measure(model: Any) -> dict[str, float | None]:
        return step_metrics(*step_scores(model, collator, held_out))

    learning.run_trainer(
        _VerifierTrainer, TrainingArguments, recipe, learner, folder, rows=list(rows),
        order=EpochOrder(len(rows), recipe.learning, lengths), measure=measure if held_out else None,
        stated={"label_names": ["step_labels"]}, labels=(collator.layout.right, collator.layout.wrong),
        part=recipe.verifier, data_collator=collator,
    )  # fmt: skip
    return learning.held_out_log(folder)


def _check_pictures(rows: Sequence[Trajectory]) -> None:
    """Refuse rows with and without pictures side by side where FSDP would wait for ever for a tower that nobody asks."""
    if is_sharded() and len({bool(row.images) for row in rows}) > 1:
        without = next(row.id for row in rows if not row.images)
        raise ConfigError(
            f"{without} and others have no picture: FSDP needs every process to look each time. "
            "Leave such rows out, set data.pictures = false, or use --launch ddp."
        )
