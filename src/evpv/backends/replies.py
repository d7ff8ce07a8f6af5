"""Reading the JSON in what a model wrote: found, mended where that is safe, and held against a schema.

Models wrap JSON in prose and fences, stop half-way, write LaTeX with single backslashes and use the punctuation of
their own language. Text is read strictly first, then with known slips mended, then by json-repair. Each kind of mending
has a name in `Reading.repairs`; what cannot be mended is a `problem`. Nothing here raises, whatever the text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import json_repair

from evpv.backends.schemas import Misfit, fit_to_schema, wants_container

_DEEPEST = 100
"""Brackets in brackets; no answer that a schema of ours asks for comes near it."""
_MOST_DIGITS = 300  # one with more is no measurement, and Python would refuse to print it
_LARGEST = 10.0**_MOST_DIGITS
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b\u2028\u2029]")
_RAW_BREAKS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_RAW_BREAKS.pattern})|[,，]\s*(?=[}}\]])", re.DOTALL)  # strings are passed over
_BRACKET = re.compile(r"[\[\]{}]")
_BAD_ESCAPE = re.compile(r'\\\\|\\(?!["/bfnrt]|u[0-9a-fA-F]{4})')
_WIDE = str.maketrans("｛｝［］【】：，＂", '{}[][]:,"')
_QUOTES = "“”„‟＂"
_STRUCTURE = re.compile(r"\s*(?:[,:}\]，：｝］]|\Z)")
# LaTeX written with one backslash: JSON takes \f of \frac for a form feed, and the text is spoiled without an error.
_LATEX = re.compile(
    r"\f(?=rac|orall|lat)|\x08(?=eta|ar\b|inom|oxed|ot\b|ig|egin|ecause)|\r(?=ho\b|ight|angle)"
    r"|\t(?=heta|imes|riangle|ext|an\b|frac|o\b|au\b|herefore|ilde|op\b)|\n(?=eq\b|abla\b|otin\b|parallel\b)"
)
_ESCAPED_BREAKS = str.maketrans({"\r": "\\r", "\n": "\\n", "\t": "\\t"})
_LETTERS = {"\f": "\\f", "\x08": "\\b", "\r": "\\r", "\t": "\\t", "\n": "\\n"}
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
class ParsedReply:
    """What was read: a value that fits the schema, or None with the reason in `problem`; `repairs` names what was mended."""

    value: Any = None
    repairs: tuple[str, ...] = ()
    problem: str | None = None


def read_json(text: str | None, schema: Mapping[str, Any] | None = None) -> ParsedReply:
    """The JSON value in a model's answer, as the schema wants it.

    Where the answer holds several, the one that needs the least mending is taken, and of equals the last: models state
    their answer at the end.

    >>> read_json('Sure! ```json\\n{"sign": "1",}\\n```', {"type": "object", "properties": {"sign": {"type": "integer"}}})
    ParsedReply(value={'sign': 1}, repairs=('fence', 'syntax', 'text-for-number'), problem=None)
    >>> read_json("I cannot see the figure.").problem
    'no JSON in the answer'
    """
    if text is None or not text.strip():
        return ParsedReply(problem="the answer is empty")
    if len(text) > _LONGEST_CHARS:
        return ParsedReply(problem=f"the answer has {len(text)} characters; more than {_LONGEST_CHARS} are not read")
    whole = _strict_value(text)
    if whole is not None:
        return _schema_reading(whole, schema)
    if len(text) > _LONGEST_MENDED_CHARS:
        return ParsedReply(problem=f"the answer is not JSON, and with {len(text)} characters too long to be mended")
    return _best_reading(text, schema)


def _best_reading(text: str, schema: Mapping[str, Any] | None) -> ParsedReply:
    """The best of what a text holds, after a reasoning model's thoughts."""
    before: tuple[str, ...] = ("thought",)
    if thought := _THOUGHT.match(text):
        text = text[thought.end() :]
    elif "</think>" in text:
        text = text.rpartition("</think>")[2]
    elif _THINKING.match(text):
        return ParsedReply(problem="the answer ended while the model was still thinking")
    else:
        before = ()
    readings: list[ParsedReply] = []
    for found in _possible_values(text, schema):
        readings.append(_schema_reading(found, schema, before))
        if "half" in found.repairs and readings[-1].problem is None:
            break  # what follows lies within it
    if not readings:
        return ParsedReply(problem="no JSON in the answer", repairs=before)
    fitting = [reading for reading in readings if reading.problem is None]
    return min(reversed(fitting or readings), key=lambda reading: len(reading.repairs))


def _schema_reading(found: ParsedReply, schema: Mapping[str, Any] | None, before: tuple[str, ...] = ()) -> ParsedReply:
    """A value held against the schema, with the names of all that was done to it."""
    names = dict.fromkeys((*before, *found.repairs))
    if found.problem is not None or schema is None:
        return replace(found, repairs=tuple(names))
    result = fit_to_schema(found.value, schema)
    if isinstance(result, Misfit):
        return ParsedReply(repairs=tuple(names), problem=str(result))
    return ParsedReply(value=result.value, repairs=tuple(names | dict.fromkeys(result.repairs)))


def _possible_values(text: str, schema: Mapping[str, Any] | None) -> Iterator[ParsedReply]:
    """Everything in the text that could be meant as the value: fenced blocks, then whatever stands in brackets."""
    fenced = False
    for block in _FENCE.finditer(text):
        for found in _values_within(block.group(1), schema):
            fenced = True
            yield replace(found, repairs=("fence", *found.repairs))
    if not fenced:
        yield from _values_within(text, schema)


