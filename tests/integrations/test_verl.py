"""verl's contract for reward functions: the names it calls with, and values that it can make arrays of."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from read_by_hand import FACTS, MISREAD, QUESTION, RIGHT

from evpv.errors import ConfigError, RecordError
from evpv.integrations.verl import compute_score, compute_scores

INFO: dict[str, Any] = {"question": QUESTION, "constraints": json.dumps(FACTS), "split": "train", "num_turns": None}


def score_of(solution: str, **settings: Any) -> dict[str, float | str]:
    return compute_score(
        data_source="ours", solution_str=solution, ground_truth="17", extra_info=dict(INFO), recipe="given", **settings
    )


def test_one_solution_is_scored_by_the_names_that_verl_uses() -> None:
    right, misread = score_of(RIGHT), score_of(MISREAD)
    assert float(right["score"]) > 0.7 > 0.3 > float(misread["score"])
    assert len(json.loads(str(right["steps"]))) == 4
    assert float(misread["contradicted"]) > 0


def test_the_ground_truth_counts_where_it_is_told_to() -> None:
    assert score_of(RIGHT, outcome=1.0)["score"] == 1.0
    assert score_of(MISREAD, outcome=1.0)["score"] == 0.0


def test_the_batch_form_gives_what_the_single_one_does() -> None:
    solutions = [RIGHT, MISREAD, "", "The answer is 3."]
    found = compute_scores(
        data_sources=np.array(["ours"] * 4),  # type: ignore[arg-type]
        solution_strs=solutions,
        ground_truths=["17"] * 4,
        extra_infos=np.array([INFO] * 4, dtype=object),  # type: ignore[arg-type]
        recipe="given",
    )
    assert found == [score_of(solution) for solution in solutions]


def test_every_value_can_stand_in_an_array_with_the_others() -> None:
    """verl makes one array of each key over a batch, which lists of different lengths cannot stand in."""
    found = [score_of(RIGHT), score_of(""), {**score_of(MISREAD)}]
    assert len({tuple(row) for row in found}) == 1
    for name in found[0]:
        assert np.array([row[name] for row in found]).dtype.kind in "fU"


def test_an_unreadable_picture_is_marked_and_not_hidden() -> None:
    info = {"question": QUESTION, "image": "not-there.png"}
    found = compute_score("ours", RIGHT, None, info, recipe="judge-alone")
    assert found["unknown"] == 0.0  # that recipe does not look
    found = compute_score("ours", RIGHT, None, {"question": QUESTION}, recipe="given")
    assert (found["score"], found["unknown"]) == (0.0, 1.0)


def test_threads_share_one_function(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: score_of(RIGHT), range(32)))
    assert found == [score_of(RIGHT)] * 32


@pytest.mark.parametrize("info", [None, {}, {"image": "a.png"}])
def test_a_missing_question_is_named(info: Any) -> None:
    with pytest.raises(RecordError, match="extra_info: must hold the question"):
        compute_score("ours", RIGHT, None, info, recipe="given")


def test_a_recipe_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="did you mean 'embedded'"):
        compute_score("ours", RIGHT, None, INFO, recipe="embeded")
