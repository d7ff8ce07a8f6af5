"""VisualPRM and MM-PRM as they are released: other names, fused projections, tiles, a tokenizer of their own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from released_internvl import CELLS, SIDE, PlainInternVL, build_released
from safetensors.torch import load_file, save_file

from evpv.backends.internvl import open_internvl_processor
from evpv.backends.local_weights import Weights, load
from evpv.errors import ConfigError
from evpv.judges.step_models import StepModelJudge
from evpv.types import Candidate, Problem, Step

LANGUAGES = [("InternLM2ForCausalLM", False), ("Qwen2ForCausalLM", False), ("InternLM2ForCausalLM", True)]
STEPS = ("AB = 12.", "So the answer 3.")
MEAN, DEVIATION = np.array((0.485, 0.456, 0.406)), np.array((0.229, 0.224, 0.225))


def tiles(path: str) -> torch.Tensor:
    """A picture cut as InternVL's authors describe it: the grid nearest in shape, and the whole made small."""
    picture = Image.open(path).convert("RGB")
    wide, high = picture.size
    grids = sorted(
        {(i, j) for n in range(1, 7) for i in range(1, n + 1) for j in range(1, n + 1) if i * j <= 6},
        key=lambda g: g[0] * g[1],
    )
    best, least = (1, 1), np.inf
    for i, j in grids:
        off = abs(wide / high - i / j)
        if off < least or (off == least and wide * high > 0.5 * SIDE * SIDE * i * j):
            best, least = (i, j), off
    whole = picture.resize((SIDE * best[0], SIDE * best[1]), Image.Resampling.BICUBIC)
    parts = [
        whole.crop((SIDE * i, SIDE * j, SIDE * (i + 1), SIDE * (j + 1))) for j in range(best[1]) for i in range(best[0])
    ]
    if len(parts) > 1:
        parts.append(picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC))
    numbers = np.stack([(np.asarray(part) / 255.0 - MEAN) / DEVIATION for part in parts])
    return torch.tensor(numbers, dtype=torch.float32).permute(0, 3, 1, 2)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], Path]:
    folder = tmp_path_factory.mktemp("released")
    return {key: build_released(folder / f"{key[0]}-{key[1]}", key[0], qk_norm=key[1]) for key in LANGUAGES}


def asked_text(steps: tuple[str, ...], seen: int) -> str:
    """VisualPRM's conversation up to the answer that is to come, the picture's tokens written out."""
    picture = "<img>" + "<IMG_CONTEXT>" * (CELLS * seen) + "</img>"
    text = "<|im_start|>system\nYou verify.<|im_end|>\n"
    text += (
        f"<|im_start|>user\n### Question:\n{picture}\nFind the answer.\n\n### Solution Process:\n{steps[0]}<|im_end|>\n"
    )
    for step in steps[1:]:
        text += f"<|im_start|>assistant\n+<|im_end|>\n<|im_start|>user\n{step}<|im_end|>\n"
    return text + "<|im_start|>assistant\n"


@pytest.mark.parametrize("key", LANGUAGES)
@pytest.mark.parametrize("place", [0, 2, 3])
def test_rewards_are_those_of_the_network_written_out_plainly(
    released: dict[tuple[str, bool], Path], pictures: tuple[str, ...], key: tuple[str, bool], place: int
) -> None:
    judge = StepModelJudge(model=str(released[key]), form="turns", system="You verify.", dtype="float32")
    candidate = Candidate(id="a", steps=tuple(Step(text=text) for text in STEPS))
    problem = Problem(id="p", question="Find the answer.", images=(pictures[place],), candidates=(candidate,))
    [[found]] = judge.judge([problem], [()])
    seen = tiles(pictures[place])
    tokenizer = open_internvl_processor(released[key]).tokenizer
    plain = PlainInternVL.read(released[key])
    right, wrong, mark = (tokenizer.convert_tokens_to_ids(text) for text in ("+", "-", "<IMG_CONTEXT>"))
    for count, step in enumerate(found, start=1):
        ids = torch.tensor(tokenizer(asked_text(STEPS[:count], len(seen)))["input_ids"])
        logits = plain.logits(ids, seen, mark)[-1]
        share = torch.sigmoid(logits[right] - logits[wrong])
        assert step.reward == pytest.approx(float(2 * share - 1), abs=2e-4)


def test_every_logit_is_equal(released: dict[tuple[str, bool], Path], pictures: tuple[str, ...]) -> None:
    for folder in released.values():
        loaded = load(Weights(model=str(folder), dtype="float32"))
        inputs = loaded.processor(
            text=["<|im_start|>user\n<IMG_CONTEXT>\nSo"],
            images=[Image.open(pictures[2]).convert("RGB")],
            return_tensors="pt",
        )
        with torch.no_grad():
            ours = loaded.model(**inputs).logits[0]
        mark = loaded.processor.image_token_id
        truth = PlainInternVL.read(folder).logits(inputs["input_ids"][0], inputs["pixel_values"], mark)
        assert torch.allclose(ours, truth, atol=1e-4)


def test_internlm2_tokens_begin_with_the_start_and_fall_back_to_bytes(released: dict[tuple[str, bool], Path]) -> None:
    tokenizer = open_internvl_processor(released[LANGUAGES[0]]).tokenizer
    ids = tokenizer("So ∠")["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids) == ["<s>", "So", "▁", "<0xE2>", "<0x88>", "<0xA0>"]
    assert tokenizer.decode(ids, skip_special_tokens=True).endswith("So ∠")


def test_what_is_no_such_checkpoint_is_named(released: dict[tuple[str, bool], Path], tmp_path: Path) -> None:
    folder = build_released(tmp_path / "odd", "InternLM2ForCausalLM")
    weights = load_file(folder / "model.safetensors")
    weights["v_head.weight"] = weights.pop("mlp1.0.weight")
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(ConfigError, match=r"1 weights are missing .*layer_norm.*1 are strange \(v_head"):
        load(Weights(model=str(folder)))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["llm_config"]["architectures"] = ["Phi3ForCausalLM"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ConfigError, match="Phi3ForCausalLM is not known"):
        load(Weights(model=str(folder)))
