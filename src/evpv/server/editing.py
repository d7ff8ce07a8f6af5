"""`evpv edit`: the page of a run, on this machine, whose facts can be mended; the file beside the run keeps what was.

The page's address holds a word that nobody can guess, so that other programs and other people's pages can neither read
nor write; whatever they send is refused before it is looked at. The browser computes nothing: a change goes to Python,
which matches, judges and ranks as it did for the run.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from evpv.assembly import Corrector
from evpv.errors import RecordError
from evpv.files import temporary_folder
from evpv.records import read_manifest, trace_from_json
from evpv.records.corrections import CORRECTIONS_FILE, CorrectionFile, change_from_json
from evpv.records.lines import JsonObject, parse_json, parse_own_object
from evpv.records.trace_files import read_traces_with_lines
from evpv.reward.method import Method, with_settings
from evpv.server.limits import Limits
from evpv.server.metrics import Metrics
from evpv.server.middleware import Middleware, server_config
from evpv.types import Trace
from evpv.viewer.bundle import Page, run_names
from evpv.viewer.summaries import mended_problem

_LIMITS = Limits(body_mb=1.0, requests_per_minute=6_000)
_PAGE = "page.html"
_ITS_OWN_POLICY = {"content-security-policy": "frame-ancestors 'none'"}  # beside the one that the page carries itself


class _Editor:
    """One run while it is mended: its traces, the corrections so far, and the page that shows both."""

    def __init__(self, run: Path, who: str) -> None:
        self.run, self._manifest = run, read_manifest(run)
        self._method = with_settings(Method(), self._manifest.get("method", {}))
        self._corrector = Corrector.of_run(self._manifest, self._method)
        self._lines = {trace.problem_id: line for trace, line in read_traces_with_lines(run)}
        self._file = CorrectionFile(run / CORRECTIONS_FILE, who)
        self._folder = temporary_folder("evpv-edit-")
        self._stale = True

    def page(self) -> Path:
        """The page's file, written anew where something was mended since."""
        path = Path(self._folder.name) / _PAGE
        if self._stale:
            [name] = run_names([self.run])
            with Page(path, f"evpv: {name}", embed=True, mending="here") as page:
                shown = page.run(name, {"date": None, **self._manifest}, self._method)
                for problem_id in self._lines:
                    trace, changes = self._read(problem_id), self._file.changes_of(problem_id)
                    shown.add(self._corrector.trace(trace, changes) if changes else trace)
            self._stale = False
        return path

    def data(self, folder: str, name: str) -> Path | None:
        """A piece of a large page, by the names that the page itself gives them."""
        beside = Path(self._folder.name) / f"{Path(_PAGE).stem}_data"
        known = {file.name: file for file in beside.iterdir()} if beside.is_dir() else {}
        return known.get(name) if folder == beside.name else None

    def correct(self, body: bytes) -> JsonObject:
        """Make one change: the problem with it, kept in the file before it is shown."""
        change = change_from_json(parse_json(body.decode("utf-8")))
        if change.problem_id not in self._lines:
            raise RecordError(f"the run has no problem {change.problem_id!r}", field="problem_id")
        made = [*self._file.changes_of(change.problem_id), change]
        mended = self._corrector.trace(self._read(change.problem_id), made)
        kept = self._file.append(change)
        self._stale = True
        return {**mended_problem(mended, self._method), "correction": {"id": kept.id, "who": kept.who}}

    def close(self) -> None:
        self._file.close()
        self._folder.cleanup()

    def _read(self, problem_id: str) -> Trace:
        return trace_from_json(parse_own_object(self._lines[problem_id]), folder=str(self.run))


def _create_editor_app(editor: _Editor, word: str) -> Middleware:
    """The three paths of an editor behind its secret word, with the service's middleware around them."""
    turn = asyncio.Lock()  # one change at a time, each on top of the one before

    async def show(request: Request) -> Response:
        async with turn:
            path = await asyncio.to_thread(editor.page)
        return HTMLResponse(path.read_bytes(), headers=_ITS_OWN_POLICY)

    async def show_data(request: Request) -> Response:
        file = editor.data(request.path_params["folder"], request.path_params["name"])
        return Response(status_code=404) if file is None else FileResponse(file)

    async def correct(request: Request) -> Response:
        body = await request.body()
        try:
            async with turn:
                return JSONResponse(await asyncio.to_thread(editor.correct, body))
        except UnicodeDecodeError:
            return JSONResponse({"message": "the body is not UTF-8"}, 400)
        except RecordError as error:
            return JSONResponse({"message": error.message, "field": error.field}, 422)

    async def no_icon(request: Request) -> Response:
        return Response(status_code=204)

    corrections = f"/{word}/corrections"
    routes = [
        Route("/favicon.ico", no_icon, methods=["GET"]),  # browsers ask, and say so where it is refused
        Route(f"/{word}/", show, methods=["GET"]),
        Route(corrections, correct, methods=["POST"]),
        Route(f"/{word}/{{folder}}/{{name}}", show_data, methods=["GET"]),
    ]
    return Middleware(
        app=Starlette(routes=routes), keys=None, limits=_LIMITS, metrics=Metrics(),
        paths={f"/{word}/": frozenset({"GET"}), corrections: frozenset({"POST"})},
    )  # fmt: skip


def serve_editor(run: Path, who: str, port: int, announce: Callable[[str], None]) -> None:
    """Serve the run's page on 127.0.0.1 until SIGTERM or Ctrl-C; its address is told once it can be opened."""
    word = secrets.token_urlsafe(24)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # uvicorn ends by it, and raises it anew: close as by Ctrl-C
    editor = _Editor(run, who)
    try:
        config = server_config(_create_editor_app(editor, word), "127.0.0.1", port)
        with socket.create_server(("127.0.0.1", port)) as listening:
            announce(f"http://127.0.0.1:{listening.getsockname()[1]}/{word}/")
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        editor.close()
