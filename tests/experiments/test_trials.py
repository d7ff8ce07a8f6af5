"""Sweeps over a stored run: the plan names every call, the ledger agrees, and what needs no model asks none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from evpv.backends.ledger import usage_sum
from evpv.errors import ConfigError
from evpv.experiments.catalogue import _GRID_TAUS, _sensitivity_variants, ablations
from evpv.experiments.main_results import _corruption_variants
from evpv.experiments.trials import READ, Trials, Variant
from evpv.types import Trace

Calls = Callable[[], int]


def sweep() -> list[Variant]:
    """The paper's 27 ablations with the full method, 13 corruptions, 25 settings of the gate."""
    corrupted = [variant for *_, variant in _corruption_variants(seeds=(0,))]
    grid = [v for (gate, tau, _), v in _sensitivity_variants().items() if gate == "sigmoid" and tau in _GRID_TAUS]
    variants = [*ablations(chat_extractor=True), *corrupted[:7], *corrupted[8:], *grid]
    assert (len(ablations(chat_extractor=True)), len(corrupted[:7] + corrupted[8:]), len(grid)) == (28, 13, 25)
    return variants


def test_a_sweep_of_27_13_and_25_settings_asks_what_its_plan_names(trials: Trials, model_calls: Calls) -> None:
    variants = sweep()
    plan = trials.plan(variants)
    for variant in variants:
        assert len(trials.traces(variant)) == 2
    assert plan.calls == model_calls() == usage_sum(trials.usage.values()).calls
    assert plan.extract_calls == trials.usage["extract"].calls
    assert plan.judge_calls == trials.usage["judge"].calls
    assert 0 < plan.judge_calls < len(variants) * 12
    assert trials.plan(variants).calls == 0


def test_settings_of_the_method_ask_nothing(trials: Trials, model_calls: Calls) -> None:
    for variant in _sensitivity_variants().values():
        trials.traces(variant)
    assert model_calls() == 0


def test_variants_that_share_their_parts_find_them_warm(
    trials: Trials, model_calls: Calls, models_built: Calls
) -> None:
    variants = [variant for *_, variant in _corruption_variants(seeds=(0,)) if variant.spoil_name]
    plan, before = trials.plan(variants), models_built()
    for variant in variants:
        trials.traces(variant)
    trials.close()
    assert models_built() - before == 1
    assert plan.calls == model_calls() == usage_sum(trials.usage.values()).calls


def rewards(traces: Sequence[Trace]) -> set[float | None]:
    return {
        step.base_reward for trace in traces for c in trace.candidates for step in c.steps if "perhaps" in step.text
    }


@pytest.mark.parametrize(("rule", "reward"), [("plus-one", 1.0), ("minus-one", -1.0), ("abstain", None)])
def test_what_stands_in_for_an_unreadable_answer_asks_nothing(
    trials: Trials, model_calls: Calls, rule: str, reward: float | None
) -> None:
    assert rewards(trials.traces(Variant(name=rule, judge={"unreadable": rule}))) == {reward}
    assert model_calls() == 0


def test_random_stand_ins_are_the_same_every_time(trials: Trials) -> None:
    variant = Variant(name="random", judge={"unreadable": "random"})
    assert rewards(trials.traces(variant)) <= {1.0, -1.0}
    assert trials.traces(variant) == trials.traces(variant)


def test_a_run_by_another_judge_is_judged_anew_once(traces: list[Trace], trials: Trials, model_calls: Calls) -> None:
    other = Trials.from_run(traces, trials.recipe, judged=False)
    assert other.plan([READ]).judge_calls == 12
    other.traces(READ)
    other.traces(Variant(name="paper", method={"matching": "paper"}))
    assert model_calls() == 12


def test_constraints_that_a_judge_does_not_see_do_not_make_it_judge_again(trials: Trials) -> None:
    blind = {"evidence": False}
    every = [
        Variant(name=v.name, judge=blind, spoil=v.spoil, spoil_name=v.spoil_name) for *_, v in _corruption_variants()
    ]
    assert trials.plan(every).judgements == 1


def test_an_empty_run_cannot_be_studied(trials: Trials) -> None:
    with pytest.raises(ConfigError, match="holds no traces"):
        Trials.from_run([], trials.recipe)


def test_gold_must_cover_the_run(traces: list[Trace], trials: Trials) -> None:
    with pytest.raises(ConfigError, match=r"1 problems of the run have no gold constraints \(p2"):
        Trials.from_run(traces, trials.recipe, gold={"p1": ()})


def test_a_setting_that_a_part_does_not_have_is_refused_before_anything_is_asked(
    trials: Trials, model_calls: Calls
) -> None:
    with pytest.raises(ConfigError, match="temperatur"):
        trials.check(Variant(name="x", judge={"temperatur": 0.5}))
    assert model_calls() == 0
