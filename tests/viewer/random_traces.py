"""Traces and settings at random, full of what scoring must not trip over: ties, nothing said, odd ids, equal answers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evpv.reward.assess import assess
from evpv.reward.method import Method, preset
from evpv.reward.ranking import AGGREGATIONS, SELECTIONS
from evpv.types import Candidate, Constraint, Numeric, Problem, Relation, Step, Structure, Trace

CLAIMS = (
    "Segment AB has a length of 10.",
    "AB = 10.6",
    "AB is longer than BC.",
    "AB is perpendicular to BC.",
    "Angle ABC is 50 degrees.",
    "Angle ABC is 45 degrees.",
    "Bob has 5.",
    "Ann has the highest score.",
    "A cone is placed on top of a cylinder.",
    "It looks quite nice.",
    "",
)
TEXTS = (
    "So x = 10 + 5 = 15.",
    "The sum is 15.",
    "Hence 50 − 5 = 45.",
    "Then 45 : 3 = 15.",
    "Recall the rule.",
    "\ud83d\ude00 <b>",
)
ANSWERS = (None, "15", "15.0", "$15$", "B", "(B)", "b.", "fifteen", " ", "36°", "1/2", "0.5")
# An emoji sorts behind U+FFxx by code point and before it by UTF-16 unit; digits would be reordered as keys of an object.
IDS = ("10", "9", "a", "B", "é", "\uff21", "\U0001f600", "__proto__", "constructor", "", " ", "a\u0301", "\ufffd", "2")
OPTIONS = ((), ("15", "36°", "45"), ("36°", "15"), ("0.5", "0.5", "15"))
REWARDS = (None, -1.0, -0.5, 0.0, 0.1, 0.5, 0.5, 1.0, 0.6472200975465356)


def random_trace(random: Random) -> tuple[Trace, Method]:
    """A trace, and the method that it was made with."""
    ids = random.sample([name for name in IDS if name], random.randint(0, 6))
    candidates = tuple(_candidate(random, name) for name in ids)
    rewards = [[_reward(random) for _ in candidate.steps] for candidate in candidates]
    options = random.choice(OPTIONS)
    problem = Problem(id="p", question=random.choice(TEXTS), options=options, candidates=candidates)
    constraints = [_constraint(random) for _ in range(random.randint(0, 5))]
    method = random.choice((preset("paper"), preset("grounded"), Method(tolerance=0.3)))
    return assess(problem, constraints, rewards, method), method


def _candidate(random: Random, name: str) -> Candidate:
    steps = tuple(
        Step(text=random.choice(TEXTS), claim=random.choice(CLAIMS) if random.random() < 0.6 else None)
        for _ in range(random.choice((0, 1, 2, 3, 5, 5, 9)))
    )
    return Candidate(id=name, steps=steps, final_answer=random.choice(ANSWERS))


def _reward(random: Random) -> float | None:
    return random.choice(REWARDS) if random.random() < 0.6 else random.uniform(-1.0, 1.0)


def _constraint(random: Random) -> Constraint:
    confidence = random.choice((0.0, 0.5, 0.9, 1.0, random.random()))
    return random.choice(
        (
            Numeric(
                entity="segment AB", attribute="length", value=random.choice((10.0, 11.0, 20.0)), confidence=confidence
            ),
            Numeric(entity="angle ABC", attribute="angle", value=50.0, unit="deg", confidence=confidence),
            Numeric(entity="Bob", attribute="value", value=5.0, confidence=confidence, reading="estimated"),
            Numeric(entity="Ann", attribute="value", value=7.0, confidence=confidence),
            Relation(type="perpendicular", entities=("AB", "BC"), confidence=confidence),
            Structure(type="composite", parts=("cylinder", "cone"), confidence=confidence),
        )
    )


def random_method(random: Random, own: Method) -> Method:
    """A method's matching with every other setting at random, at the ends of the controls and beyond."""
    return replace(
        own,
        gate=random.choice(("sigmoid", "local", "factor", "off")),
        sharpness=random.choice((0.0, 1.0, 10.0, 50.0, 1e6, random.uniform(0.0, 40.0))),
        threshold=random.choice((0.0, 0.5, 1.0, random.random())),
        decision=random.uniform(-0.5, 0.5),
        aggregation=random.choice(tuple(AGGREGATIONS)),
        select=random.choice(tuple(SELECTIONS)),
    )
