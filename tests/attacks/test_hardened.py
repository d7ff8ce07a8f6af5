"""The service as docs/serving.md deploys it: nothing to write to but the temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

from tests.server.serving import free_port

EVPV = Path(sys.executable).parent / "evpv"


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="takes root, to give its rights away")
def test_the_service_runs_where_nothing_else_can_be_written(tmp_path: Path) -> None:
    """Mounts of its own, all read-only but the temporary folder, which holds the cache too."""
    for name in ("tmp", "cache"):
        (tmp_path / name).mkdir(mode=0o777)
        (tmp_path / name).chmod(0o777)
    tmp_path.chmod(0o755)
    port = free_port()
    serve = f"{EVPV} serve --recipe given --workers 1 --port {port}"
    script = (
        f"mount --bind {tmp_path}/tmp /tmp && mount -o remount,ro,bind / ; cd / ;"
        f" exec env TMPDIR=/tmp XDG_CACHE_HOME=/tmp HOME=/nonexistent PYTHONDONTWRITEBYTECODE=1 {serve}"
    )
    with subprocess.Popen(["unshare", "--mount", "sh", "-c", script], stderr=subprocess.PIPE) as process:
        try:
            deadline, status = time.monotonic() + 90, 0
            while time.monotonic() < deadline and process.poll() is None and status != 200:
                try:
                    status = httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code
                except httpx2.TransportError:
                    time.sleep(0.2)
            assert status == 200
            body = {"query": "How long is AB?", "documents": ["AB is 5.", "x^2 = 9 so x = 3"]}
            assert httpx2.post(f"http://127.0.0.1:{port}/v1/rerank", json=body, timeout=60).status_code == 200
        finally:
            process.terminate()
            process.wait(20)
