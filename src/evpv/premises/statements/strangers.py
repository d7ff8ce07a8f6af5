"""What a piece speaks of that the figure does not have: another time, a proper name, another subject or attribute.

A statement about strangers cannot be refuted by the figure, however its numbers differ from what was read.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

from evpv.language.forms import Phrase
from evpv.language.lexicon import ATTRIBUTE_GROUPS, CUES, GENERAL_NOUNS, MEASURE_NOUNS, MONTHS, SCALES, WEEKDAYS
from evpv.language.quantities import UNIT_OF
from evpv.language.tokens import Token, name_stems, stem, tokens
from evpv.premises.mentions import are_opposed
from evpv.premises.statements.dimensions import columns_of_dimension, is_foreign
from evpv.premises.statements.grid import Grid, is_known
from evpv.premises.statements.names import names_no_quarter, said_quarters
from evpv.premises.statements.pieces import Piece
from evpv.premises.statements.views import NEAR, OPEN, OWN, TIMES, View

_CUE_WORDS = frozenset(word for phrases in CUES.values() for one in phrases.split("|") for word in one.split())
_FINITE = frozenset(
    "is are was were has have had isn't aren't wasn't weren't does did do got get gets saw sees sold sells cost costs reached reaches shows show "
    "came comes went goes takes took makes made scored earned won brought drew ran wrote said caught landed".split()
)
_WHEN = frozenset((*MONTHS, *WEEKDAYS))
_UNITS = frozenset(map(stem, UNIT_OF))
_SCORES = frozenset({"score", "point", "mark"})
_PLAIN = GENERAL_NOUNS | {"value", "frequency", "number", ""} | _UNITS | frozenset(SCALES)
_MUCH_UNKNOWN = 5
"""So many unknown nouns, and a piece says more than its names and numbers do."""


def is_strange(v: View, *, leans: bool = True) -> bool:
    """Whether a piece names something that the figure does not have; `leans`: what it is about was taken from what was said before. Then one
    unknown noun is too much where the column, or the row of a number, was not said."""
    if (
        names_absent(v.piece, v.grid, strict=True)
        or is_other_attribute(v)
        or _has_strange_subject(v)
        or _counts_others(v)
    ):
        return True
    unknown = unknown_nouns(v.piece, v.grid)
    return unknown >= _MUCH_UNKNOWN or (leans and unknown > 0 and _leaves_open(v))


def _leaves_open(v: View) -> bool:
    """Whether the column, or the row of a number, was not said."""
    numbers = v.piece.numbers != ()
    open_column = len(v.grid.columns) > 1 and v.column_from == OPEN and (numbers or not v.grid.uniform)
    return open_column or (numbers and v.row_from != OWN)


@lru_cache(maxsize=16)
def unknown_words(piece: Piece, grid: Grid) -> tuple[int, ...]:
    """Where a piece has words that neither this figure nor any figure has."""
    said = enumerate(piece.tokens, piece.first)
    return tuple(i for i, t in said if t.is_word and t.is_content and not is_known(t.stem, grid))


def unknown_nouns(piece: Piece, grid: Grid) -> int:
    """How many nouns of a piece that no name and no number takes neither this figure nor any figure has."""
    units = {number.last + 1 for number in piece.numbers}
    places = {*unknown_words(piece, grid)} - piece.name_places - units
    return sum(_is_noun(piece.sentence.tokens[i]) for i in places)


def _is_unknown(token: Token, grid: Grid) -> bool:
    return not is_known(token.stem, grid) and _is_noun(token)


def _is_noun(token: Token) -> bool:
    word = token.lower
    if not token.is_word or not token.is_content or token.stem in GENERAL_NOUNS:
        return False
    if word in _CUE_WORDS or word in UNIT_OF or word in SCALES:
        return False
    return not word.endswith(("ly", "ing", "ed")) or word in ("family", "supply", "bed")


# Other names and times.


@lru_cache(maxsize=16)
def names_absent(piece: Piece, grid: Grid, *, strict: bool = False) -> bool:
    """Whether a piece names a time, a number or a proper noun that no row or column is called after; the word that opens a sentence has
    a capital anyway, and is only taken for a name if `strict`."""
    if not piece.sentence.absent.isdisjoint(range(piece.first, piece.stop)) or _names_other_column(piece, grid):
        return True
    if _names_other_time(piece, grid) or grid.model.absent(Phrase(tokens=piece.tokens, text=piece.text)):
        return True
    if (grid.timed_rows or grid.timed_columns) and not any(map(_things, (*grid.rows, *grid.columns))):
        return False
    places = {*unknown_words(piece, grid)} - piece.name_places
    return any(_is_strange_name(piece, i, strict) for i in places)


def _names_other_time(piece: Piece, grid: Grid) -> bool:
    """“The previous year”, or a quarter that is none of the figure's."""
    if any(said and names_no_quarter(piece.words, i, said, grid) for i, said in said_quarters(piece.words)):
        return True
    timed = grid.timed_rows or grid.timed_columns
    return not timed and not TIMES.isdisjoint(piece.words) and not _OTHER_TIMES.isdisjoint(piece.words)


