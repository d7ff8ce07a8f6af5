"""The example notebooks run from the first cell to the last, and show what one gets.

With EVPV_WRITE_NOTEBOOKS=1 in the environment they are written anew with what they show now.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
_LARGEST_BYTES = 200_000


def texts(notebook: Any) -> list[str]:
    """What each code cell printed or gave back, as text; pictures and pages left out."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            outputs = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
            shown.append("".join(outputs))
    return shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_notebook_shows_what_it_says(path: Path, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    if os.environ.get("EVPV_WRITE_NOTEBOOKS"):
        nbformat.write(without_times(fresh), path)
    else:
        assert texts(fresh) == texts(stored)


def without_times(notebook: Any) -> Any:
    """When and by which Python it ran is of no interest, and would be another at every run."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_names_no_place_of_a_machine(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source) < _LARGEST_BYTES
    assert not re.search(r'["\'\s](?:/home|/root|/work|/tmp|/var|[A-Z]:\\\\)', source)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
