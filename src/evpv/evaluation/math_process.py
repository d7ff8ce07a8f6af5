"""The process behind `answers.py`: gets [gold, given], says whether math-verify finds them equal. Killed when too slow."""

from __future__ import annotations

import json
import logging

from math_verify import parse, verify

from evpv.workers.child import Channel


def equal(gold: str, given: str) -> bool | None:
    """Whether two formulas are the same; None where either cannot be read. The caller keeps the time, so no signals here."""
    read = [parse(f"${text}$", parsing_timeout=None) for text in (gold, given)]
    if not all(read):
        return None
    return bool(verify(read[0], read[1], timeout_seconds=None))


def compare_formulas(channel: Channel) -> None:
    """Answer until the starter has gone; the first answer says that sympy is loaded."""
    logging.disable(logging.CRITICAL)
    channel.receive()
    channel.send(b"")
    for message in channel.messages():
        channel.send(json.dumps(equal(*json.loads(message))).encode())
