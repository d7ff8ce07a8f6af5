"""What a crop says: PP-OCR's recogniser, in batches, held to the characters of figures.

`recogniser.onnx` is the recogniser of the rapidocr wheel with fewer characters and whole numbers inside, at half its time
(`scripts/quantise_recogniser.py`). Of small or spoilt print it is less
sure than the whole one, which then reads again what it doubts. Both know thousands of Chinese characters; a stroke of a
drawing easily looks like one of them. Left out of the answer, what remains is the best reading in Latin, Greek, digits and mathematical signs.
Its confidence is still its share among all characters, so a shape that is no text stays unlikely.

Of letters of four pixels it says "Condsumption volume in mllion liters". It also says how likely every other letter was at every
place. A known word is taken where the picture bears it out nearly as well as what was read; names that are no known words
stay as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnxruntime
import rapidocr
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from evpv.perception.boxes import Pixels

_HEIGHT_PX = 48  # the height that the recogniser was trained at
_NARROWEST_PX = 128  # padding below this costs accuracy on one-character crops, above it only time
_WIDTH_STEP_PX = 16
_WIDEST_PX = 2400
_SURE = 0.95  # of a reading by the quick recogniser: the whole one hardly ever reads otherwise
_BATCH_PX = 512  # columns of crops that go through together: more are no faster, and their memory is asked for anew
_GUESS = 0.1  # at a step between characters nothing is likelier
_LEAST_FOREIGN, _FOREIGN_SHARE, _SURELY_FOREIGN = 3, 0.55, 0.6  # characters of another script, how likely they are
_SIGNS = "°√π′″²³×÷±−–—≤≥≠≈∠△⊥∥∞·•…’‘“”€£¥¢½¼¾%‰™®©∆∙⋅"


@dataclass(frozen=True, slots=True, kw_only=True)
class CropText:
    """The text of a crop, and how sure the recogniser is of its characters: of running text in another script if there is no text."""

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
def within_ration(ration: Ration) -> Iterator[Ration]:
    """Bound what is recognised within, which is one picture's."""
    before = _ration.set(ration)
    try:
        yield ration
    finally:
        _ration.reset(before)


def recognise(crops: Sequence[Pixels], *, threads: int = 1, spoilt: bool = False) -> list[CropText]:
    """Reads each crop as one line of text; its confidence is the mean over characters.

    Of a picture whose print is `spoilt` or small, doubtful crops are read once more by the whole recogniser.
    """
    readings = _read_crops(crops, _quick_engine(threads)) if crops else []
    doubtful = [index for index, one in enumerate(readings) if one.confidence < _SURE] if spoilt else []
    if doubtful:
        again = _read_crops([crops[index] for index in doubtful], _whole_engine(threads))
        readings = [dict(zip(doubtful, again, strict=True)).get(index, one) for index, one in enumerate(readings)]
    return readings


def legibility(crops: Sequence[Pixels], *, threads: int = 1) -> float:
    """How sure the recogniser is of the characters in crops, whatever their script: more than half of it upside down is guesswork."""
    engine = _quick_engine(threads)
    sure = [engine.scores(model_input([crop]))[0, :, 1:].max(axis=1) for crop in crops]
    return float(np.mean([steps[steps > _GUESS].sum() / max(np.count_nonzero(steps > _GUESS), 1) for steps in sure]))


