"""Pictures made ready for a model: upright, on white, no larger than asked, in one format, as a data URI.

Every picture is written anew, never passed through: what a model sees is then decided by the policy alone, and the
camera's notes in a file (place, owner) are not sent.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from evpv.errors import ConfigError, ImageError, unknown_name
from evpv.files import regular_content

_LARGEST_SIDE_PX = 16_384
_MOST_PIXELS = 50_000_000
_LARGEST_FILE_BYTES = 100_000_000
_KEPT_BYTES = 64_000_000
"""How much of encoded pictures is kept for the requests that follow with the same ones."""
_FORMATS = {"png": "PNG", "jpeg": "JPEG", "webp": "WEBP"}
_PICTURE_FORMATS = (
    "PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "ICO", "TGA", "PCX", "MPO", "DIB", "JPEG2000", "AVIF",
)  # fmt: skip
"""What may be decoded, whatever a file's name says: none of these starts another program, as EPS does."""
_COPY_QUALITY = 70
_MOST_SCANS = 200
"""How many passes a JPEG may have; ten are usual, and each costs as much time as the whole picture."""
_DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, NotImplementedError,
    OverflowError, MemoryError, EOFError, RuntimeError, struct.error, zlib.error,
)  # fmt: skip
"""What Pillow's decoders raise on broken bytes, besides their own errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePolicy:
    """How pictures are sent: the longer side at most `max_side_px`, as png, jpeg or webp; `quality` is for the last two.

    PNG by default, because drawn figures are small in it and keep their thin lines.
    """

    max_side_px: int = 1536
    format: str = "png"
    quality: int = 90

    def __post_init__(self) -> None:
        if self.format not in _FORMATS:
            raise unknown_name("image format", str(self.format), _FORMATS)
        if not 1 <= self.max_side_px <= _LARGEST_SIDE_PX:
            raise ConfigError(f"images.max_side_px must be from 1 to {_LARGEST_SIDE_PX}, not {self.max_side_px}.")
        if not 1 <= self.quality <= 100:
            raise ConfigError(f"images.quality must be from 1 to 100, not {self.quality}.")

    def __str__(self) -> str:
        quality = "" if self.format == "png" else f" quality {self.quality}"
        return f"{self.format}{quality} ≤ {self.max_side_px} px"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentImage:
    """A picture as it is sent, and what the trace should know of it."""

    uri: str
    facts: Mapping[str, Any]

    def picture(self) -> Image.Image:
        """The picture as pixels, so that a model in this process sees what it would be sent."""
        return _opened_picture(b64decode(self.uri.partition(",")[2])).convert("RGB")


class ImageEncoder:
    """Encodes files by a policy, and keeps the latest within a bound, because one picture serves many requests.

    Used by several threads at once; two of them may encode the same picture, and one of the two is kept.
    """

    def __init__(self, policy: ImagePolicy, *, kept_bytes: int = _KEPT_BYTES) -> None:
        self._policy = policy
        self._most = kept_bytes
        self._kept: OrderedDict[tuple[str, int, int], SentImage] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def encode_file(self, path: str) -> SentImage:
        """The picture of a file; `ImageError` where there is none."""
        try:
            state = Path(path).stat()
        except (OSError, ValueError) as error:
            raise ImageError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
        key = path, state.st_mtime_ns, state.st_size  # tells one state of a file from another without reading it
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        image = encode(_content(path), self._policy, path)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = image
                self._bytes += len(image.uri)
            while self._bytes > self._most:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped.uri)
        return image


def encode(content: bytes, policy: ImagePolicy, name: str = "image") -> SentImage:
    """The bytes of an image file as the policy wants them sent."""
    try:
        picture = _upright(content)
    except ImageError as error:
        raise ImageError(f"{name}: {error}") from error
    before = picture.size
    if max(before) > policy.max_side_px:
        scale = policy.max_side_px / max(before)
        size = (max(round(before[0] * scale), 1), max(round(before[1] * scale), 1))
        picture = picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    written = io.BytesIO()
    quality = {} if policy.format == "png" else {"quality": policy.quality}
    picture.save(written, _FORMATS[policy.format], **quality)
    data = written.getvalue()
    facts = {
        "size": list(picture.size), "size_before": list(before), "sent_as": str(policy), "bytes": len(data),
        "sha256": sha256(data).hexdigest(),
    }  # fmt: skip
    return SentImage(uri=f"data:image/{policy.format};base64,{b64encode(data).decode('ascii')}", facts=facts)


def save_crop(path: str, box: tuple[float, float, float, float], to: Path, *, margin: float = 0.6) -> None:
    """Write the part of a picture around a box, with a margin in shares of the box, at least 48 pixels each way."""
    picture = _upright(_content(path))
    x0, y0, x1, y1 = box
    wide, high = max((x1 - x0) * margin, 48.0), max((y1 - y0) * margin, 48.0)
    right, bottom = min(picture.width, round(x1 + wide)), min(picture.height, round(y1 + high))
    picture.crop((max(0, round(x0 - wide)), max(0, round(y0 - high)), right, bottom)).save(to)


def _content(path: str) -> bytes:
    try:
        return regular_content(path, _LARGEST_FILE_BYTES)
    except OSError as error:
        raise ImageError(f"{path}: {error.strerror or error}") from error


def _opened_picture(content: bytes) -> Image.Image:
    """A picture in one of the formats that we name, not yet decoded: how every file of others is opened."""
    if content.startswith(b"\xff\xd8") and content.count(b"\xff\xda") > _MOST_SCANS:
        raise ImageError(f"a JPEG of more than {_MOST_SCANS} scans")
    Image.init()
    return Image.open(io.BytesIO(content), formats=[name for name in _PICTURE_FORMATS if name in Image.OPEN])


@contextmanager
def decoded_picture(content: bytes) -> Iterator[Image.Image]:
    """The first frame of a picture, turned as the camera says.

    What cannot or should not be decoded is an `ImageError`, and so is what a decoder finds only while it is worked with.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a decoder's doubts about a file are either an error here or no matter
        try:
            with _opened_picture(content) as picture:
                _check_size(*picture.size)
                picture.seek(0)
                picture.load()
                yield ImageOps.exif_transpose(picture)
        except UnidentifiedImageError as error:
            raise ImageError("not an image in a known format") from error
        except Image.DecompressionBombError as error:
            raise ImageError("more pixels than any figure needs: refused as a decompression bomb") from error
        except _DECODING_ERRORS as error:
            raise ImageError(f"broken image data ({error or type(error).__name__})") from error


