"""Records between dataclasses and JSON, both ways, from the dataclasses themselves: one table each says where the two differ.

A `Codec` reads by pydantic, with errors in our words and the field's full path; writes what says something; and is the
JSON Schema. What a record of others has beside known fields is kept in `extra`; a dataclass without `extra` refuses it.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property, reduce
from operator import or_
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, Union, get_args, get_origin

import pydantic
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails

from evpv.errors import RecordError
from evpv.records.lines import JsonObject, value_text, with_extra

_Value = TypeVar("_Value")
_Nested = TypeVar("_Nested", contravariant=True)


class OrString:
    """Marks a record that may also be given as a bare string, for the JSON Schema; a BeforeValidator does the reading."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, handler(schema)]}


def _number_as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


TextOrNumber = Annotated[
    str, BeforeValidator(_number_as_text), pydantic.WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}]})
]
"""Text, or a number which is taken as its text: answers and ids are often written so."""
Identifier = Annotated[
    str,
    Field(min_length=1),
    BeforeValidator(_number_as_text),
    pydantic.WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"type": "number"}]}),
]
NonEmpty = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class _NestedCodec(Protocol[_Nested]):
    """What a codec needs of the codec of a field: how it is read, and how it is written."""

    @property
    def hint(self) -> Any: ...
    def write(self, value: _Nested, /) -> JsonObject: ...


class _Member(NamedTuple):
    """One field: its names here and in JSON, when and how it is written, and what may be read."""

    name: str
    key: str
    always: bool
    default: Any
    encode: Callable[[Any], Any] | None
    shape: tuple[Any, Any]


