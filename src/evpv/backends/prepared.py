"""Prepared answers as a recipe can hold them: for examples and rehearsals without a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from evpv.errors import ConfigError
from evpv.protocols import ChatReply, ChatRequest, Usage


class PreparedBackend:
    """Answers by the stage that asks ("extract", "judge", "sample"): each stage's answers in turn, over and over.

    The stage "any" serves those that have none of their own.
    """

    def __init__(self, answers: Mapping[str, str | Sequence[str]], *, name: str = "prepared") -> None:
        self._answers = {stage: [given] if isinstance(given, str) else list(given) for stage, given in answers.items()}
        if not all(self._answers.values()):
            raise ConfigError("prepared answers are a text or a list of texts for each stage.")
        self._asked: Counter[str] = Counter()
        self.name = name
        self.version = sha256(json.dumps(self._answers, sort_keys=True).encode()).hexdigest()[:16]

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: ChatRequest) -> ChatReply:
        answers = self._answers.get(request.stage) or self._answers.get("any")
        if answers is None:
            return ChatReply(text=None, problem=f"no answer was prepared for {request.stage!r}")
        text = answers[self._asked[request.stage] % len(answers)]
        self._asked[request.stage] += 1
        # Words stand in for tokens, so that examples of what asking costs are not empty.
        usage = Usage(
            calls=1,
            images=len(request.images),
            prompt_tokens=len(request.prompt.split()),
            completion_tokens=len(text.split()),
        )
        return ChatReply(text=text, finish="stop", usage=usage)
