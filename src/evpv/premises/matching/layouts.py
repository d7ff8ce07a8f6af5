"""How a figure is put together: its parts, how many of them, and where they are attached."""

from __future__ import annotations

from evpv.language.forms import Layout, Phrase
from evpv.language.layouts import opposite_place, part_and_place
from evpv.language.lexicon import SOLIDS
from evpv.language.tokens import content_stems, name_stems, tokens
from evpv.premises.figure import Figure
from evpv.premises.matching.findings import Finding, Verdict, missing
from evpv.types import Structure

_PART_OVERLAP = 0.5
_LONGEST_NAME = 3
"""A part of more words is a description, which no list of parts can refute."""


def layout_finding(form: Layout, figure: Figure) -> Finding:
    """The claimed parts and attachments against the structures that were read."""
    rivals = [(i, s) for i, s in figure.structures if s.type == form.kind]
    if not rivals and form.kind == "composite":
        rivals = [(i, s) for i, s in figure.structures if s.type not in ("table", "graph")]
    rivals = [(i, s) for i, s in rivals if s.parts]
    counted = _counted_rows(form, figure)
    if counted is not None:
        return counted
    if not rivals:
        return missing("no such structure was read from the figure.")
    findings = [_against(form, index, structure, figure) for index, structure in rivals]
    return next((f for f in findings if f.verdict == "supported"), findings[0])


def _found(holds: bool, index: int, structure: Structure, explanation: str) -> Finding:
    return Finding(
        verdict="supported" if holds else "contradicted",
        constraint=index,
        confidence=structure.confidence,
        explanation=explanation,
    )


def _counted_rows(form: Layout, figure: Figure) -> Finding | None:
    """“There are five bars in the chart”, “the table has 4 rows”."""
    if (
        form.number is None
        or form.noun
        not in (
            "row",
            "bar",
            "category",
            "slice",
            "sector",
            "country",
            "item",
            "person",
            "team",
            "product",
            "city",
            "type",
            "kind",
        )
        or not figure.cells
    ):
        return None
    if form.kind != "table" or form.parts:
        return None
    read = len(figure.rows.names)
    columns = len([name for name in figure.columns.names if name])
    cell = figure.cells[0]
    holds = form.number in (
        read,
        *((columns,) if form.noun not in ("row", "bar") else ()),
        *((read * columns,) if form.noun == "bar" else ()),
    )
    verdict: Verdict = "supported" if holds else "contradicted"
    return Finding(
        verdict=verdict,
        constraint=cell.index,
        confidence=cell.constraint.confidence,
        explanation=f"{read} rows were read.",
    )


def _against(form: Layout, index: int, structure: Structure, figure: Figure) -> Finding:
    listed = ", ".join(structure.parts)
    if form.kind == "composite":
        if form.place is None and not _shapes(structure):
            return missing("no shapes were read from the figure, only its labels.")
        if clash := _other_place(form, structure):
            return _found(False, index, structure, f"the figure shows {clash}.")
        if not _shapes(structure) and not _is_attached(form, structure):
            return missing("the figure does not say where these parts stand.")
    count = _count(form, structure, figure)
    if count is False:
        return _found(False, index, structure, f"the figure has the parts {listed}.")
    names = [
        *structure.parts,
        *(figure.rows.names if form.kind == "table" else ()),
        *(figure.columns.names if form.kind == "table" else ()),
    ]
    unknown = [part for part in form.parts if _words(part) and not any(_covers(part, name) for name in names)]
    if not form.parts and count is None:
        return missing("the claim names no part that could be compared.")
    years = [part for part in unknown if all(t.is_number for t in part.tokens[-1:])]
    if years and len(years) == len(unknown) and any(name.strip().isdigit() for name in names):
        return _found(
            False, index, structure, f"the figure has the parts {listed}; '{years[0].text}' is not among them."
        )
    describes = form.kind == "table" and not form.names_columns
    if unknown and (describes or any(len(_words(part)) > _LONGEST_NAME for part in unknown)):
        return missing("the claim describes the figure rather than naming its parts.")
    if not unknown:
        return _found(True, index, structure, f"the figure has the parts {listed}.")
    return _found(False, index, structure, f"the figure has the parts {listed}; '{unknown[0].text}' is not among them.")


def _shapes(structure: Structure) -> bool:
    return any(name_stems(part) & SOLIDS for part in structure.parts)


def _is_attached(form: Layout, structure: Structure) -> bool:
    """Whether an attachment tells of two of the claimed parts."""
    parts = {token.stem for part in form.parts for token in part.tokens}
    return any(len(parts & {t.stem for t in tokens(one)}) > 1 for one in (*structure.attachment, *structure.adjacency))


def _words(part: Phrase) -> frozenset[str]:
    kept = frozenset(token.stem for token in part.tokens if token.is_content)
    return kept or frozenset(token.stem for token in part.tokens if token.is_word)


def _covers(part: Phrase, name: str) -> bool:
    wanted, have = _words(part), content_stems(name.split("(")[0]) or name_stems(name)
    return len(wanted & have) / max(min(len(wanted), len(have)), 1) >= _PART_OVERLAP


def _count(form: Layout, structure: Structure, figure: Figure) -> bool | None:
    """Whether a stated number of columns, rows or parts is right; None if none is stated or it may count something else."""
    if form.number is None:
        return None
    columns = len(structure.parts)
    right = form.number in (columns, columns - 1)
    return right if right or form.noun == "column" else None


def _other_place(form: Layout, structure: Structure) -> str | None:
    """An attachment of the same two parts in another place than claimed."""
    parts = frozenset(token.stem for part in form.parts for token in part.tokens)
    if form.place is None or len(parts) < 2:
        return None
    for attachment in (*structure.attachment, *structure.adjacency):
        seen = part_and_place(attachment, parts)
        if seen is None or len(parts & {token.stem for token in tokens(attachment)}) < 2:
            continue
        place = seen[1] if seen[0] == form.place[0] else opposite_place(seen[1])
        if place != form.place[1]:
            return attachment
    return None
