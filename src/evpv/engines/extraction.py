"""Figures read in worker processes, without candidates: what `evpv extract` does."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue

from evpv.assembly import Builder
from evpv.config import Recipe
from evpv.errors import EvpvError
from evpv.types import Extraction, Problem
from evpv.workers import SupervisedWorker, WorkerError, WorkerLimits, usual_memory_mb
from evpv.workers.child import Channel

_PATIENCE_S = 600.0
_START_S = 600.0
_AHEAD = 4
_TRIES = 2


def extractions(
    recipe: Recipe, problems: Iterable[Problem], workers: int, patience_s: float = _PATIENCE_S
) -> Iterator[tuple[Problem, Extraction]]:
    """Problems with what was read, in order, as they become ready; takes no more of them than it can work on.

    A figure that ends its process, or takes longer than `patience_s`, is tried once more and then is a value with the
    reason. A recipe that cannot be built is told as it is.
    """
    idle: SimpleQueue[SupervisedWorker] = SimpleQueue()
    limits = WorkerLimits(memory_mb=usual_memory_mb(workers))
    with ExitStack() as stack:
        for _ in range(workers):
            worker = SupervisedWorker(
                target="evpv.engines.extraction:_read_figures",
                first=pickle.dumps(recipe),
                limits=limits,
                start_s=_START_S,
            )
            stack.callback(worker.close)
            idle.put(worker)
        threads = stack.enter_context(ThreadPoolExecutor(workers))
        waiting: deque[tuple[Problem, Future[Extraction]]] = deque()
        try:
            for problem in problems:
                waiting.append((problem, threads.submit(_extraction, idle, problem, patience_s)))
                if len(waiting) > _AHEAD * workers:
                    yield waiting[0][0], waiting.popleft()[1].result()
            while waiting:
                yield waiting[0][0], waiting.popleft()[1].result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _extraction(idle: SimpleQueue[SupervisedWorker], problem: Problem, patience_s: float) -> Extraction:
    worker, found = idle.get(), Extraction()
    try:
        for _ in range(_TRIES):
            try:
                return pickle.loads(worker.ask(pickle.dumps(problem), patience_s))  # type: ignore[no-any-return]
            except WorkerError as error:
                found = Extraction(problem=f"the process that read the picture failed: {error}")
        return found
    finally:
        idle.put(worker)


def _read_figures(channel: Channel) -> None:
    """A worker process's whole life: build the recipe's extractor, then read figures until the command is gone."""
    try:
        extractor = Builder(pickle.loads(channel.receive())).extractor()
    except EvpvError as error:
        channel.send(str(error).encode())
        return
    channel.send(b"")
    for message in channel.messages():
        channel.send(pickle.dumps(extractor.extract([pickle.loads(message)])[0]))
