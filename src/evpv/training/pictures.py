"""Pictures with what is written on them and true of them, and preference pairs about them: the extractor's corpora.

A pair is the teacher's constraints against a rewrite that is valid JSON and wrong. The paper asks its teacher for such
rewrites (`evpv distill --pairs teacher`). Made by rule they are cheap, of known kind and never accidentally true, and they
are the mistakes that extractors make. How far two sets of facts are apart is the paper's criterion for a pair.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from PIL import Image

from evpv.backends.images import picture_of_file
from evpv.errors import RecordError
from evpv.records import constraints_from_json
from evpv.training.screening import RowFault, RowFaults, rows_of, smaller_size, usable
from evpv.types import RELATION_TYPES, Constraint, Numeric, Relation, Structure


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One character, the number of the fact that it belongs to (0: none), and its centre in pixels."""

    character: str
    role: int
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _PictureRow:
    """What rows about a picture share; `pixels` is the most that a row has room for, 0 where the recipe's own limits are enough."""

    id: str
    image: Path
    question: str = ""
    pixels: int = 0

    @property
    def images(self) -> tuple[Path, ...]:
        return (self.image,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(_PictureRow):
    """A line of a corpus file: the picture's path, what is written on it, and what is asked and true of it."""

    letters: tuple[Letter, ...] = ()
    family: str = ""
    constraints: tuple[dict[str, Any], ...] = field(default=(), hash=False)

    @property
    def source(self) -> str:
        return self.family

    @property
    def facts(self) -> tuple[Constraint, ...]:
        """The constraints as values; `RecordError` where they do not fit the schema."""
        return constraints_from_json(list(self.constraints))


def read_pictures(path: str | Path, limit: int | None = None) -> list[Picture]:
    """The pictures of a corpus file; paths in it are relative to it. A line that cannot be read stops the reading."""
    return list(islice(usable(picture_rows(path), lambda row, place: None, "refuse", RowFaults()), limit))


def picture_rows(path: str | Path) -> Iterator[tuple[str, Picture | RowFault]]:
    """The pictures of a corpus file, each with its place in it.

    A line may hold `constraints`, or a teacher's `reply` in its own words, from which the JSON array is taken.
    """
    folder = Path(path).parent
    return rows_of(path, lambda line, number: [_picture(line, folder)])


def picture_fault(picture: Picture, place: str) -> RowFault | None:
    """Why constraints cannot be learnt from a picture, if so: no facts, facts outside the schema, no picture."""
    if not picture.constraints:
        return RowFault(place=place, kind="no constraints", message="has no facts, or a reply without a JSON array")
    try:
        constraints_from_json(list(picture.constraints))
    except RecordError as error:
        return RowFault(place=place, kind="schema", message=str(error))
    if not picture.image.is_file():
        return RowFault(place=place, kind="missing image", message=f"names {picture.image.name}, which is not there")
    return None


def open_picture(path: Path, max_side_px: int = 0, pixels: int = 0) -> Image.Image:
    """A picture as scoring sees it: upright, what is transparent on white, no larger than told (0: as it is)."""
    image = picture_of_file(path)
    size = smaller_size(image.size, max_side_px, pixels)
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def training_picture(picture: Picture, shift: tuple[int, int] = (0, 0), max_side_px: int = 0) -> Image.Image:
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


def shifted_letters(letters: Sequence[Letter], shift: tuple[int, int]) -> list[Letter]:
    return [replace(one, x=one.x + shift[0], y=one.y + shift[1]) for one in letters]


def _picture(line: dict[str, Any], folder: Path) -> Picture:
    facts = line.get("constraints")
    if "constraints" not in line:  # the JSON array of a teacher's reply, with or without a fence and words around it
        reply = str(line.get("reply", ""))
        with suppress(json.JSONDecodeError):
            facts = json.loads(reply[reply.find("[") : reply.rfind("]") + 1])
    return Picture(
        id=str(line.get("id", "")),
        image=folder / _named_image(line),
        letters=tuple(Letter(character=c, role=role, x=x, y=y) for c, role, x, y in line.get("letters", ())),
        family=str(line.get("family", "")),
        question=str(line.get("question", "")),
        constraints=tuple(facts) if isinstance(facts, list) else (),
    )


def _named_image(line: Mapping[str, Any]) -> str:
    """The picture that a row names; of several the first, which is all that an extractor is shown."""
    image = line.get("image") or ""
    return str(image[0]) if isinstance(image, list) else str(image)


_Facts = tuple[Constraint, ...]
_Fact = TypeVar("_Fact", Numeric, Relation)
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_SEGMENTS = [f"segment {a}{b}" for a in _LETTERS for b in _LETTERS if a < b]
_NEXT_LETTER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BCDEFGHIJKLMNOPQRSTUVWXYZA")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(_PictureRow):
    """One preference: of two answers about a picture the first is nearer to the teacher's, by `margin`."""

    chosen: _Facts
    rejected: _Facts
    kind: str

    @property
    def source(self) -> str:
        return self.kind

    @property
    def margin(self) -> float:
        return distance(self.rejected, self.chosen)


def pair_rows(path: str | Path) -> Iterator[tuple[str, Pair | RowFault]]:
    """Pairs that somebody wrote: `image`, `question`, `chosen` and `rejected` facts, and how the second came to be."""

    def convert(line: dict[str, Any], number: int) -> list[Pair]:
        name, image = str(line.get("id", number)), Path(path).parent / _named_image(line)
        chosen, rejected = (constraints_from_json(line.get(side) or []) for side in ("chosen", "rejected"))
        question, kind = str(line.get("question", "")), str(line.get("kind", "teacher"))
        return [Pair(id=name, image=image, question=question, chosen=chosen, rejected=rejected, kind=kind)]

    return rows_of(path, convert)


def pair_fault(pair: Pair, place: str) -> RowFault | None:
    """Why a pair teaches nothing, if so: no picture, an empty side, or two sides that say the same."""
    if not pair.image.is_file():
        return RowFault(place=place, kind="missing image", message=f"names {pair.image.name}, which is not there")
    if not pair.chosen:
        return RowFault(place=place, kind="no constraints", message="has no facts to prefer")
    return RowFault(place=place, kind="no difference", message="rejects what it prefers") if pair.margin == 0 else None


def rewrites(facts: _Facts, rng: Random) -> dict[str, _Facts]:
    """One rewrite of each kind that these facts allow; none equals the facts."""
    made = ((kind, rewrite(facts, rng)) for kind, rewrite in _REWRITES.items())
    return {kind: changed for kind, changed in made if changed is not None and distance(changed, facts) > 0}


def preference_pair(picture: Picture, rng: Random) -> Pair | None:
    """A pair for one picture: its facts, and a rewrite of a kind drawn at random; None if none can be made."""
    if not (possible := rewrites(picture.facts, rng)):
        return None
    kind, about = rng.choice(sorted(possible)), {"id": picture.id, "image": picture.image, "question": picture.question}
    return Pair(**about, chosen=picture.facts, rejected=possible[kind], kind=kind)  # type: ignore[arg-type]


def _misread_value(facts: _Facts, rng: Random) -> _Facts | None:
    """A number misread: a digit changed, two swapped, or one off."""
    numbers = _places(facts, Numeric)
    if not numbers:
        return None
    at, fact = rng.choice(numbers)
    return _with(facts, at, replace(fact, value=_misread_number(fact.value, rng)))


def _misread_number(value: float, rng: Random) -> float:
    digits = str(int(abs(value)))
    place = rng.randrange(len(digits))
    other = rng.choice([digit for digit in "123456789" if digit != digits[place]])
    changed = float(digits[:place] + other + digits[place + 1 :])
    sign = -1.0 if value < 0 else 1.0
    return rng.choice((sign * changed, value + 1, sign * changed))


def _confuse_entity(facts: _Facts, rng: Random) -> _Facts | None:
    """A value given to something else: the names of two numeric facts trade places, or letters of one do."""
    numbers = _places(facts, Numeric)
    if len(numbers) >= 2:
        (i, first), (j, second) = rng.sample(numbers, 2)
        if first.value != second.value:
            swapped = _with(facts, i, replace(first, entity=second.entity))
            return _with(swapped, j, replace(second, entity=first.entity))
    if not numbers:
        return None
    at, fact = numbers[0]
    kind, space, label = fact.entity.rpartition(" ")
    other = label.translate(_NEXT_LETTER)
    return _with(facts, at, replace(fact, entity=kind + space + other)) if other != label else None


def _confuse_relation(facts: _Facts, rng: Random) -> _Facts | None:
    """A relation of another type between the same things."""
    relations = _places(facts, Relation)
    if not relations:
        return None
    at, fact = rng.choice(relations)
    return _with(facts, at, replace(fact, type=rng.choice([name for name in RELATION_TYPES if name != fact.type])))


def _lose_fact(facts: _Facts, rng: Random) -> _Facts | None:
    """A fact left out; the last one cannot be."""
    if len(facts) < 2:
        return None
    at = rng.randrange(len(facts))
    return (*facts[:at], *facts[at + 1 :])


def _invent_fact(facts: _Facts, rng: Random) -> _Facts | None:
    """A fact that nobody saw: a number for a thing that has none, or a relation between things that have none."""
    relations = [fact for _, fact in _places(facts, Relation)]
    names = sorted({name for fact in relations for name in fact.entities})
    if len(names) >= 2 and rng.random() < 0.5:
        held = {fact.type for fact in relations}
        free = [name for name in RELATION_TYPES if name not in held]
        return (*facts, Relation(type=rng.choice(free), entities=tuple(rng.sample(names, 2))))
    numbers = [fact for _, fact in _places(facts, Numeric)]
    if not numbers:
        return None
    model, taken = rng.choice(numbers), {fact.entity for fact in numbers}
    entity = rng.choice([name for name in _SEGMENTS if name not in taken])
    return (*facts, replace(model, entity=entity, value=_misread_number(model.value, rng)))


_REWRITES: dict[str, Callable[[_Facts, Random], _Facts | None]] = {
    "value": _misread_value,
    "entity": _confuse_entity,
    "relation": _confuse_relation,
    "dropped": _lose_fact,
    "invented": _invent_fact,
}
KINDS = tuple(_REWRITES)


def _places(facts: Sequence[Constraint], kind: type[_Fact]) -> list[tuple[int, _Fact]]:
    return [(place, fact) for place, fact in enumerate(facts) if isinstance(fact, kind)]


def _with(facts: _Facts, at: int, fact: Constraint) -> _Facts:
    return (*facts[:at], fact, *facts[at + 1 :])


def distance(constraints: Sequence[Constraint], teacher: Sequence[Constraint]) -> float:
    """0 for the same facts in any order, 1 for nothing in common: one minus a soft F1.

    Facts are paired greedily, most alike first; facts left over on either side count against. Confidence and boxes
    are no part of what is said.

    >>> fact = Numeric(entity="segment AB", attribute="length", value=5.0)
    >>> distance([fact], [fact]), distance([], [fact])
    (0.0, 1.0)
    """
    if not constraints and not teacher:
        return 0.0
    each = ((_likeness(a, b), i, j) for i, a in enumerate(constraints) for j, b in enumerate(teacher))
    pairs = sorted(each, reverse=True)
    left, right, total = set(range(len(constraints))), set(range(len(teacher))), 0.0
    for alike, i, j in pairs:
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            total += alike
    return 1 - 2 * total / (len(constraints) + len(teacher))


def _likeness(first: Constraint, second: Constraint) -> float:
    """How much two facts agree, from 0 to 1; facts of different categories do not.

    A near value is at best half right, since a printed number is read or it is not.
    """
    match first, second:
        case Numeric(), Numeric():
            gap = abs(first.value - second.value) / max(abs(second.value), 1.0)
            close = 1.0 if first.value == second.value else 0.5 * max(0.0, 1 - gap)
            about = 0.4 * _overlap([first.entity], [second.entity]) + 0.1 * (first.attribute == second.attribute)
            return about + 0.4 * close + 0.1 * (first.unit == second.unit)
        case Relation(), Relation():
            return 0.5 * (first.type == second.type) + 0.5 * _overlap(first.entities, second.entities)
        case Structure(), Structure():
            joints = 0.2 * _overlap(first.attachment, second.attachment)
            return 0.2 * (first.type == second.type) + 0.6 * _overlap(first.parts, second.parts) + joints
    return 0.0


def _overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Jaccard similarity of the words; two empty sets are the same."""
    one, other = ({word for text in texts for word in text.lower().split()} for texts in (first, second))
    return len(one & other) / len(one | other) if one | other else 1.0
