"""Validation of JSON objects by pydantic, with errors in our words and the field's full path."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails

from evpv.errors import RecordError
from evpv.records.lines import value_text


class Form(BaseModel):
    """The shape of one JSON object. Types are taken to the letter; unknown fields are kept for `extra`."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False, protected_namespaces=())

    @property
    def extra(self) -> dict[str, Any]:
        return self.model_extra or {}


class OrString:
    """Marks a form that may also be given as a bare string, for the JSON Schema; a BeforeValidator does the reading."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, handler(schema)]}


def _number_as_text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


TextOrNumber = Annotated[
    str, BeforeValidator(_number_as_text), WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}]})
]
"""Text, or a number which is taken as its text: answers and ids are often written so."""

Identifier = Annotated[
    str,
    Field(min_length=1),
    BeforeValidator(_number_as_text),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"type": "number"}]}),
]

NonEmpty = Annotated[str, Field(min_length=1)]

FormType = TypeVar("FormType")

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


def validate(adapter: TypeAdapter[FormType], value: Any) -> FormType:
    """The value in its form, or a RecordError naming the first field that is wrong and what was expected there."""
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
        raise RecordError(_message(details), field=_path(details["loc"])) from None


def within(field: str, error: RecordError) -> RecordError:
    """The same error one level further out: "text" in "steps[1]" is "steps[1].text"."""
    inner = error.field or ""
    joint = "" if not inner or inner.startswith("[") else "."
    return RecordError(error.message, field=f"{field}{joint}{inner}")


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
