"""What the tests' workers do: whatever a message says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from evpv.workers.child import Channel


def obey(channel: Channel) -> None:
    """Answers "ready" with nothing, then does what it is told and answers."""
    channel.receive()
    channel.send(b"")
    for message in channel.messages():
        word, _, argument = message.decode().partition(" ")
        channel.send(_DOING[word](argument).encode())


def refuse(channel: Channel) -> None:
    channel.receive()
    channel.send(b"there is no such model")


def _eat(megabytes: str) -> str:
    try:
        return str(len(bytearray(int(megabytes) << 20)))
    except MemoryError:
        return "no memory"


def _start_child(_: str) -> str:
    return str(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid)


def _die(_: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def _compute(_: str) -> str:
    return str((3 ** (10**9)).bit_length())  # one call into C that neither looks at signals nor lets another thread run


def _sleep(seconds: str) -> str:
    time.sleep(float(seconds))
    return "slept"


def _fail(_: str) -> str:
    raise ZeroDivisionError


_DOING = {
    "echo": str, "eat": _eat, "child": _start_child, "die": _die, "compute": _compute, "sleep": _sleep, "fail": _fail,
    "pid": lambda _: str(os.getpid()), "path": lambda _: os.pathsep.join(sys.path),
}  # fmt: skip
