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

_AuditMode = Literal["off", "report", "fill"]
_SECTIONS = ("description", "extractor", "judge", "policy", "auditor", "method", "backends", "store", "ledger")
_DECIDE = ("judge", "auditor", "method")
"""The sections whose settings all decide a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A plug-in by name, and its settings."""

    use: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    """Settings of the method that `evpv fit` found, and on what: a file that ships, or one of your own."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    provenance: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that decides a result, except the models' own weights; and where to ask, keep and count.

    `backends` are the models by the names that parts call them; `store` is the file that keeps their answers, `budget`
    the most that asking may cost. A recipe needs a `policy` only to sample candidates. `language` is a model that writes
    down what steps assert, in place of the rules.
    """

    name: str
    description: str
    extractor: Part
    judge: Part
    audit: _AuditMode
    method: Method
    language: Part | None = None
    fitted: _Fit | None = None
    policy: Part | None = None
    backends: Mapping[str, Part] = field(default_factory=dict, hash=False)
    store: str | None = None
    budget: float | None = None

    def settings(self) -> dict[str, Any]:
        """The recipe as plain values, for a manifest."""
        made: dict[str, Any] = {
            "extractor": {"use": self.extractor.use, **self.extractor.settings},
            "judge": {"use": self.judge.use, **self.judge.settings},
            "auditor": {"mode": self.audit},
            "method": settings_of(self.method),
        }
        if self.language is not None:
            made["auditor"] |= {"language": self.language.use, **self.language.settings}
        if self.fitted is not None:
            made["fitted"] = {"name": self.fitted.name, "method": dict(self.fitted.settings), **self.fitted.provenance}
        if self.policy is not None:
            made["policy"] = {"use": self.policy.use, **self.policy.settings}
        if self.backends:
            made["backends"] = {name: {"use": part.use, **part.settings} for name, part in self.backends.items()}
        return made

    def manifest(self, source: Path, *, evpv: str, parts: str) -> dict[str, Any]:
        """What a run over a file is made with, by these versions. How many workers do it decides nothing, and is left out."""
        made = self.settings()
        return {
            "recipe": self.name, "fingerprint": self.fingerprint(evpv, parts), "settings": made, "method": made["method"],
            "versions": {"evpv": evpv, "parts": parts}, "problems": source.name,
        }  # fmt: skip

    def fingerprint(self, *versions: str) -> str:
        """A short digest of the settings and of the versions of the parts: equal fingerprints, equal results.

        An extractor says all that decides its answers in its version, and so do backends; their other settings
        (workers, folders, addresses, time limits) decide nothing and are left out.
        """
        decides = {"extractor": self.extractor.use, **{k: v for k, v in self.settings().items() if k in _DECIDE}}
        text = json.dumps([decides, list(versions)], sort_keys=True, default=str)
        return sha256(text.encode()).hexdigest()[:16]


