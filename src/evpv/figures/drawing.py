"""How drawn problems look: styles, and a canvas that draws antialiased lines and places labels where nothing else is.

All coordinates are pixels of the finished picture, y down. Everything is drawn three times as large and reduced at
the end. A small mask remembers where ink is: `label` looks for free room around a point and answers with the box it
used, which is the gold box of what the label says.

A style is font, line width, colours, noise, and what tables and charts are about: drawn from a seed, readable in every draw. The
fonts are those that matplotlib ships (DejaVu, STIX), found without importing it; its absence is an error rather than
another font, so that a seed gives the same bytes everywhere.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evpv.errors import MissingExtraError
from evpv.types import Box

Colour = tuple[int, int, int]

_FONTS = ("DejaVuSans", "DejaVuSans", "DejaVuSerif", "STIXGeneral", "DejaVuSans-Oblique", "STIXGeneralItalic")
_SANS = ("DejaVuSans", "DejaVuSerif", "STIXGeneral", "DejaVuSans")
_INKS: tuple[Colour, ...] = ((0, 0, 0), (0, 0, 0), (30, 30, 30), (20, 35, 80), (60, 20, 20))
_PAPERS: tuple[Colour, ...] = ((255, 255, 255),) * 5 + ((252, 250, 242), (246, 248, 252), (244, 244, 244))
_ACCENTS: tuple[Colour, ...] = ((190, 30, 45), (20, 90, 170), (0, 120, 90), (120, 50, 140), (0, 0, 0), (0, 0, 0))
_PALETTES: tuple[tuple[Colour, ...], ...] = (
    ((76, 120, 168), (245, 133, 24), (84, 162, 75), (228, 87, 86), (114, 183, 178), (178, 121, 162), (157, 117, 93)),
    ((51, 102, 204), (220, 57, 18), (255, 153, 0), (16, 150, 24), (153, 0, 153), (0, 153, 198), (221, 68, 119)),
    ((102, 194, 165), (252, 141, 98), (141, 160, 203), (231, 138, 195), (166, 216, 84), (255, 217, 47), (229, 196, 148)),
    ((38, 70, 83), (42, 157, 143), (233, 196, 106), (244, 162, 97), (231, 111, 81), (120, 150, 180), (150, 120, 90)),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """One look. Sizes are in pixels of the finished picture."""

    font: str
    size_px: int
    width_px: float
    ink: Colour
    paper: Colour
    accent: Colour
    palette: tuple[Colour, ...]
    noise: float
    shading: bool


SMALL_PRINT = _Style(
    font="DejaVuSans", size_px=14, width_px=1.5, ink=(0, 0, 0), paper=(255, 255, 255), accent=(0, 0, 0),
    palette=((0, 0, 0),), noise=0.0, shading=False,
)  # fmt: skip
"""The one look of small figures: black print on white, as large as it can be in a picture of SMALL_SIZE."""
SMALL_SIZE = (168, 112)


def random_style(rng: Random, *, upright: bool = False) -> _Style:
    """A style; `upright` leaves out italics (for tables and charts, whose words should look like print)."""
    return _Style(
        font=rng.choice(_SANS if upright else _FONTS), size_px=rng.randint(20, 25),
        width_px=rng.choice((1.5, 2.0, 2.0, 2.5, 3.0)), ink=rng.choice(_INKS), paper=rng.choice(_PAPERS),
        accent=rng.choice(_ACCENTS), palette=rng.choice(_PALETTES), noise=rng.choice((0.0, 0.0, 0.0, 2.0, 4.0, 6.0)),
        shading=rng.random() < 0.4,
    )  # fmt: skip


@lru_cache(maxsize=1)
def _font_folder() -> Path:
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise MissingExtraError("the figures generator", extra="eval", missing="matplotlib")
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"


@lru_cache(maxsize=256)
def font(name: str, size_px: int) -> ImageFont.FreeTypeFont:
    """A font at a size, in basic layout: raqm is not installed everywhere and places glyphs differently."""
    return ImageFont.truetype(str(_font_folder() / f"{name}.ttf"), size_px, layout_engine=ImageFont.Layout.BASIC)


def pale(colour: Colour) -> Colour:
    """A light tint of a colour, to fill shapes that text stands on."""
    red, green, blue = colour
    return 255 - (255 - red) // 4, 255 - (255 - green) // 4, 255 - (255 - blue) // 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Theme:
    """What a table or chart is about. `first` heads the names, `measure` the values; `noun` is what is counted."""

    title: str
    first: str
    names: tuple[str, ...]
    measure: str
    noun: str
    low: int
    high: int

    def choose(self, rng: Random, count: int) -> tuple[str, ...]:
        """Some of the names; days keep their order."""
        chosen = rng.sample(self.names, count)
        return tuple(sorted(chosen, key=self.names.index) if self.first == "Day" else chosen)


_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday"
_PEOPLE = "Alice Ben Carla David Emma Felix Grace Hugo"
_ROWS = (
    ("Pizzas sold", "Day", _DAYS, "Number of pizzas", "pizzas", 12, 90),
    ("Books read", "Student", _PEOPLE, "Number of books", "books", 5, 60),
    ("Visitors to the museum", "Day", _DAYS, "Number of visitors", "visitors", 40, 190),
    ("Goals scored", "Team", "Lions Tigers Hawks Bears Wolves Sharks", "Number of goals", "goals", 8, 75),
    ("Fruit in stock", "Fruit", "Apples Pears Plums Mangos Grapes Lemons", "Number of boxes", "boxes", 10, 95),
    ("Rainfall", "City", "Oslo Lima Cairo Delhi Paris Quito Turin", "Rainfall (mm)", "mm of rain", 20, 180),
    ("Trees planted", "Park", "Oakwood Hilltop Lakeside Meadow Sunset", "Number of trees", "trees", 15, 120),
    ("Favorite sport", "Sport", "Soccer Tennis Hockey Rugby Golf Judo", "Number of students", "students", 6, 80),
)
THEMES = tuple(
    _Theme(title=title, first=first, names=tuple(names.split()), measure=measure, noun=noun, low=low, high=high)
    for title, first, names, measure, noun, low, high in _ROWS
)


Point = tuple[float, float]

_SCALE = 3
_LABEL_GAPS_PX = (6, 9, 13, 19, 26, 34, 44, 56, 70)
_AROUND = (0, 20, -20, 40, -40, 60, -60, 85, -85, 120, -120, 150, -150, 180)


class Canvas:
    """A picture in the making."""

    def __init__(self, width: int, height: int, style: _Style):
        self.width, self.height, self.style = width, height, style
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), style.paper)
        self._draw = ImageDraw.Draw(self._image)
        self._taken = Image.new("L", (width, height), 0)
        self._mask = ImageDraw.Draw(self._taken)

    def line(self, *points: Point, width: float | None = None, colour: Colour | None = None) -> None:
        wide = self.style.width_px if width is None else width
        ink = self.style.ink if colour is None else colour
        big = [self._big(point) for point in points]
        self._draw.line(big, fill=ink, width=max(1, round(wide * _SCALE)), joint="curve")
        radius = wide * _SCALE / 2
        if wide >= 1.5:
            for x, y in big:
                self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)
        self._mask.line(list(points), fill=255, width=max(1, math.ceil(wide)))

    def dashed_line(self, start: Point, end: Point, *, width: float | None = None) -> None:
        length = math.dist(start, end)
        pieces = max(1, int(length // 11))
        for i in range(pieces):
            near, far = i / pieces, (i + 0.55) / pieces
            self.line(point_between(start, end, near), point_between(start, end, far), width=width)

    def polygon(self, points: Sequence[Point], fill: Colour | None = None, *, outline: bool = True) -> None:
        """A closed outline, filled if told. A fill alone does not keep labels away: they may stand on it."""
        if fill is not None:
            self._draw.polygon([self._big(point) for point in points], fill=fill)
        if outline:
            self.line(*points, points[0])

    def block(self, start: Point, end: Point, fill: Colour) -> None:
        self.polygon([start, (end[0], start[1]), end, (start[0], end[1])], fill, outline=False)

    def ellipse(self, centre: Point, radii: Point, fill: Colour | None = None, *, outline: bool = True) -> None:
        if fill is not None:
            self._draw.ellipse(self._ring(centre, radii), fill=fill)
        if outline:
            self.arc(centre, radii, 0, 360)

    def arc(self, centre: Point, radii: Point, start: float, end: float, *, width: float | None = None) -> None:
        """An arc from `start` to `end` degrees, clockwise from the right as the picture shows it."""
        steps = max(8, int(abs(end - start) / 4))
        angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
        (x, y), (rx, ry) = centre, radii
        self.line(*((x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles), width=width)

    def dashed_arc(self, centre: Point, radii: Point, start: float, end: float) -> None:
        """The hidden half of a solid's rim."""
        for angle in range(int(start), int(end), 12):
            self.arc(centre, radii, angle, min(angle + 6, end), width=1.2)

    def sector(self, centre: Point, radius: float, span: tuple[float, float], fill: Colour) -> None:
        """A filled piece of a pie, with an edge in the paper's colour."""
        self._draw.pieslice(self._ring(centre, (radius, radius)), *span, fill=fill, outline=self.style.paper, width=4)

    def dot(self, centre: Point, radius: float = 3.0, colour: Colour | None = None, *, hollow: bool = False) -> None:
        """A point mark; hollow with the paper showing through."""
        edge = self.style.ink if colour is None else colour
        fill = self.style.paper if hollow else edge
        self._draw.ellipse(self._ring(centre, (radius, radius)), fill=fill, outline=edge, width=2 * _SCALE)
        x, y = centre
        self._mask.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)

    def text(
        self, words: str, at: Point, *, anchor: str = "mm", size: int | None = None, colour: Colour | None = None
    ) -> Box:
        """Words at a place that is known to be free; answers with their box."""
        drawn = font(self.style.font, (self.style.size_px if size is None else size) * _SCALE)
        big = self._big(at)
        self._draw.text(big, words, font=drawn, fill=self.style.ink if colour is None else colour, anchor=anchor)
        x0, y0, x1, y1 = (edge / _SCALE for edge in self._draw.textbbox(big, words, font=drawn, anchor=anchor))
        self._mask.rectangle((x0, y0, x1, y1), fill=255)
        return (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))

    def label(
        self, words: str, at: Point, toward: Point, *, turns: Sequence[int] = _AROUND, colour: Colour | None = None
    ) -> Box:
        """Words near a point: in the direction `toward` or turned off it, nearest first, else where least is hidden."""
        width, height = self.text_size(words)
        base = math.atan2(toward[1], toward[0])
        best, least = at, math.inf
        for rank, (gap, turn) in enumerate((gap, turn) for gap in _LABEL_GAPS_PX for turn in turns):
            centre = _beside(at, base + math.radians(turn), gap, (width, height))
            covered = self._hidden_ink(centre, width, height)
            if covered * 50 + rank < least:
                best, least = centre, covered * 50 + rank
            if covered == 0:
                break
        return self.text(words, best, colour=colour)

    def text_size(self, words: str) -> tuple[float, float]:
        drawn = font(self.style.font, self.style.size_px * _SCALE)
        x0, y0, x1, y1 = drawn.getbbox(words, anchor="mm")
        return (x1 - x0) / _SCALE, (y1 - y0) / _SCALE

    def finish(self, rng: Random) -> Image.Image:
        """The picture at its size, with the style's noise."""
        image = self._image.reduce(_SCALE)
        if not self.style.noise:
            return image
        source = np.random.default_rng(rng.getrandbits(32))
        grain = source.standard_normal((self.height, self.width, 1), dtype=np.float32) * self.style.noise
        noisy = np.asarray(image, dtype=np.int16) + grain.astype(np.int16)
        return Image.fromarray(np.clip(noisy, 0, 255, out=noisy).astype(np.uint8))

    def _hidden_ink(self, centre: Point, width: float, height: float) -> int:
        """How much ink a label here would hide, out of the picture counting as all."""
        x0, y0 = centre[0] - width / 2 - 2, centre[1] - height / 2 - 2
        x1, y1 = centre[0] + width / 2 + 2, centre[1] + height / 2 + 2
        if x0 < 0 or y0 < 0 or x1 > self.width or y1 > self.height:
            return 10_000
        return sum(self._taken.crop((int(x0), int(y0), math.ceil(x1), math.ceil(y1))).histogram()[1:])

    def _big(self, point: Point) -> Point:
        return point[0] * _SCALE, point[1] * _SCALE

    def _ring(self, centre: Point, radii: Point) -> Box:
        (x, y), (rx, ry) = centre, radii
        return (x - rx) * _SCALE, (y - ry) * _SCALE, (x + rx) * _SCALE, (y + ry) * _SCALE


