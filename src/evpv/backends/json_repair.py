"""Text that should be JSON made into a value: read strictly first, then with known slips mended, then by json-repair."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import json_repair

_DEEPEST = 100
"""Brackets in brackets; no answer that a schema of ours asks for comes near it."""
_MOST_DIGITS = 300  # one with more is no measurement, and Python would refuse to print it
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b\u2028\u2029]")
_RAW_BREAKS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_TRAILING_COMMA = re.compile(r"[,，]\s*(?=[}\]])")
_BAD_ESCAPE = re.compile(r'\\\\|\\(?!["/bfnrt]|u[0-9a-fA-F]{4})')
_WIDE = str.maketrans("｛｝［］【】：，＂", '{}[][]:,"')
_QUOTES = "“”„‟＂"
_STRUCTURE = re.compile(r"\s*(?:[,:}\]，：｝］]|\Z)")
# LaTeX written with one backslash: JSON takes \f of \frac for a form feed, and the text is spoiled without an error.
_LATEX = re.compile(
    r"\f(?=rac|orall|lat)|\x08(?=eta|ar\b|inom|oxed|ot\b|ig|egin|ecause)|\r(?=ho\b|ight|angle)"
    r"|\t(?=heta|imes|riangle|ext|an\b|frac|o\b|au\b|herefore|ilde|op\b)|\n(?=eq\b|abla\b|otin\b|parallel\b)"
)
_LETTERS = {"\f": "\\f", "\x08": "\\b", "\r": "\\r", "\t": "\\t", "\n": "\\n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A value and the names of what was mended to get it, or the reason why there is none."""

    value: Any = None
    repairs: tuple[str, ...] = ()
    problem: str | None = None


def strict(text: str) -> Mended | None:
    """The value of text that is JSON, or None. NaN, infinities and duplicate keys are read too, and named."""
    repairs: dict[str, None] = {}

    def no_number(_: str) -> Any:
        repairs["nan"] = None
        return None

    def number(digits: str) -> Any:
        value = float(digits)
        return value if abs(value) < float("inf") else no_number(digits)

    def integer(digits: str) -> Any:
        return int(digits) if len(digits) <= _MOST_DIGITS else no_number(digits)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            repairs["duplicate-keys"] = None
        return found

    try:
        value = json.loads(
            text, parse_constant=no_number, parse_float=number, parse_int=integer, object_pairs_hook=pairs
        )
    except (ValueError, RecursionError):
        return None
    if _depth(value) > _DEEPEST:
        return Mended(problem=f"brackets are nested deeper than {_DEEPEST}")
    unspoiled = _with_latex(value, repairs)
    return Mended(value=unspoiled, repairs=tuple(repairs))


def mended(text: str) -> Mended:
    """The value of text that starts with a bracket, with its slips mended in order of how well they are understood."""
    names: list[str] = []
    for name, mend in (
        ("", str),
        ("control-characters", _without_control),
        ("punctuation", _plain_punctuation),
        ("backslashes", _doubled_backslashes),
        ("syntax", _without_trailing_commas),
    ):
        changed = mend(text)
        if name and changed == text:
            continue
        text = changed
        names += [name] if name else []
        found = strict(text)
        if found is not None:
            return Mended(value=found.value, repairs=(*names, *found.repairs), problem=found.problem)
    return _by_json_repair(text, names)


def _by_json_repair(text: str, names: list[str]) -> Mended:
    if _nesting(text) > _DEEPEST:  # json-repair would find out too, but only after seconds
        return Mended(repairs=tuple(names), problem=f"brackets are nested deeper than {_DEEPEST}")
    try:
        value = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return Mended(repairs=tuple(names), problem=f"not JSON, and nested too deeply to be mended: {text[:40]!r}")
    if not isinstance(value, dict | list) or _depth(value) > _DEEPEST:
        return Mended(repairs=tuple(names), problem=f"not JSON, and cannot be mended: {text[:40]!r}")
    repairs = dict.fromkeys([*names, "syntax"])
    return Mended(value=_with_latex(_finite(value, repairs), repairs), repairs=tuple(repairs))


def _without_control(text: str) -> str:
    """Control characters dropped, and bare line breaks within strings escaped."""
    cleaned = _CONTROL.sub("", text)
    return _RAW_BREAKS.sub(
        lambda string: string.group().replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"), cleaned
    )


def _without_trailing_commas(text: str) -> str:
    pieces: list[str] = []
    position = 0
    for string in _RAW_BREAKS.finditer(text):
        pieces += [_TRAILING_COMMA.sub("", text[position : string.start()]), string.group()]
        position = string.end()
    return "".join([*pieces, _TRAILING_COMMA.sub("", text[position:])])


def _doubled_backslashes(text: str) -> str:
    r"""Backslashes that start no JSON escape (\sqrt, \( …) doubled, as they were meant."""
    return _BAD_ESCAPE.sub(r"\\\\", text)


def _plain_punctuation(text: str) -> str:
    """Full-width punctuation and curly quotes made plain where they stand for JSON's own; in strings they stay."""
    if not any(sign in text for sign in "｛｝［］【】：，“”„‟＂"):
        return text
    written: list[str] = []
    closers = ""
    position = 0
    while position < len(text):
        sign = text[position]
        if closers:
            if sign == "\\":
                written.append(text[position : position + 2])
                position += 2
                continue
            ends = sign in closers and (closers == '"' or _STRUCTURE.match(text, position + 1) is not None)
            written.append('"' if ends else '\\"' if sign == '"' else sign)
            closers = "" if ends else closers
        elif sign in _QUOTES or sign == '"':
            closers = '"' if sign == '"' else _QUOTES + '"'
            written.append('"')
        else:
            written.append(sign.translate(_WIDE))
        position += 1
    return "".join(written)


def _with_latex(value: Any, repairs: dict[str, None]) -> Any:
    """The value with the backslashes of LaTeX commands put back into its strings."""
    if isinstance(value, str):
        whole = _LATEX.sub(lambda sign: _LETTERS[sign.group()], value)
        if whole != value:
            repairs["latex"] = None
        return whole
    if isinstance(value, list):
        return [_with_latex(item, repairs) for item in value]
    if isinstance(value, dict):
        return {key: _with_latex(item, repairs) for key, item in value.items()}
    return value


def _finite(value: Any, repairs: dict[str, None]) -> Any:
    """The value with null for every number that JSON does not have."""
    if isinstance(value, float) and not (abs(value) < float("inf")):
        repairs["nan"] = None
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 1000:
        repairs["nan"] = None
        return None
    if isinstance(value, list):
        return [_finite(item, repairs) for item in value]
    if isinstance(value, dict):
        return {str(key): _finite(item, repairs) for key, item in value.items()}
    return value


def _nesting(text: str) -> int:
    """How many brackets are open at once at most."""
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
