"""`/v1/revise`: a worker tells the recipe's policy what a candidate misread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evpv.backends.scripted import ScriptedBackend
from evpv.judges.checks import ChecksJudge
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy
from evpv.reward.method import preset
from evpv.search.strategies import KnownExtraction
from evpv.server.jobs import _RequestHandler
from evpv.types import Extraction, Numeric

FACTS = (Numeric(entity="apple", attribute="price", value=3.0, confidence=0.95),)
HEEDS = {
    "stance": "corrected",
    "reason": "I looked again.",
    "reasoningprocess": [{"steptext": "The apple costs 3.", "visualdependency": "The apple costs 3."}],
    "finalanswer": "3",
}
JOB: dict[str, Any] = {
    "do": "revise",
    "id": "p",
    "question": "What does the apple cost?",
    "images": [],
    "options": [],
    "rounds": 2,
    "candidates": [{"id": "a", "steps": [{"text": "8.", "claim": "The apple costs 8."}], "final_answer": "8"}],
}


def desk(folder: Path, policy: ChatPolicy | None) -> _RequestHandler:
    eyes = KnownExtraction(extraction=Extraction(constraints=FACTS, kind="table"), version="given")
    pipeline = Pipeline(extractor=eyes, judge=ChecksJudge(), audit="off", method=preset("grounded"))
    return _RequestHandler(name="given", pipeline=pipeline, folder=folder, policy=policy)


def test_a_misread_candidate_comes_back_mended_with_its_chain(tmp_path: Path) -> None:
    policy = ChatPolicy(backend=ScriptedBackend([json.dumps(HEEDS)]))
    reply = desk(tmp_path, policy).answer(JOB)
    assert reply.status == 200
    [candidate] = json.loads(reply.body)["candidates"]
    assert candidate["final_answer"] == "3"
    assert candidate["revisions"][0]["answer_before"] == "8"


def test_a_recipe_without_a_policy_is_refused_in_a_sentence(tmp_path: Path) -> None:
    reply = desk(tmp_path, None).answer(JOB)
    assert reply.status == 422
    assert "has no policy" in json.loads(reply.body)["message"]
