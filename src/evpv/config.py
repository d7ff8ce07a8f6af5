"""Recipes: which parts do the work, and how they are set. Read from TOML, checked here, built by `assembly`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from evpv.errors import ConfigError, unknown_name
from evpv.reward.method import Method, preset, settings_of, with_settings

AuditMode = Literal["off", "report", "fill"]
SECTIONS = ("description", "extractor", "judge", "auditor", "method")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A plug-in by name, and its settings."""

    use: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that decides a result, except the models' own weights."""

    name: str
    description: str
    extractor: Part
    judge: Part
    audit: AuditMode
    method: Method

    def settings(self) -> dict[str, Any]:
        """The recipe as plain values, for a manifest."""
        return {
            "extractor": {"use": self.extractor.use, **self.extractor.settings},
            "judge": {"use": self.judge.use, **self.judge.settings},
            "auditor": {"mode": self.audit},
            "method": settings_of(self.method),
        }

    def fingerprint(self, *versions: str) -> str:
        """A short digest of the settings and of the versions of the parts: equal fingerprints, equal results."""
        text = json.dumps([self.settings(), list(versions)], sort_keys=True, default=str)
        return sha256(text.encode()).hexdigest()[:16]


def recipe_names() -> list[str]:
    """The recipes that ship with evpv."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in files("evpv").joinpath("recipes").iterdir()
        if entry.name.endswith(".toml")
    )


def load_recipe(name: str, changes: Mapping[str, str] | None = None) -> Recipe:
    """A shipped recipe by name, or one of your own by path, with `key=value` changes.

    Keys are `part.setting` ("judge.evidence"); a key without a dot is a setting of the method ("select").
    """
    data = _changed(_read(name), changes or {})
    for section in data:
        if section not in SECTIONS:
            raise unknown_name("recipe section", section, SECTIONS)
    method = dict(data.get("method", {}))
    base = preset(str(method.pop("preset", "grounded")))
    audit = dict(data.get("auditor", {}))
    mode = audit.pop("mode", "fill")
    if mode not in ("off", "report", "fill"):
        raise unknown_name("auditor mode", str(mode), ("off", "report", "fill"))
    if audit:
        raise unknown_name("auditor setting", next(iter(audit)), ("mode",))
    return Recipe(
        name=Path(name).stem if name.endswith(".toml") else name,
        description=str(data.get("description", "")),
        extractor=_part(data, "extractor"),
        judge=_part(data, "judge"),
        audit=mode,
        method=with_settings(base, method),
    )


def _read(name: str) -> dict[str, Any]:
    if name.endswith(".toml"):
        text = _file_text(Path(name))
    elif name in recipe_names():
        text = files("evpv").joinpath("recipes", f"{name}.toml").read_text(encoding="utf-8")
    else:
        raise unknown_name("recipe", name, recipe_names())
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}") from None


def _file_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None


def _changed(data: dict[str, Any], changes: Mapping[str, str]) -> dict[str, Any]:
    for key, text in changes.items():
        section, dot, setting = key.partition(".")
        if not dot:
            section, setting = "method", key
        if section not in SECTIONS:
            raise unknown_name("recipe section", section, SECTIONS)
        data = {**data, section: {**data.get(section, {}), setting: _value(text)}}
    return data


def _value(text: str) -> Any:
    """A value from the command line as TOML would read it; what is not TOML is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _part(data: Mapping[str, Any], name: str) -> Part:
    section = data.get(name)
    if not isinstance(section, dict) or not isinstance(section.get("use"), str):
        raise ConfigError(f'the recipe needs a section [{name}] with use = "…".')
    return Part(use=section["use"], settings={key: value for key, value in section.items() if key != "use"})
