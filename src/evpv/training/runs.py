"""One run of one trainer from its recipe: data in, faults and leaks counted, weights, log, card and statistics out.

In a run of several processes all read and learn, and the main one writes.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw

from evpv.errors import ConfigError
from evpv.training import trainers
from evpv.training.architecture import build, runs_of, texts_of
from evpv.training.launch import is_main, join_processes, main_process_first, wait_for_all
from evpv.training.learner import Learner, last_checkpoint, load_learner, merge_adapter, restore_weights, tower_of
from evpv.training.measures import corpus_page, decoding, fidelity, step_metrics
from evpv.training.pictures import (
    Pair,
    Picture,
    pair_fault,
    pair_rows,
    picture_fault,
    picture_rows,
    preference_pair,
    read_pictures,
)
from evpv.training.reading import save_head, train_reading
from evpv.training.recipes import TrainingRecipe, training_recipe
from evpv.training.screening import LeakageReport, RowFaults, fitting_rows, kept_out, row_lengths, usable
from evpv.training.trajectories import problem_rows, random_rows, trajectory_fault, trajectory_rows

_Report = dict[str, Any]
_WHAT = {
    "extractor": "Reads a picture and writes the visual constraints of the EVPV paper's Appendix A as a JSON array.",
    "preferences": "A constraint extractor after preference learning: nearer to the truth than to rewrites of it.",
    "verifier": 'Gives each step of a solution a probability: "+" against "-" at `<|box_end|>`, which ends a step.',
}


def train(recipe: TrainingRecipe, folder: Path) -> _Report:
    """Run a recipe into a folder: model, `training.json`, `README.md` (the card), `corpus.md`, `leakage.md`."""
    join_processes()
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    report = _learn(recipe, folder)
    report |= {"kind": recipe.kind, "recipe": asdict(recipe), "hours": round((time.monotonic() - started) / 3600, 3)}
    if is_main():
        if recipe.model.lora:
            merge_adapter(folder, recipe.model.start, folder / "merged")
            _write_card(folder / "merged", recipe, report)
        _write_card(folder, recipe, report)
    return report


def _learn(recipe: TrainingRecipe, folder: Path) -> _Report:
    """Rows read, screened and cut to length; the model taught by its trainer, and measured on what was held out."""
    faults = RowFaults()
    rows = _left(_training_rows(recipe, folder, faults), faults)
    learner = _start(recipe, folder, rows)
    text_of, lengths = row_text(recipe, learner.processor), row_lengths(learner.processor, recipe)
    rows = _left(fitting_rows(rows, text_of, lengths, recipe.data.on_bad, faults), faults)
    held_out, (file, most) = list[Any](), (recipe.data.held_out, recipe.data.held_out_limit)
    if file and recipe.kind == "verifier":
        drawn = _drawn_rows(recipe, file, faults)[:most]
        held_out = fitting_rows(drawn, text_of, lengths, "skip", RowFaults())
    elif file:
        held_out = list(read_pictures(file, most))
    _write_page(folder / "corpus.md", corpus_page(rows, recipe.data.threshold))
    report: _Report = {"rows": len(rows), "faults": dict(faults.kinds)}
    if recipe.kind == "preferences":
        report["before"] = _held_out_metrics(recipe, learner, held_out)
        report["log"] = trainers.train_preferences(recipe, learner, rows, folder)
    elif recipe.kind == "verifier":
        report["log"] = trainers.train_verifier(recipe, learner, rows, held_out, folder)
    else:
        if recipe.reading.settings and last_checkpoint(folder) is None:
            report["reading_log"] = _read_first(recipe, learner, rows, held_out, folder)
        report["log"] = trainers.train_extractor(recipe, learner, rows, held_out, folder)
    report["held_out"] = _held_out_metrics(recipe, learner, held_out)
    return report


def corpus_rows(recipe: TrainingRecipe, file: str, on_bad: str, faults: RowFaults) -> Iterator[Any]:
    """The rows of a file that a recipe's kind learns from: trajectories, pairs that somebody wrote, or pictures."""
    if recipe.kind == "verifier":
        return usable(trajectory_rows(file, recipe.data.root), trajectory_fault, on_bad, faults)
    if recipe.kind == "preferences" and recipe.preferences.pairs == "file":
        return usable(pair_rows(file), pair_fault, on_bad, faults)
    return usable(picture_rows(file), picture_fault, on_bad, faults)


def row_text(recipe: TrainingRecipe, processor: Any) -> Callable[[Any], str]:
    """How a row of the recipe's kind reads for the model; of a pair, its longer side."""
    if recipe.kind == "verifier":
        return trainers.StepCollator(processor, recipe.data, recipe.verifier).text

    def text(row: Picture | Pair) -> str:
        sides = (row.facts,) if isinstance(row, Picture) else (row.chosen, row.rejected)
        return max((trainers.chat_text(processor, row.question, side) for side in sides), key=len)

    return text