@dataclass(frozen=True, kw_only=True)
class Codec(Generic[_Value]):
    """How the dataclass `kind` lies in JSON, called `name` in schemas. Without tables: every field under its name, left out at its default.

    `types` narrow what may be read (a pair gives a default too), `nested` are the codecs of fields that are records,
    alone or in a tuple, and `parts` of those whose fields lie flat among these. `names` are keys that differ, `constants`
    keys that are no field, `encoders` write what is no list of its values, `omitted` fields are not told, `written` ones
    at their default too, and `required` ones must be there. `build` makes the value; it raises ValueError where fields
    contradict each other.
    """

    kind: type[_Value]
    name: str = ""
    types: Mapping[str, Any] = field(default_factory=dict)
    nested: Mapping[str, _NestedCodec[Any]] = field(default_factory=dict)
    parts: Mapping[str, Codec[Any]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str | int] = field(default_factory=dict)
    encoders: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    omitted: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    build: Callable[..., Any] | None = None

    @property
    def hint(self) -> Any:
        """The annotation by which pydantic reads the record as its value."""
        return Annotated[
            self.model, AfterValidator(lambda found: self._taken_from(found.__dict__, found.__pydantic_extra__ or {}))
        ]

    @cached_property
    def model(self) -> type[BaseModel]:
        """The JSON object alone, for documents."""
        others: Literal["allow", "forbid"] = "allow" if self._extra_owner is not None else "forbid"
        config = ConfigDict(strict=True, extra=others, allow_inf_nan=False, protected_namespaces=())
        name = self.name or self.kind.__name__
        return pydantic.create_model(name, __config__=config, __doc__=self.kind.__doc__, **self._shapes)

    @cached_property
    def adapter(self) -> TypeAdapter[_Value]:
        return TypeAdapter(self.hint)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The known fields of the JSON object."""
        return tuple(self._shapes)

    def read(self, value: Any) -> _Value:
        """The value of a JSON object, or a RecordError naming the first field that is wrong."""
        return validate(self.adapter, value)

    @cached_property
    def write(self) -> Callable[[_Value], JsonObject]:
        """Makes a value its JSON object: written out once from the tables, as `dataclass` does; walking them takes twice the time."""
        given: dict[str, Any] = {"with_extra": with_extra, "reserved": self.keys}
        owner = self._extra_owner
        extra = f"value.{owner}.extra" if owner else "value.extra"
        lines = [
            "def write(value):",
            f"    known = {dict(self.constants)!r}",
            *(f"    {line}" for line in self._writing("value", given)),
            "    return known" if owner is None else f"    return with_extra(known, {extra}, reserved=reserved)",
        ]
        exec("\n".join(lines), given)
        written: Callable[[_Value], JsonObject] = given["write"]
        return written

    def _writing(self, value: str, given: dict[str, Any]) -> Iterator[str]:
        """The lines that put the fields of `value` into `known`, and in `given` what they name."""
        for name, part in self.parts.items():
            yield f"{value}_{name} = {value}.{name}"
            yield f"if {value}_{name} is None:"
            yield f"    known |= {dict.fromkeys(part.always_written)!r}"
            yield "else:"
            yield from (f"    {line}" for line in (*part._writing(f"{value}_{name}", given), "pass"))
        for member in self._members:
            number = len(given)
            given |= {f"default_{number}": member.default, f"encode_{number}": member.encode}
            yield f"one = {value}.{member.name}"
            encode = "one" if member.encode is None else f"None if one is None else encode_{number}(one)"
            condition = "" if member.always else f"if one is not default_{number} and one != default_{number}: "
            yield f"{condition}known[{member.key!r}] = {encode}"

    @cached_property
    def _members(self) -> tuple[_Member, ...]:
        hints, members = typing.get_type_hints(self.kind), []
        for one in fields(self.kind):  # type: ignore[arg-type]
            name, hint, nested = one.name, hints[one.name], self.nested.get(one.name)
            if name in (*self.omitted, *self.parts, "extra"):
                continue
            default = one.default if one.default_factory is MISSING else one.default_factory()
            read = self.types.get(name) or _json_hint(hint, nested)
            must = default is MISSING or name in self.required
            member = _Member(
                name=name,
                key=self.names.get(name, name),
                shape=read if isinstance(read, tuple) else (read, ... if must else default),
                encode=self.encoders.get(name) or _encoder(hint, nested),
                always=must or name in self.written,
                default=default,
            )
            members.append(member)
        return tuple(members)

    @cached_property
    def _shapes(self) -> dict[str, Any]:
        shapes: dict[str, Any] = {name: (Literal[value], ...) for name, value in self.constants.items()}
        for part in self.parts.values():
            shapes |= part._shapes
        return shapes | {member.key: member.shape for member in self._members}

    @cached_property
    def _extra_owner(self) -> str | None:
        """The part that keeps unknown fields, "" for the value itself, None where they are refused."""
        owners = {"": self.kind, **{name: part.kind for name, part in self.parts.items()}}
        return next((name for name, kind in owners.items() if "extra" in {one.name for one in fields(kind)}), None)

    @cached_property
    def _pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((member.name, member.key) for member in self._members)

    def _taken_from(self, found: Mapping[str, Any], extra: JsonObject) -> _Value:
        values = {name: found[key] for name, key in self._pairs}
        for name, part in self.parts.items():
            values[name] = part._taken_from(found, extra)
        if self._extra_owner == "":
            values["extra"] = extra
        return (self.build or self.kind)(**values)

    @cached_property
    def always_written(self) -> tuple[str, ...]:
        """The keys that are always written; they are null where an optional part is not there."""
        return tuple(member.key for member in self._members if member.always)


def _without_none(hint: Any) -> Any:
    """The type that may be null, or None where the hint is none that may be."""
    if get_origin(hint) not in (Union, UnionType) or NoneType not in get_args(hint):
        return None
    return reduce(or_, (part for part in get_args(hint) if part is not NoneType))


def array_of(hint: Any, *, least: int | None = None, most: int | None = None) -> Any:
    """The annotation of a JSON array that is read as a tuple."""
    return Annotated[list[hint], Field(min_length=least, max_length=most), AfterValidator(tuple)]


def _json_hint(hint: Any, nested: _NestedCodec[Any] | None) -> Any:
    """What pydantic is to read for a field of this type. Tuples are arrays; whole numbers count or number something."""
    if (present := _without_none(hint)) is not None:
        return _json_hint(present, nested) | None
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        length = None if parts[-1] is Ellipsis else len(parts)
        return array_of(_json_hint(parts[0], nested), least=length, most=length)
    if nested is not None:
        return nested.hint
    if get_origin(hint) is Mapping:
        return GenericAlias(dict, parts)
    return Annotated[int, Field(ge=0)] if hint is int else hint


def _encoder(hint: Any, nested: _NestedCodec[Any] | None) -> Callable[[Any], Any] | None:
    """What makes JSON of a field of this type; None where it is JSON already."""
    if (present := _without_none(hint)) is not None:
        return _encoder(present, nested)
    if get_origin(hint) is tuple:
        each = _encoder(get_args(hint)[0], nested)
        return list if each is None else lambda values: [each(value) for value in values]
    if nested is not None:
        return nested.write
    return dict if get_origin(hint) is Mapping else None


_EXPECTED = {
    "string_type": "a string",
    "float_type": "a number",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "finite_number": "a finite number",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "literal_error": "{expected}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "string_too_short": "a string that is not empty",
    "too_short": "an array of at least {min_length}",
    "too_long": "an array of at most {max_length}",
    "string_pattern_mismatch": "a string without null characters",
}


def validate(adapter: TypeAdapter[_Value], value: Any) -> _Value:
    """The value as its type, or a RecordError naming the first field that is wrong and what was expected there."""
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
        raise RecordError(_message(details), field=_path(details["loc"])) from None


@contextmanager
def within(field: str) -> Iterator[None]:
    """What is wrong inside is told one level further out: "text" in "steps[1]" is "steps[1].text"."""
    try:
        yield
    except RecordError as error:
        inner = error.field or ""
        joint = "" if not inner or inner.startswith("[") else "."
        raise RecordError(error.message, field=f"{field}{joint}{inner}") from None


def _path(location: tuple[int | str, ...]) -> str | None:
    """`candidates[0].steps[1].text`; the names of union members, written <so>, are not fields."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif not part.startswith("<"):
            path += f".{part}" if path else part
    return path or None


def _message(details: ErrorDetails) -> str:
    kind = details["type"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is not a field that belongs here"
    if kind in ("form", "value_error"):
        return details["msg"].removeprefix("Value error, ")
    expected = _EXPECTED[kind].format(**details.get("ctx", {})) if kind in _EXPECTED else details["msg"]
    return f"must be {expected}, not {value_text(details['input'])}"
