"""The one table of plug-ins, and a recipe's parts made live: backends once for all that ask them, with one store and ledger."""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager
from dataclasses import is_dataclass, replace
from importlib import import_module
from typing import Any, Literal, get_type_hints

from evpv.backends.ledger import Ledger
from evpv.backends.store import AnswerStore, RecordedBackend
from evpv.config import Part, Recipe
from evpv.errors import BackendError, ConfigError, EvpvError, MissingExtraError, unknown_name
from evpv.pipeline import Pipeline
from evpv.protocols import ChatBackend, ChatRequest, Extractor, Sampling, close_part, description_of
from evpv.settings import checked_settings

PLUGINS: dict[str, dict[str, str]] = {
    "extractor": {
        "chat": "evpv.perception.chat:ChatExtractor",
        "embedded": "evpv.perception.extractor:embedded_extractor",
        "given": "evpv.perception.given:GivenExtractor",
        "none": "evpv.perception.given:NoExtractor",
        "teacher": "evpv.perception.chat:Teacher",
        "trained": "evpv.perception.chat:TrainedExtractor",
        "word-pairs": "evpv.perception.word_pairs:WordPairExtractor",
    },
    "judge": {
        "chat": "evpv.judges.chat:ChatJudge",
        "checks": "evpv.judges.checks:ChecksJudge",
        "step-model": "evpv.judges.step_models:StepModelJudge",
        "tools": "evpv.judges.tools:ToolsJudge",
        "verifier": "evpv.judges.step_models:VerifierJudge",
    },
    "language": {"chat": "evpv.policy.chat:ChatLanguage"},
    "policy": {"chat": "evpv.policy.chat:ChatPolicy"},
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
    "pyarrow": "ray",
}  # fmt: skip
"""Optional packages → the extra that brings them."""


def build_part(kind: str, part: Part) -> Any:
    """One plug-in: found by name or by "package.module:Name", its settings checked against what it takes."""
    construct = _constructor(kind, part.use)
    plain_class = inspect.isclass(construct) and not is_dataclass(construct)
    hints = get_type_hints(construct.__init__ if plain_class else construct)
    known = settings_of_part(kind, part.use)
    settings = checked_settings(hints, known, part.settings, f"{kind} {part.use!r}")
    try:
        return construct(**settings)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{kind} {part.use!r} cannot be built with {dict(part.settings)}: {error}") from error


def settings_of_part(kind: str, use: str) -> list[str]:
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


_BACKEND = "backend"
_GREETING_ATTEMPTS = 2  # a passing fault is no reason to give up, and a missing server is told in seconds
_GREETING = ChatRequest(prompt="Say hello.", sampling=Sampling(max_tokens=16), stage="greeting")


class Builder(AbstractContextManager["Builder"]):
    """Builds what a command needs of a recipe, and no more: a backend that no built part names is not made."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.ledger = Ledger(budget=recipe.budget)
        self.backends: dict[str, ChatBackend] = {}
        self._store: AnswerStore | None = None

    def pipeline(self) -> Pipeline:
        extractor, judge = self.extractor(), self.part("judge", self.recipe.judge)
        language = None if self.recipe.language is None else self.part("language", self.recipe.language)
        return Pipeline(
            extractor=extractor, judge=judge, audit=self.recipe.audit, language=language, method=self.recipe.method,
            backends=self.backends, ledger=self.ledger if self.recipe.backends else None, store=self._store,
        )  # fmt: skip

    def extractor(self) -> Extractor:
        part: Extractor = self.part("extractor", self.recipe.extractor)
        return part

    def policy(self) -> Any:
        """The recipe's policy, which a recipe need not have."""
        if self.recipe.policy is None:
            raise ConfigError(f'the recipe {self.recipe.name!r} has no section [policy] with use = "chat".')
        return self.part("policy", self.recipe.policy)

    def part(self, kind: str, part: Part) -> Any:
        """One part, with the backend that it names by its name."""
        named = part.settings.get(_BACKEND)
        if isinstance(named, str):
            return build_part(kind, replace(part, settings={**part.settings, _BACKEND: self.backend(named)}))
        if _BACKEND in settings_of_part(kind, part.use) and named is None:
            there = ", ".join(sorted(self.recipe.backends)) or "none; add a table [backends.main]"
            raise ConfigError(f'{kind} {part.use!r} needs backend = "NAME" of one of the backends: {there}.')
        return build_part(kind, part)

    def backend(self, name: str) -> ChatBackend:
        """A backend of the recipe by its name, with the ledger and the store around it; built when first named."""
        if name not in self.backends:
            made = self.bare_backend(name)
            self.backends[name] = RecordedBackend(made, store=self._opened_store(), ledger=self.ledger)
        return self.backends[name]

    def bare_backend(self, name: str) -> ChatBackend:
        """A backend of the recipe with nothing around it: for asking what it can do."""
        made: ChatBackend = build_part(_BACKEND, self._backend_part(name))
        return made

    def greet(self, name: str) -> None:
        """Ask the server of a backend one tiny question; one that runs here is not asked."""
        part = self._backend_part(name)
        if "attempts" in settings_of_part(_BACKEND, part.use):
            part = replace(part, settings={**part.settings, "attempts": _GREETING_ATTEMPTS})
        asked: ChatBackend = build_part(_BACKEND, part)
        where = description_of(asked).server
        try:
            if where is None:
                return
            [reply] = RecordedBackend(asked, store=self._opened_store(), ledger=None).ask([_GREETING])
        finally:
            close_part(asked)
        if reply.text is None:
            raise BackendError(
                f"the model {asked.name!r} at {where} does not answer: {reply.problem}. Start the server, or name another "
                f"with --set backends.{name}.base_url=…; `evpv doctor --recipe {self.recipe.name}` says what it can do."
            )

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        for backend in self.backends.values():
            close_part(backend)
        if self._store is not None:
            self._store.close()

    def _backend_part(self, name: str) -> Part:
        if name not in self.recipe.backends:
            raise unknown_name("backend", name, self.recipe.backends)
        return self.recipe.backends[name]

    def _opened_store(self) -> AnswerStore | None:
        if self.recipe.store is not None and self._store is None:
            self._store = AnswerStore(self.recipe.store)
        return self._store


def first_question(recipe: Recipe, *kinds: Literal["extractor", "judge", "policy", "language"]) -> None:
    """Ask each server that these parts of the recipe need one tiny question.

    A model that is not there is told in seconds, with what, where and what to do; not after a run of nothing. What a store
    knows is not asked again, so that a run whose answers are all stored needs no server.
    """
    parts = [part for kind in kinds if (part := getattr(recipe, kind)) is not None]
    with Builder(recipe) as builder:
        for name in dict.fromkeys(str(part.settings[_BACKEND]) for part in parts if _BACKEND in part.settings):
            builder.greet(name)


def build(recipe: Recipe) -> Pipeline:
    return Builder(recipe).pipeline()
