"""The statement that a question and an answer make together, for the matcher of claims: "What is the share of rent?" and "38 %".

A question about what is shown needs no reasoning: the answer is right if the statement holds of the figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evpv.judges.checks.tables import asking
from evpv.language.answers import TRUTH_WORDS, answer_key
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint

_ASIDE = re.compile(
    r"(?i)\s?\((?:Unit|in)\b[^)]{0,40}\)|\b(?:in|from|according to) (?:the|this) (?:figure|chart|table|graph|image|picture|plot),?\s"
)
_MOST = r"(?:the\s)?(?:highest|lowest|largest|smallest|greatest|least|most|maximum|minimum)\b"
_VERB = r"(?:has|have|had|is|was|are|were|shows?|saw|recorded|received)\b"
_SHAPES = tuple(
    (re.compile(shape, re.IGNORECASE), form)
    for shape, form in (
        (r"(?:what(?:'s|\s(?:is|was|are|were))|find)\s(?P<rest>.+)", "{rest} is {answer}."),
        (r"what\s(?:percentage|percent|share)\sof\s(?P<rest>.+)", "{answer}% of {rest}."),
        (r"how\s(?:many|much)\s(?P<rest>.+)", "{answer} {rest}."),
        (rf"in\s(?:which|what)\s\w+\s(?:is|was|are|were)\s(?P<rest>.+?)\s(?P<most>{_MOST}.*)", "{rest} was {most} in {answer}."),
        (rf"(?:which|what|who)\s(?:\w+\s){{0,3}}?(?P<rest>{_VERB}.+)", "{answer} {rest}."),
    )
)  # fmt: skip
_WORKED_OUT = re.compile(
    r"(?i)\b(?:sum|average|mean|median|difference|combined|(?:in|de)creased?|changed?|points|categories|colou?r)\b"
)
"""Words of a question whose answer is worked out, or is no value at all: that a value was read says nothing of it."""
_LEAD = re.compile(r"(?:in|on|at|for|as|based|according)\b", re.IGNORECASE)
_TRUTH = re.compile(r"\btrue or false\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"(?i)(?:is|are|was|were)\s(?P<one>.+?)\s(?P<rest>(?:always\s)?(?:greater|larger|higher|lower|less|smaller|more|fewer|longer|shorter|equal|parallel|perpendicular)\b.+)"
)
_MOST_ANSWERS = 12
_DECIDED = {"supported": True, "contradicted": False}


def answers_shown(question: str, answers: Sequence[str], constraints: Sequence[Constraint]) -> Mapping[str, bool]:
    """Which answers the figure bears out and which it speaks against, where it tells them apart; else none.

    An answer is only refuted beside one that holds: where all seem wrong, or several right, it is the question that was not understood.
    """
    match = grounded_matcher(tuple(constraints))
    if (stated := _bare_statement(question)) is not None:
        holds = _DECIDED.get(match(stated).verdict)
        said = {answer: TRUTH_WORDS.get(answer.strip(" .").lower()) for answer in answers}
        return {one: truth is holds for one, truth in said.items() if None not in (truth, holds)}
    claims = {answer: statement(question, answer) for answer in list(dict.fromkeys(answers))[:_MOST_ANSWERS]}
    found = {answer: _DECIDED.get(match(claim).verdict) for answer, claim in claims.items() if claim is not None}
    held = {answer_key(answer) for answer, holds in found.items() if holds}
    return {one: holds for one, holds in found.items() if holds is not None} if len(held) == 1 else {}


def statement(question: str, answer: str) -> str | None:
    """The sentence that an answer makes of a question; None for other kinds of question.

    >>> statement("What was the price of tea in May? (Unit: $)", "$4")
    'the price of tea in May is $4.'
    >>> statement("According to the table, which year has the least rain?", "2015"), statement("Why?", "2")
    ('2015 has the least rain.', None)
    """
    asked = _ASIDE.sub("", asking(question)).strip(" '\"?")
    if _WORKED_OUT.search(asked):
        return None
    asked = asked.rpartition(", ")[2] if _LEAD.match(asked) else asked
    found = ((shape.fullmatch(asked), form) for shape, form in _SHAPES)
    parts = next(((match.groupdict(), form) for match, form in found if match is not None), None)
    return parts and parts[1].format(**parts[0], answer=answer.strip(" .%" if "%" in parts[1] else " ."))


def _bare_statement(question: str) -> str | None:
    """What a question asks to be called true or false, yes or no."""
    if (end := _TRUTH.search(question)) is not None:
        return _ASIDE.sub("", question[: end.start()]).strip() or None
    compared = _COMPARES.fullmatch(asking(question).strip(" '\"?"))
    return None if compared is None else f"{compared['one']} is {compared['rest']}."
