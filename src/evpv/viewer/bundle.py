"""Runs written as a page: one HTML file that needs nothing else, or, for large runs, one with a folder of data beside it.

The page's own contract is at the top of page/data.js. Traces pass through one at a time; problems gather in chunks that
the page loads when it needs them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from evpv.records.lines import JsonObject
from evpv.records.traces import TRACES_FILE, trace_to_json
from evpv.types import Trace
from evpv.viewer.evidence import evidence_of
from evpv.viewer.images import Pictures
from evpv.viewer.runs import Run, run_names, stored_run, traces_run
from evpv.viewer.summaries import Headline, right_answers, summary, without_gate

MOST_INLINE_PROBLEMS = 200
MOST_INLINE_BYTES = 40_000_000
"""More than either, and the page would open slowly as one file."""
CHUNK_PROBLEMS = 50
CHUNK_BYTES = 1_500_000
DATA_SCHEMA = 1
_OURS = re.compile(r"\d-\d{4,}\.(js|webp)")
_UNSAFE = re.compile(r"[:\\]")  # what the page refuses in the address of a chunk
_PLACE = re.compile(r"\{\{(policy|title|style|data|script)\}\}")

Watch: TypeAlias = Callable[[Iterable[Trace], str, int | None], Iterable[Trace]]
"""Traces, what is done with them and how many there are → the same traces, shown as they go by."""


def unwatched(traces: Iterable[Trace], what: str, count: int | None) -> Iterable[Trace]:
    """Nobody looks on."""
    return traces


def write_page(path: str | Path, traces: Iterable[Trace], *, title: str, folder: Path | None = None) -> None:
    """Write a page of traces; images named by relative paths are looked up from `folder` and put inside."""
    _write(Path(path), [traces_run(title, traces, folder)], title, embed=True)


def write_run_page(
    folders: Sequence[Path],
    output: Path,
    *,
    title: str | None = None,
    embed: bool | None = None,
    watch: Watch = unwatched,
) -> Path | None:
    """Write a page of one run, or of two to compare; the folder that a large one needs beside it is returned.

    Without `embed`, pictures go inside unless the runs are large.
    """
    names = run_names(folders)
    counts = [_lines(folder / TRACES_FILE) for folder in folders]
    stored = [stored_run(folder, name) for folder, name in zip(folders, names, strict=True)]
    runs = [
        replace(run, traces=watch(run.traces, f"writing {run.name}", count))
        for run, count in zip(stored, counts, strict=True)
    ]
    inside = sum(counts) <= MOST_INLINE_PROBLEMS if embed is None else embed
    return _write(output, runs, title or f"evpv: {' and '.join(names)}", embed=inside)


def _write(output: Path, runs: Sequence[Run], title: str, *, embed: bool) -> Path | None:
    """Chunks are written to a folder of their own first: whether they fit into one file is known when all are there."""
    output.parent.mkdir(parents=True, exist_ok=True)
    target = output.with_name(f"{_UNSAFE.sub('_', output.stem)}_data")
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.stem}-") as growing:
        beside = Path(growing) / target.name
        beside.mkdir()
        written = [_written_run(number, run, beside, output.parent, embed) for number, run in enumerate(runs)]
        chunks = [chunk for one in written for chunk in one.chunks]
        inline = (
            sum(chunk.count for chunk in chunks) <= MOST_INLINE_PROBLEMS
            and sum(chunk.file.stat().st_size for chunk in chunks) <= MOST_INLINE_BYTES
        )
        data = {"schema": DATA_SCHEMA, "title": title, "runs": [one.to_json(inline) for one in written]}
        elements = [_json_element("evpv-data", json.dumps(data, ensure_ascii=False, allow_nan=False))]
        if inline:
            elements += [_json_element(chunk.name, chunk.file.read_text(encoding="utf-8")) for chunk in chunks]
        else:
            for chunk in chunks:
                chunk.to_script()
        page = Path(growing) / "page.html"
        page.write_text(_page(title, "\n".join(elements)), encoding="utf-8", newline="\n")
        _settle(beside, target)
        os.replace(page, output)
    return target if target.is_dir() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Some problems of a run, in a file as a JSON list."""

    run: int
    index: int
    first: int
    count: int
    file: Path

    @property
    def name(self) -> str:
        return f"evpv-{self.run}-{self.index}"

    @property
    def script(self) -> Path:
        return self.file.with_suffix(".js")

    def to_script(self) -> None:
        """Turn the file into a script: from file:// a browser runs scripts but reads no JSON."""
        text = json.dumps(self.file.read_text(encoding="utf-8"), ensure_ascii=False)
        self.script.write_text(f"evpvChunk({self.run}, {self.index}, {text});\n", encoding="utf-8", newline="\n")
        self.file.unlink()

    def to_json(self, inline: bool) -> JsonObject:
        src = None if inline else f"{self.file.parent.name}/{self.script.name}"
        return {"first": self.first, "count": self.count, "src": src, "inline": self.name if inline else None}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRun:
    """What the page's first object says of a run, and the chunks that hold the rest."""

    run: Run
    matching: str
    headline: Headline
    problems: list[JsonObject]
    chunks: list[Chunk]

    def to_json(self, inline: bool) -> JsonObject:
        return {
            "name": self.run.name,
            "manifest": {**self.run.manifest, "matching": self.matching},
            "headline": self.headline.to_json(),
            "cost": dict(self.headline.cost),
            "problems": self.problems,
            "chunks": [chunk.to_json(inline) for chunk in self.chunks],
        }


