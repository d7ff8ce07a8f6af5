"""A marked sentence cut into pieces that each say one thing: a number or list of numbers, or a relation, with what it is said of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evpv.language.immutable import immutable
from evpv.language.tokens import Cue, Token
from evpv.premises.statements.marks import Marked
from evpv.premises.statements.names import Name
from evpv.premises.statements.numbers import Number

_BREAKS = {
    ";": 6, "while": 6, "whereas": 6, "although": 6, "though": 6, "but": 6, "however": 6, "meanwhile": 6, "yet": 6, "so": 6, "therefore": 6,
    "hence": 6, "thus": 6, "because": 5, "since": 5, "which": 4, ",": 3, "and": 2, "with": 1, "where": 4, "plus": 2, "&": 1, "or": 1, ":": 4,
    "making": 4, "giving": 5, "followed": 3, "compared": 4, "against": 1, "versus": 1, "vs": 1, "leaving": 5, "then": 3, "\n": 6, "-": 0,
    "who": 3, "when": 3, "only": 0, "after": 1, "before": 1, "until": 1, "not": 1, "nor": 3, "e.g.": 6, "i.e.": 6,
}  # fmt: skip
_JOINTS = frozenset(
    ", and & or both $ € £ about roughly around nearly almost approximately the ; respectively against versus vs . to compared with".split()
)
_ANCHORS = frozenset(
    "most least rises falls steady same differ beats trails overtakes twice followed mode median".split()
)
_OPENERS = frozenset("and but while whereas so that then which however yet although though because since where".split())


@immutable
class Piece:
    """Tokens `first` … `stop` − 1 of a sentence."""

    sentence: Marked
    first: int
    stop: int
    names: tuple[Name, ...]
    numbers: tuple[Number, ...]
    cues: tuple[Cue, ...]
    derived: bool = False
    aside: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return self.sentence.words[self.first : self.stop]

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.sentence.tokens[self.first : self.stop]

    @property
    def text(self) -> str:
        return self.sentence.text[self.tokens[0].start : self.tokens[-1].end]

    def has(self, *tags: str) -> Cue | None:
        """The first cue with one of the tags."""
        return next((cue for cue in self.cues if cue.tag in tags), None)

    @property
    def denial(self) -> Cue | None:
        """The “not” of a piece, unless it is part of another cue (“did not change”) or denies no more than a word."""
        for cue in self.cues:
            if (
                cue.tag != "not"
                or cue.words in _NOT_DENYING
                or self.sentence.word(cue.last + 1) in ("only", "just", "necessarily")
            ):
                continue
            if not any(o.tag not in ("not", "under", "over") and o.first <= cue.first <= o.last for o in self.cues):
                return cue
        return None

    def before(self, name: str) -> str:
        """The little word right before a name: “after”, “since”, “by”."""
        first = next((n.first for n in self.names if n.name == name), 0)
        for back in (1, 2):
            word = self.sentence.word(first - back)
            if word not in ("the", "year", "season", "about"):
                return word
        return ""

    def beside_bracket(self, axis: str) -> tuple[str, ...]:
        """Of a piece in brackets, the last name of an axis before them."""
        earlier = [
            n for n in self.sentence.names if n.axis == axis and n.last < self.first and self.first - n.last <= 6
        ]
        return (earlier[-1].name,) if earlier else ()

    @property
    def follows_name(self) -> bool:
        """Of a piece in brackets, whether the word before them belongs to a name."""
        return any(n.first <= self.first - 2 <= n.last for n in self.sentence.names)

    def named(self, axis: str) -> tuple[str, ...]:
        """The names of an axis that it says, each once, in order."""
        return tuple(dict.fromkeys(name.name for name in self.names if name.axis == axis))


_NOT_DENYING = frozenset({"no", "none", "without", "nobody", "nothing", "no one", "nor"})


class _Anchor(NamedTuple):
    first: int
    last: int
    kind: str


def pieces(sentence: Marked) -> tuple[Piece, ...]:
    """The pieces of a sentence in order, those in brackets after that which they stand in."""
    if not sentence.tokens:
        return ()
    brackets = _brackets(sentence)
    inside = {i for first, last in brackets for i in range(first, last + 1)}
    anchors = [a for a in _anchors(sentence) if a.first not in inside]
    cuts = sorted({*_cuts(sentence, anchors, inside), len(sentence.tokens)})
    found: list[Piece] = []
    first, derived = 0, False
    for cut in cuts:
        derived = derived or _concludes(sentence, first, cut)
        one = _piece(sentence, first, cut, inside, derived=derived)
        if one is not None:
            found.append(one)
        for left, right in brackets:
            if first <= left < cut:
                found += filter(None, [_piece(sentence, left + 1, right, set(), derived=derived, aside=True)])
        first = cut
    return tuple(found)


_SO = frozenset("so therefore hence thus consequently giving making leaving i.e.".split())


def _concludes(sentence: Marked, first: int, stop: int) -> bool:
    if first and any(end <= sentence.tokens[first].start for _, end in sentence.calculated):
        return True
    return not _SO.isdisjoint(sentence.words[first : min(first + 2, stop)]) or sentence.word(0) in _SO


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


def _anchors(sentence: Marked) -> list[_Anchor]:
    """Everything that can be asserted, in order and without overlaps."""
    found = [_Anchor(one.first, one.last, "number") for one in sentence.numbers]
    for start, end in sentence.calculated:
        inside = [i for i, token in enumerate(sentence.tokens) if start <= token.start < end]
        if inside:
            found.append(_Anchor(inside[0], inside[-1], "calculation"))
    found += [_Anchor(i, i, "shortage") for i, word in enumerate(sentence.words) if word in ("shortage", "surplus")]
    taken = {i for one in found for i in range(one.first, one.last + 1)}
    than = [cue.first for cue in sentence.cues if cue.tag == "than"]
    for cue in sentence.cues:
        if taken & set(range(cue.first, cue.last + 1)) or is_part(sentence, cue):
            continue
        compared = cue.tag in ("more", "less") and any(
            0 < at - cue.last <= 12 and not _bounds(sentence, cue, at) for at in than
        )
        compared = compared or is_predicate(sentence, cue)
        if cue.tag in _ANCHORS or compared:
            found.append(_Anchor(cue.first, cue.last, "compared" if compared else cue.tag))
            taken |= set(range(cue.first, cue.last + 1))
    return sorted(found)


_SAME_NOUNS = frozenset(
    "is two three period time day year month week quarter way reason token applies goes holds".split()
)
_BEFORE_SAME = frozenset("on over in at of by during from within".split())
_NO_EXTREME = {
    ("best", "to"), ("leading", "to"), ("leads", "to"), ("led", "to"), ("most", "recent"), ("most", "likely"), ("top", "row"), ("bottom", "row"),
    ("top", "of"), ("bottom", "of"), ("top", "left"), ("top", "right"), ("peak", "hours"), ("leading", "up"),
}  # fmt: skip
_BEFORE_MOST = frozenset("the second third fourth - has have had".split())
_QUANTIFIED = frozenset(("", "that", "for", "in", "of", "by", "to", ",", "while", "and"))


def is_part(sentence: Marked, cue: Cue) -> bool:
    """Whether a cue's word is only part of another expression: “at least”, “most of”, “exceeds 80”."""
    before, after = sentence.word(cue.first - 1), sentence.word(cue.last + 1)
    match cue.tag:
        case "most" | "least":
            return _is_ordering(sentence, cue) or _is_no_extreme(cue, before, after)
        case "beats" | "trails":
            return _is_no_rival(sentence, cue)
        case "same":
            if (
                cue.words == "same"
                and before == "the"
                and (after in _SAME_NOUNS or sentence.word(cue.first - 2) in _BEFORE_SAME)
            ):
                return True
            return cue.words in ("equal", "equals") and any(0 < n.first - cue.last <= 3 for n in sentence.numbers)
        case "rises" | "falls":
            return cue.words in ("went down", "went up", "go down", "go up") and after == "the"
        case "differ":
            return cue.words == "different" and after not in ("", "from", ".", ",", "in", "for")
    return cue.tag == "twice" and before == "-"


