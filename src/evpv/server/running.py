"""The service put together and run until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from evpv.errors import ConfigError
from evpv.files import temporary_folder
from evpv.server.app import Service, create_app
from evpv.server.images import Fetcher, ImageStore
from evpv.server.limits import Keys, Limits
from evpv.server.metrics import Metrics, log_to_stderr
from evpv.server.middleware import Middleware, server_config
from evpv.server.pool import Pool, WorkerOrder

_LOG = logging.getLogger("evpv.server")
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


class _Server(uvicorn.Server):
    """uvicorn without its own way with signals, which ends the process before workers and files are put away."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where: with port 0 only now it is known."""
        await super().startup(sockets)
        for listening in [one for server in self.servers for one in server.sockets][:1]:
            host, port = listening.getsockname()[:2]
            address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
            _LOG.info(f"ready: open {address} (Ctrl-C ends it)", extra={"address": address})


def run(setup: Setup) -> None:
    """Serve until SIGTERM or Ctrl-C; then requests under way are finished and the workers ended."""
    log_to_stderr()
    with temporary_folder("evpv-serve-") as folder:
        asyncio.run(_serve(setup, Path(folder)))


async def _serve(setup: Setup, folder: Path) -> None:
    limits = setup.limits
    pool = Pool(
        order=WorkerOrder(recipe=setup.recipe, changes=setup.changes, folder=folder), workers=setup.workers,
        most_waiting=limits.queue, timeout_s=limits.timeout_s, memory_mb=limits.worker_memory_mb,
    )  # fmt: skip
    fetcher = Fetcher(most_bytes=limits.body_bytes, timeout_s=_FETCHING_S) if setup.fetch_images else None
    store = ImageStore(folder=folder, most_bytes=limits.store_bytes)
    metrics = Metrics()
    metrics.gauge("workers_ready", "Workers that are up.", lambda: pool.ready)
    metrics.gauge("jobs_running", "Requests that are worked on.", lambda: pool.running)
    metrics.gauge("jobs_waiting", "Requests that wait for a worker.", lambda: pool.waiting)
    metrics.gauge("worker_restarts", "Workers started in another's place.", lambda: pool.restarts)
    app = create_app(Service(pool=pool, store=store, limits=limits, fetcher=fetcher), metrics)
    # Other paths are not counted by name: that would let strangers make names.
    paths = {path: frozenset(map(str.upper, methods)) for path, methods in app.openapi()["paths"].items()}
    get, post = frozenset({"GET"}), frozenset({"POST"})
    paths |= {"/": get, "/openapi.json": get, "/v2/rerank": post, "/rerank": post}
    guarded = Middleware(app=app, keys=setup.keys, limits=limits, metrics=metrics, paths=paths)
    server = _Server(server_config(guarded, setup.host, setup.port, shutdown_s=limits.shutdown_s))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, server.handle_exit, number, None)
    _LOG.info(f"starting: recipe {setup.recipe}, {setup.workers} worker{'s' if setup.workers > 1 else ''} …")
    await pool.start()
    try:
        await server.serve()
    finally:
        await pool.close()
