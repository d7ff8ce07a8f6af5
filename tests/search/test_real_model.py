"""Search with a real model: an untrained Qwen2.5-VL whose steps are noise in valid JSON, from the picture to the trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from evpv.backends.ledger import Ledger
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.backends.transformers_chat import TransformersChat
from evpv.judges.checks import ChecksJudge
from evpv.perception.given import GivenExtractor
from evpv.pipeline import Pipeline
from evpv.policy.chat import ChatPolicy
from evpv.records import RunWriter, read_problems, read_traces
from evpv.reward.method import preset
from evpv.search import BeamSearch, BestOfN, StepPolicy
from evpv.training.architecture import SIZES, build
from evpv.training.runs import toy_corpus
from evpv.types import Problem, Trace

torch.set_num_threads(1)

# Tokens that end a string make an untrained model's strings short; without them it would write for minutes.
ENDS = ('"', '",', '", "', '"}', '."', '.",', '"}]', '"},', 's"', 'e"', 'd",', '1"', '2",', 'A"', "null", "null,")


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> TransformersChat:
    size = replace(SIZES["toy"], vocabulary=320)
    return TransformersChat(str(build(tmp_path_factory.mktemp("model") / "toy", size=size, runs=ENDS)), batch_size=4)


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    [first, *_] = read_problems(toy_corpus(tmp_path_factory.mktemp("toy"), 1))
    return first


def pipeline(ledger: Ledger) -> Pipeline:
    return Pipeline(
        extractor=GivenExtractor(), judge=ChecksJudge(), audit="fill", method=preset("grounded"), ledger=ledger
    )


def searched(kind: str, chat: TransformersChat, problem: Problem, store: AnswerStore) -> Trace:
    ledger = Ledger()
    backend = RecordedBackend(chat, store=store, ledger=ledger)
    if kind == "beam":
        policy = StepPolicy(backend=backend, max_tokens=300, attempts=2)
        return BeamSearch(policy=policy, pipeline=pipeline(ledger), width=2, samples=2, max_steps=2).search(problem)
    whole = ChatPolicy(backend=backend, max_tokens=400, attempts=2)
    return BestOfN(policy=whole, pipeline=pipeline(ledger), samples=3, together=2).search(problem)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["beam", "best-of-n"])
def test_a_real_model_is_searched_and_the_search_is_repeated_from_the_store(
    kind: str, chat: TransformersChat, problem: Problem, tmp_path: Path
) -> None:
    store = AnswerStore(tmp_path / "answers.sqlite")
    first = searched(kind, chat, problem, store)
    again = searched(kind, chat, problem, store)
    store.close()
    assert first.candidates
    assert all(one.final_answer and one.steps for one in first.candidates)
    assert 0.0 <= first.candidates[0].score <= 1.0
    assert first.search["ended"] in ("whole", "all")
    [asked], [stored] = first.cost["stages"].values(), again.cost["stages"].values()
    assert asked["calls"] == first.search["calls"]
    assert (stored.get("calls", 0), stored["hits"]) == (0, asked["calls"])
    assert replace(again, cost={}) == replace(first, cost={})
    with RunWriter(tmp_path / "run", {"fingerprint": "x"}) as writer:
        writer.append(first)
    assert [replace(one, cost={}) for one in read_traces(tmp_path / "run")] == [replace(first, cost={})]
