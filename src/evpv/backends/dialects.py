"""What a server takes and what not, learnt from its first answers and remembered per address and model."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from threading import Lock
from typing import Literal

_SchemaSupport = Literal["unknown", "enforced", "prompted"]
_MOST_TOP_LOGPROBS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How questions are put to one server.

    `schema` says whether it holds answers to a JSON Schema itself, or must be told the schema in the prompt. `without`
    names fields that it refuses; `owner` is who serves the model, None until the server has been asked.
    """

    schema: _SchemaSupport = "unknown"
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    without: frozenset[str] = frozenset()
    most_top_logprobs: int = _MOST_TOP_LOGPROBS
    owner: str | None = None


def adjusted(dialect: Dialect, reason: str, sent: set[str]) -> Dialect | None:
    """Another dialect to try after a refusal (HTTP 400 or 422) with this reason, or None if there is nothing to change.

    The field that the server names is changed first. If it names none and a schema was sent, the schema is what the
    server most likely lacks.
    """
    said = reason.lower()
    if "max_tokens" in sent and "max_completion_tokens" in said:
        return replace(dialect, limit_field="max_completion_tokens")
    if "top_logprobs" in said and dialect.most_top_logprobs > 5 and "top_logprobs" in sent:
        return replace(dialect, most_top_logprobs=5)
    for field in ("logprob_token_ids", "temperature", "top_p", "seed", "top_logprobs", "logprobs"):
        if field in said and field in sent:
            fields = {"logprobs", "top_logprobs"} if "logprobs" in field else {field}
            return replace(dialect, without=dialect.without | fields)
    if "response_format" in sent:
        return replace(dialect, schema="prompted")
    return None


class Memory:
    """Dialects by address and model, shared by all backends of a process."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Dialect] = {}
        self._lock = Lock()

    def dialect(self, url: str, model: str) -> Dialect:
        """What is known of a server, which may be nothing yet."""
        with self._lock:
            return self._known.get((url, model), Dialect())

    def learn(self, url: str, model: str, before: Dialect, after: Dialect) -> None:
        """Keep what one question has found out; what others have found out meanwhile stays."""
        found = {field.name: getattr(after, field.name) for field in fields(Dialect)}
        changed = {name: value for name, value in found.items() if value != getattr(before, name)}
        with self._lock:
            known = self._known.get((url, model), Dialect())
            changed["without"] = known.without | after.without
            self._known[url, model] = replace(known, **changed)


MEMORY = Memory()
