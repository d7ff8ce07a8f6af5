"""The paper's own figures, from published.toml: printed beside ours, never mixed with them."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def published_tables() -> dict[str, Any]:
    """All tables of the paper, by name."""
    return tomllib.loads(files("evpv.experiments").joinpath("published.toml").read_text(encoding="utf-8"))


def published_overall(table: str, **where: object) -> float | None:
    """The last column of the one row that these fields name; None if the paper has no such row.

    >>> published_overall("ablations", variant="History: none"), published_overall("visualprocessbench", model="no such")
    (63.49, None)
    """
    rows = [
        row for row in published_tables()[table]["rows"] if all(row.get(key) == value for key, value in where.items())
    ]
    return float(rows[0]["values"][-1]) if len(rows) == 1 else None
