"""How each stage is done: into a folder of its own, an ordinary run where there are traces, and taken up again anywhere."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import evpv
from evpv import records
from evpv.assembly import Builder
from evpv.backends.ledger import usage_to_json
from evpv.config import Part, Recipe
from evpv.engines.local import start_engine
from evpv.engines.work import RunOrder, groups_of_one_image
from evpv.errors import ConfigError, EvpvError
from evpv.evaluation.answers import AnswerChecker
from evpv.experiments.catalogue import possible_experiments, run_experiments
from evpv.experiments.measuring import Truth, evaluation
from evpv.experiments.results import write_report
from evpv.experiments.trials import Trials
from evpv.files import write_whole
from evpv.protocols import Description
from evpv.records import RunWriter, Skipped, read_manifest, read_problems, read_traces
from evpv.records.benchmarks import import_benchmark
from evpv.records.lines import write_records
from evpv.records.problems import placed_problems
from evpv.records.runs import FAILURES_FILE, Journal
from evpv.reward.assess import assess_evidence
from evpv.reward.method import Method, settings_of
from evpv.study.graph import Graph, Node, judge_part
from evpv.study.plan import ALONE, Plan, part_of
from evpv.types import Candidate, Constraint, Extraction, Problem

PROBLEMS, FIGURES, EVALUATION = "problems.jsonl", "figures.jsonl", "evaluation.json"
STORE = "answers.sqlite"
_FEW = 8
"""So many problems are not worth a second process."""
_NO_JUDGE = Part(use="checks")
_Tick = Callable[[int, int], None]
"""Told how many problems of a stage are done, of how many."""


class _StoredExtractor:
    """Hands out what an earlier stage read: one extraction serves every judge."""

    description = Description(reads_question=False, reads_constraints=False, reads_picture=False)

    def __init__(self, run: str) -> None:
        self.version = Path(run).name
        self._run, self._read = Path(run), dict[str, Extraction]()

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """What was read for each problem; one that the stage could not do says so."""
        if not self._read:
            self._read = {trace.problem_id: trace.extraction for trace in read_traces(self._run)}
        missing = Extraction(problem=f"{self.version} holds no extraction of it")
        return [replace(self._read.get(problem.id, missing), cost={}) for problem in problems]


@dataclass(slots=True)
class Workshop:
    """Does the nodes of a graph in a folder. `addresses` are those of the managed servers that run, by model."""

    graph: Graph
    folder: Path
    engine: Literal["local", "ray"] = "local"
    workers: int | None = None
    addresses: dict[str, str] = field(default_factory=dict)
    tick: _Tick = lambda done, total: None

    @property
    def plan(self) -> Plan:
        return self.graph.plan

    def place(self, node: Node) -> Path:
        return self.folder / "nodes" / node.name

    def file(self, node: Node, name: str = PROBLEMS) -> Path:
        return self.place(node) / name

    def do(self, node: Node) -> dict[str, Any]:
        """Do one node, or what is left of it, and give back what it asked, by stage; `EvpvError` where it cannot be done."""
        self.place(node).mkdir(parents=True, exist_ok=True)
        doing: Mapping[str, Callable[[Node], dict[str, Any]]] = {
            "import": self._import, "sample": self._sample, "extract": self._extract,
            "judge": lambda one: self._run(one, self.judging(one), self.file(self.graph.candidates(one))),
            "assess": self._assess, "evaluate": self._evaluate, "experiments": self._experiment,
        }  # fmt: skip
        return doing[node.stage](node)

    def recipe(self, extractor: Part, judge: Part, method: Method, policy: Part | None = None) -> Recipe:
        """The parts as a recipe, with the models that they name and the study's own store."""
        if "backend" in extractor.settings:  # what it reads is in the study's store: the user's cache would hide calls
            extractor = replace(extractor, settings={"cache": "", **extractor.settings})
        parts = [self._with_address(part) for part in (extractor, judge, policy) if part is not None]
        backends = {}
        for name in sorted({str(part.settings["backend"]) for part in parts if "backend" in part.settings}):
            address = {"base_url": self.addresses[name]} if name in self.addresses else {}
            model = self.plan.models[name]
            backends[name] = Part(use=model.use, settings={**model.settings, **address})
        return Recipe(
            name=self.plan.name, description=self.plan.description, extractor=parts[0], judge=parts[1],
            policy=parts[2] if policy is not None else None, audit=self.plan.audit, method=method, backends=backends,
            store=str(self.folder / STORE) if backends else None,
        )  # fmt: skip

    def _with_address(self, part: Part) -> Part:
        if not isinstance(name := part.settings.get("server"), str):
            return part
        address = self.addresses.get(name) or self.plan.models[name].settings.get("base_url")
        return replace(part, settings={**part.settings, "server": {"base_url": address}})

    def _import(self, node: Node) -> dict[str, Any]:
        benchmark = self.plan.benchmarks[node.cell.benchmark]
        source = self.plan.path(benchmark.file)
        if benchmark.drawn is not None:
            from evpv.figures import write_problems  # the vision extra's: only those who draw need it

            drawn = benchmark.drawn
            shutil.rmtree(self.place(node) / "drawn", ignore_errors=True)  # half drawn by one that was broken off
            write_problems(self.place(node) / "drawn", drawn.families, drawn.count, drawn.seed, split=drawn.split)
            source = self.place(node) / "drawn" / PROBLEMS
        elif not source.exists():
            raise ConfigError(f"{source}: there is no such file; [benchmarks.{node.cell.benchmark}] names it.")
        elif benchmark.layout:
            images = self.plan.path(benchmark.images) if benchmark.images else None
            imported = self.file(node, "imported.jsonl")
            import_benchmark(benchmark.layout, source, imported, images=images, where=benchmark.where)
            source = imported
        skipped = Skipped()
        problems = list(islice(read_problems(source, on_error="skip", report=skipped), benchmark.limit))
        if not problems:
            raise ConfigError(f"{source} holds no problem.")
        self._write(node, PROBLEMS, _graded_problems(problems))
        self._write(node, FIGURES, [replace(problem, candidates=()) for problem in problems])
        return {"import": {"problems": len(problems), "skipped": skipped.count}}

    def _write(self, node: Node, name: str, problems: Iterable[Problem]) -> None:
        rows = (records.problem_to_json(problem, folder=str(self.place(node))) for problem in problems)
        write_records(self.file(node, name), rows)

    def seeded_policy(self, node: Node) -> Part:
        part = part_of(self.plan.policies[node.cell.policy], "policy")
        return replace(part, settings={**part.settings, "seed": node.cell.seed})

    def _sample(self, node: Node) -> dict[str, Any]:
        builder = Builder(self.recipe(Part(use="none"), _NO_JUDGE, Method(), self.seeded_policy(node)))
        problems = list(read_problems(self.file(self.graph.nodes[node.needs[0]], FIGURES)))
        try:
            with Journal(self.file(node, "sampled.jsonl")) as file:
                left = [problem for problem in problems if problem.id not in file.done]
                policy = builder.policy()
                for one in policy.stream(left, self.plan.k):
                    cost = usage_to_json(builder.ledger.take(one.problem.id))
                    made = one.problem_with_report(policy.version, self.plan.k, cost)
                    file.append(records.problem_to_json(made, folder=str(self.place(node))))
                    self.tick(len(file.done), len(problems))
        finally:
            builder.close()
        order = {problem.id: place for place, problem in enumerate(problems)}
        sampled = sorted(read_problems(self.file(node, "sampled.jsonl")), key=lambda problem: order[problem.id])
        if not any(problem.candidates for problem in sampled):
            raise EvpvError(f"{node.cell.policy} wrote no candidate that could be read, of {len(sampled)} problems.")
        self._write(node, PROBLEMS, _graded_problems(sampled))
        return _stage_sums(problem.sampling.cost for problem in sampled if problem.sampling is not None)

    def _extract(self, node: Node) -> dict[str, Any]:
        part = part_of(self.plan.extractors[node.cell.extractor], "extractor")
        figures = self.file(self.graph.nodes[node.needs[0]], FIGURES)
        return self._run(node, self.recipe(part, _NO_JUDGE, Method()), figures)

    def judging(self, node: Node) -> Recipe:
        """The recipe of a judge's node: its facts are those that another node read, if it is shown any."""
        judge = judge_part(self.plan, node.cell.judge, evidence=node.cell.evidence)
        read = self.graph.above(node, "extract")
        eyes = Part(use="none")
        if read is not None:
            eyes = Part(use=f"{__name__}:_StoredExtractor", settings={"run": str(self.place(read))})
        return self.recipe(eyes, judge, self.plan.method(ALONE))

    def _run(self, node: Node, recipe: Recipe, file: Path) -> dict[str, Any]:
        """An ordinary run over a file of problems, by the engine that `rank` uses; on a cluster only what asks no server.

        One process where a server is asked, weights are held or there is little to do; else one a core.
        """
        folder, asks = self.place(node), bool(node.models or recipe.backends)
        order = RunOrder(recipe=recipe, problems=str(file), folder=str(folder))
        alone = any((asks, "model" in recipe.judge.settings, len(list(read_problems(file))) <= _FEW))
        workers = self.workers or (1 if alone else len(os.sched_getaffinity(0)))
        with (
            start_engine("local" if asks else self.engine, order, workers) as running,
            RunWriter(folder, recipe.manifest(file, evpv=evpv.__version__, parts=running.version)) as writer,
        ):
            suspects, done = writer.earlier_failures(), writer.done_ids()
            groups = groups_of_one_image(placed_problems(file), lambda name: name not in done, last=suspects)
            count = len(done) + sum(map(len, groups))
            for number, receipt in enumerate(running.run(groups, writer.append_line, suspects), start=len(done) + 1):
                self.tick(number, count)
                if receipt.failure is not None:
                    writer.add_failure(receipt.problem_id, receipt.failure)
            writer.take_shards()
        if writer.failed:
            raise EvpvError(f"{writer.failed} of {count} problems failed: {folder / FAILURES_FILE} says why.")
        return _stage_sums(trace.cost.get("stages", {}) for trace in read_traces(folder))

    def _assess(self, node: Node) -> dict[str, Any]:
        """The judge's words and the extractor's facts under a method: nobody is asked."""
        judged, read = self.place(self.graph.nodes[node.needs[0]]), self._extractions(node)
        method = self.plan.method(node.cell.method)
        manifest = {**read_manifest(judged), "method": settings_of(method), "recipe": f"{self.plan.name}: {node.cell}"}
        with RunWriter(self.place(node), manifest) as writer:
            done = writer.done_ids()
            for trace in read_traces(judged):
                if trace.problem_id not in done:
                    seen = replace(read.get(trace.problem_id, trace.extraction), cost={})
                    words = [[step.judgement for step in candidate.steps] for candidate in trace.candidates]
                    made = assess_evidence(trace.problem, seen, words, method)
                    writer.append(replace(made, judging=trace.judging, digest=trace.digest, extra=trace.extra))
        return {}

    def _extractions(self, node: Node) -> dict[str, Extraction]:
        places = [self.place(self.graph.nodes[name]) for name in node.needs[1:]]
        return {trace.problem_id: trace.extraction for place in places for trace in read_traces(place)}

    def _evaluate(self, node: Node) -> dict[str, Any]:
        traces = list(read_traces(self.place(self.graph.nodes[node.needs[0]])))
        costs = {}
        for stage in ("sample", "extract", "judge"):
            if (one := self.graph.above(node, stage)) is not None:
                ended = json.loads(self.file(one, "done.json").read_text(encoding="utf-8"))
                costs[stage] = {"seconds": ended["seconds"], "asked": ended["asked"]}
        text = json.dumps({"cell": asdict(node.cell), **evaluation(traces, self.plan.k), "asked": costs})
        write_whole(self.file(node, EVALUATION), text + "\n")
        return {}

    def _experiment(self, node: Node) -> dict[str, Any]:
        judged = self.graph.nodes[node.needs[0]]
        traces, gold, read = list(read_traces(self.place(judged))), self.gold_constraints(node), self._extractions(node)
        whole = [replace(trace, extraction=read.get(trace.problem_id, trace.extraction)) for trace in traces]
        trials = Trials.from_run(whole, self.experimenting(node), judged=True, gold=gold)
        trials.memory = self.place(node) / "judged"
        truth = Truth(whole)
        names, results = possible_experiments(node.cell.experiments, trials, truth), []
        for number, name in enumerate(names, start=1):
            results += run_experiments(trials, truth, [name], self.place(node), self.plan.k)
            self.tick(number, len(names))
        write_report(results, self.place(node), {"study": self.plan.name, "cell": str(node.cell)})
        return usage_to_json(trials.usage)

    def experimenting(self, node: Node) -> Recipe:
        """The parts that an experiment may ask again: the extractor itself, and the judge as it was asked."""
        eyes = part_of(self.plan.extractors[node.cell.extractor], "extractor")
        judge = judge_part(self.plan, node.cell.judge, evidence=node.cell.evidence)
        return self.recipe(eyes, judge, self.plan.method(node.cell.method))

    def gold_constraints(self, node: Node) -> dict[str, tuple[Constraint, ...]]:
        """The true constraints of a benchmark's problems, where its plan says where they are."""
        benchmark = self.plan.benchmarks[node.cell.benchmark]
        source = self.graph.above(node, "import")
        if source is None or not (benchmark.gold or benchmark.drawn):
            return {}
        file = self.file(source) if benchmark.gold in ("", "self") else self.plan.path(benchmark.gold)
        held = {problem.id: records.given_constraints(problem) for problem in read_problems(file)}
        return {name: facts for name, facts in held.items() if facts is not None}


def _graded_problems(problems: Sequence[Problem]) -> list[Problem]:
    """The problems with `correct` on every candidate that can be held against a gold answer: compared once, for all cells."""
    with AnswerChecker() as checker:

        def graded_candidate(problem: Problem, one: Candidate) -> Candidate:
            if one.correct is not None or problem.answer is None:
                return one
            return replace(one, correct=checker.compare(problem.answer, one.final_answer, problem.options).equal)

        return [replace(p, candidates=tuple(graded_candidate(p, one) for one in p.candidates)) for p in problems]


def _stage_sums(stages: Iterable[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    total: dict[str, dict[str, float]] = {}
    for one in stages:
        for stage, spent in one.items():
            row = total.setdefault(stage, {})
            for name, amount in spent.items():
                row[name] = row.get(name, 0.0) + amount
    return total