def _names_other_column(piece: Piece, grid: Grid) -> bool:
    """Whether “West Ward” is spoken of where columns are called North Ward and South Ward."""
    heads = _shared_heads(grid.columns)
    taken = piece.name_places
    said = [t for i, t in enumerate(piece.tokens, piece.first) if i not in taken] if heads else []
    pairs = ((a, b) for a, b in itertools.pairwise(said) if a.end + 1 == b.start and a.text[:1].isupper())
    return any(right.stem in heads and not is_known(left.stem, grid) for left, right in pairs)


@lru_cache(maxsize=256)
def _shared_heads(columns: tuple[str, ...]) -> frozenset[str]:
    """The words with which two or more names of two words end."""
    last = [words[1] for words in map(tokens, columns) if len(words) == 2]
    stems = [token.stem for token in last if token.is_word and token.text[:1].isupper()]
    return frozenset(stem for stem in stems if stems.count(stem) > 1)


_OTHER_TIMES = frozenset("previous last next following".split())


def _is_strange_name(piece: Piece, i: int, strict: bool) -> bool:
    """Whether an unknown word is a proper name that stands for itself: “Cod was …”, “Norway caught …”, “Marketing, at 57, was …”."""
    token = piece.sentence.tokens[i]
    if not token.text[:1].isupper() or len(token.text) < 3 or token.lower.endswith("ly") or token.lower in _CUE_WORDS:
        return False
    return token.text.endswith("'s") or ((i > 0 or strict) and _is_subject(piece, i))


def _is_subject(piece: Piece, i: int) -> bool:
    """Whether a verb, or a number after a colon, follows a word that nothing comes before."""
    sentence = piece.sentence
    if sentence.word(i - 1) in _NO_SUBJECT:
        return False
    following = sentence.word(i + 1)
    if following == ":":
        return any(number.first == i + 2 for number in piece.numbers)
    return following in _FINITE or following in _MOVING or following.endswith("ed") or following == ","


_NO_SUBJECT = frozenset("in of for at on from by with the and".split())
_MOVING = frozenset(word for tag in ("rises", "falls", "beats", "trails") for word in CUES[tag].split("|"))


# Other attributes.


@lru_cache(maxsize=16)
def is_other_attribute(v: View) -> bool:
    """Whether a piece speaks of what the figure does not measure, though of its things, or of the opposite: imports, where exports were
    read."""
    columns = v.columns or v.grid.columns
    if is_foreign(v.piece, v.grid, columns) or all(are_opposed(name_stems(name), v.piece.stems) for name in columns):
        return True
    return not v.own_columns and (_has_strange_attribute(v) or _ranks_others(v))


def _has_strange_attribute(v: View) -> bool:
    """Whether another attribute is spoken of than any column has: population, where schools are counted."""
    if _strange_attributes(v.grid).isdisjoint(v.piece.stems) or columns_of_dimension(v.piece, v.grid):
        return False
    columns = v.columns or v.grid.columns
    every = [name_stems(name) for name in columns]
    if any(stems & v.piece.stems - _UNITS for stems in every) or all(stems <= _PLAIN for stems in every):
        return False
    return not all(map(MEASURE_NOUNS.isdisjoint, every)) or any(map(_is_counted, columns))


@lru_cache(maxsize=32)
def _strange_attributes(grid: Grid) -> frozenset[str]:
    """The words for attributes of which a figure has none of the same meaning."""
    known = _SCORES | grid.vocabulary
    return frozenset[str]().union(*filter(known.isdisjoint, ATTRIBUTE_GROUPS))


