"""What sentences about tables, charts and named quantities assert: values, comparisons, extremes, trends, totals, shares, counts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from evpv.language.clauses import Clause, Stated, times_word
from evpv.language.forms import (
    Aggregate,
    Amount,
    Bound,
    Comparison,
    Count,
    Extreme,
    Form,
    Listing,
    Open,
    Order,
    Phrase,
    Position,
    Share,
    Trend,
    Value,
)
from evpv.language.lexicon import ORDINALS
from evpv.language.quantities import Quantity, conversion, quantities
from evpv.language.tokens import Cue, Token, stem

_PLACING = frozenset("at in for on after before under row column during per near until through since".split())
_SORTED = frozenset("ascending descending sorted arranged ordered smallest increasing least".split())
_CHEAP = frozenset("affordable inexpensive economical cheap budget".split())
_UNMOVED = frozenset("same unchanged constant stable flat steady level equal identical change".split())
_NONE = frozenset({"no", "none", "nobody", "nothing", "no one", "neither"})
_ZERO_BLOCK = frozenset(
    "one longer more matter change data information clear need significant other fewer less such state doubt".split()
)
_AGGREGATES: dict[str, Literal["sum", "mean", "median", "range", "mode", "difference"]] = {
    "total": "sum", "mean": "mean", "median": "median", "range": "range", "mode": "mode", "difference": "difference",
}  # fmt: skip


def tabular_forms(clause: Clause, before: Sequence[Clause]) -> list[Form]:
    """The forms of one clause, the deciding one first; `before` are the clauses of the sentence so far."""
    if sums := _written_sums(clause):
        return sums
    if values := _function_values(clause):
        return values
    only = clause.has("only")
    bounded = next((one for one in clause.amounts if one.amount.bound != "="), None)
    if excepted := _all_but(clause, bounded):
        return [excepted]
    if only is not None and (limit := bounded or _reached(clause)) is not None and (one := _only(clause, only, limit)):
        return [one]
    if nobody := _nobody(clause):
        return [nobody]
    if counted := _counted(clause, bounded):
        return [counted]
    if none := _none(clause, bounded):
        return [none]
    if (mode := _mode(clause)) is not None:
        return [mode]
    if not clause.amounts and any(
        a.lower in ("most", "majority") and b.lower == "of" for a, b in itertools.pairwise(clause.tokens)
    ):
        return [Open(about=clause.phrase(), reason="it says what most are, which the figure does not")]
    apart = clause.has("trails", "beats")
    if apart is not None and any(0 < apart.first - one.last <= 2 for one in clause.amounts):
        return _comparison(clause)
    if (extreme := _extreme_cue(clause)) is not None:
        return _extreme(clause, extreme)
    if compared := _comparison(clause):
        return compared
    if moved := _trend(clause):
        return moved
    return _plain_values(clause, before)


def _shown(clause: Clause, *hidden: Stated) -> Clause:
    """The clause in which only the given amounts are hidden: the others name something (“at a price of $1,090”)."""
    spans = {i for one in clause.amounts if one not in hidden for i in range(one.first, one.last + 1)}
    return replace(clause, hidden=clause.hidden - spans)


def _written_sums(clause: Clause) -> list[Form]:
    """“10 + 81 + 9 = 100 graduates in total”: a sum whose terms may be a column."""
    for equation in clause.equations:
        sides = equation.sides
        total, terms = sides[-1], next((side for side in sides if side.kind == "calculation"), None)
        if terms is None or total.kind != "number" or total.quantity is None or set(terms.text) & set("-*/×÷·^√("):
            continue
        numbers = quantities(terms.text)
        noun = [t for t in clause.tokens if t.start >= equation.end and t.is_content and t.is_word]
        named = [t for t in clause.tokens if t.end <= equation.start and t.is_content and t.is_word]
        if len(numbers) >= 2 and (noun or clause.has("total") or named):
            amount = Amount(quantity=total.quantity, hedged=equation.about)
            return [Aggregate(kind="sum", about=clause.phrase(), amount=amount, terms=tuple(numbers))]
    return []


def _reached(clause: Clause) -> Stated | None:
    """“Only Joseph reached the 10-mile mark”."""
    if not any(t.lower in ("reached", "reaches", "hit", "hits", "attained", "topped") for t in clause.tokens):
        return None
    return next((replace(one, amount=replace(one.amount, bound=">=")) for one in reversed(clause.amounts)), None)


def _all_but(clause: Clause, bounded: Stated | None) -> Form | None:
    """“Every frequency is above 3 except for one”, “all but Ann scored more than 20”."""
    cue = next(
        (
            c
            for c in clause.cues
            if c.tag == "except"
            and (
                c.words != "but"
                or (c.first and clause.tokens[c.first - 1].lower in ("all", "every", "everyone", "each"))
            )
        ),
        None,
    )
    if cue is None or bounded is None or not clause.has("every"):
        return None
    shown = _shown(clause, bounded)
    stop = next(
        (
            i
            for i in range(cue.last + 1, len(clause.tokens))
            if clause.tokens[i].lower in ("is", "are", "was", "were", "has", "have", "scored", ",")
        ),
        len(clause.tokens),
    )
    return Count(about=shown.phrase(), number=None, limit=bounded.amount, excepted=shown.phrase(cue.last + 1, stop))


def _function_values(clause: Clause) -> list[Form]:
    """“f(-3) = -4”: a value of a graph at a place."""
    found: list[Form] = []
    for equation in clause.equations:
        left, right = equation.sides[0], equation.sides[-1]
        name, _, rest = left.text.partition("(")
        if len(equation.sides) != 2 or right.quantity is None or len(name.strip()) != 1 or not rest.endswith(")"):
            continue
        inside = rest[:-1].strip()
        if inside.lstrip("-").replace(".", "", 1).isdigit():
            own = tuple(t for t in clause.tokens if left.start <= t.start < left.end and t.text not in "()")
            place = Token("x", "x", left.start, left.start, "x")
            signed = tuple(
                Token(inside, stem(inside), t.start, t.end, inside) if t.is_number else t for t in own if t.text != "-"
            )
            found.append(
                Value(about=Phrase(tokens=(*signed, place), text=left.text), amount=Amount(quantity=right.quantity))
            )
    return found


def _only(clause: Clause, cue: Cue, limit: Stated) -> Form | None:
    """“Only A and B exceed 80”, “A is the only one above 80”, “in one year only”."""
    if any(one.first == cue.last + 1 for one in clause.amounts):
        return None
    clause = _shown(clause, limit)
    if cue.first > limit.last and cue.last + 1 < len(clause.tokens) and clause.tokens[cue.last + 1].is_word:
        return Count(about=clause.phrase(), number=None, limit=limit.amount, names=clause.phrase(cue.last + 1))
    near = [t.lower for t in clause.tokens[max(0, cue.first - 2) : cue.last + 3]]
    following = clause.word(cue.last + 1)
    if following == "one" or ("one" in near and cue.first > 2 and "the" not in near[:2]):
        return Count(about=clause.phrase(), number=1, limit=limit.amount)
    names = clause.phrase(cue.last + 1, limit.first) if cue.first <= 1 else clause.phrase(0, cue.first)
    return Count(about=clause.phrase(), number=None, limit=limit.amount, names=names)


def _nobody(clause: Clause) -> Form | None:
    """“Nobody ended up with a score of 2”: a zero, with the number naming where."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in ("nobody", "no one", "none")), None)
    if (
        cue is None
        or cue.first > 6
        or not all(cue.first < one.first for one in clause.amounts)
        or len(clause.amounts) != 1
        or clause.amounts[0].amount.bound != "="
    ):
        return None
    at = clause.tokens[cue.first]
    zero = Quantity(value=0.0, start=at.start, end=at.end, spelled=True)
    return Value(about=_shown(clause).phrase(), amount=Amount(quantity=zero))


