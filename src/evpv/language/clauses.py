"""A sentence cut into clauses: stretches that each make one assertion, with the amounts and cues in them, and the views that readers take of them."""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import field, replace
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from evpv.language.amounts import Sentence, StatedAmount, find_amounts, is_plain_reading
from evpv.language.equations import Equation, equations
from evpv.language.forms import (
    Bound,
    Phrase,
)
from evpv.language.immutable import immutable
from evpv.language.labels import Label, labels
from evpv.language.lexicon import TIMES_WORDS
from evpv.language.tokens import Cue, Token, cues, tokens

_MAX_TOKENS = 400
"""So much of one sentence is read, which keeps what compares its parts with each other within bounds."""
_ANCHORS = frozenset(
    "most least rises falls steady same differ beats trails overtakes parallel perpendicular on inside next isosceles equilateral bisects midpoint joined".split()  # noqa: E501
)
_BREAKS = {
    ";": 6, "while": 6, "whereas": 6, "although": 6, "though": 6, "but": 6, "however": 6, "meanwhile": 6, "yet": 6, "so": 6, "therefore": 6, "hence": 6, "thus": 6,  # noqa: E501
    "because": 5, "since": 5, "which": 4, ",": 3, "(": 3, ")": 3, "and": 2, "with": 1, "where": 4, "plus": 2, "&": 1, "or": 1, "—": 4, ":": 4, "as": 0, "making": 4, "giving": 5, "followed": 3, "compared": 4,  # noqa: E501
    "against": 1, "versus": 1, "vs": 1, "leaving": 5, "then": 3, "\n": 6, "e.g.": 6, "i.e.": 6,
}  # fmt: skip


