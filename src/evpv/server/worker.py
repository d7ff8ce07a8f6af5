"""A worker process: builds the pipeline once, then answers a message with a message until its input ends.

Messages are a length in four bytes and then as many. The first in is the order (recipe, settings, folder), the first out
is empty, or the reason why the pipeline cannot be built. Then jobs come in as JSON, and two bytes of status with a body
go out. What another program writes to standard output goes to standard error instead. The end of the input is the end of
the process, so that workers do not outlive a service that was killed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.errors import EvpvError
from evpv.server.jobs import Desk


def main() -> None:
    """Answer messages from standard input on standard output."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    jobs = sys.stdin.buffer
    order = _read(jobs)
    if order is None:
        return
    try:
        desk = _desk(json.loads(order))
    except EvpvError as error:
        _write(answers, str(error).encode())
        return
    _write(answers, b"")
    while (job := _read(jobs)) is not None:
        reply = desk.answer(json.loads(job))
        _write(answers, reply.status.to_bytes(2, "big") + reply.body)
    desk.pipeline.close()


def _desk(order: dict[str, Any]) -> Desk:
    recipe = load_recipe(order["recipe"], order["changes"])
    return Desk(name=recipe.name, pipeline=build(recipe), folder=Path(order["folder"]))


def _read(source: BinaryIO) -> bytes | None:
    size = source.read(4)
    return source.read(int.from_bytes(size, "big")) if len(size) == 4 else None


def _write(target: BinaryIO, message: bytes) -> None:
    target.write(len(message).to_bytes(4, "big") + message)
    target.flush()


if __name__ == "__main__":
    main()
