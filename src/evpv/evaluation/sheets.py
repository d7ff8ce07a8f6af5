"""A table of results, and the forms it is written in: Markdown, CSV and LaTeX. The terminal's form is the command's."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Cell: TypeAlias = str | int | float | None

_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows under named columns; the first column names the row. `digits` are the decimals that numbers are shown with."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3
    note: str = ""

    def shown(self) -> list[list[str]]:
        """The rows as text: unknown is a dash, never a zero."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return "–"
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def markdown(self) -> str:
        """
        >>> print(Sheet(title="T", columns=("a", "b"), rows=(("x|y", 0.5), ("z", None))).markdown())
        **T**
        <BLANKLINE>
        | a | b |
        | :-- | --: |
        | x\\|y | 0.500 |
        | z | – |
        """
        lines = [f"**{self.title}**", "", _row(self.columns), _row([":--", *["--:"] * (len(self.columns) - 1)])]
        lines += [_row([cell.replace("|", "\\|") for cell in row]) for row in self.shown()]
        return "\n".join([*lines, *(["", self.note] if self.note else [])])

    def csv(self) -> str:
        """All digits, so that others can compute with it; unknown is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()

    def latex(self) -> str:
        """A booktabs table that a paper can input as it is."""
        body = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in self.shown()]
        head = " & ".join(rf"\textbf{{{column.translate(_LATEX)}}}" for column in self.columns) + r" \\"
        caption = f"{self.title}. {self.note}".strip().rstrip(".").translate(_LATEX)
        return "\n".join(
            [
                r"\begin{table}[t]", r"\centering", rf"\caption{{{caption}.}}",
                rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}", r"\toprule", head, r"\midrule", *body,
                r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
            ]
        )  # fmt: skip


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
