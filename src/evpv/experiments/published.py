"""The paper's own figures, from published.toml: printed beside ours and marked, never mixed with them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evpv.evaluation.tasks import Cell, Sheet

_STEPS = (4560, 2406, 8727, 6225, 2358)
"""VisualProcessBench's labelled steps by source, in the order of Table 1's columns."""
_TABLES: Mapping[str, tuple[str, str, int]] = {
    "visualprocessbench": ("VisualProcessBench macro-F1 (%)", "model", 2),
    "best_of_8": ("Best-of-8 accuracy (%)", "policy + reranker", 2),
    "fidelity": ("annotated fidelity of its extractor", "data set: type", 4),
    "checklist": ("checklist audit", "split", 4),
}
"""Table → what it shows, what its rows are, decimals."""


@lru_cache(maxsize=1)
def published_tables() -> dict[str, Any]:
    """All tables of the paper, by name."""
    return tomllib.loads(files("evpv.experiments").joinpath("published.toml").read_text(encoding="utf-8"))


def published_row(table: str, **where: object) -> Mapping[str, Any] | None:
    """The one row that these fields name; None if the paper has no such row, or several.

    >>> row = published_row("ablations", variant="History: none")
    >>> row and row["values"][-1], published_row("visualprocessbench", model="no such")
    (63.49, None)
    """
    rows = published_tables()[table]["rows"]
    found = [row for row in rows if all(row.get(key) == value for key, value in where.items())]
    return found[0] if len(found) == 1 else None


def published_sheet(table: str) -> Sheet:
    """One of the paper's tables, marked; with what its Overall is where it has one."""
    shows, rows_are, digits = _TABLES[table]
    columns = (rows_are, *published_tables()[table]["columns"])
    rows: list[tuple[Cell, ...]] = [(_label(row), *row["values"]) for row in published_tables()[table]["rows"]]
    if columns[-1] == "Overall":
        columns = (*columns, "Overall is")
        rows = [(*row, overall_definition(table, row[1:])) for row in rows]  # type: ignore[arg-type]
    title = f"PUBLISHED in the paper: {shows}, not measured here"
    note = (
        "Pooled counts cannot be told from columns: what equals no mean may be pooled."
        if table == next(iter(_TABLES))
        else ""
    )
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=digits, note=note)


def published_aggregations(policy: str = "") -> Sheet:
    """The paper's tables of Appendix E, all policies or one: Pass@1, BoN@8 and Δ by benchmark, marked."""
    table = published_tables()["aggregations"]
    parts = {"P@1": "pass_at_1", "B@8": "best_of_8", "Δ": "change"}
    rows = [row for row in table["rows"] if policy in ("", row["policy"])]
    return Sheet(
        title="PUBLISHED in the paper: Best-of-8 under five aggregations (%), not measured here",
        columns=("policy: aggregation", *(f"{column} {part}" for column in table["columns"] for part in parts)),
        rows=tuple(
            (f"{row['policy']}: {row['aggregation']}", *(float(row[name][n]) for n in range(len(table["columns"])) for name in parts.values()))
            for row in rows
        ),
        digits=1,
    )  # fmt: skip


def overall_definition(table: str, values: Sequence[float]) -> str:
    """Which definition gives a published Overall, the last of the values; where none does, the nearest and how far off it is.

    >>> overall_definition("best_of_8", [64.50, 17.00, 22.80, 23.50, 36.38, 56.20, 32.84])
    'mean without MMMU'
    >>> overall_definition("best_of_8", [76.30, 22.07, 29.47, 37.45, 45.33, 67.75, 41.67])
    'no mean; mean without MMMU would be 42.12'
    """
    *columns, overall = map(float, values)
    means = {"mean of columns": sum(columns) / len(columns)}
    if table == "visualprocessbench":
        means["step-weighted mean"] = sum(c * n for c, n in zip(columns, _STEPS, strict=True)) / sum(_STEPS)
    else:
        means["mean without MMMU"] = sum(columns[:-1]) / len(columns[:-1])
    name = min(means, key=lambda one: abs(means[one] - overall))
    return name if abs(means[name] - overall) < 0.0051 else f"no mean; {name} would be {means[name]:.2f}"


def _label(row: Mapping[str, Any]) -> str:
    if "model" in row:
        return f"{row['model']}{' + EVPV' if row.get('evpv') else ''}"
    if "policy" in row:
        return f"{row['policy']}{' + ' + str(row['reranker']) if 'reranker' in row else ''}"
    return f"{row['data']}: {row['type']}" if "data" in row else str(row["split"])
