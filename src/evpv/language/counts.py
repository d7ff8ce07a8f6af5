"""How many of a group meet a limit (“three of the five”, “none”, “all but Ann”), and which of it is “the highest” or “second to last”."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from evpv.language.amounts import Stated
from evpv.language.clauses import COPULA, FINITE, Clause, showing
from evpv.language.forms import Bound, Comparison, Count, Extreme, Form, Open, Order, Phrase
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
    whole = Count(about=showing(clause, limit).phrase(), limit=limit.amount)
    return (
        _group_count(clause, limit, whole) or _number_count(clause, limit, whole) or _only_count(clause, limit, whole)
    )


def _group_count(clause: Clause, limit: Stated, whole: Count) -> Count | None:
    """All but some, none, or a part of a group."""
    if limit.amount.bound != "=" and (excepted := _exception(clause)):
        return replace(whole, excepted=showing(clause, limit).phrase(*excepted))
    if _denies_all(clause, limit):
        return replace(whole, number=0)
    part = _part(clause, limit)
    return replace(whole, part=part[0], bound=part[1]) if part else None


def _number_count(clause: Clause, limit: Stated, whole: Count) -> Count | None:
    """A number of a group, and after a colon which."""
    counted = next(_numbers(clause, limit), None)
    if counted is None:
        return None
    place, number, bound = counted
    colon = ":" in clause.words[:-1]
    listed = showing(clause, limit).phrase(clause.words.index(":") + 1) if colon else Phrase()
    about = showing(replace(clause, hidden=clause.hidden | {place}), limit).phrase()
    return replace(whole, about=about, number=number, bound=bound, names=listed)


def _only_count(clause: Clause, limit: Stated, whole: Count) -> Count | None:
    """“Only A and B exceed 80”, “only one does”."""
    only = clause.has("only")
    if only is None or only.words == "alone" or limit.amount.bound == "=" or limit.first == only.last + 1:
        return None
    if clause.word(only.last + 1) == "one" and only.first <= 1:
        return replace(whole, number=1)
    stop = limit.first if only.first < limit.first else None
    return replace(whole, names=showing(clause, limit).phrase(only.last + 1, stop))


def _row_count(clause: Clause) -> Form | None:
    """“Only Chile and Peru export more than they import”, “in two months sales exceeded costs”: rows counted by two of their columns."""
    turn, only = clause.has("than", "beats", "trails"), clause.has("only")
    counted = next((i for i in range(min(6, len(clause.words))) if _opens_count(clause, i)), None)
    if turn is None or (only is None and counted is None) or (only is not None and only.first > 3):
        return None
    order = _turned_order(clause, turn)
    if order is None:
        return None
    pair = Comparison(order=order, left=clause.phrase(0, turn.first), right=clause.phrase(turn.last + 1))
    whole = Count(about=clause.phrase(), versus=pair)
    if counted is not None:
        return replace(whole, number=_small_number(clause.tokens[counted]), bound=_bound_of(clause, counted))
    return replace(whole, names=clause.phrase(only.last + 1 if only else 0, turn.first))


def _turned_order(clause: Clause, turn: Cue) -> Order | None:
    """How two things stand around the word that a comparison turns on; None where “than” has no “more” before it."""
    if turn.tag != "than":
        return "greater" if turn.tag == "beats" else "less"
    more = clause.has("more", "less")
    if more is None or more.first > turn.first:
        return None
    return "greater" if more.tag == "more" else "less"


def _opens_count(clause: Clause, index: int) -> bool:
    """Whether a small number before a plural, or before “of the”, opens a clause."""
    stem, after = clause.tokens[index].stem, clause.word(index + 1)
    if clause.words[index] != "one" and (not stem.isdecimal() or len(stem) > 2):
        return False
    if (after in ("in", "out") and clause.amount_at(index)) or not _LEADS.issuperset(clause.words[:index]):
        return False
    grouped = after == "of" and clause.word(index + 2) in _OF_A_GROUP
    return grouped or _counts_plainly(clause, index)


def _counts_plainly(clause: Clause, index: int) -> bool:
    """Whether a plural follows a number, and nothing that would make it a difference or a factor."""
    related = any(0 < c.first - index <= 2 and c.tag in ("more", "less", "times") for c in clause.cues)
    return not related and _is_before_plural(clause, index)


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
    bounded = [*filter(_is_bounded, told)]
    if bounded or not told:
        return bounded[-1] if bounded else None
    if _REACHED & {*clause.words}:
        return replace(told[-1], amount=replace(told[-1].amount, bound=">="))
    counting = all(map(_is_in_words, told[:-1]))
    return told[-1] if counting and not clause.has("total", "mean", "difference", "twice") else None


def _is_bounded(one: Stated) -> bool:
    return one.amount.bound != "=" or one.amount.high is not None


_BEFORE_BOUND = ("a", "an", "same", "equal", "of")


def _is_in_words(one: Stated) -> bool:
    return one.amount.quantity.spelled and one.amount.quantity.unit is None


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
    for index, token in enumerate(clause.tokens):
        number = _small_number(token)
        if number is None or limit.first <= index <= limit.last:
            continue
        said = clause.amount_at(index)
        unit = said.amount.quantity.unit if said else None
        if said and _is_number_of(clause, said):
            yield index, number, "="
        elif unit in _PERIODS and _counts(clause, index, limit):
            yield index, number, _bound_of(clause, index)


def _counts(clause: Clause, index: int, limit: Stated) -> bool:
    """Whether the number at a place counts things of which a limit is said."""
    before, after, second = clause.word(index - 1), clause.word(index + 1), clause.word(index + 2)
    opens = _LEADS.issuperset(clause.words[:index]) or before in _PLACED
    if after == "of" and second in _OF_A_GROUP:
        return opens and before != "the"
    if (after, second) == ("out", "of"):
        return opens
    if before in _SIZE_LEADS or not _is_before_plural(clause, index) or not _counts_exactly(clause, index, limit):
        return False
    return before in _PLACED if index > limit.last else opens


def _is_before_plural(clause: Clause, index: int) -> bool:
    return index + 1 < len(clause.tokens) and clause.tokens[index + 1].is_word and _is_plural(clause, index)


def _counts_exactly(clause: Clause, index: int, limit: Stated) -> bool:
    """Whether a number may count: of those that have just a value, which has no unit, a number word does, or one after “exactly”."""
    if limit.amount.bound != "=" or limit.amount.high is not None:
        return True
    spelled = clause.tokens[index].text.isalpha() and clause.words[index] != "one"
    return not limit.amount.quantity.unit and (spelled or clause.word(index - 1) in ("exactly", "only", "just"))


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
    words = () if _is_size(limit) else clause.words[: limit.first]
    for index, word in enumerate(words[:4]):
        match word, *words[index + 1 : index + 3]:
            case "not", "all" | "every" | "everyone" | "everybody", *_:
                return 1.0, "<"
            case "most" | "majority", "of", *_ if words[index - 1 : index] != ("at",):
                return 0.5, ">"
            case "half", "of" | "the", *_ if limit.amount.bound != "=":
                return 0.5, "="
    return None


def _denial(clause: Clause) -> Cue | None:
    """The “no” or “none” near the beginning of a clause."""
    cue = next((c for c in clause.cues if c.tag == "not" and c.words in _NONE), None)
    return cue if cue is not None and cue.first <= 3 else None


def _is_size(limit: Stated) -> bool:
    return limit.amount.bound == "=" and limit.amount.quantity.unit == "percent"


def _denies_all(clause: Clause, limit: Stated) -> bool:
    """“No year had more than 50”, “none of the bars reaches 20”; not the “no” of “no more than”."""
    cue = _denial(clause)
    if cue is None or cue.last + 1 >= len(clause.tokens) or cue.first > limit.first:
        return False
    bounded = any(c.tag in ("over", "under") and c.first <= cue.first <= c.last for c in clause.cues)
    return not bounded and not {*clause.words[: cue.first]} & FINITE - {"is", "are"}


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
    cue = _denial(clause)
    if cue is None or any(one.amount.bound != "=" for one in clause.amounts):
        return None
    than, more, equal = clause.has("than"), clause.has("more", "less"), clause.has("as")
    if than is not None and more is not None and more.first < than.first:
        return _first_of(clause, cue, more.tag == "more", than)
    second = clause.place_of(("as",), equal.last + 1) if equal else len(clause.words)
    return _first_of(clause, cue, True, Cue("as", "as", second, second)) if second < len(clause.words) else None


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
    ends = (cue for cue in clause.cues if cue.tag in _ENDS and not _is_other_expression(clause, cue))
    return next(ends, None) or _rank_cue(clause) or _beyond_others(clause)


_ENDS = ("most", "least")


_NO_TOPS = frozenset("of right left row half two three five and".split())


def _is_other_expression(clause: Clause, cue: Cue) -> bool:
    """Whether the word of an extreme belongs to “at most”, “most of”, “the top row”, “a maximum of”, “lowest to highest”."""
    before, after = clause.word(cue.first - 1), clause.word(cue.last + 1)
    if after == "to" or (before == "to" and any(c.tag in _ENDS for c in clause.cues if c.last < cue.first)):
        return True
    match cue.words:
        case "most" | "least" | "best" | "bottom" | "top" if before == "at":
            return after not in (",", ".", "", "with")
        case "most":
            return after == "of"
        case "top" | "bottom":
            return after in _NO_TOPS
        case "minimum" | "maximum" | "max" | "min":
            return before in _BEFORE_BOUND or (after == "of" and before not in ("its", "their", "the"))
    return False


def _beyond_others(clause: Clause) -> Cue | None:
    """“More than any other”: an extreme in the words of a comparison."""
    than, more = clause.has("than"), clause.has("more", "less")
    if than is None or more is None or {"combined", "together"} & {*clause.words[than.last :]}:
        return None
    words = clause.words[than.last + 1 : than.last + 6]
    words = words[1:] if {*words[:1]} & {"in", "on", "at", "for", "during"} else words
    every = {*words[:1]} & {"any", "all", "every", "everyone"} or "others" in words[:3]
    if not every or {"other", "else", "others", "rest"}.isdisjoint(words):
        return None
    return Cue("most" if more.tag == "more" else "least", more.words, than.first, than.last)


_RANKING = frozenset("is are was were takes took in".split())
_AFTER_RANK = frozenset(["", ".", ",", ";", "(", ")", "with", "at", "place", "in", "and", "overall", "by"])


def _rank_cue(clause: Clause) -> Cue | None:
    """“Rent is third at 10%”, “Ann comes second”, “second place goes to Ann”, “the runner-up”."""
    if ORDINALS.keys().isdisjoint(clause.words):
        return None
    for index, word in enumerate(clause.words):
        before, after = clause.word(index - 1), clause.word(index + 1)
        placed = after == "place" and before in ("", "the", ",")
        ranked = before in _RANKING and after in (("place",) if before == "in" else _AFTER_RANK)
        if ORDINALS.get(word) in range(2, 10) and (ranked or placed):
            return Cue("most", word, index, index + (after == "place"))
    return None


def extreme_forms(clause: Clause, cue: Cue) -> list[Form]:
    """The extreme that a cue says: whose, of what, which rank, with what value."""
    lead = clause.words[max(0, cue.first - 3) : cue.last + 1]
    rank = [1, *(ORDINALS[word] for word in lead if word in ORDINALS)][-1]
    stated = _value_of(clause, cue)
    clause = showing(clause, stated) if stated else showing(clause)
    followed = clause.has("followed")
    named = cue.last + 1 if cue.words in _ENDS and cue.last + 1 < len(clause.tokens) else cue.first
    adjective = clause.tokens[named].stem
    names = _without_rank(clause, cue)
    form = Extreme(
        most=(cue.tag == "most") != (adjective in _CHEAP),
        rank=rank,
        subject=names.phrase(0, cue.first),
        group=names.phrase(cue.last + 1, followed.first if followed else None),
        amount=stated.amount if stated else None,
        followers=_joined_things(clause, followed.last + 1) if followed else (),
        tied=clause.has("same", "both") is not None,
        adjective=adjective,
    )
    return [form]


_BEFORE_END = frozenset(["", ",", *"with at of has is had scored sold percent its their".split()])


def _value_of(clause: Clause, cue: Cue) -> Stated | None:
    """The amount said with an extreme: after a verb, else what is no place, else anything after it, else what leads up to it."""
    after = [one for one in clause.amounts if one.first > cue.last]
    told = [one for one in after if one.role != "times"]
    ranks = (
        (one for one in after if one.role in COPULA),
        filter(_is_no_place, told),
        told,
        (one for one in clause.amounts if one.last < cue.first and one.role in _BEFORE_END),
    )
    return next(itertools.chain(*ranks), None)


def _is_no_place(one: Stated) -> bool:
    return one.role not in ("in", "for", "on") or one.amount.quantity.unit is not None


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
