"""A figure, its reader that counts, and the reward function over both."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).parent))

from read_by_hand import CountingExtractor

from evpv.integrations.rewards import RewardFunction
from evpv.judges.checks import ChecksJudge
from evpv.pipeline import Pipeline
from evpv.reward.method import preset


@pytest.fixture
def extractor() -> CountingExtractor:
    return CountingExtractor()


@pytest.fixture
def pipeline(extractor: CountingExtractor) -> Pipeline:
    return Pipeline(extractor=extractor, judge=ChecksJudge(), audit="fill", method=preset("grounded"))


@pytest.fixture
def reward(pipeline: Pipeline) -> Iterator[RewardFunction]:
    function = RewardFunction(pipeline)
    yield function
    function.close()


@pytest.fixture(scope="session")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "ac.png"
    picture = Image.new("RGB", (120, 60), "white")
    draw = ImageDraw.Draw(picture)
    draw.line((10, 30, 110, 30), fill="black", width=2)
    draw.text((40, 12), "12 cm", fill="black")
    picture.save(path)
    return path
