"""Image files made into RGB pixels that a reader can take as they are: upright, opaque, on a light ground.

What cannot or should not be decoded raises `ImageError` with the reason; nothing else leaves this module, whatever
bytes the file holds.

Photographs and scans are made flat, straight and evenly lit before anything is read. A figure that was drawn by a program has one
exact ground colour and is left alone, which costs a histogram. Of a photograph the sheet is found and laid flat, shadows are
divided out, and soft edges are sharpened. Whatever then still lies a few degrees askew, as its lines of text agree, is
turned and read again.

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
from evpv.perception.boxes import Frame, Pixels, is_rippled, resize, ripple_share
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
    if not is_rippled(pixels):
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, 7, _RIPPLE, 3), np.uint8)


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


_JUDGED_PX = 480  # longer side of the picture that light and sheet are judged on
_DRAWN_SHARE = 0.35  # of the pixels that have the ground's very colour: so many in a drawing, few in a photograph
_FLAT_SHARE = 0.5  # of small tiles that have one colour, likewise
_SMOOTH = 6.0  # levels from pixel to pixel: light changes less, the edge of a filled area more
_UNEVEN = 24.0  # levels of light between the darkest and the brightest parts of the ground
_LEAST_SHEET = 0.3  # of the picture's area
_SHEET_BRIGHT = 0.5  # of a sheet's own area, print on it left out
_LEAST_DEG, _MOST_DEG = 1.0, 12.0  # how far a sheet may lie askew and be turned
_SOFT = 0.22  # of the strongest step between neighbours: what the strongest edges of a blurred picture reach


def flatten(picture: Pixels, frame: Frame) -> tuple[Pixels, Frame]:
    """The picture as it is if it was drawn, else its sheet laid flat, evenly lit and sharp; `frame` follows."""
    if min(picture.shape[:2]) < 64 or is_drawn(picture):
        return picture, frame
    for seen in (picture, np.asarray(255 - picture, np.uint8)):  # one on a dark table was taken for dark mode
        sheet = _sheet_corners(seen)
        if sheet is not None:
            picture, change = _laid_flat(seen, sheet)
            frame = frame.then(change)
            break
    light = _light(picture)
    if light is not None:
        picture = _evenly_lit(picture, light)
    return (_sharpen(picture) if _is_soft(picture) else picture), frame


def is_drawn(picture: Pixels) -> bool:
    """Whether a program drew the picture: one ground, or flat tiles; a sensor's grain leaves neither."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    usual = int(counts.argmax())
    if counts[max(usual - 1, 0) : usual + 2].sum() > _DRAWN_SHARE * counts.sum():
        return True
    rows, columns = grey.shape[0] // 8, grey.shape[1] // 8
    tiles = grey[: 8 * rows, : 8 * columns].reshape(rows, 8, columns, 8)
    return float((tiles.max(axis=(1, 3)) - tiles.min(axis=(1, 3)) <= 3).mean()) > _FLAT_SHARE


def _sheet_corners(picture: Pixels) -> NDArray[np.float32] | None:
    """The corners of a bright sheet on darker surroundings, from the top left clockwise; None where none stands out."""
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.GaussianBlur(cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY), (5, 5), 0)
    _, bright = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if bright.mean() > 0.97 or float(grey[bright == 1].mean()) - float(grey[bright == 0].mean()) < 40:
        return None
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(outlines, key=cv2.contourArea)
    if cv2.contourArea(largest) < _LEAST_SHEET * grey.size or not _is_bright_inside(
        np.asarray(bright, np.uint8), np.asarray(largest, np.int32)
    ):
        return None
    hull = cv2.convexHull(largest)
    corners = np.asarray(cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True), np.float32).reshape(-1, 2)
    if len(corners) != 4 or cv2.contourArea(largest) < 0.9 * cv2.contourArea(corners.reshape(-1, 1, 2)):
        return None
    if _fills(corners, grey.shape):
        return None
    return np.asarray(_in_order(corners) / factor, np.float32)


def _is_bright_inside(bright: NDArray[np.uint8], outline: NDArray[np.int32]) -> bool:
    """Whether what an outline encloses is bright itself; a drawn frame is bright at its rim only."""
    inside = cv2.drawContours(np.zeros_like(bright), [outline], -1, 1, -1) > 0
    return float(bright[inside].mean()) > _SHEET_BRIGHT


def _fills(corners: NDArray[np.float32], shape: tuple[int, ...]) -> bool:
    """Whether a sheet is the picture itself."""
    rim = 0.02 * max(shape)
    inside = (corners > rim).all(axis=1) & (corners[:, 0] < shape[1] - rim) & (corners[:, 1] < shape[0] - rim)
    return int(inside.sum()) == 0


