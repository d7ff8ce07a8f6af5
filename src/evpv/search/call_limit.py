"""How often one search may ask: each question once, and no more than so many different ones."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.protocols import ChatBackend, ChatReply, ChatRequest

_NONE_LEFT = "the search has no calls left"


class CallLimit:
    """A backend for one search that remembers what it was answered and asks at most `most` questions.

    A question that a store answers counts like any other, so that a search which is taken up again ends where it would
    have ended. What comes after the last call is a failed reply, as a silent server's would be.
    """

    def __init__(self, backend: ChatBackend, most: int) -> None:
        self._backend = backend
        self._most = most
        self._replies: dict[ChatRequest, ChatReply] = {}

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def used(self) -> int:
        """How many questions were put."""
        return len(self._replies)

    @property
    def spent(self) -> bool:
        """Whether nothing more can be asked."""
        return self.used >= self._most

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order; the first that are new are asked, as far as the limit goes."""
        new = [request for request in dict.fromkeys(requests) if request not in self._replies]
        granted = new[: self._most - self.used]
        if granted:
            self._replies |= zip(granted, self._backend.ask(granted), strict=True)
        silence = ChatReply(text=None, problem=_NONE_LEFT)
        return [self._replies.get(request, silence) for request in requests]
