"""What a clause denies, and why it may not be wholly understood.

A denied bound is the other bound (“does not exceed 20” is “at most 20”); other denials stay with the assertion. What is read from a
clause that was not wholly understood can be confirmed, but it refutes nothing: a false accusation costs more than a misreading that
passes.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from evpv.language.clauses import FINITE, Clause
from evpv.language.forms import Amount, Bound, Comparison, Count, Form, Layout, Value, Worked
from evpv.language.quantities import UNIT_OF, quantities
from evpv.language.tokens import Cue, Token

_FLIPPED: dict[Bound, Bound] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_REACHING = frozenset("reach reached reaches hit attain attained get got come came make made".split())
_NOT_DENYING = frozenset({"no", "none", "without", "nobody", "nothing", "no one"})
_NOT_DENIED = frozenset("only just necessarily less more fewer".split())


def asserted_form(clause: Clause, form: Form) -> tuple[Form, bool]:
    """The form that a clause asserts, and whether it is said not to hold."""
    cue = _denial(clause)
    if isinstance(form, (Count, Layout)):
        return form, False
    if clause.has("differ") and not clause.has("same"):
        return form, cue is None
    if cue is None:
        return form, False
    if isinstance(form, Value) and (bound := _denied_bound(clause, form.amount)):
        never = cue.words in ("never", "neither")
        return replace(form, amount=replace(form.amount, bound=bound), each=form.each or never), False
    if isinstance(form, Comparison) and _is_not_as_much(clause, cue, form):
        return replace(form, order="less"), False
    return form, True


def _is_not_as_much(clause: Clause, cue: Cue, form: Comparison) -> bool:
    as_much = clause.has("as")
    return form.order == "equal" and not form.times and as_much is not None and cue.first < as_much.first


def _denial(clause: Clause) -> Cue | None:
    """The “not” of a clause, unless it is part of another cue (“did not change”, “not exceed”) or denies no more than a word."""
    for cue in clause.cues:
        if cue.tag != "not" or cue.words in _NOT_DENYING or clause.word(cue.last + 1) in _NOT_DENIED:
            continue
        if not any(o is not cue and o.tag != "not" and o.first <= cue.first <= o.last for o in clause.cues):
            return cue
    return None


def _denied_bound(clause: Clause, amount: Amount) -> Bound | None:
    """The bound that is left of a denied one; to deny that a mark is reached is to stay below it."""
    if amount.high is not None:
        return None
    if amount.bound == "=":
        return "<" if _REACHING & {*clause.words} else None
    return _FLIPPED[amount.bound]


_MODAL = frozenset(
    "might may could should if unless supposed expected projected forecast predicted planned hoped perhaps "
    "presumably assuming suppose imagine hypothetically".split()
)
_JOINS = frozenset(", and but while whereas although though ; whose".split())
_SUBORDINATE = frozenset("than which who whose that as where when".split())


def clause_doubt(clause: Clause, form: Form) -> str:
    """What in a clause a form does not account for; "" if nothing."""
    if isinstance(form, Layout):
        return ""
    if not _MODAL.isdisjoint([token.text for token in clause.tokens]):
        return "it says what may be rather than what is."
    if not isinstance(form, Count) and _makes_exception(clause):
        return "it makes an exception."
    tags = Counter([cue.tag for cue in clause.cues])
    if tags["twice"] > 1 or tags["than"] + tags["beats"] + tags["trails"] > 1 or _is_inverted(clause):
        return "it compares more than once, or the other way round."
    return "it says more than one thing at once." if _says_twice(clause.words) else ""


def content_words(clause: Clause) -> tuple[Token, ...]:
    """The words of a clause that carry meaning and belong to no cue or unit."""
    cued = {index for cue in clause.cues for index in range(cue.first, cue.last + 1)}
    every = enumerate(clause.tokens)
    return tuple([t for i, t in every if i not in cued and t.is_content_word and t.lower not in UNIT_OF])


def form_amounts(form: Form) -> list[Amount]:
    """The amounts that a form states."""
    found = [getattr(form, name) for name in _AMOUNT_FIELDS[type(form)]]
    return [*[amount for amount in found if isinstance(amount, Amount)], *getattr(form, "others", ())]


_AMOUNT_FIELDS = {
    kind: [name for name in ("amount", "by", "times", "first", "last", "limit") if name in kind.__dataclass_fields__]
    for kind in get_args(Form)
}
"""The fields of each kind of form that may hold an amount."""
_LARGEST = 1e150
"""Beyond this a product has no number."""
_RECENT = 12
"""So many numbers back a calculation may reach."""


def is_computed(form: Form, before: Sequence[float], sentence: str) -> bool:
    """Whether a form's number is what one operation makes of numbers said before it: then it was worked out, not read."""
    amounts = form_amounts(form)
    if len(amounts) != 1 or amounts[0].bound != "=" or isinstance(form, Worked):
        return False
    quantity = amounts[0].quantity
    here = [q.absolute for q in quantities(sentence) if q.start < quantity.start and not q.is_year]
    if len(earlier := [*before, *here]) < 2:
        return False
    slack = _slack(amounts[0])
    return any(abs(value - quantity.absolute) <= slack for value in outcomes(earlier[-_RECENT:]))


def _slack(amount: Amount) -> float:
    """How far a number may be from what it is worked out to."""
    stated, places = amount.quantity.absolute, amount.quantity.places
    slack = 0.5 * 10.0**-places * amount.quantity.scale if places else 1e-6 * abs(stated)
    return max(slack, 0.02 * abs(stated)) if amount.hedged else slack


def outcomes(numbers: Sequence[float]) -> list[float]:
    """What sums, differences, products, quotients and percentages of these numbers come to."""
    numbers = [number for number in numbers if abs(number) < _LARGEST]
    if len(numbers) < 2:
        return []
    found = [math.fsum(numbers) / len(numbers), *(math.fsum(numbers[-many:]) for many in range(2, len(numbers) + 1))]
    for left, right in itertools.combinations(dict.fromkeys(numbers), 2):
        found += [left + right, abs(left - right), left * right]
        for a, b in ((left, right), (right, left)):
            found += [a / b, 100 * a / b, 100 * (a - b) / b] if b else []
    return found


def _makes_exception(clause: Clause) -> bool:
    """“Except April”, “in every year but 2019”; an ordinary “but” goes on."""
    every = clause.has("every") is not None
    return any(
        cue.tag == "except" and (cue.words != "but" or (every and clause.word(cue.last + 1)[:1].isdigit()))
        for cue in clause.cues
    )


def _is_inverted(clause: Clause) -> bool:
    """“Just behind are the 20-year-olds”: the subject comes last."""
    return any(cue.tag in ("beats", "trails") and clause.word(cue.last + 1) in FINITE for cue in clause.cues)


def _says_twice(words: Sequence[str]) -> bool:
    """Whether two verbs stand in a clause with a joint between them and no “than” or “which” that would tie them together."""
    verbs = [index for index, word in enumerate(words) if word in FINITE]
    return any(
        _JOINS & {*words[left:right]} and not _SUBORDINATE & {*words[left:right]}
        for left, right in itertools.pairwise(verbs)
    )