_JUDGED = (
    "most",
    "least",
    "more",
    "less",
    "same",
    "differ",
    "rises",
    "falls",
    "steady",
    "beats",
    "trails",
    "composed",
    "over",
    "under",
)


def _number_of_the(clause: Clause) -> int | None:
    """The three of “three of the farmers”."""
    for index, token in enumerate(clause.tokens):
        words = [t.lower for t in clause.tokens[index + 1 : index + 3]]
        if token.stem.isdigit() and words[:1] == ["of"] and words[1:] and words[1] in ("the", "these", "those", "them"):
            return int(token.stem)
    return None


def _counted(clause: Clause, bounded: Stated | None) -> Form | None:
    """“Three of the five years are above 20”."""
    if (
        len(clause.amounts) >= 2
        and (same := clause.has("same")) is not None
        and not same.words.startswith("equal")
        and clause.amounts[0].amount.quantity.spelled
        and clause.amounts[0].first <= 1
    ):
        return Count(
            about=clause.phrase(), number=int(clause.amounts[0].amount.quantity.value), limit=clause.amounts[1].amount
        )
    number = _number_of_the(clause)
    if number is not None and len(clause.amounts) == 1 and (clause.amounts[0].first > 3 or bounded):
        return Count(about=clause.phrase(), number=number, limit=clause.amounts[0].amount)
    if (limit := _reached(clause)) is not None and limit.first > 1 and clause.tokens[0].stem.isdecimal():
        return Count(about=clause.phrase(1), number=int(clause.tokens[0].stem), limit=limit.amount)
    if number is not None and number > 1 and not clause.amounts and not clause.has(*_JUDGED):
        return Open(about=clause.phrase(), reason="it counts some of a group by what was not read", kind="numeric")
    if bounded is None or len(clause.amounts) < 2 or clause.amounts[0] is bounded:
        return None
    first = clause.amounts[0]
    following = clause.word(first.last + 1)
    whole = first.amount.quantity
    if (
        (whole.unit is not None and whole.unit not in ("year", "day", "week"))
        or not whole.value.is_integer()
        or (following != "of" and not clause.has("all"))
    ):
        return None
    return Count(about=clause.phrase(), number=int(whole.value), limit=bounded.amount)