def _is_counted(column: str) -> bool:
    return column.lower().startswith("number of")


_QUANTIFYING = frozenset("most fewest least more fewer less".split())


def _ranks_others(v: View) -> bool:
    """“The most goals”, where several columns count other things."""
    if len(v.grid.columns) < 2 or v.grid.uniform or v.column_from == NEAR:
        return False
    cue = v.piece.has("most", "least", "more", "less")
    if cue is None or cue.words not in _QUANTIFYING:
        return False
    following = v.piece.sentence.tokens[cue.last + 1 : cue.last + 2]
    return any(token.lower.endswith("s") and _is_unknown(token, v.grid) for token in following)


def _counts_others(v: View) -> bool:
    """Whether “4 tennis courts” meets a column “Number of soccer fields”, or “79 moons” columns that measure."""
    columns = v.columns or v.grid.columns
    if len(v.piece.numbers) != 1 or v.own_columns or v.piece.numbers[0].amount.quantity.unit:
        return False
    measured = len(columns) > 1 and not v.piece.has("total")
    return (measured or all(map(_is_counted, columns))) and _counts_strangers(v)


def _counts_strangers(v: View) -> bool:
    """Whether the nouns right after the number of a piece are none that the figure knows, the last a plural."""
    last = v.piece.numbers[0].last
    after = v.piece.sentence.tokens[last + 1 : last + 3]
    nouns = [t for t in after if _is_noun(t)]
    if not nouns or after[0] is not nouns[0] or any(is_known(t.stem, v.grid) for t in nouns):
        return False
    return nouns[-1].lower.endswith("s")


# Other subjects.


def has_strange_place(v: View) -> bool:
    """Whether a noun that the figure does not know stands where a column would be named: “12% of the staff”, where patients and nurses
    were asked."""
    if len(v.piece.numbers) != 1 or v.column_from != OPEN or not v.own_rows or v.pronoun:
        return False
    subject = _subject(v.piece.tokens)
    if _is_named(subject, v.piece):
        return False
    percent = v.amounts[0].quantity.unit == "percent"
    return _has_unknown(subject, v.grid, plural=not percent)


def _has_strange_subject(v: View) -> bool:
    """Whether a noun that the figure does not know stands where the piece's subject does."""
    columns, subject = v.columns or v.grid.columns, _subject(v.piece.tokens)
    if not all(map(_is_time_name, v.own_rows)) or not all(map(_things, columns)) or _is_named(subject, v.piece):
        return False
    known = frozenset[str]().union(*map(_things, columns))
    if not known.isdisjoint(v.piece.stems):
        return any(b.stem in known and _is_unknown(a, v.grid) for a, b in itertools.pairwise(subject))
    plural = any("number of" in name.lower() or name.lower().endswith("s") for name in columns)
    return _has_unknown(subject, v.grid, plural=plural)


def _has_unknown(words: Sequence[Token], grid: Grid, *, plural: bool) -> bool:
    return any(_is_unknown(t, grid) and (not plural or t.lower != t.stem) for t in words)


def _subject(words: Sequence[Token]) -> Sequence[Token]:
    """The words before the verb, from the last comma on."""
    verb = next((i for i, t in enumerate(words) if i and (t.lower in _FINITE or t.lower.endswith("ed"))), len(words))
    comma = max((i for i, t in enumerate(words[:verb]) if t.text == ","), default=-1)
    return words[comma + 1 : verb]


def _is_named(subject: Sequence[Token], piece: Piece) -> bool:
    """Whether a name other than a time's stands among these words."""
    found = piece.sentence.tokens
    places = {found[i].start for name in piece.names for i in name.places if not _is_time_name(name.name)}
    return any(t.start in places for t in subject)


def _is_time_name(name: str) -> bool:
    stems = name_stems(name)
    return not stems.isdisjoint(_WHEN) or any(s.isdecimal() for s in stems)


@lru_cache(maxsize=4096)
def _things(name: str) -> frozenset[str]:
    """The words of a name that say what is measured, and not how, when or in what unit."""
    words = tokens(name)
    unit = next((i for i, t in enumerate(words) if t.lower in ("in", "(") and i), len(words))
    nouns = frozenset(t.stem for t in words[:unit] if t.is_word and t.is_content)
    return nouns - _PLAIN - MEASURE_NOUNS - _WHEN
