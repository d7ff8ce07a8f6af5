"""`evpv revise` with a real model, in process and over HTTP: a tiny one that has learnt to heed one remark."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from full_path import evpv
from PIL import Image, ImageDraw
from processes import transformers_serving
from torch.nn.functional import cross_entropy

from evpv.assembly import build as build_pipeline
from evpv.backends.images import picture_of_file
from evpv.backends.local_weights import LoadedModel, Weights, load
from evpv.backends.scripted import ScriptedBackend
from evpv.config import load_recipe
from evpv.policy.chat import ChatPolicy
from evpv.protocols import ChatRequest
from evpv.records import read_problems, read_traces
from evpv.search import Reviser
from evpv.training.architecture import SIZES, build

REPLY = (
    '{"stance": "corrected", "reason": "It is 3.", "reasoningprocess": [{"steptext": "The apple costs 3.", '
    '"visualdependency": "The apple costs 3."}], "finalanswer": "3"}'
)
RECIPE = """
[extractor]
use = "given"
[judge]
use = "checks"
[policy]
use = "chat"
backend = "main"
temperature = 0
max_tokens = 400
[method]
preset = "grounded"
[backends.main]
"""


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A figure that shows a 3 where the candidate says 8, and where the 3 stands."""
    folder = tmp_path_factory.mktemp("fruit")
    picture = Image.new("RGB", (112, 84), "white")
    ImageDraw.Draw(picture).text((60, 30), "3", fill="black")
    picture.save(folder / "fruit.png")
    fact = {"category": "numeric", "entity": "apple", "attribute": "price", "value": 3, "confidence": 0.95}
    problem = {
        "id": "p",
        "image": str(folder / "fruit.png"),
        "question": "What does the apple cost?",
        "constraints": [{**fact, "box": [58, 28, 70, 44]}],
        "candidates": [{"id": "a", "steps": [{"text": "8.", "claim": "The apple costs 8."}], "final_answer": "8"}],
    }
    (folder / "problems.jsonl").write_text(json.dumps(problem) + "\n", encoding="utf-8")
    return folder / "problems.jsonl"


@pytest.fixture(scope="module")
def heeding(problems: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new model that learns by heart what to answer when it is told, and shown the detail with the 3."""
    folder = tmp_path_factory.mktemp("models") / "heeding"

    def learn(request: ChatRequest) -> str:
        size = replace(SIZES["toy"], vocabulary=2048)
        loaded = load(Weights(model=str(build(folder, size=size, corpus=[request.prompt, REPLY] * 3))))
        learn_by_heart(loaded, model_inputs(loaded, request))
        loaded.model.save_pretrained(folder)
        return REPLY

    pipeline = build_pipeline(load_recipe("given"))
    reviser = Reviser(policy=ChatPolicy(backend=ScriptedBackend(learn)), pipeline=pipeline)
    reviser.revise(next(iter(read_problems(problems))))
    pipeline.close()
    return folder


def model_inputs(loaded: LoadedModel, request: ChatRequest) -> Any:
    parts = [*({"type": "image"} for _ in request.images), {"type": "text", "text": request.prompt}]
    turns = [{"role": "user", "content": parts}]
    text = loaded.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    images = [picture_of_file(path) for path in request.images]
    assert [image.size == (112, 84) for image in images] == [True, False]  # the figure, and the detail
    return loaded.processor(text=[f"{text}{REPLY}<|im_end|>"], images=[images], return_tensors="pt")


def learn_by_heart(loaded: LoadedModel, inputs: Any) -> None:
    wanted = torch.tensor(loaded.processor.tokenizer(f"{REPLY}<|im_end|>")["input_ids"])
    optimizer = torch.optim.AdamW(loaded.model.parameters(), lr=3e-3)
    for _ in range(400):
        loss = cross_entropy(loaded.model(**inputs, logits_to_keep=len(wanted) + 1).logits[0, :-1], wanted)
        if loss.item() < 0.02:
            return
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    raise AssertionError(f"not learnt: {loss.item()}")


@pytest.mark.slow
@pytest.mark.parametrize("where", ["in process", "over HTTP"])
def test_a_model_is_told_shown_the_detail_and_mends_its_solution(
    where: str, heeding: Path, problems: Path, tmp_path: Path
) -> None:
    with ExitStack() as running:
        if where == "in process":
            backend = f'use = "transformers-chat"\nmodel = {json.dumps(str(heeding))}'
        else:
            server = running.enter_context(transformers_serving(heeding, tmp_path))
            backend = f'use = "openai-chat"\nmodel = {json.dumps(server.model)}\nbase_url = "{server.base_url}"'
        (tmp_path / "recipe.toml").write_text(f"{RECIPE}{backend}\n", encoding="utf-8")
        evpv("revise", problems, "-o", tmp_path / "run", "--recipe", tmp_path / "recipe.toml")
    [trace] = read_traces(tmp_path / "run")
    [candidate] = trace.candidates
    assert (candidate.id, candidate.final_answer) == ("a~1", "3")
    assert candidate.steps[0].verdict == "supported"
    assert candidate.candidate.revisions[0].stance == "corrected"
    spent = trace.cost["stages"]["revise"]
    assert (spent["calls"], spent["images"]) == (1, 2)
