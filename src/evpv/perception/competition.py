"""Which reader explains a picture best: each says what it read and how much of the picture that explains.

The look of a picture (`router.py`) is a prior, and no more: it says who is asked first. A likely reader that explains
nearly everything ends the contest at once; else all are asked, and the best explanation wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evpv.perception.boxes import Box, Pixels
from evpv.perception.ocr import Word
from evpv.types import LOOSE, Constraint, Numeric, Relation, Structure

_SURE = 0.7  # a reading that is likely and explains this much needs no rival
_BARE = 0.5  # the weight of a reading without a single fact: its structure may name all words of another kind's figure
_LEAST_FIRST = 0.05  # what the likeliest reader must explain to be heard
_LEAST = 0.45  # and any other one, weighed by its prior
_LEAST_CONFIDENCE = 0.8  # of a loose text
_MOST_LOOSE = 60  # more is a page of text, not a labelled picture


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureReading:
    """What one reader makes of a picture.

    `explained` is in [0, 1]: how well what was read accounts for the words and the ink (axes that fit their ticks,
    cells that fill their grid, labels that belong to lines). 0 where nothing was read. `region` is where it looked,
    None for the whole picture; `loose` are the words it saw and could not place, None where it does not know.
    """

    kind: str
    constraints: tuple[Constraint, ...] = ()
    explained: float = 0.0
    region: Box | None = None
    loose: tuple[Word, ...] | None = None


Reader = Callable[[Pixels, Sequence[Word]], FigureReading]


def best_reading(
    picture: Pixels, words: Sequence[Word], readers: Mapping[str, Reader], priors: Mapping[str, float]
) -> FigureReading:
    """The reading that explains most, weighed by how likely its reader is by the picture's look, likeliest first.

    Where no reading explains enough, that of the likeliest kind without any fact.
    """
    order = sorted(readers, key=lambda kind: -priors[kind])
    best, weight = FigureReading(kind=order[0]), 0.0
    for kind in order:
        least = _LEAST_FIRST if kind == order[0] else _LEAST
        if priors[kind] <= weight or priors[kind] < least:
            break  # nothing that follows can win
        reading = readers[kind](picture, words)
        bare = set(map(type, reading.constraints)) == {Structure}
        likely = priors[kind] * reading.explained * (_BARE if bare else 1.0)
        if likely > weight and likely >= least:
            best, weight = reading, likely
        if weight >= _SURE:
            break
    return best


def with_loose_values(reading: FigureReading, words: Sequence[Word]) -> FigureReading:
    """The reading with what it could not place as one structure, so that a number that was seen is not lost.

    What a table or a chart leaves over is captions and ticks; nothing is added to them.
    """
    if reading.kind in ("table", "chart") and reading.constraints:
        return reading
    left = reading.loose if reading.loose is not None else untold_words(words, reading.constraints)
    loose = [word for word in left if word.confidence >= _LEAST_CONFIDENCE and any(map(str.isalnum, word.text))]
    if not 0 < len(loose) <= _MOST_LOOSE:
        return reading
    structure = Structure(
        type=LOOSE,
        parts=tuple(word.text for word in loose),
        confidence=round(0.9 * min(loose, key=lambda word: word.confidence).confidence, 4),
        box=Box.around(word.box for word in loose),
    )
    return replace(reading, constraints=(*reading.constraints, structure))


def told_share(words: Sequence[Word], constraints: Sequence[Constraint]) -> float:
    """The share of the words, each weighed by its length, that the constraints name: a reader's plainest `explained`."""
    if not words or not constraints:
        return 0.0
    untold = set(map(id, untold_words(words, constraints)))
    told = sum(len(word.text) for word in words if id(word) not in untold)
    return told / max(sum(len(word.text) for word in words), 1)


def untold_words(words: Sequence[Word], constraints: Sequence[Constraint]) -> list[Word]:
    """The words that no constraint names and that stand at no value of one."""
    names = " ".join(_names(constraint) for constraint in constraints).casefold()
    boxes = [Box.of(fact.box) for fact in constraints if isinstance(fact, Numeric) and fact.box is not None]
    return [
        word
        for word in words
        if word.text.casefold() not in names and not any(box.holds(word.box.x, word.box.y) for box in boxes)
    ]


def _names(constraint: Constraint) -> str:
    if isinstance(constraint, Numeric):
        return f"{constraint.entity} {constraint.attribute}"
    if isinstance(constraint, Relation):
        return " ".join(constraint.entities)
    return " ".join((*constraint.parts, *constraint.attachment))
