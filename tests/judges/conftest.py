"""A judge, and short ways to ask it about sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from evpv.judges.checks import ChecksJudge, Observation
from evpv.types import Candidate, Constraint, Problem, Step

Find = Callable[..., list[list[Observation]]]


@pytest.fixture(scope="session")
def judge() -> ChecksJudge:
    return ChecksJudge()


@pytest.fixture
def find(judge: ChecksJudge) -> Find:
    """The observations of each step: find("2x = 8", "x = 5", question=…, options=…, constraints=…)."""

    def ask(
        *steps: str,
        question: str = "What is it?",
        options: Sequence[str] = (),
        constraints: Sequence[Constraint] = (),
        answer: str | None = None,
    ) -> list[list[Observation]]:
        candidate = Candidate(id="a", steps=tuple(Step(text=text) for text in steps), final_answer=answer)
        problem = Problem(id="p", question=question, options=tuple(options), candidates=(candidate,))
        return judge.observations(problem, candidate, constraints)

    return ask


@pytest.fixture
def kinds(find: Find) -> Callable[..., list[set[str]]]:
    """The kinds found in each step."""
    return lambda *steps, **known: [{observation.kind for observation in found} for found in find(*steps, **known)]