_PREDICATED = frozenset("is was are were be even still much far slightly somewhat considerably a".split())


def is_predicate(sentence: Marked, cue: Cue) -> bool:
    """“The banana is richer in fibre”, “rail was still cheaper”: a comparison whose other side was said before."""
    if cue.tag not in ("more", "less") or cue.words in (
        "more",
        "less",
        "fewer",
        "better",
        "worse",
        "longer",
        "further",
        "farther",
    ):
        return False
    if any(c.tag == "than" and c.first > cue.last for c in sentence.cues):
        return False
    after = sentence.word(cue.last + 1)
    return sentence.word(cue.first - 1) in _PREDICATED and after in (
        "",
        ",",
        ".",
        ";",
        "in",
        "at",
        "on",
        "for",
        "and",
        "still",
        "there",
        "by",
    )


def _is_no_extreme(cue: Cue, before: str, after: str) -> bool:
    """“At least”, “most of”, “the top 10%”, “the latest year”, “5 min”, “most respondents”."""
    if cue.words in ("latest", "earliest") or (cue.words, after) in _NO_EXTREME:
        return True
    if before == "at" and cue.words in ("most", "least", "best"):
        return True
    if cue.words in ("top", "bottom", "min", "record"):
        return after[:1].isdigit() or before[-1:].isdigit() or (cue.words == "record" and before == "to")
    if cue.words not in ("most", "best") or before in _BEFORE_MOST:
        return False
    return after == "of" or after.endswith("ly") or (after.endswith("s") and before in _QUANTIFIED)


