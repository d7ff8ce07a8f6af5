"""One HTTP exchange with an OpenAI-compatible server: an answer's JSON, or a `CallError` that says what to do about it.

How often a question is put again, and when a dead server is asked no more, is told here too. Exchanges run in an event
loop in a thread of its own, so that whoever calls need not be async.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import re
import time
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from threading import Lock, Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from evpv.errors import BackendError, ConfigError

_RETRIED = {408, 409, 425, 429}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST_SECRET = 8  # a placeholder such as "none" is no secret, and would be cut out of ordinary words
_LONGEST_REASON = 500
_PIECE = 65_536
_MOST_BYTES = 32_000_000
_MOST_DIGITS = 18
_ESCAPES = ("\\u", "\\x", "%", "&#")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Persistence:
    """How often a question is put, and how long is waited in between."""

    attempts: int
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0

    def wait_s(self, fault: CallError, tried: int) -> float | None:
        """How long to wait before asking again; None if there is no use or the server asks for too long.

        The wait doubles each time and is drawn at random from its upper half, so that many clients do not come back
        at once.
        """
        if not fault.again or tried >= self.attempts:
            return None
        if fault.wait_s is not None:
            return fault.wait_s * random.uniform(1.0, 1.1) if fault.wait_s <= self.longest_wait_s else None
        longest: float = min(self.first_wait_s * 2 ** (tried - 1), self.longest_wait_s)
        return longest * random.uniform(0.5, 1.0)


class Circuit:
    """Counts failures since the last success; at `limit` it opens and calls fail at once with the last reason.

    After `rest_s` one call is let through to see whether the server is back: if it succeeds the circuit closes.
    """

    def __init__(self, *, limit: int, rest_s: float = 30.0) -> None:
        self._limit = limit
        self._rest_s = rest_s
        self._failures = 0
        self._last = ""
        self._opened: float | None = None
        self._lock = Lock()

    def refusal(self) -> str | None:
        """Why no call should be made now, or None."""
        with self._lock:
            if self._opened is None:
                return None
            if time.monotonic() - self._opened >= self._rest_s:
                self._opened = time.monotonic()  # the caller tries; the others go on failing fast until it succeeds
                return None
            return f"not asked: the last {self._failures} calls in a row failed, at last with: {self._last}"

    def note_success(self) -> None:
        with self._lock:
            self._failures, self._opened = 0, None

    def note_failure(self, reason: str, *, hopeless: bool = False) -> None:
        """A call failed; `hopeless` where every other call must fail for the same reason, such as a refused key."""
        with self._lock:
            self._failures += 1
            self._last = reason
            if self._opened is None and (hopeless or self._failures >= self._limit):
                self._opened = time.monotonic()


class Endpoint:
    """A server's address with its key, timeout and connections, and the thread whose event loop they belong to.

    `submit` runs a coroutine there; `slots` are for those who keep to the concurrency; `close` gives up what is in flight.

    The key is read from the environment and cut out of everything that comes back, because some servers repeat it in
    their error messages. Redirects are not followed: the key is for this host. An answer has a bound, unpacked.
    """

    def __init__(self, base_url: str | None, api_key_env: str, timeout_s: float, concurrency: int = 1) -> None:
        if not _NAME.fullmatch(api_key_env):
            raise ConfigError("api_key_env is the name of an environment variable; a key is never put in a recipe.")
        self._key = os.environ.get(api_key_env, "")
        if not self._key and base_url is None:
            raise ConfigError(f"the environment variable {api_key_env} holds no key; set it, or give base_url.")
        self._secret = _secret_pattern(self._key) if len(self._key) >= _SHORTEST_SECRET else None
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._sessions: list[aiohttp.ClientSession] = []
        self.url = _address(base_url).rstrip("/")
        self.slots = asyncio.Semaphore(concurrency)
        self._loop = _LoopThread(f"asking {self.url}")
        self.submit = self._loop.submit
        self.close = weakref.finalize(self, self._loop.close, self._sessions)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return await self._call("POST", f"{self.url}/chat/completions", body)

    async def owner(self) -> str:
        """Who serves the models, by the server's own word: "vllm", "llamacpp", "openai" …; "" if it does not say."""
        try:
            listed = (await self._call("GET", f"{self.url}/models", None)).get("data")
        except CallError:
            return ""
        first = listed[0] if isinstance(listed, list) and listed else {}
        return str(first.get("owned_by", "")) if isinstance(first, dict) else ""

    async def token_ids(self, model: str, text: str) -> list[int]:
        """A text's tokens, by vLLM's own route beside /v1."""
        parts = urlsplit(self.url)
        route = urlunsplit(parts._replace(path=re.sub(r"/v1/?$", "", parts.path) + "/tokenize"))
        found = await self._call("POST", route, {"model": model, "prompt": text, "add_special_tokens": False})
        tokens = found.get("tokens")
        return [token for token in tokens if isinstance(token, int)] if isinstance(tokens, list) else []

    async def _call(self, method: str, url: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                self._open_session().request(method, url, json=body, allow_redirects=False) as response,
            ):
                content = bytearray()
                async for piece in response.content.iter_chunked(_PIECE):
                    content += piece
                    if len(content) > _MOST_BYTES:
                        said = f"the server's answer is longer than {_MOST_BYTES // 1_000_000} MB"
                        raise CallError(said, again=False)
        except TimeoutError:
            raise CallError(f"no answer within {self._timeout_s:g} s") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise CallError(self._short_reason(f"connection failed: {error or type(error).__name__}")) from None
        text = self._without_key(content.decode("utf-8", "replace"))
        if response.status >= 300:
            raise self._refusal(response, text)
        try:
            payload = _loads_bounded(text)
        except ValueError:
            raise CallError(f"the server's answer is not JSON: {text[:80]!r}") from None
        if not isinstance(payload, dict):
            raise CallError(f"the server's answer is no JSON object: {text[:80]!r}")
        return payload

    def _open_session(self) -> aiohttp.ClientSession:
        """The connections, opened once. The environment's proxy is looked up here: aiohttp would at every call, in a thread."""
        if not self._sessions:
            parts = urlsplit(self.url)
            named = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
            proxy = URL(named) if named else None
            session = aiohttp.ClientSession(
                headers={"Authorization": f"Bearer {self._key or 'none'}"},
                connector=aiohttp.TCPConnector(limit=self._concurrency),
                timeout=aiohttp.ClientTimeout(total=None),  # the time is kept around each call
                cookie_jar=aiohttp.DummyCookieJar(),
                proxy=None if proxy is None else proxy.with_user(None),
                proxy_auth=None if proxy is None else aiohttp.BasicAuth.from_url(proxy),
            )
            self._sessions.append(session)
        return self._sessions[0]

    def _refusal(self, response: aiohttp.ClientResponse, text: str) -> CallError:
        status = response.status
        try:  # what the body says, in OpenAI's form or as it is
            body = _loads_bounded(text)
            error = body.get("error", body) if isinstance(body, dict) else body
            said = str((isinstance(error, dict) and error.get("message")) or error)
        except ValueError:
            said = text.strip()
        if 300 <= status < 400:
            said = "the server sends elsewhere; give the address that it means as base_url"
        wait_s = retry_after_s(response.headers.get("retry-after"))
        again = (status in _RETRIED or status >= 500) and _NO_MONEY not in text
        reason = self._short_reason(f"HTTP {status}: {said or response.reason}")
        return CallError(reason, status=status, again=again, wait_s=wait_s)

    def _short_reason(self, text: str) -> str:
        text = self._without_key(text)
        return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + " …"

    def _without_key(self, text: str) -> str:
        """The text without the key, however its characters are written; looked for closely only where any could be."""
        if self._secret is None or not (self._key in text or any(mark in text for mark in _ESCAPES)):
            return text
        return self._secret.sub("[key]", text)


