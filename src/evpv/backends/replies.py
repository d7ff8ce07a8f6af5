"""Reading the JSON in what a model wrote: found, mended where that is safe, and held against a schema.

Models wrap JSON in prose and fences, stop half-way, write LaTeX with single backslashes and use the punctuation of
their own language. Each kind of mending has a name in `Reading.repairs`; what cannot be mended is a `problem`. Nothing
here raises, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evpv.backends.json_repair import Mended, mended, strict
from evpv.backends.schemas import Misfit, fitted, wants_container

_LONGEST_CHARS = 1_000_000
_LONGEST_MENDED_CHARS = 100_000  # mending is far slower than reading, and nothing that long is a slip
_MOST_SPANS = 16
_MOST_HALF_SPANS = 4
_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
_MARK = re.compile(r'\\.|["\[\]{}｛｝［］]', re.DOTALL)
_OPENING = re.compile(r"[\[{｛［]")
_THOUGHT = re.compile(
    r"\A\s*(?:<think(?:ing)?>.*?)?</think(?:ing)?>|\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL
)
_THINKING = re.compile(r"\A\s*<think(?:ing)?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read: a value that fits the schema, or None with the reason in `problem`; `repairs` names what was mended."""

    value: Any = None
    repairs: tuple[str, ...] = ()
    problem: str | None = None


def read_json(text: str | None, schema: Mapping[str, Any] | None = None) -> Reading:
    """The JSON value in a model's answer, as the schema wants it.

    Where the answer holds several, the one that needs the least mending is taken, and of equals the last: models state
    their answer at the end.

    >>> read_json('Sure! ```json\\n{"sign": "1",}\\n```', {"type": "object", "properties": {"sign": {"type": "integer"}}})
    Reading(value={'sign': 1}, repairs=('fence', 'syntax', 'text-for-number'), problem=None)
    >>> read_json("I cannot see the figure.").problem
    'no JSON in the answer'
    """
    if text is None or not text.strip():
        return Reading(problem="the answer is empty")
    if len(text) > _LONGEST_CHARS:
        return Reading(problem=f"the answer has {len(text)} characters; more than {_LONGEST_CHARS} are not read")
    whole = strict(text)
    if whole is not None:
        return _held(whole, schema)
    if len(text) > _LONGEST_MENDED_CHARS:
        return Reading(problem=f"the answer is not JSON, and with {len(text)} characters too long to be mended")
    return _best(text, schema)


def _best(text: str, schema: Mapping[str, Any] | None) -> Reading:
    answer, before = _without_thought(text)
    if answer is None:
        return Reading(problem="the answer ended while the model was still thinking")
    readings: list[Reading] = []
    for found in _found(answer, schema):
        readings.append(_held(found, schema, before))
        if "half" in found.repairs and readings[-1].problem is None:
            break  # what follows lies within it
    if not readings:
        return Reading(problem="no JSON in the answer", repairs=before)
    fitting = [reading for reading in readings if reading.problem is None]
    return min(reversed(fitting or readings), key=lambda reading: len(reading.repairs))


def _held(found: Mended, schema: Mapping[str, Any] | None, before: tuple[str, ...] = ()) -> Reading:
    """A value held against the schema, with the names of all that was done to it."""
    names = (*before, *found.repairs)
    if found.problem is not None or schema is None:
        return Reading(value=found.value, repairs=_distinct(names), problem=found.problem)
    result = fitted(found.value, schema)
    if isinstance(result, Misfit):
        return Reading(repairs=_distinct(names), problem=str(result))
    return Reading(value=result.value, repairs=_distinct((*names, *result.repairs)))


def _without_thought(text: str) -> tuple[str | None, tuple[str, ...]]:
    """The answer after a reasoning model's thoughts; None where the thoughts never end."""
    thought = _THOUGHT.match(text)
    if thought:
        return text[thought.end() :], ("thought",)
    if "</think>" in text:
        return text.rpartition("</think>")[2], ("thought",)
    return (None, ()) if _THINKING.match(text) else (text, ())


def _found(text: str, schema: Mapping[str, Any] | None) -> Iterator[Mended]:
    """Everything in the text that could be meant as the value: fenced blocks, then whatever stands in brackets."""
    fenced = False
    for block in _FENCE.finditer(text):
        for found in _inside(block.group(1), schema):
            fenced = True
            yield Mended(value=found.value, repairs=("fence", *found.repairs), problem=found.problem)
    if not fenced:
        yield from _inside(text, schema)


def _inside(text: str, schema: Mapping[str, Any] | None) -> Iterator[Mended]:
    plain = text.strip()
    whole = strict(plain)
    if whole is not None:
        yield whole
        return
    if schema is not None and not wants_container(schema):
        yield Mended(value=plain, repairs=())
        return
    for start, end, closed in _spans(text):
        found = mended(text[start:end])
        around = ("prose",) if text[:start].strip() or text[end:].strip() else ()
        half = () if closed else ("half",)
        yield Mended(value=found.value, repairs=(*around, *half, *found.repairs), problem=found.problem)


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where brackets open and close; one that never closes runs to the end, and may be mere prose before the answer."""
    position = half = 0
    for _ in range(_MOST_SPANS):
        opening = _OPENING.search(text, position)
        if opening is None or half >= _MOST_HALF_SPANS:
            return
        end = _closing(text, opening.start())
        yield opening.start(), len(text) if end is None else end, end is not None
        half += end is None
        position = opening.end() if end is None else end


def _closing(text: str, start: int) -> int | None:
    """One past the bracket that closes the one at `start`; brackets in strings do not count."""
    depth, quoted = 0, False
    for mark in _MARK.finditer(text, start):
        sign = mark.group()
        if sign == '"':
            quoted = not quoted
        elif not quoted and sign in "[{｛［":
            depth += 1
        elif not quoted and sign in "]}｝］":
            depth -= 1
            if depth == 0:
                return mark.end()
    return None


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
