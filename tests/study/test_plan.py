"""Plans are checked where they come in, and become graphs in which nothing is there twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_files import write_study

from evpv.errors import ConfigError
from evpv.experiments.results import published_tables
from evpv.study.graph import Graph, study_graph
from evpv.study.page import _graph_svg
from evpv.study.plan import PlanModel, load_plan
from evpv.study.rehearsal import TokenRule, token_rule
from evpv.study.running import standings
from evpv.study.stages import Workshop

PLANS = Path(__file__).parents[2] / "plans"


def graph_of(folder: Path, *changes: tuple[str, str]) -> Graph:
    study = write_study(folder)
    text = study.plan.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    study.plan.write_text(text, encoding="utf-8")
    return study_graph(load_plan(study.plan))


@pytest.mark.parametrize("name", ["paper", "small", "edge"])
def test_the_shipped_plans_become_graphs(name: str) -> None:
    graph = study_graph(load_plan(PLANS / f"{name}.toml"))
    assert graph.of("evaluate")
    for node in graph.nodes.values():
        assert all(list(graph.nodes).index(need) < list(graph.nodes).index(node.name) for need in node.needs)


def test_the_papers_plan_has_its_judges_policies_and_benchmarks() -> None:
    plan = load_plan(PLANS / "paper.toml")
    steps, choices = (published_tables()[name] for name in ("visualprocessbench", "best_of_8"))
    assert set(plan.judges) == {row["model"] for row in steps["rows"]} - {"TIM-PRM-8B"}
    assert set(plan.policies) - {"own"} == {row["policy"] for row in choices["rows"] if "reranker" in row}
    assert {one.column for one in plan.benchmarks.values()} - {""} == set(choices["columns"]) - {"Overall"}


def test_one_extraction_serves_all_judges_and_one_sampling_all_rerankers(tmp_path: Path) -> None:
    graph = graph_of(tmp_path)
    counts = {stage: len(graph.of(stage)) for stage in ("import", "sample", "extract", "judge", "assess", "evaluate")}
    assert counts == {"import": 1, "sample": 1, "extract": 1, "judge": 8, "assess": 12, "evaluate": 12}


def test_an_address_changes_no_node_and_a_setting_changes_what_rests_on_it(tmp_path: Path) -> None:
    before = set(graph_of(tmp_path / "a").nodes)
    assert set(graph_of(tmp_path / "a", ("pause_s = 0.0", "pause_s = 0.0\nconcurrency = 3")).nodes) == before
    changed = set(
        graph_of(tmp_path / "a", ('[judges.rule]\nuse = "chat"', '[judges.rule]\nuse = "chat"\nhistory = 2')).nodes
    )
    assert {name.partition("-")[0] for name in before - changed} == {"judge", "assess", "evaluate", "experiments"}


def test_a_limit_makes_another_study_and_never_raises_a_smaller_one(tmp_path: Path) -> None:
    study = write_study(tmp_path)
    whole, few = (study_graph(load_plan(study.plan, limit)) for limit in (None, 2))
    assert not set(whole.nodes) & set(few.nodes)
    study.plan.write_text(study.plan.read_text().replace('column = "MathVista"', 'column = "MathVista"\nlimit = 1'))
    assert [one.limit for one in load_plan(study.plan, 2).benchmarks.values()] == [1]


def test_another_picture_makes_another_study(tmp_path: Path) -> None:
    before = set(graph_of(tmp_path).nodes)
    (tmp_path / "problems.jsonl").write_text((tmp_path / "problems.jsonl").read_text().replace("How long", "How far"))
    after = set(study_graph(load_plan(tmp_path / "lines.toml")).nodes)
    assert not before & after


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('backend = "rule"', 'backend = "nobody"', r"entry of \[models\]: 'nobody'"),
        ("k = 3", "k = 0", "k: Input should be greater than or equal to 1"),
        ("k = 3", "k = 3\nkk = 4", "kk: Extra inputs are not permitted"),
        ('policies = ["own"]', 'policies = ["owner"]', r"entry of \[policies\]: 'owner'"),
        ("k = 3", 'k = 3\nmethods = {odd = {gate = "ajar"}}', "'ajar'"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        graph_of(tmp_path, (old, new))


def test_a_graph_that_is_not_begun_waits_and_can_be_drawn(tmp_path: Path) -> None:
    workshop = Workshop(graph=graph_of(tmp_path), folder=tmp_path / "study")
    stand = standings(workshop)
    assert {one.state for one in stand.values()} == {"waiting"}
    assert _graph_svg(workshop.graph, stand).count("<rect") == len(workshop.graph.nodes)


def test_tokens_are_counted_by_the_models_own_rule(tmp_path: Path) -> None:
    from PIL import Image

    from evpv.protocols import ChatRequest

    Image.new("RGB", (640, 480)).save(tmp_path / "a.png")
    asked = ChatRequest(prompt="How long is AB?", images=(str(tmp_path / "a.png"),))
    mini = token_rule(PlanModel(use="transformers-chat", model="evpv:mini-extractor"), 3.6)  # type: ignore[call-arg]
    assert mini.processor is not None
    assert mini.picture_tokens(asked.images) > 0
    released = token_rule(PlanModel(model="OpenGVLab/InternVL2_5-8B"), 3.6)  # type: ignore[call-arg]
    assert (released.picture_tokens(asked.images), released.text_tokens(asked)) == (3328, 28)
    assert TokenRule(words=True).text_tokens(asked) == 4
    managed = token_rule(PlanModel(serve="vllm", weights="evpv:mini-extractor", model="mini"), 3.6)  # type: ignore[call-arg]
    assert managed.text_tokens(asked) == mini.text_tokens(asked)
