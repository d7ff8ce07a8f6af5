"""A folder of ours is a plain Qwen2.5-VL that the Auto classes load, and its tokenizer keeps what must be kept whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.backends.step_forms import MARKER
from evpv.errors import ConfigError
from evpv.training.architecture import Size, _json_runs, _make_tokenizer, build
from evpv.training.recipes import DataPart, VerifierPart
from evpv.training.trainers import StepCollator


@pytest.fixture(scope="module")
def processor(toy: Path) -> Any:
    return AutoProcessor.from_pretrained(toy)


def test_the_folder_answers_a_question_about_a_picture(toy: Path, processor: Any) -> None:
    model = AutoModelForImageTextToText.from_pretrained(toy)
    turn = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "How long is AB?"}]}]
    text = processor.apply_chat_template(turn, add_generation_prompt=True, tokenize=False)
    batch = processor(text=[text], images=[Image.new("RGB", (84, 56), "white")], return_tensors="pt")
    assert int((batch["input_ids"] == model.config.image_token_id).sum()) == 6  # 3 × 2 cells of 28 px
    assert model.generate(**batch, max_new_tokens=3).shape[1] > batch["input_ids"].shape[1]


@pytest.mark.parametrize("token", [MARKER, "+", "-"])
def test_marker_and_labels_are_one_token_each(processor: Any, token: str) -> None:
    assert len(processor.tokenizer(token)["input_ids"]) == 1


def test_a_tokenizer_that_cuts_the_marker_is_refused(processor: Any) -> None:
    class Letters:
        unk_token_id = None

        def encode(self, text: str, **_: Any) -> list[int]:
            return [1] * len(text)

    class Blind:
        tokenizer = Letters()

    with pytest.raises(ConfigError, match="must be read from one"):
        StepCollator(Blind(), DataPart(), VerifierPart())
    collator = StepCollator(processor, DataPart(), VerifierPart())
    assert len({collator.marker, collator.layout.right, collator.layout.wrong}) == 3


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("ABC12", ["A", "B", "C", "1", "2"]), ("∠ABC", None), ("Äußerst ≈ 3²", None), ("naïve\n\ntabs\t", None)],
)
def test_digits_and_capitals_stand_alone_and_nothing_is_lost(
    processor: Any, text: str, pieces: list[str] | None
) -> None:
    ids = processor.tokenizer(text)["input_ids"]
    assert processor.tokenizer.decode(ids) == text
    if pieces is not None:
        assert processor.tokenizer.convert_ids_to_tokens(ids) == pieces


def test_a_run_is_one_token(processor: Any) -> None:
    for run in _json_runs():
        assert len(processor.tokenizer(run)["input_ids"]) == 1, run


def test_equal_seeds_give_equal_weights_and_leave_the_random_source_alone(tmp_path: Path) -> None:
    torch.manual_seed(11)
    expected = torch.rand(1)
    torch.manual_seed(11)
    folders = [build(tmp_path / name, size="toy", seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))]
    assert torch.rand(1) == expected
    a, b, c = (AutoModelForImageTextToText.from_pretrained(folder).state_dict() for folder in folders)
    assert all(torch.equal(a[name], b[name]) for name in a)
    assert any(not torch.equal(a[name], c[name]) for name in a)
    assert sum(one.numel() for one in AutoModelForImageTextToText.from_pretrained(folders[0]).parameters()) < 500_000


def test_what_cannot_be_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no model size 'huge'"):
        build(tmp_path, size="huge")
    with pytest.raises(ConfigError, match="byte-level BPE needs 256"):
        _make_tokenizer(["text"], 200)


def test_rotary_sections_fill_half_a_head(tmp_path: Path) -> None:
    folder = build(tmp_path / "wide", size=Size(hidden=96, heads=3, key_value_heads=1))
    rope = AutoModelForImageTextToText.from_pretrained(folder).config.text_config.rope_parameters
    assert sum(rope["mrope_section"]) == 96 // 3 // 2
