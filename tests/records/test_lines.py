"""Bytes to objects and back: what is harmless, and what each bad line is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.errors import ConfigError, RecordError
from evpv.records import Skipped, read_problems, write_problems
from evpv.records import lines as lines_module
from evpv.records.lines import json_line, parse_object, value_text, with_extra, write_records

GOOD = b'{"id": "a", "question": "q"}\n'


def written(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "problems.jsonl"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a byte-order mark", b"\xef\xbb\xbf" + GOOD),
        ("CRLF", GOOD.replace(b"\n", b"\r\n")),
        ("blank lines", b"\n  \r\n" + GOOD + b"\n\t\n"),
        ("no line end at the end", GOOD.rstrip()),
        ("a line separator inside a string", '{"id": "a", "question": "q\u2028q"}\n'.encode()),
    ],
)
def test_harmless_things_are_accepted(tmp_path: Path, name: str, content: bytes) -> None:
    assert [problem.id for problem in read_problems(written(tmp_path, content))] == ["a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "a"', "is not JSON: Expecting ',' delimiter at character 12"),
        (b"[1]", "must be a JSON object, not an array of 1"),
        (b"3", "must be a JSON object, not 3"),
        (b'{"id": "a", "id": "b"}', 'cannot be read as JSON: the key "id" is there twice'),
        (b'{"id": "a", "deep": {"x": 1, "x": 1}}', 'the key "x" is there twice'),
        (b'{"id": "a", "level": NaN}', "NaN is not a JSON number"),
        (b'{"id": "a", "level": -Infinity}', "-Infinity is not a JSON number"),
        (b'{"id": "a", "level": 1e999}', 'the number "1e999" is beyond the range of a double'),
        (b'{"id": "a\xff"}', "is not UTF-8: byte 0xff at position 9"),
        ("\ufeff{}".encode("utf-16-le"), "is not UTF-8: byte 0xff at position 0"),
        (b'{"id": "\\ud800"}', "a string holds a lone surrogate"),
        (b'{"id": "a", "note": ["\\uDFFF"]}', "a string holds a lone surrogate"),
        (b'{"id": "a", "level": ' + b"9" * 5000 + b"}", "is beyond the range of a double"),
        (b'{"id": ' + b"[" * 100_000, "cannot be read as JSON: it is nested too deeply"),
        (b'{"id": "a"} {"id": "b"}', "is not JSON: Extra data at character 13"),
    ],
)
def test_a_line_that_programs_would_read_differently_is_refused(tmp_path: Path, line: bytes, message: str) -> None:
    path = written(tmp_path, GOOD.replace(b'"a"', b'"first"') + b"\n" + line + b"\n")
    reader = read_problems(path)
    assert next(reader).id == "first"
    with pytest.raises(RecordError) as caught:
        next(reader)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:3: ")


def test_a_surrogate_pair_is_a_character() -> None:
    assert parse_object(b'{"id": "\\ud83d\\ude00"}') == {"id": "\N{GRINNING FACE}"}


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"absent\.jsonl: cannot be read: No such file"):
        list(read_problems(tmp_path / "absent.jsonl"))
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        list(read_problems(tmp_path))


def test_a_ten_megabyte_line_is_read(tmp_path: Path) -> None:
    question = "x" * 10_000_000
    path = written(tmp_path, b'{"id": "a", "question": "' + question.encode() + b'"}\n')
    assert next(read_problems(path)).question == question


def test_an_overlong_line_is_one_bad_line_and_the_next_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"id": "' + b"x" * (lines_module._MAX_LINE_BYTES * 2) + b'"}\n' + GOOD)
    report = Skipped()
    assert [problem.id for problem in read_problems(path, on_error="skip", report=report)] == ["a"]
    assert report.count == 1
    assert "problems.jsonl:1: the line is longer than" in report.messages[0]


def test_skipping_counts_every_bad_line_and_keeps_the_first_reasons(tmp_path: Path) -> None:
    path = written(tmp_path, b"nonsense\n" * 8 + GOOD)
    report = Skipped()
    assert [problem.id for problem in read_problems(path, on_error="skip", report=report)] == ["a"]
    assert report.count == 8
    assert report.messages == [f"{path}:{n}: is not JSON: Expecting value at character 1" for n in range(1, 6)]


def test_stopping_is_the_default_and_skipping_needs_a_report(tmp_path: Path) -> None:
    path = written(tmp_path, b"nonsense\n" + GOOD)
    with pytest.raises(RecordError):
        list(read_problems(path))
    with pytest.raises(ConfigError, match="needs report"):
        read_problems(path, on_error="skip")
    with pytest.raises(ConfigError, match="did you mean 'skip'"):
        read_problems(path, on_error="skp")  # type: ignore[arg-type]


def test_reading_is_lazy(tmp_path: Path) -> None:
    reader = read_problems(written(tmp_path, GOOD + b"nonsense\n"))
    assert next(reader).id == "a"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"a": float("nan")}, "cannot be written as JSON"),
        ({"a": float("inf")}, "cannot be written as JSON"),
        ({"a": "\ud800"}, "lone surrogate"),
        ({"a": {1, 2}}, "cannot be written as JSON: Object of type set"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(record: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        json_line(record)


def test_writing_makes_the_folder_and_keeps_text_readable(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.jsonl"
    assert write_records(path, [{"id": "∠ABC"}, {"id": 2}]) == 2
    assert path.read_bytes() == '{"id": "∠ABC"}\n{"id": 2}\n'.encode()


def test_a_file_may_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD + GOOD.replace(b'"a"', b'"b"'))
    assert write_problems(path, read_problems(path)) == 2
    assert [problem.id for problem in read_problems(path)] == ["a", "b"]


def test_a_failure_half_way_leaves_the_old_file_and_what_was_done(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    with pytest.raises(RecordError):
        write_records(path, [{"id": "new"}, {"id": float("nan")}])
    assert path.read_bytes() == GOOD
    assert (tmp_path / "problems.jsonl.partial").read_bytes() == b'{"id": "new"}\n'


def test_a_device_is_written_to_and_not_replaced() -> None:
    assert write_records("/dev/null", [{"id": "a"}]) == 1
    assert Path("/dev/null").is_char_device()


def test_extra_may_not_hide_a_field() -> None:
    assert with_extra({"id": 1}, {"note": 2}) == {"id": 1, "note": 2}
    with pytest.raises(RecordError, match="extra holds 'id'"):
        with_extra({"id": 1}, {"id": 2})
    with pytest.raises(RecordError, match="extra holds 'image'"):
        with_extra({"id": 1}, {"image": 2}, reserved=("image",))


def test_values_in_messages_are_short() -> None:
    assert value_text("x" * 100) == '"' + "x" * 56 + "..."
    assert value_text({"a": 1}) == "an object of 1"
    assert value_text(None) == "null"
