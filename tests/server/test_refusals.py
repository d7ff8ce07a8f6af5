"""What strangers may try: each is refused, or does nothing."""

from __future__ import annotations

import base64
import io
import json
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from .serving import Served, serving

CLAIM = {"claims": ["AB = 1"], "constraints": []}


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that is impatient, so that the slow ones need not be waited for long."""
    limits = ("--limit", "body-s=1.5", "--limit", "body-mb=1", "--limit", "megapixels=1", "--limit", "connections=40")
    folder = tmp_path_factory.mktemp("tight")
    with serving(folder, "--recipe", "judge-alone", "--workers", "1", *limits, with_keys=True) as service:
        yield service


def uri(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def png(width: int, height: int) -> bytes:
    """A small file that says it holds so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer wrong", "Basic dXNlcjpwYXNz", "Bearer é", "Bearer " + "x" * 10_000, "bearer\tx", "Bearer evpv-"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/rerank", "/v1/images", "/metrics", "/v1/nothing", "//v1/rerank", "/V1/rerank"])
def test_nothing_is_done_without_a_key(tight: Served, path: str, authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization.encode("latin-1")}
    answer = httpx2.post(tight.url + path, content=b"{}", headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "evpv-" not in answer.text


def test_part_of_a_key_or_its_digest_is_no_key(tight: Served) -> None:
    digest = (tight.log.parent / "keys").read_text().split()[1]
    assert tight.key is not None
    assert tight.key not in (tight.log.parent / "keys").read_text()
    for wrong in (tight.key[:-1], tight.key + "x", tight.key.upper(), digest):
        headers = {"authorization": f"Bearer {wrong}"}
        assert httpx2.post(f"{tight.url}/v1/match", json=CLAIM, headers=headers).status_code == 401


@pytest.mark.parametrize(
    "image",
    [
        "/etc/passwd", "../../etc/passwd", "file:///etc/passwd", "file:/etc/passwd", "FILE:///etc/passwd",
        "..%2f..%2fetc%2fpasswd", "\\\\host\\share\\a.png", "images/../../keys", "ftp://host/a.png", "gopher://host/1",
        "data:text/html;base64,PGI+", "data:image/png,notbase64", "data:image/png;base64,%%%", "data:image/svg+xml;base64,PHN2Zz4=",
        64 * "g", 64 * "A", 63 * "0", "\x00", " ", "http://127.0.0.1/a.png", "https://example.org/a.png",
        "http://169.254.169.254/latest/meta-data/", "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(),
    ],
)  # fmt: skip
def test_an_image_is_no_path_and_no_address(tight: Served, image: str) -> None:
    with tight.client() as client:
        for body in ({"image": image}, {"image": [image]}):
            answer = client.post("/v1/extract", json=body)
            assert answer.status_code == 422, answer.text
            assert "root:" not in answer.text
        header = client.post(
            "/v1/rerank", json={"query": "q", "documents": ["a"]}, headers={"x-evpv-image": "../../keys"}
        )
        assert header.status_code == 422


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/page/page.js", "/.git/config", "/v1/images/../../keys"]
)
def test_no_path_leads_to_a_file(tight: Served, path: str) -> None:
    with tight.client() as client:
        assert client.get(path).status_code == 404


def test_a_decompression_bomb_is_refused_unopened(tight: Served) -> None:
    with tight.client() as client:
        for size in ((20_000, 20_000), (2_147_483_647, 2_147_483_647), (1_000_001, 1)):
            answer = client.post("/v1/extract", json={"image": uri(png(*size))})
            assert answer.status_code == 422
            assert "more than 1 million" in answer.json()["message"]
            assert client.post("/v1/images", content=png(*size)).status_code == 422


def test_a_picture_that_lies_is_a_value_in_the_answer(served: Served) -> None:
    """A size that the pixels do not keep: refused by the decoder, and the worker lives on."""
    with served.client() as client:
        before = served.workers()
        for content in (png(300, 300), png(300, 300)[:60], b"GIF89a" + bytes([7, 0, 5, 0]) + b"rubbish" * 20):
            answer = client.post("/v1/extract", json={"image": uri(content)})
            assert answer.status_code == 200, answer.text
            assert answer.json()["constraints"] == []
            assert answer.json()["problem"]
            assert "/tmp" not in answer.json()["problem"]
    assert served.workers() == before


def test_a_large_body_is_refused_by_its_announced_length(tight: Served) -> None:
    with tight.client() as client:
        assert client.post("/v1/match", content=b" " * 1_000_001).status_code == 413


