"""The service put together and run until it is told to end."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from evpv.errors import ConfigError
from evpv.server.app import create_app
from evpv.server.fetching import Fetcher
from evpv.server.guard import Guard
from evpv.server.images import ImageStore
from evpv.server.keys import Keys
from evpv.server.limits import Limits
from evpv.server.logs import log_as_json
from evpv.server.metrics import Metrics
from evpv.server.pool import Order, Pool
from evpv.server.service import Service

_FETCHING_S = 10.0
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What `evpv serve` was told."""

    recipe: str
    changes: dict[str, str]
    host: str
    port: int
    workers: int
    keys: Keys | None
    limits: Limits
    fetch_images: bool

    def __post_init__(self) -> None:
        if self.keys is None and self.host not in _LOOPBACK:
            raise ConfigError(
                f"on {self.host} others can ask: give --keys-file (evpv serve --new-key NAME makes a key)."
            )


class ImpatientProtocol(H11Protocol):
    """HTTP that closes a connection whose request's head does not arrive in time; a slow body is the guard's business."""

    head_s = 20.0
    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head = self.loop.call_later(self.head_s, self.transport.close)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        in_request = self.cycle is not None and not self.cycle.response_complete
        if in_request and self._head is not None:
            self._head.cancel()
            self._head = None
        elif not in_request and self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(self.head_s, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._head is not None:
            self._head.cancel()
        super().connection_lost(exc)


class _Server(uvicorn.Server):
    """uvicorn without its own way with signals, which ends the process before workers and files are put away."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run(setup: Setup) -> None:
    """Serve until SIGTERM or Ctrl-C; then requests under way are finished and the workers ended."""
    log_as_json()
    with tempfile.TemporaryDirectory(prefix="evpv-serve-") as folder:
        asyncio.run(_serve(setup, Path(folder)))


async def _serve(setup: Setup, folder: Path) -> None:
    limits = setup.limits
    order = Order(recipe=setup.recipe, changes=setup.changes, folder=folder)
    pool = Pool(
        order=order,
        workers=setup.workers,
        most_waiting=limits.queue,
        timeout_s=limits.timeout_s,
        memory_mb=limits.worker_memory_mb,
    )
    fetcher = Fetcher(most_bytes=limits.body_bytes, timeout_s=_FETCHING_S) if setup.fetch_images else None
    store = ImageStore(folder=folder, most_bytes=limits.store_bytes)
    guarded = _guarded(Service(pool=pool, store=store, limits=limits, fetcher=fetcher), setup.keys)
    server = _Server(_config(guarded, setup))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, server.handle_exit, number, None)
    await pool.start()
    try:
        await server.serve()
    finally:
        await pool.close()


def _guarded(service: Service, keys: Keys | None) -> Guard:
    metrics = Metrics()
    metrics.gauge("workers_ready", "Workers that are up.", lambda: service.pool.ready)
    metrics.gauge("jobs_running", "Requests that are worked on.", lambda: service.pool.running)
    metrics.gauge("jobs_waiting", "Requests that wait for a worker.", lambda: service.pool.waiting)
    metrics.gauge("worker_restarts", "Workers started in another's place.", lambda: service.pool.restarts)
    app = create_app(service, metrics)
    return Guard(app=app, keys=keys, limits=service.limits, metrics=metrics, paths=_paths(app))


def _paths(app: FastAPI) -> frozenset[str]:
    """The paths that are counted by name: all others would let strangers make names."""
    return frozenset(app.openapi()["paths"]) | {"/", "/openapi.json", "/v2/rerank", "/rerank"}


def _config(app: Any, setup: Setup) -> uvicorn.Config:
    protocol = type("Protocol", (ImpatientProtocol,), {"head_s": setup.limits.body_s})
    return uvicorn.Config(
        app,
        host=setup.host,
        port=setup.port,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=setup.limits.connections,
        timeout_graceful_shutdown=max(int(setup.limits.shutdown_s), 1),
    )
