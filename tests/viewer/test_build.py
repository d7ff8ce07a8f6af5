"""The build gives what ships."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import evpv.viewer

VIEWER = Path(evpv.viewer.__file__).parent


@pytest.mark.slow
def test_building_the_sources_again_gives_the_shipped_files(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    shutil.copytree(VIEWER / "page", tmp_path / "page", ignore=shutil.ignore_patterns("node_modules"))
    for command in (["npm", "ci", "--ignore-scripts"], ["npm", "run", "build"]):
        done = subprocess.run(command, cwd=tmp_path / "page", capture_output=True, text=True, timeout=300)
        if done.returncode and command[1] == "ci":
            pytest.skip(f"the packages of the build cannot be fetched here: {done.stderr[-200:]}")
        assert done.returncode == 0, done.stderr
    for shipped in (VIEWER / "static").iterdir():
        assert (tmp_path / "static" / shipped.name).read_bytes() == shipped.read_bytes(), (
            f"{shipped.name}: npm run build"
        )


def test_no_file_of_the_page_names_a_registry() -> None:
    """A lock file that names one would send everyone who builds to that machine."""
    for file in (VIEWER / "page").iterdir():
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            assert "registry." not in text, file.name
            assert '"resolved"' not in text, file.name


def test_the_patterns_of_the_page_are_linear() -> None:
    """None runs to the end of a text from each of its places: no unbounded part that takes anything, none that must end there."""
    pages = (VIEWER / "page", VIEWER.parent / "server" / "page")
    for file in (file for page in pages for file in page.glob("*.js") if file.name != "build.js"):
        patterns = re.findall(
            r"(?<![\w)\]\s<])\s*(/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[gimsuy]*)", file.read_text("utf-8")
        )
        for pattern in patterns:
            assert not re.search(r"\[\\s\\S\][+*]", pattern), f"{file.name}: {pattern}"
            assert not re.search(r"[+*]\)?\$/", pattern), f"{file.name}: {pattern}"
