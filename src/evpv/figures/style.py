"""How a figure looks (font, line width, colours, noise) and what tables and charts are about. Drawn from a seed, readable in every draw.

The fonts are those that matplotlib ships (DejaVu, STIX), found without importing it; its absence is
an error rather than another font, so that a seed gives the same bytes everywhere.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from PIL import ImageFont

from evpv.errors import MissingExtraError

Colour = tuple[int, int, int]

_FONTS = ("DejaVuSans", "DejaVuSans", "DejaVuSerif", "STIXGeneral", "DejaVuSans-Oblique", "STIXGeneralItalic")
_SANS = ("DejaVuSans", "DejaVuSerif", "STIXGeneral", "DejaVuSans")
_INKS: tuple[Colour, ...] = ((0, 0, 0), (0, 0, 0), (30, 30, 30), (20, 35, 80), (60, 20, 20))
_PAPERS: tuple[Colour, ...] = ((255, 255, 255),) * 5 + ((252, 250, 242), (246, 248, 252), (244, 244, 244))
_ACCENTS: tuple[Colour, ...] = ((190, 30, 45), (20, 90, 170), (0, 120, 90), (120, 50, 140), (0, 0, 0), (0, 0, 0))
_PALETTES: tuple[tuple[Colour, ...], ...] = (
    ((76, 120, 168), (245, 133, 24), (84, 162, 75), (228, 87, 86), (114, 183, 178), (178, 121, 162), (157, 117, 93)),
    ((51, 102, 204), (220, 57, 18), (255, 153, 0), (16, 150, 24), (153, 0, 153), (0, 153, 198), (221, 68, 119)),
    (
        (102, 194, 165),
        (252, 141, 98),
        (141, 160, 203),
        (231, 138, 195),
        (166, 216, 84),
        (255, 217, 47),
        (229, 196, 148),
    ),
    ((38, 70, 83), (42, 157, 143), (233, 196, 106), (244, 162, 97), (231, 111, 81), (120, 150, 180), (150, 120, 90)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
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


SMALL_PRINT = Style(
    font="DejaVuSans",
    size_px=14,
    width_px=1.5,
    ink=(0, 0, 0),
    paper=(255, 255, 255),
    accent=(0, 0, 0),
    palette=((0, 0, 0),),
    noise=0.0,
    shading=False,
)
"""The one look of small figures: black print on white, as large as it can be in a picture of SMALL_SIZE."""
SMALL_SIZE = (168, 112)
SMALL_SHAPE = (84, 112)
SMALL_MARGIN = 20


def random_style(rng: Random, *, upright: bool = False) -> Style:
    """A style; `upright` leaves out italics (for tables and charts, whose words should look like print)."""
    return Style(
        font=rng.choice(_SANS if upright else _FONTS),
        size_px=rng.randint(20, 25),
        width_px=rng.choice((1.5, 2.0, 2.0, 2.5, 3.0)),
        ink=rng.choice(_INKS),
        paper=rng.choice(_PAPERS),
        accent=rng.choice(_ACCENTS),
        palette=rng.choice(_PALETTES),
        noise=rng.choice((0.0, 0.0, 0.0, 2.0, 4.0, 6.0)),
        shading=rng.random() < 0.4,
    )


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
class Theme:
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
    Theme(title=title, first=first, names=tuple(names.split()), measure=measure, noun=noun, low=low, high=high)
    for title, first, names, measure, noun, low, high in _ROWS
)
