"""sample → extract → judge → assess → rank from the command line, with answers from a recipe in place of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from evpv.assembly import Builder, build
from evpv.backends.scripted import PreparedBackend
from evpv.cli import app
from evpv.cli.reports import _cost_table, _RunSums
from evpv.config import load_recipe, recipe_names
from evpv.errors import BackendError, BudgetError, ConfigError, RecordError
from evpv.protocols import ChatRequest
from evpv.records import read_problems, read_traces, trace_from_json, trace_to_json
from evpv.records.runs import Journal

RECIPE = """
[backends.main]
use = "scripted"

[backends.main.answers]
any = "hello"
sample = [
  '{"reasoningprocess": [{"steptext": "AB is 12 cm.", "visualdependency": "AB = 12 cm"}], "finalanswer": "6"}',
  'no candidate',
  '{"reasoningprocess": [{"steptext": "AB is 15 cm.", "visualdependency": "AB = 15 cm"}], "finalanswer": "7.5"}',
]
extract = '''[
  {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm", "confidence": 0.9},
  {"category": "odd"}
]'''
judge = ['{"judgment": 1}', 'fine']
tool-question = '{"question": "How long is AB?"}'
tool-look = '{"answer": "12 cm"}'

[policy]
use = "chat"
backend = "main"

[extractor]
use = "chat"
backend = "main"
cache = ""

[judge]
use = "chat"
backend = "main"

[auditor]
mode = "off"

[method]
preset = "paper"
"""


COSTLY = """
from evpv.backends.scripted import PreparedBackend
from evpv.protocols import ChatReply, Description, Usage

