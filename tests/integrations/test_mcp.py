"""`evpv mcp` as agents meet it: the protocol's own client, a real server process, a drawn figure."""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from PIL import Image, ImageDraw

ROWS = (("Fruit", "Price"), ("apple", "3"), ("pear", "5"), ("plum", "8"))
EVPV = str(Path(sys.executable).parent / "evpv")
Talk = Callable[[Client], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is allowed, with a table in it."""
    path = tmp_path_factory.mktemp("pictures")
    picture = Image.new("RGB", (460, 190), "white")
    pen = ImageDraw.Draw(picture)
    for row, (name, value) in enumerate(ROWS):
        pen.text((40, 20 + 40 * row), name, fill="black", font_size=24)
        pen.text((260, 20 + 40 * row), value, fill="black", font_size=24)
    picture.save(path / "prices.png")
    return path


def run_apart(function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
    """Run it in a thread of its own: a browser test before it leaves this one's event loop running."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(anyio.run, function, *arguments).result()


def talk(folder: Path, conversation: Talk) -> None:
    """Start the server as an agent does, and talk to it."""
    command = StdioServerParameters(command=EVPV, args=["mcp", "--root", str(folder)], cwd=folder)

    async def session() -> None:
        async with Client(command, read_timeout_seconds=120) as client:
            await conversation(client)

    run_apart(session)


async def answer(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers; a refusal is an error of the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return " ".join(getattr(part, "text", "") for part in result.content)


def test_an_agent_lists_and_calls_every_tool_and_opens_the_page(folder: Path) -> None:
    async def conversation(client: Client) -> None:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == {"read_figure", "check_claims", "rank_solutions"}
        figure = await answer(client, "read_figure", picture="prices.png")
        assert any("plum" in fact["fact"] and "8" in fact["fact"] for fact in figure["facts"])
        claims = ["The pear costs 5.", "The plum costs 3.", "The melon costs 4."]
        checked = (await answer(client, "check_claims", picture="prices.png", claims=claims))["result"]
        assert [claim["verdict"] for claim in checked] == ["supported", "contradicted", "missing"]
        assert checked[1]["read"]["box"] is not None
        data = "data:image/png;base64," + base64.b64encode((folder / "prices.png").read_bytes()).decode()
        ranked = await answer(
            client,
            "rank_solutions",
            picture=data,
            question="What do the apple and the pear cost together?",
            solutions=["The apple costs 3.\n\nThe pear costs 5.\n\n3 + 5 = 8\n\nAnswer: 8",
                       "The apple costs 8.\n\nThe pear costs 5.\n\n8 + 5 = 13\n\nAnswer: 13"],
        )  # fmt: skip
        assert (ranked["best"], ranked["tied"]) == ([0], False)
        assert "step 1" in ranked["order"][1]["fault"]
        page = await client.read_resource(ranked["page"])
        assert "<html" in page.contents[0].text[:500].lower()

    talk(folder, conversation)


def test_hostile_input_is_refused_in_one_sentence_and_the_server_goes_on(folder: Path) -> None:
    (folder.parent / "secret.png").write_bytes((folder / "prices.png").read_bytes())
    (folder / "way_out.png").symlink_to(folder.parent / "secret.png")
    (folder / "large.png").write_bytes(b"\x89PNG" + bytes(25_000_000))

    async def conversation(client: Client) -> None:
        for picture in ("../secret.png", "/etc/passwd", "way_out.png"):
            assert "outside the allowed folders" in await refusal(client, "read_figure", picture=picture)
        assert "larger than" in await refusal(client, "read_figure", picture="large.png")
        assert "no file" in await refusal(client, "read_figure", picture="nowhere.png")
        assert "base64" in await refusal(client, "read_figure", picture="data:image/png;base64,§§")
        assert "data:image/" in await refusal(client, "read_figure", picture="data:text/html;base64,AAAA")
        for arguments in ({"claims": ["x" * 1_000_000]}, {"claims": []}, {"claims": ["x"] * 101}, {"claims": [7]}):
            await refusal(client, "check_claims", picture="prices.png", **arguments)
        assert (await answer(client, "read_figure", picture="prices.png"))["facts"]

    talk(folder, conversation)


@contextmanager
def serving_http(folder: Path) -> Iterator[str]:
    """The address of a server over HTTP, once it answers; ended by its number."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [EVPV, "mcp", "--root", str(folder), "--transport", "http", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                with socket.socket() as knock:
                    if knock.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def test_over_http_every_tool_answers_and_hostile_input_is_refused(folder: Path) -> None:
    (folder.parent / "secret.png").write_bytes((folder / "prices.png").read_bytes())
    data = "data:image/png;base64," + "A" * 28_000_000

    async def conversation(address: str) -> None:
        async with Client(address, read_timeout_seconds=120) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == {"read_figure", "check_claims", "rank_solutions"}
            assert (await answer(client, "read_figure", picture="prices.png"))["facts"]
            asked = {"picture": "prices.png", "claims": ["The pear costs 5."]}
            assert (await answer(client, "check_claims", **asked))["result"][0]["verdict"] == "supported"
            told = {"question": "What does the pear cost?", "solutions": ["The pear costs 5.\n\nAnswer: 5"]}
            ranked = await answer(client, "rank_solutions", picture="prices.png", **told)
            assert (await client.read_resource(ranked["page"])).contents
            for picture in ("../secret.png", "/etc/passwd"):
                assert "outside the allowed folders" in await refusal(client, "read_figure", picture=picture)
            with pytest.raises(MCPError, match="error response"):  # 413: over the package’s own bound
                await client.call_tool("read_figure", {"picture": data})
        async with Client(address, read_timeout_seconds=120) as client:
            assert await refusal(client, "check_claims", picture="prices.png", claims=["x" * 1_000_000])
            assert (await answer(client, "read_figure", picture="prices.png"))["facts"]

    with serving_http(folder) as address:
        run_apart(conversation, address)
        # Other sites' pages may not use it, whatever name they give it, and what is no JSON costs nothing.
        bare = address.removesuffix("/mcp")
        with httpx2.Client(timeout=30) as client:
            hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            kinds = {"accept": "application/json, text/event-stream"}
            for foreign in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
                assert client.post(address, json=hello, headers={**kinds, **foreign}).status_code in (403, 421)
            broken = client.post(address, content=b"{" * 1000, headers={**kinds, "content-type": "application/json"})
            assert broken.status_code == 400
            assert client.get(f"{bare}/etc/passwd").status_code == 404


def test_nothing_but_the_protocol_is_printed(folder: Path) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "read_figure", "arguments": {"picture": "prices.png"}}},
    ]  # fmt: skip

    async def printed() -> bytes:
        command = [EVPV, "mcp", "--root", str(folder)]
        async with await anyio.open_process(command, cwd=folder, stderr=None) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            await server.stdin.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            text = b""
            with anyio.fail_after(120):
                while text.count(b"\n") < 2:
                    text += await server.stdout.receive()
            await server.stdin.aclose()
            return text

    for line in run_apart(printed).splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"
