"""The one table of plug-ins, and how one is built from its name and settings."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, get_type_hints

from evpv.config import Part
from evpv.errors import ConfigError, EvpvError, MissingExtraError, unknown_name
from evpv.settings import checked_settings

PLUGINS: dict[str, dict[str, str]] = {
    "extractor": {
        "chat": "evpv.perception.chat:ChatExtractor",
        "embedded": "evpv.perception.embedded:embedded_extractor",
        "given": "evpv.perception.given:GivenExtractor",
        "none": "evpv.perception.given:NoExtractor",
        "teacher": "evpv.perception.teacher:Teacher",
        "trained": "evpv.perception.trained:TrainedExtractor",
    },
    "judge": {
        "chat": "evpv.judges.chat:ChatJudge",
        "checks": "evpv.judges.checks:ChecksJudge",
        "step-model": "evpv.judges.step_models:StepModelJudge",
        "tools": "evpv.judges.tools:ToolsJudge",
        "verifier": "evpv.judges.step_models:VerifierJudge",
    },
    "language": {
        "chat": "evpv.policy.chat_language:ChatLanguage",
    },
    "policy": {
        "chat": "evpv.policy.chat:ChatPolicy",
    },
    "backend": {
        "openai-chat": "evpv.backends.openai_chat:OpenAIChat",
        "scripted": "evpv.backends.scripted:PreparedBackend",
        "transformers-chat": "evpv.backends.transformers_chat:TransformersChat",
    },
}
"""Kind → name → where it lives. A plug-in of your own needs no line here: use = "package.module:Name"."""

EXTRAS = {
    "rapidocr": "vision", "onnxruntime": "vision", "cv2": "vision", "PIL": "vision", "aiohttp": "chat", "json_repair": "chat", "torch": "local",
    "transformers": "local", "xgrammar": "local", "trl": "train", "peft": "train", "accelerate": "train", "datasets": "train",
    "math_verify": "eval", "sklearn": "eval", "matplotlib": "eval", "ray": "ray", "fastapi": "server", "httptools": "server", "uvicorn": "server",
    "prometheus_client": "server", "httpx2": "client", "mcp": "mcp",
    # what those bring along and we import ourselves
    "scipy": "eval", "starlette": "server", "tokenizers": "local", "safetensors": "local", "huggingface_hub": "local", "yarl": "chat",
    "pyarrow": "ray", "anyio": "mcp",
}  # fmt: skip
"""Optional packages → the extra that brings them."""


def build_part(kind: str, part: Part) -> Any:
    """One plug-in: found by name or by "package.module:Name", its settings checked against what it takes."""
    construct = _constructor(kind, part.use)
    hints = get_type_hints(construct.__init__ if inspect.isclass(construct) else construct)
    known = settings_of_part(kind, part.use)
    settings = checked_settings(hints, known, part.settings, f"{kind} {part.use!r}")
    try:
        return construct(**settings)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{kind} {part.use!r} cannot be built with {dict(part.settings)}: {error}") from error


def settings_of_part(kind: str, use: str) -> list[str]:
    """The names of the settings that a plug-in takes."""
    parameters = inspect.signature(_constructor(kind, use)).parameters
    return [name for name, parameter in parameters.items() if parameter.kind is not parameter.VAR_KEYWORD]


def _constructor(kind: str, name: str) -> Any:
    place = PLUGINS[kind].get(name, name)
    module, colon, attribute = place.partition(":")
    if not colon:
        raise unknown_name(kind, name, PLUGINS[kind])
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise missing_extra(f"{kind} {name!r}", error) from error
    except AttributeError as error:
        raise ConfigError(f"{kind} {name!r}: module {module!r} has no {attribute!r}.") from error


def missing_extra(what: str, error: ModuleNotFoundError) -> EvpvError:
    """What to install for a part whose packages are not there."""
    missing = (error.name or "").partition(".")[0]
    if missing in EXTRAS:
        return MissingExtraError(what, extra=EXTRAS[missing], missing=missing)
    return ConfigError(f"{what}: there is no module {error.name!r}.")