def recipe_names() -> list[str]:
    names = (entry.name for entry in files("evpv").joinpath("recipes").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_recipe(name: str, changes: Mapping[str, str] | None = None) -> Recipe:
    """A shipped recipe by name, or one of your own by path, with `key=value` changes.

    Keys are `part.setting` ("judge.evidence", "backends.main.base_url"); a key without a dot is a setting of the
    method ("select").
    """
    data = _with_changes(_read(name), changes or {})
    for section in data:
        if section not in _SECTIONS:
            raise unknown_name("recipe section", section, _SECTIONS)
    method = dict(data.get("method", {}))
    base = preset(str(method.pop("preset", "grounded")))
    fitted = _fit(method.pop("fitted", None))
    mode, language = _auditor(data)
    budget = _only(data, "ledger", "budget", int | float, "a budget is an amount of money")
    return Recipe(
        name=Path(name).stem if name.endswith(".toml") else name, description=str(data.get("description", "")),
        extractor=_part(data, "extractor"), judge=_part(data, "judge"),
        policy=_part(data, "policy") if "policy" in data else None, audit=mode, language=language,
        method=with_settings(with_settings(base, fitted.settings if fitted else {}), method), fitted=fitted,
        backends=_backends(data), store=_only(data, "store", "path", str, "the store's path is a text") or None,
        budget=None if budget is None else float(budget),
    )  # fmt: skip


def _read(name: str) -> dict[str, Any]:
    if not name.endswith(".toml") and name not in recipe_names():
        raise unknown_name("recipe", name, recipe_names())
    data = _toml(name, "recipes")
    if "provenance" in data and "extractor" not in data:
        what = "a fit, the settings of a method that `evpv fit` measured, and no recipe"
        raise ConfigError(f"{name} is {what}: use it with one, as --recipe embedded --set fitted={name}")
    for section, table in data.items():  # a prompt file is looked for beside the recipe, wherever the program runs
        prompt = table.get("prompt") if isinstance(table, dict) else None
        if isinstance(prompt, str) and prompt.endswith(".txt") and (Path(name).parent / prompt).is_file():
            data[section] = {**table, "prompt": str(Path(name).parent / prompt)}
    return data


def _toml(name: str, *folder: str) -> dict[str, Any]:
    """The tables of a file of one's own, or of one that ships in this folder."""
    try:
        if name.endswith(".toml"):
            return tomllib.loads(Path(name).read_text(encoding="utf-8"))
        return tomllib.loads(files("evpv").joinpath(*folder, f"{name}.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: cannot be read: {error}") from None


def _fit(name: Any) -> _Fit | None:
    """What `fitted = "NAME"` in a recipe's [method] names; settings that the recipe states itself go before it."""
    if name is None or name == "":
        return None
    text = str(name)
    if not text.endswith(".toml") and not files("evpv").joinpath("recipes", "fitted", f"{text}.toml").is_file():
        raise ConfigError(f"there is no fit {text!r}; name one that ships, or a file that `evpv fit` wrote.")
    data = _toml(text, "recipes", "fitted")
    if not isinstance(data.get("method"), dict) or not isinstance(data.get("provenance"), dict):
        raise ConfigError(f"{text}: a fit has the sections [method] and [provenance], as `evpv fit` writes them.")
    return _Fit(name=Path(text).stem, settings=data["method"], provenance=data["provenance"])


def _with_changes(data: dict[str, Any], changes: Mapping[str, str]) -> dict[str, Any]:
    for key, value in toml_values(changes).items():
        path = key.split(".") if "." in key else ["method", key]
        if path[0] not in _SECTIONS:
            raise unknown_name("recipe section", path[0], _SECTIONS)
        data = _with_value(data, path, key, value)
    return data


def _with_value(table: Mapping[str, Any], path: list[str], key: str, value: Any) -> dict[str, Any]:
    """The table with one value put at the end of a path of keys; tables on the way are made as needed."""
    if len(path) == 1:
        return {**table, path[0]: value}
    inner = table.get(path[0], {})
    if not isinstance(inner, dict):
        raise ConfigError(f"{key!r} cannot be set: {path[0]!r} holds a value and no settings.")
    return {**table, path[0]: _with_value(inner, path[1:], key, value)}


def toml_values(texts: Mapping[str, str]) -> dict[str, Any]:
    """Values from the command line as TOML would read them; what is not TOML is a text."""
    values: dict[str, Any] = {}
    for key, text in texts.items():
        try:
            values[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[key] = text
    return values


def _part(data: Mapping[str, Any], name: str, within: str = "") -> Part:
    section = data.get(name)
    if not isinstance(section, dict) or not isinstance(section.get("use"), str):
        raise ConfigError(f'the recipe needs a section [{within}{name}] with use = "…".')
    return Part(use=section["use"], settings={key: value for key, value in section.items() if key != "use"})


def _backends(data: Mapping[str, Any]) -> dict[str, Part]:
    section = data.get("backends", {})
    if not isinstance(section, dict):
        raise ConfigError('backends are tables by name: [backends.main] with use = "…".')
    return {name: _part(section, name, "backends.") for name in section}


def _only(data: Mapping[str, Any], section: str, setting: str, kind: Any, what: str) -> Any:
    """The value of a section's only setting, None where there is none."""
    table = data.get(section, {})
    if not isinstance(table, dict):
        raise ConfigError(f"[{section}] is a section with the setting {setting!r}.")
    for name in table:
        if name != setting:
            raise unknown_name(f"{section} setting", name, (setting,))
    value = table.get(setting)
    fits = isinstance(value, kind) and not isinstance(value, bool) and (kind is str or value >= 0)
    if value is not None and not fits:
        raise ConfigError(f"{what}, not {value!r}.")
    return value


def _auditor(data: Mapping[str, Any]) -> tuple[_AuditMode, Part | None]:
    """How claims are found, and the model that reads steps where `language = "chat"`; its other settings are the model's."""
    table = data.get("auditor", {})
    if not isinstance(table, dict):
        raise ConfigError("[auditor] is a section with the settings 'mode' and 'language'.")
    settings = dict(table)
    mode, use = settings.pop("mode", "fill"), str(settings.pop("language", "rules"))
    if mode not in ("off", "report", "fill"):
        raise unknown_name("auditor mode", str(mode), ("off", "report", "fill"))
    if use == "rules":
        for name in settings:
            raise unknown_name("auditor setting", name, ("mode", "language"))
        return mode, None
    if mode != "fill":
        raise ConfigError(f'[auditor] language = "{use}" needs mode = "fill", not {mode!r}: it finds claims.')
    return mode, Part(use=use, settings=settings)
