"""What an experiment leaves behind: Markdown, CSV, LaTeX, a figure as PNG and SVG, numbers, and one page for a whole set.

Figures are such as a paper could print: curves with bands, bars with intervals, stacked bars, reliability diagrams. The paper's
own figures (published.toml) are printed beside ours and marked, never mixed with them.
"""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.uncertainty import Bin
from evpv.experiments.measuring import Truth
from evpv.experiments.trials import READ, CallPlan, Trials, Variant
from evpv.viewer.bundle import digest

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's, which colour-blind readers can tell apart; lines differ in their dashes too."""
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))
_HATCHES = ("", "///", "...")

_NAME_PT = 8

_Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

CurvePoints = tuple[Sequence[float], Sequence[float], Sequence[float], Sequence[float]]
"""x, y, and the lower and upper edge of the band."""


def curves(lines: Mapping[str, CurvePoints], x_label: str, y_label: str) -> Figure:
    figure = _figure()
    axes = figure.subplots()
    for index, (name, (x, y, low, high)) in enumerate(lines.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(x, y, color=colour, linestyle=_DASHES[index % len(_DASHES)], marker="o", markersize=4, label=name)
    axes.set(xlabel=x_label, ylabel=y_label)
    _plain(axes)
    figure.legend(frameon=False, ncols=min(len(lines), 3), loc="outside upper center")
    return figure


def bars(values: Mapping[str, tuple[float, float, float]], x_label: str) -> Figure:
    figure = _figure(height=0.9 + 0.32 * len(values))
    axes = figure.subplots()
    names = list(values)
    middle = [values[name][0] for name in names]
    errors = [[max(value - values[n][1], 0.0) for n, value in zip(names, middle, strict=True)],
              [max(values[n][2] - value, 0.0) for n, value in zip(names, middle, strict=True)]]  # fmt: skip
    axes.barh(range(len(names)), middle, xerr=errors, color=_COLOURS[0], height=0.62, error_kw={"elinewidth": 1})
    _rows(axes, names, x_label)
    return figure


def stacked_bars(rows: Mapping[str, Sequence[float]], parts: Sequence[str], x_label: str) -> Figure:
    """Horizontal bars put together of the same parts, the first row on top."""
    figure = _figure(height=1.3 + 0.36 * len(rows))
    axes = figure.subplots()
    names = list(rows)
    left = [0.0] * len(names)
    for index, part in enumerate(parts):
        widths = [float(rows[name][index]) for name in names]
        axes.barh(
            range(len(names)), widths, left=left, height=0.66, label=part, color=_COLOURS[index % len(_COLOURS)],
            hatch=_HATCHES[index % len(_HATCHES)], edgecolor="white",
        )  # fmt: skip
        left = [start + width for start, width in zip(left, widths, strict=True)]
    _rows(axes, names, x_label)
    figure.legend(frameon=False, ncols=len(parts), loc="outside upper center")
    return figure


def reliability_diagram(methods: Mapping[str, Sequence[Bin]]) -> Figure:
    """How often steps were right, by how probable that was said to be; a point's area is its number of steps.

    Bins that hold less than a hundredth of the steps are left out: a handful of steps would look like a finding.
    """
    figure = _figure(height=4.4, width=4.8)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, label="as stated")
    for index, (name, bins) in enumerate(methods.items()):
        colour, total = _COLOURS[index % len(_COLOURS)], sum(one.count for one in bins)
        shown = [one for one in bins if one.count >= total / 100]
        x, y = [one.predicted for one in shown], [one.observed for one in shown]
        axes.plot(x, y, color=colour, linestyle=_DASHES[index % len(_DASHES)], linewidth=1.2, label=name)
        axes.scatter(x, y, s=[12 + 300 * one.count / total for one in shown], color=colour, alpha=0.55, linewidth=0)
    axes.set(xlabel="stated probability that the step is right", ylabel="share of steps that are right")
    axes.set(xlim=(0, 1), ylim=(0, 1.03), aspect="equal")
    _plain(axes)
    axes.legend(frameon=False, loc="upper left")
    return figure