def _none(clause: Clause, bounded: Stated | None) -> Form | None:
    """“No year had more than 50”, “no item is dearer than the coat”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in _NONE), None)
    if cue is None or cue.first > 3:
        return None
    if bounded is not None:
        return Count(about=_shown(clause, bounded).phrase(cue.last + 1), number=0, limit=bounded.amount)
    than = clause.has("than")
    more = clause.has("more", "less")
    if than is not None and more is not None and more.first < than.first:
        return Extreme(
            most=more.tag == "more",
            rank=1,
            subject=clause.phrase(than.last + 1),
            group=clause.phrase(cue.last + 1, than.first),
            tied=True,
        )
    return None


def _mode(clause: Clause) -> Form | None:
    """“The number that appears most often is 5”."""
    words = " ".join(token.lower for token in clause.tokens)
    often = any(
        phrase in words
        for phrase in (
            "most often",
            "most frequently",
            "most frequent",
            "most common number",
            "most common value",
            "appears most",
            "occurs most",
        )
    )
    stated = next((one for one in clause.amounts if one.role in _COPULA), None)
    if not often or stated is None or ("number" not in words and "value" not in words):
        return None
    return Aggregate(kind="mode", about=Phrase(), amount=stated.amount)


def _extreme_cue(clause: Clause) -> Cue | None:
    """The cue of an extreme that is said of something, not part of “at least” or “most of the”."""
    for cue in clause.cues:
        if cue.tag not in ("most", "least"):
            continue
        before = clause.word(cue.first - 1)
        after = clause.word(cue.last + 1)
        if before in ("on", "its") and cue.words in ("top", "bottom"):
            continue
        if (
            before == "at"
            and cue.words in ("most", "least", "best", "bottom", "top")
            and after not in (",", ".", "", "with")
        ):
            continue
        if cue.words == "most" and after == "of":
            continue
        if (
            cue.words in ("top", "bottom")
            and after in ("of", "right", "left", "row", "half", "two", "three", "five", "and")
            and before != "at"
        ):
            continue
        if after == "to" or (
            before == "to" and any(c.tag in ("most", "least") and c.last < cue.first for c in clause.cues)
        ):
            continue
        if cue.words in ("minimum", "maximum", "max", "min") and (
            before in ("a", "an", "same", "equal", "of") or after == "of"
        ):
            continue
        return cue
    than = clause.has("than")
    if than is not None and than.last + 1 < len(clause.tokens):
        words = [t.lower for t in clause.tokens[than.last + 1 : than.last + 6]]
        words = words[words[0] in ("in", "on", "at", "for", "during") :]
        if any(t.lower in ("combined", "together") for t in clause.tokens[than.last :]):
            return None
        more = clause.has("more", "less")
        if (
            more is not None
            and words[:1]
            and (
                words[0] in ("any", "all", "every", "everyone")
                or words[:2] == ["the", "others"]
                or "others" in words[:3]
            )
            and ("other" in words or "else" in words or "others" in words or "rest" in words)
        ):
            return Cue("most" if more.tag == "more" else "least", more.words, more.first, than.last)
    return None


def _extreme(clause: Clause, cue: Cue) -> list[Form]:
    rank = 1
    for token in clause.tokens[max(0, cue.first - 3) : cue.first]:
        rank = ORDINALS.get(token.lower, rank)
    after = [one for one in clause.amounts if one.first > cue.last and one.role != "times"]
    plain = [one for one in after if one.role not in ("in", "for", "on") or one.amount.quantity.unit]
    leading = [
        one
        for one in clause.amounts
        if one.last < cue.first
        and one.role in ("with", "at", "of", "has", "is", "had", "scored", "sold", "", ",", "percent", "hotel")
        and not _names_row(clause, one)
    ]
    said = [one for one in clause.amounts if one.role in _COPULA and one.first > cue.last]
    stated = next(iter(said or plain or after or leading), None)
    clause = _shown(clause, *([stated] if stated else []))
    followed = clause.has("followed")
    stop = followed.first if followed else None
    followers = _coordinated(clause, followed.last + 1) if followed else ()
    adjective = clause.tokens[cue.first].stem
    if cue.words in ("most", "least") and cue.last + 1 < len(clause.tokens):
        adjective = clause.tokens[cue.last + 1].stem
    names = _without_rank(clause, cue)
    return [
        Extreme(
            most=(cue.tag == "most") != (adjective in _CHEAP),
            rank=rank,
            subject=names.phrase(0, cue.first),
            group=names.phrase(cue.last + 1, stop),
            amount=stated.amount if stated else None,
            followers=followers,
            tied=clause.has("same") is not None or clause.has("both") is not None,
            adjective=adjective,
        )
    ]


def _names_row(clause: Clause, one: Stated) -> bool:
    """Whether a number before an extreme belongs to the subject's name: “the row for 1 pair has the highest”."""
    before = [t.lower for t in clause.tokens[max(0, one.first - 3) : one.first]]
    return "for" in before or "row" in before


