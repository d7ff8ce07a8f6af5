"""Claims against constraints: m(v_j, C) of the paper, to the letter (`paper`) and beyond it (`grounded`).

A matcher is prepared once for a constraint set and then asked claim by claim, so that what the candidates of one
problem share is computed once.
"""

from collections.abc import Callable
from typing import TypeAlias

from evpv.types import Match

ClaimMatcher: TypeAlias = Callable[[str], Match]
