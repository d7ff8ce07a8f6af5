"""Other people's data sets, from local files in their published forms, written as problems with every image checked.

A layout makes one row of a data set the JSON object of a problem; the fields' names are the data sets' own. `images` in
it are paths, or bytes where the data set holds its pictures inside. `group` joins the problems that a group-level score
counts together, `part` says which of them a problem is.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from evpv.errors import ConfigError, RecordError, unknown_name
from evpv.files import regular_content
from evpv.records.lines import Skipped, read_records, write_records
from evpv.records.problems import problem_from_json, problem_to_json

_KINDS = {b"\x89PNG": "png", b"\xff\xd8": "jpg", b"GIF8": "gif", b"RIFF": "webp", b"BM": "bmp"}
_MOST_JSON_BYTES = 2 << 30
_MOST_CELL = 1 << 28
"""Pictures stand in cells as base64."""


_NamedRows: TypeAlias = Iterator[tuple[str, dict[str, Any]]]


@dataclass(slots=True)
class _Imported:
    """What came of an import: problems written, rows left out with the reasons, and images that are not there, by name."""

    problems: int = 0
    skipped: Skipped = field(default_factory=Skipped)
    missing_images: list[str] = field(default_factory=list)


def import_benchmark(
    layout: str, source: Path, output: Path, *, images: Path | None = None, where: Mapping[str, str] | None = None
) -> _Imported:
    """Write a data set's rows as problems. `images` is the folder that its image paths are relative to, if not the file's.

    `where` keeps the rows whose fields have these values. A row that is no problem is left out and counted; a missing image
    is a named fact, and the problem is written without it.
    """
    if layout not in LAYOUTS:
        raise unknown_name("data set", layout, LAYOUTS)
    report = _Imported()
    folder = images or (source if source.is_dir() else source.parent)
    write_records(output, _problems(layout, source, output, folder, where or {}, report))
    if not report.problems:
        first = f" The first: {report.skipped.messages[0]}" if report.skipped.messages else ""
        raise RecordError(f"no row of {source.name} is a problem of {layout}.{first}", file=str(source))
    return report


def _problems(
    layout: str, source: Path, output: Path, folder: Path, where: Mapping[str, str], report: _Imported
) -> Iterator[dict[str, Any]]:
    convert, seen = LAYOUTS[layout], set[str]()
    for number, (name, row) in enumerate(_rows(source), start=1):
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


def _rows(source: Path) -> _NamedRows:
    """The rows of a file with what they are called: its key in an object of rows, else its number.

    A folder is all of its tables, one after another (MMMU has a file per subject), their rows named after the file.
    """
    if source.is_dir() or any(mark in str(source) for mark in "*?["):
        yield from _joined_rows(source)
        return
    readers: dict[str, Callable[[Path], _NamedRows]] = {
        ".jsonl": lambda file: read_records(file, lambda row, line: (f"line-{line.number}", row)),
        ".json": _json, ".tsv": _table, ".csv": _table, ".parquet": _parquet,
    }  # fmt: skip
    reader = readers.get(source.suffix.lower())
    if reader is None:
        raise ConfigError(
            f"{source.name}: a data set is read from {', '.join(readers)}, not {source.suffix or 'this'}."
        )
    if not source.is_file():
        raise ConfigError(f"{source}: there is no such file.")
    yield from reader(source)


def _joined_rows(source: Path) -> _NamedRows:
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
        yield from ((f"{place}-{name}", row) for name, row in _rows(file))


def _json(source: Path) -> _NamedRows:
    try:
        data = json.loads(regular_content(source, _MOST_JSON_BYTES))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"is not JSON: {error}", file=str(source)) from None
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}", file=str(source)) from None
    if not isinstance(data, list | dict):
        raise RecordError("is neither a list of rows nor an object of them", file=str(source))
    named = data.items() if isinstance(data, dict) else ((f"row-{k}", row) for k, row in enumerate(data, start=1))
    for name, row in named:
        yield str(name), row if isinstance(row, dict) else {}


def _table(source: Path) -> _NamedRows:
    def lines() -> Iterator[str]:
        while line := handle.readline(_MOST_CELL + 1):
            if len(line) > _MOST_CELL:
                raise RecordError("has a line without an end", file=str(source))
            yield line

    csv.field_size_limit(_MOST_CELL)
    with source.open(encoding="utf-8", newline="") as handle:
        reader = csv.DictReader(lines(), delimiter="\t" if source.suffix.lower() == ".tsv" else ",")
        try:
            for number, row in enumerate(reader, start=1):
                yield f"row-{number}", {str(key): value for key, value in row.items() if key is not None}
        except (csv.Error, UnicodeDecodeError) as error:
            raise RecordError(f"is no table: {error}", file=str(source)) from None


def _parquet(source: Path) -> _NamedRows:
    from pyarrow import ArrowException  # type: ignore[import-untyped]  # the train extra's; few need it here
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    number = 0
    try:
        for batch in ParquetFile(source).iter_batches(batch_size=64):
            for row in batch.to_pylist():
                number += 1
                yield f"row-{number}", row
    except (ArrowException, OSError) as error:
        raise RecordError(f"is no Parquet: {error}", file=str(source)) from None


def _with_images(made: dict[str, Any], output: Path, folder: Path, report: _Imported) -> dict[str, Any]:
    """The problem with its image paths from the output's folder; pictures held as bytes are written beside it."""
    held, named = made.pop("pictures", []), made.pop("image", None) or []
    saved = (_save_picture(picture, made["id"], k, output) for k, picture in enumerate(held, start=1))
    kept = list(filter(None, saved))
    if not kept:
        for path in [named] if isinstance(named, str) else map(str, named):
            if (folder / path).is_file():
                kept.append(str((folder / path).resolve()))
            else:
                report.missing_images.append(path)
    return {**made, "image": kept} if kept else made


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