def _without_rank(clause: Clause, cue: Cue) -> Clause:
    ranks = {i for i in range(max(0, cue.first - 3), cue.first) if clause.tokens[i].lower in ORDINALS}
    return replace(clause, hidden=clause.hidden | ranks)


def _coordinated(clause: Clause, first: int) -> tuple[Phrase, ...]:
    """The things that commas and “and” join from token `first` on."""
    found, start = [], first
    for index in range(first, len(clause.tokens) + 1):
        ends = index == len(clause.tokens) or clause.tokens[index].lower in (",", "and", "then", ".")
        if ends:
            phrase = clause.phrase(start, index)
            if any(token.is_content for token in phrase.tokens):
                found.append(phrase)
            start = index + 1
    return tuple(found)


def _comparison(clause: Clause) -> list[Form]:
    """Two things compared: “more … than”, “exceeds”, “the same”, “as many as”, “twice”, “1.5 times as many”."""
    if multiples := _bought_alike(clause):
        return [multiples]
    than, beats = _than(clause), clause.has("beats", "trails", "overtakes")
    more = clause.has("more", "less")
    factor = times_word(clause)
    times = next((one for one in clause.amounts if one.role == "times"), None)
    if beats is not None and beats.words in ("<", ">") and not any(t.is_content and t.is_word for t in clause.tokens):
        return []
    if beats is not None and not _is_bound(clause, beats.last):
        passive = (
            any(t.lower == "by" for t in clause.tokens[beats.last + 1 : beats.last + 3])
            and beats.words.endswith("ed")
            and not any(one.first <= beats.last + 4 for one in clause.amounts if one.role == "by")
        )
        order: Order = "less" if (beats.tag == "trails") != passive else "greater"
        return _compared(clause, order, beats.first, beats.last + 1)
    apart = _apart_cue(clause) or _level_cue(clause)
    if apart is not None:
        return _compared(clause, "greater" if apart.tag == "over" else "less", apart.first, apart.last + 1)
    doubled = than is not None and factor is not None and factor[1].first == than.last + 1
    if (
        than is not None
        and more is not None
        and more.first < than.first
        and not doubled
        and not _is_bound(clause, than.last)
    ):
        return _compared(clause, "greater" if more.tag == "more" else "less", than.first, than.last + 1, times)
    if times is not None or (
        factor is not None
        and not clause.has("rises", "falls")
        and factor[1].words not in ("doubled", "tripled", "halved", "quadrupled")
    ):
        return _multiple(clause, times, factor)
    alone = next(
        (one for one in clause.amounts if more is not None and 0 < more.first - one.last <= 3 and one.role != "times"),
        None,
    )
    if alone is not None and more is not None and than is None:
        return [
            Comparison(
                order="greater" if more.tag == "more" else "less", left=clause.phrase(), right=Phrase(), by=alone.amount
            )
        ]
    cue = clause.has("as")
    if cue is not None:
        second = next((i for i in range(cue.last + 1, len(clause.tokens)) if clause.tokens[i].lower == "as"), None)
        if second is not None:
            return [Comparison(order="equal", left=clause.phrase(0, second), right=clause.phrase(second + 1))]
    if clause.has("same", "differ") and not clause.amounts:
        cue = clause.has("same", "differ")
        assert cue is not None
        if cue.words in (
            "equals",
            "matches",
            "matched",
            "match",
            "even with",
            "level with",
            "equal",
        ) and cue.last + 1 < len(clause.tokens):
            return [Comparison(order="equal", left=clause.phrase(0, cue.first), right=clause.phrase(cue.last + 1))]
        if (
            cue.words in ("same", "identical")
            and cue.last + 2 < len(clause.tokens)
            and clause.tokens[cue.last + 1].lower in ("as", "to")
        ):
            return [Comparison(order="equal", left=clause.phrase(0, cue.first), right=clause.phrase(cue.last + 2))]
        return [Comparison(order="equal", left=clause.phrase(), right=Phrase())]
    return []


_BUYING = frozenset("cost costs weigh weighs".split())
_COUNTED = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}


def _bought_alike(clause: Clause) -> Form | None:
    """“Two umbrellas cost as much as one pair of gloves”: so many of one thing against so many of another."""
    words = list(clause.words)
    verb = next((i for i, word in enumerate(words) if word in _BUYING), None)
    if verb is None or words[verb + 1 : verb + 4] not in (["as", "much", "as"], ["the", "same", "as"]):
        return None
    left, right = (
        [number for word in part if (number := _number_said(word))] for part in (words[:2], words[verb + 4 : verb + 6])
    )
    many = (left[0] if left else 1, right[0] if right else 1)
    if many == (1, 1):
        return None
    shown = replace(clause, hidden=clause.hidden | {i for i, word in enumerate(words) if _number_said(word)})
    return Comparison(order="equal", left=shown.phrase(0, verb), right=shown.phrase(verb + 4), multiples=many)


