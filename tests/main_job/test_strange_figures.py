"""Six figures in looks that nobody tuned to: no right solution is called faulty, no fact is invented, and what was not checked is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from evpv import Verifier
from evpv.types import Numeric, Trace
from evpv.viewer.summaries import first_bad_step, why_unread

mpl.use("Agg")
from matplotlib import pyplot as plt


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """How it is drawn, what it shows by name, what it must not be read as, and what is asked of it."""

    draw: Callable[[Path], None]
    truth: Mapping[str, tuple[float, ...]]
    title: str
    question: str
    plain: str
    markdown: str
    claims: tuple[str, ...]
    answer: str


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, dpi=110, facecolor=figure.get_facecolor())
    plt.close(figure)


def _grouped_bars(path: Path) -> None:
    with plt.style.context("dark_background"):
        figure, axes = plt.subplots(figsize=(7, 4.4))
        places = np.arange(3)
        for offset, (name, values, colour) in enumerate(
            (("Online", (34, 52, 47), "#ff9f1c"), ("Store", (61, 45, 28), "#2ec4b6"))
        ):
            bars = axes.bar(places + 0.38 * offset, values, 0.36, label=name, color=colour)
            axes.bar_label(bars, padding=2)
        axes.set_xticks(places + 0.19, ["Spring", "Summer", "Autumn"])
        axes.set_title("Tickets sold at the harbour museum")
        axes.legend(loc="upper right")
        axes.set_ylim(0, 75)
        _save(figure, path)


def _pie(path: Path) -> None:
    figure, axes = plt.subplots(figsize=(6, 5))
    axes.pie(
        [45, 30, 15, 10],
        labels=["Wheat", "Barley", "Oats", "Rye"],
        autopct="%1.0f%%",
        explode=[0.12, 0, 0, 0.2],
        startangle=40,
    )
    axes.set_title("Fields of the valley")
    _save(figure, path)


def _donut(path: Path) -> None:
    figure, axes = plt.subplots(figsize=(6, 5))
    axes.pie(
        [50, 35, 15], labels=["Tram", "Bicycle", "Car"], autopct="%1.0f%%", pctdistance=0.8, wedgeprops={"width": 0.4},
        colors=["#b56576", "#6d597a", "#eaac8b"],
    )  # fmt: skip
    axes.text(0, 0, "2400\ntrips", ha="center", va="center", fontsize=15)
    _save(figure, path)


def _table(path: Path) -> None:
    picture = Image.new("RGB", (760, 330), "#fffdf5")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=24)
    for y in (20, 70, 120, 170, 220, 270):
        pen.line((20, y, 740, y), "#99907a", 2)
    for x, top in ((20, 20), (260, 20), (420, 70), (580, 20), (740, 20)):
        pen.line((x, top, x, 270), "#99907a", 2)
    cells = [
        ((40, 32), "Team"), ((360, 32), "Points"), ((600, 32), "Coach"), ((290, 82), "Home"), ((450, 82), "Away"),
        *(((40, 132 + 50 * row), name) for row, name in enumerate(("Otters", "Herons", "Lynxes"))),
        *(((310, 132 + 50 * row), str(value)) for row, value in enumerate((41, 37, 29))),
        *(((470, 132 + 50 * row), str(value)) for row, value in enumerate((18, 25, 33))),
        *(((600, 132 + 50 * row), name) for row, name in enumerate(("Maier", "Okafor", "Silva"))),
    ]  # fmt: skip
    for place, text in cells:
        pen.text(place, text, "#222222", font)
    picture.save(path)


def _triangle(path: Path) -> None:
    figure, axes = plt.subplots(figsize=(5.6, 4.2))
    corners = {"K": (0.0, 0.0), "L": (6.0, 0.0), "M": (2.06, 3.56)}
    axes.add_patch(plt.Polygon(list(corners.values()), fill=False, lw=2.2, ec="#26408b"))
    for (name, (x, y)), (dx, dy) in zip(corners.items(), ((-0.4, -0.3), (0.2, -0.3), (0, 0.2)), strict=True):
        axes.text(x + dx, y + dy, name, fontsize=16)
    axes.text(0.55, 0.2, "60°", fontsize=13)
    axes.text(4.7, 0.2, "42°", fontsize=13)
    axes.set_xlim(-1, 7)
    axes.set_ylim(-1, 4.6)
    axes.set_aspect("equal")
    axes.axis("off")
    _save(figure, path)


def _label(path: Path) -> None:
    random = np.random.default_rng(7)
    picture = Image.new("RGB", (640, 480), "#6b5d4f")
    label = Image.new("RGB", (330, 250), "#e9e2cf")
    pen = ImageDraw.Draw(label)
    for row, (name, value) in enumerate((("Oat bar", ""), ("Energy", "190 kcal"), ("Fat", "7 g"), ("Sugar", "11 g"))):
        pen.text((20, 16 + 56 * row), name, "#333333", ImageFont.load_default(size=28))
        pen.text((180, 16 + 56 * row), value, "#333333", ImageFont.load_default(size=28))
    picture.paste(label.rotate(4, expand=True, fillcolor="#6b5d4f", resample=Image.Resampling.BICUBIC), (150, 100))
    noisy = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.8))).astype(float) + random.normal(0, 6, (480, 640, 1))
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(path, quality=85)


FIGURES = {
    "dark grouped bars": Figure(
        draw=_grouped_bars,
        truth={"Spring": (34, 61), "Summer": (52, 45), "Autumn": (47, 28), "Online": (34, 52, 47), "Store": (61, 45, 28)},
        title="Tickets sold at the harbour museum",
        question="How many more tickets were sold online than in the store in summer?",
        plain="In summer 52 tickets were sold online and 45 in the store.\nThe difference is 52 - 45 = 7.\nThe answer is 7.",
        markdown="**Step 1.** Online in Summer: $52$.\n\n**Step 2.** Store in Summer: $45$.\n\n**Step 3.** $52 - 45 = \\boxed{7}$",
        claims=("Summer Online is 52.", "Summer Store is 45.", "52 - 45 = 7."),
        answer="7",
    ),
    "exploded pie with a title": Figure(
        draw=_pie,
        truth={"Wheat": (45,), "Barley": (30,), "Oats": (15,), "Rye": (10,)},
        title="Fields of the valley",
        question="What share do wheat and rye have together, in percent?",
        plain="Wheat has 45% and rye has 10%.\n45 + 10 = 55.\nThe answer is 55.",
        markdown="- Wheat: $45\\%$\n- Rye: $10\\%$\n\nTogether $45\\% + 10\\% = 55\\%$. **Answer: 55**",
        claims=("Wheat is 45%.", "Rye is 10%.", "45 + 10 = 55."),
        answer="55",
    ),
    "donut": Figure(
        draw=_donut,
        truth={"Tram": (50,), "Bicycle": (35,), "Car": (15,), "trips": (2400,)},
        title="",
        question="How many trips were made by car?",
        plain="The ring stands for 2400 trips, and the car has 15% of them.\n0.15 * 2400 = 360.\nThe answer is 360.",
        markdown="Car: $15\\%$ of $2400$ trips.\n\n$$0.15 \\times 2400 = 360$$\n\n**360**",
        claims=("Car is 15%.", "0.15 * 2400 = 360."),
        answer="360",
    ),
    "table with a merged header": Figure(
        draw=_table,
        truth={"Otters": (41, 18), "Herons": (37, 25), "Lynxes": (29, 33)},
        title="",
        question="How many points do the Herons have in all?",
        plain="The Herons have 37 points at home and 25 away.\n37 + 25 = 62.\nThe answer is 62.",
        markdown="1. Home points of the Herons: $37$\n2. Away points of the Herons: $25$\n3. $37 + 25 = 62$\n\n$\\boxed{62}$",
        claims=("The Herons' home points are 37.", "The Herons' away points are 25.", "37 + 25 = 62."),
        answer="62",
    ),
    "triangle with angles": Figure(
        draw=_triangle,
        truth={"K": (60,), "L": (42,)},
        title="",
        question="How large is angle KML?",
        plain="The angle at K is 60° and the angle at L is 42°.\n180 - 60 - 42 = 78.\nThe answer is 78.",
        markdown="Given $\\angle LKM = 60^\\circ$ and $\\angle KLM = 42^\\circ$.\n\n$$\\angle KML = 180^\\circ - 60^\\circ - 42^\\circ = 78^\\circ$$",
        claims=("∠LKM = 60°", "∠KLM = 42°", "180 - 60 - 42 = 78."),
        answer="78",
    ),
    "label in a photograph": Figure(
        draw=_label,
        truth={"Energy": (190,), "Fat": (7,), "Sugar": (11,)},
        title="Oat bar",
        question="How many grams of fat and sugar are in the bar together?",
        plain="The label says 7 g of fat and 11 g of sugar.\n7 + 11 = 18.\nThe answer is 18.",
        markdown="- Fat: $7$ g\n- Sugar: $11$ g\n\n$7 + 11 = 18$ g. **Answer: 18 g**",
        claims=("Fat is 7 g.", "Sugar is 11 g.", "7 + 11 = 18."),
        answer="18",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    folder = tmp_path_factory.mktemp("strange")
    found = {}
    with Verifier.from_recipe("embedded") as verifier:
        for number, (name, figure) in enumerate(FIGURES.items()):
            figure.draw(folder / f"{number}.png")
            steps = [{"text": claim, "claim": claim} for claim in figure.claims]
            candidates = [
                {"id": "plain", "response": figure.plain},
                {"id": "markdown", "response": figure.markdown},
                {"id": "claims", "steps": steps, "final_answer": figure.answer},
            ]
            image = str(folder / f"{number}.png")
            problem = {"id": name, "image": image, "question": figure.question, "candidates": candidates}
            found[name] = verifier.rank(problem).trace
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("form", ["plain", "markdown", "claims"])
def test_no_right_solution_is_called_faulty(traces: dict[str, Trace], name: str, form: str) -> None:
    [candidate] = [one for one in traces[name].candidates if one.id == form]
    refuted = [
        (step.text, step.match.explanation)
        for step in candidate.steps
        if step.match is not None and step.match.verdict == "contradicted"
    ]
    assert refuted == []
    bad = first_bad_step(candidate)
    assert bad is None or bad[1].startswith("not confirmed:"), bad


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_no_fact_is_invented(traces: dict[str, Trace], name: str) -> None:
    """Each number that was read belongs to a name that has it, and nothing is named after the title."""
    figure, invented = FIGURES[name], []
    for fact in traces[name].constraints:
        if not isinstance(fact, Numeric):
            continue
        words = " ".join(str(part) for part in (fact.entity, fact.row, fact.column, fact.series) if part)
        shown = {value for key, values in figure.truth.items() if key in words for value in values}
        if not any(abs(fact.value - value) <= 0.06 * abs(value) for value in shown):
            invented.append((fact.entity, fact.value))
        assert not (figure.title and figure.title in words), words
    assert invented == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_what_was_not_checked_is_said(traces: dict[str, Trace], name: str) -> None:
    trace = traces[name]
    if not trace.constraints:
        assert why_unread(trace) is not None
    for candidate in trace.candidates:
        is_checked = any(step.match and step.match.verdict in ("supported", "contradicted") for step in candidate.steps)
        assert (candidate.reliability is None) <= (not is_checked)
