"""Several processes: the command that starts them, what each holds of a batch, and who may write.

A recipe says what one update sees (`batch`); how many processes there are must not change what is learnt.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeVar

import torch
from accelerate import PartialState  # type: ignore[import-untyped]
from accelerate.utils import DistributedType, gather_object  # type: ignore[import-untyped]

from evpv.errors import ConfigError
from evpv.training.recipes import LearningPart

_Strategy = Literal["ddp", "fsdp", "deepspeed"]
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class _BatchShare:
    """What one process takes of a batch: `per_device` rows at a time, `accumulate` times before weights move."""

    per_device: int
    accumulate: int


def world_size() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_main() -> bool:
    """Whether this process is the one that writes cards, logs and merged weights."""
    return os.environ.get("RANK", "0") == "0"


def is_sharded() -> bool:
    """Whether FSDP lays each weight over all processes."""
    return os.environ.get("ACCELERATE_USE_FSDP", "false").lower() == "true"


def batch_share(learning: LearningPart, processes: int) -> _BatchShare:
    """The recipe's batch cut for some processes; ConfigError where it cannot be cut evenly.

    >>> batch_share(LearningPart(batch=16, per_device=1), 8)
    _BatchShare(per_device=1, accumulate=2)
    """
    share, rest = divmod(learning.batch, processes)
    per_device = learning.per_device or share
    if rest or share % max(per_device, 1):
        raise ConfigError(
            f"a batch of {learning.batch} cannot be cut into {processes} processes of {per_device or '?'} rows at a time; "
            f"set learning.batch to a multiple of processes × learning.per_device."
        )
    return _BatchShare(per_device=per_device, accumulate=share // per_device)


def join_processes() -> None:
    """Let the processes that a launcher started find each other; nothing in a run of one."""
    if world_size() > 1:
        PartialState(cpu=not torch.cuda.is_available())


def allow_sharding_without_gpus() -> None:
    """Let accelerate lay weights over processes on CPUs: torch can, by gloo, but accelerate asks for GPUs by name first."""
    if is_sharded() and world_size() > 1 and not torch.cuda.is_available():
        PartialState().distributed_type = DistributedType.MULTI_GPU


def main_process_first(work: Callable[[], _Item], then: Callable[[], _Item]) -> _Item:
    """`work` by the main process while the others wait, and `then` by them."""
    made = work() if is_main() else None
    wait_for_all()
    return made if made is not None else then()


def wait_for_all() -> None:
    """Until every process has come here; nothing in a run of one process."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.barrier()


def shared_work(rows: Sequence[_Item], work: Callable[[Sequence[_Item]], list[Any]]) -> list[Any]:
    """What `work` makes of the rows, each process doing its part; every process gets all of it, in order.

    All parts are equally long (the last row is done again where they would not be), because a sharded model answers
    only when all processes ask it as often.
    """
    if world_size() == 1 or not torch.distributed.is_initialized() or not rows:
        return work(rows)
    count = -(-len(rows) // world_size())
    rank = int(os.environ["RANK"])
    mine = [rows[min(place, len(rows) - 1)] for place in range(rank * count, (rank + 1) * count)]
    return list(gather_object(work(mine)))[: len(rows)]


def launch_command(strategy: _Strategy, gpus: int, model: str, arguments: Sequence[str]) -> list[str]:
    """The command that starts `evpv train` with these arguments in several processes.

    accelerate's launcher, on GPUs and for what shares weights also without (by gloo). It starts no copies on a CPU:
    there they are torch's own launcher's.
    """
    if gpus < 1:
        raise ConfigError(f"--gpus is the number of processes, at least 1, not {gpus}.")
    if strategy == "deepspeed" and find_spec("deepspeed") is None:
        raise ConfigError("--launch deepspeed needs its package: pip install 'evpv[deepspeed]'.")
    run = ["-m", "evpv", "train", *arguments]
    if not torch.cuda.is_available() and strategy == "ddp":
        return [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={gpus}", *run]
    return [
        sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(_launch_config(strategy, model)),
        "--num_processes", str(gpus), *run,
    ]  # fmt: skip


def _launch_config(strategy: _Strategy, model: str) -> Path:
    """accelerate's configuration for a way of sharing and a family of models; FSDP must know the family's layers."""
    folder = Path(str(files("evpv.training") / "launch_configs"))
    if strategy != "fsdp":
        return folder / f"{strategy}.yaml"
    config = Path(model) / "config.json"
    kind = json.loads(config.read_text(encoding="utf-8")).get("model_type", "") if config.is_file() else model
    return folder / f"fsdp-{'qwen3_vl' if 'qwen3' in str(kind).lower() else 'qwen2_5_vl'}.yaml"


def launch(command: Sequence[str]) -> int:
    """Run the command with one thread a process, unless the environment says otherwise; its exit code."""
    environment = {"OMP_NUM_THREADS": "1", **os.environ}
    return subprocess.run(list(command), env=environment, check=False).returncode


def command_text(command: Sequence[str]) -> str:
    """The command as a person would type it."""
    return shlex.join(["python" if word == sys.executable else word for word in command])