def _in_order(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    sums, differences = corners.sum(axis=1), corners[:, 1] - corners[:, 0]
    return corners[[sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax()]]


def _laid_flat(picture: Pixels, sheet: NDArray[np.float32]) -> tuple[Pixels, Frame]:
    """The sheet as a rectangle. Its frame is the affine map nearest to the perspective one: boxes need no more."""
    top, right, bottom, left = (float(np.hypot(*(sheet[(side + 1) % 4] - sheet[side]))) for side in range(4))
    width, height = max(int(max(top, bottom)), 8), max(int(max(left, right)), 8)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(sheet, target)
    flat = cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    square = np.hstack([target, np.ones((4, 1), np.float32)])
    inverse, *_ = np.linalg.lstsq(square, sheet, rcond=None)
    return np.asarray(flat, np.uint8), Frame(inverse=np.asarray(inverse.T, np.float64))


def _light(picture: Pixels) -> NDArray[np.float32] | None:
    """How bright the ground is everywhere, on a small picture; None where it is even, or what changes it is no light.

    Ink is thinner than what the filters reach over; filled areas are not, but have edges.
    """
    factor = min(1.0, _JUDGED_PX / max(picture.shape[:2]))
    grey = cv2.cvtColor(resize(picture, factor), cv2.COLOR_RGB2GRAY)
    reach = max(int(0.04 * max(grey.shape)) | 1, 9)
    ground = cv2.medianBlur(cv2.dilate(grey, np.ones((reach, reach), np.uint8)), min(2 * reach + 1, 61))
    steps = np.abs(np.diff(cv2.GaussianBlur(ground, (5, 5), 0).astype(np.float32), axis=1))
    uneven = float(np.percentile(ground, 98) - np.percentile(ground, 2))
    if uneven < _UNEVEN or float(np.percentile(steps, 99.5)) > _SMOOTH:
        return None
    return np.asarray(cv2.GaussianBlur(ground, (0, 0), reach / 2), np.float32)


def _evenly_lit(picture: Pixels, light: NDArray[np.float32]) -> Pixels:
    """Shadows divided out, the ground brought near white."""
    whole = cv2.resize(light, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = picture.astype(np.float32) * (245.0 / np.maximum(whole, 30.0))[:, :, None]
    return np.asarray(np.clip(even, 0, 255), np.uint8)


def _is_soft(picture: Pixels) -> bool:
    """Whether even the sharpest edges rise slowly, as those of a hand-held photograph do."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    steps = np.abs(np.diff(cv2.GaussianBlur(grey, (3, 3), 0), axis=1))
    contrast = float(np.percentile(grey, 99.5) - np.percentile(grey, 0.5))
    return float(np.percentile(steps, 99.5)) < _SOFT * max(contrast, 1.0)


def _sharpen(picture: Pixels) -> Pixels:
    blurred = cv2.GaussianBlur(picture, (0, 0), 2.0)
    return np.asarray(cv2.addWeighted(picture, 2.0, blurred, -1.0, 0), np.uint8)


def straighten(picture: Pixels, frame: Frame, threads: int) -> tuple[Pixels, list[Word], Frame]:
    """The picture with its words, turned and read again if its lines of text agree that it lies askew."""
    words = read_words(picture, threads=threads)
    rough = skew_deg(words)
    if abs(rough) < _LEAST_DEG:
        return picture, words, frame
    skew = _sharpest_deg(picture, rough)
    height, width = picture.shape[:2]
    forward = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), -skew, 1.0), np.float64)
    border = tuple(int(value) for value in np.median(picture.reshape(-1, 3), axis=0))
    turned = np.asarray(
        cv2.warpAffine(picture, forward, (width, height), flags=cv2.INTER_CUBIC, borderValue=border), np.uint8
    )
    return turned, read_words(turned, threads=threads), frame.then(Frame.of_warp(forward))


def skew_deg(words: Sequence[Word]) -> float:
    """How far the lines of text are turned counter-clockwise: 0 unless several long words agree.

    Short words are left out, since the box of a letter leans as the letter does.
    """
    leaning = [word.angle_deg for word in words if _is_long(word)]
    if len(leaning) < 3:
        return 0.0
    middle = median(leaning)
    agreeing = sum(abs(angle - middle) < 1.0 for angle in leaning)
    return middle if abs(middle) <= _MOST_DEG and agreeing >= 0.6 * len(leaning) else 0.0


def _sharpest_deg(picture: Pixels, rough: float) -> float:
    """The angle near `rough` at which rows and columns of pixels differ most from their neighbours.

    The boxes of words say that a picture lies askew, but lean less than the text in them.
    """
    side = max(picture.shape[:2])
    factor = min(1.0, 1.5 * _JUDGED_PX / side)
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    angles = rough + np.arange(-3.0, 3.01, 0.25)
    return float(max(angles, key=lambda angle: _sharpness(np.asarray(grey, np.uint8), angle)))


def _sharpness(grey: NDArray[np.uint8], angle: float) -> float:
    height, width = grey.shape
    forward = cv2.getRotationMatrix2D((width / 2, height / 2), -angle, 1.0)
    turned = cv2.warpAffine(grey, forward, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    return float(np.square(np.diff(turned.mean(axis=0))).sum() + np.square(np.diff(turned.mean(axis=1))).sum())


def _is_long(word: Word) -> bool:
    return len(word.text) >= 4 and word.box.width > 2 * word.box.height


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
    waves = _waves()
    return float((np.abs(waves @ blocks @ waves.T) < _NOTHING).mean())


@lru_cache(maxsize=1)
def _waves() -> NDArray[np.float32]:
    """The cosine transform that JPEG applies to rows and columns of a block."""
    step = np.arange(_BLOCK)
    cosines = np.cos(np.pi * (2 * step[None] + 1) * step[:, None] / (2 * _BLOCK))
    cosines[0] /= np.sqrt(2)
    return np.asarray(cosines / 2, np.float32)


@lru_cache(maxsize=1)
def _restorer() -> onnxruntime.InferenceSession:
    return open_network(Path(__file__).with_name("compression.onnx"))
