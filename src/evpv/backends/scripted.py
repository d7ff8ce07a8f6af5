"""A backend that answers from a script: for tests and for examples, without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock

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
        """One reply per request, in order."""
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
