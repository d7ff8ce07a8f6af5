"""A teacher for tests: a backend that a recipe can name, which answers with a list of facts, wrongly when asked for pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from evpv.protocols import ChatReply, ChatRequest, Usage


class ScriptedTeacher:
    """Every picture has a segment AB of length 3; a careless reader sees 8."""

    name = "scripted-teacher"

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [self._reply(request) for request in requests]

    def _reply(self, request: ChatRequest) -> ChatReply:
        fact: dict[str, Any] = {"category": "numeric", "entity": "segment AB", "attribute": "length", "unit": "cm"}
        fact |= {"value": 8 if request.stage == "pair" else 3, "confidence": 0.9}
        return ChatReply(text=json.dumps([fact]), finish="stop", usage=Usage(calls=1, images=len(request.images)))
