"""Trains the network that undoes JPEG in drawings (`evpv.perception.images`) and writes it as ONNX.

    python scripts/train_compression.py src/evpv/perception/compression.onnx [--seconds 900] [--start WEIGHTS] [--keep WEIGHTS]

Drawn charts and figures of geometry go through JPEG at qualities 18 to 70; the network learns to give them back. Needs
the `train` extra and the fonts of the machine; no pictures of any pack are used. What ships was trained in two runs of
330 and 340 s of a shared core by a draft of this script that drew charts only; random numbers were not seeded.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor, nn
from torch.nn import functional
from torch.onnx._internal.torchscript_exporter import onnx_proto_utils

from evpv.perception.recognition import known_words

SIDE_PX, CROP_PX, RIM_PX = 192, 72, 11
FINE = 2  # figures are drawn so much larger, for soft edges
FONTS = [str(path) for path in Path("/usr/share/fonts").rglob("*.ttf") if "Math" not in path.name]
WORDS = list(known_words())
PALETTES = tuple(
    line.split()
    for line in """
#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #7f7f7f #bcbd22 #17becf
#636efa #ef553b #00cc96 #ab63fa #ffa15a #19d3f3 #ff6692 #b6e880
#2876dd #0f283e #bcbcbc #a41f10 #82ae36 #e3a300
#4c78a8 #f58518 #e45756 #72b7b2 #54a24b #eeca3b
#3c4e66 #be5915 #00847e #b13507 #4c6a9c #883039
""".strip().splitlines()
)
INKS = ("black", "#333333", "#666666")
TINTS = ("black", "red", "blue", "#00b050", "#d62728", "#1f77b4", "magenta", "orange")

Picture = NDArray[np.float32]


class Sheet:
    """A random figure, drawn piece by piece."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.side = chance, FINE * SIDE_PX
        ground = chance.choice(["white"] * 6 + ["#f7f7f7", "#e5ecf6", "#fafafa"])
        self.image = Image.new("RGB", (self.side, self.side), ground)
        self.draw = ImageDraw.Draw(self.image)
        self.palette = chance.choice(PALETTES)

    def place(self) -> int:
        return self.chance.randint(-10, self.side + 10)

    def colour(self) -> str:
        return self.chance.choice(self.palette)

    def font(self, low: int, high: int) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(self.chance.choice(FONTS), self.chance.randint(low, high))

    def text(self) -> str:
        number = self.chance.uniform(0, 10 ** self.chance.randint(1, 6))
        words = " ".join(self.chance.choice(WORDS) for _ in range(self.chance.randint(1, 4)))
        return self.chance.choice([words, words.title(), f"{number:,.0f}", f"{number:.1f}", f"{number:.1f}%"])

    def dot(self, x: float, y: float, radius: int, colour: str) -> None:
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def finish(self) -> Image.Image:
        how = self.chance.choice([Image.Resampling.LANCZOS, Image.Resampling.BOX, Image.Resampling.BOX])
        return self.image.resize((SIDE_PX, SIDE_PX), how)


def draw_chart(sheet: Sheet) -> None:
    """A grid with bars, lines, samples of a legend, text, and now and then a pie."""
    chance = sheet.chance
    for _ in range(chance.randint(0, 4)):
        grey, at = chance.randint(190, 240), sheet.place()
        ends = (0, at, sheet.side, at) if chance.random() < 0.6 else (at, 0, at, sheet.side)
        sheet.draw.line(ends, fill=(grey,) * 3, width=chance.choice([1, 2, 2, 3]))
    kind = chance.random()
    if kind < 0.35:
        draw_bars(sheet)
    if kind > 0.25:
        for _ in range(chance.randint(1, 4)):
            draw_line(sheet)
    for _ in range(chance.randint(0, 8)):
        draw_sample(sheet)
    if chance.random() < 0.15:
        draw_pie(sheet)
    for _ in range(chance.randint(0, 6)):
        corner = (sheet.place() - 40, sheet.place())
        sheet.draw.text(corner, sheet.text(), fill=chance.choice([*INKS, sheet.colour()]), font=sheet.font(18, 40))