def _training_rows(recipe: TrainingRecipe, folder: Path, faults: RowFaults) -> list[Any]:
    """The corpus without rows that are at fault or that an evaluation set holds; what was refused stands in `leakage.md`.

    Trajectories are drawn by the recipe's seed where it says how many; rewrites by rule are made of pictures.
    """
    data, report = recipe.data, LeakageReport()
    if not data.train:
        raise ConfigError("the recipe needs [data] train, a corpus file.")
    rows = _drawn_rows(recipe, data.train, faults)
    if data.keep_out:
        held = kept_out(data.keep_out)
        rows = [row for row in rows if report.add(row.id, row.source, held.why(row.images, row.question))]
    _write_page(folder / "leakage.md", report.page())
    rules = recipe.kind == "preferences" and recipe.preferences.pairs == "rules"
    return _pairs_of(rows, recipe.learning.seed) if rules else rows


def _drawn_rows(recipe: TrainingRecipe, file: str, faults: RowFaults) -> list[Any]:
    found = islice(corpus_rows(recipe, file, recipe.data.on_bad, faults), recipe.data.limit or None)
    if recipe.kind != "verifier":
        return list(found)
    rows = random_rows(found, recipe.data.sample, recipe.data.sample_seed)
    return rows if recipe.data.pictures else [replace(row, images=()) for row in rows]


def _held_out_metrics(recipe: TrainingRecipe, learner: Learner, held_out: Sequence[Any]) -> dict[str, Any]:
    if not held_out:
        return {}
    if recipe.kind == "verifier":
        collator = trainers.StepCollator(learner.processor, recipe.data, recipe.verifier)
        return step_metrics(*trainers.step_scores(learner.model, collator, held_out))
    return fidelity(learner.model, learner.processor, held_out, **decoding(recipe))


def _read_first(
    recipe: TrainingRecipe, learner: Learner, pictures: Sequence[Picture], held_out: Sequence[Picture], folder: Path
) -> list[Any]:
    """The dense reading stage, once: what it taught is kept in the folder `reading`, and taken from there next time.

    Each process learns it by itself, for all go on from what the main one wrote.
    """
    assert recipe.reading.settings is not None
    model, processor, taught = learner.model, learner.processor, folder / "reading"
    if not (taught / trainers.HEAD_FILE).exists():
        extra = [one for file in recipe.data.reading for one in read_pictures(file)]
        written = [one for one in held_out if one.letters][:80]
        often = 4 * len(pictures) // max(1, len(extra)) + 1  # a page has ten times the writing of a figure
        tower_of(model).requires_grad_(True)
        head, log = train_reading(model, processor, [*extra * often, *pictures], written, recipe.reading.settings)
        if is_main():
            model.save_pretrained(taught)
            processor.save_pretrained(taught)
            (taught / "log.json").write_text(json.dumps(log), encoding="utf-8")
            save_head(head, taught / trainers.HEAD_FILE)  # last: it says that the stage is done
    if is_main():
        shutil.copy(taught / trainers.HEAD_FILE, folder / trainers.HEAD_FILE)
    wait_for_all()
    restore_weights(model, taught)
    tower_of(model).requires_grad_(not recipe.model.freeze_vision)
    return list(json.loads((taught / "log.json").read_text(encoding="utf-8")))


def _pairs_of(pictures: Sequence[Picture], seed: int) -> list[Pair]:
    """A preference pair by rule for each picture that allows one."""
    made = (preference_pair(one, Random(f"{seed}/{one.id}")) for one in pictures)
    return [pair for pair in made if pair is not None]


def _left(rows: list[Any], faults: RowFaults) -> list[Any]:
    """The rows, if there are any; a trainer given none would say only that an iteration stopped."""
    if not rows:
        raise ConfigError("no row is left to learn from. " + (faults.summary() or "The file has none that is wanted."))
    return rows


def _start(recipe: TrainingRecipe, folder: Path, pictures: Sequence[Picture]) -> Learner:
    """A new extractor gets a tokenizer made from the corpus; anything else is loaded as it is."""
    size = recipe.model.start.removeprefix("new:")
    if recipe.model.start == size or recipe.kind != "extractor":
        return load_learner(recipe, folder)

    def make() -> Path:
        trajectories = list(usable(problem_rows(recipe.data.train), lambda row, place: None, "skip", RowFaults()))
        texts, runs = texts_of(pictures, trajectories), runs_of(pictures)
        return build(folder / "start", size=size, seed=recipe.model.seed, corpus=texts, runs=runs)

    place = main_process_first(make, lambda: folder / "start")
    return load_learner(replace(recipe, model=replace(recipe.model, start=str(place))), folder)


def _write_page(path: Path, text: str) -> None:
    if is_main():
        path.write_text(text, encoding="utf-8")