def _number_said(word: str) -> int:
    return _COUNTED.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else 0)


def _apart_cue(clause: Clause) -> Cue | None:
    """“0.7 points below the male rate”: a difference without “than”."""
    for cue in clause.cues:
        if cue.tag in ("over", "under") and cue.words in ("above", "below", "over", "under"):
            before = next((one for one in clause.amounts if 0 < cue.first - one.last <= 2), None)
            if (
                before is not None
                and cue.last + 2 < len(clause.tokens)
                and not any(one.first > cue.last for one in clause.amounts)
            ):
                return cue
    return None


_LIES = frozenset(
    "is was are were lies lie lay sits stands stood stays stayed remained remains ranks ranked finished still well far just".split()
)


def _level_cue(clause: Clause) -> Cue | None:
    """“The blue line lies above the red one”: a comparison without a number."""
    for cue in clause.cues:
        said = cue.words in ("above", "below") and cue.first > 1 and clause.tokens[cue.first - 1].lower in _LIES
        if said and cue.last + 1 < len(clause.tokens) and not any(one.first > cue.last for one in clause.amounts):
            return cue
    return None


def _than(clause: Clause) -> Cue | None:
    """The word that a comparison turns on; “compared with 2011, …” opens a trend instead."""
    return next((c for c in clause.cues if c.tag == "than" and (c.words == "than" or c.first > 0)), None)


def _is_bound(clause: Clause, last: int) -> bool:
    """Whether a comparison is with a number: “more than 170 pumpkins”."""
    following = next((one for one in clause.amounts if one.first > last), None)
    if following is None or following.first - last > 4:
        return False
    return following.amount.bound != "=" and not any(t.is_content for t in clause.tokens[last + 1 : following.first])


def _compared(clause: Clause, order: Order, middle: int, right: int, times: Stated | None = None) -> list[Form]:
    more = clause.has("more", "less", "trails", "beats")
    amounts = [one for one in clause.amounts if one.role != "times"]
    by = next((one for one in amounts if one.role == "by"), None) or next(
        (one for one in amounts if (more is not None and 0 < more.first - one.last <= 4) or 0 < middle - one.last <= 3),
        None,
    )
    rest = [one for one in amounts if one is not by and one.first >= right and one.role not in _PLACING]
    inner = rest[0] if len(rest) == 1 and _in_brackets(clause, rest[0]) else None
    pair = rest if len(rest) == 2 else []
    shown = _shown(clause, *rest, *(one for one in (by, times) if one is not None))
    form = Comparison(
        order=order,
        left=shown.phrase(0, middle),
        right=shown.phrase(right),
        by=by.amount if by else None,
        times=times.amount if times else None,
    )
    extra: list[Form] = [Value(about=shown.phrase(right), amount=inner.amount)] if inner is not None else []
    if pair:
        extra = [
            Value(about=shown.phrase(0, middle), amount=pair[0].amount),
            Value(about=shown.phrase(right), amount=pair[1].amount),
        ]
    return [form, *extra]


def _in_brackets(clause: Clause, one: Stated) -> bool:
    """Whether a number is said of the name right before it: “than Corinthians (33,061)”, “than the guitar, at $8”."""
    return (one.first > 0 and clause.tokens[one.first - 1].text in ("(", "$", "of")) or one.role in ("of", "at", "with")


def _multiple(clause: Clause, times: Stated | None, factor: tuple[float, Cue] | None) -> list[Form]:
    """“Roughly 1.5 times as many videos as carousels”, “twice that of 2007”, “half of the budget” is a share instead."""
    if times is not None:
        amount, end = times.amount, times.last + 1
        start = times.first
    else:
        assert factor is not None
        cue = factor[1]
        if cue.words in ("half of", "half the") and not clause.labels and not _names_after(clause, cue.last):
            return []
        amount, start, end = (
            Amount(
                quantity=Quantity(value=factor[0], places=None),
                hedged=_hedged(clause, cue.first),
                bound=_bound_before(clause, cue.first),
            ),
            cue.first,
            cue.last,
        )
    second = next((i for i in range(end + 1, len(clause.tokens)) if clause.tokens[i].lower in ("as", "than")), None)
    first_as = next((i for i in range(end, len(clause.tokens)) if clause.tokens[i].lower == "as"), None)
    if first_as is not None:
        second = next((i for i in range(first_as + 1, len(clause.tokens)) if clause.tokens[i].lower == "as"), None)
    previous = any(t.lower in ("previous", "preceding", "before", "next", "last") for t in clause.tokens[end:])
    if second is not None:
        left = Phrase(
            tokens=(*clause.phrase(0, start).tokens, *clause.phrase(end, second).tokens), text=clause.text[:60]
        )
        return [Comparison(order="equal", left=left, right=clause.phrase(second + 1), times=amount)]
    right = clause.phrase(end)
    if previous:
        right = Phrase(tokens=right.tokens, text="the previous one")
    return [Comparison(order="equal", left=clause.phrase(0, start), right=right, times=amount)]


