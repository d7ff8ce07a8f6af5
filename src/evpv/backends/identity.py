"""What identifies a backend's answers: its model, and whatever else decides them."""

from __future__ import annotations

from evpv.backends.abilities import version_of
from evpv.protocols import ChatBackend


def identity(backend: ChatBackend) -> str:
    """The model's name, with how pictures are sent to it and the like where the backend says so.

    >>> from evpv.backends.scripted import ScriptedBackend
    >>> identity(ScriptedBackend([], name="a-model"))
    'a-model'
    """
    return f"{backend.name} {version_of(backend)}".rstrip()
