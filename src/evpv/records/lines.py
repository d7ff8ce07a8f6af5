"""JSON lines: bytes of a file to objects and back, saying exactly which line is wrong and why.

Harmless things are accepted: a byte-order mark, CRLF, blank lines. What would be read differently by the next program
is refused: duplicate keys, NaN and Infinity, numbers beyond a double, lone surrogates, bytes that are not UTF-8.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic_core import from_json

from evpv.errors import ConfigError, RecordError, unknown_name

JsonObject: TypeAlias = dict[str, Any]
OnError = Literal["stop", "skip"]
_Value = TypeVar("_Value")

_MAX_LINE_BYTES = 64 * 1024 * 1024
"""Room for a few images as data URLs; a longer line is no JSON line, and would only fill the memory."""
_MOST_LINE_BYTES = 16 * _MAX_LINE_BYTES
"""What has a line of this length is no file of lines, and may have no end."""
_SPREAD_OUT = (
    "; a file of JSON lines has one object a line (`jq -c '.[]' FILE` makes lines of an array, `jq -c .` of one object)"
)
"""What to do with JSON that is an array, or is spread over lines: the layout that most programs write."""
_OPENING = re.compile(rb"\[|\s*[{[]\s*$")  # how the first line of such JSON begins


@dataclass(slots=True)
class Skipped:
    """What a reader left out: how many lines, and the first few reasons."""

    count: int = 0
    messages: list[str] = field(default_factory=list)
    keep: int = 5

    def add(self, error: RecordError) -> None:
        self.count += 1
        if len(self.messages) < self.keep:
            self.messages.append(str(error))


class Line(NamedTuple):
    """A line of a file: its number from 1, its bytes, and the byte it begins at, so that it can be read again alone."""

    number: int
    raw: bytes
    start: int = 0


def read_records(
    path: str | Path,
    convert: Callable[[JsonObject, Line], _Value],
    *,
    on_error: OnError = "stop",
    report: Skipped | None = None,
) -> Iterator[_Value]:
    """Every line of the file as `convert(object, line)` makes it, one at a time."""
    return convert_lines(_file_lines(path), convert, file=str(path), on_error=on_error, report=report)


def convert_lines(
    lines: Iterable[Line],
    convert: Callable[[JsonObject, Line], _Value],
    *,
    file: str,
    on_error: OnError,
    report: Skipped | None,
    parse: Callable[[bytes], JsonObject] | None = None,
) -> Iterator[_Value]:
    """Convert lines; a bad one stops the reading, or is left out and counted in `report`."""
    if on_error not in ("stop", "skip"):
        raise unknown_name("on_error", on_error, ("stop", "skip"))
    if on_error == "skip" and report is None:
        raise ConfigError("on_error='skip' needs report=Skipped(), so that what is left out can be told.")
    read = parse or parse_object

    def values() -> Iterator[_Value]:
        for line in lines:
            try:
                value = convert(read(line.raw), line)
            except RecordError as error:
                said = error.message + (_SPREAD_OUT if _OPENING.match(line.raw) else "")
                placed = RecordError(said, file=file, line=line.number, field=error.field)
                if report is None or on_error == "stop":
                    raise placed from None
                report.add(placed)
            else:
                yield value

    return values()


def numbered_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank with their numbers alone."""
    return ((line.number, line.raw) for line in _file_lines(path))


def _file_lines(path: str | Path) -> Iterator[Line]:
    """The lines of a file that are not blank; an overlong one is cut just above the limit."""
    try:
        with open(path, "rb") as handle:
            number = start = 0
            while raw := handle.readline(_MAX_LINE_BYTES + 1):
                number += 1
                length = len(rest := raw)
                while len(rest) > _MAX_LINE_BYTES and not rest.endswith(b"\n"):
                    rest = handle.readline(_MAX_LINE_BYTES + 1)
                    length += len(rest)
                    if length > _MOST_LINE_BYTES:
                        raise RecordError("has a line without an end", file=str(path), line=number)
                if number == 1:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                if not raw.isspace() and raw:
                    yield Line(number, raw, start)
                start += length
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror or error}", file=str(path)) from None


def whole_lines(path: str | Path, tell: Callable[[RecordError], object] = lambda error: None) -> Iterator[Line]:
    """The lines of a file that this program wrote, without those that an interruption or a power failure destroyed: they are told.

    No JSON holds a NUL, but a block that was never written to the disk reads as NULs.
    """
    for line in _file_lines(path):
        if is_torn(line.raw):
            damage = "the last line was torn off by an interrupted run"
        elif b"\0" in line.raw:
            damage = "the line holds NUL bytes, as a power failure leaves them"
        else:
            yield line
            continue
        tell(RecordError(f"{damage}; it is left out", file=str(path), line=line.number))


