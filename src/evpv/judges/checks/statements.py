"""The statement that a question and an answer make together, for the matcher of claims: "What is the share of rent?" and "38 %".

A question about what is shown needs no reasoning: the answer is right if the statement holds of the figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evpv.judges.checks.tables import asking
from evpv.language.answers import TRUTH_WORDS
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint

_ASIDE = re.compile(
    r"\s?\((?:Unit|in)\b[^)]{0,40}\)|\b(?:in|from|according to) (?:the|this) (?:figure|chart|table|graph|image|picture|plot),?\s",
    re.IGNORECASE,
)
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"what(?:'s|\s(?:is|was|are|were))\s(?P<rest>.+)", re.IGNORECASE), "{rest} is {answer}."),
    (re.compile(r"how\s(?:many|much)\s(?P<rest>.+)", re.IGNORECASE), "{answer} {rest}."),
    (
        re.compile(r"which\s(?:\w+\s){1,2}(?P<rest>(?:has|have|had|is|was|are|were|shows?|saw)\b.+)", re.IGNORECASE),
        "{answer} {rest}.",
    ),
)
_TRUTH = re.compile(r"\btrue or false\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"(?:is|are|was|were)\s(?P<one>.+?)\s(?P<rest>(?:always\s)?(?:greater|larger|higher|lower|less|smaller|more|fewer|longer|shorter|equal|parallel|perpendicular)\b.+)",
    re.IGNORECASE,
)
_MOST_ANSWERS = 12
_DECIDED = {"supported": True, "contradicted": False}


def answers_shown(question: str, answers: Sequence[str], constraints: Sequence[Constraint]) -> Mapping[str, bool]:
    """Which answers the figure bears out and which it speaks against, where it tells them apart; else none.

    An answer is only refuted beside one that holds: where all seem wrong, it is the question that was not understood.
    """
    facts = tuple(constraints)
    match = grounded_matcher(facts) if facts else None
    if match is None:
        return {}
    if (stated := _bare_statement(question)) is not None:
        holds = _DECIDED.get(match(stated).verdict)
        said = {answer: TRUTH_WORDS.get(answer.strip(" .").lower()) for answer in answers}
        return {one: truth is holds for one, truth in said.items() if None not in (truth, holds)}
    claims = {answer: statement(question, answer) for answer in list(dict.fromkeys(answers))[:_MOST_ANSWERS]}
    found = {answer: _DECIDED.get(match(claim).verdict) for answer, claim in claims.items() if claim is not None}
    return {one: holds for one, holds in found.items() if holds is not None} if True in found.values() else {}


def statement(question: str, answer: str) -> str | None:
    """The sentence that an answer makes of a question; None for other kinds of question.

    >>> statement("What was the price of tea in May? (Unit: $)", "$4")
    'the price of tea in May is $4.'
    >>> statement("According to the table, which year has the least rain?", "2015"), statement("Why?", "2")
    ('2015 has the least rain.', None)
    """
    asked = _ASIDE.sub("", asking(question)).strip(" '\"?")
    asked = (
        asked.rpartition(", ")[2] if re.match(r"(?:in|on|at|for|based|according)\b", asked, re.IGNORECASE) else asked
    )
    for shape, form in _SHAPES:
        match = shape.fullmatch(asked)
        if match is not None:
            return form.format(rest=match["rest"].strip(), answer=answer.strip(" ."))
    return None


def _bare_statement(question: str) -> str | None:
    """What a question asks to be called true or false, yes or no."""
    if (end := _TRUTH.search(question)) is not None:
        return _ASIDE.sub("", question[: end.start()]).strip() or None
    compared = _COMPARES.fullmatch(asking(question).strip(" '\"?"))
    return None if compared is None else f"{compared['one']} is {compared['rest']}."
