"""The verifier as a reward function of TRL's GRPO trainer: `GRPOTrainer(reward_funcs=TrlReward.from_recipe(), …)`.

TRL calls a reward function with the prompts, the completions and every other column of the data set, each a list with
one entry per completion. Used here are, where they are there: `question` (else the text of the prompt's last user turn),
`image` or `images` (else the pictures inside the prompt), `options`, `answer` and `constraints`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from evpv.integrations.rewards import Reward, RewardFunction, Terms
from evpv.types import Problem
from evpv.viewer.summaries import first_bad_step

_Turns: TypeAlias = str | Sequence[Mapping[str, Any]]
"""A prompt or a completion: plain text, or the turns of a conversation."""

_FIELDS = ("options", "answer", "constraints")


class TrlReward:
    """A reward function as TRL calls it; its log has the rewards under `rewards/<name>`, and what is behind them.

    `last` holds the rewards of the last call, for whoever assigns credit.

    None, for a completion whose reward cannot be known, is left out by TRL. The means that `metrics` names are logged as
    `evpv/…`; the table of completions that TRL prints with `log_completions` has each step's reward and the first bad step.
    """

    def __init__(self, reward: RewardFunction, *, name: str = "evpv") -> None:
        self.reward = reward
        self.last: list[Reward] = []
        self.__name__ = name

    @classmethod
    def from_recipe(
        cls, name: str = "embedded", changes: Mapping[str, str] | None = None, terms: Terms | None = None
    ) -> TrlReward:
        return cls(RewardFunction.from_recipe(name, changes, terms))

    def __call__(
        self,
        prompts: Sequence[_Turns],
        completions: Sequence[_Turns],
        log_extra: Callable[[str, list[Any]], None] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """A score per completion. Columns that the verifier does not know are for other reward functions."""
        problems = [self.problem(prompt, place, columns) for place, prompt in enumerate(prompts)]
        rewards = self.reward.rewards(problems, [words_of(turns) for turns in completions])
        self.last = rewards
        if log_metric is not None:
            for metric, value in metrics(rewards).items():
                log_metric(f"evpv/{metric}", value)
        if log_extra is not None:
            log_extra("evpv steps", [shown_steps(reward) for reward in rewards])
            log_extra("evpv first bad step", [_shown_fault(reward) for reward in rewards])
        return [reward.score for reward in rewards]

    def problem(self, prompt: _Turns, place: int, columns: Mapping[str, Any]) -> Problem:
        def entry(name: str) -> Any:
            return columns[name][place] if columns.get(name) is not None else None

        fields = {name: value for name in _FIELDS if (value := entry(name)) is not None}
        images = next((found for name in ("images", "image") if (found := entry(name)) is not None), pictures(prompt))
        return self.reward.problem(entry("question") or words_of(prompt, "user", last=True), images, **fields)


def words_of(turns: _Turns, role: str = "assistant", *, last: bool = False) -> str:
    """What one side says in a conversation, or in the last of its turns; plain text is taken as it is.

    >>> words_of([{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "How long is AB?"}]}], "user")
    'How long is AB?'
    """
    if isinstance(turns, str):
        return turns
    said = [_text(turn["content"]) for turn in turns if turn.get("role") == role and turn.get("content")]
    return "\n\n".join(said[-1:] if last else said)


def pictures(turns: _Turns) -> list[Any]:
    if isinstance(turns, str):
        return []
    parts = [part for turn in turns if not isinstance(turn.get("content"), str) for part in turn.get("content") or ()]
    return [part["image"] for part in parts if part.get("type") == "image" and part.get("image") is not None]


def metrics(rewards: Sequence[Reward]) -> dict[str, float]:
    """What a trainer's log should show besides the score: means over completions, `contradicted` over their claims.

    A mean over nothing is left out.
    """
    found: defaultdict[str, list[float]] = defaultdict(list)
    for reward in rewards:
        found["unknown"].append(reward.problem is not None)
        if reward.problem is not None:
            continue
        verdicts = (step.verdict for step in reward.trace.steps)
        found["reliability"] += () if reward.trace.reliability is None else (reward.trace.reliability,)
        found["steps"].append(len(reward.steps))
        found["contradicted"] += [verdict == "contradicted" for verdict in verdicts if verdict is not None]
        found["answered"].append(reward.trace.final_answer is not None)
        found["outcome"] += () if reward.outcome is None else (reward.outcome,)
    return {name: sum(values) / len(values) for name, values in found.items() if values}


def shown_steps(reward: Reward) -> str:
    """The steps' rewards as JSON text, two digits each: short enough for a table's cell."""
    return json.dumps([None if step is None else round(step, 2) for step in reward.steps])


def _shown_fault(reward: Reward) -> str:
    """The first bad step and why, or why there is no reward; empty where all is well."""
    bad = first_bad_step(reward.trace)
    return reward.problem or (f"{bad[0] + 1}: {bad[1]}" if bad else "")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if part.get("type") == "text" and part.get("text"))
