"""One of the processes of a training run, started by a test: it tells which files this process itself opened to write.

Arguments: a training recipe as JSON, the run's folder, and where to tell. Whoever writes is seen from inside, because
files that two processes write alike look as if one had.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    data, folder, told = json.loads(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    written: set[str] = set()

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str) and given[2] & (os.O_WRONLY | os.O_RDWR):
            path = Path(given[0])
            if path.is_relative_to(folder):
                written.add(str(path.relative_to(folder)))

    sys.addaudithook(watch)
    from evpv.training.recipes import training_recipe
    from evpv.training.runs import train

    train(training_recipe("watched", data), folder)
    told.write_text(json.dumps(sorted(written)), encoding="utf-8")


if __name__ == "__main__":
    main()
