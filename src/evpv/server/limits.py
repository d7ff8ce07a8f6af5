"""How much one request may ask for, and how much the service takes on at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

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
            if getattr(self, one.name) <= 0:
                raise ConfigError(
                    f"the limit {_option_name(one.name)!r} must be above 0, not {getattr(self, one.name)}."
                )

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
