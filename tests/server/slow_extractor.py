"""An extractor that does what the question says, so that tests can hold a worker up, or end it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from evpv.types import Extraction, Problem


class SlowExtractor:
    """What its word says: `sleep 2`; `until FILE` is there; `die` by a signal; `fail` by an error; `once FILE`: die, but only once."""

    version = "slow-1"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        for problem in problems:
            word, _, rest = problem.question.partition(" ")
            if word == "sleep":
                time.sleep(float(rest))
            if word == "until":
                _wait_for(Path(rest))
            if word == "die":
                os.kill(os.getpid(), 9)
            if word == "fail":
                raise ZeroDivisionError(problem.question)
            if word == "once" and not Path(rest).exists():
                Path(rest).touch()
                os.kill(os.getpid(), 9)
        return [Extraction(kind=f"slow {os.getpid()}") for _ in problems]


def _wait_for(file: Path) -> None:
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
