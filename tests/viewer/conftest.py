"""A real browser, and runs to look at: drawn problems with their true constraints, so that no figure has to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from evpv.assembly import Verifier
from evpv.figures import write_problems
from evpv.records import RunWriter, read_manifest, read_problems, read_traces
from evpv.reward.assess import reassess
from evpv.reward.method import preset, settings_of

PROBLEMS = 10
SEED = 11


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A window with no network: whatever is asked of it is refused, and the test fails at its end."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    asked: list[str] = []
    context.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else asked.append(request.url)
    )
    yield context
    context.close()
    assert asked == []


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A tab; the test fails if the page complains on its console, throws, or opens a dialogue."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.set_default_timeout(30_000)
    yield page
    assert complaints == []


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run like the demo's: drawn problems of every kind, eight candidates each."""
    return make_run(tmp_path_factory.mktemp("drawn"), PROBLEMS, SEED)


@pytest.fixture(scope="session")
def paper_folder(run_folder: Path) -> Path:
    """The same run assessed again under the preset `paper`."""
    folder = run_folder.parent / "paper"
    with RunWriter(folder, {**read_manifest(run_folder), "method": settings_of(preset("paper"))}) as writer:
        for trace in read_traces(run_folder):
            writer.append(reassess(trace, preset("paper")))
    return folder


def make_run(folder: Path, count: int, seed: int) -> Path:
    drawn, run = folder / "problems", folder / "grounded"
    write_problems(drawn, (), count, seed, split="test")
    with (
        Verifier.from_recipe("given") as verifier,
        RunWriter(run, verifier.recipe.manifest(drawn, evpv="0", parts=verifier.pipeline.extractor.version)) as writer,
    ):
        for trace in verifier.pipeline.stream(read_problems(drawn / "problems.jsonl")):
            writer.append(trace)
    return run
