"""Rows that may be learnt from: faults named and counted by kind, what an evaluation set holds kept out, lengths within bounds.

A processor of the released settings gives one picture up to 16,384 tokens. To reserve that for every row would leave no
room for any, and to cut a row would lose its end: so pictures shrink first, and a row is left out last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

from evpv.backends.images import picture_of_file, size_of_file
from evpv.errors import ConfigError, ImageError, RecordError
from evpv.records import read_problems
from evpv.records.lines import numbered_lines, parse_object
from evpv.training.recipes import TrainingRecipe

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFault:
    """Why a row cannot be learnt from."""

    place: str
    kind: str
    message: str


@dataclass(slots=True)
class RowFaults:
    """Rows that could not be used, or only with smaller pictures, counted by kind, the first of each kept to be shown."""

    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[RowFault] = field(default_factory=list)

    def add(self, fault: RowFault, on_bad: str) -> None:
        """Count a row that is left out, or stop there if the recipe says so."""
        self.note(fault)
        if on_bad == "refuse":
            raise RecordError(f'{fault.message} ({fault.kind}); on_bad = "skip" leaves such rows out', file=fault.place)

    def note(self, fault: RowFault) -> None:
        """Count what does not keep a row from being used."""
        if not self.kinds[fault.kind]:
            self.examples.append(fault)
        self.kinds[fault.kind] += 1

    def summary(self) -> str:
        """One line per kind: how often, and where first."""
        return "\n".join(
            f"{self.kinds[fault.kind]} × {fault.kind}, first {fault.place}: {fault.message}" for fault in self.examples
        )


def rows_of(
    path: str | Path, convert: Callable[[dict[str, Any], int], Iterable[_Row]]
) -> Iterator[tuple[str, _Row | RowFault]]:
    """What `convert` makes of each line of a file, with its place; a line that cannot be read is a fault of its own."""
    for number, raw in numbered_lines(path):
        place = f"{Path(path).name}:{number}"
        try:
            made = list(convert(parse_object(raw), number))
        except RecordError as error:
            yield place, RowFault(place=place, kind="unreadable", message=error.message)
            continue
        for row in made:
            yield place, row


def usable(
    rows: Iterable[tuple[str, _Row | RowFault]],
    check: Callable[[_Row, str], RowFault | None],
    on_bad: str,
    faults: RowFaults,
) -> Iterator[_Row]:
    """The rows with which nothing is wrong; each comes with its place in a file."""
    for place, row in rows:
        fault = row if isinstance(row, RowFault) else check(row, place)
        if fault is not None:
            faults.add(fault, on_bad)
        elif not isinstance(row, RowFault):
            yield row


@dataclass(frozen=True, slots=True)
class _KeptOut:
    """Hashes of evaluation sets. A picture is known by its pixels, so another file format does not hide it."""

    images: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()

    def why(self, images: Sequence[Path], question: str) -> str | None:
        """ "image" or "question" where an evaluation set holds it, else None."""
        if any(_image_hash(image) in self.images for image in images):
            return "image"
        return "question" if _question_hash(question) in self.questions else None


@dataclass(slots=True)
class LeakageReport:
    """What was refused, by reason and source."""

    seen: int = 0
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, name: str, source: str, reason: str | None) -> bool:
        """Count a row; whether it may be used."""
        self.seen += 1
        if reason is None:
            return True
        self.refused[reason, source] += 1
        if len(self.examples) < 20:
            self.examples.append(f"{name} ({reason})")
        return False

    def page(self) -> str:
        if not self.seen:
            return "# Leakage\n\nNo evaluation set was named to be kept out.\n"
        total = self.refused.total()
        lines = [f"# Leakage\n\n{total} of {self.seen} rows are in an evaluation set and were refused.\n"]
        if total:
            lines += ["| reason | source | rows |", "| --- | --- | --: |"]
            lines += [f"| {reason} | {source or '–'} | {n} |" for (reason, source), n in sorted(self.refused.items())]
            lines.append("\nFirst: " + ", ".join(self.examples))
        return "\n".join(lines) + "\n"


def kept_out(files: Iterable[str | Path]) -> _KeptOut:
    pictures, asked = set(), set()
    for file in files:
        if not Path(file).is_file():
            raise ConfigError(
                f"data.keep_out names {str(file)!r}, which is not there. Make it with `evpv import` (docs/training.md), "
                f"or say that nothing is to be kept out: --set 'data.keep_out=[]'."
            )
        for problem in read_problems(file):
            pictures |= {digest for image in problem.images if (digest := _image_hash(Path(image))) is not None}
            asked.add(_question_hash(problem.question))
    return _KeptOut(frozenset(pictures), frozenset(asked))


def _image_hash(path: Path) -> str | None:
    """A digest of a picture's size and pixels; None if it cannot be opened."""
    try:
        plain = picture_of_file(path)
    except ImageError:
        return None
    return sha256(f"{plain.size}".encode() + plain.tobytes()).hexdigest()


