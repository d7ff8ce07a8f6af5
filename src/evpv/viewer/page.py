"""One self-contained page: ranking, steps with verdicts and rewards, and where in the picture each fact was seen."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from evpv.types import Box, CandidateTrace, Constraint, Numeric, Relation, StepTrace, Trace

_LARGEST_IMAGE_BYTES = 4_000_000
_KINDS = {b"\x89PNG": "png", b"\xff\xd8": "jpeg", b"GIF8": "gif", b"RIFF": "webp", b"BM": "bmp"}


def write_page(path: str | Path, traces: Iterable[Trace], *, title: str, folder: Path | None = None) -> None:
    """Write the page; images named by relative paths are looked up from `folder`."""
    Path(path).write_text(page(traces, title=title, folder=folder), encoding="utf-8")


def page(traces: Iterable[Trace], *, title: str, folder: Path | None = None) -> str:
    """The page's HTML. All text from outside is escaped."""
    cards = [_card(trace, folder) for trace in traces]
    style = files("evpv.viewer").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main><h1>{escape(title)}</h1>"
        f'<p class="lead">{len(cards)} problem{"s" if len(cards) != 1 else ""}. A step\'s reward is what the judge gave it, '
        "after the gate that trusts it only as far as what it claims to see holds.</p>"
        f"{''.join(cards)}</main></body></html>\n"
    )


def _card(trace: Trace, folder: Path | None) -> str:
    by_id = {candidate.id: candidate for candidate in trace.candidates}
    ordered = [by_id[name] for name in trace.ranking.order]
    details = "".join(_candidate(candidate, trace, number == 0) for number, candidate in enumerate(ordered))
    return (
        f'<section class="card"><h2>{escape(trace.problem_id)}</h2><div class="top">{_figures(trace, folder)}'
        f'<div><p class="question">{escape(trace.question)}</p>{_options(trace)}{_ranking(trace, ordered)}</div></div>'
        f"{details}{_constraints(trace)}</section>"
    )


def _options(trace: Trace) -> str:
    options = trace.extra.get("options") or []
    answer = trace.extra.get("answer")
    shown = f'<p class="why">Options: {escape(", ".join(map(str, options)))}</p>' if options else ""
    return shown + (f'<p class="why">Gold answer: {escape(str(answer))}</p>' if answer is not None else "")


def _figures(trace: Trace, folder: Path | None) -> str:
    pictures = [_figure(str(image), trace, folder) for image in trace.extra.get("image") or []]
    return f"<div>{''.join(pictures)}</div>" if any(pictures) else "<div></div>"


def _figure(image: str, trace: Trace, folder: Path | None) -> str:
    """The picture inside the page, with the boxes of the constraints; nothing where it cannot be found."""
    path = (folder or Path()) / image
    try:
        data = path.read_bytes() if path.stat().st_size <= _LARGEST_IMAGE_BYTES else b""
    except (OSError, ValueError):
        return ""
    kind = next((name for magic, name in _KINDS.items() if data.startswith(magic)), None)
    if kind is None:
        return ""
    size = _png_size(data) if kind == "png" else None
    boxes = [c.box for c in trace.constraints if c.box is not None]
    marks = "".join(_rectangle(box) for box in boxes) if size else ""
    overlay = f'<svg viewBox="0 0 {size[0]} {size[1]}" preserveAspectRatio="none">{marks}</svg>' if size else ""
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return f'<div class="figure"><img alt="the problem\'s figure" src="{source}">{overlay}</div>'


