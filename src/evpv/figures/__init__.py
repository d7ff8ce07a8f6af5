"""A world with known truth: seeded problems with pictures, gold constraints and labelled candidates; the families by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal, get_args

from PIL import Image

from evpv import records
from evpv.errors import ConfigError, unknown_name
from evpv.figures import charts, circles, folding, functions, quadrilaterals, tables, triangles
from evpv.figures.candidates import Sitting, sit
from evpv.figures.writing import Scene
from evpv.types import Constraint, Problem

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

_FAMILIES: dict[str, Callable[[Random], Scene]] = {
    "triangles": triangles.make,
    "right-triangles": triangles.make_right,
    "circles": circles.make_circle,
    "parallels": quadrilaterals.make_parallels,
    "quadrilaterals": quadrilaterals.make_quadrilateral,
    "solids": circles.make_solid,
    "tables": tables.make,
    "bar-charts": charts.make_bars,
    "line-charts": charts.make_line,
    "pie-charts": charts.make_pie,
    "graphs": functions.make_graph,
    "folding": folding.make,
    "patterns": functions.make_pattern,
}

_SMALL: dict[str, Callable[[Random], Scene]] = {
    "small-triangles": partial(triangles.make, small=True),
    "small-right-triangles": partial(triangles.make_right, small=True),
    "small-tables": partial(tables.make, small=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureProblem:
    """A problem with its picture, what is true of it, and how its candidates came about."""

    problem: Problem
    image: Image.Image
    constraints: tuple[Constraint, ...]
    sitting: Sitting


def families() -> tuple[str, ...]:
    return tuple(_FAMILIES)


def small_families() -> tuple[str, ...]:
    """Families in one plain look and 168 × 112 pixels, which models of a few million parameters can learn to read."""
    return tuple(_SMALL)


def make_problem(family: str, seed: int, split: Split = "train") -> FigureProblem:
    """The problem of that family, seed and split: always the same, and never that of another split.

    The split's name is part of what seeds the random source, so that equal seeds in two splits are unrelated.
    """
    every = _FAMILIES | _SMALL
    if family not in every:
        raise unknown_name("family", family, every)
    if split not in SPLITS:
        raise unknown_name("split", split, SPLITS)
    source = f"evpv-figures/{split}/{family}/{seed}"
    scene = every[family](Random(source))
    sitting = sit(scene.solve, source, multiple_choice=scene.multiple_choice)
    name = f"{family}-{split}-{seed}"
    problem = Problem(
        id=name, question=scene.question, images=(f"images/{name}.png",), options=sitting.options,
        answer=sitting.answer, candidates=sitting.candidates, data_source=family, split=split,
        extra={"family": family, "constraints": records.constraints_to_json(scene.constraints)},
    )  # fmt: skip
    return FigureProblem(problem=problem, image=scene.image, constraints=scene.constraints, sitting=sitting)


def make_problems(
    names: Sequence[str] = (), count: int = 100, seed: int = 0, split: Split = "train"
) -> Iterator[FigureProblem]:
    """`count` problems, the families taking turns (all of them unless named), seeds counting up from `seed`."""
    chosen = tuple(dict.fromkeys(names)) or families()
    for i in range(count):
        yield make_problem(chosen[i % len(chosen)], seed + i // len(chosen), split)


def write_problems(
    folder: str | Path, names: Sequence[str] = (), count: int = 100, seed: int = 0, split: Split = "train"
) -> int:
    """Write `problems.jsonl` and `images/` into a new or empty folder, and return how many problems.

    The gold constraints are the field "constraints" of each problem, the labels stand in its candidates' steps.
    A folder that holds something is refused: two sets of pictures would mix.
    """
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ConfigError(f"{place} is not an empty folder; name a new one.")
    (place / "images").mkdir(parents=True)

    def problems_on_disk() -> Iterator[Problem]:
        for made in make_problems(names, count, seed, split):
            paths = tuple(str(place / image) for image in made.problem.images)
            made.image.save(paths[0], compress_level=4)
            yield replace(made.problem, images=paths)

    return records.write_problems(place / "problems.jsonl", problems_on_disk())
