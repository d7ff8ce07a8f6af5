"""ARCHITECTURE's walks are true and short: the modules they name are those that a problem, an image, a request and a row pass through."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import httpx
import pytest
from PIL import Image, ImageDraw
from typer.testing import CliRunner

import evpv
from evpv import Verifier
from evpv.assembly import build
from evpv.cli import app
from evpv.config import load_recipe
from evpv.perception.extractor import EmbeddedExtractor
from evpv.server.app import Service, create_app
from evpv.server.images import ImageStore
from evpv.server.jobs import _RequestHandler
from evpv.server.limits import Limits
from evpv.server.metrics import Metrics
from evpv.server.middleware import Middleware
from evpv.server.pool import Pool, WorkerOrder
from evpv.training.trajectories import Trajectory
from evpv.types import Problem

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGE = f"{Path(evpv.__file__).parent}/"
EVERYWHERE = {"types.py", "errors.py", "protocols.py", "files.py", "settings.py", "workers", "__init__.py"}
"""What every walk leans on: the words, the error tree, opening files, processes."""
LONGEST_WALK = 9


@contextmanager
def passed_modules() -> Iterator[set[str]]:
    """The modules of evpv whose functions are called meanwhile, in any thread, as paths below the package."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE) and frame.f_code.co_name != "<module>":
            seen.add(frame.f_code.co_filename.removeprefix(PACKAGE))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


def walk(heading: str) -> tuple[list[str], set[str]]:
    """The steps of a walk, and the modules and rooms that it names."""
    section = TEXT.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    steps = re.findall(r"^\d+\. .*", section, re.M)
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", "\n".join(steps))
    return steps, {_whole(name, named) for name in named}


def _whole(name: str, named: list[str]) -> str:
    """A module's path; one named without its room stands in the room of a module named before it in the walk."""
    if (ROOT / "src" / "evpv" / name).exists():
        return name
    rooms = [Path(other).parent for other in named[: named.index(name)] if "/" in other]
    found = [room / name for room in reversed(rooms) if (ROOT / "src" / "evpv" / room / name).exists()]
    assert found, f"{name} is no module"
    return str(found[0]) + ("/" if name.endswith("/") else "")


def check(heading: str, seen: set[str]) -> None:
    steps, named = walk(heading)
    assert 2 <= len(steps) <= LONGEST_WALK
    missed = {name for name in named if not any(one.startswith(name) for one in seen)}
    assert not missed, f"named, but not passed: {sorted(missed)}"
    rooms = {name.partition("/")[0] for name in named} | EVERYWHERE
    assert {one.partition("/")[0] for one in seen} <= rooms


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    picture = Image.new("RGB", (420, 140), "white")
    pen = ImageDraw.Draw(picture)
    for row, (name, value) in enumerate((("Fruit", "Price"), ("apple", "317"), ("pear", "5"))):
        pen.text((40, 20 + 36 * row), name, fill="black", font_size=22)
        pen.text((240, 20 + 36 * row), value, fill="black", font_size=22)
    folder = tmp_path_factory.mktemp("walk")
    picture.save(folder / "table.png")
    record = {
        "id": "p", "image": "table.png", "question": "What do both cost?",
        "candidates": [{"response": "The apple costs 317 and the pear costs 5.\n\nSo 317 + 5 = 322."}, {"response": "9"}],
    }  # fmt: skip
    (folder / "problems.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    return Problem(id="p", question="What do both cost?", images=(str(folder / "table.png"),))


def test_a_problem_and_its_image_walk_as_it_is_written(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(problem.images[0]).parent
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    with passed_modules() as by_command:
        done = CliRunner().invoke(app, ["rank", "problems.jsonl", "-o", "run", "--workers", "1"])
    assert done.exit_code == 0, done.output
    with passed_modules() as by_library:
        verifier = Verifier.from_recipe("embedded")
        verifier.rank(
            json.loads((folder / "problems.jsonl").read_text(encoding="utf-8")) | {"image": problem.images[0]}
        )
    with passed_modules() as by_extractor:
        EmbeddedExtractor().extract([problem])
    check("A walk through `evpv rank", by_command | by_library)
    check("A walk of an image", by_extractor)


async def _ask_in_process(folder: Path) -> httpx.Response:
    """A request through middleware, application, service and pool, its worker a process as always."""
    limits, metrics = Limits(), Metrics()
    pool = Pool(
        order=WorkerOrder(recipe="embedded", changes={}, folder=folder), workers=1, most_waiting=4, timeout_s=60
    )
    service = Service(pool=pool, store=ImageStore(folder=folder, most_bytes=1 << 20), limits=limits, fetcher=None)
    inner = create_app(service, metrics)
    paths = {"/v1/verify": frozenset({"POST"})}
    front = Middleware(app=inner, keys=None, limits=limits, metrics=metrics, paths=paths)
    await pool.start()
    try:
        transport = httpx.ASGITransport(app=front)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/v1/verify", json=ASKED, timeout=120)
    finally:
        await pool.close()


ASKED = {"id": "p", "question": "How many?", "candidates": [{"id": "c", "response": "There are 3. So 3 + 1 = 4."}]}


def test_a_request_walks_as_it_is_written(tmp_path: Path) -> None:
    with (
        passed_modules() as by_front,
        ThreadPoolExecutor(1) as thread,
    ):  # a thread: a browser's loop may run in this one
        answer = thread.submit(lambda: asyncio.run(_ask_in_process(tmp_path))).result()
    assert answer.status_code == 200, answer.text
    desk = _RequestHandler(name="embedded", pipeline=build(load_recipe("embedded")), folder=tmp_path)
    with passed_modules() as by_worker:
        reply = desk.answer({"do": "verify", "images": [], "options": [], **ASKED})
    assert reply.status == 200
    check(
        "A walk of a request",
        by_front | {one for one in by_worker if one.partition("/")[0] in ("server", "records", "pipeline.py")},
    )


def test_a_row_of_training_walks_as_it_is_written(tmp_path: Path) -> None:
    from transformers import AutoProcessor

    from evpv.training.architecture import build as build_model
    from evpv.training.recipes import DataPart, VerifierPart
    from evpv.training.runs import toy_corpus
    from evpv.training.trainers import StepCollator
    from evpv.training.trajectories import trajectory_rows

    corpus = toy_corpus(tmp_path / "toy", 3)
    model = build_model(tmp_path / "model", size="toy", seed=3, corpus=["a b c"], runs=[])
    collate = StepCollator(AutoProcessor.from_pretrained(model), DataPart(), VerifierPart(constraints=True))
    with passed_modules() as seen:
        rows = [row for _, row in trajectory_rows(corpus) if isinstance(row, Trajectory)]
        batch = collate(rows[:1])
    assert len(rows) > 1
    assert batch["step_labels"].shape == batch["input_ids"].shape
    check("A walk of a training row", seen)
