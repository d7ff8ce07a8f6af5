"""TRL's GRPO trainer with the blame of a misreading where it belongs: `CreditTrainer(reward_funcs=TrlReward(…), …)`.

TRL gives every token of a completion one advantage, and takes advantages by token from those who have them. Here tokens
before the first premise that the figure denies are spared a negative one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trl.trainer.grpo_trainer import GRPOTrainer

from evpv.errors import ConfigError
from evpv.integrations.credit import first_token, spare_before
from evpv.integrations.trl import TrlReward


class CreditTrainer(GRPOTrainer):
    """GRPO whose advantages have the shape (completions, tokens); one of its reward functions must be a `TrlReward`."""

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = super()._generate_and_score_completions(inputs)
        reward = next((one for one in self.reward_funcs if isinstance(one, TrlReward)), None)
        if reward is None:
            raise ConfigError("CreditTrainer needs a TrlReward among its reward_funcs: it knows where a misreading is.")
        ids = made["completion_ids"]
        first = [
            None if given.misread is None else first_token(row.tolist(), self._text, given.misread.start)
            for row, given in zip(ids, reward.last, strict=True)
        ]
        advantages = made["advantages"].unsqueeze(1).repeat(1, ids.shape[1])
        spare_before(advantages, first)
        return {**made, "advantages": advantages}

    def _text(self, ids: Sequence[int]) -> str:
        decoder: Any = getattr(self.processing_class, "tokenizer", self.processing_class)
        return str(decoder.decode(list(ids), skip_special_tokens=True))