def _secret_pattern(key: str) -> re.Pattern[str]:
    """Finds a key in which any character may stand as itself or escaped for JSON, Python, a URL or HTML.

    >>> _secret_pattern("sk-1").sub("[key]", r"sk-1 \\u0073k-1 s%6b-1 &#115;&#x6B;\\x2d1")
    '[key] [key] [key] [key]'
    """
    forms = []
    for character in key:
        code = ord(character)
        digits = "".join(f"[{digit}{digit.upper()}]" for digit in f"{code:x}")
        entity = f"&#(?:0*{code}|[xX]0*{digits});"
        forms.append(rf"(?:{re.escape(character)}|\\\\*(?:u0*{digits}|x0*{digits})|%(?:25)*{digits}|{entity})")
    return re.compile("".join(forms))


def _loads_bounded(text: str) -> Any:
    """JSON in which every number is one that can be worked with: what is not finite, or has too many digits, is null."""
    try:
        return json.loads(
            text,
            parse_constant=lambda _: None,
            parse_float=lambda digits: value if math.isfinite(value := float(digits)) else None,
            parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else None,
        )
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def _address(base_url: str | None) -> str:
    if base_url is None:
        return "https://api.openai.com/v1"
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        example = "http://127.0.0.1:8000/v1"
        raise ConfigError(f"base_url must be an http or https address such as {example}, not {base_url!r}.")
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


_Result = TypeVar("_Result")


class _LoopThread:
    """Starts when first used; works inside a program that runs a loop itself, such as a notebook or a server."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._closed = False
        self._lock = Lock()

    def submit(self, work: Coroutine[Any, Any, _Result]) -> Future[_Result]:
        """Run a coroutine in the loop; the future gives its result to any thread."""
        with self._lock:
            if self._closed:
                work.close()
                raise BackendError("this backend has been closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=_run_loop, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, sessions: Sequence[aiohttp.ClientSession]) -> None:
        """Cancel what is running, close the connections, and end the thread."""
        with self._lock:
            loop, thread, self._closed = self._loop, self._thread, True
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_close_down(sessions), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.get_loop().run_forever()


async def _close_down(sessions: Sequence[aiohttp.ClientSession]) -> None:
    running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for session in sessions:
        await session.close()
