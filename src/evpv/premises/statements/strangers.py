"""What a piece speaks of that the figure does not have: another time, a proper name, another subject or attribute."""

from __future__ import annotations

import itertools
from functools import lru_cache

from evpv.language.forms import Phrase
from evpv.language.lexicon import ATTRIBUTE_GROUPS, CUES, GENERAL_NOUNS, MEASURE_NOUNS, MONTHS, SCALES, WEEKDAYS
from evpv.language.quantities import UNIT_OF
from evpv.language.tokens import Token, name_stems, stem, tokens
from evpv.premises.mentions import are_opposed
from evpv.premises.statements.grid import Grid, is_known
from evpv.premises.statements.pieces import Piece
from evpv.premises.statements.views import NEAR, OPEN, OWN, TIMES, View

_CUE_WORDS = frozenset(word for phrases in CUES.values() for one in phrases.split("|") for word in one.split())
_FINITE = frozenset(
    "is are was were has have had isn't aren't wasn't weren't does did do got get gets saw sees sold sells cost costs reached reaches shows show "
    "came comes went goes takes took makes made scored earned won brought drew ran wrote said caught landed".split()
)


def is_strange(v: View, *, leans: bool = True) -> bool:
    """Whether a piece names something that the figure does not have: another time, a proper name, another subject or attribute."""
    if names_absent(v.piece, v.grid, strict=True) or is_other_attribute(v) or _strange_subject(v) or _counts_others(v):
        return True
    guessed = len(v.grid.columns) > 1 and v.column_from == OPEN and (not v.grid.uniform or v.piece.numbers != ())
    unknown = unknown_nouns(v)
    leaning = v.row_from != OWN and v.piece.numbers != ()
    return unknown >= _MUCH_UNKNOWN or (leans and (guessed or leaning) and unknown > 0)


def is_other_attribute(v: View) -> bool:
    """Whether a piece speaks of what the figure does not measure, though of its things."""
    return _opposed(v) or _strange_attribute(v) or _ranks_others(v)


def _ranks_others(v: View) -> bool:
    """“The most goals”, where several columns count other things."""
    cue = v.piece.has("most", "least", "more", "less")
    if cue is None or len(v.grid.columns) < 2 or v.own_columns or v.column_from == NEAR:
        return False
    sentence = v.piece.sentence
    following = sentence.tokens[cue.last + 1] if cue.last + 1 < len(sentence.tokens) else None
    if following is None or cue.words not in ("most", "fewest", "least", "more", "fewer", "less"):
        return False
    return (
        not v.grid.uniform
        and following.lower.endswith("s")
        and _is_noun(following)
        and not is_known(following.stem, v.grid)
    )


def names_absent(piece: Piece, grid: Grid, *, strict: bool = False) -> bool:
    """Whether a piece names a time, a number or a proper noun that no row or column is called after; the word that opens a sentence has
    a capital anyway, and is only taken for a name if `strict`."""
    if piece.sentence.absent and any(piece.first <= i < piece.stop for i in piece.sentence.absent):
        return True
    if grid.model.absent(Phrase(tokens=piece.tokens, text=piece.text)):
        return True
    words = {*piece.words}
    if (
        words & {"previous", "last", "next", "following"}
        and words & TIMES
        and not (grid.timed_rows or grid.timed_columns)
    ):
        return True
    taken = {i for name in piece.names for i in range(name.first, name.last + 1)}
    anyone = (grid.timed_rows or grid.timed_columns) and not any(map(things, (*grid.rows, *grid.columns)))
    for i, token in enumerate(piece.tokens, piece.first):
        if i in taken or not _is_proper(token) or is_known(token.stem, grid) or token.lower in _CUE_WORDS:
            continue
        opens = i == 0 and not token.text.endswith("'s")
        if not anyone and (strict or not opens) and _is_subject(piece, i):
            return True
    return False


@lru_cache(maxsize=4096)
def things(name: str) -> frozenset[str]:
    """The words of a name that say what is measured, and not how, when or in what unit."""
    words = tokens(name)
    unit = next((i for i, t in enumerate(words) if t.lower in ("in", "(") and i), len(words))
    return frozenset(
        t.stem
        for t in words[:unit]
        if t.is_word and t.is_content and t.stem not in _PLAIN and t.stem not in MEASURE_NOUNS and t.stem not in _WHEN
    )


_WHEN = frozenset((*MONTHS, *WEEKDAYS))


def _strange_attribute(v: View) -> bool:
    """Whether another attribute is spoken of than any column has: population, where schools are counted."""
    if v.own_columns:
        return False
    said = frozenset(t.stem for t in v.piece.tokens)
    columns = [name_stems(name) for name in v.columns or v.grid.columns]
    if any(stems & said - _UNITS for stems in columns):
        return False
    measured = [stems for stems in columns if stems & MEASURE_NOUNS or any(stems & group for group in ATTRIBUTE_GROUPS)]
    counted = [name for name in v.columns or v.grid.columns if name.lower().startswith("number of")]
    if not measured and not counted:
        return False
    groups = [
        group for group in ATTRIBUTE_GROUPS if group & said and not group & v.grid.vocabulary and not group & _SCORES
    ]
    return bool(groups and not all(stems <= _PLAIN for stems in columns))


