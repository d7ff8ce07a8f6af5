"""A value held against a JSON Schema, and bent to it where the meaning is plain: "12" for 12, one thing for a list of it.

The keywords are those that schemas of answers use: type, enum, const, properties, required, additionalProperties,
items, the bounds, pattern, anyOf/oneOf/allOf, $ref. Others are ignored. The whole of JSON Schema would validate no
more of what models get wrong, and validates without saying how to mend it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_Schema = Mapping[str, Any]
_NULL_WORDS = {"", "null", "none", "n/a", "nan"}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str, "boolean": bool, "null": type(None), "array": list, "object": dict, "number": (int, float),
}  # fmt: skip
_NUMBER = re.compile(r"[+\-−]?\d+(?:[.．]\d+)?(?:[eE][+\-]?\d{1,3})?")


def closed_object(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has these properties, all of them and no others, as OpenAI's strict mode wants it."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A value that the schema accepts, and the names of what was bent."""

    value: Any
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Where a value does not fit, and what was expected there."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


_Result = Fit | Misfit


def fit_to_schema(value: Any, schema: _Schema) -> _Result:
    """The value as the schema wants it, or where and why it cannot be.

    >>> fit_to_schema({"value": "12"}, {"type": "object", "properties": {"value": {"type": "number"}}})
    Fit(value={'value': 12}, repairs=('text-for-number',))
    >>> print(fit_to_schema({"value": "long"}, {"type": "object", "properties": {"value": {"type": "number"}}}))
    value: must be number, not 'long'
    """
    return _Fitting(schema).fit(value, schema, "")


def wants_container(schema: _Schema) -> bool:
    """Whether the schema's values are objects or arrays, so that an answer must hold brackets."""
    found = _reference_target(schema, schema)
    if "enum" in found or "const" in found:
        return any(isinstance(value, dict | list) for value in found.get("enum", [found.get("const")]))
    kinds = _kinds(found)
    return not kinds or bool({"object", "array"} & set(kinds))


@dataclass(frozen=True, slots=True)
class _Fitting:
    """One pass over a value; `root` is where references lead."""

    root: _Schema

    def fit(self, value: Any, schema: _Schema, place: str) -> _Result:
        schema = _reference_target(schema, self.root)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._any_of(value, schema[keyword], place)
        for part in schema.get("allOf", ()):
            found = self.fit(value, part, place)
            if isinstance(found, Misfit):
                return found
            value = found.value
        if "const" in schema:
            return _one_of(value, [schema["const"]], place)
        if "enum" in schema:
            return _one_of(value, schema["enum"], place)
        kinds = _kinds(schema)
        return self._of_kinds(value, kinds, schema, place) if kinds else Fit(value=value)

    def _any_of(self, value: Any, forms: Sequence[_Schema], place: str) -> _Result:
        """The form that needs the least bending; if none fits, the complaint of the one that the value names itself."""
        found = [self.fit(value, form, place) for form in forms]
        fits = [result for result in found if isinstance(result, Fit)]
        if fits:
            return min(fits, key=lambda fit: len(fit.repairs))
        for form, result in zip(forms, found, strict=True):
            parts = _reference_target(form, self.root).get("properties", {})
            # by these constants, such as its type, a form is told from its neighbours
            constants = {name: part["const"] for name, part in parts.items() if "const" in part}
            if isinstance(value, dict) and constants and constants.items() <= value.items():
                return result
        return found[0] if found else Misfit(place=place, message="nothing fits")

    def _of_kinds(self, value: Any, kinds: Sequence[str], schema: _Schema, place: str) -> _Result:
        bent = _bend(value, kinds)
        if bent is None:
            return Misfit(place=place, message=f"must be {' or '.join(kinds)}, not {_excerpt(value)}")
        if isinstance(bent.value, dict):
            inner = self._object(bent.value, schema, place)
        elif isinstance(bent.value, list):
            inner = self._array(bent.value, schema, place)
        else:
            inner = _within_bounds(bent.value, schema, place)
        return inner if isinstance(inner, Misfit) else Fit(value=inner.value, repairs=bent.repairs + inner.repairs)

    def _object(self, value: dict[str, Any], schema: _Schema, place: str) -> _Result:
        properties: Mapping[str, _Schema] = schema.get("properties", {})
        others: _Schema | bool = schema.get("additionalProperties", True)
        fields, repairs = _by_schema_names(value, properties)
        result: dict[str, Any] = {}
        for name, item in fields.items():
            form: _Schema | bool = properties.get(name, others)
            if form is False:
                repairs.append("unknown-key")
                continue
            found = Fit(value=item) if isinstance(form, bool) else self.fit(item, form, f"{place}.{name}".lstrip("."))
            if isinstance(found, Misfit):
                return found
            result[name] = found.value
            repairs += found.repairs
        for name in schema.get("required", ()):
            if name not in result:
                if "null" not in _kinds(_reference_target(properties.get(name, {}), self.root), self.root):
                    return Misfit(place=place, message=f"{name!r} is missing")
                result[name] = None
                repairs.append("missing-for-null")
        return Fit(value=result, repairs=tuple(repairs))

    def _array(self, value: list[Any], schema: _Schema, place: str) -> _Result:
        fewest, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        if not fewest <= len(value) <= most:
            return Misfit(place=place, message=f"must have {fewest} to {most} items, not {len(value)}")
        if "items" not in schema or isinstance(schema["items"], bool):
            return Fit(value=value)
        items: list[Any] = []
        repairs: list[str] = []
        for index, item in enumerate(value):
            found = self.fit(item, schema["items"], f"{place}[{index}]")
            if isinstance(found, Misfit):
                return found
            items.append(found.value)
            repairs += found.repairs
        return Fit(value=items, repairs=tuple(repairs))


