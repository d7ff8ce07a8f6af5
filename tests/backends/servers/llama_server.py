"""llama.cpp's server from the wheel of xllamacpp: python llama_server.py MODEL.gguf MMPROJ.gguf PORT. Runs in its own environment."""

import sys
import threading

from xllamacpp import CommonParams, Server


def main() -> None:
    model, projector, port = sys.argv[1:]
    settings = CommonParams()
    settings.model.path, settings.mmproj.path = model, projector
    settings.hostnames, settings.port = ["127.0.0.1"], int(port)
    settings.n_parallel = 4
    # Its threads wait for each other by spinning: on a busy machine two are many times slower than one.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = Server(settings)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