@pytest.mark.parametrize("chunked", [False, True])
def test_a_hundred_megabytes_are_not_read(served: Served, chunked: bool) -> None:
    """The service hangs up after its limit; how far a client gets before it notices is the network's business."""
    piece = b" " * 65_536
    pieces = (piece for _ in range(1600))
    headers = {"content-type": "application/json"} | ({} if chunked else {"content-length": str(1600 * len(piece))})
    with served.client() as client:
        try:
            status = client.post("/v1/match", content=pieces, headers=headers).status_code
        except httpx2.TransportError:
            status = 411 if chunked else 413
        assert status == (411 if chunked else 413)
        assert client.post("/v1/match", json=CLAIM).status_code == 200
    assert max(event.get("seconds", 0) for event in served.events() if event.get("status") in (411, 413)) < 30
    assert resident_mb(served.process.pid) < 400


def resident_mb(pid: int) -> float:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6


def raw(
    service: Served, data: bytes, then: bytes = b"", every_s: float = 0.2, for_s: float = 10.0
) -> tuple[bytes, float]:
    """Bytes sent as they are, then more of them drop by drop; what came back, and after how long it was over."""
    host, port = service.url.removeprefix("http://").split(":")
    began = time.monotonic()
    with socket.create_connection((host, int(port)), timeout=for_s) as connection:
        connection.sendall(data)
        connection.settimeout(every_s)
        received = b""
        while time.monotonic() - began < for_s:
            try:
                piece = connection.recv(65_536)
                if not piece:
                    break
                received += piece
            except TimeoutError:
                if then:
                    try:
                        connection.sendall(then)
                    except OSError:
                        break
            except OSError:
                break
    return received, time.monotonic() - began


def test_a_slow_head_is_hung_up_on(tight: Served) -> None:
    received, seconds = raw(tight, b"POST /v1/match HTTP/1.1\r\nHost: x\r\n", then=b"X-A: b\r\n")
    assert received == b""
    assert 1.0 < seconds < 8.0


def test_a_silent_connection_is_hung_up_on(tight: Served) -> None:
    received, seconds = raw(tight, b"")
    assert received == b""
    assert 1.0 < seconds < 8.0


