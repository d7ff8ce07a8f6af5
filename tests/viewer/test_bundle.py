"""The files of a page: one that needs nothing else, or a folder beside it; nothing in them that a text could end."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import evpv.viewer
from evpv import Verifier
from evpv.cli import app
from evpv.errors import ConfigError, RecordError
from evpv.records import read_traces
from evpv.reward.assess import assess
from evpv.reward.method import Method
from evpv.types import Trace
from evpv.viewer import bundle, write_page, write_run_page

STATIC = Path(evpv.viewer.__file__).parent / "static"
SOURCES = Path(evpv.viewer.__file__).parent / "page"
EVIL = "</script><script>alert(1)</script><!-- {{script}} {{data}} \u2028 \"'&"


class Page(HTMLParser):
    """Collects the elements of a page as (tag, attributes, text)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], str]] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), ""))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            tag, attributes, text = self.elements[-1]
            self.elements[-1] = (tag, attributes, text + data)

    def texts(self, tag: str) -> list[str]:
        return [text for name, _, text in self.elements if name == tag]

    def by_id(self, name: str) -> Any:
        return json.loads(next(text for _, attributes, text in self.elements if attributes.get("id") == name))


def read_page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def test_the_built_page_is_that_of_its_sources() -> None:
    """Fails when a source was changed and `npm run build` (in src/evpv/viewer/page) was not run after it."""
    names = sorted(
        file.name
        for file in SOURCES.iterdir()
        if file.suffix in (".js", ".css") or file.name in ("index.html", "package.json", "package-lock.json")
    )
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0".encode() + (SOURCES / name).read_bytes() + b"\0")
    first = (STATIC / "page.js").read_text(encoding="utf-8").partition("\n")[0]
    assert first == f"/*! evpv page, sources sha256:{digest.hexdigest()} */"


def test_a_small_run_is_one_file(tmp_path: Path, run_folder: Path) -> None:
    assert write_run_page([run_folder], tmp_path / "page.html") is None
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    page = read_page(tmp_path / "page.html")
    [run] = page.by_id("evpv-data")["runs"]
    traces = list(read_traces(run_folder))
    assert [line["id"] for line in run["problems"]] == [trace.problem_id for trace in traces]
    problems = [problem for chunk in run["chunks"] for problem in page.by_id(chunk["inline"])]
    assert [problem["problem_id"] for problem in problems] == [trace.problem_id for trace in traces]
    assert all(problem["images"][0]["src"].startswith("data:image/png;base64,") for problem in problems)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["manifest"]["date"])


def test_the_policy_allows_the_pages_own_script_and_style_and_nothing_else(tmp_path: Path, run_folder: Path) -> None:
    write_run_page([run_folder], tmp_path / "page.html")
    page = read_page(tmp_path / "page.html")
    policy = next(attributes["content"] for tag, attributes, _ in page.elements if attributes.get("http-equiv")) or ""
    [style], script = page.texts("style"), page.texts("script")[-1]
    for text in (style, script):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_no_text_from_outside_becomes_markup(tmp_path: Path, run_folder: Path) -> None:
    plain = next(read_traces(run_folder))
    write_page(tmp_path / "plain.html", [plain], title="t")
    write_page(
        tmp_path / "evil.html", [replace(plain, problem=replace(plain.problem, id=EVIL, question=EVIL))], title=EVIL
    )
    tags = [[tag for tag, _, _ in read_page(tmp_path / name).elements] for name in ("plain.html", "evil.html")]
    assert tags[0] == tags[1]
    evil = read_page(tmp_path / "evil.html")
    assert evil.by_id("evpv-data")["runs"][0]["problems"][0]["id"] == EVIL
    assert evil.by_id("evpv-0-0")[0]["problem"]["question"] == EVIL


def copies(trace: Trace, count: int) -> Iterator[Trace]:
    problem = trace.problem
    return (replace(trace, problem=replace(problem, id=f"{problem.id}-{number}")) for number in range(count))


def large_run(folder: Path, trace: Trace, count: int) -> Path:
    from evpv.records import RunWriter

    with RunWriter(folder, {"recipe": "given"}) as writer:
        for one in copies(trace, count):
            writer.append(one)
    return folder


def chunk_of(script: Path) -> list[Any]:
    text = script.read_text(encoding="utf-8")
    arguments = json.loads(f"[{text.removeprefix('evpvChunk(').removesuffix(');' + chr(10))}]")
    problems: list[Any] = json.loads(arguments[2])
    return problems


