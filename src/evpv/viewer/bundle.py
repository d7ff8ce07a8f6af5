"""Runs written as a page: one HTML file that needs nothing else, or, for large runs, one with a folder of data beside it.

The page's own contract is at the top of page/data.js. Traces pass through one at a time, as they are made or as they are
read; problems gather in chunks that the page loads when it needs them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeAlias

from evpv.errors import ConfigError
from evpv.files import temporary_folder, write_whole
from evpv.records import read_manifest
from evpv.records.lines import JsonObject, count_lines
from evpv.records.trace_files import read_traces_with_lines
from evpv.records.traces import TRACE_FORMAT, TRACES_FILE, trace_to_json
from evpv.reward.assess import reassess
from evpv.reward.method import PRESETS, Method, settings_of, with_settings
from evpv.types import Trace
from evpv.viewer.images import Pictures
from evpv.viewer.summaries import Choices, Headline, Summary, evidence_to_json, right_answers, summary

MOST_INLINE_PROBLEMS = 200
_MOST_INLINE_BYTES = 40_000_000
"""More than either, and the page would open slowly as one file."""
_CHUNK_PROBLEMS = 50
_CHUNK_BYTES = 1_500_000
_DATA_SCHEMA = 2
_OWN_LINE = f'{{"format": {TRACE_FORMAT},'.encode()  # a line as the page wants it; older ones are written anew
_OURS = re.compile(r"\d-\d{4,}\.(js|webp)")
_UNSAFE = re.compile(r"[:\\]")  # what the page refuses in the address of a chunk
_PLACE = re.compile(r"\{\{(policy|title|style|data|script)\}\}")

_Mending = Literal["here", "parent"]
"""Who keeps what is mended on a page: the address it comes from (`evpv edit`), or the page that holds it in a frame."""
_Pairs: TypeAlias = Iterable[tuple[Trace, bytes]]
_Watch: TypeAlias = Callable[[_Pairs, str, int | None], _Pairs]
"""Traces with their lines, what is done with them and how many there are → the same traces, shown as they go by."""


def write_page(
    path: str | Path,
    traces: Iterable[Trace],
    *,
    title: str,
    folder: Path | None = None,
    mending: _Mending | None = None,
) -> None:
    """Write a page of traces; images named by relative paths are looked up from `folder` and put inside."""
    with Page(Path(path), title, embed=True, mending=mending) as page:
        run: _PageRun | None = None
        for trace in traces:
            run = run or page.run(title, {"date": None}, _method_of(trace), folder)
            run.add(trace)
        if run is None:
            page.run(title, {"date": None}, Method(), folder)


def write_run_page(
    folders: Sequence[Path],
    output: Path,
    *,
    title: str | None = None,
    embed: bool | None = None,
    watch: _Watch = lambda pairs, what, count: pairs,
) -> Path | None:
    """Write a page of one run, or of two to compare; the folder that a large one needs beside it is returned.

    Without `embed`, pictures go inside unless the runs are large.
    """
    names = run_names(folders)
    counts = [count_lines(folder / TRACES_FILE) or 0 for folder in folders]
    inside = sum(counts) <= MOST_INLINE_PROBLEMS if embed is None else embed
    with Page(output, title or f"evpv: {' and '.join(names)}", embed=inside) as page:
        for folder, name, count in zip(folders, names, counts, strict=True):
            manifest, method = _stored_manifest(folder)
            run: _PageRun | None = None if method is None else page.run(name, manifest, method)
            for trace, line in watch(read_traces_with_lines(folder), f"writing {name}", count):
                run = run or page.run(name, manifest, _method_of(trace))
                run.add(trace, line)
            run or page.run(name, manifest, Method())
    return page.data


def _stored_manifest(folder: Path) -> tuple[JsonObject, Method | None]:
    """A run's manifest, with the date of its traces where it gives none, and its method where it names one."""
    if not (folder / TRACES_FILE).is_file():
        raise ConfigError(f"{folder} is no run folder: there is no {TRACES_FILE} in it.")
    manifest = read_manifest(folder)
    made = date.fromtimestamp((folder / TRACES_FILE).stat().st_mtime).isoformat()
    method = with_settings(Method(), manifest["method"]) if "method" in manifest else None
    return {"date": made, **manifest}, method


