"""A text about a table or chart: sentence by sentence, piece by piece, each with its finding.

The reader keeps what later pieces may lean on: the names of the sentence, those of earlier ones, and the numbers said so far.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from evpv.language import looking
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
from evpv.premises.matching.diagrams import DESCRIBES, layout_finding
from evpv.premises.matching.values import Finding, missing, unread
from evpv.premises.statements.evidence import is_idle
from evpv.premises.statements.grid import Grid, grid
from evpv.premises.statements.kinds import read_piece
from evpv.premises.statements.layout_counts import layout_count_finding, named_columns_finding, tells_layout
from evpv.premises.statements.marks import mark_sentence
from evpv.premises.statements.names import AxisName, Name
from evpv.premises.statements.pieces import Piece, pieces
from evpv.premises.statements.strangers import names_absent
from evpv.premises.statements.trust import (
    Chances,
    Signs,
    chances,
    finding_state,
    finding_to_believe,
    is_nothing,
    piece_signs,
    refutation,
)
from evpv.premises.statements.views import NEAR, STRANGE, UNCLEAR, Context, View, all_names, view
from evpv.types import ClaimType

_MAX_LENGTH = 20_000
_RECENT = 8
_EVEN = Chances(0.0, 0.0, 1.0, 0.0)
"""Of what is taken as it was found."""


@immutable
class Statement:
    """One thing that a text says of the figure, what was found, by which signs, and how far it is believed."""

    span: tuple[int, int]
    form: str
    kind: ClaimType
    finding: Finding
    signs: Signs
    amount: Amount | None = None
    aside: bool = False
    chance: Chances = _EVEN


class _Said(NamedTuple):
    """What a text says of a figure, as far as it is believed, and how probable its worst statement is, of those set aside too."""

    statements: list[Statement]
    soundness: float


def statements(text: str, model: Figure) -> _Said:
    """All that a text says of a table or chart; what was not understood stands only where nothing else does."""
    found = read_statements(text, model)
    doubtful = [one for one in found if one.kind != "structure"]
    if len(doubtful) == len(found) and is_nothing([one.chance for one in found]):
        return _Said([], 1.0)
    kept = [*filter(None, map(_with_belief, found))]
    if not kept:
        kept = [
            replace(one, finding=replace(one.finding, verdict="missing", constraint=None), chance=_EVEN)
            for one in found
        ]
    return _Said(kept, min((one.chance.soundness for one in doubtful), default=1.0))


def _with_belief(one: Statement) -> Statement | None:
    """A statement with what is believed of its finding; None if that is set aside."""
    if one.kind == "structure":
        return one
    finding = finding_to_believe(one.finding, one.signs, one.chance)
    return None if finding is None else replace(one, finding=finding)


def read_statements(text: str, model: Figure) -> list[Statement]:
    """All pieces of a text, each with what was found of it, the signs by which that is believed, and how far it is."""
    reader = _Reader(plain_text(text[:_MAX_LENGTH]), grid(model))
    for index, segment in enumerate(reader.source.segments):
        reader.read(index, segment)
    said = {f"{number:.6g}" for number in reader.numbers}
    states = [finding_state(one.finding) for one in reader.found]
    return [_in_company(one, [*states[:i], *states[i + 1 :]], said) for i, one in enumerate(reader.found)]


def _in_company(one: Statement, others: Sequence[str], said: Set[str]) -> Statement:
    """A statement with the states of the others of its text among its signs: a slip stands alone among right ones, a misunderstanding of
    ours rarely does; and whether the text has the values that refute it, which it then did not misread."""
    company = {
        f"beside {min(others.count('contradicted'), 2)} wrong",
        f"beside {min(others.count('doubted'), 2)} doubted",
        f"beside {min(others.count('supported'), 3)} right",
        f"beside {min(sum(map(others.count, ('open', 'unread', 'unsaid'))), 2)} open",
        f"alone {not others}",
    }
    wrong = refutation(one.finding)
    if wrong is not None and wrong.used:
        is_said = all(f"{cell.value * cell.scale:.6g}" in said for cell in wrong.used[:4])
        company |= {f"truth {is_said}", f"truth {is_said} {one.form.partition('(')[0]}"}
    signs = replace(one.signs, names=one.signs.names | company)
    return replace(one, signs=signs, chance=chances(signs))


_AHEAD = frozenset("with at priced listed valued standing counting costing having despite although".split())
_LAYOUTS = frozenset(
    "table chart graph plot figure legend axis column columns row rows bars series categories lines headings headers".split()
)


class _Reader:
    """Reads segment after segment, keeping what later ones may lean on."""

    def __init__(self, source: PlainText, grid: Grid):
        self.source, self.grid = source, grid
        self.found: list[Statement] = []
        self.context = Context()
        self.numbers: list[float] = []
        self.last: list[Piece] = []
        self.leads: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def read(self, index: int, segment: Segment) -> None:
        """What a segment says; of what says nothing of the figure only the calculations, and of that and of headings the names are kept."""
        if segment.kind in ("header", "row"):
            self._read_row(segment)
            return
        text = self.source.text[segment.start : segment.end]
        silent = len(text) if segment.kind == "heading" or self._is_general(text) else silent_part(text)
        if silent:
            self._follow_lead(segment.lead)
            spoken = mark_sentence(text[:silent], self.grid)
            parts = pieces(spoken)
            if segment.kind != "heading":
                self._read_pieces(segment.start, [p for p in parts if p.calculation])
            self._end_sentence(index, parts)
        if silent < len(text):
            self._follow_lead(index if silent else segment.lead)
            self._read_sentence(index, segment.start + silent, text[silent:])

    def _is_general(self, text: str) -> bool:
        """Whether a sentence says what holds of any figure: it names nothing of this one."""
        if looking.ANY_FIGURE.match(text):
            return True
        if "$" in text or looking.GENERALITY.search(text) is None:
            return False
        stated = any(not q.unit and q.value != 100 and not q.spelled for q in quantities(text))
        names = mark_sentence(text, self.grid).names
        return not stated and not any(name.axis == "row" or " means " not in text for name in names)

    def _follow_lead(self, lead: int | None) -> None:
        """Take over what the sentence named that leads to this one: the heading of a list, the beginning of a sentence."""
        rows, columns = self.leads.get(lead, ((), ())) if lead is not None else ((), ())
        self.context.near_rows, self.context.near_columns = (), ()
        self.context.note(rows, columns)

    def _read_sentence(self, index: int, base: int, text: str) -> None:
        sentence = mark_sentence(text, self.grid)
        parts = pieces(sentence)
        only = tells_layout(sentence)
        counted = layout_count_finding(sentence, self.grid) if only else None
        if counted:
            self._read_layout_count(base, text, counted)
        else:
            laid = [] if _LAYOUTS.isdisjoint(sentence.words) else self._read_layout(base, text)
            named = named_columns_finding(sentence, self.grid) if only and not laid else None
            if named:
                self._add_layout(base, (0, len(text)), "columns", named)
            else:
                self._read_pieces(base, parts, laid)
        self._end_sentence(index, parts)

    def _read_pieces(self, base: int, parts: Sequence[Piece], laid: Sequence[tuple[int, int]] = ()) -> None:
        """Each piece in turn; one with no names goes on about what was named before it, also if the figure does not have that."""
        if len(parts) > 1 > len(parts[0].names):
            opening = parts[0].words
            if opening[0] in _AHEAD or "majority" in opening:  # “With 40 votes, Ann …”
                self.context.note(parts[1].names_of("row"), parts[1].names_of("column"))
        strange = False
        for one in parts:
            piece = _with_antecedents(one, self.context)
            strange &= not piece.names
            if not any(start <= piece.tokens[0].start < end for start, end in laid):
                self._read_piece(base, piece, of_stranger=strange)
                rows = dict.fromkeys(name.name for name in _subjects(piece, "row"))
                self.context.note(tuple(rows), piece.names_of("column"))
            strange = strange or (not piece.names and names_absent(piece, self.grid))

    def _read_piece(self, base: int, piece: Piece, *, of_stranger: bool) -> None:
        """What a piece says; the cells of a value that was found right are kept, as later values may be of the same."""
        v = view(_echo(piece, self.last) or piece, self.context, self.grid)
        self.last += [v.piece] if v.piece.cues or v.piece.numbers else []
        finding, form, kind = read_piece(v, self.context)
        if finding is not None:
            finding = _finding_in_place(v, finding, of_stranger)
        if form == "value" and finding is not None and finding.verdict == "supported":
            self.context.used = (*self.context.used, *finding.used)[-4:]
        start, end = piece.tokens[0].start + base, piece.tokens[-1].end + base
        self.found.append(
            Statement(
                span=self.source.source_span(start, end),
                form=f"{form}({piece.text})",
                kind=kind,
                finding=finding or missing("it says nothing that was understood."),
                signs=self._signs(v, finding, form),
                amount=piece.numbers[0].amount if piece.numbers else None,
                aside=piece.aside,
            )
        )

    def _signs(self, v: View, finding: Finding | None, form: str) -> Signs:
        """The signs of a piece, with those of what was said before it."""
        piece = v.piece
        is_missing = finding is not None and finding.verdict == "missing"
        computed = self._is_computed(piece)
        so = {"computed": computed and not is_missing, "idle": is_missing and is_idle(v)}
        bare = {
            "computed missing": computed and is_missing,
            "calculates": piece.calculation is not None,
            "reason": _is_reason(v, finding),
        }
        more, alone = ([sign for sign, holds in signs.items() if holds] for signs in (so, bare))
        return piece_signs(v, finding, form, more, alone)

    def _is_computed(self, piece: Piece) -> bool:
        """Whether a number is what earlier ones come to: then it was worked out, not read."""
        said = [number.amount.quantity.absolute for number in piece.numbers if number.amount.bound == "="]
        before = self.numbers[-_RECENT:]
        self.numbers += said
        if len(said) != 1 or len(before) < 2 or said[0] in before:
            return False
        return any(abs(value - said[0]) <= 1e-6 * abs(said[0]) for value in outcomes(before))

    def _read_layout(self, base: int, text: str) -> list[tuple[int, int]]:
        """What is said of the figure's make-up, and where: “The table has three columns”."""
        found = []
        for clause in clauses(text, labelled=False):
            form = layout_form(clause)
            if not isinstance(form, Layout) or (form.kind == "composite" and not form.place):
                continue
            finding = layout_finding(form, self.grid.model)
            if finding.explanation != DESCRIBES:
                found.append((clause.start, clause.end))
                self._add_layout(base, found[-1], form_text(form), finding)
        return found

    def _read_layout_count(self, base: int, text: str, counted: Finding) -> None:
        """A number of parts; where it is right, what is listed beside it may still be wrong."""
        before = len(self.found)
        if counted.verdict == "supported" and (":" in text or '"' in text):
            self._read_layout(base, text)
        if all(one.finding.verdict != "contradicted" for one in self.found[before:]):
            del self.found[before:]
            self._add_layout(base, (0, len(text)), "count", counted)

    def _add_layout(self, base: int, place: tuple[int, int], said: str, finding: Finding) -> None:
        span = self.source.source_span(place[0] + base, place[1] + base)
        signs = Signs(state=finding_state(finding), names=frozenset({"layout"}))
        self.found.append(Statement(span=span, form=said, kind="structure", finding=finding, signs=signs))

    def _end_sentence(self, index: int, parts: Sequence[Piece]) -> None:
        rows, columns = ([p.names_of(axis) for p in parts] for axis in ("row", "column"))
        limits = [n.amount for p in parts for n in p.numbers if n.amount.bound != "="]
        self.context.limit = next(iter(limits), self.context.limit)
        group, first = all_names(rows), next(filter(None, columns), ())
        self.leads[index] = (group if len(group) == 1 else (), first if len(first) == 1 else ())
        self.context.end_sentence(rows, columns)

    def _read_row(self, segment: Segment) -> None:
        """A row of a Markdown table: every number of it said of its row and column."""
        for row, column, text, span in row_values(self.source, segment) if segment.kind == "row" else ():
            about = f"{row}, {column}: "
            sentence, first = mark_sentence(about + text, self.grid), len(tokens(about))
            piece = Piece(
                sentence=sentence,
                first=0,
                stop=len(sentence.tokens),
                names=tuple(name for name in sentence.names if name.first < first),
                numbers=tuple(replace(number, may_name="") for number in sentence.numbers if number.first >= first),
                cues=(),
            )
            v = view(piece, Context(), self.grid)
            finding = read_piece(v, Context())[0] if piece.numbers else None
            if finding is not None:
                said, signs = f"value({about}{text})", piece_signs(v, finding, "row")
                amount = piece.numbers[0].amount
                self.found.append(
                    Statement(span=span, form=said, kind="numeric", finding=finding, signs=signs, amount=amount)
                )


