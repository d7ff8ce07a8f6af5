"""How many of a group meet a limit (“three of the five”, “none”, “all but Ann”), and which of it is “the highest” or “second to last”."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from evpv.language.amounts import Stated
from evpv.language.clauses import COPULA, FINITE, Clause, showing
from evpv.language.forms import Bound, Comparison, Count, Extreme, Form, Open, Phrase
from evpv.language.lexicon import ORDINALS
from evpv.language.tokens import Cue, Token

_NONE = frozenset({"no", "none", "nobody", "nothing", "no one"})
_REACHED = frozenset("reach reached reaches hit hits attained topped attain".split())
_OF_A_GROUP = frozenset("the these those them all its our".split())
_SIZE_LEADS = frozenset("the these those all other first last top next past previous both its remaining of".split())
_PEOPLE = frozenset("people children men women students persons friends teams series species".split())
_PERIODS = frozenset({None, "year", "day", "week", "month"})


def count_form(clause: Clause) -> Form | None:
    """What a clause says of how many of a group meet a limit; None where it counts nothing."""
    if (rival := _no_rival(clause)) is not None:
        return rival
    limit = _limit(clause)
    if (limit is None or _opens_count(clause, limit.first)) and (counted_rows := _row_count(clause)):
        return counted_rows
    if limit is None:
        return _open_count(clause)
    shown = showing(clause, limit)
    if limit.amount.bound != "=" and (excepted := _exception(clause)):
        return Count(about=shown.phrase(), limit=limit.amount, excepted=shown.phrase(*excepted))
    if _denies_all(clause, limit):
        return Count(about=shown.phrase(), limit=limit.amount, number=0)
    if part := _part(clause, limit):
        return Count(about=shown.phrase(), limit=limit.amount, part=part[0], bound=part[1])
    counted = next(_numbers(clause, limit), None)
    listed = shown.phrase(clause.words.index(":") + 1) if counted and ":" in clause.words[:-1] else Phrase()
    if counted is not None:
        about = showing(replace(clause, hidden=clause.hidden | {counted[0]}), limit).phrase()
        return Count(about=about, limit=limit.amount, number=counted[1], bound=counted[2], names=listed)
    only = clause.has("only")
    if only is None or only.words == "alone" or limit.amount.bound == "=" or (limit.first == only.last + 1):
        return None
    stop = limit.first if only.first < limit.first else None
    single = clause.word(only.last + 1) == "one" and only.first <= 1
    names = Phrase() if single else shown.phrase(only.last + 1, stop)
    return Count(about=shown.phrase(), limit=limit.amount, number=1 if single else None, names=names)


def _row_count(clause: Clause) -> Form | None:
    """“Only Chile and Peru export more than they import”, “in two months sales exceeded costs”: rows counted by two of their columns."""
    turn, more = clause.has("than", "beats", "trails"), clause.has("more", "less")
    if turn is None:
        return None
    only = clause.has("only")
    counted = next((i for i in range(min(6, len(clause.words))) if _opens_count(clause, i)), None)
    turned = turn.tag == "than" and (more is None or more.first > turn.first)
    if turned or (only is None and counted is None):
        return None
    if only is not None and only.first > 3:
        return None
    greater = turn.tag == "beats" or (turn.tag == "than" and more is not None and more.tag == "more")
    right = clause.phrase(turn.last + 1)
    pair = Comparison(order="greater" if greater else "less", left=clause.phrase(0, turn.first), right=right)
    if counted is not None:
        number = 1 if clause.words[counted] == "one" else int(clause.tokens[counted].stem)
        return Count(about=clause.phrase(), versus=pair, number=number, bound=_bound_of(clause, counted))
    assert only is not None
    return Count(about=clause.phrase(), versus=pair, names=clause.phrase(only.last + 1, turn.first))


def _opens_count(clause: Clause, index: int) -> bool:
    number = clause.words[index] == "one" or (
        clause.tokens[index].stem.isdecimal() and len(clause.tokens[index].stem) < 3
    )
    plain = index + 1 < len(clause.tokens) and clause.tokens[index + 1].is_word and _is_plural(clause, index)
    plain = plain and not any(0 < c.first - index <= 2 and c.tag in ("more", "less", "times") for c in clause.cues)
    grouped = clause.word(index + 1) == "of" and clause.word(index + 2) in _OF_A_GROUP
    part = clause.word(index + 1) in ("in", "out") and any(one.first == index for one in clause.amounts)
    return number and (plain or grouped) and not part and all(word in _LEADS for word in clause.words[:index])


def _open_count(clause: Clause) -> Form | None:
    """“Three of the farmers grow maize”: how many do what no amount says."""
    if "of" not in clause.words:
        return None
    counted = [
        pair[0]
        for pair in zip(clause.tokens, clause.words[1:], clause.words[2:], strict=False)
        if pair[0].stem.isdecimal() and pair[1] == "of" and pair[2] in _OF_A_GROUP and pair[0].stem != "1"
    ]
    if not counted or clause.amounts or clause.has(*_JUDGED):
        return None
    return Open(about=clause.phrase(), reason="it counts some of a group by what was not read", kind="numeric")


_JUDGED = ("most", "least", "more", "less", "same", "differ", "rises", "falls", "steady", "beats", "trails", "composed", "over", "under")  # fmt: skip


def _limit(clause: Clause) -> Stated | None:
    """What is to be met: the last bounded amount, a range, a mark that is reached; else the one amount that is said."""
    told = [one for one in clause.amounts if one.role not in ("times", "by") and not _counts_things(clause, one)]
    bounded = [one for one in told if one.amount.bound != "=" or one.amount.high is not None]
    if bounded:
        return bounded[-1]
    if told and _REACHED & {*clause.words}:
        return replace(told[-1], amount=replace(told[-1].amount, bound=">="))
    counting = [one for one in told[:-1] if not (one.amount.quantity.spelled and one.amount.quantity.unit is None)]
    return told[-1] if told and not counting and not clause.has("total", "mean", "difference", "twice") else None


def _counts_things(clause: Clause, one: Stated) -> bool:
    """Whether an amount says how many of a group: “at least 3 of the teams”, “4 out of 6 children”, “the number of … is 4”."""
    after = (clause.word(one.last + 1), clause.word(one.last + 2))
    grouped = (after[0] == "of" and after[1] in _OF_A_GROUP) or after == ("out", "of")
    whole = clause.word(one.first - 1) == "of" and clause.word(one.first - 2) == "out"
    whole = whole or any(
        clause.words[other.last + 1 : one.first] in (("of", "the"), ("of", "all")) for other in clause.amounts
    )
    return (grouped or whole or _is_number_of(clause, one)) and one.amount.quantity.unit is None


def _is_number_of(clause: Clause, one: Stated) -> bool:
    """The 4 of “the number of children with fewer than 10 books is 4”."""
    if one.amount.bound != "=" or one.role not in COPULA:
        return False
    bounded = any(other.amount.bound != "=" for other in clause.amounts if other.last < one.first)
    return bounded and any(pair == ("number", "of") for pair in itertools.pairwise(clause.words[: one.first]))


def _small_number(token: Token) -> int | None:
    if token.lower == "one":
        return 1
    return int(token.stem) if token.stem.isdecimal() and len(token.stem) < 4 else None


def _numbers(clause: Clause, limit: Stated) -> Iterator[tuple[int, int, Bound]]:
    """The numbers that count a group, each with its place and bound."""
    units = {one.first: one.amount.quantity.unit for one in clause.amounts}
    for index, token in enumerate(clause.tokens):
        number = _small_number(token)
        if number is None or limit.first <= index <= limit.last:
            continue
        said = next((one for one in clause.amounts if one.first == index), None)
        if said is not None and _is_number_of(clause, said):
            yield index, number, "="
        elif units.get(index) in _PERIODS and _counts(clause, index, limit):
            yield index, number, _bound_of(clause, index)


def _counts(clause: Clause, index: int, limit: Stated) -> bool:
    """Whether the number at a place counts things of which a limit is said."""
    before, after = clause.word(index - 1), clause.word(index + 1)
    opens = all(word in _LEADS for word in clause.words[:index]) or before in _PLACED
    if after == "of" and clause.word(index + 2) in _OF_A_GROUP:
        return opens and before != "the"
    if (after, clause.word(index + 2)) == ("out", "of"):
        return opens
    if before in _SIZE_LEADS or not after or not clause.tokens[index + 1].is_word or not _is_plural(clause, index):
        return False
    exact = limit.amount.bound == "=" and limit.amount.high is None
    counted = clause.tokens[index].text.isalpha() and clause.words[index] != "one"
    if exact and limit.amount.quantity.unit:
        return False
    if exact and not (counted or before in ("exactly", "only", "just")):
        return False
    return before in _PLACED if index > limit.last else opens


_PLACED = frozenset("on in for during at only exactly".split())
_LEADS = frozenset(
    "only exactly just there are were is was so in at least most more fewer less than for on about , about also thus and then we see "
    "hence therefore overall altogether during among here no".split()
)


def _is_plural(clause: Clause, index: int) -> bool:
    noun = clause.tokens[index + 1]
    return clause.words[index] in ("one", "1") or noun.lower.endswith("s") or noun.lower in _PEOPLE


def _bound_of(clause: Clause, index: int) -> Bound:
    lead = clause.words[max(0, index - 3) : index]
    pairs = [*itertools.pairwise(lead)]
    if ("at", "least") in pairs:
        return ">="
    if ("at", "most") in pairs or lead[-3:] == ("no", "more", "than"):
        return "<="
    if ("more", "than") in pairs:
        return ">"
    return "<" if ("fewer", "than") in pairs or ("less", "than") in pairs else "="


def _part(clause: Clause, limit: Stated) -> tuple[float, Bound] | None:
    """“Most of the children”, “half of the years”, “not all of them”; not the majority whose size is told (“a majority of users, 53%,”)."""
    words = clause.words[: limit.first] if not _is_size(limit) else ()
    for index, word in enumerate(words[:4]):
        after = words[index + 1 : index + 3]
        if word == "not" and after[:1] and after[0] in ("all", "every", "everyone", "everybody"):
            return 1.0, "<"
        if after[:2] and after[0] == "of" and word in ("most", "majority") and words[index - 1 : index] != ("at",):
            return 0.5, ">"
        if after[:2] and word == "half" and after[0] in ("of", "the") and limit.amount.bound != "=":
            return 0.5, "="
    return None


def _is_size(limit: Stated) -> bool:
    return limit.amount.bound == "=" and limit.amount.quantity.unit == "percent"


def _denies_all(clause: Clause, limit: Stated) -> bool:
    """“No year had more than 50”, “none of the bars reaches 20”; not the “no” of “no more than”."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in _NONE), None)
    if cue is None or cue.first > 3 or cue.last + 1 >= len(clause.tokens) or cue.first > limit.first:
        return False
    bounds = [c for c in clause.cues if c.tag in ("over", "under") and c.first <= cue.first <= c.last]
    return not bounds and not any(word in FINITE for word in clause.words[: cue.first] if word not in ("is", "are"))


