"""A fit as a readable TOML file: the settings, what they were fitted on, and the counts behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from evpv.errors import ConfigError
from evpv.evaluation.fitting import Claims, Fitted
from evpv.types import Trace

_HEAD = """\
# Written by `evpv fit`. A recipe reads it with [method] fitted = "NAME" (or the path of a file like this).
# missing: how probable a claim of each type is when the extractor has nothing to say of it.
# decision: θ, for the method's own gate. threshold and sharpness: τ and β of the gates `local` and `sigmoid`.
"""


def named_split(traces: Sequence[Trace], given: str | None) -> str:
    """The split that a run's problems are of: as they say, else as the user says; "test" is refused."""
    said = {trace.problem.split for trace in traces if trace.problem.split}
    names = said or set(filter(None, [given]))
    if not names:
        raise ConfigError("these problems do not say which split they are of: name it with --split.")
    if given and said - {given}:
        raise ConfigError(f"--split says {given!r}, but the problems say {', '.join(sorted(said))}.")
    if any(name.lower() == "test" for name in names):
        raise ConfigError("nothing is fitted on a test split; fit on development problems.")
    return ", ".join(sorted(names))


def provenance(traces: Sequence[Trace], fitted: Fitted, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a fit rests on, as far as the run itself tells."""
    ids = sorted(trace.problem_id for trace in traces)
    return {
        "problems_file": str(manifest.get("problems", "")),
        "problems": len(ids),
        "candidates": sum(len(trace.candidates) for trace in traces),
        "steps": fitted.steps,
        "claims": fitted.claims.total(),
        "problem_ids_sha256": sha256("\n".join(ids).encode()).hexdigest()[:16],
        "recipe": str(manifest.get("recipe", "")),
        "parts": str(manifest.get("versions", {}).get("parts", "")),
    }


def fit_text(fitted: Fitted, facts: Mapping[str, Any]) -> str:
    """The file's text."""
    lines = [_HEAD, "[method]", *_lines(fitted.settings()), "", "[provenance]", *_lines(facts), ""]
    for one in fitted.gates:
        lines += ["[[gates]]", *_lines({key: value for key, value in asdict(one).items() if value is not None}), ""]
    for row in _claim_rows(fitted.claims):
        lines += ["[[claims]]", *_lines(row), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _claim_rows(claims: Claims) -> list[dict[str, Any]]:
    """How often each verdict comes, by type of claim, and how often the claim is right then."""
    rows = []
    for kind, verdict in sorted({key[:2] for key in claims}):
        right, wrong = claims[kind, verdict, True], claims[kind, verdict, False]
        rows.append({"type": kind, "verdict": verdict, "claims": right + wrong, "right": right})
    return rows


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: Any) -> str:
    """A value as TOML; texts are quoted as JSON quotes them, which TOML reads alike."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return repr(round(value, 4)) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
