"""Runs as the page takes them: a name, a manifest with the method, and the traces one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice
from pathlib import Path

from evpv.errors import ConfigError
from evpv.records import read_manifest, read_traces
from evpv.records.lines import JsonObject
from evpv.records.traces import TRACES_FILE
from evpv.reward.assess import reassess
from evpv.reward.method import PRESETS, Method, settings_of, with_settings
from evpv.types import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """`traces` can be gone through once; pictures are looked up from `folder`."""

    name: str
    manifest: JsonObject
    method: Method
    traces: Iterable[Trace]
    folder: Path

    @property
    def preset(self) -> str | None:
        """The preset that matches claims as this run does."""
        for name, method in PRESETS.items():
            same = (method.matching, method.tolerance, method.missing)
            if same == (self.method.matching, self.method.tolerance, self.method.missing):
                return name
        return None


def stored_run(folder: Path, name: str | None = None) -> Run:
    """The run in a folder. Its date is that of its traces where the manifest gives none."""
    if not (folder / TRACES_FILE).is_file():
        raise ConfigError(f"{folder} is no run folder: there is no {TRACES_FILE} in it.")
    manifest = read_manifest(folder)
    made = date.fromtimestamp((folder / TRACES_FILE).stat().st_mtime).isoformat()
    method = with_settings(Method(), manifest["method"]) if "method" in manifest else None
    return _run(
        name or run_names([folder])[0], {"date": made, **manifest}, method, traces=read_traces(folder), folder=folder
    )


def traces_run(name: str, traces: Iterable[Trace], folder: Path | None = None) -> Run:
    """Traces that are at hand; the method is the preset that gives the first of them back."""
    return _run(name, {"date": None}, None, traces=traces, folder=folder or Path())


def run_names(folders: Sequence[Path]) -> list[str]:
    """The folders' names, or their parents' where they are called no more than "run"; both where two would be the same.

    >>> run_names([Path("/a/demo/run")]), run_names([Path("/a/demo"), Path("/a/paper")]), run_names([Path("/a/x"), Path("/b/x")])
    (['demo'], ['demo', 'paper'], ['a/x', 'b/x'])
    """
    places = [folder.resolve() for folder in folders]
    names = [place.parent.name if place.name == "run" else place.name for place in places]
    return names if len(set(names)) == len(names) else [f"{place.parent.name}/{place.name}" for place in places]


def _run(name: str, manifest: JsonObject, method: Method | None, *, traces: Iterable[Trace], folder: Path) -> Run:
    waiting = iter(traces)
    first = list(islice(waiting, 1))
    known = method or _method_of(first)
    return Run(
        name=name,
        manifest={**manifest, "method": settings_of(known)},
        method=known,
        traces=chain(first, waiting),
        folder=folder,
    )


def _method_of(first: Sequence[Trace]) -> Method:
    """The preset under which a trace is what it is; the default where none is."""
    for method in PRESETS.values():
        if first and reassess(first[0], method) == first[0]:
            return method
    return Method()