def _exception(clause: Clause) -> tuple[int, int] | None:
    """Where the exception of “all but Ann”, “every year except 2019”, “apart from Finn, everyone” stands."""
    every = clause.has("every")
    if every is None:
        return None
    for cue in clause.cues:
        if cue.tag != "except":
            continue
        between = clause.words[every.last + 1 : cue.first]
        if cue.words == "but" and (cue.first < every.first or FINITE & {*between} or len(between) > 2):
            continue
        stop = next(
            (i for i in range(cue.last + 1, len(clause.tokens)) if _ends_exception(clause, i)), len(clause.tokens)
        )
        return cue.last + 1, stop
    return None


def _ends_exception(clause: Clause, index: int) -> bool:
    word = clause.words[index]
    listed = (
        word == ","
        and any(w in ("and", ",") for w in clause.words[index + 1 : index + 4])
        and index + 1 < len(clause.words)
    )
    return (
        (word == "," and not listed)
        or word in FINITE
        or word in ("have", "has")
        or any(one.first == index for one in clause.amounts)
    )


def _no_rival(clause: Clause) -> Form | None:
    """“No item is dearer than the coat”, “no other child read as many books as Cara”: it is the first of its group."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in _NONE), None)
    if cue is None or cue.first > 3 or any(one.amount.bound != "=" for one in clause.amounts):
        return None
    than, more = clause.has("than"), clause.has("more", "less")
    if than is not None and more is not None and more.first < than.first:
        return _first_of(clause, cue, more.tag == "more", than)
    equal = clause.has("as")
    second = next((i for i, word in enumerate(clause.words) if equal and i > equal.last and word == "as"), None)
    return _first_of(clause, cue, True, Cue("as", "as", second, second)) if second is not None else None


def _first_of(clause: Clause, none: Cue, most: bool, joint: Cue) -> Form:
    return Extreme(
        most=most,
        rank=1,
        subject=clause.phrase(joint.last + 1),
        group=clause.phrase(none.last + 1, joint.first),
        tied=True,
    )


_CHEAP = frozenset("affordable inexpensive economical cheap budget".split())


def extreme_cue(clause: Clause) -> Cue | None:
    """The cue of an extreme that is said of something, not part of “at least” or “most of the”."""
    for cue in clause.cues:
        if cue.tag not in ("most", "least"):
            continue
        before = clause.word(cue.first - 1)
        after = clause.word(cue.last + 1)
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
            before in ("a", "an", "same", "equal", "of") or (after == "of" and before not in ("its", "their", "the"))
        ):
            continue
        return cue
    if (rank := _rank_cue(clause)) is not None:
        return rank
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
            return Cue("most" if more.tag == "more" else "least", more.words, than.first, than.last)
    return None


_RANKING = frozenset("is are was were takes took in".split())
_AFTER_RANK = frozenset(["", ".", ",", ";", "(", ")", "with", "at", "place", "in", "and", "overall", "by"])


def _rank_cue(clause: Clause) -> Cue | None:
    """“Rent is third at 10%”, “Ann comes second”, “second place goes to Ann”, “the runner-up”."""
    if ORDINALS.keys().isdisjoint(clause.words):
        return None
    for index, word in enumerate(clause.words):
        ordinal = word in ORDINALS and 1 < ORDINALS[word] < 10
        before, after = clause.word(index - 1), clause.word(index + 1)
        if ordinal and before in _RANKING and after in _AFTER_RANK and not (before == "in" and after != "place"):
            return Cue("most", word, index, index + (after == "place"))
        if ordinal and after == "place" and before in ("", "the", ","):
            return Cue("most", word, index, index + 1)
    return None


def extreme_forms(clause: Clause, cue: Cue) -> list[Form]:
    """The extreme that a cue says: whose, of what, which rank, with what value."""
    rank = 1
    for token in clause.tokens[max(0, cue.first - 3) : cue.last + 1]:
        rank = ORDINALS.get(token.lower, rank)
    after = [one for one in clause.amounts if one.first > cue.last and one.role != "times"]
    plain = [one for one in after if one.role not in ("in", "for", "on") or one.amount.quantity.unit]
    leading = [
        one
        for one in clause.amounts
        if one.last < cue.first
        and one.role in ("with", "at", "of", "has", "is", "had", "scored", "sold", "", ",", "percent", "its", "their")
    ]
    said = [one for one in clause.amounts if one.role in COPULA and one.first > cue.last]
    stated = next(iter(said or plain or after or leading), None)
    clause = showing(clause, *([stated] if stated else []))
    followed = clause.has("followed")
    stop = followed.first if followed else None
    followers = _joined_things(clause, followed.last + 1) if followed else ()
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


def _without_rank(clause: Clause, cue: Cue) -> Clause:
    ranks = {i for i in range(max(0, cue.first - 3), cue.first) if clause.tokens[i].lower in ORDINALS}
    return replace(clause, hidden=clause.hidden | ranks)


def _joined_things(clause: Clause, first: int) -> tuple[Phrase, ...]:
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