def _write_card(folder: Path, recipe: TrainingRecipe, report: Mapping[str, Any]) -> None:
    """Write training.json and README.md, what the model is and how it came to be; a number not measured is not in it."""
    (folder / "training.json").write_text(json.dumps(report, indent=1, default=str), encoding="utf-8")
    held_out = report.get("held_out") or {}
    lines = [
        f"# {recipe.name}",
        *([recipe.description] if recipe.description else []),
        _WHAT[recipe.kind] + " A plain Qwen2.5-VL checkpoint: transformers and vLLM load it as it is.",
        "## Learning",
        _table(
            {
                "start": _short_paths(recipe.model.start),
                "rows": report.get("rows", "–"),
                "rows left out": json.dumps(report.get("faults") or {}),
                "hours": report.get("hours", "–"),
                "seeds": f"model {recipe.model.seed}, order {recipe.learning.seed}",
                "packages": ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "trl")),
            }
        ),
        "```json\n" + json.dumps(_short_paths(asdict(recipe)), indent=1) + "\n```",
        "## Held out",
        _table(held_out) if held_out else "Not measured.",
        "## Limits",
        "It knows what its corpus shows (see `corpus.md`) and nothing else; it was not tried on photographs or scans.",
    ]
    (folder / "README.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def _short_paths(value: Any) -> Any:
    """The value with files and folders by their last two names: where they stood on one machine says nothing."""
    if isinstance(value, str) and Path(value).is_absolute():
        return "/".join(Path(value).parts[-2:])
    if isinstance(value, Mapping):
        return {key: _short_paths(one) for key, one in value.items()}
    return [_short_paths(one) for one in value] if isinstance(value, (list, tuple)) else value


def _table(values: Mapping[str, Any]) -> str:
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in values.items())])


_LEARNING = {"steps": 6, "batch": 4, "learning_rate": 1e-3, "warmup": 1, "precision": "fp32", "save_every": 100}


def smoke(folder: Path) -> dict[str, dict[str, Any]]:
    """Train extractor, preferences and verifier for a few steps on drawings of our own; the reports come back by name."""
    corpus = str(toy_corpus(folder / "corpus", 24))
    data = {"train": corpus, "held_out": corpus, "held_out_limit": 4, "held_out_tokens": 32}
    taught, reading = {"start": str(folder / "extractor")}, {"steps": 3, "batch": 4, "weight": 0.3, "check_every": 3}
    verifier = {"constraints": True, "language_weight": 0.3}
    plans: dict[str, dict[str, Any]] = {
        "extractor": {"model": {"start": "new:toy"}, "reading": reading},
        "preferences": {"model": taught, "preferences": {"sft_weight": 1.0}},
        "verifier": {"model": {**taught, "freeze_vision": True}, "verifier": verifier},
    }
    reports = {}
    for kind, plan in plans.items():
        recipe = training_recipe(f"smoke-{kind}", {"kind": kind, **plan, "data": data, "learning": _LEARNING})
        reports[kind] = train(recipe, folder / kind)
    return reports


def toy_corpus(folder: Path, count: int, seed: int = 0, scale: int = 1) -> Path:
    """Pictures of a labelled segment, each with its fact, its letters and two labelled solutions; the file's path.

    `scale` makes the pictures that many times larger, as released processors expect them.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rng = Random(seed)
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as lines:
        for index in range(count):
            lines.write(json.dumps(_toy(folder, index, rng, scale)) + "\n")
    return folder / "corpus.jsonl"


def _toy(folder: Path, index: int, rng: Random, scale: int) -> dict[str, Any]:
    value, name = rng.randint(2, 9), "".join(sorted(rng.sample("ABCDEF", 2)))
    image = Image.new("RGB", (84, 56), "white")
    draw = ImageDraw.Draw(image)
    draw.line((12, 34, 72, 34), fill="black", width=2)
    letters = [(name[0], 0, 12.0, 44.0), (name[1], 0, 72.0, 44.0), (str(value), 1, 42.0, 22.0)]
    for character, _, x, y in letters:
        draw.text((x - 3, y - 6), character, fill="black")
    image.resize((84 * scale, 56 * scale)).save(folder / "images" / f"{index}.png")
    wrong = value + 1
    return {
        "id": f"toy-{index}",
        "family": "toy",
        "image": f"images/{index}.png",
        "question": f"How long is {name}?",
        "constraints": [
            {"category": "numeric", "entity": f"segment {name}", "attribute": "length", "value": float(value),
             "unit": None, "confidence": 1.0}
        ],
        "letters": letters,
        "candidates": [
            {"id": "right", "steps": [{"text": f"{name} = {value}.", "label": 1}, {"text": f"It is {value}.", "label": 1}]},
            {"id": "wrong", "steps": [{"text": f"{name} = {wrong}.", "label": -1}, {"text": f"It is {wrong}.", "label": -1}]},
        ],
    }  # fmt: skip
