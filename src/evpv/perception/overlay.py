"""The picture with what was read drawn on it: numbered boxes, and a list of the constraints at the side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evpv.perception.boxes import Pixels
from evpv.records.constraints import describe
from evpv.types import Constraint, Extraction

_COLOURS = {"numeric": "#1a66c2", "relation": "#b3261e", "structure": "#5b6b7a"}
_PALE = "#e6eaef"
_INK = "#1d2530"
_FAINT = "#6b7785"
_SMALLEST_PX, _LARGEST_PX = 560, 1400  # of the picture's longer side on the sheet
_LIST_PX = 470
_LINE_PX = 26
_MARGIN_PX = 18
# The font that ships with Pillow has Latin letters; these signs are written out.
_SPELLED = str.maketrans(
    {"∠": "angle ", "△": "triangle ", "√": "sqrt ", "π": "pi", "⊥": "_|_", "∥": "||", "−": "-", "′": "'"}
)


def draw_overlay(picture: Pixels, extraction: Extraction, *, title: str = "") -> Image.Image:
    """A sheet to show a colleague: where each constraint was seen, what it says and how sure it is.

    A constraint without a place is listed and has no box. The number in the list is the number at the box.
    """
    longer, count = max(picture.shape[:2]), len(extraction.constraints)
    scale = float(np.clip(1.0, _SMALLEST_PX / longer, _LARGEST_PX / longer))
    size = max(round(picture.shape[1] * scale), 1), max(round(picture.shape[0] * scale), 1)
    figure = Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS)
    found = extraction.problem or f"{count} constraint{'s' * (count != 1)}"
    headline = "  ·  ".join(filter(None, (title, f"read as {extraction.kind or 'nothing'}", found)))
    height = max(size[1], _LINE_PX * max(count, 1)) + 2 * _MARGIN_PX + 2 * _LINE_PX
    sheet = Image.new("RGB", (size[0] + _LIST_PX + 3 * _MARGIN_PX, height), "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((_MARGIN_PX, _MARGIN_PX), headline.translate(_SPELLED), _INK, _font(17))
    origin = (_MARGIN_PX, _MARGIN_PX + 2 * _LINE_PX)
    sheet.paste(figure, origin)
    draw.rectangle((origin[0] - 1, origin[1] - 1, origin[0] + size[0], origin[1] + size[1]), outline=_PALE)
    _draw_boxes(draw, extraction.constraints, origin, scale)
    _draw_list(draw, extraction.constraints, (size[0] + 2 * _MARGIN_PX, origin[1]))
    return sheet


def _category(constraint: Constraint) -> str:
    return type(constraint).__name__.lower()


def _draw_boxes(
    draw: ImageDraw.ImageDraw, constraints: Sequence[Constraint], origin: tuple[int, int], scale: float
) -> None:
    """Structures first: they lie around the others and would cover them."""
    numbered = sorted(enumerate(constraints, start=1), key=lambda item: _category(item[1]) != "structure")
    for number, constraint in numbered:
        if constraint.box is not None:
            x0, x1 = sorted(x * scale + origin[0] for x in constraint.box[::2])
            y0, y1 = sorted(y * scale + origin[1] for y in constraint.box[1::2])
            colour = _COLOURS[_category(constraint)]
            draw.rectangle((x0, y0, x1, y1), outline=colour, width=2 if _category(constraint) != "structure" else 1)
            # The number stands above the left corner, so that it hides as little of the figure as may be.
            draw.rectangle((x0, y0 - 14, x0 + 8 * len(str(number)) + 5, y0), fill=colour)
            draw.text((x0 + 3, y0 - 13), str(number), "white", _font(11))


def _draw_list(draw: ImageDraw.ImageDraw, constraints: Sequence[Constraint], corner: tuple[int, int]) -> None:
    x, y = corner
    if not constraints:
        draw.text((x, y), "nothing was read", _FAINT, _font(14))
    for number, constraint in enumerate(constraints, start=1):
        colour = _COLOURS[_category(constraint)]
        draw.text((x + 22, y + 3), str(number), colour, _font(14), anchor="ra")
        bar = 46 * constraint.confidence
        draw.rectangle((x + 30, y + 8, x + 76, y + 14), fill=_PALE)
        draw.rectangle((x + 30, y + 8, x + 30 + bar, y + 14), fill=colour)
        draw.text((x + 82, y + 4), f"{constraint.confidence:.2f}", _FAINT, _font(12))
        draw.text((x + 114, y + 3), _fitting(describe(constraint), _LIST_PX - 116), _INK, _font(14))
        y += _LINE_PX


def _fitting(text: str, width_px: int) -> str:
    spelled = text.translate(_SPELLED)
    if _font(14).getlength(spelled) <= width_px:
        return spelled
    while spelled and _font(14).getlength(spelled + "...") > width_px:
        spelled = spelled[:-1]
    return spelled + "..."


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)
