"""What docs/results.md says is what the files say that it cites: every row of a table, every figure beside a link."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "results.md").read_text(encoding="utf-8")
FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted((DOCS / "results").glob("*.md"))}
CITED = re.compile(r"\]\(results/([\w.-]+\.md)\)")
ELSEWHERE = {
    "3.11": "the Python version",
    "31.6": "how long the command took",
    "99.7": "measured on the problems of the fit (docs/evaluation.md)",
}
"""Figures of sentences that come from another page than the file beside them."""


def plain(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", re.sub(r"\]\([^)]*\)|`[^`]*`", "", text))


def figures(text: str) -> list[str]:
    """The measured numbers of a text: those with a decimal point."""
    return re.findall(r"(?<![\w.,])-?\d+\.\d+(?!\w|\.\d)", plain(text))


def has(text: str, figure: str) -> bool:
    """Whether a text holds the figure, to as many digits as it is given; as a share or in per cent."""
    digits, value = len(figure.partition(".")[2]), float(figure)
    numbers = (float(one) for one in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", plain(text)))
    return any(abs(number * scale - value) <= 0.5001 * 10**-digits for number in numbers for scale in (1, 100, 0.01))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


COPIES = [(cells(line)[0], line) for text in FILES.values() for line in text.splitlines() if line.startswith("|")]
ROWS = [line for line in PAGE.splitlines() if line.startswith("|") and figures(line)]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_a_table_is_a_row_of_a_file(row: str) -> None:
    named = [line for name, line in COPIES if name == cells(row)[0]]
    whole = named or ["\n".join(FILES.values())]  # a row of our own words: its figures are those of the files
    assert any(all(has(line, figure) for figure in figures(row)) for line in whole), row


@pytest.mark.parametrize("paragraph", [part for part in re.split(r"\n\s*\n", PAGE) if CITED.search(part)])
def test_figures_beside_a_link_are_in_the_files_it_leads_to(paragraph: str) -> None:
    text = "\n".join(FILES[name] for name in CITED.findall(paragraph))
    if "](training.md)" in paragraph:
        text += (DOCS / "training.md").read_text(encoding="utf-8")
    assert [one for one in figures(paragraph) if one not in ELSEWHERE and not has(text, one)] == []


def test_a_curve_that_does_not_move_is_not_said_to_fall() -> None:
    for name, text in FILES.items():
        for first, last in re.findall(r"goes from ([\d.]+) to ([\d.]+); it falls", text):
            assert float(first) > float(last), name
