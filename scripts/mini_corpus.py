"""Make the corpora of the mini models: drawn figures with what is written where, and pages of loose writing.

    python scripts/mini_corpus.py figures -o FOLDER -n 40000 --seed 0 --split train --candidates
    python scripts/mini_corpus.py pages   -o FOLDER -n 12000 --seed 0

A line of FOLDER/corpus.jsonl has the picture, the question, the constraints in canonical form and `letters`: every
character with its place and the number of the fact it belongs to, which is what the dense reading task learns.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any

from evpv.backends.step_forms import canonical
from evpv.figures import make_problem, small_families
from evpv.figures.drawing import SMALL_PRINT, SMALL_SIZE, THEMES, Canvas, font
from evpv.records import constraints_to_json, problem_to_json
from evpv.types import Box, Numeric

FAMILIES = small_families()


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


def letters(written: list[Written], roles: dict[Box, int]) -> list[list[Any]]:
    """Character, role and place; spaces are not written."""
    return [
        [character, roles.get(one.box, 0), round(x, 1), round((one.box[1] + one.box[3]) / 2, 1)]
        for one in written
        for character, x in zip(one.words, one.centres, strict=True)
        if character != " "
    ]


def figure(place: Path, split: str, candidates: bool, index: int) -> dict[str, Any]:
    family = FAMILIES[index % len(FAMILIES)]
    with recorded_writing() as written:
        made = make_problem(family, index // len(FAMILIES), split)  # type: ignore[arg-type]
    facts = canonical(made.constraints)
    numbers = [fact for fact in facts if isinstance(fact, Numeric)]
    roles = {fact.box: i + 1 for i, fact in enumerate(numbers) if fact.box is not None}
    name = f"images/{made.problem.id}.png"
    made.image.save(place / name, compress_level=1)
    line = {
        "id": made.problem.id,
        "family": family,
        "image": name,
        "question": made.problem.question,
        "constraints": [{k: v for k, v in c.items() if k != "box"} for c in constraints_to_json(facts)],
        "letters": letters(written, roles),
    }
    if candidates:
        line |= {key: value for key, value in problem_to_json(made.problem).items() if key in ("options", "candidates")}
    return line


def page(place: Path, seed: int, index: int) -> dict[str, Any]:
    """Rows of numbers, letters and words in the figures' print, between lines: far more to read than a figure has."""
    rng = Random(f"page/{seed}/{index}")
    canvas, written, y = Canvas(*SMALL_SIZE, SMALL_PRINT), [], rng.uniform(8, 18)
    for _ in range(rng.randint(0, 4)):
        ends = [(rng.uniform(0, SMALL_SIZE[0]), rng.uniform(0, SMALL_SIZE[1])) for _ in range(2)]
        canvas.line(*ends)
    while y < SMALL_SIZE[1] - 7:
        x = rng.uniform(2, 24)
        while x < SMALL_SIZE[0] - 10:
            words = loose_words(rng)
            if x + canvas.text_size(words)[0] > SMALL_SIZE[0] - 2:
                break
            box = canvas.text(words, (x, y + rng.uniform(-2, 2)), anchor="lm")
            written.append(
                Written(words=words, box=box, centres=centres(words, SMALL_PRINT.font, SMALL_PRINT.size_px, box))
            )
            x = box[2] + rng.uniform(5, 30)
        y += rng.uniform(17, 26)
    name = f"images/page-{seed}-{index}.png"
    canvas.finish(rng).save(place / name, compress_level=1)
    return {"id": f"page-{seed}-{index}", "image": name, "letters": letters(written, {})}


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
    with (told.output / "corpus.jsonl").open("a", encoding="utf-8") as lines, Pool() as pool:
        for line in pool.imap(make, numbers, chunksize=64):
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
