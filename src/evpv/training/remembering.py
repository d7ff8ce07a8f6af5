"""A frozen vision tower need not look at the same picture twice."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutputWithPooling


class RememberingTower:
    """Stands in for a frozen tower's forward: a picture that was seen is answered from memory, known by its pixels.

    Most of a small extractor's step is the tower, and a verifier sees each picture once per candidate. The cells of
    20,000 pictures at mini size take about 600 MB.
    """

    def __init__(self, tower: Any):
        self.forward, self.merged = tower.forward, tower.spatial_merge_size**2
        self.cells: dict[bytes, Tensor] = {}

    @torch.no_grad()
    def __call__(self, pixels: Tensor, grid_thw: Tensor, **settings: Any) -> BaseModelOutputWithPooling:
        pieces = torch.split(pixels, grid_thw.prod(-1).tolist())
        keys = [blake2b(piece.numpy().tobytes(), digest_size=16).digest() for piece in pieces]
        new = {key: i for i, key in enumerate(keys) if key not in self.cells}
        if new:
            grids = grid_thw[list(new.values())]
            seen = self.forward(torch.cat([pieces[i] for i in new.values()]), grid_thw=grids, **settings).pooler_output
            self.cells |= zip(new, seen.split((grids.prod(-1) // self.merged).tolist()), strict=True)
        together: Any = torch.cat([self.cells[key] for key in keys])
        return BaseModelOutputWithPooling(pooler_output=together)


def remember(model: Any) -> None:
    """Give a model with a frozen tower its memory; weights and their names stay as they are."""
    tower = model.model.visual
    if any(weight.requires_grad for weight in tower.parameters()):
        raise ValueError("a tower that learns must look every time")
    tower.forward = RememberingTower(tower)
