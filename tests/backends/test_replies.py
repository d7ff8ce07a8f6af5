"""What models write instead of JSON, and what is made of it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evpv.backends.replies import ParsedReply, read_json

SIGN = {"type": "object", "properties": {"sign": {"type": "integer"}}, "required": ["sign"]}
LIST = {"type": "array", "items": {"type": "string"}}
WORD = {"type": "object", "properties": {"word": {"type": ["string", "null"]}}, "required": ["word"]}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
FACT = {
    "type": "object",
    "properties": {
        "type": {"enum": ["numeric", "relation"]},
        "value": {"type": "number", "minimum": 0, "maximum": 1000},
        "unit": {"type": ["string", "null"]},
        "sure": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    },
    "required": ["type", "value"],
    "additionalProperties": False,
}
EITHER = {
    "$defs": {
        "number": {
            "type": "object",
            "properties": {"type": {"const": "numeric"}, "value": {"type": "number"}},
            "required": ["type", "value"],
        },
        "relation": {
            "type": "object",
            "properties": {"type": {"const": "relation"}, "of": {"type": "array", "items": {"type": "string"}}},
            "required": ["type", "of"],
        },
    },
    "type": "array",
    "items": {"anyOf": [{"$ref": "#/$defs/number"}, {"$ref": "#/$defs/relation"}]},
}

READ: list[tuple[str, str, dict[str, Any] | None, Any, tuple[str, ...]]] = [
    ("plain", '{"sign": 1}', SIGN, {"sign": 1}, ()),
    ("plain, no schema", "[1, 2]", None, [1, 2], ()),
    ("spaces around", '\n  {"sign": 1}\n', SIGN, {"sign": 1}, ()),
    ("fence", '```json\n{"sign": 1}\n```', SIGN, {"sign": 1}, ("fence",)),
    ("fence without a language", '```\n{"sign": 1}\n```', SIGN, {"sign": 1}, ("fence",)),
    ("fence in prose", 'Here:\n```json\n{"sign": 1}\n```\nDone.', SIGN, {"sign": 1}, ("fence",)),
    ("fence never closed", '```json\n{"sign": 1}', SIGN, {"sign": 1}, ("fence",)),
    ("fence on one line", '```json {"sign": 1} ```', SIGN, {"sign": 1}, ("fence",)),
    ("last of two fences", '```\n{"sign": 1}\n```\nNo:\n```\n{"sign": -1}\n```', SIGN, {"sign": -1}, ("fence",)),
    ("prose before", 'The step is right. {"sign": 1}', SIGN, {"sign": 1}, ("prose",)),
    ("prose after", '{"sign": 1} Hope that helps!', SIGN, {"sign": 1}, ("prose",)),
    ("prose with brackets", 'As [1] says {x}: {"sign": 1} (see [2]).', SIGN, {"sign": 1}, ("prose",)),
    ("a stray bracket before", 'f(x) = [0, 1) so {"sign": 1}', SIGN, {"sign": 1}, ("prose",)),
    ("last of two values", '{"sign": 1} ... wait: {"sign": -1}', SIGN, {"sign": -1}, ("prose",)),
    ("trailing comma", '{"sign": 1,}', SIGN, {"sign": 1}, ("syntax",)),
    ("trailing comma in a list", '["a", "b",]', LIST, ["a", "b"], ("syntax",)),
    ("comma in a string stays", '{"text": "a,}",}', TEXT, {"text": "a,}"}, ("syntax",)),
    ("half object", '{"sign": 1, "why": "bec', SIGN, {"sign": 1, "why": "bec"}, ("half", "syntax")),
    ("half list", '["a", "b', LIST, ["a", "b"], ("half", "syntax")),
    ("half, nested", '[{"type": "numeric", "value": 3}, {"type": "nume', None,
     [{"type": "numeric", "value": 3}, {"type": "nume"}], ("half", "syntax")),
    ("half, nested, with a schema", '[{"type": "numeric", "value": 3}, {"type": "relation", "of": ["AB"', EITHER,
     [{"type": "numeric", "value": 3}, {"type": "relation", "of": ["AB"]}], ("half", "syntax")),
    ("single quotes", "{'sign': 1}", SIGN, {"sign": 1}, ("syntax",)),
    ("bare key", "{sign: 1}", SIGN, {"sign": 1}, ("syntax",)),
    ("missing comma", '{"a": 1 "sign": 1}', SIGN, {"a": 1, "sign": 1}, ("syntax",)),
    ("comment", '{"sign": 1 // right\n}', SIGN, {"sign": 1}, ("syntax",)),
    ("Python's words", "{'sign': 1, 'x': None, 'y': True}", SIGN, {"sign": 1, "x": None, "y": True}, ("syntax",)),
    ("quotes in quotes", '{"text": "say "hi" now"}', TEXT, {"text": 'say "hi" now'}, ("syntax",)),
    ("NaN", '{"sign": 1, "p": NaN}', SIGN, {"sign": 1, "p": None}, ("nan",)),
    ("infinity", '{"sign": 1, "p": -Infinity}', SIGN, {"sign": 1, "p": None}, ("nan",)),
    ("overflow", '{"sign": 1, "p": 1e999}', SIGN, {"sign": 1, "p": None}, ("nan",)),
    ("a number of 400 digits", '{"sign": 1, "p": ' + "9" * 400 + "}", SIGN, {"sign": 1, "p": None}, ("nan",)),
    ("duplicate keys: the last", '{"sign": 1, "sign": -1}', SIGN, {"sign": -1}, ("duplicate-keys",)),
    ("text for a number", '{"sign": "1"}', SIGN, {"sign": 1}, ("text-for-number",)),
    ("signed text", '{"sign": "+1"}', SIGN, {"sign": 1}, ("text-for-number",)),
    ("a real minus", '{"sign": "−1"}', SIGN, {"sign": -1}, ("text-for-number",)),
    ("wide digits", '{"sign": "１２"}', SIGN, {"sign": 12}, ("text-for-number",)),
    ("a plus before a number", '{"sign": +1}', SIGN, {"sign": 1}, ("syntax",)),
    ("truth for a number", '{"sign": true}', SIGN, {"sign": 1}, ("truth-for-number",)),
    ("whole float", '{"sign": 1.0}', SIGN, {"sign": 1}, ()),
    ("number for text", '{"text": 12}', TEXT, {"text": "12"}, ("number-for-text",)),
    ("item for a list", '"a"', LIST, ["a"], ("item-for-list",)),
    ("list wrapped in an object", '{"names": ["a"]}', LIST, ["a"], ("wrapped-list",)),
    ("list for an item", '[{"sign": 1}]', SIGN, {"sign": 1}, ("list-for-item",)),
    ("empty string for null", '{"word": ""}', WORD, {"word": None}, ("text-for-null",)),
    ("the word null", '{"word": "None"}', WORD, {"word": None}, ("text-for-null",)),
    ("missing for null", "{}", WORD, {"word": None}, ("missing-for-null",)),
    ("letter case of a word", '{"type": "Numeric", "value": 1}', FACT, {"type": "numeric", "value": 1}, ("letter-case",)),
    ("key spelling", '{"Type": "numeric", "VALUE": 1}', FACT, {"type": "numeric", "value": 1}, ("key-spelling",)),
    ("unknown key", '{"type": "numeric", "value": 1, "x": 2}', FACT, {"type": "numeric", "value": 1}, ("unknown-key",)),
    ("text for a truth", '{"type": "numeric", "value": 1, "sure": "yes"}', FACT,
     {"type": "numeric", "value": 1, "sure": True}, ("text-for-truth",)),
    ("number for a truth", '{"type": "numeric", "value": 1, "sure": 0}', FACT,
     {"type": "numeric", "value": 1, "sure": False}, ("number-for-truth",)),
    ("one of several forms", '[{"type": "numeric", "value": "3"}, {"type": "relation", "of": "AB"}]', EITHER,
     [{"type": "numeric", "value": 3}, {"type": "relation", "of": ["AB"]}], ("text-for-number", "item-for-list")),
    ("curly quotes", "{“sign”: 1}", SIGN, {"sign": 1}, ("punctuation",)),
    ("wide colon and comma", '{"sign"：1，"x"：2}', SIGN, {"sign": 1, "x": 2}, ("punctuation",)),
    ("wide brackets", '｛"sign"：1｝', SIGN, {"sign": 1}, ("punctuation",)),
    ("Chinese text stays", '{"text"："答案是：“十二”，对。"}', TEXT, {"text": "答案是：“十二”，对。"}, ("punctuation",)),
    ("Chinese in plain JSON", '{"text": "角：90°，对"}', TEXT, {"text": "角：90°，对"}, ()),
    ("curly strings in Chinese prose", "答案如下：{“text”：“边长为 3”}。", TEXT, {"text": "边长为 3"}, ("prose", "punctuation")),
    ("line break in a string", '{"text": "one\ntwo"}', TEXT, {"text": "one\ntwo"}, ("control-characters",)),
    ("control characters", '{"text": "a\x00b"}', TEXT, {"text": "ab"}, ("control-characters",)),
    ("byte order mark", '\ufeff{"sign": 1}', SIGN, {"sign": 1}, ("prose",)),
    ("LaTeX with one backslash", r'{"text": "\sqrt{3} \angle A"}', TEXT, {"text": r"\sqrt{3} \angle A"}, ("backslashes",)),
    ("LaTeX that looks like an escape", r'{"text": "\frac{1}{2} \times \theta"}', TEXT,
     {"text": r"\frac{1}{2} \times \theta"}, ("latex",)),
    ("both kinds of LaTeX", r'{"text": "\(\frac{1}{2}\)"}', TEXT, {"text": r"\(\frac{1}{2}\)"}, ("backslashes", "latex")),
    ("escaped LaTeX stays", r'{"text": "\\frac{1}{2}"}', TEXT, {"text": r"\frac{1}{2}"}, ()),
    ("thoughts", '<think>Is it {"sign": -1}? No.</think>\n{"sign": 1}', SIGN, {"sign": 1}, ("thought",)),
    ("thoughts without a beginning", 'Hmm, {"sign": -1}?</think>{"sign": 1}', SIGN, {"sign": 1}, ("thought",)),
    ("thoughts, then a fence", '<think>…</think>```json\n{"sign": 1}\n```', SIGN, {"sign": 1}, ("thought", "fence")),
    ("a bare number", "1", {"type": "integer"}, 1, ()),
    ("a bare signed number", " +1 ", {"type": "integer"}, 1, ("text-for-number",)),
    ("a bare word", "Yes", {"enum": ["yes", "no"]}, "yes", ("letter-case",)),
    ("script tags are text", '{"text": "<script>alert(1)</script>"}', TEXT, {"text": "<script>alert(1)</script>"}, ()),
]  # fmt: skip

UNREADABLE: list[tuple[str, str | None, dict[str, Any] | None, str]] = [
    ("nothing", None, SIGN, "the answer is empty"),
    ("spaces", "  \n", SIGN, "the answer is empty"),
    ("prose", "I cannot see the figure.", SIGN, "no JSON in the answer"),
    ("still thinking", "<think>Let me see", SIGN, "the answer ended while the model was still thinking"),
    ("wrong type", '{"sign": "good"}', SIGN, "sign: must be integer, not 'good'"),
    ("broken number", '{"sign": 1.5}', SIGN, "sign: must be integer, not 1.5"),
    ("missing", '{"value": 1}', FACT, "'type' is missing"),
    ("not one of the words", '{"type": "shape", "value": 1}', FACT, "type: must be one of"),
    ("out of bounds", '{"type": "numeric", "value": 1001}', FACT, "value: must be from 0 to 1000, not 1001"),
    ("too many items", '{"type": "numeric", "value": 1, "names": ["a", "b", "c", "d"]}', FACT, "names: must have 0 to 3 items"),
    ("place in a list", '[{"type": "numeric", "value": 1}, {"type": "relation"}]', EITHER, "[1]: 'of' is missing"),
    ("NaN where a number must be", '{"sign": NaN}', SIGN, "sign: must be integer, not None"),
    ("too deep", "[" * 500 + "]" * 500, None, "nested"),
    ("far too deep", "[" * 50_000, None, "nested"),
    ("10 MB", '{"sign": 1, "x": "' + "a" * 10_000_000 + '"}', SIGN, "more than 1000000 are not read"),
    ("long and broken", '{"sign": 1, "x": "' + "a" * 200_000, SIGN, "too long to be mended"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "schema", "value", "repairs"), [case[1:] for case in READ], ids=[case[0] for case in READ]
)
def test_what_models_write_is_read(text, schema, value, repairs):  # type: ignore[no-untyped-def]
    reading = read_json(text, schema)
    assert reading.problem is None
    assert reading.repairs == repairs
    assert json.dumps(reading.value) == json.dumps(value), "True and 1 are not the same answer"


@pytest.mark.parametrize(
    ("text", "schema", "problem"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
def test_what_cannot_be_read_says_why(text, schema, problem):  # type: ignore[no-untyped-def]
    begun = time.process_time()
    reading = read_json(text, schema)
    assert reading.value is None
    assert problem in (reading.problem or "")
    assert time.process_time() - begun < 5


def test_there_are_enough_cases():
    assert len(READ) + len(UNREADABLE) >= 60


_PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", "```", "json", "<think>", "</think>", "“", "”", "：", "，", "｛",
     "｝", "NaN", "-Infinity", "true", "null", "1e999", "12", '"sign"', "sign", "\x00", "\\u", "\ud800", "//", "/*", " "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(_PIECES | st.text(max_size=3), max_size=60).map("".join), st.sampled_from([None, SIGN, LIST, FACT, EITHER])
)
def test_no_text_raises_and_what_is_read_is_json(text: str, schema: dict[str, Any] | None):
    reading = read_json(text, schema)
    assert isinstance(reading, ParsedReply)
    assert reading.problem is None or reading.value is None
    json.dumps(reading.value, allow_nan=False)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(_JSON)
def test_json_is_read_as_it_is(value: Any):
    reading = read_json(json.dumps(value))
    assert (reading.value, reading.repairs, reading.problem) == (value, (), None)


@pytest.mark.parametrize("sign", ["{", '{"a":', '{"a" "b" ', '"', "\\", "“", "[{", "```", "{'", "[,", '{"a": 1 ', "{}"])
@pytest.mark.parametrize("count", [1776, 20_000])
def test_repeated_signs_are_refused_or_read_in_bounded_time(sign: str, count: int):
    begun = time.process_time()
    read_json((sign * count)[:99_999], SIGN)
    assert time.process_time() - begun < 10
