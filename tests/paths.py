"""Where programs that tests start find what they import: the tests' own folders, and the very `evpv` that is being tested."""

from __future__ import annotations

import os
from pathlib import Path

import evpv

SOURCE = Path(evpv.__file__).parents[1]


def python_path(*folders: Path) -> str:
    """The folders and the tree under test, before what the environment names; else a worktree would test the installed one."""
    named = os.environ.get("PYTHONPATH", "")
    return os.pathsep.join(filter(None, (*map(str, folders), str(SOURCE), named)))
