"""Recipes: every shipped one builds, and what is misspelt gets the nearest right name."""

from __future__ import annotations

from pathlib import Path

import pytest

from evpv.assembly import PLUGINS, build, build_part
from evpv.config import Part, load_recipe, recipe_names
from evpv.errors import ConfigError
from evpv.pipeline import Pipeline
from evpv.protocols import Extractor, StepJudge
from evpv.types import Extraction, Problem

TO_BE_TRAINED = ("evpv-prm",)
"""Recipes whose weights their user trains first."""


@pytest.mark.parametrize("name", TO_BE_TRAINED)
def test_a_recipe_whose_weights_are_not_there_names_them(name: str) -> None:
    with pytest.raises(ConfigError, match="runs/paper-verifier"):
        build(load_recipe(name)).judge.judge([], [])


@pytest.mark.parametrize("name", [name for name in recipe_names() if name not in TO_BE_TRAINED])
def test_every_shipped_recipe_is_loaded_and_built(name: str) -> None:
    recipe = load_recipe(name)
    pipeline = build(recipe)
    assert isinstance(pipeline, Pipeline)
    assert recipe.description
    extractor: Extractor = pipeline.extractor
    judge: StepJudge = pipeline.judge
    assert extractor.version
    assert judge.judge([], []) == []
    pipeline.close()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"selct": "vote"}, "did you mean 'select'"),
        ({"judge.evidnce": "true"}, "did you mean 'evidence'"),
        ({"extractor.thread": "2"}, "did you mean 'threads'"),
        ({"extractr.workers": "2"}, "did you mean 'extractor'"),
        ({"extractor.use": "embeded"}, "did you mean 'embedded'"),
        ({"auditor.mode": "fil"}, "did you mean 'fill'"),
        ({"auditor.mod": "fill"}, "did you mean 'mode'"),
        ({"gate": "sigmoi"}, "did you mean 'sigmoid'"),
        ({"sharpness": "steep"}, "must be a number"),
        ({"judge.use": "nowhere.at:All"}, "there is no module 'nowhere'"),
        ({"judge.use": "evpv.types:Nothing"}, "has no 'Nothing'"),
    ],
)
def test_what_is_misspelt_gets_the_nearest_right_name(changes: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build(load_recipe("embedded", changes))


def test_an_unknown_recipe_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="did you mean 'embedded'"):
        load_recipe("embeded")


def test_a_recipe_of_ones_own_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[extractor]\nuse = "none"\n[judge]\nuse = "checks"\n[method]\npreset = "paper"\nsharpness = 4\n',
        encoding="utf-8",
    )
    recipe = load_recipe(str(path))
    assert (recipe.name, recipe.method.sharpness, recipe.method.matching) == ("mine", 4.0, "paper")


@pytest.mark.parametrize(
    "text", ["not toml [", "[judge]\nuse = 'checks'\n", "[extractor]\nuse = 3\n[judge]\nuse = 'checks'\n"]
)
def test_a_broken_recipe_is_refused_with_a_reason(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        load_recipe(str(path))


def test_a_plug_in_of_ones_own_needs_no_line_in_the_table() -> None:
    assert "tests" not in PLUGINS["extractor"]
    part = build_part("extractor", Part(use="evpv.perception.given:NoExtractor"))
    assert part.extract([Problem(id="p", question="")]) == [Extraction()]


def test_the_fingerprint_changes_with_every_setting_and_only_with_them() -> None:
    plain = load_recipe("embedded").fingerprint("1")
    assert plain == load_recipe("embedded").fingerprint("1")
    others = [
        load_recipe("embedded", {"threshold": "0.4"}).fingerprint("1"),
        load_recipe("embedded", {"judge.evidence": "false"}).fingerprint("1"),
        load_recipe("embedded", {"auditor.mode": "off"}).fingerprint("1"),
        load_recipe("embedded").fingerprint("2"),
    ]
    assert len({plain, *others}) == 5
