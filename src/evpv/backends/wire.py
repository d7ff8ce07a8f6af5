"""Questions and answers in the form of the chat completions API, put as each server likes them.

What a server takes and what not is learnt from its first answers, and remembered per address and model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from threading import Lock
from typing import Any, Literal

from evpv.backends.endpoint import CallError
from evpv.backends.images import SentImage
from evpv.backends.schemas import closed_object
from evpv.protocols import ChatReply, ChatRequest, Token

_SchemaSupport = Literal["unknown", "enforced", "prompted"]
_MOST_TOP_LOGPROBS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How questions are put to one server.

    `schema` says whether it holds answers to a JSON Schema itself, or must be told the schema in the prompt; `wraps`
    that it wants an object at the root, as OpenAI's strict mode does. `without` names fields that it refuses; `owner`
    is who serves the model, None until the server has been asked.
    """

    schema: _SchemaSupport = "unknown"
    wraps: bool = False
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    without: frozenset[str] = frozenset()
    most_top_logprobs: int = _MOST_TOP_LOGPROBS
    owner: str | None = None


_REFUSABLE = {name: {name} for name in ("logprob_token_ids", "temperature", "top_p", "seed")}
_REFUSABLE |= {name: {"logprobs", "top_logprobs"} for name in ("top_logprobs", "logprobs")}
"""Fields that servers refuse → what is then left out."""


def next_dialect(dialect: Dialect, reason: str, sent: Mapping[str, Any]) -> Dialect | None:
    """Another dialect to try after a refusal (HTTP 400 or 422) with this reason, or None if there is nothing to change.

    The field that the server names is changed first. If it names none and a schema was sent, the schema is what the
    server most likely lacks, or, where it is a list's, a list at its root.
    """
    said = reason.lower()
    refused = [name for name in filter(said.__contains__, _REFUSABLE) if name in sent]
    if "max_tokens" in sent and "max_completion_tokens" in said:
        return replace(dialect, limit_field="max_completion_tokens")
    if "top_logprobs" in refused and dialect.most_top_logprobs > 5:
        return replace(dialect, most_top_logprobs=5)
    if refused:
        return replace(dialect, without=dialect.without | _REFUSABLE[refused[0]])
    schema = sent.get("response_format", {}).get("json_schema", {}).get("schema")
    if schema is None:
        return None
    listed = schema.get("type") != "object"
    return replace(dialect, wraps=True) if listed else replace(dialect, schema="prompted")


class _DialectMemory:
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


DIALECTS = _DialectMemory()


_WITHOUT_TEXT = {
    "length": "cut off before the answer began (max_tokens is too small)",
    "content_filter": "held back by the server's content filter",
}
"""How an answer ended → why it has no text."""
_WRAPPER = "answer"
_SCHEMA_WORDS = "Answer with JSON alone, without any other text. It must fit this JSON Schema:"


def body(
    model: str, request: ChatRequest, images: Sequence[SentImage], dialect: Dialect, label_ids: Sequence[int]
) -> dict[str, Any]:
    """The JSON of one question, put as the server likes it."""
    prompted = dialect.schema == "prompted"
    fields: dict[str, Any] = {
        "model": model,
        "messages": _messages(request, images, prompted),
        dialect.limit_field: request.sampling.max_tokens,
        "temperature": request.sampling.temperature,
        "top_p": request.sampling.top_p,
        "seed": request.sampling.seed,
        # A server too old to take ids ignores them; the likeliest tokens are asked for as well, so that it still answers.
        "logprob_token_ids": list(label_ids) or None,
    }
    if request.schema is not None and not prompted:
        schema = request.schema
        if dialect.wraps and schema.get("type") != "object":
            # a list is put into the field `answer`, for servers that insist on an object at the root, and only for those:
            # a model that learnt to write a list writes another one, or nonsense, when it must begin an object
            schema = closed_object(**{_WRAPPER: schema})
        form = {"name": "answer", "schema": schema, "strict": _is_strict(schema)}
        fields["response_format"] = {"type": "json_schema", "json_schema": form}
    if wanted := dialect.most_top_logprobs if request.labels else request.top_logprobs:
        fields |= {"logprobs": True, "top_logprobs": min(wanted, dialect.most_top_logprobs)}
    return {name: value for name, value in fields.items() if value is not None and name not in dialect.without}


