"""Fit how far a number that was read somewhere, or nowhere, moves the support of a claim that no constraint speaks to.

    python scripts/fit_seen_numbers.py RUN [OTHER_RUN]

RUN is a run of `evpv rank` over labelled development problems (`evpv figures --split dev`). Prints SEEN_SOMEWHERE and
SEEN_NOWHERE of `premises.matching.grounded` with the counts they rest on; OTHER_RUN is what they are held against.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evpv.config import load_recipe
from evpv.evaluation.fitting import Claims, counted_claims, priors, refuse_test_split
from evpv.records import read_traces
from evpv.reward.assess import reassess
from evpv.types import StepTrace, Trace

MARK = 0.5
"""The support that every missing numeric claim is given, so that one that was moved from it shows which way."""


def missing_claims(traces: Sequence[Trace], sign: int) -> Claims:
    """The missing numeric claims whose number was read somewhere (1), nowhere (-1), or of which that cannot be told (0)."""

    def kept(step: StepTrace) -> bool:
        found = step.match
        if found is None or (found.type, found.verdict) != ("numeric", "missing"):
            return False
        return (found.support > MARK) - (found.support < MARK) == sign

    only = (
        replace(trace, candidates=tuple(
            replace(one, steps=tuple(step if kept(step) else replace(step, match=None) for step in one.steps))
            for one in trace.candidates
        ))
        for trace in traces
    )  # fmt: skip
    return counted_claims(only)


def main(*runs: str) -> None:
    method = load_recipe("embedded").method
    marked = replace(method, missing={**method.missing, "numeric": MARK})
    for place, run in enumerate(runs):
        traces = [reassess(trace, marked) for trace in read_traces(Path(run) / "traces.jsonl")]
        refuse_test_split(traces)
        groups = {sign: missing_claims(traces, sign) for sign in (1, -1, 0)}
        both = groups[1] + groups[-1] + groups[0]
        rates = {sign: priors(counts, method.missing)["numeric"] for sign, counts in groups.items() if counts}
        base = priors(both, method.missing)["numeric"]
        print("fitted on" if place == 0 else "held against", run, f"missing numeric {base:.2f}")
        for sign, name in ((1, "somewhere"), (-1, "nowhere"), (0, "not told")):
            right = groups[sign]["numeric", "missing", True]
            wrong = groups[sign]["numeric", "missing", False]
            print(f"  number read {name}: {right} right, {wrong} wrong, support {rates.get(sign, base):.2f}")
        somewhere, nowhere = (rates.get(1, base) - base) / (1 - base), rates.get(-1, base) / base
        print(f"  SEEN_SOMEWHERE = {somewhere:.2f}, SEEN_NOWHERE = {nowhere:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
