"""Shards and costs: what machines write apart is read, taken over and merged as one run, each trace once."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evpv.assembly import build
from evpv.cli import app
from evpv.config import load_recipe
from evpv.records import RunWriter, problem_from_json, read_traces
from evpv.records.trace_files import ShardForm, TraceLine, trace_line, write_shard
from evpv.types import Trace
from tests.engines.conftest import problem


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    """Six traces, of which every second has a cost."""
    pipeline = build(load_recipe("given"))
    made = pipeline.traces([problem_from_json(problem(number)) for number in range(6)])
    pipeline.close()
    return [Trace(**(_fields(trace) | {"cost": {"seconds": 0.5}})) if n % 2 else trace for n, trace in enumerate(made)]


def _fields(trace: Trace) -> dict[str, object]:
    return {name: getattr(trace, name) for name in trace.__dataclass_fields__}


def written(traces: list[Trace]) -> list[TraceLine]:
    return [trace_line(trace) for trace in traces]


def ids(run: Path) -> list[str]:
    return [trace.problem_id for trace in read_traces(run)]


def test_a_trace_and_its_cost_are_written_apart_and_read_together(traces: list[Trace], tmp_path: Path) -> None:
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        for trace in traces:
            writer.append(trace)
    assert b"seconds" not in (tmp_path / "traces.jsonl").read_bytes()
    assert len((tmp_path / "traces.costs.jsonl").read_bytes().splitlines()) == 3
    assert list(read_traces(tmp_path)) == traces


def test_costs_are_found_however_the_traces_were_sorted(traces: list[Trace], tmp_path: Path) -> None:
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        for trace in traces:
            writer.append(trace)
    backwards = (tmp_path / "traces.jsonl").read_bytes().splitlines(keepends=True)[::-1]
    (tmp_path / "traces.jsonl").write_bytes(b"".join(backwards))
    assert list(read_traces(tmp_path)) == traces[::-1]


def test_a_cost_whose_trace_was_killed_is_not_there_twice(traces: list[Trace], tmp_path: Path) -> None:
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        writer.append(traces[1])
    (tmp_path / "traces.jsonl").write_bytes(b'{"problem_id": "p0')
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        assert writer.recovered
        writer.append(traces[1])
    assert len((tmp_path / "traces.costs.jsonl").read_bytes().splitlines()) == 1
    assert list(read_traces(tmp_path)) == [traces[1]]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_shards_are_read_as_part_of_the_run_and_taken_over(
    traces: list[Trace], tmp_path: Path, form: ShardForm
) -> None:
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        writer.append(traces[0])
        write_shard(tmp_path, "a-000000", form, written(traces[1:4]))
        write_shard(tmp_path, "a-000001", form, written(traces[4:]))
        assert writer.done_ids() == {trace.problem_id for trace in traces}
        assert list(read_traces(tmp_path)) == traces
        assert writer.take_shards() == 5
    assert not (tmp_path / "shards").exists()
    assert list(read_traces(tmp_path)) == traces
    with RunWriter(tmp_path / "plain", {"fingerprint": "f"}) as plain:
        for trace in traces:
            plain.append(trace)
    assert (tmp_path / "traces.jsonl").read_bytes() == (tmp_path / "plain" / "traces.jsonl").read_bytes()
    assert (tmp_path / "traces.costs.jsonl").read_bytes() == (tmp_path / "plain" / "traces.costs.jsonl").read_bytes()


def test_taking_shards_goes_on_where_it_was_killed(traces: list[Trace], tmp_path: Path) -> None:
    write_shard(tmp_path, "a-000000", "jsonl", written(traces[:4]))
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        writer.append(traces[0])  # as if it had been killed after two of the shard's lines
        writer.append(traces[1])
    assert ids(tmp_path) == [trace.problem_id for trace in traces[:4]]
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        assert writer.take_shards() == 2
    assert list(read_traces(tmp_path)) == traces[:4]


def test_a_block_that_was_done_twice_is_there_once(traces: list[Trace], tmp_path: Path) -> None:
    with RunWriter(tmp_path, {"fingerprint": "f"}) as writer:
        write_shard(tmp_path, "a-000000", "jsonl", written(traces[:3]))
        write_shard(tmp_path, "a-000000", "jsonl", written(traces[:3]))
        write_shard(tmp_path, "b-000000", "jsonl", written(traces[2:]))
        assert list(read_traces(tmp_path)) == traces
        assert writer.take_shards() == 6
    assert list(read_traces(tmp_path)) == traces


def test_runs_are_merged_beside_one_another(traces: list[Trace], tmp_path: Path) -> None:
    for name, part in (("one", traces[:2]), ("two", traces[1:4])):
        with RunWriter(tmp_path / name, {"fingerprint": "f"}) as writer:
            for trace in part:
                writer.append(trace)
    write_shard(tmp_path / "two", "a-000000", "parquet", written(traces[4:]))
    runs = [str(tmp_path / "one"), str(tmp_path / "two")]
    result = CliRunner().invoke(app, ["merge", *runs, "-o", str(tmp_path / "all")])
    assert result.exit_code == 0, result.output
    assert "6 traces taken" in result.output
    assert list(read_traces(tmp_path / "all")) == traces
    assert ids(tmp_path / "one") == ["p00000", "p00001"]
    for wrong, said in (([*runs], "give -o"), ([*runs, "-o", str(tmp_path / "in" / "all")], "beside the runs")):
        refused = CliRunner().invoke(app, ["merge", *wrong])
        assert said in str(refused.exception)


def test_runs_of_two_recipes_are_not_merged(traces: list[Trace], tmp_path: Path) -> None:
    for name, fingerprint in (("one", "f"), ("two", "g")):
        with RunWriter(tmp_path / name, {"fingerprint": fingerprint}) as writer:
            writer.append(traces[0])
    refused = CliRunner().invoke(
        app, ["merge", str(tmp_path / "one"), str(tmp_path / "two"), "-o", str(tmp_path / "all")]
    )
    assert "made with another recipe" in str(refused.exception)


def test_a_broken_shard_is_named(tmp_path: Path, traces: list[Trace]) -> None:
    write_shard(tmp_path, "a-000000", "parquet", written(traces))
    shard = tmp_path / "shards" / "a-000000.parquet"
    shard.write_bytes(shard.read_bytes()[:100])
    with pytest.raises(Exception, match=r"a-000000\.parquet: cannot be read as a shard"):
        list(read_traces(tmp_path))