def run_names(folders: Sequence[Path]) -> list[str]:
    """The folders' names, or their parents' where they are called no more than "run"; both where two would be the same.

    >>> run_names([Path("/a/demo/run")]), run_names([Path("/a/demo"), Path("/a/paper")]), run_names([Path("/a/x"), Path("/b/x")])
    (['demo'], ['demo', 'paper'], ['a/x', 'b/x'])
    """
    places = [folder.resolve() for folder in folders]
    names = [place.parent.name if place.name == "run" else place.name for place in places]
    return names if len(set(names)) == len(names) else [f"{place.parent.name}/{place.name}" for place in places]


class Page(AbstractContextManager["Page"]):
    """A page that grows a trace at a time and is put in its place when it is closed, or dropped if that went wrong.

    Chunks are written to a folder of their own first: whether they fit into one file is known when all are there.
    `data` is the folder that a large page needs beside it, None while there is none. With `mending` its facts can be
    changed, and whoever serves the page answers for it.
    """

    def __init__(self, output: Path, title: str, *, embed: bool, mending: _Mending | None = None) -> None:
        output.parent.mkdir(parents=True, exist_ok=True)
        self.data: Path | None = None
        self._output, self._title, self._embed, self._mending = output, title, embed, mending
        self._target = output.with_name(f"{_UNSAFE.sub('_', output.stem)}_data")
        self._growing = temporary_folder(f".{output.stem}-", output.parent)
        self._beside = Path(self._growing.name) / self._target.name
        self._beside.mkdir()
        self._runs: list[_PageRun] = []

    def run(self, name: str, manifest: JsonObject, method: Method, folder: Path | None = None) -> _PageRun:
        """A run of the page, the next in order; images named by relative paths are looked up from `folder`."""
        beside = None if self._embed else self._beside
        pictures = Pictures(
            folder=folder or Path(), page_folder=self._output.parent, embed=self._embed, thumbnails=beside
        )
        told = {**manifest, "method": settings_of(method)}
        number, place = len(self._runs), self._beside
        run = _PageRun(name=name, manifest=told, method=method, pictures=pictures, number=number, folder=place)
        self._runs.append(run)
        return run

    def __exit__(self, kind: type[BaseException] | None, *failure: object) -> None:
        try:
            if kind is None:
                self._settle()
        finally:
            self._growing.cleanup()

    def _settle(self) -> None:
        chunks = [chunk for run in self._runs for chunk in run.all_chunks()]
        size = sum(chunk.file.stat().st_size for chunk in chunks)
        inline = sum(run.headline.problems for run in self._runs) <= MOST_INLINE_PROBLEMS and size <= _MOST_INLINE_BYTES
        runs = [run.to_json(inline) for run in self._runs]
        data = {"schema": _DATA_SCHEMA, "title": self._title, "mending": self._mending, "runs": runs}
        elements = [_json_element("evpv-data", json.dumps(data, ensure_ascii=False, allow_nan=False))]
        for chunk in chunks:
            text = chunk.file.read_text(encoding="utf-8")
            if inline:
                elements.append(_json_element(chunk.name, text))
            else:  # a script: from file:// a browser runs scripts but reads no JSON
                told = json.dumps(text, ensure_ascii=False)
                write_whole(chunk.file.with_suffix(".js"), f"evpvChunk({chunk.run}, {chunk.index}, {told});\n")
                chunk.file.unlink()
        policy = " connect-src 'self';" * (self._mending == "here")
        page = _page(self._title, "\n".join(elements), policy)
        _move_data(self._beside, self._target)
        write_whole(self._output, page)
        self.data = self._target if self._target.is_dir() else None


