"""What a backend may do besides answering batches: hand replies over as they come, name a price, tell its version.

The wrappers (store, ledger) use what a backend has and do without what it has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from evpv.protocols import ChatBackend, ChatReply, ChatRequest

Arrival = tuple[int, ChatReply]
"""The place of a request in its batch, and the reply to it."""


@runtime_checkable
class StreamingBackend(Protocol):
    """Hands over each reply when it arrives, in whatever order that is, so that it can be stored at once."""

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]: ...


@runtime_checkable
class PricedBackend(Protocol):
    """Says what one question may cost at most; a backend that cannot is taken to be free."""

    def worst_cost(self, request: ChatRequest) -> float: ...


@runtime_checkable
class VersionedBackend(Protocol):
    """Has answers that depend on more than the model and the request, such as how pictures are sent."""

    @property
    def version(self) -> str: ...


def stream(backend: ChatBackend, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
    """Replies as they come, or all at the end from a backend that answers only whole batches."""
    if isinstance(backend, StreamingBackend):
        return backend.stream(requests)
    return iter(enumerate(backend.ask(requests)))


def version_of(backend: ChatBackend) -> str:
    """What decides a backend's answers besides the model's name; "" where it does not say."""
    return backend.version if isinstance(backend, VersionedBackend) else ""


def in_order(arrivals: Iterator[Arrival], count: int) -> list[ChatReply]:
    """The replies in the order of their requests, each exactly once."""
    replies = dict(arrivals)
    return [replies[index] for index in range(count)]