def points(places: Mapping[str, tuple[float, float]], x_label: str, y_label: str) -> Figure:
    """Named points; each name goes to the first side of its point where it covers no other name or point."""
    figure = _figure()
    axes = figure.subplots()
    axes.scatter([x for x, _ in places.values()], [y for _, y in places.values()], color=_COLOURS[0], zorder=3)
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.margins(x=0.16, y=0.1)
    _plain(axes)
    figure.draw_without_rendering()
    spots = {name: axes.transData.transform(place) * 72 / figure.dpi for name, place in places.items()}
    taken: list[_Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots.values()]
    for name, place in places.items():
        (shift, side), box = _free_side(name, (float(spots[name][0]), float(spots[name][1])), taken)
        taken.append(box)
        axes.annotate(name, place, textcoords="offset points", xytext=shift, ha=side, fontsize=_NAME_PT)
    return figure


def _free_side(name: str, at: tuple[float, float], taken: Sequence[_Box]) -> tuple[tuple[tuple[int, int], str], _Box]:
    """Where a name fits beside its point, and the room that it takes there, in printer's points."""
    width, height = 0.56 * _NAME_PT * len(name), 1.2 * _NAME_PT
    sides = [((6, 3), "left"), ((6, -10), "left"), ((-6, 3), "right"), ((-6, -10), "right"), ((0, 9), "center"), ((0, -16), "center")]  # fmt: skip
    options = []
    for shift, side in sides:
        left = at[0] + shift[0] - {"left": 0.0, "right": width, "center": width / 2}[side]
        right, bottom, top = left + width, at[1] + shift[1], at[1] + shift[1] + height
        options.append(((shift, side), (left, bottom, right, top)))
        if not any(left < x1 and x0 < right and bottom < y1 and y0 < top for x0, y0, x1, y1 in taken):
            return options[-1]
    return options[0]


def _figure(height: float = 3.6, width: float = 6.4) -> Figure:
    with mpl.rc_context({"font.size": 10, "svg.hashsalt": "evpv"}):
        return Figure(figsize=(width, height), layout="constrained")


def _rows(axes: mpl.axes.Axes, names: Sequence[str], x_label: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlabel=x_label)
    _plain(axes)


