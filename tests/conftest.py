"""What every test needs: nothing from a model hub, a cache of its own, one browser for all that look at pages, a problem with a picture."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from evpv.files import temporary_folder
from evpv.types import Candidate, Problem, Step

os.environ["HF_HUB_OFFLINE"] = "1"
_CACHE = temporary_folder("evpv-tests-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name

# Machines are shared: how long one example takes says nothing about the code.
settings.register_profile("evpv", deadline=None)
settings.load_profile("evpv")

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def pytest_unconfigure() -> None:
    """The cache goes with the run; that of a killed one goes when the next starts."""
    _CACHE.cleanup()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium. One for all folders: a process can drive only one at a time."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "figure.png"
    Image.new("RGB", (64, 48), "white").save(path)
    return str(path)


@pytest.fixture
def problem(picture: str) -> Problem:
    """One picture, two candidates: one with a claim and a deduction, one with a claim only."""
    return Problem(
        id="p",
        question="How long is half of AB?",
        images=(picture,),
        answer="6",
        candidates=(
            Candidate(
                id="a",
                steps=(Step(text="AB is 12 cm.", claim="AB = 12 cm"), Step(text="Half of 12 is 6.")),
                final_answer="6",
            ),
            Candidate(id="b", steps=(Step(text="AB is 15 cm.", claim="AB = 15 cm"),), final_answer="7.5"),
        ),
    )
