"""The same claim and facts give the same words in every process: nothing hangs on the order of a set."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from evpv import Numeric, Relation, grounded_matcher
facts = [Relation(type="perpendicular", entities=("BC", "AC")), Relation(type="parallel", entities=("DE", "AB")),
         Numeric(entity="segment AC", attribute="length", value=3.0), Numeric(entity="angle ABC", attribute="angle", value=40.0)]
match = grounded_matcher(facts)
for claim in ("Triangle ABC has a right angle at C.", "There is a right angle at B.", "DE // AB and AC = 3.", "angle B is 50 degrees"):
    print(match(claim))
"""


def said(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def test_no_word_hangs_on_the_seed_of_hashes() -> None:
    first, *others = (said(seed) for seed in ("0", "1", "2"))
    assert len(first.splitlines()) == 4
    assert others == [first, first]