def _names_after(clause: Clause, last: int) -> bool:
    """Whether a proper name follows: “half of Bob's score” compares, “half of the budget” is a share."""
    return any(t.text.endswith("'s") or t.lower in ("that", "what") for t in clause.tokens[last + 1 : last + 4])


def _hedged(clause: Clause, first: int) -> bool:
    return any(cue.tag == "hedge" and 0 <= first - cue.last <= 2 for cue in clause.cues)


def _bound_before(clause: Clause, first: int) -> Bound:
    words = {t.lower for t in clause.tokens[max(0, first - 3) : first]}
    if words & {"over"} or {"more", "than"} <= words:
        return ">"
    return "<" if {"less", "than"} <= words or "under" in words else "="


def _trend(clause: Clause) -> list[Form]:
    """A movement: “fell to 7 in 2010”, “rose from 26% to 30%”, “went down between 2015 and 2019”, “stayed at 15”."""
    cue = clause.has("rises", "falls") or clause.has("steady")
    if cue is None:
        return _from_to(clause)
    amounts = [one for one in clause.amounts if one.role != "times"]
    if cue.tag == "steady" and amounts:
        shown = _shown(clause, *amounts)
        return [Value(about=shown.phrase(), amount=one.amount, each=True) for one in amounts]
    if cue.tag == "steady" and not set(clause.words) & _UNMOVED:
        return []
    if clause.has("difference") and len(amounts) == 1:
        return [Aggregate(kind="difference", about=_shown(clause, *amounts).phrase(), amount=amounts[0].amount)]
    roles: dict[str, Stated] = {}
    for one in amounts:
        role = {
            "by": "by",
            "of": "by",
            "from": "first",
            "to": "last",
            "at": "last",
            "reaching": "last",
            "reached": "last",
        }.get(one.role)
        noun = cue.first > 0 and clause.tokens[cue.first - 1].lower in (
            "the",
            "a",
            "an",
            "this",
            "its",
            "that",
            "biggest",
            "largest",
        )
        if role is None and noun and one.role in ("is", "was", "were", "amounted", "came"):
            role = "by"
        if (
            one.role == "of"
            and {"to", "low", "high"}
            <= {t.lower for t in clause.tokens[max(0, one.first - 5) : one.first]} | {"low", "high"}
            and "to" in [t.lower for t in clause.tokens[max(0, one.first - 5) : one.first]]
        ):
            role = "last"
        if role is None:
            role = "by" if one.first - cue.last in (1, 2, 3) or one.amount.hedged else "last"
        roles.setdefault(role, one)
    shown = _shown(clause, *roles.values())
    start, end = _span(shown)
    factor = times_word(clause)
    times = (
        Amount(
            quantity=Quantity(value=factor[0], places=None),
            hedged=_hedged(clause, factor[1].first),
            bound=_bound_before(clause, factor[1].first),
        )
        if factor
        else None
    )
    orders: dict[str, Order] = {"rises": "greater", "falls": "less", "steady": "equal"}
    order = orders[cue.tag]
    if cue.words == "closed":
        order = "less" if amounts else "equal"
    return [
        Trend(
            order=order,
            about=shown.phrase(),
            start=start,
            end=end,
            steady=clause.has("every") is not None
            or any(t.lower in ("steady", "interruption", "continuous") for t in clause.tokens),
            by=roles["by"].amount if "by" in roles else None,
            first=roles["first"].amount if "first" in roles else None,
            last=roles["last"].amount if "last" in roles else None,
            times=times,
        )
    ]


def _from_to(clause: Clause) -> list[Form]:
    """“Going from 55.3 in 2009 down to 30.9 in 2019”, “doubled from 2019 to 2020”."""
    roles = {one.role: one for one in clause.amounts}
    factor = times_word(clause)
    if "from" in roles and "to" in roles and len(clause.amounts) == 2:
        shown = _shown(clause, *clause.amounts)
        middle = roles["to"].first
        start, end = _span(shown)
        first, last = roles["from"].amount, roles["to"].amount
        if start and end:
            order: Order = "greater" if last.quantity.absolute > first.quantity.absolute else "less"
            return [Trend(order=order, about=shown.phrase(), start=start, end=end, first=first, last=last)]
        return [
            Value(about=shown.phrase(0, middle), amount=roles["from"].amount),
            Value(about=shown.phrase(middle), amount=roles["to"].amount),
        ]
    if factor is not None and factor[1].words in (
        "doubled",
        "tripled",
        "quadrupled",
        "halved",
        "doubling",
        "tripling",
        "doubles",
        "triples",
    ):
        start, end = _span(clause)
        times = Amount(
            quantity=Quantity(value=factor[0], places=None),
            hedged=_hedged(clause, factor[1].first),
            bound=_bound_before(clause, factor[1].first),
        )
        return [
            Trend(
                order="less" if factor[0] < 1 else "greater", about=clause.phrase(), start=start, end=end, times=times
            )
        ]
    if clause.has("overtakes"):
        return []
    return []


