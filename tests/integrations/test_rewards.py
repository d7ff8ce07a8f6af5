"""The reward function: what a completion earns, from which pictures, and from how many threads."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from read_by_hand import FACTS, MISCALCULATED, MISREAD, QUESTION, RIGHT, CountingExtractor

from evpv.errors import ConfigError, RecordError
from evpv.integrations.rewards import RewardFunction, Terms
from evpv.pipeline import Pipeline

ALL = [RIGHT, MISREAD, MISCALCULATED]


def score_of(reward: RewardFunction, figure: Any, completion: str) -> float | None:
    return reward([figure], [QUESTION], [completion])[0]


def test_a_right_reading_earns_more_than_a_misreading_and_than_a_wrong_sum(
    reward: RewardFunction, figure: Path
) -> None:
    right, misread, miscalculated = reward([figure] * 3, [QUESTION] * 3, ALL)
    assert right is not None
    assert misread is not None
    assert miscalculated is not None
    assert 1.0 >= right > 0.7
    assert misread < 0.3
    assert miscalculated < 0.6


def test_every_step_has_a_reward_and_the_trace_says_why(reward: RewardFunction, figure: Path) -> None:
    [found] = reward.rewards([reward.problem(QUESTION, figure)], [MISREAD])
    assert len(found.steps) == len(found.trace.steps) == 4
    assert found.steps[0] is not None
    assert found.steps[0] < 0 < (found.steps[1] or 0)
    assert found.trace.steps[0].verdict == "contradicted"
    assert found.trace.final_answer == "20"


def test_silence_and_words_without_an_answer_earn_nothing(pipeline: Pipeline, figure: Path) -> None:
    strict, lenient = RewardFunction(pipeline), RewardFunction(pipeline, Terms(needs_answer=False))
    assert [score_of(strict, figure, text) for text in ("", "  \n", "o3W^ blub", "AB = 12 cm.")] == [0.0] * 4
    assert score_of(lenient, figure, "") == 0.0
    assert (score_of(lenient, figure, "AB = 12 cm.") or 0) > 0.7


def test_a_picture_is_read_once_however_many_completions_it_has(
    reward: RewardFunction, extractor: CountingExtractor, figure: Path
) -> None:
    for _ in range(3):
        reward([figure] * 6, [QUESTION] * 6, ALL * 2)
    assert extractor.looked_at == [str(figure)]


def test_a_picture_that_changed_is_read_again(
    reward: RewardFunction, extractor: CountingExtractor, tmp_path: Path
) -> None:
    place = tmp_path / "a.png"
    for colour in ("white", "black"):
        Image.new("RGB", (8 if colour == "white" else 30, 8), colour).save(place)
        score_of(reward, place, RIGHT)
    assert extractor.looked_at == [str(place)] * 2


def as_bytes(path: Path) -> Any:
    return path.read_bytes()


def as_data_uri(path: Path) -> Any:
    return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()


def opened(path: Path) -> Any:
    with Image.open(path) as picture:
        return picture.copy()


FORMS: dict[str, Callable[[Path], Any]] = {
    "a path": str,
    "a path object": Path,
    "a list of one": lambda path: [str(path)],
    "an array of texts": lambda path: np.array([str(path)]),
    "a picture": opened,
    "a picture in CMYK": lambda path: opened(path).convert("CMYK"),
    "a picture with a palette": lambda path: opened(path).convert("P"),
    "bytes": as_bytes,
    "a data URI": as_data_uri,
    "what a data set holds": lambda path: {"bytes": as_bytes(path), "path": None},
    "what a data set points at": lambda path: {"bytes": None, "path": str(path)},
}


@pytest.mark.parametrize("form", FORMS)
def test_pictures_come_in_any_form(
    form: str, reward: RewardFunction, extractor: CountingExtractor, figure: Path
) -> None:
    expected = score_of(reward, figure, RIGHT)
    assert score_of(reward, FORMS[form](figure), RIGHT) == expected
    assert all(Path(image).exists() for image in extractor.looked_at)


def test_the_same_picture_decoded_anew_is_known_again(
    reward: RewardFunction, extractor: CountingExtractor, figure: Path
) -> None:
    for _ in range(4):
        score_of(reward, opened(figure), RIGHT)
    assert len(extractor.looked_at) == 1


def test_what_is_kept_goes_when_the_function_is_closed(
    pipeline: Pipeline, extractor: CountingExtractor, figure: Path
) -> None:
    function = RewardFunction(pipeline)
    score_of(function, opened(figure), RIGHT)
    kept = Path(extractor.looked_at[0])
    assert kept.exists()
    function.close()
    assert not kept.parent.exists()


@pytest.mark.parametrize("constraints", [FACTS, json.dumps(FACTS)], ids=["list", "text"])
def test_given_constraints_are_believed_and_the_picture_is_not_looked_at(
    constraints: Any, reward: RewardFunction, extractor: CountingExtractor, figure: Path
) -> None:
    problem = reward.problem(QUESTION, figure, constraints=constraints)
    right, misread = (one.score for one in reward.rewards([problem] * 2, [RIGHT, MISREAD]))
    assert (right or 0) > 0.7 > 0.3 > (misread or 0)
    assert extractor.looked_at == []


def test_an_unreadable_picture_gives_no_score_and_says_why(reward: RewardFunction) -> None:
    [found] = reward.rewards([reward.problem(QUESTION, "not-there.png")], [RIGHT])
    assert (found.score, found.problem) == (None, "no such file")
    assert len(found.steps) == 4


def test_the_answer_decides_as_much_as_it_is_told_to(pipeline: Pipeline, figure: Path) -> None:
    mixed, alone = (RewardFunction(pipeline, Terms(outcome=share)) for share in (0.5, 0.0))
    asked = [mixed.problem(QUESTION, figure, answer=17)] * 2
    found = mixed.rewards(asked, [RIGHT, MISREAD])
    plain = alone.rewards(asked, [RIGHT, MISREAD])
    assert [one.outcome for one in found] == [True, False]
    assert found[0].score == pytest.approx(0.5 * (plain[0].score or 0) + 0.5)
    assert found[1].score == pytest.approx(0.5 * (plain[1].score or 0))
    [unknown] = mixed.rewards([mixed.problem(QUESTION, figure)], [RIGHT])
    assert (unknown.score, unknown.problem) == (None, "there is no answer to compare with")


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        Terms(outcome=share)


def test_an_unknown_way_of_paying_is_named() -> None:
    with pytest.raises(ConfigError, match="did you mean 'least'"):
        Terms(by="last")  # type: ignore[arg-type]


@pytest.mark.parametrize("empty", [".", "So.", "Let us see.", "Indeed, that is so.", "!"])
@pytest.mark.parametrize("wrong", [MISREAD, MISCALCULATED])
def test_empty_steps_around_a_wrong_one_earn_nothing_more(
    wrong: str, empty: str, pipeline: Pipeline, figure: Path
) -> None:
    """Under the paper's mean they do, and a policy in training has found that out (docs/integrations.md)."""
    first, *rest = wrong.split("\n")
    padded = "\n".join([first, *[empty] * 8, *rest])
    least, mean = (RewardFunction(pipeline, Terms(by=by)) for by in ("least", "score"))
    assert (score_of(least, figure, padded) or 0) <= (score_of(least, figure, wrong) or 0)
    assert (score_of(mean, figure, padded) or 0) > (score_of(mean, figure, wrong) or 0)


