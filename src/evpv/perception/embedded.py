"""The embedded extractor as recipes name it: with its memory on disk."""

from __future__ import annotations

from pathlib import Path

from evpv.perception.cache import CachedExtractor
from evpv.perception.extractor import EmbeddedExtractor
from evpv.protocols import Extractor


def embedded_extractor(*, workers: int = 1, threads: int = 1, cache: str | None = None) -> Extractor:
    """Reads figures on this machine; `cache` is a folder in which what was read is kept for the next run."""
    extractor = EmbeddedExtractor(workers=workers, threads=threads)
    return CachedExtractor(extractor, Path(cache).expanduser()) if cache else extractor
