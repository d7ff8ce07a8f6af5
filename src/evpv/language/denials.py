"""What a “not” denies: a denied bound is the other bound (“does not exceed 20” is “at most 20”), other denials stay with the assertion."""

from __future__ import annotations

from dataclasses import replace

from evpv.language.clauses import Clause
from evpv.language.forms import Amount, Bound, Comparison, Count, Form, Layout, Value
from evpv.language.tokens import Cue

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
    as_much = clause.has("as")
    if (
        isinstance(form, Comparison)
        and form.order == "equal"
        and as_much
        and cue.first < as_much.first
        and not form.times
    ):
        return replace(form, order="less"), False
    return form, True


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
