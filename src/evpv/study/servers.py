"""Model servers that the study runs itself: started when a stage needs them, awaited, restarted if they die, stopped by id.

A server is the child of a worker process (`evpv.workers`), whose group the kernel kills when the study is gone, however it
went: no server outlives its study.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from evpv.errors import BackendError, ConfigError
from evpv.study.plan import Model
from evpv.workers import WorkerProcess
from evpv.workers.child import Channel

_COMMANDS = {
    "vllm": [
        "vllm", "serve", "{weights}", "--served-model-name", "{model}", "--host", "127.0.0.1", "--port", "{port}",
        "--generation-config", "vllm",  # else a checkpoint's own penalties change what is asked for, greedy answers too
    ],
    "llama.cpp": ["llama-server", "-m", "{weights}", "--alias", "{model}", "--host", "127.0.0.1", "--port", "{port}"],
}  # fmt: skip
_STARTS = 3
_ENDING_S = 20.0
_POLL_S = 0.2
_LOG_END = 2000
_PR_SET_PDEATHSIG = 1


class ManagedServer:
    """One model's server. `address` is where it answers while it runs; `starts` how often it was started, deaths included."""

    def __init__(self, name: str, model: Model, log: Path) -> None:
        self.name, self.log, self.starts = name, log, 0
        self._model, self._port = model, _free_port(f"{name} {log}")
        self._command = _command(name, model, self._port)
        self._worker: WorkerProcess | None = None
        self._stopping = threading.Event()
        self._watch: threading.Thread | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def pid(self) -> int | None:
        return self._worker.pid if self._worker is not None else None

    def start(self) -> None:
        """Start it and wait until it answers; one that dies on the way is started again, a few times."""
        while not self._is_up():
            if self.starts >= _STARTS:
                raise BackendError(f"the server of model {self.name!r} ended {_STARTS} times; {self._log_end()}")
        self._watch = threading.Thread(target=self._restart_when_dead, daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """End it by its id: asked first, killed with all that it started if it does not go."""
        self._stopping.set()
        self._end()
        if self._watch is not None:
            self._watch.join(_ENDING_S)

    def _launch(self) -> None:
        self.starts += 1
        gpus = {"CUDA_VISIBLE_DEVICES": ",".join(map(str, self._model.gpus))} if self._model.gpus else {}
        environment = {**os.environ, **gpus, **self._model.environment}
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            log.write(f"\n--- start {self.starts}: {' '.join(self._command)}\n".encode())
            log.flush()
            self._worker = WorkerProcess("evpv.study.servers:_serve_command", log=log)
        self._worker.send(json.dumps([self._command, environment]).encode())

    def _is_up(self) -> bool:
        """Launch it and wait until it answers; False if it ended before that."""
        self._launch()
        deadline = time.monotonic() + self._model.ready_s
        while not _answers(f"{self.address}/models"):
            if self._stopping.is_set():
                return True
            if self._worker is None or not self._worker.is_running:
                self._end()
                return False
            if time.monotonic() > deadline:
                self._end()
                said = f"does not answer within {self._model.ready_s:g} s"
                raise BackendError(f"the server of model {self.name!r} {said}; {self._log_end()}")
            time.sleep(_POLL_S)
        return True

    def _log_end(self) -> str:
        return f"{self.log} ends:\n{self.log.read_text(encoding='utf-8', errors='replace')[-_LOG_END:]}"

    def _restart_when_dead(self) -> None:
        """Whoever asks meanwhile tries again by itself, at the same address."""
        while not self._stopping.wait(_POLL_S):
            if self._worker is not None and self._worker.is_running:
                continue
            self._end()
            if self._stopping.is_set():
                return
            with suppress(BackendError):
                self._is_up()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.send(b"stop")
        deadline = time.monotonic() + _ENDING_S
        while worker.is_running and time.monotonic() < deadline:
            time.sleep(_POLL_S / 4)
        worker.end()


def _serve_command(channel: Channel) -> None:
    """The worker's whole life: run the command in its own group, and end it when told to, or when it ends by itself."""
    command, environment = json.loads(channel.receive())
    tie = partial(ctypes.CDLL(None).prctl, _PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, preexec_fn=tie)
    except OSError as error:
        raise SystemExit(f"{command[0]}: {error.strerror}") from None

    def end_when_told() -> None:
        with suppress(EOFError, OSError):
            channel.receive()
        process.send_signal(signal.SIGTERM)

    threading.Thread(target=end_when_told, daemon=True).start()
    raise SystemExit(process.wait())


def _command(name: str, model: Model, port: int) -> list[str]:
    shape = _COMMANDS.get(model.serve) if isinstance(model.serve, str) else model.serve
    if not shape:
        raise ConfigError(f"[models.{name}] serve is {', '.join(_COMMANDS)} or a command, not {model.serve!r}.")
    served = str(model.settings.get("model", name))
    words = {"weights": model.weights_place or served, "model": served, "port": str(port)}
    command = [part.format(**words) for part in shape] + [part.format(**words) for part in model.options]
    if shutil.which(command[0]) is None:
        raise ConfigError(f"[models.{name}]: there is no program {command[0]!r} here; install it, or name it in serve.")
    return command


def _free_port(salt: str) -> int:
    """A port that is free now, the same for the same model of the same study where that one is: judges are known by it."""
    first = 20_000 + int(sha256(salt.encode()).hexdigest(), 16) % 20_000
    for port in range(first, first + 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise ConfigError(f"no port from {first} to {first + 99} is free for a server.")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
