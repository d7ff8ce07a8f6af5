"""What a question gives, which no reading of its figure refutes; what it asks for; and the statement that it makes with an answer."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from itertools import product

from evpv.language.answers import TRUTH_WORDS
from evpv.language.immutable import immutable, remembering
from evpv.language.labels import Key, labels
from evpv.language.quantities import quantities
from evpv.language.text import plain

MAX_QUESTION = 4000
_CLAUSE_ENDS = re.compile(r"[,，;；?？。、\n]|\.(?!\d)|\b(?:and|then)\b")


@remembering
class Told:
    """The labels of a question, each with the numbers that stand beside it; looked for when first asked."""

    question: str = ""

    @cached_property
    def given(self) -> frozenset[tuple[Key, float]]:
        """Each label of a clause with each of its numbers."""
        found: set[tuple[Key, float]] = set()
        for clause in _CLAUSE_ENDS.split(plain(self.question)):
            if named := [label.key for label in labels(clause)]:
                found.update(product(named, (one.absolute for one in quantities(clause))))
        return frozenset(found)

    def accounts_for(self, key: Key, value: float) -> bool:
        """Whether a value is one that the question gives a thing."""
        names = (key, ("angle", key[1][1:2])) if key[0] == "angle" else (key,)
        return any((name, value) in self.given for name in names)


def told_by(question: str) -> Told:
    """What a question tells: a clause gives its numbers to the labels that it names.

    >>> told = told_by("In the figure the ladder AB is 5 m long, BC = 3 m. Find AC.")
    >>> (("segment", ("A", "B")), 5.0) in told.given, (("segment", ("B", "C")), 5.0) in told.given
    (True, False)
    """
    return Told(question=question)


_AMOUNT = re.compile(r"(?<![\d$.,/+-])(\d+)?(?:\s?\+\s?|\s)?(?:(\d+)/(\d+))|(?<![\d$.,])(\d+(?:\.\d+)?)")


def amount_before(question: str, start: int, after: int) -> Fraction:
    """How many of a thing are asked for: the last number between `after` and `start`; one when there is none.

    >>> amount_before("buy 4+9/10 kilograms of beads", 24, 0)
    Fraction(49, 10)
    """
    numbers = list(_AMOUNT.finditer(question, after, start))
    if not numbers:
        return Fraction(1)
    whole, above, below, plain = numbers[-1].groups()
    if plain is not None:
        return Fraction(plain)
    return Fraction(int(whole or 0)) + (Fraction(int(above), int(below)) if int(below) else 0)


_SENTENCE = re.compile(r"(?<!Mr\.)(?<!Ms\.)(?<!Dr\.)(?<!Mrs\.)(?<=[.?!])\s+(?=[A-Z\"“])")


def asking(question: str) -> str:
    """The sentence that asks, with the conditions in it: the last one that ends in a question mark."""
    asked = [sentence for sentence in _SENTENCE.split(question.strip()[:MAX_QUESTION]) if "?" in sentence]
    return asked[-1] if asked else question[:MAX_QUESTION]


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


def asked_statement(question: str) -> str | None:
    """What a question asks to be called true or false, yes or no."""
    if (end := _TRUTH.search(question)) is not None:
        return _ASIDE.sub("", question[: end.start()]).strip() or None
    compared = _COMPARES.fullmatch(asking(question).strip(" '\"?"))
    return None if compared is None else f"{compared['one']} is {compared['rest']}."


_ASKING = 600  # characters: questions ask at their end
ASKS_TRUTH = re.compile(r"\btrue or false\b|\byes or no\b", re.IGNORECASE)
_ASKS_YES_OR_NO = re.compile(
    r"^\W*(?:(?:in|at|on|by|based on|according to)\s[^,?]{1,60},\s)?"
    r"(?:do|does|did|is|are|was|were|will|would|can|could|should|has|have)\b(?!.*\bor\b)",
    re.IGNORECASE,
)


@immutable
class Asked:
    """What a response answers: a choice between options, whether something is true, or a value."""

    question: str
    asking: str  # its last sentence that asks
    options: tuple[str, ...]
    is_truth: bool
    numbers: frozenset[float]

    @property
    def chooses(self) -> bool:
        """Whether it is a choice between options that are values or things, not true and false."""
        return bool(self.options) and not self.is_truth

    @property
    def has_values(self) -> bool:
        return any(quantities(plain(option)) for option in self.options)

    def answer_at(self, place: int) -> str:
        """An option as an answer: its letter, or its own word where that is plainer (True, B, yes)."""
        words = [option.strip(" ().") for option in self.options]
        are_letters = all(len(word) == 1 and word.isalpha() for word in words)
        return words[place] if are_letters or {word.lower() for word in words} == {"true", "false"} else chr(65 + place)

    def option_called(self, letter: str) -> str | None:
        place = ord(letter) - ord("A")
        return self.answer_at(place) if place < len(self.options) else None

    def truth_answer(self, truth: bool) -> str:
        """True or false as an answer, by the option that says so if there is one."""
        values = [TRUTH_WORDS.get(option.strip(" .").lower()) for option in self.options]
        words = {True: "True", False: "False"} if "true" in self.question.lower() else {True: "Yes", False: "No"}
        return self.answer_at(values.index(truth)) if truth in values else words[truth]


def asked_form(question: str, options: tuple[str, ...] = ()) -> Asked:
    """What a response to a question answers; the question is read at its end, where it asks. It asks for a truth by “True or false?” or
    “Does …?”, but not by “Is it … or …?”."""
    words = {option.strip(" .").lower() for option in options}
    is_truth = words in ({"true", "false"}, {"yes", "no"})
    if not options:
        is_truth = bool(ASKS_TRUTH.search(question) or _ASKS_YES_OR_NO.match(asking(question)))
    numbers = frozenset(quantity.absolute for quantity in quantities(plain(question[-4000:])))
    end = question[-_ASKING:]
    sentence = asking(end[: end.rfind("?") + 1] or end)
    return Asked(question=question, asking=sentence, options=options, is_truth=is_truth, numbers=numbers)
