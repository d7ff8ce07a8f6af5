"""`evpv edit` in a real browser: five corrections, the ranking follows, the file is written, and `assess` says the same."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect

from evpv.assembly import Verifier
from evpv.records import RunWriter, read_manifest, read_problems, read_traces
from evpv.records.corrections import CORRECTIONS_FILE, read_corrections
from evpv.types import CandidateTrace, Numeric, Relation, Trace

from .serving import EVPV, free_port

HIT = "window.evpvHit=1"


def fact(entity: str, value: float, top: int, **more: Any) -> dict[str, Any]:
    box = [150, top, 190, top + 20]
    return {
        "category": "numeric",
        "entity": entity,
        "attribute": "price",
        "value": value,
        "confidence": 0.9,
        "box": box,
        **more,
    }


def solution(name: str, *steps: str, answer: str) -> dict[str, Any]:
    return {"id": name, "steps": [{"text": text, "claim": text} for text in steps], "final_answer": answer}


PROBLEMS = (
    {
        "id": "fruit",
        "image": "fruit.png",
        "question": "What do the apple and the pear cost together?",
        "answer": "8",
        "constraints": [fact("apple", 8.0, 20), fact("pear", 5.0, 60), fact(f"<img src=x onerror={HIT}>", 99.0, 100)],
        "candidates": [
            solution("misread", "The apple costs 8.", "The pear costs 5.", answer="13"),
            solution("right", "The apple costs 3.", "The pear costs 5.", "The melon costs 4.", answer="8"),
        ],
    },
    {
        "id": "lines",
        "image": "fruit.png",
        "question": "How long is AB?",
        "answer": "7",
        "constraints": [{**fact("segment AB", 9.0, 20), "attribute": "length"}],
        "candidates": [
            solution("seven", "AB = 7", "AB is parallel to CD.", answer="7"),
            solution("nine", "AB = 9", answer="9"),
        ],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Editing:
    """An editor at work on a run."""

    address: str
    run: Path
    process: subprocess.Popen[str]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    picture = Image.new("RGB", (300, 200), "white")
    pen = ImageDraw.Draw(picture)
    for row, words in enumerate(("apple 3", "pear 5", "melon 4")):
        pen.text((60, 20 + 40 * row), words, fill="black", font_size=20)
    picture.save(tmp_path / "fruit.png")
    source, folder = tmp_path / "problems.jsonl", tmp_path / "run"
    source.write_text("".join(json.dumps(problem) + "\n" for problem in PROBLEMS), encoding="utf-8")
    with (
        Verifier.from_recipe("given") as verifier,
        RunWriter(
            folder, verifier.recipe.manifest(source, evpv="0", parts=verifier.pipeline.extractor.version)
        ) as writer,
    ):
        for trace in verifier.pipeline.stream(read_problems(source)):
            writer.append(trace)
    return folder


@pytest.fixture
def editing(run: Path) -> Iterator[Editing]:
    command = [EVPV, "edit", str(run), "--who", "ann", "--port", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("page: ").strip()
        yield Editing(address=address, run=run, process=process)
        process.terminate()
    assert not list(Path(tempfile.gettempdir()).glob(f"evpv-edit-{process.pid}-*")), "the page's folder goes with it"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab that may ask this machine alone, and complains of nothing."""
    context = browser.new_context(viewport={"width": 1400, "height": 950})
    page, complaints = context.new_page(), list[str]()
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(("http://127.0.0.1:", "data:")) else complaints.append(asked.url),
    )
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_default_timeout(30_000)
    expect.set_options(timeout=30_000)
    yield page
    context.close()
    assert complaints == []


def shown_order(page: Page) -> list[tuple[str | None, str]]:
    """Candidates with the value that each is ranked by, as the page shows them."""
    items = page.locator(".candidate").all()
    return [
        (one.get_attribute("data-candidate"), one.locator(".candidate-numbers .number").first.inner_text())
        for one in items
    ]


def expected_order(trace: Trace) -> list[tuple[str | None, str]]:
    return [(name, f"{trace.ranking.values[name]:.3f}") for name in trace.ranking.order]


def kept(page: Page, number: int) -> None:
    expect(page.get_by_role("status").filter(has_text=f"Kept as correction {number} by ann.")).to_be_visible()


