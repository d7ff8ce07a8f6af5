"""What the trainers must never get wrong: which tokens are learnt, which weights move, and that a stop changes nothing."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.backends.step_forms import MARKER
from evpv.errors import ConfigError, RecordError
from evpv.records import constraints_from_json
from evpv.training.architecture import build
from evpv.training.learner import _learnable, load_learner, merge_adapter, remember, restore_weights
from evpv.training.pictures import Picture, read_pictures, training_picture
from evpv.training.recipes import DataPart, TrainingRecipe, VerifierPart, load_training_recipe, training_recipe
from evpv.training.runs import _pairs_of
from evpv.training.screening import Lengths, RowFaults, fitting_rows
from evpv.training.trainers import (
    _NO_LABEL,
    StepCollator,
    _PictureRows,
    _ReadingCollator,
    _step_loss,
    chat_text,
    train_extractor,
    train_preferences,
    train_verifier,
)
from evpv.training.trajectories import Trajectory, problem_rows

LEARNING = {"steps": 4, "batch": 4, "learning_rate": 1e-3, "warmup": 1, "precision": "fp32", "save_every": 2}
STORED = Path(__file__).parent / "losses.json"


def recipe(kind: str, start: Path, **sections: dict[str, Any]) -> TrainingRecipe:
    learning = {**LEARNING, **sections.pop("learning", {})}
    return training_recipe("test", {"kind": kind, "model": {"start": str(start)}, "learning": learning, **sections})


@pytest.fixture(scope="module")
def processor(toy: Path) -> Any:
    return AutoProcessor.from_pretrained(toy)


@pytest.fixture(scope="module")
def pictures(corpus: Path) -> list[Picture]:
    return read_pictures(corpus)


@pytest.fixture(scope="module")
def rows(corpus: Path) -> list[Trajectory]:
    return [row for _, row in problem_rows(corpus) if isinstance(row, Trajectory)]


def test_the_extractor_learns_the_json_and_nothing_else(toy: Path, processor: Any, pictures: list[Picture]) -> None:
    made = _PictureRows(pictures[:2], recipe("extractor", toy))
    batch = _ReadingCollator(processor)([made.row(0), made.row(1)])
    for index, picture in enumerate(pictures[:2]):
        learnt = batch["labels"][index][batch["labels"][index] != -100]
        fact = picture.constraints[0]
        assert processor.tokenizer.decode(learnt).startswith('[{"category": "numeric", "entity": "segment ')
        assert processor.tokenizer.decode(learnt).rstrip().endswith('"confidence": 1.0}]<|im_end|>')
        assert f'"value": {int(fact["value"])}, ' in processor.tokenizer.decode(learnt)


def test_labels_stand_at_the_markers_of_their_steps(processor: Any, rows: list[Trajectory]) -> None:
    collator = StepCollator(processor, DataPart(), VerifierPart(constraints=True))
    batch = collator(rows[:3])
    for index, row in enumerate(rows[:3]):
        at = (batch["step_labels"][index] != _NO_LABEL).nonzero()[:, 0]
        assert batch["step_labels"][index][at].tolist() == list(row.labels)
        ids, start = batch["input_ids"][index], 0
        for end, step in zip(at.tolist(), row.steps, strict=True):
            assert processor.tokenizer.decode(ids[start : end + 1]).endswith(step + MARKER)
            start = end + 1
    text = processor.tokenizer.decode(batch["input_ids"][0])
    assert f'"value": {int(rows[0].constraints[0].value)}' in text  # type: ignore[index,union-attr]


def test_a_marker_inside_a_step_does_not_end_it(processor: Any, rows: list[Trajectory]) -> None:
    sly = replace(rows[0], steps=(f"It is 3.{MARKER}", "So 3."), labels=(1.0, 0.0))
    batch = StepCollator(processor, DataPart(), VerifierPart())([sly])
    assert (batch["step_labels"] != _NO_LABEL).sum() == 2


def test_soft_labels_reach_the_loss_where_the_recipe_says(processor: Any, rows: list[Trajectory]) -> None:
    row = replace(rows[0], labels=(0.25, 0.75))
    soft = StepCollator(processor, DataPart(hard_labels=False), VerifierPart())([row])["step_labels"]
    hard = StepCollator(processor, DataPart(threshold=0.0), VerifierPart())([row])["step_labels"]
    assert soft[soft != _NO_LABEL].tolist() == [0.25, 0.75]
    assert hard[hard != _NO_LABEL].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("form", "worked_out"), [("sum", 2 * math.log(2)), ("mean", 1.25 * math.log(2))])
def test_the_loss_is_a_trajectorys_sum_or_mean_averaged_over_trajectories(form: str, worked_out: float) -> None:
    """Steps cost ln 2 and ln 4 in the first trajectory; in the second ln 2, and its other step has no label."""
    margins = torch.tensor([[0.0, math.log(3)], [0.0, 5.0]])
    labels = torch.tensor([[1.0, 0.0], [1.0, _NO_LABEL]])
    assert float(_step_loss(margins, labels, form)) == pytest.approx(worked_out, rel=1e-6)


def test_over_long_rows_are_downsized_first_then_counted_or_refused(processor: Any, rows: list[Trajectory]) -> None:
    collator = StepCollator(processor, DataPart(), VerifierPart())
    length = Lengths(processor=processor, max_tokens=0).tokens(collator.text(rows[0]), rows[0].images)
    long, faults = replace(rows[0], steps=("word " * 300,) * 2), RowFaults()
    room = Lengths(processor=processor, max_tokens=length - 1, fewest_pixels=56 * 56)
    [kept] = fitting_rows([rows[0], long], collator.text, room, "skip", faults)
    assert 0 < kept.pixels < 84 * 56
    assert len(collator([kept])["input_ids"][0]) <= length - 1
    assert dict(faults.kinds) == {"downsized": 1, "over-long": 1}
    with pytest.raises(RecordError, match="too little"):
        fitting_rows([long], collator.text, room, "refuse", RowFaults())


def test_a_rows_length_is_what_the_processor_makes_of_it(processor: Any, pictures: list[Picture]) -> None:
    facts = constraints_from_json(list(pictures[0].constraints))
    text = chat_text(processor, pictures[0].question, facts)
    made = processor(text=[text], images=[training_picture(pictures[0])], return_tensors="pt")
    assert Lengths(processor=processor, max_tokens=0).tokens(text, pictures[0].images) == made["input_ids"].shape[1]


@pytest.mark.parametrize(
    ("settings", "moves", "rests"),
    [
        ({}, ("visual.", "language_model."), ()),
        ({"freeze_vision": True}, ("language_model.",), ("visual.",)),
        ({"lora": 2}, ("lora_",), ("visual.", "embed_tokens")),
    ],
)
def test_gradients_reach_exactly_the_weights_that_should_learn(
    toy: Path,
    processor: Any,
    rows: list[Trajectory],
    settings: dict[str, Any],
    moves: tuple[str, ...],
    rests: tuple[str, ...],
) -> None:
    part = recipe("verifier", toy, model={"start": str(toy), **settings}).model
    model = _learnable(AutoModelForImageTextToText.from_pretrained(toy), part)
    batch = StepCollator(processor, DataPart(), VerifierPart())(rows[:2])
    batch.pop("step_labels")
    model(**batch).logits.float().logsumexp(-1).mean().backward()
    moved = {
        name for name, weight in model.named_parameters() if weight.grad is not None and weight.grad.abs().sum() > 0
    }
    assert all(any(word in name for name in moved) for word in moves)
    assert not any(word in name for name in moved for word in rests)
    if settings.get("lora"):
        assert all("lora_" in name and "language_model" in name for name in moved)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["extractor", "verifier"])
@pytest.mark.parametrize("settings", [{"freeze_vision": True}, {"lora": 2}])
def test_in_bf16_what_rests_is_held_in_halves_and_what_learns_moves_in_fp32(
    toy: Path, tmp_path: Path, corpus: Path, kind: str, settings: dict[str, Any]
) -> None:
    learning = {"precision": "bf16", "steps": 3, "save_every": 3, "log_every": 1}
    plan = recipe(kind, toy, model={"start": str(toy), **settings}, learning=learning)
    learner = load_learner(plan, tmp_path)
    before = {name: weight.detach().clone() for name, weight in learner.model.named_parameters()}
    learns = {name for name, weight in learner.model.named_parameters() if weight.requires_grad}
    assert {before[name].dtype for name in learns} == {torch.float32}
    assert {before[name].dtype for name in before.keys() - learns} == {torch.bfloat16}
    if kind == "extractor":
        train_extractor(plan, learner, read_pictures(corpus), [], tmp_path)
    else:
        train_verifier(plan, learner, [row for _, row in problem_rows(corpus)], [], tmp_path)  # type: ignore[misc]
    after = dict(learner.model.named_parameters())
    moved = {name for name, weight in after.items() if not torch.equal(weight, before[name])}
    assert moved <= learns, "what rests is as it was"
    assert len(moved) > len(learns) / 3
    assert all(bool(weight.isfinite().all()) for weight in after.values())


def run(kind: str, start: Path, folder: Path, data: tuple[list[Picture], list[Trajectory]]) -> list[float]:
    """Twenty steps of a trainer into a folder, with a checkpoint after ten; the losses as they were logged."""
    pictures, rows = data
    sections: dict[str, Any] = {"learning": {"steps": 20, "save_every": 10, "log_every": 1}}
    if kind == "extractor":
        sections["reading"] = {"weight": 0.3}
    if kind == "verifier":
        sections["verifier"] = {"constraints": True, "language_weight": 0.3}
    plan = recipe(kind, start, **sections)
    learner = load_learner(plan, folder)
    if kind == "extractor":
        train_extractor(plan, learner, pictures, [], folder)
    elif kind == "preferences":
        train_preferences(plan, learner, _pairs_of(pictures, 0), folder)
    else:
        train_verifier(plan, learner, rows, [], folder)
    state = json.loads((folder / "checkpoint-20" / "trainer_state.json").read_text(encoding="utf-8"))
    return [line["loss"] for line in state["log_history"] if "loss" in line]


@pytest.mark.slow
def test_an_adapter_that_stopped_ends_where_an_unbroken_one_does(
    toy: Path, tmp_path: Path, rows: list[Trajectory]
) -> None:
    plan = recipe("verifier", toy, model={"start": str(toy), "lora": 2}, learning={"steps": 6, "save_every": 3})
    ends = []
    for _ in range(2):
        train_verifier(plan, load_learner(plan, tmp_path), rows, [], tmp_path)
        ends.append(load_file(tmp_path / "adapter_model.safetensors"))
        shutil.rmtree(tmp_path / "checkpoint-6")
    assert any(float(weight.abs().sum()) > 0 for name, weight in ends[0].items() if "lora_B" in name)
    assert all(torch.allclose(ends[0][name], ends[1][name], atol=1e-6) for name in ends[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["extractor", "preferences", "verifier"])
def test_twenty_steps_replay_and_a_stop_after_ten_changes_nothing(
    toy: Path, tmp_path: Path, pictures: list[Picture], rows: list[Trajectory], kind: str
) -> None:
    losses = run(kind, toy, tmp_path, (pictures, rows))
    weights = AutoModelForImageTextToText.from_pretrained(tmp_path).state_dict()
    stored = json.loads(STORED.read_text(encoding="utf-8"))[kind]
    assert losses == pytest.approx(stored, rel=1e-3)
    shutil.rmtree(tmp_path / "checkpoint-20")
    again = run(kind, toy, tmp_path, (pictures, rows))
    assert again == pytest.approx(losses, rel=1e-5)
    resumed = AutoModelForImageTextToText.from_pretrained(tmp_path).state_dict()
    assert all(torch.allclose(weights[name], resumed[name], atol=1e-6) for name in weights)


def test_a_checkpoint_of_another_model_is_not_taken_for_a_resume(toy: Path, tmp_path: Path) -> None:
    model = AutoModelForImageTextToText.from_pretrained(toy)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(1.0)
    restore_weights(model, toy)
    assert all(torch.equal(before[name], weight) for name, weight in model.state_dict().items())
    model.extra = torch.nn.Linear(2, 2)
    with pytest.raises(ConfigError, match="lacks 2 of the model's weights"):
        restore_weights(model, toy)


def test_attention_is_the_recipes_and_changes_no_logit(
    toy: Path, tmp_path: Path, processor: Any, rows: list[Trajectory]
) -> None:
    batch = StepCollator(processor, DataPart(), VerifierPart())(rows[:1])
    batch.pop("step_labels")
    logits = {}
    for attention in ("sdpa", "eager"):
        plan = recipe("verifier", toy, model={"start": str(toy), "attention": attention})
        model = load_learner(plan, tmp_path).model.eval()
        assert model.config._attn_implementation == attention
        with torch.no_grad():
            logits[attention] = model(**batch).logits
    assert torch.allclose(logits["sdpa"], logits["eager"], atol=1e-4)


@pytest.mark.slow
def test_pictures_opened_ahead_by_workers_teach_the_same(toy: Path, tmp_path: Path, rows: list[Trajectory]) -> None:
    ends = []
    for workers in (0, 1):
        plan = recipe("verifier", toy, learning={"workers": workers})
        train_verifier(plan, load_learner(plan, tmp_path), rows, [], tmp_path / str(workers))
        ends.append(load_file(tmp_path / str(workers) / "model.safetensors"))
    assert all(torch.allclose(ends[0][name], ends[1][name], atol=1e-6) for name in ends[0])


def test_another_folders_eyes_can_be_taken(toy: Path, tmp_path: Path) -> None:
    other = build(tmp_path / "other", size="toy", seed=9)
    plan = recipe("verifier", toy, model={"start": str(toy), "vision_from": str(other)})
    model = load_learner(plan, tmp_path).model
    eyes = AutoModelForImageTextToText.from_pretrained(other).model.visual.state_dict()
    plain = AutoModelForImageTextToText.from_pretrained(toy).state_dict()
    for name, weight in model.state_dict().items():
        kept = name.removeprefix("model.visual.")
        assert torch.equal(weight, eyes[kept] if kept != name else plain[name])


def test_a_merged_adapter_says_what_model_and_adapter_say(
    toy: Path, tmp_path: Path, processor: Any, rows: list[Trajectory]
) -> None:
    model = load_learner(recipe("verifier", toy, model={"start": str(toy), "lora": 2}), tmp_path).model
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_B" in name:
                weight.normal_(std=0.1)
    model.save_pretrained(tmp_path / "adapter")
    processor.save_pretrained(tmp_path / "adapter")
    merge_adapter(tmp_path / "adapter", str(toy), tmp_path / "merged")
    batch = StepCollator(processor, DataPart(), VerifierPart())(rows[:1])
    batch.pop("step_labels")
    merged = AutoModelForImageTextToText.from_pretrained(tmp_path / "merged").eval()
    with torch.no_grad():
        assert torch.allclose(merged(**batch).logits, model.eval()(**batch).logits, atol=1e-4)


def test_a_frozen_tower_remembers_and_a_learning_one_may_not(
    toy: Path, processor: Any, pictures: list[Picture]
) -> None:
    model = AutoModelForImageTextToText.from_pretrained(toy).eval()
    with pytest.raises(ValueError, match="must look every time"):
        remember(model)
    seen = processor.image_processor(images=[training_picture(one) for one in pictures[:3]], return_tensors="pt")
    tower = model.model.visual.requires_grad_(False)
    plain = tower(seen["pixel_values"], grid_thw=seen["image_grid_thw"]).pooler_output
    remember(model)
    for _ in range(2):
        again = tower(seen["pixel_values"], grid_thw=seen["image_grid_thw"]).pooler_output
        assert torch.allclose(again, plain, atol=1e-5)
    assert len(tower.forward.cells) == 3


def test_shipped_recipes_hold_the_papers_numbers() -> None:
    extractor, preferences, verifier = (
        load_training_recipe(f"paper-{kind}") for kind in ("extractor", "preferences", "verifier")
    )
    assert (extractor.learning.learning_rate, extractor.learning.batch, extractor.learning.epochs) == (2e-5, 16, 3)
    assert (extractor.learning.warmup, extractor.learning.max_tokens, extractor.learning.hold) == (0.03, 4096, 0.0)
    assert (preferences.preferences.beta, preferences.preferences.weight, preferences.learning.learning_rate) == (
        0.1,
        0.1,
        5e-6,
    )
    assert (preferences.preferences.form, preferences.learning.epochs) == ("reference-free", 1)
    assert (verifier.learning.batch, verifier.learning.epochs, verifier.learning.max_tokens) == (8, 3, 8192)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"kind": "extracter"}, "kind must be"),
        ({"kind": "extractor", "learning": {"rate": 1}}, "setting of"),
        ({"kind": "extractor", "lerning": {}}, "did you mean 'learning'"),
    ],
)
def test_a_misspelt_recipe_is_refused(data: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        training_recipe("mine", data)
