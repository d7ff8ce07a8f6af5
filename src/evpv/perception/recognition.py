"""What a crop says: PP-OCR's recogniser, in batches, held to the characters of figures.

`recogniser.onnx` is the recogniser of the rapidocr wheel with fewer characters and whole numbers inside, at half its time
(`scripts/quantise_recogniser.py`). Of small or spoilt print it is less
sure than the whole one, which then reads again what it doubts. Both know thousands of Chinese characters; a stroke of a
drawing easily looks like one of them. Left out of the answer, what remains is the best reading in Latin, Greek, digits and mathematical signs.
Its confidence is still its share among all characters, so a shape that is no text stays unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import rapidocr
from numpy.typing import NDArray

from evpv.perception.boxes import Pixels
from evpv.perception.spelling import respell

_HEIGHT_PX = 48  # the height that the recogniser was trained at
_NARROWEST_PX = 128  # padding below this costs accuracy on one-character crops, above it only time
_WIDTH_STEP_PX = 16
_WIDEST_PX = 2400
_SURE = 0.95  # of a reading by the quick recogniser: the whole one hardly ever reads otherwise
_BATCH_PX = 512  # columns of crops that go through together: more are no faster, and their memory is asked for anew
_SIGNS = "°√π′″²³×÷±−–—≤≥≠≈∠△⊥∥∞·•…’‘“”€£¥¢½¼¾%‰™®©∆∙⋅"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The text of a crop, and how sure the recogniser is of its characters (0 where there is no text)."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Engine:
    session: onnxruntime.InferenceSession
    characters: tuple[str, ...]  # one per column of the model's answer; index 0 is the blank of the CTC decoder
    columns: NDArray[np.intp]  # those that a figure's text may use
    letters: tuple[str, ...]  # and their characters

    def scores(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        if (ration := _ration.get()) is not None:
            ration.spend(batch.shape[0] * batch.shape[3])
        (scores,) = self.session.run(None, {self.session.get_inputs()[0].name: batch})
        return np.asarray(scores, np.float32)


_quick_engines: dict[int, _Engine] = {}


@dataclass(slots=True, kw_only=True)
class Ration:
    """How many columns of crops one picture may still have read, and how many crops went without.

    The recogniser is what a picture of nothing but print, or of noise, would keep for minutes. When the ration is used up,
    lines of text are left unread, and a reader that goes on looking at glyphs for as much again is stopped.
    """

    columns: int = 100_000  # about ten seconds of a core, or 800 words
    unread: int = 0

    def spend(self, columns: int) -> None:
        self.columns -= columns
        if self.columns < -Ration().columns:
            raise ValueError("there is too much in it that might be print")


_ration: ContextVar[Ration | None] = ContextVar("ration", default=None)


@contextmanager
def rationed(ration: Ration) -> Iterator[Ration]:
    """Bound what is recognised within, which is one picture's."""
    before = _ration.set(ration)
    try:
        yield ration
    finally:
        _ration.reset(before)


def recognise(crops: Sequence[Pixels], *, threads: int = 1, spoilt: bool = False) -> list[Reading]:
    """Reads each crop as one line of text; its confidence is the mean over characters.

    Of a picture whose print is `spoilt` or small, doubtful crops are read once more by the whole recogniser.
    """
    readings = _read_crops(crops, _quick_engine(threads)) if crops else []
    doubtful = [index for index, one in enumerate(readings) if one.confidence < _SURE] if spoilt else []
    if doubtful:
        again = _read_crops([crops[index] for index in doubtful], _whole_engine(threads))
        readings = [dict(zip(doubtful, again, strict=True)).get(index, one) for index, one in enumerate(readings)]
    return readings


