"""A prefix read once by a language model, and its key-value cache shared by all that continues it.

Positions are always given, never left to the model: Qwen-VL models keep the last call's rotary offset in the module, and
a continuation that relies on it is silently wrong after any other call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad
from transformers import DynamicCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """What a model keeps of a text that it has read: keys and values per layer, and the position that comes next.

    An image's tokens take fewer positions than they are many, so `next_position` may be below `length`.
    """

    layers: tuple[tuple[Tensor, Tensor], ...]
    length: int
    next_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One continuation: its tokens, and the places among them whose hidden states are wanted."""

    prefix: Prefix
    tokens: tuple[int, ...]
    places: tuple[int, ...]


def read_prefix(model: Any, inputs: Mapping[str, Tensor]) -> Prefix:
    """Run the model over what the processor made of a text and its pictures."""
    length = inputs["input_ids"].shape[1]
    positions, following = _positions(model, inputs)
    given = {name: value for name, value in inputs.items() if name != "mm_token_type_ids"}
    cache: Any = DynamicCache()
    model.model(**given, position_ids=positions, past_key_values=cache, use_cache=True)
    layers = tuple((layer.keys, layer.values) for layer in cache.layers)
    return Prefix(layers=layers, length=length, next_position=following)


def hidden_states(model: Any, rows: Sequence[Row], chunk_tokens: int) -> list[Tensor]:
    """The hidden states at the wanted places of each row, which may continue different prefixes.

    Rows are padded on the right, so no token sees padding of its own row; shorter prefixes are padded on the left and
    masked. Long rows go in chunks over the growing cache, and rows that have ended leave the batch.
    """
    order = sorted(range(len(rows)), key=lambda index: -len(rows[index].tokens))
    found: list[list[Tensor]] = [[] for _ in rows]
    ordered = [rows[index] for index in order]
    for start, states in _chunks(model, ordered, chunk_tokens):
        for index, row, row_states in zip(order, ordered, states, strict=False):
            wanted = [place - start for place in row.places if 0 <= place - start < states.shape[1]]
            found[index].append(row_states[wanted])
    return [torch.cat(parts) for parts in found]


def _chunks(model: Any, rows: Sequence[Row], chunk_tokens: int) -> Iterator[tuple[int, Tensor]]:
    """The start of each chunk and the hidden states of the rows that reach it; the longest row comes first."""
    device = rows[0].prefix.layers[0][0].device
    cache, seen = _joined([row.prefix for row in rows])
    firsts = torch.tensor([row.prefix.next_position for row in rows], device=device)
    padded = not bool(seen.all())  # where nothing is, the model's own causal mask is enough, and faster
    longest, left = len(rows[0].tokens), len(rows)
    for start in range(0, longest, chunk_tokens):
        stop = min(start + chunk_tokens, longest)
        if (staying := sum(len(row.tokens) > start for row in rows)) < left:
            cache.batch_select_indices(torch.arange(staying))
            left = staying
        tokens = [row.tokens[start:stop] for row in rows[:left]]
        ids = torch.tensor([list(part) + [0] * (stop - start - len(part)) for part in tokens], device=device)
        seen = pad(seen[:left], (0, stop - start), value=1)
        positions = firsts[:left, None] + torch.arange(start, stop, device=device)
        output = model.model(
            input_ids=ids,
            attention_mask=seen if padded else None,
            position_ids=positions.expand(3, -1, -1) if _has_grid_positions(model) else positions,
            past_key_values=cache,
            use_cache=True,
        )
        yield start, output.last_hidden_state


def _joined(prefixes: Sequence[Prefix]) -> tuple[DynamicCache, Tensor]:
    """One cache with a row per prefix, and the mask of what in it is real; the shorter are padded on the left."""
    longest = max(prefix.length for prefix in prefixes)
    cache = DynamicCache()
    for number, layers in enumerate(zip(*(prefix.layers for prefix in prefixes), strict=True)):
        keys, values = ([layer[part] for layer in layers] for part in (0, 1))
        cache.update(_stacked(keys, longest), _stacked(values, longest), number)
    device = prefixes[0].layers[0][0].device
    lengths = torch.tensor([prefix.length for prefix in prefixes], device=device)
    return cache, (torch.arange(longest, device=device) >= longest - lengths[:, None]).long()


def _stacked(parts: Sequence[Tensor], longest: int) -> Tensor:
    if all(part is parts[0] for part in parts):
        return parts[0].expand(len(parts), -1, -1, -1)
    return torch.cat([pad(part, (0, 0, longest - part.shape[2], 0)) for part in parts])


def _positions(model: Any, inputs: Mapping[str, Tensor]) -> tuple[Tensor, int]:
    """The positions of a prefix's tokens and the one after them: rows and columns for a picture's, in Qwen-VL models."""
    ids = inputs["input_ids"]
    length = ids.shape[1]
    plain = torch.arange(length, device=ids.device)[None]
    if not _has_grid_positions(model):
        return plain, length
    if "image_grid_thw" not in inputs:
        return plain.expand(3, -1, -1), length
    positions, offset = model.model.get_rope_index(
        ids, mm_token_type_ids=inputs["mm_token_type_ids"], image_grid_thw=inputs["image_grid_thw"]
    )
    return positions, length + int(offset)


def _has_grid_positions(model: Any) -> bool:
    """Whether the model counts positions by time, row and column, as all of the Qwen-VL family do."""
    return callable(getattr(model.model, "get_rope_index", None))