def draw(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a box between two places of the figure, given as shares of it."""
    frame = page.locator("svg.overlay").bounding_box()
    assert frame is not None
    places = [(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]) for x, y in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=4)
    page.mouse.up()


def mend_five_facts(page: Page, editing: Editing) -> list[list[tuple[str | None, str]]]:
    """A value changed, a fact deleted, one added by a box, a value changed elsewhere, a relation added; the orders after."""
    page.goto(f"{editing.address}#view=problem&problem=fruit")
    expect(page.locator(".candidate").first).to_have_attribute("data-candidate", "misread")
    page.locator(".fact", has_text="apple").click()
    page.get_by_label("Value").fill("3")
    page.get_by_role("button", name="Save").click()
    kept(page, 1)
    expect(page.locator(".candidate").first).to_have_attribute("data-candidate", "right")
    page.locator(".fact", has_text="onerror").click()
    page.get_by_role("button", name="Delete").click()
    kept(page, 2)
    page.get_by_role("button", name="Add a fact").click()
    draw(page, (0.2, 0.5), (0.6, 0.65))
    page.get_by_label("What", exact=True).fill("melon")
    page.get_by_label("Which attribute").fill("price")
    page.get_by_label("Value").fill("4")
    page.get_by_role("button", name="Add", exact=True).click()
    kept(page, 3)
    orders = [shown_order(page)]
    page.goto(f"{editing.address}#view=problem&problem=lines")
    page.locator(".fact", has_text="segment AB").click()
    page.get_by_label("Value").fill("7")
    page.get_by_role("button", name="Save").click()
    kept(page, 4)
    page.get_by_role("button", name="Add a fact").click()
    page.keyboard.press("Escape")
    page.get_by_label("Kind of fact").select_option("relation")
    page.get_by_label("Relation", exact=True).fill("parallel")
    page.get_by_label("Between").fill("AB, CD")
    page.get_by_role("button", name="Add", exact=True).click()
    kept(page, 5)
    return [*orders, shown_order(page)]


def step_verdicts(candidate: CandidateTrace) -> list[str | None]:
    return [step.verdict for step in candidate.steps]


def test_five_corrections_change_the_ranking_the_file_and_what_assess_says(editing: Editing, page: Page) -> None:
    orders = mend_five_facts(page, editing)
    assert page.evaluate("window.evpvHit ?? null") is None
    by_problem = read_corrections(editing.run / CORRECTIONS_FILE)
    assert {name: len(found) for name, found in by_problem.items()} == {"fruit": 3, "lines": 2}
    first, deleted, added = by_problem["fruit"]
    assert (first.who, first.change.old.value, first.change.new.value) == ("ann", 8.0, 3.0)  # type: ignore[union-attr]
    assert deleted.change.new is None
    assert isinstance(added.change.new, Numeric)
    assert added.change.new.box is not None
    assert all(abs(a - b) <= 3 for a, b in zip(added.change.new.box, (60, 100, 180, 130), strict=True))
    assert isinstance(by_problem["lines"][1].change.new, Relation)

    again = editing.run.parent / "again"
    file = editing.run / CORRECTIONS_FILE
    subprocess.run([EVPV, "assess", editing.run, "-o", again, "--corrections", file], check=True, capture_output=True)
    traces = list(read_traces(again))
    assert [expected_order(trace) for trace in traces] == orders
    assert [trace.ranking.best for trace in traces] == [("right",), ("seven",)]
    assert step_verdicts(traces[0].candidates[1]) == ["supported"] * 3
    assert read_manifest(again)["corrections"] == ["1", "2", "3", "4", "5"]
    page.reload()
    expect(page.locator(".candidate").first).to_be_visible()
    assert shown_order(page) == orders[1]


def test_only_the_page_itself_can_write_and_only_one_editor_at_a_time(editing: Editing) -> None:
    parts = urlsplit(editing.address)
    bare, target = f"{parts.scheme}://{parts.netloc}", f"{editing.address}corrections"
    change = {"problem_id": "lines", "old": None, "new": fact("segment CD", 4.0, 40)}
    with httpx2.Client(timeout=30) as client:
        assert client.get(f"{bare}/").status_code == 404
        assert client.post(f"{bare}/corrections", json=change).status_code in (404, 413)
        assert client.post(target, json=change, headers={"origin": "http://evil.example"}).status_code == 403
        assert client.post(target, json=change, headers={"host": "evil.example"}).status_code == 403
        assert (
            client.post(target, content=json.dumps(change), headers={"content-type": "text/plain"}).status_code == 415
        )
        assert (
            client.post(target, content=b"x" * 2_000_000, headers={"content-type": "application/json"}).status_code
            == 413
        )
        for wrong in (
            {"problem_id": "lines", "old": None, "new": None},
            {"problem_id": "nowhere", "old": None, "new": change["new"]},
            {"problem_id": "lines", "old": fact("nothing", 1.0, 0), "new": None},
            {**change, "new": {**fact("x", 1.0, 0), "value": "1"}},
            {**change, "path": "/etc/passwd"},
        ):
            assert client.post(target, json=wrong).status_code == 422
        policy = client.get(editing.address).headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert (editing.run / CORRECTIONS_FILE).read_bytes() == b""
    second = subprocess.run([EVPV, "edit", str(editing.run)], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "another process is writing to it" in second.stderr
