"""Lists as answers: asked for as they are, or inside an object where a server insists on one, out of which they come again."""

from __future__ import annotations

import pytest

from evpv.backends.wire import Dialect, body, next_dialect, reply
from evpv.protocols import ChatRequest

LIST = {"type": "array", "items": {"type": "integer"}}


def said(text: str, schema: dict[str, object] | None = LIST) -> str | None:
    payload = {"choices": [{"finish_reason": "stop", "message": {"content": text}}]}
    return reply(payload, ChatRequest(prompt="?", schema=schema)).text


def test_a_list_is_asked_for_as_it_is_and_inside_an_object_once_that_is_refused() -> None:
    question = ChatRequest(prompt="?", schema=LIST)
    bare = body("m", question, (), Dialect(), ())
    assert bare["response_format"]["json_schema"]["schema"] == LIST
    refused = next_dialect(Dialect(), "schema must be of type object", bare)
    assert refused == Dialect(wraps=True)
    sent = body("m", question, (), refused, ())
    assert next_dialect(refused, "schema must be of type object", sent) == Dialect(wraps=True, schema="prompted")
    form = sent["response_format"]["json_schema"]
    assert form["schema"]["type"] == "object"
    assert form["schema"]["properties"]["answer"] == LIST
    assert form["strict"] is True


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"answer": [1, 2]}', "[1, 2]"),
        ("[1, 2]", "[1, 2]"),  # a server that does not enforce schemas answers as the prompt asks
        ('{"answer": [1, 2', '{"answer": [1, 2'),
        ('{"answer": [1], "more": 2}', '{"answer": [1], "more": 2}'),
    ],
)
def test_it_comes_out_of_the_object_again_and_nothing_else_is_touched(text: str, read: str) -> None:
    assert said(text) == read


def test_an_object_that_was_asked_for_stays_an_object() -> None:
    assert said('{"answer": 1}', {"type": "object", "properties": {"answer": {"type": "integer"}}}) == '{"answer": 1}'
