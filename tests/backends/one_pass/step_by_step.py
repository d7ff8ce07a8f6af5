"""The slow way to score, which is the truth: one plain forward per step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The model by its own forward, loaded apart from the scorer."""

    model: Any
    processor: Any

    right: str = "+"
    wrong: str = "-"

    def probability(self, text: str, images: Sequence[str], *, back: int = 1) -> float:
        """P(right) against P(wrong) at the token `back` from a text's end."""
        pictures = [Image.open(path).convert("RGB") for path in images]
        inputs = self.processor(text=[text], images=[pictures] if pictures else None, return_tensors="pt")
        with torch.no_grad():
            logits = self.model(**inputs).logits[0, -back]
        right, wrong = self.processor.tokenizer.convert_tokens_to_ids([self.right, self.wrong])
        return float(torch.sigmoid(logits[right] - logits[wrong]))
