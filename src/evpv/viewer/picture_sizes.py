"""Kind and size of a picture from its first bytes, so that boxes can be drawn on it without decoding it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"BM": "bmp"}
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that begin a frame
_TURNED = (5, 6, 7, 8)  # EXIF orientations that swap width and height
_ORIENTATION = 0x0112


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
        size = _SIZES[picture_kind(content) or ""](content)
    except (KeyError, struct.error, IndexError):
        return None
    return size if size is not None and min(size) > 0 else None


def _png(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", content, 16)
    return width, height


def _gif(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", content, 6)
    return width, height


def _bmp(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", content, 18)
    return width, abs(height)


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
    """Marker, start and end of each segment before the pixels."""
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


_SIZES = {"png": _png, "jpeg": _jpeg, "gif": _gif, "bmp": _bmp, "webp": _webp}
