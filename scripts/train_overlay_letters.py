"""Trains the network that names the letter beside a red dot (`evpv.perception.geometry.overlay`) and writes it as ONNX.

    python scripts/train_overlay_letters.py src/evpv/perception/geometry/overlay_letters.onnx [--seconds 600]

Blue capitals in the fonts of matplotlib and of the machine, plain or thinned to a line, are drawn beside red dots among
lines, fills and print, and go through JPEG at qualities 15 to 95; no pictures of any pack are used. Needs the `train` extra.
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
WINDOW_PX, LEFT_PX, ABOVE_PX = 48, 20, 28  # the window, and where in it the dot stands
SIDE_PX = 96
OUTSIDE = 128  # what the window shows beyond the picture's rim
FOLDERS = (Path(matplotlib.get_data_path()) / "fonts" / "ttf", Path("/usr/share/fonts"))
NAMES = ("cmr10", "cmr10", "cmss10", "cmtt10", "STIXGeneral", "DejaVuSerif", "DejaVuSans", "DejaVuSans-ExtraLight")
FONTS = [str(next(path for folder in FOLDERS for path in folder.rglob(f"{name}.ttf"))) for name in NAMES]
INKS = ["black", "#0072b2", "#1f77b4", "#c2185b", "#d62728", "#00a0a0", "#555555", "#c8963c", "#2060c0"]
FILLS = ["#ffe4a8", "#cfe6f5", "#d5ecc8", "#f6cfdc", "#fff6d0", "#8fbfe0", "#e0e0e0"]

Mask = NDArray[np.uint8]


def skeleton(mask: Mask) -> Mask:
    """The middle line of a shape, as a plotter would draw it."""
    cross, thin, rest = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), np.zeros_like(mask), mask
    while rest.any():
        thin |= rest & ~np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, cross), np.uint8)
        rest = np.asarray(cv2.erode(rest, cross), np.uint8)
    return thin


def glyph(letter: str, height: int, chance: random.Random) -> Mask:
    """A capital of that height, 0 to 255, soft or sharp."""
    wide, is_thin = chance.choice([0.85, 0.95, 1.0, 1.05, 1.15]), chance.random() < 0.6
    small = _glyph(letter, height, chance.choice(FONTS), wide, is_thin)
    return small if chance.random() < 0.3 else np.asarray(np.where(small > 110, 255, 0), np.uint8)


@cache
def _glyph(letter: str, height: int, path: str, wide: float, is_thin: bool) -> Mask:
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
    return np.asarray(cv2.resize(255 * mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def clutter(draw: ImageDraw.ImageDraw, dot: tuple[int, int], chance: random.Random) -> None:
    """Fills, lines through the dot and elsewhere, arcs and print."""

    def place() -> tuple[int, int]:
        return chance.randint(-20, SIDE_PX + 20), chance.randint(-20, SIDE_PX + 20)

    if chance.random() < 0.3:
        draw.polygon([dot, place(), place()], fill=chance.choice(FILLS))
    ink, width = chance.choice(INKS), chance.choice([1, 2, 2, 3])
    for _ in range(chance.randint(0, 4)):
        near = (dot[0] + chance.randint(-4, 4), dot[1] + chance.randint(-4, 4))
        draw.line((near, place()), fill=ink if chance.random() < 0.8 else chance.choice(INKS), width=width)
    for _ in range(chance.randint(0, 2)):
        draw.line((place(), place()), fill=chance.choice(INKS), width=width)
    if chance.random() < 0.3:
        (x, y), radius = place(), chance.randint(10, 60)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=chance.choice(INKS), width=width)
    for _ in range(chance.randint(0, 2)):
        text = chance.choice([chance.choice(CAPITALS), str(chance.randint(1, 180)), f"{chance.randint(2, 9)}x", "60°"])
        font = _font(chance.choice(FONTS), chance.randint(14, 28))
        draw.text(place(), text, fill=chance.choice(["black", "#333333"]), font=font)


def stamp(pixels: NDArray[np.uint8], mask: Mask, corner: tuple[int, int]) -> None:
    """Draw a glyph in blue with its lower left corner at a place."""
    top, left = corner[1] - mask.shape[0], corner[0]
    up, over = max(-top, 0), max(-left, 0)
    part = pixels[max(top, 0) : top + mask.shape[0], max(left, 0) : left + mask.shape[1]]
    share = mask[up : up + part.shape[0], over : over + part.shape[1], None].astype(np.float32) / 255
    part[:] = np.rint(part * (1 - share) + np.array([0, 0, 255], np.float32) * share)


def example(chance: random.Random) -> tuple[NDArray[np.uint8], int]:
    """A window around a dot, and which letter stands beside it."""
    image = Image.new("RGB", (SIDE_PX, SIDE_PX), chance.choice(["white"] * 5 + FILLS[:3]))
    edge = chance.random()
    dot = (
        SIDE_PX - chance.randint(4, 22) if edge < 0.08 else chance.randint(8, SIDE_PX - 30),
        chance.randint(4, 22) if 0.04 < edge < 0.16 else chance.randint(30, SIDE_PX - 8),
    )
    draw = ImageDraw.Draw(image)
    clutter(draw, dot, chance)
    height = chance.choice([22, 22, 22, 22, 21, 18, 14])
    draw.ellipse((dot[0] - 4, dot[1] - 4, dot[0] + 4, dot[1] + 4), fill="red")
    letter = chance.randrange(26)
    pixels = np.asarray(image, np.uint8).copy()
    for which, at in ((letter, dot), *(_others(dot, chance))):
        mask = glyph(CAPITALS[which], height, chance)
        x = min(at[0] + chance.randint(0, 4), SIDE_PX - mask.shape[1])
        stamp(pixels, mask, (x, max(at[1] + chance.randint(-2, 1), height)))
    return spoilt_window(pixels, dot, chance), letter


def _others(dot: tuple[int, int], chance: random.Random) -> list[tuple[int, tuple[int, int]]]:
    """Letters of other points, now and then, not over this one's."""
    others = [(chance.randrange(26), (chance.randint(0, 90), chance.randint(5, 95))) for _ in range(2)]
    return [
        one for one in others if chance.random() < 0.2 and max(abs(one[1][0] - dot[0]), abs(one[1][1] - dot[1])) > 20
    ]


