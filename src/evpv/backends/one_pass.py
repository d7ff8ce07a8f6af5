"""Scores all steps of all candidates of a problem with one reading of its picture and question.

u_t = P(right) against P(wrong) at each step's end (u_t in the paper, V_θ), from the two label rows of the language model's
head: the other rows of a vocabulary of 152,000 are never multiplied. A candidate's T steps take one forward, not T, and the
prefix (picture, question, facts) is read once for its N candidates: its key-value cache is shared by all that continue it.
Positions are always given, never left to the model: Qwen-VL models keep the last call's rotary offset in the module, and
a continuation that relies on it is silently wrong after any other call.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image
from torch import Tensor
from torch.nn.functional import pad
from transformers import DynamicCache

from evpv.backends.images import ImageEncoder, ImagePolicy
from evpv.backends.local_weights import LoadedModel, Weights, load, short_reason
from evpv.backends.step_forms import Batching, StepForm, StepQuestion, StepScores, layout
from evpv.errors import BackendError, ConfigError, ImageError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prefix:
    """What a model keeps of a text that it has read: keys and values per layer, and the position that comes next.

    An image's tokens take fewer positions than they are many, so `next_position` may be below `length`.
    """

    layers: tuple[tuple[Tensor, Tensor], ...]
    length: int
    next_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Continuation:
    """One continuation: its tokens, and the places among them whose hidden states are wanted."""

    prefix: _Prefix
    tokens: tuple[int, ...]
    places: tuple[int, ...]


def _hidden_states(model: Any, rows: Sequence[_Continuation], chunk_tokens: int) -> list[Tensor]:
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


def _chunks(model: Any, rows: Sequence[_Continuation], chunk_tokens: int) -> Iterator[tuple[int, Tensor]]:
    """The start of each chunk and the hidden states of the rows that reach it; the longest row comes first."""
    device = rows[0].prefix.layers[0][0].device
    cache, seen = _joint_cache([row.prefix for row in rows])
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


def _joint_cache(prefixes: Sequence[_Prefix]) -> tuple[DynamicCache, Tensor]:
    """One cache with a row per prefix, and the mask of what in it is real; the shorter are padded on the left."""
    longest = max(prefix.length for prefix in prefixes)
    cache = DynamicCache()
    for number, layers in enumerate(zip(*(prefix.layers for prefix in prefixes), strict=True)):
        keys, values = ([layer[part] for layer in layers] for part in (0, 1))
        cache.update(_padded_stack(keys, longest), _padded_stack(values, longest), number)
    device = prefixes[0].layers[0][0].device
    lengths = torch.tensor([prefix.length for prefix in prefixes], device=device)
    return cache, (torch.arange(longest, device=device) >= longest - lengths[:, None]).long()


def _padded_stack(parts: Sequence[Tensor], longest: int) -> Tensor:
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


_REFUSALS = (ValueError, RuntimeError, IndexError, TypeError, KeyError)
"""What processors and models raise on input they cannot take: a picture 1 × 5,000 pixels, too little memory."""

_BATCH_TOKENS = {True: 2_048, False: 32_768}
"""On a CPU and on anything else."""

_PROBES = (("AB = 3.", "So 7."), ("AB = 3.", "So 8, then 9."), ("CD = 4.", "So 7."))
"""Two steps; the same with another end; the same with another start."""


_Place = tuple[int, int]
"""Where a row's scores belong: the number of the question, and of its candidate."""


