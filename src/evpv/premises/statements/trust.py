"""What becomes of statements: each is wrong, missing, right or none at all as probably as its signs say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from evpv.premises.matching.values import Finding, missing, unread
from evpv.premises.statements.sign_weights import CONSTANT, WEIGHTS

CLASSES = ("contradicted", "missing", "supported", "nothing")
_WRONG, _MISSING, _RIGHT, _NOTHING = 0.75, 0.25, 0.5, 0.4
"""From which probability on a statement is called wrong, missing or right, and a text says nothing; the first was chosen by
cross-validation so that few right steps are accused (docs/log.md)."""
_EXPLAINED = tuple(f"number worst {level} " for level in ("own", "sentence", "worked", "count"))


_CONCLUDING = ("calculates", "derived ", "computed ")
"""What is worked out from what was read is never missing."""


class Chances(NamedTuple):
    """How probable it is that a statement is wrong, missing, right, or none."""

    wrong: float
    missing: float
    right: float
    nothing: float


EVEN = Chances(0.0, 0.0, 1.0, 0.0)
"""Of what is taken as it was found."""


def _table() -> dict[str, tuple[int, ...]]:
    pairs = (one.strip().rpartition("|") for one in WEIGHTS.split(";") if one.strip())
    return {name: tuple(map(int, sizes.split())) for name, _, sizes in pairs}


_TABLE = _table()


def chances(signs: Iterable[str]) -> Chances:
    """The chances of a statement by its signs, summed in whole hundredths: in any order the same to the last bit."""
    sums = [0, 0, 0]
    for sign in signs:
        for place, size in enumerate(_TABLE.get(sign, ())):
            sums[place] += size
    wrong, absent, nothing = (
        math.exp(min(constant + size / 100, 50.0)) for constant, size in zip(CONSTANT, sums, strict=True)
    )
    whole = 1.0 + wrong + absent + nothing
    return Chances(wrong / whole, absent / whole, 1.0 / whole, nothing / whole)


def is_nothing(every: Sequence[Chances]) -> bool:
    """Whether statements with these chances probably say nothing of the figure."""
    return math.prod(one.nothing for one in every) > _NOTHING ** len(every)


def believed(finding: Finding, signs: frozenset[str], chance: Chances) -> Finding | None:
    """What is believed of a finding; None if it is set aside: it was not understood, and probably hides no misreading."""
    found_wrong = finding.verdict == "contradicted" or finding.why_missing == "doubted"
    wrong = finding if found_wrong else finding.otherwise
    if wrong is not None and chance.wrong > _WRONG:
        return replace(wrong, verdict="contradicted")
    if "reason" in signs:
        return unread("it gives a reason or an example that the figure does not show.")
    bar = _MISSING / 2 if finding.verdict == "missing" and finding.why_missing == "unread" else _MISSING
    if chance.missing > bar and not any(sign.startswith(_CONCLUDING) for sign in signs):
        if finding.verdict == "missing":
            return replace(finding, constraint=None)
        return missing("the claim says more than its names and numbers, of which nothing was read.")
    if finding.verdict == "supported":
        return finding
    if chance.right > _RIGHT and any(sign.startswith(_EXPLAINED) for sign in signs):
        return replace(finding, verdict="supported", explanation="its numbers are those of what it names.")
    return None