def draw_bars(sheet: Sheet) -> None:
    chance = sheet.chance
    width, gap, x, base = chance.randint(6, 60), chance.randint(0, 20), sheet.place(), sheet.place()
    colours = [sheet.colour() for _ in range(chance.randint(1, 3))]
    for number in range(chance.randint(2, 12)):
        top = base - chance.randint(0, sheet.side // 2)
        sheet.draw.rectangle((x, top, x + width, base), fill=colours[number % len(colours)])
        x += width + gap


def draw_line(sheet: Sheet) -> None:
    chance, colour, y = sheet.chance, sheet.colour(), float(sheet.place())
    steep = chance.choice([6.0, 60.0])
    points = []
    for x in range(-20, sheet.side + 40, chance.randint(10, 60)):
        y += chance.gauss(0, steep)
        points.append((x, y))
    sheet.draw.line(points, fill=colour, width=chance.choice([2, 3, 3, 4, 5, 6]), joint="curve")
    if chance.random() < 0.5:
        radius = chance.randint(3, 8)
        for x, height in points:
            sheet.dot(x, height, radius, colour)


def draw_sample(sheet: Sheet) -> None:
    """A small mark of one colour, mostly with a name to its right."""
    chance, x, y, colour = sheet.chance, sheet.place(), sheet.place(), sheet.colour()
    radius = chance.randint(3, 14)
    match chance.choice(["dot", "patch", "stroke"]):
        case "dot":
            sheet.dot(x, y, radius, colour)
        case "patch":
            sheet.draw.rectangle((x - radius, y - radius, x + radius, y + radius), fill=colour)
        case _:
            sheet.draw.line((x - 2 * radius, y, x + 2 * radius, y), fill=colour, width=chance.choice([2, 3, 4, 6]))
    if chance.random() < 0.6:
        sheet.draw.text((x + radius + 8, y - 10), sheet.text(), fill=chance.choice(INKS), font=sheet.font(20, 32))


def draw_pie(sheet: Sheet) -> None:
    chance, x, y, angle = sheet.chance, sheet.place(), sheet.place(), 0
    radius = chance.randint(30, 150)
    while angle < 360:
        end = angle + chance.randint(10, 120)
        sheet.draw.pieslice(
            (x - radius, y - radius, x + radius, y + radius), angle, min(end, 360), fill=sheet.colour(), outline="white"
        )
        angle = end


def draw_geometry(sheet: Sheet) -> None:
    """Points joined by thin lines, circles, marks of angles, and labels, in colour or not."""
    chance = sheet.chance
    ink, width = (
        chance.choice(["black", "black", "black", "#333333", "#1f3fa8", "#777777"]),
        chance.choice([2, 2, 3, 4]),
    )
    points = [(sheet.place(), sheet.place()) for _ in range(chance.randint(3, 6))]
    for start in points:
        for end in points:
            if chance.random() < 0.35:
                sheet.draw.line((*start, *end), fill=ink, width=width)
    for _ in range(chance.randint(0, 2)):
        x, y, radius = sheet.place(), sheet.place(), chance.randint(20, 160)
        sheet.draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=ink, width=width)
    for _ in range(chance.randint(0, 4)):
        (x, y), radius = chance.choice(points), chance.randint(8, 26)
        box = (x - radius, y - radius, x + radius, y + radius)
        sheet.draw.arc(box, chance.randint(0, 360), chance.randint(0, 360), fill=ink, width=width)
    if chance.random() < 0.5:
        for x, y in points:
            sheet.dot(x, y, chance.randint(3, 7), chance.choice([ink, "red", "blue"]))
    tint, font = chance.choice(TINTS), sheet.font(20, 46)
    for x, y in points * 2:
        number = chance.randint(1, 180)
        label = chance.choice(
            [chance.choice("ABCDEFGHKLMNOPQRSTxyabr"), str(number), f"{number}°", f"{number % 9 + 2}x"]
        )
        at = (x + chance.randint(-40, 20), y + chance.randint(-50, 20))
        sheet.draw.text(at, label, fill=tint if chance.random() < 0.7 else "black", font=font)


