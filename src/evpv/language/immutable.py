"""How the values of language and premises are made: frozen for whoever writes code, quick for whoever runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

_Made = TypeVar("_Made")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def immutable(cls: type[_Made]) -> type[_Made]:
    """A keyword-only dataclass with slots that the type checker holds to be frozen.

    A sentence makes dozens of them, and one that is also frozen as it runs takes twice as long to make.
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def remembering(cls: type[_Made]) -> type[_Made]:
    """The same without slots, and equal to itself alone: room for what is worked out of it once (`cached_property`)."""
    return dataclass(kw_only=True, eq=False)(cls)
