"""The public face, what importing costs, the checks that guard the layers, and how the commands answer bad input."""

from __future__ import annotations

import ast
import json
import pkgutil
import re
import runpy
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import evpv
from evpv.cli import app
from evpv.errors import ConfigError, EvpvError, RecordError
from evpv.records import RunWriter, read_manifest, read_traces
from evpv.reward.assess import assess
from evpv.reward.method import preset, settings_of
from evpv.types import Candidate, Numeric, Problem, Step

ROOT = Path(__file__).parents[1]
PUBLIC = [
    "Candidate",
    "Client",
    "Constraint",
    "EvpvError",
    "Match",
    "Method",
    "Numeric",
    "Problem",
    "Relation",
    "Step",
    "Structure",
    "Trace",
    "Verifier",
    "assess",
    "grounded_matcher",
    "paper_matcher",
    "parse",
    "preset",
    "read_problems",
    "read_traces",
    "reassess",
    "reliability",
]
HEAVY = [
    "torch",
    "ray",
    "fastapi",
    "cv2",
    "rapidocr",
    "onnxruntime",
    "sympy",
    "pint",
    "pydantic",
    "transformers",
    "PIL",
]


def test_the_public_face_is_pinned() -> None:
    assert sorted(evpv.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(evpv, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Verifer'"):
        _ = evpv.Verifer
    assert set(PUBLIC) <= set(dir(evpv))


def test_docs_method_names_only_what_exists() -> None:
    text = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
    names = re.findall(r"`(evpv(?:\.\w+)+)`", text)
    assert len(names) > 20
    for name in names:
        pkgutil.resolve_name(name)
    for private in re.findall(r"`(_\w+)`", text):
        pkgutil.resolve_name(f"evpv.premises.matching.paper:{private}")
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(tests) == 4
    for file, test in tests:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def run(*command: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, timeout=300)


def test_importing_evpv_loads_nothing_heavy() -> None:
    """In a fresh process, since this one has loaded everything."""
    program = f"import sys, evpv; print([name for name in {HEAVY} if name in sys.modules])"
    assert run(sys.executable, "-c", program).stdout.strip() == "[]"


def test_matching_a_claim_loads_no_model_package() -> None:
    program = (
        "import sys, evpv; evpv.grounded_matcher([])('AB = 5 cm'); "
        "print([n for n in ('torch', 'ray', 'fastapi', 'cv2', 'rapidocr', 'onnxruntime', 'pydantic') if n in sys.modules])"
    )
    assert run(sys.executable, "-c", program).stdout.strip() == "[]"


def purity(source: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, ROOT / "scripts" / "check_purity.py", source)


def copied(folder: Path) -> Path:
    """The package's source and settings in a folder where they can be broken."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder / "src"


def test_the_pure_packages_are_pure() -> None:
    checked = purity(ROOT / "src")
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.startswith("pure: ")


@pytest.mark.parametrize(
    ("where", "line", "said"),
    [
        ("premises/reliability.py", "import time", "imports time"),
        ("premises/matching/paper.py", "from pathlib import Path", "imports pathlib"),
        ("reward/method.py", "import torch", "imports torch"),
        ("reward/ranking.py", "from evpv.records import read_traces", "imports evpv.records"),
        ("types.py", "import random", "imports random"),
        ("premises/claims.py", "print('claims')", "calls print"),
        ("reward/method.py", "import numpy as np\nRANDOM = np.random.default_rng()", "uses numpy's randomness"),
        ("premises/statements/marks.py", "import re", "patterns stand in evpv.language"),
        ("judges/checks/answers.py", "import re", "patterns stand in evpv.language"),
    ],
)
def test_an_impure_line_is_found(tmp_path: Path, where: str, line: str, said: str) -> None:
    module = copied(tmp_path) / "evpv" / where
    module.write_text(f"{module.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    checked = purity(tmp_path / "src")
    assert checked.returncode == 1
    assert f"{module}:" in checked.stdout
    assert said in checked.stdout


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("*.py")), ids=lambda path: path.stem)
def test_no_constant_takes_the_name_of_another_in_its_module(path: Path) -> None:
    """Types do not tell that a constant moved into a module has become what another one was."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    plain = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    typed = [node.target for node in body if isinstance(node, ast.AnnAssign)]
    names = Counter(target.id for target in (*plain, *typed) if isinstance(target, ast.Name))
    assert [name for name, times in names.items() if times > 1] == []


PROGRAM = (
    "import sys; sys.path.insert(0, 'src'); from importlinter.cli import lint_imports_command; lint_imports_command()"
)


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """import-linter over the source in a folder: put first on the path, so that the installed one is not looked at."""
    return run(sys.executable, "-c", PROGRAM, folder=folder)


def test_the_layers_hold_and_a_stray_module_breaks_them(tmp_path: Path) -> None:
    source = copied(tmp_path)
    whole = lint_imports(tmp_path)
    assert whole.returncode == 0, whole.stdout
    (source / "evpv" / "utils.py").write_text('"""A stray."""\n', encoding="utf-8")
    strayed = lint_imports(tmp_path)
    assert strayed.returncode != 0
    assert "utils" in strayed.stdout


def test_an_import_that_points_up_breaks_the_layers(tmp_path: Path) -> None:
    module = copied(tmp_path) / "evpv" / "premises" / "reliability.py"
    module.write_text(f"{module.read_text(encoding='utf-8')}\nimport evpv.reward.method\n", encoding="utf-8")
    checked = lint_imports(tmp_path)
    assert checked.returncode != 0
    assert "evpv.premises.reliability -> evpv.reward.method" in checked.stdout


def command(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def problem_with(*arguments: str | Path) -> EvpvError:
    """What a command refuses to do, said in the error that `evpv` prints with exit code 1."""
    result = command(*arguments)
    assert result.exit_code == 1
    assert isinstance(result.exception, EvpvError)
    return result.exception


CASE: dict[str, Any] = {
    "id": "c1",
    "claim": "AB = 10",
    "constraints": [
        {"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 10, "confidence": 0.9}
    ],
}


def write_lines(path: Path, *lines: str | dict[str, Any]) -> Path:
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines), encoding="utf-8")
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["paper", "grounded"])
def test_match_writes_a_line_for_each_case(tmp_path: Path, name: str) -> None:
    cases = write_lines(tmp_path / "cases.jsonl", CASE, {**CASE, "id": "c2", "claim": "AB = 20"})
    result = command("match", cases, "-o", tmp_path / "out.jsonl", "--preset", name)
    assert result.exit_code == 0, result.output
    right, wrong = read_lines(tmp_path / "out.jsonl")
    assert set(right) - {"assertions"} == {"id", "type", "verdict", "support", "constraint", "explanation"}
    assert ("assertions" in right) == (name == "grounded")
    assert (right["id"], right["type"], right["verdict"], right["support"], right["constraint"]) == (
        "c1",
        "numeric",
        "supported",
        0.9,
        0,
    )
    assert (wrong["id"], wrong["verdict"]) == ("c2", "contradicted")


def test_match_stops_at_its_limit(tmp_path: Path) -> None:
    cases = write_lines(tmp_path / "cases.jsonl", *({**CASE, "id": f"c{i}"} for i in range(5)))
    assert command("match", cases, "-o", tmp_path / "out.jsonl", "--limit", "2").exit_code == 0
    assert [line["id"] for line in read_lines(tmp_path / "out.jsonl")] == ["c0", "c1"]


def test_match_names_a_missing_file(tmp_path: Path) -> None:
    error = problem_with("match", tmp_path / "nowhere.jsonl", "-o", tmp_path / "out.jsonl")
    assert isinstance(error, RecordError)
    assert "nowhere.jsonl" in str(error)


def test_match_stops_at_a_bad_line_and_says_which(tmp_path: Path) -> None:
    cases = write_lines(tmp_path / "cases.jsonl", CASE, {"id": "c2", "claim": 7, "constraints": []}, CASE)
    error = problem_with("match", cases, "-o", tmp_path / "out.jsonl")
    assert f"{cases}:2: claim: " in str(error)


def test_match_skips_bad_lines_when_told_and_counts_them(tmp_path: Path) -> None:
    cases = write_lines(tmp_path / "cases.jsonl", CASE, "{not json", {"id": "c3"}, {**CASE, "id": "c4"})
    result = command("match", cases, "-o", tmp_path / "out.jsonl", "--on-error", "skip")
    assert result.exit_code == 0, result.output
    assert [line["id"] for line in read_lines(tmp_path / "out.jsonl")] == ["c1", "c4"]
    assert "skipped 2 bad lines" in result.stderr
    assert ":2:" in result.stderr
    assert ":3:" in result.stderr


def test_match_names_a_misspelt_preset(tmp_path: Path) -> None:
    cases = write_lines(tmp_path / "cases.jsonl", CASE)
    error = problem_with("match", cases, "-o", tmp_path / "out.jsonl", "--preset", "groundd")
    assert "there is no preset 'groundd'; did you mean 'grounded'?" in str(error)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("name", ["problem", "constraint", "trace"])
def test_schema_prints_the_schema_that_the_docs_ship(name: str) -> None:
    result = command("schema", name)
    assert result.exit_code == 0
    assert result.stdout == (ROOT / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8")


def test_schema_names_what_there_is() -> None:
    error = problem_with("schema", "problems")
    assert "did you mean 'problem'?" in str(error)


def stored_run(folder: Path) -> Path:
    """A run of two problems, assessed under `paper`: the judge prefers the candidate that misreads the figure."""
    method = preset("paper")
    constraints = (Numeric(entity="segment AB", attribute="length", value=10.0, confidence=0.9),)
    candidates = (
        Candidate(id="misreads", steps=(Step(text="Look.", claim="AB = 20"), Step(text="So.")), final_answer="20"),
        Candidate(id="reads", steps=(Step(text="Look.", claim="AB = 10"), Step(text="So.")), final_answer="10"),
    )
    with RunWriter(folder, {"fingerprint": "f", "method": settings_of(method)}) as writer:
        for name in ("p1", "p2"):
            problem = Problem(id=name, question="How long is AB?", candidates=candidates)
            writer.append(assess(problem, constraints, [[0.8, 0.8], [0.6, 0.6]], method))
    return folder


def test_assess_with_a_runs_own_settings_gives_it_back_bit_for_bit(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    result = command("assess", source, "-o", tmp_path / "again")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "again" / "traces.jsonl").read_bytes() == (source / "traces.jsonl").read_bytes()
    assert read_manifest(tmp_path / "again") == read_manifest(source)


def test_assess_under_another_setting_changes_the_winner_and_the_manifest(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    assert [trace.ranking.best for trace in read_traces(source)] == [("reads",), ("reads",)]
    result = command("assess", source, "-o", tmp_path / "judge", "--set", "gate=off")
    assert result.exit_code == 0, result.output
    assert [trace.ranking.best for trace in read_traces(tmp_path / "judge")] == [("misreads",), ("misreads",)]
    assert read_manifest(tmp_path / "judge")["method"]["gate"] == "off"
    assert "2 traces assessed" in result.output


def test_assess_under_another_preset(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    assert command("assess", source, "-o", tmp_path / "ours", "--preset", "grounded").exit_code == 0
    trace = next(iter(read_traces(tmp_path / "ours")))
    assert trace.ranking.best == ("reads",)
    assert trace.candidates[0].steps[0].reward == pytest.approx(
        2 * 0.9 * (0.1 * preset("grounded").missing["numeric"]) - 1
    )
    assert read_manifest(tmp_path / "ours")["method"] == settings_of(preset("grounded"))


def test_assess_goes_on_where_it_stopped(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    assert command("assess", source, "-o", tmp_path / "two", "--limit", "1").exit_code == 0
    assert [trace.problem_id for trace in read_traces(tmp_path / "two")] == ["p1"]
    assert command("assess", source, "-o", tmp_path / "two").exit_code == 0
    assert [trace.problem_id for trace in read_traces(tmp_path / "two")] == ["p1", "p2"]


def test_assess_does_not_mix_settings_in_one_run(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    assert command("assess", source, "-o", tmp_path / "two", "--limit", "1").exit_code == 0
    error = problem_with("assess", source, "-o", tmp_path / "two", "--preset", "grounded")
    assert "assessed with other settings" in str(error)
    assert [trace.problem_id for trace in read_traces(tmp_path / "two")] == ["p1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preset", "papr"], "there is no preset 'papr'; did you mean 'paper'?"),
        (["--set", "sharpnes=5"], "there is no method setting 'sharpnes'; did you mean 'sharpness'?"),
        (["--set", "sharpness=steep"], "'sharpness' must be a number, not 'steep'"),
        (["--set", "sharpness"], "--set takes key=value, not 'sharpness'"),
        (["--set", "gate=soft"], "there is no gate 'soft'"),
        (["--set", "missing=0.3"], "'missing'"),
    ],
)
def test_assess_names_a_setting_that_does_not_exist_or_fit(tmp_path: Path, arguments: list[str], said: str) -> None:
    source = stored_run(tmp_path / "run")
    assert said in str(problem_with("assess", source, "-o", tmp_path / "new", *arguments))
    assert not (tmp_path / "new").exists()


def test_assess_does_not_write_over_the_run_it_reads(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    before = (source / "traces.jsonl").read_bytes()
    error = problem_with("assess", source, "-o", tmp_path / "other" / ".." / "run")
    assert isinstance(error, ConfigError)
    assert "-o is the run itself" in str(error)
    assert (source / "traces.jsonl").read_bytes() == before


def test_assess_names_a_run_that_is_not_there(tmp_path: Path) -> None:
    error = problem_with("assess", tmp_path / "nowhere", "-o", tmp_path / "new")
    assert "nowhere" in str(error)


def test_assess_stops_at_a_bad_trace_or_skips_it(tmp_path: Path) -> None:
    source = stored_run(tmp_path / "run")
    with (source / "traces.jsonl").open("a", encoding="utf-8") as handle:
        handle.write('{"problem_id": "p3", "constraints": 5}\n')
    assert "traces.jsonl:3: " in str(problem_with("assess", source, "-o", tmp_path / "stopped"))
    result = command("assess", source, "-o", tmp_path / "skipped", "--on-error", "skip")
    assert result.exit_code == 0, result.output
    assert "skipped 1 bad line" in result.stderr
    assert len(list(read_traces(tmp_path / "skipped"))) == 2


@pytest.mark.parametrize(
    "arguments", [["match"], ["assess", "x"], ["match", "x", "-o", "y", "--limit", "-1"], ["nonsense"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    assert command(*arguments).exit_code == 2


def test_an_error_is_printed_without_a_traceback(tmp_path: Path) -> None:
    done = run(Path(sys.executable).parent / "evpv", "match", tmp_path / "none.jsonl", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "none.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_version_is_told() -> None:
    assert command("--version").stdout.strip() == f"evpv {evpv.__version__}"


def test_the_picture_of_the_ladder_has_the_rungs_that_are_held() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "draw_ladder.py"))
    drawn = ElementTree.parse(ROOT / "docs" / "img" / "ladder.svg").iter("{http://www.w3.org/2000/svg}text")
    names = [text.text for text in drawn if text.get("font-weight") == "600"]
    assert names == [room for rung in script["rungs"]() for room in rung]
