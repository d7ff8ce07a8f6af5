"""Pictures that no other reader takes: solids, rows of growing figures, folded edges."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.perception.boxes import Pixels
from evpv.perception.folding import read_fold
from evpv.perception.geometry.solids import read_solid
from evpv.perception.ocr import Word
from evpv.perception.patterns import read_pattern
from evpv.types import Constraint


def read_other(picture: Pixels, words: Sequence[Word]) -> list[Constraint]:
    """A solid, a row of growing figures or a folded edge; nothing where it is none of them."""
    for reader in (read_pattern, read_solid, read_fold):
        if found := reader(picture, words):
            return found
    return []
