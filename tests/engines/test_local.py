"""The local engine: the pipeline's own traces, whatever happens to its workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.engines.local import LocalEngine
from evpv.engines.work import Batch, Receipt, RunOrder, groups_of_one_image
from evpv.errors import ConfigError, EvpvError
from evpv.records import read_problems
from evpv.records.problems import placed_problems
from evpv.records.trace_files import TraceLine, trace_line
from tests.engines.conftest import lines, problem, recipe, records, write_problems

pytestmark = pytest.mark.usefixtures("faulty_parts")


def groups(problems: Path) -> list[Batch]:
    return groups_of_one_image(placed_problems(problems), lambda name: True)


def faulty(folder: Path, *faults: str) -> RunOrder:
    """An order for as many problems as there are faults, "" being none."""
    problems = write_problems(folder / "problems.jsonl", [problem(n, fault=f) for n, f in enumerate(faults)])
    path = recipe(folder / "faulty.toml", "faulty_parts:FaultyExtractor", folder=str(folder))
    return RunOrder(recipe=load_recipe(str(path)), problems=str(problems), folder=str(folder / "run"))


def run(order: RunOrder, workers: int = 1, patience_s: float = 60.0) -> tuple[list[TraceLine], list[Receipt]]:
    stored: list[TraceLine] = []
    with LocalEngine(order, workers=workers, patience_s=patience_s) as engine:
        receipts = list(engine.run(groups(Path(order.problems)), stored.append))
    return stored, receipts


def test_two_workers_give_the_lines_of_the_pipeline_alone_each_once(tmp_path: Path) -> None:
    problems = write_problems(tmp_path / "problems.jsonl", [problem(number) for number in range(30)])
    order = RunOrder(recipe=load_recipe("given"), problems=str(problems), folder=str(tmp_path / "run"))
    stored, receipts = run(order, workers=2)
    pipeline = build(order.recipe)
    expected = [trace_line(trace) for trace in pipeline.stream(read_problems(problems))]
    pipeline.close()
    assert sorted(stored, key=lambda line: line.problem_id) == expected
    assert [receipt.problem_id for receipt in receipts] == [line.problem_id for line in stored]
    assert not (tmp_path / "run" / "workers.log").exists()


def test_a_problem_that_kills_raises_or_dies_twice_fails_alone_with_its_reason(tmp_path: Path) -> None:
    order = faulty(tmp_path, "", "die", "", "raise", "", "die-once", "raise-once", "")
    stored, receipts = run(order, workers=2)
    failures = {receipt.problem_id: receipt.failure for receipt in receipts if receipt.failure}
    assert set(failures) == {"p00001", "p00003"}
    assert "SIGKILL" in str(failures["p00001"])
    assert failures["p00003"] == "ZeroDivisionError: no such figure"
    done = sorted(line.problem_id for line in stored)
    assert done == ["p00000", "p00002", "p00004", "p00005", "p00006", "p00007"]
    assert "no such figure" in (tmp_path / "run" / "workers.log").read_text(encoding="utf-8")


def test_a_worker_that_hangs_is_replaced(tmp_path: Path) -> None:
    order = faulty(tmp_path, "", "hang", "hang-once", "")
    stored, receipts = run(order, patience_s=4.0)
    assert [receipt.problem_id for receipt in receipts if receipt.failure] == ["p00001"]
    assert "no answer within 4 s" in str(next(receipt.failure for receipt in receipts if receipt.failure))
    assert len(stored) == 3


def test_a_full_disk_under_a_worker_ends_the_run_and_not_problem_after_problem(tmp_path: Path) -> None:
    order = faulty(tmp_path, "", "no-room", *[""] * 20)
    with pytest.raises(EvpvError, match="cache cannot be written: No space left"):
        run(order)


def test_many_failures_in_a_row_end_the_run(tmp_path: Path) -> None:
    order = faulty(tmp_path, *["raise"] * 3, "")
    with (
        LocalEngine(order, failures_in_a_row=2) as engine,
        pytest.raises(EvpvError, match="2 problems failed one after"),
    ):
        list(engine.run(groups(Path(order.problems)), lambda line: None))


def test_what_failed_is_tried_last_and_holds_up_no_later_start(tmp_path: Path) -> None:
    """Five that fail at the beginning: the first start stops, the second gets past them and does the rest."""
    order = faulty(tmp_path, *["raise"] * 5, *[""] * 4)
    stored: list[TraceLine] = []
    receipts: list[Receipt] = []
    with LocalEngine(order, failures_in_a_row=4) as engine, pytest.raises(EvpvError, match="failed one after another"):
        receipts.extend(engine.run(groups(Path(order.problems)), stored.append))
    failed = frozenset(f"p{number:05}" for number in range(5))
    again = groups_of_one_image(placed_problems(Path(order.problems)), lambda name: True, last=failed)
    assert [place.problem_id for group in again for place in group][-5:] == sorted(failed)
    with LocalEngine(order, failures_in_a_row=4) as engine:
        receipts = list(engine.run(again, stored.append, failed))
    assert {line.problem_id for line in stored} == {f"p{number:05}" for number in range(5, 9)}
    assert {receipt.problem_id for receipt in receipts if receipt.failure} == failed


def test_a_worker_whose_memory_ends_fails_its_problem_alone(tmp_path: Path) -> None:
    order = faulty(tmp_path, "", "eat", "")
    with LocalEngine(order, memory_mb=700) as engine:
        receipts = list(engine.run(groups(Path(order.problems)), lambda line: None))
    failures = {receipt.problem_id: receipt.failure for receipt in receipts if receipt.failure}
    assert set(failures) == {"p00001"}
    assert "MemoryError" in str(failures["p00001"])


def test_a_recipe_that_cannot_be_built_is_said_so_as_it_is(tmp_path: Path) -> None:
    order = faulty(tmp_path, "")
    wrong = load_recipe("given", {"judge.evidnce": "true"})
    with (
        LocalEngine(RunOrder(recipe=wrong, problems=order.problems, folder=order.folder)) as engine,
        pytest.raises(ConfigError, match="did you mean 'evidence'"),
    ):
        _ = engine.version


def test_a_worker_with_other_parts_is_refused(tmp_path: Path) -> None:
    order = faulty(tmp_path, "")
    with LocalEngine(order, version="embedded-0") as engine, pytest.raises(EvpvError, match="other parts"):
        list(engine.run(groups(Path(order.problems)), lambda line: None))


def test_an_image_is_read_once_however_many_ask_about_it(tmp_path: Path) -> None:
    for image in range(4):
        (tmp_path / f"{image}.png").write_bytes(bytes([image]))
    rows = [problem(n, image=f"{n % 4}.png", question="How long is AB?") for n in range(24)]
    problems = write_problems(tmp_path / "problems.jsonl", rows)
    path = recipe(tmp_path / "counting.toml", "faulty_parts:counting_extractor", folder=str(tmp_path))
    order = RunOrder(recipe=load_recipe(str(path)), problems=str(problems), folder=str(tmp_path / "run"))
    stored, _ = run(order, workers=2)
    assert len(stored) == 24
    read = (tmp_path / "reads.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(Path(image).name for image in read) == ["0.png", "1.png", "2.png", "3.png"]


def test_failures_are_kept_in_the_run_and_tried_again(tmp_path: Path, evpv) -> None:  # type: ignore[no-untyped-def]
    faulty(tmp_path, "", "raise", "")
    arguments = ("rank", "problems.jsonl", "-o", "run", "--recipe", "faulty.toml", "--workers", 1)
    first = evpv(*arguments)
    assert first.returncode == 1
    assert "1 of the problems failed" in first.stderr
    [failure] = records(tmp_path / "run" / "failures.jsonl")
    assert failure == {"problem_id": "p00001", "problem": "ZeroDivisionError: no such figure"}
    assert (tmp_path / "run" / "report.html").exists()
    faulty(tmp_path, "", "", "")
    second = evpv(*arguments)
    assert second.returncode == 0, second.stderr
    assert not (tmp_path / "run" / "failures.jsonl").exists()
    assert len(lines(tmp_path / "run")) == 3
