"""What a study will ask, counted by asking it of nobody: the real parts put their real questions to a backend that counts.

Questions are known apart as the store knows them, so what two cells share counts once. Where inputs are not there yet
(a policy's solutions, an extractor's facts, a whole benchmark) stand-ins of the plan's `expected` size take their place.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from PIL import Image

from evpv.assembly import Builder, build
from evpv.assembly.builder import build_part
from evpv.config import Part, Recipe
from evpv.errors import EvpvError
from evpv.experiments.catalogue import EXPERIMENTS, possible_experiments
from evpv.experiments.measuring import Truth
from evpv.experiments.trials import Trials
from evpv.protocols import ChatReply, ChatRequest, Usage, description_of
from evpv.records import read_problems, read_traces
from evpv.study.graph import Node, judge_part
from evpv.study.plan import ALONE, Expected, PlanModel, TokenRule, part_of, token_rule
from evpv.study.stages import Workshop
from evpv.types import Candidate, Constraint, Numeric, Problem, Step

_MOST = 200
"""How many problems of a cell are gone through; beyond that the count is scaled."""
_NO_EYES, _NO_JUDGE = Part(use="none"), Part(use="checks")


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a node puts to models. `questions` are all, `new` those that no other node put before; `passes` need no server."""

    problems: float = 0.0
    questions: float = 0.0
    new: float = 0.0
    images: float = 0.0
    prompt_tokens: float = 0.0
    image_tokens: float = 0.0
    completion_tokens: float = 0.0
    passes: float = 0.0
    pass_tokens: float = 0.0
    stands_in: str = ""


def total(tallies: Iterable[Tally], times: float = 1.0) -> Tally:
    """Tallies added up, and multiplied if told."""
    listed = [asdict(one) for one in tallies]
    names = [one.name for one in fields(Tally) if one.name != "stands_in"]
    return Tally(**{name: sum(one[name] for one in listed) * times for name in names})


@dataclass(slots=True)
class _Account:
    """The counting backend's books: what is asked by the node that is gone through now."""

    models: Mapping[str, PlanModel]
    characters_per_token: float
    expected: Expected = field(default_factory=Expected)
    tally: Tally = field(default_factory=Tally)
    _seen: set[str] = field(default_factory=set)
    _rules: dict[str, TokenRule] = field(default_factory=dict)

    def book(self, model: str, request: ChatRequest) -> str:
        """Count a question, and give back what it is known by."""
        images = tuple(os.path.realpath(path) for path in request.images)
        asked = asdict(replace(request, stage="", problem_id="", images=images))
        key = sha256(json.dumps([model, asked], sort_keys=True, default=str).encode()).hexdigest()
        self.tally.questions += 1
        if key not in self._seen:
            self._seen.add(key)
            if model not in self._rules:
                self._rules[model] = token_rule(self.models[model], self.characters_per_token)
            words = self._rules[model].text_tokens(request)
            pictures = self._rules[model].picture_tokens(request.images)
            self.tally.new += 1
            self.tally.images += len(request.images)
            self.tally.prompt_tokens += words + pictures
            self.tally.image_tokens += pictures
            size, stage = self.expected, request.stage
            usual = {"sample": 60 + 2.2 * size.steps * size.step_words, "extract": 45.0 * size.facts, "judge": 10.0}
            self.tally.completion_tokens += self.models[model].answers.get(stage, usual.get(stage, 64.0))
        return key


class _RehearsedBackend:
    """Answers with something of the right form and size, and books what it was asked."""

    def __init__(self, account: _Account, model: str) -> None:
        self.name, self._account = model, account

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [ChatReply(text=self._text(one), finish="stop", usage=Usage(calls=1)) for one in requests]

    def _text(self, request: ChatRequest) -> str:
        name, size = self._account.book(self.name, request)[:6], self._account.expected
        if request.stage == "extract" and request.schema is None:  # a caption
            return " ".join([name, *["word"] * (2 * size.facts)])
        if request.stage == "extract":
            usual = {"category": "numeric", "attribute": "value", "confidence": 0.9}
            return json.dumps([{**usual, "entity": f"{name} {n}", "value": n} for n in range(size.facts)])
        if request.stage == "sample":
            words = " ".join(["word"] * size.step_words)
            steps = [{"steptext": f"{name} {n} {words}", "visualdependency": None} for n in range(round(size.steps))]
            return json.dumps({"reasoningprocess": steps, "finalanswer": name})
        return '{"judgment": 1}'


