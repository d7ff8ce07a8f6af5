"""Trains the network that reads what stands at a red dot (`evpv.perception.geometry.overlay`) and writes it as ONNX.

    python scripts/train_overlay_letters.py src/evpv/perception/geometry/overlay_letters.onnx [--seconds 900] [--strokes FILE]

Blue capitals are drawn beside red dots among lines, fills and print, and go through JPEG at qualities 15 to 95; the network
learns which capital stands there, or none, and which pixels of the window are overlay. No pictures of any pack are used.
Annotation tools draw with plotter fonts, letters of strokes: `--strokes` names a file of one, a capital a line from A to Z
in the form such fonts are passed on in (two letters for the sides, then pairs of letters for the points, blanks between
strokes, R for nought). Without it the middle lines of other fonts stand in for them. Needs the `train` extra.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from functools import cache
from pathlib import Path

import cv2
import matplotlib
import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor, nn
from torch.nn import functional
from torch.onnx._internal.torchscript_exporter import onnx_proto_utils

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NONE = len(CAPITALS)  # the class of windows without a letter of their own
WINDOW_PX, LEFT_PX, ABOVE_PX = 48, 20, 28  # the window, and where in it the dot stands
SIDE_PX, FINE = 96, 2  # of the drawing, which is drawn larger and shrunk
OUTSIDE = 128  # what the window shows beyond the picture's rim
FOLDERS = (Path(matplotlib.get_data_path()) / "fonts" / "ttf", Path("/usr/share/fonts"))
NAMES = ("cmr10", "cmr10", "cmss10", "cmtt10", "STIXGeneral", "DejaVuSerif", "DejaVuSans", "DejaVuSans-ExtraLight")
FONTS = [str(next(path for folder in FOLDERS for path in folder.rglob(f"{name}.ttf"))) for name in NAMES]
PRINT_FONTS = [str(FOLDERS[0] / f"{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Oblique", "STIXGeneralItalic")]
INKS = ["black", "#0072b2", "#0072b2", "#005a8c", "#1f77b4", "#ec008c", "#d62728", "#00a0a0", "#555555", "#c8963c"]
REDS = ["#ec008c", "#ff0000", "#d62728", "#ff00ff", "#c2185b"]
FILLS = ["#ffe4a8", "#cfe6f5", "#9cc4dc", "#d5ecc8", "#f6cfdc", "#fff6d0", "#8fbfe0", "#e0e0e0", "#faf6e8"]
STROKE_FONT: list[str] = []

Mask = NDArray[np.uint8]
Pixels = NDArray[np.uint8]
Spot = tuple[int, int]


def skeleton(mask: Mask) -> Mask:
    """The middle line of a shape, as a plotter would draw it."""
    cross, thin, rest = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), np.zeros_like(mask), mask
    while rest.any():
        thin |= rest & ~np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, cross), np.uint8)
        rest = np.asarray(cv2.erode(rest, cross), np.uint8)
    return thin


def glyph(letter: int, height: int, chance: random.Random) -> Mask:
    """A capital on a sheet whose lower left corner is where it is drawn from."""
    if STROKE_FONT and chance.random() < 0.8:
        return _stroke_glyph(STROKE_FONT[letter], height)
    wide, is_thin = chance.choice([0.85, 0.95, 1.0, 1.05, 1.15]), chance.random() < 0.6
    small = _font_glyph(CAPITALS[letter], height, chance.choice(FONTS), wide, is_thin)
    return np.pad(small, ((0, 5), (chance.randint(0, 4), 0)))


@cache
def _stroke_glyph(strokes: str, height: int) -> Mask:
    """A capital of a plotter font, its foot five rows above the sheet's (a Q's tail hangs over)."""
    scale, sheet = height / 22, np.zeros((height + 5, 40), np.uint8)
    for line in strokes[2:].split():
        pairs = zip(line[::2], line[1::2], strict=True)
        points = [(round((ord(x) - ord(strokes[0])) * scale), round((ord(y) - ord("F")) * scale)) for x, y in pairs]
        cv2.polylines(sheet, [np.array(points, np.int32)], False, 255, 1)
    return sheet


@cache
def _font_glyph(letter: str, height: int, path: str, wide: float, is_thin: bool) -> Mask:
    """A capital as the font has it, or its middle line one pixel wide."""
    fine = 5
    font = ImageFont.truetype(path, round(1.4 * height * fine))
    left, top, right, bottom = font.getbbox(letter)
    image = Image.new("L", (round(right - left) + 2, round(bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), letter, fill=255, font=font)
    mask = np.asarray(np.asarray(image) > 127, np.uint8)
    if is_thin:
        mask = np.asarray(cv2.dilate(skeleton(mask), np.ones((fine, fine), np.uint8)), np.uint8)
    width = max(round(mask.shape[1] * height / mask.shape[0] * wide), 2)
    small = cv2.resize(255 * mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.where(small > 110, 255, 0), np.uint8)


@cache
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def clutter(dot: Spot, chance: random.Random) -> Image.Image:
    """A figure around a dot: fills, lines through it and elsewhere, marks, print."""
    side, place = SIDE_PX * FINE, (FINE * dot[0], FINE * dot[1])
    image = Image.new("RGB", (side, side), chance.choice(["white"] * 5 + FILLS))
    draw = ImageDraw.Draw(image)
    _draw_lines(draw, place, chance)
    _draw_marks(draw, place, chance)
    for _ in range(chance.randint(0, 3)):
        text = chance.choice([chance.choice(CAPITALS), str(chance.randint(1, 180)), f"{chance.randint(2, 9)}x", "60°"])
        font = _font(chance.choice(PRINT_FONTS), FINE * chance.randint(16, 30))
        ink = chance.choice(["black", "#231f20", "#333333"])
        draw.text(_near(place, 60, chance), text, fill=ink, font=font, anchor="mm")
    return image.reduce(FINE)


def _near(place: Spot, reach: int, chance: random.Random) -> Spot:
    return place[0] + chance.randint(-reach, reach), place[1] + chance.randint(-reach, reach)


def _anywhere(chance: random.Random) -> Spot:
    return _near((SIDE_PX * FINE // 2,) * 2, SIDE_PX * FINE // 2 + 40, chance)


def _draw_lines(draw: ImageDraw.ImageDraw, place: Spot, chance: random.Random) -> None:
    """A filled corner, lines of one ink that start at the place, lines elsewhere, a circle."""
    if chance.random() < 0.3:
        draw.polygon([place, _anywhere(chance), _anywhere(chance)], fill=chance.choice(FILLS))
    ink, width = chance.choice(INKS), FINE * chance.choice([1, 2, 2, 3, 4])
    for _ in range(chance.randint(0, 4)):
        own = ink if chance.random() < 0.8 else chance.choice(INKS)
        draw.line((_near(place, 6, chance), _anywhere(chance)), fill=own, width=width)
    for _ in range(chance.randint(0, 2)):
        draw.line((_anywhere(chance), _anywhere(chance)), fill=chance.choice(INKS), width=width)
    if chance.random() < 0.3:
        (x, y), radius = _anywhere(chance), chance.randint(20, 120)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=chance.choice(INKS), width=width)


def _draw_marks(draw: ImageDraw.ImageDraw, place: Spot, chance: random.Random) -> None:
    """The square of a right angle, an arrowhead."""
    if chance.random() < 0.3:
        corner, turn, away = np.array(_near(place, 30, chance)), chance.uniform(0, 7), chance.randint(16, 40)
        ways = [(np.cos(turn + more), np.sin(turn + more)) for more in (0, np.pi / 4, np.pi / 2)]
        stops = [corner + away * far * np.array(way) for way, far in zip(ways, (1, 2**0.5, 1), strict=True)]
        draw.line([(float(x), float(y)) for x, y in stops], fill=chance.choice(INKS), width=2 * FINE)
    if chance.random() < 0.2:
        ends = [_near(place, reach, chance) for reach in (8, 50, 50)]
        draw.polygon(ends, fill=chance.choice(INKS))


def example(chance: random.Random) -> tuple[Pixels, int, Mask]:
    """A window around a dot, which letter stands beside it, and what of it is overlay."""
    edge = chance.random()
    dot = (
        SIDE_PX - chance.randint(4, 22) if edge < 0.08 else chance.randint(8, SIDE_PX - 30),
        chance.randint(4, 22) if 0.04 < edge < 0.16 else chance.randint(30, SIDE_PX - 8),
    )
    is_alone, over = chance.random() < 0.1, np.zeros((SIDE_PX, SIDE_PX), np.uint8)  # an exact overlay is seen alone
    pixels = np.full((SIDE_PX, SIDE_PX, 3), 255, np.uint8) if is_alone else np.array(clutter(dot, chance), np.uint8)
    height, sharp = chance.choice([22, 22, 22, 22, 20, 18, 16, 14, 12]), chance.random() < 0.85
    letter = NONE if chance.random() < 0.1 else chance.randrange(NONE)
    if letter == NONE:
        _false_dot(pixels, dot, chance)
    for which, at in ((letter, dot), *_others(dot, chance)):
        if which != NONE:
            _annotate(pixels, over, at, glyph(which, height, chance))
    if not sharp and not is_alone:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), chance.uniform(0.3, 0.7)), np.uint8)
    if chance.random() < 0.35 and not is_alone:
        pixels, over, dot = _regrown(pixels, over, dot, chance)
    x, y = dot[0] + chance.randint(-1, 1), dot[1] + chance.randint(-1, 1)
    return window(pixels if is_alone else _compressed(pixels, chance), x, y, OUTSIDE), letter, window(over, x, y, 0)


def _regrown(pixels: Pixels, over: Mask, dot: Spot, chance: random.Random) -> tuple[Pixels, Mask, Spot]:
    """The picture made small and large again, by about as much: what is overlay then has a rim."""
    less, side = chance.choice([0.5, 0.5, chance.uniform(0.45, 0.9)]), round(SIDE_PX * chance.uniform(0.95, 1.16))
    image = Image.fromarray(pixels).resize((round(SIDE_PX * less),) * 2, Image.Resampling.BICUBIC)
    kernel = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
    mask = cv2.resize(over, (side, side), interpolation=cv2.INTER_NEAREST)
    grown = np.asarray(image.resize((side, side), Image.Resampling.BICUBIC), np.uint8)
    place = round(dot[0] * side / SIDE_PX), round(dot[1] * side / SIDE_PX)
    return grown, np.asarray(cv2.dilate(mask, kernel), np.uint8), place


def _false_dot(pixels: Pixels, dot: Spot, chance: random.Random) -> None:
    """A red mark of the figure itself, which may pass for a dot."""
    image = Image.fromarray(pixels)
    draw, ink = ImageDraw.Draw(image), chance.choice(REDS)
    for _ in range(chance.randint(1, 3)):
        ends = [(dot[0] + chance.randint(-9, 9), dot[1] + chance.randint(-9, 9)) for _ in range(3)]
        draw.polygon(ends, fill=ink) if chance.random() < 0.5 else draw.line([dot, *ends[:2]], fill=ink, width=3)
    pixels[:] = np.asarray(image, np.uint8)


def _annotate(pixels: Pixels, over: Mask, dot: Spot, mask: Mask) -> None:
    """Draw a dot and beside it a letter, moved inwards at the upper and the right rim."""
    diamond = np.array([(dot[0] - 4, dot[1]), (dot[0], dot[1] - 4), (dot[0] + 4, dot[1]), (dot[0], dot[1] + 4)])
    for sheet, ink in ((pixels, (255, 0, 0)), (over, 1)):
        cv2.fillConvexPoly(sheet, diamond.astype(np.int32), ink)
    wide = int(np.flatnonzero(mask.any(axis=0)).max(initial=0)) + 1
    mask = mask[:, :wide]
    left, top = max(min(dot[0], SIDE_PX - wide), 0), max(dot[1] - mask.shape[0] + 6, 0)
    place = (slice(top, top + mask.shape[0]), slice(left, left + wide))
    share = mask[: pixels[place].shape[0], : pixels[place].shape[1]] > 0
    pixels[place][share] = (0, 0, 255)
    over[place][share] = 1


def _others(dot: Spot, chance: random.Random) -> list[tuple[int, Spot]]:
    """Letters of other points, now and then, not over this one's."""
    others = [(chance.randrange(NONE), (chance.randint(0, 90), chance.randint(5, 95))) for _ in range(3)]
    return [
        one for one in others if chance.random() < 0.3 and max(abs(one[1][0] - dot[0]), abs(one[1][1] - dot[1])) > 12
    ]