def test_a_large_run_is_a_page_with_a_folder_of_chunks(tmp_path: Path, run_folder: Path) -> None:
    first = next(read_traces(run_folder))
    trace = replace(first, problem=replace(first.problem, images=()))
    run = large_run(tmp_path / "run", trace, bundle.MOST_INLINE_PROBLEMS + 1)
    (tmp_path / "page_data").mkdir()
    for name in ("0-0099.js", "mine.txt"):
        (tmp_path / "page_data" / name).write_text("x", encoding="utf-8")
    assert write_run_page([run], tmp_path / "page.html") == tmp_path / "page_data"
    [shown] = read_page(tmp_path / "page.html").by_id("evpv-data")["runs"]
    found = [p for chunk in shown["chunks"] for p in chunk_of(tmp_path / chunk["src"])]
    assert [problem["problem_id"] for problem in found] == [line["id"] for line in shown["problems"]]
    assert len(found) == bundle.MOST_INLINE_PROBLEMS + 1
    names = {file.name for file in (tmp_path / "page_data").iterdir()}
    assert names == {"mine.txt", *(Path(chunk["src"]).name for chunk in shown["chunks"])}
    assert [chunk["first"] for chunk in shown["chunks"]][:2] == [0, shown["chunks"][0]["count"]]


def test_memory_does_not_grow_with_the_run(tmp_path: Path, run_folder: Path) -> None:
    whole = next(read_traces(run_folder))
    problem = replace(whole.problem, candidates=whole.problem.candidates[:3], images=())
    rewards = [[step.base_reward for step in one.steps] for one in whole.candidates[:3]]
    trace = assess(problem, whole.constraints, rewards, Method())
    peaks = []
    write_page(tmp_path / "warm.html", [trace], title="t")
    for count in (201, 301):
        tracemalloc.start()
        write_page(tmp_path / "page.html", copies(trace, count), title="t")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    line_bytes = 8000  # a problem's line in the overview, as a value and as text; its trace alone would be 40,000
    assert peaks[1] - peaks[0] < 100 * line_bytes, peaks


def test_a_page_of_no_traces_is_still_a_page(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", [], title="nothing")
    assert read_page(tmp_path / "page.html").by_id("evpv-data")["runs"][0]["headline"]["problems"] == 0


def test_a_failure_leaves_the_old_page_and_no_rubbish(tmp_path: Path, run_folder: Path) -> None:
    (tmp_path / "page.html").write_text("old", encoding="utf-8")

    def failing() -> Iterator[Trace]:
        yield next(read_traces(run_folder))
        raise RecordError("torn")

    with pytest.raises(RecordError):
        write_page(tmp_path / "page.html", failing(), title="t")
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [("page.html", "old")]


def test_one_ranking_writes_its_page(tmp_path: Path, run_folder: Path) -> None:
    problem = {"id": "p", "question": "2 + 2?", "candidates": [{"response": "So 2 + 2 = 4.\nAnswer: 4"}]}
    with Verifier.from_recipe("judge-alone") as verifier:
        verifier.rank(problem).to_html(tmp_path / "page.html")
    assert read_page(tmp_path / "page.html").by_id("evpv-data")["title"] == "evpv: p"


def view(*arguments: object) -> tuple[int, str, BaseException | None]:
    result = CliRunner().invoke(app, ["view", *map(str, arguments)])
    return result.exit_code, result.output, result.exception


def test_view_writes_into_the_run_or_where_it_is_told(tmp_path: Path, run_folder: Path) -> None:
    code, said, _ = view(run_folder)
    assert code == 0
    assert "report.html" in said
    assert (run_folder / "report.html").is_file()
    code, said, _ = view(run_folder, "-o", tmp_path / "sub" / "mine.html", "--link")
    assert code == 0
    assert "keep mine_data beside it" in said
    [run] = read_page(tmp_path / "sub" / "mine.html").by_id("evpv-data")["runs"]
    assert run["problems"][0]["thumbnail"] == "mine_data/0-00000.webp"


def test_view_compares_two_runs(tmp_path: Path, run_folder: Path, paper_folder: Path) -> None:
    assert view(run_folder, paper_folder, "-o", tmp_path / "page.html")[0] == 0
    data = read_page(tmp_path / "page.html").by_id("evpv-data")
    assert [(run["name"], run["manifest"]["method"]["matching"]) for run in data["runs"]] == [
        ("grounded", "grounded"),
        ("paper", "paper"),
    ]
    assert data["title"] == "evpv: grounded and paper"


def test_view_refuses_what_it_cannot_show(tmp_path: Path, run_folder: Path) -> None:
    for arguments, reason in (((tmp_path,), "is no run folder"), ((run_folder,) * 3, "one run or compares two")):
        code, _, error = view(*arguments)
        assert code == 1
        assert isinstance(error, ConfigError)
        assert reason in str(error)
