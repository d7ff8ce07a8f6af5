"""Work in processes of its own: started clean, bounded in memory and time, ended with whoever started them."""

from evpv.workers.process import (
    Calculator,
    SupervisedWorker,
    WorkerDiedError,
    WorkerError,
    WorkerLimits,
    WorkerProcess,
    WorkerSilentError,
    usual_memory_mb,
)

__all__ = [
    "Calculator",
    "SupervisedWorker",
    "WorkerDiedError",
    "WorkerError",
    "WorkerLimits",
    "WorkerProcess",
    "WorkerSilentError",
    "usual_memory_mb",
]
