"""Fetching images: public addresses only, whatever they look like, and again at every redirect."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evpv.errors import ImageError
from evpv.server.images import Fetcher, _is_public

from .serving import serving

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.2.1",
    "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1",
    "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::", "ff02::1", "2001:db8::1", "fec0::1",
    "192.88.99.1", "192.0.0.8", "100::1", "2001:20::1", "3fff::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not _is_public(address, 80)
    assert not _is_public(address, 443)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_are_on_the_ports_of_the_web(address: str) -> None:
    assert _is_public(address, 80)
    assert _is_public(address, 443)
    assert not _is_public(address, 22)
    assert not _is_public(address, 8080)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/",
        "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://0/", "http://169.254.169.254/latest",
        "https://10.0.0.1/", "http://127.0.0.1:80/", "http://user@127.0.0.1/", "http://8.8.8.8@127.0.0.1/", "http://127.0.0.1%2f@8.8.8.8/",
        "file:///etc/passwd", "ftp://8.8.8.8/", "gopher://8.8.8.8/", "http:///nohost", "http://", "//8.8.8.8/", "http://8.8.8.8:22/",
        "http://[::1", "http://8.8.8.8:99999/", "http://a\r\nX: y/", "http://localhost./", "http://LOCALHOST/",
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_asked_is_refused(url: str) -> None:
    began = time.monotonic()
    with pytest.raises(ImageError):
        Fetcher(most_bytes=1000, timeout_s=5).fetch(url)
    assert time.monotonic() - began < 5


class Site(BaseHTTPRequestHandler):
    """Answers by its path: an image, a redirect to what stands after /to/, too much, or too slowly."""

    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(f"{self.headers['Host']} {self.path}")
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()
            return
        self.send_response(404 if self.path == "/none" else 200)
        self.end_headers()
        for _ in range(100 if self.path in ("/large", "/slow") else 1):
            try:
                self.wfile.write(b"x" * (1 if self.path == "/slow" else 100))
                self.wfile.flush()
            except OSError:
                return
            if self.path == "/slow":
                time.sleep(0.1)

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def site() -> Iterator[tuple[str, type[Site]]]:
    handler = type("Site", (Site,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", handler
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def public() -> Iterator[tuple[str, type[Site]]]:
    with site() as one:
        yield one


@pytest.fixture
def private() -> Iterator[tuple[str, type[Site]]]:
    with site() as one:
        yield one


def fetcher(public: str, timeout_s: float = 5) -> Fetcher:
    """One that takes the one site for public, and nothing else."""
    port = int(public.rpartition(":")[2])
    return Fetcher(
        most_bytes=1000, timeout_s=timeout_s, allows=lambda address, asked: (address, asked) == ("127.0.0.1", port)
    )


def test_an_image_is_fetched_through_redirects(public: tuple[str, type[Site]]) -> None:
    url, handler = public
    assert fetcher(url).fetch(f"{url}/to//to/{url}/image?a=1") == b"x" * 100
    assert handler.asked[-1] == f"{url.removeprefix('http://')} /image?a=1"


def test_a_redirect_to_a_private_address_is_not_followed(
    public: tuple[str, type[Site]], private: tuple[str, type[Site]]
) -> None:
    url, secret = public[0], private[0]
    targets = (
        f"{secret}/image",
        secret.replace("127.0.0.1", "2130706433"),
        secret.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    )
    for target in (*targets, "file:///etc/passwd", "http://169.254.169.254/", "//10.0.0.1/", "gopher://127.0.0.1:70/"):
        with pytest.raises(ImageError):
            fetcher(url).fetch(f"{url}/to/{target}")
    assert len(public[1].asked) == 7
    assert private[1].asked == []


def test_redirects_do_not_go_on_for_ever(public: tuple[str, type[Site]]) -> None:
    with pytest.raises(ImageError, match="redirects"):
        fetcher(public[0]).fetch(public[0] + 9 * "/to/" + "/image")


@pytest.mark.parametrize(
    ("path", "said"), [("/large", "larger than"), ("/slow", "TimeoutError"), ("/none", "answered 404")]
)
def test_too_much_too_slow_and_not_there(public: tuple[str, type[Site]], path: str, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(ImageError, match=said):
        fetcher(public[0], timeout_s=0.5).fetch(public[0] + path)
    assert time.monotonic() - began < 4


def test_a_service_that_fetches_still_does_not_ask_its_own_machine(
    tmp_path: Path, private: tuple[str, type[Site]]
) -> None:
    with (
        serving(tmp_path, "--recipe", "judge-alone", "--workers", "1", "--fetch-images") as service,
        service.client() as client,
    ):
        for url in (
            f"{private[0]}/image",
            private[0].replace("127.0.0.1", "localhost"),
            "http://[::1]/",
            "file:///etc/passwd",
        ):
            answer = client.post("/v1/extract", json={"image": url})
            assert answer.status_code == 422
            assert "/etc" not in answer.text
    assert private[1].asked == []
