"""What the tests of the experiments share: a model that answers by rule and counts, a recipe that asks it, a stored run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from evpv.assembly import build
from evpv.config import Recipe, load_recipe
from evpv.experiments.trials import Trials
from evpv.protocols import ChatReply, ChatRequest, Usage
from evpv.types import Candidate, Numeric, Problem, Step, Trace

READ = [
    {"category": "numeric", "entity": "AB", "attribute": "length", "value": 12, "unit": "cm", "confidence": 0.9},
    {"category": "numeric", "entity": "CD", "attribute": "length", "value": 5, "unit": "cm", "confidence": 0.9},
]
TRUE = (
    Numeric(entity="AB", attribute="length", value=12.0, unit="cm"),
    Numeric(entity="CD", attribute="length", value=5.0, unit="cm"),
)


class CountingModel:
    """Reads every figure alike, finds steps with "15" wrong, and cannot make itself understood about "perhaps".

    As a policy it answers right where it is told the facts, and guesses where it sees nothing. `asked` counts all its
    calls over all the backends that are built in a test: the account that the ledger must agree with. `built` counts those.
    """

    asked: ClassVar[Counter[str]] = Counter()
    built: ClassVar[int] = 0

    def __init__(self, name: str = "counting") -> None:
        CountingModel.built += 1
        self.name = name

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [self._reply(request) for request in requests]

    def _reply(self, request: ChatRequest) -> ChatReply:
        CountingModel.asked[request.stage] += 1
        usage = Usage(calls=1, images=len(request.images), prompt_tokens=len(request.prompt.split()))
        return ChatReply(text=self._text(request), finish="stop", usage=usage)

    def _text(self, request: ChatRequest) -> str:
        if request.stage == "extract":
            return "AB is 12 cm long." if request.schema is None else json.dumps(READ)
        if request.stage == "sample":
            unaided = "12.5" if request.images else "99"
            return _solution("12" if "as a list of facts" in request.prompt else unaided)
        step = request.prompt.rpartition("CURRENT")[2]
        return "perhaps" if "perhaps" in step else json.dumps({"judgment": -1 if "15" in step else 1})


def _solution(answer: str) -> str:
    step = {"steptext": f"AB is {answer} cm.", "visualdependency": f"AB = {answer} cm"}
    return json.dumps({"reasoningprocess": [step], "finalanswer": answer})


@pytest.fixture
def problems(tmp_path: Path) -> list[Problem]:
    """Two figures with three candidates each; one step cannot be judged readably, one step is wrong."""
    path = tmp_path / "figure.png"
    Image.new("RGB", (64, 48), "white").save(path)
    return [
        Problem(
            id=f"p{number}",
            question="How long is AB?",
            images=(str(path),),
            answer="12",
            candidates=(
                Candidate(id="a", steps=(_step("AB is 12 cm.", 1, "AB = 12 cm"), _step("So 12.", 1)), final_answer="12"),
                Candidate(id="b", steps=(_step("AB is 15 cm.", -1, "AB = 15 cm"), _step("So 15.", -1)), final_answer="15"),
                Candidate(id="c", steps=(_step("It is perhaps 12.", 1), _step("So 12.", 1)), final_answer="12"),
            ),
        )
        for number in (1, 2)
    ]  # fmt: skip


def _step(text: str, label: int, claim: str | None = None) -> Step:
    error = {"error": "visual-value", "inherited": claim is None} if label == -1 else {}
    return Step(text=text, claim=claim, label=label, visual=claim is not None, **error)


RECIPE = """
[backends.main]
use = "{model}"
[extractor]
use = "chat"
backend = "main"
cache = ""
[judge]
use = "chat"
backend = "main"
evidence = true
[policy]
use = "chat"
backend = "main"
[auditor]
mode = "off"
[method]
preset = "grounded"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    path = tmp_path / "counting.toml"
    path.write_text(RECIPE.format(model=f"{__name__}:CountingModel"), encoding="utf-8")
    return load_recipe(str(path))


@pytest.fixture
def traces(problems: list[Problem], recipe: Recipe) -> list[Trace]:
    """The stored run: asked once, before the count begins."""
    pipeline = build(recipe)
    try:
        found = pipeline.traces(problems)
    finally:
        pipeline.close()
    CountingModel.asked.clear()
    return found


@pytest.fixture
def trials(traces: list[Trace], recipe: Recipe) -> Trials:
    return Trials.from_run(traces, recipe, judged=True, gold={trace.problem_id: TRUE for trace in traces})


@pytest.fixture
def models_built() -> Callable[[], int]:
    """How many models were built so far."""
    return lambda: CountingModel.built


@pytest.fixture
def model_calls() -> Callable[[], int]:
    """How many calls the model has had since the run was stored."""
    return lambda: CountingModel.asked.total()
