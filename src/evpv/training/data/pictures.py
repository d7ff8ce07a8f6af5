"""Pictures with what is written on them, for the dense reading task and the extractor's corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageOps

from evpv.backends.images import PICTURE_FORMATS, opaque
from evpv.errors import RecordError
from evpv.records import constraints_from_json
from evpv.training.data.screening import Fault, Faults, rows_of, usable


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One character, the number of the fact that it belongs to (0: none), and its centre in pixels."""

    character: str
    role: int
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A line of a corpus file: the picture's path, what is written on it, and what is asked and true of it."""

    id: str
    image: Path
    letters: tuple[Letter, ...] = ()
    family: str = ""
    question: str = ""
    constraints: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    pixels: int = 0  # the most that its row has room for; 0 where the recipe's own limits are enough

    @property
    def images(self) -> tuple[Path, ...]:
        return (self.image,)


def read_pictures(path: str | Path, limit: int | None = None) -> list[Picture]:
    """The pictures of a corpus file; paths in it are relative to it. A line that cannot be read stops the reading."""
    return list(islice(usable(picture_rows(path), lambda row, place: None, "refuse", Faults()), limit))


def picture_rows(path: str | Path) -> Iterator[tuple[str, Picture | Fault]]:
    """The pictures of a corpus file, each with its place in it.

    A line may hold `constraints`, or a teacher's `reply` in its own words, from which the JSON array is taken.
    """
    folder = Path(path).parent
    return rows_of(path, lambda line, number: [_picture(line, folder)])


def picture_fault(picture: Picture, place: str) -> Fault | None:
    """Why constraints cannot be learnt from a picture, if so: no facts, facts outside the schema, no picture."""
    if not picture.constraints:
        return Fault(place=place, kind="no constraints", message="has no facts, or a reply without a JSON array")
    try:
        constraints_from_json(list(picture.constraints))
    except RecordError as error:
        return Fault(place=place, kind="schema", message=str(error))
    if not picture.image.is_file():
        return Fault(place=place, kind="missing image", message=f"names {picture.image.name}, which is not there")
    return None


def open_picture(path: Path, max_side_px: int = 0, pixels: int = 0) -> Image.Image:
    """A picture as scoring sees it: upright, what is transparent on white, no larger than told (0: as it is)."""
    with Image.open(path, formats=PICTURE_FORMATS) as file:
        image = opaque(ImageOps.exif_transpose(file))
    size = smaller_size(image.size, max_side_px, pixels)
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def smaller_size(size: tuple[int, int], max_side_px: int = 0, pixels: int = 0) -> tuple[int, int]:
    """The size with its longer side and its area within bounds, its proportions kept.

    >>> smaller_size((3000, 2000), max_side_px=1500), smaller_size((100, 100), pixels=2500), smaller_size((8, 8))
    ((1500, 1000), (50, 50), (8, 8))
    """
    scale = min(1.0, max_side_px / max(size)) if max_side_px else 1.0
    if pixels:
        scale = min(scale, (pixels / (size[0] * size[1])) ** 0.5)
    return size if scale == 1.0 else (max(round(size[0] * scale), 1), max(round(size[1] * scale), 1))


def opened(picture: Picture, shift: tuple[int, int] = (0, 0), max_side_px: int = 0) -> Image.Image:
    """The picture, moved by some pixels if told; what comes in at the edge has the colour of the corner."""
    image = open_picture(picture.image, max_side_px, picture.pixels)
    if shift == (0, 0):
        return image
    matrix = (1, 0, -shift[0], 0, 1, -shift[1])
    return image.transform(
        image.size, Image.Transform.AFFINE, matrix, fillcolor=tuple(image.getpixel((1, 1)))  # type: ignore[arg-type]
    )  # fmt: skip


def random_shift(rng: Random, reach: int) -> tuple[int, int]:
    """A small move: patches then cut the same writing differently, which is most of what a small tower must learn."""
    return rng.randint(-reach, reach), rng.randint(-reach, reach)


def moved(letters: Sequence[Letter], shift: tuple[int, int]) -> list[Letter]:
    """The letters where the moved picture has them."""
    dx, dy = shift
    return [Letter(character=one.character, role=one.role, x=one.x + dx, y=one.y + dy) for one in letters]


def _picture(line: dict[str, Any], folder: Path) -> Picture:
    facts = line["constraints"] if "constraints" in line else _array_in(str(line.get("reply", "")))
    return Picture(
        id=str(line.get("id", "")),
        image=folder / named_image(line),
        letters=tuple(Letter(character=c, role=role, x=x, y=y) for c, role, x, y in line.get("letters", ())),
        family=str(line.get("family", "")),
        question=str(line.get("question", "")),
        constraints=tuple(facts) if isinstance(facts, list) else (),
    )


def named_image(line: Mapping[str, Any]) -> str:
    """The picture that a row names; of several the first, which is all that an extractor is shown."""
    image = line.get("image") or ""
    return str(image[0]) if isinstance(image, list) else str(image)


def _array_in(reply: str) -> Any:
    """The JSON array of a teacher's reply, with or without a fence and words around it; None if there is none."""
    start, end = reply.find("["), reply.rfind("]")
    try:
        return json.loads(reply[start : end + 1])
    except json.JSONDecodeError:
        return None
