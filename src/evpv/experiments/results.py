"""What an experiment leaves behind: Markdown, CSV, LaTeX, a figure as PNG and SVG, numbers, and one page for a whole set."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from evpv.evaluation.sheets import Sheet
from evpv.experiments.variants import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """An experiment's tables, its figure if it has one, its numbers, what it planned and what it says."""

    name: str
    title: str
    sheets: tuple[Sheet, ...]
    metrics: Mapping[str, Any] = field(hash=False)
    plan: Plan | None = None
    figure: Figure | None = None
    remarks: tuple[str, ...] = ()


def write_result(result: Result, folder: Path) -> None:
    """All forms of one result into its own folder."""
    place = folder / result.name
    place.mkdir(parents=True, exist_ok=True)
    remarks = "".join(f"\n{remark}\n" for remark in result.remarks)
    tables = "\n\n".join(sheet.markdown() for sheet in result.sheets)
    (place / "tables.md").write_text(f"# {result.title}\n{remarks}\n{tables}\n", encoding="utf-8")
    for number, sheet in enumerate(result.sheets, start=1):
        (place / f"table-{number}.csv").write_text(sheet.csv(), encoding="utf-8")
        (place / f"table-{number}.tex").write_text(sheet.latex(), encoding="utf-8")
    numbers = {"experiment": result.name, "plan": asdict(result.plan) if result.plan else None, **result.metrics}
    (place / "metrics.json").write_text(json.dumps(numbers, indent=2, default=str) + "\n", encoding="utf-8")
    if result.figure is not None:
        result.figure.savefig(place / "figure.png", dpi=160)
        result.figure.savefig(place / "figure.svg", metadata={"Date": None})


def write_report(results: Sequence[Result], folder: Path, facts: Mapping[str, str]) -> Path:
    """One page for the whole set; it needs nothing but itself."""
    made = {"written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), **facts}
    about = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in made.items())
    contents = "".join(f'<li><a href="#{escape(r.name)}">{escape(r.title)}</a></li>' for r in results)
    body = "".join(_section(result, folder) for result in results)
    style = files("evpv.experiments").joinpath("report.css").read_text(encoding="utf-8")
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<title>evpv: experiments</title><style>{style}</style></head><body><main><h1>Experiments</h1>"
        f"<dl>{about}</dl><nav><ol>{contents}</ol></nav>{body}</main></body></html>\n"
    )
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


def _section(result: Result, folder: Path) -> str:
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in result.remarks)
    plan = f"<p class=plan>Planned: {escape(str(result.plan))}.</p>" if result.plan else ""
    return (
        f'<section id="{escape(result.name)}"><h2>{escape(result.title)}</h2>{remarks}{plan}'
        f"{_picture(folder / result.name / 'figure.png', result.title)}{''.join(map(_table, result.sheets))}</section>"
    )


def _picture(path: Path, title: str) -> str:
    if not path.exists():
        return ""
    return f'<img alt="figure: {escape(title)}" src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}">'


def _table(sheet: Sheet) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in sheet.columns)
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in sheet.shown())
    note = f"<p class=note>{escape(sheet.note)}</p>" if sheet.note else ""
    return f"<div class=scroll><table><caption>{escape(sheet.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}"


def _cells(row: Iterable[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in row)
