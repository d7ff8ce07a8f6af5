"""The process behind `answers.py`: reads [gold, given] a line, says whether math-verify finds them equal. Killed when too slow."""

from __future__ import annotations

import json
import logging
import sys

from math_verify import parse, verify


def equal(gold: str, given: str) -> bool | None:
    """Whether two formulas are the same; None where either cannot be read. The caller keeps the time, so no signals here."""
    read = [parse(f"${text}$", parsing_timeout=None) for text in (gold, given)]
    if not all(read):
        return None
    return bool(verify(read[0], read[1], timeout_seconds=None))


def main() -> None:
    """Answer until the input ends; the first line says that sympy is loaded."""
    logging.disable(logging.CRITICAL)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(equal(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
