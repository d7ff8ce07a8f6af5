"""The study as a graph of stages: what must be there before what, each under a digest of all that decides it.

import → sample → extract → judge → assess → evaluate, and the experiments. Two cells of a table that need the same thing
name the same node, so it is made once: one extraction serves all judges, one sampling all rerankers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import evpv
from evpv.assembly.builder import settings_of_part
from evpv.config import Part
from evpv.errors import EvpvError
from evpv.records import Skipped, read_problems
from evpv.records.problems import problem_digest
from evpv.study.plan import ALONE, OWN, Benchmark, Plan, deciding_settings, models_of, part_of

STAGES = ("import", "sample", "extract", "judge", "assess", "evaluate", "experiments")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCell:
    """Which entries of the plan a node belongs to; empty where it serves all of them."""

    benchmark: str
    policy: str = ""
    seed: int = 0
    extractor: str = ""
    judge: str = ""
    evidence: bool = False
    method: str = ""
    experiments: str = ""

    def __str__(self) -> str:
        seed = f"#{self.seed}" if self.seed else ""
        judge = f"{self.judge} + facts" if self.judge and self.evidence else self.judge
        shown = (self.benchmark, f"{self.policy}{seed}", self.extractor, judge, self.method, self.experiments)
        return " · ".join(filter(None, shown))


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One stage of one cell: a folder named by its digest, the nodes that must be done before it, the models it asks."""

    stage: str
    cell: PlanCell
    digest: str
    needs: tuple[str, ...] = ()
    models: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.stage}-{self.digest}"


@dataclass(slots=True)
class Graph:
    """All nodes by name, in an order in which each comes after what it needs."""

    plan: Plan
    nodes: dict[str, Node] = field(default_factory=dict)

    def add(self, stage: str, cell: PlanCell, needs: Sequence[Node], decides: Any, models: Sequence[str] = ()) -> Node:
        """The node of this digest: one that is there already is given back, whatever cell asked for it first."""
        known = [evpv.__version__, stage, [one.digest for one in needs], decides]
        digest = sha256(json.dumps(known, sort_keys=True, default=str).encode()).hexdigest()[:16]
        node = Node(stage=stage, cell=cell, digest=digest, needs=tuple(one.name for one in needs), models=tuple(models))
        return self.nodes.setdefault(node.name, node)

    def of(self, stage: str) -> list[Node]:
        return [node for node in self.nodes.values() if node.stage == stage]

    def above(self, node: Node, stage: str) -> Node | None:
        """The node of a stage that this one rests on, itself included."""
        if node.stage == stage:
            return node
        found = (self.above(self.nodes[name], stage) for name in node.needs)
        return next((one for one in found if one is not None), None)

    def candidates(self, node: Node) -> Node:
        """The node that holds the candidates which this one is about."""
        found = self.above(node, "sample") or self.above(node, "import")
        assert found is not None, "every node rests on an import"
        return found


def study_graph(plan: Plan) -> Graph:
    """The plan's stages. The same plan over the same files gives the same graph, name by name."""
    graph = Graph(plan=plan)
    for name, benchmark in plan.benchmarks.items():
        source = graph.add("import", PlanCell(benchmark=name), (), _source(plan, benchmark))
        extractions = {}
        for extractor in _wanted_names(benchmark.extractors, plan.extractors):
            part = part_of(plan.extractors[extractor], "extractor")
            cell = PlanCell(benchmark=name, extractor=extractor)
            decides = deciding_settings(plan, part)
            extractions[extractor] = graph.add("extract", cell, (source,), decides, models_of(part))
        for policy, seed, candidates in _candidates(graph, source, benchmark):
            for judge in _wanted_names(benchmark.judges, plan.judges):
                cell = PlanCell(benchmark=name, policy=policy, seed=seed, judge=judge)
                _add_judge_nodes(graph, cell, candidates, extractions)
    return graph


