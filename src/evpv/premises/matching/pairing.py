"""Which of several values in a sentence belongs to which of the names in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evpv.premises.matching.addressing import Address, Mention
from evpv.premises.matching.facts import Fact
from evpv.premises.normalize.numbers import Quantity

_FOLLOWS = re.compile(
    r"(?:\s[\w$€£.-]+){0,3}?\s*(?:in|by|for|at|on|of|among|during|as of|from)\s(?:the\s|about\s|around\s|approximately\s)?"
    r"(?:year\s|years\s)?\(?$",
    re.IGNORECASE,
)
"""What stands between a value and the name after it: “60% in 2012”, “12 million for the group”."""
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)


def paired_cells(text: str, values: Sequence[Quantity], where: Address) -> dict[int, Fact]:
    """The cell of each value, by the value's place in `values`; values whose name is open are left out.

    Either rows or columns vary over the sentence, and each value takes the name right after it (“60% in 2012”), else
    the nearest before it (“Ann (12), Ben (9)”); as many names as values with “respectively” are paired in order.
    """
    axis = where.rows if len(where.rows) > 1 else where.columns if len(where.rows) <= 1 else ()
    if len(axis) < 2:
        return {}
    if _RESPECTIVELY.search(text) and len(axis) == len(values):
        names = [mention.name for mention in axis]
    else:
        names = [_name_of(text, value, values, axis) for value in values]
    found: dict[int, Fact] = {}
    for place, name in enumerate(names):
        cells = [cell for cell in where.cells if name in (cell.row, cell.column)]
        if name and len(cells) == 1:
            found[place] = cells[0]
    return found


def _name_of(text: str, value: Quantity, values: Sequence[Quantity], axis: Sequence[Mention]) -> str:
    next_value = min((other.start for other in values if other.start > value.start), default=len(text))
    last_value = max((other.end for other in values if other.end < value.end), default=0)
    after = [m for m in axis if value.end <= m.position <= next_value]
    if after and _FOLLOWS.fullmatch(text[value.end : after[0].position]):
        return after[0].name
    before = [m for m in axis if last_value <= m.position < value.start and not _taken(text, m, values)]
    return before[-1].name if before else ""


def _taken(text: str, mention: Mention, values: Sequence[Quantity]) -> bool:
    """Whether a name is said of the value before it."""
    earlier = [value for value in values if value.end <= mention.position]
    return bool(earlier) and _FOLLOWS.fullmatch(text[earlier[-1].end : mention.position]) is not None
