"""Image files made into RGB pixels that a reader can take as they are: upright, opaque, on a light ground.

What cannot or should not be decoded raises `ImageError` with the reason; nothing else leaves this module, whatever
bytes the file holds.

A picture that lies a few degrees askew, as its lines of text agree, is turned and read again.

What JPEG did to a drawing is undone by a small network (`scripts/train_compression.py`: five layers, 18,000 weights, learnt from
drawn charts and their JPEGs), which gives back flat colours and edges. Only pictures that went through JPEG are given to it, which
their pixels tell, whatever the file is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray
from PIL import Image

from evpv.backends.images import decoded_picture
from evpv.errors import ImageError
from evpv.files import regular_content
from evpv.perception.boxes import Frame, Pixels, is_rippled, ripple_share
from evpv.perception.ocr import Word, read_words
from evpv.perception.recognition import open_network

_LARGEST_FILE_BYTES = 100_000_000
_DARK_GROUND = 100
_RIPPLE = 40.0  # levels between colours that are one but for ripples
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
        if picture.mode.startswith(("I", "F")):
            pixels = _from_wide_grey(np.asarray(picture, np.float32))
        elif picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
            pixels = _lay_on_ground(picture.convert("RGBA"))
        else:
            pixels = np.array(picture.convert("RGB"), np.uint8)
        # Dark-mode screenshots are inverted: readers expect ink on paper.
        is_light = float(np.median(_thin_out(pixels).mean(axis=2))) >= _DARK_GROUND
        return pixels if is_light else np.asarray(255 - pixels, np.uint8)


def denoise(pixels: Pixels, grain: float = 0.0) -> Pixels:
    """The picture, smoothed between its edges where it is grainy as photographs are; a drawn figure stays as it is.

    `grain` is its level where the picture as a whole does not show it: a cleaned photograph has it in its filled areas alone.
    For the readers of lines and colours, which ask whether neighbouring pixels are alike. OCR reads the grain better
    than the smoothing.
    """
    level = max(_noise_level(pixels), grain)
    if level < _GRAINY:
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, 7, 4 * level, 3), np.uint8)


def flatten_colours(pixels: Pixels) -> Pixels:
    """The picture, smoothed between its edges where compression or shrinking left ripples beside them.

    For the reader of charts, to which an area of one colour is a mark. Tables lose their palest bands by it.
    """
    if not is_rippled(pixels):
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, 7, _RIPPLE, 3), np.uint8)


def _noise_level(pixels: Pixels) -> float:
    """The usual difference, in grey levels, between a pixel and what its neighbours on both sides would make it."""
    grey = pixels.mean(axis=2)
    if min(grey.shape) < 3:
        return 0.0
    across = np.abs(grey[:, 1:-1] - (grey[:, :-2] + grey[:, 2:]) / 2)
    return float(np.median(across))


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


_SKEW_PX = 720  # longer side of the picture that skew is measured on
_LEAST_DEG, _MOST_DEG = 1.0, 12.0  # how far a picture may lie askew and be turned


def straighten(
    picture: Pixels, frame: Frame, threads: int, *, spoilt: bool = False
) -> tuple[Pixels, list[Word], Frame]:
    """The picture with its words, turned and read again if its lines of text agree that it lies askew."""
    words = read_words(picture, threads=threads, spoilt=spoilt)
    rough = _skew_deg(words)
    if abs(rough) < _LEAST_DEG:
        return picture, words, frame
    skew = _sharpest_deg(picture, rough)
    height, width = picture.shape[:2]
    forward = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), -skew, 1.0), np.float64)
    border = tuple(int(value) for value in np.median(picture.reshape(-1, 3), axis=0))
    turned = np.asarray(
        cv2.warpAffine(picture, forward, (width, height), flags=cv2.INTER_CUBIC, borderValue=border), np.uint8
    )
    return turned, read_words(turned, threads=threads, spoilt=spoilt), frame.then(Frame.of_warp(forward))


def _skew_deg(words: Sequence[Word]) -> float:
    """How far the lines of text are turned counter-clockwise: 0 unless several long words agree.

    Short words are left out, since the box of a letter leans as the letter does.
    """
    leaning = [word.angle_deg for word in words if len(word.text) >= 4 and word.box.width > 2 * word.box.height]
    if len(leaning) < 3:
        return 0.0
    middle = median(leaning)
    agreeing = sum(abs(angle - middle) < 1.0 for angle in leaning)
    return middle if abs(middle) <= _MOST_DEG and agreeing >= 0.6 * len(leaning) else 0.0


def _sharpest_deg(picture: Pixels, rough: float) -> float:
    """The angle near `rough` at which rows and columns of pixels differ most from their neighbours.

    The boxes of words say that a picture lies askew, but lean less than the text in them.
    """
    factor = min(1.0, _SKEW_PX / max(picture.shape[:2]))
    whole = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    grey = cv2.resize(whole, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    height, width = grey.shape

    def sharpness(angle: float) -> float:
        forward = cv2.getRotationMatrix2D((width / 2, height / 2), -angle, 1.0)
        turned = cv2.warpAffine(grey, forward, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        return float(np.square(np.diff(turned.mean(axis=0))).sum() + np.square(np.diff(turned.mean(axis=1))).sum())

    return float(max(rough + np.arange(-3.0, 3.01, 0.25), key=sharpness))


_BLOCK = 8
_EDGE = 40  # levels within a block that holds an edge
_NOTHING = 3.0  # a frequency weaker than this was left out
_COMPRESSED = 0.08  # so much more of them in JPEG's own blocks than in others; drawings and noise seldom do
_LEAST_RIPPLES = (
    0.025  # of the pixels: drawings whose lines stand on the grid of the blocks lack frequencies, but are flat
)
_LEAST_BLOCKS = 10


def decompress(picture: Pixels) -> Pixels:
    """The picture as it was drawn, as nearly as can be told, if JPEG spoilt it; else the picture itself."""
    if not is_compressed(picture):
        return picture
    levels = picture.astype(np.float32).transpose(2, 0, 1)[None] / 255
    (clean,) = _restorer().run(None, {"picture": levels})
    return np.asarray(np.clip(np.rint(255 * clean[0].transpose(1, 2, 0)), 0, 255), np.uint8)


def is_compressed(picture: Pixels) -> bool:
    """Whether blocks of 8 × 8 from the picture's corner lack more frequencies than blocks half a block away do, and ripple."""
    if ripple_share(picture) < _LEAST_RIPPLES:
        return False
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    half = _BLOCK // 2
    own, other = _missing_share(grey), _missing_share(grey[half:, half:])
    return own is not None and other is not None and own - other > _COMPRESSED


def _missing_share(grey: NDArray[np.float32]) -> float | None:
    """The share of the frequencies of blocks with an edge that are as good as nothing; None where there are few such."""
    rows, columns = (size // _BLOCK for size in grey.shape)
    tiles = grey[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK)
    blocks = tiles.transpose(0, 2, 1, 3).reshape(-1, _BLOCK, _BLOCK)
    blocks = blocks[np.ptp(blocks, axis=(1, 2)) > _EDGE]
    if len(blocks) < _LEAST_BLOCKS:
        return None
    step = np.arange(_BLOCK)
    waves = np.cos(np.pi * (2 * step[None] + 1) * step[:, None] / (2 * _BLOCK))
    waves[0] /= np.sqrt(2)
    waves = np.asarray(waves / 2, np.float32)  # the cosine transform that JPEG applies to rows and columns of a block
    return float((np.abs(waves @ blocks @ waves.T) < _NOTHING).mean())


@lru_cache(maxsize=1)
def _restorer() -> onnxruntime.InferenceSession:
    return open_network(Path(__file__).with_name("compression.onnx"))
