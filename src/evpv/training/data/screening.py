"""Rows that must not be learnt from: those at fault, named and counted by kind, and those that an evaluation set holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image, UnidentifiedImageError

from evpv.backends.images import PICTURE_FORMATS
from evpv.errors import ConfigError, RecordError
from evpv.records import read_problems
from evpv.records.lines import numbered_lines, parse_object

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a row cannot be learnt from."""

    place: str
    kind: str
    message: str


@dataclass(slots=True)
class Faults:
    """Rows that could not be used, or only with smaller pictures, counted by kind, the first of each kept to be shown."""

    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault, on_bad: str) -> None:
        """Count a row that is left out, or stop there if the recipe says so."""
        self.note(fault)
        if on_bad == "refuse":
            raise RecordError(f'{fault.message} ({fault.kind}); on_bad = "skip" leaves such rows out', file=fault.place)

    def note(self, fault: Fault) -> None:
        """Count what does not keep a row from being used."""
        if not self.kinds[fault.kind]:
            self.examples.append(fault)
        self.kinds[fault.kind] += 1

    def told(self) -> str:
        """One line per kind: how often, and where first."""
        return "\n".join(
            f"{self.kinds[fault.kind]} × {fault.kind}, first {fault.place}: {fault.message}" for fault in self.examples
        )


def rows_of(
    path: str | Path, convert: Callable[[dict[str, Any], int], Iterable[Row]]
) -> Iterator[tuple[str, Row | Fault]]:
    """What `convert` makes of each line of a file, with its place; a line that cannot be read is a fault of its own."""
    for number, raw in numbered_lines(path):
        place = f"{Path(path).name}:{number}"
        try:
            made = list(convert(parse_object(raw), number))
        except RecordError as error:
            yield place, Fault(place=place, kind="unreadable", message=error.message)
            continue
        for row in made:
            yield place, row


def usable(
    rows: Iterable[tuple[str, Row | Fault]], check: Callable[[Row, str], Fault | None], on_bad: str, faults: Faults
) -> Iterator[Row]:
    """The rows with which nothing is wrong; each comes with its place in a file."""
    for place, row in rows:
        fault = row if isinstance(row, Fault) else check(row, place)
        if fault is not None:
            faults.add(fault, on_bad)
        elif not isinstance(row, Fault):
            yield row


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Hashes of evaluation sets. A picture is known by its pixels, so another file format does not hide it."""

    images: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()

    def why(self, images: Sequence[Path], question: str) -> str | None:
        """ "image" or "question" where an evaluation set holds it, else None."""
        if any(image_hash(image) in self.images for image in images):
            return "image"
        return "question" if question_hash(question) in self.questions else None


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

    def markdown(self) -> str:
        """The report as a page."""
        if not self.seen:
            return "# Leakage\n\nNo evaluation set was named to be kept out.\n"
        total = sum(self.refused.values())
        lines = [f"# Leakage\n\n{total} of {self.seen} rows are in an evaluation set and were refused.\n"]
        if total:
            lines += ["| reason | source | rows |", "| --- | --- | --: |"]
            lines += [f"| {reason} | {source or '–'} | {n} |" for (reason, source), n in sorted(self.refused.items())]
            lines.append("\nFirst: " + ", ".join(self.examples))
        return "\n".join(lines) + "\n"


def kept_out(files: Iterable[str | Path], *, questions: bool = True) -> KeptOut:
    """The hashes of some problem files. `questions` off: only pictures, for sets whose questions are from a template."""
    pictures, asked = set(), set()
    for file in files:
        if not Path(file).is_file():
            raise ConfigError(
                f"data.keep_out names {str(file)!r}, which is not there. Make it with `evpv import` (docs/training.md), "
                f"or say that nothing is to be kept out: --set 'data.keep_out=[]'."
            )
        for problem in read_problems(file):
            pictures |= {digest for image in problem.images if (digest := image_hash(Path(image))) is not None}
            if questions:
                asked.add(question_hash(problem.question))
    return KeptOut(frozenset(pictures), frozenset(asked))


def image_hash(path: Path) -> str | None:
    """A digest of a picture's size and pixels; None if it cannot be opened."""
    try:
        with Image.open(path, formats=PICTURE_FORMATS) as image:
            plain = image.convert("RGB")
    except (OSError, UnidentifiedImageError):
        return None
    return sha256(f"{plain.size}".encode() + plain.tobytes()).hexdigest()


def question_hash(question: str) -> str:
    """A digest of a question's letters and digits: case, space and punctuation do not hide it."""
    plain = "".join(character for character in question.lower() if character.isalnum())
    return sha256(plain.encode()).hexdigest()