def spoilt_window(pixels: NDArray[np.uint8], dot: tuple[int, int], chance: random.Random) -> NDArray[np.uint8]:
    """What is seen around a dot that was found a pixel off, after JPEG or at another size."""
    image = Image.fromarray(pixels)
    if chance.random() < 0.25:
        small = image.resize((SIDE_PX // 2, SIDE_PX // 2), Image.Resampling.BICUBIC)
        image = small.resize((SIDE_PX, SIDE_PX), Image.Resampling.BICUBIC)
    if chance.random() < 0.85:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=chance.choice([30, 30, chance.randint(15, 95)]))
        image = Image.open(file).convert("RGB")
    return window(np.asarray(image, np.uint8), dot[0] + chance.randint(-1, 1), dot[1] + chance.randint(-1, 1))


def window(pixels: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """The surroundings of a dot, as `evpv.perception.geometry.overlay` cuts them."""
    padded = np.pad(pixels, ((WINDOW_PX, WINDOW_PX), (WINDOW_PX, WINDOW_PX), (0, 0)), constant_values=OUTSIDE)
    top, left = y - ABOVE_PX + WINDOW_PX, x - LEFT_PX + WINDOW_PX
    return padded[top : top + WINDOW_PX, left : left + WINDOW_PX]


class Namer(nn.Module):
    """Four layers of strided convolutions, and the likelihood of each capital."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            [
                nn.Conv2d(3, 20, 5, stride=2, padding=2),
                nn.Conv2d(20, 40, 3, stride=2, padding=1),
                nn.Conv2d(40, 56, 3, padding=1),
                nn.Conv2d(56, 64, 3, stride=2, padding=1),
            ]
        )
        self.last = nn.Linear(64 * 9, len(CAPITALS))

    def forward(self, picture: Tensor) -> Tensor:
        seen = picture - 0.5
        for layer in self.layers:
            seen = functional.relu(layer(seen))
        seen = functional.avg_pool2d(seen, 2).flatten(1)
        scores: Tensor = self.last(seen)
        return scores if self.training else torch.softmax(scores, dim=1)


def train(network: Namer, seconds: float, chance: random.Random) -> None:
    """Learn from a pool of examples that is renewed all the time."""
    optimiser = torch.optim.Adam(network.parameters(), 2e-3)
    pool = [example(chance) for _ in range(1500)]
    started, step, right = time.monotonic(), 0, 0.0
    while (elapsed := time.monotonic() - started) < seconds:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * max(0.02, 1 - elapsed / seconds)
        pool = [*pool[-14984:], *(example(chance) for _ in range(16))]
        batch = [*pool[-16:], *chance.sample(pool, 48)]
        pictures = torch.from_numpy(np.array([one for one, _ in batch])).permute(0, 3, 1, 2).float() / 255
        letters = torch.tensor([letter for _, letter in batch])
        scores = network(pictures)
        right = 0.99 * right + 0.01 * float((scores[:16].argmax(1) == letters[:16]).float().mean())
        loss = functional.cross_entropy(scores, letters)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        step += 1
        if step % 200 == 0:
            print(f"{step} steps, {elapsed:.0f} s, new ones right {right:.3f}, loss {loss.item():.4f}", flush=True)


def write_onnx(network: Namer, path: str) -> None:
    """The exporter asks for the package `onnx` only to add functions of our own, of which there are none."""
    onnx_proto_utils._add_onnxscript_fn = lambda model_bytes, custom_opsets: model_bytes
    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, 3, WINDOW_PX, WINDOW_PX),),
        path,
        dynamo=False,
        input_names=["windows"],
        output_names=["letters"],
        dynamic_axes={"windows": {0: "dots"}, "letters": {0: "dots"}},
        opset_version=17,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=600)
    chosen = options.parse_args()
    torch.manual_seed(0)
    network = Namer()
    train(network, chosen.seconds, random.Random(0))
    write_onnx(network, chosen.out)


if __name__ == "__main__":
    main()