@immutable
class Clause:
    """One assertion's stretch of a sentence: tokens, cues (places in `tokens`), amounts, labels, equations."""

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]
    cues: tuple[Cue, ...]
    amounts: tuple[StatedAmount, ...]
    labels: tuple[Label, ...]
    equations: tuple[Equation, ...]
    opener: str = ""
    derived: bool = False
    hidden: frozenset[int] = field(default=frozenset())
    words: tuple[str, ...] = ()

    def word(self, index: int) -> str:
        """The word at a place in lower case; "" beyond the ends."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def has(self, *tags: str) -> Cue | None:
        """The first cue with one of the tags."""
        for cue in self.cues:
            if cue.tag in tags:
                return cue
        return None

    def place_of(self, words: Container[str], first: int = 0) -> int:
        """Where one of the words stands first from a place on; beyond the end where none does."""
        return next((i for i in range(first, len(self.words)) if self.words[i] in words), len(self.words))

    def phrase(self, first: int = 0, last: int | None = None) -> Phrase:
        """The words of tokens `first` … `last` − 1 that may name something: amounts and formulas are left out."""
        stop = len(self.tokens) if last is None else last
        kept = self.tokens[first:stop]
        if self.hidden:
            kept = tuple([t for i, t in enumerate(kept, first) if i not in self.hidden])
        if not kept:
            return Phrase()
        base = self.tokens[0].start
        return Phrase(tokens=kept, text=self.text[kept[0].start - base : kept[-1].end - base])


@lru_cache(maxsize=32)
def clauses(text: str, *, labelled: bool) -> tuple[Clause, ...]:
    """The clauses of one plain sentence, in order; places are in `text`. Of “Since …, …” what follows the last comma is drawn from the rest."""
    found = tokens(text)[:_MAX_TOKENS]
    if not found:
        return ()
    text = text[: found[-1].end]
    named = labels(text) if labelled else ()
    formulas = equations(text, found)
    words = tuple([token.lower for token in found])
    sentence = Sentence(text, found, cues(found), named, formulas, [], set(), words)
    find_amounts(sentence)
    cuts = [0, *sorted({*_cuts(sentence), len(found)})]
    parts = [part for first, stop in itertools.pairwise(cuts) if (part := _clause(sentence, first, stop)) is not None]
    if len(parts) > 1 and parts[0].words[0] in ("since", "because", "as"):
        last = parts[-1]
        if not last.equations and "," not in last.words[:-1]:
            parts[-1] = replace(last, derived=True)
    return tuple(parts)


def _cuts(sentence: Sentence) -> Iterator[int]:
    """Where the sentence is cut: at the strongest separator between two anchors that do not belong together."""
    anchors = _anchors(sentence)
    for left, right in itertools.pairwise(anchors):
        best = _separator(sentence, left[1], right[0])
        if best is not None and not _belong_together(sentence, left, right, best):
            yield best[0] + (sentence.words[best[0]] == ")")
    if not anchors:
        return
    yield from _predicate_cuts(sentence)
    if sentence.labels:
        yield from _cuts_between_labels(sentence, anchors[0][1])
    if not _CONCLUSIVE.isdisjoint(sentence.words):
        ended = min(map(itemgetter(1), anchors))
        yield from (index for index, word in enumerate(sentence.words) if word in _CONCLUSIVE and index > ended)


def _belong_together(sentence: Sentence, left: _Anchor, right: _Anchor, best: tuple[int, int]) -> bool:
    """Whether an amount is said with what stands before its separator: with an extreme that it follows at once (“the highest, 12”), with
    what its brackets follow, if they hold nothing else (“the author's book ($39)”) or two numbers, as coordinates do, or as one of a list."""
    (_, end, kind), (start, _, next_kind), (at, strength) = left, right, best
    if next_kind != "amount":
        return False
    sign = sentence.words[at]
    if kind in ("most", "least", "same") and strength <= 3 and start - at <= 3 and sign in (",", "("):
        return True
    if sign == "(" and _fills_brackets(sentence, start):
        return True
    return kind == "amount" and _is_list(sentence, end, start)


def _fills_brackets(sentence: Sentence, start: int) -> bool:
    last = next(one.last for one in sentence.amounts if one.first == start)
    following = sentence.words[last + 1 : last + 5]
    return following[:1] in ((), (")",)) or (following[0] == "," and ")" in following)


def _cuts_between_labels(sentence: Sentence, said: int) -> Iterator[int]:
    """Where one assertion on labelled things ends: at a semicolon, at “, it”, and at “, and” before more labels once something is `said`;
    between two labels “, and” only lists."""
    rest = max(label.start for label in sentence.labels)
    for i, (mark, word) in enumerate(itertools.pairwise(sentence.words)):
        goes_on = (
            word == "and" and i > said and rest > sentence.tokens[i].start and not _joins_labels(sentence, i, i + 1)
        )
        if mark == ";" or (mark == "," and (goes_on or word in ("it", "its"))):
            yield i


def _joins_labels(sentence: Sentence, first: int, last: int) -> bool:
    """Whether one label ends right before some tokens and another begins right behind them."""
    before, following = sentence.tokens[first - 1], sentence.tokens[min(last + 1, len(sentence.tokens) - 1)]
    ends, starts = {label.end for label in sentence.labels}, {label.start for label in sentence.labels}
    return before.end in ends and following.start in starts


_CONCLUSIVE = frozenset("so therefore hence thus".split())
FINITE = frozenset("is are was were has have had isn't aren't wasn't weren't it's that's does did".split())
_TURNS = frozenset(", whereas while but although though".split())
_NO_SUBJECT = frozenset("which who whose that where when than as if because since with , ( )".split())


def _predicate_cuts(sentence: Sentence) -> Iterator[int]:
    """Where a comma or “whereas” opens a clause with a subject and a verb of its own, though nothing in it is an anchor."""
    words = sentence.words
    if _TURNS.isdisjoint(words):
        return
    finite = [index for index, word in enumerate(words) if word in FINITE]
    for index, word in enumerate(words):
        behind = bisect(finite, index)
        if word in ("whereas", "while") or (behind and word in _TURNS):
            subject = words[index + 1 : next(iter(finite[behind:]), 0)]
            if 0 < len(subject) <= 6 and _NO_SUBJECT.isdisjoint(subject):
                yield index


def _is_list(sentence: Sentence, end: int, start: int) -> bool:
    """Whether only commas and “and” stand between two amounts, and no comparison follows the second: “12 more”."""
    between = {*sentence.words[end + 1 : start]} - _LISTING
    if start == end + 1 or not all(sentence.labels and (len(word) == 1 or word.isdecimal()) for word in between):
        return False
    after = next(one.last for one in sentence.amounts if one.first == start) + 1
    return not any(
        cue.tag in ("beats", "trails", "more", "less") and after <= cue.first <= after + 2 for cue in sentence.cues
    )


_LISTING = frozenset(", and & $ or € £ → against versus vs . compared to with".split())


_Anchor: TypeAlias = tuple[int, int, str]
"""First token, last token and kind of what can be asserted."""


def _anchors(sentence: Sentence) -> list[_Anchor]:
    """Everything that can be asserted, in order, without overlaps."""
    found: list[_Anchor] = [(one.first, one.last, "amount") for one in sentence.amounts]
    for equation in sentence.equations:
        inside = [i for i, token in enumerate(sentence.tokens) if equation.start <= token.start < equation.end]
        if inside and not is_plain_reading(equation):
            found.append((inside[0], inside[-1], "equation"))
    taken = {i for first, last, _ in found for i in range(first, last + 1)}
    return sorted([*found, *_cue_anchors(sentence, taken)])


def _cue_anchors(sentence: Sentence, taken: Set[int]) -> Iterator[_Anchor]:
    than = [cue.first for cue in sentence.cues if cue.tag == "than"]
    for cue in sentence.cues:
        if cue.tag in _ANCHORS and taken.isdisjoint(range(cue.first, cue.last + 1)):
            yield cue.first, cue.last, cue.tag
        elif cue.tag in ("more", "less") and cue.first not in taken and any(0 < one - cue.last <= 12 for one in than):
            yield cue.first, cue.last, "compared"


def _separator(sentence: Sentence, end: int, start: int) -> tuple[int, int] | None:
    """The strongest separator between two tokens: its place and strength; of equals the first."""
    places = _separating(sentence.words, end + 1, start)
    strength, before = max(((_strength(sentence, at, start), -at) for at in places), default=(0, 0))
    return (-before, strength) if strength else None


def _separating(words: Sequence[str], first: int, stop: int) -> Iterator[int]:
    """The places outside brackets, without the “and” of “between … and”."""
    skip_and, closed = False, -1
    for index in range(first, stop):
        word = words[index]
        if index <= closed:
            continue
        if word == "(" and ")" in words[index:stop]:
            closed = words.index(")", index)
        elif word != "and" or not skip_and:
            yield index
        skip_and = skip_and or word in ("between", "both", "either")


def _strength(sentence: Sentence, index: int, stop: int) -> int:
    """How strongly a word before `stop` separates; what joins labels, and the colon before an amount, not at all."""
    word, following = sentence.words[index : index + 2]
    if word in ("and", ",", "or") and _joins_labels(sentence, index, index):
        return 0
    if word == ":" and any(one.first - 1 <= index + 1 <= one.first for one in sentence.amounts):
        return 0
    if word == "," and index + 1 < stop and following in _AFTER_COMMA:
        return max(_BREAKS[","], _BREAKS[following]) + 1
    return _BREAKS.get(word, 0)


_AFTER_COMMA = frozenset("and but while whereas so with which".split())


def _clause(sentence: Sentence, first: int, stop: int) -> Clause | None:
    """Tokens `first` … `stop` − 1 as a clause; None without words."""
    opener = ""
    while first < stop and (sentence.tokens[first].text in ",;:()-" or sentence.words[first] in _OPENERS):
        opener = sentence.words[first] if sentence.tokens[first].is_word else opener
        first += 1
    return _stretch(sentence, first, stop, opener) if first < stop else None


def _stretch(sentence: Sentence, first: int, stop: int, opener: str) -> Clause:
    own = sentence.tokens[first:stop]
    start, end = own[0].start, own[-1].end
    amounts = [
        StatedAmount(amount=one.amount, role=one.role, first=one.first - first, last=one.last - first)
        for one in sentence.amounts
        if first <= one.first < stop
    ]
    return Clause(
        text=sentence.text[start:end],
        start=start,
        end=end,
        tokens=own,
        words=sentence.words[first:stop],
        cues=_cues_within(sentence, first, stop),
        amounts=tuple(amounts),
        labels=tuple([label for label in sentence.labels if start <= label.start < end]),
        equations=tuple([e for e in sentence.equations if start <= e.start < end or start <= e.end - 1 < end]),
        opener=opener,
        derived=_is_drawn(sentence, first, stop, opener),
        hidden=frozenset([i - first for i in sentence.hidden if first <= i < stop]),
    )


def _cues_within(sentence: Sentence, first: int, stop: int) -> tuple[Cue, ...]:
    inner = [cue for cue in sentence.cues if first <= cue.first and cue.last < stop]
    return tuple([Cue(cue.tag, cue.words, cue.first - first, cue.last - first) for cue in inner])


def _is_drawn(sentence: Sentence, first: int, stop: int, opener: str) -> bool:
    """Whether a word of a clause, or a “so” before it, draws it from something else."""
    words = sentence.words[first:stop]
    if opener == "so" or words[0] in ("hence", "therefore", "thus") or not {"must", "i.e."}.isdisjoint(words):
        return True
    so = [cue for cue in sentence.cues if cue.tag == "so"]
    return any(0 < cue.first < first or (first == cue.first and cue.last < stop) for cue in so)


_OPENERS = frozenset("and but while whereas so that then which".split())


def times_word(clause: Clause) -> tuple[float, Cue] | None:
    """The factor that a word says (“twice”, “doubled”, “half as”, “half as long again”), with its cue."""
    cue = clause.has("twice")
    if cue is None or (cue.last + 1 < len(clause.tokens) and clause.tokens[cue.last + 1].text == "-"):
        return None
    value = TIMES_WORDS.get(cue.words.split()[0])
    more = "again" in clause.words[cue.last + 1 : cue.last + 4]
    return None if value is None else (value + more, cue)


def showing(clause: Clause, *hidden: StatedAmount) -> Clause:
    """The clause in which only the given amounts are hidden: the others name something (“at a price of $1,090”)."""
    spans = {i for one in clause.amounts if one not in hidden for i in range(one.first, one.last + 1)}
    return clause if clause.hidden.isdisjoint(spans) else replace(clause, hidden=clause.hidden - spans)


def is_hedged(clause: Clause, first: int) -> bool:
    return any(cue.tag == "hedge" and 0 <= first - cue.last <= 2 for cue in clause.cues)


def bound_before(clause: Clause, first: int) -> Bound:
    words = {t.lower for t in clause.tokens[max(0, first - 3) : first]}
    if words & {"over"} or {"more", "than"} <= words:
        return ">"
    return "<" if {"less", "than"} <= words or "under" in words else "="
