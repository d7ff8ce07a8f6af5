"""Texts made to hurt: no function over text grows faster than its input, and none recurses over it."""

from __future__ import annotations

import contextlib
import inspect
import json
import pkgutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from evpv.assembly import Verifier
from evpv.cli.terminal import harmless
from evpv.errors import EvpvError

ROOMS = (
    "evpv.language",
    "evpv.premises",
    "evpv.judges.checks",
    "evpv.records",
    "evpv.backends",
    "evpv.evaluation",
    "evpv.cli.terminal",
    "evpv.viewer",
    "evpv.policy",
    "evpv.server",
)
TEXTS: dict[str, str] = {
    "closing brackets": ")", "opening brackets": "(", "nested brackets": "(x+", "factorials": "5! ", "digits": "9",
    "spaces": " ", "letters": "a", "equals": "x = ", "powers": "^2", "fractions": r"\frac{", "dollars": "$", "bars": "| ",
    "quotes": '"', "newlines": "\n", "bullets": "- a\n", "sentences": "AB is 5. ", "commas": "a, ", "angles": "∠ABC = 50°, ",
    "signs": "+-", "percent": "5% ", "dots": ". ", "combining": "á", "entities": "&amp;", "braces": "{[", "minus": "−1 − ",
    "step words": "Step 1: ", "backslashes": "\\", "unary": "----1", "roots": "√", "times": "3×",
}  # fmt: skip


def modules() -> Iterator[str]:
    """The modules that hold meaning, as far as they can be loaded here."""
    for room in ROOMS:
        try:
            package = import_module(room)
        except ModuleNotFoundError:
            continue
        yield room
        yield from (found.name for found in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{room}."))


def called_with_text(function: Any, home: str) -> Callable[[str], Any] | None:
    """A public function at home in this module as one of a text: every text it needs is that, all else is small; else None."""
    if not inspect.isfunction(function) or function.__module__ != home or function.__name__.startswith("_"):
        return None
    given = inspect.signature(function).parameters.values()
    needed = [p for p in given if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    texts = [p.name for p in needed if p.annotation == "str" and p.name not in _NO_TEXT]
    small = {p.name: _SMALL.get(p.annotation) for p in needed if p.name not in texts}
    if not texts or any(value is None for value in small.values()):
        return None
    return lambda text: function(**small, **dict.fromkeys(texts, text))


def text_functions() -> dict[str, Callable[[str], Any]]:
    found: dict[str, Callable[[str], Any]] = {}
    for name in (one for one in modules() if one not in _IN_WORKERS):
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        for key, value in vars(module).items():
            if (called := called_with_text(value, name)) is not None:
                found[f"{name.removeprefix('evpv.')}.{key}"] = called
    return found


def ranked(text: str) -> None:
    """The whole way of a candidate: split, audited, judged, matched, ranked."""
    with Verifier.from_recipe("given") as verifier:
        verifier.rank({"id": "p", "question": "How long is AB?", "candidates": [{"id": "a", "response": text}]})


_NO_TEXT = {"path", "name", "setting", "folder", "model", "use", "url", "image", "file", "module"}
_IN_WORKERS = {"evpv.evaluation.answers"}
"""What only ever runs in a process with two seconds and a gigabyte, and is ended there."""
_SMALL: dict[Any, Any] = {
    "str": "a", "int": 1, "float": 1.0, "bool": False, "Sequence[str]": (), "Iterable[str]": (), "Collection[str]": (),
    "tuple[str, ...]": (), "list[str]": [], "Sequence[Constraint]": (), "Mapping[str, Any]": {}, "Sequence[Step]": (),
}  # fmt: skip
"""What else a function over text may need, as little of it as there can be."""
FUNCTIONS = {**text_functions(), "ranking": ranked}


def test_functions_over_text_are_found() -> None:
    assert len(FUNCTIONS) >= 20


def outcome(function: Callable[[str], Any], text: str) -> None:
    """A refusal with a reason is an outcome too; running out of stack or memory is none."""
    with contextlib.suppress(EvpvError, ValueError, KeyError, LookupError):
        result = function(text)
        if inspect.isgenerator(result):
            deque(result, maxlen=0)


def seconds(function: Callable[[str], Any], text: str) -> float:
    began = time.process_time()
    outcome(function, text)
    return time.process_time() - began


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("text", TEXTS)
def test_twice_the_text_is_about_twice_the_time(name: str, text: str) -> None:
    """At 1×, 2× and 4×: a quadratic function takes 16 times as long at 4×, a linear one 4 times."""
    function, unit = FUNCTIONS[name], TEXTS[text]
    counts = [n // len(unit) for n in (10_000, 20_000, 40_000)]
    one, _, four = (min(seconds(function, unit * n) for _ in range(2)) for n in counts)
    assert four < 10 * max(one, 0.02), f"{one:.3f} s, {four:.3f} s"


@pytest.mark.parametrize("unit", [")", "(", "{", "[", r"\frac{", "√", "-", "((x+", "|"])
def test_no_text_is_too_deep(unit: str) -> None:
    for function in FUNCTIONS.values():
        outcome(function, unit * 2_000 + "5" + ")" * 990)


@pytest.mark.slow
def test_steps_cost_no_more_than_their_number() -> None:
    def seconds_of(count: int) -> float:
        steps = [{"text": "5! = 120, so AB is 5.", "claim": "AB = 5"} for _ in range(count)]
        problem = {"id": "p", "question": "?", "candidates": [{"id": "a", "steps": steps}]}
        began = time.process_time()
        with Verifier.from_recipe("given") as verifier:
            verifier.rank(problem)
        return time.process_time() - began

    seconds_of(10)
    one, four = seconds_of(400), seconds_of(1_600)
    assert four < 10 * max(one, 0.05), f"{one:.3f} s, {four:.3f} s"


@pytest.mark.parametrize("text", ["\x1b[2J", "\x9b2J", "a\rb", "\x07", "‮txt", "\udc80", "\x00", "﻿"])
def test_text_is_harmless_on_a_terminal(text: str) -> None:
    shown = harmless(text)
    assert shown.isprintable()
    assert harmless("∠ABC = 50°\n\tx² → 7") == "∠ABC = 50°\n\tx² → 7"


def test_brackets_without_end_lose_no_problem(tmp_path: Path) -> None:
    rows = [
        {"id": f"p{n}", "question": "?", "candidates": [{"id": "a", "steps": ["5" + ")" * 990]}]} for n in range(25)
    ]
    rows += [{"id": "last", "question": "?", "candidates": [{"id": "a", "steps": ["AB is 5."]}]}]
    (tmp_path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    evpv = Path(sys.executable).parent / "evpv"
    line = [evpv, "rank", "problems.jsonl", "-o", "run", "--recipe", "given", "--workers", "1"]
    for _ in range(2):
        done = subprocess.run(line, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=200)
    traces = (tmp_path / "run" / "traces.jsonl").read_text().splitlines()
    assert "last" in {json.loads(trace)["problem_id"] for trace in traces}
    assert done.returncode == 0, done.stderr