class Costly:
    name = "costly"

    def __init__(self):
        self.prepared = PreparedBackend({"sample": "no", "extract": "[]", "judge": "{}"})

    description = Description(worst_cost=lambda request: 1.0)

    def ask(self, requests):
        return [ChatReply(text=reply.text, usage=Usage(calls=1, money=1.0)) for reply in self.prepared.ask(requests)]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("RGB", (64, 48), "white").save(tmp_path / "a.png")
    rows = [{"id": f"p{number}", "image": "a.png", "question": "Half of AB?", "answer": "6"} for number in range(3)]
    (tmp_path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "mine.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def run(*arguments: object) -> str:
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


def sampled(folder: Path) -> Path:
    run("sample", folder / "problems.jsonl", "-o", folder / "sampled.jsonl", "-n", 2, "--recipe", folder / "mine.toml")
    return folder / "sampled.jsonl"


def test_the_whole_way_from_a_question_to_a_ranking(folder: Path) -> None:
    problems = sampled(folder)
    assert [len(problem.candidates) for problem in read_problems(problems)] == [2, 2, 2]
    run("extract", problems, "-o", folder / "constraints.jsonl", "--recipe", folder / "mine.toml")
    first = json.loads((folder / "constraints.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert [fact["value"] for fact in first["constraints"]] == [12.0]
    assert first["reading"]["dropped"][0]["place"] == 1
    output = run("rank", problems, "-o", folder / "run", "--recipe", folder / "mine.toml")
    assert "what asking cost" in output
    traces = list(read_traces(folder / "run"))
    assert all(trace_from_json(trace_to_json(trace)) == trace for trace in traces)
    assert all(trace.cost["stages"]["extract"]["calls"] == 1 for trace in traces)
    assert all(trace.cost["stages"]["judge"]["calls"] == 2 for trace in traces)
    assert traces[0].judging == {"steps": 2, "unreadable": 1}
    unreadable = traces[0].candidates[1].steps[0]
    assert unreadable.judgement.facts["raw"] == "fine"
    assert (unreadable.base_reward, unreadable.verdict) == (
        -1.0,
        "contradicted" if "15" in unreadable.text else "supported",
    )
    metrics = json.loads((folder / "run" / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["cost"]["judge"]["calls"] == 6
    assert metrics["judging"] == {"steps": 6, "unreadable": 3}
    assert metrics["reading"] == {"dropped": 3}
    run("assess", folder / "run", "-o", folder / "again", "--preset", "grounded")
    assert [trace.cost for trace in read_traces(folder / "again")] == [trace.cost for trace in traces]


def test_sampling_goes_on_where_it_stopped_and_tells_what_was_rejected(folder: Path) -> None:
    arguments = (
        "sample",
        folder / "problems.jsonl",
        "-o",
        folder / "s.jsonl",
        "-n",
        2,
        "--recipe",
        folder / "mine.toml",
    )
    run(*arguments, "--limit", 1)
    before = (folder / "s.jsonl").read_bytes()
    (folder / "s.jsonl").write_bytes(before + b'{"id": "p1", "torn')
    run(*arguments)
    assert (folder / "s.jsonl").read_bytes().startswith(before)
    problems = list(read_problems(folder / "s.jsonl"))
    assert [problem.id for problem in problems] == ["p0", "p1", "p2"]
    report = problems[0].sampling
    assert report is not None
    assert report.rejected[0].raw == "no candidate"
    assert report.cost["sample"]["calls"] == 3
    other = invoke(*arguments, "--set", "policy.temperature=0.3")
    assert isinstance(other.exception, RecordError)
    assert "other settings" in str(other.exception)


def test_a_tools_judge_counts_the_share_of_steps_that_called(folder: Path) -> None:
    changes = ("--set", "judge.use=tools")
    run("rank", sampled(folder), "-o", folder / "run", "--recipe", folder / "mine.toml", *changes)
    metrics = json.loads((folder / "run" / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["judging"]["called_share"] == 1.0
    assert set(metrics["cost"]) == {"extract", "tool-question", "tool-look", "judge"}


@pytest.fixture
def costly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe whose model is in a user's own module; every answer costs 1."""
    (folder / "own_costly_model.py").write_text(COSTLY, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    text = RECIPE.replace('use = "scripted"', 'use = "own_costly_model:Costly"', 1)
    start, end = text.index("[backends.main.answers]"), text.index("[policy]")
    path = folder / "costly.toml"
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    return path


def test_a_budget_stops_cleanly_and_keeps_what_was_done(folder: Path, costly: Path) -> None:
    output = folder / "c.jsonl"
    result = invoke("extract", folder / "problems.jsonl", "-o", output, "--recipe", costly, "--budget", 2)
    assert isinstance(result.exception, BudgetError)
    assert "2 is spent" in str(result.exception)
    assert "what asking cost" in result.output
    lines = (folder / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    solved = [{**json.loads(line), "candidates": [{"steps": ["So 12."], "final_answer": "12"}]} for line in lines]
    (folder / "solved.jsonl").write_text("\n".join(map(json.dumps, solved)), encoding="utf-8")
    ranked = invoke("rank", folder / "solved.jsonl", "-o", folder / "run", "--recipe", costly, "--budget", 2)
    assert isinstance(ranked.exception, BudgetError)
    assert (folder / "run" / "metrics.json").exists()
    sample = invoke("sample", folder / "problems.jsonl", "-o", folder / "s.jsonl", "--recipe", costly, "--budget", 1)
    assert isinstance(sample.exception, BudgetError)
    enough = invoke("extract", folder / "problems.jsonl", "-o", output, "--recipe", costly, "--budget", 3)
    assert enough.exit_code == 0
    assert len(output.read_text(encoding="utf-8").splitlines()) == 3


def test_doctor_asks_the_models_of_a_recipe(folder: Path) -> None:
    output = run("doctor", "--recipe", folder / "mine.toml")
    assert "prepared" in output
    assert "yes" in output
    assert "asks no model" in run("doctor", "--recipe", "given")


def test_doctor_says_which_endpoint_does_not_answer() -> None:
    nobody = ("--set", "backends.main.base_url=http://127.0.0.1:9/v1", "--set", "backends.main.attempts=1")
    result = invoke("doctor", "--recipe", "vllm", *nobody)
    assert isinstance(result.exception, BackendError)
    assert "backend 'main' does not answer" in str(result.exception)


@pytest.mark.parametrize("name", ["chat-judge", "plug-in", "vllm"])
def test_a_shipped_recipe_that_asks_models_names_one_backend_for_all(name: str) -> None:
    recipe = load_recipe(name, {"store.path": ""})
    assert name in recipe_names()
    assert recipe.store is None
    builder = Builder(recipe)
    pipeline, policy = builder.pipeline(), builder.policy()
    assert list(builder.backends) == ["main"]
    assert policy.backend is builder.backends["main"]
    assert recipe.backends["main"].settings["model"] in pipeline.version
    pipeline.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"judge.backend": "mian"}, "there is no backend 'mian'; did you mean 'main'"),
        ({"backends.main.use": "openai-chta"}, "did you mean 'openai-chat'"),
        ({"backends.main.modle": "x"}, "did you mean 'model'"),
        ({"backends.main": "x"}, r"\[backends.main\] with use"),
        ({"backends": "x"}, "there is no method setting 'backends'"),
        ({"store.pth": "x"}, "did you mean 'path'"),
        ({"store.path": "3"}, "the store's path is a text"),
        ({"ledger.budget": "much"}, "a budget is an amount of money"),
        ({"ledger.budget": "-1"}, "a budget is an amount of money"),
        ({"policy.use": "chta"}, "did you mean 'chat'"),
        ({"judge.evidnce": "true"}, "did you mean 'evidence'"),
        ({"description.x": "1"}, "'description' holds a value"),
    ],
)
def test_what_is_misspelt_in_a_recipe_of_backends_is_named(changes: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        everything(changes)


def everything(changes: dict[str, str]) -> None:
    builder = Builder(load_recipe("vllm", changes))
    builder.pipeline()
    builder.policy()


def test_a_part_that_asks_needs_a_backend(folder: Path) -> None:
    path = folder / "none.toml"
    path.write_text('[extractor]\nuse = "chat"\n[judge]\nuse = "checks"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"extractor 'chat' needs backend = .* none; add a table \[backends.main\]"):
        build(load_recipe(str(path)))
    with pytest.raises(ConfigError, match=r"has no section \[policy\]"):
        Builder(load_recipe("given")).policy()


def fingerprint(name: str, changes: dict[str, str]) -> str:
    recipe = load_recipe(name, {"store.path": "", **changes})
    pipeline = build(recipe)
    pipeline.close()
    return recipe.fingerprint(pipeline.version)


def test_the_fingerprint_covers_models_and_prompts_and_not_addresses(folder: Path) -> None:
    own = folder / "own.txt"
    own.write_text("Facts of {question_text}", encoding="utf-8")
    plain = fingerprint("vllm", {})
    same: list[dict[str, str]] = [
        {"backends.main.base_url": "http://127.0.0.1:9/v1"},
        {"backends.main.timeout_s": "5"},
        {"extractor.cache": str(folder)},
        {"ledger.budget": "3"},
    ]
    assert {fingerprint("vllm", changes) for changes in same} == {plain}
    others: list[dict[str, str]] = [
        {"backends.main.model": "other"},
        {"backends.main.images.max_side_px": "512"},
        {"extractor.prompt": str(own)},
        {"extractor.variant": "short"},
        {"judge.history": "4"},
        {"judge.prefix": "lenient"},
        {"judge.temperature": "0.2"},
    ]
    assert len({plain, *(fingerprint("vllm", changes) for changes in others)}) == len(others) + 1
    own.write_text("The facts of {question_text}", encoding="utf-8")
    assert fingerprint("vllm", {"extractor.prompt": str(own)}) != fingerprint("vllm", {"extractor.prompt": "extractor"})


def test_a_prompt_beside_a_recipe_is_found_from_anywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "prompts").mkdir()
    (folder / "prompts" / "own.txt").write_text("Facts of {question_text}", encoding="utf-8")
    text = RECIPE.replace('cache = ""', 'cache = ""\nprompt = "prompts/own.txt"')
    (folder / "own.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir("/")
    assert build(load_recipe(str(folder / "own.toml"))).extractor.version
    (folder / "prompts" / "own.txt").write_text("Facts of {question}", encoding="utf-8")
    with pytest.raises(ConfigError, match="did you mean 'question_text'"):
        build(load_recipe(str(folder / "own.toml")))


def test_a_store_answers_the_second_run(folder: Path) -> None:
    problems = sampled(folder)
    store = ("--set", f"store.path={folder / 'answers.sqlite'}")
    for name in ("one", "two"):
        run("rank", problems, "-o", folder / name, "--recipe", folder / "mine.toml", *store)
    one, two = (json.loads((folder / name / "metrics.json").read_text(encoding="utf-8")) for name in ("one", "two"))
    assert "calls" not in two["cost"]["extract"]
    assert two["cost"]["extract"]["hits"] == 3
    assert one["judging"] == two["judging"]
    rewards = [
        [[s.base_reward for s in c.steps] for t in read_traces(folder / n) for c in t.candidates]
        for n in ("one", "two")
    ]
    assert rewards[0] == rewards[1]


def test_prepared_answers_come_by_stage_and_in_turn() -> None:
    backend = PreparedBackend({"judge": ["a", "b"], "any": "c"})
    asked = [ChatRequest(prompt="", stage=stage) for stage in ("judge", "extract", "judge", "judge")]
    assert [reply.text for reply in backend.ask(asked)] == ["a", "c", "b", "a"]
    assert PreparedBackend({"judge": "a"}).ask([ChatRequest(prompt="", stage="sample")])[0].problem
    with pytest.raises(ConfigError, match="prepared answers"):
        PreparedBackend({"judge": []})


def test_a_run_that_asked_nothing_has_no_costs() -> None:
    assert _RunSums().to_json() == {"problems": 0}
    usage: dict[str, dict[str, float]] = {"extract": {"calls": 1}, "judge": {"calls": 2, "money": 0.5}}
    table = _cost_table(usage)
    assert [column.header for column in table.columns] == ["stage", "calls", "money"]
    assert table.row_count == 3


@pytest.mark.parametrize("content", [b'{"id": 3}\n', b"[1]\n", b"{}\n"])
def test_a_growing_file_refuses_lines_that_are_not_its_own(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"lines\.jsonl:1"):
        Journal(path)


def test_a_growing_file_ends_a_whole_line_that_lacks_its_end(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"id": "a"}')
    with Journal(path) as file:
        assert file.done == {"a"}
        record: dict[str, Any] = {"id": "b"}
        file.append(record)
    assert path.read_bytes() == b'{"id": "a"}\n{"id": "b"}\n'
