"""The embedded extractor: image files in, constraints out, on a CPU and offline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version as installed_version
from itertools import chain
from pathlib import Path
from statistics import median_low

import cv2
import numpy as np

from evpv.errors import ImageError
from evpv.perception.boxes import Frame, Pixels, resize
from evpv.perception.cache import CachedExtractor, cache_folder
from evpv.perception.charts import read_chart
from evpv.perception.competition import FigureReading, Reader, best_reading, told_share, with_loose_values
from evpv.perception.geometry import read_geometry, without_dashes
from evpv.perception.graphs import graph_reading
from evpv.perception.images import decompress, denoise, load_pixels, straighten
from evpv.perception.networks import network_reading
from evpv.perception.ocr import Word, read_words
from evpv.perception.other_figures import read_other
from evpv.perception.photographs import flatten
from evpv.perception.recognition import Ration, recognise, within_ration
from evpv.perception.router import figure_priors
from evpv.perception.tables import table_reading
from evpv.protocols import Description, Extractor
from evpv.types import Constraint, Extraction, Problem

_LARGEST_SIDE_PX = 2400  # larger pictures are read smaller; their boxes are still those of the file
_USUAL_TEXT_PX = 32.0  # height of a word's box in figures as they are usually drawn
_GRAIN = 8.0  # levels between neighbours in filled areas of a cleaned photograph, which its white ground does not show
_SURE = 0.7  # a photograph whose reading explains this much is not read again
_CHART_OF_PHOTOGRAPH = (
    0.7  # of what a chart's facts say they are sure: on photographs 0.55 were right where 0.77 was said
)
_ODD_TEXT_PX = (14.0, 80.0)  # beyond these the picture is scaled before strokes are read
# What numerical code raises on a picture it was not made for. Such a picture is a value in the result, not the batch's end.
_READING_ERRORS = (cv2.error, ArithmeticError, ValueError, LookupError, MemoryError)


class EmbeddedExtractor:
    """Reads tables, charts, figures of geometry and function graphs without a model server (E_φ in the paper).

    The answers do not depend on the number of `threads`. Several processes are the engines' business.
    """

    description = Description(reads_question=False, reads_constraints=False, extras=("vision",))

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads

    @property
    def version(self) -> str:
        """Changes with every change of the readers' code and weights, of the OCR engine or of opencv, so that no stale answer is reused."""
        return _version()

    def prepare(self) -> None:
        """Read a blank word, so that the models of detection and recognition are there."""
        blank = np.full((48, 96, 3), 255, np.uint8)
        read_words(blank, threads=self._threads)
        recognise([blank], threads=self._threads)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem, in order."""
        return [_extract_one(problem, self._threads) for problem in problems]


def embedded_extractor(*, threads: int = 1, cache: str = "auto") -> Extractor:
    """Reads figures on this machine, each once: what was read is kept in the folder `cache` for later runs.

    "auto" is the user's cache folder, "" keeps nothing.
    """
    extractor = EmbeddedExtractor(threads=threads)
    return CachedExtractor(extractor, cache_folder(cache)) if cache else extractor


def _extract_one(problem: Problem, threads: int = 1) -> Extraction:
    """The constraints of all of a problem's images; no image, no constraints, and `kind` None."""
    started = time.perf_counter()
    readings = [_read_image(image, threads) for image in problem.images]
    if not readings:
        return Extraction()
    return Extraction(
        constraints=tuple(chain.from_iterable(reading.constraints for reading in readings)),
        kind=", ".join(dict.fromkeys(filter(None, (reading.kind for reading in readings)))) or None,
        problem="; ".join(filter(None, (reading.problem for reading in readings))) or None,
        cost={
            "seconds": round(time.perf_counter() - started, 4),
            "ocr_seconds": round(sum(reading.cost.get("ocr_seconds", 0.0) for reading in readings), 4),
        },
    )


