"""Settings are checked at one door: by name, by type, and by what a choice allows."""

from __future__ import annotations

from typing import Any

import pytest

from evpv.assembly import build_part
from evpv.backends.images import ImagePolicy
from evpv.backends.scripted import ScriptedBackend
from evpv.config import Part
from evpv.errors import ConfigError
from evpv.settings import settings_from
from evpv.training.recipes import DataPart, LearningPart

FITTING = [
    (LearningPart, {"epochs": 2, "steps": "12"}, LearningPart(epochs=2.0, steps=12)),
    (DataPart, {"keep_out": ["a", "b"]}, DataPart(keep_out=("a", "b"))),
    (ImagePolicy, None, ImagePolicy()),
    (ImagePolicy, ImagePolicy(quality=3), ImagePolicy(quality=3)),
]


@pytest.mark.parametrize(("kind", "given", "value"), FITTING)
def test_a_table_becomes_the_value_that_it_describes(kind: Any, given: Any, value: Any) -> None:
    assert settings_from(kind, given, "here") == value


MISFITS = [
    (LearningPart, {"stepz": 3}, "there is no setting of here: 'stepz'; did you mean 'steps'"),
    (LearningPart, {"steps": "many"}, "'steps' of here cannot be 'many': Input should be a valid integer"),
    (LearningPart, {"precision": "bf61"}, "there is no value of 'precision' in here: 'bf61'; did you mean 'bf16'"),
    (DataPart, {"keep_out": 3}, "'keep_out' of here cannot be 3"),
    (ImagePolicy, {"quality": 0}, "images.quality must be from 1 to 100"),
]


@pytest.mark.parametrize(("kind", "given", "message"), MISFITS)
def test_what_does_not_fit_is_named_with_its_place(kind: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings_from(kind, given, "here")


PARTS = [
    ({"reward": "sofd"}, "there is no value of 'reward' in judge 'chat': 'sofd'; did you mean 'soft'"),
    ({"max_tokens": "few"}, "'max_tokens' of judge 'chat' cannot be 'few'"),
    ({"evidnce": True}, "there is no setting of judge 'chat': 'evidnce'; did you mean 'evidence'"),
]


@pytest.mark.parametrize(("settings", "message"), PARTS)
def test_a_plug_ins_settings_are_checked_before_it_is_built(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_part("judge", Part(use="chat", settings={"backend": ScriptedBackend([]), **settings}))
