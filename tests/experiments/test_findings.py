"""What experiments say in words about their own figures, and the small computations behind them."""

from __future__ import annotations

from statistics import mean

import pytest

from evpv.evaluation.tasks import cost_sheet
from evpv.evaluation.uncertainty import Bin
from evpv.experiments.catalogue import _EVIDENCE_ORDER, _evidence_order
from evpv.experiments.main_results import _falls, _monotone
from evpv.experiments.measuring import Truth
from evpv.experiments.results import CurvePoints, points, reliability_diagram
from evpv.experiments.trials import READ, Trials


def curve(values: list[float], spread: float = 0.5) -> CurvePoints:
    return range(len(values)), values, [v - spread for v in values], [v + spread for v in values]


@pytest.mark.parametrize(
    ("values", "falls", "said"),
    [
        ([80.0, 70.0, 60.0], True, "at every ratio"),
        ([80.0, 70.0, 70.4], True, "within the bands"),
        ([80.0, 70.0, 75.0], False, "not monotonically"),
    ],
)
def test_a_curve_is_called_falling_only_where_it_falls(values: list[float], falls: bool, said: str) -> None:
    assert _falls(curve(values)) is falls
    assert said in _monotone(curve(values))


def triples(*values: float) -> dict[str, tuple[float, float, float]]:
    return {name: (value, value, value) for name, value in zip(_EVIDENCE_ORDER, values, strict=False)}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((83, 58.2, 58.1, 51), "comes in the paper's order"),
        ((83, 58.1, 58.2, 51), "does not come in the paper's order"),
        ((83, 58.1), "not complete"),
    ],
)
def test_the_evidence_group_says_whether_it_is_in_the_papers_order(values: tuple[float, ...], said: str) -> None:
    assert said in _evidence_order(triples(*values))


def test_a_stage_without_a_ledger_says_nothing_of_calls() -> None:
    sheet = cost_sheet("x", {"reading": {"seconds": 4.0}, "judge": {"calls": 8, "prompt_tokens": 20}}, 2)
    reading, judge = (dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows)
    assert reading["calls"] is None
    assert reading["seconds"] == 2.0
    assert judge["calls"] == 4.0
    assert judge["money"] == 0.0
    assert judge["prompt tokens"] == 10.0


def test_bon_of_one_is_pass_at_one_and_never_beats_the_oracle(trials: Trials) -> None:
    traces = trials.traces(READ)
    table = Truth(traces).by_k(traces)
    chosen, oracle, votes = ([mean(values) for values in table[kind].values()] for kind in ("best", "pass", "vote"))
    assert list(table["best"]) == [1, 2, 3]
    assert chosen[0] == pytest.approx(oracle[0]) == pytest.approx(votes[0]) == pytest.approx(2 / 3)
    assert all(one <= most for one, most in zip(chosen, oracle, strict=True))


def test_bins_with_a_handful_of_steps_are_not_drawn() -> None:
    bins = [
        Bin(low=0.1 * i, high=0.1 * i + 0.1, count=n, predicted=0.1 * i, observed=0.5)
        for i, n in enumerate((500, 2, 498))
    ]
    line = reliability_diagram({"judge": bins}).axes[0].lines[1]
    assert list(line.get_xdata()) == [0.0, 0.2]


def test_every_named_point_has_its_name() -> None:
    axes = points({"tables": (0.9, 20.0), "charts": (0.9, 20.1)}, "x", "y").axes[0]
    assert {text.get_text() for text in axes.texts} == {"tables", "charts"}
