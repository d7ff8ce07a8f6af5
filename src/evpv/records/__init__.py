"""Reading and writing problems, constraints, traces and runs as JSON lines (docs/formats.md)."""

from evpv.records.candidates import candidate_from_json, candidate_from_text, candidate_to_json
from evpv.records.constraints import (
    Case,
    constraint_from_json,
    constraint_to_json,
    constraints_from_json,
    constraints_to_json,
    given_constraints,
    read_cases,
)
from evpv.records.lines import Skipped, write_records
from evpv.records.problems import problem_from_json, problem_to_json, read_problems, write_problems
from evpv.records.runs import SCHEMA_VERSION, RunWriter, read_manifest
from evpv.records.splitting import split_steps
from evpv.records.trace_files import read_traces
from evpv.records.traces import schema, trace_from_json, trace_to_json

__all__ = [
    "SCHEMA_VERSION", "Case", "RunWriter", "Skipped", "candidate_from_json", "candidate_from_text", "candidate_to_json",
    "constraint_from_json", "constraint_to_json", "constraints_from_json", "constraints_to_json", "given_constraints",
    "problem_from_json", "problem_to_json", "read_cases", "read_manifest", "read_problems", "read_traces", "schema",
    "split_steps", "trace_from_json", "trace_to_json", "write_problems", "write_records",
]  # fmt: skip
