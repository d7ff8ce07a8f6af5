"""A sentence cut into clauses: stretches that each make one assertion, with the amounts and cues in them, and the views that readers take of them."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from dataclasses import field, replace
from functools import lru_cache

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
    """The clauses of one plain sentence, in order; places are in `text`."""
    found = tokens(text)[:_MAX_TOKENS]
    if not found:
        return ()
    text = text[: found[-1].end]
    named = labels(text) if labelled else ()
    formulas = equations(text, found)
    words = tuple([token.lower for token in found])
    sentence = Sentence(text, found, cues(found), named, formulas, [], set(), words)
    find_amounts(sentence)
    cuts = sorted({*_cuts(sentence), len(found)})
    first, result, derived = 0, [], False
    for cut in cuts:
        clause = _clause(sentence, first, cut)
        if clause is not None:
            derived = derived or clause.derived
            result.append(clause)
        first = cut
    return _concludes(tuple(result))


def _cuts(sentence: Sentence) -> Iterator[int]:
    """Where the sentence is cut: at the strongest separator between two anchors that do not belong together."""
    anchors = _anchors(sentence)
    for (_, end, kind), (start, _, next_kind) in itertools.pairwise(anchors):
        best = _separator(sentence, end, start)
        if best is None:
            continue
        at, strength = best
        if (
            kind in ("most", "least", "same")
            and next_kind == "amount"
            and strength <= 3
            and start - at <= 3
            and sentence.tokens[at].text in (",", "(")
        ):
            continue
        if (
            next_kind == "amount"
            and sentence.tokens[at].text == "("
            and (_closes_after(sentence, start) or _is_pair(sentence, start))
        ):
            continue
        if kind == "amount" and next_kind == "amount" and _is_list(sentence, end, start):
            continue
        yield at if sentence.tokens[at].text not in (")",) else at + 1
    if not anchors:
        return
    yield from _predicate_cuts(sentence)
    if sentence.labels:
        yield from _cuts_between_labels(sentence, anchors[0][1])
    if not _CONCLUSIVE.isdisjoint(sentence.words):
        for index, word in enumerate(sentence.words):
            if word in _CONCLUSIVE and index and any(a[1] < index for a in anchors):
                yield index


def _cuts_between_labels(sentence: Sentence, said: int) -> Iterator[int]:
    """Where one assertion on labelled things ends: at a semicolon, at “, it”, and at “, and” before more labels once something is `said`;
    between two labels “, and” only lists."""
    for i, (mark, word) in enumerate(itertools.pairwise(sentence.words)):
        goes_on = mark == "," and word == "and" and i > said and _goes_on(sentence, i)
        if mark == ";" or (mark == "," and word in ("it", "its")) or goes_on:
            yield i


def _goes_on(sentence: Sentence, comma: int) -> bool:
    """Whether labels follow a “, and” that does not stand between two of a list."""
    ends, starts = {label.end for label in sentence.labels}, {label.start for label in sentence.labels}
    following = sentence.tokens[min(comma + 2, len(sentence.tokens) - 1)]
    listed = sentence.tokens[comma - 1].end in ends and following.start in starts
    return max(starts) > sentence.tokens[comma].start and not listed


_CONCLUSIVE = frozenset("so therefore hence thus".split())
FINITE = frozenset("is are was were has have had isn't aren't wasn't weren't it's that's does did".split())


_TURNS = frozenset(", whereas while but although though".split())


_RELATIVE = frozenset("which who whose that where when than as if because since with".split())


def _predicate_cuts(sentence: Sentence) -> Iterator[int]:
    """Where a comma or “whereas” opens a clause with a subject and a verb of its own, though nothing in it is an anchor."""
    words = sentence.words
    if _TURNS.isdisjoint(words):
        return
    finite = [index for index, word in enumerate(words) if word in FINITE]
    for index, word in enumerate(words):
        if word not in _TURNS or not (word in ("whereas", "while") or any(verb < index for verb in finite)):
            continue
        verb = next((one for one in finite if one > index), None)
        subject = words[index + 1 : verb] if verb is not None else ()
        if subject and len(subject) <= 6 and not _RELATIVE & {*subject} and not {",", "(", ")"} & {*subject}:
            yield index


def _closes_after(sentence: Sentence, start: int) -> bool:
    """Whether brackets hold nothing but the amount: “the author's book ($39)”."""
    amount = next((one for one in sentence.amounts if one.first == start), None)
    if amount is None or amount.last + 1 >= len(sentence.tokens):
        return amount is not None
    return sentence.tokens[amount.last + 1].text == ")"


def _is_pair(sentence: Sentence, start: int) -> bool:
    """Whether brackets hold two numbers, as coordinates do."""
    amount = next((one for one in sentence.amounts if one.first == start), None)
    if amount is None:
        return False
    following = [t.text for t in sentence.tokens[amount.last + 1 : amount.last + 5]]
    return following[:1] == [","] and ")" in following[1:]


def _is_list(sentence: Sentence, end: int, start: int) -> bool:
    """Whether only commas and “and” stand between two amounts."""
    between = [token.lower for token in sentence.tokens[end + 1 : start]]
    if not between or not all(
        word in (",", "and", "&", "$", "or", "€", "£", "→", "against", "versus", "vs", ".", "compared", "to", "with")
        or (sentence.labels and (len(word) == 1 or word.isdecimal()))
        for word in between
    ):
        return False
    return not _is_compared(sentence, start)


