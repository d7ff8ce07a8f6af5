"""Comparisons, extremes and trends over the numbers that were read."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from evpv.premises.claims import RelationClaim
from evpv.premises.matching.addressing import Address, Mention, address
from evpv.premises.matching.facts import Fact, Facts
from evpv.premises.matching.findings import NOTHING_READ, Finding, decided, in_words, missing, number, opposite
from evpv.premises.matching.geometric_relations import denies
from evpv.premises.matching.values import equal, too_close
from evpv.premises.normalize import words

_EVERY = re.compile(
    r"\b(?:every|each|steadily|consistently|continuously|continually|throughout|always|never)\b", re.IGNORECASE
)
_SUMMED = re.compile(r"\b(?:combined|together)\b", re.IGNORECASE)
_ANY_OTHER = re.compile(r"\bthan (?:any|all|every)(?: of the)? other", re.IGNORECASE)


def table_relation(claim: RelationClaim, facts: Facts) -> Finding:
    """A comparison, extreme or trend over the numbers that were read."""
    where = address(claim.text, facts)
    if claim.form == "trend":
        return _trend(claim, where, facts)
    if claim.form == "extreme" or _ANY_OTHER.search(claim.text):
        return _extreme(claim, where, facts)
    if claim.type == "equal" or claim.type in ("greater", "less"):
        finding = _compared(claim, where, facts)
        return opposite(finding) if denies(claim) else finding
    return missing(NOTHING_READ)


_BOTH = re.compile(r"\b(?:both|all|each|every)\b", re.IGNORECASE)


def _compared(claim: RelationClaim, where: Address, facts: Facts) -> Finding:
    cells = where.ordered_cells()
    if claim.type == "equal" and len(where.rows) == 1 and not where.columns and _BOTH.search(claim.text):
        cells = [fact for fact in facts.cells if fact.row == where.rows[0].name]
    if claim.type == "equal" and (len(cells) > 2 or (len(cells) == 2 and not where.columns)):
        same = all(equal(cells[0].value, cell.value) for cell in cells)
        return decided(same, cells, "the values read are " + ", ".join(number(cell.value) for cell in cells[:6]) + ".")
    if len(cells) != 2 or _SUMMED.search(claim.text):
        return missing("the claim compares two things of which not both were read.")
    left, right = cells
    shown = f"{in_words(left)} and {in_words(right)}."
    if too_close(left, right):
        return missing(f"{shown[:-1]}, both estimated and too close to tell.")
    same = equal(left.value, right.value)
    if claim.type == "equal":
        return decided(same, [left, right], shown)
    more = (claim.type == "greater") != _by_time(claim.text, left)
    holds = (left.value > right.value) == more and not same
    return decided(holds, [left, right], shown)


_SPEED = re.compile(r"\b(?:fast|slow|quick)(?:er|est)\b", re.IGNORECASE)


def _by_time(text: str, cell: Fact) -> bool:
    """Whether speeds are compared by the time taken, of which the faster takes less."""
    timed = cell.unit in ("second", "minute", "hour", "day") or re.search(
        r"\btime\b", f"{cell.row} {cell.column}", re.IGNORECASE
    )
    return bool(timed) and _SPEED.search(text) is not None


def _extreme(claim: RelationClaim, where: Address, facts: Facts) -> Finding:
    """“Harry got the highest score”: over the rows of a column, or over the columns of a row."""
    if not where.rows and not where.columns:
        return missing(NOTHING_READ)
    largest = (claim.type == "greater") != _by_time(claim.text, facts.cells[0])
    rank = next((words.RANK_OF[m[1].lower()] for m in [words.ORDINAL.search(claim.text)] if m), 1)
    subject = _subject_row(claim, where)
    findings = []
    columns = {m.name for m in where.columns} if where.columns else set(facts.columns)
    if subject is not None and len(facts.rows) > 1 and not _over_time(claim.text, where):
        for column in sorted(columns):
            findings += _ranked(
                subject.name, [f for f in facts.cells if f.column == column], rank, largest, by_row=True
            )
    if where.columns and len(facts.columns) > 1 and not (findings and _is_measure(claim.text, where.columns[0])):
        for row in {m.name for m in where.rows} or set(facts.rows[:1] if len(facts.rows) == 1 else ()):
            findings += _ranked(
                where.columns[0].name, [f for f in facts.cells if f.row == row], rank, largest, by_row=False
            )
    if not findings:
        return missing(NOTHING_READ)
    if len(columns) > 1 and not where.columns:
        return (
            findings[0]
            if len({f.verdict for f in findings}) == 1
            else missing("the claim does not say which column it means.")
        )
    best = next((f for f in findings if f.verdict == "supported"), findings[0])
    return _followed(claim, where, largest=largest) or best if best.verdict == "supported" else best


_FOLLOWED = re.compile(r"\bfollowed (?:closely |immediately )?by\b", re.IGNORECASE)


def _followed(claim: RelationClaim, where: Address, *, largest: bool) -> Finding | None:
    """“Peru, followed by Brazil and Mexico”: the named rows in the order of their values; None if that holds or is not said."""
    cells = where.ordered_cells()
    if not _FOLLOWED.search(claim.text) or len(cells) != len(where.rows):
        return None
    for first, second in itertools.pairwise(cells):
        if (first.value < second.value) == largest and not equal(first.value, second.value):
            shown = f"{in_words(first)} and {in_words(second)}"
            return missing(f"{shown}.") if too_close(first, second) else decided(False, [first, second], f"{shown}.")
    return None


_PLACED = re.compile(r"\b(?:in|on|at|for|during|by|is|was|are|were)\b", re.IGNORECASE)


def _is_measure(text: str, column: Mention) -> bool:
    """Whether a column is what is measured (“Ann has the lowest score”), not where (“Ann's lowest score was in Art”)."""
    word = words.HIGHEST.search(text) or words.LOWEST.search(text)
    return word is not None and column.position >= word.end() and not _PLACED.search(text, word.end(), column.position)


def _over_time(text: str, where: Address) -> bool:
    """Whether a year is when a row was highest (“Cars peaked in 2021”), not where it was compared with others."""
    word = words.HIGHEST.search(text) or words.LOWEST.search(text)
    years = [column for column in where.columns if _year(column.name)]
    return word is not None and bool(years) and _WHEN.match(text, word.end()) is not None


_WHEN = re.compile(r"\s+(?:in|during)\b", re.IGNORECASE)


_SAID_OF_NEXT = re.compile(r"(?:\s[\w-]+){0,3}?\s(?:in|for|by|at|is|was|are|were|among)\s(?:the\s)?$", re.IGNORECASE)


def _subject_row(claim: RelationClaim, where: Address) -> Mention | None:
    """Which of the named rows the extreme is said of: the one right after it (“highest in 2018”), else the first before it."""
    if len(where.rows) <= 1:
        return where.rows[0] if where.rows else None
    word = words.HIGHEST.search(claim.text) or words.LOWEST.search(claim.text) or words.THAN.search(claim.text)
    if word is None:
        return where.rows[0]
    follows = [
        m
        for m in where.rows
        if m.position > word.start() and _SAID_OF_NEXT.fullmatch(claim.text[word.end() : m.position])
    ]
    before = [m for m in where.rows if m.position < word.start()]
    return (follows or before or where.rows)[0]


def extremes(text: str, facts: Facts) -> list[Finding]:
    """What each “highest” and “lowest” that a sentence says in passing comes to."""
    found = []
    for kind, cue in (("greater", words.HIGHEST), ("less", words.LOWEST)):
        word = cue.search(text)
        where = address(text, facts)
        if word is not None and len(where.rows) == 1 and not words.ORDINAL.search(text):
            claim = RelationClaim(text=text, type=kind, entities=(), form="extreme")
            found.append(_extreme(claim, where, facts))
    return found


def _ranked(name: str, cells: Sequence[Fact], rank: int, largest: bool, *, by_row: bool) -> list[Finding]:
    mine = next((fact for fact in cells if (fact.row if by_row else fact.column) == name), None)
    if mine is None or len(cells) < 2:
        return []
    ordered = sorted({fact.value for fact in cells}, reverse=largest)
    if rank > len(ordered):
        return [missing(f"there are not {rank} different values to rank.")]
    wanted = ordered[rank - 1]
    at_rank = next(fact for fact in cells if fact.value == wanted)
    if (at_rank.row, at_rank.column) == (mine.row, mine.column):
        mine = at_rank  # the same name stands for several marks
    word = (
        ("highest" if largest else "lowest")
        if rank == 1
        else f"number {rank} from the {'top' if largest else 'bottom'}"
    )
    if mine is not at_rank and too_close(mine, at_rank):
        return [missing(f"{in_words(mine)} and {in_words(at_rank)}, both estimated and too close to tell.")]
    return [
        decided(
            equal(mine.value, wanted),
            [mine, at_rank],
            f"{in_words(mine)}; the {word} is {number(wanted)} ('{at_rank.constraint.entity}').",
        )
    ]


def _trend(claim: RelationClaim, where: Address, facts: Facts) -> Finding:
    """Rise or fall between two named points, or over a whole series."""
    series = _series(claim, where, facts)
    if len(series) < 2:
        return missing("no series was read that the claim could speak of.")
    every = _EVERY.search(claim.text)
    pairs = list(itertools.pairwise(series)) if every else [(series[0], series[-1])]
    if any(too_close(a, b) for a, b in pairs):
        return missing("the values were only estimated and are too close to tell.")
    tests = {"greater": lambda a, b: b > a, "less": lambda a, b: b < a, "equal": equal}
    wrong = [(a, b) for a, b in pairs if not tests[claim.type](a.value, b.value)]
    shown = wrong[0] if wrong else (series[0], series[-1])
    finding = decided(not wrong, list(shown), f"{in_words(shown[0])} and {in_words(shown[1])}.")
    said = words.RISES.search(claim.text) or words.FALLS.search(claim.text)
    return opposite(finding) if said and words.negated(claim.text, said.start()) else finding


UNREAD_SPAN = 0.15
"""The share of a named span of years that may be unread at its ends: axes often print neither the first nor the last year."""
_FROM_TO = re.compile(
    r"\b(?:from|between|since)\b[^.]*?\b(1[5-9]\d\d|20\d\d)\b[^.]*?\b(?:to|and|until|through)\b[^.]*?\b(1[5-9]\d\d|20\d\d)\b",
    re.IGNORECASE,
)


def _series(claim: RelationClaim, where: Address, facts: Facts) -> list[Fact]:
    """The cells in time order that a trend runs over, cut to the years that the claim names."""
    rows = {m.name for m in where.rows if not _year(m.name)}
    columns = {m.name for m in where.columns if not _year(m.name)}
    cells = [f for f in facts.cells if (not rows or f.row in rows) and (not columns or f.column in columns)]
    timed = sorted(((year, f) for f in cells if (year := _year(f.row) or _year(f.column))), key=lambda pair: pair[0])
    if not timed:
        return _between(where, facts) if len(where.cells) == 2 else []
    if len({year for year, _ in timed}) < len(timed):
        return []
    span = _FROM_TO.search(claim.text)
    if span:
        first, last = sorted((int(span[1]), int(span[2])))
        within = [(year, f) for year, f in timed if first <= year <= last]
        slack = max(1.0, UNREAD_SPAN * (last - first))
        whole = len(within) > 1 and within[0][0] - first <= slack and last - within[-1][0] <= slack
        return [f for _, f in within] if whole else []
    named = [int(y) for y in re.findall(r"\b(1[5-9]\d\d|20\d\d)\b", claim.text)]
    if len(named) == 1:
        at = [i for i, (year, _) in enumerate(timed) if year == named[0]]
        since = re.search(r"\b(?:since|after)\b", claim.text, re.IGNORECASE)
        return [f for _, f in (timed[at[0] :] if since else timed[max(at[0] - 1, 0) : at[0] + 1])] if at else []
    return [f for _, f in timed]


def _between(where: Address, facts: Facts) -> list[Fact]:
    """From the first-named cell to the second, with what the table lists between them (Monday … Friday)."""
    first, last = where.ordered_cells()
    line = [f for f in facts.cells if (f.column == first.column if first.row != last.row else f.row == first.row)]
    start, end = line.index(first), line.index(last)
    return line[start : end + 1] if start < end else line[end : start + 1][::-1]


def _year(name: str) -> int | None:
    match = re.fullmatch(r"\s*(?:FY\s?)?'?(1[5-9]\d\d|20\d\d)(?:\s?[/–-]\s?\d{2,4})?\D{0,3}", name)
    return int(match[1]) if match else None
