"""Perception measured: seconds per image and where they go, two workers against one, a cache hit against a read.

    python benchmarks/perception.py [--images 24]           speed; the last line is one JSON object
    python benchmarks/perception.py --robustness [--images 120]  F1 after the pictures were made worse
    python benchmarks/perception.py --against OTHER/src [--images 36]  processor time of a reading over another checkout's

Variants are compared within one run and must agree before a speed is printed. Pictures are the development packs' if
they are there (`EVPV_DATA`, or shared/data beside the checkout), else tables drawn here.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table

from evpv.config import load_recipe
from evpv.engines.local import extractions
from evpv.perception.cache import CachedExtractor
from evpv.perception.extractor import EmbeddedExtractor
from evpv.records.constraints import constraints_to_json
from evpv.types import Extraction, Problem

PACKS = ("tables", "charts", "geometry")
DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data"))


def main() -> None:
    """Runs the part that was asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--images", type=int, help="how many, shared among the packs (24; 120 for --robustness)")
    options.add_argument("--robustness", action="store_true")
    options.add_argument("--against", type=Path, help="the sources of another checkout, run in this environment")
    chosen = options.parse_args()
    if chosen.against:
        race(chosen.images or 36, chosen.against)
    elif chosen.robustness:
        measure_robustness((chosen.images or 120) // len(PACKS))
    else:
        measure_speed(chosen.images or 24)


def measure_speed(count: int) -> None:
    """One worker, two workers and the cache over the same pictures."""
    with tempfile.TemporaryDirectory() as folder:
        problems = sample(count) or drawn(count, Path(folder))
        one, two = EmbeddedExtractor(), load_recipe("embedded", {"extractor.cache": ""})
        one.extract(problems[:1])
        first, one_seconds = timed(lambda: one.extract(problems))
        second, two_seconds = timed(lambda: [found for _, found in extractions(two, problems, 2)])  # their start counts
        check_equal(first, second, "two workers")
        cached = CachedExtractor(one, Path(folder) / "cache")
        check_equal(first, cached.extract(problems), "the cache, filling")
        again, hit_seconds = timed(lambda: [cached.extract([problem])[0] for problem in problems])
        check_equal(first, again, "the cache, answering")
    report(first, one_seconds, two_seconds, hit_seconds)


def timed(work: Callable[[], list[Extraction]]) -> tuple[list[Extraction], float]:
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def check_equal(expected: Sequence[Extraction], found: Sequence[Extraction], what: str) -> None:
    """Ends the run where a variant answers differently: its speed would mean nothing."""
    if [(one.constraints, one.kind) for one in expected] != [(one.constraints, one.kind) for one in found]:
        sys.exit(f"{what}: not the constraints of one worker")


def report(answers: Sequence[Extraction], one_seconds: float, two_seconds: float, hit_seconds: float) -> None:
    ocr = sum(answer.cost["ocr_seconds"] for answer in answers)
    ours = sum(answer.cost["seconds"] for answer in answers) - ocr
    table = Table("kind", "pictures", "s / picture", "of it OCR", "constraints")
    for kind in sorted({answer.kind or "unread" for answer in answers}):
        rows = [answer for answer in answers if (answer.kind or "unread") == kind]
        seconds = sum(answer.cost["seconds"] for answer in rows)
        share = sum(answer.cost["ocr_seconds"] for answer in rows) / seconds
        facts = sum(len(answer.constraints) for answer in rows) / len(rows)
        table.add_row(kind, str(len(rows)), f"{seconds / len(rows):.3f}", f"{share:.0%}", f"{facts:.1f}")
    Console().print(table)
    figures = {
        "images": len(answers),
        "seconds_per_image": round(one_seconds / len(answers), 4),
        "ours_over_ocr": round(ours / ocr, 4),
        "two_workers_over_one": round(one_seconds / two_seconds, 3),
        "cache_speedup": round(one_seconds / hit_seconds, 1),
        "peak_mb_per_process": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "worker_peak_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }
    print(json.dumps(figures))


RACER = """
import resource, sys
from evpv.perception.extractor import EmbeddedExtractor
from evpv.types import Problem
extractor = EmbeddedExtractor()
for line in sys.stdin:
    before = resource.getrusage(resource.RUSAGE_SELF)
    extractor.extract([Problem(id="p", question="", images=(line.strip(),))])
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)
"""


class Racer:
    """A process that reads pictures with the sources of one checkout, on one thread, and tells its processor time."""

    def __init__(self, source: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(source.resolve()), "OMP_NUM_THREADS": "1"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, "-c", RACER], stdin=pipe, stdout=pipe, text=True, env=environment
        )

    def seconds(self, image: str) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(image, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


def race(count: int, other: Path) -> None:
    """Both checkouts read each picture twice, in turns; of the two readings the quicker counts."""
    racers = {"other": Racer(other), "own": Racer(Path(__file__).resolve().parents[1] / "src")}
    images = [problem.images[0] for problem in sample(count)]
    for racer in racers.values():
        racer.seconds(images[0])  # models are loaded
    totals: dict[str, dict[str, float]] = {}
    for image in images:
        rounds = [{name: racer.seconds(image) for name, racer in racers.items()} for _ in range(2)]
        pack = totals.setdefault(Path(image).relative_to(DATA).parts[0], dict.fromkeys(racers, 0.0))
        for name in racers:
            pack[name] += min(one[name] for one in rounds)
    whole = {name: sum(pack[name] for pack in totals.values()) for name in racers}
    shares = {pack: round(one["own"] / one["other"], 3) for pack, one in (totals | {"all": whole}).items()}
    print(json.dumps({"images": len(images), "own_over_other": shares}))


def sample(count: int) -> list[Problem]:
    """Evenly spread items of each pack that is there."""
    packs = [pack for pack in PACKS if (DATA / pack / "items.jsonl").exists()]
    return [
        Problem(id=row["id"], question=row.get("question") or "", images=(str(DATA / pack / row["image"]),))
        for pack in packs
        for row in rows_of(pack, max(count // len(packs), 1))
    ]


def rows_of(pack: str, count: int) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (DATA / pack / "items.jsonl").read_text().splitlines()]
    return rows[:: max(len(rows) // count, 1)][:count]


def drawn(count: int, folder: Path) -> list[Problem]:
    """Tables of our own, where no pack is there."""
    font = ImageFont.load_default(size=18)
    problems = []
    for number in range(count):
        picture = Image.new("RGB", (320, 200), "white")
        draw = ImageDraw.Draw(picture)
        for row, (name, value) in enumerate([("Day", "Hours"), ("Monday", "4"), ("Friday", str(number + 10))]):
            draw.text((20, 20 + 50 * row), name, "black", font)
            draw.text((200, 20 + 50 * row), value, "black", font)
        path = folder / f"{number}.png"
        picture.save(path)
        problems.append(Problem(id=str(number), question="", images=(str(path),)))
    return problems


def as_is(picture: Image.Image) -> Image.Image:
    return picture


def resized(factor: float) -> Callable[[Image.Image], Image.Image]:
    return lambda picture: picture.resize(
        (max(round(picture.width * factor), 1), max(round(picture.height * factor), 1)), Image.Resampling.BICUBIC
    )


def jpeg(picture: Image.Image) -> Image.Image:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=30)
    return Image.open(buffer).convert("RGB")


def turned(picture: Image.Image) -> Image.Image:
    return picture.rotate(3, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)


def inverted(picture: Image.Image) -> Image.Image:
    return Image.fromarray(255 - np.asarray(picture))


def noisy(picture: Image.Image) -> Image.Image:
    noise = np.random.default_rng(20261115).normal(0, 12, (picture.height, picture.width, 3))
    return Image.fromarray(np.clip(np.asarray(picture, np.float64) + noise, 0, 255).astype(np.uint8))


DAMAGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "as it is": as_is,
    "50 %": resized(0.5),
    "200 %": resized(2.0),
    "JPEG 30": jpeg,
    "3° turned": turned,
    "inverted": inverted,
    "noise σ 12": noisy,
}


def measure_robustness(count: int) -> None:
    """Overall F1 of each pack under each damage, by the project's scorer; needs the packs."""
    scorer = load_scorer()
    table = Table("picture", *PACKS)
    figures: dict[str, dict[str, float]] = {}
    for name, damage in DAMAGES.items():
        figures[name] = {pack: damaged_f1(pack, count, damage, scorer) for pack in PACKS}
        table.add_row(name, *(f"{figures[name][pack]:.3f}" for pack in PACKS))
        print(name, figures[name], flush=True)  # the whole takes long: show what is known
    Console().print(table)
    print(json.dumps({"images_per_pack": count, "f1": figures}, ensure_ascii=False))


def load_scorer() -> Any:
    path = DATA.parent / "tools" / "score_constraints.py"
    spec = importlib.util.spec_from_file_location("score_constraints", path)
    if not path.exists() or spec is None or spec.loader is None:
        sys.exit(f"the robustness table needs the development packs and {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def damaged_f1(pack: str, count: int, damage: Callable[[Image.Image], Image.Image], scorer: Any) -> float:
    rows = rows_of(pack, count)
    extractor = EmbeddedExtractor()
    predictions = {}
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            path = Path(folder) / "damaged.png"
            damage(Image.open(DATA / pack / row["image"]).convert("RGB")).save(path)
            (answer,) = extractor.extract([Problem(id=row["id"], question="", images=(str(path),))])
            predictions[row["id"]] = constraints_to_json(answer.constraints)
    tolerance = 0.05 if pack == "charts" else 0.005
    return float(scorer.report(scorer.score(rows, predictions, tolerance))["overall"]["f1"])


if __name__ == "__main__":
    main()