def _span(clause: Clause) -> tuple[Phrase, Phrase]:
    """The two points that a movement runs between: “from 2015 to 2019”, “since 2012”, “compared with 2011”."""
    found = clause.tokens
    for index, token in enumerate(found):
        word = token.lower
        if word in ("from", "between", "since", "after") or (word == "compared" and index + 1 < len(found)):
            first = index + (2 if word == "compared" else 1)
            stop = next(
                (
                    i
                    for i in range(first, len(found))
                    if found[i].lower in ("to", "and", "until", "through", "till", ",", "by", "-")
                ),
                len(found),
            )
            joins = stop < len(found) and found[stop].lower not in (",",)
            last = next(
                (
                    i
                    for i in range(stop + 1, len(found))
                    if found[i].text in ",;()." or found[i].lower in ("while", "with")
                ),
                len(found),
            )
            start = clause.phrase(first, stop)
            end = clause.phrase(stop + 1, last) if joins else Phrase()
            if any(t.is_content for t in start.tokens):
                return start, end
    return Phrase(), Phrase()


def _plain_values(clause: Clause, before: Sequence[Clause]) -> list[Form]:
    """Amounts that are simply said of something."""
    amounts = [one for one in clause.amounts if one.role != "times"]
    if clause.opener == "then" and not any(t.is_content and t.is_word for t in clause.phrase().tokens):
        return []
    if not amounts:
        zero = _zero(clause)
        return [zero] if zero else []
    if point := _position(clause, amounts):
        return [point]
    if _is_conversion(amounts):
        return []
    if listed := _listing(clause, amounts, before):
        return [listed]
    if _any_may_be_meant(clause, amounts):
        others = tuple(one.amount for one in amounts[1:])
        return [Value(about=_shown(clause).phrase(), amount=amounts[0].amount, others=others)]
    asserted = _asserted(clause, amounts)
    shown = _shown(clause, *asserted)
    kind = next((tag for tag in _AGGREGATES if clause.has(tag)), None)
    every = next(
        (
            c
            for c in clause.cues
            if c.tag == "every" and not (c.first and clause.tokens[c.first - 1].lower in ("at", "for"))
        ),
        None,
    )
    each = clause.has("both", "same") is not None or every is not None
    forms: list[Form] = []
    for one in asserted:
        total = next(
            (a.amount.quantity for a in amounts if a is not one and a.role == "of" and 0 < a.first - one.last <= 3),
            None,
        )
        if total is not None and len(asserted) > 1 and one.role == "of":
            continue
        if kind is not None:
            forms.append(Aggregate(kind=_AGGREGATES[kind], about=shown.phrase(), amount=one.amount))
        elif _is_fraction(one):
            forms.append(Share(about=shown.phrase(), amount=one.amount, of=_after_of(shown, one)))
        else:
            forms.append(
                Value(about=_own_words(shown, one, asserted), amount=_with_noun(shown, one), each=each, of_total=total)
            )
    return [form for form in forms if not (isinstance(form, Value) and form.amount.quantity is None)]


def _any_may_be_meant(clause: Clause, amounts: Sequence[Stated]) -> bool:
    """Whether any of two or three bare numbers may be the value and the others names: “4 runs in 18 games”, “y equals 18 when x equals 14”."""
    if not 2 <= len(amounts) <= 3 or clause.has(*_AGGREGATES):
        return False
    bare = all(
        one.amount.quantity.unit is None and one.amount.bound == "=" and not _is_fraction(one) for one in amounts
    )
    told = sum(one.role in _COPULA for one in amounts)
    return bare and told != 1 and not any(one.role == "of" for one in amounts)


def _is_conversion(amounts: Sequence[Stated]) -> bool:
    """“One liter equals 1,000 milliliters”: true of every figure."""
    if len(amounts) != 2:
        return False
    left, right = (one.amount.quantity for one in amounts)
    factor = conversion(left.unit, right.unit) if left.unit and right.unit and left.unit != right.unit else None
    return factor is not None and abs(left.absolute * factor - right.absolute) < 1e-6 * abs(right.absolute)


def _position(clause: Clause, amounts: list[Stated]) -> Form | None:
    """“The vertex lies at (3, -4)”."""
    for left, right in itertools.pairwise(amounts):
        between = [t.text for t in clause.tokens[left.last + 1 : right.first]]
        opened = left.first > 0 and clause.tokens[left.first - 1].text == "("
        if between == [","] and opened:
            return Position(about=_shown(clause, left, right).phrase(), x=left.amount.quantity, y=right.amount.quantity)
    return None


