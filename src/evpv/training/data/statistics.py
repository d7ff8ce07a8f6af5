"""A page about each corpus: how much, of what, and how it is spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evpv.training.data.pairs import Pair
from evpv.training.data.pictures import Picture
from evpv.training.data.trajectories import Trajectory


def trajectory_page(rows: Sequence[Trajectory], threshold: float = 0.5) -> str:
    """Trajectories: sources, steps, labels, and where the first wrong step stands."""
    labels = [label for row in rows for label in row.labels]
    right = sum(label > threshold for label in labels)
    soft = sum(0 < label < 1 for label in labels)
    first = Counter(_first_wrong(row, threshold) for row in rows)
    return "\n\n".join(
        [
            "# Trajectories",
            f"{len(rows)} trajectories, {len(labels)} steps; {_share(right, len(labels))} of the steps right"
            f" (label above {threshold}), {_share(soft, len(labels))} of the labels soft.",
            _table("source", Counter(row.source or "–" for row in rows)),
            _table("steps in a trajectory", Counter(len(row.steps) for row in rows)),
            _table("first wrong step", first),
        ]
    )


def constraint_page(rows: Sequence[Picture]) -> str:
    """A constraint corpus: families, categories, facts in a picture."""
    facts = [fact for row in rows for fact in row.constraints]
    kinds = Counter(f"{fact['category']} {fact.get('type') or fact.get('attribute')}" for fact in facts)
    return "\n\n".join(
        [
            "# Constraints",
            f"{len(rows)} pictures, {len(facts)} facts.",
            _table("family", Counter(row.family or "–" for row in rows)),
            _table("fact", kinds),
            _table("facts in a picture", Counter(len(row.constraints) for row in rows)),
        ]
    )


def preference_page(pairs: Sequence[Pair]) -> str:
    """Preference pairs: kinds of rewrite, and how far each is from the teacher."""
    kinds = Counter(pair.kind for pair in pairs)
    mean = {kind: sum(p.margin for p in pairs if p.kind == kind) / count for kind, count in kinds.items()}
    lines = ["| rewrite | pairs | mean distance |", "| --- | --: | --: |"]
    lines += [f"| {kind} | {kinds[kind]} | {mean[kind]:.3f} |" for kind in sorted(kinds)]
    return "\n\n".join(["# Preference pairs", f"{len(pairs)} pairs.", "\n".join(lines)])


def _first_wrong(row: Trajectory, threshold: float) -> str:
    return next((str(i + 1) for i, label in enumerate(row.labels) if label <= threshold), "none")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "0 %"


def _table(head: str, counts: Mapping[Any, int]) -> str:
    rows = sorted(counts.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
    return "\n".join([f"| {head} | count |", "| --- | --: |", *(f"| {name} | {count} |" for name, count in rows)])
