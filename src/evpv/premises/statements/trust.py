"""What becomes of statements: each is wrong, missing, right or none at all as probably as its signs say.

A logistic with four outcomes over the signs (`signs.py`), whose weights (`sign_weights.py`) `scripts/fit_reader.py` fits on labelled steps.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from evpv.premises.matching.values import Finding, missing, unread
from evpv.premises.statements.sign_weights import CONSTANT, WEIGHTS
from evpv.premises.statements.signs import ANY_STATE, STATE_CODES, Signs, refutation

CLASSES = ("contradicted", "missing", "supported", "nothing")
_WRONG, _MISSING, _RIGHT, _NOTHING = 0.75, 0.22, 0.5, 0.4
"""From which probability on a statement is called wrong, missing or right, and a text says nothing; the first is the highest at which
verdicts of authors who are in no fit do not fall (docs/log.md)."""
_WRONG_IF_ALONE = {False: _WRONG, True: 0.65}
"""The first is lower for a statement that stands alone: a text of several has several occasions to be accused."""
_MISSING_RIGHT = 0.6
_Worth: TypeAlias = tuple[int, int, int]
_NO_WORTH: _Worth = (0, 0, 0)


class Chances(NamedTuple):
    """How probable it is that a statement is wrong, missing, right, or none."""

    wrong: float
    missing: float
    right: float
    nothing: float

    @property
    def soundness(self) -> float:
        """How probable it is that nothing is wrong: of what is missing six in ten turn out right."""
        return max(0.0, 1.0 - self.wrong - (1.0 - _MISSING_RIGHT) * self.missing)


EVEN = Chances(0.0, 0.0, 1.0, 0.0)
"""Of what is taken as it was found."""


def _worth_by_state() -> dict[str, dict[str, _Worth]]:
    """What each sign is worth, by the state that it is seen with."""
    states = {code: state for state, code in STATE_CODES.items()}
    table: dict[str, dict[str, _Worth]] = {state: {} for state in STATE_CODES}
    for entry in filter(None, map(str.strip, WEIGHTS.split(";"))):
        name, *sizes = entry.split("|")
        for code, wrong, absent, nothing in map(str.split, sizes):
            table[states[code]][name] = int(wrong), int(absent), int(nothing)
    return table


_WORTH = _worth_by_state()


def chances(signs: Signs) -> Chances:
    """The chances of a statement by its signs, summed in whole hundredths: in any order the same to the last bit."""
    seen = itertools.chain(map(_WORTH[signs.state].get, signs.names), map(_WORTH[ANY_STATE].get, signs.bare))
    sums = map(sum, zip(_NO_WORTH, *filter(None, seen), strict=True))
    wrong, absent, nothing = (
        math.exp(min(constant + size / 100, 50.0)) for constant, size in zip(CONSTANT, sums, strict=True)
    )
    whole = 1.0 + wrong + absent + nothing
    return Chances(wrong / whole, absent / whole, 1.0 / whole, nothing / whole)


def is_nothing(every: Sequence[Chances]) -> bool:
    """Whether statements with these chances probably say nothing of the figure."""
    return math.prod(one.nothing for one in every) > _NOTHING ** len(every)


def finding_to_believe(finding: Finding, signs: Signs, chance: Chances) -> Finding | None:
    """What is believed of a finding; None if it is set aside: it was not understood, and probably hides no misreading."""
    wrong = refutation(finding)
    if wrong is not None and chance.wrong > _WRONG_IF_ALONE[signs.stands_alone]:
        return replace(wrong, verdict="contradicted")
    if "reason" in signs.bare:
        return unread("it gives a reason or an example that the figure does not show.")
    if chance.missing > _MISSING and not signs.concludes:
        if finding.verdict == "missing":
            return replace(finding, constraint=None)
        return missing("the claim says more than its names and numbers, of which nothing was read.")
    if finding.verdict == "supported":
        return finding
    if chance.right > _RIGHT and signs.explains_numbers:
        return replace(finding, verdict="supported", explanation="its numbers are those of what it names.")
    return None
