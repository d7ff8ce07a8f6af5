"""Engines measured: two local workers against one, Ray against the local engine, and memory as runs grow.

    python benchmarks/engines.py [--images 500] [--problems 20000]      the last line is one JSON object

Speed is that of the embedded recipe, without its cache, on tables drawn here; the workers are warm before the clock
starts, and what starting Ray takes is measured apart, on two images. The traces of all variants must be equal, byte for
byte, before a speed is printed. Memory is that of runs of 1,000 and of `--problems` problems with given constraints.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table

from evpv.config import load_recipe
from evpv.engines.local import LocalEngine
from evpv.engines.ray_data import RayEngine
from evpv.engines.work import Batch, RunOrder, groups_of_one_image
from evpv.records import RunWriter
from evpv.records.problems import placed_problems
from evpv.records.trace_files import TraceLine

SMALL_RUN = 1000
WARM = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Seconds for the same images."""

    one: float
    two: float
    ray: float
    ray_cold: float


def main() -> None:
    """Measure memory, then speed, and print both."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--images", type=int, default=500)
    options.add_argument("--problems", type=int, default=20_000)
    chosen = options.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        memory = {count: peak_memory(folder, count) for count in (SMALL_RUN, chosen.problems)}
        speed = measured_speed(folder, chosen.images)
    report(chosen.images, speed, memory, load)


def measured_speed(folder: Path, images: int) -> Speed:
    """One and two workers take turns over the images, then Ray does all of them."""
    order = drawn(folder, images + WARM)
    groups = groups_of(order)
    warm, rest = groups[:WARM], groups[WARM:]
    halves = [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
    lines: dict[int, list[TraceLine]] = {1: [], 2: []}
    seconds = {1: 0.0, 2: 0.0}
    with LocalEngine(order, workers=1) as one, LocalEngine(order, workers=2) as two:
        for engine in (one, two):
            done(engine, warm, lambda line: None)
        for half in halves:
            for workers, engine in ((1, one), (2, two)):
                seconds[workers] += timed(engine, half, lines[workers].append)
    cold = on_ray(order, warm[:2], folder / "cold")
    whole = on_ray(order, rest, folder / "ray")
    check_equal(lines, [*(folder / "ray" / "shards").glob("*[0-9].jsonl")])
    return Speed(one=seconds[1], two=seconds[2], ray=whole - cold, ray_cold=cold)


def done(engine: LocalEngine, groups: list[Batch], store: Callable[[TraceLine], None]) -> None:
    for receipt in engine.run(groups, store):
        if receipt.failure:
            sys.exit(f"{receipt.problem_id}: {receipt.failure}")


def timed(engine: LocalEngine, groups: list[Batch], store: Callable[[TraceLine], None]) -> float:
    started = time.perf_counter()
    done(engine, groups, store)
    return time.perf_counter() - started


def on_ray(order: RunOrder, groups: list[Batch], run: Path) -> float:
    """Seconds of a run with two actors, with all that starting and stopping takes."""
    moved = RunOrder(recipe=order.recipe, problems=order.problems, folder=str(run))
    started = time.perf_counter()
    with RayEngine(moved, workers=2) as engine:
        failures = [receipt.failure for receipt in engine.run(groups, lambda line: None) if receipt.failure]
    if failures:
        sys.exit(failures[0])
    return time.perf_counter() - started


def check_equal(lines: dict[int, list[TraceLine]], shards: list[Path]) -> None:
    """Ends where a variant gives other traces: its speed would mean nothing."""
    one, two = (sorted(line.line for line in lines[workers]) for workers in (1, 2))
    ray = sorted(line for shard in shards for line in shard.read_bytes().splitlines(keepends=True))
    if not one == two == ray:
        sys.exit(f"not the same traces: {len(one)}, {len(two)} and {len(ray)}")


def peak_memory(folder: Path, count: int) -> tuple[int, int]:
    """The most that the engine's process and the largest worker have held so far, in MB, after a run of so many."""
    problems = folder / f"given-{count}.jsonl"
    with problems.open("w", encoding="utf-8") as handle:
        for number in range(count):
            handle.write(json.dumps(given_problem(number)) + "\n")
    order = RunOrder(recipe=load_recipe("given"), problems=str(problems), folder=str(folder / f"run-{count}"))
    with LocalEngine(order, workers=2) as engine, RunWriter(order.folder, {"fingerprint": "f"}) as writer:
        done(engine, groups_of(order), writer.append_line)
    own, workers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return round(own / 1024), round(workers / 1024)


def given_problem(number: int) -> dict[str, object]:
    fact = {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm"}
    candidates = [
        {"id": str(n), "steps": [{"text": f"{n} + {number} = {n + number}.", "claim": f"AB = {n} cm"}]}
        for n in (12, 15)
    ]
    return {"id": f"p{number}", "question": "How long is it?", "constraints": [fact], "candidates": candidates}


def groups_of(order: RunOrder) -> list[Batch]:
    return groups_of_one_image(placed_problems(order.problems), lambda name: True)


def drawn(folder: Path, count: int) -> RunOrder:
    """Problems about small tables, each its own picture."""
    font = ImageFont.load_default(size=18)
    with (folder / "drawn.jsonl").open("w", encoding="utf-8") as handle:
        for number in range(count):
            picture = Image.new("RGB", (320, 200), "white")
            draw = ImageDraw.Draw(picture)
            for row, (name, value) in enumerate([("Day", "Hours"), ("Monday", "4"), ("Friday", str(number + 10))]):
                draw.text((20, 20 + 50 * row), name, "black", font)
                draw.text((200, 20 + 50 * row), value, "black", font)
            picture.save(folder / f"{number}.png")
            handle.write(json.dumps({**given_problem(number), "image": f"{number}.png"}) + "\n")
    recipe = load_recipe("embedded", {"extractor.cache": '""'})
    return RunOrder(recipe=recipe, problems=str(folder / "drawn.jsonl"), folder=str(folder / "run"))


def report(images: int, speed: Speed, memory: dict[int, tuple[int, int]], load: float) -> None:
    table = Table("variant", "seconds", "images / s")
    for name, seconds in (("one worker", speed.one), ("two workers", speed.two), ("Ray, two actors", speed.ray)):
        table.add_row(name, f"{seconds:.1f}", f"{images / seconds:.2f}")
    table.add_row("starting and stopping Ray", f"{speed.ray_cold:.1f}", "")
    for count, (own, worker) in memory.items():
        table.add_row(f"memory, {count:,} problems", f"{own} MB", f"worker {worker} MB")
    Console().print(table)
    (small, small_worker), (large, large_worker) = memory.values()
    figures = {
        "images": images,
        "two_workers_over_one": round(speed.one / speed.two, 3),
        "ray_over_local": round(speed.two / speed.ray, 3),
        "ray_cold_start_s": round(speed.ray_cold, 1),
        "seconds_per_image": round(speed.one / images, 4),
        "problems": list(memory),
        "engine_mb": [small, large],
        "worker_mb": [small_worker, large_worker],
        "memory_growth": round((large + 2 * large_worker) / (small + 2 * small_worker), 3),
        "load_before": round(load, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
