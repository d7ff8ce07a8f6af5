"""Muon in single precision: momentum whose step is made orthogonal, for the matrices of a small tower.

torch's own orthogonalises in bf16, which a CPU without bf16 units does twenty times slower than the rest of the step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

_STEPS = 5
_A, _B, _C = 3.4445, -4.7750, 2.0315  # the quintic that pulls all singular values towards one


class Muon(torch.optim.Optimizer):
    """Steps have the size that AdamW's would have (0.2 √(longer side)), so both can share a rate and a schedule."""

    def __init__(self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, weight_decay: float = 0.05):
        super().__init__(weights, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group)

    def _move(self, weight: Tensor, group: dict[str, Any]) -> None:
        state = self.state[weight]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(weight)
        kept = state["momentum"].lerp_(weight.grad, 1 - group["momentum"])
        ahead = weight.grad.lerp(kept, group["momentum"])  # type: ignore[union-attr]
        size = 0.2 * max(weight.shape) ** 0.5
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(orthogonal(ahead), alpha=-group["lr"] * size)


def orthogonal(matrix: Tensor) -> Tensor:
    """The matrix with all singular values near one, by Newton–Schulz."""
    wide = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x: Tensor = wide / (wide.norm() + 1e-7)
    for _ in range(_STEPS):
        square = x @ x.T
        x = _A * x + (_B * square + _C * square @ square) @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x
