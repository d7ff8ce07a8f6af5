"""A model server that answers as told: the fault injector of all suites that ask models."""

from __future__ import annotations

import base64
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One way to answer: a body, and whether a text can be had of it."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    answers: bool = False


def completion(text: Any = "12", **choice: Any) -> bytes:
    message = {"role": "assistant", "content": text}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop", **choice}], "usage": {}}).encode()


def raw(text: str) -> bytes:
    """A completion whose text is JSON source, so that escapes and numbers stand in it as given."""
    return completion("HERE").replace(b'"HERE"', text.encode())


def logprobs(entry: str) -> bytes:
    return completion(logprobs="HERE").replace(b'"HERE"', f'{{"content": {entry}}}'.encode())


def with_usage(usage: str) -> bytes:
    return completion().replace(b'"usage": {}', f'"usage": {usage}'.encode())


DEEP = "[" * 100_000 + "]" * 100_000
MODES: dict[str, Mode] = {
    "plain": Mode(body=completion(), answers=True),
    "empty body": Mode(body=b""),
    "not JSON": Mode(body=b"<html>busy</html>"),
    "not UTF-8": Mode(body=b"\xff\xfe\xfd"),
    "a list": Mode(body=b"[]"),
    "a number": Mode(body=b"7"),
    "null": Mode(body=b"null"),
    "no choices": Mode(body=b"{}"),
    "choices that are none": Mode(body=b'{"choices": {"a": 1}}'),
    "a choice that is none": Mode(body=b'{"choices": [7]}'),
    "no message": Mode(body=b'{"choices": [{}]}'),
    "text in parts": Mode(body=completion([{"type": "text", "text": "12"}, 7]), answers=True),
    "text that is a number": Mode(body=completion(12)),
    "a lone surrogate": Mode(body=raw('"\\ud800 12"'), answers=True),
    "NUL in the text": Mode(body=raw('"\\u0000 12"'), answers=True),
    "terminal escapes": Mode(body=raw('"\\u001b[2J 12"'), answers=True),
    "deep text": Mode(body=completion(DEEP), answers=True),
    "deep JSON": Mode(body=DEEP.encode()),
    "an infinite logprob": Mode(body=logprobs('[{"token": "12", "logprob": 1e999}]'), answers=True),
    "a logprob of minus infinity": Mode(body=logprobs('[{"token": "12", "logprob": -Infinity}]'), answers=True),
    "a logprob that is not a number": Mode(body=logprobs('[{"token": "12", "logprob": NaN}]'), answers=True),
    "a logprob of 400 digits": Mode(body=logprobs('[{"token": "12", "logprob": ' + "9" * 400 + "}]"), answers=True),
    "logprobs that are an object": Mode(body=logprobs('{"token": "12"}'), answers=True),
    "odd tokens": Mode(body=logprobs('[{"token": null, "logprob": -1, "top_logprobs": 7}, null]'), answers=True),
    "usage of 400 digits": Mode(body=with_usage('{"prompt_tokens": ' + "9" * 400 + "}"), answers=True),
    "infinite usage": Mode(body=with_usage('{"prompt_tokens": 1e999, "completion_tokens": -5}'), answers=True),
    "usage that is a list": Mode(body=with_usage("[1]"), answers=True),
    "a finish that is an object": Mode(body=completion(finish_reason={"a": 1}), answers=True),
    "too long": Mode(body=completion("x" * 33_000_000)),
    "too long when unpacked": Mode(body=gzip.compress(completion("x" * 200_000_000)), headers=(("Content-Encoding", "gzip"),)),
    "packed and torn": Mode(body=gzip.compress(completion())[:20], headers=(("Content-Encoding", "gzip"),)),
    "sent elsewhere": Mode(body=b"", status=307, headers=(("Location", "http://127.0.0.1:9/v1/chat/completions"),)),
    "refused": Mode(body=b'{"error": {"message": "no"}}', status=403),
    "refused without a word": Mode(body=b"", status=403),
    "an error of odd form": Mode(body=b'{"error": [1, {"message": 2}]}', status=404),
}  # fmt: skip
ESCAPED: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "for JSON": lambda key: "".join(f"\\u{ord(c):04x}" for c in key),
    "for JSON, in part": lambda key: key[:5] + "".join(f"\\u{ord(c):04X}" for c in key[5:]),
    "for Python": lambda key: "".join(f"\\\\x{ord(c):02x}" for c in key),
    "for a URL": lambda key: "".join(f"%{ord(c):02X}" for c in key),
    "for HTML": lambda key: "".join(f"&#{ord(c)};" for c in key),
    "for HTML, in hexadecimal": lambda key: "".join(f"&#x{ord(c):x};" for c in key),
    "twice for JSON": lambda key: "".join(f"\\\\u{ord(c):04x}" for c in key),
}


@contextmanager
def model_server(mode: Callable[[dict[str, Any]], Mode]) -> Iterator[str]:
    """The address of a server, while it runs, that answers each question by a mode."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            chosen = mode(asked)
            self.send_response(chosen.status)
            for name, value in chosen.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(chosen.body)))
            self.end_headers()
            try:
                self.wfile.write(chosen.body)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def encoded(key: str) -> str:
    return base64.b64encode(key.encode()).decode()
