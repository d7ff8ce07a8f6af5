"""A server that says it has a model, and dies when told to: `fake_server.py PORT MODE MARK`.

MODE "die-first" ends before it answers, unless MARK is there, which it makes; "deaf" never answers; else it serves.
"""

from __future__ import annotations

import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/die":
            os._exit(3)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(os.getpid()).encode())


def main() -> None:
    port, mode, mark = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    print("fake server starts", flush=True)
    if mode == "deaf":
        time.sleep(600)
    if mode == "die-first" and not mark.exists():
        mark.touch()
        raise SystemExit("dies as it was told")
    HTTPServer(("127.0.0.1", port), Handler).serve_forever()


main()
