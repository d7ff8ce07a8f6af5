"""A sentence with what it names and states: rows and columns of the figure, numbers that are no names, and the words of relation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evpv.language.amounts import Sentence
from evpv.language.equations import Equation, calculations, equations
from evpv.language.immutable import immutable
from evpv.language.lexicon import CUES, ORDINALS
from evpv.language.tokens import Cue, Token, cues, tokens
from evpv.premises.statements.grid import Grid
from evpv.premises.statements.names import Name, names_said, said_names
from evpv.premises.statements.numbers import Number, counts_times, stated_numbers

_MAX_TOKENS = 300


@immutable
class Marked:
    """A sentence, marked."""

    text: str
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    names: tuple[Name, ...]
    numbers: tuple[Number, ...]
    cues: tuple[Cue, ...]
    equations: tuple[Equation, ...]
    calculated: tuple[tuple[int, int], ...]
    absent: frozenset[int] = frozenset()

    def word(self, index: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.words[index] if 0 <= index < len(self.words) else ""


def marked(text: str, grid: Grid) -> Marked:
    """The marks of one plain sentence."""
    found = tokens(text)[:_MAX_TOKENS]
    text = text[: found[-1].end] if found else ""
    words = tuple(token.lower for token in found)
    formulas = equations(text, found)
    sentence = Sentence(text, found, cues(found), (), formulas, [], set(), words)
    names = names_said(found, words, grid)
    silent = (
        [*said_names(grid.model.columns, "column", found, {t.start: i for i, t in enumerate(found)}, words)]
        if len(grid.columns) == 1
        else []
    )
    blocked = _calculated(text, found, formulas)
    names = tuple(
        n for n in names if not (found[n.first].is_number and any(a <= found[n.first].start < b for a, b in blocked))
    )
    numbers, absent = stated_numbers(sentence, names, blocked, grid)
    named = {i for name in names for i in name.places}
    sentence.cues = (
        *_own_cues(sentence.cues),
        *(cue for cue in _more_cues(words) if cue.first not in named),
        *_beside_names(words, names, numbers),
    )
    said = tuple(
        cue
        for cue in sentence.cues
        if not _is_named(cue, (*names, *silent), words)
        and not (cue.tag in ("times", "twice") and counts_times(words, cue.last, named))
    )
    return Marked(
        text=text,
        tokens=found,
        words=words,
        names=names,
        numbers=numbers,
        cues=said,
        equations=formulas,
        calculated=tuple(blocked),
        absent=absent,
    )


_MORE_CUES = {
    "lost": "falls", "loses": "falls", "edged": "", "ahead": "beats", "farthest": "most", "furthest": "most", "joint": "same", "shared": "same",
}  # fmt: skip
_DIRECTED = {
    **dict.fromkeys(("growth", "increase", "rise", "climb"), "rises"),
    **dict.fromkeys(("decline", "decrease", "fall", "drop"), "falls"),
}
_BESIDE = {"above": "beats", "below": "trails", "over": "beats", "under": "trails"}
_EDGED = {"up": "rises", "down": "falls"}


def _beside_names(words: Sequence[str], names: Sequence[Name], numbers: Sequence[Number]) -> Iterator[Cue]:
    """“Stands below Gallia”, “above the 2018 level”: held against what is named."""
    for i, word in enumerate(words):
        name = next((n for n in names if 0 < n.first - i <= 2), None)
        if word in _BESIDE and name is not None and not any(i < n.first <= name.first for n in numbers):
            if words[i + 1] in ("that", "those", "the", "it") and i and words[i - 1] not in ("is", "was", "well"):
                continue
            yield Cue(_BESIDE[word], word, i, i)


def _own_cues(found: Sequence[Cue]) -> list[Cue]:
    """Cues without movements that are only part of a sum: “adds up to”."""
    sums = {i for cue in found if cue.tag == "total" and cue.last > cue.first for i in range(cue.first, cue.last + 1)}
    return [cue for cue in found if cue.tag not in ("rises", "falls") or cue.first not in sums]


def _more_cues(words: Sequence[str]) -> Iterator[Cue]:
    """Words of relation that are none where no figure is known: “lost riders”, “edged up”."""
    for i, word in enumerate(words):
        if _is_superlative(words, i) or _is_rank(words, i):
            yield Cue("most", word, i, i)
            continue
        tag = _MORE_CUES.get(word)
        following = words[i + 1] if i + 1 < len(words) else ""
        if tag and not (word == "ahead" and following == "of"):
            yield Cue(tag, word, i, i)
        elif word in ("steady", "continuous", "constant") and following in _DIRECTED:
            yield Cue(_DIRECTED[following], word, i, i + 1)
        elif (
            word in _BESIDE
            and following in ("that", "those", "the", "it", "either", "both", "them", "its", "their", "his", "her")
            and i
            and words[i - 1] not in ("is", "was", "well")
        ):
            yield Cue(_BESIDE[word], word, i, i)
        elif word in ("between", "among") and following == "them":
            yield Cue("total", "between them", i, i + 1)
        elif (
            word in ("gone", "edged", "crept", "inched", "back", "ticked", "nudged", "bounced") and following in _EDGED
        ):
            yield Cue(_EDGED[following], word, i, i + 1)


_NO_SUPERLATIVES = frozenset(
    "forest interest harvest honest modest contest request suggest protest invest digest northwest southwest conquest manifest midwest budapest "
    "latest earliest nearest closest interests".split()
)
_KNOWN = frozenset(word for tag in ("most", "least") for phrase in CUES[tag].split("|") for word in phrase.split())
_BEFORE_RANK = frozenset(
    "is was are were comes came come ranks ranked rank takes took in finished placed lies sits stands a joint".split()
)
_AFTER_RANK = frozenset(
    ("", ",", ".", ";", ":", "with", "at", "and", "place", "overall", "(", "among", "behind", "but")
)


def _is_superlative(words: Sequence[str], i: int) -> bool:
    """“The leakiest”: a superlative that no list has."""
    word = words[i]
    if len(word) < 6 or not word.endswith("est") or word in _NO_SUPERLATIVES or word in _KNOWN:
        return False
    return i > 0 and (
        words[i - 1] in ("the", "its", "their", "his", "her", "-", "was", "is", "are", "were")
        or words[i - 1] in ORDINALS
    )


def _is_rank(words: Sequence[str], i: int) -> bool:
    """“Petrova is second with …”, “MapMate third”: a rank that is said of a subject."""
    following = words[i + 1] if i + 1 < len(words) else ""
    if words[i] not in ORDINALS or following not in _AFTER_RANK or not i:
        return False
    return (
        words[i - 1] in _BEFORE_RANK
        or following == "place"
        or (words[i - 1].isalpha() and words[i - 1] not in _NO_SUBJECT)
    )


_NO_SUBJECT = frozenset("the a an and or of at on for to by from as than his her its their our this that it".split())


_AMOUNT = r"\$?\d[\d,.]{0,15}"
_SPOKEN = re.compile(
    rf"(?<![\d,.]){_AMOUNT}%? (?:plus|minus|times|divided by|multiplied by) {_AMOUNT}(?: (?:is|equals|gives|makes) {_AMOUNT})?"
)


def _calculated(text: str, found: Sequence[Token], formulas: Sequence[Equation]) -> list[tuple[int, int]]:
    """Where a sentence calculates, as characters."""
    spans = [(e.start, e.end) for e in formulas if any(side.kind == "calculation" for side in e.sides)]
    spans += calculations(text, found, formulas)
    spans += [match.span() for match in _SPOKEN.finditer(text)]
    return sorted(span for span in spans if set(text[span[0] : span[1]]) & set("+-×÷*/·="))


def _is_named(cue: Cue, names: Sequence[Name], words: Sequence[str]) -> bool:
    """Whether a cue's words are those of a name: “Max Bell”, “No change”."""
    span = set(range(cue.first, cue.last + 1))
    own = [name for name in names if span <= name.places]
    return any(all(words[i] in name.name.lower().replace("-", " ").split() for i in span) for name in own)
