"""Tables that are counted from files, and the bill of the paper's own study."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from test_evaluating import TRACES, captions

from evpv.evaluation.fidelity import judged_fidelity
from evpv.evaluation.sheets import Sheet
from evpv.experiments.measuring import evaluation
from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.study.bill import study_bill, total
from evpv.study.graph import PlanCell, study_graph
from evpv.study.plan import ALONE, load_plan
from evpv.study.rehearsal import Rehearsal
from evpv.study.running import standings
from evpv.study.stages import Workshop
from evpv.study.tables import MeasuredCell, choice_result, step_result
from evpv.types import Numeric, Problem, Relation

PLANS = Path(__file__).parents[2] / "plans"


def test_fidelity_is_counted_from_peoples_judgements(tmp_path: Path) -> None:
    facts = (
        Numeric(entity="AB", attribute="length", value=12.0),
        Numeric(entity="CD", attribute="length", value=5.0),
        Relation(type="parallel", entities=("AB", "CD")),
    )
    traces = [
        assess(Problem(id=n, question="?", data_source="MMMU"), facts, [], preset("paper")) for n in ("p", "q", "r")
    ]
    lines = [
        {"id": "p", "supported": [True, False, True], "missing": ["numeric", "structure"]},
        {"id": "q", "supported": [True, True, False]},
    ]
    file = tmp_path / "judged.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = {str(name): counts for name, *counts in judged_fidelity(file, traces)}
    assert rows["MMMU: numeric"][:5] == [3, 1, 1, 0.75, 0.75]
    assert rows["MMMU: relation"][:3] == [1, 1, 0]
    assert rows["MMMU: structure"][:3] == [0, 0, 1]
    assert rows["TOTAL: overall"] == rows["MMMU: overall"]


def measured(judge: str, method: str, policy: str = "own", benchmark: str = "visualprocessbench") -> MeasuredCell:
    alone = method == ALONE
    cell = PlanCell(benchmark=benchmark, policy=policy, judge=judge, method=method, extractor="" if alone else "evpv")
    return MeasuredCell(cell=cell, run=f"assess-{judge}-{method}", worth=evaluation(TRACES, 4))


def published_beside(sheet: Sheet) -> dict[str, tuple[object, object]]:
    assert sheet.columns[-2:] == ("PUBLISHED Overall", "which is")
    names = [str(row[0]) for row in sheet.rows]
    labels = [f"Δ of {names[n - 1]}" if name == "Δ" else name for n, name in enumerate(names)]
    return {label: (row[-2], row[-1]) for label, row in zip(labels, sheet.rows, strict=True) if row[-2] is not None}


def test_a_judge_named_as_in_the_paper_has_its_published_figures_beside_it(tmp_path: Path) -> None:
    workshop = Workshop(graph=study_graph(load_plan(PLANS / "paper.toml")), folder=tmp_path)
    judges = ("gpt-4o-mini", "EVPV-PRM")
    cells = [measured(judge, method) for judge in judges for method in (ALONE, "paper", "grounded")]
    found = step_result(workshop, [*cells, measured("VisualPRM-8B", ALONE)])
    assert found is not None
    assert published_beside(found.sheets[0]) == {
        "gpt-4o-mini ✗": (53.57, "step-weighted mean"),
        "gpt-4o-mini ✓ paper (evpv)": (54.29, "step-weighted mean"),
        "Δ of gpt-4o-mini ✓ paper (evpv)": (0.72, None),
        "EVPV-PRM ✓ paper (evpv)": (67.46, "step-weighted mean"),
        "VisualPRM-8B ✗": (62.0, "no mean; step-weighted mean would be 61.43"),
    }


def test_a_policy_and_reranker_named_as_in_the_paper_have_theirs_beside_them(tmp_path: Path) -> None:
    workshop = Workshop(graph=study_graph(load_plan(PLANS / "paper.toml")), folder=tmp_path)
    rows = [("VisualPRM-8B", ALONE), ("EVPV-PRM", ALONE), ("EVPV-PRM", "paper"), ("EVPV-PRM", "grounded")]
    found = choice_result(workshop, [measured(*row, "InternVL2.5-8B", "mathvista") for row in rows])
    assert found is not None
    best = "InternVL2.5-8B + EVPV-PRM + paper (evpv): BoN@8"
    assert published_beside(found.sheets[0]) == {
        "InternVL2.5-8B: Pass@1": (32.84, "mean without MMMU"),
        "InternVL2.5-8B + VisualPRM-8B: BoN@8": (41.4, "no mean; mean without MMMU would be 42.06"),
        "Δ of InternVL2.5-8B + VisualPRM-8B: BoN@8": (8.4, None),
        best: (41.67, "no mean; mean without MMMU would be 42.12"),
        f"Δ of {best}": (8.83, None),
    }


def test_a_row_that_lacks_a_benchmark_has_no_overall(tmp_path: Path) -> None:
    workshop = Workshop(graph=study_graph(load_plan(PLANS / "paper.toml")), folder=tmp_path)
    rows = [(ALONE, "mathvista"), ("paper", "mathvista"), (ALONE, "wemath")]
    found = choice_result(workshop, [measured("EVPV-PRM", method, "own", name) for method, name in rows])
    assert found is not None
    overalls = {str(row[0]): row[3:] for row in found.sheets[0].rows}
    assert None not in overalls["own: Pass@1"]
    assert overalls["own + EVPV-PRM + paper (evpv): BoN@8"] == (None, None, None)


def test_a_vote_over_captions_is_a_dash_and_its_overall_is_that_of_the_other_benchmarks(tmp_path: Path) -> None:
    workshop = Workshop(graph=study_graph(load_plan(PLANS / "paper.toml")), folder=tmp_path)
    cells = [measured("EVPV-PRM", method, "own", "mathvista") for method in (ALONE, "paper")]
    mute = [
        replace(measured("EVPV-PRM", method, "own", "wemath"), worth=evaluation(captions(True, False), 4))
        for method in (ALONE, "paper")
    ]
    sheet, *_ = choice_result(workshop, [*cells, *mute]).sheets  # type: ignore[union-attr]
    rows = {str(row[0]): row[1:6] for row in sheet.rows}
    for votes in ("own: majority vote of 8", "own + EVPV-PRM + paper (evpv): weighted vote of 8"):
        voted, none, *overalls = rows[votes]
        assert none is None
        assert overalls == [voted] * 3
    assert None not in rows["own + EVPV-PRM + paper (evpv): BoN@8"]
    assert "No candidate gives an answer in WeMath" in sheet.note
    assert not choice_result(workshop, cells).sheets[0].note  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_bill_of_the_papers_study_is_the_arithmetic_of_its_sizes(tmp_path: Path) -> None:
    workshop = Workshop(graph=study_graph(load_plan(PLANS / "paper.toml")), folder=tmp_path)
    tallies = Rehearsal(workshop).tallies()
    charges = study_bill(workshop, tallies, standings(workshop))
    nodes = workshop.graph.nodes
    sampled = total(one for name, one in tallies.items() if nodes[name].stage == "sample")
    assert sampled.new == pytest.approx(3 * 8 * (1000 + 3040 + 788 + 1740 + 448 + 900))
    asked = total(
        one for n, one in tallies.items() if nodes[n].stage == "judge" and nodes[n].cell.judge == "gpt-4o-mini"
    )
    assert asked.new == pytest.approx(2 * 26_950, rel=0.001)
    read = total(one for name, one in tallies.items() if nodes[name].stage == "extract")
    assert read.new == pytest.approx(2866 + 7916)
    hours = sum(one.gpu_hours for one in charges.values())
    assert 100 < hours < 1000
    assert all(one.seconds >= 0 for one in charges.values())
