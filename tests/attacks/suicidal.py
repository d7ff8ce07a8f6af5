"""A process of algebra that is killed in its first job, as by somebody else."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from evpv.workers.child import Channel


def answer(channel: Channel) -> None:
    channel.receive()
    channel.send(b"")
    for message in channel.messages():
        asked = json.loads(message)
        once = Path(asked.get("once", "."))
        if asked.get("always") or not once.exists():
            if not asked.get("always"):
                once.write_text(str(int(signal.SIGKILL)), encoding="utf-8")
            os.kill(os.getpid(), signal.SIGKILL)
        channel.send(json.dumps("here").encode())