def _is_reason(v: View, finding: Finding | None) -> bool:
    """Whether a piece gives a reason that names nothing of the figure: “… because of the weather”, “because flights became dearer”."""
    bare_clause = not v.piece.names and (finding is None or not (v.pronoun or v.amounts))
    because = bare_clause and v.piece.sentence.word(v.piece.first - 1) == "because"
    return because or v.piece.has("reason") is not None


def _finding_in_place(v: View, finding: Finding, of_stranger: bool) -> Finding:
    """What is left of a finding where the piece stands: nothing after a name that the figure does not have; of a number in brackets after no
    name (“the majority (60%) feel close”) what it may lean on can confirm it, and never refute it, and without that it is only like some
    other number."""
    if of_stranger and v.row_from != NEAR:
        return unread(STRANGE)
    piece = v.piece
    if piece.names or not piece.aside or any(map(piece.names_before_bracket, ("row", "column"))):
        return finding
    if not v.rows:
        return missing(UNCLEAR)
    return replace(finding, verdict="missing", why_missing="doubted") if finding.verdict == "contradicted" else finding


_ANTECEDENTS = {"former": -2, "latter": -1}


def _with_antecedents(piece: Piece, context: Context) -> Piece:
    """The piece in which “the former” and “the latter” are the names of the last two that were spoken of, on an axis that it leaves open."""
    said = {i: _ANTECEDENTS[word] for i, word in enumerate(piece.words, piece.first) if word in _ANTECEDENTS}
    groups: dict[AxisName, tuple[str, ...]] = {"row": context.far_group, "column": context.far_column_group}
    for axis, far in groups.items() if said else ():
        before = (n.name for n in piece.sentence.names if n.axis == axis and n.last < min(said))
        spoken = [*dict.fromkeys((*far, *before))]
        if len(spoken) > 1 > len(piece.names_of(axis)):
            names = [*piece.names]
            for i, at in said.items():
                names.append(Name(axis=axis, name=spoken[at], first=i, last=i, places=frozenset({i}), whole=True))
            return replace(piece, names=tuple(sorted(names, key=lambda name: name.first)))
    return piece


