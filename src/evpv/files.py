"""Files: those of others read only if they are files, within a bound; our own written whole or not at all, and put away."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

_told: set[str] = set()


def regular_content(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The bytes of a regular file. Anything else (a pipe, a device, a folder) and what is too large is an `OSError`.

    Looked at before it is opened, because opening a pipe waits for ever, and again after, because it may have been
    exchanged meanwhile.
    """
    _check_regular(os.stat(path), most_bytes)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        _check_regular(os.fstat(handle), most_bytes)
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, _larger_than(most_bytes))
    return content


def write_whole(path: Path, content: bytes | str, *, mode: int = 0o666) -> None:
    """Write a file whole or not at all; with the mode 0o600 for this user's eyes only. An `OSError` names the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.replace(draft, path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def temporary_folder(prefix: str, where: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder until it is cleaned up; those of the same prefix that killed processes left behind go now."""
    place = where or Path(tempfile.gettempdir())
    for folder in place.glob(f"{glob.escape(prefix)}*"):
        number = folder.name.removeprefix(prefix).partition("-")[0]
        if number.isdigit() and Path("/proc/self").exists() and not Path(f"/proc/{number}").exists():
            shutil.rmtree(folder, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=where, prefix=f"{prefix}{os.getpid()}-")


def user_cache() -> Path:
    """Where this user's programs keep what they can make again."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "evpv"


def tell_once(what: str, error: Exception) -> None:
    """Say on standard error, once a process, that something which may fail does: a cache, a thumbnail."""
    if what not in _told:
        _told.add(what)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        print(f"evpv: {what} does not work and is gone without: {reason}", file=sys.stderr, flush=True)


def _check_regular(state: os.stat_result, most_bytes: int) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, "is not a regular file")
    if state.st_size > most_bytes:
        raise OSError(errno.EFBIG, _larger_than(most_bytes))


def _larger_than(most_bytes: int) -> str:
    return f"larger than {most_bytes / 1_000_000:g} MB"