def reply(payload: Mapping[str, Any], request: ChatRequest) -> ChatReply:
    """The first choice of an answer; `CallError` where there is none, which servers under load do send."""
    choices = _value_of_kind(payload.get("choices"), list, [])
    if not choices or not isinstance(choice := choices[0], dict):
        said = payload.get("error")
        raise CallError(f"an answer without choices{f': {said}'[:200] if said else ''}")
    message = _value_of_kind(choice.get("message"), dict, {})
    finish = _value_of_kind(choice.get("finish_reason"), str, None)
    content = message.get("content")
    if isinstance(content, list):  # some servers send a text in parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        problem = _WITHOUT_TEXT.get(finish or "")
        if message.get("refusal"):
            problem = f"the model refused: {str(message['refusal'])[:200]}"
        if problem is None:
            raise CallError("an answer without text")
        return ChatReply(text=None, problem=problem, finish=finish)
    tokens, text = _tokens(choice.get("logprobs")), _whole_text(_bare_answer(content, request))
    # the labels as the first token; one that the server did not list is left out, not guessed
    listed = {**tokens[0].top, tokens[0].text: tokens[0].logprob} if tokens else {}
    labels = {label: listed[label] for label in request.labels if label in listed}
    return ChatReply(text=text, finish=finish, tokens=tokens if request.top_logprobs else (), label_logprobs=labels)


def usage_of(payload: Mapping[str, Any]) -> tuple[int, int]:
    """Prompt and completion tokens by the server's count; nought where it does not count."""
    usage: dict[str, Any] = _value_of_kind(payload.get("usage"), dict, {})
    counts: list[Any] = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    prompt, completion = (int(one) if _is_number(one) and one >= 0 else 0 for one in counts)
    return prompt, completion


def _messages(request: ChatRequest, images: Sequence[SentImage], prompted: bool) -> list[dict[str, Any]]:
    text = request.prompt
    if prompted and request.schema is not None:
        text = f"{text}\n\n{_SCHEMA_WORDS}\n{json.dumps(request.schema, ensure_ascii=False)}"
    parts = [{"type": "image_url", "image_url": {"url": image.uri}} for image in images]
    content: Any = [*parts, {"type": "text", "text": text}] if parts else text
    messages = [{"role": "user", "content": content}]
    return messages if request.system is None else [{"role": "system", "content": request.system}, *messages]


def _bare_answer(text: str, request: ChatRequest) -> str:
    """The answer as it was asked for: out of the object that `body` put it into."""
    if request.schema is None or request.schema.get("type") == "object" or f'"{_WRAPPER}"' not in text:
        return text
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return text  # cut off or prose: told by whoever reads it
    wrapped = isinstance(read, dict) and set(read) == {_WRAPPER}
    return json.dumps(read[_WRAPPER], ensure_ascii=False) if wrapped else text


def _is_strict(schema: Any) -> bool:
    """Whether a schema meets the terms of OpenAI's strict mode: every object closed, every property required."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if "properties" in schema and (
        schema.get("additionalProperties") is not False or set(schema["properties"]) != set(schema.get("required", ()))
    ):
        return False
    return all(map(_is_strict, schema.values()))


def _whole_text(text: str) -> str:
    """The text with half characters (lone surrogates, which no file can hold) made visible as such."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _tokens(logprobs: Any) -> tuple[Token, ...]:
    content = _value_of_kind(_value_of_kind(logprobs, dict, {}).get("content"), list, [])
    return tuple(
        Token(text=_whole_text(str(one["token"])), logprob=float(one["logprob"]), top=_top(one.get("top_logprobs")))
        for one in content
        if isinstance(one, dict) and _is_number(one.get("logprob")) and "token" in one
    )


def _top(entries: Any) -> dict[str, float]:
    """Alternatives by token; of two that look alike, as unfinished characters do, the likelier is kept."""
    found: dict[str, float] = {}
    for entry in _value_of_kind(entries, list, []):
        if isinstance(entry, dict) and _is_number(entry.get("logprob")):
            token = _whole_text(str(entry.get("token", "")))
            found[token] = max(float(entry["logprob"]), found.get(token, float("-inf")))
    return found


def _value_of_kind(value: Any, kind: type, default: Any) -> Any:
    """What a server sent where it is of this kind, and else the default: it may have sent anything."""
    return value if isinstance(value, kind) else default


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
