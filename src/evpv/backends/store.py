"""Answers kept in one SQLite file, so that a question is asked once however often and by whomever it is put."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import astuple, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from evpv.backends.ledger import Arrival, Ledger, booked_stream, in_order, stream
from evpv.errors import BackendError
from evpv.files import regular_content, tell_once, user_cache
from evpv.protocols import (
    ChatBackend,
    ChatReply,
    ChatRequest,
    Description,
    Token,
    Usage,
    close_part,
    description_of,
    version_of,
)

_FORM = 1  # part of every key: a change of what is stored makes old entries unfindable instead of wrong
_CHUNK = 500
_BUSY_S = 60.0
_LARGEST_IMAGE_BYTES = 100_000_000
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, stage TEXT NOT NULL, created REAL NOT NULL, bytes INTEGER NOT NULL,
    reply TEXT NOT NULL
) WITHOUT ROWID
"""
_KEPT = ("text", "finish", "label_logprobs", "facts")


class _ModelEntry(NamedTuple):
    """What the store holds of one model."""

    model: str
    answers: int
    bytes: int
    oldest: float
    newest: float


class AnswerStore:
    """Good replies by what was asked: model, prompt, pictures, schema, sampling and labels.

    The file is in WAL mode, so any number of processes may read and write it at once, and a process that is killed
    loses nothing that it has put in. Two that ask the same at the same time both ask; the first answer stays.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = store_path(path)
        self._lock = Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self.path.chmod(0o600)  # questions and answers are their owner's; SQLite's other files have the same rights
            self._file = sqlite3.connect(self.path, timeout=_BUSY_S, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            raise BackendError(f"{self.path} is no store of answers: {error}") from error

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def find(self, keys: Sequence[str]) -> dict[str, ChatReply]:
        """The replies that the store has, each marked as a hit that cost nothing."""
        found: dict[str, ChatReply] = {}
        distinct = list(dict.fromkeys(keys))
        for start in range(0, len(distinct), _CHUNK):
            part = distinct[start : start + _CHUNK]
            query = f"SELECT key, reply FROM answers WHERE key IN ({','.join('?' * len(part))})"
            for key, text in self._run(query, part):
                try:
                    entry = json.loads(text)
                    tokens = tuple(Token(text=t, logprob=p, top=top) for t, p, top in entry.get("tokens", ()))
                    found[key] = ChatReply(
                        text=entry["text"], finish=entry.get("finish"), label_logprobs=entry.get("label_logprobs", {}),
                        tokens=tokens, facts={**entry.get("facts", {}), "stored": True}, usage=Usage(hits=1),
                    )  # fmt: skip
                except (ValueError, KeyError, TypeError):
                    continue  # an entry that cannot be read is asked for again
        return found

    def put(self, key: str, model: str, stage: str, reply: ChatReply) -> None:
        """Keep a good reply; one that failed is not kept, because the cause may be passing.

        What cannot be kept, because the disk is full say, is told once: the answer is here all the same.
        """
        if reply.text is None or reply.problem is not None:
            return
        entry: dict[str, Any] = {name: value for name in _KEPT if (value := getattr(reply, name)) or name == "text"}
        if reply.tokens:
            entry["tokens"] = [[token.text, token.logprob, dict(token.top)] for token in reply.tokens]
        text = json.dumps(
            entry, ensure_ascii=False, default=lambda one: dict(one) if isinstance(one, Mapping) else list(one)
        )
        row = (key, model, stage, time.time(), len(text.encode()) + len(key), text)
        try:
            self._run("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?)", row)
        except BackendError as error:
            tell_once(f"the store of answers {self.path}", error)

    def by_model(self) -> list[_ModelEntry]:
        """What is held, by model, the largest first."""
        query = """SELECT model, COUNT(*), SUM(bytes), MIN(created), MAX(created)
                   FROM answers GROUP BY model ORDER BY 3 DESC"""
        return [_ModelEntry(*row) for row in self._run(query)]

    def prune(
        self, *, model: str | None = None, older_than_s: float | None = None, keep_bytes: int | None = None
    ) -> int:
        """Remove answers of a model, older than an age, or the oldest until no more than so many bytes are left.

        What is given must hold together: a model and an age remove that model's old answers. Returns how many went.
        """
        chosen = "WHERE (:model IS NULL OR model = :model) AND (:before IS NULL OR created < :before)"
        before = None if older_than_s is None else time.time() - older_than_s
        values: dict[str, Any] = {"model": model, "before": before, "keep": keep_bytes}
        if keep_bytes is not None:
            newer = f"SELECT key, SUM(bytes) OVER (ORDER BY created DESC, key) AS total FROM answers {chosen}"
            chosen = f"WHERE key IN (SELECT key FROM ({newer}) WHERE total > :keep)"
        removed = len(self._run(f"DELETE FROM answers {chosen} RETURNING 1", values))
        self._run("VACUUM")
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        return removed

    def _run(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._file.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise BackendError(f"{self.path}: {error}") from error


def store_path(setting: str | Path | None) -> Path:
    """The file that a setting names; without one, answers.sqlite in the user's cache folder."""
    if setting is not None and str(setting) != "auto":
        return Path(setting).expanduser()
    return user_cache() / "answers.sqlite"


