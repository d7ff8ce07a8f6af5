"""Plug-ins for the tests: an extractor that does what a problem's field `fault` says, and one that counts its reads."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from evpv.perception.cache import CachedExtractor
from evpv.perception.given import GivenExtractor
from evpv.types import Extraction, Problem


class FaultyExtractor:
    """The problem's own constraints, unless it has a fault; "once" in a fault's name: only the first time, told by a file."""

    version = "faulty-1"

    def __init__(self, *, folder: str) -> None:
        self._folder = Path(folder)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        for problem in problems:
            self._do(str(problem.extra.get("fault", "")), self._folder / problem.id)
        return GivenExtractor().extract(problems)

    def _do(self, fault: str, been_here: Path) -> None:
        if fault.endswith("once"):
            if been_here.exists():
                return
            been_here.touch()
        if fault.startswith("die"):
            os.kill(os.getpid(), signal.SIGKILL)
        if fault.startswith("hang"):
            time.sleep(3600)
        if fault.startswith("raise"):
            raise ZeroDivisionError("no such figure")
        if fault.startswith("eat"):
            bytearray(64 << 30)
        if fault.startswith("no-room"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "cache")


class GatedExtractor:
    """The problem's own constraints, but only of the first so many, as the file `open` in the folder says: the others wait."""

    version = "gated-1"

    def __init__(self, *, folder: str) -> None:
        self._open = Path(folder) / "open"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        for problem in problems:
            while int(problem.id.removeprefix("p")) >= int(self._open.read_text(encoding="ascii")):
                time.sleep(0.01)
        return GivenExtractor().extract(problems)


class CountingExtractor:
    """Notes each image that it reads, slowly, so that two readers of one image would meet."""

    version = "counting-1"

    def __init__(self, log: Path) -> None:
        self._log = log

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        for problem in problems:
            with open(self._log, "ab", buffering=0) as log:
                log.write(f"{problem.images[0]}\n".encode())
            time.sleep(0.05)
        return [Extraction(kind="counted") for _ in problems]


def counting_extractor(*, folder: str) -> CachedExtractor:
    """With the cache that recipes have."""
    return CachedExtractor(CountingExtractor(Path(folder) / "reads.txt"), Path(folder) / "cache")
