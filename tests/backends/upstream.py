"""A model server for tests: a process of its own that speaks as much HTTP as the client needs, and counts.

usage: upstream.py [--delay 0.0] [--mode MODE]

Prints its port and then serves until it is ended. POST /v1/chat/completions answers with the prompt's own text behind
"echo: " (so that a reply can be matched to its request) after `--delay` seconds. GET /counts gives how often each prompt
was asked; GET /last the body of the last question with its headers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from typing import Any

counts: Counter[str] = Counter()
last: dict[str, Any] = {}


async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float, mode: str) -> None:
    """All requests of one connection, one after another."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, path, _ = head.split("\r\n", 1)[0].split(" ")
            lines = [line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line]
            headers = {name.lower(): value for name, value in lines}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            status, answer = await respond(method, path, headers, body, (delay, mode))
            content = json.dumps(answer).encode()
            writer.write(
                b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
                % (status, len(content))
            )
            writer.write(content)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def respond(
    method: str, path: str, headers: dict[str, str], body: bytes, dialect: tuple[float, str]
) -> tuple[int, Any]:
    """Status and answer for one request."""
    delay, mode = dialect
    if method == "GET":
        models = {"data": [{"id": "tiny", "owned_by": mode.partition("-")[0]}]}
        return 200, {"/counts": dict(counts), "/last": last, "/v1/models": models}.get(path, {})
    question = json.loads(body)
    if path == "/tokenize":
        return 200, {"tokens": {"+": [10], "-": [12]}.get(question["prompt"], [1, 2])}
    last.clear()
    last.update(question, headers=headers)
    prompt = prompt_of(question)
    counts[prompt] += 1
    await asyncio.sleep(delay)
    refusal = refused(question, headers, mode)
    if refusal is not None:
        return refusal
    return 200, completion(question, prompt, mode)


def prompt_of(question: dict[str, Any]) -> str:
    """The text of the last message."""
    content = question["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def pictures(question: dict[str, Any]) -> int:
    """How many pictures the last message holds."""
    content = question["messages"][-1]["content"]
    return 0 if isinstance(content, str) else sum(part["type"] == "image_url" for part in content)


def refused(question: dict[str, Any], headers: dict[str, str], mode: str) -> tuple[int, Any] | None:
    """What servers of different kinds do not take."""
    if mode == "key-echo":
        return 401, {"error": {"message": f"Incorrect API key provided: {headers['authorization']}"}}
    if mode == "no-schema" and "response_format" in question:
        return 400, {"error": {"message": "response_format is not supported"}}
    if mode == "reasoning" and "max_tokens" in question:
        message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
        return 400, {"error": {"message": message, "param": "max_tokens", "code": "unsupported_parameter"}}
    if mode == "reasoning" and question.get("temperature", 1) != 1:
        message = "Unsupported value: 'temperature' does not support 0 with this model."
        return 400, {"error": {"message": message, "param": "temperature", "code": "unsupported_value"}}
    if mode == "strict-fields" and "seed" in question:
        return 422, {"error": {"message": "unexpected field: seed", "param": "seed"}}
    if mode == "no-money":
        return 429, {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}
    if mode == "vllm-without-ids" and "logprob_token_ids" in question:
        return 400, {"error": {"message": "Extra inputs are not permitted: logprob_token_ids"}}
    if mode == "broken":
        return 500, {"error": {"message": "out of order"}}
    if mode == "text-only" and not isinstance(question["messages"][-1]["content"], str):
        return 400, {"error": {"message": "this model does not take images"}}
    return None


def completion(question: dict[str, Any], prompt: str, mode: str) -> dict[str, Any]:
    """An answer in the form of the chat completions API."""
    text = f"echo: {prompt}"
    if "response_format" in question and mode != "ignores-schema":
        text = '{"sign": 1}'
    elif "JSON Schema" in prompt:
        text = 'Of course: {"sign": "1"}'
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    if question.get("logprobs"):
        choice["logprobs"] = {"content": [logprob_of(question, mode)]}
    answer = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": question["model"],
        "choices": [choice] * question.get("n", 1),
        "usage": {"prompt_tokens": 10 + 50 * pictures(question), "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip
    if question.get("prompt_logprobs") is not None and mode == "vllm":
        answer["prompt_logprobs"] = [None, {"5": {"logprob": -1.0, "rank": 1, "decoded_token": "a"}}]
    return answer


def logprob_of(question: dict[str, Any], mode: str) -> dict[str, Any]:
    """The first token's log-probability, with alternatives as asked for."""
    table = {"+": -0.1, "-": -2.4, " +": -5.0, "x": -6.0}
    if mode == "vllm" and "logprob_token_ids" in question:
        names = {10: "+", 12: "-"}
        table = {names[token]: table[names[token]] for token in question["logprob_token_ids"]}
        top = [{"token": token, "logprob": value, "bytes": None} for token, value in table.items()]
    else:
        top = [{"token": token, "logprob": value} for token, value in table.items()][: question.get("top_logprobs", 0)]
    return {"token": "+", "logprob": -0.1, "top_logprobs": top}


async def main() -> None:
    """Serve on a free port and say which."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--mode", default="plain")
    given = parser.parse_args()
    server = await asyncio.start_server(
        lambda reader, writer: serve_one(reader, writer, given.delay, given.mode), "127.0.0.1", 0, limit=2**24
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