_Row: TypeAlias = Mapping[str, Any]
_Layout: TypeAlias = Callable[[_Row, str], dict[str, Any]]
"""A row and what it is called if it has no name of its own → a problem's object."""

_IN_THE_PICTURE = "Solve the problem that is written in the picture."
"""What is asked where a data set has its question in the picture only."""
_CHOICES = re.compile(r"\n?\s*Choices?\s*:\s*\n?", re.IGNORECASE)
_LETTERED = re.compile(r"(?:^|[\n;,]\s*|\s{2,})\(?([A-J])[.):]\s*")


def _mathvista(row: _Row, name: str) -> dict[str, Any]:
    """`annot_testmini.json` or the hub's table: a multiple-choice answer is the choice's text."""
    kept = ("unit", "precision", "question_type")
    return _problem("MathVista", row, _word(row, "pid", name), *kept, options=row.get("choices"))


def _mathvision(row: _Row, name: str) -> dict[str, Any]:
    """`test.jsonl`. Options that are only the letters say nothing and are left out."""
    options = [option for option in row.get("options") or [] if str(option) not in "ABCDE"]
    return _problem("MathVision", row, _word(row, "id", name), "level", "subject", options=options)


def _mathverse(row: _Row, name: str) -> dict[str, Any]:
    """`testmini.json`. MathVerse-VO is `problem_version` “Vision Only”: its question stands in the picture and nowhere else.

    `question_for_eval` is for who scores answers; to show it would turn the vision-only split into a text one.
    """
    question, *choices = _CHOICES.split(str(row.get("question") or _IN_THE_PICTURE), maxsplit=1)
    asked, options = {**row, "question": question}, _lettered_options("".join(choices))
    own, group = _word(row, "sample_index", name), _word(row, "problem_index", "")
    return _problem("MathVerse", asked, own, "problem_version", options=options, group=group)


def _wemath(row: _Row, name: str) -> dict[str, Any]:
    """`testmini.json`. A composite problem and its one-step parts share an ID; `key` says which is which."""
    key = str(row.get("key") or "")
    group = _word(row, "ID", name)
    image, options = row.get("image_path") or row.get("image"), _lettered_options(str(row.get("option") or ""))
    own = f"{group}-{key}" if key else group
    return _problem("WeMath", row, own, image=image, options=options, group=group, part=key)


def _logicvista(row: _Row, name: str) -> dict[str, Any]:
    """`dataset.json`, an object of rows by name; options stand in the question or in the picture."""
    image = row.get("imagename") or row.get("image")
    found = f"images/{image}" if isinstance(image, str) and "/" not in image else image
    skill = row.get("skill")
    return _problem("LogicVista", row, name, image=found, skill=", ".join(skill) if isinstance(skill, list) else skill)


def _mmmu(row: _Row, name: str) -> dict[str, Any]:
    """The hub's table: options are a list written as text, pictures stand in `image_1` … `image_7`."""
    pictures = [row[f"image_{k}"] for k in range(1, 8) if row.get(f"image_{k}")]
    return _problem("MMMU", row, _word(row, "id", name), options=_as_list(row.get("options")), pictures=pictures)


def _dynamath(row: _Row, name: str) -> dict[str, Any]:
    """One row per variant of a seed question; the worst case counts a seed only if all its variants are right."""
    seed = _word(row, "id", name)
    variant = row.get("variant", row.get("varid"))
    own = f"{seed}-{variant}" if variant is not None else seed
    answered = {**row, "answer": row.get("ground_truth", row.get("answer"))}
    return _problem("DynaMath", answered, own, "subject", group=seed)


