"""The rule model behind an OpenAI-compatible address, for a study that manages it: `rule_server.py PORT LOG PAUSE_S`."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from study_model import RuleModel

from evpv.protocols import ChatRequest, Sampling


def request_of(body: dict[str, Any]) -> ChatRequest:
    """The question as the model's own rules know it; who asks is told from its words."""
    [content] = [turn["content"] for turn in body["messages"] if turn["role"] == "user"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    prompt = "\n".join(part["text"] for part in parts if part["type"] == "text")
    images = tuple(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    told = (("CURRENT", "judge"), ("reasoningprocess", "sample"))
    stage = next((stage for word, stage in told if word in prompt), "extract")
    sampling = Sampling(temperature=body.get("temperature", 0.0), top_p=body.get("top_p", 1.0), seed=body.get("seed"))
    return ChatRequest(prompt=prompt, images=images, schema=body.get("response_format"), sampling=sampling, stage=stage)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": "rule", "object": "model", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        [reply] = RuleModel(log=sys.argv[2], pause_s=float(sys.argv[3])).ask([request_of(body)])
        text = (reply.text or "").replace(
            '"value": 7,', '"value": 7, "unit": null,'
        )  # as a server that keeps to the schema
        message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        used = {"prompt_tokens": reply.usage.prompt_tokens, "completion_tokens": reply.usage.completion_tokens}
        kind = {"id": "rule", "object": "chat.completion", "created": 0, "model": "rule"}
        self._send({**kind, "choices": [message], "usage": {**used, "total_tokens": sum(used.values())}})

    def _send(self, said: dict[str, Any]) -> None:
        text = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
