"""The numbers in the browser are Python's: page/scoring.js against `evpv.reward.assess.reassess`, in real Chromium."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import evpv.viewer
from evpv.records import read_traces, trace_to_json
from evpv.reward.assess import fault, reassess
from evpv.reward.method import Method, preset, settings_of
from evpv.types import Trace
from evpv.viewer.summaries import evidence_to_json

from .random_traces import random_method, random_trace

SOURCES = Path(evpv.viewer.__file__).parent / "page"
HOME = "http://evpv.test/"
SETTINGS = 1000
NEAR = 1e-9


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """A tab in which the sources can be imported; they are served from the folder, with no server and no network."""
    page = browser.new_page()
    page.route(
        f"{HOME}**",
        lambda route: route.fulfill(
            body=(SOURCES / name).read_text(encoding="utf-8")
            if (name := route.request.url[len(HOME) :])
            else "<!doctype html>",
            content_type="text/javascript" if name else "text/html",
        ),
    )
    page.goto(HOME)
    yield page
    page.close()


Case = tuple[Trace, Method, Method]
"""A trace, the method that it was made with, and another of the same matching."""


def problem_of(trace: Trace, own: Method) -> dict[str, Any]:
    return {**trace_to_json(trace), "evidence": evidence_to_json(trace, own)}


def page_settings(method: Method) -> dict[str, Any]:
    settings = settings_of(method)
    return {n: settings[n] for n in settings if n not in ("tolerance", "missing")}


def assessed(page: Page, cases: list[Case], through: str = "problem") -> list[Any]:
    """What the browser makes of the cases. They go as texts: the driver's own way would lose an id like "__proto__"."""
    problems = {id(trace): (trace, own) for trace, own, _ in cases}
    places = {key: place for place, key in enumerate(problems)}
    sent = [
        json.dumps([problem_of(*one) for one in problems.values()]),
        json.dumps([[places[id(trace)], page_settings(method)] for trace, _, method in cases]),
    ]
    program = f"""async ([problems, cases]) => {{
        const {{ assess, evidence }} = await import("/scoring.js");
        const known = JSON.parse(problems);
        const results = JSON.parse(cases).map(([place, settings]) => {{
            const problem = known[place];
            return assess({through}, settings);
        }});
        return JSON.stringify(results);
    }}"""
    found: list[Any] = json.loads(page.evaluate(program, sent))
    return found


def near(one: float | None, other: float | None) -> bool:
    return one == other if one is None or other is None else math.isclose(one, other, rel_tol=0, abs_tol=NEAR)


def differences(found: Any, expected: Trace, decision: float) -> list[str]:
    """Where the browser says something else than Python."""
    wrong = []
    for one, other in zip(found["candidates"], expected.candidates, strict=True):
        for name in ("reliability", "score"):
            if not near(one[name], getattr(other, name)):
                wrong.append(f"{other.id}.{name}: {one[name]} for {getattr(other, name)}")
        for number, (step, stored) in enumerate(zip(one["steps"], other.steps, strict=True)):
            for name in ("gate", "reward", "reliability"):
                if not near(step[name], getattr(stored, name)):
                    wrong.append(f"{other.id}.steps[{number}].{name}: {step[name]} for {getattr(stored, name)}")
            match = stored.match
            meant = (match.verdict, match.support) if match else (None, None)
            if (step["verdict"], step["support"], step["uses"], step["fault"]) != (
                *meant,
                list(stored.uses),
                fault(stored, decision),
            ):
                wrong.append(f"{other.id}.steps[{number}]: {step} for {stored}")
    ranking = found["ranking"]
    meant = expected.ranking
    if (ranking["best"], ranking["order"], ranking["tied"]) != (list(meant.best), list(meant.order), meant.tied):
        wrong.append(f"{ranking} for {expected.ranking}")
    if not all(near(ranking["values"][name], value) for name, value in expected.ranking.values.items()):
        wrong.append(f"{ranking['values']} for {expected.ranking.values}")
    return wrong


def cases(run: Path) -> list[Case]:
    """Every second trace from a run of drawn problems, the others made up."""
    random = Random(5)
    drawn = list(read_traces(run))
    found = []
    for number in range(SETTINGS):
        trace, own = (random.choice(drawn), preset("grounded")) if number % 2 else random_trace(random)
        found.append((trace, own, random_method(random, own)))
    return found


def test_a_thousand_random_settings_give_pythons_numbers_and_orders(modules: Page, run_folder: Path) -> None:
    asked = cases(run_folder)
    for found, (trace, _, method) in zip(assessed(modules, asked), asked, strict=True):
        assert differences(found, reassess(trace, method), method.decision) == [], method


def test_the_evidence_alone_gives_the_same_numbers(modules: Page, run_folder: Path) -> None:
    asked = cases(run_folder)[:100]
    for found, (trace, _, method) in zip(assessed(modules, asked, "evidence(problem)"), asked, strict=True):
        assert differences(found, reassess(trace, method), method.decision) == []


def test_a_run_without_a_method_has_pythons_settings(modules: Page) -> None:
    found = modules.evaluate("async () => (await import('/scoring.js')).settingsOf({})")
    assert found == page_settings(Method())


def test_the_lists_of_the_controls_are_pythons(modules: Page) -> None:
    from evpv.reward.method import GATES
    from evpv.reward.ranking import AGGREGATIONS, SELECTIONS

    lists = modules.evaluate(
        "async () => { const s = await import('/scoring.js'); return [s.GATES, s.AGGREGATIONS, s.SELECTIONS]; }"
    )
    assert lists[1:] == [list(AGGREGATIONS), list(SELECTIONS)]
    assert sorted(lists[0]) == sorted(GATES)


def test_exponentials_and_logarithms_agree_to_the_last_bit_nearly_always(modules: Page) -> None:
    """A browser's own differ for one argument in twelve, which would undo ties."""
    random = Random(1)
    powers = [random.uniform(-14.0, 14.0) for _ in range(5000)]
    numbers = [random.uniform(1e-6, 1.1) for _ in range(5000)]
    found = modules.evaluate(
        """async ([powers, numbers]) => {
            const { exp, log } = await import("/arithmetic.js");
            return [powers.map(exp), numbers.map(log)];
        }""",
        [powers, numbers],
    )
    assert sum(one != math.exp(power) for one, power in zip(found[0], powers, strict=True)) <= 15
    assert sum(one != math.log(number) for one, number in zip(found[1], numbers, strict=True)) <= 15


def test_sums_are_exact(modules: Page) -> None:
    random = Random(2)
    lists = [
        [random.uniform(-1, 1) * 10.0 ** random.randint(-20, 20) for _ in range(random.randint(0, 12))]
        for _ in range(2000)
    ]
    lists += [[1e16, 1.0, -1e16], [1.0, 2.0**-53, 2.0**-106], [1e308, 1.0, -1e308], [0.1] * 10]
    found = modules.evaluate("async (lists) => lists.map((await import('/arithmetic.js')).exactSum)", lists)
    assert [float(one) for one in found] == [math.fsum(numbers) for numbers in lists]
