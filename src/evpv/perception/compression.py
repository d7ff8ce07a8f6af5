"""What JPEG did to a drawing, undone: ripples beside edges, and colours that ran out of small things.

A small network (`scripts/train_compression.py`: five layers, 18,000 weights, learnt from drawn charts and their JPEGs)
gives back flat colours and edges. Only pictures that went through JPEG are given to it, which their pixels tell,
whatever the file is now.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels, ripple_share

_BLOCK = 8
_CONTRAST = 40  # levels within a block that holds an edge
_NOTHING = 3.0  # a frequency weaker than this was left out
_COMPRESSED = 0.08  # so much more of them in JPEG's own blocks than in others; drawings and noise seldom do
_RIPPLED = 0.025  # of the pixels: drawings whose lines stand on the grid of the blocks lack frequencies, but are flat
_LEAST_BLOCKS = 10


def decompress(picture: Pixels) -> Pixels:
    """The picture as it was drawn, as nearly as can be told, if JPEG spoilt it; else the picture itself."""
    if not is_compressed(picture):
        return picture
    levels = picture.astype(np.float32).transpose(2, 0, 1)[None] / 255
    (clean,) = _network().run(None, {"picture": levels})
    return np.asarray(np.clip(np.rint(255 * clean[0].transpose(1, 2, 0)), 0, 255), np.uint8)


def is_compressed(picture: Pixels) -> bool:
    """Whether blocks of 8 × 8 from the picture's corner lack more frequencies than blocks half a block away do, and ripple."""
    if ripple_share(picture) < _RIPPLED:
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
    blocks = blocks[np.ptp(blocks, axis=(1, 2)) > _CONTRAST]
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
def _network() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    weights = files("evpv.perception").joinpath("compression.onnx").read_bytes()
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
