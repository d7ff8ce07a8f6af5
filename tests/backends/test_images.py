"""Pictures as they are sent."""

from __future__ import annotations

import base64
import contextlib
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from evpv.backends.images import ImageEncoder, ImagePolicy, encode
from evpv.errors import ImageError


def _file(picture: Image.Image, kind: str = "PNG", **settings: object) -> bytes:
    written = io.BytesIO()
    picture.save(written, kind, **settings)
    return written.getvalue()


def _seen(uri: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))).convert("RGB")


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ((100, 50), 200, (100, 50)),
        ((400, 100), 200, (200, 50)),
        ((100, 400), 200, (50, 200)),
        ((1000, 1), 100, (100, 1)),
        ((1, 1), 10, (1, 1)),
    ],
)
def test_the_longer_side_is_at_most_what_the_policy_says(before, side, after):  # type: ignore[no-untyped-def]
    sent = encode(_file(Image.new("RGB", before)), ImagePolicy(max_side_px=side))
    assert _seen(sent.uri).size == after
    assert sent.facts["size"] == list(after)
    assert sent.facts["size_before"] == list(before)


def test_a_turned_photograph_is_set_upright():
    picture = Image.new("RGB", (40, 20), "white")
    picture.paste("red", (0, 0, 20, 20))
    notes = Image.Exif()
    notes[0x0112] = 6  # the camera was turned: show it a quarter clockwise
    sent = encode(_file(picture, "JPEG", exif=notes, quality=95), ImagePolicy())
    seen = _seen(sent.uri)
    assert seen.size == (20, 40)
    assert seen.getpixel((10, 5))[1] < 60, "red is on top"
    assert seen.getpixel((10, 35))[1] > 200


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_shows_white(mode):  # type: ignore[no-untyped-def]
    clear = Image.new("RGBA", (10, 10), (0, 0, 0, 0)).convert(mode)
    content = _file(clear, transparency=0) if mode == "P" else _file(clear)
    assert _seen(encode(content, ImagePolicy()).uri).getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "CMYK", "I;16", "F"])
def test_every_kind_of_pixels_is_sent_as_rgb(mode):  # type: ignore[no-untyped-def]
    if mode == "I;16":
        picture = Image.fromarray(np.linspace(0, 60_000, 100).reshape(10, 10).astype(np.uint16))
    elif mode == "F":
        picture = Image.fromarray(np.linspace(0, 1, 100).reshape(10, 10).astype(np.float32))
    else:
        picture = Image.linear_gradient("L").resize((10, 10)).convert(mode)
    sent = encode(_file(picture, "TIFF"), ImagePolicy())
    seen = np.asarray(_seen(sent.uri))
    assert seen.shape == (10, 10, 3)
    assert seen.max() - seen.min() > 200, "what was dark and what was light can be told apart"


def test_the_first_frame_of_an_animation_is_sent():
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    content = _file(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert _seen(encode(content, ImagePolicy()).uri).getpixel((4, 4)) == (255, 0, 0)


def test_the_cameras_notes_are_not_sent():
    notes = Image.Exif()
    notes[0x013B] = "the owner's name"
    sent = encode(_file(Image.new("RGB", (8, 8)), "JPEG", exif=notes), ImagePolicy(format="jpeg"))
    assert b"owner" not in base64.b64decode(sent.uri.partition(",")[2])


@pytest.mark.parametrize("side", [(20_000, 2), (8_000, 8_000)])
def test_a_picture_that_is_too_large_is_refused(side):  # type: ignore[no-untyped-def]
    with pytest.raises(ImageError, match="pixels"):
        encode(_file(Image.new("1", side)), ImagePolicy())


@given(st.binary(max_size=200) | st.integers(0, 300).map(lambda n: _file(Image.new("RGB", (9, 9)))[:n]))
def test_broken_bytes_are_an_image_error_and_nothing_else(content: bytes):
    with contextlib.suppress(ImageError):
        assert encode(content, ImagePolicy()).facts["size"] == [9, 9]


def test_one_picture_is_encoded_once_until_its_file_changes(tmp_path):  # type: ignore[no-untyped-def]
    path = tmp_path / "figure.png"
    path.write_bytes(_file(Image.new("RGB", (8, 8), "red")))
    encoder = ImageEncoder(ImagePolicy())
    first = encoder.encode_file(str(path))
    assert encoder.encode_file(str(path)) is first
    path.write_bytes(_file(Image.new("RGB", (9, 9), "blue")))
    assert encoder.encode_file(str(path)).facts["size"] == [9, 9]


def test_what_is_kept_of_encoded_pictures_is_bounded(tmp_path):  # type: ignore[no-untyped-def]
    noise = np.random.default_rng(0)
    encoder = ImageEncoder(ImagePolicy(), kept_bytes=50_000)
    first = None
    for number in range(10):
        path = tmp_path / f"{number}.png"
        path.write_bytes(_file(Image.fromarray(noise.integers(0, 255, (64, 64, 3), dtype=np.uint8))))
        sent = encoder.encode_file(str(path))
        first = first or sent
    assert encoder.encode_file(str(tmp_path / "9.png")) is sent
    assert encoder.encode_file(str(tmp_path / "0.png")) is not first, "the oldest were given up"
