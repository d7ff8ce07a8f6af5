"""What a caller may do: the keys that are let in, how much one request may ask for, and how much the service takes on at once."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path

from evpv.errors import ConfigError, unknown_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Settings of `evpv serve --limit name=value`, where "_" is written "-"."""

    body_mb: float = 16.0
    """The largest request; an image inside one is a third larger than its file."""
    body_s: float = 20.0
    """How long a request may take to arrive, head and body."""
    megapixels: float = 25.0
    """The largest image, as its file says before anything is decoded."""
    images: int = 8
    """How many images one request may have."""
    candidates: int = 256
    """How many candidates, or claims, one request may have."""
    store_mb: float = 512.0
    """How much of images is kept for requests to come; the ones not used for longest go first."""
    queue: int = 64
    """How many requests may wait for a worker; the next is refused with 429."""
    timeout_s: float = 60.0
    """How long a request may wait, and then be worked on; after that the answer is 504 and its worker is ended."""
    worker_memory_mb: int = 4_096
    """How much memory a worker may use; a request that needs more is answered with 500 and costs at most its worker."""
    requests_per_minute: float = 600.0
    """How much one key may ask, or one address where there are no keys; a tenth of it at once."""
    buffer_mb: float = 128.0
    """How much of bodies the service holds at once, of all requests together; the next is refused with 503."""
    values: int = 200_000
    """How many values (numbers, texts, fields) the JSON of a request may hold; commas and colons in its texts count too."""
    connections: int = 512
    """How many connections may be open; requests over more of them are answered with 503, except for /healthz and /readyz."""
    connections_per_address: int = 128
    """How many of them may come from one address; behind a proxy, which is one address, as many as there are in all."""
    write_s: float = 15.0
    """How long the receiver of an answer may take nothing of it."""
    shutdown_s: float = 30.0
    """How long requests may go on when the service is told to end."""

    def __post_init__(self) -> None:
        for one in fields(self):
            if (value := getattr(self, one.name)) <= 0:
                raise ConfigError(f"the limit {_option_name(one.name)!r} must be above 0, not {value}.")

    @property
    def body_bytes(self) -> int:
        return int(self.body_mb * 1_000_000)

    @property
    def buffer_bytes(self) -> int:
        return max(int(self.buffer_mb * 1_000_000), self.body_bytes)

    @property
    def pixels(self) -> int:
        return int(self.megapixels * 1_000_000)

    @property
    def store_bytes(self) -> int:
        return int(self.store_mb * 1_000_000)


def limits_from(settings: Mapping[str, str]) -> Limits:
    """The limits with some of them set.

    >>> limits_from({"queue": "8", "timeout-s": "2.5"}).timeout_s
    2.5
    """
    kinds = {_option_name(one.name): int if isinstance(one.default, int) else float for one in fields(Limits)}
    found: dict[str, int | float] = {}
    for name, text in settings.items():
        if name not in kinds:
            raise unknown_name("limit", name, kinds)
        try:
            found[name.replace("-", "_")] = kinds[name](text)
        except ValueError:
            raise ConfigError(f"the limit {name!r} is a number, not {text!r}.") from None
    return replace(Limits(), **found)  # type: ignore[arg-type]


def _option_name(name: str) -> str:
    return name.replace("_", "-")


_LINE = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,64})\s+(?P<digest>[0-9a-f]{64})")
_PREFIX = "evpv-"
_MOST_BUCKETS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Names of those who may ask, with the SHA-256 of their keys: the file of them gives no key away."""

    digests: tuple[tuple[str, bytes], ...]

    def owner(self, key: str) -> str | None:
        """Whose key it is. Every digest is compared, each in constant time, so that timing tells nothing."""
        given = sha256(key.encode("utf-8", "surrogateescape")).digest()
        found: str | None = None
        for name, digest in self.digests:
            if hmac.compare_digest(given, digest):
                found = name
        return found


def read_keys(path: Path) -> Keys:
    """The keys of a file of lines "NAME SHA256"; lines that begin with # are left out."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    digests = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = _LINE.fullmatch(line.strip())
        if parts is None:
            raise ConfigError(
                f"{path}:{number}: a line is a name and the SHA-256 of a key; evpv serve --new-key writes one."
            )
        digests.append((parts["name"], bytes.fromhex(parts["digest"])))
    if not digests:
        raise ConfigError(f"{path}: there is no key in it; evpv serve --new-key NAME adds one.")
    return Keys(digests=tuple(digests))


def add_key(path: Path, name: str) -> str:
    """Make a key for `name`, add its digest to the file and return it: it is not kept anywhere else."""
    key = _PREFIX + secrets.token_urlsafe(32)
    line = f"{name} {sha256(key.encode()).hexdigest()}"
    if _LINE.fullmatch(line) is None:
        raise ConfigError(f"a key's name has letters, digits, '.', '_' and '-', at most 64, not {name!r}.")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error}") from None
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    return key


@dataclass(slots=True, kw_only=True)
class Rates:
    """A bucket of tokens for each who asks: one is taken a request, and they drip back in over time."""

    per_minute: float
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)
    """How many tokens each has, and since when."""

    def wait_s(self, who: str, now: float) -> float:
        """Take one token: 0 if there is one, else how long until there is."""
        drip, most = self.per_minute / 60, max(self.per_minute / 10, 1.0)
        if who not in self._buckets and len(self._buckets) >= _MOST_BUCKETS:
            # A full bucket is like none: so many are dropped that memory does not grow with the number of addresses.
            kept = {name: one for name, one in self._buckets.items() if one[0] + (now - one[1]) * drip < most}
            self._buckets = kept if len(kept) < _MOST_BUCKETS else {}
        tokens, filled = self._buckets.get(who, (most, now))
        tokens = min(most, tokens + (now - filled) * drip)
        is_there = tokens >= 1
        self._buckets[who] = (tokens - is_there, now)
        return 0.0 if is_there else (1 - tokens) / drip