def _read_crops(crops: Sequence[Pixels], engine: _Engine) -> list[CropText]:
    """What an engine reads.

    Its time grows with the width it is given, padding included, and not with the number of batches: only crops
    of one padded width go through it together, so what a crop says does not depend on its neighbours either.
    """
    resized = [_at_height(crop) for crop in crops]
    by_width: dict[int, list[int]] = {}
    for index, crop in enumerate(resized):
        by_width.setdefault(_padded_width(crop.shape[1]), []).append(index)
    readings: dict[int, CropText] = {}
    for width, indices in by_width.items():
        size = max(_BATCH_PX // width, 1)
        for start in range(0, len(indices), size):
            batch = indices[start : start + size]
            if (ration := _ration.get()) is not None and ration.columns <= 0:
                ration.unread += len(batch)
                readings.update(dict.fromkeys(batch, CropText(text="", confidence=0.0)))
                continue
            tables = engine.scores(_batch([resized[index] for index in batch], width))
            readings.update(zip(batch, (_reading(table, engine) for table in tables), strict=True))
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
    session = open_network(weights, threads)
    characters = ("", *session.get_modelmeta().custom_metadata_map["character"].splitlines(), " ")
    kept = [index for index, character in enumerate(characters) if index == 0 or is_of_figures(character)]
    letters = tuple(characters[index] for index in kept)
    return _Engine(session=session, characters=characters, columns=np.array(kept, np.intp), letters=letters)


def open_network(weights: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """A network in memory that does not grow: sizes vary from picture to picture, and an arena would keep the largest of each."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


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


def _reading(table: NDArray[np.float32], engine: _Engine) -> CropText:
    """A line as a figure's text; running text in another script is none, whatever numbers stand in it."""
    new, best = _greedy_steps(table)
    foreign = table[new, best][~np.isin(best, engine.columns)]
    if len(foreign) > max(_LEAST_FOREIGN, _FOREIGN_SHARE * len(new)) and foreign.mean() > _SURELY_FOREIGN:
        return CropText(text="", confidence=float(foreign.mean()))
    return _decode(table[:, engine.columns], engine.letters)


def _greedy_steps(table: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The steps at which a new character is best, and which: greedy CTC decoding, repeats and blanks left out."""
    best = table.argmax(axis=1)
    new = np.flatnonzero((best != 0) & (best != np.concatenate(([0], best[:-1]))))
    return new, best[new]


def _decode(table: NDArray[np.float32], characters: tuple[str, ...]) -> CropText:
    new, best = _greedy_steps(table)
    if not len(new):
        return CropText(text="", confidence=0.0)
    confidence = float(table[new, best].mean())
    text = "".join(characters[one] for one in best)
    text = _MISREAD_UNIT.sub("cm", _respell(text, confidence, table, characters))
    return CropText(text=text, confidence=confidence)


_MISREAD_UNIT = re.compile(r"(?:(?<=\d)|(?<=\d ))em\b")  # nothing in a figure is measured in ems
_Table = NDArray[np.float32]
"""How likely each character is at each step of a line; column 0 is the blank of the CTC decoder."""

_LEAST_LETTERS = 4
_NOISE, _UNDOUBTED = 0.5, 0.96  # of a line; below the one nothing can be spelt, above the other nothing is doubted
_LONGEST = 80  # signs of a line
_MOST_SPELLINGS = 16  # of one word
_FARTHEST, _FARTHEST_JOINED = 0.45, 0.25  # of the letters of a word, or of two pieces, that may have been misread
# What is known of words before looking, as powers of e: an unknown word is so much less likely by letter, a known one by
# its rank, and a recogniser is so much too sure of each letter it misread.
_PER_LETTER, _PER_RANK, _PER_EDIT = 1.0, 0.5, 2.0
_LEAST_LIKELY = 1e-5
_WORD = re.compile(r"\b[A-Za-z]?[a-z]+\b|\b[A-Z]{6,}\b")  # shorter capitals are points, codes and abbreviations


@lru_cache(maxsize=1)
def known_words() -> dict[str, float]:
    """The words that titles, names and legends of charts are made of, in small letters, with how rare they are.

    The file has the commonest first. As in any text, the n-th is about n times rarer than the first.
    """
    words = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split()
    return {word: math.log(rank) for rank, word in enumerate(words, 1)}


def _respell(text: str, confidence: float, table: _Table, characters: tuple[str, ...]) -> str:
    """The line with unknown words replaced by known ones, where the recogniser's table allows it.

    Lines that are noise or longer than titles and names are left alone: looking closer would cost more than reading.
    """
    spellings = _spellings(text) if len(text) <= _LONGEST and _NOISE < confidence < _UNDOUBTED else []
    if not spellings:
        return text
    as_read, *likely = _likelihoods([text, *(one.put_in(text) for one in spellings)], table, characters)
    gains = [(one + each.prior - as_read, each) for one, each in zip(likely, spellings, strict=True)]
    taken: list[_Spelling] = []
    for gain, spelling in sorted(gains, reverse=True):
        if gain > 0 and not any(map(spelling.overlaps, taken)):
            taken.append(spelling)
    for spelling in sorted(taken, reverse=True):  # from the end, so that places before stay what they are
        text = spelling.put_in(text)
    return text


class _Spelling(NamedTuple):
    """A known word for a span of a line, and how much more likely it is before looking."""

    start: int
    end: int
    word: str
    prior: float

    def put_in(self, text: str) -> str:
        return text[: self.start] + self.word + text[self.end :]

    def overlaps(self, other: _Spelling) -> bool:
        return self.start < other.end and other.start < self.end


def _spellings(text: str) -> list[_Spelling]:
    """The nearest known words for every span of unknown ones."""
    found = []
    for start, end in _unknown_spans(text):
        read = text[start:end]
        letters = read.replace(" ", "").lower()
        near = _near_words(letters, _FARTHEST if letters == read.lower() else _FARTHEST_JOINED)
        for word, edits in sorted(near, key=lambda one: (one[1], known_words()[one[0]]))[:_MOST_SPELLINGS]:
            prior = _PER_LETTER * len(letters) + _PER_EDIT * edits - _PER_RANK * known_words()[word]
            found.append(_Spelling(start, end, _in_case_of(read, word), prior))
    return found


def _unknown_spans(text: str) -> list[tuple[int, int]]:
    """Where unknown words stand, and pairs of which one is unknown, for spaces are often seen within a word."""
    places = [match.span() for match in _WORD.finditer(text)]
    known = {place for place in places if text[slice(*place)].lower() in known_words()}
    pairs = [
        (left[0], right[1])
        for left, right in pairwise(places)
        if text[left[1] : right[0]] == " " and not known.issuperset((left, right))
    ]
    alone = sorted(set(places) - known)
    return [span for span in (*alone, *pairs) if len(text[slice(*span)].replace(" ", "")) >= _LEAST_LETTERS]


def _in_case_of(read: str, word: str) -> str:
    if read.isupper():
        return word.upper()
    return word.capitalize() if read[0].isupper() else word


def _likelihoods(texts: Sequence[str], table: _Table, characters: tuple[str, ...]) -> list[float]:
    """The logarithm of each text's probability over all ways to spread its characters over the steps, all at once.

    A space is no evidence: small letters stand apart as words do.
    """
    spaced = table.copy()
    spaced[:, 0] += table[:, characters.index(" ")]
    column = {character: index for index, character in enumerate(characters) if character != " "}
    letters = [[column.get(character, 0) for character in text if character != " "] for text in texts]
    states = np.zeros((len(texts), 2 * max(map(len, letters)) + 1), np.intp)  # blanks before, between and after
    for row, columns in enumerate(letters):
        states[row, 1 : 2 * len(columns) : 2] = columns
    leap = np.zeros(states.shape, bool)
    leap[:, 2:] = (states[:, 2:] != 0) & (states[:, 2:] != states[:, :-2])
    steps = np.log(np.maximum(spaced, _LEAST_LIKELY))
    sums = np.full(states.shape, -np.inf)
    sums[:, :2] = steps[0][states[:, :2]]
    for step in steps[1:]:
        before, skipped = np.full(states.shape, -np.inf), np.full(states.shape, -np.inf)
        before[:, 1:], skipped[:, 2:] = sums[:, :-1], sums[:, :-2]
        skipped[~leap] = -np.inf
        sums = np.logaddexp(np.logaddexp(sums, before), skipped) + step[states]
    ends = [2 * len(columns) for columns in letters]
    return [float(np.logaddexp(row[end], row[max(end - 1, 0)])) for row, end in zip(sums, ends, strict=True)]


@lru_cache(maxsize=1)
def _letter_counts() -> tuple[tuple[str, ...], NDArray[np.int16]]:
    words = tuple(sorted(word for word in known_words() if len(word) >= _LEAST_LETTERS))
    return words, np.array([_counts(word) for word in words])


def _counts(word: str) -> NDArray[np.int16]:
    return np.bincount([ord(letter) - ord("a") for letter in word], minlength=26).astype(np.int16)


def _near_words(read: str, farthest: float) -> list[tuple[str, int]]:
    """The known words that few letters tell from what was read, with the number of these."""
    words, counts = _letter_counts()
    most = max(1, round(farthest * len(read)))
    alike = np.flatnonzero(np.abs(counts - _counts(read)).sum(axis=1) <= 2 * most)
    near = [(words[index], Levenshtein.distance(read, words[index])) for index in alike.tolist()]
    return [(word, edits) for word, edits in near if edits <= most]
