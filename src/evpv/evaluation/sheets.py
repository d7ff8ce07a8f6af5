"""Tables of results in the forms that they are written in: Markdown, CSV and LaTeX; the terminal's form is the command's."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from evpv.evaluation.uncertainty import Difference

SheetCell: TypeAlias = str | int | float | None

_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows under named columns; the first column names the row. `digits` are the decimals that numbers are shown with."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    digits: int = 3
    note: str = ""

    def text_rows(self) -> list[list[str]]:
        """The rows as text: unknown is a dash, never a zero."""

        def text(cell: SheetCell) -> str:
            if cell is None:
                return "–"
            return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

        return [[text(cell) for cell in row] for row in self.rows]

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
        cells = [[cell.replace("|", "\\|") for cell in row] for row in self.text_rows()]
        rows = [self.columns, [":--", *["--:"] * (len(self.columns) - 1)], *cells]
        lines = [f"**{self.title}**", "", *(f"| {' | '.join(row)} |" for row in rows)]
        return "\n".join([*lines, *(["", self.note] if self.note else [])])

    def records(self) -> list[dict[str, SheetCell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def csv(self) -> str:
        """All digits, so that others can compute with it; unknown is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()

    def latex(self) -> str:
        """A booktabs table that a paper can input as it is."""
        body = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in self.text_rows()]
        head = " & ".join(rf"\textbf{{{column.translate(_LATEX)}}}" for column in self.columns) + r" \\"
        caption = f"{self.title}. {self.note}".strip().rstrip(".").translate(_LATEX)
        return "\n".join(
            [
                r"\begin{table}[t]", r"\centering", rf"\caption{{{caption}.}}",
                rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}", r"\toprule", head, r"\midrule", *body,
                r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
            ]
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSheets:
    """The tables of a task, and its numbers for machines."""

    sheets: tuple[Sheet, ...]
    metrics: Mapping[str, Any] = field(hash=False)


def against_sheet(title: str, rows: Iterable[tuple[str, float, float, Difference]]) -> Sheet:
    """What is measured, in this run and the other, and how sure the difference is."""
    columns = ("figure", "this run", "the other", "difference", "from", "to", "p")
    note = "Intervals: paired bootstrap over problems. p: approximate randomisation, two-sided."
    cells = tuple((name, one, other, gap.value, gap.low, gap.high, gap.p_value) for name, one, other, gap in rows)
    return Sheet(title=title, columns=columns, rows=cells, digits=4, note=note)
