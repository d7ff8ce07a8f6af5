"""An event loop in a thread of its own, so that code that is not async can use code that is, whoever calls it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any, TypeVar

from evpv.errors import BackendError

Result = TypeVar("Result")


class LoopThread:
    """Starts when first used; works inside a program that runs a loop itself, such as a notebook or a server."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._closed = False
        self._lock = Lock()

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run a coroutine in the loop; the future gives its result to any thread."""
        with self._lock:
            if self._closed:
                work.close()
                raise BackendError("this backend has been closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what is running, run `last` in the loop, and end the thread."""
        with self._lock:
            loop, thread, self._closed = self._loop, self._thread, True
            self._loop = self._thread = None
        if loop is None or thread is None:
            last.close()
            return
        asyncio.run_coroutine_threadsafe(_ending(last), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()


async def _ending(last: Coroutine[Any, Any, None]) -> None:
    running = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await last