def point_between(start: Point, end: Point, share: float) -> Point:
    """The point that lies `share` of the way from start to end."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def move_point(point: Point, degrees: float, distance: float) -> Point:
    """A point moved in a direction, clockwise from the right as the picture shows it."""
    return point[0] + distance * math.cos(math.radians(degrees)), point[1] + distance * math.sin(math.radians(degrees))


def direction(start: Point, end: Point) -> float:
    """The direction from start to end in degrees, clockwise from the right."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def centre_of(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def away(point: Point, centre: Point) -> Point:
    """The direction from a centre outwards, for labels outside a shape."""
    return point[0] - centre[0], point[1] - centre[1]


def fit_into(points: Sequence[Point], size: tuple[int, int], margin: float = 58) -> list[Point]:
    """The points scaled and moved to fill a picture of that size but for its margin; shape and angles are kept."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    spread_x, spread_y = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    scale = min((size[0] - 2 * margin) / spread_x, (size[1] - 2 * margin) / spread_y)
    left, top = (size[0] - spread_x * scale) / 2, (size[1] - spread_y * scale) / 2
    return [(left + (x - min(xs)) * scale, top + (y - min(ys)) * scale) for x, y in points]


def turn_points(points: Sequence[Point], degrees: float, *, mirror: bool = False) -> list[Point]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    sign = -1.0 if mirror else 1.0
    return [(sign * x * c - y * s, sign * x * s + y * c) for x, y in points]


def _beside(at: Point, angle: float, gap: float, size: tuple[float, float]) -> Point:
    """The centre of a box of that size whose edge is `gap` away from a point in a direction."""
    cos, sin = math.cos(angle), math.sin(angle)
    reach_x = (size[0] / 2) / abs(cos) if abs(cos) > 1e-6 else math.inf
    reach_y = (size[1] / 2) / abs(sin) if abs(sin) > 1e-6 else math.inf
    reach = min(reach_x, reach_y) + gap
    return at[0] + reach * cos, at[1] + reach * sin
