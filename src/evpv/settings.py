"""Settings as a person wrote them, checked by pydantic at the door: tables of a recipe become values of their own types.

One place for all of them, so that a wrong setting is told alike wherever it stands: its name, its value, what may be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import PydanticSchemaGenerationError, TypeAdapter, ValidationError

from evpv.errors import ConfigError, unknown_name

_Settings = TypeVar("_Settings")


def settings_from(kind: type[_Settings], given: Mapping[str, Any] | _Settings | None, what: str) -> _Settings:
    """A table of settings as the dataclass that it fills; one that is filled already stays as it is.

    >>> from evpv.protocols import Sampling
    >>> settings_from(Sampling, {"max_tokens": 12}, "sampling").max_tokens
    12
    >>> settings_from(Sampling, {"max_tokens": "many"}, "sampling")
    Traceback (most recent call last):
    evpv.errors.ConfigError: 'max_tokens' of sampling cannot be 'many': Input should be a valid integer, unable to parse string as an integer.
    """
    if isinstance(given, kind):
        return given
    table: Mapping[str, Any] = given or {}  # type: ignore[assignment]
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    return kind(**checked_settings(get_type_hints(kind), known, table, what))


def check_fields(value: Any, what: str) -> None:
    """Refuse a dataclass that was filled by hand with what its types do not allow, as a recipe's table would be."""
    given = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    checked_settings(get_type_hints(type(value)), list(given), given, what)


def require_positive(part: Any, *names: str) -> None:
    for name in names:
        if getattr(part, name) < 1:
            raise ConfigError(f"{name!r} must be at least 1.")


def checked_settings(hints: Mapping[str, Any], known: list[str], given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The given settings as their types say; one that is unknown or does not fit is named."""
    for name in given:
        if name not in known:
            raise unknown_name(f"setting of {what}:", name, known)
    return {name: _checked_value(hints.get(name, Any), name, value, what) for name, value in given.items()}


def _checked_value(hint: Any, name: str, value: Any, what: str) -> Any:
    """A plain value as its type says; tables and live parts are checked by whom they are given to."""
    adapter = _adapter(hint) if isinstance(value, str | int | float | list) else None
    if adapter is None:
        return value
    if isinstance(value, str) and get_origin(hint) is Literal and value not in get_args(hint):
        raise unknown_name(f"value of {name!r} in {what}:", value, get_args(hint))
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        reasons = dict.fromkeys(one["msg"] for one in error.errors(include_url=False))
        raise ConfigError(f"{name!r} of {what} cannot be {value!r}: {'; or '.join(reasons)}.") from None


@cache
def _adapter(hint: Any) -> TypeAdapter[Any] | None:
    try:
        return TypeAdapter(hint)
    except PydanticSchemaGenerationError:
        return None  # a plug-in point: whatever has its methods fits


def dotted_pairs(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested tables as pairs of dotted name and value, as `--set` takes them.

    >>> list(dotted_pairs({"judge": {"use": "checks", "evidence": True}}))
    [('judge.use', 'checks'), ('judge.evidence', True)]
    """
    if not isinstance(value, Mapping):
        yield name, list(value) if isinstance(value, tuple) else value
        return
    for key, inner in value.items():
        yield from dotted_pairs(inner, f"{name}.{key}" if name else str(key))
