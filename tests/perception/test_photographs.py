"""Photographs made flat and even; drawn figures left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image

from evpv.perception.boxes import Frame, Pixels
from evpv.perception.images import flatten, is_drawn

from .drawing import pixels, table_picture

ROWS = [["Beverage", "Thursday", "Friday"], ["tea", "3", "14"], ["coffee", "5", "12"]]
CORNERS = np.array([(60, 50), (420, 90), (400, 300), (40, 260)], np.float32)


def photograph() -> Pixels:
    """A table on a sheet on a dark desk, from aside, under uneven light, with a sensor's grain."""
    sheet = np.full((200, 400, 3), 255, np.uint8)
    sheet[50:142, 19:381] = pixels(table_picture(ROWS))
    corners = np.array([(0, 0), (400, 0), (400, 200), (0, 200)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, CORNERS)
    desk = np.full((360, 480, 3), 60, np.uint8)
    seen = cv2.warpPerspective(sheet, matrix, (480, 360), dst=desk, borderMode=cv2.BORDER_TRANSPARENT)
    light = np.linspace(1.0, 0.6, 480)[None, :, None]
    grain = np.random.default_rng(1).normal(0, 4, seen.shape)
    return np.asarray(np.clip(seen * light + grain, 0, 255), np.uint8)


@pytest.mark.parametrize("quality", [None, 30])
def test_a_drawn_figure_is_left_as_it_is(quality: int | None, tmp_path: object) -> None:
    picture = pixels(table_picture(ROWS))
    if quality is not None:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    assert is_drawn(picture)
    same, _ = flatten(picture, Frame.same())
    assert same is picture


def test_a_sheet_is_laid_flat_and_evenly_lit() -> None:
    flat, frame = flatten(photograph(), Frame.same())
    assert flat.shape[1] / flat.shape[0] == pytest.approx(360 / 210, rel=0.15)
    ground = [float(np.percentile(flat[:, columns], 90)) for columns in (slice(0, 60), slice(-60, None))]
    assert abs(ground[0] - ground[1]) < 15
    assert frame.back((0, 0, 1, 1)).x == pytest.approx(60, abs=12)


def test_a_sheet_on_a_dark_desk_is_found_although_the_picture_was_inverted() -> None:
    flat, _ = flatten(np.asarray(255 - photograph(), np.uint8), Frame.same())
    assert flat.shape[1] < 420
    assert float(np.median(flat)) > 180


def test_grain_alone_changes_nothing() -> None:
    picture = pixels(Image.new("RGB", (200, 150), "white"))
    grainy = np.clip(picture + np.random.default_rng(2).normal(0, 12, picture.shape), 0, 255).astype(np.uint8)
    same, _ = flatten(grainy, Frame.same())
    assert same.shape == grainy.shape
