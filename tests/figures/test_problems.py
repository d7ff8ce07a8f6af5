"""Seeds, splits and files."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import ConfigError
from evpv.figures import SPLITS, FigureProblem, families, make_problem, make_problems, small_families, write_problems
from evpv.figures.writing import SolutionSheet
from evpv.records import constraints_from_json, read_problems


@pytest.mark.parametrize("family", [*families(), *small_families()])
def test_the_same_seed_gives_the_same_bytes_and_the_same_record(family: str) -> None:
    first, second = make_problem(family, 7), make_problem(family, 7)
    assert first.image.tobytes() == second.image.tobytes()
    assert first.problem == second.problem
    assert first.constraints == second.constraints


@pytest.mark.parametrize("family", [*families(), *small_families()])
def test_no_picture_and_no_id_occurs_in_two_splits_or_under_two_seeds(family: str) -> None:
    every = [make_problem(family, seed, split) for split in SPLITS for seed in range(12)]
    assert len({one.problem.id for one in every}) == len(every)
    assert len({one.image.tobytes() for one in every}) == len(every)


def test_every_family_makes_problems_with_eight_candidates_of_distinct_ids(made: list[FigureProblem]) -> None:
    assert {one.problem.extra["family"] for one in made} == {*families(), *small_families()}
    for one in made:
        assert [candidate.id for candidate in one.problem.candidates] == [str(i + 1) for i in range(8)]


def test_small_figures_are_small_and_only_made_when_named() -> None:
    assert {make_problem(family, 1).image.size for family in small_families()} == {(168, 112)}
    assert not {one.problem.extra["family"] for one in make_problems(count=40)} & set(small_families())


def test_families_take_turns() -> None:
    counts = Counter(one.problem.extra["family"] for one in make_problems(("tables", "circles"), 5))
    assert counts == {"tables": 3, "circles": 2}


@pytest.mark.parametrize(
    ("family", "split", "says"),
    [("tabels", "train", "did you mean 'tables'"), ("tables", "tset", "did you mean 'test'")],
)
def test_a_misspelt_name_is_answered_with_the_right_one(family: str, split: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        make_problem(family, 0, split)  # type: ignore[arg-type]


def test_a_written_folder_reads_back_as_the_same_problems(tmp_path: Path) -> None:
    every = list(make_problems(count=len(families()), seed=3, split="dev"))
    assert write_problems(tmp_path / "set", (), len(every), 3, "dev") == len(every)
    read = list(read_problems(tmp_path / "set" / "problems.jsonl"))
    for one, again in zip(every, read, strict=True):
        assert Path(again.images[0]).is_file()
        assert again.candidates == one.problem.candidates
        assert (again.question, again.options, again.answer) == (
            one.problem.question,
            one.problem.options,
            one.problem.answer,
        )
        assert constraints_from_json(again.extra["constraints"]) == one.constraints


def test_writing_twice_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_problems(tmp_path / name, ("solids", "graphs"), 4)
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*"))
    assert len(files) == 5
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_the_examples_of_the_documentation_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "figures.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    sheet = SolutionSheet("seed")
    names["solve"](sheet)
    assert sheet.answer == "24"
    assert names["made"].problem.id == "solids-dev-3"


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ConfigError, match="not an empty folder"):
        write_problems(tmp_path, count=1)
