"""The experiments as a set: what they need, what they write, and Exp-3A with a policy that is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evpv.errors import ConfigError
from evpv.experiments.catalogue import EXPERIMENTS, choose_experiments, left_out, plan_experiments, run_experiments
from evpv.experiments.main_results import SETTINGS, _shown_problem, policy_perception
from evpv.experiments.measuring import Truth
from evpv.experiments.results import write_report
from evpv.experiments.trials import Constraints, Trials
from evpv.types import Numeric, Problem, Trace

Calls = Callable[[], int]
FORMS = ("tables.md", "table-1.csv", "table-1.tex", "metrics.json")
WITHOUT_FIGURE = {"perception", "checklist", "policy"}


def test_all_experiments_write_every_form_and_one_page(
    trials: Trials, traces: list[Trace], tmp_path: Path, model_calls: Calls
) -> None:
    truth = Truth(traces)
    names = choose_experiments("all", trials, truth)
    assert names == list(EXPERIMENTS)
    plan = plan_experiments(trials, names, 8)
    results = run_experiments(trials, truth, names, tmp_path, 8)
    page = write_report(results, tmp_path, {"run": "<b>mine</b>"})
    assert plan.calls == model_calls()
    for name in names:
        figures = () if name in WITHOUT_FIGURE else ("figure.png", "figure.svg")
        for file in (*FORMS, *figures):
            assert (tmp_path / name / file).stat().st_size > 50, f"{name}/{file}"
        assert json.loads((tmp_path / name / "metrics.json").read_text())["experiment"] == name
    text = page.read_text(encoding="utf-8")
    assert all(f'id="{result.name}"' in text for result in results)
    assert "&lt;b&gt;mine" in text
    assert "PUBLISHED" in text


@pytest.mark.parametrize(
    ("name", "missing", "said"),
    [
        ("plug-in", "label", "steps with `label`"),
        ("corruption", "label", "steps with `label`"),
        ("best-of-n", "answer", "a gold `answer`"),
        ("checklist", "visual", "`visual` true or false"),
        ("errors", "error", "wrong steps with `error`"),
        ("fidelity", "gold", "--gold"),
    ],
)
def test_an_experiment_without_its_data_says_what_it_needs(
    trials: Trials, traces: list[Trace], name: str, missing: str, said: str
) -> None:
    bare = [without(trace, missing) for trace in traces]
    gold = {} if missing == "gold" else trials.gold
    other, truth = Trials.from_run(bare, trials.recipe, judged=True, gold=gold), Truth(bare)
    with pytest.raises(ConfigError, match=said):
        choose_experiments(name, other, truth)
    assert name not in choose_experiments("all", other, truth)
    assert said in left_out(other, truth)[name]


def without(trace: Trace, field: str) -> Trace:
    problem = replace(trace.problem, answer=None) if field == "answer" else trace.problem
    if field not in ("label", "visual", "error"):
        return replace(trace, problem=problem)
    candidates = tuple(
        replace(one, steps=tuple(replace(step, step=replace(step.step, **{field: None})) for step in one.steps))
        for one in trace.candidates
    )
    return replace(trace, problem=problem, candidates=candidates)


FACTS: Constraints = (
    Numeric(entity="AB", attribute="length", value=12.0),
    Numeric(entity="CD", attribute="length", value=5.0),
)


def test_the_policy_sees_what_its_setting_says(problems: list[Problem]) -> None:
    normal, oracle, noisy, blind = (_shown_problem(problems[0], setting, FACTS) for setting in SETTINGS)
    assert normal == problems[0]
    assert oracle.images
    assert '"value": 12.0' in oracle.question
    assert noisy.images
    assert "as a list of facts" in noisy.question
    assert noisy.question != oracle.question
    assert not blind.images
    assert blind.question == problems[0].question


def test_a_policy_that_sees_better_answers_better(trials: Trials, model_calls: Calls) -> None:
    plan = plan_experiments(trials, ["policy"], 2)
    result = policy_perception(trials, 2)
    rows = {str(row[0]): row for row in result.sheets[0].rows}
    accuracy = {setting: rows[setting][3] for setting in SETTINGS}
    assert accuracy == {"(I) normal": 0.0, "(II) oracle": 100.0, "(III) noisy": 100.0, "(IV) text-only": 0.0}
    assert plan.sample_calls == trials.usage["sample"].calls == 16
    assert model_calls() == trials.usage["sample"].calls + trials.usage["judge"].calls
    assert "each step that the policy writes" in str(plan)


def test_a_recipe_without_a_policy_is_told_so(traces: list[Trace], trials: Trials) -> None:
    bare = Trials.from_run(traces, replace(trials.recipe, policy=None), gold=trials.gold)
    with pytest.raises(ConfigError, match=r"no section \[policy\]"):
        policy_perception(bare, 2)
