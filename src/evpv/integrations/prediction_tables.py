"""The chosen answers of a run as tables of predictions that evaluation kits score: VLMEvalKit's and lmms-eval's."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from evpv.errors import ConfigError, RecordError, unknown_name
from evpv.language.final_answers import final_answer
from evpv.records import read_traces
from evpv.types import Trace

Words = Literal["response", "answer"]
"""What is written of the chosen candidate: all that it says, or its final answer alone."""

_DELIMITERS = {".tsv": "\t", ".csv": ","}
_CELL_LIMIT = 1 << 28  # pictures stand in cells as base64


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExportCounts:
    """How many predictions were written, the ids of rows that have none, and of ties, whose first in order was taken."""

    predictions: int
    missing: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What to write: which words; into which `table` of the kit's own (VLMEvalKit); as which `task` (lmms-eval)."""

    words: Words = "response"
    table: Path | None = None
    task: str | None = None


def prediction(trace: Trace, words: Words = "response") -> str | None:
    """What the chosen candidate says; None without candidates, or where only the answer is wanted and it has none.

    A response ends with its final answer on a line of its own, unless it announces the same one itself.
    """
    if not trace.candidates:
        return None
    chosen = next(candidate for candidate in trace.candidates if candidate.id == trace.ranking.order[0])
    if words == "answer":
        return chosen.final_answer
    text = "\n".join(step.text for step in chosen.steps)
    if chosen.final_answer is None or final_answer(text) == chosen.final_answer:
        return text
    return f"{text}\nAnswer: {chosen.final_answer}".lstrip("\n")


def _write_vlmevalkit(traces: Iterable[Trace], output: Path, wish: Wish) -> _ExportCounts:
    """A .tsv or .csv with the columns of VLMEvalKit's result files: `index`, `question`, A …, `answer`, `prediction`.

    With the kit's own table, its rows and columns are kept as they are, pictures excepted, as the kit itself does: its
    scorers want columns such as `category` that problems do not hold. A row without a trace has an empty prediction.
    """
    if output.suffix not in _DELIMITERS:
        raise ConfigError(f"{output.name}: VLMEvalKit's predictions are written as {' or '.join(_DELIMITERS)}.")
    kept = list(traces)
    rows = list(_rows_of_table(wish.table, kept, wish.words) if wish.table else _rows(kept, wish.words))
    columns = [*dict.fromkeys(name for row in rows for name in row if name != "prediction"), "prediction"]
    with output.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, columns, delimiter=_DELIMITERS[output.suffix], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    missing = tuple(str(row["index"]) for row in rows if not row["prediction"])
    return _ExportCounts(predictions=len(rows) - len(missing), missing=missing, tied=_ties(kept))


def _rows(traces: Iterable[Trace], words: Words) -> Iterator[dict[str, Any]]:
    for trace in traces:
        options = dict(zip("ABCDEFGH", trace.problem.options, strict=False))
        known = {"index": trace.problem_id, "question": trace.question, **options}
        told = {"tied": "yes"} if trace.ranking.tied else {}
        yield {**known, "answer": trace.problem.answer, **told, "prediction": prediction(trace, words)}


def _rows_of_table(table: Path, traces: Iterable[Trace], words: Words) -> Iterator[dict[str, Any]]:
    if table.suffix not in _DELIMITERS:
        raise ConfigError(f"{table.name}: a table is read from {' or '.join(_DELIMITERS)}.")
    said = {trace.problem_id: prediction(trace, words) for trace in traces}
    csv.field_size_limit(_CELL_LIMIT)
    try:
        with table.open(encoding="utf-8", newline="") as handle:
            reader = csv.DictReader(handle, delimiter=_DELIMITERS[table.suffix])
            if "index" not in (reader.fieldnames or ()):
                raise RecordError("has no column 'index', by which VLMEvalKit knows its rows", file=str(table))
            for row in reader:
                kept = {name: cell for name, cell in row.items() if name not in ("image", "prediction")}
                yield {**kept, "prediction": said.get(str(row["index"]))}
    except OSError as error:
        raise ConfigError(f"{table}: cannot be read: {error.strerror or error}") from None


def _write_lmms_eval(traces: Iterable[Trace], output: Path, wish: Wish) -> _ExportCounts:
    """A log that lmms-eval's model `from_log` answers from: the kit asks it and scores as it would any model.

    Its ids are the numbers of the task's documents, so problems must come from such a task (`evpv import lmms-eval`).
    """
    if wish.task is None:
        raise ConfigError("lmms-eval finds predictions by their task: name it.")
    if output.suffix != ".json":
        raise ConfigError(f"{output.name}: lmms-eval's model from_log reads .json.")
    logs: dict[int, dict[str, Any]] = {}
    missing: list[str] = []
    kept = list(traces)
    for trace in kept:
        text = prediction(trace, wish.words)
        if text is None:
            missing.append(trace.problem_id)
        try:
            number = int(trace.problem_id)
        except ValueError:
            said = f"{trace.problem_id!r} is not the number of a document; import the task's own log first"
            raise RecordError(said, field="problem_id") from None
        logs[number] = {"doc_id": number, "target": trace.problem.answer, "resps": [[text or ""]]}
    log = {
        "args": {"model": "evpv", "model_args": "", "limit": None},
        "model_configs": {"task": wish.task},
        "time": datetime.now().strftime("%m%d_%H%M"),
        "logs": [logs[number] for number in sorted(logs)],
    }
    output.write_text(json.dumps(log, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return _ExportCounts(predictions=len(logs) - len(missing), missing=tuple(missing), tied=_ties(kept))


def _ties(traces: Iterable[Trace]) -> tuple[str, ...]:
    return tuple(trace.problem_id for trace in traces if trace.ranking.tied)


KITS: Mapping[str, Callable[[Iterable[Trace], Path, Wish], _ExportCounts]] = {
    "vlmevalkit": _write_vlmevalkit,
    "lmms-eval": _write_lmms_eval,
}


def export_run(kit: str, run: Path, output: Path, wish: Wish) -> _ExportCounts:
    """Write a run's chosen answers in the form of a kit."""
    if kit not in KITS:
        raise unknown_name("evaluation kit", kit, KITS)
    output.parent.mkdir(parents=True, exist_ok=True)
    return KITS[kit](read_traces(run), output, wish)