def _read_crops(crops: Sequence[Pixels], engine: _Engine) -> list[Reading]:
    """What an engine reads.

    Its time grows with the width it is given, padding included, and not with the number of batches: only crops
    of one padded width go through it together, so what a crop says does not depend on its neighbours either.
    """
    resized = [_at_height(crop) for crop in crops]
    by_width: dict[int, list[int]] = {}
    for index, crop in enumerate(resized):
        by_width.setdefault(_padded_width(crop.shape[1]), []).append(index)
    readings: dict[int, Reading] = {}
    for width, indices in by_width.items():
        size = max(_BATCH_PX // width, 1)
        for start in range(0, len(indices), size):
            batch = indices[start : start + size]
            if (ration := _ration.get()) is not None and ration.columns <= 0:
                ration.unread += len(batch)
                readings.update(dict.fromkeys(batch, Reading(text="", confidence=0.0)))
                continue
            tables = engine.scores(_batch([resized[index] for index in batch], width))[:, :, engine.columns]
            readings.update(zip(batch, (_decode(table, engine.letters) for table in tables), strict=True))
    return [readings[index] for index in range(len(crops))]


def _padded_width(width: int) -> int:
    return max(_NARROWEST_PX, _WIDTH_STEP_PX * math.ceil(width / _WIDTH_STEP_PX))


def character_scores(batch: NDArray[np.float32]) -> NDArray[np.float32]:
    """Crops × steps × characters (`known_characters`) for crops as the model takes them: n × 3 × 48 × width."""
    return _quick_engine(None).scores(batch)


def known_characters() -> tuple[str, ...]:
    """The characters of the model's answer, in its order; the first is the blank of the CTC decoder."""
    return _quick_engine(None).characters


def _quick_engine(threads: int | None) -> _Engine:
    """Without a number of threads the engine that is already loaded, so that a process holds one only."""
    if threads is None:
        threads = next(iter(_quick_engines), 1)
    if threads not in _quick_engines:
        _quick_engines[threads] = _load_engine(Path(__file__).with_name("recogniser.onnx"), threads)
    return _quick_engines[threads]


@lru_cache(maxsize=1)
def _whole_engine(threads: int) -> _Engine:
    """The recogniser that ships in the rapidocr wheel: forty megabytes of memory and 0.15 s, when it is first needed."""
    return _load_engine(next((Path(rapidocr.__file__).parent / "models").glob("PP-OCR*_rec_*.onnx")), threads)


def _load_engine(weights: Path, threads: int) -> _Engine:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.enable_cpu_mem_arena = False  # widths vary from crop to crop: an arena keeps the largest of each
    session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    characters = ("", *session.get_modelmeta().custom_metadata_map["character"].splitlines(), " ")
    kept = [index for index, character in enumerate(characters) if index == 0 or is_of_figures(character)]
    letters = tuple(characters[index] for index in kept)
    return _Engine(session=session, characters=characters, columns=np.array(kept, np.intp), letters=letters)


def is_of_figures(character: str) -> bool:
    """Whether a figure's text may hold the character."""
    code = ord(character)
    return 0x20 <= code < 0x100 or 0x391 <= code <= 0x3C9 or 0x2080 <= code <= 0x2089 or character in _SIGNS


def model_input(crops: Sequence[Pixels]) -> NDArray[np.float32]:
    """The crops as one batch of the model: at its height, side by side on the grey that it was padded with."""
    resized = [_at_height(crop) for crop in crops]
    return _batch(resized, max(_padded_width(crop.shape[1]) for crop in resized))


def _batch(crops: Sequence[Pixels], width: int) -> NDArray[np.float32]:
    batch = np.zeros((len(crops), 3, _HEIGHT_PX, width), np.float32)
    for row, crop in enumerate(crops):
        batch[row, :, :, : crop.shape[1]] = crop[:, :, ::-1].transpose(2, 0, 1) / np.float32(127.5) - 1
    return batch


def _at_height(crop: Pixels) -> Pixels:
    width = int(np.clip(np.ceil(crop.shape[1] * _HEIGHT_PX / crop.shape[0]), 4, _WIDEST_PX))
    return np.asarray(cv2.resize(crop, (width, _HEIGHT_PX)), np.uint8)


def _decode(table: NDArray[np.float32], characters: tuple[str, ...]) -> Reading:
    """Greedy CTC decoding: the best character at each step, repeats and blanks left out."""
    best = table.argmax(axis=1)
    new = np.flatnonzero((best != 0) & (best != np.concatenate(([0], best[:-1]))))
    if not len(new):
        return Reading(text="", confidence=0.0)
    confidence = float(table[new, best[new]].mean())
    text = "".join(characters[best[step]] for step in new)
    return Reading(text=respell(text, confidence, table, characters), confidence=confidence)
