"""The card beside each checkpoint: what it is, what it learnt from, how, for how long, and how well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evpv.training.recipes import TrainingRecipe

_WHAT = {
    "extractor": "Reads a picture and writes the visual constraints of the EVPV paper's Appendix A as a JSON array.",
    "preferences": "A constraint extractor after preference learning: nearer to the truth than to rewrites of it.",
    "verifier": 'Gives each step of a solution a probability: "+" against "-" at `<|box_end|>`, which ends a step.',
}


def write_card(folder: Path, recipe: TrainingRecipe, report: Mapping[str, Any]) -> None:
    """Write README.md; a number that was not measured is not in it."""
    held_out = report.get("held_out") or {}
    lines = [
        f"# {recipe.name}",
        *([recipe.description] if recipe.description else []),
        _WHAT[recipe.kind] + " A plain Qwen2.5-VL checkpoint: transformers and vLLM load it as it is.",
        "## Learning",
        _table(
            {
                "start": _named(recipe.model.start),
                "rows": report.get("rows", "–"),
                "rows left out": json.dumps(report.get("faults") or {}),
                "hours": report.get("hours", "–"),
                "seeds": f"model {recipe.model.seed}, order {recipe.learning.seed}",
                "packages": ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "trl")),
            }
        ),
        "```json\n" + json.dumps(_named(asdict(recipe)), indent=1) + "\n```",
        "## Held out",
        _table(held_out) if held_out else "Not measured.",
        "## Limits",
        "It knows what its corpus shows (see `corpus.md`) and nothing else; it was not tried on photographs or scans.",
    ]
    (folder / "README.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def _named(value: Any) -> Any:
    """The value with files and folders by their last two names: where they stood on one machine says nothing."""
    if isinstance(value, str) and Path(value).is_absolute():
        return "/".join(Path(value).parts[-2:])
    if isinstance(value, Mapping):
        return {key: _named(one) for key, one in value.items()}
    return [_named(one) for one in value] if isinstance(value, (list, tuple)) else value


def _table(values: Mapping[str, Any]) -> str:
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in values.items())])