class OnePassScorer:
    """A step reward model over local weights: any plain vision-language checkpoint, no head of its own.

    Scores do not depend on what else is in the batch, up to rounding. What is wrong with one problem or candidate is a
    `problem` of its scores. A model that cannot be read in this form is refused when it is loaded (`readout_fault`).
    """

    def __init__(
        self,
        weights: Weights,
        *,
        form: StepForm | None = None,
        batching: Batching | None = None,
        images: ImagePolicy | None = None,
    ) -> None:
        self.name = weights.name
        self.image_encodes = 0
        self._batching = batching or Batching()
        self._loaded: LoadedModel = load(weights)
        self._batch_tokens = self._batching.batch_tokens or _BATCH_TOKENS[self._loaded.model.device.type == "cpu"]
        self._layout = layout(form or StepForm(), self._loaded.processor)
        self._encoder = ImageEncoder(images or ImagePolicy())
        self._lock = threading.Lock()
        head = self._loaded.model.get_output_embeddings().weight
        self._direction: Tensor = (head[self._layout.right].float() - head[self._layout.wrong].float()).detach()
        fault = self.readout_fault()
        self.image_encodes = 0
        if fault is not None:
            raise ConfigError(f"the model {weights.model!r} cannot be read as a step verifier: {fault}")

    def score(self, questions: Sequence[StepQuestion]) -> list[list[StepScores]]:
        scores: dict[_Place, StepScores] = {}
        with self._lock, torch.inference_mode():
            for batch in self._batches(self._rows(questions, scores)):
                scores.update(self._batch_scores(batch))
        return [
            [scores[number, index] for index in range(len(question.candidates))]
            for number, question in enumerate(questions)
        ]

    def readout_fault(self) -> str | None:
        """What is wrong with how this model is read, found on a probe of two steps; None if nothing is.

        The model's own forward over the whole text must give the same numbers at the place where the labels stand; a
        later step must not change an earlier one's, and a step's own text must.
        """
        with self._lock, torch.inference_mode():
            picture = [Image.linear_gradient("L").resize((56, 56)).convert("RGB")]
            probe, other_end, other_start = (self._margins(picture, steps) for steps in _PROBES)
            whole = self._whole_margins(picture, _PROBES[0])
        if whole is None:
            return "its tokens are cut otherwise where a step meets its end: labels would be read at the wrong place."
        rounding = 5e-4 if self._loaded.model.dtype == torch.float32 else 0.1
        near = rounding * (2 + float(whole.abs().max()))
        if float((probe - whole).abs().max()) > near:
            return "its own forward over the whole text gives other numbers at the steps' ends."
        if abs(float(probe[0] - other_end[0])) > near:
            return "a later step changes an earlier one's score: it does not read from left to right."
        if torch.equal(probe[0], other_start[0]):
            return "a step's own text does not change its score: its labels are read at the wrong place."
        return None

    def _rows(
        self, questions: Sequence[StepQuestion], scores: dict[_Place, StepScores]
    ) -> Iterator[tuple[_Place, _Continuation]]:
        """The candidates ready to be scored; what cannot be is answered in `scores` at once."""
        for number, question in enumerate(questions):
            candidates = {(number, index): steps for index, steps in enumerate(question.candidates)}
            scores |= dict.fromkeys(candidates, StepScores())
            waiting = {place: steps for place, steps in candidates.items() if steps}
            if not waiting:
                continue
            try:
                prefix = self._prefix(question)
            except BackendError as error:
                scores |= dict.fromkeys(waiting, StepScores(problem=str(error)))
                continue
            for place, steps in waiting.items():
                row = self._row(prefix, steps)
                if (length := prefix.length + len(row.tokens)) > self._most:
                    reason = f"the candidate has {length} tokens with its question, more than {self._most}"
                    scores[place] = StepScores(problem=reason)
                else:
                    yield place, row

    def _prefix(self, question: StepQuestion) -> _Prefix:
        """The problem read; `BackendError` says why it cannot be."""
        try:
            return self._read(question.text, [self._encoder.encode_file(path).picture() for path in question.images])
        except ImageError as error:
            raise BackendError(str(error)) from error
        except _REFUSALS as error:
            raise BackendError(f"the model cannot take this problem: {short_reason(error)}") from error

    def _batches(self, rows: Iterator[tuple[_Place, _Continuation]]) -> Iterator[list[tuple[_Place, _Continuation]]]:
        """Consecutive rows, of one problem or several, as many as the cache may hold."""
        batch: list[tuple[_Place, _Continuation]] = []
        prefix = longest = 0
        for place, row in rows:
            wider, longer = max(prefix, row.prefix.length), max(longest, len(row.tokens))
            if batch and (len(batch) + 1) * (wider + longer) > self._batch_tokens:
                yield batch
                batch, wider, longer = [], row.prefix.length, len(row.tokens)
            batch.append((place, row))
            prefix, longest = wider, longer
        if batch:
            yield batch

    def _batch_scores(self, batch: Sequence[tuple[_Place, _Continuation]]) -> dict[_Place, StepScores]:
        """The scores of a batch; one that does not fit into memory is halved until a candidate stands alone."""
        states: list[Tensor] | None = None
        try:
            states = _hidden_states(self._loaded.model, [row for _, row in batch], self._batching.chunk_tokens)
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                reason = f"the candidate does not fit into memory: {short_reason(error)}"
                return {batch[0][0]: StepScores(problem=reason)}
        if states is None:  # not within the except clause, where the error still holds on to its tensors
            middle = len(batch) // 2
            return self._batch_scores(batch[:middle]) | self._batch_scores(batch[middle:])
        probabilities = (torch.sigmoid(self._margin(state)).tolist() for state in states)
        return {
            place: StepScores(probabilities=tuple(found))
            for (place, _), found in zip(batch, probabilities, strict=True)
        }

    def _margin(self, states: Tensor) -> Tensor:
        """The logit of right less that of wrong: two rows of the head, in float32 whatever the model is in."""
        return states.float().to(self._direction.device) @ self._direction

    @property
    def _most(self) -> int:
        return min(self._loaded.context, self._batching.max_tokens or self._loaded.context)

    def _read(self, text: str, pictures: Sequence[Image.Image]) -> _Prefix:
        inputs = self._inputs(self._layout.prefix(text, len(pictures)), pictures)
        if (length := inputs["input_ids"].shape[1]) > self._most:
            raise BackendError(f"the question has {length} tokens, more than {self._most}")
        self.image_encodes += len(pictures)
        model = self._loaded.model
        cache: Any = DynamicCache()
        positions, following = _positions(model, inputs)
        given = {name: value for name, value in inputs.items() if name != "mm_token_type_ids"}
        model.model(**given, position_ids=positions, past_key_values=cache, use_cache=True)
        layers = tuple((layer.keys, layer.values) for layer in cache.layers)
        return _Prefix(layers=layers, length=length, next_position=following)

    def _inputs(self, text: str, pictures: Sequence[Image.Image]) -> Any:
        inputs = self._loaded.processor(text=[text], images=[list(pictures)] if pictures else None, return_tensors="pt")
        return inputs.to(self._loaded.model.device)

    def _row(self, prefix: _Prefix, steps: Sequence[str]) -> _Continuation:
        """Piece by piece, so that what stands after a readout cannot join the token that is read."""
        tokens: list[int] = []
        places = []
        for piece in self._layout.pieces(steps):
            tokens += self._loaded.processor.tokenizer.encode(piece, add_special_tokens=False)
            places.append(len(tokens) - 1)
        return _Continuation(prefix=prefix, tokens=tuple(tokens), places=tuple(places))

    def _margins(self, pictures: Sequence[Image.Image], steps: Sequence[str]) -> Tensor:
        row = self._row(self._read("What is AB?", pictures), steps)
        [states] = _hidden_states(self._loaded.model, [row], self._batching.chunk_tokens)
        return self._margin(states)

    def _whole_margins(self, pictures: Sequence[Image.Image], steps: Sequence[str]) -> Tensor | None:
        """The label margins by the model's own forward over one text, found in it by what stands there, not by counting."""
        text = self._layout.prefix("What is AB?", len(pictures)) + "".join(self._layout.pieces(steps))
        inputs = self._inputs(text + self._layout.link, pictures)
        places = self._layout.readouts(inputs["input_ids"][0].tolist())[-len(steps) :]
        if len(places) < len(steps):
            return None
        logits = self._loaded.model(**inputs).logits[0, places].float()
        margins: Tensor = logits[:, self._layout.right] - logits[:, self._layout.wrong]
        return margins
