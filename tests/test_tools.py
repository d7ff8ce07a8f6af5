"""What stands beside the package (benchmarks, scripts, examples) asks it for names that it has: nothing else runs them in CI."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = sorted(path for folder in ("benchmarks", "scripts", "examples") for path in (ROOT / folder).glob("*.py"))


def imported_names(path: Path) -> Iterator[tuple[str, str]]:
    """Every name that a file imports from evpv, with its module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "evpv":
            yield from ((str(node.module), alias.name) for alias in node.names)


def is_there(module: str, name: str) -> bool:
    """Whether a module has a name, be it a value or a module below it."""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("tool", TOOLS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_tool_imports_what_the_package_has(tool: Path) -> None:
    missing = [f"{module}.{name}" for module, name in imported_names(tool) if not is_there(module, name)]
    assert not missing