def _source(plan: Plan, benchmark: Benchmark) -> list[Any]:
    """What a benchmark is: its settings, and the content of its file, pictures too where it is one of problems."""
    settings = benchmark.model_dump(include={"layout", "where", "drawn", "limit", "gold"})
    if benchmark.drawn is not None:
        return [settings]
    file = plan.path(benchmark.file)
    content: Any
    try:
        if not benchmark.layout:
            content = [problem_digest(problem) for problem in read_problems(file, on_error="skip", report=Skipped())]
        elif file.is_file():
            content = sha256(file.read_bytes()).hexdigest()
        else:
            inside = (one for one in file.rglob("*") if one.is_file())
            content = sorted((str(one.relative_to(file)), one.stat().st_size) for one in inside)
    except (OSError, EvpvError):
        content = str(file)  # one that is not here can be planned for, and fails when it is wanted
    return [settings, content]


def _wanted_names(wanted: Sequence[str] | None, there: Any) -> list[str]:
    return list(there) if wanted is None else list(wanted)


def _candidates(graph: Graph, source: Node, benchmark: Benchmark) -> Iterator[tuple[str, int, Node]]:
    """Whose candidates are ranked: the file's own, or those that a policy is asked for, seed by seed."""
    plan = graph.plan
    for name in _wanted_names(benchmark.policies, plan.policies):
        part = part_of(plan.policies[name], "policy")
        if part.use == OWN:
            yield name, 0, source
            continue
        for seed in plan.seeds:
            cell = PlanCell(benchmark=source.cell.benchmark, policy=name, seed=seed)
            decides = [deciding_settings(plan, part), plan.k, seed]
            yield name, seed, graph.add("sample", cell, (source,), decides, models_of(part))


def _add_judge_nodes(graph: Graph, cell: PlanCell, candidates: Node, extractions: dict[str, Node]) -> None:
    """A judge's cells: alone, and with each extractor's facts under each method; then its experiments."""
    plan, judge = graph.plan, graph.plan.judges[cell.judge]
    part = judge_part(plan, cell.judge, evidence=False)
    shown = judge.evidence is not False and "evidence" in settings_of_part("judge", judge.use)
    blind = graph.add("judge", cell, (candidates,), [deciding_settings(plan, part), plan.audit], models_of(part))
    _add_assessment(graph, blind, None, ALONE)
    for name, extraction in extractions.items():
        there = replace(cell, extractor=name, evidence=shown)
        sighted = blind
        if shown:
            part = judge_part(plan, cell.judge, evidence=True)
            decides = [deciding_settings(plan, part), plan.audit]
            sighted = graph.add("judge", there, (candidates, extraction), decides, models_of(part))
        for method in plan.methods if judge.methods is None else judge.methods:
            _add_assessment(graph, sighted, extraction, method)
        for wanted in plan.experiments:
            names = (
                (wanted.benchmarks, cell.benchmark), (wanted.policies, cell.policy), (wanted.extractors, name), (wanted.judges, cell.judge)
            )  # fmt: skip
            if all(one is None or mine in one for one, mine in names):
                method = wanted.method or next(iter(plan.methods))
                there = replace(
                    sighted.cell, extractor=extraction.cell.extractor, method=method, experiments=wanted.names
                )
                settings = [wanted.names, str(plan.method(method))]
                models = (*sighted.models, *extraction.models)
                graph.add("experiments", there, (sighted, extraction), settings, models)


def judge_part(plan: Plan, name: str, *, evidence: bool) -> Part:
    """A judge with or without the facts; one that has no such setting is as it is."""
    part = plan.judges[name].part
    if "evidence" not in settings_of_part("judge", part.use):
        return part
    return Part(use=part.use, settings={**part.settings, "evidence": evidence})


def _add_assessment(graph: Graph, judged: Node, extraction: Node | None, method: str) -> None:
    cell = replace(judged.cell, extractor=extraction.cell.extractor if extraction else "", method=method)
    needs = (judged, extraction) if extraction else (judged,)
    run = graph.add("assess", cell, needs, str(graph.plan.method(method)))
    graph.add("evaluate", cell, (run,), "")