def _plain(axes: mpl.axes.Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


_RANKED = ("step macro-F1 (%)", "accuracy (%)", "five aggregations (%)")
"""How titles of tables begin whose rows compete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """An experiment's tables, its figure if it has one, its numbers, what it planned and what it says.

    Of the numbers a page draws `curves` itself, and leads by `links` (sheet, row, column; "*" for all) to pages of nodes.
    """

    name: str = ""
    title: str = ""
    sheets: tuple[Sheet, ...]
    metrics: Mapping[str, Any] = field(hash=False)
    plan: CallPlan | None = None
    figure: Figure | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """What an experiment is called, how it is run, what it cannot do without, and which variants it asks for."""

    title: str
    run: Callable[[Trials, Truth], ExperimentResult]
    needs: tuple[str, ...] = ()
    variants: Callable[[Trials], Sequence[Variant]] = lambda trials: [READ]


def write_result(result: ExperimentResult, folder: Path) -> None:
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


def write_report(results: Sequence[ExperimentResult], folder: Path, facts: Mapping[str, str]) -> Path:
    """One page for the whole set; it needs nothing but itself."""
    made = {"written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), **facts}
    about = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in made.items())
    path = folder / "report.html"
    body = "".join(section_html(result, folder / result.name, folder) for result in results)
    path.write_text(html_page("Experiments", f"<dl>{about}</dl>", results, body), encoding="utf-8")
    return path


def html_page(title: str, about: str, results: Sequence[ExperimentResult], body: str) -> str:
    """A page of results that needs nothing but itself: tables that sort, curves that answer to the pointer."""
    own = files("evpv.experiments")
    style, script = (own.joinpath(f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    policy = f"default-src 'none'; img-src data: 'self'; style-src 'unsafe-inline'; script-src '{digest(script)}'"
    contents = "".join(f'<li><a href="#{escape(r.name)}">{escape(r.title)}</a></li>' for r in results)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>evpv: {escape(title)}</title><style>{style}</style></head><body><main><h1>{escape(title)}</h1>{about}"
        f"<nav><ol>{contents}</ol></nav>{body}</main><script>{script}</script></body></html>\n"
    )


def section_html(result: ExperimentResult, place: Path, home: Path) -> str:
    """One result whose files lie in `place`, for a page in `home`."""
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in result.remarks)
    plan = f"<p class=plan>Planned: {escape(str(result.plan))}.</p>" if result.plan else ""
    found = sorted(one for one in place.glob("*") if one.suffix in (".md", ".csv", ".tex", ".png"))
    forms = "".join(f'<a href="{escape(str(one.relative_to(home)))}">{escape(one.name)}</a> ' for one in found)
    forms = f"<p class=forms>{forms}</p>" if forms else ""
    links = result.metrics.get("links", {})
    tables = "".join(_table(sheet, links.get(sheet.title, {})) for sheet in result.sheets)
    return (
        f'<section id="{escape(result.name)}"><h2>{escape(result.title)}</h2>{remarks}{plan}'
        f"{forms}{_picture(result, place / 'figure.svg')}{tables}</section>"
    )


def _picture(result: ExperimentResult, file: Path) -> str:
    """Curves as numbers that the page draws; other figures as the picture that was written."""
    if lines := result.metrics.get("curves"):
        data = json.dumps(lines).replace("<", "\\u003c")
        return f'<div class=curves><script type="application/json">{data}</script><ul class=legend></ul></div>'
    if not file.exists():
        return ""
    coded = base64.b64encode(file.read_bytes()).decode()
    return f'<img alt="figure: {escape(result.title)}" src="data:image/svg+xml;base64,{coded}">'


def _table(sheet: Sheet, links: Mapping[str, Mapping[str, str]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in sheet.columns)
    rows, last, best = [], "", _best_values(sheet)
    for values, shown in zip(sheet.rows, sheet.text_rows(), strict=True):
        belongs = shown[0] == "Δ"
        last = last if belongs else shown[0]
        cells = zip(sheet.columns, values, shown, strict=True)
        where = links.get(last) or links.get("*", {})
        text = "".join(_cell(where.get(name) or where.get("*"), best.get(name), *one) for name, *one in cells)
        rows.append(f"<tr{' data-with=1' if belongs else ''}>{text}</tr>")
    kind = "PUBLISHED" if sheet.title.startswith("PUBLISHED") else ""
    note = f"<p class=note>{escape(sheet.note)}</p>" if sheet.note else ""
    title = escape(sheet.title.removeprefix("PUBLISHED "))
    return (
        f'<div class="scroll {kind}"><table><caption>{title}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{note}"
    )


def _best_values(sheet: Sheet) -> dict[str, float]:
    """The best of each column, where rows compete; what was published and ceilings do not take part."""
    if not sheet.title.startswith(_RANKED):
        return {}
    rows = [row for row in sheet.rows if row[0] != "Δ" and "(oracle)" not in str(row[0])]
    found = {}
    for place, name in enumerate(sheet.columns):
        values = [value for row in rows if isinstance(value := row[place], float)]
        if len(set(values)) > 1 and not name.startswith(("PUBLISHED", "from", "to")):
            found[name] = max(values)
    return found


def _cell(run: str | None, best: float | None, value: Any, shown: Any) -> str:
    number = f' data-v="{value}"' if isinstance(value, int | float) else ""
    kinds = ["best"] if value == best and best is not None else []
    if isinstance(value, float) and value:
        kinds.append("up" if value > 0 else "down")
    sign = f' class="{" ".join(kinds)}"' if kinds else ""
    text = escape(shown)
    return f'<td{number}{sign}>{f"""<a href="nodes/{escape(run)}/report.html">{text}</a>""" if run else text}</td>'


_STEPS = (4560, 2406, 8727, 6225, 2358)
"""VisualProcessBench's labelled steps by source, in the order of Table 1's columns."""
_TABLES: Mapping[str, tuple[str, str, int]] = {
    "visualprocessbench": ("VisualProcessBench macro-F1 (%)", "model", 2),
    "best_of_8": ("Best-of-8 accuracy (%)", "policy + reranker", 2),
    "fidelity": ("annotated fidelity of its extractor", "data set: type", 4),
    "checklist": ("checklist audit", "split", 4),
}
"""Table → what it shows, what its rows are, decimals."""


@lru_cache(maxsize=1)
def published_tables() -> dict[str, Any]:
    return tomllib.loads(files("evpv.experiments").joinpath("published.toml").read_text(encoding="utf-8"))


def published_row(table: str, **where: object) -> Mapping[str, Any] | None:
    """The one row that these fields name; None if the paper has no such row, or several.

    >>> row = published_row("ablations", variant="History: none")
    >>> row and row["values"][-1], published_row("visualprocessbench", model="no such")
    (63.49, None)
    """
    rows = published_tables()[table]["rows"]
    found = [row for row in rows if all(row.get(key) == value for key, value in where.items())]
    return found[0] if len(found) == 1 else None


def published_sheet(table: str) -> Sheet:
    """One of the paper's tables, marked; with what its Overall is where it has one."""
    shows, rows_are, digits = _TABLES[table]
    columns = (rows_are, *published_tables()[table]["columns"])
    rows: list[tuple[SheetCell, ...]] = [(_label(row), *row["values"]) for row in published_tables()[table]["rows"]]
    if columns[-1] == "Overall":
        columns = (*columns, "Overall is")
        rows = [(*row, overall_definition(table, row[1:])) for row in rows]  # type: ignore[arg-type]
    title, note = f"PUBLISHED in the paper: {shows}, not measured here", ""
    if table == "visualprocessbench":
        note = "Pooled counts cannot be told from columns: what equals no mean may be pooled."
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=digits, note=note)


