"""Pictures made small, with Pillow: the page uses this where it is installed and does without where it is not."""

from __future__ import annotations

import io
import struct
import warnings
import zlib

from PIL import Image, ImageOps

MOST_PIXELS = 50_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "MPO")
# What Pillow's decoders raise on broken bytes, besides their own errors.
_DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, NotImplementedError,
    OverflowError, MemoryError, EOFError, RuntimeError, struct.error, zlib.error, Image.DecompressionBombError,
)  # fmt: skip


def small_picture(content: bytes, longest_px: int, quality: int = 70) -> bytes | None:
    """The picture as WebP with no side longer than `longest_px`; None if it cannot or should not be decoded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a decoder's doubts about a file are either an error here or no matter
        try:
            with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
                if picture.size[0] * picture.size[1] > MOST_PIXELS:
                    return None
                upright = ImageOps.exif_transpose(picture)
                upright.thumbnail((longest_px, longest_px))
                written = io.BytesIO()
                upright.convert("RGBA" if "A" in upright.getbands() else "RGB").save(written, "WEBP", quality=quality)
                return written.getvalue()
        except _DECODING_ERRORS:
            return None
