"""Phone photographs made of clean pictures, and how many of their facts are still read.

    python benchmarks/photographs.py FOLDER [--pack tables] [--images 16] [--damage mix …]   the last line is one JSON object

Each picture becomes a page, bent, tilted, turned, lit, blurred and compressed as a hand-held phone does it: `plain` (a
careful shot), one damage more of `DAMAGES`, or `mix`, several mild ones at once. Gold facts carry over from the clean
picture. Items with an even sha256 of their id are open to be looked at, of the others only sums are.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from perception import DATA, PACKS, load_scorer, rows_of

from evpv.perception.extractor import EmbeddedExtractor
from evpv.perception.images import load_pixels
from evpv.records.constraints import constraints_to_json
from evpv.types import Problem

Values = NDArray[np.float32]
Options = Mapping[str, float]
PLAIN: Options = {
    "desk": 0, "tilt": 3, "turn": 1, "quarters": 0, "soft": 0, "hard": 0, "light": 0.12, "warm": 0.05, "blur": 0.9, "motion": 0,
    "grain": 3, "quality": 82, "curl": 0, "paper": 0.96, "moire": 0, "exposure": 0.85, "side": 1500,
}  # fmt: skip
DAMAGES: dict[str, Options] = {
    "plain": {},
    "on a desk": {"desk": 1, "tilt": 10, "turn": 4},
    "tilted 15°": {"tilt": 15},
    "tilted 25°": {"tilt": 25},
    "turned 5°": {"turn": 5},
    "turned 15°": {"turn": 15},
    "on its side": {"quarters": 1},
    "soft shadow": {"soft": 0.5},
    "hard shadow": {"hard": 0.45},
    "uneven warm light": {"light": 0.5, "warm": 0.25},
    "blurred": {"blur": 2.2},
    "moved": {"motion": 7},
    "grain, JPEG 60": {"grain": 9, "quality": 60},
    "curled": {"curl": 0.035},
    "newsprint": {"paper": 0.82},
    "moire": {"moire": 0.07},
}
FOCAL = 1.3  # lengths of a figure from which it is seen


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--pack", choices=PACKS, default="tables")
    options.add_argument("--images", type=int, default=16)
    options.add_argument("--damage", nargs="*", default=["mix"], help="mix, or names of DAMAGES; none: all of them")
    chosen = options.parse_args()
    rows = rows_of(chosen.pack, chosen.images)
    figures = {one: report_damage(chosen.folder, chosen.pack, rows, one) for one in chosen.damage or DAMAGES}
    print(json.dumps({"pack": chosen.pack, "images": len(rows), "f1": figures}, ensure_ascii=False))


def report_damage(folder: Path, pack: str, rows: list[dict[str, Any]], damage: str) -> dict[str, float]:
    """Photograph, read and score, apart for what may be looked at and what is closed."""
    scorer, extractor, found = load_scorer(), EmbeddedExtractor(), {}
    f1: dict[str, float] = {}
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        rng = np.random.default_rng(int(sha256(f"{pack}/{row['id']}/{damage}".encode()).hexdigest()[:12], 16))
        path = folder / f"{row['id']}-{damage}.jpg"
        more = mixture(rng) if damage == "mix" else DAMAGES[damage]
        path.write_bytes(photograph(load_pixels(DATA / pack / row["image"]), rng, {**PLAIN, **more}))
        (answer,) = extractor.extract([Problem(id=row["id"], question="", images=(str(path),))])
        found[row["id"]] = constraints_to_json(answer.constraints)
    for part in ("open", "closed"):
        mine = [
            row for row in rows if (int(sha256(str(row["id"]).encode()).hexdigest(), 16) % 2 == 0) == (part == "open")
        ]
        figures = scorer.report(scorer.score(mine, found, 0.05 if pack == "charts" else 0.005, True))["overall"]
        print(f"{pack:9} {damage:18} {part:6} n {len(mine):3}  overall F1 {figures['f1']:.3f}", flush=True)
        f1[part] = round(float(figures["f1"]), 3)
    return f1


def mixture(rng: np.random.Generator) -> Options:
    """A photograph as one meets it: several mild damages, seldom all."""
    seldom = {
        "desk": (0.18, 1, 1), "soft": (0.35, 0.25, 0.55), "hard": (0.2, 0.25, 0.45), "motion": (0.25, 3, 6), "curl": (0.3, 0.01, 0.03),
        "paper": (0.3, 0.78, 0.9), "moire": (0.12, 0.03, 0.07), "quarters": (0.06, 1, 1),
    }  # fmt: skip
    always = {
        "tilt": (4, 18), "turn": (-8, 8), "light": (0.1, 0.45), "warm": (0, 0.22), "blur": (0.8, 1.9), "grain": (2, 6), "quality": (60, 86),
        "exposure": (0.62, 1.0), "side": (1000, 1800),
    }  # fmt: skip
    chosen = {name: rng.uniform(*limits) for name, limits in always.items()}
    return chosen | {name: rng.uniform(low, high) for name, (p, low, high) in seldom.items() if rng.random() < p}


def photograph(clean: NDArray[np.uint8], rng: np.random.Generator, options: Options) -> bytes:
    """The picture as a page, seen, lit and compressed, as bytes of a JPEG."""
    factor = min(0.85 * options["side"] / max(clean.shape[:2]), 1.8)
    figure = cv2.resize(
        clean, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    )
    span = max(figure.shape[:2])
    margin = int((0.07 if options["desk"] else 0.5) * span)
    page = cv2.copyMakeBorder(
        figure, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255, 255, 255)
    ) / np.float32(255)
    paper = options["paper"] * np.array([1.0, 0.98, 0.95], np.float32)
    texture = 1 + 0.15 * (1 - options["paper"]) * _clouds(rng, page.shape[:2])[..., None]
    seen, is_page = _seen((0.12 + 0.88 * page) * paper * texture, span, rng, options)
    seen = _lit(seen, rng, options)
    seen *= options["exposure"] * 255 / float(np.percentile(seen[is_page], 90))  # a phone exposes for the page
    grain = rng.normal(0, 0.6, seen.shape) + rng.normal(0, 0.8, (*seen.shape[:2], 1))
    shot = np.clip(_moved(seen, rng, options) + options["grain"] * grain, 0, 255).astype(np.uint8)
    turned = np.ascontiguousarray(np.rot90(shot, int(options["quarters"]))[:, :, ::-1])
    return cv2.imencode(".jpg", turned, [cv2.IMWRITE_JPEG_QUALITY, int(options["quality"])])[1].tobytes()


def _clouds(rng: np.random.Generator, shape: tuple[int, ...]) -> Values:
    small = rng.normal(0, 1, (max(shape[0] // 8, 2), max(shape[1] // 8, 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[1::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _seen(page: Values, span: float, rng: np.random.Generator, options: Options) -> tuple[Values, NDArray[np.bool_]]:
    """The page in perspective, turned and curled, on a desk where it ends; and where it is."""
    height, width = page.shape[:2]
    tilt, axis = math.radians(options["tilt"]), rng.uniform(0, 2 * math.pi)
    lean, _ = cv2.Rodrigues(np.array([math.cos(axis) * tilt, math.sin(axis) * tilt, 0.0]))
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(options["turn"] * rng.choice([-1, 1]))]))
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    space = np.hstack([(corners - (width / 2, height / 2)) / span, np.zeros((4, 1))]) @ (lean @ spin).T
    flat = FOCAL * space[:, :2] / (space[:, 2:] + FOCAL)
    shown = np.ptp(flat, axis=0)[None] * (1.1 if options["desk"] else 0.6)
    scale = min(options["side"], 1.8 * span) / shown.max()
    size = [int(side) for side in shown[0] * scale]
    centre = (flat.min(axis=0) + flat.max(axis=0)) / 2 if options["desk"] else 0
    target = ((flat - centre) * scale + np.array(size) / 2).astype(np.float32)
    inverse = np.linalg.inv(cv2.getPerspectiveTransform(corners, target))
    grid = np.stack([*np.meshgrid(np.arange(size[0]), np.arange(size[1])), np.ones(size[::-1])], axis=-1) @ inverse.T
    x, y = (np.asarray(grid[..., side] / grid[..., 2], np.float32) for side in (0, 1))
    y += np.asarray(options["curl"] * span * np.cos((x - width / 2) / span * 3.5), np.float32)
    seen = np.asarray(cv2.remap(page, x, y, cv2.INTER_LINEAR), np.float32)
    is_page = (x >= 0) & (y >= 0) & (x < width - 1) & (y < height - 1)
    seen[~is_page] = np.array([0.4, 0.32, 0.25]) * rng.uniform(0.6, 1.2)
    return seen, is_page


def _lit(seen: Values, rng: np.random.Generator, options: Options) -> Values:
    height, width = seen.shape[:2]
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32) - 0.5
    angle = rng.uniform(0, 2 * math.pi)
    light = 1 - options["light"] * (
        0.5 + (across * math.cos(angle) + down * math.sin(angle)) / 1.4 + across**2 + down**2
    )
    for name, softness in (("soft", 0.05), ("hard", 0.004)):
        turns = np.sort(rng.uniform(0, 2 * math.pi, 5))
        reach = np.stack([np.cos(turns), np.sin(turns)], axis=1) * rng.uniform(0.25, 0.5, (5, 2))
        centre = np.array([rng.choice([0.0, 0.25, 0.75, 1.0]), rng.uniform(0.3, 1)])
        places = (reach + centre) * (width, height)
        shadow = cv2.fillPoly(np.zeros((height, width), np.float32), [places.astype(np.int32)], 1.0)
        light *= 1 - options[name] * cv2.GaussianBlur(shadow, (0, 0), softness * max(height, width))
    waves = np.sin(
        (across * rng.uniform(20, 90) * 6 + down * rng.uniform(20, 90) * 6)[..., None] + rng.uniform(0, 2, 3)
    )
    colour = np.array([1 + 0.3 * options["warm"], 1, 1 - options["warm"]])
    return np.asarray(seen * light[..., None] * colour * (1 + options["moire"] * waves), np.float32)


def _moved(seen: Values, rng: np.random.Generator, options: Options) -> Values:
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), options["blur"] * options["side"] / 1500), np.float32)
    if not options["motion"]:
        return seen
    reach, angle = int(options["motion"]) | 1, rng.uniform(0, math.pi)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for step in np.linspace(-0.5, 0.5, 60) * options["motion"]:
        kernel[round(reach + step * math.sin(angle)), round(reach + step * math.cos(angle))] += 1 / 60
    return np.asarray(cv2.filter2D(seen, -1, kernel), np.float32)


if __name__ == "__main__":
    main()