def spoilt_and_clean(chance: random.Random) -> tuple[Picture, Picture]:
    sheet = Sheet(chance)
    (draw_geometry if chance.random() < 0.45 else draw_chart)(sheet)
    clean, file = sheet.finish(), io.BytesIO()
    quality = chance.choice([30, chance.randint(18, 70)])
    clean.save(file, "JPEG", quality=quality, subsampling=chance.choice([2, 2, 2, 0]))
    spoilt = Image.open(file).convert("RGB")
    return np.asarray(spoilt, np.float32) / np.float32(255), np.asarray(clean, np.float32) / np.float32(255)


class Restorer(nn.Module):
    """Five layers that see 23 pixels around each, as far as the colours of JPEG run, and say what to add."""

    def __init__(self, wide: int = 24) -> None:
        super().__init__()
        inner = [nn.Conv2d(wide, wide, 3, padding=reach, dilation=reach) for reach in (2, 4, 2)]
        self.c = nn.ModuleList([nn.Conv2d(3, wide, 5, padding=2), *inner, nn.Conv2d(wide, 3, 3, padding=1)])

    def forward(self, picture: Tensor) -> Tensor:
        seen = picture - 0.5
        for layer in self.c[:-1]:
            seen = functional.relu(layer(seen))
        added: Tensor = self.c[-1](seen)
        return picture + added


def train(network: Restorer, seconds: float, chance: random.Random) -> None:
    """Learn from crops of a pool of sheets that is renewed all the time."""
    optimiser = torch.optim.Adam(network.parameters(), 2e-3)
    pool: list[tuple[Picture, Picture]] = []
    started, step = time.monotonic(), 0
    while (elapsed := time.monotonic() - started) < seconds:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * max(0.03, 1 - elapsed / seconds) * min(1.0, (step + 1) / 100)
        if len(pool) < 60 or step % 2 == 0:
            pool = [*pool[-249:], spoilt_and_clean(chance)]
        spoilt, clean = crops(pool, chance)
        error = (network(spoilt) - clean)[:, :, RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
        loss = torch.sqrt(error**2 + 0.03**2).mean() - 0.03
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        step += 1
        if step % 200 == 0:
            print(f"{step} steps, {elapsed:.0f} s, loss {loss.item():.4f}", flush=True)


def crops(pool: list[tuple[Picture, Picture]], chance: random.Random) -> tuple[Tensor, Tensor]:
    pairs = []
    for _ in range(6):
        top, left = (chance.randint(0, SIDE_PX - CROP_PX) for _ in range(2))
        pairs.append([one[top : top + CROP_PX, left : left + CROP_PX] for one in chance.choice(pool)])
    batch = torch.from_numpy(np.array(pairs)).permute(1, 0, 4, 2, 3)
    return batch[0], batch[1]


def write_onnx(network: Restorer, path: str) -> None:
    """The exporter asks for the package `onnx` only to add functions of our own, of which there are none."""
    onnx_proto_utils._add_onnxscript_fn = lambda model_bytes, custom_opsets: model_bytes
    sides = {2: "height", 3: "width"}
    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, 3, 64, 64),),
        path,
        dynamo=False,
        input_names=["picture"],
        output_names=["clean"],
        dynamic_axes={"picture": sides, "clean": sides},
        opset_version=17,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=900)
    options.add_argument("--start", help="weights to go on from")
    options.add_argument("--keep", help="where to keep the weights for another run")
    chosen = options.parse_args()
    network = Restorer()
    if chosen.start:
        network.load_state_dict(torch.load(chosen.start))
    train(network, chosen.seconds, random.Random())
    if chosen.keep:
        torch.save(network.state_dict(), chosen.keep)
    write_onnx(network, chosen.out)


if __name__ == "__main__":
    main()