def _question_hash(question: str) -> str:
    """A digest of a question's letters and digits: case, space and punctuation do not hide it."""
    plain = "".join(character for character in question.lower() if character.isalnum())
    return sha256(plain.encode()).hexdigest()


class _PicturedRow(Protocol):
    """A row with pictures: `pixels` is the most that each of them may have, 0 for no bound of its own."""

    @property
    def id(self) -> str: ...
    @property
    def images(self) -> tuple[Path, ...]: ...
    @property
    def pixels(self) -> int: ...


_SizedRow = TypeVar("_SizedRow", bound=_PicturedRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Counts a row's tokens by the processor's own rule, without making its pixels."""

    processor: Any
    max_tokens: int
    max_side_px: int = 0
    fewest_pixels: int = 0

    def tokens(self, text: str, images: Sequence[Path], pixels: int = 0) -> int:
        """The length of a row: its text in the chat's form, each picture's place taken by its tokens."""
        sizes = [size_of_file(path) for path in images]
        return self._text_tokens(text, len(sizes)) + self.picture_tokens(sizes, pixels)

    def picture_tokens(self, sizes: Sequence[tuple[int, int]], pixels: int = 0) -> int:
        """How many tokens the processor makes of pictures of these sizes (width, height)."""
        if not sizes:
            return 0
        bounded = [smaller_size(size, self.max_side_px, pixels) for size in sizes]
        counted = self.processor._get_num_multimodal_tokens(image_sizes=[(high, wide) for wide, high in bounded])
        return sum(counted.num_image_tokens)

    def row_that_fits(self, row: _SizedRow, text: str) -> _SizedRow | RowFault:
        """The row, with a bound on its pictures if it needs one, or why it cannot be used."""
        try:
            sizes = [size_of_file(path) for path in row.images]
            room = self.max_tokens - self._text_tokens(text, len(sizes))
            if self.picture_tokens(sizes) <= room:
                return row
            pixels = self._most_pixels(sizes, room)
        except ValueError as error:  # what processors say of a picture 1 × 5,000
            return RowFault(place=row.id, kind="picture shape", message=f"has a picture the model cannot take: {error}")
        except ImageError as error:
            return RowFault(place=row.id, kind="broken image", message=f"has a picture that cannot be opened: {error}")
        if pixels is None:
            message = f"has {self.max_tokens - room} tokens of text, which leave too little of {self.max_tokens} for its picture"
            return RowFault(place=row.id, kind="over-long", message=message)
        return replace(row, pixels=pixels)  # type: ignore[type-var]

    def _text_tokens(self, text: str, pictures: int) -> int:
        return len(self.processor.tokenizer(text, add_special_tokens=False)["input_ids"]) - pictures

    def _most_pixels(self, sizes: Sequence[tuple[int, int]], room: int) -> int | None:
        """The largest bound on each picture, in steps of a twentieth, at which all fit."""
        pixels = max(wide * high for wide, high in (smaller_size(size, self.max_side_px) for size in sizes))
        while pixels >= max(self.fewest_pixels, 1):
            if self.picture_tokens(sizes, pixels) <= room:
                return pixels
            pixels = int(pixels * 0.95)
        return None


def row_lengths(processor: Any, recipe: TrainingRecipe) -> Lengths:
    most, data = recipe.learning.max_tokens, recipe.data
    bounds = {"max_side_px": data.max_side_px, "fewest_pixels": data.fewest_pixels}
    return Lengths(processor=processor, max_tokens=most, **bounds)


def fitting_rows(
    rows: Iterable[_SizedRow], text_of: Callable[[_SizedRow], str], lengths: Lengths, on_bad: str, faults: RowFaults
) -> list[_SizedRow]:
    """The rows that fit, some with smaller pictures; both that and what is left out are counted."""
    kept = []
    for row in rows:
        made = lengths.row_that_fits(row, text_of(row))
        if isinstance(made, RowFault):
            faults.add(made, on_bad)
            continue
        if made.pixels and made.pixels != row.pixels:
            message = f"fits in {lengths.max_tokens} tokens with {made.pixels} pixels a picture"
            faults.note(RowFault(place=row.id, kind="downsized", message=message))
        kept.append(made)
    return kept


def smaller_size(size: tuple[int, int], max_side_px: int = 0, pixels: int = 0) -> tuple[int, int]:
    """The size with its longer side and its area within bounds, its proportions kept.

    >>> smaller_size((3000, 2000), max_side_px=1500), smaller_size((100, 100), pixels=2500), smaller_size((8, 8))
    ((1500, 1000), (50, 50), (8, 8))
    """
    scale = min(1.0, max_side_px / max(size)) if max_side_px else 1.0
    if pixels:
        scale = min(scale, (pixels / (size[0] * size[1])) ** 0.5)
    return size if scale == 1.0 else (max(round(size[0] * scale), 1), max(round(size[1] * scale), 1))
