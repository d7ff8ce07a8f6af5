"""The images of requests: checked before anything decodes them, and kept as files that workers read.

An image's id is the SHA-256 of its bytes, so that an image sent twice is kept once, and only who has an image can name it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from evpv.errors import EvpvError, ImageError
from evpv.files import write_whole
from evpv.viewer.images import picture_kind, picture_size

IMAGE_ID = re.compile(r"[0-9a-f]{64}")
_DATA_URI = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,", re.IGNORECASE)
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


def data_uri_content(uri: str) -> bytes:
    """The bytes in a data URI of an image."""
    start = _DATA_URI.match(uri)
    if start is None:
        raise ImageError("an image's data URI begins with data:image/KIND;base64,")
    try:
        return base64.b64decode(uri[start.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise ImageError("the data URI is not base64") from None


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
        """Hold on to an image that should be here."""
        if name not in self._images:
            raise UnknownImageError(f"there is no image {name}: upload it with POST /v1/images")
        self._images.move_to_end(name)
        self._held[name] += 1

    def pixels(self, names: Iterable[str]) -> int:
        """How many pixels images that are held have together."""
        return sum(self._images[name].width * self._images[name].height for name in names)

    def let_go(self, names: Iterable[str]) -> None:
        """What was held may go when room is needed."""
        for name in names:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]
        if self._bytes > self.most_bytes:
            self._shrink()

    def _shrink(self) -> None:
        for name in [name for name in self._images if name not in self._held]:
            if self._bytes <= self.most_bytes:
                return
            self._bytes -= self._images.pop(name).bytes
            (self.folder / name).unlink(missing_ok=True)
