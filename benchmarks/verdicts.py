"""Verdicts on steps and claims that people wrote who do not know this code (`benchmarks/hands`).

usage: verdicts.py [--hand n …]

Prints a table: verdicts right, contradicted steps found, right steps accused, of items that developers have looked at and of those they
have not; and, as its last line, one JSON object with the figures of the latter.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evpv.premises.matching.grounded import grounded_matcher
from evpv.records.constraints import constraints_from_json
from evpv.types import Match

HANDS = Path(__file__).parent / "hands"
Scored = tuple[dict[str, Any], Match]


def scored_items(path: Path) -> list[Scored]:
    """Every step and claim of one hand with what the matcher makes of it."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    matchers = {
        row["figure"]: grounded_matcher(constraints_from_json(row["constraints"]))
        for row in rows
        if row["kind"] == "figure"
    }
    return [(row, matchers[row["figure"]](row["text"])) for row in rows if row["kind"] != "figure"]


def step_rates(steps: Sequence[Scored]) -> dict[str, float]:
    """The share of verdicts that are right, of contradicted steps that are found, and of right steps that are accused."""
    of = {
        gold: [match.verdict == "contradicted" for row, match in steps if row["verdict"] == gold]
        for gold in ("contradicted", "supported")
    }
    return {
        "verdicts": mean(row["verdict"] == match.verdict for row, match in steps),
        "found": mean(of["contradicted"]),
        "accused": mean(of["supported"]),
    }


def mean(values: Iterable[bool]) -> float:
    every = list(values)
    return sum(every) / max(len(every), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hand", nargs="*", default=sorted(path.stem for path in HANDS.glob("*.jsonl")))
    options = parser.parse_args()
    table = Table("hand", "looked at", "steps", "verdicts", "found", "accused", "claims", "verdicts", "types")
    unseen: dict[str, list[Scored]] = defaultdict(list)
    for hand in options.hand:
        items = scored_items(HANDS / f"{hand}.jsonl")
        for looked_at in (True, False):
            part = [one for one in items if one[0]["looked_at"] == looked_at]
            steps = [one for one in part if one[0]["kind"] == "step"]
            claims = [one for one in part if one[0]["kind"] == "claim"]
            if not looked_at:
                unseen["steps"] += steps
                unseen["claims"] += claims
            if part:
                rates = [f"{rate:.3f}" for rate in step_rates(steps).values()]
                right = mean(row["verdict"] == match.verdict for row, match in claims)
                types = mean(row["type"] == match.type for row, match in claims)
                table.add_row(
                    hand, "yes" if looked_at else "no", str(len(steps)), *rates,
                    str(len(claims)), f"{right:.3f}", f"{types:.3f}",
                )  # fmt: skip
    Console().print(table)
    rates = {name: round(rate, 4) for name, rate in step_rates(unseen["steps"]).items()}
    claims_right = mean(row["verdict"] == match.verdict for row, match in unseen["claims"])
    print(json.dumps({"unseen_steps": len(unseen["steps"]), **rates, "claim_verdicts": round(claims_right, 4)}))


if __name__ == "__main__":
    main()