def test_paid_by_score_a_completion_earns_what_ranking_gives_it(pipeline: Pipeline, figure: Path) -> None:
    function = RewardFunction(pipeline, Terms(by="score"))
    problem = function.problem(QUESTION, figure)
    for found in function.rewards([problem] * 3, ALL):
        assert found.score == found.trace.score


@pytest.mark.parametrize(
    ("image", "constraints"),
    [
        ("data:image/png;base64,??", None),
        ("a\0b", None),
        ("x" * 5000, None),
        (None, "{no JSON"),
        (None, '{"a": 1}'),
        (None, [3]),
    ],
)
def test_a_bad_row_costs_its_own_reward_and_no_other(
    image: Any, constraints: Any, reward: RewardFunction, figure: Path
) -> None:
    bad, good = reward.problem(QUESTION, image, constraints=constraints), reward.problem(QUESTION, figure)
    first, second = reward.rewards([bad, good], [RIGHT, RIGHT])
    assert first.score is None
    assert first.problem
    assert (second.score or 0) > 0.7


@pytest.mark.parametrize("bad", [3, {"no": "picture"}])
def test_what_is_no_picture_is_named(bad: Any, reward: RewardFunction) -> None:
    with pytest.raises(RecordError, match=r"image: is no"):
        reward.problem(QUESTION, bad)


def test_lists_of_different_lengths_are_refused(reward: RewardFunction) -> None:
    with pytest.raises(RecordError, match="1 problems for 2 completions"):
        reward.rewards([reward.problem(QUESTION)], [RIGHT, RIGHT])


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*ALL, "", "The answer is 3."]) | st.text(max_size=60), min_size=1, max_size=8))
def test_a_completion_earns_the_same_alone_as_among_others(completions: list[str]) -> None:
    reward = SHARED
    problem = reward.problem(QUESTION, constraints=FACTS)
    together = reward.rewards([problem] * len(completions), completions)
    for completion, found in zip(completions, together, strict=True):
        [alone] = reward.rewards([problem], [completion])
        assert (found.score, found.steps) == (alone.score, alone.steps)
        assert found.score is not None
        assert 0.0 <= found.score <= 1.0


SHARED = RewardFunction.from_recipe("given")


def test_an_answer_is_not_refuted_by_that_of_another_completion() -> None:
    """Candidates that are ranked may be told apart by each other's answers; what earns in training may not depend on the group."""
    rows = {"Monday": 74, "Friday": 32, "Saturday": 83}
    facts = [
        {"category": "numeric", "entity": f"{day} pizzas", "attribute": "value", "value": value, "confidence": 0.99}
        for day, value in rows.items()
    ]
    problem = SHARED.problem("Which entry has the largest number of pizzas?", constraints=facts)
    right, wrong = ("\n".join([*(f"{day} has {value} pizzas." for day, value in rows.items()), f"Answer: {answer}"])
                    for answer in ("Saturday", "Friday"))  # fmt: skip
    [alone] = SHARED.rewards([problem], [wrong])
    assert alone.score is not None
    assert SHARED.rewards([problem] * 2, [right, wrong])[1].steps == alone.steps


def test_threads_earn_what_one_would_and_nothing_is_read_twice(
    reward: RewardFunction, extractor: CountingExtractor, tmp_path: Path
) -> None:
    figures = [tmp_path / f"{number}.png" for number in range(6)]
    for number, place in enumerate(figures):
        Image.new("RGB", (20 + number, 20), "white").save(place)
    quadratic = "x^2 - 5x + 6 = 0\nSo x = 2 or x = 3.\nAnswer: 3"
    jobs = [(place, text) for place in figures for text in (*ALL, quadratic)] * 3
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda job: score_of(reward, *job), jobs))
    assert found == [score_of(reward, *job) for job in jobs]
    assert sorted(extractor.looked_at) == sorted(map(str, figures))
