"""Whether small requests wait for another client's large ones: a service, an honest client, and an attacker beside it.

The honest client asks for rankings without a picture and for small figures that were never read before, one after another:
first alone, then while the attacker keeps several requests of 25 megapixels and of dense print waiting. Told are the
seconds of each kind of request, quiet and under attack, and what the attack added (docs/serving.md, "Who waits for whom").

    python -m benchmarks.fairness [--workers 2] [--requests 60] [--attackers 6]
"""

from __future__ import annotations

import base64
import io
import random
import threading
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import httpx2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table

from evpv.server.limits import add_key
from tests.server.serving import Served, serving

TEXT = {"query": "AB is 3 plus 4. How long is AB?", "documents": ["AB = 3 + 4 = 8.", "AB = 3 + 4 = 7."]}
Seconds = dict[str, list[float]]


def main() -> None:
    reader = ArgumentParser(description=__doc__)
    for name, usual in (("--workers", 2), ("--requests", 60), ("--attackers", 6)):
        reader.add_argument(name, type=int, default=usual)
    options = reader.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        attacker_key = add_key(folder / "keys", "attacker")
        cache = {"XDG_CACHE_HOME": str(folder / "cache")}
        with serving(folder, "--workers", str(options.workers), with_keys=True, environment=cache) as service:
            pictures = [dense_print(random.Random(1), 5000, 40), dense_print(random.Random(2), 1000, 10), noise(3)]
            quiet = asked_in_turn(service, options.requests, seed=1)
            over, answers = threading.Event(), Counter[str]()
            attack = [
                threading.Thread(
                    target=attack_service,
                    args=(service, attacker_key, pictures[number % 3 :] + pictures[: number % 3], over, answers),
                )
                for number in range(options.attackers)
            ]
            for thread in attack:
                thread.start()
            while jobs(service) < options.attackers:
                time.sleep(0.1)
            attacked = asked_in_turn(service, options.requests, seed=2)
            over.set()
            replaced = Counter(event["why"] for event in service.events() if event["event"] == "worker replaced")
    print_seconds(quiet, attacked)
    print(f"the attacker was answered {dict(answers)}; workers replaced: {dict(replaced)}")


def asked_in_turn(service: Served, requests: int, seed: int) -> Seconds:
    """The seconds of each kind of honest request; every one is answered."""
    seconds: Seconds = defaultdict(list)
    with service.client() as client:
        client.timeout = 300.0
        client.post("/v1/extract", json={"image": small_figure(random.Random(-seed))})  # models are loaded
        for number in range(requests):
            dice = random.Random(1000 * seed + number)
            for kind, path, body in (
                ("no picture", "/v1/rerank", TEXT),
                ("small figure", "/v1/extract", {"image": small_figure(dice)}),
            ):
                began = time.perf_counter()
                client.post(path, json=body).raise_for_status()
                seconds[kind].append(time.perf_counter() - began)
    return seconds


def attack_service(
    service: Served, key: str, pictures: list[tuple[str, bytes]], over: threading.Event, answers: Counter[str]
) -> None:
    """Send one large picture after another: bytes after a picture's end make it a new one."""
    with httpx2.Client(base_url=service.url, headers={"authorization": f"Bearer {key}"}, timeout=300) as client:
        for kind, content in cycle(pictures):
            if over.is_set():
                return
            image = data_uri(kind, content + random.randbytes(8))
            try:
                answers[str(client.post("/v1/extract", json={"image": image}).status_code)] += 1
            except httpx2.TransportError as error:
                answers[type(error).__name__] += 1


def jobs(service: Served) -> int:
    counts = httpx2.get(f"{service.url}/readyz", timeout=60).json()
    return int(counts["running"] + counts["waiting"])


def small_figure(dice: random.Random) -> str:
    """Four bars with their values, 420 × 300 pixels."""
    sheet = Image.new("RGB", (420, 300), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=16)
    draw.line((50, 20, 50, 250, 400, 250), "black", 2)
    for place, name in enumerate(("tea", "milk", "juice", "water")):
        value = dice.randint(5, 99)
        left = 70 + 82 * place
        draw.rectangle((left, 250 - 2 * value, left + 50, 250), "steelblue")
        draw.text((left + 12, 230 - 2 * value), str(value), "black", font)
        draw.text((left + 4, 258), name, "black", font)
    return data_uri("png", content_of(sheet, "png"))


def dense_print(dice: random.Random, side: int, size: int) -> tuple[str, bytes]:
    sheet = Image.new("RGB", (side, side), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=size)
    for y in range(0, side, int(1.5 * size)):
        words = (
            "".join(dice.choices("abcdefghkmnopq0123456789", k=dice.randint(1, 5))) for _ in range(side // size // 3)
        )
        draw.text((2, y), "   ".join(words), "black", font)
    return "png", content_of(sheet, "png")


def noise(seed: int) -> tuple[str, bytes]:
    values = np.random.default_rng(seed).integers(0, 255, (2500, 2500), np.uint8)
    return "jpeg", content_of(Image.fromarray(values).resize((5000, 5000), Image.Resampling.NEAREST), "jpeg")


def content_of(sheet: Image.Image, kind: str) -> bytes:
    file = io.BytesIO()
    sheet.save(file, kind, quality=50)
    return file.getvalue()


def data_uri(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def print_seconds(quiet: Seconds, attacked: Seconds) -> None:
    table = Table("request", "", "p50", "p90", "p99", "longest")
    for kind in quiet:
        rows = {"quiet": spread(quiet[kind]), "attacked": spread(attacked[kind])}
        rows["added"] = [late - early for early, late in zip(rows["quiet"], rows["attacked"], strict=True)]
        for name, values in rows.items():
            table.add_row(kind, name, *(f"{value:.2f} s" for value in values))
    Console(width=100).print(table)


def spread(values: list[float]) -> list[float]:
    cuts = quantiles(values, n=100, method="inclusive")
    return [cuts[49], cuts[89], cuts[98], max(values)]


if __name__ == "__main__":
    main()
