"""Answers kept in one SQLite file, so that a question is asked once however often and by whomever it is put."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from evpv.errors import BackendError
from evpv.files import regular_content, tell_once
from evpv.protocols import ChatReply, ChatRequest, Sampling, Token, Usage

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
_SAMPLING = tuple(field.name for field in fields(Sampling))
_KEPT = ("text", "finish", "label_logprobs", "facts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
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
            self.path.chmod(
                0o600
            )  # questions and answers are their owner's; SQLite gives its other files the same rights
            self._file = sqlite3.connect(self.path, timeout=_BUSY_S, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            raise BackendError(f"{self.path} is no store of answers: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def find(self, keys: Sequence[str]) -> dict[str, ChatReply]:
        """The replies that the store has, each marked as a hit that cost nothing."""
        found: dict[str, ChatReply] = {}
        distinct = list(dict.fromkeys(keys))
        for start in range(0, len(distinct), _CHUNK):
            part = distinct[start : start + _CHUNK]
            query = f"SELECT key, reply FROM answers WHERE key IN ({','.join('?' * len(part))})"
            rows = self._run(query, part)
            found |= {key: reply for key, text in rows if (reply := _from_json(text)) is not None}
        return found

    def put(self, key: str, model: str, stage: str, reply: ChatReply) -> None:
        """Keep a good reply; one that failed is not kept, because the cause may be passing.

        What cannot be kept, because the disk is full say, is told once: the answer is here all the same.
        """
        if reply.text is None or reply.problem is not None:
            return
        text = _to_json(reply)
        row = (key, model, stage, time.time(), len(text.encode()) + len(key), text)
        try:
            self._run("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?)", row)
        except BackendError as error:
            tell_once(f"the store of answers {self.path}", error)

    def shelves(self) -> list[Shelf]:
        """What is held, by model, the largest first."""
        query = """SELECT model, COUNT(*), SUM(bytes), MIN(created), MAX(created)
                   FROM answers GROUP BY model ORDER BY 3 DESC"""
        rows = self._run(query)
        return [
            Shelf(model=model, answers=count, bytes=size, oldest=oldest, newest=newest)
            for model, count, size, oldest, newest in rows
        ]

    def prune(
        self, *, model: str | None = None, older_than_s: float | None = None, keep_bytes: int | None = None
    ) -> int:
        """Remove answers of a model, older than an age, or the oldest until no more than so many bytes are left.

        What is given must hold together: a model and an age remove that model's old answers. Returns how many went.
        """
        chosen = "WHERE (:model IS NULL OR model = :model) AND (:before IS NULL OR created < :before)"
        values: dict[str, Any] = {
            "model": model,
            "before": None if older_than_s is None else time.time() - older_than_s,
            "keep": keep_bytes,
        }
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
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "evpv" / "answers.sqlite"


def key_of(model: str, version: str, request: ChatRequest) -> str | None:
    """A digest of everything that decides an answer; None where a picture cannot be read.

    `stage` and `problem_id` do not count: two that ask the same share the answer.
    """
    try:
        pictures = [_digest(path, *_state(path)) for path in request.images]
    except (OSError, ValueError):
        return None
    asked = [
        _FORM, model, version, request.system, request.prompt, pictures, request.schema, request.labels,
        request.top_logprobs, [getattr(request.sampling, name) for name in _SAMPLING],
    ]  # fmt: skip
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _state(path: str) -> tuple[int, int]:
    state = os.stat(path)
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=10_000)
def _digest(path: str, _changed: int, _size: int) -> str:
    """The digest of a file's bytes, computed anew when the file has changed."""
    return sha256(regular_content(path, _LARGEST_IMAGE_BYTES)).hexdigest()


def _to_json(reply: ChatReply) -> str:
    entry: dict[str, Any] = {name: value for name in _KEPT if (value := getattr(reply, name)) or name == "text"}
    if reply.tokens:
        entry["tokens"] = [[token.text, token.logprob, dict(token.top)] for token in reply.tokens]
    return json.dumps(entry, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be stored")


def _from_json(text: str) -> ChatReply | None:
    """A stored reply; None for an entry that cannot be read, which is then asked for again."""
    try:
        entry = json.loads(text)
        return ChatReply(
            text=entry["text"],
            finish=entry.get("finish"),
            label_logprobs=entry.get("label_logprobs", {}),
            tokens=tuple(Token(text=t, logprob=p, top=top) for t, p, top in entry.get("tokens", ())),
            facts={**entry.get("facts", {}), "stored": True},
            usage=Usage(hits=1),
        )
    except (ValueError, KeyError, TypeError):
        return None
