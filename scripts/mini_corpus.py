"""Make the corpora of the mini models: drawn figures with what is written where, and pages of loose writing.

    python scripts/mini_corpus.py figures -o FOLDER -n 40000 --seed 0 --split train --candidates
    python scripts/mini_corpus.py pages   -o FOLDER -n 12000 --seed 0

A line of FOLDER/corpus.jsonl has the picture, the question, the constraints in canonical form and `letters`: every
character with its place and the number of the fact it belongs to, which is what the dense reading task learns. Pictures
are stored at the size at which the mini models see them.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageDraw
from transformers.models.qwen2_vl.image_processing_qwen2_vl import smart_resize

from evpv.backends.verifier_text import canonical
from evpv.figures import make_problem
from evpv.figures.drawing import Canvas
from evpv.figures.style import font, random_style
from evpv.figures.themes import THEMES
from evpv.records import constraints_to_json, problem_to_json
from evpv.training.architecture import SIZES
from evpv.types import Box, Numeric

FAMILIES = ("tables", "tables", "right-triangles", "triangles", "circles", "parallels")
CELL = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text on the picture: its box and where each character's centre is, from the left."""

    words: str
    box: Box
    centres: tuple[float, ...]


@contextmanager
def recorded_writing() -> Iterator[list[Written]]:
    """Listen to every canvas that is drawn on, since a finished picture no longer says what was written on it."""
    seen: list[Written] = []
    text = Canvas.text

    def listening(canvas: Canvas, words: str, *args: Any, **kwargs: Any) -> Box:
        box = text(canvas, words, *args, **kwargs)
        size = kwargs.get("size") or canvas.style.size_px
        seen.append(Written(words=words, box=box, centres=centres(words, canvas.style.font, size, box)))
        return box

    Canvas.text = listening  # type: ignore[assignment, method-assign]
    try:
        yield seen
    finally:
        Canvas.text = text  # type: ignore[method-assign]


def centres(words: str, name: str, size: int, box: Box) -> tuple[float, ...]:
    """The middle of each character, by the font's advances, stretched to the box that the text takes."""
    face = font(name, size)
    edges = [face.getlength(words[:i]) for i in range(len(words) + 1)]
    scale = (box[2] - box[0]) / max(edges[-1], 1e-6)
    return tuple(box[0] + (a + b) / 2 * scale for a, b in itertools.pairwise(edges))


def shrunk(image: Image.Image) -> tuple[Image.Image, tuple[float, float]]:
    """The picture as the mini's processor makes it, and the factors across and down."""
    shortest, longest = SIZES["mini"].pixels
    height, width = smart_resize(image.height, image.width, CELL, shortest, longest)
    small = image.convert("RGB").resize((width, height), Image.Resampling.BICUBIC)
    return small, (width / image.width, height / image.height)


def letters(written: list[Written], roles: dict[Box, int], factors: tuple[float, float]) -> list[list[Any]]:
    """Character, role and place in the small picture; spaces are not written."""
    across, down = factors
    return [
        [character, roles.get(one.box, 0), round(x * across, 1), round((one.box[1] + one.box[3]) / 2 * down, 1)]
        for one in written
        for character, x in zip(one.words, one.centres, strict=True)
        if character != " "
    ]


def figure(place: Path, split: str, candidates: bool, index: int) -> dict[str, Any]:
    family = FAMILIES[index % len(FAMILIES)]
    seed = index // len(FAMILIES) * 2 + (1 if index % len(FAMILIES) == 1 else 0)
    with recorded_writing() as written:
        made = make_problem(family, seed, split)  # type: ignore[arg-type]
    facts = canonical(made.constraints)
    numbers = [fact for fact in facts if isinstance(fact, Numeric)]
    roles = {fact.box: i + 1 for i, fact in enumerate(numbers) if fact.box is not None}
    image, factors = shrunk(made.image)
    name = f"images/{made.problem.id}.png"
    image.save(place / name, compress_level=1)
    line = {
        "id": made.problem.id,
        "family": family,
        "image": name,
        "question": made.problem.question,
        "constraints": [{k: v for k, v in c.items() if k != "box"} for c in constraints_to_json(facts)],
        "letters": letters(written, roles, factors),
    }
    if candidates:
        line |= {key: value for key, value in problem_to_json(made.problem).items() if key in ("options", "candidates")}
    return line


def page(place: Path, seed: int, index: int) -> dict[str, Any]:
    """Rows of numbers, labels and words in the figures' fonts and inks, between lines: far more to read than a figure."""
    rng = Random(f"page/{seed}/{index}")
    size = rng.choice(((480, 380), (480, 380), (400, 340), (440, 300), (500, 400)))
    style = random_style(rng)
    image = Image.new("RGB", size, style.paper)
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(0, 5)):
        ends = [rng.randint(0, limit) for limit in (*size, *size)]
        draw.line(ends, fill=style.ink, width=rng.randint(1, 3))
    written, y = [], rng.randint(4, 16)
    while y < size[1] - 28:
        x = rng.randint(2, 40)
        while x < size[0] - 60:
            look = random_style(rng, upright=rng.random() < 0.6)
            words = loose_words(rng)
            face = font(look.font, look.size_px)
            if x + face.getlength(words) > size[0] - 4:
                break
            at = (x, y + rng.randint(0, 4))
            box = draw.textbbox(at, words, font=face)
            ink = look.accent if rng.random() < 0.3 else look.ink
            draw.text(at, words, font=face, fill=ink)
            written.append(Written(words=words, box=box, centres=centres(words, look.font, look.size_px, box)))
            x = int(box[2]) + rng.randint(9, 60)
        y += rng.randint(26, 44)
    if style.noise:
        grain = np.random.default_rng(rng.getrandbits(32)).standard_normal((size[1], size[0], 1)) * style.noise
        image = Image.fromarray(np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8))
    small, factors = shrunk(image)
    name = f"images/page-{seed}-{index}.png"
    small.save(place / name, compress_level=1)
    return {"id": f"page-{seed}-{index}", "image": name, "letters": letters(written, {}, factors)}


def loose_words(rng: Random) -> str:
    kind = rng.random()
    value = str(rng.choice((rng.randint(1, 9), rng.randint(10, 99), rng.randint(10, 99), rng.randint(100, 199))))
    if kind < 0.45:
        return value
    if kind < 0.65:
        return value + rng.choice(("°", "°", " cm", " m", " ft", "%", "?"))
    if kind < 0.9:
        return rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZO")
    theme = rng.choice(THEMES)
    return rng.choice((*theme.names, theme.first, rng.choice(("2019", "2020", "2021", "2022", "2023"))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("figures", "pages"))
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("-n", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0, help="where counting starts")
    parser.add_argument("--split", default="train")
    parser.add_argument("--candidates", action="store_true", help="also the labelled candidates, for the verifier")
    told = parser.parse_args()
    (told.output / "images").mkdir(parents=True, exist_ok=True)
    if told.kind == "figures":
        make = partial(figure, told.output, told.split, told.candidates)
        numbers = range(told.seed, told.seed + told.n)
    else:
        make = partial(page, told.output, told.seed)
        numbers = range(told.n)
    with (told.output / "corpus.jsonl").open("a", encoding="utf-8") as lines:
        for index in numbers:
            lines.write(json.dumps(make(index), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
