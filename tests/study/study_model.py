"""A model that answers by rule and writes down every call, in whatever process it is asked: the account behind the ledger."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256

from evpv.protocols import ChatReply, ChatRequest, Description, Usage

FACTS = [
    {"category": "numeric", "entity": "AB", "attribute": "length", "value": 12, "unit": "cm", "confidence": 0.9},
    {"category": "numeric", "entity": "CD", "attribute": "length", "value": 5, "unit": "cm", "confidence": 0.9},
]


class RuleModel:
    """Reads every figure alike, finds steps with "15" wrong, and writes solutions that are right for some variants."""

    def __init__(self, log: str, name: str = "rule", pause_s: float = 0.0) -> None:
        self.name, self._log, self._pause_s = name, log, pause_s

    @property
    def description(self) -> Description:
        """Replies are handed over as they come, so that each is stored before the next is asked."""
        return Description(stream=self.stream)

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        return [reply for _, reply in self.stream(requests)]

    def stream(self, requests: Sequence[ChatRequest]) -> Iterator[tuple[int, ChatReply]]:
        for place, request in enumerate(requests):
            yield place, self._reply(request)

    def _reply(self, request: ChatRequest) -> ChatReply:
        said = json.dumps([request.prompt, request.images, str(request.sampling), request.schema is None])
        line = json.dumps({"stage": request.stage, "key": sha256(said.encode()).hexdigest(), "pid": os.getpid()})
        with open(self._log, "a", encoding="utf-8") as log:
            log.write(line + "\n")
        time.sleep(self._pause_s)
        text = self._text(request)
        words = {"prompt_tokens": len(request.prompt.split()), "completion_tokens": len(text.split())}
        return ChatReply(text=text, finish="stop", usage=Usage(calls=1, images=len(request.images), **words))

    def _text(self, request: ChatRequest) -> str:
        if request.stage == "extract":
            seen = sha256(f"{request.prompt} {request.sampling}".encode()).hexdigest()[:6]
            other = {"category": "numeric", "entity": seen, "attribute": "length", "value": 7, "confidence": 0.9}
            return f"AB is 12 cm long, {seen}." if request.schema is None else json.dumps([*FACTS, other])
        if request.stage == "sample":
            answer = "12" if request.sampling.seed is not None and request.sampling.seed % 3 else "15"
            step = {"steptext": f"AB is {answer} cm.", "visualdependency": f"AB = {answer} cm"}
            return json.dumps({"reasoningprocess": [step], "finalanswer": answer})
        step = request.prompt.rpartition("CURRENT")[2]
        return json.dumps({"judgment": -1 if "15" in step else 1})
