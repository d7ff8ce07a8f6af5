"""The dense reading task: which character stands where, and to which fact it belongs. It teaches a small tower to see.

Next-token loss alone never finds the pixels when a model starts from nothing: the picture's share of the gradient is
drowned by what text alone predicts. Here a throw-away linear head on the vision tower's output must name the character
in each slot of each merged cell. Afterwards the language model has something to read from; the head is not shipped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from evpv.training.launch import is_main
from evpv.training.pictures import Letter, Picture, random_shift, shifted_letters, training_picture
from evpv.training.recipes import ReadingSettings

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz°%?().-"
_ROLES = 12
_CELL_PX = 28
ROWS, COLUMNS = 2, 4
_SLOTS = ROWS * COLUMNS
_CODES = {character: i + 1 for i, character in enumerate(_CHARACTERS)}
_ORTHOGONAL_STEPS = 5
_A, _B, _C = 3.4445, -4.7750, 2.0315  # the quintic that pulls all singular values towards one
_EMPTY_WEIGHT = 0.05  # most slots are empty; without this the first lesson is that all are


class ReadingTargets(NamedTuple):
    """Per cell and slot: the character's code and its role plus one; 0 is an empty slot, role −100 is not asked."""

    characters: Tensor
    roles: Tensor


class ReadingHead(nn.Module):
    """One linear layer per cell: the codes of its slots' characters, and their roles."""

    def __init__(self, hidden: int):
        super().__init__()
        self.characters = nn.Linear(hidden, _SLOTS * (len(_CHARACTERS) + 1))
        self.roles = nn.Linear(hidden, _SLOTS * (_ROLES + 1))

    def forward(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        count = cells.shape[0]
        return self.characters(cells).view(count * _SLOTS, -1), self.roles(cells).view(count * _SLOTS, -1)


def reading_targets(letters: Sequence[Sequence[Letter]], grids: Tensor) -> ReadingTargets:
    """What the head should say of some pictures, cells in reading order, pictures one after the other.

    Two characters in one slot: the later wins. Characters outside the picture or the alphabet are not asked for.
    """
    characters, roles = [], []
    for one, (_, height, width) in zip(letters, grids.tolist(), strict=True):
        down, across = height // 2, width // 2
        code = torch.zeros(down * across, _SLOTS, dtype=torch.long)
        role = torch.full((down * across, _SLOTS), -100, dtype=torch.long)
        for letter in one:
            inside = 0 <= letter.y < down * _CELL_PX and 0 <= letter.x < across * _CELL_PX
            if letter.character not in _CODES or not inside:
                continue
            row, column = letter.y / _CELL_PX, letter.x / _CELL_PX
            cell = int(row) * across + int(column)
            slot = int(row % 1 * ROWS) * COLUMNS + int(column % 1 * COLUMNS)
            code[cell, slot] = _CODES[letter.character]
            role[cell, slot] = min(letter.role, _ROLES)
        characters.append(code)
        roles.append(role)
    return ReadingTargets(characters=torch.cat(characters).flatten(), roles=torch.cat(roles).flatten())


def reading_loss(head: ReadingHead, cells: Tensor, targets: ReadingTargets) -> Tensor:
    """Cross-entropy of the characters, empty slots counting little, plus that of the roles where there is one."""
    characters, roles = head(cells)
    weight = torch.ones(len(_CHARACTERS) + 1)
    weight[0] = _EMPTY_WEIGHT
    loss = functional.cross_entropy(characters, targets.characters, weight=weight)
    if bool((targets.roles >= 0).any()):
        loss = loss + 0.5 * functional.cross_entropy(roles, targets.roles, ignore_index=-100)
    return loss


def _cells_of(model: Any, pixels: Tensor, grids: Tensor) -> Tensor:
    """The vision tower's output, one vector per merged cell, in reading order."""
    output = model.model.visual(pixels, grid_thw=grids).pooler_output
    return output if isinstance(output, Tensor) else torch.cat(list(output))


def train_reading(
    model: Any, processor: Any, pictures: Sequence[Picture], held_out: Sequence[Picture], settings: ReadingSettings
) -> tuple[ReadingHead, list[dict[str, float]]]:
    """Teach the vision tower to read; the head comes back with the log of losses and held-out accuracies."""
    torch.manual_seed(settings.seed)
    head = ReadingHead(model.config.text_config.hidden_size)
    weights = [*model.model.visual.parameters(), *head.parameters()]
    optimizers = _optimizers(model, head, settings)
    log, started = [], time.monotonic()
    model.train()
    for step, batch in enumerate(_batches(pictures, processor, settings)):
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * _pace(step, settings)
        loss = reading_loss(head, _cells_of(model, batch[0], batch[1]), batch[2])
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(weights, 1.0)
        for optimizer in optimizers:
            optimizer.step()
        if (step + 1) % settings.check_every == 0:
            checked = _reading_accuracy(model, head, processor, held_out)
            seconds = round(time.monotonic() - started)
            log.append({"step": step + 1, "loss": round(float(loss.detach()), 4), **checked, "seconds": seconds})
            if is_main():
                print(json.dumps(log[-1]), flush=True)
    return head, log


def _reading_accuracy(
    model: Any, head: ReadingHead, processor: Any, pictures: Sequence[Picture], batch: int = 32
) -> dict[str, float]:
    """Held-out shares: written characters named right, and roles named right, over the slots that hold a character."""
    right = asked = role_right = role_asked = 0
    model.eval()
    with torch.no_grad():
        for start in range(0, len(pictures), batch):
            some = pictures[start : start + batch]
            pixels = processor.image_processor(images=[training_picture(one) for one in some], return_tensors="pt")
            targets = reading_targets([one.letters for one in some], pixels["image_grid_thw"])
            characters, roles = head(_cells_of(model, pixels["pixel_values"], pixels["image_grid_thw"]))
            written, placed = targets.characters > 0, targets.roles >= 0
            right += int((characters.argmax(-1) == targets.characters)[written].sum())
            role_right += int((roles.argmax(-1) == targets.roles)[placed].sum())
            asked, role_asked = asked + int(written.sum()), role_asked + int(placed.sum())
    model.train()
    return {"characters": round(right / max(asked, 1), 4), "roles": round(role_right / max(role_asked, 1), 4)}


def save_head(head: ReadingHead, path: str | Path) -> None:
    """Keep the head for the next stage, in which reading goes on as a side task."""
    save_file(head.state_dict(), str(path))


def _batches(
    pictures: Sequence[Picture], processor: Any, settings: ReadingSettings
) -> Iterator[tuple[Tensor, Tensor, ReadingTargets]]:
    rng = Random(settings.seed)
    for _ in range(settings.steps):
        some = rng.choices(pictures, k=settings.batch)
        shifts = [random_shift(rng, settings.shift_px) for _ in some]
        images = [training_picture(one, shift) for one, shift in zip(some, shifts, strict=True)]
        pixels = processor.image_processor(images=images, return_tensors="pt")
        letters = [shifted_letters(one.letters, shift) for one, shift in zip(some, shifts, strict=True)]
        yield pixels["pixel_values"], pixels["image_grid_thw"], reading_targets(letters, pixels["image_grid_thw"])


def _optimizers(model: Any, head: ReadingHead, settings: ReadingSettings) -> list[torch.optim.Optimizer]:
    """Muon for the tower's matrices, which it teaches in far fewer pictures than AdamW does; AdamW for the rest."""
    matrices = [weight for weight in model.model.visual.blocks.parameters() if weight.ndim == 2]
    taken = {id(weight) for weight in matrices}
    rest = [weight for weight in (*model.model.visual.parameters(), *head.parameters()) if id(weight) not in taken]
    rate = settings.learning_rate
    return [Muon(matrices, lr=rate), torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.95), weight_decay=0.05)]


