"""Contact sheets of drawn figures, well read and badly read, for docs/perception.md.

    python scripts/chart_sheet.py docs/img/perception_charts.png [--seed 700]
    python scripts/chart_sheet.py docs/img/perception_kinds.png --families [--seed 700]

Charts are drawn by three libraries (`evpv.figures.chart_looks`), read as any picture is, and sorted by the share of
their values that was read right (5 %). The worst three and the best nine of different kinds are shown: no figure of
anybody else is in the repository. With `--families`, one figure of every family as it was drawn and beside it at 0.4 of
its size and JPEG quality 20, with how many of its true claims the reading bears out.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from evpv.figures import FigureProblem, families, make_problem
from evpv.perception.extractor import EmbeddedExtractor
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Problem

sys.path.insert(0, str(Path(__file__).parents[1]))
from evpv.figures.chart_looks import DrawnChart, draw_chart

LIBRARIES = ("matplotlib", "vega", "pygal")
KINDS = ("bar", "negative", "lying", "grouped", "stacked", "line", "area", "pie")
CELL, COLUMNS, BAD, GOOD = (380, 290), 4, 3, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture of the sheet, what is written over it, and whether it is a good case."""

    picture: Image.Image
    caption: str
    good: bool


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
    options.add_argument("--families", action="store_true")
    options.add_argument("--seed", type=int, default=700)
    chosen = options.parse_args()
    shown = family_cases(chosen.seed) if chosen.families else chart_cases(chosen.seed)
    sheet_of(shown).quantize(128).save(chosen.output, optimize=True)
    print(f"written to {chosen.output}")


def chart_cases(seed: int) -> list[Shown]:
    """The worst and the best charts of three libraries."""
    drawn = [draw_chart(library, kind, seed) for library in LIBRARIES for kind in KINDS]
    reads = sorted(map(read_back, drawn), key=lambda read: read.f1)
    print(f"{len(reads)} charts, mean F1 {sum(read.f1 for read in reads) / len(reads):.3f}")
    return [
        Shown(
            picture=Image.open(io.BytesIO(read.chart.png)).convert("RGB"),
            caption=f"{read.chart.look}: {read.right} of {read.true} values right, {read.said} said",
            good=read.f1 >= 0.8,
        )
        for read in [*reads[:BAD], *reads[-GOOD:]]
    ]


def family_cases(seed: int) -> list[Shown]:
    """A figure of every family, whole and spoilt."""
    made = {family: make_problem(family, seed, split="dev") for family in families()}
    return [
        borne_out(one, picture, look)
        for family, one in made.items()
        for picture, look in ((one.image, family), (spoilt(one.image), f"{family}, spoilt"))
    ]


def spoilt(picture: Image.Image) -> Image.Image:
    """The picture small and compressed."""
    buffer = io.BytesIO()
    small = picture.convert("RGB").resize((round(0.4 * picture.width), round(0.4 * picture.height)))
    small.save(buffer, "JPEG", quality=20)
    return Image.open(buffer).convert("RGB")


def borne_out(made: FigureProblem, picture: Image.Image, look: str) -> Shown:
    """The picture with the verdicts that its reading gives on the figure's true claims."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        picture.save(path)
        (found,) = EmbeddedExtractor().extract([replace(made.problem, images=(str(path),))])
    steps = [step for candidate in made.problem.candidates for step in candidate.steps]
    claims = sorted({step.claim for step in steps if step.claim and step.visual and step.label == 1})
    matcher = grounded_matcher(found.constraints)
    verdicts = Counter(matcher(claim).verdict for claim in claims)
    caption = f"{look}: {verdicts['supported']} of {len(claims)} claims borne out, {verdicts['contradicted']} denied"
    return Shown(picture=picture.convert("RGB"), caption=caption, good=verdicts["supported"] >= 0.8 * len(claims))


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


def sheet_of(shown: list[Shown]) -> Image.Image:
    """The pictures side by side, each under what was made of it."""
    width, height = CELL
    rows = -(-len(shown) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * width, rows * height), "white")
    pen = ImageDraw.Draw(sheet)
    for number, one in enumerate(shown):
        x, y = number % COLUMNS * width, number // COLUMNS * height
        picture = ImageOps.contain(one.picture, (width - 8, height - 26))
        sheet.paste(picture, (x + 4, y + 20))
        pen.text((x + 4, y + 4), one.caption, "black" if one.good else "firebrick")
    return sheet


if __name__ == "__main__":
    main()
