"""The embedded extractor as recipes name it: with its memory on disk."""

from __future__ import annotations

from evpv.perception.cache import CachedExtractor, cache_folder
from evpv.perception.extractor import EmbeddedExtractor
from evpv.protocols import Extractor


def embedded_extractor(*, threads: int = 1, cache: str = "auto") -> Extractor:
    """Reads figures on this machine, each once: what was read is kept in the folder `cache` for later runs.

    "auto" is the user's cache folder, "" keeps nothing.
    """
    extractor = EmbeddedExtractor(threads=threads)
    return CachedExtractor(extractor, cache_folder(cache)) if cache else extractor
