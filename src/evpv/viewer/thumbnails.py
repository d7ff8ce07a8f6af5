"""Pictures made small, with Pillow: the page uses this where it is installed and does without where it is not."""

from __future__ import annotations

import io
import warnings

from PIL import Image, ImageOps

from evpv.backends.images import DECODING_ERRORS, MOST_PIXELS, opened_picture
from evpv.errors import ImageError


def small_picture(content: bytes, longest_px: int, quality: int = 70) -> bytes | None:
    """The picture as WebP with no side longer than `longest_px`; None if it cannot or should not be decoded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a decoder's doubts about a file are either an error here or no matter
        try:
            with opened_picture(content) as picture:
                if picture.size[0] * picture.size[1] > MOST_PIXELS:
                    return None
                upright = ImageOps.exif_transpose(picture)
                upright.thumbnail((longest_px, longest_px), reducing_gap=2.0)
                written = io.BytesIO()
                upright.convert("RGBA" if "A" in upright.getbands() else "RGB").save(
                    written, "WEBP", quality=quality, method=1
                )
                return written.getvalue()
        except (*DECODING_ERRORS, Image.DecompressionBombError, ImageError):
            return None
