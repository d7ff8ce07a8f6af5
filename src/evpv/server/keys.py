"""Who may ask: keys that the service knows by their digests, and how much each may ask."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from evpv.errors import ConfigError

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


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled: float


@dataclass(slots=True, kw_only=True)
class Rates:
    """A bucket of tokens for each who asks: one is taken a request, and they drip back in over time."""

    per_minute: float
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def wait_s(self, who: str, now: float) -> float:
        """Take one token: 0 if there is one, else how long until there is."""
        drip, most = self.per_minute / 60, max(self.per_minute / 10, 1.0)
        bucket = self._buckets.get(who)
        if bucket is None:
            self._forget_full(now, drip, most)
            bucket = self._buckets[who] = _Bucket(tokens=most, filled=now)
        bucket.tokens = min(most, bucket.tokens + (now - bucket.filled) * drip)
        bucket.filled = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0.0
        return (1 - bucket.tokens) / drip

    def _forget_full(self, now: float, drip: float, most: float) -> None:
        """A full bucket is like none: so many are dropped that memory does not grow with the number of addresses."""
        if len(self._buckets) < _MOST_BUCKETS:
            return
        kept = {
            who: bucket for who, bucket in self._buckets.items() if bucket.tokens + (now - bucket.filled) * drip < most
        }
        self._buckets = kept if len(kept) < _MOST_BUCKETS else {}