def _is_compared(sentence: Sentence, start: int) -> bool:
    """Whether a comparison follows an amount: “12 more”."""
    amount = next((one for one in sentence.amounts if one.first == start), None)
    after = amount.last + 1 if amount else start + 1
    return any(
        cue.tag in ("beats", "trails", "more", "less") and after <= cue.first <= after + 2 for cue in sentence.cues
    )


def _anchors(sentence: Sentence) -> list[tuple[int, int, str]]:
    """First token, last token and kind of everything that can be asserted, in order, without overlaps."""
    found: list[tuple[int, int, str]] = [(one.first, one.last, "amount") for one in sentence.amounts]
    for equation in sentence.equations:
        inside = [i for i, token in enumerate(sentence.tokens) if equation.start <= token.start < equation.end]
        if inside and not is_plain_reading(equation):
            found.append((inside[0], inside[-1], "equation"))
    taken = {i for first, last, _ in found for i in range(first, last + 1)}
    than = [cue for cue in sentence.cues if cue.tag == "than"]
    for cue in sentence.cues:
        if cue.tag in _ANCHORS and not taken & set(range(cue.first, cue.last + 1)):
            found.append((cue.first, cue.last, cue.tag))
        elif cue.tag in ("more", "less") and any(0 < t.first - cue.last <= 12 for t in than) and cue.first not in taken:
            found.append((cue.first, cue.last, "compared"))
    return sorted(found)


def _separator(sentence: Sentence, end: int, start: int) -> tuple[int, int] | None:
    """The strongest separator between two tokens: its place and strength; of equals the first."""
    best: tuple[int, int] | None = None
    skip_and = False
    ends = {label.end for label in sentence.labels}
    starts = {label.start for label in sentence.labels}
    closed = -1
    for index in range(end + 1, start):
        word = sentence.tokens[index].lower
        if index <= closed:
            continue
        if word == "(":
            closed = next((i for i in range(index + 1, start) if sentence.tokens[i].text == ")"), -1)
            if closed > 0:
                continue
        if (
            word in ("and", ",", "or")
            and sentence.tokens[index - 1].end in ends
            and sentence.tokens[index + 1].start in starts
        ):
            continue
        strength = _BREAKS.get(word, 0)
        if (
            word == ","
            and index + 1 < start
            and sentence.tokens[index + 1].lower in ("and", "but", "while", "whereas", "so", "with", "which")
        ):
            strength = max(strength + 1, _BREAKS.get(sentence.tokens[index + 1].lower, 0) + 1)
        if word == ":" and any(one.first - 1 <= index + 1 <= one.first for one in sentence.amounts):
            continue
        if word == "and" and skip_and:
            continue
        if strength and (best is None or strength > best[1]):
            best = (index, strength)
        if word in ("between", "both", "either"):
            skip_and = True
    return best


def _clause(sentence: Sentence, first: int, stop: int) -> Clause | None:
    """Tokens `first` … `stop` − 1 as a clause; None without words."""
    opener = ""
    while first < stop and (
        sentence.tokens[first].text in ",;:()-"
        or sentence.tokens[first].lower in ("and", "but", "while", "whereas", "so", "that", "then", "which")
    ):
        opener = sentence.tokens[first].lower if sentence.tokens[first].is_word else opener
        first += 1
    if first >= stop:
        return None
    own, words = sentence.tokens[first:stop], sentence.words[first:stop]
    start, end = own[0].start, own[-1].end
    inner = tuple(
        [
            Cue(cue.tag, cue.words, cue.first - first, cue.last - first)
            for cue in sentence.cues
            if first <= cue.first and cue.last < stop
        ]
    )
    amounts = tuple(
        [
            StatedAmount(amount=one.amount, role=one.role, first=one.first - first, last=one.last - first)
            if first
            else one
            for one in sentence.amounts
            if first <= one.first < stop
        ]
    )
    drawn = any(
        cue.tag == "so" and (0 < cue.first < first or (first == cue.first and cue.last < stop)) for cue in sentence.cues
    )
    return Clause(
        text=sentence.text[start:end],
        start=start,
        end=end,
        tokens=own,
        words=words,
        cues=inner,
        amounts=amounts,
        labels=tuple([label for label in sentence.labels if start <= label.start < end]),
        equations=tuple([e for e in sentence.equations if start <= e.start < end or start <= e.end - 1 < end]),
        opener=opener,
        derived=drawn
        or opener == "so"
        or words[0] in ("hence", "therefore", "thus")
        or "must" in words
        or "i.e." in words,
        hidden=frozenset([i - first for i in sentence.hidden if first <= i < stop]),
    )


def _concludes(sentence: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Clauses with what follows the last comma of a “Since …, …” marked as drawn from it."""
    if len(sentence) < 2 or sentence[0].tokens[0].lower not in ("since", "because", "as"):
        return sentence
    open_end = any(token.text == "," for token in sentence[-1].tokens[:-1])
    return sentence if sentence[-1].equations or open_end else (*sentence[:-1], replace(sentence[-1], derived=True))


def times_word(clause: Clause) -> tuple[float, Cue] | None:
    """The factor that a word says (“twice”, “doubled”, “half as”, “half as long again”), with its cue."""
    cue = clause.has("twice")
    if cue is None or (cue.last + 1 < len(clause.tokens) and clause.tokens[cue.last + 1].text == "-"):
        return None
    value = TIMES_WORDS.get(cue.words.split()[0])
    more = "again" in clause.words[cue.last + 1 : cue.last + 4]
    return None if value is None else (value + more, cue)


PLACING = frozenset("at in for on after before under row column during per near until through since".split())


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


COPULA = frozenset(
    "is are was were equals equal = : be reached totals totaled totalled stood stands measures | costs cost".split()
)
