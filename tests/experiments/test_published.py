"""The transcription of the paper's tables: its sums must come out, or name where the paper's own do not."""

from __future__ import annotations

from typing import Any

import pytest

from evpv.experiments.results import published_tables

TABLES = published_tables()
STEPS = {"DynaMath": 4560, "MMMU": 2406, "MathVerse": 8727, "MathVision": 6225, "WeMath": 2358}


def rows(table: str) -> list[dict[str, Any]]:
    return list(TABLES[table]["rows"])


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("visualprocessbench", 16),
        ("best_of_8", 12),
        ("aggregations", 15),
        ("checklist", 9),
        ("fidelity", 28),
        ("ablations", 28),
    ],
)
def test_every_row_of_the_paper_is_there(table: str, count: int) -> None:
    assert len(rows(table)) == count


@pytest.mark.parametrize("table", ["visualprocessbench", "best_of_8", "checklist", "fidelity", "ablations"])
def test_every_row_has_a_value_for_every_column(table: str) -> None:
    assert {len(row["values"]) for row in rows(table)} == {len(TABLES[table]["columns"])}


@pytest.mark.parametrize("row", rows("fidelity"), ids=lambda row: f"{row['data']} {row['type']}")
def test_fidelity_follows_from_its_counts(row: dict[str, Any]) -> None:
    right, invented, missed, precision, recall, f1 = row["values"]
    assert precision == pytest.approx(right / (right + invented), abs=5.1e-5)
    assert recall == pytest.approx(right / (right + missed), abs=5.1e-5)
    assert f1 == pytest.approx(2 * right / (2 * right + invented + missed), abs=5.1e-5)


def test_fidelity_counts_add_up() -> None:
    by = {(row["data"], row["type"]): row["values"][:3] for row in rows("fidelity")}
    names = {data for data, _ in by} - {"TOTAL"}
    for data in (*names, "TOTAL"):
        assert by[data, "overall"] == [
            sum(by[data, t][i] for t in ("numeric", "relation", "structure")) for i in range(3)
        ]
    for kind in ("numeric", "relation", "structure", "overall"):
        assert by["TOTAL", kind] == [sum(by[data, kind][i] for data in names) for i in range(3)]


def test_checklist_counts_add_up_and_rates_follow() -> None:
    by = {row["split"]: row["values"] for row in rows("checklist")}
    policies = [values for name, values in by.items() if name.startswith("InternVL")]
    data = [values for name, values in by.items() if name != "TOTAL" and not name.startswith("InternVL")]
    for group in (policies, data):
        assert by["TOTAL"][:5] == [sum(values[i] for values in group) for i in range(5)]
    for values in by.values():
        assert values[5] == pytest.approx(values[4] / values[2], abs=6e-5)
        assert values[6] == pytest.approx(1 - values[5], abs=1e-9)


@pytest.mark.parametrize("row", rows("ablations"), ids=lambda row: row["variant"])
def test_ablation_changes_are_against_the_full_method(row: dict[str, Any]) -> None:
    assert row["values"][-1] - 67.46 == pytest.approx(row["change"], abs=0.006)


@pytest.mark.parametrize("row", rows("aggregations"), ids=lambda row: f"{row['policy']} {row['aggregation']}")
def test_aggregation_gains_are_the_differences_within_rounding(row: dict[str, Any]) -> None:
    for first, best, change in zip(row["pass_at_1"], row["best_of_8"], row["change"], strict=True):
        assert best - first == pytest.approx(change, abs=0.11)


def test_best_of_8_gains_of_evpv_prm_are_the_differences() -> None:
    alone = {row["policy"]: row["values"] for row in rows("best_of_8") if "reranker" not in row}
    for row in rows("best_of_8"):
        if row.get("reranker") == "EVPV-PRM":
            for value, base, change in zip(row["values"], alone[row["policy"]], row["change"], strict=True):
                assert value - base == pytest.approx(change, abs=0.011)


def test_overall_macro_f1_is_near_the_step_weighted_mean_of_the_columns() -> None:
    """It is pooled, so it need not be equal; a slip of the pen would be far off."""
    weights = [STEPS[name] for name in TABLES["visualprocessbench"]["columns"][:-1]]
    for row in rows("visualprocessbench"):
        mean = sum(w * v for w, v in zip(weights, row["values"][:-1], strict=True)) / sum(weights)
        assert row["values"][-1] == pytest.approx(mean, abs=1.5), row