def _reference_target(schema: _Schema, root: _Schema) -> _Schema:
    """The schema that a local reference leads to; a chain of references is followed a few steps."""
    for _ in range(10):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return schema
        target: Any = root
        for part in reference.lstrip("#/").split("/") if reference != "#" else ():
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        schema = target if isinstance(target, Mapping) else {}
    return schema


def _kinds(schema: _Schema, root: _Schema | None = None) -> tuple[str, ...]:
    """The types a schema allows, by its own word or by what its other keywords imply."""
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return (kinds,)
    if kinds:
        return tuple(kinds)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return tuple(
                kind for form in schema[keyword] for kind in _kinds(_reference_target(form, root or schema), root)
            )
    if "properties" in schema:
        return ("object",)
    return ("array",) if "items" in schema else ()


def _bend(value: Any, kinds: Sequence[str]) -> Fit | None:
    """The value as one of the types, bent only where it is not one already."""
    if "null" in kinds and _is_null_word(value):
        return Fit(value=None, repairs=("text-for-null",))
    if any(_is_kind(value, kind) for kind in kinds):
        return Fit(value=int(value) if isinstance(value, float) and "number" not in kinds else value)
    return next(filter(None, (_to_kind(value, kind) for kind in kinds)), None)


def _is_null_word(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in _NULL_WORDS


def _is_kind(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES.get(kind, object))


def _to_kind(value: Any, kind: str) -> Fit | None:
    """The value bent to another type where its meaning is plain; a list from a lone item, or out of what only wraps it."""
    match kind, value:
        case "number" | "integer", bool():
            return Fit(value=int(value), repairs=("truth-for-number",))
        case "number" | "integer", str() if _NUMBER.fullmatch(text := value.strip()):
            number = float(text.replace("−", "-").replace("．", "."))
            if math.isfinite(number) and (kind == "number" or number.is_integer()):
                return Fit(value=int(number) if number.is_integer() else number, repairs=("text-for-number",))
        case "boolean", str() | int() if (word := str(value).strip().lower()) in _TRUTHS:
            return Fit(value=_TRUTHS[word], repairs=(f"{'text' if isinstance(value, str) else 'number'}-for-truth",))
        case "string", int() | float() if not isinstance(value, bool):
            return Fit(value=str(value), repairs=("number-for-text",))
        case "array", dict() if len(value) == 1 and isinstance(inner := next(iter(value.values())), list):
            return Fit(value=inner, repairs=("wrapped-list",))
        case "array", _ if value is not None:
            return Fit(value=[value], repairs=("item-for-list",))
        case "object", [dict() as only]:
            return Fit(value=only, repairs=("list-for-item",))
    return None


def _one_of(value: Any, allowed: Sequence[Any], place: str) -> _Result:
    """One of the allowed values; words may differ in case and spaces, numbers may come as text."""
    for choice in allowed:
        if type(choice) is type(value) and choice == value:
            return Fit(value=choice)
    number = _bend(value, ("number",))
    for choice in allowed:
        if isinstance(choice, str) and isinstance(value, str) and choice.lower() == value.strip().lower():
            return Fit(value=choice, repairs=("letter-case",))
        if choice is None and _is_null_word(value):
            return Fit(value=None, repairs=("text-for-null",))
        if number is not None and _is_kind(choice, "number") and number.value == choice:
            return Fit(value=choice, repairs=number.repairs)
    return Misfit(place=place, message=f"must be one of {_excerpt(list(allowed))}, not {_excerpt(value)}")


def _within_bounds(value: Any, schema: _Schema, place: str) -> _Result:
    if isinstance(value, str):
        fewest, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
        if not fewest <= len(value) <= most:
            return Misfit(place=place, message=f"must have {fewest} to {most} characters, not {len(value)}")
        if "pattern" in schema and len(value) <= 10_000 and not re.search(schema["pattern"], value):
            return Misfit(place=place, message=f"must match {schema['pattern']!r}, not {_excerpt(value)}")
    elif _is_kind(value, "number"):
        least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
        above, below = schema.get("exclusiveMinimum", -math.inf), schema.get("exclusiveMaximum", math.inf)
        if not (least <= value <= most and above < value < below):
            return Misfit(place=place, message=f"must be from {max(least, above)} to {min(most, below)}, not {value}")
    return Fit(value=value)


def _by_schema_names(value: Mapping[str, Any], properties: Mapping[str, _Schema]) -> tuple[dict[str, Any], list[str]]:
    """The fields under the schema's names: a key may differ in case, spaces and joining signs."""
    known = {_plain_letters(name): name for name in properties}
    fields: dict[str, Any] = {}
    repairs: list[str] = []
    for key, item in value.items():
        name = key if key in properties else known.get(_plain_letters(key), key)
        if name != key and (name in value or name in fields):
            name = key
        elif name != key:
            repairs.append("key-spelling")
        fields[name] = item
    return fields, repairs


def _plain_letters(name: str) -> str:
    return re.sub(r"[\s_\-]", "", name).lower()


def _excerpt(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