@dataclass(slots=True, kw_only=True)
class _PageRun:
    """A run while its page is written: the figures so far, a line for each problem, and the chunks that hold the rest."""

    name: str
    manifest: JsonObject
    method: Method
    pictures: Pictures
    number: int
    folder: Path
    headline: Headline = field(default_factory=Headline)
    problems: list[JsonObject] = field(default_factory=list)
    _chunks: list[_Chunk] = field(default_factory=list)
    _waiting: list[str] = field(default_factory=list)

    def add(self, trace: Trace, line: bytes | None = None) -> Summary:
        """Add a trace, which may be at hand as its line too, and say it in short."""
        images = list(trace.problem.images)
        right, choices = right_answers(trace), Choices.of(trace, self.method)
        thumbnail = self.pictures.thumbnail(images, f"{self.number}-{len(self.problems):05}")
        short = summary(trace, choices, right, self.method.decision, thumbnail)
        self.headline.add(trace, choices, right, short)
        self.problems.append(short.to_json())
        shown, evidence = self.pictures.page_images(images), evidence_to_json(trace, self.method)
        beside = {"images": shown, "right": right, "evidence": evidence}
        own = line is not None and line.startswith(_OWN_LINE)
        problem = line.decode().strip() if line and own else _text(trace_to_json(trace))
        self._waiting.append(f"{problem[:-1]},{_text(beside)[1:]}")
        if len(self._waiting) >= _CHUNK_PROBLEMS or sum(map(len, self._waiting)) >= _CHUNK_BYTES:
            self.all_chunks()
        return short

    def all_chunks(self) -> list[_Chunk]:
        """The chunks so far, what still waited for one written too."""
        if self._waiting:
            index = len(self._chunks)
            first = self._chunks[-1].first + self._chunks[-1].count if self._chunks else 0
            file = self.folder / f"{self.number}-{index:04}.json"
            write_whole(file, f"[{','.join(self._waiting)}]")
            chunk = _Chunk(run=self.number, index=index, first=first, count=len(self._waiting), file=file)
            self._chunks.append(chunk)
            self._waiting.clear()
        return self._chunks

    def to_json(self, inline: bool) -> JsonObject:
        return {
            "name": self.name,
            "manifest": self.manifest,
            "headline": self.headline.to_json(),
            "cost": dict(self.headline.cost),
            "problems": self.problems,
            "chunks": [chunk.to_json(inline) for chunk in self.all_chunks()],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chunk:
    """Some problems of a run, in a file as a JSON list."""

    run: int
    index: int
    first: int
    count: int
    file: Path

    @property
    def name(self) -> str:
        return f"evpv-{self.run}-{self.index}"

    def to_json(self, inline: bool) -> JsonObject:
        src = None if inline else f"{self.file.parent.name}/{self.file.stem}.js"
        return {"first": self.first, "count": self.count, "src": src, "inline": self.name if inline else None}


def _json_element(name: str, text: str) -> str:
    """JSON in a script element of no script type; without "<" no text in it can end the element."""
    return f'<script type="application/json" id="{name}">{text.replace("<", chr(92) + "u003c")}</script>'


def _page(title: str, data: str, connect: str) -> str:
    static = files("evpv.viewer").joinpath("static")
    names = ("page.css", "page.js", "index.html")
    style, script, frame = (static.joinpath(name).read_text(encoding="utf-8") for name in names)
    # What the page may do: run the one script and wear the one style that are in it, and show pictures.
    policy = (
        f"default-src 'none'; script-src '{digest(script)}' 'strict-dynamic'; style-src '{digest(style)}'; "
        "img-src data: file: 'self'; base-uri 'none'; form-action 'none'; "
        f"require-trusted-types-for 'script'; trusted-types evpv;{connect}"
    )
    filled = {"policy": policy, "title": escape(title), "style": style, "script": script, "data": data}
    return _PLACE.sub(lambda place: filled[place[1]], frame)


def digest(text: str) -> str:
    """What a content policy knows a script or a style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _move_data(beside: Path, target: Path) -> None:
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


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _method_of(trace: Trace) -> Method:
    """The preset under which a trace is what it is; the default where none is."""
    return next((method for method in PRESETS.values() if reassess(trace, method) == trace), Method())
