"""The verifier as verl's custom reward function.

In verl's configuration: `custom_reward_function.path=pkg://evpv.integrations.verl`, `name=compute_score` (for the batch
reward manager `compute_scores`), and under `reward_kwargs` a `recipe` and the fields of `Terms`. verl hands on no
pictures, so `extra_info` must name them: `image` (a path or a list of paths), `question`, and where known `options` and
`constraints`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from evpv.errors import RecordError
from evpv.integrations.rewards import Reward, RewardFunction, Terms
from evpv.integrations.trl import metrics, shown_steps
from evpv.types import Problem

_FIELDS = ("options", "constraints")


def compute_score(
    data_source: str, solution_str: str, ground_truth: Any, extra_info: Mapping[str, Any] | None = None, **settings: Any
) -> dict[str, float | str]:
    """The reward of one solution; verl calls this from several threads at once."""
    return compute_scores([data_source], [solution_str], [ground_truth], [extra_info], **settings)[0]


def compute_scores(
    data_sources: Sequence[str],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Mapping[str, Any] | None],
    **settings: Any,
) -> list[dict[str, float | str]]:
    """The rewards of many solutions, in the form of verl's batch reward manager."""
    function = _function(settings.pop("recipe", "embedded"), Terms(**settings))
    asked = zip(ground_truths, extra_infos, strict=True)
    problems = [_problem(function, truth, info or {}) for truth, info in asked]
    return [_plain_values(reward, function.terms) for reward in function.rewards(problems, solution_strs)]


def _problem(function: RewardFunction, truth: Any, info: Mapping[str, Any]) -> Problem:
    if not info.get("question"):
        raise RecordError(
            "must hold the question (and the path of its image): verl hands on nothing else", field="extra_info"
        )
    fields = {name: info[name] for name in _FIELDS if info.get(name) is not None}
    return function.problem(str(info["question"]), info.get("image"), answer=truth, **fields)


def _plain_values(reward: Reward, terms: Terms) -> dict[str, float | str]:
    """Numbers and texts only, and the same keys always: verl makes one array of each key over the batch.

    verl knows no missing rewards. One that cannot be known is 0 with `unknown` 1; it is unknown for all the solutions of
    a picture, so a group's advantages are not moved by it. `misread_step` and `misread_start` (a character of the
    solution) say where its first misread premise stands, −1 where there is none.
    """
    found = metrics([reward])
    names = ("unknown", "reliability", "contradicted", "answered", *(("outcome",) if terms.outcome else ()))
    numbers = {name: found.get(name, 0.0) for name in names}
    found_at = reward.misread
    numbers["misread_step"] = -1.0 if found_at is None else float(found_at.step)
    numbers["misread_start"] = -1.0 if found_at is None else float(found_at.start)
    return {"score": reward.score or 0.0, **numbers, "steps": shown_steps(reward)}


_building = Lock()
_functions: dict[tuple[str, Terms], RewardFunction] = {}


def _function(recipe: str, terms: Terms) -> RewardFunction:
    """One function for all threads of a worker process."""
    with _building:
        if (recipe, terms) not in _functions:
            _functions[recipe, terms] = RewardFunction.from_recipe(recipe, terms=terms)
        return _functions[recipe, terms]
