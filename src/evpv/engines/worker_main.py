"""The program that a worker process runs.

    python -m evpv.engines.worker_main FD

It ends when the other end of its socket is closed, so that a killed engine leaves nothing behind.
"""

from __future__ import annotations

import errno
import faulthandler
import os
import select
import signal
import sys
import threading
from multiprocessing.connection import Connection

from evpv.engines.planning import Job
from evpv.engines.work import Broke, Made, Order, Ready, Worker
from evpv.errors import BudgetError, ConfigError, EvpvError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def main() -> None:
    """Build, then do jobs until the engine is gone."""
    faulthandler.enable()
    connection = Connection(int(sys.argv[1]))
    threading.Thread(target=_end_with_the_engine, args=(connection.fileno(),), daemon=True).start()
    worker: Worker | None = None
    try:
        order: Order = connection.recv()
        worker = Worker(order)
        connection.send(Ready(version=worker.version))
        while True:
            job: Job = connection.recv()
            for start in range(0, len(job), order.at_once):
                connection.send(Made(lines=worker.lines(job[start : start + order.at_once])))
    except BaseException as error:
        ending = _end_of_all(error, is_built=worker is not None)
        connection.send(Broke(reason=f"{type(error).__name__}: {error}", error=ending))
        raise


def _end_of_all(error: BaseException, *, is_built: bool) -> EvpvError | None:
    """What would end every other problem too: no money, no room, or a recipe that cannot be built."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return EvpvError(f"{error.filename or 'a file'} cannot be written: {error.strerror}")
    if isinstance(error, BudgetError | ConfigError):
        return error
    return EvpvError(str(error)) if isinstance(error, EvpvError) and not is_built else None


def _end_with_the_engine(file: int) -> None:
    poll = select.poll()
    poll.register(file, 0)  # nothing but the other end's closing
    poll.poll()
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