def _is_no_rival(sentence: Marked, cue: Cue) -> bool:
    """Whether “exceeds” or “above” only bounds a number, or “above” says by how much of none."""
    if cue.words in ("above", "below", "over", "under"):
        return not any(0 < cue.first - one.last <= 2 and one.stated.amount.bound == "=" for one in sentence.numbers)
    following = next((one for one in sentence.numbers if one.first > cue.last), None)
    return following is not None and following.stated.amount.bound != "=" and following.first - cue.last <= 3


def _is_ordering(sentence: Marked, cue: Cue) -> bool:
    """“From smallest to largest”, “from the longest bar downwards”, “the shortest bars first”: an order, not an extreme."""
    before, after = sentence.words[max(0, cue.first - 4) : cue.first], sentence.words[cue.last + 1 : cue.last + 4]
    if "from" in before and {"to", "down", "downwards", "up", "upwards"} & {*after}:
        return True
    if "to" in before and any(c.tag in ("most", "least") and 0 < cue.first - c.last <= 3 for c in sentence.cues):
        return True
    return "first" in after and sentence.words[0] in (
        "ordering",
        "ordered",
        "sorting",
        "listing",
        "arranging",
        "ranking",
    )


def _bounds(sentence: Marked, cue: Cue, than: int) -> bool:
    """Whether “more than” only bounds a number."""
    return than == cue.last + 1 and any(
        n.stated.amount.bound != "=" and 0 < n.first - than <= 3 for n in sentence.numbers
    )


def _cuts(sentence: Marked, anchors: Sequence[_Anchor], inside: set[int]) -> Iterator[int]:
    """Where the sentence is cut: at the strongest separator between two predicates."""
    for left, right in itertools.pairwise(anchors):
        if left.kind == right.kind == "number" and _is_list(sentence, left.last, right):
            continue
        if left.kind == right.kind == "number" and _is_limit(sentence, left, right):
            continue
        if (
            right.kind == "number"
            and left.kind != "number"
            and sentence.word(right.first - 1) == "by"
            and right.first - left.last <= 9
        ):
            continue
        if left.kind in ("most", "least") and right.kind == "number" and _is_apposed(sentence, left, right):
            continue
        if right.kind == "followed":
            yield right.first
            continue
        if left.kind == "shortage" and right.kind == "number" and right.first - left.last <= 3:
            continue
        at = _separator(sentence, left, right, inside)
        if at is not None:
            yield at
    for i, word in enumerate(sentence.words[:-1]):
        if word in ("but", "whereas") and any(a.last < i for a in anchors) and i not in inside:
            yield i
        if i not in inside and _opens_clause(sentence, i) and not any(a.first <= i <= a.last for a in anchors):
            yield i


_CLAUSES = frozenset("because since although though while whereas when as so but yet and which who where for".split())
_LONG = 4


def _opens_clause(sentence: Marked, i: int) -> bool:
    """Whether a clause begins here that may say something of its own, though it has neither number nor relation: “, because of the rain”."""
    word, following = sentence.words[i], sentence.word(i + 1)
    if word == ";" or (word == "," and following in _CLAUSES):
        return len(sentence.words) - i > _LONG and i >= _LONG and not _joins_names(sentence, i)
    return word in ("because", "although", "though", "thanks", "owing") and i >= _LONG


def _is_apposed(sentence: Marked, left: _Anchor, right: _Anchor) -> bool:
    """Whether a number only goes on with an extreme that is named later: “The smallest of them, 96, was recorded on Tuesday”."""
    if any(name.axis == "row" and name.first < right.first for name in sentence.names):
        return False
    close = right.first - left.last <= 6 and "," in sentence.words[left.last : right.first]
    return close and any(name.first > right.last for name in sentence.names)


