"""Rows of a file, whatever its form, and a data set of them written as problems with every image checked."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from evpv.errors import ConfigError, RecordError, unknown_name
from evpv.records.benchmarks.layouts import LAYOUTS
from evpv.records.lines import Skipped, read_records, write_records
from evpv.records.problems import problem_from_json, problem_to_json

_KINDS = {b"\x89PNG": "png", b"\xff\xd8": "jpg", b"GIF8": "gif", b"RIFF": "webp", b"BM": "bmp"}


@dataclass(slots=True)
class Imported:
    """What came of an import: problems written, rows left out with the reasons, and images that are not there, by name."""

    problems: int = 0
    skipped: Skipped = field(default_factory=Skipped)
    missing_images: list[str] = field(default_factory=list)


def import_benchmark(
    layout: str, source: Path, output: Path, *, images: Path | None = None, where: Mapping[str, str] | None = None
) -> Imported:
    """Write a data set's rows as problems. `images` is the folder that its image paths are relative to, if not the file's.

    `where` keeps the rows whose fields have these values. A row that is no problem is left out and counted; a missing image
    is a named fact, and the problem is written without it.
    """
    if layout not in LAYOUTS:
        raise unknown_name("data set", layout, LAYOUTS)
    report = Imported()
    folder = images or (source if source.is_dir() else source.parent)
    write_records(output, _problems(layout, source, output, folder, where or {}, report))
    if not report.problems:
        first = f" The first: {report.skipped.messages[0]}" if report.skipped.messages else ""
        raise RecordError(f"no row of {source.name} is a problem of {layout}.{first}", file=str(source))
    return report


def _problems(
    layout: str, source: Path, output: Path, folder: Path, where: Mapping[str, str], report: Imported
) -> Iterator[dict[str, Any]]:
    convert, seen = LAYOUTS[layout], set[str]()
    for number, (name, row) in enumerate(rows(source), start=1):
        if any(str(row.get(key)) != value for key, value in where.items()):
            continue
        try:
            made = convert(row, name)
            if made["id"] in seen:
                raise RecordError(f"{made['id']!r} is the id of an earlier row too", field="id")
            placed = _with_images(made, output, folder, report)
            problem = problem_from_json(placed, folder=str(output.parent), default_id=name)
        except RecordError as error:
            report.skipped.add(RecordError(error.message, file=source.name, line=number, field=error.field))
            continue
        seen.add(problem.id)
        report.problems += 1
        yield problem_to_json(problem, folder=str(output.parent))


def rows(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file with what they are called: its key in an object of rows, else its number.

    A folder is all of its tables, one after another (MMMU has a file per subject), their rows named after the file.
    """
    if source.is_dir() or any(mark in str(source) for mark in "*?["):
        yield from _joined_rows(source)
        return
    readers = {
        ".jsonl": _json_lines, ".json": _json, ".tsv": _table, ".csv": _table, ".parquet": _parquet,
    }  # fmt: skip
    reader = readers.get(source.suffix.lower())
    if reader is None:
        raise ConfigError(
            f"{source.name}: a data set is read from {', '.join(readers)}, not {source.suffix or 'this'}."
        )
    if not source.is_file():
        raise ConfigError(f"{source}: there is no such file.")
    yield from reader(source)


def _joined_rows(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a folder's files, or of those that a pattern such as `MMMU/*/validation-*.parquet` names."""
    fixed = source
    while any(mark in str(fixed) for mark in "*?["):
        fixed = fixed.parent
    found = fixed.rglob("*") if fixed == source else fixed.glob(str(source.relative_to(fixed)))
    files = sorted(file for file in found if file.suffix.lower() in (".jsonl", ".parquet", ".tsv", ".csv"))
    if not files:
        raise ConfigError(f"{source}: no table (.jsonl, .parquet, .tsv, .csv) is there.")
    for file in files:
        place = "-".join(file.relative_to(fixed).with_suffix("").parts)
        yield from ((f"{place}-{name}", row) for name, row in rows(file))


def _json_lines(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    return read_records(source, lambda row, line: (f"line-{line}", row))


def _json(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"is not JSON: {error}", file=str(source)) from None
    named = data.items() if isinstance(data, dict) else ((f"row-{k}", row) for k, row in enumerate(data, start=1))
    for name, row in named:
        yield str(name), row if isinstance(row, dict) else {}


def _table(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    csv.field_size_limit(1 << 28)  # pictures stand in cells as base64
    with source.open(encoding="utf-8", newline="") as handle:
        reader = csv.DictReader(handle, delimiter="\t" if source.suffix.lower() == ".tsv" else ",")
        try:
            for number, row in enumerate(reader, start=1):
                yield f"row-{number}", {str(key): value for key, value in row.items() if key is not None}
        except (csv.Error, UnicodeDecodeError) as error:
            raise RecordError(f"is no table: {error}", file=str(source)) from None


def _parquet(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]  # the train extra's; few need it here

    number = 0
    for batch in ParquetFile(source).iter_batches(batch_size=64):
        for row in batch.to_pylist():
            number += 1
            yield f"row-{number}", row


def _with_images(made: dict[str, Any], output: Path, folder: Path, report: Imported) -> dict[str, Any]:
    """The problem with its image paths from the output's folder; pictures held as bytes are written beside it."""
    held = made.pop("pictures", [])
    paths = [_save_picture(picture, made["id"], k, output) for k, picture in enumerate(held, start=1)]
    named = made.pop("image", None) or []
    if not any(paths):
        paths = [_found(str(path), folder, report) for path in ([named] if isinstance(named, str) else named)]
    kept = list(filter(None, paths))
    return {**made, "image": kept} if kept else made


def _found(path: str, folder: Path, report: Imported) -> str | None:
    place = folder / path
    if not place.is_file():
        report.missing_images.append(path)
        return None
    return str(place.resolve())


def _save_picture(picture: Any, name: str, number: int, output: Path) -> str | None:
    """The path of a picture that was held inside, as a hub's table holds it: {"bytes", "path"}."""
    data = picture.get("bytes") if isinstance(picture, Mapping) else picture
    if not isinstance(data, bytes):
        return None
    kind = next((suffix for magic, suffix in _KINDS.items() if data.startswith(magic)), None)
    if kind is None:
        raise RecordError("holds bytes that are no picture", field="image")
    safe = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in name)[:80]
    digest = sha256(data).hexdigest()[:12]  # "a/b" and "a_b" are one name, but not one picture
    place = output.parent / "images" / f"{safe}-{number}-{digest}.{kind}"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return str(place.resolve())
