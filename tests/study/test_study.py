"""A whole study with models that answer by rule: planned, done, told; killed at any moment, and the same in the end."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from study_files import IN_FLIGHT, SERVED_MODEL, StudyFiles, write_study

from evpv.study.bill import _stored_answers, ledger_sheet, write_node_plan
from evpv.study.graph import study_graph
from evpv.study.page import _study_tables
from evpv.study.plan import load_plan
from evpv.study.rehearsal import Rehearsal
from evpv.study.running import standings
from evpv.study.stages import STORE, Workshop

pytestmark = pytest.mark.slow

KILLS = 10


def workshop_of(study: StudyFiles) -> Workshop:
    return Workshop(graph=study_graph(load_plan(study.plan)), folder=study.folder)


def tables(folder: Path) -> dict[str, str]:
    """Every table's text, without those that tell of time."""
    found = sorted((folder / "tables").rglob("*.csv"))
    return {str(file.relative_to(folder)): file.read_text() for file in found if "appendix-h" not in str(file)}


def test_the_plan_names_every_question_and_the_tokens_within_two_percent(finished: StudyFiles) -> None:
    sheet = ledger_sheet(workshop_of(finished))
    for stage, planned, put, *_ in sheet.rows:
        assert planned == put, stage
    *_, ratio = sheet.rows[-1]
    assert isinstance(ratio, float)
    assert abs(ratio - 1) < 0.02
    assert [row[0] for row in sheet.rows] == ["sample", "extract", "judge", "experiments", "all"]


def test_a_study_that_is_gone_on_with_plans_as_if_it_had_never_stopped(finished: StudyFiles, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / "study")
    workshop = Workshop(graph=study_graph(load_plan(finished.plan)), folder=tmp_path / "study")
    nodes = [node for node in workshop.graph.nodes.values() if (workshop.place(node) / "planned.json").exists()]
    last = workshop.place(nodes[-1]) / "planned.json"
    before = last.read_text()
    last.unlink()
    write_node_plan(workshop, Rehearsal(workshop, most=1 << 30), nodes[-1])
    assert last.read_text() == before


def test_nothing_is_asked_twice_across_cells(finished: StudyFiles) -> None:
    assert max(Counter(finished.calls()).values()) == 1
    assert _stored_answers(finished.folder / STORE) == len(finished.calls())


def test_a_second_run_asks_nothing_and_changes_nothing(finished: StudyFiles) -> None:
    before, asked = tables(finished.folder), len(finished.calls())
    finished.run()
    assert (tables(finished.folder), len(finished.calls())) == (before, asked)


def test_the_tables_are_the_papers(finished: StudyFiles) -> None:
    names = [result.name for result in _study_tables(workshop_of(finished))]
    assert names == ["table-1", "table-2", "exp-3", "ablations", "appendix-e", "appendix-h", "significance"]
    first = list(csv.reader(io.StringIO((finished.folder / "tables/table-1/table-1.csv").read_text())))
    assert first[0][1:4] == ["DynaMath", "MMMU", "Overall: pooled"]
    assert [row[0] for row in first if row[0].startswith("rule")] == [
        "rule ✗",
        "rule ✓ paper (rule)",
        "rule ✓ grounded (rule)",
    ]
    second = (finished.folder / "tables/table-2/tables.md").read_text()
    assert "rule + rule + paper (rule): BoN@3" in second
    assert "PUBLISHED" in second


def test_the_page_leads_from_a_cell_to_its_run(finished: StudyFiles) -> None:
    page = (finished.folder / "index.html").read_text()
    runs = set(re.findall(r'href="(nodes/[^"]+)"', page))
    assert runs
    assert all((finished.folder / run).is_file() for run in runs)
    assert "<svg" in page
    assert 'class="done"' in page


def test_the_status_shows_every_node(finished: StudyFiles) -> None:
    said = finished.run("status")
    assert "36 done" in said
    assert "judge lines · own · rule · rule + facts" in said


def test_a_cell_that_fails_stops_no_other(tmp_path: Path) -> None:
    study = write_study(tmp_path)
    text = study.plan.read_text().replace(
        '[judges.rule]\nuse = "chat"', '[judges.rule]\nuse = "chat"\nprompt = "no-such-prompt"'
    )
    study.plan.write_text(text.split("[[experiments]]")[0], encoding="utf-8")
    with study.command() as process:
        said = process.communicate(timeout=600)[0].decode()
    assert process.returncode == 1
    states = Counter(one.state for one in standings(workshop_of(study)).values())
    assert states["failed"] == 4, said
    assert states["blocked"] == 12
    assert "checks ✓ paper (rule)" in (study.folder / "tables/table-1/tables.md").read_text()


def run_with_kills(study: StudyFiles) -> int:
    """The study, killed ten times at random moments; how often it really was."""
    rng, killed = random.Random(7), 0
    while killed < KILLS:
        with study.command() as process:
            deadline = time.monotonic() + rng.uniform(2.0, 12.0)
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            if process.poll() is not None:
                break
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
    study.run()
    assert killed >= KILLS // 2
    return killed


def test_killed_ten_times_at_random_moments_it_gives_the_same_tables_and_repeats_only_what_was_in_flight(
    finished: StudyFiles, tmp_path: Path
) -> None:
    study = write_study(tmp_path, pause_s=0.01)
    killed = run_with_kills(study)
    assert sum(count - 1 for count in Counter(study.calls()).values()) <= killed
    assert tables(study.folder) == tables(finished.folder)
    assert json.loads((study.folder / "tables/table-1/metrics.json").read_text())["experiment"] == "table-1"


def test_killed_ten_times_with_the_servers_it_manages_it_gives_the_same_tables_too(tmp_path: Path) -> None:
    calm, study = (write_study(tmp_path / name, 0.01, SERVED_MODEL) for name in ("calm", "killed"))
    calm.run()
    assert (calm.folder / "servers" / "rule.log").read_text().count("--- start") == 1
    killed = run_with_kills(study)
    assert sum(count - 1 for count in Counter(study.calls()).values()) <= killed * IN_FLIGHT
    assert set(study.calls()) == set(calm.calls())
    assert tables(study.folder) == tables(calm.folder)
