"""How many tokens a question has, by the rule of the model that is asked: its own processor where that is here, else its family's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from evpv.backends.images import opened_picture
from evpv.errors import EvpvError, ImageError
from evpv.files import regular_content
from evpv.protocols import ChatRequest
from evpv.study.plan import Model

_CELL_PX = 28
_QWEN_PIXELS = (56 * 56, 14 * 14 * 4 * 16384)
_TILE_PX, _TILE_TOKENS, _MOST_TILES = 448, 256, 12
_TEMPLATE_TOKENS = 24
_LARGEST_SENT_PX = 1536
_LARGEST_FILE_BYTES = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRule:
    """Counts by a processor, by words (prepared answers count those), or by characters and the family's rule for pictures."""

    processor: Any = None
    words: bool = False
    characters_per_token: float = 3.6
    family: Literal["", "qwen", "internvl"] = ""
    max_side_px: int = _LARGEST_SENT_PX

    def text_tokens(self, request: ChatRequest) -> int:
        """Tokens of the question's text in the form of the chat."""
        if self.words:
            return len(request.prompt.split())
        if self.processor is None:
            said = len(request.prompt) + len(request.system or "")
            return round(said / self.characters_per_token) + _TEMPLATE_TOKENS
        parts: list[dict[str, Any]] = [{"type": "image"} for _ in request.images]
        turns = [{"role": "user", "content": [*parts, {"type": "text", "text": request.prompt}]}]
        if request.system is not None:
            turns.insert(0, {"role": "system", "content": [{"type": "text", "text": request.system}]})
        text = self.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        return len(self.processor.tokenizer(text, add_special_tokens=False)["input_ids"]) - len(request.images)

    def picture_tokens(self, images: Sequence[str]) -> int:
        """Tokens of the pictures, as large as they are sent."""
        if self.words or not images:
            return 0
        sizes = [_sent_size(path, self.max_side_px) for path in images]
        if self.processor is not None:
            counted = self.processor._get_num_multimodal_tokens(image_sizes=[(high, wide) for wide, high in sizes])
            return int(sum(counted.num_image_tokens))
        rule = _internvl_tokens if self.family == "internvl" else _qwen_tokens
        return sum(rule(*size) for size in sizes)


def token_rule(model: Model, characters_per_token: float) -> TokenRule:
    """The rule of a model: exact where its processor can be opened without asking anybody."""
    side = int((model.settings.get("images") or {}).get("max_side_px", _LARGEST_SENT_PX))
    if model.use == "scripted" or ":" in model.use:
        return TokenRule(words=True)
    name = str(model.settings.get("model", ""))
    family: Literal["qwen", "internvl"] = "internvl" if "internvl" in name.lower() else "qwen"
    plain = TokenRule(characters_per_token=characters_per_token, family=model.pictures or family, max_side_px=side)
    if model.serve and Path(model.weights_place).is_dir():
        name = model.weights_place
    elif model.use != "transformers-chat":
        return plain
    try:
        from evpv.backends.local_weights import open_processor  # torch's: only those who count local weights need it

        return TokenRule(processor=open_processor(name), max_side_px=side)
    except EvpvError:
        return plain


def _qwen_tokens(wide: int, high: int) -> int:
    """Qwen2-VL's rule: sides rounded to 28 pixels within its bounds on area, a token for each cell of 28 × 28.

    >>> _qwen_tokens(640, 480), _qwen_tokens(1536, 1152)
    (391, 2255)
    """
    columns, rows = max(round(wide / _CELL_PX), 1), max(round(high / _CELL_PX), 1)
    least, most = (bound / _CELL_PX**2 for bound in _QWEN_PIXELS)
    return round(min(max(columns * rows, least), most))


def _internvl_tokens(wide: int, high: int) -> int:
    """InternVL's rule: tiles of 448 pixels in the grid nearest to the picture's shape, and a small whole, 256 tokens each.

    >>> _internvl_tokens(448, 448), _internvl_tokens(640, 480), _internvl_tokens(1344, 448)
    (256, 3328, 1024)
    """
    shape = wide / high
    grids = [(c, r) for c in range(1, _MOST_TILES + 1) for r in range(1, _MOST_TILES + 1) if c * r <= _MOST_TILES]
    best, gap = (1, 1), float("inf")
    for columns, rows in sorted(grids, key=lambda grid: grid[0] * grid[1]):
        off = abs(shape - columns / rows)
        larger = off == gap and wide * high > 0.5 * _TILE_PX**2 * columns * rows
        if off < gap or larger:
            best, gap = (columns, rows), off
    tiles = best[0] * best[1]
    return _TILE_TOKENS * (tiles + (1 if tiles > 1 else 0))


@lru_cache(maxsize=10_000)
def _sent_size(path: str, max_side_px: int) -> tuple[int, int]:
    try:
        with opened_picture(regular_content(path, _LARGEST_FILE_BYTES)) as picture:
            wide, high = picture.size
    except (OSError, ValueError, ImageError):
        return 0, 0
    scale = min(1.0, max_side_px / max(wide, high))
    return max(round(wide * scale), 1), max(round(high * scale), 1)
