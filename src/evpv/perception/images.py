"""Image files made into RGB pixels that a reader can take as they are: upright, opaque, on a light ground.

What cannot or should not be decoded raises `ImageError` with the reason; nothing else leaves this module, whatever
bytes the file holds.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evpv.backends.images import decoded_picture
from evpv.errors import ImageError
from evpv.files import regular_content
from evpv.perception.boxes import Pixels

_LARGEST_FILE_BYTES = 100_000_000
_DARK_GROUND = 100
_FAINT_STEP, _RIPPLED, _RIPPLE = 12, 0.066, 40.0  # levels of a faint step; share of them beyond which they are ripples
_GRAINY = 2.0  # drawn figures and their JPEGs stay below 1


def load_pixels(path: str | Path) -> Pixels:
    """The picture of a file, see `decode_pixels`."""
    try:
        content = regular_content(path, _LARGEST_FILE_BYTES)
    except OSError as error:
        raise ImageError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ImageError(f"{path!r}: {error}") from error
    try:
        return decode_pixels(content)
    except ImageError as error:
        raise ImageError(f"{path}: {error}") from error


def decode_pixels(content: bytes) -> Pixels:
    """The picture in the bytes of an image file, whatever its name says it is.

    Of an animation the first frame is taken; turned photographs are set upright; what is transparent shows the ground
    that its content can be seen on; a light drawing on a dark ground is inverted.
    """
    if not content:
        raise ImageError("the file is empty")
    with decoded_picture(content) as picture:
        return _on_light_ground(_opaque(picture))


def _on_light_ground(pixels: Pixels) -> Pixels:
    """The picture, inverted if most of it is dark, as dark-mode screenshots are; readers expect ink on paper."""
    if float(np.median(_thin_out(pixels).mean(axis=2))) >= _DARK_GROUND:
        return pixels
    return np.asarray(255 - pixels, np.uint8)


def denoise(pixels: Pixels) -> Pixels:
    """The picture, smoothed between its edges where it is grainy as photographs are; a drawn figure stays as it is.

    For the readers of lines and colours, which ask whether neighbouring pixels are alike. OCR reads the grain better
    than the smoothing.
    """
    level = noise_level(pixels)
    if level < _GRAINY:
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, 7, 4 * level, 3), np.uint8)


def flatten_colours(pixels: Pixels) -> Pixels:
    """The picture, smoothed between its edges where compression or shrinking left ripples beside them.

    For the reader of charts, to which an area of one colour is a mark. Tables lose their palest bands by it.
    """
    if ripple_share(pixels) <= _RIPPLED:
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, 7, _RIPPLE, 3), np.uint8)


def ripple_share(pixels: Pixels) -> float:
    """The share of pixels that are faintly lighter or darker than their neighbour: few in a drawing as it was drawn."""
    step = np.abs(np.diff(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.int16), axis=1))
    return float(np.count_nonzero((step > 0) & (step <= _FAINT_STEP)) / max(step.size, 1))


def noise_level(pixels: Pixels) -> float:
    """The usual difference, in grey levels, between a pixel and what its neighbours on both sides would make it."""
    grey = pixels.mean(axis=2)
    if min(grey.shape) < 3:
        return 0.0
    across = np.abs(grey[:, 1:-1] - (grey[:, :-2] + grey[:, 2:]) / 2)
    return float(np.median(across))


def _opaque(picture: Image.Image) -> Pixels:
    if picture.mode.startswith(("I", "F")):
        return _from_wide_grey(np.asarray(picture, np.float32))
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        return _lay_on_ground(picture.convert("RGBA"))
    return np.array(picture.convert("RGB"), np.uint8)


def _thin_out(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every n-th pixel: enough to judge a large picture by, at a fraction of the memory."""
    step = max(max(values.shape[:2]) // 1000, 1)
    return values[::step, ::step]


def _from_wide_grey(values: NDArray[np.float32]) -> Pixels:
    """16-bit and floating grey, stretched over its own range: files differ in which values mean black and white."""
    finite = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(finite.min()), float(finite.max())
    if low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    grey = ((finite - low) * (255 / max(high - low, 1e-9))).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)


def _lay_on_ground(picture: Image.Image) -> Pixels:
    """A transparent picture laid on white, or on black where its visible content is light."""
    seen = _thin_out(np.asarray(picture, np.uint8)).astype(np.float32)
    alpha = seen[:, :, 3] / 255
    weight = float(alpha.sum())
    content = float((seen[:, :, :3].mean(axis=2) * alpha).sum()) / weight if weight else 0.0
    ground = "black" if content > 200 and weight < 0.5 * alpha.size else "white"
    sheet = Image.alpha_composite(Image.new("RGBA", picture.size, ground), picture)
    return np.array(sheet.convert("RGB"), np.uint8)
