"""The images of requests: fetched or sent, checked before anything decodes them, and kept as files that workers read.

An image's id is the SHA-256 of its bytes, so that an image sent twice is kept once, and only who has an image can name it.

Images are fetched from addresses only with --fetch-images. Whoever may name an address could make the service ask its own
network. So a name is resolved once, every address that comes back must be a public one, and the connection goes to an address
that was checked: a name that resolves otherwise a moment later changes nothing. Each redirect is checked like the first
address. Only http and https on their own ports; no proxies, no cookies, no user names.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from evpv.errors import EvpvError, ImageError
from evpv.files import write_whole
from evpv.viewer.images import picture_kind, picture_size

_KINDS = "png, jpeg, gif, webp or bmp"


class UnknownImageError(ImageError):
    """An image id that is not, or no longer, here."""


class NoRoomError(EvpvError):
    """An image that could not be kept, through no fault of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredImage:
    """An image as the service answers for it."""

    id: str
    kind: str
    width: int
    height: int
    bytes: int


def checked_image(content: bytes, most_pixels: int) -> StoredImage:
    """What an image says of itself, refused where it is no image or too large: nothing is decoded for that."""
    kind, size = picture_kind(content), picture_size(content)
    if kind is None or size is None:
        raise ImageError(f"the image is not {_KINDS}, or is broken")
    if size[0] * size[1] > most_pixels:
        raise ImageError(f"the image has {size[0]} × {size[1]} pixels: more than {most_pixels / 1e6:g} million")
    name = sha256(content).hexdigest()
    return StoredImage(id=name, kind=kind, width=size[0], height=size[1], bytes=len(content))


@dataclass(slots=True, kw_only=True)
class ImageStore:
    """Images as files in a folder, within a bound. One that is held stays; else the one unused for longest goes first."""

    folder: Path
    most_bytes: int
    _images: OrderedDict[str, StoredImage] = field(default_factory=OrderedDict)
    _held: Counter[str] = field(default_factory=Counter)
    _bytes: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def hold_new(self, image: StoredImage, content: bytes) -> None:
        """Keep an image that has been checked, at least until it is let go."""
        if image.id not in self._images:
            try:
                write_whole(self.folder / image.id, content)
            except OSError as error:
                raise NoRoomError(f"the service cannot keep images now: {error.strerror}") from error
            self._images[image.id] = image
            self._bytes += len(content)
        self.hold_known(image.id)

    def hold_known(self, name: str) -> None:
        if name not in self._images:
            raise UnknownImageError(f"there is no image {name}: upload it with POST /v1/images")
        self._images.move_to_end(name)
        self._held[name] += 1

    def pixels(self, names: Iterable[str]) -> int:
        return sum(self._images[name].width * self._images[name].height for name in names)

    def let_go(self, names: Iterable[str]) -> None:
        """What was held may go when room is needed."""
        for name in names:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]
        if self._bytes <= self.most_bytes:
            return
        for name in [name for name in self._images if name not in self._held]:
            if self._bytes <= self.most_bytes:
                return
            self._bytes -= self._images.pop(name).bytes
            (self.folder / name).unlink(missing_ok=True)


_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 3
_PIECE = 65_536
_LOOKUPS = ThreadPoolExecutor(8, thread_name_prefix="evpv-lookup")
_PORTS = {"http": 80, "https": 443}
_SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        ("192.88.99.0/24", "192.0.0.0/24", "198.18.0.0/15", "100.64.0.0/10", "240.0.0.0/4", "224.0.0.0/4", "100::/64", "2001::/23",
         "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10", "ff00::/8",
         "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "::/96"),
    )
)  # fmt: skip
"""What Python calls public and is not for everyone: relays, benchmarks, documentation, discard, old tunnels, and IPv6 ways to
write an IPv4 address."""


def _is_public(address: str, port: int) -> bool:
    """Whether an address is one of the internet's, on a port of the web.

    >>> [_is_public(address, 80) for address in ("93.184.215.14", "127.0.0.1", "::ffff:10.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if any(found.version == network.version and found in network for network in _SPECIAL):
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return port in _PORTS.values() and found.is_global and not (found.is_multicast or found.is_reserved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches images within a size and a time. `allows` says which address and port may be asked."""

    most_bytes: int
    timeout_s: float
    allows: Callable[[str, int], bool] = _is_public

    def fetch(self, url: str) -> bytes:
        """The bytes that an address gives; `ImageError` where it may not be asked or gives none."""
        deadline = time.monotonic() + self.timeout_s
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                answer = self._ask(url, deadline)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise ImageError(f"the image cannot be fetched: {type(error).__name__}") from None
            if isinstance(answer, bytes):
                return answer
            url = urljoin(url, answer)
        raise ImageError(f"the image cannot be fetched: more than {_MOST_REDIRECTS} redirects")

    def _ask(self, url: str, deadline: float) -> bytes | str:
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
            raise ImageError("an image's address begins with http:// or https:// and a host")
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
        address = self._checked_address(host, port, deadline)
        connection = _Connection(host, port, address=address, secure=parts.scheme == "https", deadline=deadline)
        ending = threading.Timer(_left_s(deadline), connection.hang_up)  # a head may come a byte at a time
        ending.start()
        try:
            target = parts.path or "/"
            asked = f"{target}?{parts.query}" if parts.query else target
            connection.request("GET", asked, headers={"Accept": "image/*"})
            answer = connection.getresponse()
            if answer.status in _REDIRECTS:
                return answer.headers.get("Location", "")
            if answer.status != 200:
                raise ImageError(f"the image cannot be fetched: its server answered {answer.status}")
            return self._content(connection, answer)
        finally:
            ending.cancel()
            connection.close()

    def _content(self, connection: _Connection, answer: http.client.HTTPResponse) -> bytes:
        content = bytearray()
        while piece := answer.read1(_PIECE):
            content += piece
            if len(content) > self.most_bytes:
                raise ImageError(f"the image cannot be fetched: it is larger than {self.most_bytes / 1e6:g} MB")
            connection.keep_time()
        return bytes(content)

    def _checked_address(self, host: str, port: int, deadline: float) -> str:
        """The address that is asked; looked up in a thread, because the system's own way has no deadline."""
        looking = _LOOKUPS.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = {str(info[4][0]) for info in looking.result(_left_s(deadline))}
        if not found or not all(self.allows(address, port) for address in found):
            raise ImageError("the image cannot be fetched: its address is not a public one")
        return min(found, key=lambda address: (":" in address, address))


def _left_s(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Connection(http.client.HTTPConnection):
    """A connection for a host's name to an address that was checked, with one deadline for all that is done on it."""

    def __init__(self, host: str, port: int, *, address: str, secure: bool, deadline: float) -> None:
        super().__init__(host, port)
        self._address = address
        self._secure = secure
        self._deadline = deadline
        self.default_port = _PORTS["https" if secure else "http"]  # left out of the Host header

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), timeout=_left_s(self._deadline))
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def hang_up(self) -> None:
        """End whatever is being waited for, from another thread."""
        if (sock := self.sock) is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def keep_time(self) -> None:
        """Raise when the time is over; else the next wait is no longer than what is left of it."""
        left_s = _left_s(self._deadline)
        if self.sock is not None:  # http.client lets go of it where the answer ends with the connection
            self.sock.settimeout(left_s)
