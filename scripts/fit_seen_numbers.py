"""Fit how far a number that was read somewhere, or nowhere, moves the support of a claim that no constraint speaks to.

    python scripts/fit_seen_numbers.py RUN … OTHER_RUN

Runs of `evpv rank` over labelled development problems (`evpv figures --split dev`). Prints SEEN_SOMEWHERE and SEEN_NOWHERE
of `premises.matching.grounded` with the counts they rest on; the last run is what they are held against.
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

IMAGINED = 10
"""So many imagined claims, right as often as all missing ones, are added to each kind, as `evpv fit` does."""
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


def report(title: str, traces: Sequence[Trace]) -> None:
    """The counts of one set of problems, and the two constants that they give; few claims keep what there was."""
    before = load_recipe("embedded").method.missing
    groups = {sign: missing_claims(traces, sign) for sign in (1, -1, 0)}
    base = priors(groups[1] + groups[-1] + groups[0], before)["numeric"]
    print(f"{title}: {len(traces)} problems, support of a missing numeric claim {base:.2f}")
    for sign, name in ((1, "somewhere"), (-1, "nowhere"), (0, "not told")):
        right, wrong = (groups[sign]["numeric", "missing", truth] for truth in (True, False))
        smoothed = (right + IMAGINED * base) / (right + wrong + IMAGINED)
        print(f"  number read {name}: {right} right, {wrong} wrong, support {smoothed:.2f}")
        if sign == 1:
            print(f"    SEEN_SOMEWHERE = {max(0.0, (smoothed - base) / (1 - base)):.2f}")
        if sign == -1:
            print(f"    SEEN_NOWHERE = {min(1.0, smoothed / base):.2f}")


def main(*runs: str) -> None:
    method = load_recipe("embedded").method
    marked = replace(method, missing={**method.missing, "numeric": MARK})
    sets = [[reassess(trace, marked) for trace in read_traces(Path(run) / "traces.jsonl")] for run in runs]
    refuse_test_split([trace for one in sets for trace in one])
    report("fitted on", [trace for one in sets[:-1] for trace in one])
    report("held against", sets[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
