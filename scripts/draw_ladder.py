"""Draw the import ladder of pyproject.toml, each room with what it owns and how large it is: docs/img/ladder.svg.

usage: draw_ladder.py [OUTPUT]

The rungs are the layers that import-linter holds; the words are those of ARCHITECTURE's table. A test draws it again and compares
the rungs, so that the picture cannot fall behind.
"""

from __future__ import annotations

import re
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "img" / "ladder.svg"
WIDTH, RUNG, GAP = 1160, 50, 12
PURE = {"reward", "premises", "language", "types"}


def rungs() -> list[list[str]]:
    """The rooms of each rung, from the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    named = [[room.strip(" ()") for room in layer.split("|")] for layer in layers]
    return [rooms for rooms in named if rooms != ["__main__"]]


def ownership() -> dict[str, str]:
    """What each room owns, in ARCHITECTURE's words."""
    table = re.findall(r"^\| (`[^|]*`) \| ([^|]*) \|", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.M)
    plain = {rooms: owns.replace("`", "").strip() for rooms, owns in table}
    return {room: owns for rooms, owns in plain.items() for room in re.findall(r"`(\w+)`", rooms)}


def thousands_of_lines(room: str) -> str:
    """The size of a room, to a tenth of a thousand lines."""
    place = ROOT / "src" / "evpv" / room
    files = place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return f"{sum(file.read_text(encoding='utf-8').count(chr(10)) for file in files) / 1000:.1f} k"


def picture() -> str:
    """The ladder as SVG: a rung a row, pure rooms tinted."""
    owned = ownership()
    rows = rungs()
    height = len(rows) * (RUNG + GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for row, rooms in enumerate(rows):
        width = (WIDTH - GAP * (len(rooms) + 1)) / len(rooms)
        for column, room in enumerate(rooms):
            parts += _room(room, owned.get(room, ""), (GAP + column * (width + GAP), GAP + row * (RUNG + GAP), width))
    return "\n".join([*parts, "</svg>", ""])


def _room(room: str, owns: str, place: tuple[float, float, float]) -> list[str]:
    left, top, width = place
    fill = "#e3f1ea" if room in PURE else "#eef1f6"
    most = int(width / 6.1)
    words = owns if len(owns) <= most else owns[: most - 1].rsplit(" ", 1)[0] + " …"
    return [
        f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{RUNG}" rx="7" fill="{fill}" stroke="#b6c0cf"/>',
        f'<text x="{left + 10:.0f}" y="{top + 21}" font-size="15" font-weight="600" fill="#1d2733">{escape(room)}</text>',
        f'<text x="{left + width - 10:.0f}" y="{top + 21}" font-size="11" text-anchor="end" fill="#5b6878">{thousands_of_lines(room)}</text>',
        f'<text x="{left + 10:.0f}" y="{top + 39}" font-size="11.5" fill="#3d4957">{escape(words)}</text>',
    ]


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else PICTURE).write_text(picture(), encoding="utf-8")
