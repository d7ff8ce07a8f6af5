"""A proxy process that stands between client and server and does what networks and loaded servers do.

usage: proxy.py --upstream PORT [--faults 0.2] [--stall 2.0] [--retry-after 0.1] [--only KIND]

Which requests fail, and how, follows from a digest of the request and of how often it has come, so a run can be
repeated. GET /faults gives the number of each kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from hashlib import sha256

KINDS = ("429", "500", "drop", "half", "stall", "malformed", "empty")
faults: Counter[str] = Counter()
seen: Counter[str] = Counter()


def fault_for(body: bytes, given: argparse.Namespace) -> str | None:
    """The kind of fault for this request, or None."""
    digest = sha256(body).hexdigest()
    seen[digest] += 1
    drawn = sha256(f"{digest} {seen[digest]}".encode()).digest()
    if int.from_bytes(drawn[:4]) / 2**32 >= given.faults:
        return None
    return given.only or KINDS[drawn[4] % len(KINDS)]


def answer(status: int, content: bytes, more: str = "", length: int | None = None) -> bytes:
    """An HTTP answer; `length` may promise more than comes."""
    head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length or len(content)}\r\n{more}\r\n"
    return head.encode() + content


async def forwarded(head: bytes, body: bytes, port: int) -> bytes:
    """What the upstream server says, as the bytes of its body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    writer.write(head + body)
    answered = await reader.readuntil(b"\r\n\r\n")
    length = int(answered.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    content = await reader.readexactly(length)
    writer.close()
    return content


async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, given: argparse.Namespace) -> None:
    """All requests of one connection, until one of them breaks it."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            fields = head.lower().split(b"content-length: ")
            body = await reader.readexactly(int(fields[1].split(b"\r\n")[0]) if len(fields) > 1 else 0)
            if head.startswith(b"GET /faults"):
                writer.write(answer(200, json.dumps(faults).encode()))
                continue
            kind = fault_for(body, given) if body else None
            if kind:
                faults[kind] += 1
            if not await written(writer, kind, (head, body), given):
                return
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def written(
    writer: asyncio.StreamWriter, kind: str | None, request: tuple[bytes, bytes], given: argparse.Namespace
) -> bool:
    """Answer one request as its fault wants it; False where the connection ends with it."""
    if kind == "drop":
        return False
    if kind == "stall":
        await asyncio.sleep(given.stall)
        return False
    if kind == "429":
        writer.write(answer(429, b'{"error": {"message": "slow down"}}', f"retry-after: {given.retry_after}\r\n"))
    elif kind == "500":
        writer.write(answer(500, b'{"error": {"message": "out of order"}}'))
    elif kind == "malformed":
        writer.write(answer(200, b'{"choices": [{"message": {"content": "ec'))
    elif kind == "empty":
        writer.write(answer(200, b'{"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 0}}'))
    else:
        content = await forwarded(*request, given.upstream)
        if kind == "half":
            writer.write(answer(200, content[: len(content) // 2], length=len(content)))
            await writer.drain()
            return False
        writer.write(answer(200, content))
    return True


async def main() -> None:
    """Serve on a free port and say which."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--upstream", type=int, required=True)
    parser.add_argument("--faults", type=float, default=0.2)
    parser.add_argument("--stall", type=float, default=2.0)
    parser.add_argument("--retry-after", default="0.1")
    parser.add_argument("--only", choices=KINDS)
    given = parser.parse_args()
    server = await asyncio.start_server(
        lambda reader, writer: serve_one(reader, writer, given), "127.0.0.1", 0, limit=2**24
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