def published_aggregations() -> Sheet:
    """The paper's tables of Appendix E: Pass@1, BoN@8 and Δ by policy and benchmark, marked."""
    table = published_tables()["aggregations"]
    parts = {"P@1": "pass_at_1", "B@8": "best_of_8", "Δ": "change"}
    return Sheet(
        title="PUBLISHED in the paper: Best-of-8 under five aggregations (%), not measured here",
        columns=("policy: aggregation", *(f"{column} {part}" for column in table["columns"] for part in parts)),
        rows=tuple(
            (f"{row['policy']}: {row['aggregation']}", *(float(row[name][n]) for n in range(len(table["columns"])) for name in parts.values()))
            for row in table["rows"]
        ),
        digits=1,
    )  # fmt: skip


def overall_definition(table: str, values: Sequence[float]) -> str:
    """Which definition gives a published Overall, the last of the values; where none does, the nearest and how far off it is.

    >>> overall_definition("best_of_8", [64.50, 17.00, 22.80, 23.50, 36.38, 56.20, 32.84])
    'mean without MMMU'
    >>> overall_definition("best_of_8", [76.30, 22.07, 29.47, 37.45, 45.33, 67.75, 41.67])
    'no mean; mean without MMMU would be 42.12'
    """
    *columns, overall = map(float, values)
    means = {"mean of columns": sum(columns) / len(columns)}
    if table == "visualprocessbench":
        means["step-weighted mean"] = sum(c * n for c, n in zip(columns, _STEPS, strict=True)) / sum(_STEPS)
    else:
        means["mean without MMMU"] = sum(columns[:-1]) / len(columns[:-1])
    name = min(means, key=lambda one: abs(means[one] - overall))
    return name if abs(means[name] - overall) < 0.0051 else f"no mean; {name} would be {means[name]:.2f}"


def _label(row: Mapping[str, Any]) -> str:
    if "model" in row:
        return f"{row['model']}{' + EVPV' if row.get('evpv') else ''}"
    if "policy" in row:
        return f"{row['policy']}{' + ' + str(row['reranker']) if 'reranker' in row else ''}"
    return f"{row['data']}: {row['type']}" if "data" in row else str(row["split"])
