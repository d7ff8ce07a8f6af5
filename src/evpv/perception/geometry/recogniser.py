"""Reading a small crop when its alphabet is known: the OCR engine's recogniser, allowed only some characters.

A geometry label has few possible characters, and a point name only 26. Leaving the other eighteen thousand out of the
answer removes most misreadings (O/0, I/l, 下 for an arrow) before any repair is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.recognition import Reading, character_scores, known_characters

Gray = NDArray[np.uint8]
"""A picture of one channel, dark ink on a light ground."""

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOOKALIKES = {"-": "−–—一_", "°": "º˚"}  # read as the character before the colon
_HEIGHT_PX = 48  # the height that the recogniser was trained at
_MAX_WIDTH_PX = 480


@lru_cache(maxsize=8)
def _columns(alphabet: str) -> tuple[NDArray[np.intp], ...]:
    """For the blank and each allowed character, the model's columns that mean it."""
    position = {character: index for index, character in enumerate(known_characters())}
    groups = [np.array([0], dtype=np.intp)]
    for character in alphabet:
        alike = character + _LOOKALIKES.get(character, "")
        groups.append(np.array([position[one] for one in alike if one in position], dtype=np.intp))
    return tuple(groups)


def _prepared(crop: Gray) -> NDArray[np.float32]:
    """The crop at the recogniser's height, on white, at least one character wide."""
    scale = _HEIGHT_PX / crop.shape[0]
    width = int(np.clip(round(crop.shape[1] * scale), 4, _MAX_WIDTH_PX))
    shrinking = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(crop, (width, _HEIGHT_PX), interpolation=shrinking)
    padded_width = max(_HEIGHT_PX, (width + 15) // 16 * 16)
    left = (padded_width - width) // 2
    sheet = np.full((_HEIGHT_PX, padded_width), 255, dtype=np.uint8)
    sheet[:, left : left + width] = resized
    return np.asarray(sheet, dtype=np.float32) / 127.5 - 1.0


@lru_cache(maxsize=4096)
def _probabilities(pixels: bytes, width: int, alphabet: str) -> NDArray[np.float32]:
    """Steps × (blank + alphabet); remembered, because drawing programs draw the same glyph the same way every time."""
    sheet = np.frombuffer(pixels, dtype=np.float32).reshape(_HEIGHT_PX, width)
    batch = np.repeat(sheet[None, None], 3, axis=1)
    (answer,) = character_scores(batch)
    columns = [answer[:, group].sum(axis=1) for group in _columns(alphabet)]
    return np.stack(columns, axis=1).astype(np.float32)


def _crop_probabilities(crop: Gray, alphabet: str) -> NDArray[np.float32]:
    sheet = _prepared(crop)
    return _probabilities(sheet.tobytes(), sheet.shape[1], alphabet)


def read_text(crop: Gray, alphabet: str) -> Reading:
    """The best text of `alphabet` in the crop: greedy CTC decoding over the allowed characters.

    Its confidence is that of the least certain character.
    """
    table = _crop_probabilities(crop, alphabet)
    best = table.argmax(axis=1)
    characters: list[str] = []
    surest: list[float] = []
    previous = 0
    for step, index in enumerate(best):
        if index != 0 and index != previous:
            characters.append(alphabet[index - 1])
            surest.append(float(table[step, index]))
        elif index != 0 and surest:
            surest[-1] = max(surest[-1], float(table[step, index]))
        previous = int(index)
    return Reading(text="".join(characters), confidence=min(surest, default=0.0))


def letter_scores(crops: Sequence[Gray]) -> NDArray[np.float32]:
    """For each crop of one glyph, how much it looks like each capital letter (crops × 26)."""
    rows = [_crop_probabilities(crop, CAPITALS).max(axis=0)[1:] for crop in crops]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(CAPITALS))