_AUXILIARIES = frozenset("do does did is are was were has have had can will would".split())


_RECALLED = 3
"""So many statements back may lie what “so did” repeats."""


def _echo(piece: Piece, last: Sequence[Piece]) -> Piece | None:
    """What was said last of a like subject, said of what this piece names: “and so did costs”, “the same is true for Oslo”; None if it says
    something itself."""
    if piece.numbers or not piece.names or not _refers_back(piece):
        return None
    axis = piece.names[0].axis
    for said in reversed(last[-_RECALLED:]):
        subjects = _subjects(said, axis)
        if subjects:
            new = [replace(subjects[0], name=name) for name in piece.names_of(axis)]
            return replace(said, names=(*new, *(name for name in said.names if name not in subjects)))
    return None


def _refers_back(piece: Piece) -> bool:
    """Whether a piece only points to what was said: “so did …”, “neither was …”, “… did likewise”, “the same goes for …”."""
    words = piece.words
    if words[0] in _AUXILIARIES and piece.sentence.word(piece.first - 1) in ("so", "neither", "nor"):
        return True
    if not piece.cues and (words[-1] == "too" or words[-2:] == ("as", "well")):
        return True
    if " ".join(words[:4]).startswith(("the same is true", "the same goes for", "the same holds")):
        return True
    likewise = any(one in _AUXILIARIES and other in _LIKEWISE for one, other in itertools.pairwise(words))
    return likewise or words[:2] in (("it", "holds"), ("it", "applies"))


_LIKEWISE = frozenset("too likewise as so".split())


def _subjects(piece: Piece, axis: AxisName) -> list[Name]:
    """The names of an axis that a piece is about, without those that it only compares with."""
    cue = piece.has("than", "beats", "trails", "as")
    stop = piece.stop if cue is None else cue.first
    return [name for name in piece.names if name.axis == axis and name.first < stop]
