"""What every test needs: nothing from a model hub, a cache of its own, and one browser for all that look at pages."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="evpv-tests-")

# Machines are shared: how long one example takes says nothing about the code.
settings.register_profile("evpv", deadline=None)
settings.load_profile("evpv")

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium. One for all folders: a process can drive only one at a time."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()
