"""The study that several tests look at, done once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from study_files import StudyFiles, write_study

collect_ignore = ["fake_server.py", "rule_server.py"]  # programs of their own


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> StudyFiles:
    """The study done once, undisturbed."""
    study = write_study(tmp_path_factory.mktemp("study"))
    study.run()
    return study
