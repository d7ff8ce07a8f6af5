"""Image files of every sort become pixels, or an ImageError that says why not."""

from __future__ import annotations

import contextlib
import io
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from evpv.backends.images import _LARGEST_SIDE_PX
from evpv.errors import ImageError
from evpv.perception.boxes import Pixels
from evpv.perception.images import (
    _noise_level,
    decode_pixels,
    decompress,
    denoise,
    flatten_colours,
    is_compressed,
    load_pixels,
)

from .drawing import encoded, mutated, table_picture

TABLE = table_picture([["Day", "Hours"], ["Monday", "2"]])
SHAPE = (TABLE.height, TABLE.width, 3)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I", "F"])
def test_every_mode_gives_rgb_bytes_of_the_same_picture(mode: str) -> None:
    grey = np.asarray(TABLE.convert("L"))
    if mode == "I;16":
        content = encoded(Image.fromarray(grey.astype(np.uint16) * 257))
    else:
        content = encoded(TABLE.convert(mode), "TIFF")
    pixels = decode_pixels(content)
    assert (pixels.shape, pixels.dtype) == (SHAPE, np.uint8)
    assert abs(pixels.mean(axis=2) - grey).mean() < (20 if mode == "1" else 4)


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "BMP", "GIF"])
def test_every_format_is_told_by_its_bytes_and_not_its_name(form: str, tmp_path: Path) -> None:
    path = tmp_path / "figure.txt"
    path.write_bytes(encoded(TABLE, form))
    assert load_pixels(path).shape == SHAPE


def test_cmyk_jpeg_is_converted() -> None:
    assert decode_pixels(encoded(TABLE.convert("CMYK"), "JPEG")).mean() == pytest.approx(
        np.asarray(TABLE).mean(), abs=8
    )


def test_the_first_frame_of_an_animation_is_read() -> None:
    blank = Image.new("RGB", TABLE.size, "red")
    content = encoded(TABLE, "GIF", save_all=True, append_images=[blank])
    assert decode_pixels(content).mean() > 200


@pytest.mark.parametrize("ink", ["black", "white"])
def test_a_transparent_drawing_is_dark_ink_on_light_ground_whatever_its_ink(ink: str) -> None:
    drawing = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    drawing.paste(Image.new("RGBA", (20, 4), ink), (20, 18))
    pixels = decode_pixels(encoded(drawing))
    assert pixels[0, 0].tolist() == [255, 255, 255]
    assert pixels[20, 30].tolist() == [0, 0, 0]


def test_dark_mode_is_inverted() -> None:
    dark = Image.fromarray(255 - np.asarray(TABLE))
    assert np.array_equal(decode_pixels(encoded(dark)), np.asarray(TABLE))


def test_a_turned_photograph_is_set_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert decode_pixels(encoded(TABLE, "JPEG", exif=exif)).shape == (SHAPE[1], SHAPE[0], 3)


def test_grain_is_smoothed_and_a_drawing_left_alone() -> None:
    drawing = np.asarray(TABLE)
    grain = np.random.default_rng(1).normal(0, 12, drawing.shape)
    grainy = np.clip(drawing + grain, 0, 255).astype(np.uint8)
    assert denoise(drawing) is drawing
    assert _noise_level(denoise(grainy)) < _noise_level(grainy) / 2


def test_one_pixel_is_a_picture() -> None:
    assert decode_pixels(encoded(Image.new("RGB", (1, 1), "white"))).shape == (1, 1, 3)


def png_of_claimed_size(width: int, height: int) -> bytes:
    """A PNG whose header claims a size that its few bytes of data do not hold."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"this is no image", "not an image"),
        (encoded(TABLE)[:200], "broken image data"),
        (png_of_claimed_size(20_000, 10), f"longer than {_LARGEST_SIDE_PX}"),
        (png_of_claimed_size(9_000, 9_000), "more than 50 million"),
        (png_of_claimed_size(60_000, 60_000), "decompression bomb"),
        (b"%PDF-1.4 not a figure", "not an image"),
    ],
)
def test_what_should_not_be_decoded_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ImageError, match=reason):
        decode_pixels(content)


@pytest.mark.parametrize("name", ["absent.png", ".", "a\0b.png"])
def test_a_path_that_is_no_file_is_an_image_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(ImageError):
        load_pixels(f"{tmp_path}/{name}")


def survivors(count: int) -> int:
    chance = random.Random(20261115)
    sources = [encoded(TABLE, form) for form in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")]
    decoded = 0
    for _ in range(count):
        with contextlib.suppress(ImageError):
            decoded += decode_pixels(mutated(chance.choice(sources), chance)).ndim == 3
    return decoded


def test_mutated_files_are_pictures_or_image_errors() -> None:
    assert 0 < survivors(200) < 200


def jpeg_of(picture: Image.Image, quality: int) -> Pixels:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"), np.uint8)


def chart_picture() -> Image.Image:
    """Three thin lines and the samples of their legend, between a row of text and one of bars."""
    picture = table_picture([["Cod", "Hake", "Ling"], ["12", "34", "56"]] * 4)
    draw = ImageDraw.Draw(picture)
    for number, colour in enumerate(("#be5915", "#00847e", "#4c6a9c")):
        draw.line((5, 40 + 50 * number, 350, 60 + 55 * number), fill=colour, width=2)
        draw.rectangle((60 + 90 * number, 190, 72 + 90 * number, 202), fill=colour)
    return picture


def test_compression_is_seen_in_the_pixels_and_not_in_the_file() -> None:
    clean = np.asarray(chart_picture(), np.uint8)
    assert not is_compressed(clean)
    assert is_compressed(jpeg_of(chart_picture(), 30))
    grain = np.random.default_rng(1).normal(0, 12, clean.shape)
    assert not is_compressed(np.clip(clean + grain, 0, 255).astype(np.uint8))


def test_a_picture_that_was_never_compressed_comes_back_as_it_is() -> None:
    clean = np.asarray(chart_picture(), np.uint8)
    assert decompress(clean) is clean


def test_the_colours_of_thin_lines_are_given_back() -> None:
    clean, spoilt = np.asarray(chart_picture(), np.float32), jpeg_of(chart_picture(), 30)
    coloured = np.ptp(clean, axis=2) > 60
    before = np.abs(spoilt.astype(np.float32) - clean)[coloured].mean()
    after = np.abs(decompress(spoilt).astype(np.float32) - clean)[coloured].mean()
    assert after < 0.8 * before


def test_a_drawing_of_flat_colours_is_not_smoothed_and_ripples_beside_edges_are() -> None:
    clean = np.asarray(chart_picture(), np.uint8)
    assert flatten_colours(clean) is clean
    spoilt = jpeg_of(chart_picture(), 30)
    paper = np.all(clean == 255, axis=2)
    assert np.std(flatten_colours(spoilt)[paper]) < np.std(spoilt[paper])
