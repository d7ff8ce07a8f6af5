"""What evaluation sets hold must not be trained on: pictures and questions are known by their hashes, and refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from evpv.backends.images import PICTURE_FORMATS
from evpv.records import read_problems


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