class Rehearsal:
    """Goes through the nodes of a study in order; `tally` of each is what it will ask, given what is known now."""

    def __init__(self, workshop: Workshop, most: int = _MOST) -> None:
        self._workshop, self._plan, self._graph, self._most = workshop, workshop.plan, workshop.graph, most
        self._account = _Account(self._plan.models, self._plan.assumed.characters_per_token)
        self._problems: dict[str, tuple[list[Problem], float, str]] = {}
        self._facts: dict[str, dict[str, tuple[Constraint, ...]]] = {}
        self._gone_through: set[str] = set()

    def go_through(self, nodes: Iterable[Node]) -> None:
        """Take note of what these nodes asked before this study was gone on with: it is in the store."""
        for node in nodes:
            if node.name not in self._gone_through:
                self.tally(node)

    def tallies(self) -> dict[str, Tally]:
        """What every node will ask, before any of it is asked."""
        return {node.name: self.tally(node) for node in self._graph.nodes.values()}

    def tally(self, node: Node) -> Tally:
        """What one node will ask. A node whose parts cannot be built here says so, and is not counted."""
        self._gone_through.add(node.name)
        self._account.expected, self._account.tally = self._plan.benchmarks[node.cell.benchmark].expected, Tally()
        asking = {
            "sample": self._sample, "extract": self._extract, "judge": self._judge, "experiments": self._experiment
        }  # fmt: skip
        problems, factor, said = self._problems_of(node)
        if node.stage in asking:
            try:
                asking[node.stage](node, problems)
            except (EvpvError, OSError) as error:
                said = f"not counted: {error}"
        self._account.tally.problems = float(len(problems))
        return replace(total([self._account.tally], factor), stands_in=said)

    def _problems_of(self, node: Node) -> tuple[list[Problem], float, str]:
        """The problems with the candidates that a node is about, how many times as many there are, and what stands in."""
        source = self._graph.candidates(node)
        if node.stage in ("extract", "import", "sample"):
            source = self._graph.above(node, "import") or source
        known = self._problems.get(source.name)
        if known is None or (known[2] and self._workshop.file(source).exists()):
            self._problems[source.name] = self._read(source)
        return self._problems[source.name]

    def _read(self, source: Node) -> tuple[list[Problem], float, str]:
        file = self._workshop.file(source)
        if file.exists():
            problems = list(read_problems(file))
            return problems[: self._most], len(problems) / max(len(problems[: self._most]), 1), ""
        if source.stage == "sample":
            self._sample(source, self._problems_of(self._graph.nodes[source.needs[0]])[0])
            return self._problems[source.name]
        expected = self._plan.benchmarks[source.cell.benchmark].expected
        shown = min(expected.problems, self._most // 4)
        made = [_stand_in(source.cell.benchmark, number, expected) for number in range(shown)]
        return made, expected.problems / max(shown, 1), "problems"

    def _sample(self, node: Node, problems: Sequence[Problem]) -> None:
        known, factor, _ = self._problems_of(self._graph.nodes[node.needs[0]])
        with self._builder(_NO_EYES, _NO_JUDGE, self._workshop.seeded_policy(node)) as builder:
            bare = [replace(problem, candidates=()) for problem in known]
            sampled = [one.problem for one in builder.policy().sample(bare, self._plan.k)]
        if not self._workshop.file(node).exists():
            self._problems[node.name] = sampled, factor, "solutions"

    def _extract(self, node: Node, problems: Sequence[Problem]) -> None:
        if not node.models:
            return
        with self._builder(part_of(self._plan.extractors[node.cell.extractor], "extractor"), _NO_JUDGE) as builder:
            read = builder.extractor().extract([replace(problem, candidates=()) for problem in problems])
        facts = {problem.id: one.constraints for problem, one in zip(problems, read, strict=True)}
        self._facts.setdefault(node.name, facts)

    def _evidence(self, node: Node, problems: Sequence[Problem]) -> list[tuple[Constraint, ...]]:
        """The facts a judge will be shown: as read if they are there, else as the extractor's stand-in gave them."""
        read = self._graph.above(node, "extract")
        if read is None:
            return [()] * len(problems)
        if (self._workshop.place(read) / "done.json").exists():
            self._facts[read.name] = {t.problem_id: t.constraints for t in read_traces(self._workshop.place(read))}
        count = range(self._account.expected.facts)
        usual = tuple(Numeric(entity=f"thing {n}", attribute="value", value=float(n)) for n in count)
        return [self._facts.get(read.name, {}).get(problem.id, usual) for problem in problems]

    def _judge(self, node: Node, problems: Sequence[Problem]) -> None:
        part = judge_part(self._plan, node.cell.judge, evidence=node.cell.evidence)
        with self._builder(_NO_EYES, part) as builder:
            judge = builder.part("judge", builder.recipe.judge)
            evidence, describes = self._evidence(node, problems), description_of(judge)
            if describes.asks:
                judge.judge(problems, evidence)
            self._pass(sum(describes.passes(problem) for problem in problems), problems, evidence)

    def _pass(self, passes: int, problems: Sequence[Problem], evidence: Sequence[Sequence[Constraint]]) -> None:
        """Forward passes of a step model: picture, question and facts once, all candidates' steps after them."""
        if not passes:
            return
        rate, share, seen = self._account.characters_per_token, passes / len(problems), self._account.tally
        pictures = sum(TokenRule(characters_per_token=rate).picture_tokens(problem.images) for problem in problems)
        words = sum(
            len(problem.question) + 60 * len(facts) + sum(len(s.text) for c in problem.candidates for s in c.steps)
            for problem, facts in zip(problems, evidence, strict=True)
        )
        seen.passes += passes
        seen.pass_tokens += share * words / rate + share * pictures
        seen.image_tokens += share * pictures

    def _experiment(self, node: Node, problems: Sequence[Problem]) -> None:
        """All variants of a cell's experiments, asked of nobody; what its judge was asked already is known."""
        recipe = self._counting_recipe(self._workshop.experimenting(node))
        named = recipe.judge.settings.get("backend")
        live = {"backend": _RehearsedBackend(self._account, named)} if isinstance(named, str) else {}
        judge = replace(recipe.judge, settings={**recipe.judge.settings, **live})
        asks, evidence = description_of(build_part("judge", judge)).asks, self._evidence(node, problems)
        whole = replace(recipe, judge=recipe.judge if asks else _NO_JUDGE, extractor=_NO_EYES)
        booked, self._account.tally = self._account.tally, Tally()  # the judge's node has booked its own questions
        with closing(build(whole)) as pipeline:
            made = pipeline.traces(list(problems))
        self._account.tally = booked
        traces = [
            replace(trace, extraction=replace(trace.extraction, constraints=tuple(facts)))
            for trace, facts in zip(made, evidence, strict=True)
        ]
        gold = self._known_gold(node, problems)
        with closing(Trials.from_run(traces, recipe, judged=True, gold=gold)) as trials:
            names = possible_experiments(node.cell.experiments, trials, Truth(traces))
            variants = [variant for name in names for variant in EXPERIMENTS[name].variants(trials)]
            self._pass(trials.plan(variants).passes, problems, evidence)
            for variant in variants:
                if asks:
                    trials.traces(variant)
                elif not variant.gold and node.models:
                    trials.constraints(variant)

    def _known_gold(self, node: Node, problems: Sequence[Problem]) -> dict[str, tuple[Constraint, ...]]:
        try:
            gold = self._workshop.gold_constraints(node)
        except EvpvError:
            return {}
        return gold if all(problem.id in gold for problem in problems) else {}

    @contextmanager
    def _builder(self, eyes: Part, judge: Part, policy: Part | None = None) -> Iterator[Builder]:
        recipe = self._workshop.recipe(eyes, judge, self._plan.method(ALONE), policy)
        builder = Builder(self._counting_recipe(recipe))
        try:
            yield builder
        finally:
            builder.close()

    def _counting_recipe(self, recipe: Recipe) -> Recipe:
        """The recipe with every backend a counting one, and no store and no cache to fill with stand-ins."""
        use = f"{__name__}:_RehearsedBackend"
        backends = {name: Part(use=use, settings={"account": self._account, "model": name}) for name in recipe.backends}
        return replace(recipe, backends=backends, store=None)


def _stand_in(benchmark: str, number: int, expected: Expected) -> Problem:
    """A problem of the stated size where there is no file."""
    words = " ".join(["word"] * expected.step_words)
    count = int((number + 1) * expected.steps) - int(number * expected.steps)  # 9.4 a problem: nine, and at times ten
    steps = tuple(Step(text=f"{number} {n} {words}", label=1 if n else -1) for n in range(count))
    one = Candidate(id="", steps=steps, final_answer="1", correct=True)
    candidates = tuple(replace(one, id=f"{c}") for c in range(expected.candidates))
    question = f"{benchmark} {number} " + " ".join(["word"] * expected.question_words)
    asked = Problem(id=f"{number}", question=question, answer="1", data_source=benchmark)
    return replace(asked, images=(_blank(*expected.picture_px),), candidates=candidates)


@lru_cache(maxsize=64)
def _blank(wide: int, high: int) -> str:
    """A white picture of a size, for rules that look at the file."""
    path = Path(tempfile.gettempdir()) / f"evpv-blank-{wide}x{high}.png"
    if not path.exists():
        Image.new("L", (wide, high), 255).save(path)
    return str(path)