def _other_reading(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """A figure of another kind, judged by the share of the words that its facts name."""
    found = tuple(read_other(picture, words))
    return FigureReading(kind="other", constraints=found, explained=told_share(words, found))


READERS: dict[str, Reader] = {
    "table": table_reading,
    "network": network_reading,
    "chart": read_chart,
    "graph": graph_reading,
    "geometry": read_geometry,
    "other": _other_reading,
}


def _read_image(image: str, threads: int) -> Extraction:
    try:
        picture = load_pixels(image)
    except ImageError as error:
        return Extraction(problem=str(error))
    cv2.setNumThreads(threads)
    with within_ration(Ration()) as ration:
        reading = _read_picture(picture, image, threads)
    if reading.problem is not None or not ration.unread:
        return reading
    return replace(reading, problem=f"{image}: too much text: {ration.unread} pieces of it were not read")


def _read_picture(picture: Pixels, image: str, threads: int) -> Extraction:
    """What is read of a drawing; of the two pictures that a photograph becomes, of the one whose reading explains more.

    The last one is that of a drawing or of the picture to which less was done. Of equals the cleaned one is taken, but
    not of charts: cleaning moves the edges that they are measured at.
    """
    shrink = min(1.0, _LARGEST_SIDE_PX / max(picture.shape[:2]))
    whole = resize(picture, shrink)
    file = _File(whole=whole, threads=threads)
    readings, error = _readings_of(flatten(whole, Frame.at_scale(shrink), threads), file.reading)
    if not readings:
        return Extraction(problem=f"{image}: reading it failed ({error})")
    in_turn = reversed(readings) if readings[-1].kind == "chart" else readings
    best = max(in_turn, key=lambda one: one.explained)
    return Extraction(constraints=best.constraints, kind=best.kind, cost={"ocr_seconds": file.ocr_seconds})


def _readings_of(
    pictures: Iterator[tuple[Pixels, Frame]], read: Callable[[Pixels, Frame], FigureReading]
) -> tuple[list[FigureReading], Exception | None]:
    """The readings of pictures until one is good enough, and what went wrong last: an error costs one picture's reading, not the others'.

    A chart is read from every picture.
    """
    readings: list[FigureReading] = []
    error: Exception | None = None
    while True:
        try:
            if (one := next(pictures, None)) is None:
                return readings, error
            readings.append(read(*one))
        except _READING_ERRORS as caught:
            error = caught
        else:
            if readings[-1].explained >= _SURE and readings[-1].kind != "chart":
                return readings, error


@dataclass(slots=True, kw_only=True)
class _File:
    """What is read of the pictures that one file becomes: the drawing, or a photograph cleaned and as it is lit."""

    whole: Pixels
    threads: int
    ocr_seconds: float = 0.0
    _is_begun: bool = False

    def reading(self, picture: Pixels, frame: Frame) -> FigureReading:
        """The best explained reading, its boxes those of the file."""
        is_photograph = picture is not self.whole
        is_cleaned = is_photograph and not self._is_begun
        self._is_begun = True
        started = time.perf_counter()
        picture, words, frame = straighten(picture, frame, self.threads, spoilt=is_cleaned)
        self.ocr_seconds += time.perf_counter() - started
        words = without_dashes(picture, words)
        readers = _readers_of(picture, words)
        sized, words, closer = _at_usual_size(picture, words)
        clean = denoise(sized, _GRAIN if is_cleaned else 0.0)
        reading = with_loose_values(best_reading(clean, words, readers, figure_priors(clean, words)), words)
        sure = _CHART_OF_PHOTOGRAPH if is_photograph and reading.kind == "chart" else 1.0
        placed = frame.then(closer)
        return replace(reading, constraints=tuple(_fact_in_file(fact, placed, sure) for fact in reading.constraints))


def _fact_in_file(fact: Constraint, frame: Frame, sure: float) -> Constraint:
    """The fact, its box that of the file, as much less sure as that."""
    box = None if fact.box is None else frame.back(fact.box)
    return replace(fact, box=box, confidence=fact.confidence if sure == 1.0 else round(sure * fact.confidence, 4))


def _readers_of(picture: Pixels, words: list[Word]) -> dict[str, Reader]:
    """The readers; that of charts sees the colours from before JPEG. Lines of geometry and bands of tables do not gain by it."""
    drawn = decompress(picture)
    if drawn is picture:
        return READERS
    sized = denoise(_at_usual_size(drawn, words)[0])
    return {**READERS, "chart": lambda _, found: read_chart(sized, found)}


def _at_usual_size(picture: Pixels, words: list[Word]) -> tuple[Pixels, list[Word], Frame]:
    """A figure whose text is very large or very small, scaled to what the readers of strokes are made for."""
    usual = median_low(word.box.line_height for word in words) if words else _USUAL_TEXT_PX
    if _ODD_TEXT_PX[0] < usual < _ODD_TEXT_PX[1]:
        return picture, words, Frame.same()
    factor = min(_USUAL_TEXT_PX / usual, _LARGEST_SIDE_PX / max(picture.shape[:2]))
    scaled = [replace(word, box=word.box.times(factor)) for word in words]
    return resize(picture, factor), scaled, Frame.at_scale(factor)


@lru_cache(maxsize=1)
def _version() -> str:
    digest = sha256()
    here = Path(__file__).parent
    kinds = ("*.py", "*.safetensors", "*.onnx", "*.txt")
    for file in sorted([here.parent / "backends" / "images.py", *(one for kind in kinds for one in here.rglob(kind))]):
        digest.update(file.read_bytes())
    engines = "-".join(f"{name}-{installed_version(name)}" for name in ("rapidocr", "opencv-python-headless"))
    return f"embedded-{digest.hexdigest()[:12]}-{engines}"