def _written_run(number: int, run: Run, beside: Path, page_folder: Path, embed: bool) -> WrittenRun:
    pictures = Pictures(folder=run.folder, page_folder=page_folder, embed=embed, thumbnails=None if embed else beside)
    headline, lines = Headline(), []
    writer = _ChunkWriter(run=number, folder=beside)
    others: set[str] = set()
    for place, trace in enumerate(run.traces):
        images = [str(image) for image in trace.extra.get("image") or []]
        right, base, evidence = right_answers(trace), without_gate(trace, run.method), evidence_of(trace)
        others.update(evidence.places)
        line = summary(trace, base, right, run.method.decision, pictures.thumbnail(images, f"{number}-{place:05}"))
        headline.add(trace, base, right, line)
        lines.append(line.to_json())
        writer.add(
            {**trace_to_json(trace), "images": pictures.shown(images), "right": right, "evidence": evidence.to_json()}
        )
    own = run.preset
    return WrittenRun(
        run=run,
        matching=own if own is not None and own not in others else "stored",
        headline=headline,
        problems=lines,
        chunks=writer.finished(),
    )


@dataclass(slots=True, kw_only=True)
class _ChunkWriter:
    """Gathers problems and writes them out when there are enough for a chunk."""

    run: int
    folder: Path
    chunks: list[Chunk] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def add(self, problem: JsonObject) -> None:
        self.waiting.append(json.dumps(problem, ensure_ascii=False, allow_nan=False))
        if len(self.waiting) >= CHUNK_PROBLEMS or sum(map(len, self.waiting)) >= CHUNK_BYTES:
            self._write()

    def finished(self) -> list[Chunk]:
        if self.waiting:
            self._write()
        return self.chunks

    def _write(self) -> None:
        index = len(self.chunks)
        first = self.chunks[-1].first + self.chunks[-1].count if self.chunks else 0
        file = self.folder / f"{self.run}-{index:04}.json"
        file.write_text(f"[{','.join(self.waiting)}]", encoding="utf-8", newline="\n")
        self.chunks.append(Chunk(run=self.run, index=index, first=first, count=len(self.waiting), file=file))
        self.waiting.clear()


def _json_element(name: str, text: str) -> str:
    """JSON in a script element of no script type; without "<" no text in it can end the element."""
    return f'<script type="application/json" id="{name}">{text.replace("<", chr(92) + "u003c")}</script>'


def _page(title: str, data: str) -> str:
    static = files("evpv.viewer").joinpath("static")
    style, script, frame = (
        static.joinpath(n).read_text(encoding="utf-8") for n in ("page.css", "page.js", "index.html")
    )
    filled = {"policy": _policy(style, script), "title": escape(title), "style": style, "script": script, "data": data}
    return _PLACE.sub(lambda place: filled[place[1]], frame)


def _policy(style: str, script: str) -> str:
    """What the page may do: run the one script and wear the one style that are in it, and show pictures."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}' 'strict-dynamic'; style-src '{_hash(style)}'; "
        "img-src data: file: 'self'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types evpv"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _settle(beside: Path, target: Path) -> None:
    """Put the data folder in its place: files of an earlier page go, and nothing else that may lie there."""
    if target.is_dir():
        for old in target.iterdir():
            if _OURS.fullmatch(old.name):
                old.unlink()
    fresh = [file for file in beside.iterdir() if _OURS.fullmatch(file.name)]
    if fresh:
        target.mkdir(exist_ok=True)
    for file in fresh:
        shutil.move(file, target / file.name)
    if target.is_dir() and not any(target.iterdir()):
        target.rmdir()


def _lines(path: Path) -> int:
    try:
        with path.open("rb") as handle:
            return sum(1 for _ in handle)
    except OSError:
        return 0