def is_torn(raw: bytes) -> bool:
    """Whether a line was cut off while it was written: it has no end, and is not a JSON object as it stands."""
    if raw.endswith(b"\n") or len(raw) > _MAX_LINE_BYTES:
        return False
    try:
        parse_object(raw)
    except RecordError:
        return True
    return False


def parse_object(raw: bytes) -> JsonObject:
    if len(raw) > _MAX_LINE_BYTES:
        raise RecordError(f"the line is longer than {_MAX_LINE_BYTES} bytes")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"is not UTF-8: byte 0x{raw[error.start]:02x} at position {error.start}") from None
    value = parse_json(text)
    if not isinstance(value, dict):
        raise RecordError(f"must be a JSON object, not {value_text(value)}")
    return value


def parse_own_object(raw: bytes) -> JsonObject:
    """One line that this program wrote, as a JSON object: read fast; what is wrong with it is told as of any line."""
    try:
        value = from_json(raw, allow_inf_nan=False)
    except ValueError:
        return parse_object(raw)
    return value if isinstance(value, dict) else parse_object(raw)


def parse_json(text: str) -> Any:
    """JSON text as a value, refusing what JSON programs do not read alike."""
    value = _decode(_DECODER.decode, text)
    if "\\ud" in text or "\\uD" in text:
        _refuse_lone_surrogates(value)
    return value


def parse_json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends: for JSON inside a model's text."""
    value, end = _decode(_DECODER.raw_decode, text, start)
    _refuse_lone_surrogates(value)
    return value, end


def _decode(decode: Callable[..., Any], *where: Any) -> Any:
    try:
        return decode(*where)
    except json.JSONDecodeError as error:
        raise RecordError(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError as error:
        raise RecordError(f"cannot be read as JSON: {error}") from None
    except RecursionError:
        raise RecordError("cannot be read as JSON: it is nested too deeply") from None


def json_line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON, with its line end. Floats are written so that reading gives the same bits."""
    try:
        line = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
        size = len(line.encode("utf-8"))
    except UnicodeEncodeError:
        raise RecordError("cannot be written: a string holds a lone surrogate, which UTF-8 has no bytes for") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"cannot be written as JSON: {error}") from None
    if size > _MAX_LINE_BYTES:
        raise RecordError(f"cannot be written: the line would be longer than {_MAX_LINE_BYTES} bytes")
    return line


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write one JSON line per record and return how many; the folder is made if need be.

    The lines grow in `PATH.partial`, which takes the file's place when it is complete: a file may be rewritten from
    itself, and a failure half way leaves both the old file and what was done. A device such as /dev/stdout is written to.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    is_device = target.exists() and not target.is_file()
    growing = target if is_device else target.with_name(target.name + ".partial")
    count = 0
    with open(growing, "w", encoding="utf-8", newline="\n") as handle:
        for record in records:
            handle.write(json_line(record))
            count += 1
    if not is_device:
        os.replace(growing, target)
    return count


def count_lines(path: str | Path) -> int | None:
    """How many records a file has, for a progress bar; None if it cannot be counted."""
    try:
        with open(path, "rb") as handle:
            return sum(1 for line in handle if line.strip())
    except OSError:
        return None


def with_extra(known: JsonObject, extra: Mapping[str, Any], *, reserved: Iterable[str] = ()) -> JsonObject:
    """A record's own fields followed by the unknown ones that came with it; one of the same name is an error."""
    if not extra:
        return known
    for name in (*known, *reserved):
        if name in extra:
            raise RecordError(f"extra holds {name!r}, which is a field of its own", field=name)
    return {**known, **extra}


def value_text(value: Any) -> str:
    """A value as an error message shows it: short, and as it stands in the file."""
    if isinstance(value, dict | list):
        return f"an {'object' if isinstance(value, dict) else 'array'} of {len(value)}"
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"the key {value_text(name)} is there twice")
            seen.add(name)
    return result


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {value_text(text)} is beyond the range of a double")
    return number


def _int(text: str) -> int:
    if len(text) > sys.float_info.max_10_exp:
        _float(text)
    return int(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int)


def _refuse_lone_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError("a string holds a lone surrogate (\\ud800 to \\udfff without its pair)") from None
    except RecursionError:
        raise RecordError("cannot be read as JSON: it is nested too deeply") from None