def _compressed(pixels: Pixels, chance: random.Random) -> Pixels:
    if chance.random() < 0.25:
        return pixels
    file = io.BytesIO()
    quality = chance.choice([30, 30, chance.randint(15, 95)])
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"), np.uint8)


def window(pixels: Pixels, x: int, y: int, outside: int) -> Pixels:
    """The surroundings of a dot, as `evpv.perception.geometry.overlay` cuts them."""
    rim = [(WINDOW_PX, WINDOW_PX)] * 2 + [(0, 0)] * (pixels.ndim - 2)
    padded = np.pad(pixels, rim, constant_values=outside)
    top, left = y - ABOVE_PX + WINDOW_PX, x - LEFT_PX + WINDOW_PX
    return padded[top : top + WINDOW_PX, left : left + WINDOW_PX].copy()  # the pool must not keep what is around


class Namer(nn.Module):
    """Strided convolutions give the likelihood of each capital and of none; a way back gives that of overlay for each pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 24, 5, stride=2, padding=2)
        self.second = nn.Conv2d(24, 40, 3, stride=2, padding=1)
        self.third = nn.Conv2d(40, 56, 3, padding=1)
        self.fourth = nn.Conv2d(56, 64, 3, stride=2, padding=1)
        self.last = nn.Linear(64 * 9, NONE + 1)
        self.narrow = nn.Conv2d(56, 16, 1)
        self.back = nn.Conv2d(16 + 24, 24, 3, padding=1)
        self.pixels = nn.Conv2d(24, 4, 3, padding=1)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        wide = functional.relu(self.first(picture - 0.5))
        deep = functional.relu(self.third(functional.relu(self.second(wide))))
        seen = functional.avg_pool2d(functional.relu(self.fourth(deep)), 2).flatten(1)
        around = functional.interpolate(self.narrow(deep), scale_factor=2.0)
        back = functional.relu(self.back(torch.cat([around, wide], dim=1)))
        scores, over = self.last(seen), functional.pixel_shuffle(self.pixels(back), 2)[:, 0]
        return (scores, over) if self.training else (torch.softmax(scores, dim=1), torch.sigmoid(over))


def train(network: Namer, seconds: float, chance: random.Random) -> None:
    """Learn from a pool of examples that is renewed all the time."""
    optimiser = torch.optim.Adam(network.parameters(), 2e-3)
    pool = [example(chance) for _ in range(1500)]
    started, step, right = time.monotonic(), 0, 0.0
    while (elapsed := time.monotonic() - started) < seconds:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * max(0.02, 1 - elapsed / seconds)
        pool = [*pool[-19984:], *(example(chance) for _ in range(16))]
        batch = [*pool[-16:], *chance.sample(pool, 40)]
        pictures = torch.from_numpy(np.array([one for one, _, _ in batch])).permute(0, 3, 1, 2).float() / 255
        letters, masks = (torch.from_numpy(np.array([one[part] for one in batch])) for part in (1, 2))
        scores, over = network(pictures)
        right = 0.99 * right + 0.01 * float((scores[:16].argmax(1) == letters[:16]).float().mean())
        apart = functional.binary_cross_entropy_with_logits(over, masks.float())
        loss = functional.cross_entropy(scores, letters) + 2 * apart
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        step += 1
        if step % 200 == 0:
            print(
                f"{step} steps, {elapsed:.0f} s, new ones right {right:.3f}, {loss.item():.4f}, {apart.item():.4f}",
                flush=True,
            )


def write_onnx(network: Namer, path: str) -> None:
    """The exporter asks for the package `onnx` only to add functions of our own, of which there are none."""
    onnx_proto_utils._add_onnxscript_fn = lambda model_bytes, custom_opsets: model_bytes
    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, 3, WINDOW_PX, WINDOW_PX),),
        path,
        dynamo=False,
        input_names=["windows"],
        output_names=["letters", "covered"],
        dynamic_axes={"windows": {0: "dots"}, "letters": {0: "dots"}, "covered": {0: "dots"}},
        opset_version=17,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=900)
    options.add_argument("--strokes", type=Path)
    chosen = options.parse_args()
    if chosen.strokes:
        STROKE_FONT.extend(chosen.strokes.read_text().splitlines())
    torch.manual_seed(0)
    network = Namer()
    train(network, chosen.seconds, random.Random(0))
    write_onnx(network, chosen.out)


if __name__ == "__main__":
    main()
