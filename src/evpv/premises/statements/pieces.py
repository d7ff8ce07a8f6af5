"""A marked sentence cut into pieces that each say one thing: a number or list of numbers, or a relation, with what it is said of.

What can be asserted is an *anchor* (`anchors.py`). Between two anchors the sentence is cut at the strongest
separator, unless the two belong together: a list of numbers, a count and its limit, an extreme and its value.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property

from evpv.language.immutable import remembering
from evpv.language.tokens import Cue, Token
from evpv.premises.statements.anchors import Anchor, is_no_relation, sentence_anchors
from evpv.premises.statements.marks import Marked
from evpv.premises.statements.names import Name
from evpv.premises.statements.numbers import StatedNumber


@remembering
class Piece:
    """Tokens `first` … `stop` − 1 of a sentence; `derived` if it is concluded from what was said, `aside` if it stands in brackets."""

    sentence: Marked
    first: int
    stop: int
    names: tuple[Name, ...]
    numbers: tuple[StatedNumber, ...]
    cues: tuple[Cue, ...]
    derived: bool = False
    aside: bool = False

    @cached_property
    def words(self) -> tuple[str, ...]:
        return self.sentence.words[self.first : self.stop]

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return self.sentence.tokens[self.first : self.stop]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens)

    @property
    def text(self) -> str:
        return self.sentence.text[self.tokens[0].start : self.tokens[-1].end]

    @cached_property
    def name_places(self) -> frozenset[int]:
        """Where its names stand, with the words inside them."""
        return frozenset(i for name in self.names for i in range(name.first, name.last + 1))

    @property
    def calculation(self) -> tuple[int, int] | None:
        """Where its text calculates, as characters of the sentence."""
        start, end = self.tokens[0].start, self.tokens[-1].end
        return next(((a, b) for a, b in self.sentence.calculated if a < end and b > start), None)

    def has(self, *tags: str, after: Cue | None = None) -> Cue | None:
        """The first cue with one of the tags; only after another cue, if so asked."""
        for cue in self.cues:
            if cue.tag in tags and (after is None or cue.first > after.last):
                return cue
        return None

    @cached_property
    def denial(self) -> Cue | None:
        """The “not” of a piece, unless it is part of another cue (“did not change”) or denies no more than a word, or what somebody does:
        “not only”, “not using any”, “31% say they do not know”."""
        others = (range(o.first, o.last + 1) for o in self.cues if o.tag not in ("not", "under", "over"))
        taken = set[int]().union(*others)
        for cue in self.cues:
            if cue.tag != "not" or cue.words in _NOT_DENYING or cue.first in taken:
                continue
            before, after = self.sentence.words[max(0, cue.first - 5) : cue.first], self.sentence.after(cue)
            doing = after.endswith("ing") > (cue.words == "never")
            if after not in _DENIED_WORDS and not doing and _THOUGHT.isdisjoint(before):
                return cue
        return None

    def word_before(self, name: str) -> str:
        """The little word right before a name: “after”, “since”, “by”."""
        first = next((n.first for n in self.names if n.name == name), 0)
        for back in (1, 2, 3):
            word = self.sentence.word(first - back)
            if word not in ("the", "year", "season", "about"):
                return word
        return ""

    def names_before_bracket(self, axis: str) -> tuple[str, ...]:
        """Of a piece in brackets right after a name, the last name of an axis before them."""
        every = self.sentence.names
        if not any(n.first <= self.first - 2 <= n.last for n in every):
            return ()
        earlier = [n.name for n in every if n.axis == axis and n.last < self.first <= n.last + 6]
        return tuple(earlier[-1:])

    def names_of(self, axis: str) -> tuple[str, ...]:
        """The names of an axis that it says, each once, in order."""
        return self._names_by_axis[axis]

    @cached_property
    def _names_by_axis(self) -> dict[str, tuple[str, ...]]:
        return {
            axis: tuple(dict.fromkeys(name.name for name in self.names if name.axis == axis))
            for axis in ("row", "column")
        }


_DENIED_WORDS = frozenset({"only", "just", "necessarily"})
_NOT_DENYING = frozenset({"no", "none", "without", "nobody", "nothing", "no one", "nor"})
_THOUGHT = frozenset(
    "who whose say says said saying believe believes think thinks feel feels believing thinking".split()
)


def pieces(sentence: Marked) -> tuple[Piece, ...]:
    """The pieces of a sentence in order, those in brackets after that which they stand in."""
    brackets = _brackets(sentence)
    inside = set[int]().union(*(range(first, last + 1) for first, last in brackets))
    anchors = [a for a in sentence_anchors(sentence) if a.first not in inside]
    found: list[Piece | None] = []
    derived = sentence.word(0) in _SO
    for first, cut in itertools.pairwise(sorted({0, *_cuts(sentence, anchors, inside), len(sentence.tokens)})):
        calculated = first > 0 and any(end <= sentence.tokens[first].start for _, end in sentence.calculated)
        derived |= calculated or not _SO.isdisjoint(sentence.words[first : min(first + 2, cut)])
        found.append(_piece(sentence, range(first, cut), inside, derived=derived))
        for left, right in brackets:
            if first <= left < cut:
                found.append(_piece(sentence, range(left + 1, right), set(), derived=derived, aside=True))
    return tuple(filter(None, found))


_SO = frozenset("so therefore hence thus consequently giving making leaving i.e.".split())
_OPENERS = frozenset("and but while whereas so that then which however yet although though because since where".split())
_OPENING = _OPENERS.union(",;:()-")
_CLOSING = frozenset(",;:.(-")


def _piece(sentence: Marked, places: range, inside: set[int], *, derived: bool, aside: bool = False) -> Piece | None:
    """The piece at these tokens; None if they only join others."""
    core = _without_joints(sentence.words, places)
    if not core:
        return None
    within = {*core} - inside
    return Piece(
        sentence=sentence,
        first=core.start,
        stop=core.stop,
        names=tuple(name for name in sentence.names if name.first in within),
        numbers=tuple(number for number in sentence.numbers if number.first in within),
        cues=tuple(cue for cue in sentence.cues if cue.first in within and not is_no_relation(sentence, cue)),
        derived=derived,
        aside=aside,
    )


def _without_joints(words: Sequence[str], places: range) -> range:
    """Places without those at their ends of words that only join: “and”, “while”, a comma."""
    first, stop = places.start, places.stop
    while first < stop and words[first] in _OPENING:
        first += 1
    while first < stop and words[stop - 1] in _CLOSING:
        stop -= 1
    return range(first, stop)


def _brackets(sentence: Marked) -> list[tuple[int, int]]:
    """Brackets that hold a number and stand after something: “Rope A (120 cm)”."""
    found, opened = [], -1
    for i, word in enumerate(sentence.words):
        if word == "(":
            opened = i
        elif word == ")" and opened > 0:
            if any(opened < number.first <= i for number in sentence.numbers):
                found.append((opened, i))
            opened = -1
    return found


# Cuts: at the strongest separator between two anchors.


def _cuts(sentence: Marked, anchors: Sequence[Anchor], inside: set[int]) -> Iterator[int]:
    """Where the sentence is cut."""
    for left, right in itertools.pairwise(anchors):
        if right.kind == "followed":
            yield right.first
        elif not _belong_together(sentence, left, right):
            at = _separator(sentence, left, right, inside)
            yield from () if at is None else (at,)
    for i, word in enumerate(sentence.words[:-1]):
        if word in _CLAUSE_STARTS and i not in inside and _begins_clause(sentence, i, anchors):
            yield i


def _belong_together(sentence: Marked, left: Anchor, right: Anchor) -> bool:
    """Whether two anchors say one thing: a list, a count with its limit, a relation with its number."""
    apart = right.first - left.last
    match left.kind, right.kind:
        case "number", "number":
            with_than = sentence.word(right.first - 2) == "than" and sentence.before(right) in ("with", "had", "have")
            return with_than or _is_list(sentence, left.last, right) or _is_limit(sentence, left, right)
        case _, "number" if sentence.before(right) == "by" and apart <= 9:
            return True
        case "compared", "number":
            return "than" in sentence.words[right.first - 2 : right.last + 4]
        case "most" | "least", "number":
            return _is_apposed(sentence, left, right)
        case "shortage", "number":
            return apart <= 3
    return False


_CLAUSES = frozenset("because since although though while whereas when as so but yet and which who where for".split())
_TURNS = frozenset({"but", "whereas"})
_EXCEPTING = ("all", "but")
_REASONS = frozenset("because although though thanks owing".split())
_CLAUSE_STARTS = _TURNS | _REASONS | {";", ","}
_LONG = 4
"""So many words have a clause of its own and what stands before it."""


def _begins_clause(sentence: Marked, i: int, anchors: Sequence[Anchor]) -> bool:
    """Whether a clause begins here that may say something of its own, though it may have neither number nor relation: “…, because of the
    rain”."""
    word, following = sentence.words[i], sentence.word(i + 1)
    if word in _TURNS:
        return any(a.last < i for a in anchors) and sentence.words[i - 1 : i + 1] != _EXCEPTING
    if word in _REASONS:
        opens = i >= _LONG
    else:
        opens = (word == ";" or following in _CLAUSES) and _LONG <= i < len(sentence.words) - _LONG
    return opens and not any(a.first <= i <= a.last for a in anchors) and not _is_in_list(sentence, i, anchors)


def _is_in_list(sentence: Marked, i: int, anchors: Sequence[Anchor]) -> bool:
    """Whether a place lies between two names of a list, or before the last of at least three numbers: “58, 59, and 63”."""
    numbers = [a for a in anchors if a.kind == "number"]
    listed = ((a, b, c) for a, b, c in zip(numbers, numbers[1:], numbers[2:], strict=False) if b.last < i < c.first)
    ends = any(_is_list(sentence, a.last, b) and _is_list(sentence, b.last, c) for a, b, c in listed)
    return ends or _joins_names(sentence, i)


_BEING = frozenset("is are was were being".split())


def _is_apposed(sentence: Marked, left: Anchor, right: Anchor) -> bool:
    """Whether a number only goes on with an extreme that is named later: “The smallest of them, 96, was recorded on Tuesday”, “The
    highest share of people who agree is 96, in Oslo”."""
    if any(name.axis == "row" and name.first < right.first for name in sentence.names):
        return False
    between = sentence.words[left.last + 1 : right.first]
    if "," not in between:
        return not _BEING.isdisjoint(between[-2:])
    return len(between) < 6 and any(name.first > right.last for name in sentence.names)


def _is_limit(sentence: Marked, left: Anchor, right: Anchor) -> bool:
    """Whether a count is followed by the limit that is met: “four children who read more than 8 books”."""
    one, other = (next(n for n in sentence.numbers if n.first == a.first).amount for a in (left, right))
    between = sentence.words[left.last + 1 : right.first]
    if "," in between or {"who", "that", "which", "with"}.isdisjoint(between):
        return False
    whole = one.quantity.value.is_integer() and one.quantity.value < 40 and not one.quantity.unit
    return whole and (other.bound != "=" or not one.quantity.value)


_WORDED = frozenset("no none nobody nothing majority most minority".split())
_MOMENTS = frozenset("after before until".split())
_JOINTS = frozenset(
    ", and & or both $ € £ about roughly around nearly almost approximately the ; respectively against versus vs . to compared with minus".split()
)


def _is_list(sentence: Marked, end: int, right: Anchor) -> bool:
    """Whether only commas and “and” stand between two numbers, and the second is not how far two things are apart."""
    between = sentence.words[end + 1 : right.first]
    if not between or not _JOINTS.issuperset(between):
        return False
    if sentence.words[end] in _WORDED or sentence.words[right.first] in _WORDED:
        return False
    apart = (c for c in sentence.cues if c.tag in ("beats", "trails", "more", "less"))
    return not any(right.last < cue.first <= right.last + 3 for cue in apart)


_BREAKS = {
    ";": 6, "while": 6, "whereas": 6, "although": 6, "though": 6, "but": 6, "however": 6, "meanwhile": 6, "yet": 6, "so": 6, "therefore": 6,
    "hence": 6, "thus": 6, "because": 5, "since": 5, "which": 4, ",": 3, "and": 2, "with": 1, "where": 4, "plus": 2, "&": 1, "or": 1, ":": 4,
    "making": 4, "giving": 5, "followed": 3, "compared": 4, "against": 1, "versus": 1, "vs": 1, "leaving": 5, "then": 3, "\n": 6, "-": 0,
    "who": 3, "when": 3, "only": 0, "after": 1, "before": 1, "until": 1, "not": 1, "nor": 3, "e.g.": 6, "i.e.": 6,
}  # fmt: skip
"""How strongly a word separates what stands before it from what follows."""


def _separator(sentence: Marked, left: Anchor, right: Anchor, inside: set[int]) -> int | None:
    """The place of the strongest separator between two predicates, outside names; of equals the first."""
    best, strength, paired = None, 0, False
    for i in range(left.last + 1, right.first):
        word = sentence.words[i]
        if i in inside or {i - 1, i, i + 1} <= sentence.name_places or (word == "and" and paired):
            continue
        power = _separating_power(sentence, i, left, right)
        if power > strength:
            best, strength = i, power
        paired = paired or word in ("between", "both", "either")
    return best


def _separating_power(sentence: Marked, i: int, left: Anchor, right: Anchor) -> int:
    """How strongly a word separates two predicates; between names of a list it hardly does."""
    if (sentence.words[i] == ":" and _leads_on(sentence, i, left, right)) or sentence.words[
        i - 1 : i + 1
    ] == _EXCEPTING:
        return 0
    trails = sentence.words[i] == "since" and sentence.word(i + 1) in _CLOSING
    power = 0 if trails or _limits_none(sentence, i, left) else _power_of_word(sentence, i, left)
    if power and _joins_names(sentence, i):
        return int((left.kind == "number") == (right.kind == "number"))
    return power


def _limits_none(sentence: Marked, i: int, left: Anchor) -> bool:
    """Whether a word only says which are counted: “no year after 2015”."""
    return sentence.words[i] in _MOMENTS and sentence.words[left.last] in _WORDED and i - left.last <= 2


def _power_of_word(sentence: Marked, i: int, left: Anchor) -> int:
    word, following = sentence.words[i], sentence.word(i + 1)
    if word == "-":  # a dash has a space on either side; a minus stands right before its number
        start, end = sentence.tokens[i].start, sentence.tokens[i].end
        return 8 if sentence.text[start - 1 : start] == " " == sentence.text[end : end + 1] else 0
    if word == "as":
        likened = any(c.tag in ("as", "times", "twice") for c in sentence.cues)
        return 2 if left.kind in ("number", "rises", "falls") and not likened else 0
    if word == "," and following in _BREAKS:
        return 2 * max(_BREAKS[word], _BREAKS[following]) + 2
    return 2 * _BREAKS.get(word, 0)


def _leads_on(sentence: Marked, i: int, left: Anchor, right: Anchor) -> bool:
    """Whether a colon only leads up to the number, or to the name, of what stands before it: “Lowest attendance: Wednesday”."""
    if right.kind != "number" or right.first - i > 2 or left.kind in ("rises", "falls"):
        return left.kind in ("most", "least") and not any(name.last < i for name in sentence.names)
    return left.kind != "number" or _ends_label(sentence, i)


def _ends_label(sentence: Marked, i: int) -> bool:
    """Whether a colon follows a name that something separates from all before: the 2015 of “2014: 97.3, 2015: 96.1”."""
    name = next((name for name in sentence.names if name.last == i - 1), None)
    return name is not None and (sentence.before(name) in _BREAKS or sentence.tokens[name.first].start == 0)


_LISTED = frozenset(", and & or the both a an in on for of at".split())


def _joins_names(sentence: Marked, at: int) -> bool:
    """Whether a separator stands between two names of one axis, in a list of them."""
    before = [name for name in sentence.names if name.last < at]
    after = [name for name in sentence.names if name.first > at]
    if not before or not after:
        return False
    left, right = max(before, key=lambda n: n.last), min(after, key=lambda n: n.first)
    return left.axis == right.axis and _LISTED.issuperset(sentence.words[left.last + 1 : right.first])