def _key_of(model: str, version: str, request: ChatRequest) -> str | None:
    """A digest of everything that decides an answer; None where a picture cannot be read.

    `stage` and `problem_id` do not count: two that ask the same share the answer.
    """
    try:
        states = [(path, os.stat(path)) for path in request.images]
        pictures = [_digest(path, state.st_mtime_ns, state.st_size) for path, state in states]
    except (OSError, ValueError):
        return None
    asked = [
        _FORM, model, version, request.system, request.prompt, pictures, request.schema, request.labels,
        request.top_logprobs, list(astuple(request.sampling)),
    ]  # fmt: skip
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@lru_cache(maxsize=10_000)
def _digest(path: str, _changed: int, _size: int) -> str:
    """The digest of a file's bytes, computed anew when the file has changed."""
    return sha256(regular_content(path, _LARGEST_IMAGE_BYTES)).hexdigest()


class RecordedBackend:
    """Any backend with a store before it and a ledger behind: asked is only what the store does not have.

    Each reply is stored as it arrives; what is stored is free, and never refused by a budget. Equal questions are asked
    once: within a batch, and by threads that ask at the same time. They share the answer even if it is drawn at random:
    give each a seed of its own to have it drawn again.
    """

    def __init__(self, backend: ChatBackend, *, store: AnswerStore | None = None, ledger: Ledger | None = None) -> None:
        self._backend, self._store, self._ledger = backend, store, ledger
        self._in_flight: dict[str, Future[ChatReply | None]] = {}
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def version(self) -> str:
        return version_of(self._backend)

    @property
    def description(self) -> Description:
        """As the backend's, with the replies that are stored handed over first."""
        return replace(description_of(self._backend), stream=self.stream)

    def close(self) -> None:
        """End what the backend holds; the store may serve others, and is closed by who opened it."""
        close_part(self._backend)

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        """One reply per request, in order; `BudgetError` where the budget does not allow all of them."""
        return in_order(self.stream(requests), len(requests))

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
        """Replies as they come: first what is stored, then what is asked, then what other threads were asking."""
        if self._store is None:
            yield from self._ask_model(requests)
            return
        version = self.version
        waiting: defaultdict[str, list[int]] = defaultdict(list)
        for index, request in enumerate(requests):
            # A picture that cannot be read has no digest; its request is known by its place and not stored.
            waiting[_key_of(self.name, version, request) or f"#{index}"].append(index)
        while waiting:
            for key, reply in self._one_pass(self._store, waiting, requests):
                for number, index in enumerate(waiting.pop(key)):
                    own = _free_reply(reply) if number else reply  # of all that asked the same only the first paid
                    if self._ledger is not None and own.usage.hits:
                        self._ledger.add(requests[index], own.usage)
                    yield index, own

    def _ask_model(self, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
        if not requests:
            return iter(())
        if self._ledger is None:
            return stream(self._backend, requests)
        return booked_stream(self._backend, self._ledger, requests)

    def _one_pass(
        self, store: AnswerStore, waiting: Mapping[str, list[int]], requests: Sequence[ChatRequest]
    ) -> Iterator[tuple[str, ChatReply]]:
        """One pass over what is still without a reply; what another thread failed to get stays for the next pass."""
        stored = store.find([key for key in waiting if not key.startswith("#")])
        yield from stored.items()
        with self._lock:  # what this thread shall ask, and what others are asking already
            missing = [key for key in waiting if key not in stored]
            others = {key: self._in_flight[key] for key in missing if key in self._in_flight}
            mine = [key for key in missing if key not in others]
            self._in_flight |= {key: Future() for key in mine if not key.startswith("#")}
        yield from self._ask_and_store(store, mine, [requests[waiting[key][0]] for key in mine])
        for key, future in others.items():
            reply = future.result()
            if reply is not None:
                yield key, _free_reply(reply)

    def _ask_and_store(
        self, store: AnswerStore, keys: Sequence[str], requests: Sequence[ChatRequest]
    ) -> Iterator[tuple[str, ChatReply]]:
        open_keys = {key for key in keys if not key.startswith("#")}
        try:
            for index, reply in self._ask_model(requests):
                key = keys[index]
                if key in open_keys:
                    store.put(key, self.name, requests[index].stage, reply)
                    open_keys.discard(key)
                    self._hand_over(key, reply)
                yield key, reply
        finally:
            for key in open_keys:
                self._hand_over(key, None)

    def _hand_over(self, key: str, reply: ChatReply | None) -> None:
        """Give a reply to the threads that wait for it; None tells them to ask themselves."""
        with self._lock:
            future = self._in_flight.pop(key)
        future.set_result(reply)


def _free_reply(reply: ChatReply) -> ChatReply:
    """A reply that someone else has paid for."""
    return replace(reply, usage=Usage(hits=0 if reply.text is None else 1))
