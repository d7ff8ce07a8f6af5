"""What the tokenizer of a new model is made from: the corpus's own words, and the names that must be one token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evpv.backends.verifier_text import canonical, facts_text
from evpv.records import constraints_from_json
from evpv.training.data.pictures import Picture
from evpv.training.data.trajectories import Trajectory
from evpv.training.targets import json_runs

_OFTEN = 20
_TEXTS = 40_000


def texts_of(pictures: Sequence[Picture], trajectories: Sequence[Trajectory] = ()) -> list[str]:
    """Questions, targets and steps, as far as a tokenizer needs to see."""
    texts = [picture.question for picture in pictures]
    texts += [facts_text(canonical(constraints_from_json(list(picture.constraints)))) for picture in pictures[:_TEXTS]]
    texts += [step for row in trajectories[:_TEXTS] for step in row.steps]
    return [text for text in texts if text]


def runs_of(pictures: Sequence[Picture]) -> tuple[str, ...]:
    """The fixed stretches of the JSON, and the row names and column heads that occur often.

    A name is then the same token in a table's facts, in a question and in a step, which is what a small model can match.
    """
    counts: Counter[str] = Counter()
    for picture in pictures:
        heads = [part for fact in picture.constraints for part in fact.get("parts", ())]
        counts.update(heads)
        for fact in picture.constraints:
            for head in heads[1:]:
                if fact.get("entity", "").endswith(f" {head}"):
                    counts[fact["entity"].removesuffix(f" {head}")] += 1
    names = sorted((name for name, count in counts.items() if count >= _OFTEN), key=lambda name: (-len(name), name))
    return json_runs(names)