def test_a_slow_head_after_an_answer_is_hung_up_on(tight: Served) -> None:
    received, seconds = raw(tight, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /hea", then=b"l")
    assert received.startswith(b"HTTP/1.1 200")
    assert seconds < 8.0


def test_a_slow_body_is_refused(tight: Served) -> None:
    key = f"Authorization: Bearer {tight.key}\r\n"
    head = f"POST /v1/match HTTP/1.1\r\nHost: x\r\n{key}Content-Length: 90000\r\nContent-Type: application/json\r\n\r\n"
    received, seconds = raw(tight, head.encode(), then=b" ")
    assert received.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in received.lower()
    assert 1.0 < seconds < 8.0


def test_many_slow_ones_do_not_keep_others_out(tight: Served) -> None:
    host, port = tight.url.removeprefix("http://").split(":")
    slow = [socket.create_connection((host, int(port))) for _ in range(30)]
    for one in slow:
        one.sendall(b"POST /v1/match HTTP/1.1\r\n")
    with tight.client() as client:
        assert client.post("/v1/match", json=CLAIM).status_code == 200
    for one in slow:
        one.close()


NO_HTTP = (
    b"GARBAGE\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"POST /v1/match HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /v1/match HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-ID: a\rb\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 100_000,
)


@pytest.mark.parametrize("request_", NO_HTTP, ids=range(len(NO_HTTP)))
def test_what_is_no_http_gets_400(tight: Served, request_: bytes) -> None:
    received, _ = raw(tight, request_, for_s=5)
    assert received == b"" or received.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b"[]", b"null", b'"text"', b"{}", b'{"claims": [1], "constraints": []}', b'{"claims": NaN}',
     b'{"claims": ["a"], "claims": ["b"], "constraints": []}', b"\xff\xfe", b'{"claims": ["\\ud800"], "constraints": []}',
     b"[" * 200_000, b'{"a":' * 50_000, b'{"claims": ["a"], "constraints": [{"category": "numeric", "value": 1e999}]}',
     b'{"claims": ["a"], "constraints": [' + b"9" * 10_000 + b"]}"],
)  # fmt: skip
def test_malformed_json_is_told_so(tight: Served, body: bytes) -> None:
    with tight.client() as client:
        answer = client.post("/v1/match", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["message"]
        assert client.post("/v1/match", content=body, headers={"content-type": "text/plain"}).status_code == 415


def test_a_missing_content_type_and_an_unknown_path_are_told_with_what_to_do(tight: Served) -> None:
    with tight.client() as client:
        assert client.post("/v1/match", content=b"{}").json()["message"] == "send content-type: application/json"
        assert "/openapi.json names those that do" in client.post("/v1/rank", json=CLAIM).json()["message"]


@pytest.mark.parametrize(
    ("path", "body", "meant"),
    [
        ("/v1/rerank", {"query": "?", "documents": ["4"], "imgae": "x"}, "image"),
        ("/v1/rerank", {"qurey": "?", "documents": ["4"]}, "query"),
        ("/v1/verify", {"qestion": "?", "candidates": ["4"]}, "question"),
        ("/v1/match", {"claims": ["AB = 1"], "constrains": []}, "constraints"),
    ],
)
def test_a_mistyped_field_is_refused_with_the_near_name(tight: Served, path: str, body: Any, meant: str) -> None:
    with tight.client() as client:
        answer = client.post(path, json=body)
    assert answer.status_code == 422
    assert f"did you mean {meant!r}?" in answer.json()["message"]


def test_fields_of_other_rerankers_are_left_unread(tight: Served) -> None:
    theirs = {
        "rank_fields": ["text"],
        "max_tokens_per_doc": 9,
        "max_chunks_per_doc": 9,
        "truncation": True,
        "user": "u",
    }
    with tight.client() as client:
        answer = client.post("/v1/rerank", json={"query": "?", "documents": ["So 4."], "model": "m", **theirs})
    assert answer.status_code == 200, answer.text


def test_headers_cannot_be_injected(tight: Served) -> None:
    with tight.client() as client:
        for given in ("a b", "x" * 65, "<script>", "é", "a;b", ""):
            answer = client.get("/healthz", headers={"x-request-id": given.encode("latin-1")})  # type: ignore[dict-item]
            assert answer.headers["x-request-id"] != given
            assert len(answer.headers["x-request-id"]) == 32
        answer = client.get("/healthz?x=%0d%0aSet-Cookie:%20a=b")
        assert "set-cookie" not in answer.headers


def test_logs_cannot_be_injected(tight: Served) -> None:
    """Whatever a path or a header holds, a request is one line of JSON."""
    forged = '/a%0a{"event":"forged","level":"error"}%1b[31m%e2%80%a8%00'
    with tight.client() as client:
        client.get(forged, headers={"x-request-id": "find-me"})
    event = tight.request("find-me")
    raw_log = tight.log.read_bytes()
    assert "forged" in event["path"]
    assert not any(event["event"] == "forged" for event in tight.events())
    assert b"\x1b" not in raw_log
    assert all(byte < 128 for byte in raw_log)


@pytest.mark.parametrize("name", ["recipe", "method", "extractor", "judge", "settings", "backends"])
def test_a_recipe_in_a_request_is_refused(tight: Served, name: str) -> None:
    recipe = {"use": "os:system", "command": "touch /tmp/evpv-was-here"}
    with tight.client() as client:
        for path, body in (
            ("/v1/rerank", {"query": "q", "documents": ["a"]}),
            ("/v1/verify", {"candidates": ["a"]}),
            ("/v1/extract", {"image": 64 * "0"}),
            ("/v1/match", CLAIM),
        ):
            answer = client.post(path, json={**body, name: recipe})
            assert answer.status_code == 422, (path, answer.text)
    assert not Path("/tmp/evpv-was-here").exists()


def test_text_that_looks_like_html_stays_json(tight: Served) -> None:
    text = "<script>alert(1)</script>"
    with tight.client() as client:
        answer = client.post("/v1/rerank", json={"query": text, "documents": [text], "return_documents": True})
        missing = client.get(f"/{text}")
    assert answer.headers["content-type"] == missing.headers["content-type"] == "application/json"
    for one in (answer, missing):
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["content-security-policy"].startswith("default-src 'none'")
    assert "script" not in missing.text


def test_the_service_does_not_open_itself_to_a_network_without_keys(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"on 0\.0\.0\.0 others can ask"), serving(tmp_path, "--host", "0.0.0.0"):
        pass


def test_an_image_of_every_kind_is_taken(tight: Served) -> None:
    picture = Image.new("RGB", (30, 20), "white")
    with tight.client() as client:
        for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP"):
            written = io.BytesIO()
            picture.save(written, kind)
            answer = client.post("/v1/images", content=written.getvalue())
            stored: dict[str, Any] = json.loads(answer.content)
            assert (stored["kind"], stored["width"], stored["height"]) == (kind.lower(), 30, 20)
