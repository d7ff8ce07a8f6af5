"""Backends that answer without a model: from a script, for tests, or from a recipe, for examples and rehearsals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from threading import Lock

from evpv.errors import ConfigError
from evpv.protocols import ChatReply, ChatRequest, Usage

_Answer = str | ChatReply
_Script = Callable[[ChatRequest], _Answer] | Iterable[_Answer]


class ScriptedBackend:
    """Answers with what a function makes of each request, or with the next entry of a list.

    A plain string becomes a reply that cost one call; a `ChatReply` is given as it is, for failures and
    log-probabilities. What was asked stays in `requests`. A list that has run out is a failed reply, as a silent
    server would be.

    >>> backend = ScriptedBackend(["12", ChatReply(text=None, problem="no answer")])
    >>> [reply.text for reply in backend.ask([ChatRequest(prompt="5 + 7?"), ChatRequest(prompt="8 + 9?")])]
    ['12', None]
    """

    def __init__(self, script: _Script, *, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ChatRequest] = []
        self._script = script if callable(script) else iter(script)
        self._turn = Lock()

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [self._reply(request) for request in requests]

    def _reply(self, request: ChatRequest) -> ChatReply:
        with self._turn:
            self.requests.append(request)
            answer = self._script(request) if callable(self._script) else next(self._script, None)
        if answer is None:
            return ChatReply(text=None, problem="the script has no more answers")
        if isinstance(answer, ChatReply):
            return answer
        return ChatReply(text=answer, finish="stop", usage=Usage(calls=1, images=len(request.images)))


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
        return [self._reply(request) for request in requests]

    def _reply(self, request: ChatRequest) -> ChatReply:
        answers = self._answers.get(request.stage) or self._answers.get("any")
        if answers is None:
            return ChatReply(text=None, problem=f"no answer was prepared for {request.stage!r}")
        text = answers[self._asked[request.stage] % len(answers)]
        self._asked[request.stage] += 1
        # Words stand in for tokens, so that examples of what asking costs are not empty.
        words = {"prompt_tokens": len(request.prompt.split()), "completion_tokens": len(text.split())}
        return ChatReply(text=text, finish="stop", usage=Usage(calls=1, images=len(request.images), **words))