def _png_size(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _rectangle(box: Box) -> str:
    x0, y0, x1, y1 = box
    return f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{max(x1 - x0, 1):.1f}" height="{max(y1 - y0, 1):.1f}"/>'


def _ranking(trace: Trace, ordered: Sequence[CandidateTrace]) -> str:
    rows = []
    for candidate in ordered:
        mark = ' class="best"' if candidate.id in trace.ranking.best else ""
        bad = first_bad_step(candidate)
        why = f"step {bad[0] + 1}: {escape(bad[1])}" if bad else ""
        rows.append(
            f"<tr{mark}><td>{escape(candidate.id)}</td><td>{escape(candidate.final_answer or '–')}</td>"
            f'<td class="n">{trace.ranking.values[candidate.id]:.3f}</td><td class="n">{candidate.reliability:.2f}</td><td>{why}</td></tr>'
        )
    return (
        f'<table><tr><th>candidate</th><th>answer</th><th class="n">{escape(trace.ranking.select)}</th>'
        f'<th class="n">reliability</th><th>first bad step</th></tr>{"".join(rows)}</table>'
    )


def first_bad_step(candidate: CandidateTrace, threshold: float = 0.0) -> tuple[int, str] | None:
    """The first step whose reward is below the threshold, and why: its premise if that is what failed, else the judge."""
    for index, step in enumerate(candidate.steps):
        if step.reward is not None and step.reward < threshold:
            return index, _reason(step)
    return None


def _reason(step: StepTrace) -> str:
    judge = str(step.extra.get("judge", "")) or "the judge finds it wrong"
    if step.base_reward is not None and step.base_reward < 0:
        return judge
    if step.match is not None and step.match.verdict == "contradicted":
        return f"misread: {step.match.explanation}"
    if step.uses:
        return f"builds on step {step.uses[0] + 1}"
    return f"not confirmed: {step.match.explanation}" if step.match is not None else judge


def _candidate(candidate: CandidateTrace, trace: Trace, is_open: bool) -> str:
    rows = "".join(_step(number, step) for number, step in enumerate(candidate.steps, start=1))
    return (
        f"<details{' open' if is_open else ''}><summary>{escape(candidate.id)}: "
        f"{escape(candidate.final_answer or 'no answer')}</summary>"
        '<table><tr><th class="n">#</th><th>step</th><th>claim</th><th class="n">judge</th><th class="n">gate</th>'
        f'<th class="n">reward</th></tr>{rows}</table></details>'
    )


def _step(number: int, step: StepTrace) -> str:
    return (
        f'<tr><td class="n">{number}</td><td class="text">{escape(step.text)}{_words(step.extra.get("judge"))}</td>'
        f'<td>{_claim(step)}</td><td class="n">{_number(step.base_reward)}</td><td class="n">{_number(step.gate)}</td>'
        f'<td class="n {_sign(step.reward)}">{_number(step.reward)}</td></tr>'
    )


def _claim(step: StepTrace) -> str:
    if step.match is None or step.claim is None:
        return f'<span class="why">uses step {", ".join(str(i + 1) for i in step.uses)}</span>' if step.uses else ""
    found = " (found by the auditor)" if step.claim_from == "auditor" else ""
    return (
        f'<span class="verdict {step.match.verdict}">{step.match.verdict}</span> <span class="text">{escape(step.claim)}</span>'
        f"{_words(step.match.explanation + found)}"
    )


def _words(text: object) -> str:
    return f'<div class="why">{escape(str(text))}</div>' if text else ""


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _sign(value: float | None) -> str:
    return "" if value is None else "neg" if value < 0 else "pos"


def _constraints(trace: Trace) -> str:
    if not trace.constraints:
        note = trace.extra.get("unread") or "nothing was read from the figure"
        return f'<details><summary>What was read</summary><p class="why">{escape(str(note))}</p></details>'
    rows = "".join(
        f'<tr><td class="n">{number}</td><td>{escape(describe(constraint))}</td><td class="n">{constraint.confidence:.2f}</td></tr>'
        for number, constraint in enumerate(trace.constraints)
    )
    return (
        f"<details><summary>What was read ({len(trace.constraints)} facts)</summary>"
        f'<table><tr><th class="n">#</th><th>fact</th><th class="n">confidence</th></tr>{rows}</table></details>'
    )


def describe(constraint: Constraint) -> str:
    """A constraint in words.

    >>> describe(Numeric(entity="segment AB", attribute="length", value=5.0, unit="cm"))
    'segment AB: length 5 cm'
    """
    if isinstance(constraint, Numeric):
        return f"{constraint.entity}: {constraint.attribute} {constraint.value:g}{' ' + constraint.unit if constraint.unit else ''}"
    if isinstance(constraint, Relation):
        return f"{constraint.type}: {', '.join(constraint.entities)}"
    return f"{constraint.type} of {', '.join(constraint.parts) or 'unnamed parts'}"
