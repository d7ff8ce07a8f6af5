"""JSON Schemas of the formats, made from the codecs that read them; docs/schemas holds what `write_schemas` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evpv.errors import unknown_name
from evpv.records.constraints import CONSTRAINT
from evpv.records.problems import PROBLEM_ADAPTER
from evpv.records.traces import TRACE_CODEC

_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "problem": PROBLEM_ADAPTER,
    "constraint": CONSTRAINT.adapter,
    "trace": TRACE_CODEC.adapter,
}
SCHEMA_NAMES = tuple(_ADAPTERS)


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of "problem", "constraint" or "trace"."""
    if name not in _ADAPTERS:
        raise unknown_name("schema", name, _ADAPTERS)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_any_of(_ADAPTERS[name].json_schema())}


def schema_text(name: str) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


def write_schemas(folder: str | Path) -> None:
    """Write every schema into the folder as NAME.json."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in SCHEMA_NAMES:
        (Path(folder) / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


def _any_of(value: Any) -> Any:
    """`oneOf` as `anyOf`: a candidate may hold two forms at once, and the reader then takes the first."""
    if isinstance(value, dict):
        return {"anyOf" if key == "oneOf" else key: _any_of(inner) for key, inner in value.items()}
    return [_any_of(inner) for inner in value] if isinstance(value, list) else value