def _is_limit(sentence: Marked, left: _Anchor, right: _Anchor) -> bool:
    """Whether a count is followed by the limit that is met: “four children who read more than 8 books”."""
    one, other = (next(n for n in sentence.numbers if n.first == a.first).stated.amount for a in (left, right))
    between = sentence.words[left.last + 1 : right.first]
    whole = one.quantity.value.is_integer() and one.quantity.value < 40 and not one.quantity.unit
    return (
        whole
        and (other.bound != "=" or not one.quantity.value)
        and {"who", "that", "which", "with"} & {*between} != set()
        and "," not in between
    )


_WORDED = frozenset("no none nobody nothing majority most minority".split())


def _is_list(sentence: Marked, end: int, right: _Anchor) -> bool:
    """Whether only commas and “and” stand between two numbers, and the second is not how far two things are apart."""
    between = sentence.words[end + 1 : right.first]
    if not between or not all(word in _JOINTS for word in between):
        return False
    if (not sentence.tokens[end].is_number and sentence.words[end] in _WORDED) or sentence.words[
        right.first
    ] in _WORDED:
        return False
    return not any(
        cue.tag in ("beats", "trails", "more", "less") and right.last < cue.first <= right.last + 3
        for cue in sentence.cues
    )


def _separator(sentence: Marked, left: _Anchor, right: _Anchor, inside: set[int]) -> int | None:
    """The place of the strongest separator between two predicates, outside names; of equals the first."""
    named = {i for name in sentence.names for i in range(name.first, name.last + 1)}
    best, strength, paired = None, 0, False
    for i in range(left.last + 1, right.first):
        word = sentence.words[i]
        if i in inside or (i in named and i - 1 in named and i + 1 in named) or (word == "and" and paired):
            continue
        power = 0 if word == ":" and _leads_on(sentence, i, left, right) else _power(sentence, i, left)
        if power and _joins_names(sentence, i):
            power = int((left.kind == "number") == (right.kind == "number"))
        if power > strength:
            best, strength = i, power
        paired = paired or word in ("between", "both", "either")
    return best


def _power(sentence: Marked, i: int, left: _Anchor) -> int:
    """How strongly a word separates."""
    word, following = sentence.words[i], sentence.word(i + 1)
    if word == "-":
        return 8 if _is_dash(sentence, i) else 0
    if word == "as":
        likened = any(c.tag in ("as", "times", "twice") for c in sentence.cues)
        return 2 if left.kind in ("number", "rises", "falls") and not likened else 0
    if word == "," and following in _BREAKS:
        return 2 * max(_BREAKS[word], _BREAKS[following]) + 2
    return 2 * _BREAKS.get(word, 0)


def _leads_on(sentence: Marked, i: int, left: _Anchor, right: _Anchor) -> bool:
    """Whether a colon only leads up to the number, or to the name, of what stands before it: “Lowest attendance: Wednesday”."""
    if right.kind == "number" and right.first - i <= 2 and left.kind != "number":
        return True
    return left.kind in ("most", "least") and not any(name.last < i for name in sentence.names)


def _is_dash(sentence: Marked, i: int) -> bool:
    """Whether a stroke stands between spaces, and before no number that it would make negative."""
    start, end = sentence.tokens[i].start, sentence.tokens[i].end
    return sentence.text[start - 1 : start] == " " == sentence.text[end : end + 1]


def _joins_names(sentence: Marked, at: int) -> bool:
    """Whether a separator stands between two names of one axis, in a list of them."""
    before = [name for name in sentence.names if name.last < at]
    after = [name for name in sentence.names if name.first > at]
    if not before or not after:
        return False
    left, right = max(before, key=lambda n: n.last), min(after, key=lambda n: n.first)
    between = sentence.words[left.last + 1 : right.first]
    return left.axis == right.axis and all(word in _LISTED for word in between)


_LISTED = frozenset(", and & or the both a an in on for of at".split())


def _piece(
    sentence: Marked, first: int, stop: int, inside: set[int], *, derived: bool, aside: bool = False
) -> Piece | None:
    while first < stop and (sentence.words[first] in _OPENERS or sentence.words[first] in ",;:()-"):
        first += 1
    while stop > first and sentence.words[stop - 1] in ",;:.(-":
        stop -= 1
    if first >= stop:
        return None

    def within(place: int) -> bool:
        return first <= place < stop and place not in inside

    return Piece(
        sentence=sentence,
        first=first,
        stop=stop,
        names=tuple(name for name in sentence.names if within(name.first)),
        numbers=tuple(number for number in sentence.numbers if within(number.first)),
        cues=tuple(cue for cue in sentence.cues if within(cue.first) and not is_part(sentence, cue)),
        derived=derived,
        aside=aside,
    )
