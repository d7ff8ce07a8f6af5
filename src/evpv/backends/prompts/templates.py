"""Prompts: text files with named placeholders such as {question_text}, shipped or of one's own.

A placeholder is a name in braces and nothing else, so JSON in a prompt needs no escaping. Values are put in once and
never looked at again: braces in them stay as they are. A paragraph whose placeholder has no value is left out, which
is how one file serves a judge with and without evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from evpv.backends.prompts.fencing import fenced
from evpv.errors import ConfigError, unknown_name

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt's text; `digest` identifies it in fingerprints and cache keys."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """A short digest of the text and of the note on fences that goes before it."""
        return sha256(f"{_fence_note()}\n{self.text}".encode()).hexdigest()[:16]

    @property
    def placeholders(self) -> frozenset[str]:
        return frozenset(_PLACEHOLDER.findall(self.text))

    def with_prefix(self, prefix: Prompt) -> Prompt:
        """The prompt with another one's text before its own."""
        return Prompt(name=f"{prefix.name}+{self.name}", text=f"{prefix.text}\n\n{self.text}")

    def filled(self, untrusted: Mapping[str, str | None], trusted: Mapping[str, str | int] | None = None) -> str:
        """The question as it is put: `untrusted` texts in fences, `trusted` ones, which are our own, as they are."""
        kept = {name: text for name, text in untrusted.items() if text is not None and name in self.placeholders}
        values = {**fenced(kept), **{name: str(value) for name, value in (trusted or {}).items()}}
        paragraphs = [p for p in _PARAGRAPHS.split(self.text) if set(_PLACEHOLDER.findall(p)) <= values.keys()]
        text = _PLACEHOLDER.sub(lambda found: values[found[1]], "\n\n".join(paragraphs))
        return f"{_fence_note()}\n\n{text}" if kept else text


def load_prompt(name: str, *, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Prompt:
    """A shipped prompt by name, or one of your own by the path of its .txt file, with its placeholders checked."""
    prompt = Prompt(name=Path(name).stem, text=_text(name).strip())
    known = {*required, *optional}
    for placeholder in sorted(prompt.placeholders - known):
        raise unknown_name(f"placeholder of prompt {name!r}:", placeholder, known)
    if missing := sorted(set(required) - prompt.placeholders):
        wanted = ", ".join(f"{{{placeholder}}}" for placeholder in missing)
        raise ConfigError(f"the prompt {name!r} has no place for {wanted}; it must name it.")
    return prompt


def prompt_names() -> list[str]:
    """The prompts that ship with evpv."""
    entries = (entry.name for entry in files(__package__).iterdir())
    return sorted(name.removesuffix(".txt") for name in entries if name.endswith(".txt"))


@cache
def _fence_note() -> str:
    return _text("fences").strip()


def _text(name: str) -> str:
    if not name.endswith(".txt"):
        if name not in prompt_names():
            raise unknown_name("prompt", name, prompt_names())
        return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    try:
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the prompt {name} cannot be read: {error}") from None