def _pace(step: int, settings: ReadingSettings) -> float:
    """Warm up, hold, then fall in a line to a twentieth."""
    if step < settings.warmup:
        return (step + 1) / settings.warmup
    start = settings.decay_from * settings.steps
    return 1.0 if step < start else max(0.05, 1 - (step - start) / max(settings.steps - start, 1))


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal, for the matrices of a small tower, in single precision.

    torch's own does that in bf16, twenty times slower on a CPU without bf16 units. Steps have the size that
    AdamW's would have (0.2 √(longer side)), so both can share a rate and a schedule.
    """

    def __init__(self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.05):
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for weight in (one for one in group["params"] if one.grad is not None):
                state = self.state[weight]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(weight)
                kept = state["momentum"].lerp_(weight.grad, 1 - group["momentum"])
                ahead = weight.grad.lerp(kept, group["momentum"])
                size = 0.2 * max(weight.shape) ** 0.5
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(orthogonal(ahead), alpha=-group["lr"] * size)


def orthogonal(matrix: Tensor) -> Tensor:
    """The matrix with all singular values near one, by Newton–Schulz."""
    wide = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x: Tensor = wide / (wide.norm() + 1e-7)
    for _ in range(_ORTHOGONAL_STEPS):
        square = x @ x.T
        x = _A * x + (_B * square + _C * square @ square) @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x
