"""Pictures that no other reader takes: the labels printed in them, as parts of a composite and no more.

Drawings of things cannot be measured honestly from their pixels. What can be said is which labels stand there, so that
a claim that names one can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from evpv.perception.folding import read_fold
from evpv.perception.geometry.solids import read_solid
from evpv.perception.ocr import Pixels, Word
from evpv.perception.patterns import read_pattern
from evpv.types import Constraint, Structure

_LEAST_CONFIDENCE = 0.8
_MOST_LABELS = 40  # more is a page of text, not a labelled picture


def read_other(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """A solid, a row of growing figures or a folded edge, else the labels."""
    for reader in (read_pattern, read_solid, read_fold):
        if found := reader(picture, words):
            return found
    return read_labels(words)


def read_labels(words: Sequence[Word]) -> list[Constraint]:
    """One structure that names the labels seen with confidence; nothing where there are none."""
    labels = [word for word in words if word.confidence >= _LEAST_CONFIDENCE and any(map(str.isalnum, word.text))]
    if not labels or len(labels) > _MOST_LABELS:
        return []
    boxes = [word.box for word in labels]
    return [
        Structure(
            type="composite",
            parts=tuple(word.text for word in labels),
            confidence=round(min(word.confidence for word in labels) * 0.9, 4),
            box=(
                min(box[0] for box in boxes),
                min(box[1] for box in boxes),
                max(box[2] for box in boxes),
                max(box[3] for box in boxes),
            ),
        )
    ]
