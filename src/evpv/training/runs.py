"""One run of one trainer from its recipe: data in, faults and leaks counted, weights, log, card and statistics out."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from evpv.errors import ConfigError
from evpv.records import constraints_from_json
from evpv.training.architecture import build
from evpv.training.card import write_card
from evpv.training.checking import fidelity
from evpv.training.data.faults import Faults, usable
from evpv.training.data.leakage import LeakageReport, kept_out
from evpv.training.data.pictures import Picture, picture_fault, picture_rows, read_pictures
from evpv.training.data.preferences import Pair, preference_pair
from evpv.training.data.statistics import constraint_page, preference_page, trajectory_page
from evpv.training.data.trajectories import Trajectory, problem_rows, trajectory_fault, visualprm_rows
from evpv.training.extractor import HEAD_FILE, fitting_pictures, train_extractor
from evpv.training.metrics import step_metrics
from evpv.training.preferences import train_preferences
from evpv.training.reading import save_head, train_reading
from evpv.training.recipes import TrainingRecipe
from evpv.training.running import Learner, last_checkpoint, load_start, merge_adapter, restore_weights
from evpv.training.verifier import StepCollator, fitting, scored, train_verifier
from evpv.training.vocabulary import runs_of, texts_of

Report = dict[str, Any]


def train(recipe: TrainingRecipe, folder: Path) -> Report:
    """Run a recipe into a folder: model, `training.json`, `README.md` (the card), `corpus.md`, `leakage.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    kinds = {"extractor": _extractor, "preferences": _preferences, "verifier": _verifier}
    report = kinds[recipe.kind](recipe, folder)
    if recipe.model.lora:
        merge_adapter(folder, recipe.model.start, folder / "merged")
    report |= {"kind": recipe.kind, "recipe": asdict(recipe), "hours": round((time.monotonic() - started) / 3600, 3)}
    (folder / "training.json").write_text(json.dumps(report, indent=1, default=str), encoding="utf-8")
    write_card(folder, recipe, report)
    return report


def _extractor(recipe: TrainingRecipe, folder: Path) -> Report:
    faults = Faults()
    pictures = _pictures(recipe, folder, faults)
    held_out = _held_out_pictures(recipe)
    learner = _start(recipe, folder, pictures)
    pictures = fitting_pictures(pictures, learner.processor, recipe.learning.max_tokens, recipe.data.on_bad, faults)
    (folder / "corpus.md").write_text(constraint_page(pictures), encoding="utf-8")
    report: Report = {"rows": len(pictures), "faults": dict(faults.kinds)}
    if recipe.reading.settings and last_checkpoint(folder) is None:
        report["reading_log"] = _read_first(recipe, learner, pictures, held_out, folder)
    report["log"] = train_extractor(recipe, learner, pictures, held_out, folder)
    report["held_out"] = fidelity(learner.model, learner.processor, held_out) if held_out else {}
    return report


def _read_first(
    recipe: TrainingRecipe, learner: Learner, pictures: Sequence[Picture], held_out: Sequence[Picture], folder: Path
) -> list[Any]:
    """The dense reading stage, once: what it taught is kept in the folder `reading`, and taken from there next time."""
    assert recipe.reading.settings is not None
    model, processor, taught = learner.model, learner.processor, folder / "reading"
    if not (taught / HEAD_FILE).exists():
        extra = [one for file in recipe.data.reading for one in read_pictures(file)]
        written = [one for one in held_out if one.letters][:80]
        often = 4 * len(pictures) // max(1, len(extra)) + 1  # a page has ten times the writing of a figure
        model.model.visual.requires_grad_(True)
        head, log = train_reading(model, processor, [*extra * often, *pictures], written, recipe.reading.settings)
        model.save_pretrained(taught)
        processor.save_pretrained(taught)
        save_head(head, taught / HEAD_FILE)
        (taught / "log.json").write_text(json.dumps(log), encoding="utf-8")
    restore_weights(model, taught)
    model.model.visual.requires_grad_(not recipe.model.freeze_vision)
    shutil.copy(taught / HEAD_FILE, folder / HEAD_FILE)
    return list(json.loads((taught / "log.json").read_text(encoding="utf-8")))


def _preferences(recipe: TrainingRecipe, folder: Path) -> Report:
    faults = Faults()
    pictures = _pictures(recipe, folder, faults)
    pairs = pairs_of(pictures, recipe.learning.seed)
    (folder / "corpus.md").write_text(preference_page(pairs), encoding="utf-8")
    held_out = _held_out_pictures(recipe)
    learner = load_start(recipe.model, folder, recipe.learning.precision)
    before = fidelity(learner.model, learner.processor, held_out) if held_out else {}
    log = train_preferences(recipe, learner, pairs, folder)
    after = fidelity(learner.model, learner.processor, held_out) if held_out else {}
    return {"rows": len(pairs), "faults": dict(faults.kinds), "log": log, "before": before, "held_out": after}


def _verifier(recipe: TrainingRecipe, folder: Path) -> Report:
    faults, report = Faults(), LeakageReport()
    rows = _trajectories(recipe, recipe.data.train, faults)
    if recipe.data.keep_out:
        held = kept_out(recipe.data.keep_out)
        rows = [row for row in rows if report.add(row.id, row.source, held.why(row.images, row.question))]
    learner = load_start(recipe.model, folder, recipe.learning.precision)
    collator = StepCollator(learner.processor, recipe.data, recipe.verifier)
    rows = fitting(rows, collator, recipe.learning.max_tokens, recipe.data.on_bad, faults)
    held_out = _trajectories(recipe, recipe.data.held_out, faults)[: recipe.data.held_out_limit]
    (folder / "corpus.md").write_text(trajectory_page(rows, recipe.data.threshold), encoding="utf-8")
    (folder / "leakage.md").write_text(report.markdown(), encoding="utf-8")
    log = train_verifier(recipe, learner, rows, held_out, folder)
    after = step_metrics(*scored(learner.model, collator, held_out)) if held_out else {}
    return {"rows": len(rows), "faults": dict(faults.kinds), "log": log, "held_out": after}


def pairs_of(pictures: Sequence[Picture], seed: int) -> list[Pair]:
    """A preference pair for each picture that allows one."""
    made = (
        preference_pair(
            one.id, one.image, one.question, constraints_from_json(list(one.constraints)), Random(f"{seed}/{one.id}")
        )
        for one in pictures
    )
    return [pair for pair in made if pair is not None]


def _pictures(recipe: TrainingRecipe, folder: Path, faults: Faults) -> list[Picture]:
    """The corpus without rows that are at fault or that an evaluation set holds."""
    if not recipe.data.train:
        raise ConfigError("the recipe needs [data] train, a corpus file.")
    rows = usable(picture_rows(recipe.data.train), picture_fault, recipe.data.on_bad, faults)
    pictures = list(islice(rows, recipe.data.limit or None))
    report = LeakageReport()
    if recipe.data.keep_out:
        held = kept_out(recipe.data.keep_out)
        pictures = [one for one in pictures if report.add(one.id, one.family, held.why([one.image], one.question))]
    (folder / "leakage.md").write_text(report.markdown(), encoding="utf-8")
    return pictures


def _held_out_pictures(recipe: TrainingRecipe) -> list[Picture]:
    return read_pictures(recipe.data.held_out, recipe.data.held_out_limit) if recipe.data.held_out else []


def _trajectories(recipe: TrainingRecipe, file: str, faults: Faults) -> list[Trajectory]:
    """Labelled candidates from problem files, or rows of VisualPRM400K, told by their fields."""
    if not file:
        return []
    with Path(file).open(encoding="utf-8") as lines:
        first = lines.readline()
    visualprm = '"conversations"' in first or '"steps_with_score"' in first
    rows = visualprm_rows(file) if visualprm else problem_rows(file)
    found = []
    for row in usable(rows, trajectory_fault, recipe.data.on_bad, faults):
        found.append(row if recipe.data.pictures else replace(row, images=()))
        if recipe.data.limit and len(found) >= recipe.data.limit:
            break
    return found


def _start(recipe: TrainingRecipe, folder: Path, pictures: Sequence[Picture]) -> Learner:
    """A new model gets a tokenizer made from the corpus; anything else is loaded as it is."""
    size = recipe.model.start.removeprefix("new:")
    if recipe.model.start == size:
        return load_start(recipe.model, folder, recipe.learning.precision)
    trajectories = [row for _, row in problem_rows(recipe.data.train)] if recipe.data.train else []
    place = build(
        folder / "start",
        size=size,
        seed=recipe.model.seed,
        corpus=texts_of(pictures, trajectories),
        runs=runs_of(pictures),
    )
    return load_start(replace(recipe.model, start=str(place)), folder, recipe.learning.precision)