def _upright(content: bytes) -> Image.Image:
    with decoded_picture(content) as picture:
        if picture.mode.startswith(("I", "F")):
            # 16-bit and floating grey, stretched over its own range: files differ in which values mean black and white.
            values = np.nan_to_num(np.asarray(picture, np.float32), nan=0.0, posinf=0.0, neginf=0.0)
            low, high = float(values.min()), float(values.max())
            grey = ((values - low) * (255 / max(high - low, 1e-9))).astype(np.uint8)
            return Image.fromarray(grey).convert("RGB")
        if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
            layer = picture.convert("RGBA")
            return Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB")
        return picture.convert("RGB")


def picture_of_file(path: str | Path) -> Image.Image:
    """The picture of a file as models see it: upright, opaque RGB, what is transparent on white."""
    try:
        return _upright(_content(str(path)))
    except ImageError as error:
        raise ImageError(f"{Path(path).name}: {error}") from error


def small_copy(content: bytes, longest_px: int) -> bytes:
    """A picture as WebP with no side longer than told, for pages; what is transparent stays so."""
    with decoded_picture(content) as picture:
        picture.thumbnail((longest_px, longest_px), reducing_gap=2.0)
        written = io.BytesIO()
        mode = "RGBA" if "A" in picture.getbands() else "RGB"
        picture.convert(mode).save(written, "WEBP", quality=_COPY_QUALITY, method=1)
        return written.getvalue()


def size_of_file(path: str | Path) -> tuple[int, int]:
    """The width and height that a file states, which is not decoded for that."""
    try:
        with _opened_picture(_content(str(path))) as picture:
            return picture.size
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise ImageError(f"{Path(path).name}: not an image in a known format and size") from error


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise ImageError("no pixels")
    if max(width, height) > _LARGEST_SIDE_PX:
        raise ImageError(f"{width} × {height} pixels: a side is longer than {_LARGEST_SIDE_PX}")
    if width * height > _MOST_PIXELS:
        raise ImageError(f"{width} × {height} pixels: more than {_MOST_PIXELS // 1_000_000} million")
