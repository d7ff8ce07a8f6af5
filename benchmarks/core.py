"""The method's own cost: assessment against a straight transcription of the formulas, a sweep, and memory.

usage: core.py [--problems 1000]

Data are made by seed: per problem 20 constraints and 8 candidates of 8 steps with 5 claims, 60 % of the claims shared by
all candidates. The transcription computes each equation where the paper uses it, sharing nothing between claims,
candidates or steps; it parses claims with the same parser. Both give equal results, which is checked first.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
import tracemalloc
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from evpv.language.assertions import assertions
from evpv.language.expressions import polynomial
from evpv.language.labels import labels
from evpv.language.lexicon import canonical_relation
from evpv.language.text import plain
from evpv.premises.claims import NumericClaim, RelationClaim, StructureClaim, parse
from evpv.reward.assess import assess, reassess
from evpv.reward.method import preset
from evpv.reward.sweep import sweep_gate
from evpv.types import Candidate, Constraint, Numeric, Problem, Relation, Step, Structure, Trace

EPSILON = 1e-6
CACHES = (parse, plain, labels, assertions, polynomial)
"""What the parser remembers between claims; the transcription forgets it before each."""
Work = tuple[Problem, tuple[Constraint, ...], list[list[float]]]


def made_problem(number: int) -> Work:
    """A problem with random facts and candidates that claim some of them, rightly or wrongly."""
    rng = random.Random(number)
    points = rng.sample("ABCDEFGHKLMNPQRSTUVWXYZ", 10)
    pairs = [a + b for i, a in enumerate(points) for b in points[i + 1 :]]
    lengths = rng.sample(pairs, 10)
    constraints: list[Constraint] = [
        Numeric(entity=f"segment {p}", attribute="length", value=float(rng.randint(2, 99)), confidence=rng.random())
        for p in lengths
    ]
    constraints += [
        Numeric(
            entity=f"angle {a}{b}{c}",
            attribute="angle",
            value=float(rng.randint(20, 160)),
            unit="deg",
            confidence=rng.random(),
        )
        for a, b, c in (rng.sample(points, 3) for _ in range(5))
    ]
    crossing = [rng.sample(pairs, 2) for _ in range(4)]
    constraints += [Relation(type="perpendicular", entities=tuple(p), confidence=rng.random()) for p in crossing]
    constraints.append(Structure(type="composite", parts=("cylinder", "cone"), confidence=0.9))

    def claim() -> str:
        kind = rng.random()
        if kind < 0.6:
            return f"Segment {rng.choice(lengths)} has length {rng.randint(2, 99)}."
        if kind < 0.9:
            return "{} is perpendicular to {}.".format(*rng.choice(crossing))
        return "The figure is a cylinder with a cone attached on top."

    shared = [claim() for _ in range(3)]
    candidates, rewards = [], []
    for index in range(8):
        claims = [*shared, claim(), claim(), None, None, None]
        rng.shuffle(claims)
        steps = tuple(Step(text=f"Step {i} of {index}.", claim=c) for i, c in enumerate(claims))
        candidates.append(Candidate(id=str(index), steps=steps, final_answer=str(rng.randint(1, 4))))
        rewards.append([rng.uniform(-1, 1) for _ in steps])
    return Problem(id=f"p{number}", question="", candidates=tuple(candidates)), tuple(constraints), rewards


def tokens(text: str) -> set[str]:
    """Tok(x) of Appendix B."""
    return set("".join(c for c in text.lower() if c.isalnum() or c.isspace()).split())


def overlap(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 0.0


def support(text: str, constraints: tuple[Constraint, ...]) -> float:
    """m(v_j, C), Eqs. 15–17."""
    for cached in CACHES:
        cached.cache_clear()
    claim = parse(text)
    if isinstance(claim, NumericClaim):
        numeric = [c for c in constraints if isinstance(c, Numeric)]
        same = [
            c
            for c in numeric
            if c.attribute == claim.attribute and overlap(tokens(claim.entity), tokens(c.entity)) >= 0.5
        ]
        if not same:
            return 0.0
        best = max(same, key=lambda c: c.confidence)
        x = claim.values[0].absolute
        return best.confidence if abs(x - best.value) / max(abs(x), 1.0) < 0.15 else 0.0
    if isinstance(claim, RelationClaim):
        relations = [
            c
            for c in constraints
            if isinstance(c, Relation) and canonical_relation(c.type) == canonical_relation(claim.type)
        ]
        return max((overlap(united(claim.entities), united(c.entities)) * c.confidence for c in relations), default=0.0)
    if isinstance(claim, StructureClaim):
        structures = [c for c in constraints if isinstance(c, Structure) and c.type == claim.type]
        return max((overlap(united(claim.parts), united(c.parts)) * c.confidence for c in structures), default=0.0)
    return 0.5


def united(names: tuple[str, ...]) -> set[str]:
    return set().union(*(tokens(name) for name in names))


def reliability(candidate: Candidate, constraints: tuple[Constraint, ...]) -> float:
    """r, Eq. 5."""
    claims = [step.claim for step in candidate.steps if step.claim is not None]
    return math.exp(sum(math.log(EPSILON + support(c, constraints)) for c in claims) / len(claims)) if claims else 1.0


def reward(candidate: Candidate, t: int, base: list[float], constraints: tuple[Constraint, ...]) -> float:
    """R_t, Eqs. 9 and 10."""
    if candidate.steps[t].claim is None:
        return base[t]
    return 1 / (1 + math.exp(-10 * (reliability(candidate, constraints) - 0.5))) * base[t]


def score(candidate: Candidate, base: list[float], constraints: tuple[Constraint, ...]) -> float:
    """Score(S), Eqs. 11 and 12."""
    logs = [math.log(EPSILON + (reward(candidate, t, base, constraints) + 1) / 2) for t in range(len(candidate.steps))]
    return math.exp(sum(logs) / len(logs))


def once_score(candidate: Candidate, base: list[float], constraints: tuple[Constraint, ...]) -> float:
    """The same with r computed once per candidate: the transcription of a programmer who hoists it."""
    alpha = 1 / (1 + math.exp(-10 * (reliability(candidate, constraints) - 0.5)))
    rewards = [b if s.claim is None else alpha * b for s, b in zip(candidate.steps, base, strict=True)]
    return math.exp(sum(math.log(EPSILON + (r + 1) / 2) for r in rewards) / len(rewards))


def timed(run: object) -> tuple[float, object]:
    start = time.process_time()
    result = run()  # type: ignore[operator]
    return time.process_time() - start, result


def streamed_peak_mb(count: int) -> float:
    """Peak memory of assessing problems one after the other, keeping none."""
    parse.cache_clear()
    tracemalloc.start()
    method = preset("paper")
    for problem, constraints, rewards in (made_problem(i) for i in range(count)):
        assess(problem, constraints, rewards, method)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return peak


def transcribed(work: list[Work], one: object) -> Iterator[float]:
    for problem, constraints, rewards in work:
        for candidate, base in zip(problem.candidates, rewards, strict=True):
            yield one(candidate, base, constraints)  # type: ignore[operator]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--problems", type=int, default=1000)
    count = arguments.parse_args().problems
    work, method = [made_problem(i) for i in range(count)], preset("paper")
    for problem, constraints, rewards in work[:20]:  # load lazily imported parts before the clock runs
        assess(problem, constraints, rewards, method)
    parse.cache_clear()

    ours_s, traces = timed(lambda: [assess(p, c, r, method) for p, c, r in work])
    assert isinstance(traces, list)
    sample = work[: max(count // 10, 1)]
    naive_s, naive = timed(lambda: list(transcribed(sample, score)))
    once_s, once = timed(lambda: list(transcribed(sample, once_score)))
    scores = [candidate.score for trace in traces for candidate in trace.candidates]
    for ours, theirs in ((scores, naive), (scores, once)):
        assert isinstance(theirs, list)
        assert all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(ours, theirs, strict=False)), "results differ"
    share = len(sample) / count

    settings = [(2.0 + 18.0 * i / 19, 0.05 + 0.9 * j / 19) for i in range(20) for j in range(20)]
    again_s, again = timed(lambda: [reassess(trace, method) for trace in traces])
    assert again == traces, "re-assessing does not give the traces back"
    sweep_s, swept = timed(lambda: sweep_gate(traces, settings))
    check_sweep(traces, settings, swept)
    small, large = streamed_peak_mb(count // 10), streamed_peak_mb(count)

    result = {
        "problems": count,
        "ours_s": round(ours_s, 3),
        "vs_transcription": round(naive_s / share / ours_s, 1),
        "vs_transcription_with_r_once": round(once_s / share / ours_s, 1),
        "sweep_settings": len(settings),
        "sweep_over_one": round(sweep_s / again_s, 2),
        "peak_mb_tenth": round(small, 1),
        "peak_mb": round(large, 1),
    }
    table = Table(
        title=f"core: {count} problems × 8 candidates × 8 steps, 5 claims, 20 constraints", title_justify="left"
    )
    table.add_column("what")
    table.add_column("figure", justify="right")
    for key, value in result.items():
        table.add_row(key, str(value))
    Console().print(table)
    print(json.dumps(result))


def check_sweep(traces: list[Trace], settings: list[tuple[float, float]], swept: object) -> None:
    """The arrays agree with re-assessing one by one, on a few settings."""
    for row in (0, 137, len(settings) - 1):
        sharpness, threshold = settings[row]
        method = preset("paper", {"sharpness": sharpness, "threshold": threshold})
        scores = [c.score for trace in traces[:50] for c in reassess(trace, method).candidates]
        assert all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(scores, swept.scores[row], strict=False)), (
            "sweep differs"
        )  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
