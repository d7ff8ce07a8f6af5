"""The embedded extractor: image files in, constraints out, on a CPU and offline."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version as installed_version
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from evpv.errors import ImageError
from evpv.perception.charts import read_chart
from evpv.perception.geometry import read_geometry
from evpv.perception.graphs import read_graph
from evpv.perception.images import denoised, load_pixels
from evpv.perception.ocr import Pixels, Word, read_words
from evpv.perception.other_figures import read_other
from evpv.perception.router import Kind, figure_kind
from evpv.perception.skew import Turn, straightened
from evpv.perception.tables import read_table
from evpv.types import Box, Constraint, Extraction, Problem

Reader = Callable[[Pixels, Sequence[Word]], list[Constraint]]

READERS: dict[Kind, Reader] = {
    "table": read_table,
    "chart": read_chart,
    "geometry": read_geometry,
    "graph": read_graph,
    "other": read_other,
}

_LARGEST_SIDE_PX = 2400  # larger pictures are read smaller; their boxes are still those of the file
_USUAL_TEXT_PX = 32.0  # height of a word's box in figures as they are usually drawn
_ODD_TEXT_PX = (14.0, 80.0)  # beyond these the picture is scaled before strokes are read
# What numerical code raises on a picture it was not made for. Such a picture is a value in the result, not the batch's end.
_READING_ERRORS = (cv2.error, ArithmeticError, ValueError, LookupError, MemoryError)


class EmbeddedExtractor:
    """Reads tables, charts, figures of geometry and function graphs without a model server (E_φ in the paper).

    The answers do not depend on the number of `threads`. Several processes are the engines' business.
    """

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    @property
    def version(self) -> str:
        """Changes with every change of the readers' code or of the OCR engine, so that no stale answer is reused."""
        return _version()

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem, in order."""
        return [extract_one(problem, self._threads) for problem in problems]


def extract_one(problem: Problem, threads: int = 1) -> Extraction:
    """The constraints of all of a problem's images; no image, no constraints, and `kind` None."""
    started = time.perf_counter()
    readings = [_read_image(image, threads) for image in problem.images]
    if not readings:
        return Extraction()
    return Extraction(
        constraints=tuple(constraint for reading in readings for constraint in reading.constraints),
        kind=", ".join(dict.fromkeys(reading.kind for reading in readings if reading.kind)) or None,
        problem="; ".join(reading.problem for reading in readings if reading.problem) or None,
        cost={
            "seconds": round(time.perf_counter() - started, 4),
            "ocr_seconds": round(sum(reading.ocr_seconds for reading in readings), 4),
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    constraints: tuple[Constraint, ...] = ()
    kind: Kind | None = None
    problem: str | None = None
    ocr_seconds: float = 0.0


def _read_image(image: str, threads: int) -> _Reading:
    try:
        picture = load_pixels(image)
    except ImageError as error:
        return _Reading(problem=str(error))
    cv2.setNumThreads(threads)
    small, shrink = _within_bounds(picture)
    started = time.perf_counter()
    kind: Kind | None = None
    try:
        small, words, turn = straightened(small, read_words(small, threads=threads), threads)
        ocr_seconds = time.perf_counter() - started
        sized, words, factor = _at_usual_size(small, words)
        clean = denoised(sized)
        kind = figure_kind(clean, words)
        found = READERS[kind](clean, words)
        if not found and kind in ("geometry", "graph"):
            found = read_other(clean, words)  # a solid, say, or labels that are still there to be named
    except _READING_ERRORS as error:
        return _Reading(kind=kind, problem=f"{image}: reading it as {kind or 'text'} failed ({error})")
    constraints = tuple(_placed(constraint, factor, turn, shrink) for constraint in found)
    return _Reading(constraints=constraints, kind=kind, ocr_seconds=ocr_seconds)


def _within_bounds(picture: Pixels) -> tuple[Pixels, float]:
    shrink = min(1.0, _LARGEST_SIDE_PX / max(picture.shape[:2]))
    return _resized(picture, shrink), shrink


def _at_usual_size(picture: Pixels, words: list[Word]) -> tuple[Pixels, list[Word], float]:
    """A figure whose text is very large or very small, scaled to what the readers of strokes are made for."""
    heights = [min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in (word.box for word in words)]
    usual = median(heights) if heights else _USUAL_TEXT_PX
    if _ODD_TEXT_PX[0] < usual < _ODD_TEXT_PX[1]:
        return picture, words, 1.0
    factor = min(_USUAL_TEXT_PX / usual, _LARGEST_SIDE_PX / max(picture.shape[:2]))
    scaled = [replace(word, box=_scaled(word.box, factor)) for word in words]
    return _resized(picture, factor), scaled, factor


def _resized(picture: Pixels, factor: float) -> Pixels:
    if factor == 1.0:
        return picture
    size = max(round(picture.shape[1] * factor), 1), max(round(picture.shape[0] * factor), 1)
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)


def _scaled(box: Box, factor: float) -> Box:
    return (box[0] * factor, box[1] * factor, box[2] * factor, box[3] * factor)


def _placed(constraint: Constraint, factor: float, turn: Turn | None, shrink: float) -> Constraint:
    """The constraint with its box where it is in the file's picture: all that was done to the picture undone."""
    if constraint.box is None or (turn is None and factor * shrink == 1.0):
        return constraint
    box = _scaled(constraint.box, 1 / factor)
    return replace(constraint, box=_scaled(turn.back(box) if turn is not None else box, 1 / shrink))


@lru_cache(maxsize=1)
def _version() -> str:
    digest = sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return f"embedded-{digest.hexdigest()[:12]}-rapidocr-{installed_version('rapidocr')}"
