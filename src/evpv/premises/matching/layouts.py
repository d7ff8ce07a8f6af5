"""How a figure is put together: its parts, how many of them, and where they are attached."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.forms import Layout, Phrase
from evpv.language.layouts import opposite_place, part_and_place
from evpv.language.lexicon import SOLIDS
from evpv.language.tokens import content_stems, name_stems, tokens
from evpv.premises.figure import Figure
from evpv.premises.matching.findings import Finding, Verdict, missing
from evpv.types import Structure

_PART_OVERLAP = 0.5
_ROW_NOUNS = frozenset("row bar category slice sector country item person team product city type kind".split())
_LONGEST_NAME = 3
"""A part of more words is a description, which no list of parts can refute."""


def layout_finding(form: Layout, figure: Figure) -> Finding:
    """The claimed parts and attachments against the structures that were read."""
    counted = _counted_rows(form, figure)
    if counted is not None:
        return counted
    rivals = _rivals(form, figure)
    findings = [_against(form, index, structure, figure) for index, structure in rivals if structure.parts]
    first = next(iter(findings), missing("no such structure was read from the figure."))
    return next((finding for finding in findings if finding.verdict == "supported"), first)


def _rivals(form: Layout, figure: Figure) -> list[tuple[int, Structure]]:
    """The structures of the claimed kind; a composite is held against others too, where none was read."""
    same = [pair for pair in figure.structures if pair[1].type == form.kind]
    if same or form.kind != "composite":
        return same
    return [pair for pair in figure.structures if pair[1].type not in ("table", "graph")]


def _counted_rows(form: Layout, figure: Figure) -> Finding | None:
    """“There are five bars in the chart”, “the table has 4 rows”."""
    if form.number is None or form.noun not in _ROW_NOUNS or not figure.cells:
        return None
    if form.kind != "table" or form.parts:
        return None
    rows, columns = len(figure.rows.names), sum(map(bool, figure.columns.names))
    other = {"row": rows, "bar": rows * columns}.get(form.noun, columns)
    cell, holds = figure.cells[0], form.number in (rows, other)
    return _decided(holds, cell.index, cell.constraint.confidence, f"{rows} rows were read.")


def _decided(holds: bool, index: int, confidence: float, explanation: str) -> Finding:
    verdict: Verdict = "supported" if holds else "contradicted"
    return Finding(verdict=verdict, constraint=index, confidence=confidence, explanation=explanation)


def _against(form: Layout, index: int, structure: Structure, figure: Figure) -> Finding:
    sure, listed = structure.confidence, f"the figure has the parts {', '.join(structure.parts)}"
    if form.kind == "composite" and (place := _place_finding(form, index, structure)) is not None:
        return place
    count = _count(form, structure)
    if count is False:
        return _decided(False, index, sure, f"{listed}.")
    if not form.parts and count is None:
        return missing("the claim names no part that could be compared.")
    names = (*structure.parts, *_table_names(form, figure))
    unknown = [part for part in form.parts if not _is_covered(part, names)]
    if not unknown:
        return _decided(True, index, sure, f"{listed}.")
    if _describes(form, unknown, names):
        return missing("the claim describes the figure rather than naming its parts.")
    return _decided(False, index, sure, f"{listed}; '{unknown[0].text}' is not among them.")


def _table_names(form: Layout, figure: Figure) -> tuple[str, ...]:
    return (*figure.rows.names, *figure.columns.names) if form.kind == "table" else ()


def _place_finding(form: Layout, index: int, structure: Structure) -> Finding | None:
    """Shapes said to be put together otherwise than was read, or of which labels tell nothing; None where their names may decide."""
    if clash := _other_place(form, structure):
        return _decided(False, index, structure.confidence, f"the figure shows {clash}.")
    if any(name_stems(part) & SOLIDS for part in structure.parts):
        return None
    if form.place is None:
        return missing("no shapes were read from the figure, only its labels.")
    return None if _is_attached(form, structure) else missing("the figure does not say where these parts stand.")


def _describes(form: Layout, unknown: Sequence[Phrase], names: Sequence[str]) -> bool:
    """Whether parts that no name covers describe: not where years are named beside years, and not the short names of columns."""
    are_years = all(token.is_number for part in unknown for token in part.tokens[-1:])
    if are_years and any(name.strip().isdigit() for name in names):
        return False
    is_loose = form.kind == "table" and not form.names_columns
    return is_loose or any(len(_words(part)) > _LONGEST_NAME for part in unknown)


def _is_attached(form: Layout, structure: Structure) -> bool:
    """Whether an attachment tells of two of the claimed parts."""
    return bool(_attachments(structure, frozenset(token.stem for part in form.parts for token in part.tokens)))


def _words(part: Phrase) -> frozenset[str]:
    kept = frozenset(token.stem for token in part.tokens if token.is_content)
    return kept or frozenset(token.stem for token in part.tokens if token.is_word)


def _is_covered(part: Phrase, names: Sequence[str]) -> bool:
    """Whether one of the names shares enough words with a part; a part without words asks for nothing."""
    wanted = _words(part)
    known = [content_stems(name.split("(")[0]) or name_stems(name) for name in names]
    return not wanted or any(
        len(wanted & have) / max(min(len(wanted), len(have)), 1) >= _PART_OVERLAP for have in known
    )


def _count(form: Layout, structure: Structure) -> bool | None:
    """Whether a stated number of columns, rows or parts is right; None if none is stated or it may count something else."""
    right = form.number is not None and form.number in (len(structure.parts), len(structure.parts) - 1)
    return right if right or (form.number is not None and form.noun == "column") else None


def _other_place(form: Layout, structure: Structure) -> str | None:
    """An attachment of the same two parts in another place than claimed."""
    parts = frozenset(token.stem for part in form.parts for token in part.tokens)
    if form.place is None or len(parts) < 2:
        return None
    for attachment in _attachments(structure, parts):
        seen = part_and_place(attachment, parts)
        if seen is not None:
            place = seen[1] if seen[0] == form.place[0] else opposite_place(seen[1])
            if place != form.place[1]:
                return attachment
    return None


def _attachments(structure: Structure, parts: frozenset[str]) -> list[str]:
    """What was read of where two of these parts meet."""
    every = (*structure.attachment, *structure.adjacency)
    return [one for one in every if len(parts & {token.stem for token in tokens(one)}) > 1]
