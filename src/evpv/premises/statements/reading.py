"""A text about a table or chart: sentence by sentence, piece by piece, each with its finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.assertions import row_values, silent_part
from evpv.language.clauses import clauses
from evpv.language.forms import Amount, Layout, form_text
from evpv.language.immutable import immutable
from evpv.language.layouts import layout_form
from evpv.language.plain_forms import outcomes
from evpv.language.quantities import quantities
from evpv.language.text import PlainText, Segment, plain_text
from evpv.language.tokens import tokens
from evpv.premises.figure import Figure
from evpv.premises.matching.diagrams import layout_finding
from evpv.premises.matching.values import Finding, missing
from evpv.premises.statements.grid import Grid, grid
from evpv.premises.statements.kinds import calculates, statement
from evpv.premises.statements.marks import Marked, marked
from evpv.premises.statements.pieces import Piece, pieces
from evpv.premises.statements.signs import finding_state, signs
from evpv.premises.statements.trust import EVEN, Chances, believed, chances, is_nothing
from evpv.premises.statements.verdicts import is_idle
from evpv.premises.statements.views import Context, view
from evpv.types import ClaimType

MAX_LENGTH = 20_000
_RECENT = 8
_AHEAD = frozenset("with at priced listed valued standing counting costing having despite although".split())
_LAYOUTS = frozenset(
    "table chart graph plot figure legend axis column columns row rows bars series categories lines headings headers".split()
)


@immutable
class Statement:
    """One thing that a text says of the figure, what was found, by which signs, and how far it is believed."""

    span: tuple[int, int]
    form: str
    kind: ClaimType
    finding: Finding
    amount: Amount | None = None
    aside: bool = False
    signs: frozenset[str] = frozenset()
    chance: Chances = EVEN


def statements(text: str, model: Figure) -> list[Statement]:
    """All that a text says of a table or chart, as far as it is believed; what was not understood stands only where nothing else does."""
    found = read_statements(text, model)
    every = [chances(one.signs) for one in found]
    said = [pair for pair in zip(found, every, strict=True) if pair[0].kind != "structure"]
    if found and len(said) == len(found) and is_nothing(every):
        return []
    kept = [
        replace(one, finding=finding, chance=chance)
        for one, chance in zip(found, every, strict=True)
        if (finding := one.finding if one.kind == "structure" else believed(one.finding, one.signs, chance))
    ]
    return kept or [replace(one, finding=replace(one.finding, verdict="missing", constraint=None)) for one in found]


def read_statements(text: str, model: Figure) -> list[Statement]:
    """All pieces of a text, each with what was found of it and the signs by which that is believed."""
    reader = _Reader(plain_text(text[:MAX_LENGTH]), grid(model))
    for index, segment in enumerate(reader.source.segments):
        reader.read(index, segment)
    return [replace(one, signs=one.signs | company(one, reader.found)) for one in reader.found]


def company(one: Statement, found: Sequence[Statement]) -> frozenset[str]:
    """What the other statements of a text are: a slip stands alone among right ones, a misunderstanding of ours rarely does."""
    others = [other.finding for other in found if other is not one]
    wrong = sum(finding.verdict == "contradicted" for finding in others)
    doubted = sum(finding.why_missing == "doubted" for finding in others)
    right = sum(finding.verdict == "supported" for finding in others)
    state = finding_state(one.finding)
    return frozenset(
        {
            f"beside {min(wrong, 2)} wrong {state}",
            f"beside {min(doubted, 2)} doubted {state}",
            f"beside {min(right, 3)} right {state}",
            f"alone {not others} {state}",
        }
    )


class _Reader:
    """Reads segment after segment, keeping what later ones may lean on."""

    def __init__(self, source: PlainText, grid: Grid):
        self.source, self.grid = source, grid
        self.found: list[Statement] = []
        self.context = Context()
        self.numbers: list[float] = []
        self.leads: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def read(self, index: int, segment: Segment) -> None:
        if segment.kind in ("header", "row"):
            self._read_row(segment)
            return
        text = self.source.text[segment.start : segment.end]
        silent = len(text) if segment.kind == "heading" or self._is_general(text) else silent_part(text)
        self._lead(segment)
        if silent:
            spoken = marked(text[:silent], self.grid)
            if spoken.calculated and segment.kind != "heading":
                self._read_pieces(segment.start, [p for p in pieces(spoken) if calculates(p)])
            self._end_sentence(index, pieces(spoken))
        if silent < len(text):
            self._lead(segment if not silent else replace(segment, lead=index))
            self._read_sentence(index, segment, text, silent)

    def _is_general(self, text: str) -> bool:
        """Whether a sentence says what holds of any figure: it names nothing of this one."""
        if _OF_ANY.match(text):
            return True
        if _GENERAL.search(text) is None or any(
            not q.unit and q.value != 100 and not q.spelled for q in quantities(text)
        ):
            return False
        return "$" not in text and not marked(text, self.grid).names

    def _lead(self, segment: Segment) -> None:
        rows, columns = self.leads.get(segment.lead, ((), ())) if segment.lead is not None else ((), ())
        self.context.near_rows, self.context.near_columns = (), ()
        self.context.note(rows, columns)

    def _read_sentence(self, index: int, segment: Segment, text: str, skip: int) -> None:
        base = segment.start + skip
        sentence = marked(text[skip:], self.grid)
        parts = pieces(sentence)
        laid = self._read_layout(base, text[skip:]) if _LAYOUTS & {*sentence.words} else []
        self._read_pieces(base, parts, laid)
        self._end_sentence(index, parts)

    def _read_pieces(self, base: int, parts: Sequence[Piece], laid: Sequence[tuple[int, int]] = ()) -> None:
        for place, piece in enumerate(parts):
            if (
                not place
                and len(parts) > 1
                and not piece.names
                and (piece.words[0] in _AHEAD or "majority" in piece.words)
            ):
                self.context.note(parts[1].named("row"), parts[1].named("column"))
            if any(start <= piece.tokens[0].start < end for start, end in laid):
                continue
            self._read_piece(base, piece)
            self.context.note(_topic(piece), piece.named("column"))

    def _read_piece(self, base: int, piece: Piece) -> None:
        v = view(piece, self.context, self.grid)
        finding, form, kind = statement(piece, self.context, self.grid)
        if form == "value" and finding is not None and finding.verdict == "supported":
            self.context.used = (*self.context.used, *finding.used)[-4:]
        start, end = piece.tokens[0].start + base, piece.tokens[-1].end + base
        found = set(signs(v, finding, form))
        if self._is_computed(piece, form):
            found.add(f"computed {finding.verdict if finding else 'unsaid'}")
        if finding is not None and finding.verdict == "missing" and is_idle(v):
            found.add(f"idle {finding.why_missing}")
        if calculates(piece):
            found.add("calculates")
        if piece.has("reason"):
            found.add("reason")
        self.found.append(
            Statement(
                span=self.source.source_span(start, end),
                form=f"{form}({piece.text})",
                kind=kind,
                finding=finding or missing("it says nothing that was understood."),
                amount=piece.numbers[0].stated.amount if piece.numbers else None,
                aside=piece.aside,
                signs=frozenset(found),
            )
        )

    def _read_layout(self, base: int, text: str) -> list[tuple[int, int]]:
        """What is said of the figure's make-up, and where: “The table has three columns”."""
        found = []
        for clause in clauses(text, labelled=False):
            form = layout_form(clause)
            if isinstance(form, Layout) and (form.kind != "composite" or form.place):
                found.append((clause.start, clause.end))
                span = self.source.source_span(clause.start + base, clause.end + base)
                finding = layout_finding(form, self.grid.model)
                state = frozenset({f"layout {finding.verdict}"})
                self.found.append(
                    Statement(span=span, form=form_text(form), kind="structure", finding=finding, signs=state)
                )
        return found

    def _is_computed(self, piece: Piece, form: str) -> bool:
        """Whether a number is what earlier ones come to: then it was worked out, not read."""
        said = [number.stated.amount.quantity.absolute for number in piece.numbers if number.stated.amount.bound == "="]
        before = self.numbers[-_RECENT:]
        self.numbers += said
        if len(said) != 1 or len(before) < 2:
            return False
        return any(abs(value - said[0]) <= 1e-6 * abs(said[0]) for value in outcomes(before)) and said[0] not in before

    def _end_sentence(self, index: int, parts: Sequence[Piece]) -> None:
        rows = next((p.named("row") for p in parts if p.named("row")), ())
        columns = next((p.named("column") for p in parts if p.named("column")), ())
        group = tuple(dict.fromkeys(name for p in parts for name in p.named("row")))
        self.leads[index] = (group if len(group) == 1 else (), columns if len(columns) == 1 else ())
        column_group = tuple(dict.fromkeys(name for p in parts for name in p.named("column")))
        self.context.next_sentence(rows, columns, group, column_group)

    def _read_row(self, segment: Segment) -> None:
        """A row of a Markdown table: every number of it said of its row and column."""
        for row, column, text, span in row_values(self.source, segment) if segment.kind == "row" else ():
            about = f"{row}, {column}: "
            sentence = marked(about + text, self.grid)
            whole = _whole(sentence, len(tokens(about)))
            found = statement(whole, Context(), self.grid) if whole.numbers else None
            if found is not None and found[0] is not None:
                self.found.append(
                    Statement(
                        span=span,
                        form=f"value({about}{text})",
                        kind="numeric",
                        finding=found[0],
                        signs=signs(view(whole, Context(), self.grid), found[0], "row"),
                        amount=whole.numbers[0].stated.amount,
                    )
                )


_GENERAL = re.compile(
    r"^(?:in|for) an? |^an? (?:[\w-]+ ){1,3}(?:is|are|shows?|can|has|have|tells?|occurs?|means)\b|\b(?:usually|in general|need not|must always|"
    r"can be found by|"
    r"rounding|rounded)\b",
    re.IGNORECASE,
)
"""What holds of any figure."""
_OF_ANY = re.compile(r"^in an? (?:\w+ )?(?:chart|table|graph|plot)\b", re.IGNORECASE)


def _whole(sentence: Marked, first: int) -> Piece:
    """A cell of a written table as a piece: its row's and column's names and its number."""
    names = tuple(name for name in sentence.names if name.first < first)
    numbers = tuple(replace(number, may_name="") for number in sentence.numbers if number.first >= first)
    return Piece(sentence=sentence, first=0, stop=len(sentence.tokens), names=names, numbers=numbers, cues=())


def _topic(piece: Piece) -> tuple[str, ...]:
    """The rows that a piece is about; those that it is only compared with are none."""
    cue = piece.has("than", "beats", "trails", "as")
    if cue is None:
        return piece.named("row")
    return tuple(dict.fromkeys(n.name for n in piece.names if n.axis == "row" and n.first < cue.first))
