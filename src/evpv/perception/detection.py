"""Where text may stand: the PP-OCR detector, shown the picture no larger than it needs to be.

The detector's time grows with the pixels it is given, and is half of a reading: print that stands large is looked at
from further off. Cutting away what holds no print does not pay: words alone in little ground are missed.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import rapidocr
from numpy.typing import NDArray
from rapidocr.ch_ppocr_det.utils import DBPostProcess

from evpv.perception.boxes import Pixels

Quad = NDArray[np.float32]
"""Four corners from the top left of the text onwards, 4 × 2."""

_STEP_PX = 32  # what the sides of the detector's pictures are multiples of
_INK = 30  # levels below the ground around it
_GROUND_PX = 61  # how far around
_GLYPH_PX = (5, 120)  # heights of shapes that may be glyphs
_LEAST_GLYPHS = 3  # fewer do not tell how large the print is
_SEEN_GLYPH_PX = 18.0  # the height at which small letters are found, and kept apart from icons, as at any larger one
_LEAST_SCALE = 0.5
_BOXES = DBPostProcess(thresh=0.2, box_thresh=0.3, unclip_ratio=2.0, use_dilation=True)


def detect_boxes(picture: Pixels, threads: int) -> list[Quad]:
    """The corners of whatever may be a line of text, from top to bottom."""
    height, width = picture.shape[:2]
    scale = seeing_scale(picture)
    size = [max(round(side * scale / _STEP_PX), 1) * _STEP_PX for side in (width, height)]
    seen = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    batch = np.ascontiguousarray(seen[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(127.5) - 1
    session = _session(threads)
    (answer,) = session.run(None, {session.get_inputs()[0].name: batch})
    quads, _ = _BOXES(answer, (height, width))
    return sorted(
        (np.asarray(quad, np.float32) for quad in quads), key=lambda quad: (float(quad[0][1]), float(quad[0][0]))
    )


def seeing_scale(picture: Pixels) -> float:
    """How much smaller the picture may be seen, from the heights of its smaller glyphs; 1 if it should not."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.int16)
    dark = (grey + _INK < cv2.blur(grey, (_GROUND_PX, _GROUND_PX))).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    width, height = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    low, high = _GLYPH_PX
    heights = height[(low <= height) & (height <= high) & (0.2 * height <= width) & (width <= 1.5 * height)]
    if len(heights) < _LEAST_GLYPHS:
        return 1.0
    return float(np.clip(_SEEN_GLYPH_PX / np.percentile(heights, 25), _LEAST_SCALE, 1.0))


@lru_cache(maxsize=2)
def _session(threads: int) -> onnxruntime.InferenceSession:
    """The model that ships in the rapidocr wheel, once per process."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.enable_cpu_mem_arena = False  # sizes vary from picture to picture: an arena keeps the largest of each
    path = next((Path(rapidocr.__file__).parent / "models").glob("PP-OCR*_det_*.onnx"))
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
