"""Tables that are counted from files, and the bill of the paper's own study."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.study.bill import study_bill, total
from evpv.study.evaluating import judged_fidelity
from evpv.study.graph import study_graph
from evpv.study.plan import load_plan
from evpv.study.rehearsal import Rehearsal
from evpv.study.running import standings
from evpv.study.stages import Workshop
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
