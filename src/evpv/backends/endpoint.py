"""One HTTP exchange with an OpenAI-compatible server: an answer's JSON, or a `CallError` that says what to do about it."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI

from evpv.errors import BackendError, ConfigError

_RETRIED = {408, 409, 425, 429}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST_SECRET = 8  # a placeholder such as "none" is no secret, and would be cut out of ordinary words
_LONGEST_REASON = 500
_CONNECTIONS = 8
_NO_MONEY = "insufficient_quota"  # OpenAI says this with 429, and no wait helps


class CallError(BackendError):
    """A call that brought no answer; it stays within the backend, where it becomes another try or a reply's problem.

    `status` is None where there was no HTTP answer; `again` says whether asking again may help, `wait_s` after how
    long by the server's own word.
    """

    def __init__(self, reason: str, *, status: int | None = None, again: bool = True, wait_s: float | None = None):
        super().__init__(reason)
        self.reason, self.status, self.again, self.wait_s = reason, status, again, wait_s

    @property
    def hopeless(self) -> bool:
        """Whether every other question must fail for the same reason: a refused key, an empty account."""
        return self.status == 401 or (self.status == 429 and not self.again)


class Endpoint:
    """A server's address with its key, timeouts and client; belongs to one event loop.

    The key is read from the environment and cut out of everything that comes back, because some servers repeat it in
    their error messages. `concurrency` calls are spread over clients of a few connections each, because a client looks
    at all its idle connections for every call, which with 64 of them takes a third of its time.
    """

    def __init__(self, base_url: str | None, api_key_env: str, timeout_s: float, concurrency: int = 1) -> None:
        self._key = _key(base_url, api_key_env)
        self._timeout_s = timeout_s
        self.url = _address(base_url).rstrip("/")
        self._clients = [
            AsyncOpenAI(api_key=self._key or "none", base_url=self.url, timeout=timeout_s, max_retries=0)
            for _ in range(math.ceil(concurrency / _CONNECTIONS))
        ]
        self._turns = itertools.cycle(self._clients)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.close()

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """One chat completion, as JSON."""
        return await self._call("POST", "/chat/completions", body)

    async def owner(self) -> str:
        """Who serves the models, by the server's own word: "vllm", "llamacpp", "openai" …; "" if it does not say."""
        listed = (await self._call("GET", "/models", None)).get("data")
        first = listed[0] if isinstance(listed, list) and listed else {}
        return str(first.get("owned_by", "")) if isinstance(first, dict) else ""

    async def token_ids(self, model: str, text: str) -> list[int]:
        """A text's tokens, by vLLM's own route beside /v1."""
        parts = urlsplit(self.url)
        route = urlunsplit(parts._replace(path=re.sub(r"/v1/?$", "", parts.path) + "/tokenize"))
        found = await self._call("POST", route, {"model": model, "prompt": text, "add_special_tokens": False})
        return list(found.get("tokens", []))

    async def _call(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        client = next(self._turns)
        try:
            async with asyncio.timeout(self._timeout_s):
                if method == "GET":
                    content = await client.get(path, cast_to=bytes)
                else:
                    content = await client.post(path, body=body, cast_to=bytes)
        except (TimeoutError, APITimeoutError):
            raise CallError(f"no answer within {self._timeout_s:g} s") from None
        except APIStatusError as error:
            raise self._refusal(error) from None
        except APIConnectionError as error:
            raise CallError(self._redacted(f"connection failed: {error.__cause__ or error}")) from None
        return self._parsed(content)

    def _parsed(self, content: bytes) -> dict[str, Any]:
        if len(self._key) >= _SHORTEST_SECRET:
            content = content.replace(self._key.encode(), b"[key]")
        try:
            payload = json.loads(content)
        except (ValueError, RecursionError):
            raise CallError(f"the server's answer is not JSON: {content[:80]!r}") from None
        if not isinstance(payload, dict):
            raise CallError(f"the server's answer is no JSON object: {content[:80]!r}")
        return payload

    def _refusal(self, error: APIStatusError) -> CallError:
        status = error.status_code
        body = error.body
        said = body.get("message") if isinstance(body, dict) and body.get("message") else body
        reason = self._redacted(f"HTTP {status}: {said if said is not None else error.response.reason_phrase}")
        wait_s = retry_after_s(error.response.headers.get("retry-after"))
        again = (status in _RETRIED or status >= 500) and _NO_MONEY not in str(body)
        return CallError(reason, status=status, again=again, wait_s=wait_s)

    def _redacted(self, text: str) -> str:
        if len(self._key) >= _SHORTEST_SECRET:
            text = text.replace(self._key, "[key]")
        return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + " …"


def _key(base_url: str | None, api_key_env: str) -> str:
    if not _NAME.fullmatch(api_key_env):
        raise ConfigError("api_key_env is the name of an environment variable; a key itself is never put in a recipe.")
    key = os.environ.get(api_key_env, "")
    if not key and base_url is None:
        raise ConfigError(f"the environment variable {api_key_env} holds no key; set it, or give base_url.")
    return key


def _address(base_url: str | None) -> str:
    if base_url is None:
        return "https://api.openai.com/v1"
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"base_url must be an http or https address such as http://127.0.0.1:8000/v1, not {base_url!r}."
        )
    if parts.username or parts.password:
        raise ConfigError("base_url must not hold a password; name a key's environment variable in api_key_env.")
    return base_url


def retry_after_s(header: str | None) -> float | None:
    """Seconds to wait by a Retry-After header, which holds seconds or a date."""
    if not header:
        return None
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None
