"""A toy model and a toy corpus, made once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from evpv.training.architecture import build, runs_of, texts_of
from evpv.training.pictures import read_pictures
from evpv.training.runs import toy_corpus

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_corpus(tmp_path_factory.mktemp("toy"), 24)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    pictures = read_pictures(corpus)
    folder = tmp_path_factory.mktemp("model") / "toy"
    return build(folder, size="toy", seed=3, corpus=texts_of(pictures), runs=runs_of(pictures))
