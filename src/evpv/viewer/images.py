"""The pictures of a problem as the page shows them: inside the page, or linked from it, with their size in pixels."""

from __future__ import annotations

import base64
import binascii
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from evpv.errors import ImageError
from evpv.files import regular_content, tell_once
from evpv.records.lines import JsonObject

_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"BM": "bmp"}
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that begin a frame
_TURNED = (5, 6, 7, 8)  # EXIF orientations that swap width and height
_ORIENTATION = 0x0112
_DATA_URI = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,", re.IGNORECASE)
_FIXED = {"png": (">II", 16), "gif": ("<HH", 6), "bmp": ("<ii", 18)}
"""Where the width and height stand in kinds that have them in one place."""


def data_uri_content(uri: str) -> bytes:
    start = _DATA_URI.match(uri)
    if start is None:
        raise ImageError("an image's data URI begins with data:image/KIND;base64,")
    try:
        return base64.b64decode(uri[start.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise ImageError("the data URI is not base64") from None


def picture_kind(content: bytes) -> str | None:
    """png, jpeg, gif, bmp or webp, by what the bytes say and not the file's name; None for all else."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    return next((kind for magic, kind in _KINDS.items() if content.startswith(magic)), None)


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels as a browser shows the picture, turned photographs upright; None if broken.

    >>> picture_size(b"GIF89a" + bytes([7, 0, 5, 0]))
    (7, 5)
    """
    try:
        kind = picture_kind(content)
        if kind in _FIXED:
            form, start = _FIXED[kind]
            width, height = struct.unpack_from(form, content, start)
            size: tuple[int, int] | None = (width, abs(height))  # a BMP from top to bottom has a negative height
        else:
            size = {"jpeg": _jpeg, "webp": _webp}[kind or ""](content)
    except (KeyError, struct.error, IndexError):
        return None
    return size if size is not None and min(size) > 0 else None


def _webp(content: bytes) -> tuple[int, int] | None:
    form = content[12:16]
    if form == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if form == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    turned = False
    for marker, start, end in _segments(content):
        if marker == 0xE1 and content[start : start + 6] == b"Exif\0\0":
            turned = _orientation(content[start + 6 : end]) in _TURNED
        if marker in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", content, start + 1)
            return (height, width) if turned else (width, height)
    return None


def _segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    place = 2
    while content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF:  # padding
            place += 1
            continue
        (length,) = struct.unpack_from(">H", content, place + 2)
        yield marker, place + 4, place + 2 + length
        place += 2 + length


def _orientation(exif: bytes) -> int:
    """The orientation that EXIF gives, 1 (upright) without."""
    order = "<" if exif[:2] == b"II" else ">"
    (first,) = struct.unpack_from(f"{order}I", exif, 4)
    (count,) = struct.unpack_from(f"{order}H", exif, first)
    for index in range(count):
        tag, _, _, value = struct.unpack_from(f"{order}HHIH", exif, first + 2 + 12 * index)
        if tag == _ORIENTATION:
            return int(value)
    return 1


_LARGEST_BYTES = 4_000_000
"""A larger picture is scaled down when it is put inside the page."""
_LARGEST_FILE_BYTES = 100_000_000
_EMBEDDED_PX = 2000
_THUMBNAIL_PX = 240
_DATA = "data:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Looks pictures up from the run's `folder` for a page in `page_folder`.

    `embed` puts them inside; `thumbnails` is where small copies go as files, None to put those inside too.
    """

    folder: Path
    page_folder: Path
    embed: bool
    thumbnails: Path | None = None
    _small: dict[str, str] = field(default_factory=dict)

    def page_images(self, images: list[str]) -> list[JsonObject]:
        """What the page draws; a picture that cannot be found or is of no kind that browsers show is left out."""
        shown = []
        for image in images:
            content = self._content(image)
            size = None if content is None else picture_size(content)
            if content is not None and size is not None and (source := self._source(image, content)):
                shown.append({"src": source, "width": size[0], "height": size[1]})
        return shown

    def thumbnail(self, images: list[str], name: str) -> str | None:
        """A small copy of the first picture that there is; without Pillow the picture itself where it is linked."""
        for image in images:
            if image in self._small:
                return self._small[image]
            content = self._content(image)
            if content is None:
                continue
            small = _small_picture(content, _THUMBNAIL_PX)
            if small is not None:
                self._small[image] = self._keep_thumbnail(small, name)
                return self._small[image]
            return None if self.embed else self._source(image, content)
        return None

    def _content(self, image: str) -> bytes | None:
        """The bytes of a picture that a browser can show; nothing is fetched from other machines."""
        try:
            if image.startswith(_DATA):
                content = base64.b64decode(image.partition(",")[2])
            else:
                content = regular_content(self.folder / image, _LARGEST_FILE_BYTES)
        except (OSError, ValueError, binascii.Error):
            return None
        return content if picture_kind(content) else None

    def _source(self, image: str, content: bytes) -> str | None:
        if not self.embed and not image.startswith(_DATA):
            relative = os.path.relpath((self.folder / image).absolute(), self.page_folder.absolute())
            return quote(Path(relative).as_posix())
        if len(content) <= _LARGEST_BYTES:
            return _data_uri(content)
        smaller = _small_picture(content, _EMBEDDED_PX)
        return _data_uri(smaller) if smaller else None

    def _keep_thumbnail(self, small: bytes, name: str) -> str:
        if self.thumbnails is None:
            return _data_uri(small)
        try:
            (self.thumbnails / f"{name}.webp").write_bytes(small)
        except OSError as error:
            tell_once(f"the folder of thumbnails {self.thumbnails}", error)
            return _data_uri(small)
        return quote(f"{self.thumbnails.name}/{name}.webp")


def _data_uri(content: bytes) -> str:
    return f"data:image/{picture_kind(content)};base64,{base64.b64encode(content).decode()}"


def _small_picture(content: bytes, longest_px: int) -> bytes | None:
    """A small copy; None without Pillow, or if the picture cannot or should not be decoded."""
    try:  # here and not above, since the page can do without
        from evpv.backends.images import small_copy

        return small_copy(content, longest_px)
    except (ModuleNotFoundError, ImageError):
        return None