def unknown_nouns(v: View) -> int:
    """How many nouns of a piece neither this figure nor any figure has."""
    taken = {i for name in v.piece.names for i in range(name.first, name.last + 1)}
    taken |= {number.last + 1 for number in v.piece.numbers}
    words = [t for i, t in enumerate(v.piece.tokens, v.piece.first) if i not in taken]
    return sum(_is_noun(t) and not is_known(t.stem, v.grid) for t in words)


_MUCH_UNKNOWN = 5
"""So many unknown nouns, and a piece says more than its names and numbers do."""


_UNITS = frozenset(map(stem, UNIT_OF))
_SCORES = frozenset({"score", "point", "mark"})
_PLAIN = GENERAL_NOUNS | {"value", "frequency", "number", ""} | frozenset(map(stem, UNIT_OF)) | frozenset(SCALES)


def _counts_others(v: View) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”."""
    columns = v.columns or v.grid.columns
    if len(v.piece.numbers) != 1 or not all(name.lower().startswith("number of") for name in columns):
        return False
    number = v.piece.numbers[0]
    after = v.piece.sentence.tokens[number.last + 1 : number.last + 3]
    nouns = [t for t in after if _is_noun(t)]
    return (
        bool(nouns)
        and len(after) > 0
        and after[0] is nouns[0]
        and not any(is_known(t.stem, v.grid) for t in nouns)
        and nouns[-1].lower.endswith("s")
    )


def _is_proper(token: Token) -> bool:
    if token.lower.endswith("ly"):
        return False
    return token.text[:1].isupper() and token.is_word and token.is_content and len(token.text) > 2


def _is_subject(piece: Piece, i: int) -> bool:
    """Whether a word is a subject by itself: “Cod was …”, “Norway caught …”, “Marketing, at 57, was …”."""
    sentence = piece.sentence
    if sentence.tokens[i].text.endswith("'s"):
        return True
    if sentence.word(i - 1) in ("in", "of", "for", "at", "on", "from", "by", "with", "the", "and") and i:
        return False
    following = sentence.word(i + 1)
    if following == ":":
        return any(number.first == i + 2 for number in piece.numbers)
    return following in _FINITE or following in _MOVING or following.endswith("ed") or following == ","


_MOVING = frozenset(word for tag in ("rises", "falls", "beats", "trails") for word in CUES[tag].split("|"))


def _opposed(v: View) -> bool:
    """Whether a piece speaks of the opposite of the column that it is held against: imports, where exports were read."""
    said = frozenset(token.stem for token in v.piece.tokens)
    columns = v.columns or v.grid.columns
    known = [name_stems(f"{name}") for name in columns]
    return bool(known) and all(are_opposed(stems, said) for stems in known) and not v.own_columns


def _strange_subject(v: View) -> bool:
    """Whether a noun that the figure does not know stands where the piece's subject does."""
    if v.own_rows and not all(map(_is_time_name, v.own_rows)):
        return False
    if not all(things(name) for name in v.columns or v.grid.columns):
        return False
    words = v.piece.tokens
    verb = next((i for i, t in enumerate(words) if i and (t.lower in _FINITE or t.lower.endswith("ed"))), len(words))
    comma = max((i for i, t in enumerate(words[:verb]) if t.text == ","), default=-1)
    subject = words[comma + 1 : verb]
    if any(t.start in _places(v) for t in subject):
        return False
    known = frozenset[str]().union(*map(things, v.columns or v.grid.columns))
    if any(t.stem in known for t in words):
        return any(b.stem in known and _is_unknown(a, v) for a, b in itertools.pairwise(subject))
    plural = any("number of" in name.lower() or name.lower().endswith("s") for name in v.columns or v.grid.columns)
    return any(_is_unknown(t, v) and (not plural or t.lower != t.stem) for t in subject)


def _is_unknown(token: Token, v: View) -> bool:
    return _is_noun(token) and not is_known(token.stem, v.grid)


def _places(v: View) -> set[int]:
    tokens = v.piece.sentence.tokens
    return {tokens[i].start for name in v.piece.names for i in name.places if not _is_time_name(name.name)}


def _is_time_name(name: str) -> bool:
    stems = name_stems(name)
    return bool(stems & {*MONTHS, *WEEKDAYS}) or any(s.isdecimal() for s in stems)


def _is_noun(token: Token) -> bool:
    return (
        token.is_word
        and token.is_content
        and token.lower not in _CUE_WORDS
        and token.lower not in UNIT_OF
        and token.lower not in SCALES
        and token.stem not in GENERAL_NOUNS
        and not (token.lower.endswith(("ly", "ing", "ed")) and token.lower not in ("family", "supply", "bed"))
    )
