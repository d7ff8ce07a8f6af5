"""Any backend with a store before it: what has been answered is not asked again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from threading import Lock

from evpv.backends.abilities import Arrival, in_order, stream, version_of
from evpv.backends.ledger import Ledger, LedgeredBackend
from evpv.backends.store import AnswerStore, key_of
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Closable, Usage


class StoredBackend:
    """Asks a backend only what the store does not have; each reply is stored as it arrives.

    Equal questions are asked once: within a batch, and by threads that ask at the same time. They share the answer
    even if it is drawn at random: give each a seed of its own to have it drawn again. Hits are booked in `ledger`, if
    there is one; what is asked is booked behind this, by a `LedgeredBackend`.
    """

    def __init__(self, backend: ChatBackend, store: AnswerStore, ledger: Ledger | None = None) -> None:
        self._backend = backend
        self._store = store
        self._ledger = ledger
        self._in_flight: dict[str, Future[ChatReply | None]] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def version(self) -> str:
        return version_of(self._backend)

    def close(self) -> None:
        """End what the backend behind the store holds; the store may serve others, and is closed by who opened it."""
        if isinstance(self._backend, Closable):
            self._backend.close()

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order."""
        return in_order(self.stream(requests), len(requests))

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
        """Replies as they come: first what is stored, then what is asked, then what other threads were asking."""
        version = self.version
        places: defaultdict[str, list[int]] = defaultdict(list)
        for index, request in enumerate(requests):
            # A picture that cannot be read has no digest; its request is known by its place and not stored.
            places[key_of(self.name, version, request) or f"#{index}"].append(index)
        waiting = dict(places)
        while waiting:
            for key, reply in self._round(waiting, requests):
                yield from self._handed(waiting.pop(key), requests, reply)

    def _round(self, waiting: dict[str, list[int]], requests: Sequence[ChatRequest]) -> Iterator[tuple[str, ChatReply]]:
        """One pass over what is still without a reply; what another thread failed to get stays for the next pass."""
        keys = list(waiting)
        stored = self._store.find([key for key in keys if not key.startswith("#")])
        yield from stored.items()
        mine, others = self._claimed([key for key in keys if key not in stored])
        yield from self._asked(mine, [requests[waiting[key][0]] for key in mine])
        for key, future in others.items():
            reply = future.result()
            if reply is not None:
                yield key, _shared(reply)

    def _claimed(self, keys: Sequence[str]) -> tuple[list[str], dict[str, Future[ChatReply | None]]]:
        """What this thread shall ask, and what others are asking already."""
        mine: list[str] = []
        others: dict[str, Future[ChatReply | None]] = {}
        with self._lock:
            for key in keys:
                if key in self._in_flight and not key.startswith("#"):
                    others[key] = self._in_flight[key]
                else:
                    mine.append(key)
                    if not key.startswith("#"):
                        self._in_flight[key] = Future()
        return mine, others

    def _asked(self, keys: Sequence[str], requests: Sequence[ChatRequest]) -> Iterator[tuple[str, ChatReply]]:
        open_keys = {key for key in keys if not key.startswith("#")}
        try:
            for index, reply in stream(self._backend, requests) if requests else ():
                key = keys[index]
                if key in open_keys:
                    self._store.put(key, self.name, requests[index].stage, reply)
                    open_keys.discard(key)
                    self._resolved(key, reply)
                yield key, reply
        finally:
            for key in open_keys:
                self._resolved(key, None)

    def _resolved(self, key: str, reply: ChatReply | None) -> None:
        with self._lock:
            future = self._in_flight.pop(key)
        future.set_result(reply)

    def _handed(self, places: Sequence[int], requests: Sequence[ChatRequest], reply: ChatReply) -> Iterator[Arrival]:
        """One reply for all that asked the same; only the first of them paid."""
        for number, index in enumerate(places):
            own = reply if number == 0 else _shared(reply)
            if self._ledger is not None and own.usage.hits:
                self._ledger.add(requests[index], own.usage)
            yield index, own


def _shared(reply: ChatReply) -> ChatReply:
    """A reply that someone else has paid for."""
    return replace(reply, usage=Usage(hits=0 if reply.text is None else 1))


def surrounded(backend: ChatBackend, *, store: AnswerStore | None = None, ledger: Ledger | None = None) -> ChatBackend:
    """A backend with the ledger and the store in the right order: what is stored is free, and never refused."""
    booked = backend if ledger is None else LedgeredBackend(backend, ledger)
    return booked if store is None else StoredBackend(booked, store, ledger)