def _visualprm400k(row: _Row, name: str) -> dict[str, Any]:
    """A trajectory whose steps have soft labels: the share of continuations that ended right."""
    steps = row.get("steps_with_score")
    if not isinstance(steps, list) or not all(isinstance(s, Mapping) and "step" in s and "score" in s for s in steps):
        raise RecordError("must be a list of objects with `step` and `score`", field="steps_with_score")
    said = [{"text": str(s["step"]), "soft_label": s["score"], "label": 1 if s["score"] > 0 else -1} for s in steps]
    made = _problem("VisualPRM400K", row, _word(row, "id", name))
    return {**made, "candidates": [{"id": "1", "steps": said}]}


def _vlmevalkit(row: _Row, name: str) -> dict[str, Any]:
    """A result table: the options in columns A, B, …, what the model said in `prediction`."""
    options = [str(row[letter]) for letter in "ABCDEFGH" if _has_content(row.get(letter))]
    made = _problem("VLMEvalKit", row, _word(row, "index", name), image=row.get("image_path"), options=options)
    said = row.get("prediction")
    return {**made, "candidates": [{"id": "1", "response": str(said)}]} if _has_content(said) else made


def _lmms_eval(row: _Row, name: str) -> dict[str, Any]:
    """A line of a samples log: the document, the target, and one or several responses, nested as its versions nest them."""
    document: _Row = row["doc"] if isinstance(row.get("doc"), Mapping) else {}
    question = document.get("question") or document.get("problem") or row.get("input") or ""
    answer, image = row.get("target", document.get("answer")), document.get("image")
    responses = _flat(row.get("resps") or row.get("filtered_resps"))
    asked = {"question": question, "answer": answer, "image": image if isinstance(image, str) else None}
    options = document.get("options") or document.get("choices")
    made = _problem("lmms-eval", asked, _word(row, "doc_id", name), options=options)
    return {**made, "candidates": [{"id": str(k), "response": text} for k, text in enumerate(responses, start=1)]}


LAYOUTS: dict[str, _Layout] = {
    # our own reader takes its rows as they are; here they are given ids and checked images
    "visualprocessbench": lambda row, name: {"id": name, **row},
    "visualprm400k": _visualprm400k, "mathvista": _mathvista, "mathvision": _mathvision,
    "mathverse": _mathverse, "wemath": _wemath, "logicvista": _logicvista, "mmmu": _mmmu, "dynamath": _dynamath,
    "vlmevalkit": _vlmevalkit, "lmms-eval": _lmms_eval,
}  # fmt: skip


def _problem(source: str, row: _Row, name: str, *kept: str, **stated: Any) -> dict[str, Any]:
    """The fields that all have, those that are kept under their names, and what is stated otherwise."""
    question, answer = row.get("question"), row.get("answer")
    if not isinstance(question, str) or not question.strip():
        raise RecordError("must be a text that is not empty", field="question")
    made = {
        "id": name, "question": question, "image": row.get("image"), "answer": answer if _has_content(answer) else None,
        "data_source": source, "pictures": row.get("decoded_image"), **{field: row.get(field) for field in kept}, **stated,
    }  # fmt: skip
    if made["pictures"] is not None and not isinstance(made["pictures"], list):
        made["pictures"] = [made["pictures"]]
    return {key: value for key, value in made.items() if value not in (None, "", [])}


def _word(row: _Row, field: str, otherwise: str) -> str:
    value = row.get(field)
    return str(value) if _has_content(value) else otherwise


def _has_content(value: object) -> bool:
    """Whether a cell says anything: tables write what is missing as NaN."""
    return value is not None and value == value and str(value).strip() != ""


def _lettered_options(text: str) -> list[str]:
    """The options of a text such as "A. 3; B. 4; C. no correct answer".

    >>> _lettered_options("A. 3cm; B. 4cm; C. no correct answer")
    ['3cm', '4cm', 'no correct answer']
    """
    parts = _LETTERED.split(text)
    letters, texts = parts[1::2], parts[2::2]
    in_order = letters == [chr(ord("A") + k) for k in range(len(letters))]
    return [option.strip(" ;\n") for option in texts] if len(letters) > 1 and in_order else []


def _as_list(value: object) -> list[str]:
    """A list, or a list written as text; read as a literal, never evaluated."""
    if isinstance(value, list):
        return [str(one) for one in value]
    if not _has_content(value):
        return []
    try:
        found = ast.literal_eval(str(value))
    except (ValueError, SyntaxError):
        raise RecordError("must be a list, or a list written as text", field="options") from None
    return [str(one) for one in found] if isinstance(found, list | tuple) else []


def _flat(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for one in value for text in _flat(one)] if isinstance(value, list) else []
