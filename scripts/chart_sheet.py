"""A contact sheet of drawn charts, well read and badly read, for docs/perception.md.

    python scripts/chart_sheet.py docs/img/perception_charts.png [--seed 700]

Charts are drawn by three libraries (`evpv.figures.chart_looks`), read as any picture is, and sorted by the share of
their values that was read right (5 %). The worst three and the best nine of different kinds are shown: no figure of
anybody else is in the repository.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from evpv.figures.chart_looks import DrawnChart, draw_chart
from evpv.perception.extractor import EmbeddedExtractor
from evpv.types import Constraint, Numeric, Problem

LIBRARIES = ("matplotlib", "vega", "pygal")
KINDS = ("bar", "negative", "lying", "grouped", "stacked", "line", "area", "pie")
CELL, COLUMNS, BAD, GOOD = (380, 290), 4, 3, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A drawn chart and how much of it was read: right values, values that were said, values that there are."""

    chart: DrawnChart
    right: int
    said: int
    true: int

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.said + self.true, 1)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("output", type=Path)
    options.add_argument("--seed", type=int, default=700)
    chosen = options.parse_args()
    drawn = [draw_chart(library, kind, chosen.seed) for library in LIBRARIES for kind in KINDS]
    reads = sorted(map(read_back, drawn), key=lambda read: read.f1)
    sheet_of([*reads[:BAD], *reads[-GOOD:]]).save(chosen.output)
    print(f"{len(reads)} charts, mean F1 {sum(read.f1 for read in reads) / len(reads):.3f}; written to {chosen.output}")


def read_back(chart: DrawnChart) -> Read:
    """Reads a chart from its bytes and compares with its table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.png"
        path.write_bytes(chart.png)
        (found,) = EmbeddedExtractor().extract([Problem(id="chart", question="", images=(str(path),))])
    said, true = numbers(found.constraints), numbers(chart.table.constraints())
    if chart.look.endswith("-pie"):
        whole = sum(fact.value for fact in true)
        true = [Numeric(entity=one.entity, attribute="value", value=100 * one.value / whole) for one in true]
    right = sum(any(is_told_by(fact, other) for other in said) for fact in true)
    return Read(chart=chart, right=right, said=len(said), true=len(true))


def numbers(constraints: tuple[Constraint, ...]) -> list[Numeric]:
    return [fact for fact in constraints if isinstance(fact, Numeric)]


def is_told_by(true: Numeric, said: Numeric) -> bool:
    named = set(true.entity.casefold().split()) <= set(said.entity.casefold().split())
    return named and abs(said.value - true.value) <= 0.05 * abs(true.value)


def sheet_of(reads: list[Read]) -> Image.Image:
    """The charts side by side, each under its library, kind and F1."""
    width, height = CELL
    rows = -(-len(reads) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * width, rows * height), "white")
    pen = ImageDraw.Draw(sheet)
    for number, read in enumerate(reads):
        x, y = number % COLUMNS * width, number // COLUMNS * height
        picture = Image.open(io.BytesIO(read.chart.png)).convert("RGB")
        picture.thumbnail((width - 8, height - 26))
        sheet.paste(picture, (x + 4, y + 20))
        caption = f"{read.chart.look}: {read.right} of {read.true} values right, {read.said} said"
        pen.text((x + 4, y + 4), caption, "black" if read.f1 >= 0.8 else "firebrick")
    return sheet


if __name__ == "__main__":
    main()