def _own_words(clause: Clause, one: Stated, asserted: Sequence[Stated]) -> Phrase:
    return clause.phrase()


def _with_noun(clause: Clause, one: Stated) -> Amount:
    """The amount with the noun that it counts: the 4 of “4 tennis courts” counts tennis courts."""
    if one.amount.quantity.unit or one.amount.quantity.scale != 1.0:
        return one.amount
    stop = one.last + 1
    while (
        stop < len(clause.tokens)
        and stop - one.last <= 4
        and clause.tokens[stop].is_word
        and clause.tokens[stop].lower not in _NOUN_ENDS
    ):
        stop += 1
    noun = clause.phrase(one.last + 1, stop)
    return replace(one.amount, noun=noun) if noun else one.amount


_NOUN_ENDS = frozenset(
    "in on at of for during to from by as per and that than with last this is was are were each when while who which were or have has had more less among between compared".split()  # noqa: E501
)


_OF_ENDS = frozenset(
    "is are was were goes went comes came go come has have spent picked chose live lives said say".split()
)


def _is_fraction(one: Stated) -> bool:
    quantity = one.amount.quantity
    return quantity.unit is None and quantity.scale == 1.0 and quantity.places is None and 0 < quantity.value < 1


def _after_of(clause: Clause, one: Stated) -> Phrase:
    if one.last + 1 < len(clause.tokens) and clause.tokens[one.last + 1].lower == "of":
        stop = next(
            (
                i
                for i in range(one.last + 2, len(clause.tokens))
                if clause.tokens[i].text in ",;.()" or clause.tokens[i].lower in _OF_ENDS
            ),
            len(clause.tokens),
        )
        return clause.phrase(one.last + 2, stop)
    return Phrase()


def _asserted(clause: Clause, amounts: list[Stated]) -> list[Stated]:
    """Which of several amounts the clause is about: not those that a preposition makes a place or a total."""
    if len(amounts) == 1:
        return amounts
    copula = [one for one in amounts if one.role in _COPULA]
    part_of = [
        one
        for one in amounts
        if one.role == "of"
        and clause.tokens[one.first - 1].lower in ("of", "the", "$")
        and not _follows_amount(clause, one)
    ]
    part_of = [
        one
        for one in part_of
        if not any(t.lower in ("at", "when", "for") for t in clause.tokens[max(0, one.first - 5) : one.first - 1])
    ] or (part_of if len(amounts) == 1 else [])
    told = [one for one in amounts if one.role not in _PLACING and one.role not in ("of", "price", "than")]
    return copula or part_of or told or amounts[-1:]


_COPULA = frozenset(
    "is are was were equals equal = : be reached totals totaled totalled stood stands measures | costs cost".split()
)


def _follows_amount(clause: Clause, one: Stated) -> bool:
    """Whether “of” right after another amount makes this one a whole: “950 of the 2,250 vehicles”."""
    return any(0 < one.first - other.last <= 3 for other in clause.amounts if other is not one)


def _listing(clause: Clause, amounts: list[Stated], before: Sequence[Clause]) -> Form | None:
    """Values in a row: “are 41, 40, 47, 31 and 27 minutes, respectively”."""
    if len(amounts) < 2:
        return None
    for left, right in itertools.pairwise(amounts):
        between = [t.lower for t in clause.tokens[left.last + 1 : right.first]]
        if not between or not all(word in (",", "and", "&", "$", "or", "€", "£", "→") for word in between):
            return None
    words = {t.lower for part in (clause, *before[-1:]) for t in part.tokens}
    order: Literal["as read", "ascending", "descending"] = "as read"
    if words & _SORTED and len(amounts) > 2:
        order = "descending" if "descending" in words or "decreasing" in words else "ascending"
        if (
            "largest" in words
            and "smallest" in words
            and " ".join(t.lower for part in (*before[-1:], clause) for t in part.tokens).find("largest to") >= 0
        ):
            order = "descending"
    return Listing(
        about=_shown(clause, *amounts).phrase(), values=tuple(one.amount.quantity for one in amounts), order=order
    )


def _zero(clause: Clause) -> Form | None:
    """“The chef made no pizzas on Tuesday”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words == "no"), None)
    if (
        cue is None
        or cue.last + 1 >= len(clause.tokens)
        or clause.tokens[cue.last + 1].lower in _ZERO_BLOCK
        or not clause.tokens[cue.last + 1].is_word
    ):
        return None
    if clause.has("more", "less", "most", "least", "same", "differ") or set(clause.words) & {
        "needed",
        "necessary",
        "required",
        "reason",
    }:
        return None
    at = clause.tokens[cue.first]
    quantity = Quantity(value=0.0, start=at.start, end=at.end, spelled=True)
    return Value(about=clause.phrase(), amount=Amount(quantity=quantity), each=True)
