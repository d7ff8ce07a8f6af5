"""How long a row is, pictures included, as the processor will make it; and pictures made smaller where a row is too long.

A processor of the released settings gives one picture up to 16,384 tokens. To reserve that for every row would leave no
room for any, and to cut a row would lose its end: so pictures shrink first, and a row is left out last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from PIL import Image

from evpv.backends.images import DECODING_ERRORS
from evpv.training.data.pictures import smaller_size
from evpv.training.data.screening import Fault, Faults
from evpv.training.recipes import TrainingRecipe

_Size = tuple[int, int]


class PicturedRow(Protocol):
    """A row with pictures: `pixels` is the most that each of them may have, 0 for no bound of its own."""

    @property
    def id(self) -> str: ...
    @property
    def images(self) -> tuple[Path, ...]: ...
    @property
    def pixels(self) -> int: ...


Row = TypeVar("Row", bound=PicturedRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Counts a row's tokens by the processor's own rule, without making its pixels."""

    processor: Any
    max_tokens: int
    max_side_px: int = 0
    fewest_pixels: int = 0

    def tokens(self, text: str, images: Sequence[Path], pixels: int = 0) -> int:
        """The length of a row: its text in the chat's form, each picture's place taken by its tokens."""
        sizes = [_picture_size(path) for path in images]
        return self._text_tokens(text, len(sizes)) + self.picture_tokens(sizes, pixels)

    def picture_tokens(self, sizes: Sequence[_Size], pixels: int = 0) -> int:
        """How many tokens the processor makes of pictures of these sizes (width, height)."""
        if not sizes:
            return 0
        bounded = [smaller_size(size, self.max_side_px, pixels) for size in sizes]
        counted = self.processor._get_num_multimodal_tokens(image_sizes=[(high, wide) for wide, high in bounded])
        return sum(counted.num_image_tokens)

    def fitted(self, row: Row, text: str) -> Row | Fault:
        """The row, with a bound on its pictures if it needs one, or why it cannot be used."""
        try:
            sizes = [_picture_size(path) for path in row.images]
            room = self.max_tokens - self._text_tokens(text, len(sizes))
            if self.picture_tokens(sizes) <= room:
                return row
            pixels = self._most_pixels(sizes, room)
        except ValueError as error:  # what processors say of a picture 1 × 5,000
            return Fault(place=row.id, kind="picture shape", message=f"has a picture the model cannot take: {error}")
        except DECODING_ERRORS as error:
            return Fault(place=row.id, kind="broken image", message=f"has a picture that cannot be opened: {error}")
        if pixels is None:
            message = f"has {self.max_tokens - room} tokens of text, which leave too little of {self.max_tokens} for its picture"
            return Fault(place=row.id, kind="over-long", message=message)
        return replace(row, pixels=pixels)  # type: ignore[type-var]

    def _text_tokens(self, text: str, pictures: int) -> int:
        return len(self.processor.tokenizer(text, add_special_tokens=False)["input_ids"]) - pictures

    def _most_pixels(self, sizes: Sequence[_Size], room: int) -> int | None:
        """The largest bound on each picture, in steps of a twentieth, at which all fit."""
        pixels = max(wide * high for wide, high in (smaller_size(size, self.max_side_px) for size in sizes))
        while pixels >= max(self.fewest_pixels, 1):
            if self.picture_tokens(sizes, pixels) <= room:
                return pixels
            pixels = int(pixels * 0.95)
        return None


def row_lengths(processor: Any, recipe: TrainingRecipe) -> Lengths:
    """The lengths that a recipe allows."""
    return Lengths(
        processor=processor,
        max_tokens=recipe.learning.max_tokens,
        max_side_px=recipe.data.max_side_px,
        fewest_pixels=recipe.data.fewest_pixels,
    )


def fitting_rows(
    rows: Iterable[Row], text_of: Callable[[Row], str], lengths: Lengths, on_bad: str, faults: Faults
) -> list[Row]:
    """The rows that fit, some with smaller pictures; both that and what is left out are counted."""
    kept = []
    for row in rows:
        made = lengths.fitted(row, text_of(row))
        if isinstance(made, Fault):
            faults.add(made, on_bad)
            continue
        if made.pixels and made.pixels != row.pixels:
            message = f"fits in {lengths.max_tokens} tokens with {made.pixels} pixels a picture"
            faults.note(Fault(place=row.id, kind="downsized", message=message))
        kept.append(made)
    return kept


def _picture_size(path: Path) -> _Size:
    with Image.open(path) as picture:
        return picture.size
