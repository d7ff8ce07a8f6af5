"""A policy whose proposals are written ahead as a tree, and a judge that reads its rewards from the steps."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from evpv.perception.given import NoExtractor
from evpv.pipeline import Pipeline
from evpv.protocols import ChatRequest, StepJudgement
from evpv.reward.method import Method
from evpv.types import Constraint, Problem

QUESTION = "Which way?"


@dataclass(frozen=True, slots=True)
class Tree:
    """A step with its reward, and what may follow it; where nothing may, it brings its own text as the answer."""

    text: str
    reward: float
    ways: tuple[Tree, ...] = ()

    @property
    def said(self) -> str:
        return f"{self.text} earns {self.reward!r}"


def tree(rewards: Sequence[Sequence[float]], text: str = "") -> Tree:
    """A tree whose steps at one depth earn the same whatever came before: one list of rewards for each depth."""
    ways = tuple(
        Tree(name, reward, tree(rewards[1:], name).ways)
        for place, reward in enumerate(rewards[0] if rewards else ())
        for name in (f"{text}{'abcdefgh'[place]}",)
    )
    return Tree(text, 0.0, ways)


class TreePolicy:
    """Answers like a model: reads the steps so far and the proposal's number from the prompt."""

    def __init__(self, root: Tree) -> None:
        self.root = root

    def __call__(self, request: ChatRequest) -> str:
        place = self.root
        for text in re.findall(r"^Step \d+: (\w+) earns", request.prompt.rpartition("## The steps so far")[2], re.M):
            place = next(way for way in place.ways if way.text == text)
        number = re.search(r"proposal number (\d+) of", request.prompt)
        assert number is not None
        way = place.ways[(int(number[1]) - 1) % len(place.ways)]
        must_end = "no step may follow" in request.prompt
        answer = way.text if must_end or not way.ways else None
        return json.dumps({"steptext": way.said, "visualdependency": None, "finalanswer": answer})


class ReadingJudge:
    """Each step says what it earns."""

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        return [[[_judged(step.text) for step in one.steps] for one in problem.candidates] for problem in problems]


def _judged(text: str) -> StepJudgement:
    return StepJudgement(reward=float(text.rpartition("earns ")[2]))


def pipeline(select: str = "score") -> Pipeline:
    return Pipeline(
        extractor=NoExtractor(), judge=ReadingJudge(), audit="off", method=Method(gate="off", select=select)
    )


def paths(root: Tree) -> list[tuple[Tree, ...]]:
    """All ways from the root to an end, the first ways first."""
    if not root.ways:
        return [()]
    return [(way, *rest) for way in root.ways for rest in paths(way)]


def score(path: Sequence[Tree]) -> float:
    return Method().aggregate([step.reward for step in path])


def problem() -> Problem:
    return Problem(id="p", question=QUESTION)


def all_texts(depth: int, width: int) -> list[str]:
    return ["".join(letters) for letters in product("abcdefgh"[:width], repeat=depth)]