def _values_within(text: str, schema: Mapping[str, Any] | None) -> Iterator[ParsedReply]:
    plain = text.strip()
    whole = _strict_value(plain)
    if whole is not None:
        yield whole
        return
    if schema is not None and not wants_container(schema):
        yield ParsedReply(value=plain)
        return
    for start, end, closed in _spans(text):
        found = _repaired_value(text[start:end])
        around = ("prose",) if text[:start].strip() or text[end:].strip() else ()
        half = () if closed else ("half",)
        yield replace(found, repairs=(*around, *half, *found.repairs))


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


def _strict_value(text: str) -> ParsedReply | None:
    """The value of text that is JSON, or None. NaN, infinities and duplicate keys are read too, and named."""
    repairs: dict[str, None] = {}

    def integer(digits: str) -> float:
        return int(digits) if len(digits) <= _MOST_DIGITS else math.inf

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            repairs["duplicate-keys"] = None
        return found

    try:
        value = json.loads(text, parse_int=integer, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return None
    if _depth(value) > _DEEPEST:
        return ParsedReply(problem=f"brackets are nested deeper than {_DEEPEST}")
    return ParsedReply(value=_clean(value, repairs), repairs=tuple(repairs))


def _repaired_value(text: str) -> ParsedReply:
    """The value of text that starts with a bracket, with its slips mended in order of how well they are understood."""
    names: list[str] = []
    found = _strict_value(text)
    for name, mend in _MENDS.items():
        if found is None and (changed := mend(text)) != text:
            text, found = changed, _strict_value(changed)
            names.append(name)
    if found is not None:
        return replace(found, repairs=(*names, *found.repairs))
    if _nesting(text) > _DEEPEST:  # json-repair would find out too, but only after seconds
        return ParsedReply(repairs=tuple(names), problem=f"brackets are nested deeper than {_DEEPEST}")
    try:
        value = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return ParsedReply(repairs=tuple(names), problem=f"not JSON, and nested too deeply to be mended: {text[:40]!r}")
    if not isinstance(value, dict | list) or _depth(value) > _DEEPEST:
        return ParsedReply(repairs=tuple(names), problem=f"not JSON, and cannot be mended: {text[:40]!r}")
    repairs = dict.fromkeys([*names, "syntax"])
    return ParsedReply(value=_clean(value, repairs), repairs=tuple(repairs))


def _without_control(text: str) -> str:
    """Control characters dropped, and bare line breaks within strings escaped."""
    return _RAW_BREAKS.sub(lambda string: string.group().translate(_ESCAPED_BREAKS), _CONTROL.sub("", text))


def _plain_punctuation(text: str) -> str:
    """Full-width punctuation and curly quotes made plain where they stand for JSON's own; in strings they stay."""
    if not set("｛｝［］【】：，“”„‟＂") & set(text):
        return text
    written: list[str] = []
    position = 0
    while position < len(text):
        sign = text[position]
        if sign in _QUOTES or sign == '"':
            string, position = _plain_string(text, position)
            written.append(string)
        else:
            written.append(sign.translate(_WIDE))
            position += 1
    return "".join(written)


def _plain_string(text: str, start: int) -> tuple[str, int]:
    """The string that opens at `start`, in plain quotes, and where the text goes on behind it."""
    curly = text[start] != '"'
    written, position = ['"'], start + 1
    while position < len(text):
        sign = text[position]
        if sign == "\\":
            written.append(text[position : position + 2])
            position += 2
            continue
        position += 1
        if sign == '"' and not curly:
            return "".join([*written, sign]), position
        if curly and sign in _QUOTES + '"' and _STRUCTURE.match(text, position):
            return "".join([*written, '"']), position
        written.append('\\"' if sign == '"' else sign)
    return "".join(written), position


_MENDS: dict[str, Callable[[str], str]] = {
    "control-characters": _without_control,
    "punctuation": _plain_punctuation,
    "backslashes": lambda text: _BAD_ESCAPE.sub(r"\\\\", text),  # those that start no JSON escape, as \sqrt, were meant
    "syntax": lambda text: _TRAILING_COMMA.sub(lambda found: found[1] or "", text),  # outside strings
}
"""Slips in order of how well they are understood."""


def _clean(value: Any, repairs: dict[str, None]) -> Any:
    """The value with LaTeX's backslashes put back into its strings, and null for every number that JSON does not have."""
    match value:
        case str():
            whole = _LATEX.sub(lambda sign: _LETTERS[sign.group()], value)
            repairs |= {} if whole == value else {"latex": None}
            return whole
        case list():
            return [_clean(item, repairs) for item in value]
        case dict():
            return {str(key): _clean(item, repairs) for key, item in value.items()}
        case float() | int() if not abs(value) < _LARGEST:
            repairs["nan"] = None
            return None
    return value


def _nesting(text: str) -> int:
    depth = deepest = 0
    for sign in _BRACKET.findall(text):
        depth = max(depth + (1 if sign in "[{" else -1), 0)
        deepest = max(deepest, depth)
    return deepest


def _depth(value: Any) -> int:
    """How deep containers are nested, found without recursion because it guards what recurses."""
    depth = 0
    level = [value] if isinstance(value, dict | list) else []
    while level and depth <= _DEEPEST:
        depth += 1
        inside = (item for part in level for item in (part.values() if isinstance(part, dict) else part))
        level = [item for item in inside if isinstance(item, dict | list)]
    return depth
