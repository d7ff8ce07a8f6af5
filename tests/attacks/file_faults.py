"""Disks that fail, as the kernel has them fail: the fault injector of all suites that read and write files.

strace makes a command's own calls on a path fail or wait, so nothing of the command is patched.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import pytest

Fault = Literal["full", "read-only", "failing", "slow"]
_CALLS: dict[Fault, tuple[str, str]] = {
    "full": ("write,pwrite64,ftruncate,fallocate", "write,pwrite64:error=ENOSPC"),
    "read-only": ("openat,mkdir,rename,unlink", "openat,mkdir,rename,unlink:error=EROFS"),
    "failing": ("write,pwrite64,read,pread64", "write,pwrite64:error=EIO"),
    "slow": ("write,pwrite64,read,pread64", "write,pwrite64:delay_enter=20000"),
}
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace has calls fail")


def run_with_fault(
    fault: Fault,
    file: str,
    command: Sequence[object],
    *,
    folder: Path,
    env: Mapping[str, str] | None = None,
    after: int = 1,
) -> subprocess.CompletedProcess[str]:
    """A command run in a folder to its end, with a fault under one of the folder's files from the `after`-th call on."""
    traced, injected = _CALLS[fault]
    paths = ("-P", file, "-P", str(folder / file))  # as the command opens it, and as the kernel knows it
    options = (
        "-f",
        "-qqq",
        "-o",
        "/dev/null",
        *paths,
        "-e",
        f"trace={traced}",
        "-e",
        f"inject={injected}:when={after}+",
    )
    line = ["strace", *options, *map(str, command)]
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)


def tear(file: Path, size: int) -> None:
    """Cut a file off, as a killed writer leaves it."""
    with file.open("rb+") as handle:
        handle.truncate(size)


def blank_out(file: Path, start: int, end: int) -> None:
    """NULs in a file's midst, as a power failure leaves blocks that were never written."""
    with file.open("rb+") as handle:
        handle.seek(start)
        handle.write(bytes(end - start))
