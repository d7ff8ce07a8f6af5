"""The embedded extractor as recipes name it: with its memory on disk."""

from __future__ import annotations

import os
from pathlib import Path

from evpv.perception.cache import CachedExtractor
from evpv.perception.extractor import EmbeddedExtractor
from evpv.protocols import Extractor


def embedded_extractor(*, workers: int = 1, threads: int = 1, cache: str = "auto") -> Extractor:
    """Reads figures on this machine, each once: what was read is kept in the folder `cache` for later runs.

    "auto" is the user's cache folder, "" keeps nothing.
    """
    extractor = EmbeddedExtractor(workers=workers, threads=threads)
    if not cache:
        return extractor
    return CachedExtractor(extractor, default_cache() if cache == "auto" else Path(cache).expanduser())


def default_cache() -> Path:
    """Where this user's programs keep what they can make again."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "evpv" / "constraints"
